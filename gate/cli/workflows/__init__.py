"""The workflows that a repository needs, as `gate init` writes them and the docs show them."""
