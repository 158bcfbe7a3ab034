"""NVIDIA's rule: blocks, warps, SMs."""
