"""Exact updates of reachability when an arrow is taken away or put in.

A field leads from an object to one object at most. Then a path along it is unique, and what is reached after the arrow
of `a` is gone is known unless `a` is on a cycle: everything that was reached through `a` is lost. Along all fields
together that holds where nothing below the arrow is shared and the arrow is on no cycle; elsewhere the closure is
evaluated anew. Putting an arrow in is exact in any graph.
"""

from __future__ import annotations

from heapwright.engines.tvl.programs.literals import is_junk, points_to
from heapwright.engines.tvl.programs.predicates import (
    HeapVocabulary,
    atom,
    closure,
    closure_name,
    cycle_name,
    junk,
    reach_name,
    shared_name,
)
from heapwright.logic.actions import Update
from heapwright.logic.formulas import And, Exists, Formula, IfThenElse, Not, Or
from heapwright.program.expressions import Pointer, Var


def clear(heap: HeapVocabulary, base: str, field: str) -> list[Update]:
    """base.field leads nowhere afterwards."""
    here = atom(base, "u")
    updates = [
        Update(field, ("u", "v"), And((atom(field, "u", "v"), Not(here)))),
        Update(junk(field), ("u",), And((atom(junk(field), "u"), Not(here)))),
    ]
    on_cycle = Exists(("a",), And((atom(base, "a"), atom(cycle_name(field), "a"))))
    step: Formula = And((atom(field, "s", "t"), Not(atom(base, "s"))))
    updates += _cut(heap, base, field, field, step, on_cycle)
    lost = Exists(("a",), And((atom(base, "a"), atom(cycle_name(field), "a"), atom(closure_name(field), "a", "v"))))
    updates.append(Update(cycle_name(field), ("v",), And((atom(cycle_name(field), "v"), Not(lost)))))
    for along in (field, "") if heap.several_fields else (field,):
        hit = Exists(("u",), And((here, atom(field, "u", "v"))))
        still = heap.shared(along, without=(field, base))
        shared = shared_name(along)
        updates.append(Update(shared, ("v",), And((atom(shared, "v"), Or((Not(hit), still))))))
    if heap.several_fields:
        others = heap.any_field("s", "t", (f for f in heap.fields if f != field))
        below = And((atom(base, "a"), atom(field, "a", "b")))
        path = closure_name("")
        tangled = Exists(
            ("a", "b"),
            And(
                (
                    below,
                    Or(
                        (
                            atom(path, "b", "a"),
                            Exists(("w",), And((atom(path, "b", "w"), atom(shared_name(""), "w")))),
                        )
                    ),
                )
            ),
        )
        updates += _cut(heap, base, field, "", Or((others, step)), tangled)
    return updates


def _cut(heap: HeapVocabulary, base: str, field: str, along: str, step: Formula, tangled: Formula) -> list[Update]:
    """Closure and reachability along some fields after the arrow base.field is gone."""
    path = closure_name(along)
    through = Exists(
        ("a", "b"),
        And((atom(base, "a"), atom(path, "u", "a"), atom(field, "a", "b"), atom(path, "b", "v"))),
    )
    kept = And((atom(path, "u", "v"), Not(through)))
    updates = [Update(path, ("u", "v"), IfThenElse(tangled, closure(step, "u", "v"), kept))]
    for variable in heap.variables:
        reach = reach_name(variable, along)
        if variable == base and along == field:
            updates.append(Update(reach, ("v",), atom(base, "v")))
            continue
        lost = Exists(("a", "b"), And((atom(base, "a"), atom(reach, "a"), atom(field, "a", "b"), atom(path, "b", "v"))))
        anew = Exists(("u",), And((atom(variable, "u"), closure(step, "u", "v"))))
        updates.append(Update(reach, ("v",), IfThenElse(tangled, anew, And((atom(reach, "v"), Not(lost))))))
    return updates


def connect(heap: HeapVocabulary, base: str, field: str, value: Pointer) -> list[Update]:
    """base.field, which leads nowhere, leads to a value afterwards."""
    here = atom(base, "u")
    updates = [
        Update(field, ("u", "v"), Or((atom(field, "u", "v"), And((here, points_to(value, "v")))))),
        Update(junk(field), ("u",), Or((atom(junk(field), "u"), And((here, is_junk(value)))))),
    ]
    if not isinstance(value, Var):
        return updates
    path, cycle = closure_name(field), cycle_name(field)
    closed = Exists(
        ("a", "b"),
        And(
            (
                atom(base, "a"),
                points_to(value, "b"),
                atom(path, "b", "a"),
                atom(path, "b", "v"),
                atom(path, "v", "a"),
            )
        ),
    )
    updates.append(Update(cycle, ("v",), Or((atom(cycle, "v"), closed))))
    for along in (field, "") if heap.several_fields else (field,):
        updates += _bridge(heap, base, along, value)
    return updates


def _bridge(heap: HeapVocabulary, base: str, along: str, value: Var) -> list[Update]:
    path = closure_name(along)
    over = Exists(
        ("a", "b"),
        And((atom(base, "a"), atom(value.name, "b"), atom(path, "u", "a"), atom(path, "b", "v"))),
    )
    updates = [Update(path, ("u", "v"), Or((atom(path, "u", "v"), over)))]
    for variable in heap.variables:
        reach = reach_name(variable, along)
        reaches = Exists(("a",), And((atom(base, "a"), atom(reach, "a"))))
        gained = And((reaches, atom(reach_name(value.name, along), "v")))
        updates.append(Update(reach, ("v",), Or((atom(reach, "v"), gained))))
    fields = (along,) if along else heap.fields
    met = Exists(("u",), heap.any_field("u", "v", fields))
    again = And((points_to(value, "v"), Exists(("a",), atom(base, "a")), met))
    updates.append(Update(shared_name(along), ("v",), Or((atom(shared_name(along), "v"), again))))
    return updates
