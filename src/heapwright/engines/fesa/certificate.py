"""The invariant of an analysis as plain data, and membership in a deserialised invariant.

A location has nodes, the flags that may be 1, and a Boolean function over them: a decision diagram, or clauses (see
docs/certificates.md). Reading needs neither the analysis nor a package for Boolean functions.

    part = serialize(analysis)
    AbstractHeapReader(program, part).contains(location, heap)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from heapwright.engines.fesa.graph.abstract_heap import NOWHERE, Cell, Flag, Instrumentation, Name, Node
from heapwright.engines.fesa.numeric.serialization import Clauses, Diagram, SerializedFunction
from heapwright.engines.fesa.states.concrete_blocks import whole_blocks
from heapwright.engines.fesa.states.membership import Membership, kept_variables
from heapwright.engines.fesa.transfer.pointer_offsets import PointerOffsets
from heapwright.engines.kit.certificate_reader import CertificateReader, and_another
from heapwright.program.graph import Program
from heapwright.program.runs.snapshot import Snapshot
from heapwright.program.types import Storage, ValueKind

if TYPE_CHECKING:
    from heapwright.engines.fesa.fixpoint import Analysis

# --- writing ---------------------------------------------------------------------------------------------------------


def serialize(analysis: Analysis[Any]) -> dict[str, Any]:
    return {
        "counts_out": analysis.instrumentation.out,
        "counts_into": analysis.instrumentation.into,
        "scopes": analysis.scopes,
        "sets": [sorted(one) for one in analysis.instrumentation.sets],
        "acyclic": sorted(analysis.without_cycles),
        "anchors": sorted(analysis.anchors),
        "rooted": analysis.transfer.rooted,
        "arbitrary": {str(location): name for location, name in sorted(analysis.arbitrary.items())},
        "fields": sorted(analysis.transfer.read),
        "constants": {name: list(values) for name, values in sorted(analysis.transfer.constants.items())},
        "locations": {
            str(location): _location(heap.nodes, heap.flags, analysis.domain.serialize(heap.function))
            for location, heap in sorted(analysis.heaps.items())
        },
    }


def _location(nodes: Mapping[Name, Node], flags: frozenset[Flag], function: SerializedFunction) -> dict[str, Any]:
    """Nodes and flags are represented by their indices in lists. A function may mention flags that the heap does not
    have: those are 0."""
    spoken = {flag for flag, *_ in function.nodes} if isinstance(function, Diagram) else set()
    if isinstance(function, Clauses):
        spoken = {flag for clause in function.clauses for flag, _ in clause}
    listed = sorted(flags | spoken)
    named = sorted({*nodes, *(name for flag in listed for name in (flag.node, flag.cell.node))} - {NOWHERE})
    number = {name: index for index, name in enumerate(named)} | {NOWHERE: -1}
    position = {flag: i for i, flag in enumerate(listed)}
    found: dict[str, Any] = {
        "nodes": [_node(name, nodes.get(name)) for name in named],
        "flags": [
            [flag.kind, number[flag.node], number[flag.cell.node], flag.cell.field, flag.field, flag.number]
            for flag in listed
        ],
        "possible": sorted(position[flag] for flag in flags),
    }
    if isinstance(function, Diagram):
        found["diagram"] = [[position[flag], low, high] for flag, low, high in function.nodes]
        found["root"] = function.root
    else:
        found["clauses"] = [[[position[flag], int(value)] for flag, value in clause] for clause in function.clauses]
    return found


def _node(name: Name, node: Node | None) -> dict[str, Any]:
    found: dict[str, Any] = {"kind": name.kind, "key": list(name.key)}
    if node is not None:
        found |= {"type": node.type, "region": node.storage.value, "summary": node.summary, "element": node.element}
    return found


# --- reading ---------------------------------------------------------------------------------------------------------


class AbstractHeapReader(CertificateReader):
    """The abstract heap of each location, with a Boolean function that is evaluated without its domain."""

    def __init__(self, program: Program, part: Mapping[str, Any]) -> None:
        super().__init__(program)
        self.offsets = PointerOffsets(program)
        self.wanted = frozenset(map(str, part["fields"]))
        self.constants = {str(name): tuple(map(int, values)) for name, values in part["constants"].items()}
        self.read = self.offsets.names(self.wanted)
        sets = tuple(frozenset(map(str, one)) for one in part["sets"])
        self.instrumentation = Instrumentation(bool(part["counts_out"]), bool(part["counts_into"]), sets)
        self.scopes = bool(part["scopes"])
        self.acyclic = frozenset(map(str, part["acyclic"]))
        self.anchors = frozenset(map(str, part.get("anchors", ())))
        self.rooted = bool(part.get("rooted", False))
        self.arbitrary = {int(location): str(name) for location, name in part["arbitrary"].items()}
        self.members = self.by_location(part, self._member)

    def _member(self, location: int, known: Mapping[str, Any]) -> Membership:
        names = [Name(str(node["kind"]), tuple(map(str, node["key"]))) for node in known["nodes"]]

        def name(index: int) -> Name:
            return names[index] if index >= 0 else NOWHERE

        flags = [
            Flag(str(kind), name(node), Cell(name(holder), str(cell)), str(field), int(number))
            for kind, node, holder, cell, field, number in known["flags"]
        ]
        nodes = {
            name: Node(
                str(node["type"]), Storage(node["region"]), bool(node["summary"]), element=str(node.get("element", ""))
            )
            for name, node in zip(names, known["nodes"], strict=True)
            if "type" in node
        }
        live = frozenset((*self.pointers(location), *self.live(location, ValueKind.DATA)))
        return Membership(
            nodes,
            frozenset(flags[index] for index in known["possible"]),
            _function(known, flags).allows,
            live,
            self.read,
            self.instrumentation,
            self.offsets.constants(live, self.constants),
            self.acyclic,
            self.arbitrary.get(location, ""),
            self.anchors,
            rooted=self.rooted,
        )

    def pointers(self, location: int) -> tuple[str, ...]:
        kept = kept_variables(self.liveness, location, scopes=self.scopes) & self.liveness.pointers
        return tuple(name for name in self.program.variables if kept & self.liveness.bit(name))

    def nulls(self, location: int) -> tuple[str, ...]:
        return tuple(name for name in self.pointers(location) if name not in self.live(location, ValueKind.POINTER))

    def contains(self, location: int, heap: Snapshot) -> bool | None:
        member = self.members.get(location)
        if member is None:
            return False
        blocks = whole_blocks(heap, self.offsets)
        return None if blocks is None else member.answer(blocks, lost=heap.lost)

    @cached_property
    def values(self) -> Mapping[str, tuple[int, ...]]:
        numbers = {name: known for name, known in self.constants.items() if name not in self.offsets.choices}
        return {name: and_another(constants) for name, constants in numbers.items()}

    @cached_property
    def _named(self) -> Mapping[str, tuple[str, str]]:
        """Types and fields by what the engine calls a field; both may have dots in their names."""
        return {f"{t.name}.{f.name}": (t.name, f.name) for t in self.program.types.values() for f in t.fields}

    @cached_property
    def pointer_fields(self) -> frozenset[tuple[str, str]]:
        return frozenset(self._named[key] for key in self.wanted if key in self._named)

    @cached_property
    def data_fields(self) -> Mapping[tuple[str, str], tuple[int, ...]]:
        return {self._named[key]: tries for key, tries in sorted(self.values.items()) if key in self._named}


def _function(known: Mapping[str, Any], flags: Sequence[Flag]) -> SerializedFunction:
    if "clauses" in known:
        return Clauses(
            tuple(tuple((flags[index], bool(value)) for index, value in clause) for clause in known["clauses"])
        )
    nodes = tuple((flags[index], int(low), int(high)) for index, low, high in known["diagram"])
    for index, (_, low, high) in enumerate(nodes):
        if not (0 <= low < index + 2 and 0 <= high < index + 2):
            raise ValueError("a node of a diagram leads to one that does not come before it")
    root = int(known["root"])
    if not 0 <= root < len(nodes) + 2:
        raise ValueError("a diagram has no such root")
    return Diagram(nodes, root)
