"""A vocabulary of lists, and actions on them, for tests."""

from __future__ import annotations

import random

from heapwright.logic.actions import Action, NewNodes, Update
from heapwright.logic.formulas import (
    FALSE,
    And,
    Atom,
    Equal,
    Exists,
    Formula,
    Not,
    Or,
    TransitiveClosure,
)
from heapwright.logic.vocabulary import Constraint, Predicate, Vocabulary


def at(name: str, *arguments: str) -> Formula:
    return Atom(name, arguments)


def reaches(source: str, target: str) -> Formula:
    return Or((Equal(source, target), TransitiveClosure(source, target, "a", "b", at("n", "a", "b"))))


def vocabulary(*, acyclic: bool, variables: str = "xy") -> Vocabulary:
    shared = Exists(("u", "w"), And((Not(Equal("u", "w")), at("n", "u", "v"), at("n", "w", "v"))))
    cyclic = Exists(("u",), And((at("n", "v", "u"), at("t", "u", "v"))))
    return Vocabulary(
        (
            Predicate("b", 0),
            *(Predicate(z, 1, unique=True) for z in variables),
            Predicate("n", 2, function=True, acyclic=acyclic),
            Predicate("is", 1, shared, ("v",)),
            Predicate("t", 2, reaches("v", "w"), ("v", "w"), transitive=True, reflexive=True),
            *(Predicate(f"r{z}", 1, Exists(("u",), And((at(z, "u"), at("t", "u", "v")))), ("v",)) for z in variables),
            *(() if acyclic else (Predicate("c", 1, cyclic, ("v",)),)),
            Predicate("lone", 0, Exists(("u",), And(tuple(Not(at(f"r{z}", "u")) for z in variables)))),
        )
    )


def order() -> tuple[Constraint, ...]:
    """What holds of reachability along a field, which has one value: edges are paths, and what a node reaches lies in
    one line."""
    apart = Exists(("u",), And((at("t", "u", "v"), at("t", "u", "w"), Not(at("t", "v", "w")))))
    return (
        Constraint(Not(at("t", "v", "w")), Not(at("n", "v", "w"))),
        Constraint(Not(at("t", "v", "w")), Not(Equal("v", "w"))),
        Constraint(apart, at("t", "w", "v")),
    )


def actions(source: random.Random, variables: str = "xy") -> Action:
    """One of the statements of a list program, with random variables, sometimes without focus."""
    x, y = source.choice(variables), source.choice(variables)
    at_x, at_y = at(x, "v"), at(y, "v")
    next_of_y = Exists(("u",), And((at(y, "u"), at("n", "u", "v"))))
    some_x = Exists(("v",), at_x)
    choices = [
        Action("null", updates=(Update(x, ("v",), FALSE),)),
        Action("copy", focus=(at_y,), updates=(Update(x, ("v",), at_y),)),
        Action("next", focus=(next_of_y,), updates=(Update(x, ("v",), next_of_y),)),
        Action("blind next", updates=(Update(x, ("v",), next_of_y),)),
        Action(
            "cut",
            focus=(at_x,),
            precondition=some_x,
            updates=(Update("n", ("v", "w"), And((at("n", "v", "w"), Not(at_x)))),),
        ),
        Action(
            "link",
            focus=(at_x, at_y),
            precondition=Not(Exists(("v", "w"), And((at_x, at("n", "v", "w"))))),
            updates=(Update("n", ("v", "w"), Or((at("n", "v", "w"), And((at_x, at(y, "w")))))),),
        ),
        Action("blind cut", updates=(Update("n", ("v", "w"), And((at("n", "v", "w"), Not(at_x)))),)),
        Action("malloc", new=NewNodes(), updates=(Update(x, ("v",), at("isNew", "v")),)),
        Action("free", focus=(at_x,), precondition=some_x, retain=("v", Not(at_x))),
        Action("blind free", retain=("v", Not(at_x))),
        Action("test", focus=(at_x,), precondition=some_x),
        Action("pick", precondition=at(f"r{y}", "p"), updates=(Update(x, ("v",), Equal("v", "p")),)),
        Action("set", updates=(Update("b", (), Exists(("v",), And((at_x, at_y)))),)),
    ]
    return source.choice(choices)
