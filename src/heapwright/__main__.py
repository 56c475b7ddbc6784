"""`python -m heapwright`."""

import sys

from heapwright.cli import main

sys.exit(main())
