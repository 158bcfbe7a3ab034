"""Emacs with eglot, set up as documented: positions in UTF-32, texts without Markdown."""

from setups import HINTS, setup

QUIET = "(setq inhibit-startup-screen t make-backup-files nil flymake-show-diagnostics-at-end-of-line t)"


def test_emacs(editors, home, workspace, tmp_path, screenshots):
    from terminal import Terminal

    init = tmp_path / "init.el"
    init.write_text(setup("Emacs", "elisp")[0] + QUIET)
    source = workspace / "kernels.cu"
    with Terminal(["emacs", "-nw", "-Q", "-l", init, source], workspace, home) as screen:
        screen.wait(r"float \*out\) +75% at 256 · 6 blk/SM · smem")
        screen.wait(r"float \*y\) +75% at 256 · 6 blk/SM · regs")
        text = screen.wait(r"blk/SM.*needlessly caps registers")
        (screenshots / "emacs-open.txt").write_text(text)

        screen.type("\x13 8\r", "\x02", "\x1bxeglot-code-actions\r")
        (screenshots / "emacs-actions.txt").write_text(screen.wait(r"Pick an action \(default Set minBlocks to 6"))
        screen.type("\r")
        screen.wait(r"__launch_bounds__\(256, 6\) blur")
        screen.wait("needlessly caps", gone=True)

        screen.type("\x1340\r", "\x7f\x7f32")
        screen.wait(r"float \*y\) +100% at 256 · 8 blk/SM")
        screen.type("\x18\x13")
        screen.wait("Wrote ")

        screen.type("\x13saxpy\r", "\x02")
        (screenshots / "emacs-hover.txt").write_text(screen.wait(r"\nsaxpy: 100%"))
        screen.type("\x1bxeglot-code-actions\r")
        screen.wait("Pick an action")
        screen.type("Show charts\t", "\r")
        text = screen.wait(r"(?s)saxpy: 100%.*Registers per thread +32 +stated.*▄█+\[█\].*%%")
        (screenshots / "emacs-panel.txt").write_text(text)

        screen.type("\x181")
        for file, hint in HINTS.items():
            screen.type("\x18\x06", "\x01\x0b", f"{workspace / file}\r")
            (screenshots / f"emacs-{file}.txt").write_text(screen.wait(hint))
    assert "__launch_bounds__(256, 6) blur" in source.read_text()
