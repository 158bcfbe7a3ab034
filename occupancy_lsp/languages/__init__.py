"""Each language that kernels are written in: whose files are of it, who runs it and launches it. It knows no device."""
