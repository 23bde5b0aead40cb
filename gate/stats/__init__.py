"""Numbers: tests for a drop, agreement with people, sample sizes, samples. Pure, numpy only."""
