"""Whose device OpenCL is written for, by the functions and attributes of vendors' extensions that it uses.

The names are those of the extensions in Khronos' registry (cl_intel_*, cl_qcom_*, cl_arm_*, cl_amd_*) and of clang's
builtins.
"""

from __future__ import annotations

from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.lex.span import Span
from occupancy_lsp.source.lower.preprocessor_directives import ConditionRegions
from occupancy_lsp.source.syntax.blanking import MaskedCode

# A group for each vendor, of the name that presets have.
NAMED = regex(
    rb"\b(?:(?P<intel>intel_(?:reqd_sub_group_size|sub_group_\w+|work_group_\w+|convert_\w+|get_\w+))"
    rb"|(?P<qualcomm>qcom_\w+)"
    rb"|(?P<arm>arm_(?:dot(?:_acc)?(?:_sat)?\w*|matrix_multiply\w*))"
    rb"|(?P<amd>amdgpu_(?:waves_per_eu|flat_work_group_size|num_[sv]gpr)|__builtin_amdgcn_\w+"
    rb"|amd_(?:bitalign|bytealign|lerp|pack|unpack[0-3]|m?q?sad\w*|bf[em]|(?:min|max|median)3))"
    rb"|(?P<nvidia>__nvvm_\w+|__nv_\w+))\b"
)


def vendors_of_extensions(masked: MaskedCode, inside: Span, regions: ConditionRegions) -> tuple[tuple[str, str], ...]:
    """Each vendor with the first word of its own. What stands under an #if may be left out: it names nobody."""
    found: dict[str, str] = {}
    for match in NAMED.finditer(masked.plain, inside.start, inside.end):
        if not regions.at(match.start()):
            found.setdefault(match.lastgroup or "", match[0].decode())
    return tuple(found.items())
