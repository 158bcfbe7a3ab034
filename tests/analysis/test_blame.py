"""How much local memory the best figure leaves room for."""

from __future__ import annotations

import pytest

from occupancy_lsp.analysis.blame import memory_budget
from occupancy_lsp.analysis.report import Figure
from occupancy_lsp.core.query import forget_remembered
from occupancy_lsp.model.architecture import Architecture
from occupancy_lsp.model.cliffs import largest_local
from occupancy_lsp.model.occupancy import Need, Occupancy
from occupancy_lsp.vendors.nvidia import rule
from tests.presets import CATALOGUE

_H100 = next(it.arch for it in CATALOGUE.all() if it.id == "h100")


def _taking(local: int, size: int = 512) -> Figure:
    need = Need(group_size=size, registers=32, static_local=local)
    found = _H100.occupancy(need)
    return Figure(found, found, need, need, "")


@pytest.mark.parametrize("local", [0, 4096, 100_000])
def test_the_budget_is_the_most_with_which_as_many_groups_fit(local: int) -> None:
    figure = _taking(local)
    most = memory_budget(_H100, figure)
    assert most == largest_local(_H100, figure.least, figure.highest.groups)
    assert most is not None
    assert _taking(most).highest.groups == figure.highest.groups > _taking(most + 1).highest.groups


def test_it_is_looked_for_once_whatever_a_kernel_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a template each instance takes other bytes, and at each key all of them are asked about."""
    figures = [_taking(local) for local in (0, 1024, 4096, 8192)]
    assert len({it.highest.groups for it in figures}) == 1
    tried: list[Need] = []
    really = rule.occupancy

    def counting(arch: Architecture, need: Need) -> Occupancy:
        tried.append(need)
        return really(arch, need)  # type: ignore[arg-type]

    monkeypatch.setattr(rule, "occupancy", counting)
    forget_remembered()
    memory_budget(_H100, figures[0])
    first = len(tried)
    for it in figures[1:]:
        memory_budget(_H100, it)
    assert len(tried) == first + len(figures) - 1
