"""Rating answers by hand: which ones, in what order, what a key does and what the screen shows.

All of it is pure: the terminal and the file are the command's (`cli/label_command.py`). Nothing in
here hands a judge's score to the screen.
"""
