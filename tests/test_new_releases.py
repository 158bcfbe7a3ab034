"""What `python -m tests.new_releases` makes of the answers of registries, and of the findings."""

from __future__ import annotations

import pytest

from tests.new_releases import DEBIAN, WHEELS, newest_of, pins, with_newest


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("triton (3.9.0)\nAvailable versions: 3.9.0, 3.8.0\n  INSTALLED: 3.5.1\n", "3.9.0"),
        ("intel-opencl-icd:\n  Installed: (none)\n  Candidate: 22.43.24595.41-1\n", "22.43.24595.41-1"),
        ("0.6.2\n", "0.6.2"),
        ("ERROR: No matching distribution found for nothing\n", None),
        ("", None),
    ],
)
def test_the_newest_version(said: str, expected: str | None) -> None:
    assert newest_of(said) == expected


def test_what_a_finding_compares_with_stays() -> None:
    script = "into=old get ziglang==0.14.1\ninto=new get ziglang==0.17.1 other==1.2\n"
    assert with_newest(script, {"ziglang": "0.18.0"}) == script.replace("0.17.1", "0.18.0")


def test_all_that_findings_install_is_watched() -> None:
    found = dict(pins())
    assert found and found.keys() <= WHEELS.keys() and "intel-opencl-icd" in DEBIAN
