"""A session of edits on a file whose kernels were compiled: after each, whether the counts still speak of the text."""

from __future__ import annotations

import os
import time
from pathlib import Path

from tests.builds.test_results import log

from .conftest import Start
from .pipe import Server
from .test_other_files import begun, labels, opened, refreshed_to
from .test_workspace import changed

TEXT = """\
#include "sizes.h"
#define STEP 2
static const int TWICE = 2 * STEP;
__device__ float callee(float x) { return x * TWICE; }
__device__ float other(float x) { return x + 1; }
__global__ void __launch_bounds__(256) scale(float *p) { p[0] = callee(p[1]); }
__global__ void __launch_bounds__(256) shift(float *p) { p[0] = other(p[1]); }
"""
FRESH, STALE = "50% at 256 · 4 blk/SM · regs", "50%? at 256 · stale"
# What is edited in the text so far, and which of `scale` and `shift` is stale after it.
SESSION = [
    ("a comment", "p[1]); }", "p[1]); /* see above */ }", (False, False)),
    ("space", "x * TWICE", "x  *   TWICE", (False, False)),
    ("a line above", "#define", "// steps\n#define", (False, False)),
    ("a name in another function", "other(float x) { return x +", "other(float y) { return y +", (False, True)),
    ("back again", "other(float y) { return y +", "other(float x) { return x +", (False, False)),
    ("the kernel", "p[0] = callee", "p[2] = callee", (True, False)),
    ("back again", "p[2] = callee", "p[0] = callee", (False, False)),
    ("a callee", "x  *", "x  /", (True, False)),
    ("back again", "x  /", "x  *", (False, False)),
    ("a constant that a callee uses, through another", "STEP 2", "STEP 3", (True, False)),
    ("back again", "STEP 3", "STEP 2", (False, False)),
    ("one that nothing closes", "__device__ float callee", "#if STEP > 1\n__device__ float callee", (False, False)),
    ("a condition around it", "other(p[1]); }\n", "other(p[1]); }\n#endif\n", (True, True)),
]  # fmt: skip


def stale(server: Server, uri: str) -> tuple[bool, ...]:
    found = labels(server, uri)
    assert set(found) <= {FRESH, STALE} and len(found) == 2, found
    return tuple(label == STALE for label in found)


def built(root: Path) -> Path:
    """The sources, and after them what ptxas printed of them."""
    (root / "sizes.h").write_text("#pragma once\n")
    (root / "scale.cu").write_text(TEXT)
    (root / "build").mkdir()
    (root / "build" / "ptxas.log").write_text(log("_Z5scalePf", 64) + log("_Z5shiftPf", 64))
    return root


def test_a_session_of_edits(start: Start, tmp_path: Path) -> None:
    root = built(tmp_path)
    server = begun(start, root)
    uri = opened(server, root / "scale.cu")
    refreshed_to(server, uri, FRESH)
    text = TEXT
    for version, (what, old, new, expected) in enumerate(SESSION, 2):
        assert text.count(old) >= 1, what
        text = text.replace(old, new, 1)
        server.change(uri, {"text": text}, version=version)
        assert stale(server, uri) == expected, what
    assert server.leave() == 0


def test_a_new_build_makes_it_fresh_and_a_changed_header_unsure(start: Start, tmp_path: Path) -> None:
    root = built(tmp_path)
    server = begun(start, root)
    uri = opened(server, root / "scale.cu")
    refreshed_to(server, uri, FRESH)
    later = time.time() + 5
    (root / "sizes.h").write_text("#pragma once\n#define X 1\n")
    os.utime(root / "sizes.h", (later, later))
    changed(server, root / "sizes.h")
    refreshed_to(server, uri, STALE)
    os.utime(root / "build" / "ptxas.log", (later + 1, later + 1))
    changed(server, root / "build" / "ptxas.log")
    refreshed_to(server, uri, FRESH)
    assert server.leave() == 0


def test_the_next_session_knows_what_was_compiled(start: Start, tmp_path: Path) -> None:
    root = built(tmp_path)
    server = begun(start, root)
    refreshed_to(server, opened(server, root / "scale.cu"), FRESH)
    assert server.leave() == 0
    later = time.time() + 5
    for text, expected in (
        ("// scales\n" + TEXT, (False, False)),
        (TEXT.replace("p[0] = callee", "p[2] = callee"), (True, False)),
    ):
        (root / "scale.cu").write_text(text)
        os.utime(root / "scale.cu", (later, later))  # saved after the build, with nobody looking
        server = begun(start, root)
        uri = opened(server, root / "scale.cu")
        refreshed_to(server, uri, FRESH)
        assert stale(server, uri) == expected
        assert server.leave() == 0
