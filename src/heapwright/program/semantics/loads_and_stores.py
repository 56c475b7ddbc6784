"""Loads and stores of fields and cells as functions of a state.

The usual case, a live object of the declared type, is two look-ups; `access.py` does the rest.

    execute = load(slot, base, want, target, span)
    location = execute(state)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heapwright.base.source import NOWHERE, Span
from heapwright.program.semantics.access import (
    AccessType,
    TypeMismatch,
    check_writable,
    converted,
    locate,
    read_data,
    read_pointer,
    write,
    write_as,
)
from heapwright.program.semantics.bytes import read_bytes, write_bytes
from heapwright.program.semantics.objects import JUNK, SCRAMBLED, UNREAD, UNSET, PointerValue
from heapwright.program.semantics.state import State
from heapwright.program.types import ValueKind

Execute = Callable[[State], int]


# --- fields ----------------------------------------------------------------------------------------------------------


def _slot_of(want: AccessType) -> int:
    """The slot where an access of the declared type finds its field, -1 if the declared type does not determine it."""
    return -1 if want.layout is None or want.cell else want.layout.slots[want.name]


def load(slot: int, base: int, want: AccessType, target: int, span: Span) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        variables = state.vars
        pointer = variables[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0:
            value = obj.fields[key]
            if value != UNREAD:
                variables[slot] = value
                return target
        variables[slot] = read_pointer(state, locate(state, pointer, want), span)
        return target

    return step


def store(base: int, want: AccessType, value: Callable[[State], PointerValue], target: int) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0 and not obj.protected:
            if obj.token is not state.token:
                obj = state.own(pointer)
            obj.fields[key] = value(state)
        else:
            place = locate(state, pointer, want)
            check_writable(state, pointer)
            write_as(state, place, value(state), want)
        return target

    return step


def load_data(slot: int, base: int, want: AccessType, target: int, span: Span) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        variables = state.vars
        pointer = variables[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0:
            value = obj.fields[key]
            if value is not UNSET and value is not SCRAMBLED:
                variables[slot] = value
                return target
        try:
            place = locate(state, pointer, want)
        except TypeMismatch as other:
            variables[slot] = read_bytes(state, other.block, other.start, other.field, span)
            return target
        value = read_data(state, place, span)
        if want.field is not None and place.field.type != want.field.type:
            value = converted(state, value, want.field.type)
        variables[slot] = value
        return target

    return step


def store_data(base: int, want: AccessType, value: Callable[[State], Any], target: int) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0 and not obj.protected:
            data = value(state)
            if obj.token is not state.token:
                obj = state.own(pointer)
            obj.fields[key] = data
            return target
        try:
            place = locate(state, pointer, want)
        except TypeMismatch as other:
            check_writable(state, pointer)
            write_bytes(state, other.block, other.start, other.field, value(state), NOWHERE)
            return target
        check_writable(state, pointer)
        data = value(state)
        if want.field is not None and place.field.type != want.field.type:
            data = converted(state, data, place.field.type)
        write_as(state, place, data, want)
        return target

    return step


def scramble(base: int, want: AccessType, target: int) -> Execute:
    def step(state: State) -> int:
        place = locate(state, state.vars[base], want)
        check_writable(state, state.vars[base])
        write(state, place, JUNK if place.field.kind is ValueKind.POINTER else SCRAMBLED)
        return target

    return step


# --- cells -----------------------------------------------------------------------------------------------------------


def load_cell(
    slot: int, base: int, index: Callable[[State], int], want: AccessType, target: int, span: Span
) -> Execute:
    def step(state: State) -> int:
        place = locate(state, state.vars[base], want, index(state))
        state.vars[slot] = read_pointer(state, place, span)
        return target

    return step


def load_data_cell(
    slot: int, base: int, index: Callable[[State], int], want: AccessType, target: int, span: Span
) -> Execute:
    layout = want.layout

    def step(state: State) -> int:
        number = index(state)
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0 and obj.cells is not None:
            value = obj.cells.get(number)
            if value is not None and value is not SCRAMBLED:
                state.vars[slot] = value
                return target
        try:
            place = locate(state, pointer, want, number)
        except TypeMismatch as other:
            state.vars[slot] = read_bytes(state, other.block, other.start, other.field, span)
            return target
        value = read_data(state, place, span)
        if want.field is not None and place.field.type != want.field.type:
            value = converted(state, value, want.field.type)
        state.vars[slot] = value
        return target

    return step


def store_cell(
    base: int, index: Callable[[State], int], want: AccessType, value: Callable[[State], Any], target: int
) -> Execute:
    layout, data = want.layout, want.kind is ValueKind.DATA

    def step(state: State) -> int:
        number = index(state)
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if (
            obj is not None
            and obj.layout is layout
            and obj.status == 0
            and obj.cells is not None
            and not obj.protected
            and obj.count is not None
            and 0 <= number < obj.count
        ):
            content = value(state)
            if obj.token is not state.token:
                obj = state.own(pointer)
            assert obj.cells is not None
            obj.cells[number] = content
            return target
        try:
            place = locate(state, pointer, want, number)
        except TypeMismatch as other:
            check_writable(state, pointer)
            write_bytes(state, other.block, other.start, other.field, value(state), NOWHERE)
            return target
        check_writable(state, pointer)
        content = value(state)
        if data and want.field is not None and place.field.type != want.field.type:
            content = converted(state, content, place.field.type)
        write_as(state, place, content, want)
        return target

    return step
