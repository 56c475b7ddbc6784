"""Random C programs, and machines that compare heapwright with something that it must agree with.

May import: analysis, witness, engines, c, program.
"""
