"""Which calls are barriers of a whole work-group, and which functions may have some.

By what ptxas 13.5, ocloc 22.43 and 26.27 count: numbers of barriers up to the highest one used; any of OpenCL's is one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from occupancy_lsp.core.frozen import EMPTY, frozen
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex
from occupancy_lsp.source.kernels.call_resolution import is_harmless_call
from occupancy_lsp.source.kernels.call_sites import OwnProperty, call_sites, has_property_transitively
from occupancy_lsp.source.kernels.function_instance import FunctionInstance
from occupancy_lsp.source.kernels.sycl_groups import group_of_call
from occupancy_lsp.source.lex.dialect import COLLECTIVE_METHOD, OF_GROUP, WORK_GROUP, Dialect
from occupancy_lsp.source.lex.work_limits import GIVEN_UP
from occupancy_lsp.source.lower.item_facts import CallSite, Function
from occupancy_lsp.source.lower.symbol_table import LocatedItem, class_of_method, may_be_called_implicitly
from occupancy_lsp.source.sema.translation_unit_scope import Environment
from occupancy_lsp.source.syntax.blanking import BARRIER

MOST = 16  # that a block may name (PTX ISA, "bar")

_DEEPEST = 8
_WORD = regex(r"[A-Za-z_]\w*")
_FIRST = regex(r"__syncthreads(?:_(?:count|and|or))?|__nvvm_barrier0(?:_(?:popc|and|or))?|__nvvm_bar0")
_NUMBERED = regex(r"__barrier_sync(?:_count)?")
# Of cub, cuRAND and cooperative groups: one barrier, or none where a warp or a cluster is all that waits.
_LIBRARY = regex(
    r"(?:cg|cooperative_groups)::(?:(?:sync|wait|reduce|memcpy_async|invoke_one)\w*|\w+_scan\w*|experimental::\w+)"
    r"|(?:hip)?cub::[\w:]+|cuda::(?:\w+::)*make_pipeline|curand(?:_\w+)?"
    rf"|\.(?:sync|barrier_\w+|cluster_sync)|__cluster_barrier_wait|{COLLECTIVE_METHOD.pattern}"
)
_OF_ANY_NUMBER = regex(r"(?:cutlass|cute)::[\w:]+")  # NamedBarrier among them
_SYCL_BARRIER = regex(r"(?:(?:\w+::)*)group_barrier|\.barrier")
_OPENCL = regex(r"(?:work_group_)?barrier|intel_work_group_barrier_(?:arrive|wait)")
_OPENCL_COLLECTIVE = regex(
    r"work_group_(?:all|any|broadcast|reduce_\w+|scan_\w+|reserve_\w+|commit_\w+)|wait_group_events"
)
_NUMBER = r"(?:u?(?:char|short|int|long)|half|float|double|bool|size_t)"
_OPENCL_QUIET = regex(
    rf"{_NUMBER}\d*|convert_{_NUMBER}\d*(?:_sat)?(?:_rt[ezpn])?|as_{_NUMBER}\d*"
    r"|get_(?:work_dim|(?:enqueued_)?(?:global|local|num_groups|group)\w*|num_groups|sub_group_\w+|max_sub_group_size"
    r"|num_sub_groups|enqueued_num_sub_groups|image_\w+|fence|pipe_\w+|kernel_\w+|default_queue)"
    r"|(?:native_|half_)?(?:cos|divide|exp|exp2|exp10|log|log2|log10|powr|recip|rsqrt|sin|sqrt|tan)"
    r"|a?(?:cos|sin|tan)(?:h|pi)?|atan2(?:pi)?|cbrt|ceil|copysign|erfc?|expm1|fabs|fdim|floor|fma|fmax|fmin|fmod|fract"
    r"|frexp|hypot|ilogb|ldexp|lgamma(?:_r)?|log1p|logb|mad|maxmag|minmag|modf|nan|nextafter|pown?|remainder|remquo|rint"
    r"|rootn|round|sincos|tgamma|trunc"
    r"|abs|abs_diff|add_sat|r?hadd|clamp|clz|ctz|mad_hi|mad_sat|max|min|mul_hi|rotate|sub_sat|upsample|popcount|mad24"
    r"|mul24|bitfield_\w+|bit_reverse|dot_\w+|degrees|mix|radians|step|smoothstep|sign|cross|dot|(?:fast_)?(?:distance"
    r"|length|normalize)|is(?:equal|notequal|greater|greaterequal|less|lessequal|lessgreater|finite|inf|nan|normal|ordered"
    r"|unordered)|signbit|any|all|bitselect|select|v(?:load|store)a?(?:_half)?\d*(?:_rt[ezpn])?"
    r"|(?:read_|write_)?mem_fence|atomic_work_item_fence|atom(?:ic)?_\w+|async_work_group_(?:strided_)?copy|prefetch"
    r"|vec_step|shuffle2?|printf|(?:read|write)_image\w*|(?:read|write)_pipe|is_valid_\w+|to_(?:global|local|private)"
    r"|sub_group_\w+|intel_sub_group_\w+|amd_\w+|__builtin_\w+|sizeof|offsetof|typeof"
)


def barrier_number_of(dialect: Dialect, function: Function, site: CallSite) -> tuple[str, bool] | None:
    """The text of a barrier's number, and whether the call, which stands in the function, surely is one; None: it is
    none that is known."""
    name = site.name
    if dialect.barriers == OF_GROUP:
        return _barrier_of_sycl(dialect, function, site)
    if dialect.barriers == WORK_GROUP:
        return ("0", True) if _OPENCL.fullmatch(name) else ("0", False) if _OPENCL_COLLECTIVE.fullmatch(name) else None
    if _FIRST.fullmatch(name):
        return "0", True
    if _NUMBERED.fullmatch(name):
        return (site.arguments or ("",))[0], True
    if _OF_ANY_NUMBER.fullmatch(name):
        return str(MOST - 1), False
    return ("0", False) if _LIBRARY.fullmatch(name) else None


def _barrier_of_sycl(dialect: Dialect, function: Function, site: CallSite) -> tuple[str, bool] | None:
    """One of a sub-group takes none of the hardware's."""
    if _SYCL_BARRIER.fullmatch(site.name) is None:
        return ("0", False) if dialect.local_memory.hidden.fullmatch(site.name) else None
    group = group_of_call(function, site)
    return ("0", group == "work-group") if group != "sub-group" else None


def is_no_barrier(env: Environment, body: FunctionInstance, site: CallSite) -> bool:
    """Whether a call of what is out of sight surely is no barrier."""
    if env.dialect.barriers == WORK_GROUP:
        return not site.name or _OPENCL_QUIET.fullmatch(site.name) is not None or bool(env.types(site.name))
    return is_harmless_call(env, body, site)


def barrier_counts_of_macros(env: Environment) -> Mapping[str, int]:
    """Macros whose text is assembly with a barrier, or names such macros: how many barriers that is at most."""
    return env.cached_table("asm macros", _compute_barrier_counts, ("macros", "plain macros"))


def _compute_barrier_counts(env: Environment) -> Mapping[str, int]:
    return measure_macros_transitively(env, _most_barriers_in_asm)


def measure_macros_transitively(env: Environment, measure: Callable[[str], int]) -> Mapping[str, int]:
    """The macros with a text that measures more than 0, or that names such macros: how much at most."""
    texts: dict[str, list[str]] = {}
    for name, plain in env.all_object_like_macros():
        texts.setdefault(name, []).append(plain.type)
    for name, macro in env.all_function_like_macros():
        texts.setdefault(name, []).append(macro.body)
    found = {name: measure(" ".join(said)) for name, said in texts.items()}
    found = {name: most for name, most in found.items() if most}
    for _ in range(_DEEPEST if found else 0):
        outer = {
            name: max(found[it] for it in used)
            for name, said in texts.items()
            if name not in found and (used := found.keys() & set(_WORD.findall(" ".join(said))))
        }
        if not outer:
            break
        found |= outer
    return found


@remembered(4096)
def _most_barriers_in_asm(text: str) -> int:
    """The same macros are in sight of many files."""
    most = 0
    for match in BARRIER.finditer(text.encode()):
        first = match["operands"].split(b",")[0].strip()
        literal = match["what"] in (b"sync", b"arrive") and first.isdigit()
        most = max(most, min(int(first[:4]) + 1, MOST) if literal else MOST)
    return most


def may_reach_barrier(env: Environment, placed: LocatedItem, function: Function) -> bool:
    """Whether the function or anything in sight that it calls, in whatever instance, has a barrier of the group."""
    return has_property_transitively(env, "waits", placed, function, _own_barrier_property)


def _own_barrier_property(env: Environment, placed: LocatedItem, function: Function) -> OwnProperty:
    if (
        function.mentions.numbered
        or function.memory.unread in GIVEN_UP
        or function.mentions.names & barrier_counts_of_macros(env).keys()
    ):
        return OwnProperty(True)
    calls: set[str] = set()
    body = FunctionInstance(placed, function, {})
    for site in call_sites(env, body).sites:
        *_, label = site.name.lstrip(".").split("::")
        if env.may_be_called_on_device(label):
            calls.add(label)
        elif barrier_number_of(env.dialect, function, site) or not is_no_barrier(env, body, site):
            return OwnProperty(True)
    return OwnProperty(False, frozen(calls))


def mentioned_functions_with_barrier(env: Environment, name: str) -> frozenset[str]:
    """Functions with a barrier, that the mention of a name may call: of that name, or unsaid."""
    key = ("waiting", name)
    return env.remember(key, lambda: frozen(it.name for it in _find_mentioned_functions_with_barrier(env, name)), EMPTY)


def _find_mentioned_functions_with_barrier(env: Environment, name: str) -> Iterator[Function]:
    found = [
        it for it in env.every_function_named(name) if not may_be_called_implicitly(it[1]) or not class_of_method(it[1])
    ]
    found += [it for it in env.implicit_callees_of_name(name) if class_of_method(it[1])]
    for placed, function in found:
        if not function.kernel and may_reach_barrier(env, placed, function):
            yield function
