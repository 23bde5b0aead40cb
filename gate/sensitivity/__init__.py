"""Damages to good answers, made without a model, the same ones on every machine.

They show whether a judge sees an answer become a little worse.
"""
