"""What is said of kernels in Python speaks of nothing that only C++ has, and offers nothing that only C++ can take."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.features.actions import actions
from occupancy_lsp.features.hover import hover
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile, View

_SOURCE = """\
import triton


@triton.autotune(configs=[triton.Config({}, num_warps=4), triton.Config({}, num_warps=16)], key=[])
@triton.jit
def tuned(x):
    pass


@triton.jit
def launched(x):
    pass


def run(x):
    launched[(1,)](x, num_warps=2)
"""
_NOTHING = "at least 0 B"
_OF_CPP = ("annotation", "__", "attribute", "ompile ", "ompile,", "size is offered")


@pytest.fixture(params=["h100", "mi300x"])
def view(request: pytest.FixtureRequest) -> View:
    project = Project(None, None, {"devices": [request.param]})
    view = OpenFile(Path("k.py"), "python", Text(_SOURCE.encode()), project).view()
    assert view is not None
    return view


@pytest.mark.parametrize("word", ["tuned", "num_warps=16", "launched(x", "launched["])
def test_words_and_actions(view: View, word: str) -> None:
    at = _SOURCE.index(word) + 1
    told = hover(view, at)
    assert told is not None
    assert [it for it in (_NOTHING, *_OF_CPP) if it in str(told.prose)] == []
    titles = [it.title for it in actions(view, at, at, {})]
    assert [it for it in titles if any(word in it for word in (*_OF_CPP, "size", "bounds"))] == []


def test_the_size_is_what_num_warps_says(view: View) -> None:
    told = hover(view, _SOURCE.index("launched(x"))
    assert told is not None and "fixed by num_warps" in str(told.prose)
