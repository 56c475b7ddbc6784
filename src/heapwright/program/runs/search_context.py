"""What all states of a machine share: the layouts of types, what is read, and which lost blocks stay visible."""

from __future__ import annotations

from heapwright.program.checks import Goal
from heapwright.program.commands import Assert, Assume
from heapwright.program.dataflow.liveness import Liveness, slots
from heapwright.program.dataflow.relevant_inputs import CellKey, constants_of, fields_read
from heapwright.program.expressions import ShapeLiteral
from heapwright.program.graph import Program
from heapwright.program.semantics.objects import Layout
from heapwright.program.semantics.state import Bounds, Garbage, SearchContext
from heapwright.program.types import Cells, Field, IntType, ObjectType, ValueKind


def visible_garbage(program: Program, goal: Goal) -> Garbage:
    """Cleanup checks and `all_reachable` see blocks that were lost; one of each type will do."""
    literals = [edge.command.literal for edge in program.graph.edges if isinstance(edge.command, Assume | Assert)]
    everything = any(isinstance(one, ShapeLiteral) and one.predicate == "all_reachable" for one in literals)
    return Garbage.ONE_OF_EACH_TYPE if goal.cleanup or everything else Garbage.NONE


def search_context(
    program: Program, bounds: Bounds, liveness: Liveness, also_read: frozenset[CellKey]
) -> SearchContext:
    read = fields_read(program) | also_read
    layouts = {name: Layout(type, index, read) for index, (name, type) in enumerate(program.types.items())}
    objects: dict[str, Layout] = {}
    scalars: dict[tuple[ValueKind, int], Layout] = {}
    for layout in layouts.values():
        if layout.cells is not None and layout.cells.count is None:
            if layout.cells.field is not None:
                scalars.setdefault((layout.cells.field.kind, layout.cells.field.size), layout)
            else:
                objects.setdefault(layout.cells.object, layout)
    untyped = Layout(ObjectType("", 0), len(layouts), read)
    byte = Field("", ValueKind.DATA, 0, 1, IntType(8, True))
    view = Layout(ObjectType("", 1, cells=Cells(1, byte)), len(layouts) + 1, read)
    pointers, named = slots(liveness.pointers), slots(liveness.pointers & ~liveness.temporaries)
    constants, overlapping = constants_of(program), program.entry.overlapping
    return SearchContext(
        layouts, untyped, view, objects, scalars, bounds, constants, pointers, named, overlapping=overlapping
    )
