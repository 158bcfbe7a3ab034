"""What a language gives every file before its first line: macros, and functions known to use no local memory."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, fields, replace

from occupancy_lsp.core.dataclass import dataclass
from occupancy_lsp.core.query import remembered
from occupancy_lsp.core.regex import regex

_NO_NAME = regex(r"(?!)")
_AMD_TARGET = regex(r"__(?:gfx|GFX|AMDGCN|AMDGPU|R600)\w*__\Z")


# Macros whose value a device decides, among them one of PyTorch's headers, which need not be in sight.
# What all begin with is said first: so the pattern is looked for ten times as fast, in every header that is read.
DEVICE_MACROS = regex(rb"_(?:_(?:CUDA_ARCH__|gfx\w+__|GFX\w+__|AMDGCN_WAVEFRONT_SIZE)|(?<=C10_)LAUNCH_BOUNDS_2)")
# Macros that only the pass for a device defines: nvcc 13.0 and clang 21, by what each pass of them defines. Of clang's
# others, as `__AMDGCN__`, both passes know; the size of a wave older ones define for hosts, too, perhaps another, and
# clang 22 for neither.
_FOR_DEVICE = regex(
    r"__CUDA_ARCH_(?:_|FEAT_\w+|(?:FAMILY_)?SPECIFIC__)|__HIP_DEVICE_COMPILE__|__(?:gfx|GFX)\w+__"
    r"|__amdgcn_(?:processor|target_id)__|__AMDGCN_WAVEFRONT_SIZE(?:__)?"
)
UNOPTIMISED = "__occupancy_unoptimised__"  # our own word for what `-Xcicc -O0` asks for, which defines no macro
DEBUGGING = "__CUDACC_DEBUG__"  # defined by nvcc where it does not optimise device code: `-G`
_OF_OLDER_COMPILERS = "__AMDGCN_WAVEFRONT_SIZE"
# Without any of these, a text says the same in both passes.
_OF_ONE_PASS = (b"__CUDA_ARCH", b"__HIP_DEVICE_COMPILE", b"__gfx", b"__GFX", b"__amdgcn_", b"__AMDGCN_WAVE")
LONGEST_OF_ONE_PASS = max(map(len, _OF_ONE_PASS))
# A line without any of these, and without a kernel's word, has no say in what dialect a file is read.
TELLING = regex(rb'#|R"|hip/hip_runtime\.h|%b' % DEVICE_MACROS.pattern)


@dataclass(frozen=True, slots=True, eq=False)
class Annotations:
    """What stands for annotations, or macros that hold whole statements, kernels or launches: files differ in it.

    `words`: annotations without arguments, each with the name it goes by here: a kernel is "__global__", a variable in
    local memory "__shared__", whatever the language calls them.
    """

    words: Mapping[bytes, str] = field(default_factory=dict)
    calls: tuple[bytes, ...] = ()  # macros with parameters that stand for annotations
    kernel_calls: frozenset[bytes] = frozenset()  # of `calls`, those that make a function a kernel
    silent_calls: frozenset[bytes] = frozenset()  # of `calls`, those that say nothing of who may call a function
    carrying: frozenset[bytes] = frozenset()  # words that stand for annotations with arguments
    statements: Mapping[bytes, str] = field(default_factory=dict)  # what macros are that may stand as statements
    makers: frozenset[bytes] = frozenset()  # macros whose text has a kernel
    launchers: frozenset[bytes] = frozenset()  # macros whose text launches something
    plain_words: bool = False  # annotations are words such as `local`; else they begin with __


@dataclass(frozen=True, slots=True, eq=False)
class PredefinedMacros:
    """Which macros compilers and builds define before a file's first line."""

    macros: Mapping[str, int] = field(default_factory=dict)  # that surely are defined
    absent: frozenset[str] = frozenset()  # that surely are not
    foreign: re.Pattern[str] = _NO_NAME  # macros that no compiler of it defines, besides `absent`
    marking: frozenset[str] = frozenset()  # macros that each compilation for a device defines, whichever it is
    own: re.Pattern[str] = _NO_NAME  # macros with which a build may say that it is for this language
    defaults: bool = True  # `#ifndef N`, `#define N 64` is taken to give N, though a build may
    two_passes: bool = False  # hosts' code is compiled in a pass of its own
    built_anyhow: bool = False  # what compiles its files may define any macro, and no build file need say which


@dataclass(frozen=True, slots=True, eq=False)
class Grammar:
    """How it is written where that is not as in C++."""

    # Whose vectors and other types are built in, and a thread's numbers; "": CUDA's headers have them.
    builtins: str = ""
    raw_strings: bool = True
    entry: bytes = b""  # the function that is a kernel by its name
    sizes_by_macro: bool = False  # a kernel's size may stand in a macro's text
    last_attribute_wins: bool = True  # of a kernel, wherever it stands: nvcc's rule, which clang does not share
    bracketed: bool = False  # attributes stand in brackets: `[numthreads(8, 8, 1)]`
    decorated: bool = False  # attributes stand behind what they are of, too: `float *x [[buffer(0)]]`
    names_first: bool = False  # a type stands behind its name: `i: u32`
    static_constants: bool = False  # a constant is `static`; what is not, the host gives
    lambda_launches: tuple[bytes, ...] = ()  # methods that launch a lambda which they are given: it is the kernel
    range_types: bool = False  # `range<2>` and `nd_range<2>` are types
    several_vendors: bool = False  # their extensions are looked for, and the arrays that some keep in memory


@dataclass(frozen=True, slots=True, eq=False)
class LocalMemoryRules:
    """What takes local memory, and what compilers make of it."""

    harmless: re.Pattern[str] = _NO_NAME  # functions that declare none
    hidden: re.Pattern[str] = _NO_NAME  # functions for which a compiler takes some, how much it says
    arrays: Mapping[str, int] = field(default_factory=dict)  # functions with an array of their own, of so many bytes
    parameters: bool = False  # a kernel may be given some, and hand it on
    moves_arrays: bool = True  # a compiler may move a thread's own arrays there: AMD's does
    folds_scalars: bool = False  # a scalar in it that is given one constant alone, wherever that is
    splits_variables: bool = False  # what compiles it first may leave out parts of variables that nothing reads


# How the barriers of a work-group are called. NUMBERED: it has several, told apart by numbers.
NUMBERED, WORK_GROUP, OF_GROUP = "numbered", "work-group", "of a group"


@dataclass(frozen=True, slots=True, eq=False)
class Dialect:
    """What a language, or one file of it, gives each text before its first line."""

    name: str
    annotations: Annotations = Annotations()
    predefined: PredefinedMacros = PredefinedMacros()
    grammar: Grammar = Grammar()
    local_memory: LocalMemoryRules = LocalMemoryRules()
    barriers: str = NUMBERED
    device_only: bool = False  # its files have no code for hosts
    marks_device_code: bool = True  # words tell functions for devices from those for hosts
    shader: bool = False  # of a pipeline: its memory stands outside of functions, and is laid out by a device's driver
    host: bool = False  # what host programs are written in
    hosted: bool = False  # such a program puts files of it together, builds and launches them

    @staticmethod
    def is_device_pass_macro(macro: str) -> bool:
        """Whether a compiler defines the macro in the pass for a device."""
        return _FOR_DEVICE.fullmatch(macro) is not None

    @staticmethod
    def is_older_compiler_macro(macro: str) -> bool:
        """Whether older compilers define it, and newer ones do not."""
        return macro.startswith(_OF_OLDER_COMPILERS)

    def never_defines(self, macro: str) -> bool:
        """Whether no compiler of this language defines the macro."""
        return macro in self.predefined.absent or self.predefined.foreign.match(macro) is not None

    @property
    def is_program_fragment(self) -> bool:
        """Whether a file is but a part of a program, which the host puts together."""
        return not self.predefined.defaults

    @property
    def kernel(self) -> tuple[bytes, ...]:
        """The words that make a function a kernel."""
        named, it = (self.grammar.entry,) if self.grammar.entry else (), self.annotations
        return (*(word for word, name in it.words.items() if name == KERNEL), *sorted(it.kernel_calls), *named)

    @property
    def telling(self) -> tuple[bytes, ...]:
        """Without any of these words a text makes no kernel, macros aside."""
        return (*self.kernel, *self.grammar.lambda_launches)


def given_constant_name(id_: str) -> str:
    """By which name that no text can have the value of a specialization constant goes that pipelines set, among
    macros."""
    return f"given constant {id_}"


@remembered(64)
def with_given_constants(dialect: Dialect, given: tuple[tuple[str, int], ...]) -> Dialect:
    """The dialect where pipelines set these specialization constants, by what they call them."""
    macros = {**dialect.predefined.macros, **{given_constant_name(id_): value for id_, value in given}}
    return replace(dialect, predefined=replace(dialect.predefined, macros=macros)) if given else dialect


def host_and_device_passes_differ(content: bytes) -> bool:
    """Whether the text may say something else in the pass for a device than in that for the host."""
    return any(it in content for it in _OF_ONE_PASS)


def reads_equally_in_dialects(one: Dialect, other: Dialect, content: bytes) -> bool:
    """Whether the text says the same in both: all that differs are macros that it does not have."""
    if one is other:
        return True
    words = _distinguishing_words(one, other)
    return words is not None and not any(_has_word(content, word) for word in words)


def _has_word(content: bytes, word: bytes) -> bool:
    """As a word of its own: short names of macros stand in many others, `DI` in every NVIDIA."""
    return word in content and re.search(rb"\b%b\b" % word, content) is not None


@remembered(512)  # files differ in the macros that they see, and each asks for all its headers
def _distinguishing_words(one: Dialect, other: Dialect) -> frozenset[bytes] | None:
    """The words by which they read a text differently; None: they differ in more than macros."""
    if any(getattr(one, it.name) != getattr(other, it.name) for it in fields(Dialect) if it.name != "annotations"):
        return None
    own, others = one.annotations, other.annotations
    if own.plain_words != others.plain_words:
        return None
    words = {word for word in own.words.keys() | others.words.keys() if own.words.get(word) != others.words.get(word)}
    words |= {*own.calls} ^ {*others.calls}
    for name in ("kernel_calls", "silent_calls", "carrying", "makers", "launchers"):
        words |= getattr(own, name) ^ getattr(others, name)
    kinds = {name.rstrip(b"(") for name, _ in own.statements.items() ^ others.statements.items()}
    return frozenset(words | kinds)


def fragment_dialect_if_quoted(dialect: Dialect, content: bytes) -> Dialect:
    """A file that C++ includes as one string is but a part of a program: the host puts others before it."""
    return OPENCL_FRAGMENT if dialect is OPENCL and _FRAGMENT.search(content) else dialect


KERNEL, LOCAL = "__global__", "__shared__"
CONSTANT = "constexpr"  # what makes a constant of a variable
# Among a device's macros, by a name that no text can have: how its driver lays out the memory of a shader's work-group,
# each vector aligned as its components, or more strictly.
GROUP_MEMORY = "group memory"
SCALAR, PADDED = 1, 2
# Whose types are built in; shaders' with vectors aligned as their components, and more strictly.
OPENCL_TYPES, GLSL_TYPES, HLSL_TYPES, SLANG_TYPES, WGSL_TYPES = "opencl", "glsl", "hlsl", "slang", "wgsl"
SYCL_TYPES, METAL_TYPES = "sycl", "metal"
PADDED_TYPES = {it: f"{it} padded" for it in (GLSL_TYPES, HLSL_TYPES, SLANG_TYPES, WGSL_TYPES)}
_CUDA_WORDS = (
    b"__global__ __device__ __host__ __shared__ __constant__ __managed__ __forceinline__ __noinline__ __inline__"
    b" __restrict__ __grid_constant__ __restrict"
)
_OPENCL_WORDS = (
    b"__global global __constant constant __private private __generic generic __read_only read_only __write_only"
    b" write_only __read_write read_write restrict __restrict"
)
# cub's collectives: each works in the storage that its constructor is given, else in a `__shared__` one of its own
# (`PrivateStorage()` in cub/block/*.cuh and cub/warp/*.cuh of CCCL 3.0; hipCUB has the same interface).
COLLECTIVE = regex(r"(?:hip)?cub::(?:Block|Warp)\w+")
COLLECTIVE_METHOD = regex(
    r"\.(?:(?:Head|Tail)?(?:Segmented)?(?:Sum|Reduce)|(?:Ex|In)clusive(?:Scan|Sum)|Load|Store|Broadcast"
    r"|(?:Stable)?Sort\w*|\w*Striped\w*To\w+|BlockedTo\w+|ScatterTo\w+|Flag(?:Heads|Tails|HeadsAndTails)"
    r"|Subtract(?:Left|Right)\w*|Offset|Rotate|Up|Down|(?:Init)?Histogram|Composite|RankKeys|RunLengthDecode)"
)
# What of libraries that most projects have outside of the workspace declares no local memory.
_LIBRARIES = (
    # CCCL 3.0, cooperative groups and WMMA of CUDA 13.0, but for a function that has a barrier of its own there.
    r"(?!cuda::for_each_canceled)(?:std|cuda|cooperative_groups|cg|nvcuda|wmma|(?:hip)?cub|thrust)::\w[\w:]*"
    # PyTorch 2.14: all of c10/, and of ATen/ what is not in at::native or at::cuda::cub.
    r"|c10::\w[\w:]*|at::(?!native\b|cuda::cub\b)\w[\w:]*|gpuAtomic\w+|doLdg|WARP_(?:SHFL(?:_UP|_DOWN|_XOR)?|BALLOT)"
    r"|CUDA_KERNEL_(?:ASSERT\w*|LOOP(?:_TYPE)?)|C10_\w+"
    # The loops of MMCV 2.2's common_cuda_helper.hpp, which other projects have copied.
    r"|CUDA_[12]D_KERNEL_(?:BLOCK_)?LOOP"
    # CUTLASS 4.7's include/; its tools/util/ has reductions that do.
    r"|(?:cutlass(?!::(?:warp|block)Reduce)|cute)::\w[\w:]*"
    # cuRAND of CUDA 13.0: curand_kernel.h and what that includes.
    r"|curand(?:_\w+)?|skipahead\w*"
)
_CUDA_HARMLESS = regex(
    rf"__\w+|_mm\w+|{_LIBRARIES}|atomic\w+|red\w*_sync|cuda[A-Z]\w+"
    r"|tex(?:1|2|3|Cube)\w*|surf(?:1|2|3|Cube)\w*|make_\w+|printf|assert|memcpy|memset|malloc|free|clock(?:64)?|dim3"
    r"|u?(?:char|short|int|long|longlong)[1234]?|float[1234]?|double[1234]?|half2?|bool|size_t|unsigned|signed"
    r"|static_cast|reinterpret_cast|const_cast|dynamic_cast|sizeof|alignof|decltype|typeof|noexcept|asm|defined|_Pragma"
    r"|f?(?:min|max|abs|dim|mod|ma)f?|u?ll?(?:min|max)|umin|umax|labs|llabs"
    r"|(?:sqrt|rsqrt|cbrt|rcbrt|hypot|rhypot|norm\dd?|rnorm\dd?|exp|exp2|exp10|expm1|log|log2|log10|log1p|pow|powi|sin|cos|tan|sincos"
    r"|sinpi|cospi|sincospi|tanpi|asin|acos|atan|atan2|sinh|cosh|tanh|asinh|acosh|atanh|erf|erfc|erfinv|erfcinv|erfcx|normcdf"
    r"|normcdfinv|lgamma|tgamma|j0|j1|jn|y0|y1|yn|floor|ceil|trunc|round|rint|nearbyint|lrint|lround|llrint|llround"
    r"|ldexp|frexp|scalbn|scalbln|logb|ilogb|modf|remainder|remquo|nextafter|copysign|fabs|fdivide|saturate|isnan"
    r"|isinf|isfinite|signbit|nan|fma|fmin|fmax|fmod|fdim)f?"
    r"|h2?(?:add|sub|mul|fma|div|neg|exp|log|rcp|sqrt|rsqrt|sin|cos|tanh|max|min|abs|ceil|floor|rint|trunc)2?\w*"
    r"|numeric_limits::\w+|U?INT(?:8|16|32|64|MAX)_C"
    # methods of cooperative groups, barriers, vectors and iterators
    r"|\.(?:sync|thread_rank|size|num_threads|group_index|thread_index|dim_blocks|group_dim|num_blocks|block_rank|x|y|z|w"
    r"|shfl|shfl_up|shfl_down|shfl_xor|any|all|ballot|meta_group_rank|meta_group_size|is_valid|cluster_sync"
    r"|map_shared_rank|arrive|wait|arrive_and_wait|arrive_and_drop|try_wait|test_wait|data|c?r?(?:begin|end)|producer_acquire"
    r"|producer_commit|consumer_wait|consumer_release|quit|fill|num_elements|load|store|fetch_add|fetch_sub|exchange"
    r"|cluster_rank|num_clusters|barrier_arrive|barrier_wait|has_value|value_or|value)"
    rf"|{COLLECTIVE_METHOD.pattern}"
)

_HIP_ONLY = "__HIPCC__ __HIP__ __HIP_PLATFORM_AMD__ __HIP_PLATFORM_HCC__ __HIP_DEVICE_COMPILE__ __HCC__ __AMDGCN__"
_ROCM = "USE_ROCM"  # PyTorch's, for sources that hipify has turned into HIP
_NVIDIA_ONLY = "__CUDA_ARCH__ __CUDACC__ __NVCC__ __HIP_PLATFORM_NVIDIA__ __HIP_PLATFORM_NVCC__"
_EDITORS = "__INTELLISENSE__ __CDT_PARSER__ __JETBRAINS_IDE__ __CLION_IDE__ __RESHARPER__ DOXYGEN"
_ELSEWHERE = f"{_EDITORS} __OPENCL_VERSION__ __OPENCL_C_VERSION__ __SYCL_DEVICE_ONLY__"

CUDA = Dialect(
    "cuda",
    Annotations({word: word.decode() for word in _CUDA_WORDS.split()}),
    PredefinedMacros(
        {"__CUDACC__": 1, "__NVCC__": 1},
        absent=frozenset(f"{_HIP_ONLY} {_ROCM} {_ELSEWHERE}".split()),
        foreign=_AMD_TARGET,
        marking=frozenset({"__CUDA_ARCH__"}),
        two_passes=True,
    ),
    local_memory=LocalMemoryRules(_CUDA_HARMLESS, moves_arrays=False, folds_scalars=True),
)
HIP = Dialect(
    "hip",
    CUDA.annotations,
    PredefinedMacros(
        {"__HIPCC__": 1, "__HIP__": 1},
        absent=frozenset(f"{_ELSEWHERE} {_NVIDIA_ONLY}".split()),  # unless the device is one of NVIDIA's
        marking=frozenset({"__HIP_DEVICE_COMPILE__"}),
        own=regex(r"(?:[A-Z0-9]+_)*(?:ROCM|HIP|AMD)(?:_[A-Z0-9]+)*\Z"),
        two_passes=True,
    ),
    local_memory=LocalMemoryRules(
        # AMD's counting barriers reduce over local memory of their own.
        regex(rf"(?!__syncthreads_\w)(?:hip\w+|HIP_DYNAMIC_SHARED|HIP_KERNEL_NAME|(?:{_CUDA_HARMLESS.pattern}))"),
        arrays={"__byte_perm": 8},
    ),
)
# What an OpenCL host program is written in: C or C++.
HOST = Dialect("host", CUDA.annotations, host=True)
OPENCL = Dialect(
    "opencl",
    Annotations(
        {
            **{word: word.decode() for word in _OPENCL_WORDS.split()},
            **dict.fromkeys((b"__kernel", b"kernel"), KERNEL),
            **dict.fromkeys((b"__local", b"local"), LOCAL),
            **dict.fromkeys((b"__constant", b"constant"), CONSTANT),
        },
        plain_words=True,
    ),
    PredefinedMacros(absent=frozenset(f"{_HIP_ONLY} __CUDACC__ __NVCC__ __CUDA_ARCH__ __cplusplus".split())),
    Grammar(OPENCL_TYPES, raw_strings=False, sizes_by_macro=True, last_attribute_wins=False, several_vendors=True),
    LocalMemoryRules(
        # Only a kernel may declare local variables (OpenCL C, "Address Space Qualifiers"), but what a compiler makes of
        # the functions of a whole work-group may hold some.
        regex(r"(?!work_group_(?:all|any|broadcast|reduce_|scan_)).*"),
        parameters=True,
        folds_scalars=True,
    ),
    WORK_GROUP,
    device_only=True,
    hosted=True,
)
# HLSL's sizes stand in an attribute. DXC takes attributes in any case; these are those that people write.
NUMTHREADS = (b"numthreads", b"NumThreads", b"Numthreads", b"NUMTHREADS")
# What compilers for consoles define, of whose devices there is none here.
_CONSOLES = "__PSSL__ __SCE__ __ORBIS__ __PROSPERO__ __XBOX_ONE __XBOX_SCARLETT"
# What the languages of shaders have in common; each says the rest itself.
SHADER = Dialect(
    "",
    predefined=PredefinedMacros(
        absent=frozenset(f"{_HIP_ONLY} {_CONSOLES} __CUDACC__ __NVCC__ __CUDA_ARCH__ __cplusplus".split()),
        built_anyhow=True,
    ),
    barriers=WORK_GROUP,
    device_only=True,
    shader=True,
)
_FRAGMENT = regex(rb'^R"\w{0,16}\(', re.MULTILINE)
OPENCL_FRAGMENT = replace(OPENCL, predefined=replace(OPENCL.predefined, defaults=False))
