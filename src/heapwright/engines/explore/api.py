"""What others use of the engine `explore`: a search of all runs, which is complete while heaps are small."""

from heapwright.engines.explore.engine import Explore
