"""By hand: what compilers make of the kernels in `tests/data/warp`, without a GPU."""
