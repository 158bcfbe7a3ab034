"""By hand: what compilers make of the kernels in `tests/data/numba`, without a GPU."""
