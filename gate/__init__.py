"""Kappagate."""

__version__ = "0.1.0"
