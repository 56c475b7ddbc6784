"""Public interface of the engine `lazy`: the engine with all its options."""

from heapwright.engines.lazy.art.search_options import Options
from heapwright.engines.lazy.engine import Lazy
