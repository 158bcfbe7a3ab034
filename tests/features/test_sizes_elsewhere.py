"""Sizes that other files set too: every launch of the workspace is seen, or nothing is offered."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from occupancy_lsp.core.text import Text
from occupancy_lsp.edits.implied import Implied, implied_bounds
from occupancy_lsp.edits.resize import resizes
from occupancy_lsp.edits.resize.launched import Refused
from occupancy_lsp.features.actions import actions, edit_context, resolve
from occupancy_lsp.features.answers import Action
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_EVERYTHING = 1 << 30


def seen(root: Path, files: dict[str, str], of: str, device: str = "h100") -> View:
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(dedent(text))
    project = Project(root, None, {"devices": [device]})
    project.read_sources(lambda: False, lambda done, total: None)
    view = OpenFile(root / of, "", Text((root / of).read_bytes()), project).view()
    assert view is not None
    return view


def refusal(view: View, index: int = 0, opened: dict[Path, bytes] | None = None) -> str:
    found = resizes(edit_context(view, opened or {}), index)
    return found.reason if isinstance(found, Refused) else f"{len(found)} offered"


def sized(view: View) -> list[Action]:
    found = [it for it in actions(view, 0, _EVERYTHING) if it.key.startswith("size:")]
    return [it for each in found if (it := resolve(view, each.key)) is not None]


def applied(view: View, action: Action) -> dict[str, str]:
    """The files that change, by name."""
    texts: dict[str, bytes] = {}
    for edit in sorted(action.edits, key=lambda it: -it.start):
        name = edit.file.path.name if edit.file else view.path.name if view.path else ""
        content = texts.get(name, edit.file.content if edit.file else view.text.content)
        texts[name] = content[: edit.start] + edit.new.encode() + content[edit.end :]
    return {name: text.decode() for name, text in texts.items()}


_KERNEL = """\
    // occupancy: regs=32
    __global__ void __launch_bounds__(768) k(float *p) { p[blockIdx.x * blockDim.x + threadIdx.x] = 1; }
    """
_MAIN = """\
    __global__ void k(float *p);
    void run(float *p, int n) { k<<<(n + 767) / 768, 768>>>(p); }
    """


def test_bounds_here_and_the_launch_there(tmp_path: Path) -> None:
    view = seen(tmp_path, {"k.cu": _KERNEL, "main.cu": _MAIN}, "k.cu")
    first = sized(view)[0]
    assert first.title == "Change block size to 512 (now 768), also in main.cu: 75% → 100% at 32 registers"
    after = applied(view, first)
    assert "__launch_bounds__(512)" in after["k.cu"] and "(n + 511) / 512, 512>>>" in after["main.cu"]
    again = seen(tmp_path, after, "k.cu")
    assert again.reports[0].size.exact == 512 and again.reports[0].figure is not None
    assert again.reports[0].figure.lowest.percent == 100


def test_a_kernel_in_a_header_and_its_constant(tmp_path: Path) -> None:
    """The launch's size is the header's constant, which is the document."""
    header = """\
        #pragma once
        constexpr int THREADS = 768;
        // occupancy: regs=32
        __global__ void k(float *p) {
            __shared__ float t[THREADS];
            t[threadIdx.x] = p[0]; __syncthreads(); p[1] = t[THREADS - 1 - threadIdx.x];
        }
        """
    main = '#include "k.cuh"\nvoid run(float *p, int n) { k<<<(n + THREADS - 1) / THREADS, THREADS>>>(p); }\n'
    view = seen(tmp_path, {"k.cuh": header, "a.cu": main, "b.cu": main}, "k.cuh")
    after = applied(view, sized(view)[0])
    assert after.keys() == {"k.cuh"} and "THREADS = 512" in after["k.cuh"]


_SIZES = "#pragma once\n#define N 768\n"
_INCLUDING = '#include "sizes.h"\n' + dedent(_MAIN).replace("(n + 767) / 768, 768>>>", "(n + N - 1) / N, N>>>")


def test_two_numbers_of_one_header(tmp_path: Path) -> None:
    text = _SIZES + "#define LESS 767\n"
    main = _INCLUDING.replace("(n + N - 1)", "(n + LESS)")
    view = seen(tmp_path, {"k.cu": _KERNEL, "main.cu": main, "sizes.h": text}, "k.cu")
    after = applied(view, sized(view)[0])
    assert after["sizes.h"] == text.replace("768", "512").replace("767", "511")


def test_a_header_that_these_files_alone_include(tmp_path: Path) -> None:
    files = {"k.cu": _KERNEL, "main.cu": _INCLUDING, "sizes.h": _SIZES, "between.h": '#include "sizes.h"\n'}
    view = seen(tmp_path, files, "k.cu")
    (first, *_) = sized(view)
    assert first.title.startswith("Change block size to 512 (now 768), also in sizes.h: ")
    after = applied(view, first)
    assert after["sizes.h"] == _SIZES.replace("768", "512") and "__launch_bounds__(512)" in after["k.cu"]
    header = tmp_path / "sizes.h"
    assert refusal(view, opened={header: b"// typed\n" + _SIZES.encode()}) == "its size is set in another file"
    more = {"third.cu": '#include "between.h"\nint third = N;\n'}
    assert refusal(seen(tmp_path, files | more, "k.cu")) == "its size is set in another file"
    same = {"third.cu": "int third;\n", "old/sizes.h": _SIZES}
    assert refusal(seen(tmp_path, files | same, "k.cu")) == "its size is set in another file"


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({"other.cu": _MAIN.replace("768>>>", "512>>>").replace("run", "go")}, "its launches are of several sizes"),
        ({"other.cu": _MAIN.replace("768>>>", "n>>>").replace("run", "go")}, "the size of its launch is not known"),
        (
            {"other.cu": "__global__ void k(float *p);\nvoid *pointer() { return (void *)k; }\n"},
            "other.cu uses it other than by launching it",
        ),
        (
            {"k.h": "__global__ void k(float *p);\n", "other.cu": '#include "k.h"\nauto *f = &k;\n'},
            "other.cu uses it other than by launching it",
        ),
        (
            {"module.cpp": 'void f() { cuModuleGetFunction(&g, module, "_Z1kPf"); }\n'},
            "module.cpp may launch it as a part of a module",
        ),
        (
            {"module.cpp": 'const char *file = "k.ptx"; void f(char *n) { cuModuleGetFunction(&g, module, n); }\n'},
            "module.cpp may launch it as a part of a module",
        ),
        (
            {"other.cu": "__global__ void k(float *p) {}\n", "third.cu": _MAIN.replace("run", "go")},
            "main.cu may launch it, or another kernel of its name",
        ),
        (
            {
                "sizes.h": "#define N 768\n",
                "main.cu": '#include "sizes.h"\n' + _MAIN.replace("768>>>", "N>>>"),
                "third.cu": '#include "sizes.h"\nint third = N;\n',
            },
            "its size is set in another file",
        ),
        ({"main.cu": _MAIN + "void *f() { return (void *)k; }\n"}, "main.cu uses it other than by launching it"),
        ({"k.cu": _KERNEL + "auto f = k;\n"}, "it is used other than by launching it"),
        (
            {"k.cu": _KERNEL + "#if 0\nvoid f(int n) { k <<<1, n>>>(0); }\n#endif\n"},
            "it is used other than by launching it",
        ),
    ],
)
def test_what_is_not_seen_is_refused(tmp_path: Path, more: dict[str, str], reason: str) -> None:
    view = seen(tmp_path, {"k.cu": _KERNEL, "main.cu": _MAIN, **more}, "k.cu")
    assert refusal(view) == reason
    assert isinstance(implied_bounds(edit_context(view, {}), 0), Refused)


def test_what_has_nothing_to_do_with_it_is_passed_over(tmp_path: Path) -> None:
    """Another program of the workspace with a kernel of that name, and a module of other kernels."""
    other = "__global__ void k(int *p) {}\nvoid go(int *p) { k<<<1, 64>>>(p); }\nauto f = k;\n"
    module = 'void f() { cuModuleGetFunction(&g, module, "scale"); int k = 0; }\n'
    here = dedent(_KERNEL) + "void run(float *p, int n) { k<<<(n + 767) / 768, 768>>>(p); }\n"
    view = seen(tmp_path, {"k.cu": here, "other/other.cu": other, "module.cpp": module}, "k.cu")
    assert refusal(view) == "3 offered"


def test_what_stands_in_the_editor_counts(tmp_path: Path) -> None:
    view = seen(tmp_path, {"k.cu": _KERNEL, "main.cu": _MAIN}, "k.cu")
    main, new = tmp_path / "main.cu", tmp_path / "new.cu"
    text = (tmp_path / "main.cu").read_text()
    assert refusal(view) == "3 offered"
    assert (
        refusal(view, opened={main: text.replace("768>>>", "n>>>").encode()}) == "the size of its launch is not known"
    )
    assert refusal(view, opened={new: text.replace("768", "64").encode()}) == "its launches are of several sizes"
    moved = ("// a line more\n" + text).encode()
    (edit, *_) = [
        it for it in (resolve(view, "size:0:512", {main: moved}) or Action("", "quickfix", "")).edits if it.file
    ]
    assert edit.file is not None and edit.file.content == moved and moved[edit.start : edit.end] in (b"767", b"768")


def test_nothing_before_the_workspace_is_read(tmp_path: Path) -> None:
    (tmp_path / "k.cu").write_text(dedent(_KERNEL) + "void run(float *p, int n) { k<<<(n + 767) / 768, 768>>>(p); }\n")
    project = Project(tmp_path, None, {"devices": ["h100"]})
    view = OpenFile(tmp_path / "k.cu", "", Text((tmp_path / "k.cu").read_bytes()), project).view()
    assert view is not None and refusal(view) == "the workspace is not read yet"


# -- several kernels


_TWO = """\
    #define THREADS 768
    // occupancy: regs=32
    __global__ void first(int n, float *x) {{ if (threadIdx.x < n) x[threadIdx.x] += 1; }}
    // occupancy: regs={registers}
    __global__ void second(int n, float *x) {{
        __shared__ float line[THREADS];
        line[threadIdx.x] = x[0]; __syncthreads(); x[threadIdx.x] = line[THREADS - 1 - threadIdx.x];
    }}
    void run(int n, float *x) {{
        first<<<(n + THREADS - 1) / THREADS, THREADS>>>(n, x);
        second<<<{grid}, THREADS>>>(n, x);
    }}
    """


def two(root: Path, registers: int = 32, grid: str = "(n + THREADS - 1) / THREADS") -> View:
    return seen(root, {"two.cu": _TWO.format(registers=registers, grid=grid)}, "two.cu")


def test_both_kernels_of_one_number_move_and_are_told(tmp_path: Path) -> None:
    titles = [it.title for it in sized(two(tmp_path))]
    assert titles[0] == "Change block size to 512 (now 768): 75% → 100% at 32 registers; also sizes second"
    assert any("; also sizes first" in it for it in titles)


def test_no_kernel_fares_worse(tmp_path: Path) -> None:
    """At 80 registers 768 threads fill as much as 3 groups of 256 do, and 512 or 1024 less."""
    view = two(tmp_path, 80)
    found = resizes(edit_context(view, {}), 0)
    assert not isinstance(found, Refused) and found
    ends = {(it.before.figure.lowest.percent, it.after.figure.lowest.percent) for each in found for it in each.others
            if it.before.figure and it.after.figure}  # fmt: skip
    assert ends == {(37.5, 37.5)}
    assert refusal(view, 1) == "0 offered"


def test_each_kernel_must_take_it(tmp_path: Path) -> None:
    view = two(tmp_path, grid="n")
    assert refusal(view) == "the same number sizes second too: its grid does not visibly follow the size"


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(registers=st.integers(16, 80), other=st.integers(16, 80), size=st.sampled_from([96, 160, 384, 640, 768]))
def test_what_is_offered_is_what_the_edited_text_says(tmp_path: Path, registers: int, other: int, size: int) -> None:
    text = dedent(_TWO).format(registers=other, grid="(n + THREADS - 1) / THREADS")
    text = text.replace("regs=32", f"regs={registers}", 1).replace("768", str(size))
    before = seen(tmp_path, {"two.cu": text}, "two.cu")
    for index in (0, 1):
        found = resizes(edit_context(before, {}), index)
        assert not isinstance(found, Refused)
        for offer in found:
            after = seen(tmp_path, {"two.cu": text.replace(f"THREADS {size}", f"THREADS {offer.size}")}, "two.cu")
            for change in (offer.own, *offer.others):
                again = after.reports[change.index]
                assert (again.figure, again.size.exact) == (change.after.figure, offer.size)
                assert again.figure is not None and change.before.figure is not None
                assert again.figure.lowest.sub_groups >= change.before.figure.lowest.sub_groups
        seen(tmp_path, {"two.cu": text}, "two.cu")


# -- OpenCL


_CL = """\
    #define GROUP 96
    __kernel __attribute__((reqd_work_group_size(GROUP, 1, 1)))
    void count(int n, __global int *x) {
        __local int own[GROUP][9];
        own[get_local_id(0)][1] = x[0];
        barrier(CLK_LOCAL_MEM_FENCE);
        x[get_global_id(0)] = own[GROUP - 1 - get_local_id(0)][1];
    }
    """
_HOST = """\
    #include <CL/cl.h>
    #define WIDTH 96
    size_t shrRoundUp(size_t group, size_t n);
    size_t ceil_div(size_t a, size_t b);
    size_t pad(size_t n, size_t group);
    int run(cl_command_queue queue, cl_program program, size_t n)
    {
        clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
        cl_kernel kernel = clCreateKernel(program, "count", NULL);
        size_t local = WIDTH, global = (n + WIDTH - 1) / WIDTH * WIDTH;
        return clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL);
    }
    """


def host(*changes: tuple[str, str]) -> str:
    text = _HOST
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


def test_a_host_moves_with_its_kernel(tmp_path: Path) -> None:
    view = seen(tmp_path, {"count.cl": _CL, "host.c": _HOST}, "count.cl", "mi250x")
    action = sized(view)[0]
    after = applied(view, action)
    size = action.title.split(" size to ")[1].split()[0]
    assert after == {
        "count.cl": dedent(_CL).replace("GROUP 96", f"GROUP {size}"),
        "host.c": dedent(_HOST).replace("WIDTH 96", f"WIDTH {size}"),
    }


_GLOBAL = "global = (n + WIDTH - 1) / WIDTH * WIDTH"


@pytest.mark.parametrize(
    ("written", "multiple"),
    [
        ("global = ((n - 1) / WIDTH + 1) * WIDTH", True),
        ("groups = (n + WIDTH - 1) / WIDTH, global = WIDTH * groups", True),
        ("global = round_up(n, WIDTH)", True),
        ("global = shrRoundUp(local, n)", True),
        ("global = ceil_div(n, local) * local", True),
        ("global = (n + 95) / 96 * 96", True),
        ("global = n", False),
        ("global = 96000", False),
    ],
)
def test_how_a_global_size_follows(tmp_path: Path, written: str, multiple: bool) -> None:
    """One that is rounded up takes any size; one that is given, what divides it or today's size."""
    files = {"count.cl": _CL, "host.c": host((_GLOBAL, written))}
    view = seen(tmp_path, files, "count.cl", "mi250x")
    found = resizes(edit_context(view, {}), 0)
    assert not isinstance(found, Refused), found
    if multiple:
        assert [it.size for it in found][:1] == [1024]
    else:
        assert all((96000 if "96000" in written else 96) % it.size == 0 for it in found)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ([(_GLOBAL, "global = 120 * WIDTH")], "its global size does not visibly follow the size"),
        ([(_GLOBAL, "global = n + WIDTH")], "its global size does not visibly follow the size"),
        ([(_GLOBAL, "global = pad(n, local)")], "its global size does not visibly follow the size"),
        (
            [(_GLOBAL, "global = n; while (global % local) global++")],
            "its global size may be made with the size",
        ),
        ([("local = WIDTH", "local = 3 * 32")], "its size is not written as one number"),
        ([("local = WIDTH", "local = choose()")], "the size of its launch is not known"),
        ([("#define WIDTH 96", "#define WIDTH 64")], "its launches are of another size than it requires"),
        ([("&global, &local", "&global, NULL")], "the size of its launch is not known"),
        ([("NULL, NULL, NULL, NULL);", '"-DGROUP=96", NULL, NULL);')],
         "host.c has 96 written out elsewhere, which may be the size"),
        ([("NULL, NULL, NULL, NULL);", '"-Down=96", NULL, NULL);')], "its host may define own for it"),
        ([("NULL, NULL, NULL, NULL);", "options(n), NULL, NULL);"), ("int run", 'char *o = "-D%s=1";\nint run')],
         "its host may define any macro for it"),
        ([("cl_kernel kernel = ", "cl_mem part = buffer(n / 96); cl_kernel kernel = ")],
         "host.c has 96 written out elsewhere, which may be the size"),
        ([("cl_kernel kernel = clCreateKernel(program, \"count\", NULL);",
           "cl_kernel kernels[2]; kernels[0] = clCreateKernel(program, \"count\", NULL);"),
          ("queue, kernel,", "queue, kernels[0],")],
         "host.c may launch it in a way that is not understood"),
        ([("return clEnqueue", "clEnqueueTask(queue, kernel, 0, NULL, NULL);\n        return clEnqueue")],
         "host.c may launch it in a way that is not understood"),
    ],
)  # fmt: skip
def test_a_host_that_is_not_seen_whole(tmp_path: Path, changes: list[tuple[str, str]], reason: str) -> None:
    view = seen(tmp_path, {"count.cl": _CL, "host.c": host(*changes)}, "count.cl", "mi250x")
    assert refusal(view) == reason


_HELPER = """\
    #include <CL/cl.h>
    void launch(cl_command_queue queue, cl_kernel kernel, size_t n) {
        clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    }
    """


def test_a_file_that_launches_what_it_is_given(tmp_path: Path) -> None:
    files = {"count.cl": _CL, "host.c": _HOST, "helper.c": _HELPER}
    view = seen(tmp_path / "unknown", files, "count.cl", "mi250x")
    assert refusal(view) == "helper.c may launch it in a way that is not understood"
    other = _HELPER.replace("void launch", 'static const char *file = "other.cl";\n    void launch')
    files |= {"helper.c": other, "other.cl": "__kernel void other(__global int *x) {}"}
    assert refusal(seen(tmp_path / "other", files, "count.cl", "mi250x")) == "3 offered"


def test_two_kernels_of_the_name(tmp_path: Path) -> None:
    files = {"a/count.cl": _CL, "b/count.cl": _CL, "a/host.c": _HOST}
    view = seen(tmp_path / "none", files, "a/count.cl", "mi250x")
    assert refusal(view) == "host.c may launch it, or another kernel of its name"
    files["a/host.c"] = host(("int run", 'static const char *file = "count.cl";\n    int run'))
    assert refusal(seen(tmp_path / "one", files, "a/count.cl", "mi250x")) == "3 offered"
    assert refusal(seen(tmp_path / "one", files, "b/count.cl", "mi250x")) == "no visible launch sets its size"


def test_a_constant_of_one_name_on_both_sides(tmp_path: Path) -> None:
    """Nothing fixes the size: the kernel's file and the host call it the same."""
    kernel = _CL.replace("__attribute__((reqd_work_group_size(GROUP, 1, 1)))", "").replace("[9]", "[1]")
    kernel = kernel.replace("barrier", "__local int table[2000]; table[0] = n; barrier").replace(
        "[1];", "[1] + table[n];"
    )
    files = {"count.cl": kernel, "host.c": _HOST.replace("WIDTH", "GROUP")}
    view = seen(tmp_path / "same", files, "count.cl", "mi250x")
    after = applied(view, sized(view)[0])
    assert "GROUP 256" in after["count.cl"] and "GROUP 256" in after["host.c"]
    view = seen(tmp_path / "unlike", {"count.cl": kernel, "host.c": _HOST}, "count.cl", "mi250x")
    assert refusal(view) == "its code has 96 written out, which may be derived from the size"


# -- bounds that launches imply


def implied(view: View) -> str:
    found = implied_bounds(edit_context(view, {}), 0)
    return found.text.strip() if isinstance(found, Implied) else found.reason


_UNBOUND = dedent(_KERNEL).replace("__launch_bounds__(768) ", "").replace("// occupancy: regs=32\n", "")
_WIDE = "// occupancy: regs=96\n" + _UNBOUND


@pytest.mark.parametrize(
    ("files", "said"),
    [
        # Where it is not known what the kernel uses, bounds may change nothing.
        ({"k.cu": _UNBOUND, "main.cu": _MAIN}, "they change nothing that is known"),
        ({"k.cu": "// occupancy: regs=32\n" + _UNBOUND, "main.cu": _MAIN}, "they change nothing that is known"),
        ({"k.cu": _WIDE, "main.cu": _MAIN}, "__launch_bounds__(768, 1)"),
        ({"k.cu": _WIDE, "main.cu": _MAIN.replace("768>>>", "dim3(32, 24)>>>")}, "__launch_bounds__(768, 1)"),
        # Up to 256 threads have all the registers there are.
        ({"k.cu": _WIDE, "main.cu": _MAIN.replace("768>>>", "256>>>")}, "they change nothing that is known"),
        ({"k.cu": _KERNEL, "main.cu": _MAIN}, "it already states its bounds"),
        ({"k.cu": _UNBOUND.replace(" k(", " __maxnreg__(40) k("), "main.cu": _MAIN}, "it already states its bounds"),
        ({"k.cu": _UNBOUND}, "no visible launch sets its size"),
        ({"k.cu": _UNBOUND, "main.cu": _MAIN.replace("768>>>", "n>>>")}, "the size of its launch is not known"),
    ],
)
def test_bounds_of_launches(tmp_path: Path, files: dict[str, str], said: str) -> None:
    assert implied(seen(tmp_path, files, "k.cu")) == said


def test_opencl_is_not_told_the_size_of_its_launches(tmp_path: Path) -> None:
    """Its compilers make the same of most kernels then."""
    kernel = _CL.replace("__attribute__((reqd_work_group_size(GROUP, 1, 1)))", "")
    view = seen(tmp_path, {"count.cl": kernel, "host.c": _HOST}, "count.cl", "mi250x")
    assert implied(view) == "they change nothing that is known"


def test_the_title_says_what_changes(tmp_path: Path) -> None:
    view = seen(tmp_path, {"k.cu": _WIDE, "main.cu": _MAIN}, "k.cu")
    (action,) = [it for it in actions(view, 0, _EVERYTHING) if it.key.startswith("bounds:")]
    assert action.title == (
        "Add __launch_bounds__(768, 1): at most 80 registers (now 255), may spill; larger launches would fail"
    )
    resolved = resolve(view, action.key)
    assert resolved is not None and "void __launch_bounds__(768, 1) k(float" in applied(view, resolved)["k.cu"]
