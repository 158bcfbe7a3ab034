"""Each stated change, applied, comes to what is stated; a step less does not. Occupancy itself is held against the
vendors' answers in tests/model."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.analysis.what_if import what_if
from occupancy_lsp.core.wording import percent_text
from occupancy_lsp.model.device import Device
from occupancy_lsp.model.occupancy import Need, Occupancy
from tests.presets import CATALOGUE

_DEVICES = CATALOGUE.all()
_AMOUNT = r"([\d.]+ (?:KiB|B))"
_REGISTERS = re.compile(r"([−+]\d+) (?:registers?|VGPRs?) \((\d+)\)(?: loses? (\w+) [\w-]+)? → (.+)")
_LESS = re.compile(rf"{_AMOUNT} less [\w ]+ \({_AMOUNT}\) → (.+)")
_MORE = re.compile(rf"(?:over {_AMOUNT}|1 B) more [\w ]+ \(above {_AMOUNT}\)(?: loses (\w+) [\w-]+)? → (.+)")
_MORE_THAN_NONE = re.compile(rf"more than {_AMOUNT} of [\w ]+?(?: loses (\w+) [\w-]+)? → (.+)")
_BOUND = re.compile(rf"(more than )?(?:(\d+) (?:registers|VGPRs)|{_AMOUNT} of [\w ]+) → (.+)")

devices = st.sampled_from(_DEVICES)
sizes = st.integers(1, 1024)
counts = st.none() | st.integers(1, 255)
bytes_ = st.integers(0, 4096) | st.integers(0, 240 * 1024)


def amount(text: str | None) -> int:
    number, _, unit = (text or "0 B").partition(" ")
    return int(float(number) * 1024) if unit == "KiB" else int(number)


def told(device: Device, result: Occupancy) -> str:
    """As a line ends."""
    words = device.nouns
    count = f"{result.groups} {words.group if result.groups == 1 else words.groups}"
    return f"{count}, {percent_text(result.percent)}" if result.groups else "no launch"


def lost(stated: str | None, before: Occupancy, after: Occupancy) -> bool:
    return stated is None or {"a": "1"}.get(stated, stated) == str(before.groups - after.groups)


def assert_steps(steps: list[str], with_registers: Callable[[int], Occupancy]) -> None:
    """`40 → 75%`: with so many, and with none more. The last is as far as registers alone can raise it."""
    for step in filter(lambda it: it != "…", steps):
        at, percent = step.split(" → ")
        assert percent == percent_text(with_registers(int(at)).percent)
        assert with_registers(int(at)).groups > with_registers(int(at) + 1).groups
    if steps:
        assert with_registers(int(at)).groups == with_registers(1).groups


@given(devices, sizes, counts, bytes_)
def test_a_change_comes_to_what_it_says(device: Device, size: int, registers: int | None, local: int) -> None:
    need = Need(size, registers, local)
    now = device.arch.occupancy(need)

    def with_registers(count: int) -> Occupancy:
        return device.arch.occupancy(replace(need, registers=count))

    def with_local(total: int) -> Occupancy:
        return device.arch.occupancy(replace(need, static_local=total))

    for line in what_if(device.arch, need, device.nouns):
        line, *steps = line.split("; ")
        assert_steps(steps, with_registers)
        if found := _REGISTERS.fullmatch(line):
            step, at = int(found[1].replace("−", "-")), int(found[2])
            after = with_registers(at)
            assert registers is not None and at == registers + step
            assert with_registers(at + (1 if step < 0 else -1)).groups == now.groups
            assert (after.groups > now.groups) == (step < 0) and lost(found[3], now, after)
            assert found[4] == told(device, after)
        elif found := _LESS.fullmatch(line):
            at = amount(found[2])
            assert at == local - amount(found[1])
            assert with_local(at).groups > now.groups == with_local(at + 1).groups
            assert found[3] == told(device, with_local(at))
        elif found := _MORE_THAN_NONE.fullmatch(line):
            at = amount(found[1])
            after = with_local(at + 1)
            assert local == 0 and after.groups < now.groups == with_local(at).groups and lost(found[2], now, after)
            assert found[3] == told(device, after)
        else:
            found = _MORE.fullmatch(line)
            assert found and local, line
            at = amount(found[2])
            after = with_local(at + 1)
            assert at == local + amount(found[1])
            assert after.groups < now.groups == with_local(at).groups and lost(found[3], now, after)
            assert found[4] == told(device, after)


@given(devices, sizes, counts, counts, bytes_, bytes_, st.data())
def test_an_open_input_promises_no_more_than_may_be(
    device: Device, size: int, few: int | None, many: int | None, low: int, high: int, data: st.DataObject
) -> None:
    """Whatever the registers and bytes are, between their ends."""
    if few is not None and many is not None and few > many:
        few, many = many, few
    low, high = min(low, high), max(low, high)
    least, most = Need(size, few, low), Need(size, many if few is not None else few, high)
    true = Need(size, few and data.draw(st.integers(few, most.registers or 255)), data.draw(st.integers(low, high)))
    if most.registers is None:
        most = replace(most, registers=few)
        true = replace(true, registers=few)
    for line in what_if(device.arch, least, device.nouns, most):
        found = _BOUND.fullmatch(line)
        if found is None:  # stated as a change, which then holds at all of them
            assert any(f"{it};".startswith(f"{line};") for it in what_if(device.arch, true, device.nouns))
            continue
        at = int(found[2] or 0) or amount(found[3])
        field = "registers" if found[2] else "static_local"
        after = device.arch.occupancy(replace(true, **{field: at + 1 if found[1] else at}))
        limit = 0 if found[4] == "no launch" else int(re.search(r"(\d+) ", found[4])[1])  # type: ignore[index]
        assert after.groups <= limit


@pytest.mark.parametrize(
    ("need", "most", "lines"),
    [
        (
            Need(256, 40, 16384),
            None,
            ["−8 registers (32) → 8 blocks, 100%", "+1 register (41) loses a block → 5 blocks, 62.5%"],
        ),
        (Need(1024, 32), None, ["+1 register (33) loses a block → 1 block, 50%"]),
        (Need(1024, 40), None, ["−8 registers (32) → 2 blocks, 100%", "+25 registers (65) → no launch"]),
        # from 32 to 64 registers the same, with 65 it were not
        (
            Need(256, 32, 60000),
            Need(256, 64, 60000),
            [
                "2656 B less shared memory (56 KiB) → 4 blocks, 50%",
                "over 16800 B more shared memory (above 75 KiB) loses a block → 2 blocks, 25%",
            ],
        ),
        (
            Need(256, 32, 60000),
            Need(256, 65, 60000),
            [
                "56 KiB of shared memory → up to 4 blocks, 50%",
                "over 16800 B more shared memory (above 75 KiB) loses a block → 2 blocks, 25%",
            ],
        ),
        (
            Need(256, 40, 0),
            Need(256, 40, 60000),
            [
                "32 registers → up to 8 blocks, 100%",
                "more than 40 registers → at most 5 blocks, 62.5%",
                "more than 37 KiB of shared memory → at most 5 blocks, 62.5%",
            ],
        ),
    ],
)
def test_on_an_h100(need: Need, most: Need | None, lines: list[str]) -> None:
    device = CATALOGUE.find("h100")
    found = what_if(device.arch, need, device.nouns, most)
    assert found[: len(lines)] == lines
