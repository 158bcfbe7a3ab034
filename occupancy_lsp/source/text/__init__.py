"""From bytes to items, and the pieces that all readers share. It knows no declaration."""
