"""`kernels`: what the source proves of each kernel, and of what is not known why and where."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator

from occupancy_lsp.commands.sources import SourceFile, sources
from occupancy_lsp.problem import Problem
from occupancy_lsp.report.kernel_facts import Facts, kernel_facts
from occupancy_lsp.report.kernel_text import kernel_text
from occupancy_lsp.view import MAX_BYTES


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a CUDA source, or a folder to look through")
    parser.add_argument("--format", choices=("text", "jsonl"), default="text", help="jsonl: an object per kernel")


def run(options: argparse.Namespace) -> int:
    status = 0
    for found in sources(options.paths):
        if isinstance(found, Problem):
            print(found, file=sys.stderr)
            status = 2
            continue
        for facts in _kernels(found):
            print(json.dumps(facts) if options.format == "jsonl" else kernel_text(facts))
    return status


def _kernels(source: SourceFile) -> Iterator[Facts]:
    if len(source.content) > MAX_BYTES:
        print(f"{source.shown}: not read: larger than 2 MB", file=sys.stderr)
        return
    yield from kernel_facts(source.shown, source.content)
