"""User-defined instrumentation predicates, in TVP syntax.

A file has declarations `%i`, and the sets and loops that those may stand in. Predicates of the analysis go by their
names; a name that is none of the language stands in quotes, and any other may.

    %i last(v) = r[list,node.next](v) & !(E(w) node.next(v, w))
    %i stale(v) = "junk node.next"(v) & heap(v)

A declaration `%p` says of predicates of the analysis whether objects that differ in them are kept apart; in quotes, `*`
stands for anything:

    %p "r[*,tree.left]"(v) nonabs

Nothing else is accepted: a core predicate would have no updates, and a constraint or a property such as `unique` would
be trusted unchecked.
"""

from __future__ import annotations

import re
from dataclasses import replace

from heapwright.base.errors import InputError
from heapwright.base.immutable import Immutable
from heapwright.logic.vocabulary import Vocabulary
from heapwright.tvp.expansion.declarations import declared_arities, declared_predicates
from heapwright.tvp.expansion.formulas import Expander
from heapwright.tvp.preprocessing.preprocessor import preprocess
from heapwright.tvp.preprocessing.tokens import END, STRING, Token, lines
from heapwright.tvp.syntax.name_sets import Environment, resolve, unroll
from heapwright.tvp.syntax.program_parser import parse_declarations
from heapwright.tvp.syntax.token_stream import Stream
from heapwright.tvp.syntax.tree import (
    ConstraintSyntax,
    Declaration,
    FocusSyntax,
    MessageSyntax,
    Name,
    PredicateSyntax,
)

HARMLESS = ("abs", "nonabs")  # properties that claim nothing


class UserPredicates(Immutable):
    """The predicates of a file, for any vocabulary that has what they are defined by."""

    path: str

    def __call__(self, vocabulary: Vocabulary) -> Vocabulary:
        """The vocabulary with them; raises InputError at the span of an error."""
        program = parse_declarations(preprocess(self.path).tokens)
        declarations: list[tuple[Declaration, Environment]] = list(unroll(program.declarations, {}, program.sets))
        adjusted, defined = vocabulary, list[tuple[PredicateSyntax, Environment]]()
        for syntax, environment in declarations:
            accepted = _acceptable(syntax)
            if accepted.definition is not None:
                defined.append((accepted, environment))
            else:
                adjusted = _adjusted(adjusted, accepted, str(resolve(accepted.name, environment)))
        arities = {predicate.name: predicate.arity for predicate in vocabulary.predicates}
        for (syntax, _), (name, arity) in zip(defined, declared_arities(defined), strict=True):
            if name in vocabulary:
                raise InputError(f"the analysis has a predicate {name} already", syntax.token.span)
            arities[name] = arity
        added = declared_predicates(defined, _Expander(arities, program.sets))
        return Vocabulary((*adjusted.predicates, *added))


def _adjusted(vocabulary: Vocabulary, syntax: PredicateSyntax, name: str) -> Vocabulary:
    """Some predicates of the analysis take part in the abstraction, or do not."""
    pattern = re.compile(".*".join(map(re.escape, name.split("*"))))
    named = [p for p in vocabulary.predicates if p.name == name or pattern.fullmatch(p.name)]
    arity = len(syntax.parameters)
    fitting = {predicate.name for predicate in named if predicate.arity == arity}
    if not named:
        hint = "a new one needs a definition: %i"
        raise InputError(f"the analysis has no predicate {name}", syntax.token.span, hint)
    if not fitting or arity > 1:
        wrong = "two arguments and takes no part in abstraction" if arity > 1 else f"other arguments than {arity}"
        raise InputError(f"predicate {name} has {wrong}", syntax.token.span)
    abstraction = syntax.properties[-1].token.text == "abs"
    return Vocabulary(
        tuple(replace(p, abstraction=abstraction) if p.name in fitting else p for p in vocabulary.predicates)
    )


class _Expander(Expander):
    """Expander with the predicates of the analysis only: those that are built in to TVP are undefined here."""

    def predicate(self, name: Name, arity: int, token: Token, environment: Environment) -> str:
        flat = super().predicate(name, arity, token, environment)
        if flat not in self.arities:
            raise InputError(f"predicate {flat} is not defined for C programs", token.span)
        return flat


def _acceptable(syntax: Declaration) -> PredicateSyntax:
    match syntax:
        case PredicateSyntax(definition=None, properties=(), token=token):
            raise InputError(
                "only predicates with a definition (%i) can be added: others would have no updates", token.span
            )
        case PredicateSyntax(properties=properties):
            for item in properties:
                if item.token.text not in HARMLESS:
                    raise InputError(
                        f"property '{item.token.text}' is not allowed for user predicates",
                        item.token.span,
                        "it would be trusted unchecked; abs and nonabs are allowed",
                    )
            return syntax
        case ConstraintSyntax(token=token):
            raise InputError("a constraint is not allowed here: it would be trusted unchecked", token.span)
        case MessageSyntax(token=token):
            raise InputError("messages cannot be added to a program", token.span)
        case FocusSyntax(token=token):
            raise InputError("focus formulas cannot be added to a program", token.span)


def spelled(name: str) -> str:
    """How a predicate's name is written in a file: in quotes where it is no name of the language.

    >>> spelled("r[x,node.next]"), spelled("junk x")
    ('r[x,node.next]', '"junk x"')
    """
    try:
        tokens = [token for line in lines(name, "") for token in line]
        if tokens and tokens[0].kind != STRING:
            stream = Stream([*tokens, Token(END, "", "", 1, 1)])
            if str(stream.name()) == name and stream.token.kind == END:
                return name
    except InputError:
        pass
    return f'"{name}"'
