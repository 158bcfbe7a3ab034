"""Which launches are those of a full specialisation, and which of its template: as a run of the host's code has it."""

from __future__ import annotations

from pathlib import Path

import pytest

from occupancy_lsp.core.text import Text
from occupancy_lsp.session.project import Project
from occupancy_lsp.session.view import OpenFile

TEMPLATE = "template <class T, int N = 2> __global__ void k(T *p) { p[N] = 1; }\n"
OF_INT = "template <> __global__ void k<int>(int *p) { p[0] = 1; }\n"
OF_LONG = "template <> __global__ void k<long, 4>(long *p) { p[0] = 1; }\n"
PLAIN = "__global__ void k(short *p) { p[0] = 1; }\n"


def launched(text: str) -> list[list[int | None]]:
    """The threads of each kernel's launches."""
    view = OpenFile(Path("k.cu"), "cuda", Text(text.encode()), Project(None, None, {"devices": ["h100"]})).view()
    assert view is not None
    return [[it.launch.size.number for it in report.launches] for report in view.reports]


@pytest.mark.parametrize(
    ("text", "launches", "expected"),
    [
        (TEMPLATE + OF_INT, "k<float><<<1, 64>>>(f); k<int><<<1, 96>>>(i);", [[64], [96]]),
        (TEMPLATE + OF_INT, "k<<<1, 64>>>(f); k<<<1, 96>>>(i);", [[64], [96]]),
        (TEMPLATE + OF_INT, "k<int, 4><<<1, 64>>>(i); k<int, 2><<<1, 96>>>(i);", [[64], [96]]),
        (TEMPLATE + OF_INT + OF_LONG, "k<int><<<1, 32>>>(i); k<long, 4><<<1, 64>>>(l); k<long><<<1, 96>>>(l);",
         [[96], [32], [64]]),
        (TEMPLATE + OF_INT, "run(f, 32); run(i, 64);", [[], []]),
        ("namespace a {\n" + TEMPLATE + OF_INT + "}\n", "a::k<float><<<1, 64>>>(f); a::k<int><<<1, 96>>>(i);",
         [[64], [96]]),
        # Which of overloads is meant is left open.
        (TEMPLATE + OF_INT + PLAIN, "k<float><<<1, 64>>>(f);", [[64], [], []]),
    ],
)  # fmt: skip
def test_a_specialisation_has_the_launches_of_its_arguments(
    text: str, launches: str, expected: list[list[int | None]]
) -> None:
    assert launched(f"{text}void go(float *f, int *i, long *l) {{ {launches} }}\n") == expected


def test_a_launch_in_a_template_is_one_of_what_each_instance_launches() -> None:
    text = TEMPLATE + OF_INT + "template <class T> void run(T *p) { k<T><<<1, sizeof(T) * 16>>>(p); }\n"
    assert launched(f"{text}void go(double *d, int *i) {{ run(d); run(i); }}\n") == [[128], [64]]
