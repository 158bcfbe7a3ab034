"""A folder and its open documents, and what a view of one shows at a moment."""
