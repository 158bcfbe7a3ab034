"""What a repository keeps of earlier revisions, read from its object store. Knows no kernel and no report."""
