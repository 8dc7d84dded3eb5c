"""The project's own grammar against two other parsers of bash, over the corpus.

bashlex judges where the words of each launch begin and end; tree-sitter-bash where the commands are.  Real bash, in
``bash/``, is the judge of everything else.
"""

from __future__ import annotations

from pathlib import Path

import bashlex
import bashlex.errors
import tree_sitter
import tree_sitter_bash

from reviewbot.shell.model import Launch
from reviewbot.shell.script import read_script
from reviewbot.text import SourceText

CORPUS = sorted((Path(__file__).parent.parent / "recipes" / "good").glob("*.sh"))


def read(path: Path) -> tuple[SourceText, tuple[Launch, ...]]:
    source = SourceText(path.name, path.read_bytes().decode("utf-8"))
    return source, read_script(source, read=lambda name: None).launches


def own_words(source: SourceText, launch: Launch) -> list[str]:
    """The arguments that are written in the command itself, as they are written."""
    return [source.cut(word.span) for word in launch.arguments if launch.span.contains(word.span)]


def bashlex_words(text: str) -> list[str] | None:
    """The words of the simple commands in a text; None where bashlex cannot read it."""
    try:
        trees = bashlex.parse(text)
    except (bashlex.errors.ParsingError, NotImplementedError, AttributeError, AssertionError, TypeError):
        return None
    words: list[str] = []
    waiting = list(trees)
    while waiting:
        node = waiting.pop()
        if node.kind == "word":
            words.append(text[node.pos[0] : node.pos[1]])
            continue
        waiting.extend(getattr(node, "parts", ()))
        waiting.extend(getattr(node, "list", ()))
    return words


def test_bashlex_agrees_on_words() -> None:
    judged, odd = 0, []
    launches = 0
    for path in CORPUS:
        source, found = read(path)
        for launch in found:
            text = source.cut(launch.span) if launch.span.path == source.path else "$(("
            if "$((" in text:
                continue
            launches += 1
            words = bashlex_words(text)
            if words is None:
                continue
            judged += 1
            if any(word not in words for word in own_words(source, launch)):
                odd.append(path.name)
    assert launches > 60
    assert judged > 0.9 * launches
    # A script inside a string (eval, bash -c), or words inside ${x:+…}, are one word to bashlex.
    assert set(odd) <= {
        "eval-command.sh",
        "local-hides-exported.sh",
        "optional-words.sh",
        "ray-job-submit.sh",
        "ray-single-quotes.sh",
    }


def test_tree_sitter_mostly_finds_the_command_of_a_launch() -> None:
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))
    found = total = 0
    for path in CORPUS:
        source, launches = read(path)
        data = source.text.encode("utf-8")
        lines = set()
        waiting = [parser.parse(data).root_node]
        while waiting:
            node = waiting.pop()
            if node.type == "command":
                lines.add(source.position(len(data[: node.start_byte].decode("utf-8")))[0])
            waiting.extend(node.children)
        for launch in launches:
            if launch.span.path == source.path:
                total += 1
                found += launch.span.line in lines
    assert total > 80
    assert found > 0.9 * total
