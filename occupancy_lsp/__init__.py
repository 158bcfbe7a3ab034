"""Live GPU occupancy as you write kernels."""

__version__ = "0.1.0"
