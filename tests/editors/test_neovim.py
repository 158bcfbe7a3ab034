"""Neovim's own language client, read from the screen it draws."""

import json

INIT = """
vim.diagnostic.config({{ virtual_text = true }})
vim.lsp.config.occupancy = {{
  cmd = vim.json.decode([=[{command}]=]),
  filetypes = {{ 'cuda' }},
  root_dir = [=[{root}]=],
}}
vim.lsp.enable('occupancy')
vim.lsp.inlay_hint.enable(true)
"""


def test_neovim(editors, server, workspace, tmp_path, screenshots):
    from terminal import Terminal

    init = tmp_path / "init.lua"
    init.write_text(INIT.format(command=json.dumps([*server, "serve", "--stdio"]), root=workspace))
    source = workspace / "kernels.cu"
    neovim = [editors / "neovim" / "bin" / "nvim", "--clean", "-n", "-i", "NONE", "-u", init, source]
    with Terminal(neovim, workspace, {"XDG_STATE_HOME": str(tmp_path)}) as screen:
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
    assert "__launch_bounds__(256, 6) blur" in source.read_text()
