"""Reporters: a report in, a file out. Pure: nothing here reads a clock, a disk or a network."""
