"""The published JSON schemas: what the commands print is valid by them, and what is not as they say is refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from occupancy_lsp.cli.commands.schema import NAMES
from release.schemas import FOLDER, SCHEMAS, text_of
from tests.cli.support import occupancy

SOURCE = """\
template <int N> __global__ void tile(float* x) { __shared__ float t[N]; t[threadIdx.x] = x[0]; x[1] = t[0]; }
__global__ void __launch_bounds__(128) scale(float* x) { x[threadIdx.x] *= 2; }
void run(float* x, int n) { tile<64><<<1, 256>>>(x); tile<128><<<1, n>>>(x); scale<<<64, 256>>>(x); }
void go(float* x) { other<<<1, 1>>>(x); }
"""


def validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_files_are_as_they_are_made(name: str) -> None:
    """`python -m release.schemas` writes them."""
    assert (FOLDER / f"{name}.json").read_text("utf-8") == text_of(name)
    assert tuple(SCHEMAS) == NAMES


def test_check(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    (tmp_path / "b.cu").write_text("__global__ void k(float* x) { x[0] = 1; }\n")
    (tmp_path / "a.cu.occupancy.yaml").write_text("kernels: {scale: {registers: 40}, x: [\n")
    (tmp_path / "main.cpp").write_text("int main() { return 0; }\n")
    found = []
    for more in ((), ("--devices", "h100,a100,l4"), ("--write-baseline",), ("--baseline", ".occupancy-baseline.json")):
        if "--baseline" in more:
            (tmp_path / "b.cu").write_text("__global__ void __launch_bounds__(64, 40) k2(float* x) { x[0] = 1; }\n")
        done = occupancy("check", "a.cu", "b.cu", "main.cpp", "--format", "json", *more, cwd=tmp_path)
        found.append(json.loads(done.out))
        validator("check").validate(found[-1])
    assert "comparison" not in found[0] and found[-1]["comparison"]["kernels"]
    assert found[0]["problems"] and any(it["skipped"] for it in found[0]["files"])
    validator("baseline").validate(json.loads((tmp_path / ".occupancy-baseline.json").read_text()))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda it: it.pop("problems"),
        lambda it: it.update(version=2),
        lambda it: it["files"][0]["findings"][0].update(severity="bad"),
        lambda it: it["files"][0]["kernels"][0].update(line="1"),
        lambda it: it["files"][0]["kernels"][0]["on"][0]["inputs"].pop("registers"),
    ],
)
def test_what_is_not_as_the_schema_says_is_refused(spoil: Callable[[Any], None], checked: str) -> None:
    said = json.loads(checked)
    spoil(said)
    with pytest.raises(ValidationError):
        validator("check").validate(said)


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("checked")
    (folder / "a.cu").write_text(SOURCE)
    return occupancy("check", "a.cu", "--format", "json", cwd=folder).out


def test_kernels(tmp_path: Path) -> None:
    (tmp_path / "a.cu").write_text(SOURCE)
    lines = occupancy("kernels", "a.cu", "--format", "jsonl", cwd=tmp_path).out.splitlines()
    assert [json.loads(it)["name"] for it in lines] == ["tile", "scale", None]
    for line in lines:
        validator("kernels").validate(json.loads(line))


def test_calc() -> None:
    requests = [
        {"device": "h100", "workgroup": 256, "registers": 40, "grid": 100},
        {"device": "mi300x", "workgroup": 256, "registers": 40, "sgprs": 100},
        {"device": "arc-b580", "workgroup": 256},
        {"device": "nope", "workgroup": 1},
    ]
    done = occupancy("calc", "--jsonl", stdin="\n".join(map(json.dumps, requests)).encode() + b"\n")
    answers = [json.loads(it) for it in done.out.splitlines()]
    assert ["error" in it for it in answers] == [False, False, False, True]
    for it in answers:
        validator("calc").validate(it)


def test_compile_and_bounds() -> None:
    compiled = json.loads(occupancy("compile", "examples/matmul.cu", "--device", "h100", "--format", "json").out)
    assert compiled["kernels"][0]["registers"] is not None
    validator("compile").validate(compiled)
    tried = json.loads(occupancy("bounds", "examples/matmul.cu", "--device", "h100", "--format", "json").out)
    assert len(tried["kernels"][0]["steps"]) > 1
    validator("bounds").validate(tried)


def test_the_command_prints_them() -> None:
    assert occupancy("schema", "check").out == text_of("check")
