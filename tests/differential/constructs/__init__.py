"""What is drawn: a construct per kind of text that the reader claims to read, each in a file of its own.

A construct draws a whole program, and takes what it is not about from the plain pieces of `Sketch`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ..sketch import Sketch
from . import (
    barriers,
    bounds,
    cleared_indices,
    conditionals,
    constant_indices,
    conversions,
    cuda_arch,
    declarators,
    device_functions,
    enums,
    followed_values,
    function_macros,
    headers,
    host_flow,
    launch_forms,
    layouts,
    lexical,
    mixed,
    name_lookup,
    object_macros,
    opencl,
    plain,
    settled_conditions,
    several_files,
    statement_macros,
    stored,
    templates,
)

Draw = Callable[[Sketch], None]


@dataclass(frozen=True)
class Construct:
    """`holds`: the small part that runs with the tests draws it; off while its kind is known to be read wrongly."""

    name: str
    draw: Draw
    holds: bool = True
    languages: tuple[str, ...] = ("cuda", "hip")


CONSTRUCTS = (
    Construct("plain", plain.draw),
    Construct("object macros", object_macros.draw),
    Construct("function macros", function_macros.draw),
    Construct("#if arithmetic", conditionals.draw),
    Construct("__CUDA_ARCH__", cuda_arch.draw),
    Construct("headers", headers.draw, holds=False),
    Construct("name lookup", name_lookup.draw, holds=False),
    Construct("templates", templates.draw),
    Construct("integer conversions", conversions.draw),
    Construct("enumerations", enums.draw),
    Construct("declarators", declarators.draw),
    Construct("structs", layouts.plain_struct),
    Construct("layout attributes", layouts.attributes),
    Construct("member attributes", layouts.member_attributes),
    Construct("pragma pack", layouts.pragma_pack),
    Construct("bit-fields", layouts.bit_fields),
    Construct("bases", layouts.bases),
    Construct("no_unique_address", layouts.no_unique_address),
    Construct("offsets", layouts.offsets),
    Construct("host flow", host_flow.draw),
    Construct("statement macros", statement_macros.draw),
    Construct("launch forms", launch_forms.draw),
    Construct("bounds", bounds.draw),
    Construct("barriers", barriers.draw, languages=("cuda",)),
    Construct("device functions", device_functions.draw),
    Construct("constant indices", constant_indices.draw),
    Construct("cleared indices", cleared_indices.draw),
    Construct("settled conditions", settled_conditions.draw, languages=("cuda", "hip", "opencl")),
    Construct("followed values", followed_values.draw, languages=("cuda", "hip", "opencl")),
    Construct("stored", stored.draw, holds=False, languages=("cuda", "hip", "opencl")),
    Construct("several files", several_files.draw),
    Construct("lexical", lexical.draw),
    Construct("mixed", mixed.draw),
    Construct("OpenCL macros", opencl.macros, holds=False, languages=("opencl",)),
    Construct("OpenCL #if", opencl.conditions, holds=False, languages=("opencl",)),
    Construct("OpenCL integers", opencl.integers, holds=False, languages=("opencl",)),
    Construct("OpenCL structs", opencl.structs, holds=False, languages=("opencl",)),
    Construct("OpenCL sizes", opencl.sizes, holds=False, languages=("opencl",)),
    Construct("OpenCL local memory", opencl.local_memory, languages=("opencl",)),
    Construct("OpenCL included", opencl.included, holds=False, languages=("opencl",)),
)
BY_NAME = {it.name: it for it in CONSTRUCTS}
