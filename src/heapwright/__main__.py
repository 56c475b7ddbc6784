"""`python -m heapwright`."""

import sys

if __name__ == "__main__":
    try:
        from heapwright.cli import main

        code = main()
    except KeyboardInterrupt:  # while modules are imported
        code = 130
    sys.exit(code)
