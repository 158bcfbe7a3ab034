"""Which diagnostics stay while somebody types."""

from occupancy_lsp.features.answers import Diagnostic
from occupancy_lsp.server.publisher import persisting


def found(*items: str) -> list[Diagnostic]:
    return [Diagnostic(i, i + 1, "error", item.split()[0], item) for i, item in enumerate(items)]


def words(items: list[Diagnostic]) -> list[str]:
    return [d.message for d in items]


def test_new_ones_wait() -> None:
    assert words(persisting(found("OCC001 a", "OCC002 b"), found("OCC001 a"))) == ["OCC001 a"]


def test_what_is_gone_goes() -> None:
    assert persisting(found(), found("OCC001 a")) == []


def test_one_whose_words_change_stays() -> None:
    assert words(persisting(found("OCC003 65536 > 100"), found("OCC003 6553 > 100"))) == ["OCC003 65536 > 100"]


def test_the_same_words_come_before_the_same_code() -> None:
    assert words(persisting(found("OCC001 new", "OCC001 old"), found("OCC001 old"))) == ["OCC001 old"]
