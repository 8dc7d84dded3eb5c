"""The command line: options, and the command that takes them."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from importlib import import_module

LEVELS = ("low", "medium", "high")
LANGUAGES = ("en", "zh")
FORMATS = ("text", "json", "sarif", "github", "markdown", "html")


def run(arguments: Sequence[str]) -> int:
    """Run one command; returns its exit code.

    Raises ReviewbotError for what the user can mend, SystemExit (2) for wrong options.
    """
    options = parser().parse_args(arguments)
    command = import_module(f"reviewbot.commands.{options.module}")
    code: int = command.run(options)
    return code


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    top = argparse.ArgumentParser(
        prog="reviewbot",
        description="Says which settings of a training recipe will not do what their author thinks.",
    )
    top.add_argument("--version", action=_Version, nargs=0, help="print the version and exit")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    _check(commands.add_parser("check", help="review a diff, files, or the repository"))
    _show(commands.add_parser("show", help="print what a script would run"))
    _explain(commands.add_parser("explain", help="say what is known about a check, a rule or a config key"))
    _review(commands.add_parser("review", help="review the pull request of a GitHub Actions event"))
    _rules(commands.add_parser("rules", help="work on the knowledge base"))
    return top


class _Version(argparse.Action):
    def __call__(self, parser: argparse.ArgumentParser, *_rest: object) -> None:
        from importlib.metadata import version

        print(f"reviewbot {version('reviewbot')}")
        parser.exit()


def _knowledge(command: argparse.ArgumentParser) -> None:
    command.add_argument("--source", metavar="DIR", help="read verl's facts from this checkout")
    command.add_argument("--verl", metavar="VERSION", help="use the bundled facts of this release of verl")
    command.add_argument(
        "--engine",
        metavar="NAME=VERSION",
        action="append",
        help="the release of an engine that launches run with: vllm=0.18.0 (repeatable)",
    )
    command.add_argument(
        "--env", metavar="NAME=VALUE", action="append", help="declare an environment variable (repeatable)"
    )


def _configuration(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--config",
        metavar="FILE",
        help="the configuration (default: .github/reviewbot.yml, reviewbot.yml, or [tool.reviewbot])",
    )
    command.add_argument("--lang", choices=LANGUAGES, help="language of the messages (default: en)")


def _check(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="check")
    command.add_argument(
        "paths", nargs="*", metavar="PATH", help="scripts or folders; with a diff: only these"
    )
    what = command.add_mutually_exclusive_group()
    what.add_argument("--diff", metavar="FILE", help="review a unified diff (- for standard input)")
    what.add_argument("--base", metavar="REF", help="review the change since the merge base with REF")
    _knowledge(command)
    _configuration(command)
    command.add_argument("--format", choices=FORMATS, default="text", help="default: text")
    command.add_argument("--output", metavar="FILE", help="write the report there")
    command.add_argument(
        "--fail-level",
        choices=("none", *LEVELS),
        help="exit 1 from this severity on (default: what is shown)",
    )
    command.add_argument("--min-severity", choices=LEVELS, help="show from here on (default: medium)")
    command.add_argument("--all-lines", action="store_true", help="with a diff: review its files whole")
    command.add_argument("--fix", action="store_true", help="apply the proved fixes to the files")
    command.add_argument(
        "--fix-dirty", action="store_true", help="as --fix, also on lines with uncommitted changes"
    )
    command.add_argument(
        "--include",
        metavar="GLOB",
        action="append",
        help="which files are recipes (default: *.sh and *.bash)",
    )
    command.add_argument(
        "--exclude", metavar="GLOB", action="append", help="which files are none (repeatable)"
    )
    command.add_argument(
        "--baseline", metavar="FILE", help="say nothing of the findings that this file holds"
    )
    command.add_argument(
        "--write-baseline",
        metavar="FILE",
        help="write the findings there; with --baseline: what of it is still found",
    )
    command.add_argument(
        "--quiet", action="store_true", help="no notes, no progress, nothing without findings"
    )


def _show(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="show")
    command.add_argument("script", metavar="SCRIPT")
    _knowledge(command)
    _configuration(command)
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _explain(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="explain", engine=None)
    _configuration(command)
    command.add_argument(
        "name", metavar="CHECK|RULE|KEY", help="overwritten; vllm-expert-parallel; trainer.nnodes"
    )
    command.add_argument("--source", metavar="DIR", help="read verl's facts from this checkout")
    command.add_argument("--verl", metavar="VERSION", help="use the bundled facts of this release of verl")
    command.add_argument("--format", choices=("text", "json"), default="text", help="default: text")


def _review(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="review")
    command.add_argument(
        "--dry-run", action="store_true", help="print what would be posted, and post nothing"
    )


def _rules(command: argparse.ArgumentParser) -> None:
    command.set_defaults(module="rules")
    what = command.add_subparsers(title="what to do", metavar="ACTION", dest="action", required=True)
    extract = what.add_parser("extract", help="read the facts of one version out of its source")
    extract.add_argument(
        "--source", metavar="DIR", required=True, help="a checkout or an unpacked release of verl"
    )
    extract.add_argument("--version", metavar="VERSION", required=True, help="what to call it: 0.9.1")
    extract.add_argument("--output", metavar="FILE", help="write the facts there (default: standard output)")
    listing = what.add_parser("list", help="list the curated rules")
    test = what.add_parser("test", help="run the examples of the curated rules")
    verify = what.add_parser("verify", help="look up the evidence of the curated rules in a source tree")
    verify.add_argument(
        "--source", metavar="DIR", required=True, help="a checkout or an unpacked release of verl"
    )
    for action in (listing, test, verify):
        action.add_argument(
            "--rules", metavar="DIR", help="a folder of rule files (default: the bundled ones)"
        )
