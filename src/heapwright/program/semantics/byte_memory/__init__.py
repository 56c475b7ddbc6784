"""Memory by its bytes: what integers and pointers are byte by byte, scalars that share bytes, copies, and conversions
between pointers and integers. It may import the rest of `semantics` that does not dereference."""
