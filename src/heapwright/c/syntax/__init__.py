"""Clang's cursors to the syntax tree of `c/ast.py`: expressions, initialisers, statements, declarations, types.

May import: c.ast, c.clang, c.options.
"""
