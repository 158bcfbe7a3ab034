"""Helix: positions in UTF-8, pushed diagnostics, no refresh of hints."""

import json

CONFIG = """
[editor]
end-of-line-diagnostics = "hint"
idle-timeout = 50
[editor.inline-diagnostics]
cursor-line = "disable"
[editor.lsp]
display-inlay-hints = true
"""

LANGUAGES = """
[language-server.occupancy]
command = {command}
args = {arguments}
[[language]]
name = "cuda"
scope = "source.cuda"
file-types = ["cu"]
language-servers = ["occupancy"]
"""


def test_helix(editors, server, workspace, tmp_path, screenshots):
    from terminal import Terminal

    config = tmp_path / "helix"
    config.mkdir()
    command, *arguments = [*server, "serve", "--stdio"]
    (config / "config.toml").write_text(CONFIG)
    (config / "languages.toml").write_text(
        LANGUAGES.format(command=json.dumps(command), arguments=json.dumps(arguments))
    )
    env = {"XDG_CONFIG_HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path)}
    source = workspace / "kernels.cu"
    with Terminal([editors / "helix" / "hx", source], workspace, env) as screen:
        screen.wait("shared memory fits 6")
        screen.type("j", "k")  # Helix asks for hints when it comes to rest, and may have rested too early
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
    assert "__launch_bounds__(256, 6) blur" in source.read_text()
