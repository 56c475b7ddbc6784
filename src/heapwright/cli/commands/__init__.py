"""Commands, one module each, with `add_arguments` and `execute`.

May import: cli and everything below.
"""
