"""The documentation shows what is so: its YAML is accepted, and the pages of the rules draw what the tool says."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path
from typing import get_args

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.counts.formats import sidecar
from occupancy_lsp.devices.catalogue import Catalogue
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.surprises import Topic
from occupancy_lsp.rules.registry import RULES
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile
from occupancy_lsp.settings import BUDGET_KEYS, EDITOR_KEYS, FILE_KEYS, merge
from tests.cutile_samples import files as cubins
from tests.presets import CATALOGUE
from tests.support import draw, undrawn

DOCS = Path(__file__).parents[1] / "docs"
_NAMES = {"cuda": "k.cu", "hip": "k.hip", "opencl": "k.cl", "python": "kernels.py"}
_BLOCK = re.compile(r"^```(\w+) ([^\n]+)\n(.*?)^```", re.DOTALL | re.MULTILINE)
_BUILT = datetime(2025, 1, 2, 3, 4).timestamp()  # when the pages' logs were written; sources an hour before
COMPARED = "occupancy-lost"  # what no view of a file shows: tests/cli/test_compared.py does
CODES = pytest.mark.parametrize("code", [rule.code for rule in RULES])
SHOWN = pytest.mark.parametrize("code", [rule.code for rule in RULES if rule.code != COMPARED])


def blocks(name: str) -> list[str]:
    return re.findall(r"```yaml\n(.*?)```", (DOCS / name).read_text("utf-8"), re.DOTALL)


def test_configuration() -> None:
    settings, budgets, kernels, device = blocks("configuration.md")
    assert merge(settings, "p")[1] == () == merge(budgets, "p")[1]
    reading = sidecar.read(kernels.encode(), "p")
    assert reading.problems == () and len(reading.usages) == 4
    assert Catalogue({"p": device}).problems == ()


def test_presets() -> None:
    device, settings = blocks("presets.md")
    catalogue = Catalogue({"p": device})
    assert catalogue.problems == () and catalogue.find("RTX 4080 Super").compute_units == 80
    assert merge(settings, "p")[1] == ()


@pytest.mark.parametrize("vendor", sorted({it.vendor for it in CATALOGUE.all()}))
def test_the_words_of_every_vendor_stand_on_their_page(vendor: str) -> None:
    """Whole words, in any number."""
    text = page("words")
    for device in (it for it in CATALOGUE.all() if it.vendor == vendor):
        words = device.nouns
        for word in (words.group, words.sub_group, words.unit, words.local_memory):
            assert re.search(rf"(?<![\w-]){re.escape(word)}s?(?![\w-])", text), (device.id, word)


def page(code: str) -> str:
    return (DOCS / "rules" / f"{code}.md").read_text("utf-8")


def examples(code: str, folder: Path) -> Iterator[tuple[str, str]]:
    """Each drawn source of a page, and as the tool draws it: ```cuda DEVICE…, after the files that stand before it.

    Of a cubin the page has what another tool says of it."""
    for language, said, text in _BLOCK.findall(page(code)):
        if language not in _NAMES:
            _write(folder / said, cubins()[said] if said.endswith(".cubin") else text, _BUILT)
            continue
        devices = said.removesuffix(" edited").split()
        path, source = folder / _NAMES[language], undrawn(text)
        _write(path, source, _BUILT + (3600 if said.endswith(" edited") else -3600))
        project = Project(folder, None, {"devices": devices})
        project.scan(lambda: False, lambda done, total: None)
        project.read_sources(lambda: False, lambda done, total: None)
        view = OpenFile(path, "", Text(source.encode()), project).view()
        assert view is not None and view.device is not None and view.device.id == devices[0]
        yield text, draw(view, diagnostics(view))


def _write(path: Path, content: str | bytes, when: float) -> None:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    os.utime(path, (when, when))


@SHOWN
def test_the_examples_of_a_rule_s_page(code: str, tmp_path: Path) -> None:
    """Its faulty code is drawn as the tool draws it; its nearest correct neighbour is left in peace."""
    found = list(examples(code, tmp_path))
    for text, drawn in found:
        assert drawn == text
    speaks = [f" {code}: " in text for text, _ in found]
    faults = speaks.count(True)
    assert 0 < faults < len(found) and all(speaks[:faults])


@CODES
def test_the_parts_of_a_rule_s_page(code: str) -> None:
    text = page(code)
    (headline,) = (rule.summary for rule in RULES if rule.code == code)
    assert text.startswith(f"# {code}: {headline}\n")
    if re.match(r"OCC[1-9]", code):
        for part in ("The arithmetic", "When to ignore it", "To (?:verify|measure)"):
            assert re.search(rf"^\*\*{part}[.:]", text, re.MULTILINE), part


def settings_table() -> list[str]:
    """The keys of `.occupancy.yaml` and of the editor's settings, from the schema."""
    shared = [it.name for it in EDITOR_KEYS if it in FILE_KEYS]
    lines = ["| key | in the editor | meaning | default |", "|---|---|---|---|"]
    for it in dict.fromkeys((*FILE_KEYS, *EDITOR_KEYS)):
        key = f"`{it.name}`" if it in FILE_KEYS else "–"
        editor = "–" if it in FILE_KEYS and it.name not in shared else f"`occupancy.{it.name}`"
        lines.append(f"| {key} | {editor} | {it.about} | {it.default} |")
    return lines


def budgets_table() -> list[str]:
    lines = ["| key | meaning | without it |", "|---|---|---|"]
    return [*lines, *(f"| `{it.name}` | {it.about} | {it.default or 'an error'} |" for it in BUDGET_KEYS)]


def sidecar_table() -> list[str]:
    return ["| key | meaning |", "|---|---|", *(f"| `{it.name}` | {it.about} |" for it in sidecar.KEYS[1:])]


def rules_table() -> list[str]:
    lines = ["| rule | severity | reports |", "|---|---|---|"]
    return [*lines, *(f"| [{it.code}]({it.code}.md) | {it.severity} | {it.summary} |" for it in RULES)]


@pytest.mark.parametrize(
    ("name", "mark", "table"),
    [
        ("configuration.md", "settings", settings_table),
        ("configuration.md", "budgets", budgets_table),
        ("configuration.md", "sidecars", sidecar_table),
        ("rules/README.md", "rules", rules_table),
    ],
    ids=["settings", "budgets", "sidecars", "rules"],
)
def test_the_tables_are_those_of_the_code(name: str, mark: str, table: Callable[[], list[str]]) -> None:
    """With OCCUPANCY_DOCUMENT=1 (`make tables`) they are written."""
    path = DOCS / name
    before, old, after = re.split(
        rf"(?<=<!-- {mark} -->\n)(.*?)(?=<!-- /{mark} -->)", path.read_text("utf-8"), flags=re.DOTALL
    )
    new = "\n".join(table()) + "\n"
    if os.environ.get("OCCUPANCY_DOCUMENT"):
        path.write_text(before + new + after, "utf-8")
    assert os.environ.get("OCCUPANCY_DOCUMENT") or old == new


def test_the_settings_of_the_extension_are_those_of_the_server() -> None:
    extension = DOCS.parent / "vscode-extension"
    properties = json.loads((extension / "package.json").read_text("utf-8"))["contributes"]["configuration"][
        "properties"
    ]
    own = {name for name in properties if name.split(".")[1] in ("server", "trace", "compile_not_in")}
    assert properties.keys() - own == {f"occupancy.{it.name}" for it in EDITOR_KEYS}
    page = (extension / "README.md").read_text("utf-8")
    assert all(f"`{name}`" in page for name in properties)


def _leads_somewhere(link: str, folder: Path) -> bool:
    path, _, anchor = link.partition("#")
    file = folder / path
    headings = re.findall(r"^#+ (.+)$", file.read_text("utf-8"), re.MULTILINE) if anchor else []
    return file.exists() and (
        not anchor or anchor in [re.sub(r"[^\w -]", "", it).lower().replace(" ", "-") for it in headings]
    )


def test_every_finding_has_its_page_and_test() -> None:
    folder = DOCS.parent / "findings"
    text = (folder / "README.md").read_text("utf-8")
    rows = [re.split(r" *\| *", line)[1:-1] for line in text.splitlines() if line.startswith("| [")]
    assert sorted(row[0] for row in rows) == [f"[{it.stem}]({it.name})" for it in sorted(folder.glob("*.sh"))]
    short = dict(re.findall(r"^\[(\w+)\]: (\S+)$", text, re.MULTILINE))
    surprises = (DOCS / "surprises.md").read_text("utf-8")
    for name, _, page, tests in rows:
        target = re.fullmatch(r"\[[^]]+\](?:\((\S+)\)|\[(\w+)\])", page)
        assert target is not None and _leads_somewhere(target[1] or short[target[2]], folder), page
        found = re.findall(r"`([^`]+)`", tests)
        first = Path(found[0]).parent if found else Path()
        assert found and all((DOCS.parent / (it if "/" in it else first / it)).exists() for it in found), tests
        assert f"(../findings/{name.partition('(')[2]}" in surprises, name


def test_what_surprises_says_stands_somewhere() -> None:
    """A script, a page or a test; and what hovers link to are its headings."""
    text = (DOCS / "surprises.md").read_text("utf-8")
    rows = [re.split(r" *\| *", line)[1:-1] for line in text.splitlines() if line.startswith("|")]
    for who, what, versions, source in (
        row for row in rows if row[0] != "vendor, language" and not row[0].startswith("-")
    ):
        link, test = re.fullmatch(r"\[[^]]+\]\((\S+)\)", source), re.fullmatch(r"`(\S+)`", source)
        assert who and what and re.search(r"\d", versions)
        assert _leads_somewhere(link[1], DOCS) if link else test and (DOCS.parent / test[1]).exists(), source
    assert all(_leads_somewhere(f"surprises.md#{it}", DOCS) for it in get_args(Topic))
