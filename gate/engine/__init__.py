"""From cases to a run: what to ask, one case end to end, and the columns at the end."""
