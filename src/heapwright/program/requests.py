"""What a program that is executed asks of its surroundings (runs/console.py): to print a text, to read a byte.

>>> Request("put", b"hello")
Request(name='put', text=b'hello', operands=())
"""

from __future__ import annotations

from dataclasses import dataclass

from heapwright.program.expressions import Expr


@dataclass(frozen=True, slots=True)
class Request:
    name: str
    text: bytes = b""
    operands: tuple[Expr, ...] = ()
