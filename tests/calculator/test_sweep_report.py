from __future__ import annotations

import pytest

from occupancy_lsp.calculator.sweep import sweep_report
from occupancy_lsp.model.occupancy import Need
from tests.presets import CATALOGUE

_RTX_4090 = CATALOGUE.find("rtx-4090")


def test_registers() -> None:
    assert (
        sweep_report(_RTX_4090, Need(256, 41, 6000), "registers", 60)
        == """\
GeForce RTX 4090: occupancy by registers per thread

 100% |########
      |########
  80% |##########
      |##########
  60% |#############
      |################
  40% |################
      |##########################
  20% |##########################
      |#####################################################
   0% +-----------------------------------------------------
               ^
       1                                                 255

  registers up to  blocks    warps  percent  limited by
               32       6       48     100%  warps
               40       6       48     100%  warps, registers
>              48       5       40   83.33%  registers
               64       4       32   66.67%  registers
               80       3       24      50%  registers
              128       2       16   33.33%  registers
              255       1        8   16.67%  registers

At 256 threads per block:
  -1 register (40): 6 blocks, 100%
  +8 registers (49) lose a block: 4 blocks, 66.67%
  over 13456 B more shared memory (above 19 KiB) loses a
    block: 4 blocks, 66.67%
"""
    )


def test_a_size_between_whole_warps_has_its_row() -> None:
    report = sweep_report(_RTX_4090, Need(200, 40, 16384), "group_size")
    assert ">     200       5       35   72.92%  shared memory\n" in report
    assert "      288       5       45   93.75%  warps, registers, shared memory\n" in report


def test_what_limits_is_wrapped_not_cut() -> None:
    report = sweep_report(_RTX_4090, Need(200, 40, 16384), "group_size", 64)
    assert "93.75%  warps, registers, shared\n                                     memory\n" in report


def test_local_memory_steps_end_where_the_next_begins() -> None:
    report = sweep_report(_RTX_4090, Need(256, 40, 16384), "local")
    assert ">       19456       5       40   83.33%  shared memory\n" in report
    assert "       101376       1        8   16.67%  shared memory\n" in report


def test_an_unknown_count_is_marked_nowhere() -> None:
    report = sweep_report(_RTX_4090, Need(256), "registers")
    assert ">" not in report
    assert "^" not in report


@pytest.mark.parametrize("over", ["group_size", "registers", "local"])
@pytest.mark.parametrize("width", [64, 72, 100, 200])
@pytest.mark.parametrize("need", [Need(1), Need(200, 40, 16384), Need(4096, 300, 10**6)])
def test_reports_keep_to_their_width(need: Need, width: int, over: str) -> None:
    lines = sweep_report(_RTX_4090, need, over, width).splitlines()
    assert max(map(len, lines[2:])) <= width
    assert all(line.isascii() for line in lines)
