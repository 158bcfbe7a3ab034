"""What became of a kernel, by all that it may have been and may be: lost only if no values make it otherwise."""

from __future__ import annotations

import json
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from occupancy_lsp.findings import baseline
from occupancy_lsp.findings.changes import kind_of, paired
from occupancy_lsp.findings.records import SEVERITIES
from occupancy_lsp.findings.was import FindingKind, Key, Was

SPANS = st.tuples(st.integers(0, 8), st.integers(0, 8)).map(sorted).map(tuple)
KERNELS = st.builds(
    lambda span, threads, sure, stale, registers, source, findings: Was(
        span, tuple(12.5 * it for it in span), source, (threads,), sure, registers, (0, 0), stale, findings
    ),
    SPANS,
    st.sampled_from((128, 256)),
    st.booleans(),
    st.booleans(),
    st.none() | SPANS,
    st.sampled_from(("declared", "bounded")),
    st.dictionaries(
        st.builds(FindingKind, st.sampled_from(("OCC007", "OCC305")), st.sampled_from(SEVERITIES)), st.integers(1, 3)
    ),
)


@given(KERNELS, KERNELS)
def test_lost_and_gained_hold_whatever_is_unknown(was: Was, now: Was) -> None:
    assert was.groups is not None and now.groups is not None
    befores, afters = (range(low, high + 1) for low, high in (was.groups, now.groups))
    fresh = not was.stale and not now.stale
    comparable = fresh and ((was.sure and now.sure) or was.threads == now.threads)
    lost = comparable and all(after < before for after in afters for before in befores)
    gained = comparable and all(after > before for after in afters for before in befores)
    kind = kind_of(was, now)
    assert (kind == "lost", kind == "gained") == (lost, gained)
    assert kind != "moved" or was.percent == now.percent
    assert kind_of(was, replace(was, source="measured")) == "same"


@given(KERNELS, KERNELS)
def test_a_baseline_that_shrinks_only_gets_stricter(was: Was, now: Was) -> None:
    key = Key("a.cu", "k", "", "sm_90")
    kept = baseline.shrunk({key: was}, {key: now})[key]
    assert kind_of(was, kept) != "lost"
    assert replace(kept, findings={}) in (replace(was, findings={}), replace(now, findings={}))


@given(KERNELS, KERNELS)
def test_findings_of_a_baseline_that_shrinks(was: Was, now: Was) -> None:
    """Of each rule and from each severity on, no more than there were, nor than there are; and all of what is both."""
    key = Key("a.cu", "k", "", "sm_90")
    kept = baseline.shrunk({key: was}, {key: now})[key]
    for rule in ("OCC007", "OCC305"):
        for at in range(len(SEVERITIES)):
            before, after, left = (
                sum(count for it, count in one.findings.items() if it.rule == rule and it.severity in SEVERITIES[at:])
                for one in (was, now, kept)
            )
            assert left <= min(before, after)
    assert baseline.shrunk({key: was}, {key: replace(now, findings=was.findings)})[key].findings == was.findings


@given(st.dictionaries(st.builds(Key, *[st.sampled_from(("a", "b"))] * 3, st.just("sm_90")), KERNELS))
def test_what_is_written_is_read(kernels: dict[Key, Was]) -> None:
    text = baseline.text_of(kernels)
    assert len(text.splitlines()) == len({key[:3] for key in kernels}) + 2
    rows = json.loads(text)["kernels"]
    assert {key: it for row in rows if row for key, it in baseline.entries_of(row)} == kernels


def test_kernels_by_another_name() -> None:
    """Only where one alone can be meant."""

    def key(path: str, kernel: str) -> Key:
        return Key(path, kernel, "", "sm_90")

    was, moved, renamed = key("a.cu", "k"), key("b.cu", "k"), key("a.cu", "j")
    assert paired([was], [moved], {}, {}, {"b.cu"}) == {moved: was}
    assert paired([was], [moved], {}, {}, {"a.cu", "b.cu"}) == {}  # its file is still there
    assert paired([was], [moved], {was: "x"}, {moved: "x"}, {"a.cu", "b.cu"}) == {moved: was}
    assert paired([was], [moved, key("c.cu", "k")], {}, {}, {"b.cu", "c.cu"}) == {}
    assert paired([was], [renamed], {was: "x"}, {renamed: "x"}, {"a.cu"}) == {renamed: was}
    assert paired([was], [renamed], {was: "x"}, {renamed: "y"}, {"a.cu"}) == {}
    assert paired([was], [key("b.cu", "j")], {was: "x"}, {key("b.cu", "j"): "x"}, {"a.cu", "b.cu"}) == {}
