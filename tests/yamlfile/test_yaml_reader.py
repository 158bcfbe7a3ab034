"""YAML and plain values into dataclasses: what is read, what is said of faults, and that nothing is ever raised."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.yamlfile import nodes as yaml_nodes
from occupancy_lsp.yamlfile.reader import REST, read_text, read_value
from occupancy_lsp.yamlfile.types import Bytes, Count, Line, Placed, Positive, byte_size, nearest


@dataclass(frozen=True, slots=True)
class Memory:
    size: Bytes
    sizes: tuple[Bytes, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    registers: Count | None = None
    line: Line = 0
    archs: Annotated[dict[str, Memory], REST] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Device:
    name: str
    units: Positive
    kind: Literal["warp", "block", "off"] = "warp"
    share: float = 0.5
    ready: bool = False
    memory: Memory | None = None
    aliases: tuple[str, ...] = ()
    entries: dict[str, Entry] = field(default_factory=dict)
    said: Placed | None = None


GOOD = """\
name: H100
units: 132
kind: off
share: 0.75
ready: yes
memory: {size: 48 KiB, sizes: [0, 8KiB, 1.5KiB]}
aliases: h100-sxm
said: blocks >= 4
entries:
  scale: {registers: 40}
  tile:
    sm_90: {size: 1}
"""


def messages(text: str | bytes) -> list[str]:
    return [str(p) for p in read_text(Device, text, "d.yaml")[1]]


def test_every_kind_of_value() -> None:
    device, problems = read_text(Device, GOOD, "d.yaml")
    assert problems == ()
    assert device == Device(
        name="H100",
        units=132,
        kind="off",
        share=0.75,
        ready=True,
        memory=Memory(49152, (0, 8192, 1536)),
        aliases=("h100-sxm",),
        entries={"scale": Entry(40, 10), "tile": Entry(None, 11, {"sm_90": Memory(1)})},
        said=Placed("blocks >= 4", 8, 7),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name: a\nunits: 1\nalias: b", "d.yaml:3:1: unknown key 'alias', did you mean 'aliases'?"),
        ("name: a\nunits: 1\nzzz: b", "d.yaml:3:1: unknown key 'zzz'"),
        ("name: a", "d.yaml:1:1: missing units"),
        ("", "d.yaml: missing name, units"),
        ("name: a\nunits: many", "d.yaml:2:8: units: expected a whole number, 1 or more, not 'many'"),
        ("name: a\nunits: 0", "d.yaml:2:8: units: expected a whole number, 1 or more, not '0'"),
        ("name: a\nunits: 010", "d.yaml:2:8: units: expected a whole number, 1 or more, not '010'"),
        ("name: [a]\nunits: 1", "d.yaml:1:7: name: expected text, not a list"),
        ("name: a\nunits: 1\nunits: 2", "d.yaml:3:1: key 'units' is given twice"),
        (
            "name: a\nunits: 1\nkind: wrap",
            "d.yaml:3:7: kind: expected one of warp, block, off, not 'wrap', did you mean 'warp'?",
        ),
        (
            "name: a\nunits: 1\nmemory: {size: 48KB}",
            "d.yaml:3:16: memory.size: expected a size in bytes such as 49152 or 48KiB, not '48KB'",
        ),
        ("name: a\nunits: 1\nmemory: {}", "d.yaml:3:1: memory: missing size"),
        ("name: a\nunits: 1\nmemory: 3", "d.yaml:3:9: memory: expected keys and values, not '3'"),
        ("name: a\nunits: 1\nshare: .nan", "d.yaml:3:8: share: expected a number, not '.nan'"),
        ("name: a\nunits: 1\nready: 2", "d.yaml:3:8: ready: expected true or false, not '2'"),
        ("name: a\nunits: 1\naliases: {a: b}", "d.yaml:3:10: aliases: expected a list, not keys and values"),
        ("name: a\nunits: 1\n? [x]\n: 1", "d.yaml:3:3: a key must be text"),
        (
            "name: a\nunits: 1\nentries: {k: {registrs: 4}}",
            "d.yaml:3:15: entries.k: unknown key 'registrs', did you mean 'registers'?",
        ),
        ("name: !!python/object/apply:os.system [ls]\nunits: 1", "d.yaml:1:7: name: expected text, not a list"),
        ("- a", "d.yaml:1:1: expected keys and values, not a list"),
        (b"name: \xff\nunits: 1", "d.yaml: not UTF-8 text"),
    ],
)
def test_a_fault_is_placed_and_explained(text: str | bytes, message: str) -> None:
    assert messages(text) in ([message], [message.replace("d.yaml:", "d.yaml:1:1:", 1)])


@pytest.mark.parametrize(
    ("text", "place"),
    [("a: [1\n", "2:1"), ("a: 1\n b: 2", "2:3"), ("a: *x", "1:4"), ("a: 1\n---\nb: 2", "2:1"), ("ab\ncd: \x07", "2:5")],
)
def test_a_syntax_error_has_a_place(text: str, place: str) -> None:
    (message,) = messages(text)
    assert message.startswith("d.yaml:") and "not YAML" in message
    assert message.split(":")[1:3] == place.split(":")


def test_a_faulty_optional_key_keeps_its_default() -> None:
    device, problems = read_text(Device, "name: a\nunits: 2\nshare: x\nkind: y\naliases: [b, [c]]", "d.yaml")
    assert device == Device("a", 2, aliases=("b",))
    assert len(problems) == 3


@pytest.fixture(params=["c", "pure"])
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "pure":
        hooks = {k: v for k, v in vars(yaml_nodes._Loader).items() if not k.startswith("__")}
        monkeypatch.setattr(yaml_nodes, "_Loader", type("Pure", (yaml.SafeLoader,), hooks))


@pytest.mark.usefixtures("loader")
@pytest.mark.parametrize("text", ["[" * 200_000, "- " * 200_000, "{a: " * 100_000, "? " * 100_000, '"\\UFFFFFFFF"'])
def test_hostile_text_is_refused(text: str) -> None:
    assert messages(text)


def test_aliases_cannot_multiply() -> None:
    laughs = "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9) if i else 'x'}]\n" for i in range(12))
    many = "x: &x {size: 1, y1: 1, y2: 1}\nentries:\n" + "".join(f"  k{i}: {{sm: *x}}\n" for i in range(30_000))
    cycle = "name: a\nunits: 1\nentries: &e {k: *e}"
    for text in (laughs, many, cycle):
        assert messages(text)


def test_size_and_number_of_faults_are_bounded() -> None:
    assert messages("#" * (1 << 20) + "#") == ["d.yaml: larger than 1 MiB, not read"]
    assert messages("".join(f"k{i}: 1\n" for i in range(500)))[-1] == "d.yaml: more than 100 faults, not read"


def test_plain_values_follow_the_same_rules() -> None:
    value = {"name": "a", "units": 2, "kind": "Block", "share": 1, "ready": True, "memory": {"size": "1KiB"}}
    assert read_value(Device, value, "editor") == (Device("a", 2, "block", 1.0, True, Memory(1024)), ())
    _, (problem,) = read_value(Device, {"name": "a", "units": "x"}, "editor")
    assert str(problem) == "editor: units: expected a whole number, 1 or more, not 'x'"
    assert read_value(Device, {"name": object()}, "editor")[1]
    loop: list[Any] = []
    loop.append(loop)
    assert read_value(Device, {"name": loop}, "editor")[1]


def test_sizes() -> None:
    assert [byte_size(t) for t in ("0", "49152", "48KiB", "48 kib", "1.5KiB", "2MiB", "64 B")] == [
        0, 49152, 49152, 49152, 1536, 2 << 20, 64,
    ]  # fmt: skip
    assert [byte_size(t) for t in ("", "KiB", "-1", "1.5", "48KB", "9" * 14 + "GiB", "4KiBx")] == [None] * 7


def test_nearest_ignores_case() -> None:
    assert nearest("h10", ["H100", "A100", "mi300x"]) == ["H100"]


def test_no_mutation_raises() -> None:
    rng = random.Random(1)
    source = GOOD.encode()
    for _ in range(1000):
        data = bytearray(source[: rng.randrange(len(source))] if rng.random() < 0.3 else source)
        for _ in range(rng.randrange(1, 6)):
            if data:
                data[rng.randrange(len(data))] = rng.randrange(256)
        read_text(Device, bytes(data), "d.yaml")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from([*GOOD.split(), "name"]), inner),
    max_leaves=20,
)


@given(JSON)
@settings(max_examples=200, deadline=None)
def test_no_plain_value_raises(value: object) -> None:
    read_value(Device, value, "editor")


@given(st.text(alphabet="abn:[]{}-&*!|>%@'\"#? \n\t0", max_size=80))
@settings(max_examples=300, deadline=None)
def test_no_text_raises(text: str) -> None:
    read_text(Device, text, "d.yaml")
