"""Occupancy without a source: one point, sweeps, rooflines, as answers and as text."""
