"""Public interface of the engine `explore`: exhaustive search of all runs within bounds."""

from heapwright.engines.explore.engine import Explore
