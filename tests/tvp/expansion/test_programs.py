"""Programs: sets, declarations, actions, the control-flow graph, and what is remarked."""

from __future__ import annotations

import pytest
from tvp.reading import END, LIST, Folder

from heapwright.logic.actions import Message, NewNodes, Update
from heapwright.logic.formulas import FALSE, TRUE, And, Atom, Equal, Exists, Kleene, Not, text
from heapwright.logic.vocabulary import Constraint
from heapwright.tvp.reader import read_program


@pytest.mark.parametrize(
    ("declaration", "expected"),
    [
        ("%s S {}", ""),
        ("%s S {a, r[b, c[d]]}", "a r[b,c[d]]"),
        ("%s S {a, b, a}", "a b"),
        ("%s T {a, b, c} %s S T - {b}", "a c"),
        ("%s T {a} %s S T + {b} + T", "a b"),
        ("%s S {a, b, c} - {a} + {a}", "b c a"),
        ("%s S {a, b, c} & {b, c, d} - {c}", "b"),
        ("%s S {a, b} - ({a, b} - {b})", "b"),
        ("%s S {a} %s S {b}", "a b"),
        ("%s S {a} %s S S + {b}", "a b"),
        ("%s T {a, b} %s S { i, q[i] : i in T }", "a q[a] b q[b]"),
        ("%pset S {a}", "a"),
    ],
)
def test_sets(folder: Folder, declaration: str, expected: str) -> None:
    assert " ".join(folder.declared(declaration).sets["S"]) == expected


def test_sets_may_grow_after_their_use_in_foreach(folder: Folder) -> None:
    found = folder.declared("%s S {a} foreach (z in S) { %p z(v) } %s S {b}").vocabulary
    assert [predicate.name for predicate in found.predicates] == ["a", "b"]


def test_foreach_nests_and_reaches_into_parameters(folder: Folder) -> None:
    found = folder.declared(
        """
        %s S {a, b} %s T {m[c]}
        foreach (z in S) {
          %p z(v)
          foreach (y in T + {z}) { %p at[y,z]() nonabs }
        }
        """
    )
    names = [predicate.name for predicate in found.vocabulary.predicates]
    assert names == ["a", "at[m[c],a]", "at[a,a]", "b", "at[m[c],b]", "at[b,b]"]


def test_properties_of_predicates(folder: Folder) -> None:
    found = folder.declared(
        """
        %p x(v) unique pointer
        %p y(v) box nonabs {}
        %p n(v, w) function invfunction acyclic {1, 1/2, 0}
        %p o(v, w) symmetric antisymmetric transitive reflexive antireflexive
        %p u(v) uniquePerCC(n) abs
        %p flag() nonabs
        %i t[n](v, w) = n*(v, w) transitive reflexive {1/2}
        """
    ).vocabulary
    x, y, n, o, u, flag, t = found.predicates
    assert (x.unique, x.pointer, x.abstraction, x.arity) == (True, True, True, 1)
    assert x.shown == {Kleene.TRUE, Kleene.HALF}
    assert (y.pointer, y.abstraction, y.shown) == (True, False, frozenset())
    assert (n.function, n.invfunction, n.acyclic, n.abstraction) == (True, True, True, False)
    assert n.shown == set(Kleene)
    assert all((o.symmetric, o.antisymmetric, o.transitive, o.reflexive, o.antireflexive))
    assert (u.unique_per_component, u.abstraction) == ("n", True)
    assert (flag.arity, flag.abstraction) == (0, False)
    assert (t.parameters, t.transitive, t.reflexive, t.shown) == (("v", "w"), True, True, frozenset({Kleene.HALF}))
    assert str(t.span) == "main.tvp:8:1"


def test_instrumentation_may_use_what_is_declared_later(folder: Folder) -> None:
    found = folder.declared("%i has() = E(v) y(v) %i y(v) = x(v) %p x(v)").vocabulary
    assert found["has"].definition == Exists(("v",), Atom("y", ("v",)))


def test_constraints(folder: Folder) -> None:
    found = folder.declared(
        """
        %s S {x, y} foreach (z in S) { %p z(v) %r z(v) & z(w) ==> v == w }
        %r x(v) | y(v) ==> !x(v)
        %r x(v) ==> v != w
        %r 1 ==> 0
        """
    ).constraints
    assert [f"{text(each.body)} ==> {text(each.head)}" for each in found] == [
        "(x(v) & x(w)) ==> v == w",
        "(y(v) & y(w)) ==> v == w",
        "(x(v) | y(v)) ==> !x(v)",
        "x(v) ==> v != w",
        "1 ==> 0",
    ]
    assert found[-1] == Constraint(TRUE, FALSE, found[-1].span)
    assert str(found[2].span) == "main.tvp:3:1"


def test_an_action_with_every_section(folder: Folder) -> None:
    action = folder.action(
        """
        %t "take " + lhs + " of " + r[n,lhs]
        %f { lhs(v), foreach (z in PVar - {lhs}) { z(v), E(w) z(w) & n(w, v) } }
        %p other(v1) & flag()
        %message (E(v) lhs(v)) -> "set: " + lhs
        %message !flag() & other(v1) -> lhs
        %new
        {
          lhs(v) = isNew(v)
          (flag()) = 1/2
          foreach (z in PVar - {lhs}) { z(v) = z(v) }
          n(a, b) = n(a, b) & !other(v1)
          r[n,x](v) = 0 auto
        }
        %retain !lhs(v) | other(v1)
        %message flag() -> "after"
        """,
        "go(x, y)",
        "go(lhs, other)",
    )
    assert action.title == "take x of r[n,x]"
    assert [text(formula) for formula in action.focus] == ["x(v)", "y(v)", "E(w) (y(w) & n(w,v))"]
    assert action.precondition == And((Atom("y", ("v1",)), Atom("flag", ())))
    assert [message.text for message in action.messages] == ["set: x", "x"]
    assert action.messages[1].formula == And((Not(Atom("flag", ())), Atom("y", ("v1",))))
    assert action.new == NewNodes()
    assert [update.predicate for update in action.updates] == ["x", "flag", "y", "n", "r[n,x]"]
    assert action.updates[0] == Update("x", ("v",), Atom("isNew", ("v",)))
    assert action.updates[-1] == Update("r[n,x]", ("v",), FALSE, derived=True)
    assert action.retain is not None
    assert action.retain[0] == "v"
    assert action.messages_after == (Message(Atom("flag", ()), "after", action.messages_after[0].span),)
    assert str(action.span).startswith("main.tvp:")


def test_new_and_clone_for_each_node(folder: Folder) -> None:
    assert folder.action("%new x(v)").new == NewNodes("v", Atom("x", ("v",)))
    assert folder.action("%clone x(v) & v == v").new == NewNodes(
        "v", And((Atom("x", ("v",)), Equal("v", "v"))), clone=True
    )
    assert folder.action("%p y(w) %new x(v) & y(w)").new == NewNodes("v", And((Atom("x", ("v",)), Atom("y", ("w",)))))


def test_arguments_are_substituted_at_once(folder: Folder) -> None:
    action = folder.action("%t x + y { x(v) = y(v) }", "go(y, x)", "go(x, y)")
    assert action.title == "yx"
    assert action.updates == (Update("y", ("v",), Atom("x", ("v",))),)


def test_equal_uses_are_one_value(folder: Folder) -> None:
    edges = folder.program(f"{LIST} %% %action go(z) {{ {{ z(v) = 0 }} }} %% a go(x) b b go(x) c c go(y) a").graph.edges
    assert edges[0].command is edges[1].command
    assert edges[0].command != edges[2].command


@pytest.mark.parametrize(
    ("written", "formula", "message"),
    [
        ('flag() -> "text"', "flag()", "text"),
        ('flag() -> flag() -> "a" + "b"', "(flag() | !flag())", "ab"),
        ("flag() -> x", "flag()", "x"),
        ('flag() -> r[n,x] + " held"', "flag()", "r[n,x] held"),
        ('flag() -> x + "." + y', "flag()", "x.y"),
        ('flag() -> E(v, w) n+(v, w) -> "a"', None, 'expected a formula, found "a"'),
        ('E(v) x(v) -> "a"', None, 'expected a formula, found "a"'),
        ('(E(v) x(v)) -> "a"', "E(v) x(v)", "a"),
        ('!flag() | flag() -> "a"', "(!flag() | flag())", "a"),
        (r'flag() -> "two\nlines"', "flag()", r"two\nlines"),
    ],
)
def test_messages(folder: Folder, written: str, formula: str | None, message: str) -> None:
    section = f"%message {written}"
    if formula is None:
        error = folder.failure(f"{LIST} %% %action go() {{ {section} }} {END}")
        assert (error.message, error.hint) == (message, "put a quantified formula before '->' in parentheses")
        return
    (found,) = folder.action(section).messages
    assert (text(found.formula), found.text) == (formula, message)


def test_global_focus_and_messages_reach_every_action(folder: Folder) -> None:
    head = LIST + '%f { x(v) } foreach (z in {x, y}) { %message (E(v) z(v)) -> "seen " + z }'
    action = folder.action('%f { y(v) } %message flag() -> "own"', declarations=head)
    assert [text(formula) for formula in action.focus] == ["y(v)", "x(v)"]
    assert [message.text for message in action.messages] == ["own", "seen x", "seen y"]


def test_graph(folder: Folder) -> None:
    found = folder.program(
        f"""{LIST} %% %action go() {{ }} %action set(z) {{ %t z {{ z(v) = 0 }} }} %%
        first go() "second part"
        "second part" set(x) first
        "second part" set(y) last
        %% last, "second part", none
        """
    )
    assert found.labels == ("first", "second part", "last")
    assert found.graph.entry == 0
    assert [(edge.source, edge.command.title, edge.target) for edge in found.graph.edges] == [
        (0, "", 1),
        (1, "x", 0),
        (1, "y", 2),
    ]
    assert found.printed == ("last", "second part")
    assert [remark.text for remark in found.remarks] == ["none, which is to be printed, is no label of the program"]
    assert {location.function for location in found.graph.locations} == {"main"}
    assert set(found.sources) == {"main.tvp"}


def test_unreachable_labels_are_remarked(folder: Folder) -> None:
    found = folder.program("%% %action go() { } %% a go() b c go() a").remarks
    assert [str(remark) for remark in found] == ["main.tvp:1:33: c cannot be reached from a"]


def test_decomposition_is_read_and_left_out_with_remarks(folder: Folder) -> None:
    found = folder.program(
        """
        %pset S {x, y} foreach (z in S) { %p z(v) %dname z(v) "name of " + z } %p n(v, w)
        %closecycle n -> x(v)
        %%
        %action go() {
          %param z in S
          %t "go " + z
          %frame_pre x(v) %compose x(v) & y(w) %frame y(v)
          %message [x(v)] (E(v) z(v)) -> "kept"
          %decompose
        }
        %action again() { %compose y(v) %decompose x(v) | y(v) }
        %% a go() b b again() c
        """
    )
    assert found.graph.edges[0].command.title == "go x"
    assert [message.text for message in found.graph.edges[0].command.messages] == ["kept"]
    remarked = {remark.text.split(" belongs")[0] for remark in found.remarks}
    assert remarked == {
        *("%pset", "%dname", "%closecycle", "%param", "%frame_pre", "%compose", "%frame", "%decompose"),
        "%message [formula]",
    }
    assert any(remark.text == "%compose belongs to decomposition and is ignored (2 times)" for remark in found.remarks)


def test_later_definitions_and_updates_count(folder: Folder) -> None:
    found = folder.program(f'{LIST} %% %action go() {{ %t "old" }} %action go() {{ {{ x(v) = 0 x(v) = 1 }} }} {END}')
    (edge,) = found.graph.edges
    assert edge.command.updates == (Update("x", ("v",), TRUE),)
    assert [remark.text for remark in found.remarks] == [
        "action go is defined again; the last definition counts",
        "x is updated twice; the last update counts",
    ]


def test_a_free_variable_of_a_later_message_is_read_as_quantified(folder: Folder) -> None:
    (message,) = folder.action('{ } %message x(v) -> "a"').messages_after
    assert message.formula == Exists(("v",), Atom("x", ("v",)))


def test_built_in_predicates_are_in_the_vocabulary_if_they_are_mentioned(folder: Folder) -> None:
    found = folder.declared("%r isthread(v) & runnable(v) ==> !outside(v)").vocabulary
    assert [(p.name, p.abstraction, p.unique) for p in found.predicates] == [
        ("isthread", True, False),
        ("runnable", False, True),
        ("outside", True, False),
    ]
    assert [p.name for p in folder.declared("%p ready(v) %p other(v)").vocabulary.predicates] == ["ready", "other"]


def test_the_suffix_may_be_left_out(folder: Folder) -> None:
    folder.put({"main.tvp": f"%% %action go() {{ }} {END}"})
    assert read_program("main").file == "main.tvp"
