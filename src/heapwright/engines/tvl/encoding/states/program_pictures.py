"""Pictures of the structures of a program: variables and fields have the user's names.

    pictures = ProgramPictures(heap, signature)
    pictures.at(location, structure)

Temporaries are drawn only where they point to an object, null variables only while they are live. Closures are not
drawn, being paths of the arrows that are; `r[x]` is left out where definite arrows say it. Any other predicate is drawn
by its name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.engines.tvl.structure_pictures import Caption, Role, captions_of, drawn
from heapwright.engines.tvl.structures.structure import Signature, Structure
from heapwright.logic.formulas import Kleene
from heapwright.program.dataflow.liveness import Liveness
from heapwright.program.heap_picture import HeapPicture

VALUE = re.compile("(.+)==(-?[0-9]+)")  # as `equals` writes it
OFFSET_TAG = re.compile("(.+)@(.*)")  # the part that a variable or cell points to; `new@1`: the site of an object
NEAR_NULL = re.compile("(.+) (null[+-][0-9]+)")  # a variable or cell holds an address near null
SCALAR = re.compile("[iu][0-9]+")  # the one field of a variable that is an object because its address is taken


class ProgramPictures:
    """Draws the structures of one program, equal ones once."""

    def __init__(self, heap: HeapVocabulary, signature: Signature) -> None:
        self.heap = heap
        self.signature = signature
        self.liveness = Liveness(heap.program)
        self._captions: dict[tuple[str, tuple[str, ...]], tuple[Caption, ...]] = {}
        self._drawn: dict[tuple[tuple[Caption, ...], Structure], HeapPicture] = {}

    def at(self, location: int, structure: Structure, without: frozenset[str] = frozenset()) -> HeapPicture:
        """`without` some variables."""
        function = self.heap.program.graph.locations[location].function
        variables = (name for name in self.heap.variables if name not in without)
        shown = tuple(name for name in variables if self._shown(name, location, structure))
        captions = self._captions.get((function, shown))
        if captions is None:
            captions = self._captions[function, shown] = program_captions(self.heap, self.signature, function, shown)
        picture = self._drawn.get((captions, structure))
        if picture is None:
            picture = self._drawn[captions, structure] = drawn(structure, captions)
        return picture

    def _shown(self, name: str, location: int, structure: Structure) -> bool:
        """Variables to draw: those that point to an object, and live ones."""
        live = self.liveness.at(location) & self.liveness.bit(name)
        named = not self.heap.program.variables[name].temporary
        return bool(structure.may[self.signature.number[name]]) or (named and bool(live))


def program_captions(
    heap: HeapVocabulary, signature: Signature, function: str, shown: Sequence[str]
) -> tuple[Caption, ...]:
    """In the order of the vocabulary, what is not to be seen left out. Pointer variables are drawn if in `shown`, those
    of other functions than this one have its name before theirs."""
    known = _Captions(heap, signature, function, shown)
    table = {caption.predicate: caption for caption in captions_of(signature)}
    for number, other in table.items():
        table[number] = replace(other, text=known.shortened(other.text))
    families = (
        known.variables(),
        known.pointed_parts(),
        known.fields(),
        known.inverses(),
        known.objects(),
        known.data(),
        known.keys(),
        known.reachability(),
    )
    for caption in (caption for family in families for caption in family):
        table[caption.predicate] = caption
    hidden = known.hidden()
    return tuple(table[number] for number in sorted(table) if number not in hidden)


class _Captions:
    def __init__(self, heap: HeapVocabulary, signature: Signature, function: str, shown: Sequence[str]) -> None:
        self.heap = heap
        self.signature = signature
        self.function = function
        self.several = len(heap.fields) > 1
        found = (VALUE.fullmatch(name) for name in signature.number)
        self.values = [(match[1], int(match[2])) for match in found if match]
        self.shown = _distinct({name: self._shown(name) for name in shown})

    def _temporary(self, name: str) -> bool:
        variable = self.heap.program.variables.get(name)
        return variable is not None and variable.temporary

    def _unseen(self, name: str) -> bool:
        return name in self.heap.program.variables and name not in self.shown

    def _shown(self, name: str) -> str:
        variable = self.heap.program.variables[name]
        if variable.temporary:
            return f"{variable.function}()" if name.endswith("$result") else name
        elsewhere = variable.function not in ("", self.function)
        return f"{variable.function}:{variable.source_name}" if elsewhere else variable.source_name

    def caption(self, name: str, role: Role, text: str) -> Iterator[Caption]:
        """That of a predicate, if the vocabulary has it."""
        number = self.signature.number.get(name)
        if number is not None:
            yield Caption(number, self.signature.arity[number], role, text)

    def numbers(self, predicates: Iterable[str]) -> tuple[int, ...]:
        return tuple(self.signature.number[name] for name in predicates if name in self.signature.number)

    def variables(self) -> Iterator[Caption]:
        for name, text in self.shown.items():
            yield from self.caption(name, Role.VARIABLE, text)
            yield from self.caption(names.junk(name), Role.JUNK, text)

    def pointed_parts(self) -> Iterator[Caption]:
        """Parts that variables point to, where it is more than the start, and addresses near null."""
        for name in self.signature.number:
            match = OFFSET_TAG.fullmatch(name)
            if match and match[1] in self.shown and match[2].isidentifier():
                for caption in self.caption(name, Role.PART, match[2]):
                    yield replace(caption, owner=self.shown[match[1]])
            match = NEAR_NULL.fullmatch(name)
            if match and match[1] in self.shown:
                yield from self.caption(name, Role.LABEL, f"{self.shown[match[1]]} = {match[2]}")
            elif match and match[1] not in self.heap.program.variables:
                yield from self.caption(name, Role.LABEL, f"{short(match[1])}: {match[2]}")

    def fields(self) -> Iterator[Caption]:
        for field in self.heap.fields:
            yield from self.caption(field, Role.LINK, short(field))
            yield from self.caption(names.junk(field), Role.LABEL, f"{short(field)}: junk")
            yield from self.caption(names.cycle_name(field), Role.LABEL, self._along("c", field))
            for shared in self.caption(names.shared_name(field), Role.SHARED, self._along("is", field)):
                yield replace(shared, along=self.numbers((field,)))
        for shared in self.caption(names.shared_name(""), Role.SHARED, "is"):
            because = self.numbers(map(names.shared_name, self.heap.fields))
            yield replace(shared, along=self.numbers(self.heap.fields), because=because)

    def inverses(self) -> Iterator[Caption]:
        for backward in self.heap.fields:
            forward = [f for f in self.heap.fields if names.forth_name(f, backward) in self.signature.number]
            for field in forward:
                text = f"b[{short(field)},{short(backward)}]"
                for caption in self.caption(names.forth_name(field, backward), Role.INVERSE, text):
                    yield replace(caption, along=self.numbers((field,)), because=self.numbers((backward,)))
            for caption in self.caption(names.back_name(backward), Role.INVERSE, f"b[{short(backward)}]"):
                yield replace(caption, along=self.numbers((backward,)), because=self.numbers(forward))

    def shortened(self, text: str) -> str:
        """Names of fields without their types, also inside the names of predicates."""
        for field in sorted(self.heap.fields, key=len, reverse=True):
            text = text.replace(field, short(field))
        return text

    def _along(self, name: str, field: str) -> str:
        return f"{name}[{short(field)}]" if self.several else name

    def objects(self) -> Iterator[Caption]:
        yield from self.caption(names.FREED, Role.STATE, names.FREED)
        yield from self.caption(names.ENDED, Role.STATE, names.ENDED)
        yield from self.caption(names.HEAP, Role.HEAP, names.HEAP)
        for name in self.heap.types:
            yield from self.caption(names.is_type(name), Role.TYPE, name)

    def data(self) -> Iterator[Caption]:
        for name, value in self.values:
            variable = self.heap.program.variables.get(name)
            for caption in self.caption(
                names.equals(name, value), Role.VALUE, variable.source_name if variable else short(name)
            ):
                yield replace(caption, value=value, owner="" if variable else name.partition("#")[0].rpartition(".")[0])

    def keys(self) -> Iterator[Caption]:
        for keys in self.heap.keys:
            yield from self.caption(names.value_name(keys.name), Role.LABEL, "value")
            for name in keys.variables:
                yield from self.caption(
                    names.carries(name), Role.LABEL, f"= {self.heap.program.variables[name].source_name}"
                )
        for field in self.heap.fields:
            for caption in self.caption(names.in_order_name(field), Role.LABEL, f"inOrder[{short(field)}]"):
                yield replace(caption, shown=frozenset((Kleene.TRUE,)))

    def reachability(self) -> Iterator[Caption]:
        for name, shown in self.shown.items():
            start = self.signature.number[name]
            for field in self.heap.fields:
                text = f"r[{shown},{short(field)}]" if self.several else f"r[{shown}]"
                for caption in self.caption(names.reach_name(name, field), Role.REACHED, text):
                    yield replace(caption, start=start, along=self.numbers((field,)))
            for caption in self.caption(names.reach_name(name, ""), Role.REACHED, f"r[{shown}]"):
                because = self.numbers(names.reach_name(name, field) for field in self.heap.fields)
                yield replace(caption, start=start, along=self.numbers(self.heap.fields), because=because)

    def hidden(self) -> frozenset[int]:
        """Predicates that are not drawn: reachability from temporaries, everything about variables that are not shown,
        closures and the edge of a cycle that they leave out, and integers that the user did not name."""
        along = (*self.heap.fields, "")
        predicates: list[str] = []
        for name in self.heap.variables:
            if name not in self.shown:
                predicates += [name, names.junk(name)]
            if name not in self.shown or self._temporary(name):
                predicates += [names.reach_name(name, field) for field in along]
        predicates += [name for field in along for name in (names.closure_name(field), names.cut_name(field))]
        predicates += [names.equals(name, value) for name, value in self.values if self._temporary(name)]
        predicates += [
            names.carries(name) for keys in self.heap.keys for name in keys.variables if self._temporary(name)
        ]
        for name in self.signature.number:
            tag, near = OFFSET_TAG.fullmatch(name), NEAR_NULL.fullmatch(name)
            drawn = tag and tag[1] in self.shown and tag[2].isidentifier()
            if (tag and not drawn) or (near and self._unseen(near[1])):
                predicates.append(name)
        return frozenset(self.numbers(predicates))


def short(field: str) -> str:
    """The user's name of a cell, without the type.

    >>> short("node.next"), short("list_head.next#ready"), short("int.i32#second")
    ('next', 'ready.next', 'second')
    """
    whole, _, part = field.partition("#")
    name = whole.rpartition(".")[2]
    return name if not part else part if SCALAR.fullmatch(name) else f"{part}.{name}"


def _distinct(texts: dict[str, str]) -> dict[str, str]:
    """Inlined copies of a variable share their name in the source: they are distinguished by a number."""
    taken: dict[str, int] = {}
    result: dict[str, str] = {}
    for name, text in texts.items():
        taken[text] = taken.get(text, 0) + 1
        result[name] = text if taken[text] == 1 else f"{text}'{taken[text]}"
    return result
