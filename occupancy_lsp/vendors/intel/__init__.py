"""Intel's rule: work-groups, hardware threads, Xe-cores."""
