"""The command line. This module is all that `heapwright --help` imports: commands are loaded when they are used.

A command is a line in `COMMANDS` and a module with `add_arguments(parser)` and `execute(arguments) -> exit code`.

| exit code | meaning |
|---|---|
| 0 | every check proved |
| 1 | a violation, with a concrete run |
| 2 | bad usage or bad input: nothing was analysed |
| 3 | not everything could be proved: unknown, or a limit was reached |
| 130 | interrupted |
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from heapwright.cli.parser import Parser

COMMANDS: dict[str, tuple[str, str]] = {
    "check": ("heapwright.cli.commands.check", "prove that C files are memory safe, or show a run that breaks them"),
    "show": ("heapwright.cli.commands.show", "draw the heaps that may be there at each line of a C file"),
    "run": ("heapwright.cli.commands.run", "run a C file once under the exact memory model"),
    "audit": ("heapwright.cli.commands.audit", "hold what engines claim against thousands of real executions"),
    "verify-proof": ("heapwright.cli.commands.verify_proof", "check the certificate of a proof with the interpreter"),
    "lower": ("heapwright.cli.commands.lower", "print the lowered program"),
    "infer": ("heapwright.cli.commands.infer", "find the inputs for which a function is safe"),
    "reproduce": ("heapwright.cli.commands.reproduce", "run the tables of papers anew, beside the published figures"),
    "boolheap": ("heapwright.cli.commands.boolheap", "write the Boolean heap program of a C file, or run one"),
    "fuzz": ("heapwright.cli.commands.fuzz", "hold the engines against random programs and mutants"),
    "tvp": ("heapwright.cli.commands.tvp", "run a TVLA specification"),
}

EPILOG = "exit codes: 0 all proved, 1 a violation, 2 bad usage or input, 3 unknown or a limit was reached"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one command and returns its exit code; whatever goes wrong is told in a sentence."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a letter that a terminal lacks is no reason to say nothing
    try:
        code = _dispatch(arguments)
        sys.stdout.flush()
        return code
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader has gone; nothing more can be said there, not even by the interpreter when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:
        from heapwright.cli.failure import report_error

        return report_error(error, verbose="-v" in arguments or "--verbose" in arguments)


def _dispatch(arguments: list[str]) -> int:
    try:
        return _with_command(*arguments) if arguments and arguments[0] in COMMANDS else _without_command(arguments)
    except SystemExit as end:  # how argparse ends after --help
        return end.code if isinstance(end.code, int) else 2


def _with_command(name: str, *rest: str) -> int:
    from importlib import import_module

    module, help = COMMANDS[name]
    command = import_module(module)
    parser = Parser(prog=f"heapwright {name}", description=help[0].upper() + help[1:] + ".", epilog=EPILOG)
    command.add_arguments(parser)
    code: int = command.execute(parser.parse_all(rest))
    return code


def _without_command(arguments: list[str]) -> int:
    """Help, the version, or a complaint."""
    parser = _top_parser()
    if arguments and not arguments[0].startswith("-"):
        parser.error_about("command", arguments[0], COMMANDS)
    if not parser.parse_all(arguments).version:
        parser.error("no command was given")
    from heapwright import __version__

    print(f"heapwright {__version__}")
    return 0


def _top_parser() -> Parser:
    parser = Parser(
        prog="heapwright",
        description="Proves that C programs with linked data structures are memory safe, or shows a run that breaks "
        "them.",
        epilog=EPILOG,
    )
    parser.add_argument("--version", action="store_true", help="show the version and exit")
    commands = parser.add_argument_group("commands", "'heapwright COMMAND --help' tells more")
    for name, (_, help) in COMMANDS.items():
        commands.add_argument(name, nargs="?", metavar=f"{name:<12}", help=help)
    parser.usage = "heapwright COMMAND [OPTION...] FILE..."
    return parser
