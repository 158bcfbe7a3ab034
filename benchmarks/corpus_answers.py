"""What `occupancy-lsp kernels` proves of a checkout, as the answers that a corpus with compiler truth is scored by.

    python -m benchmarks.corpus_answers CHECKOUT --repo OWNER/NAME [--device gfx90a --device a100] > answers.jsonl

One object per kernel, or per instance of a template where its instances differ; and one per file for its launches.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from typing import Any

Facts = dict[str, Any]
_PADDING = 16  # a compiler may round the sum of all variables up to this


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkout")
    parser.add_argument("--repo", required=True, metavar="OWNER/NAME")
    parser.add_argument("--device", action="append", default=[], help="for each vendor; the corpora are of these two")
    options = parser.parse_args(arguments)
    told: set[tuple[str, int]] = set()  # where launches are told of by the file that has them
    elsewhere: dict[str, dict[str, Facts]] = {}
    for facts in proved(options.checkout, options.device or ["gfx90a", "a100"]):
        path = _path(facts["file"], options.checkout)
        told |= {(path, it["line"]) for it in facts["launches"] if "file" not in it}
        for it in facts["launches"]:
            if "file" in it:
                made = _launch(it)
                elsewhere.setdefault(_path(it["file"], options.checkout), {})[json.dumps(made)] = made
        for answer in answers(facts, options.checkout):
            print(json.dumps({"repo": options.repo, **answer}))
    for path, launches in elsewhere.items():
        left = [it for it in launches.values() if (path, it["line"]) not in told]
        if left:
            print(json.dumps({"repo": options.repo, "path": path, "kernel": "", "line": 0, "launches": left}))
    return 0


def proved(checkout: str, devices: Sequence[str]) -> Iterator[Facts]:
    """The objects that the command prints for a checkout."""
    command = [sys.executable, "-m", "occupancy_lsp", "kernels", checkout, "--format", "jsonl"]
    command += [word for device in devices for word in ("--device", device)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        yield from map(json.loads, process.stdout)


def answers(facts: Facts, checkout: str) -> Iterator[Facts]:
    path = _path(facts["file"], checkout)
    launches = [_launch(it) for it in facts["launches"] if "file" not in it]
    if launches:
        yield {"path": path, "kernel": "", "line": 0, "launches": launches}
    if facts["name"] is None:
        return
    kernel = {"path": path, "kernel": facts["name"], "line": facts["line"]}
    whole = _figures(facts)
    unknown = {name for name, value in whole.items() if value is None}
    each = [(it["arguments"], _figures(it)) for it in facts["instances"]]
    # A template's instances are told apart only where one answer does not hold for all of them, and where their
    # arguments are spelled as a demangler does: a function's would have its type.
    told_apart = not any("&" in arguments for arguments, _ in each)
    if not unknown or not told_apart or not any(own[name] is not None for _, own in each for name in unknown):
        yield {**kernel, **whole}
        return
    for arguments, own in each:
        yield {
            **kernel,
            "targs": arguments,
            **{name: own[name] if whole[name] is None else whole[name] for name in own},
        }


def _path(file: str, checkout: str) -> str:
    return os.path.relpath(file, checkout).replace(os.sep, "/")


def _figures(facts: Facts) -> Facts:
    shared = facts["shared"]
    low, high = shared["lowest"], shared["highest"]
    known = high is not None and -(-low // _PADDING) == -(-high // _PADDING) and not facts["calls_unseen"]
    bounds, size = facts["bounds"], facts["block_size"]
    least = bounds["min_blocks"] if bounds else None
    return {
        "static_shared_bytes": low if known else None,
        "max_threads_per_block": size["value"] if size else bounds["max_threads"]["value"] if bounds else 0,
        "min_blocks": least["value"] if least else 0,
    }


def _launch(launch: Facts) -> Facts:
    block = launch["block"]["dimensions"]
    return {"line": launch["line"], "kernel": launch["kernel"], "block": None if None in block else block}


if __name__ == "__main__":
    sys.exit(main())
