"""C files to syntax trees: libclang, parsing, options, headers/ and models/ of the C library.

May import: c.syntax, program.types, base.
"""
