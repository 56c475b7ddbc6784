"""What a complete tree says of concrete heaps: membership, pictures, the proof to look at.

May import: art and what is below it.
"""
