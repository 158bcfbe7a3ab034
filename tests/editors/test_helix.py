"""Helix, set up as documented: positions in UTF-8, pushed diagnostics, no refresh of hints."""

from setups import HINTS, PYTHON_HINTS, setup

# Helix keeps hints of before an edit where their answer comes after it: it asks, and has its answer, between two keys.
MORE = """
[editor]
idle-timeout = 50
end-of-line-diagnostics = "hint"
[editor.inline-diagnostics]
cursor-line = "disable"
"""


def test_helix(editors, home, workspace, tmp_path, screenshots):
    from terminal import Terminal

    languages, config = setup("Helix", "toml")
    folder = tmp_path / "config" / "helix"
    folder.mkdir(parents=True)
    (folder / "languages.toml").write_text(languages)
    (folder / "config.toml").write_text(config + MORE)
    source = workspace / "kernels.cu"
    with Terminal([editors / "helix" / "hx", source], workspace, home) as screen:
        screen.wait("shared memory fits 6")
        screen.type("j", "k")  # with so short a rest it may have asked before there was a server
        screen.wait(r"float \*out\) *75% at 256 · 6 blk/SM · smem")
        screen.wait(r"float \*y\) *75% at 256 · 6 blk/SM · regs")
        text = screen.wait(r"blk/SM.*shared memory")
        (screenshots / "helix-open.txt").write_text(text)

        screen.type("/blur\\(\r", " k")
        text = screen.wait(r"limit.*needs.*allows")
        (screenshots / "helix-hover.txt").write_text(text)
        screen.type("\x1b")

        screen.type("gg", "/ 8\r", " a")
        text = screen.wait(r"Set minBlocks to 6")
        (screenshots / "helix-actions.txt").write_text(text)
        screen.type("\r")
        screen.wait(r"__launch_bounds__\(256, 6\) blur")
        screen.wait(r"blk/SM.*shared memory", gone=True)

        screen.type("/40\r", "c", "32", "\x1b")
        screen.wait(r"float \*y\) *100% at 256 · 8 blk/SM")
        screen.type(":w\r")
        screen.wait(" written")

        screen.type("/saxpy\r", " a")
        offered = screen.wait("Show charts").splitlines()
        first, wanted = (next(at for at, it in enumerate(offered) if title in it) for title in ("State the", "Show ch"))
        screen.type(*["\t"] * (wanted - first), "\r")
        text = screen.wait(r"(?s)saxpy: 100%.*Registers per thread +32 +stated.*▄█+\[█\]")
        (screenshots / "helix-panel.txt").write_text(text)

        for file, hint in (HINTS | PYTHON_HINTS).items():
            screen.type(f":o {file}\r")
            (screenshots / f"helix-{file}.txt").write_text(screen.wait(hint))
    assert "__launch_bounds__(256, 6) blur" in source.read_text()
