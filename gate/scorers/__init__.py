"""Scorers: a trial in, one score for each metric out."""
