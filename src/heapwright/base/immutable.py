"""Immutable values: as `@dataclass(frozen=True, slots=True)`, at a tenth of its cost at import.

A command that analyses a small file takes as long as Python needs to load what it is made of, and most of that would
be dataclasses, which write and compile several functions for each class. Here they are compiled once for all classes
with the same number of fields, and renamed. What works on dataclasses works on these: type checkers, `replace`,
`match`, `fields`.

>>> class Point(Immutable):
...     x: int
...     y: int = 0
>>> Point(1), Point(1) == Point(1, 0), Point(1) == Point(2)
(Point(x=1, y=0), True, False)
>>> import dataclasses
>>> dataclasses.replace(Point(1), y=5)
Point(x=1, y=5)
"""

from __future__ import annotations

from functools import cached_property
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, ClassVar, dataclass_transform

if TYPE_CHECKING:
    from collections.abc import Mapping
    from dataclasses import Field

__all__ = ["EMPTY", "Immutable"]

EMPTY: Mapping[Any, Any] = {}  # as a default; a Mapping is read-only


class _Fields:
    """The fields of a class as `dataclasses` expects them, built at first use."""

    def __get__(self, instance: object, owner: type[Immutable]) -> dict[str, Field[Any]]:
        import dataclasses

        plain = type(owner.__name__, (), {"__annotations__": dict.fromkeys(owner.__match_args__, Any)})
        fields: dict[str, Field[Any]] = vars(dataclasses.dataclass(plain))["__dataclass_fields__"]
        type.__setattr__(owner, "__dataclass_fields__", fields)
        return fields


@dataclass_transform(frozen_default=True)
class _Meta(type):
    def __new__(meta, name: str, bases: tuple[type, ...], namespace: dict[str, Any]) -> _Meta:
        annotations = namespace.get("__annotations__", {})  # texts, but of compiled modules types
        names = tuple([field for field, kind in annotations.items() if "ClassVar[" not in str(kind)])
        if not names:
            namespace.setdefault("__slots__", ())
            return super().__new__(meta, name, bases, namespace)
        defaults = [namespace.pop(field) for field in names if field in namespace]
        # A cached property needs a slot.
        open_ended = any(isinstance(member, cached_property) for member in namespace.values())
        namespace["__slots__"] = (*names, "__dict__") if open_ended else names
        namespace["__match_args__"] = names
        made = super().__new__(meta, name, bases, namespace)
        setters = {f"set{i}": getattr(made, field).__set__ for i, field in enumerate(names)}
        for method, code in _codes(len(names)).items():
            if method not in namespace:
                setattr(made, method, FunctionType(_renamed(code, names), setters, method, _defaults(method, defaults)))
        return made


def _defaults(method: str, defaults: list[object]) -> tuple[object, ...]:
    return tuple(defaults) if method == "__init__" else ()


def _renamed(code: CodeType, names: tuple[str, ...]) -> CodeType:
    """Code that has the names of fields in place of field0, field1, ..."""
    table = {f"field{i}": field for i, field in enumerate(names)}
    return code.replace(
        co_names=tuple([table.get(name, name) for name in code.co_names]),
        co_varnames=tuple([table.get(name, name) for name in code.co_varnames]),
    )


_CODES: dict[int, dict[str, CodeType]] = {}  # by the number of fields, filled as classes are made

_TEXT = """
def __init__(self, {parameters}):
    {settings}
def __eq__(self, other):
    if self is other:
        return True
    return {equal} if other.__class__ is self.__class__ else NotImplemented
def __hash__(self):
    return hash(({own},))
"""


def _codes(count: int) -> dict[str, CodeType]:
    """The functions of a class with so many fields, which are compiled once."""
    codes = _CODES.get(count)
    if codes is None:
        fields = [f"field{i}" for i in range(count)]
        text = _TEXT.format(
            parameters=", ".join(fields),
            settings="; ".join(f"set{i}(self, {field})" for i, field in enumerate(fields)),
            equal=" and ".join(f"self.{field} == other.{field}" for field in fields),
            own=", ".join(f"self.{field}" for field in fields),
        )
        functions: dict[str, FunctionType] = {}
        exec(text, {}, functions)  # the text is made here alone
        codes = _CODES[count] = {name: function.__code__ for name, function in functions.items()}
    return codes


class Immutable(metaclass=_Meta):
    """Equal if of the same class with equal fields; hashable if they are. Fields are annotated in the class, defaults
    come last. A class may not inherit from another one with fields."""

    if TYPE_CHECKING:
        __match_args__: ClassVar[tuple[str, ...]]
        __dataclass_fields__: ClassVar[dict[str, Field[Any]]]
    else:
        __dataclass_fields__ = _Fields()
        __match_args__ = ()

    def __eq__(self, other: object) -> bool:
        return self.__class__ is other.__class__

    def __hash__(self) -> int:
        return hash(self.__class__)

    def __repr__(self) -> str:
        fields = ", ".join([f"{field}={getattr(self, field)!r}" for field in self.__match_args__])
        return f"{self.__class__.__qualname__}({fields})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{self.__class__.__name__} values do not change: cannot set {name}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{self.__class__.__name__} values do not change: cannot delete {name}")

    def __reduce__(self) -> tuple[type, tuple[object, ...]]:
        return self.__class__, tuple([getattr(self, field) for field in self.__match_args__])
