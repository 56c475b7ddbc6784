from heapwright.api.calls import check as check
from heapwright.api.calls import infer as infer
from heapwright.api.calls import list_engines as list_engines
from heapwright.api.calls import lower as lower
from heapwright.api.calls import run as run
from heapwright.api.calls import show as show
from heapwright.base.errors import HeapwrightError as HeapwrightError

__version__: str
__all__ = ["HeapwrightError", "__version__", "check", "infer", "list_engines", "lower", "run", "show"]
