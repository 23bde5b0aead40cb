"""The loopback world: stand-ins for both vendors and a mini-web, on 127.0.0.1.

It computes and looks nothing up: the answering side searches invented pages and quotes them, the
judging side reads the prompt that it is sent. Its numbers, kappa included, show the mechanism and
say nothing of any real model.
"""
