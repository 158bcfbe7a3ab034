"""Each vendor's rule, and what else is the vendor's own. It knows no source text."""
