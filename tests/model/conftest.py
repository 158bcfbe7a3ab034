"""What the truth tests held against whom, for docs/validation.md (`make validation`)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

Validated = Callable[..., None]
_BEGIN, _END = "<!-- validated -->", "<!-- /validated -->"
_collected: list[tuple[str, str, int, str]] = []


@pytest.fixture
def validated() -> Iterator[Validated]:
    """Call with vendor, oracle, rows that are exact, and why others do not apply. Noted only if the test passes."""
    noted: list[tuple[str, str, int, str]] = []

    def note(vendor: str, oracle: str, exact: int, left_out: str = "–") -> None:
        noted.append((vendor, oracle, exact, left_out))

    yield note
    _collected.extend(noted)


@pytest.hookimpl
def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    path = os.environ.get("OCCUPANCY_VALIDATION")
    if path and exitstatus == 0:
        text = Path(path).read_text(encoding="utf-8")
        head, _, rest = text.partition(_BEGIN)
        _, _, tail = rest.partition(_END)
        Path(path).write_text(f"{head}{_BEGIN}\n{_table()}\n{_END}{tail}", encoding="utf-8")


def _table() -> str:
    rows = [f"| {vendor} | {oracle} | {exact:,} | 0 | {left} |" for vendor, oracle, exact, left in _collected]
    total = sum(exact for _, _, exact, _ in _collected)
    head = ["| vendor | oracle | cases | mismatches | rows that do not apply |", "|---|---|---|---|---|"]
    return "\n".join([*head, *rows, f"| | **all** | **{total:,}** | **0** | |"])
