"""Loads and stores of fields and cells as functions of a state.

The usual case, a live object of the declared type, is two look-ups; `access.py` does the rest.

    execute = load(slot, base, want, target, span)
    location = execute(state)
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from heapwright.base.source import Span
from heapwright.program.semantics.access import (
    AccessType,
    TypeMismatch,
    check_writable,
    converted,
    locate,
    read_data,
    read_pointer,
)
from heapwright.program.semantics.byte_memory.copies import read_bytes, read_pointer_bytes, write_bytes
from heapwright.program.semantics.byte_memory.storage import check_held, drop_pointer, raw, write
from heapwright.program.semantics.objects import UNREAD, Bytes, PointerValue, Symbol
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
            if value != UNREAD and type(value) is not Bytes:
                variables[slot] = value
                return target
        try:
            scalar = locate(state, pointer, want)
        except TypeMismatch as other:
            variables[slot] = read_pointer_bytes(state, other.block, other.start, other.field)
            return target
        variables[slot] = read_pointer(state, scalar, span)
        return target

    return step


def store(base: int, want: AccessType, value: Callable[[State], PointerValue], target: int) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0 and not obj.guarded:
            if obj.token is not state.token:
                obj = state.own(pointer)
            obj.fields[key] = value(state)
            return target
        try:
            scalar = locate(state, pointer, want)
        except TypeMismatch as other:
            check_writable(state, pointer)
            write_bytes(state, other.block, other.start, other.field, value(state))
            return target
        check_writable(state, pointer)
        write(state, scalar, value(state))
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
            if type(value) is int or type(value) is Symbol:
                variables[slot] = value
                return target
        try:
            scalar = locate(state, pointer, want)
        except TypeMismatch as other:
            variables[slot] = read_bytes(state, other.block, other.start, other.field, span)
            return target
        value = read_data(state, scalar, span)
        if want.field is not None and scalar.field.type != want.field.type:
            value = converted(state, value, want.field.type)
        variables[slot] = value
        return target

    return step


def store_data(base: int, want: AccessType, value: Callable[[State], Any], target: int) -> Execute:
    layout, key = want.layout, _slot_of(want)

    def step(state: State) -> int:
        pointer = state.vars[base]
        obj = state.objects.get(pointer)
        if obj is not None and obj.layout is layout and obj.status == 0 and not obj.guarded:
            data = value(state)
            if type(data) is int or type(data) is Symbol:
                if obj.token is not state.token:
                    obj = state.own(pointer)
                obj.fields[key] = data
                return target
        try:
            scalar = locate(state, pointer, want)
        except TypeMismatch as other:
            check_writable(state, pointer)
            write_bytes(state, other.block, other.start, other.field, value(state))
            return target
        check_writable(state, pointer)
        data = value(state)
        if want.field is not None and scalar.field.type != want.field.type:
            data = converted(state, data, scalar.field.type)
        old = raw(state, scalar)
        write(state, scalar, data)
        check_held(state, old, data)
        return target

    return step


def scramble(base: int, want: AccessType, start: int, end: int, target: int) -> Execute:
    """Before another member of a union is written, which gives this one what its bytes say: a pointer is dropped."""

    def step(state: State) -> int:
        scalar = locate(state, state.vars[base], want)
        check_writable(state, state.vars[base])
        if scalar.field.kind is ValueKind.POINTER:
            first = want.field.offset if want.field is not None else scalar.field.offset
            drop_pointer(state, scalar, start - first, end - first)
        return target

    return step


# --- cells -----------------------------------------------------------------------------------------------------------


def load_cell(
    slot: int, base: int, index: Callable[[State], int], want: AccessType, target: int, span: Span
) -> Execute:
    def step(state: State) -> int:
        try:
            scalar = locate(state, state.vars[base], want, index(state))
        except TypeMismatch as other:
            state.vars[slot] = read_pointer_bytes(state, other.block, other.start, other.field)
            return target
        state.vars[slot] = read_pointer(state, scalar, span)
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
            if type(value) is int or type(value) is Symbol:
                state.vars[slot] = value
                return target
        try:
            scalar = locate(state, pointer, want, number)
        except TypeMismatch as other:
            state.vars[slot] = read_bytes(state, other.block, other.start, other.field, span)
            return target
        value = read_data(state, scalar, span)
        if want.field is not None and scalar.field.type != want.field.type:
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
            and not obj.guarded
            and obj.count is not None
            and 0 <= number < obj.count
        ):
            content = value(state)
            if not data or type(content) is int or type(content) is Symbol:
                if obj.token is not state.token:
                    obj = state.own(pointer)
                assert obj.cells is not None
                obj.cells[number] = content
                return target
        try:
            scalar = locate(state, pointer, want, number)
        except TypeMismatch as other:
            check_writable(state, pointer)
            write_bytes(state, other.block, other.start, other.field, value(state))
            return target
        check_writable(state, pointer)
        content = value(state)
        if data and want.field is not None and scalar.field.type != want.field.type:
            content = converted(state, content, scalar.field.type)
        old = raw(state, scalar) if data else None
        write(state, scalar, content)
        check_held(state, old, content)
        return target

    return step
