"""Actions applied to arguments, and the control-flow graph that they label.

An action is a macro over names: its arguments are substituted into formulas, titles and messages. Equal uses give the
same value.
"""

from __future__ import annotations

from heapwright.base.errors import InputError
from heapwright.logic.actions import Action, Message, NewNodes, Update
from heapwright.logic.formulas import TRUE, Exists, Formula, free_variables
from heapwright.program.graph import Edge, Graph, Location
from heapwright.tvp.expansion.declarations import Declarations
from heapwright.tvp.expansion.formulas import Expander
from heapwright.tvp.preprocessing.tokens import Token
from heapwright.tvp.specification import Remark
from heapwright.tvp.syntax.name_sets import Environment, members, unroll
from heapwright.tvp.syntax.tree import ActionSyntax, EdgeSyntax, LocatedFormula, MessageSyntax, Name, ProgramSyntax


class Actions:
    def __init__(self, program: ProgramSyntax, declared: Declarations, expander: Expander) -> None:
        self.program = program
        self.declared = declared
        self.expander = expander
        self.remarks: list[Remark] = []
        self._known: dict[tuple[str, tuple[Name, ...]], Action] = {}

    def graph(self, function: str) -> tuple[Graph[Action], tuple[str, ...]]:
        """The control-flow graph and the names of its locations, in the order in which they appear."""
        first_uses: dict[str, Token] = {}
        for edge in self.program.edges:
            first_uses.setdefault(edge.source.text, edge.source)
            first_uses.setdefault(edge.target.text, edge.target)
        labels = tuple(first_uses)
        numbers = {label: number for number, label in enumerate(labels)}
        locations = tuple(Location(number, first_uses[label].span, function) for number, label in enumerate(labels))
        edges = tuple(
            Edge(numbers[edge.source.text], self.action(edge), numbers[edge.target.text], (), edge.source.span)
            for edge in self.program.edges
        )
        return Graph(locations, edges, 0), labels

    def action(self, use: EdgeSyntax) -> Action:
        syntax = self.program.actions.get(use.action.text)
        if syntax is None:
            raise InputError(f"action {use.action.text} is not defined", use.action.span)
        if len(use.arguments) != len(syntax.parameters):
            raise InputError(
                f"action {use.action.text} has {len(syntax.parameters)} parameters, not {len(use.arguments)}",
                use.action.span,
            )
        key = use.action.text, use.arguments
        found = self._known.get(key)
        if found is None:
            try:
                found = self._known[key] = self._expand(syntax, use.arguments)
            except InputError as error:
                if error.span == use.action.span:
                    raise
                called = f"{use.action.text}({', '.join(map(str, use.arguments))})"
                where = f"line {use.action.line}"
                if error.span is None or error.span.file != use.action.file:
                    where = f"{use.action.file}:{use.action.line}"
                raise InputError(f"{error.message} (in {called} of {where})", error.span, error.hint) from None
        return found

    def _expand(self, syntax: ActionSyntax, arguments: tuple[Name, ...]) -> Action:
        expander, sets = self.expander, self.program.sets
        environment: dict[str, Name] = dict(zip(syntax.parameters, arguments, strict=True))
        for variable, expression in syntax.fixed:
            first = members(expression, environment, sets)
            if not first:
                raise InputError(f"the set of %param {variable.text} is empty", variable.span)
            environment[variable.text] = first[0]
        precondition = expander.whole_formula(syntax.precondition, environment) if syntax.precondition else None
        bound = free_variables(precondition) if precondition is not None else frozenset()
        focus = tuple(expander.whole_formula(*item) for item in unroll(syntax.focus, environment, sets))
        for message in self.declared.messages:
            _check_free(message.formula, bound, "a message", syntax.name)
        return Action(
            expander.message(syntax.title, environment),
            focus + self.declared.focus,
            precondition,
            self._messages(syntax.messages, environment, bound) + self.declared.messages,
            self._new(syntax, environment, bound),
            self._updates(syntax, environment, bound),
            self._retain(syntax.retain, environment, bound),
            self._messages(syntax.messages_after, environment, bound, after=True),
            syntax.name.span,
        )

    def _messages(
        self, messages: tuple[MessageSyntax, ...], environment: Environment, bound: frozenset[str], after: bool = False
    ) -> tuple[Message, ...]:
        found: list[Message] = []
        for message in messages:
            formula = self.expander.whole_formula(message.formula, environment)
            if after and (free := tuple(sorted(free_variables(formula) - bound))):
                remark = f"nothing binds {', '.join(free)} in this message: read as E({','.join(free)})"
                self.remarks.append(Remark(remark, message.token.span))
                formula = Exists(free, formula)
            what = "a message after the update" if after else "a message"
            _check_free(formula, frozenset() if after else bound, what, message.formula.token)
            found.append(Message(formula, self.expander.message(message.text, environment), message.token.span))
        return tuple(found)

    def _new(self, syntax: ActionSyntax, environment: Environment, bound: frozenset[str]) -> NewNodes | None:
        if syntax.new is not None and syntax.clone is not None:
            raise InputError("an action has either %new or %clone", syntax.clone[0].span)
        for section, clone in ((syntax.new, False), (syntax.clone, True)):
            if section is None:
                continue
            token, located = section
            formula = self.expander.whole_formula(located, environment) if located is not None else TRUE
            if formula == TRUE and not clone:
                return NewNodes()
            return NewNodes(_only_variable(formula, bound, token.text, token), formula, clone)
        return None

    def _updates(self, syntax: ActionSyntax, environment: Environment, bound: frozenset[str]) -> tuple[Update, ...]:
        found: dict[str, Update] = {}
        for update, inner in unroll(syntax.updates, environment, self.program.sets):
            predicate = self.expander.predicate(update.name, len(update.parameters), update.token, inner)
            clash = [variable for variable in update.parameters if variable in bound]
            if clash:
                raise InputError(f"{clash[0]} is already bound by the precondition", update.token.span)
            if len(set(update.parameters)) < len(update.parameters):
                raise InputError(f"the update of {predicate} has two parameters of the same name", update.token.span)
            formula = self.expander.whole_formula(update.formula, inner)
            _check_free(formula, bound.union(update.parameters), f"the update of {predicate}", update.formula.token)
            if predicate in found:
                self.remarks.append(Remark(f"{predicate} is updated twice; the last update counts", update.token.span))
            found[predicate] = Update(predicate, update.parameters, formula, update.derived)
        return tuple(found.values())

    def _retain(
        self, located: LocatedFormula | None, environment: Environment, bound: frozenset[str]
    ) -> tuple[str, Formula] | None:
        if located is None:
            return None
        formula = self.expander.whole_formula(located, environment)
        return _only_variable(formula, bound, "%retain", located.token), formula


def _check_free(formula: Formula, allowed: frozenset[str], what: str, token: Token) -> None:
    extra = sorted(free_variables(formula) - allowed)
    if extra:
        raise InputError(f"{what} has the free variable {extra[0]}, which nothing binds", token.span)


def _only_variable(formula: Formula, bound: frozenset[str], what: str, token: Token) -> str:
    free = sorted(free_variables(formula) - bound)
    if len(free) != 1:
        counted = f"{len(free)}: {', '.join(free)}" if free else "none"
        raise InputError(f"the formula of {what} must have one free variable, it has {counted}", token.span)
    return free[0]
