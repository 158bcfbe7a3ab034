"""Sources that grow: for each construct, what makes a source with so many of it, beside a kernel and its launch."""

from __future__ import annotations

from collections.abc import Callable, Mapping

Grow = Callable[[int], str]

KERNEL = "__global__ void k(int *p) { p[0] = 1; }\n"
LAUNCH = "void h(int *p) { k<<<1, 256>>>(p); }\n"


def many(piece: str, between: str = "") -> Grow:
    """The piece once for each number: `#` is the number, `@` the one after it."""
    return lambda n: between.join(piece.replace("#", str(i)).replace("@", str(i + 1)) for i in range(n))


def nested(opening: str, inside: str, closing: str) -> Grow:
    return lambda n: many(opening)(n) + inside + closing * n


def within(before: str, grow: Grow, after: str = "") -> Grow:
    """`$` in the text around is how many there are."""
    return lambda n: before + grow(n) + after.replace("$", str(n))


def lines(grow: Grow) -> Grow:
    """Preprocessor lines, whose `%` becomes what they start with."""
    return lambda n: grow(n).replace("%", "#")


def beside(grow: Grow, use: str = "") -> Grow:
    """Outside of functions; `use`: what a kernel then does with it."""
    return within(KERNEL, grow, f"\n{LAUNCH}__global__ void g() {{ {use} }}\n")


def in_host(grow: Grow, before: str = "", after: str = "", size: str = "n") -> Grow:
    start = f"{KERNEL}void h(int *p, int m) {{ int n = 256; {before}"
    return within(start, grow, f"{after} k<<<1, {size}>>>(p); }}\n")


def in_kernel(grow: Grow, before: str = "", after: str = "") -> Grow:
    return within(f"__global__ void k(int *p, int n) {{ {before}", grow, f"{after} p[0] = 1; }}\n{LAUNCH}")


def in_instances(body: Grow, launches: str = "k<@><<<1, 64>>>(p, @);\n") -> Grow:
    """The body of a template that is launched in as many instances, each with an array of its own size."""
    start = "template <int N> __global__ void k(int *p, int n) { __shared__ int s[N]; "
    return lambda n: f"{start}{body(n)}}}\nvoid h(int *p) {{\n{many(launches)(n)}}}\n"


def in_called_instances(body: Grow) -> Grow:
    start = "template <int N> __device__ void d(int *p, int n) { __shared__ int s[N]; "
    return lambda n: f"{start}{body(n)}}}\n__global__ void k(int *p, int n) {{\n{many('d<@>(p, n);')(n)}}}\n"


_OF_ONE_NAME = "__shared__ int s[A]; s[0] = A;"

MANY: Mapping[str, Grow] = {
    "kernels": many("__global__ void k#(int *p) { p[0] = #; }\n"),
    "kernels and their launches": many("__global__ void k#(int *p) {}\nvoid h#(int *p) { k#<<<1, 64>>>(p); }\n"),
    "kernels of one name": lines(
        many("%ifdef A#\n__global__ void k(int *p, int n#) { __shared__ int s[@]; p[0] = s[1]; }\n%endif\n")
    ),
    "kernels in namespaces": many(
        "namespace n# { __global__ void k(int *p) {} void h(int *p) { k<<<1, 64>>>(p); } }\n"
    ),
    "constants of one name in namespaces": many(
        "namespace n# { constexpr int A = @; __global__ void k#(int *p) { __shared__ int s[A]; p[0] = s[1]; } }\n"
    ),
    "constants of one name under conditions": lines(
        many("%if A#\nconst int A = @;\n%endif\n__global__ void k#(int *p) { __shared__ int s[A]; p[0] = s[1]; }\n")
    ),
    "specialisations, each in a kernel": within(
        "template <class T> struct P;\n",
        many(
            "struct T# {}; template <> struct P<T#> { static constexpr int v = @; };\n"
            "__global__ void k#(int *p) { __shared__ int s[P<T#>::v]; p[0] = s[1]; }\n"
        ),
    ),
    "namespaces in use, each in a kernel": many(
        "namespace n# { const int A# = @; }\nusing namespace n#;\n"
        "__global__ void k#(int *p) { __shared__ int s[A#]; p[0] = s[1]; }\n"
    ),
    "functions, each in a kernel": many("__device__ void f#() { __syncthreads(); }\n__global__ void k#() { f#(); }\n"),
    "directives that ignore": many(
        "// occupancy: ignore[OCC102] intended 4\n__global__ void k#(int *p) { p[0] = 1; }\n"
    ),
    "constants of one name in structs": many(
        "struct S# { static constexpr int A = @; };\n"
        "__global__ void k#(int *p) { __shared__ int s[S#::A]; p[0] = s[1]; }\n"
    ),
    "functions of one name in namespaces": many(
        "namespace n# { __device__ void f() { __shared__ int s[@]; s[0] = 1; }\n__global__ void k#() { f(); } }\n"
    ),
    "methods of one name": many(
        "struct S# { __device__ void f() { __shared__ int s[@]; s[0] = 1; } };\n__global__ void k#() { S# o; o.f(); }\n"
    ),
    "overloads, each called": many(
        "struct S# { int a; };\n__device__ int f(S# s) { return s.a; }\n"
        "__global__ void k#(int *p) { S# o; p[0] = f(o); }\n"
    ),
    "macros that are another for each kernel": lines(
        many("%undef A\n%define A @\n__global__ void k#(int *p) { __shared__ int s[A]; p[0] = s[1]; }\n")
    ),
    "generic lambdas that launch": in_host(
        many("auto f# = [&](auto c) { k<<<1, c.value>>>(p); }; f#(std::integral_constant<int, @>()); ")
    ),
    "templates from templates": lambda n: (
        "template <int N, int M> __global__ void k(int *p) { __shared__ int s[N + M]; p[0] = s[1]; }\n"
        f"template <int N> void g(int m, int *p) {{ {many('if (m == #) k<N, #><<<1, 64>>>(p); ')(n)}}}\n"
        f"void h(int m, int *p) {{ {many('g<#>(m, p); ')(n)}}}\n"
    ),
    "branches, launches of one instance": in_instances(many("if (n > #) p[#] = s[n];\n"), "k<4><<<@, 64>>>(p, @);\n"),
    "branches, instances": in_instances(many("if (n > #) p[#] = s[n];\n")),
    "branches that parameters decide": in_instances(many("if (N > #) p[#] = s[n];\n")),
    "arrays of many sizes": in_instances(many("if (n > #) { __shared__ int s#[N]; p[#] = s#[n]; }\n")),
    "calls, instances": in_instances(many("if (n > #) f(p, #);\n")),
    "branches that parameters decide, in what is called": in_called_instances(many("if (N > #) p[#] = s[0];\n")),
    "arrays of many sizes, in what is called": in_called_instances(
        many("if (n > #) { __shared__ int s#[N]; p[#] = s#[n]; }\n")
    ),
    "launches under branches that parameters decide": lambda n: (
        "template <int N> __global__ void k(int *p) { __shared__ int s[N]; p[0] = s[1]; }\n"
        f"template <int N> void g(int *p) {{ {many('if (N > #) k<@><<<1, N>>>(p);')(n)} }}\n"
        f"void h(int *p) {{ {many('g<@>(p);')(n)} }}\n"
    ),
    "macros in a head": within("__global__ ", many("A#(n) "), "void k(int *p) { }\n"),
    "heads that do not end": many("__global__ A(A(A(\n"),
    "macros that make kernels": many("#define M#(name) __global__ void name() { }\n"),
    "macros that call what they are given": within(
        "#define IN(f, x) f(x)\n#define OUT(f, x) IN(f, x)\n", in_kernel(many("OUT(f#, n); "))
    ),
    "macros that are not closed": in_kernel(many("LOOP(LOOP(i, n) { p[#] = n; } ")),
    "functions of hosts": beside(many("struct S# { S#(const char *s) { write(s); } };\n"), "S1 *s; S2 *t;"),
    "kernels in one item": within("struct S { ", many("__global__ void k#(int *p) {} "), "};"),
    "launches": in_host(many("k<<<1, n>>>(p); ")),
    "launches in functions": within(KERNEL, many("void h#(int *p) { int n = 256; k<<<1, n>>>(p); }\n")),
    "launches by name": in_host(many("cudaLaunchKernel((void *)k, 1, n, 0, 0, 0); ")),
    "launches with configurations": in_host(many("cudaLaunchConfig_t c# = {1, 64}; cudaLaunchKernelEx(&c#, k, p); ")),
    "launches of units": in_host(many("k<<<s, 64>>>(p); "), "int s = prop.multiProcessorCount; "),
    "launches of units in circles": in_host(many("a# = b@; b# = a@; k<<<a#, 64>>>(p); "), "multiProcessorCount; "),
    "launches in a loop": in_host(many("k<<<i, n>>>(p); "), "for (int i = 0; i < m; i++) { ", "}"),
    "launches in a template": within(
        f"{KERNEL}template <int N> void t(int *p) {{ ",
        many("k<<<1, N>>>(p); "),
        "}\nvoid h(int *p) { t<64>(p); t<128>(p); }",
    ),
    "declarations": beside(many("int a#; ")),
    "declarators": beside(many("a#", ", ")),
    "constants": beside(many("const int A@ = A# + 1;\n")),
    "definitions of one name": beside(many("const int A = #;\n"), _OF_ONE_NAME),
    "macros": beside(lines(many("%define A# 1\n"))),
    "macros of one name": beside(lines(many("%define A #\n")), _OF_ONE_NAME),
    "calls of a macro": within("#define F(x) g(x)\n", in_kernel(many("F(1); "))),
    "functions": beside(many("__device__ int f#(int a) { return a + #; }\n")),
    "prototypes": beside(many("int f#(int a, int b);\n")),
    "overloads": beside(many("__device__ void f(S# *a) {}\n"), "f(0);"),
    "structs": beside(many("struct S# { int a; float b; };\n")),
    "members": beside(within("struct S { ", many("int a#; "), "};"), "__shared__ S s; use(s);"),
    "methods": beside(within("struct S { ", many("int f#(int a) { return a; } "), "};")),
    "constructors": beside(within("struct S { ", many("S(T# a) {} "), "};")),
    "specialisations": beside(
        within("template <int N> struct T;\n", many("template <> struct T<#> { int a[#]; };\n")),
        "__shared__ T<4> s; use(s);",
    ),
    "enumerators": beside(within("enum E { ", many("A#, "), "};"), "__shared__ int s[A9]; use(s);"),
    "namespaces": beside(many("namespace n# { const int A = #; }\n")),
    "usings": beside(many("using namespace n#;\n")),
    "aliases": beside(many("using T# = int;\n")),
    "directives": beside(many("// occupancy: regs=40\n")),
    "directives and kernels": many("// occupancy: regs=40\n__global__ void k#(int *p) {}\n"),
    "comments in a kernel": in_kernel(many("// a comment\n/* another */\n")),
    "includes": lines(within("", many('%include "a#.h"\n'), KERNEL + LAUNCH)),
    "conditionals": beside(lines(many("%if A#\nint a#;\n%else\nint b#;\n%endif\n"))),
    "conditionals in a kernel": in_kernel(lines(many("\n%if A#\n__shared__ int a#[4]; a#[0] = 1;\n%endif\n"))),
    "undefs": beside(lines(many("%define A# 1\n%undef A#\n"))),
    "strings": in_host(many('s = "text"; ')),
    "names in a table": in_host(many("A, "), "int t[] = {", "};"),
    "rows in a table": in_host(many("{A, n}, "), "int t[][2] = {", "};"),
    "arguments": in_host(many("a#", ", "), "f(", ");"),
    "references to arguments": in_host(many("n, "), "f(", "n);"),
    "parameters": beside(within("__device__ void f(", many("int a#", ", "), ") {}")),
    "parameters of a kernel": within("__global__ void k(", many("int *a#", ", "), f") {{}}\n{LAUNCH}"),
    "template parameters": beside(within("template <", many("int A#", ", "), "> struct T {};")),
    "kernels handed on": within(
        "template <class F> void run_kernel(F f, int n) { f<<<1, n>>>(p); }\n" + KERNEL + "void h() { ",
        many("run_kernel(k, #); "),
        "}",
    ),
    "macros that launch": within(
        f"#define LAUNCH(K, N) K<<<1, N>>>(p)\n{KERNEL}void h() {{ ", many("LAUNCH(k, 64); "), "}"
    ),
    "shared arrays": in_kernel(many("__shared__ int s#[4]; s#[0] = n; p[1] = s#[n]; ")),
    "shared arrays of one name": in_kernel(many("{ __shared__ int s[4]; s[0] = n; p[1] = s[n]; } ")),
    "shared arrays of a dynamic size": in_kernel(many("extern __shared__ int s#[]; ")),
    "uses of a shared array": in_kernel(many("s[0] = s[1]; "), "__shared__ int s[4]; "),
    "calls with a shared array": in_kernel(many("__shared__ int s#[4]; f(s#); ")),
    "private arrays": in_kernel(many("int a#[4]; a#[n] = n; p[1] = a#[n]; ")),
    "uses of a private array": in_kernel(many("a[n] = a[1]; "), "int a[4]; "),
    "variables": in_host(many("int a# = #; ")),
    "variables of one name": in_host(many("{ int a = 1; use(a); } ")),
    "assignments": in_host(many("n = n + 1; ")),
    "assignments to variables": in_host(many("int a#; a# = n; ")),
    "pointers to a variable": in_host(many("use(&n); ")),
    "calls by reference": in_host(many("f#(n); ")),
    "calls": in_kernel(many("f(n); ")),
    "methods called": in_kernel(many("a.f(n); ")),
    "loops": in_host(many("for (int i = 0; i < 4; i++) { n = i; } ")),
    "branches": in_host(many("if (m) { n = 64; } ")),
    "branches, and calls of what they change": in_host(many("if (m) { n = 64; } f(n); ")),
    "branches that return": in_kernel(many("if (n > 4) return; ")),
    "branches of constants": in_kernel(many("if constexpr (4 > 3) { f(); } ")),
    "cases": in_host(many("case #: n = #; break; "), "switch (m) { ", "}"),
    "cases that launch": in_host(many("case #: k<<<1, n>>>(p); break; "), "switch (n) { ", "}"),
    "labels": in_host(many("l#: n++; ")),
    "lambdas": in_host(many("auto f# = [&](auto a) { n = a; }; f#(1); ")),
    "attributes": within("__attribute__((a)) ", many("__attribute__((b(1))) "), KERNEL),
    "variables by variables": in_host(many("int a@ = a# + a#; "), after="k<<<1, a$>>>(p);"),
    "objects of OpenCL": within('cl_kernel a0 = clCreateKernel(p, "k", 0);\n', many("cl_kernel a@ = a#;\n")),
    "kernels unclosed": many("__global__ void k(int *p) {\n"),
    "spaces in annotations": within("__global__ void __launch_bounds__", many(" "), "(256) k() {}"),
    "words of memory": in_kernel(many("__shared__ "), after="int a;"),
    "names": beside(many("a# ")),
}

# Of these, so many stand in one another that they are given up at some depth.
DEEP: Mapping[str, Grow] = {
    "namespaces": nested("namespace n# { ", KERNEL, "} "),
    "qualified names": in_host(many("::a"), "a", " x;"),
    "members of members": in_host(many(".a"), "n = a", ";"),
    "structs": beside(nested("struct S# { ", "int a;", "}; ")),
    "structs in use": beside(nested("struct S# { ", "int a;", "} s; "), "__shared__ S0 s; use(s);"),
    "templates": in_host(nested("A<", "int", ">"), after=" x;"),
    "templates of shared arrays": in_kernel(nested("A<", "int", ">"), "__shared__ ", " x; use(x);"),
    "template headers": beside(within("", many("template <int N> "), "struct T {};")),
    "template headers of a function": beside(within("", many("template <int N> "), "void f() { g(); }")),
    "parentheses": in_host(nested("(", "1", ")"), "int q = ", ";", "q"),
    "parentheses in a launch": in_host(nested("(", "n", ")"), "k<<<1, ", ">>>(p);"),
    "parentheses in bounds": within("__global__ void __launch_bounds__", nested("(", "1", ")"), " k() {}"),
    "braces": in_host(nested("{ ", "k<<<1, n>>>(p);", "} ")),
    "braces in a kernel": in_kernel(nested("{ ", "__shared__ int s[4]; s[0] = 1;", "} ")),
    "braces in a table": in_host(nested("{", "n", "}"), "int t[] = ", ";"),
    "ifs": in_host(nested("if (m) { k<<<1, n>>>(p); ", "n = 4;", "} ")),
    "ifs in a kernel": in_kernel(nested("if (n) { ", "f();", "} ")),
    "else-ifs": in_host(many("if (m == #) n = #; else "), after="n = 4;"),
    "else-ifs that return": in_host(many("if (m == #) return; else "), after="return;"),
    "loops": in_host(nested("while (m) { int a# = n; n = a#; ", "", "} ")),
    "switches": in_host(nested("switch (m) { case #: ", "n = 4;", "} ")),
    "lambdas": in_host(nested("f([&] { ", "n = 4;", "}); ")),
    "calls": in_host(nested("f(", "n", ")"), after=";"),
    "ternaries": in_host(many("m == # ? # : "), "int q = ", "4;", "q"),
    "sums": in_host(many("# + "), "int q = ", "1;", "q"),
    "commas": in_host(many("n = #", ", "), after=";"),
    "assignments": in_host(many("n = "), after="4;"),
    "tests": in_host(many("n == 64 && "), "if (", "m) { k<<<1, n>>>(p); }"),
    "streams": in_host(many("<< n "), "s ", ";"),
    "subscripts": in_kernel(nested("a[", "n", "]"), "int a[4]; ", " = 1;"),
    "casts": in_host(many("(int)"), "n = ", "m;"),
    "pointers": in_host(many("*"), "int ", "q;"),
    "functions of functions": beside(nested("(*", "f", ")(int)")),
    "conditionals": beside(lines(nested("%if A#\n", "int a;\n", "%endif\n"))),
    "branches of a conditional": beside(lines(within("%if B\n", many("%elif A == #\nint a#;\n"), "%endif\n"))),
    "parentheses unclosed": beside(many("(")),
    "braces unclosed": beside(many("{")),
    "brackets unclosed": beside(many("[")),
    "braces unopened": beside(many("}")),
    "less-thans": beside(within("a ", many("< "))),
    "chevrons": in_host(many("k<<<")),
    "chevrons apart": in_host(many("k<< <1, 1")),
    "quotes": beside(many('"')),
    "apostrophes": beside(many("'")),
    "raw strings unclosed": beside(many('R"(')),
    "comments unclosed": beside(many("/*")),
    "backslashes at ends of lines": beside(within("#define A 1 ", many("\\\n"))),
    "continued comments": beside(within("// a ", many("\\\n"))),
    "conditionals unclosed": beside(lines(many("%if A\n"))),
    "spaces": beside(within("f()", many(" "), "x {")),
    "unknown tokens": beside(many("$ ` ")),
    "digits": beside(within("const int A = ", many("1"), ";"), _OF_ONE_NAME),
    "templates of anything": beside(within("", many("template <a> "), "x(){")),
    "attributes unclosed": beside(many("__attribute__((")),
    "alignments unclosed": beside(many("struct alignas(")),
    "macros in capitals, unclosed": in_kernel(many("\n FOO(a(b(")),
    "operators": in_host(many("+ - / ")),
    "question marks": in_host(many("? "), "n = ", ";"),
}

# Each hangs on the one before it.
_LOADS = "__shared__ int t[64]; t[threadIdx.x] = n; __syncthreads(); "

CHAINS: Mapping[str, Grow] = {
    "values of a load": in_kernel(many("int v@ = v# + 1; "), _LOADS + "int v0 = t[n]; ", "p[n] = v$;"),
    "values of many loads": in_kernel(many("int v@ = v# + t[n + #]; "), _LOADS + "int v0 = t[n]; "),
    "pointers of pointers": in_kernel(many("int *q@ = q# + 1; "), _LOADS + "int *q0 = t; ", "p[n] = *q$;"),
    "macros": beside(within("", lines(many("%define A# A@\n")), "#define A$ 1\n"), "__shared__ int s[A0]; use(s);"),
    "trees of macros": beside(lines(many("%define A# (A@ + A@)\n")), "__shared__ int s[A0]; use(s);"),
    "trees of types by macros": beside(lines(many("%define A# A@ A@\n")), "__shared__ A0 s; use(s);"),
    "trees of macros with parameters": beside(
        lines(many("%define F#(x) (F@(x) + F@(x))\n")), "__shared__ int s[F0(1)]; use(s);"
    ),
    "macros in macros' arguments": within(
        "#define F(x) (x + x)\n", in_kernel(nested("F(", "1", ")"), "__shared__ int s[", "]; use(s);")
    ),
    "macros that are statements": beside(
        within("", lines(many("%define F#(x) F@(x) ; F@(x) ;\n")), "constexpr int f() { F0(1) return 4; }\n"),
        "__shared__ int s[f()]; use(s);",
    ),
    "types": beside(within("typedef int T0;\n", many("typedef T# T@;\n")), "__shared__ T$ s; use(s);"),
    "trees of structs": beside(
        within("struct S0 { int a; };\n", many("struct S@ { S# a, b; };\n")), "__shared__ S$ s; use(s);"
    ),
    "trees of templates": beside(
        within(
            "template <class T, class U> struct P { T a; U b; };\ntypedef int T0;\n", many("typedef P<T#, T#> T@;\n")
        ),
        "__shared__ T$ s; use(s);",
    ),
    "bases": beside(within("struct S0 { int a; };\n", many("struct S@ : S# { };\n")), "__shared__ S$ s; use(s);"),
    "functions that call": beside(many("__device__ void f@() { f#(); f#(); }\n"), "f$();"),
    "methods of one name that call": beside(
        many("struct S@ { S# *s; __device__ void f() { s->f(); } };\n"), "S1 s; s.f();"
    ),
    "trees of instances": beside(
        within(
            "template <int N> __device__ void f0() { __shared__ int s[N]; use(s); }\n",
            many("template <int N> __device__ void f@() { f#<N>(); f#<N + 1>(); }\n"),
        ),
        "f$<1>();",
    ),
    "constant functions": beside(
        within(
            "constexpr int f0(int a) { return a; }\n", many("constexpr int f@(int a) { return f#(a) + f#(a + 1); }\n")
        ),
        "__shared__ int s[f$(1)]; use(s);",
    ),
    "statements of a constant function": beside(
        within("constexpr int f() { int s = 0; ", many("s = s + 1; "), "return s; }\n"),
        "__shared__ int s[f()]; use(s);",
    ),
}
