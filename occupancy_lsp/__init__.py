"""GPU kernel occupancy, told truthfully while the kernel is being written."""

__version__ = "0.1.0"
