"""What two versions of a text share."""

import random

from occupancy_lsp.core.sequences import shared_bytes


def test_shared_bytes_are_those_that_are_counted_one_by_one() -> None:
    rng = random.Random(24)
    for _ in range(3000):
        was, now = (bytes(rng.choices(b"ab", k=rng.randrange(9))) for _ in range(2))
        most = min(len(was), len(now))
        head = next((i for i in range(most) if was[i] != now[i]), most)
        tail = next((i for i in range(most - head) if was[-1 - i] != now[-1 - i]), most - head)
        assert shared_bytes(was, now) == (head, tail), (was, now)
