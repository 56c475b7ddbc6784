"""Pictures of 3-valued structures, as the papers draw them.

A caption describes how a predicate is drawn: as a variable's arrow, as a link between nodes, as a small label. Those of
a specification follow from its declarations (`captions_of`); an analysis of programs brings its own.

>>> from heapwright.logic.vocabulary import Predicate, Vocabulary
>>> from heapwright.engines.tvl.structures.structure import Draft
>>> signature = Signature(Vocabulary((Predicate("x", 1, pointer=True), Predicate("n", 2))))
>>> draft = Draft.empty(signature, 1)
>>> draft.may[signature.number["x"]] = 1
>>> drawn(draft.freeze(), captions_of(signature)).arrows
(HeapArrow(source='x', label='', target=1, certain=False),)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from heapwright.engines.tvl.structures.bit_sets import bits
from heapwright.engines.tvl.structures.structure import ACTIVE, BUILT_IN, SUMMARY, Signature, Structure
from heapwright.logic.formulas import Kleene
from heapwright.program.heap_picture import Fact, HeapArrow, HeapNode, HeapPicture


class Role(Enum):
    VARIABLE = "variable"  # unary: the variable `text` points to v
    JUNK = "junk"  # nullary: the variable `text` holds junk
    PART = "part"  # nullary: the variable `owner` points to the part `text` of its object
    LINK = "link"  # binary: an arrow with the label `text`
    LABEL = "label"  # unary: stands beside the node; nullary: in a corner
    STATE = "state"  # unary: what became of the object
    TYPE = "type"  # unary: its type
    HEAP = "heap"  # unary: it lives on the heap
    VALUE = "value"  # nullary or unary: `text` has the value `value`
    REACHED = "reached"  # unary: v is reached from a variable; left out where definite arrows say it
    SHARED = "shared"  # unary: two arrows lead to v; left out where definite arrows say it
    INVERSE = "inverse"  # unary: where arrows lead from v, others lead back; left out where definite arrows say it


@dataclass(frozen=True, slots=True)
class Caption:
    """How the predicate of that number is drawn. What is `REACHED` is so from the variable number `start` along links
    of the numbers `along`, or because one of the predicates `because` says so; arrows `along` count for `SHARED`; those
    from `INVERSE` are `along`, those back `because`."""

    predicate: int
    arity: int
    role: Role
    text: str
    value: int = 0
    owner: str = ""  # of a part: the variable; of a value: the type of the objects that have it, if any
    start: int = -1
    along: tuple[int, ...] = ()
    because: tuple[int, ...] = ()
    shown: frozenset[Kleene] = frozenset((Kleene.TRUE, Kleene.HALF))


def captions_of(signature: Signature) -> tuple[Caption, ...]:
    """Captions of the predicates of a specification; closures of arrows are not drawn."""
    found: list[Caption] = []
    for number, predicate in enumerate(signature.predicates):
        paths = predicate.definition is not None and predicate.transitive and predicate.reflexive
        if number < len(BUILT_IN) or not predicate.shown or paths:
            continue
        role = Role.LINK if predicate.arity == 2 else Role.VARIABLE if predicate.pointer else Role.LABEL
        found.append(Caption(number, predicate.arity, role, predicate.name, shown=predicate.shown))
    return tuple(found)


def drawn(structure: Structure, captions: Sequence[Caption]) -> HeapPicture:
    """The picture of a structure. Its nodes are numbered from 1 in the order in which the arrows lead to them."""
    drawing = _Drawing(structure, captions)
    identity = {node: number for number, node in enumerate(drawing.order(), 1)}
    may, must = structure.may, structure.must
    nodes: list[HeapNode] = []
    for node, number in identity.items():
        summary = bool(may[SUMMARY] >> node & 1)
        optional = not must[ACTIVE] >> node & 1
        nodes.append(drawing.node(node, number, summary, optional))
    arrows = [*drawing.variables(identity), *drawing.links(identity)]
    return HeapPicture(tuple(nodes), tuple(arrows), drawing.data(0, 0), tuple(drawing.facts(0, 0)))


class _Drawing:
    def __init__(self, structure: Structure, captions: Sequence[Caption]) -> None:
        self.structure = structure
        self.n = structure.n
        self.captions = captions
        self.implied = {c.predicate: self._reached(c) for c in self.of(Role.REACHED)}
        self.implied |= {c.predicate: self._shared(c) for c in self.of(Role.SHARED)}
        self.implied |= {c.predicate: self._inverse(c) for c in self.of(Role.INVERSE)}

    def value(self, caption: Caption, bit: int) -> Kleene:
        """The displayed value of a predicate at a node or pair; a hidden value counts as 0."""
        predicate = caption.predicate
        if not self.structure.may[predicate] >> bit & 1:
            return Kleene.FALSE
        value = Kleene.TRUE if self.structure.must[predicate] >> bit & 1 else Kleene.HALF
        return value if value in caption.shown else Kleene.FALSE

    def of(self, *roles: Role) -> Iterator[Caption]:
        return (caption for caption in self.captions if caption.role in roles)

    # --- nodes ----------------------------------------------------------------------------------------------------

    def order(self) -> list[int]:
        """Nodes as variables and links lead to them; definite arrows first."""
        found: dict[int, None] = {}
        starts = [(caption, node) for caption in self.of(Role.VARIABLE) for node in range(self.n)]
        for wanted in (Kleene.TRUE, Kleene.HALF):
            for caption, node in starts:
                if self.value(caption, node) is wanted:
                    self._follow(node, found)
        for node in range(self.n):
            self._follow(node, found)
        return list(found)

    def _follow(self, start: int, found: dict[int, None]) -> None:
        waiting = [start]
        while waiting:
            node = waiting.pop()
            if node in found:
                continue
            found[node] = None
            onward = [
                target
                for wanted in (Kleene.TRUE, Kleene.HALF)
                for caption in self.of(Role.LINK)
                for target in range(self.n)
                if self.value(caption, node * self.n + target) is wanted
            ]
            waiting.extend(reversed(onward))

    def node(self, node: int, number: int, summary: bool, optional: bool) -> HeapNode:
        certain = {role: self._certain(role, node) for role in (Role.STATE, Role.TYPE, Role.HEAP)}
        facts = [Fact(c.text, False) for c in self.of(Role.STATE, Role.TYPE) if self.value(c, node) is Kleene.HALF]
        return HeapNode(
            number,
            certain[Role.TYPE],
            "heap" if certain[Role.HEAP] or not any(self.of(Role.HEAP)) else "",
            certain[Role.STATE] or "live",
            self.data(1, node),
            summary=summary,
            optional=optional,
            facts=(*facts, *self.facts(1, node)),
        )

    def _certain(self, role: Role, node: int) -> str:
        return next((c.text for c in self.of(role) if self.value(c, node) is Kleene.TRUE), "")

    def facts(self, arity: int, bit: int) -> Iterator[Fact]:
        """The labels of a node, or those of the whole structure."""
        for caption in self.of(Role.LABEL, Role.REACHED, Role.SHARED, Role.INVERSE):
            value = self.value(caption, bit)
            if caption.arity != arity or value is Kleene.FALSE:
                continue
            if not self.implied.get(caption.predicate, 0) >> bit & 1:
                yield Fact(caption.text, value is Kleene.TRUE)
        type_ = self._certain(Role.TYPE, bit) if arity else ""
        for name, values in self._values(arity):
            elsewhere = type_ and values[0].owner not in ("", type_)  # objects of that type have no such field
            if not elsewhere and not any(self.value(caption, bit) is Kleene.TRUE for caption in values):
                excluded = [str(c.value) for c in values if self.value(c, bit) is Kleene.FALSE]
                if excluded:
                    yield Fact(f"{name} != {', '.join(excluded)}")

    def data(self, arity: int, bit: int) -> tuple[tuple[str, str], ...]:
        """Integers whose value is known."""
        return tuple(
            (name, str(caption.value))
            for name, values in self._values(arity)
            for caption in values
            if self.value(caption, bit) is Kleene.TRUE
        )

    def _values(self, arity: int) -> Iterator[tuple[str, list[Caption]]]:
        groups: dict[str, list[Caption]] = {}
        for caption in self.of(Role.VALUE):
            if caption.arity == arity:
                groups.setdefault(caption.text, []).append(caption)
        yield from groups.items()

    # --- arrows ---------------------------------------------------------------------------------------------------

    def variables(self, identity: dict[int, int]) -> Iterator[HeapArrow]:
        """Targets of variables. One that points nowhere is null unless it is junk."""
        junk = {caption.text: self.value(caption, 0) for caption in self.of(Role.JUNK)}
        parts = {c.owner: f"&{c.text}" for c in self.of(Role.PART) if self.value(c, 0) is Kleene.TRUE}
        for caption in self.of(Role.VARIABLE):
            maybe_junk = junk.get(caption.text, Kleene.FALSE)
            if not self.structure.may[caption.predicate] and maybe_junk is not Kleene.TRUE:
                yield HeapArrow(caption.text, "", "null", maybe_junk is Kleene.FALSE)
            for node, number in identity.items():
                value = self.value(caption, node)
                if value is not Kleene.FALSE:
                    yield HeapArrow(caption.text, parts.get(caption.text, ""), number, value is Kleene.TRUE)
            if maybe_junk is not Kleene.FALSE:
                yield HeapArrow(caption.text, "", "junk", maybe_junk is Kleene.TRUE)

    def links(self, identity: dict[int, int]) -> Iterator[HeapArrow]:
        for source, number in identity.items():
            for caption in self.of(Role.LINK):
                for target, other in identity.items():
                    value = self.value(caption, source * self.n + target)
                    if value is not Kleene.FALSE:
                        yield HeapArrow(number, caption.text, other, value is Kleene.TRUE)

    def _reached(self, caption: Caption) -> int:
        """Nodes that definite arrows lead to from the variable, so that no label is needed."""
        must = self.structure.must
        found = must[caption.start]
        for predicate in caption.because:
            found |= must[predicate]
        fresh = found
        while fresh:
            reached = 0
            for node in bits(fresh):
                for link in caption.along:
                    reached |= must[link] >> node * self.n & (1 << self.n) - 1
            fresh = reached & ~found
            found |= fresh
        return found & must[caption.predicate]

    def _shared(self, caption: Caption) -> int:
        """Nodes that two definite arrows lead to."""
        arrows = [0] * self.n
        for link in caption.along:
            for bit in bits(self.structure.must[link]):
                arrows[bit % self.n] += 1
        known = sum(1 << node for node in range(self.n) if arrows[node] > 1)
        for predicate in caption.because:
            known |= self.structure.must[predicate]
        return known

    def _inverse(self, caption: Caption) -> int:
        """Nodes from which no arrow leads, or a definite one with a definite one back."""
        may, must, n = self.structure.may, self.structure.must, self.n
        known = 0
        for node in range(n):
            row = sum(may[link] >> node * n & (1 << n) - 1 for link in caption.along)
            forth = [target for link in caption.along for target in bits(must[link] >> node * n & (1 << n) - 1)]
            back = any(must[link] >> target * n + node & 1 for target in forth for link in caption.because)
            known |= (not row or back) << node
        return known
