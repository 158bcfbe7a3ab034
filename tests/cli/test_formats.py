"""The formats of `check`: each is valid by the schema of those who read it, and says what was found."""

from __future__ import annotations

import json
import os
import re
import stat
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import xmlschema
from jsonschema import Draft4Validator, validate
from markdown_it import MarkdownIt

from occupancy_lsp.cli.commands.outputs import write_whole
from occupancy_lsp.cli.formats import as_sarif
from occupancy_lsp.cli.formats.as_markdown import AsMarkdown
from occupancy_lsp.cli.formats.as_sarif import AsSarif
from occupancy_lsp.cli.formats.registry import FORMATS
from occupancy_lsp.cli.formats.result import About
from occupancy_lsp.findings.recording import record
from occupancy_lsp.rules.registry import RULES
from tests.cli.support import Done, occupancy
from tests.support import view_of

SCHEMAS = Path(__file__).parents[1] / "data" / "formats"
BEFORE = "    /* \U0001f600 */ scale<<<64, "
LAUNCH = f"""\
__global__ void __launch_bounds__(256, 4) scale(float* x) {{ x[threadIdx.x] *= 2; }}
void run(float* x) {{
{BEFORE}512>>>(x);
    scale<<<64, 1024>>>(x);
}}
"""
CAPPED = "__global__ void __launch_bounds__(256, 9) cap(float* x) { x[threadIdx.x] *= 2; }\n"
COMMENT = "// occupancy: ignore[OCC102]\n__global__ void k(float* x) { x[0] = 1; }\n"
NAME = "of a,b:100%.cu"  # what workflow commands, addresses and XML each write in another way


def repository_in(folder: Path) -> Path:
    """Paths are relative to the folder that holds `.git`, wherever below it the check is started."""
    (folder / ".git").mkdir()
    (folder / "src").mkdir()
    (folder / "src" / NAME).write_text(LAUNCH)
    (folder / "src" / "cap.cu").write_text(CAPPED)
    (folder / "src" / "comment.cu").write_text(COMMENT)
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return repository_in(tmp_path)


def written(repository: Path, *formats: str, more: tuple[str, ...] = (), status: int = 1) -> dict[str, str]:
    """By format; text is printed beside them."""
    files = {name: repository / f"out.{name}" for name in formats}
    arguments = [it for name, file in files.items() for it in ("--output", f"{name}:{file}")]
    done = occupancy("check", ".", *arguments, *more, cwd=repository / "src")
    assert (done.status, done.err) == (status, "") and "[OCC005]" in done.out
    return {name: file.read_text("utf-8") for name, file in files.items()}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The repository in every format."""
    return written(
        repository_in(tmp_path_factory.mktemp("found")), *FORMATS, more=("--device", "h100", "--device", "a100")
    )


def schema(name: str) -> Any:
    return json.loads((SCHEMAS / name).read_text("utf-8"))


def sarif_run(text: str) -> Any:
    said = json.loads(text)
    Draft4Validator(schema("sarif-schema-2.1.0.json")).validate(said)
    (run,) = said["runs"]
    return run


def test_sarif(found: dict[str, str]) -> None:
    run = sarif_run(found["sarif"])
    assert run["columnKind"] == "utf16CodeUnits" and run["invocations"][0]["executionSuccessful"]
    results = run["results"]
    assert [(it["ruleId"], it["level"]) for it in results] == [
        ("OCC005", "error"), ("OCC005", "error"), ("OCC102", "warning"), ("occupancy-directive", "note"),
    ]  # fmt: skip
    first = results[0]
    (location,) = first["locations"]
    physical = location["physicalLocation"]
    assert physical["artifactLocation"] == {"uri": "src/of%20a%2Cb%3A100%25.cu", "uriBaseId": "%SRCROOT%"}
    at = len(BEFORE.encode("utf-16-le")) // 2 + 1
    assert physical["region"] == {"startLine": 3, "startColumn": at, "endLine": 3, "endColumn": at + 3}
    assert location["logicalLocations"] == [{"fullyQualifiedName": "scale", "kind": "function"}]
    kernel = first["relatedLocations"][-1]
    assert first["message"]["text"].endswith(f"the launch fails, on h100. Kernel: [scale]({kernel['id']})")
    assert kernel["physicalLocation"]["region"]["startLine"] == 1
    assert [run["tool"]["driver"]["rules"][it["ruleIndex"]]["id"] for it in results] == [it["ruleId"] for it in results]


def test_what_github_requires_of_rules(found: dict[str, str]) -> None:
    rules = sarif_run(found["sarif"])["tool"]["driver"]["rules"]
    assert [it["id"] for it in rules] == [it.code for it in RULES]
    for rule in rules:
        texts = [rule["shortDescription"]["text"], rule["fullDescription"]["text"]]
        assert all(0 < len(it) <= 1024 for it in texts) and rule["help"]["text"]
        assert rule["help"]["markdown"].startswith("# ")
        assert not re.search(r"\]\((?!https?://)", rule["help"]["markdown"])  # a link that leads nowhere there


def test_fingerprints_stay_where_lines_move(repository: Path) -> None:
    def known() -> list[list[str]]:
        said = written(repository, "sarif", "gitlab")
        sarif = [it["partialFingerprints"]["primaryLocationLineHash"] for it in sarif_run(said["sarif"])["results"]]
        return [sarif, [it["fingerprint"] for it in json.loads(said["gitlab"])]]

    before = known()
    assert all(len({*it}) == 4 for it in before)  # also where one rule is broken twice in a kernel
    for path in (repository / "src").iterdir():
        path.write_text(f"// moved\n\n{path.read_text()}")
    assert known() == before


def test_no_more_results_than_github_takes(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(as_sarif, "_MOST_RESULTS", 2)
    form = AsSarif(About(Path("/")))
    for source in (COMMENT, CAPPED, LAUNCH):
        form.file(record("k.cu", Path("/k.cu"), view_of(source)))
    form.end((), False, sys.stdout)
    said = capsys.readouterr()
    run = sarif_run(said.out)
    assert [it["level"] for it in run["results"]] == ["error", "error"]
    told = "2 of 4 results, the least severe, are left out"
    assert said.err == f"SARIF: {told}: GitHub takes 2\n"
    assert run["invocations"][0]["toolExecutionNotifications"] == [{"level": "warning", "message": {"text": told}}]


def test_gitlab(found: dict[str, str]) -> None:
    issues = json.loads(found["gitlab"])
    for issue in issues:
        validate(issue, schema("codeclimate.json"))
    assert [(it["severity"], it["location"]["path"], it["location"]["lines"]["begin"]) for it in issues] == [
        ("major", "src/cap.cu", 1),
        ("minor", "src/comment.cu", 1),
        ("critical", f"src/{NAME}", 3),
        ("critical", f"src/{NAME}", 4),
    ]


def test_github(found: dict[str, str]) -> None:
    commands = found["github"].splitlines()
    at = len(BEFORE.encode("utf-16-le")) // 2 + 1
    place = f"line=3,endLine=3,col={at},endColumn={at + 3}"
    assert commands[0].startswith(f"::error file=src/of a%2Cb%3A100%25.cu,{place},title=occupancy OCC005::512 ")
    assert "%0Aline 1: " in commands[0]
    assert [it.split(" ")[0] for it in commands[:-1]] == ["::error", "::error", "::warning", "::notice"]
    assert commands[-1] == "3 kernels in 3 files on H100 SXM5: 2 errors, 1 warning, 1 information"


def test_more_annotations_than_github_shows_are_told(repository: Path) -> None:
    (repository / "src" / "many.cu").write_text("".join(CAPPED.replace("cap", f"cap{it}") for it in range(12)))
    *_, told = written(repository, "github")["github"].splitlines()
    assert told == "GitHub shows 10 annotations of each level for one step; not among them: 3 warnings"


def test_junit(found: dict[str, str]) -> None:
    text = found["junit"]
    xmlschema.validate(text, str(SCHEMAS / "JUnit.xsd"))
    suites = {it.get("name"): it for it in ElementTree.fromstring(text)}
    assert {name: (it.get("tests"), it.get("failures")) for name, it in suites.items()} == {
        "src/cap.cu": ("1", "0"), "src/comment.cu": ("1", "0"), f"src/{NAME}": ("1", "1"),
    }  # fmt: skip
    (failed,) = suites[f"src/{NAME}"].iter("testcase")
    assert failed.get("name") == "scale on h100"
    failure = failed.find("failure")
    assert failure is not None and failure.get("type") == "OCC005" and len(str(failure.text).splitlines()) == 2


def test_rdjson(found: dict[str, str]) -> None:
    said = json.loads(found["rdjson"])
    Draft4Validator(schema("DiagnosticResult.json")).validate(said)
    first = next(it for it in said["diagnostics"] if it["code"]["value"] == "OCC005")
    at = len(BEFORE.encode()) + 1  # reviewdog counts bytes
    assert first["location"]["range"]["start"] == {"line": 3, "column": at}
    # For the largest of all launches.
    (suggestion,) = first["suggestions"]
    line = LAUNCH.splitlines()[0]
    start, end = (suggestion["range"][it]["column"] - 1 for it in ("start", "end"))
    assert line[:start] + suggestion["text"] + line[end:] == line.replace("(256, 4)", "(1024, 1)")


def test_markdown(found: dict[str, str]) -> None:
    text = found["markdown"]
    assert text.startswith("**Occupancy: 2 errors, 1 warning, 1 information** (3 kernels in 3 files on H100 SXM5)\n")
    rendered = MarkdownIt("gfm-like", {"linkify": False}).render(text)
    lines = re.findall(r"<tr>(.*?)</tr>", rendered, re.DOTALL)
    rows = [re.findall(r"<t[hd]>(.*?)</t[hd]>", it, re.DOTALL) for it in lines]
    assert rows[0] == ["severity", "where", "kernel", "finding", "rule"]
    assert rows[1][:3] == ["error", f"<code>{NAME}:3</code>", "<code>scale</code>"] and rows[1][4] == "OCC005"
    assert ["kernel", "where", "h100", "a100"] in rows
    assert ["<code>cap</code>", "<code>cap.cu:1</code>", "100% at 256 if ≤32 regs", "100% at 256 if ≤32 regs"] in rows


def test_a_comment_has_room_for_it(capsys: pytest.CaptureFixture[str]) -> None:
    """GitHub takes 65,536 characters; all that is left out is told."""
    form = AsMarkdown(About(Path("/"), matrix=True))
    one = record("k.cu", Path("/k.cu"), view_of(CAPPED, "h100", "a100"))
    for number in range(400):
        name = f"a_kernel_with_a_name_of_some_length_{'x' * (number % 60)}{number}"
        form.file(replace(one, path=f"some/folder/{name}.cu", kernels=(replace(one.kernels[0], name=name),)))
    form.end((), False, sys.stdout)
    text = capsys.readouterr().out
    assert 20_000 < len(text) < 60_000
    for what in ("finding", "kernel"):
        table = re.search(rf"\n\n(\|(?:[^\n]+\n)+)\n(\d+) more {what}s not shown", text)
        assert table is not None and int(table[2]) + table[1].count("\n") - 2 == 400


def test_concise(found: dict[str, str]) -> None:
    *lines, _ = found["concise"].splitlines()
    places = ["cap.cu:1:40", "comment.cu:1:15", f"{NAME}:3:{len(BEFORE) + 1}", f"{NAME}:4:17"]
    assert [it.split(": ")[0] for it in lines] == places
    assert all(re.search(r": (error|warning|information): .* \[[\w-]+\]$", it) for it in lines)


def test_faults_are_told_in_every_format(repository: Path) -> None:
    (repository / "src" / ".occupancy.yaml").write_text("devices: [h100]\nthreshold: much\n")
    told = written(repository, *FORMATS, status=2)
    place = re.compile(r"\.occupancy\.yaml(:|%3A)2(:|%3A)12|\"line\": 2,\s+\"column\": 12")
    assert {name for name, text in told.items() if not place.search(text)} == {
        "gitlab",
        "rdjson",
    }  # have no place for it
    xmlschema.validate(told["junit"], str(SCHEMAS / "JUnit.xsd"))
    run = sarif_run(told["sarif"])
    assert not run["invocations"][0]["executionSuccessful"] and len(run["results"]) == 4
    for name in ("gitlab", "rdjson", "sarif"):
        done = occupancy("check", ".", "--format", name, cwd=repository / "src")
        assert done.status == 2 and place.search(done.err)


def test_a_budget_that_has_ended_is_no_error(repository: Path) -> None:
    """The exit status does not say so either."""
    (repository / "src" / NAME).unlink()
    (repository / "src" / ".occupancy.yaml").write_text(
        "devices: [h100]\nbudgets: [{kernel: cap, min_groups: 1, until: 2020-01-01}]\n"
    )
    told = {
        name: occupancy("check", ".", "--fail-on", "never", "--format", name, cwd=repository / "src")
        for name in ("github", "junit", "sarif")
    }
    assert [it.status for it in told.values()] == [0, 0, 0]
    assert "::warning title=occupancy-lsp::" in told["github"].out and "::error" not in told["github"].out
    xmlschema.validate(told["junit"].out, str(SCHEMAS / "JUnit.xsd"))
    assert "<error" not in told["junit"].out and "ended on 2020-01-01" in told["junit"].out
    (invocation,) = sarif_run(told["sarif"].out)["invocations"]
    assert invocation["executionSuccessful"]
    assert [it["level"] for it in invocation["toolExecutionNotifications"]] == ["warning"]


def test_a_pipe_is_written_into_and_a_link_stays_one(tmp_path: Path) -> None:
    """Where the paths are the user's."""
    pipe, link, broken = (tmp_path / name for name in ("pipe", "link", "broken"))
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    (tmp_path / "file").write_text("before")
    link.symlink_to("file")
    broken.symlink_to("new")
    for path in (pipe, link, broken):
        assert write_whole(path, "text\n", ())
    assert os.read(reader, 100) == b"text\n" and stat.S_ISFIFO(pipe.stat().st_mode)
    os.close(reader)
    assert link.is_symlink() and (tmp_path / "file").read_text() == "text\n"
    assert broken.is_symlink() and (tmp_path / "new").read_text() == "text\n"
    assert not write_whole(tmp_path, "text\n", ())


def test_nothing_is_written_through_a_link_of_the_checked_folder(tmp_path: Path) -> None:
    """Nor into a pipe there; from wherever, and however its path is spelled. The user's own link to the folder is."""
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    for folder in (inside, outside):
        folder.mkdir()
    (inside / "a.cu").write_text("__global__ void k() {}\n")
    (inside / "there.json").write_text("before")
    (outside / "victim").write_text("kept")
    (inside / "link.json").symlink_to(outside / "victim")
    (inside / "new.json").symlink_to(outside / "new")
    (inside / "own.json").symlink_to("a.cu")
    (inside / "folder").symlink_to(outside)
    os.mkfifo(inside / "pipe.json")
    mine = tmp_path / "mine"
    mine.symlink_to(inside)
    (tmp_path / "mine.json").symlink_to(inside / "link.json")
    names = ("link.json", "new.json", "own.json", "pipe.json", "folder/new", "folder/victim", "folder/../folder/victim")
    for where, checked, at in ((inside, ".", "."), (tmp_path, "inside", "mine"), (tmp_path, "mine/a.cu", "inside")):
        given = [*(f"{at}/{it}" for it in names), *(["mine.json"] if where == tmp_path else [])]
        done = occupancy("check", checked, *(it for name in given for it in ("--output", f"text:{name}")), cwd=where)
        told = re.findall(r"not written: (.* is a link; name what it leads to|not a regular file)", done.err)
        assert done.status == 2 and len(told) == len(given), done.err
        for other in (("report", checked, "--html"), ("check", checked, "--write-baseline", "--baseline")):
            done = occupancy(*other, f"{at}/pipe.json" if "--html" in other else f"{at}/folder/new", cwd=where)
            assert done.status == 2 and "not written: " in done.err
    assert {it.name: it.read_text() for it in outside.iterdir()} == {"victim": "kept"}
    assert (inside / "a.cu").read_text().startswith("__global__") and (inside / "own.json").is_symlink()
    done = occupancy("check", mine, "--output", f"text:{mine}/there.json")
    assert done.status == 0 and "1 kernel" in (inside / "there.json").read_text()
    (tmp_path / "mine.json").unlink()
    (tmp_path / "mine.json").symlink_to(inside / "there.json")
    done = occupancy("check", mine, "--output", f"json:{tmp_path / 'mine.json'}")
    assert done.status == 0 and json.loads((inside / "there.json").read_text())


def test_a_file_that_cannot_be_written_costs_nothing_else(repository: Path) -> None:
    to = ("--output", "sarif:nowhere/out.sarif", "--output", f"json:{repository / 'out.json'}")
    done: Done = occupancy("check", "cap.cu", *to, cwd=repository / "src")
    folder = repository / "src" / "nowhere"
    assert done.err == f"{folder / 'out.sarif'}: not written: there is no folder {folder}; create it first.\n"
    assert done.status == 2 and "[OCC102]" in done.out
    assert json.loads((repository / "out.json").read_text())["version"] == 1
    assert sorted(it.name for it in repository.iterdir()) == [".git", "out.json", "src"]


@pytest.mark.parametrize("given", ["sarif", "sarif:", "xml:a.xml", ":a"])
def test_an_output_names_format_and_file(given: str) -> None:
    done = occupancy("check", "examples", "--output", given)
    assert done.status == 2 and "write FORMAT:FILE, such as sarif:occupancy.sarif" in done.err


@pytest.mark.parametrize(("size", "counts"), [(8, (0, 0)), (16, (0, 1)), (64, (1, 1))])
def test_barriers_of_a_group_that_may_be_one_sub_group(tmp_path: Path, size: int, counts: tuple[int, int]) -> None:
    """Sub-groups have 8, 16 or 32 work-items, as the compiler chooses (ocloc 22.43 for dg2: barrier_count)."""
    head = f"__kernel __attribute__((reqd_work_group_size({size}, 1, 1))) void k(__global float* p)"
    body = (
        "{ __local float s[64]; int i = get_local_id(0); s[i] = p[i]; barrier(CLK_LOCAL_MEM_FENCE); p[i] = s[i ^ 1]; }"
    )
    (tmp_path / "k.cl").write_text(f"{head} {body}\n")
    done = occupancy("check", tmp_path, "--device", "arc-a770", "--format", "json")
    said = json.loads(done.out)["files"][0]["kernels"][0]["on"][0]["inputs"]["barriers"]
    assert (said["lowest"], said["highest"]) == counts
