"""The engine of docs/adding-an-engine.md, as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

from heapwright.engines.api import Engine

DOCUMENT = Path(__file__).parents[2] / "docs" / "adding-an-engine.md"
_BLOCKS = re.findall(r"```python\n(.*?)```", DOCUMENT.read_text(encoding="utf-8"), re.DOTALL)
REGISTRATION, DOMAIN, ENGINE, *_ = _BLOCKS
CODE = f"{DOMAIN}\n\n{ENGINE}"

exec(compile(CODE, str(DOCUMENT), "exec"))
engine_class: type[Engine] = globals()["Nullness"]
