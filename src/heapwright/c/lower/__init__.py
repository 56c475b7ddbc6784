"""Lowering: from the C syntax tree to the commands of a program.

    program = lower([parse("list.c", ParseOptions())])

The object layout depends on the addresses that the program takes (prepass/address_taken.py, prepass/object_layout.py).
Lowering may discover more of them, and then restarts with the larger set.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import replace

from heapwright.base.errors import InputError
from heapwright.c.ast import TranslationUnit
from heapwright.c.lower.lowerer import Lowerer
from heapwright.c.lower.prepass.environment import Externals, InputHeaps, survey
from heapwright.c.lower.prepass.linking import link
from heapwright.c.lower.prepass.object_layout import AddressTaken
from heapwright.c.lower.prepass.specialization import specialize
from heapwright.program.graph import Program

RECURSION_LIMIT = 20_000


def lower(
    units: Sequence[TranslationUnit],
    *,
    function: str = "main",
    malloc_may_fail: bool = False,
    externals: Externals = "havoc",
    inputs: InputHeaps = "separate",
    executed: tuple[str, ...] | None = None,
    recorded: bool = False,
    models: Sequence[TranslationUnit] = (),
) -> Program:
    """The program of one or several linked files, entered at `main`, or at a function with arbitrary input heaps.
    `executed` are the arguments of a program that a `RealConsole` executes; a program that is `recorded` tells an
    `InputText` what it reads. `models` define functions that the program calls without a definition; that they behave
    so is an assumption."""
    linked = specialize(link(units, executed is not None, models))
    any_heap = function != "main"
    environment = survey(linked, externals, any_heap=any_heap)
    if any_heap:
        environment = replace(environment, inputs=inputs)
    known = AddressTaken()
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
    try:
        while True:
            lowerer = Lowerer(
                linked,
                known,
                environment,
                entry=function,
                any_heap=any_heap,
                malloc_may_fail=malloc_may_fail,
                executed=executed,
                recorded=recorded,
            )
            version = known.version
            program = lowerer.lower()
            for name in _ambiguous(program):
                known.learn(known.ambiguous, name)
            if known.version == version:
                return program
    except RecursionError:
        raise InputError(f"{linked.files[0]}: the program is nested too deeply") from None
    finally:
        sys.setrecursionlimit(limit)


def _ambiguous(program: Program) -> list[str]:
    """Types of objects whose fields have the names of members of a variable: `struct list list` beside nodes that are
    lists as well."""
    types = program.types.values()
    return [one.name for one in types if any(f"{one.name}.{field.name}" in program.variables for field in one.fields)]
