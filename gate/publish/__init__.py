"""Showing a report where people look: comment, status, annotations, job summary, outputs."""
