"""What is read from capabilities."""

import pytest

from occupancy_lsp.server.client import Client


@pytest.mark.parametrize(
    ("offered", "agreed"),
    [
        (["utf-8", "utf-16", "utf-32"], "utf-8"),
        (["utf-32", "utf-8", "utf-16"], "utf-8"),
        (["utf-32", "utf-16"], "utf-16"),
        (["utf-32"], "utf-32"),
        (["utf-7"], "utf-16"),
        (None, "utf-16"),
        ("utf-8", "utf-16"),
    ],
)
def test_encoding(offered: object, agreed: str) -> None:
    assert Client.of({"general": {"positionEncodings": offered}}).encoding == agreed


@pytest.mark.parametrize("capabilities", [None, [], {}, {"textDocument": None, "workspace": 3}])
def test_a_client_that_says_nothing(capabilities: object) -> None:
    assert Client.of(capabilities) == Client()


def test_diagnostics_are_pulled_only_by_clients_that_can_be_told_to() -> None:
    pull = {"textDocument": {"diagnostic": {}}}
    assert not Client.of(pull).pulls_diagnostics
    assert Client.of({**pull, "workspace": {"diagnostics": {"refreshSupport": True}}}).pulls_diagnostics


def test_edits_are_resolved_only_if_data_comes_back() -> None:
    action = {"resolveSupport": {"properties": ["edit"]}}
    assert not Client.of({"textDocument": {"codeAction": action}}).resolves_edits
    assert Client.of({"textDocument": {"codeAction": {**action, "dataSupport": True}}}).resolves_edits
