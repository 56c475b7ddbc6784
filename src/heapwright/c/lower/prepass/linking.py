"""Linking: translation units as one program, with models of undefined library functions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from heapwright.base.errors import InputError
from heapwright.c import ast
from heapwright.c.ast import FunctionDecl, TranslationUnit, VarDecl
from heapwright.c.diagnostics import OWN_PREFIX, own_names, unknown_own
from heapwright.c.executed_formats import reads_its_format
from heapwright.c.format_models import FAMILIES, FormatCall, format_call
from heapwright.c.library_models import format_unit, model_units
from heapwright.c.lower.prepass.tree_queries import called_name, called_variable, strip_casts, walk
from heapwright.c.types import CType, FunctionType, PointerType, Record

AT_EXIT = "hw_model_run_handlers"
BUILT_IN = "__builtin_"  # `__builtin_strlen` is `strlen`
_ALLOCATIONS = {"malloc", "calloc", "realloc", "alloca", "aligned_alloc"}
_ONLY_MEMORY = {"free", "realloc", "memset"}  # their `void *` arguments go nowhere


@dataclass(frozen=True)
class LinkedProgram:
    """Definitions by name; names that are private to a file are looked up in it first."""

    functions: dict[str, FunctionDecl]
    private: tuple[dict[str, FunctionDecl], ...]  # by unit
    unit_of: dict[int, int]  # id() of a function or variable -> its unit
    globals: dict[str, VarDecl]
    variables: tuple[VarDecl, ...]
    records: dict[str, Record]
    sources: dict[str, str]
    files: tuple[str, ...]
    pointer_bits: int
    models: frozenset[int]  # id() of functions and variables of models
    clones: tuple[FunctionDecl, ...] = ()  # of higher-order functions, one per function argument
    instances: Mapping[int, FunctionDecl] = field(default_factory=dict)  # id() of a call -> the clone that it calls
    bound: Mapping[int, FunctionDecl] = field(default_factory=dict)  # id() of a clone's parameter -> its function
    formats: Mapping[FormatCall, tuple[FunctionDecl, FunctionDecl]] = field(default_factory=dict)
    assumed: tuple[FunctionDecl, ...] = ()  # models of the user's own
    referred: frozenset[str] = frozenset()  # names of functions that the program refers to, without those of models

    @property
    def all_functions(self) -> list[FunctionDecl]:
        private = [function for table in self.private for function in table.values()]
        return [*self.functions.values(), *private, *self.clones]

    @property
    def constructors(self) -> list[FunctionDecl]:
        """The functions that run before main, in their order."""
        found = [one for one in self.all_functions if one.body is not None and one.attributes.constructor is not None]
        return sorted(found, key=lambda one: (one.attributes.constructor or 0, self.unit_of[id(one)], one.span.line))

    @property
    def destructors(self) -> list[FunctionDecl]:
        """The functions that run after main, in their order: the reverse of that of constructors."""
        found = [one for one in self.all_functions if one.body is not None and one.attributes.destructor is not None]
        found.sort(key=lambda one: (one.attributes.destructor or 0, self.unit_of[id(one)], one.span.line))
        return found[::-1]

    @cached_property
    def conversions(self) -> Mapping[CType, set[CType]]:
        """The types that pointers to a type are converted to or from."""
        bodies = [one.body for one in self.all_functions if one.body is not None and not self.is_model(one)]
        return _conversions([*bodies, *(one for one in self.variables if not self.is_model(one))])

    def resolve(self, decl: VarDecl) -> VarDecl:
        """The definition of a global."""
        if decl.storage in ("global", "extern") and not decl.file_static:
            return self.globals.get(decl.name, decl)
        return decl

    def is_model(self, decl: FunctionDecl | VarDecl) -> bool:
        return id(decl) in self.models

    def modelled(self, function: FunctionDecl) -> str:
        """The library function of a model."""
        return next((call.name for call, models in self.formats.items() if function in models), function.name)

    def called(self, call: ast.Call, user: FunctionDecl | VarDecl | None) -> FunctionDecl | None:
        """The function that a call resolves to statically: by name, or by a parameter that is bound to one function."""
        if id(call) in self.instances:
            return self.instances[id(call)]
        variable = called_variable(call)
        if variable is not None:
            return self.bound.get(id(variable))
        return self.find(called_name(call), user)

    def find(self, name: str, user: FunctionDecl | VarDecl | None) -> FunctionDecl | None:
        """The function that a name refers to in a function's body or in a variable's initialiser."""
        if user is not None:
            own = self.private[self.unit_of[id(user)]].get(name)
            if own is not None:
                return own
        found = self.functions.get(name)
        if name.startswith(BUILT_IN) and (found is None or found.body is None):
            plain = self.functions.get(name.removeprefix(BUILT_IN))
            return plain if plain is not None and plain.body is not None else found
        return found


def link(
    units: Sequence[TranslationUnit], executed: bool = False, given: Sequence[TranslationUnit] = ()
) -> LinkedProgram:
    """One program. If it is `executed`, models do real input and output. Models that are `given` come first."""
    program = _join(units, models=())
    for name, function in program.functions.items():
        if name.startswith(OWN_PREFIX) and function.body is None and name not in own_names():
            raise unknown_own(name, function.span)
    models = list(given)
    if models:
        program = _join(units, models=models)
    referred = frozenset(program.functions)
    calls = [call for call in _format_calls(program) if not (executed and reads_its_format(call))]
    names: dict[FormatCall, tuple[str, str]] = {}
    if calls:
        unit, names = format_unit(calls, units[0].model, executed)
        models.append(unit)
    while True:  # models may call others
        program = _join(units, models=models)
        known = {unit.file for unit in models}
        found = model_units(_undefined(program), units[0].model, executed)
        extra = [one for one in found if one.file not in known]
        if not extra:
            break
        models += extra
    formats = {
        call: (program.functions[quiet], program.functions[counting]) for call, (quiet, counting) in names.items()
    }
    assumed = [
        function
        for unit in given
        for name, function in unit.functions.items()
        if program.functions.get(name) is function and any(name in one.functions for one in units)
    ]
    return replace(program, formats=formats, assumed=tuple(assumed), referred=referred)


def _format_calls(program: LinkedProgram) -> Iterator[FormatCall]:
    """The calls of printf, scanf and the like, also through pointers."""
    families = [name for name in FAMILIES if name in program.functions and not _has_body(program, name)]
    for node in _calls(program) if families else ():
        name = called_name(node)
        for family in [name] if name in families else [] if name else families:
            call = format_call(node, family)
            if call is not None:
                yield call


def _has_body(program: LinkedProgram, name: str) -> bool:
    function = program.functions.get(name)
    return function is not None and function.body is not None


def _calls(program: LinkedProgram) -> Iterator[ast.Call]:
    for function in program.all_functions:
        if function.body is not None:
            yield from (node for node in walk(function.body) if isinstance(node, ast.Call))


def _join(units: Sequence[TranslationUnit], models: Sequence[TranslationUnit]) -> LinkedProgram:
    functions: dict[str, FunctionDecl] = {}
    private: list[dict[str, FunctionDecl]] = []
    unit_of: dict[int, int] = {}
    globals_: dict[str, VarDecl] = {}
    variables: list[VarDecl] = []
    records: dict[str, Record] = {}
    sources: dict[str, str] = {}
    of_models: set[int] = set()
    for number, unit in enumerate((*units, *models)):
        own: dict[str, FunctionDecl] = {}
        is_model = number >= len(units)
        for name, function in unit.functions.items():
            unit_of[id(function)] = number
            if is_model:
                of_models.add(id(function))
            if function.file_static:
                own[name] = function
            else:
                _define(functions, name, function, is_model)
        private.append(own)
        for variable in unit.globals:
            variables.append(variable)
            unit_of[id(variable)] = number
            if is_model:
                of_models.add(id(variable))
            if not variable.file_static:
                _define_global(globals_, variable)
        for key, record in unit.records.items():
            _define_record(records, key, record)
        if not is_model:
            sources.update(unit.sources)
    return LinkedProgram(
        functions,
        tuple(private),
        unit_of,
        globals_,
        tuple(variables),
        records,
        sources,
        tuple(unit.file for unit in units),
        units[0].model.pointer_bits,
        frozenset(of_models),
    )


def _define(functions: dict[str, FunctionDecl], name: str, function: FunctionDecl, is_model: bool) -> None:
    old = functions.get(name)
    if old is not None and function.body is not None and old.body is not None and not is_model:
        if function.attributes.weak:
            return
        if old.attributes.weak:
            functions[name] = function
            return
    if old is not None and old.body is not None and function.body is not None:
        if is_model:
            return
        raise InputError(f"redefinition of '{name}', first defined at {old.span}", function.span)
    if is_model and old is not None and not _same_shape(old.type, function.type):
        return  # a function of the program's own, called like one of the library
    if old is None or old.body is None:
        functions[name] = function


def _same_shape(declared: FunctionType, model: FunctionType) -> bool:
    """Whether a model can stand in for a declared function: it takes as many arguments, of the same kinds."""
    if not declared.parameters:
        return True  # declared without a prototype
    kinds = [[type(one) for one in function.parameters] for function in (declared, model)]
    return kinds[0] == kinds[1]


def _define_global(globals_: dict[str, VarDecl], variable: VarDecl) -> None:
    old = globals_.get(variable.name)
    if old is not None and old.storage != "extern" and variable.storage != "extern" and old.weak != variable.weak:
        if old.weak:
            globals_[variable.name] = variable
    elif old is None or old.storage == "extern" or (old.initializer is None and variable.storage != "extern"):
        globals_[variable.name] = variable
    elif old.initializer is not None and variable.initializer is not None:
        raise InputError(f"redefinition of '{variable.name}', first defined at {old.span}", variable.span)


def _define_record(records: dict[str, Record], key: str, record: Record) -> None:
    old = records.get(key)
    if old is None or not old.complete:
        records[key] = record
    elif record.complete and replace(old, span=record.span) != record:
        raise InputError(f"{record.name} differs from its definition at {old.span}", record.span)


def _undefined(program: LinkedProgram) -> set[str]:
    """Functions that are called and have no body, and variables that are declared only."""
    names = {name for name, variable in program.globals.items() if variable.storage == "extern"}
    if "atexit" in program.functions:
        names.add(AT_EXIT)
    for function in program.all_functions:
        if function.body is not None:
            for node in walk(function.body):
                if isinstance(node, ast.Call):
                    target = program.find(called_name(node), function)
                    if target is None or target.body is None:
                        names |= {called_name(node), called_name(node).removeprefix(BUILT_IN)}
    return names - {""}


def _conversions(roots: Iterable[ast.Block | VarDecl]) -> Mapping[CType, set[CType]]:
    found: dict[CType, set[CType]] = {}
    for root in roots:
        harmless: set[int] = set()
        for node in walk(root):
            if isinstance(node, ast.Call) and called_name(node) in _ONLY_MEMORY:
                harmless |= {id(one) for one in node.arguments}
            if not isinstance(node, ast.Cast) or node.decay or id(node) in harmless:
                continue
            operand = strip_casts(node.operand)
            if isinstance(operand, ast.Call) and called_name(operand) in _ALLOCATIONS:
                continue
            one, other = node.operand.type, node.type
            if isinstance(one, PointerType) and isinstance(other, PointerType) and one.to != other.to:
                found.setdefault(one.to, set()).add(other.to)
                found.setdefault(other.to, set()).add(one.to)
    return found
