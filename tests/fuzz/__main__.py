"""`python -m tests.fuzz KIND [--count N] [--seed N]`: exit status 1 where something was found."""

from __future__ import annotations

import argparse
import sys
from dataclasses import asdict

from tests.fuzz import binaries, edits, messages, sources

# How many inputs are usual; of edits, in bursts of 50.
KINDS = {
    "sources": (sources.run, 50_000),
    "binaries": (binaries.run, 50_000),
    "edits": (edits.run, 400),
    "messages": (messages.run, 20_000),
}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description="Look for input that breaks something.")
    parser.add_argument("kind", choices=["all", *KINDS])
    parser.add_argument("--count", type=int, help="how many inputs")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same inputs")
    options = parser.parse_args()
    found = False
    for kind in KINDS if options.kind == "all" else [options.kind]:
        run, usual = KINDS[kind]
        outcome = run(usual if options.count is None else options.count, options.seed)
        print(f"{kind}, seed {options.seed}")
        for name, value in asdict(outcome).items():
            print(f"  {name}: {len(value) if name == 'faults' else value}")
        print(*outcome.faults, sep="\n", end="\n" if outcome.faults else "", flush=True)
        found = found or bool(outcome.faults)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
