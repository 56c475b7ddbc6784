"""`python -m heapwright`."""

import sys

from heapwright.cli import main

if __name__ == "__main__":
    sys.exit(main())
