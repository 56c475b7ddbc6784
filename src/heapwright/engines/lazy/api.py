"""Public interface of the engine `lazy`: the engine with all its options."""

from heapwright.engines.lazy.art.cegar_loop import Options
from heapwright.engines.lazy.engine import Lazy
