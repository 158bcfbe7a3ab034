"""AMD's rule: work-groups, waves, compute units and WGPs."""
