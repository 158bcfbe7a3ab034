"""A few of the malformed messages of `python -m tests.fuzz messages`."""

from tests.fuzz.messages import run


def test_the_server_goes_on_after_each_message() -> None:
    outcome = run(count=200, seed=1)
    assert not outcome.faults
    assert outcome.messages == 200
