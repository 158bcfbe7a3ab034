"""`python -m tests.fuzz KIND [--count N] [--seed N]`: exit status 1 where something was found."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict

from tests.fuzz import messages

KINDS = {"messages": (messages.run, 20_000)}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Look for input that breaks something.")
    parser.add_argument("kind", choices=[*KINDS])
    parser.add_argument("--count", type=int, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same inputs")
    options = parser.parse_args()
    run, usual = KINDS[options.kind]
    outcome = run(options.count or usual, options.seed)
    for name, value in asdict(outcome).items():
        print(f"{name}: {value}")
    return 1 if outcome.faults else 0


if __name__ == "__main__":
    sys.exit(main())
