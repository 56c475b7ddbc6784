"""heapwright: memory safety and shapes of C programs that build linked data structures."""

__version__ = "0.1.0"
