"""Systems under test: question in, answer out."""
