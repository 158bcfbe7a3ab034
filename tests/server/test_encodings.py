"""Columns in each of the three encodings, behind characters that are wide in each of them."""

from __future__ import annotations

import pytest

from .conftest import Start
from .pipe import CAPABILITIES, Server, at, between, edit

URI = "file:///nowhere/wide.cu"
# One to four bytes in UTF-8, one or two units in UTF-16.
WIDE = "/* ä€𝄞 */ "
KERNEL = WIDE + "__global__ void __launch_bounds__(1024, 4) scale(float *x) { x[0] *= 2; }\n"
UNITS = {"utf-8": 1, "utf-16": 2, "utf-32": 4}


def column(text: str, encoding: str) -> int:
    codec = encoding if encoding == "utf-8" else f"{encoding}-le"
    return len(text.encode(codec)) // UNITS[encoding]


@pytest.fixture(params=UNITS)
def encoding(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def wide(start: Start, encoding: str) -> Server:
    server = start()
    result = server.initialize({**CAPABILITIES, "general": {"positionEncodings": [encoding]}})
    assert result["capabilities"]["positionEncoding"] == encoding
    server.open(URI, KERNEL)
    return server


def test_answers_stand_behind_wide_characters(wide: Server, encoding: str) -> None:
    name = column(KERNEL[: KERNEL.index("scale")], encoding)
    hover = wide.ask("textDocument/hover", at(URI, 0, name))
    assert hover["range"] == between((0, name), (0, name + 5))
    blocks = column(KERNEL[: KERNEL.index("4)")], encoding)
    published = wide.next("textDocument/publishDiagnostics")
    assert published["diagnostics"][0]["range"]["start"] == {"line": 0, "character": blocks}
    end = column(KERNEL[:-1], encoding)
    (hint,) = wide.hints(URI)
    assert name < hint["position"]["character"] <= end


def test_edits_between_wide_characters(wide: Server, encoding: str) -> None:
    start = column(WIDE[:4], encoding)
    end = column(WIDE[:5], encoding)
    wide.change(URI, edit((0, start), (0, end), "𝄞𝄞"), edit((0, 0), (0, 0), "/* 𝄞 */\n"))
    text = KERNEL.replace("€", "𝄞𝄞")
    name = column(text[: text.index("scale")], encoding)
    assert wide.ask("textDocument/hover", at(URI, 1, name))["range"] == between((1, name), (1, name + 5))
