"""The doors to the outside: files, the journal, the limits, and what is spent."""
