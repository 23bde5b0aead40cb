"""The readable text of a fetched page, taken out in processes that can be killed."""
