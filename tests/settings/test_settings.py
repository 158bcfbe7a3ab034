"""`.occupancy.yaml`, the editor and the command line: what wins, where it came from, and what is said of faults."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from occupancy_lsp.devices.catalogue import DEFAULT_DEVICES
from occupancy_lsp.settings import Contract, LaunchFact, Settings, leaves_root, merge, read_settings

FILE = """\
devices: [h100, a100]
threshold: 50%
rules: {OCC301: off, occ101: error}
contracts:
  "lin::*": ">= 50%"
  scale: [">= 25% on sm_90, gfx942", "blocks_per_sm >= 4"]
launch:
  scale: {block: [32, 8], dynamic_shared: 32KiB}
  "*": {block: 256}
sidecars: ["build/**/*.log", counts.yaml]
presets: [gpus/*.yaml]
"""


def test_defaults() -> None:
    found, problems = merge(None, "p")
    assert found == Settings() and problems == ()
    assert found.devices == DEFAULT_DEVICES == ("h100", "mi300x", "arc-b580", "m1")
    assert found.hints and found.origin("devices") == "default"


def test_the_whole_file() -> None:
    found, problems = merge(FILE, "p")
    assert problems == ()
    assert found.devices == ("h100", "a100") and found.threshold == 50
    assert found.rules == {"OCC301": "off", "OCC101": "error"}
    assert found.contracts == (
        Contract("lin::*", ">= 50%", "p", 5, 13),
        Contract("scale", ">= 25% on sm_90, gfx942", "p", 6, 11),
        Contract("scale", "blocks_per_sm >= 4", "p", 6, 38),
    )
    assert found.launch == (LaunchFact("scale", 256, 32768, "p", 8), LaunchFact("*", 256, None, "p", 9))
    assert found.sidecars == ("build/**/*.log", "counts.yaml") and found.presets == ("gpus/*.yaml",)
    assert found.origin("devices") == found.origin("rules.OCC301") == ".occupancy.yaml"
    assert found.origin("hints") == "default"


def test_assumed_sizes() -> None:
    found, problems = merge('assume: {block: 256, "lin::*": {block: [32, 4]}}\n', "p")
    assert problems == ()
    assert found.assume == (
        LaunchFact("*", 256, None, "p", 1, assumed=True), LaunchFact("lin::*", 128, None, "p", 1, assumed=True),
    )  # fmt: skip
    _, (problem,) = merge("assume: {blok: 256}\n", "p")
    assert problem.message == "assume: unknown key 'blok', did you mean 'block'?"


def test_later_ones_win_and_are_remembered() -> None:
    editor = {"devices": ["l4"], "rules": {"OCC301": "hint"}, "hints": False, "threshold": None, "sidecars": []}
    found, problems = merge(FILE, "p", editor, {"devices": ["t4"]})
    assert problems == ()
    assert found.devices == ("t4",) and found.origin("devices") == "command line"
    assert found.rules == {"OCC301": "hint", "OCC101": "error"}
    assert found.origin("rules.OCC301") == "settings" and found.origin("rules.OCC101") == ".occupancy.yaml"
    assert found.threshold == 50 and found.origin("threshold") == ".occupancy.yaml"
    assert not found.hints and found.origin("hints") == "settings"
    assert found.sidecars == ("build/**/*.log", "counts.yaml")


def test_what_only_the_extension_uses_is_no_fault() -> None:
    assert merge(None, "p", {"server": {"python": ""}, "trace": {"server": "off"}})[1] == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("device: h100", "p:1:1: unknown key 'device', did you mean 'devices'?"),
        ("hints: false", "p:1:1: unknown key 'hints'"),
        ("threshold: 150", "p:1:12: threshold: expected a percentage from 0 to 100, not '150'"),
        (
            "rules: {OCC101: warn}",
            "p:1:17: rules.OCC101: expected one of off, hint, information, warning, error, not 'warn', "
            "did you mean 'warning'?",
        ),
        ("rules: {OC101: off}", "p:1:9: rules: expected the code of a rule such as OCC101, not 'OC101'"),
        (
            "launch: {k: {block: 0}}",
            "p:1:21: launch.k.block[0]: expected a whole number, 1 or more, not '0'",
        ),
        ("sidecars: ['a', ../x]", "p:1:17: sidecars: '../x' leaves the folder"),
        ("presets: /etc/*", "p:1:10: presets: '/etc/*' leaves the folder"),
    ],
)
def test_a_fault_in_the_file_is_placed_and_the_rest_counts(text: str, message: str) -> None:
    found, problems = merge(text, "p", {"devices": ["l4"]})
    assert [str(p) for p in problems] == [message]
    assert found.devices == ("l4",)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"device": "h100"}, "settings: unknown key 'device', did you mean 'devices'?"),
        ({"threshold": "high"}, "settings: threshold: expected a percentage from 0 to 100, not 'high'"),
        ({"hints": 3}, "settings: hints: expected true or false, not '3'"),
        ({"sidecars": ["C:\\x"]}, "settings: sidecars: 'C:\\x' leaves the folder"),
        ([1], "settings: expected keys and values, not a list"),
        ("x", "settings: expected keys and values, not 'x'"),
    ],
)
def test_a_fault_in_the_editors_settings_is_said(value: object, message: str) -> None:
    found, problems = merge("devices: a100", "p", value)
    assert [str(p) for p in problems] == [message]
    assert found.devices == ("a100",)


def test_globs_that_leave_the_folder() -> None:
    leaving = ["/a", "../a", "a/../b", "a\\..\\b", "~/a", "C:/a", "c:a", "\\\\host\\a", "", "a\0"]
    assert all(map(leaves_root, leaving))
    assert not any(map(leaves_root, ["a", "**/*.log", "./a", "a..b/*", "build-*/x.yaml"]))


def test_reading_a_folder(tmp_path: Path) -> None:
    assert read_settings(None) == (Settings(), ())
    assert read_settings(tmp_path) == (Settings(), ())
    (tmp_path / ".occupancy.yaml").write_text("devices: l4\n")
    assert read_settings(tmp_path)[0].devices == ("l4",)


def test_an_odd_file_is_said_and_never_waited_for(tmp_path: Path) -> None:
    (tmp_path / "a" / ".occupancy.yaml").mkdir(parents=True)
    (tmp_path / "b").mkdir()
    os.mkfifo(tmp_path / "b" / ".occupancy.yaml")
    (tmp_path / "c").mkdir()
    (tmp_path / "c" / ".occupancy.yaml").write_bytes(b"#" * (2 << 20))
    for name in "abc":
        found, (problem,) = read_settings(tmp_path / name, {"devices": ["l4"]})
        assert found.devices == ("l4",)
        assert problem.message.startswith("not read:")


def test_no_mutation_raises() -> None:
    rng = random.Random(3)
    for _ in range(1000):
        data = bytearray(FILE.encode()[: rng.randrange(1, len(FILE))] if rng.random() < 0.3 else FILE.encode())
        for _ in range(rng.randrange(1, 6)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        merge(bytes(data), "p")


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["devices", "rules", "OCC101", "hints"]), inner)
    ),
)


@given(VALUES)
@settings(max_examples=200, deadline=None)
def test_no_editor_value_raises(value: object) -> None:
    merge(FILE, "p", value)


def test_a_link_out_of_the_folder_is_not_read(tmp_path: Path) -> None:
    """What is said of a fault would have its text."""
    root = tmp_path / "root"
    root.mkdir()
    (tmp_path / "secret").write_text("threshold: secret\n")
    link = root / ".occupancy.yaml"
    link.symlink_to("../secret")
    found, problems = read_settings(root)
    assert found == Settings() and [str(it) for it in problems] == [f"{link}: not read: a link out of the folder"]
    (root / "own.yaml").write_text("threshold: 40%\n")
    link.unlink()
    link.symlink_to("own.yaml")
    assert read_settings(root)[0].threshold == 40 and read_settings(root)[1] == ()
