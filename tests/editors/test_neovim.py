"""Neovim's own language client, set up as documented and read from the screen it draws."""

import re

from setups import HINTS, PYTHON_HINTS, setup

MORE = "vim.diagnostic.config({ virtual_text = true })"


def test_neovim(editors, home, workspace, tmp_path, screenshots):
    from terminal import Terminal

    init = tmp_path / "init.lua"
    init.write_text(setup("Neovim", "lua")[0] + MORE)
    source = workspace / "kernels.cu"
    neovim = [editors / "neovim" / "bin" / "nvim", "--clean", "-n", "-i", "NONE", "-u", init, source]
    with Terminal(neovim, workspace, home) as screen:
        screen.wait(r"float \*out\) +75% at 256 · 6 blk/SM · smem")
        screen.wait(r"float \*y\) +75% at 256 · 6 blk/SM · regs")
        text = screen.wait(r"■.*shared memory")
        (screenshots / "neovim-open.txt").write_text(text)

        screen.type("2G", "/blur\r", "K")
        text = screen.wait(r"limit.*needs.*allows")
        (screenshots / "neovim-hover.txt").write_text(text)

        screen.type("2G0", "f8", "gra")
        text = screen.wait(r"Set minBlocks to 6")
        (screenshots / "neovim-actions.txt").write_text(text)
        screen.type("1\r")
        screen.wait(r"__launch_bounds__\(256, 6\) blur")
        screen.wait("■", gone=True)

        screen.type("10G$h", "R32", "\x1b")
        screen.wait(r"float \*y\) +100% at 256 · 8 blk/SM")
        screen.type(":w\r")
        screen.wait(" written")

        screen.type("2G", "/saxpy\r", "gra")
        number = re.search(r"(\d+): Show charts", screen.wait("Show charts"))
        screen.type(f"{number[1]}\r")
        text = screen.wait(r"(?s)saxpy: 100%.*Registers per thread +32 +stated.*\n▄█+\[█\].*\[RO\]")
        (screenshots / "neovim-panel.txt").write_text(text)

        for file, hint in (HINTS | PYTHON_HINTS).items():
            screen.type(f":e {file}\r")
            (screenshots / f"neovim-{file}.txt").write_text(screen.wait(hint))
    assert "__launch_bounds__(256, 6) blur" in source.read_text()
