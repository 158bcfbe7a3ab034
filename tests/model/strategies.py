"""Architectures and needs for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from occupancy_lsp.model.occupancy import Need
from occupancy_lsp.vendors.nvidia.arch import NvidiaArch

from .support import archs

architectures: st.SearchStrategy[NvidiaArch] = st.deferred(lambda: st.sampled_from(list(archs().values())))
carveouts = st.none() | st.just(0) | st.integers(0, 100)
amounts = st.integers(0, 4096) | st.integers(0, 240 * 1024)

needs = st.builds(
    Need,
    group_size=st.integers(1, 1024),
    registers=st.none() | st.integers(1, 255),
    static_local=st.just(0) | st.integers(0, 49152),
    dynamic_local=st.just(0) | amounts,
    opt_in=st.booleans(),
    carveout=carveouts,
    barriers=st.just(0) | st.integers(0, 16),
)
