"""What engines declare of themselves is what they are, and all that users are offered."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest

from heapwright.base.errors import InputError, UsageError
from heapwright.engines import ENGINES, declaration_of, load_engine, load_reader
from heapwright.engines.api import Engine, Option
from heapwright.settings.table import ENGINE_OPTIONS


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_is_what_its_declaration_says(name: str) -> None:
    declaration = declaration_of(name)
    engine = load_engine(name)
    assert isinstance(engine, declaration)
    assert engine.name == declaration.name == name
    path = declaration.implementation or ENGINES[name]
    assert path == f"{type(engine).__module__}:{type(engine).__qualname__}"


@pytest.mark.parametrize("name", ENGINES)
def test_options_are_keywords_of_the_constructor_with_the_same_default(name: str) -> None:
    parameters = inspect.signature(type(load_engine(name))).parameters
    for option in declaration_of(name).options:
        assert parameters[option.keyword].default == option.default
        assert option.accepts(option.default)
        assert bool(option.choices) == (option.kind == "word")


def test_every_option_is_a_setting_of_one_engine() -> None:
    declared = [option.name for name in ENGINES for option in declaration_of(name).options]
    assert sorted(declared) == sorted(ENGINE_OPTIONS)


@pytest.mark.parametrize(
    ("engine", "options"),
    [
        ("fesa", {"instrumentation": "on"}),
        ("fesa", {"numeric": "apron"}),
        ("boolheap", {"refinements": "2"}),
        ("boolheap", {"refinements": -1}),
        ("boolheap", {"refinements": True}),
        ("boolheap", {"predicate": "reach(x, v, next)"}),
        ("lazy", {"shapes": 1}),
    ],
)
def test_a_value_of_another_type_is_refused(engine: str, options: dict[str, object]) -> None:
    with pytest.raises(TypeError, match="the option"):
        load_engine(engine, options)


def test_values_of_the_declared_type_are_taken() -> None:
    option = Option("names", "list", (), "some names")
    assert option.accepts(("a", "b"))
    assert not option.accepts(["a"])
    assert not option.accepts((1,))
    assert load_engine("lazy", {"shapes": None, "no option of it": 1}).name == "lazy"


def test_readers() -> None:
    for name in ENGINES:
        if declaration_of(name).reads_certificate is None:
            with pytest.raises(InputError, match="no certificate reader"):
                load_reader(name)
        else:
            assert load_reader(name).__module__ == f"heapwright.engines.{name}.certificate"
    with pytest.raises(InputError, match="no certificate reader"):
        load_reader("magic")


def test_a_name_that_no_engine_has() -> None:
    with pytest.raises(UsageError, match="unknown engine 'magic'"):
        declaration_of("magic")


def test_settings_import_declarations_alone() -> None:
    code = "import sys, heapwright.settings.table; print(*sorted(m for m in sys.modules if '.engines.' in m))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.removeprefix("heapwright.engines.") for name in done.stdout.split()}
    separate = {place.split(".")[2] for name, place in ENGINES.items() if declaration_of(name).implementation}
    assert {"explore", "floor", "tvl"} <= separate
    assert {name for name in loaded if name.partition(".")[0] in separate} == {
        *separate,
        *(f"{name}.declaration" for name in separate),
    }


def test_engines_satisfy_the_protocol() -> None:
    members = {name for name in vars(Engine) if not name.startswith("_")}
    assert members == {"name", "proves", "options", "draws", "reads_certificate", "interprets", "analyze"}
    for name in ENGINES:
        assert members <= set(dir(load_engine(name)))
