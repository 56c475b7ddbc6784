"""What others use of the engine `lazy`: the engine with all its settings, of which the registry has one."""

from heapwright.engines.lazy.art.cegar_loop import Options
from heapwright.engines.lazy.engine import Lazy
