"""What is text stays text in Markdown: judged by a Markdown reader that others made."""

from __future__ import annotations

from base64 import b64decode

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from occupancy_lsp.core.visible import visible
from occupancy_lsp.features.markdown import Reader, markdown
from occupancy_lsp.features.plain import plain
from occupancy_lsp.features.prose import Bold, Code, Picture, Table, bullets, prose
from tests.hostile_texts import MARK, foreign, obeyed, rendered

_SINGLE = "\\`*_{}[]()#+-.!<>&|~@:/$=^\"' a1é\t\n\r\x1b\u202e\u200b\u00a0\ud800"
_LONGER = ["www.", "http://e.example", "a@b.example", "command:x", "&lt;", "&#60;", "<b>", "<!--", "](", "!["]
_STARTS = ["1. ", "- ", "---", "===", "```", "    ", "|-|", "**", "__", "\\\n"]
_PIECES = st.sampled_from([*_SINGLE, *_LONGER, *_STARTS])
TEXTS = st.lists(_PIECES, max_size=12).map("".join) | st.text(max_size=20)


def shown(tokens: list[Token]) -> list[tuple[str, str]]:
    """Every piece of text that a reader sees, with the innermost format around it."""
    found = []
    for token in tokens:
        form = ""
        for child in token.children or ():
            if child.type == "strong_open":
                form = "bold"
            elif child.type == "strong_close":
                form = ""
            else:
                found.append(("code" if child.type == "code_inline" else form, child.content))
    return found


def joined(tokens: list[Token], form: str = "") -> str:
    return "".join(text for its, text in shown(tokens) if its == form)


def blocks(tokens: list[Token]) -> list[str]:
    return [it.type for it in tokens]


@given(TEXTS)
@example(" * ")  # alone, it would begin a list
def test_a_paragraph_says_the_text_and_nothing_else(text: str) -> None:
    tokens = rendered(markdown(prose(text)))
    expected = visible(text).strip()
    assert blocks(tokens) == (["paragraph_open", "inline", "paragraph_close"] if expected else [])
    assert not list(foreign(markdown(prose(text))))
    assert joined(tokens) == expected


@given(TEXTS, TEXTS, TEXTS)
def test_format_is_what_was_asked_for(first: str, bold: str, code: str) -> None:
    source = markdown(prose(("a ", Bold(bold), " b ", first, " c ", Code(code), " d")))
    assert not list(foreign(source))
    tokens = rendered(source)
    assert blocks(tokens) == ["paragraph_open", "inline", "paragraph_close"]
    if bold.strip():
        assert joined(tokens, "bold") == visible(bold.strip())
    if visible(code).strip(" "):
        assert joined(tokens, "code") == visible(code)


@given(TEXTS, TEXTS)
def test_lists_and_tables_keep_their_shape(text: str, other: str) -> None:
    listed = rendered(markdown(prose(bullets([f"x{text}", f"y{other}"]))))
    assert blocks(listed).count("list_item_open") == 2
    assert "bullet_list_open" in blocks(listed)[:1]
    assert [it for _, it in shown(listed) if it] and joined(
        listed
    ) == f"x{visible(text)}".strip() + f"y{visible(other)}".strip()
    source = markdown(prose(Table(("a", "b"), ((f"x{text}", Bold(other)), (other, "end")))))
    assert not list(foreign(source))
    assert blocks(rendered(source)).count("td_open") == 4


@given(TEXTS)
@example("a\u1680b\u2003c")  # spaces that are neither plain nor harmless
def test_no_text_is_obeyed_anywhere(text: str) -> None:
    line = prose((text, Bold(text), Code(text)), bullets([text]), Table((text,), ((text,),)))
    for found in (markdown(line), plain(line), visible(text)):
        assert not obeyed(found)
    assert visible(visible(text)) == visible(text)


@pytest.mark.parametrize(
    "text", ["my_kernel", "a < b", "x * y", "50% → 75%", "k<<<1, 2>>> of 3", "+1 register", "a & b"]
)
def test_what_means_nothing_is_not_escaped(text: str) -> None:
    """It is shown as it is written by some."""
    assert markdown(prose(text)) == text


def test_the_sample_has_what_it_is_for() -> None:
    """The reader finds it all in the bare text: else these tests would prove nothing."""
    found = " ".join(foreign(MARK + " https://e.example"))
    assert all(it in found for it in ("link_open", "image", "html_inline", "em_open", "s_open", "https://e.example"))


def test_a_picture_is_shown_by_those_who_can() -> None:
    """Others read the same in a line."""
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><title>a](b</title></svg>'
    block = prose(Picture(svg, "1 to 64 threads: ▂[█]▆"))
    reader = MarkdownIt("commonmark")
    reader.validateLink = lambda url: True  # this reader's own refuses SVG; editors have theirs
    (image,) = (
        it for it in reader.parse(markdown(block, Reader(pictures=True)))[1].children or () if it.type == "image"
    )
    scheme, _, data = str(image.attrs["src"]).partition(",")
    assert (scheme, b64decode(data).decode()) == ("data:image/svg+xml;base64", svg)
    assert "".join(it.content for it in image.children or ()) == "1 to 64 threads: ▂[█]▆"
    assert shown(rendered(markdown(block))) == [("code", "1 to 64 threads: ▂[█]▆")]
    assert plain(block) == "1 to 64 threads: ▂[█]▆"
