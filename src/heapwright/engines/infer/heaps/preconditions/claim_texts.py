"""Claims about inputs in words, as formulas for people, and as C expressions with heapwright.h.

>>> ClaimText("given", ("x>0>0",)).words(["n"]), ClaimText("equal", ("x>0", "y")).macro(["n"])
('x has at least 3 objects', 'x != 0 && x->n == y')
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from heapwright.engines.infer.heaps.prover.terms import prefixes, shown, split

OR = " \N{LOGICAL OR} "


SHAPES = {
    "endless": (
        "{x} ≠ null ∧ ∀v. ¬{f}*({x}, v){or}∃w. {f}(v, w)",
        "{x} is not null, and following {f} from it never ends",
        "!hw_acyclic({x}, {f})",
    ),
    "ending": (
        "{x} = null{or}∃v. {f}*({x}, v) ∧ ∀w. ¬{f}(v, w)",
        "following {f} from {x} ends",
        "hw_acyclic({x}, {f})",
    ),
    "circle": ("∃v. {f}*({x}, v) ∧ {f}(v, {x})", "{x} is on a circle", "{x} != 0 && hw_cyclic({x}, {f})"),
    "straight": ("∀v. ¬{f}*({x}, v){or}¬{f}(v, {x})", "{x} is on no circle", "{x} == 0 || !hw_cyclic({x}, {f})"),
    "round": ("{x} = null{or}∃v. {f}*({x}, v) ∧ {f}(v, {x})", "{x} is null or on a circle", "hw_cyclic({x}, {f})"),
    "open": (
        "{x} ≠ null ∧ ∀v. ¬{f}*({x}, v){or}¬{f}(v, {x})",
        "{x} is not null, and on no circle",
        "!hw_cyclic({x}, {f})",
    ),
    "tree": ("{missing}tree[{f},{g}]({y})", "{y} is a tree by {f} and {g}", "{missing_c}hw_tree({y}, {f}, {g})"),
    "doubly": (
        "∀u,v. ¬{f}*({x}, u){or}¬{f}(u, v){or}{g}(v, u)",
        "the list {x} by {f} is doubly linked by {g}",
        "hw_dll({x}, {f}, {g})",
    ),
    "not doubly": (
        "∃u,v. {f}*({x}, u) ∧ {f}(u, v) ∧ ¬{g}(v, u)",
        "the list {x} by {f} is not doubly linked by {g}",
        "!hw_dll({x}, {f}, {g})",
    ),
    "no tree": ("{there}¬tree[{f},{g}]({y})", "{y} is no tree by {f} and {g}", "{there_c}!hw_tree({y}, {f}, {g})"),
}  # of cyclic fields, and of two: formula, words, C


@dataclass(frozen=True, slots=True)
class ClaimText:
    """A claim as it is written; the names are terms (`terms`)."""

    kind: str
    names: tuple[str, ...]
    field: int = 0
    other: int = 0
    aside: bool = False  # the length of a path is not that of a list: it may come back, or leave the list

    def text(self, fields: Sequence[str]) -> str:
        """Formula of first-order logic with reachability."""
        names, field = [shown(name, fields) for name in self.names], fields[self.field]
        missing = "".join(f"{name} = null{OR}" for name in self._read(fields))
        if self.kind in SHAPES:
            return self._shape(0, fields)
        match self.kind:
            case "null":
                return f"{missing}{names[0]} = null"
            case "given":
                return f"{names[0]} ≠ null"
            case "longer":
                return f"∃v. {field}({names[0]}, v)"
            case "short":
                return f"∀v. ¬{field}({names[0]}, v)"
            case "equal":
                return f"{names[0]} = {names[1]}"
            case "different":
                return f"{missing}{names[0]} ≠ {names[1]}"
            case "meeting":
                return f"∃v. {field}*({names[0]}, v) ∧ {field}*({names[1]}, v)"
            case "disjoint":
                return f"∀v. ¬{field}*({names[0]}, v){OR}¬{field}*({names[1]}, v)"
            case "leads":
                return f"{names[1]} = null{OR}{field}*({names[0]}, {names[1]})"
            case "apart":
                return f"{names[1]} = null{OR}¬{field}*({names[0]}, {names[1]})"
            case "last":
                return f"{field}*({names[0]}, {names[1]}) ∧ ∀v. ¬{field}({names[1]}, v)"
            case "before":
                return f"{names[1]} = null{OR}¬{field}*({names[0]}, {names[1]}){OR}∃v. {field}({names[1]}, v)"
            case "rising" | "falling":
                sign = "≤" if self.kind == "rising" else "≥"
                return f"∀u,v. ¬{field}*({names[0]}, u){OR}¬{field}(u, v){OR}u.{names[1]} {sign} v.{names[1]}"
            case "home":
                return f"∀v. ¬{fields[self.other]}({names[0]}, v){OR}{field}(v, {names[0]})"
            case "parted":
                return f"∀v. ¬{fields[self.other]}*({names[0]}, v){OR}¬{field}*({names[0]}, v){OR}v = {names[0]}"
            case _:
                reached = [f"{field}*({name}, v)" for name in names]
                return "∀v. " + OR.join(["¬alloc(v)", *reached])

    def words(self, fields: Sequence[str] = ("",)) -> str:
        """Plain English, with the name of the field if there are several."""
        names, field = [shown(name, fields) for name in self.names], fields[self.field]
        by = f" by {field}" if len(fields) > 1 else ""
        if self.kind in SHAPES:
            return self._shape(1, fields)
        match self.kind:
            case "null" | "given":
                return self._length(fields)
            case "longer":
                return f"{names[0]} has at least two objects{by}"
            case "short":
                return f"{names[0]} has no object after the first{by}"
            case "equal":
                return f"{names[0]} and {names[1]} are the same"
            case "different":
                missing = self._read(fields)
                unless = f"{' or '.join(missing)} is null, or " if missing else ""
                return f"{unless}{names[0]} and {names[1]} are not the same"
            case "meeting":
                return f"the lists {names[0]} and {names[1]} share an object{by}"
            case "disjoint":
                return f"the lists {names[0]} and {names[1]} share no object{by}"
            case "leads":
                return f"{names[0]} leads to {names[1]}{by}, or {names[1]} is null"
            case "apart":
                return f"{names[0]} does not lead to {names[1]}{by}, or {names[1]} is null"
            case "last" | "before":
                return f"{names[1]} is {'' if self.kind == 'last' else 'not '}the last object of {names[0]}{by}"
            case "rising" | "falling":
                never = "decreases" if self.kind == "rising" else "increases"
                return f"along the list {names[0]} {names[1]} never {never}"
            case "home":
                aside = f"{names[0]}->{fields[self.other]}"
                return f"{names[0]} or {aside} is null, or {aside}->{field} is {names[0]}"
            case "parted":
                return (
                    f"no object but {names[0]} is reached from {names[0]} both by {field} and by {fields[self.other]}"
                )
            case _:
                if not names:
                    return "no object is allocated"
                return f"every allocated object is reached from {' or '.join(names)}{by}"

    def _shape(self, form: int, fields: Sequence[str]) -> str:
        read = self._read(fields)
        parts = {
            "x": shown(self.names[0], fields),
            "y": shown(self.names[-1], fields),
            "f": fields[self.field],
            "g": fields[self.other],
            "or": OR,
            "missing": "".join(f"{name} = null{OR}" for name in read),
            "there": "".join(f"{name} ≠ null ∧ " for name in read),
            "missing_c": "".join(f"{name} == 0 || " for name in read),
            "there_c": "".join(f"{name} != 0 && " for name in read),
        }
        return SHAPES[self.kind][form].format_map(parts)

    def _length(self, fields: Sequence[str]) -> str:
        """Of a term that is null, or is not."""
        (variable, path), given = split(self.names[0]), self.kind == "given"
        name = shown(self.names[0], fields)
        if len(path) < (1 if self.aside else 2):
            return f"{name} is {'not ' if given else ''}null"
        if len(set(path)) == 1 and not self.aside:
            by = f" by {fields[path[0]]}" if len(fields) > 1 else ""
            return f"{variable} has at {f'least {len(path) + 1}' if given else f'most {len(path)}'} objects{by}"
        return f"{', '.join(self._read(fields))} {'and' if given else 'or'} {name} {'are not' if given else 'is'} null"

    def _read(self, fields: Sequence[str]) -> list[str]:
        """What is read before the values of the terms."""
        return list(dict.fromkeys(shown(one, fields) for name in self.names for one in prefixes(name)))

    def macro(self, fields: Sequence[str]) -> str | None:
        """C expression with heapwright.h; None if there is none."""
        names, field = [shown(name, fields) for name in self.names], fields[self.field]
        aside = f"{names[0]}->{fields[self.other]}" if names else ""
        read = self._read(fields)
        there, missing = [f"{name} != 0" for name in read], [f"{name} == 0" for name in read]
        if self.kind in SHAPES:
            return self._shape(2, fields)
        match self.kind:
            case "null":
                return " || ".join((*missing, f"{names[0]} == 0"))
            case "given":
                return " && ".join((*there, f"{names[0]} != 0"))
            case "longer":
                return " && ".join((*there, f"{names[0]} != 0", f"{names[0]}->{field} != 0"))
            case "short":
                return " || ".join((*missing, f"{names[0]} == 0", f"{names[0]}->{field} == 0"))
            case "equal":
                return " && ".join((*there, f"{names[0]} == {names[1]}"))
            case "different":
                return " || ".join((*missing, f"{names[0]} != {names[1]}"))
            case "disjoint":
                return " || ".join((*missing, f"hw_disjoint({names[0]}, {names[1]}, {field})"))
            case "meeting":
                return " && ".join((*there, f"!hw_disjoint({names[0]}, {names[1]}, {field})"))
            case "leads" | "apart":
                return self._reaching(names, field, fields)
            case "last":
                return f"{names[1]} != 0 && hw_reach({names[0]}, {names[1]}, {field}) && {names[1]}->{field} == 0"
            case "before":
                return f"{names[1]} == 0 || !hw_reach({names[0]}, {names[1]}, {field}) || {names[1]}->{field} != 0"
            case "rising":
                return f"hw_sorted({names[0]}, {field}, {names[1]})"
            case "falling":
                return f"hw_sorted_down({names[0]}, {field}, {names[1]})"
            case "home":
                return f"{names[0]} == 0 || {aside} == 0 || {aside}->{field} == {names[0]}"
            case "parted":
                return None
            case _:
                macro = {1: "hw_all_reachable", 2: "hw_all_reachable_from"}.get(len(names))
                return None if macro is None else f"{macro}({', '.join((*names, field))})"

    def _reaching(self, names: Sequence[str], field: str, fields: Sequence[str]) -> str:
        start = [shown(one, fields) for one in prefixes(self.names[0])]
        null = [f"{one} == 0" for one in (*(shown(one, fields) for one in prefixes(self.names[1])), names[1])]
        reach = f"hw_reach({names[0]}, {names[1]}, {field})"
        if self.kind == "apart":
            return " || ".join(dict.fromkeys((*null, *(f"{one} == 0" for one in start), f"!{reach}")))
        found = " && ".join((*(f"{one} != 0" for one in start), reach))
        return " || ".join((*null, f"({found})" if start else found))
