"""The stand-in judge: it reads the prompt it is sent and rates by what stands there.

One file a dimension, each a pure function of the fenced sections. It compares words, figures and
names, sentence by sentence; it understands nothing, cannot check a fact that no expectation names,
and is wrong as a hurried person is.
"""
