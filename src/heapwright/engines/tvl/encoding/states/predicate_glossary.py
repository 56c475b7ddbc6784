"""Descriptions of the predicates of a program's vocabulary, for users.

They are found by the form of the name: `junk x`, `t[node.next]`, `r[x,node.next]`. A predicate that is not in this
table is described by its definition.

    for predicate in heap.vocabulary.predicates:
        print(predicate.name, meaning(heap, predicate))
"""

from __future__ import annotations

import re

from heapwright.engines.tvl.encoding import predicate_names as names
from heapwright.engines.tvl.encoding.vocabulary import HeapVocabulary
from heapwright.logic.vocabulary import Predicate

FIXED = {
    names.FREED: "v was freed",
    names.ENDED: "the scope of v has ended",
    names.HEAP: "v lives on the heap",
    names.LOST: "a live heap block has become unreachable",
    names.INPUT: "v is a block of the input heap",
    names.PICKED: "v is the input block that is being chosen",
}

# In this order: the first pattern that matches applies.
PATTERNS = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"undecided (.+)", "the field {0} of the input block v has not been read yet"),
        (r"one of (.+)", "of the cells {0} of u, the one that is read leads to v"),
        (r"is (.+)", "v is of type {0}"),
        (r"key (.+)", "v carries the value of the integer variable {0}"),
        (r"value\[(.+)\]", "v is a value that {0} is compared with"),
        (r"dle\[(.+)\]", "{0} of u is at most that of v"),
        (r"deq\[(.+)\]", "{0} of u equals that of v"),
        (r"below\[(.+)\]", "the key of v is at most {0}"),
        (r"above\[(.+)\]", "the key of v is at least {0}"),
        (r"inOrder\[(.+?)([<>]=?)\]", "the key of what {0} leads to from v is {1} that of v"),
        (r"inOrder\[(.+)\]", "the key of v is at most that of what {0} leads to"),
        (r"new@(\d+)", "v comes from allocation {0}"),
        (r"call@(\d+)", "the record v belongs to call {0}"),
        (r"h\[(.+)\]", "v is reached from what a record of the chain from {0} on holds"),
        (r"p\[(.+),(\d+)\]", "a record of call {1} holds v in {0}"),
        (r"n\[(.+)\]", "the record v holds something in {0}"),
        (r"of\[([^,]+),(.+)\]", "the record of {0} holds v in {1}"),
        (r"nested\[([^,]+),(.+)\]", "from {0} on, records hold in {1} what is below what their callers hold"),
        (r"leads\[([^,]+),([^,]+),(.+)\]", "{1} leads from what the record v holds in {0} to what it holds in {2}"),
        (r"cut\[(.+)\]", "the arrow {0} of v closes a cycle"),
        (r"t\[\]", "a path along any fields leads from u to v"),
        (r"t\[(.+)\]", "v comes after u, or is u, in the order along {0}"),
        (r"o\[([^,]+),(.+)\]", "v is on the cycle of {1} that {0} leads to"),
        (r"c\[(.+)\]", "v is on a cycle of {0}"),
        (r"r\[([^,]+),(.+)\]", "v is reached from {0} along {1}"),
        (r"r\[([^,]+)\]", "v is reached from {0} along any fields"),
        (r"is\[\]", "two arrows lead to v"),
        (r"is\[(.+)\]", "two arrows {0} lead to v"),
        (r"b\[([^,]+),(.+)\]", "where {0} leads from v, {1} leads back"),
        (r"b\[(.+)\]", "where {0} leads from v, the field that goes with it leads back"),
        (r"has\[(.+)\]", "{0} of v leads somewhere"),
        (r"(.+)==(-?\d+)", "{0} is {1}"),
        (r"(.+)@", "{0} points to the start of its block"),
        (r"(.+)@\?", "{0} points somewhere into its block"),
        (r"(.+)@(.+)", "{0} points to {1} in its block"),
        (r"(.+) (null[-+]\d+)", "{0} holds the address {1}"),
    )
)


def meaning(heap: HeapVocabulary, predicate: Predicate) -> str:
    """A description, with v and u for the arguments; "" if there is only the definition."""
    name = predicate.name
    if name in FIXED:
        return FIXED[name]
    if name in (names.INPUTS, names.FRESH, names.KNOWN, names.OPEN):
        return "v is an auxiliary variable of the analysis"
    if name in heap.variables:
        return f"{'temporary' if heap.program.variables[name].temporary else 'variable'} {name} points to v"
    if name in heap.fields:
        return f"{name} of u leads to v"
    if name in heap.arrays:
        return f"one of the cells {name} of u leads to v"
    if name.startswith("junk "):
        return f"{name[5:]}{' of v' if predicate.arity else ''} holds junk"
    for pattern, words in PATTERNS:
        found = pattern.fullmatch(name)
        if found is not None:
            return words.format(*found.groups())
    return ""
