"""One module a command: `add_arguments` and `execute`.

May import: cli and everything below.
"""
