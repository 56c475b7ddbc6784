"""The command line. `heapwright --help` imports only this module: commands are imported on demand.

A command is a line in `COMMANDS` and a module with `EXITS`, `add_arguments(parser)` and `execute(arguments) -> exit
code`.

| exit code | meaning |
|---|---|
| 0 | every check proved |
| 1 | a check is violated by a concrete run |
| 2 | usage error or invalid input: nothing was analysed |
| 3 | unknown: a check could not be decided, or a limit was reached |
| 4 | internal error: a fault of heapwright itself, and no answer |
| 130 | interrupted |

A command says in `EXITS` what its own codes mean; 2, 4 and 130 are the same for all.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from heapwright.cli.parser import Parser

COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("heapwright.cli.commands.check", "prove that C files are memory safe, or find a run that is not"),
    "project": ("heapwright.cli.commands.project", "check every program and library function of a source tree"),
    "store": ("heapwright.cli.commands.store", "show or prune what is kept about a project"),
    "show": ("heapwright.cli.commands.show", "draw the abstract heaps at each line of a C file"),
    "run": ("heapwright.cli.commands.run", "execute a C file once with the interpreter"),
    "audit": ("heapwright.cli.commands.audit", "test the invariants of engines against concrete executions"),
    "verify-proof": ("heapwright.cli.commands.verify_proof", "check the certificate of a proof with the interpreter"),
    "lower": ("heapwright.cli.commands.lower", "print the lowered program"),
    "infer": ("heapwright.cli.commands.infer", "infer a precondition under which a function is safe"),
    "reproduce": ("heapwright.cli.commands.reproduce", "reproduce the papers' tables next to the published figures"),
    "boolheap": ("heapwright.cli.commands.boolheap", "write the Boolean heap program of a C file, or run one"),
    "fuzz": ("heapwright.cli.commands.fuzz", "fuzz the engines with random programs and mutants"),
    "tvp": ("heapwright.cli.commands.tvp", "run a TVLA specification"),
}

COMMON_EXITS = {2: "usage error or invalid input", 4: "internal error", 130: "interrupted"}
EPILOG = "each command has exit codes of its own; for all, 2 is a usage error or invalid input, and 4 an internal error"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; errors are printed as one-line diagnostics."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_closed_streams()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # the terminal may lack a character
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        _discard_output()
        return 141
    except Exception as error:
        from heapwright.cli.failure import report_error

        try:
            code = report_error(error, verbose="-v" in arguments or "--verbose" in arguments)
        except OSError:  # standard error cannot be written
            code = 2
        _discard_output()
        return code


def _open_closed_streams() -> None:
    """Streams that are closed at the start are opened to nothing, so that no other file takes their place."""
    if None in (sys.stdin, sys.stdout, sys.stderr):
        while (descriptor := os.open(os.devnull, os.O_RDWR)) <= 2:
            pass
        os.close(descriptor)
        sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8")
        sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8")


def _discard_output() -> None:
    """A stream cannot be written, or its reader has gone: the flush at exit must not fail either."""
    nothing = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(nothing, stream.fileno())


def _dispatch(arguments: list[str]) -> int:
    try:
        return _with_command(*arguments) if arguments and arguments[0] in COMMANDS else _without_command(arguments)
    except SystemExit as end:  # raised by argparse after --help
        return end.code if isinstance(end.code, int) else 2


def _with_command(name: str, *rest: str) -> int:
    from importlib import import_module

    module, help = COMMANDS[name]
    command = import_module(module)
    codes = ", ".join(f"{code} {meaning}" for code, meaning in sorted({**command.EXITS, **COMMON_EXITS}.items()))
    description = help[0].upper() + help[1:] + "."
    parser = Parser(prog=f"heapwright {name}", description=description, epilog=f"exit codes: {codes}")
    command.add_arguments(parser)
    parser.elsewhere = _commands_with
    code: int = command.execute(parser.parse_all(rest))
    return code


def _commands_with(option: str) -> list[str]:
    """The commands that have an option, as words of the command line."""
    from importlib import import_module

    found = []
    for name, (module, _) in COMMANDS.items():
        parser = Parser(prog=name)
        import_module(module).add_arguments(parser)
        if option in parser._option_string_actions:
            found.append(f"'heapwright {name}'")
    return found


def _without_command(arguments: list[str]) -> int:
    """Help, the version, or a usage error."""
    parser = _top_parser()
    if arguments and not arguments[0].startswith("-"):
        parser.error_about("command", arguments[0], COMMANDS)
    if not parser.parse_all(arguments).version:
        parser.error("no command given")
    from heapwright import __version__

    print(f"heapwright {__version__}")
    return 0


def _top_parser() -> Parser:
    parser = Parser(
        prog="heapwright",
        description="Proves that C programs with linked data structures are memory safe, or finds a run that is not.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_argument_group("commands", "see 'heapwright COMMAND --help'")
    for name, (_, help) in COMMANDS.items():
        commands.add_argument(name, nargs="?", metavar=f"{name:<12}", help=help)
    parser.usage = "heapwright COMMAND [OPTION...] FILE..."
    return parser
