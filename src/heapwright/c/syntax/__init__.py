"""From clang's cursors to the syntax tree of `c/ast.py`: one module per kind of thing.

May import: c.ast, c.clang, c.options.
"""
