"""`python -m benchmarks --real CHECKOUT…`: keys in production files, beside one bare parse of the same file.

Processor time of this process, without a protocol: one edit, then all hints and diagnostics of the file. The folder's
other files are read first, as the server does.
"""

from __future__ import annotations

import gc
import json
import random
import re
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory

import tree_sitter_cuda
from tree_sitter import Language, Parser

from benchmarks.client import environment
from benchmarks.figures import Table, at_least, at_most, ms, percentile
from benchmarks.generate import for_clangd
from benchmarks.servers import Server, clangd
from benchmarks.session import Session, started
from benchmarks.starts import starts
from occupancy_lsp.core.text import Text
from occupancy_lsp.features.diagnostics import diagnostics
from occupancy_lsp.features.hints import hints
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

_KNOWN = (
    "cpp/src/io/parquet/page_enc.cu",  # cudf
    "cpp/src/io/orc/stripe_enc.cu",
    "examples/93_blackwell_low_latency_gqa/tgv_gqa.cuh",  # cutlass
    "src/segsort-cuda/src/bb_comput_s.cuh",  # HeCBench
    "src/fastertransformer/kernels/layernorm_kernels.cu",  # FasterTransformer
    "csrc/layernorm_kernels.cu",  # vllm
    "csrc/quantization/gptq/q_gemm.cu",
    "ggml/src/ggml-cuda/fattn-vec.cuh",  # llama.cpp
    "aten/src/ATen/native/cuda/layer_norm_kernel.cu",  # pytorch
    "dev/cuda/layernorm_forward.cu",  # llm.c
    "dev/cuda/attention_forward.cu",
    "fbgemm_gpu/src/quantize_ops/quantize_fp8_rowwise.cu",  # FBGEMM
    "csrc/layer_norm_cuda_kernel.cu",  # apex
    "cpp/include/raft/matrix/detail/select_radix.cuh",  # raft
    "faiss/gpu/impl/PQScanMultiPassPrecomputed.cu",  # faiss
)
_LARGEST = 3  # of a checkout with none of those
_TYPED = b"\nint q=1;"  # a line of its own, behind a statement
_SEED = 3
_CHECK = (sys.executable, "-m", "occupancy_lsp", "check", "--format", "json", "--jobs", "1", "--fail-on", "never")
_ENDS = re.compile(rb";(?=\r?\n)")


@dataclass(slots=True)
class Seen:
    """Processor seconds: of one parse, and of each key."""

    parse: float
    keys: list[float] = field(default_factory=list)
    opened: list[float] = field(default_factory=list)  # keys behind `for (`
    braces: list[float] = field(default_factory=list)  # that open or close what nothing closes or opened
    clangd: float | None = None


def real(checkouts: Sequence[Path], quick: bool) -> Iterator[Table]:
    other = clangd()
    gc.set_threshold(20_000, 100, 100)  # as the server does
    for root in checkouts:
        project = Project(root)
        project.read_sources(lambda: False, lambda done, of: None)
        gc.freeze()  # as the server does with what it has read
        for path in _files(root):
            seen = _type(project, path, 4 if quick else 12)
            seen.clangd = _with(other, root, path) if other else None
            yield _table(root, path, seen)
            yield from starts(root, path)
        yield _check(root)
    if other is None:
        yield Table("no clangd on PATH: nothing to compare with", (), ())


def _files(root: Path) -> Sequence[Path]:
    known = [root / name for name in _KNOWN if (root / name).is_file()]
    if known:
        return known
    sources = (it for it in root.rglob("*.cu*") if it.suffix in (".cu", ".cuh") and it.is_file())
    with_kernels = (it for it in sources if b"__global__" in it.read_bytes())
    return sorted(with_kernels, key=lambda it: -it.stat().st_size)[:_LARGEST]


def _type(project: Project, path: Path, places: int) -> Seen:
    data = path.read_bytes()
    parser = Parser(Language(tree_sitter_cuda.language()))
    seen = Seen(min(_cpu(lambda: parser.parse(data)) for _ in range(5)))
    document = OpenFile(path, "", Text(data), project)

    def look() -> None:
        view = document.view()
        if view is not None:
            hints(view, 0, len(document.text.content))
            diagnostics(view)

    def key(at: int, text: bytes) -> float:
        def typed() -> None:
            document.edit(at, at, text)
            look()

        return _cpu(typed)

    def away(at: int, end: int) -> None:
        document.edit(at, end, b"")
        look()

    look()
    project.work(lambda: False)
    look()
    ends = [it.end() for it in _ENDS.finditer(data)]
    rng = random.Random(_SEED)
    for at in (rng.choice(ends) for _ in range(places)):
        seen.keys += [key(at + i, _TYPED[i : i + 1]) for i in range(len(_TYPED))]
        away(at, at + len(_TYPED))
        before = b"\nfor ("
        key(at, before)
        seen.opened += [key(at + len(before) + i, it) for i, it in enumerate((b"i", b"n", b"t"))]
        away(at, at + len(before) + 3)
        for brace in (b"{", b"}"):
            seen.braces.append(key(at, brace))
            away(at, at + 1)
    return seen


def _cpu(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def _with(server: Server, root: Path, path: Path) -> float | None:
    """Processor time per key of another server; None: it does not answer for this file.

    It has no toolkit's headers, only a stub: with them it has more to do.
    """
    with TemporaryDirectory() as folder:
        for_clangd(Path(folder))
        stubbed = replace(server, command=(*server.command, f"--compile-commands-dir={folder}"))
        return _key(stubbed, root, path)


def _key(server: Server, root: Path, path: Path) -> float | None:
    data = path.read_bytes()
    at = random.Random(_SEED).choice([it.end() for it in _ENDS.finditer(data)])
    line = data.count(b"\n", 0, at) + 1
    with started(server, root) as client:
        client.initialize()
        try:
            session = Session(client, path)
            session.settle()
            before = client.cpu()
            session.edit((line, 0), (line, 0), "\n")
            session.ask(line)
            for column, text in enumerate(_TYPED.decode().strip()):
                session.edit((line, column), (line, column), text)
                session.ask(line)
        except (TimeoutError, UnicodeDecodeError, RuntimeError):
            return None
        return (client.cpu() - before) / len(_TYPED)


def _table(root: Path, path: Path, seen: Seen) -> Table:
    p50, p95 = percentile(seen.keys, 0.5), percentile(seen.keys, 0.95)
    opened, brace = percentile(seen.opened, 0.5), percentile(seen.braces, 0.5)
    other = ms(seen.clangd) if seen.clangd is not None else "–"
    return Table(
        f"{root.name}: {path.relative_to(root)}",
        ("bare parse", "key p50", "p95", "beside a parse", "`for (` open", "a lone brace", "clangd's key"),
        (("CPU", ms(seen.parse), ms(p50), ms(p95), f"{p50 / seen.parse:.2f}×", ms(opened), ms(brace), other),),
        (
            at_most("p50 of a key beside a bare parse", p50 / seen.parse, 0.5, "×"),
            at_most("p95", p95 / seen.parse, 1.5, "×"),
            at_most("`for (` open beside a key", opened / p50, 3, "×"),
            at_most("a lone brace beside a key", brace / p50, 3, "×"),
        ),
    )


def _check(root: Path) -> Table:
    """A whole `check` in one process: with nothing kept from before, and once more."""
    lines = 0
    spent: list[float] = []
    with TemporaryDirectory() as caches:
        for _ in range(2):
            began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
            said = subprocess.run(
                (*_CHECK, str(root)), env=environment(Path(caches)), stdout=subprocess.PIPE, check=True
            )
            spent.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began)
            files = [it["path"] for it in json.loads(said.stdout)["files"] if not it["skipped"]]
            lines = sum(Path(it).read_bytes().count(b"\n") for it in files)
    rows = [
        (name, f"{lines:,}", f"{seconds:.1f} s", f"{lines / seconds:,.0f}")
        for name, seconds in zip(("nothing kept", "once more"), spent, strict=True)
    ]
    return Table(
        f"{root.name}: check --jobs 1",
        ("lines of kernel files", "CPU", "lines a second"),
        tuple(rows),
        (at_least("lines a second", lines / spent[0], 10_000, ""),),
    )
