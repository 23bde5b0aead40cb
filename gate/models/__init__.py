"""The vendors: what each model accepts and costs, and one client for each vendor's SDK."""
