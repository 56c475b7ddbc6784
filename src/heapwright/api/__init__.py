"""The Python interface: `import heapwright`, then `heapwright.check("list.c")`.

Functions of `calls`, results of `results`; `helper` is the process in which an analysis runs. Names are imported when
they are used.

May import: everything but cli, fuzz, reproduce and testing.
"""
