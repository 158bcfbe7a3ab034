"""`check` against a baseline and a git revision: a repository of twenty commits, with what each does to every kernel.

The figures are those of an H100's SM: 64 warps, and 65,536 registers in units of 8 per thread.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from occupancy_lsp.cli.main import main
from occupancy_lsp.findings.baseline import NAME

Change = Callable[[str], str] | str | None


def swap(*pairs: str) -> Callable[[str], str]:
    def swapped(text: str) -> str:
        for old, new in zip(pairs[::2], pairs[1::2], strict=True):
            assert old in text, (old, text)
            text = text.replace(old, new)
        return text

    return swapped


@dataclass(frozen=True)
class Step:
    """A commit. `kernels`: what became of those that are not the same. `rules`: of the findings that are new.

    `place`: where the loss is reported, if that is not at the kernel's name.
    """

    subject: str
    files: Mapping[str, Change]
    kernels: Mapping[str, str] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    place: str = ""
    by_baseline: Mapping[str, str] | None = None  # where it cannot tell as much


PLAIN = "// occupancy: regs=40\n__global__ void plain(float* p) { p[threadIdx.x] *= 2; }\n"
SECOND = "// occupancy: regs=32\n__global__ void second(float* p) { p[threadIdx.x] += 1; }\n"
START = {
    ".occupancy.yaml": "devices: [sm_90]\nrules: {OCC301: off}\n",
    "sizes.h": "#pragma once\n#define THREADS 256\n",
    "wide.cuh": "// occupancy: regs=72\n__global__ void wide(float* p) { p[threadIdx.x] *= 3; }\n",
    "run.cu": '#include "sizes.h"\n#include "wide.cuh"\nvoid run(float* p) {\n  wide<<<4096, THREADS>>>(p);\n}\n',
    "a.cu": f"{PLAIN}void go(float* p) {{ plain<<<4096, 256>>>(p); }}\n",
    "open.cu": "__global__ void open(float* p) { p[0] = 1; }\nvoid o(float* p) { open<<<4096, 256>>>(p); }\n",
    "tile.cu": "// occupancy: regs=32 barriers=1\ntemplate <int N> __global__ void tile(float* p) {\n"
    "  __shared__ float t[N * 1024];\n  t[threadIdx.x] = p[0]; __syncwarp(); p[1] = t[threadIdx.x ^ 1];\n}\n"
    "void t(float* p) { tile<4><<<4096, 256>>>(p); }\n",
    "unlaunched.cu": "// occupancy: regs=32\n__global__ void unlaunched(float* p) { p[0] = 1; }\n",
}
STEPS = [
    Step("a comment", {"a.cu": lambda text: f"// twice\n\n{text}"}),
    Step("40 to 72 registers: 6 blocks to 3", {"a.cu": swap("=40", "=72")}, {"plain": "lost"}, ("occupancy-lost",)),
    Step("72 to 64 registers: 3 blocks to 4", {"a.cu": swap("=72", "=64")}, {"plain": "gained"}),
    Step("64 to 62 registers: allocated are 64", {"a.cu": swap("=64", "=62")}, {"plain": "moved"}),
    Step("another kernel", {"a.cu": lambda text: text + SECOND}, {"second": "new"}),
    Step("and its end", {"a.cu": lambda text: text.replace(SECOND, "")}, {"second": "gone"}),
    Step(
        "the header of sizes: 1024 threads of 72 registers do not fit",
        {"sizes.h": swap("256", "1024")},
        {"wide": "lost"},
        ("occupancy-lost",),
        "run.cu:4",
    ),
    Step("and back", {"sizes.h": swap("1024", "256")}, {"wide": "gained"}),
    Step(
        "bounds on unknown registers: 12.5–100% becomes 50–100%",
        {"open.cu": swap("void open", "void __launch_bounds__(256, 4) open")},
        {"open": "unknown"},
    ),
    Step("a file by another name", {"a.cu": None, "sub/c.cu": "a.cu"}),
    Step(
        "a kernel by another name",
        {"sub/c.cu": swap("plain", "simple")},
        by_baseline={"simple": "new", "plain": "gone"},
    ),
    Step("a second instance", {"tile.cu": swap("void t(float* p) {", "void t(float* p) { tile<6><<<9999, 256>>>(p);")},
         {"tile<6>": "new"}),
    Step("32 KiB in place of 16: 8 blocks to 6, and 24 KiB to 48: 8 blocks to 4",
         {"tile.cu": swap("N * 1024", "N * 2048")},
         {"tile<4>": "lost", "tile<6>": "lost"}, ("occupancy-lost", "occupancy-lost")),
    Step("what says nothing of kernels", {"README.md": "# Kernels\n"}),
    Step("the settings say a size: before, none was known",
         {".occupancy.yaml": lambda text: text + "launch: {unlaunched: {block: 256}}\n"}, {"unlaunched": "unknown"}),
    Step("100 threads are no whole warps: 8 blocks of 4 in place of 4 of 8",
         {"sub/c.cu": swap("4096, 256", "4096, 100")}, {"simple": "moved"}, ("OCC303",)),
    Step("and 128 are", {"sub/c.cu": swap("4096, 100", "4096, 128")}, {"simple": "moved"}),
    Step("a count beside the source", {"open.cu.occupancy.yaml": "kernels: {open: {registers: 64}}\n"},
         {"open": "unknown"}),
    Step("a higher one", {"open.cu.occupancy.yaml": swap("64", "128")}, {"open": "lost"}, ("occupancy-lost",)),
    Step("an end", {"run.cu": None, "tile.cu": None}, {"wide": "unknown", "tile<4>": "gone", "tile<6>": "gone"}),
]  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    folder = tmp_path / "r"
    folder.mkdir()
    monkeypatch.chdir(folder)
    git("init", "-q", "-b", "main")
    commit("start", START)
    return folder


def git(*arguments: str) -> str:
    named = ("user.name=A", "user.email=a@example.org", "core.autocrlf=false")
    who = [word for it in named for word in ("-c", it)]
    return subprocess.run(["git", *who, *arguments], check=True, capture_output=True, text=True).stdout


def commit(subject: str, files: Mapping[str, Change]) -> None:
    before = {name: Path(name).read_text() for name in files.values() if isinstance(name, str) and Path(name).exists()}
    before |= {name: Path(name).read_text() for name in files if Path(name).exists()}
    for name, change in files.items():
        path = Path(name)
        if change is None:
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            text = before.get(change, change) if isinstance(change, str) else change(path.read_text())
            path.write_text(text)
    git("add", "-A", ".", f":!{NAME}", ":!*.json")
    git("commit", "-q", "-m", subject)


def checked(*options: str) -> tuple[int, dict[str, Any]]:
    status = main(["check", ".", "--jobs", "1", "--output", "json:../out.json", *options])
    return status, json.loads(Path("../out.json").read_text())


def kinds(said: Mapping[str, Any]) -> dict[str, str]:
    every = said["comparison"]["kernels"]
    named = ((f"{it['kernel']}<{it['instance']}>" if it["instance"] else it["kernel"], it["kind"]) for it in every)
    return {name: kind for name, kind in named if kind != "same"}


def findings(said: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    for file in said["files"]:
        yield from ((it["code"], f"{file['path']}:{it['line']}") for it in file["findings"])


@pytest.mark.parametrize("how", ["diff", "baseline"])
def test_what_each_commit_does_to_every_kernel(repository: Path, how: str) -> None:
    for step in STEPS:
        if how == "baseline":
            assert checked("--write-baseline")[0] == 0
        commit(step.subject, step.files)
        options = ("--diff", "HEAD~1") if how == "diff" else ("--baseline", NAME)
        status, said = checked(*options, "--fail-on", "hint")
        expected = step.by_baseline if how == "baseline" and step.by_baseline is not None else step.kernels
        assert kinds(said) == expected, step.subject
        assert sorted(rule for rule, _ in findings(said)) == sorted(step.rules), step.subject
        assert status == bool(step.rules), step.subject
        if step.place and how == "diff":
            assert ("occupancy-lost", step.place) in findings(said), step.subject
    assert len(STEPS) == 20


def test_over_several_commits(repository: Path) -> None:
    """From the first to the last but one; what is in between does not count."""
    for step in STEPS[:-1]:
        commit(step.subject, step.files)
    first = git("rev-list", "--max-parents=0", "HEAD").strip()
    _, said = checked("--diff", first)
    assert kinds(said) == {
        "open": "unknown",
        "simple": "lost",
        "tile<4>": "lost",
        "tile<6>": "new",
        "unlaunched": "unknown",
    }


def test_a_baseline_that_only_shrinks(repository: Path) -> None:
    """A loss stays a loss, what is better is taken, what is gone goes, and nothing new comes in."""
    main(["check", ".", "--write-baseline"])
    first = Path(NAME).read_text().splitlines()
    commit("worse and better", {"a.cu": swap("=40", "=72"), "wide.cuh": swap("=72", "=40"), "tile.cu": None,
                                "new.cu": SECOND})  # fmt: skip
    assert checked("--update-baseline", "--baseline", NAME)[0] == 1
    second = Path(NAME).read_text().splitlines()
    assert [it for it in second if '"a.cu"' in it] == [it for it in first if '"a.cu"' in it]
    assert '"wide", "on": {"sm_90": {"groups": 6' in "".join(second)
    assert "tile" not in "".join(second) and "second" not in "".join(second)
    assert kinds(checked("--baseline", NAME)[1]) == {"plain": "lost", "second": "new"}


def test_strict_both_ways(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", ".", "--write-baseline"])
    assert checked("--baseline-strict")[0] == 0
    commit("better", {"wide.cuh": swap("=72", "=40")})
    assert checked("--baseline", NAME)[0] == 0
    assert checked("--baseline-strict")[0] == 1
    assert "is out of date: 1 better, 0 gone, 0 findings fixed; `--update-baseline`" in capsys.readouterr().err


def test_a_finding_that_is_milder_makes_the_baseline_out_of_date(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error stands for the warning, until the baseline is brought up to date."""
    budget = "budgets: [{kernel: plain, min_groups: 7}]\n"
    commit("a budget that is broken", {".occupancy.yaml": lambda text: text + budget})
    main(["check", ".", "--write-baseline"])
    commit("registers are unknown", {"a.cu": swap("// occupancy: regs=40\n", "")})
    assert checked("--baseline-strict")[0] == 1
    assert "is out of date: 0 better, 0 gone, 0 findings fixed, 1 milder; `" in capsys.readouterr().err
    assert checked("--baseline", NAME)[0] == 0
    assert checked("--update-baseline")[0] == 0
    assert checked("--baseline-strict")[0] == 0


@pytest.mark.parametrize(("severity", "status"), [("off", 0), ("hint", 0), ("warning", 1), ("error", 1)])
@pytest.mark.parametrize("how", ["diff", "baseline"])
def test_the_settings_say_how_severe_a_loss_is(repository: Path, how: str, severity: str, status: int) -> None:
    rules = swap("rules: {OCC301: off}", f"rules: {{OCC301: off, occupancy-lost: {severity}}}")
    commit("severity", {".occupancy.yaml": rules})
    main(["check", ".", "--write-baseline"])
    commit("worse", {"a.cu": swap("=40", "=72")})
    got, said = checked(*(("--diff", "HEAD~1") if how == "diff" else ("--baseline", NAME)))
    assert got == status and kinds(said) == {"plain": "lost"}
    told = [it["severity"] for file in said["files"] for it in file["findings"]]
    assert told == [severity] * (severity != "off")


def test_the_baseline_merges(repository: Path) -> None:
    """Two branches change a kernel each and add one each: git merges the file by itself."""
    main(["check", ".", "--write-baseline"])
    git("add", NAME)
    git("commit", "-q", "-m", "baseline")
    for branch, name, other in (("left", "a.cu", "aa.cu"), ("right", "unlaunched.cu", "zz.cu")):
        git("checkout", "-q", "-b", branch, "main")
        text = "=40" if name == "a.cu" else "=32"
        commit(branch, {name: swap(text, "=72"), other: SECOND.replace("second", branch)})
        main(["check", ".", "--write-baseline"])
        git("add", NAME)
        git("commit", "-q", "-m", "baseline")
    git("merge", "-q", "-m", "both", "left")
    assert set(kinds(checked("--baseline", NAME)[1])) == set()
    merged = Path(NAME).read_text()
    main(["check", ".", "--write-baseline"])
    assert Path(NAME).read_text() == merged


def test_a_check_of_some_files_leaves_the_others_in_the_baseline(repository: Path) -> None:
    main(["check", ".", "--write-baseline"])
    before = Path(NAME).read_text()
    main(["check", "a.cu", "--write-baseline"])
    assert Path(NAME).read_text() == before
    assert main(["check", "a.cu", "--baseline-strict"]) == 0


@pytest.mark.parametrize("how", ["diff", "baseline"])
def test_a_budget_that_becomes_broken_is_new(repository: Path, how: str) -> None:
    """Before, it could not be proved: a warning of the same rule. The other way about, nothing is new."""
    Path(".occupancy.yaml").write_text("devices: [sm_90]\nbudgets: [{kernel: open, min_groups: 5}]\n")
    git("commit", "-q", "-a", "-m", "a budget")
    assert checked("--write-baseline")[0] == 0
    options = ("--diff", "HEAD") if how == "diff" else ("--baseline", NAME)
    assert checked(*options)[0] == 0 and "OCC007" in Path(NAME).read_text()
    text = Path("open.cu").read_text()
    Path("open.cu").write_text(f"// occupancy: regs=128\n{text}")
    status, said = checked(*options)
    assert status == 1 and {rule for rule, _ in findings(said)} == {"OCC007"}
    git("commit", "-q", "-a", "-m", "broken")
    checked("--write-baseline")
    Path("open.cu").write_text(text)
    status, said = checked(*options)
    assert (status, list(findings(said)), said["comparison"]["findings_fixed"]) == (0, [], 0)


def test_architectures_that_are_not_checked_stay_in_the_baseline(repository: Path) -> None:
    main(["check", ".", "--write-baseline", "--devices", "sm_80,sm_90"])
    before = Path(NAME).read_text()
    for option in ("--update-baseline", "--write-baseline"):
        main(["check", ".", option, "--device", "sm_90"])
        assert Path(NAME).read_text() == before
    Path("a.cu").unlink()
    Path("unlaunched.cu").write_text("")
    main(["check", ".", "--update-baseline", "--device", "sm_90"])
    left = Path(NAME).read_text()
    assert '"plain"' not in left  # nowhere, since its file is gone
    assert '"unlaunched", "on": {"sm_80"' in left and left.count('"sm_90"') == before.count('"sm_90"') - 2


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        (("--diff", ""), "--diff: name a revision; it is empty."),
        (("--changed-since", ""), "--changed-since: name a revision; it is empty."),
        (("--baseline", ""), "--baseline: name a file; it is empty."),
        (("--diff", "HEAD", "--write-baseline"), "--diff compares with a revision, and --write-baseline is about a"),
        (("--diff", "HEAD", "--update-baseline"), "--diff compares with a revision, and --update-baseline is about a"),
        (("--diff", "HEAD", "--baseline-strict"), "--diff compares with a revision, and --baseline-strict is about a"),
        (("--write-baseline", "--update-baseline"), "--write-baseline takes over all that is found, and --update-base"),
        (("--write-baseline", "--baseline-strict"), "--write-baseline takes over all that is found, and --baseline-st"),
    ],
)
def test_what_would_be_no_comparison_is_refused(
    repository: Path, capsys: pytest.CaptureFixture[str], options: tuple[str, ...], fault: str
) -> None:
    assert main(["check", ".", *options]) == 2
    said = capsys.readouterr()
    assert fault in said.err and not said.out and not Path(NAME).exists()


def test_rows_that_cannot_be_read_are_not_lost(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Where all is checked that they may be about, they are written anew."""
    main(["check", ".", "--write-baseline"])
    before = Path(NAME).read_text()
    broken = before.replace("{}]}", "<<<<<<< HEAD\n{}]}")
    Path(NAME).write_text(broken)
    capsys.readouterr()
    assert main(["check", "a.cu", "--write-baseline"]) == 2
    said = capsys.readouterr()
    assert f"{NAME}:8:1: a merge is not finished; not written: " in said.err and Path(NAME).read_text() == broken
    assert main(["check", ".", "--write-baseline"]) == 0
    assert Path(NAME).read_text() == before


def test_a_baseline_leads_no_write_elsewhere(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outside = repository.parent / "outside"
    outside.write_text("kept")
    Path(NAME).symlink_to(outside)
    os.mkfifo("pipe")
    said = f"{Path.cwd() / NAME}: not written: {Path.cwd() / NAME} is a link; name what it leads to"
    for options, why in (
        ((), said),
        (("--baseline", "pipe"), f"{Path.cwd() / 'pipe'}: not written: not a regular file"),
    ):
        assert main(["check", ".", "--write-baseline", *options]) == 2
        assert why in capsys.readouterr().err
    assert outside.read_text() == "kept"


@pytest.mark.parametrize(
    "wrong",
    [
        {"groups": float("inf")},
        {"groups": -1},
        {"groups": [3, 2]},
        {"percent": float("nan")},
        {"percent": 10**400},
        {"threads": ["x"]},
        {"bytes": True},
        {"findings": {"OCC007": 1}},
        {"findings": {"OCC007": {"bad": 1}}},
    ],
)
def test_a_wrong_value_in_a_baseline(
    repository: Path, capsys: pytest.CaptureFixture[str], wrong: Mapping[str, object]
) -> None:
    main(["check", ".", "--write-baseline"])
    lines = Path(NAME).read_text().splitlines()
    row = json.loads(lines[2].rstrip(","))
    row["on"]["sm_90"] |= wrong
    lines[2] = json.dumps(row) + ","
    Path(NAME).write_text("\n".join(lines))
    assert_not_as_written(capsys)


@pytest.mark.parametrize("path", ["a" * 300, "a/" * 3000, "a\0b", 3])
def test_a_wrong_path_in_a_baseline(repository: Path, capsys: pytest.CaptureFixture[str], path: object) -> None:
    row = json.dumps({"path": path, "kernel": "k", "on": {"sm_90": {"source": ""}}})
    Path(NAME).write_text(f'{{"format": 1, "kernels": [\n{{}},\n{row}\n]}}')
    assert_not_as_written(capsys)


def assert_not_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["check", ".", "--baseline", NAME]) == 2
    said = capsys.readouterr().out
    assert f"{NAME}:3:1: not as a baseline is written; write it anew" in said and "5 kernels in 6 files" in said


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        (None, f"{NAME}: there is no such baseline; write one with"),
        ("{", f"{NAME}:1:2: no valid JSON; write it anew"),
        ("[]", f"{NAME}:1:1: no baseline of format 1"),
        ('{"format": 1, "kernels": [\n{"path": 3},\n{}]}', f"{NAME}:2:1: not as a baseline is written"),
        ('{"format": 1, "kernels": [\n<<<<<<< HEAD\n{}]}', f"{NAME}:2:1: a merge is not finished; keep the lines"),
    ],
)
def test_a_broken_baseline(repository: Path, capsys: pytest.CaptureFixture[str], text: str | None, fault: str) -> None:
    """One line says so, and everything else is checked."""
    if text is not None:
        Path(NAME).write_text(text)
    assert main(["check", ".", "--baseline", NAME]) == 2
    said = capsys.readouterr().out
    assert fault in said and "5 kernels in 6 files" in said


def test_what_cannot_be_compared_is_told_and_the_rest_is_checked(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("--diff", "--changed-since"):
        assert main(["check", ".", option, "nope"]) == 2
        said = capsys.readouterr().out
        assert "no revision 'nope'; name a commit" in said and "5 kernels in 6 files" in said


def test_a_budget_for_a_kernel_that_is_not_there(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = "budgets:\n- {kernel: plain, min_groups: 2}\n- {kernel: plan, min_groups: 2}\n"
    Path(".occupancy.yaml").write_text(f"devices: [sm_90]\n{text}")
    assert main(["check", "."]) == 2
    said = capsys.readouterr().out
    assert ".occupancy.yaml:4:12: budget of 'plan': no kernel here has such a name; correct the glob" in said
    assert "5 kernels in 6 files" in said
    assert main(["check", "run.cu"]) == 2
    Path(".occupancy.yaml").write_text(f"devices: [sm_90]\n{text.replace('plan,', 'wide,')}")
    assert main(["check", "a.cu"]) == 0  # another file has it


def test_only_what_changed_and_what_that_bears_on(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def looked_at() -> set[str]:
        return {it["path"] for it in checked("--changed-since", "HEAD")[1]["files"]}

    assert looked_at() == set()
    assert capsys.readouterr().err == "nothing that changed since HEAD bears on a kernel.\n"
    Path("sizes.h").write_text("#pragma once\n#define THREADS 128\n")
    assert looked_at() == {"run.cu", "wide.cuh"}
    Path("open.cu").write_text(Path("open.cu").read_text() + "// more\n")
    assert looked_at() == {"run.cu", "wide.cuh", "open.cu"}
    Path(".occupancy.yaml").write_text("devices: [sm_86]\n")
    assert len(looked_at()) == 6


def test_a_changed_launch_bears_on_a_kernel_that_is_imported(repository: Path) -> None:
    Path("k.py").write_text("import triton\n\n@triton.jit\ndef k(x):\n    pass\n")
    Path("run.py").write_text("from k import k\n\ndef run(x):\n    k[(1,)](x, num_warps=4)\n")
    git("add", ".")
    git("commit", "-qm", "a kernel in Python")
    assert not checked("--changed-since", "HEAD")[1]["files"]
    Path("run.py").write_text(Path("run.py").read_text().replace("=4", "=64"))
    said = checked("--changed-since", "HEAD")[1]["files"]
    assert "k.py" in {it["path"] for it in said} and not {it["path"] for it in said} - {"k.py", "run.py"}
    assert kinds(checked("--diff", "HEAD")[1]) == {"k": "lost"}


def test_a_repository_inside_takes_nothing_over(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It comes first by its name, and has no revision of the one that the user named."""
    inner = Path("_deps/lib")
    inner.mkdir(parents=True)
    (inner / "a.cu").write_text(SECOND)
    git("-C", str(inner), "init", "-q")
    commit("more registers", {"a.cu": swap("=40", "=72"), ".gitignore": "_deps\n"})
    status, said = checked("--diff", "HEAD~1")
    note = "1 file of the repository _deps/lib left out: "
    assert (status, kinds(said)) == (1, {"plain": "lost"})
    assert note in capsys.readouterr().err
    status, said = checked("--changed-since", "HEAD~1")
    assert {it["path"] for it in said["files"]} == {"a.cu"}
    assert note in capsys.readouterr().err


def test_a_launch_tells_the_kernel_that_another_file_has(repository: Path) -> None:
    commit("a smaller kernel", {"wide.cuh": swap("=72", "=32"), "sizes.h": swap("256", "512")})
    Path("sizes.h").write_text(Path("sizes.h").read_text().replace("512", "768"))
    written = {it: Path(f"../out.{it}") for it in ("junit", "markdown", "sarif")}
    outputs = [word for it, path in written.items() for word in ("--output", f"{it}:{path}")]
    assert checked("--diff", "HEAD", *outputs)[0] == 1
    text = {it: path.read_text() for it, path in written.items()}
    assert 'name="wide on sm_90"' in text["junit"] and 'name="comments"' not in text["junit"]
    assert "| error" in text["markdown"] and "`run.cu:4` | `wide`" in text["markdown"]
    (result,) = json.loads(text["sarif"])["runs"][0]["results"]
    assert result["locations"][0]["logicalLocations"][0]["fullyQualifiedName"] == "wide"


@pytest.mark.parametrize("name", ["a.cu", "b.cu"])
def test_a_loss_stands_where_it_does_without_a_move(repository: Path, name: str) -> None:
    """The launch is the same as before, so it stands at the kernel's name."""
    text = Path("a.cu").read_text().replace("=40", "=72")
    commit("fewer groups", {"a.cu": None, name: text})
    _, said = checked("--diff", "HEAD~1")
    (found,) = [it for file in said["files"] for it in file["findings"] if it["code"] == "occupancy-lost"]
    assert (found["line"], found["column"], found["end_column"]) == (2, 17, 22)


def test_what_is_gone_is_told_in_the_words_of_its_architecture(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    commit("the end", dict.fromkeys((it for it in START if not it.startswith(".")), None))
    main(["check", ".", "--jobs", "1", "--diff", "HEAD~1"])
    said = capsys.readouterr()
    (row,) = [line for line in (said.out + said.err).splitlines() if " a.cu " in line]
    assert row.split() == ["gone", "a.cu", "plain", "sm_90", "75%", "(6", "blk/SM)"]


def test_junit_has_no_case_for_a_device_that_is_not_judged(repository: Path) -> None:
    Path(".occupancy.yaml").write_text("devices: [h100, rtx4090]\n")
    for more, devices in (((), {"h100"}), (("--devices", "h100,rtx4090"), {"h100", "rtx-4090"})):
        main(["check", "a.cu", "--output", "junit:../out.xml", *more])
        cases = ElementTree.parse("../out.xml").iter("testcase")
        assert {it.get("name") for it in cases} == {f"plain on {it}" for it in devices}


def test_nothing_that_bears_on_a_kernel(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    commit("words", {"README.md": "# Kernels\n"})
    assert main(["check", ".", "--diff", "HEAD~1"]) == 0
    assert "nothing that changed since HEAD~1 bears on a kernel\n" in capsys.readouterr().out


def test_what_is_too_large_to_be_read_is_told(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("big.cu", "bigger.cu"):
        Path(name).write_bytes(bytes(9 << 20))
    commit("large files", {})
    commit("they are gone", {"big.cu": None, "bigger.cu": None, "a.cu": swap("=40", "=72")})
    for option in ("--diff", "--changed-since"):
        assert main(["check", ".", option, "HEAD~1"]) in (0, 1)
        assert f"{Path.cwd()}: big.cu is too large in HEAD~1, like 1 other: not read there" in capsys.readouterr().err


def test_more_of_a_revision_than_is_looked_at(
    repository: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where much has changed, all is compared; where it is too much, nothing, which is told."""
    many = {f"old/{number}.cu": PLAIN for number in range(30)}
    commit("many files", many)
    commit("and none of them", dict.fromkeys(many))
    commit("72 registers", {"a.cu": swap("=40", "=72")})
    _, said = checked("--diff", "HEAD~2")
    monkeypatch.setattr("occupancy_lsp.cli.commands.comparing._MOST_CHANGED", 10)
    assert kinds(checked("--diff", "HEAD~2")[1]) == kinds(said)
    monkeypatch.setattr("occupancy_lsp.cli.commands.comparing.MOST_FILES", 29)
    assert main(["check", ".", "--diff", "HEAD~2"]) == 2
    assert "HEAD~2 has more than 29 sources that are not as they are now" in capsys.readouterr().out
    assert main(["check", "a.cu", "--diff", "HEAD~2"]) == 1


@pytest.mark.parametrize("more", [0, 3 << 20])
def test_what_git_does_not_track_belongs_to_both_sides(repository: Path, more: int) -> None:
    """A generated header and the macros of a build's commands, `more` bytes of these: a comment changes nothing, and
    registers do."""
    gen = '#include "gen/config.h"\n// occupancy: regs=40\n__global__ void gen(float* p) { p[0] = 1; }\n'
    gen += "void g(float* p) { gen<<<4096, THREADS * WIDTH>>>(p); }\n"
    default = "#ifndef WIDTH\n#define WIDTH 1\n#endif\n"
    commit("generated", {"gen.cu": default + gen, ".gitignore": "build\ngen\n"})
    for name in ("build", "gen"):
        Path(name).mkdir()
    Path("gen/config.h").write_text("#define THREADS 320\n")
    here = str(Path.cwd())
    command = {"directory": f"{here}/build", "file": f"{here}/gen.cu", "command": f"nvcc -DWIDTH=2 -c {here}/gen.cu"}
    Path("build/compile_commands.json").write_text(json.dumps([command]) + " " * more)
    Path("gen.cu").write_text(f"// More.\n{Path('gen.cu').read_text()}")
    status, said = checked("--diff", "HEAD")
    assert (status, kinds(said), [*findings(said)]) == (0, {}, [])
    (same,) = said["comparison"]["kernels"]
    assert same["was"]["groups"] == {"lowest": 2, "highest": 2}  # of 640 threads
    Path("gen.cu").write_text(Path("gen.cu").read_text().replace("=40", "=72"))
    assert kinds(checked("--diff", "HEAD")[1]) == {"gen": "lost"}


BUILT = {
    ".gitignore": "build\n",
    "factor.h": "#pragma once\n#define FACTOR 2\n",
    "built.cu": '#include "factor.h"\n__global__ void first(float* p) { p[threadIdx.x] *= FACTOR; }\n'
    "__global__ void second(float* p) { p[threadIdx.x] += 1; }\n"
    "void b(float* p) { first<<<4096, 256>>>(p); second<<<4096, 256>>>(p); }\n",
    "Makefile": "build/built.o: built.cu\n\tnvcc -Xptxas -v -c -o $@ $<\n",
}


def build(first: int, second: int) -> None:
    """What `nvcc -Xptxas -v` tells, now."""
    Path("build").mkdir(exist_ok=True)
    counts = {"_Z5firstPf": first, "_Z6secondPf": second}
    each = (
        f"ptxas info    : Compiling entry function '{name}' for 'sm_90'\n"
        f"ptxas info    : Function properties for {name}\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        f"ptxas info    : Used {count} registers, 360 bytes cmem[0]\n"
        for name, count in counts.items()
    )
    Path("build/ptxas.log").write_text("".join(each))


def counted(*options: str) -> dict[str, tuple[str, Any, Any]]:
    """Of the kernels of the build: what became of each, and the work-groups before and now."""
    every = [it for it in checked("--diff", "HEAD", *options)[1]["comparison"]["kernels"] if it["path"] == "built.cu"]
    sides = {it["kernel"]: [side["groups"] for side in (it["was"], it["now"])] for it in every}
    known = {
        name: [side["lowest"] if side["lowest"] == side["highest"] else None for side in two]
        for name, two in sides.items()
    }
    return {it["kernel"]: (it["kind"], *known[it["kernel"]]) for it in every}


def test_a_build_that_git_does_not_track_counts_for_what_did_not_change(repository: Path) -> None:
    """A count speaks of the text that was compiled, on either side; 40 registers: 6 blocks of 256 threads, 72: 3."""
    commit("built", BUILT)
    Path("built.cu").write_text(Path("built.cu").read_text().replace("+= 1", "+= 2"))
    build(72, 40)
    assert counted() == {"first": ("same", 3, 3), "second": ("unknown", None, 6)}
    build(40, 40)  # anew, with other flags, say: the same text has one count
    assert counted()["first"] == ("same", 6, 6)


def test_what_was_built_before_an_edit_speaks_of_the_revision(repository: Path) -> None:
    commit("built", BUILT)
    build(72, 40)
    main(["check", "."])  # sees what was compiled
    Path("built.cu").write_text(Path("built.cu").read_text().replace("+= 1", "+= 2"))
    assert counted() == {"first": ("same", 3, 3), "second": ("unknown", 6, 6)}  # the latter is stale now


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("factor.h", swap("FACTOR 2", "FACTOR 3")),
        ("Makefile", swap("-Xptxas", "-O1 -Xptxas")),
        (".occupancy.yaml", lambda text: text + "macros: {FACTOR: 4}\n"),
    ],
)
def test_a_build_says_nothing_of_a_revision_that_was_compiled_otherwise(
    repository: Path, name: str, change: Callable[[str], str]
) -> None:
    """Whatever else went into it: a header, what says how to compile, macros of the settings."""
    commit("built", BUILT)
    Path(name).write_text(change(Path(name).read_text()))
    build(72, 40)
    assert counted()["first"] == ("unknown", None, 3)


def test_settings_that_compilers_do_not_see_leave_counts_as_they_are(repository: Path) -> None:
    commit("built", BUILT)
    build(72, 40)
    Path(".occupancy.yaml").write_text(Path(".occupancy.yaml").read_text() + "threshold: 10%\n")
    assert counted() == {"first": ("same", 3, 3), "second": ("same", 6, 6)}


def test_a_submodule_is_read_as_the_revision_records_it(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """320 threads of 40 registers: 5 blocks; 1024: 1."""
    inner = Path("third/lib")
    inner.mkdir(parents=True)
    (inner / "size.h").write_text("#define SIZE 320\n")
    in_it = ("-C", str(inner))
    git(*in_it, "init", "-q")
    git(*in_it, "add", ".")
    git(*in_it, "commit", "-q", "-m", "one")
    uses = PLAIN.replace("plain", "uses") + "void u(float* p) { uses<<<4096, SIZE>>>(p); }\n"
    commit("a submodule", {"uses.cu": f'#include "third/lib/size.h"\n{uses}'})
    commit("another kernel", {"a.cu": swap("=40", "=72")})
    assert {it["path"] for it in checked("--changed-since", "HEAD~1")[1]["files"]} == {"a.cu"}
    assert kinds(checked("--diff", "HEAD")[1]) == {}
    (inner / "size.h").write_text("#define SIZE 1024\n")
    assert kinds(checked("--diff", "HEAD")[1]) == {"uses": "lost"}  # its work tree is not clean
    git(*in_it, "commit", "-q", "-a", "-m", "two")
    commit("its next commit", {"README.md": "# Kernels\n"})
    assert kinds(checked("--diff", "HEAD~1")[1]) == {"uses": "lost"}
    assert kinds(checked("--diff", "HEAD")[1]) == {}
    Path("third/lib/.git").rename(tmp_path / "elsewhere")
    Path("third/lib/.git").write_text(f"gitdir: {tmp_path / 'elsewhere'}\n")
    capsys.readouterr()
    assert kinds(checked("--diff", "HEAD~1")[1]) == {}  # objects out of the repository are not read
    said = "the commit of submodule third/lib that HEAD~1 records cannot be read here: its files are compared as they"
    assert said in capsys.readouterr().err
