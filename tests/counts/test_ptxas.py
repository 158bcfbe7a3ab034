"""The text of ptxas, NVRTC and nvlink, from 11.8 to 13.5: every row of every log, and damaged or mixed logs."""

from __future__ import annotations

import random

import pytest

from occupancy_lsp.counts.formats import ptxas
from occupancy_lsp.counts.formats.nvidia_link import UNLINKED
from occupancy_lsp.counts.usage import Usage
from tests.counts.nvidia_samples import named, samples
from tests.counts.support import expected, logs
from tests.support import seconds

KERNEL = """\
ptxas info    : Compiling entry function '{0}' for 'sm_90'
ptxas info    : Function properties for {0}
    {1} bytes stack frame, 8 bytes spill stores, 4 bytes spill loads
ptxas info    : Used {2} registers, used 1 barriers, 256 bytes smem
"""


def row(usage: Usage) -> tuple[str, ...]:
    figures = (
        usage.line,
        usage.kernel,
        usage.arch,
        usage.registers,
        usage.static_local,
        usage.barriers,
        usage.stack,
        usage.spill_stores,
        usage.spill_loads,
    )
    return tuple("" if figure is None else str(figure) for figure in figures)


def told(usages: tuple[Usage, ...]) -> list[tuple[str, int | None]]:
    return [(usage.kernel, usage.registers) for usage in usages]


@pytest.mark.parametrize("name", logs())
def test_every_row_of_a_real_log(name: str) -> None:
    reading = ptxas.read(logs()[name], name)
    assert [row(usage) for usage in reading.usages] == expected()[name]
    assert {(u.source, u.path, u.dynamic_local, u.group_size) for u in reading.usages} <= {
        ("compiled", name, None, None)
    }
    assert reading.problems == ()
    assert ptxas.looks_like(logs()[name]) == bool(expected()[name])


def test_there_are_rows_of_every_version() -> None:
    assert sum(map(len, expected().values())) == 547
    assert sum(name.startswith("multi/") for name in logs()) == 18


def test_what_ptxas_ignored_is_told() -> None:
    name = "multi/ptxas-v_13.5_sm_75.txt"
    remarks = ptxas.read(logs()[name], name).remarks
    assert [(r.line, r.kernel, r.message.split(" for ")[0]) for r in remarks] == [
        (1, "_Z13heavy_lb64_32PKfPf", "Value of minnctapersm"),
        (2, "_Z14heavy_lb1024_2PKfPf", "Value of threads per SM"),
        (3, "_Z9recursivePi", "Stack size"),
    ]


@pytest.mark.parametrize("wording", [".minnctapersm is ignored when neither .maxntid nor .reqntid is specified.",
                                     "Too many maxnreg specified for k, will be ignored",
                                     "adjusting per thread register count of 8 to lower bound of 24"])  # fmt: skip
def test_other_warnings_are_told(wording: str) -> None:
    (remark,) = ptxas.read(f"x\nptxas warning : {wording}\n".encode(), "p").remarks
    assert (remark.message, remark.line) == (wording, 2)


@pytest.mark.parametrize("prefix", ["[3/40] ", "  1>", "2026-01-02T03:04:05.678Z ", "\x1b[32m", "stderr: "])
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_other_text_before_a_line_and_other_lines_between(prefix: str, ending: str) -> None:
    name = "nvcc13.0/ptxas-v_sm90.txt"
    lines = logs()[name].decode().splitlines()
    text = ending.join(f"{prefix}{line}{ending}[4/40] Building k{i}.o" for i, line in enumerate(lines))
    usages = ptxas.read(text.encode(), name).usages
    assert [row(usage)[1:] for usage in usages] == [row[1:] for row in expected()[name]]
    assert [usage.line for usage in usages] == [2 * int(row[0]) - 1 for row in expected()[name]]


def test_text_that_is_not_utf8_is_read_around() -> None:
    text = b"\xff\xfe caf\xe9\n" + KERNEL.format("k", 0, 40).encode()
    assert told(ptxas.read(text, "p").usages) == [("k", 40)]


def test_the_suffix_of_an_architecture_is_dropped() -> None:
    text = KERNEL.format("k", 0, 40).replace("sm_90", "sm_100a")
    assert ptxas.read(text.encode(), "p").usages[0].arch == "sm_100"


def test_a_function_that_kernels_call_is_no_kernel() -> None:
    figures = "    99 bytes stack frame, 99 bytes spill stores, 9 bytes spill loads\n"
    helper = f"ptxas info    : Function properties for helper\n{figures}"
    first, last = KERNEL.format("k", 0, 40).rsplit("ptxas", 1)
    (usage,) = ptxas.read(f"{first}{helper}ptxas{last}".encode(), "p").usages
    assert (usage.stack, usage.spill_stores) == (0, 8)


def test_nvlink_takes_the_one_architecture_that_the_log_names() -> None:
    link = logs()["nvcc13.0/rdc_nvlink.txt"]
    assert ptxas.read(link, "p").usages[0].arch is None
    assert ptxas.read(b"nvcc -arch=sm_80 k.cu\n" + link, "p").usages[0].arch == "sm_80"
    assert ptxas.read(b"nvcc -arch=sm_80 -code=sm_90 k.cu\n" + link, "p").usages[0].arch is None
    assert ptxas.read(link, "p").usages[0].spill_stores is None


def test_nvlink_names_the_architecture_where_there_are_several() -> None:
    """With those of ptxas left out: 24 registers for rdc_kernel, which needs 70 with what it calls."""
    usages = ptxas.read(samples()["made/linked.txt"], "p").usages
    figures = {(u.kernel, u.arch): (u.registers, u.static_local, u.stack, u.spill_stores) for u in usages}
    assert len(figures) == len(usages) == 12
    assert [figures["_Z10rdc_kernelPf", f"sm_{sm}"] for sm in (75, 80, 90)] == [
        (70, 256, 168, None),
        (54, 256, 168, None),
        (54, 256, 168, None),
    ]


def test_nvlink_counts_the_reserve_and_ptxas_does_not() -> None:
    """1536 bytes stand in the text for sm_90."""
    text = samples()["made/linked_sm_90.txt"]
    assert b"1536 bytes smem" in text
    assert {u.kernel: (u.arch, u.static_local) for u in ptxas.read(text, "p").usages} == {
        "_Z4tinyILi64EEvPf": ("sm_90", 256),
        "_Z4tinyILi128EEvPf": ("sm_90", 512),
    }
    only_linked = b"\n".join(line for line in text.split(b"\n") if b"nvlink" in line)
    assert {(u.arch, u.static_local) for u in ptxas.read(only_linked, "p").usages} == {(None, None)}


def test_what_is_linked_later_is_not_read_where_the_command_shows_it() -> None:
    reading = ptxas.read(samples()["made/unlinked_sm_80.txt"], "p")
    assert reading.usages == () and [problem.message for problem in reading.problems] == [UNLINKED]
    for command in ("nvcc -rdc=true k.cu", "nvcc -x cu -dc k.cu", "nvcc --relocatable-device-code true k.cu"):
        assert ptxas.read(f"{command}\n{KERNEL.format('k', 0, 40)}".encode(), "p").usages == ()
    assert told(ptxas.read(f"nvcc -rdc=false k.cu\n{KERNEL.format('k', 0, 40)}".encode(), "p").usages) == [("k", 40)]


@pytest.mark.parametrize("name", [name for name in named(".txt", "nvcc11.8", "nvcc13.0", "made") if "ptxas-v" in name])
def test_logs_of_other_architectures(name: str) -> None:
    usages = ptxas.read(samples()[name], name).usages
    assert len(usages) == samples()[name].count(b"Compiling entry") >= 20
    assert len({u.arch for u in usages}) == 1 and all(u.registers for u in usages)


def test_mixed_lines_are_given_up_and_said() -> None:
    a, b = (KERNEL.format(name, 0, count).splitlines() for name, count in (("a", 10), ("b", 20)))
    mixed = "\n".join(line for pair in zip(a, b, strict=True) for line in pair)
    reading = ptxas.read(f"{mixed}\n{KERNEL.format('c', 0, 30)}".encode(), "p")
    assert reading.usages[-1:] == () or told(reading.usages) == [("c", 30)]
    assert reading.problems[0].message == "lines of several compilations are mixed here, not read: a, b"


def test_jobs_that_say_their_number_are_told_apart() -> None:
    a, b = (KERNEL.format(name, 0, count).splitlines() for name, count in (("a", 10), ("b", 20)))
    mixed = "\n".join(line for x, y in zip(a, b, strict=True) for line in (f"1>{x}", f"  2>{y}"))
    assert told(ptxas.read(mixed.encode(), "p").usages) == [("a", 10), ("b", 20)]


def test_mixing_hardly_ever_misattributes() -> None:
    """Lines of two or three logs shuffled together, the worst case: what is told is told rightly, or not at all."""
    rng = random.Random(5)
    names = [name for name in logs() if "ptxas-v_sm" in name]
    told_rightly = told_wrongly = 0
    for _ in range(60):
        chosen = rng.sample(names, rng.choice([2, 3]))
        rest = [logs()[name].decode().splitlines() for name in chosen]
        lines = []
        while rest:
            source = rng.choice(rest)
            lines.append(source.pop(0))
            rest = [r for r in rest if r]
        truth = {row[1:6] for name in chosen for row in expected()[name]}
        for usage in ptxas.read("\n".join(lines).encode(), "p").usages:
            told_rightly += row(usage)[1:6] in truth
            told_wrongly += row(usage)[1:6] not in truth
    assert told_rightly > 100 and told_wrongly <= told_rightly / 100


def test_a_log_that_was_cut_and_continued_recovers() -> None:
    whole = logs()["nvcc13.0/ptxas-v_sm90.txt"]
    cut = whole[:450]
    reading = ptxas.read(cut + b"\n" + b"".join([whole] * 4), "p")
    assert [row(u)[1:] for u in reading.usages[-25:]] == [r[1:] for r in expected()["nvcc13.0/ptxas-v_sm90.txt"]]


@pytest.mark.parametrize(
    "line",
    [
        "ptxas info    : Compiling entry function 'k{0}' for 'sm_90'\n",
        "ptxas info    : Function properties for k{0}\n",
        "nvlink info    : Function properties for 'k{0}': sm_80\n",
        "ptxas warning : minnctapersm k{0} ",
        "ptxas info    : Compiling entry function ",
        "99999999999 bytes stack frame, ",
        KERNEL.format("same", 0, 1).split("\n")[0] + "\n",
    ],
)
def test_hostile_logs_take_no_more_than_linear_time(line: str) -> None:
    data = "".join(line.format(i) for i in range(20_000)).encode()
    reading = ptxas.read(data, "p")
    assert seconds(lambda: ptxas.read(data, "p")) < 10 * seconds(lambda: ptxas.read(data[: len(data) // 4], "p"))
    assert len(reading.problems) <= 200 and len(reading.remarks) <= 200


def test_no_mutation_raises() -> None:
    rng = random.Random(6)
    sources = [logs()["nvcc13.0/ptxas-v_sm90.txt"], logs()["nvcc13.0/rdc_nvlink.txt"], logs()["nvrtc/sm_80_log.txt"]]
    for _ in range(1000):
        data = bytearray(rng.choice(sources))
        del data[rng.randrange(1, len(data)) if rng.random() < 0.3 else len(data) :]
        for _ in range(rng.randrange(1, 20)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        for usage in ptxas.read(bytes(data), "p").usages:
            assert usage.registers is not None and usage.line >= 1


NAMES = [
    "void reduce<float, 256>(float const*, float*, int)",
    "void reduce<double, 512>(double const*, double*, int)",
    "lib::(anonymous namespace)::heavy(float const*, float*, int, int)",
    "void run<f(int)::'lambda'(float)>(f(int)::'lambda'(float))",
]


def test_names_as_cxxfilt_writes_them() -> None:
    said = [KERNEL.format(name, 0, 10 + at).replace("\n", "\r\n" if at % 2 else "\n") for at, name in enumerate(NAMES)]
    warned = f"ptxas warning : Stack size for entry function '{NAMES[1]}' cannot be statically determined\n"
    warned += (
        f"ptxas warning : Value of threads per SM for entry {NAMES[0]} is out of range. .minnctapersm will be ignored\n"
    )
    reading = ptxas.read(("".join(said) + warned).encode(), "build.log")
    assert [(it.kernel, it.registers) for it in reading.usages] == [(name, 10 + at) for at, name in enumerate(NAMES)]
    assert [it.kernel for it in reading.remarks] == [NAMES[1], NAMES[0]]
    assert [it.stack for it in reading.usages] == [0, None, 0, 0]
