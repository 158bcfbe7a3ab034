"""The README's set-ups are those of docs/editors.md, which the other tests use."""

from setups import blocks


def test_the_readme_has_the_set_ups_that_are_tested():
    known = blocks("docs/editors.md")
    stated = [it for it in blocks("README.md") if it[0] in ("lua", "toml", "elisp", "json")]
    assert [language for language, _ in stated] == ["lua", "toml", "toml", "elisp"]
    assert [it for it in stated if it not in known] == []
