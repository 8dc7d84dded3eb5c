"""The report of a whole repository as one HTML file that needs nothing else.

All findings stand in the page, by check; a script of its own groups them by recipe, filters them, and shows what each
recipe's launches really get.  The page may load nothing and run no other script: its policy names both by their hash.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from reviewbot.checks.model import Edit, Finding, Severity
from reviewbot.checks.registry import CHECKS
from reviewbot.checks.wording import plural
from reviewbot.knowledge.store import Knowledge
from reviewbot.language import language, say
from reviewbot.report.model import Review
from reviewbot.report.terminal import printable
from reviewbot.report.words import confidence_word, hidden_in_words, severity_word
from reviewbot.review.effects import EffectiveLaunch, EffectiveSetting, effective_launches
from reviewbot.review.review import FileReview
from reviewbot.text import SourceText, Span

_ASSETS = Path(__file__).parent / "assets"
_CODE = re.compile(r"(`+)(.+?)\1(?!`)")
_MAX_VALUE = 300
_SEVERITIES = sorted(Severity, reverse=True)


def html_report(review: Review, knowledge: Knowledge) -> str:
    """The review as an HTML document, with a line end."""
    style = (_ASSETS / "report.css").read_text(encoding="utf-8")
    script = (_ASSETS / "report.js").read_text(encoding="utf-8")
    policy = f"default-src 'none'; style-src {_hash(style)}; script-src {_hash(script)}; base-uri 'none'"
    title = say("reviewbot: {found}", found=plural(len(review.findings), "finding"))
    return (
        f'<!DOCTYPE html>\n<html lang="{"zh-CN" if language() == "zh" else "en"}">\n<head>\n'
        '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        f"<title>{_text(title)}</title>\n<style>{style}</style>\n</head>\n<body>\n"
        + "\n".join(_body(review, title))
        + f'\n<script type="application/json" id="data">{_data(review, knowledge)}</script>\n'
        f"<script>{script}</script>\n</body>\n</html>\n"
    )


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def _text(text: str) -> str:
    """Text as HTML: what is not printable is written out, and nothing is markup."""
    return html.escape(printable(text))


def _prose(text: str) -> str:
    """A message: its code spans as code, all else as text."""
    pieces = []
    position = 0
    for span in _CODE.finditer(text):
        pieces += [_text(text[position : span.start()]), f"<code>{_text(span[2].strip(' '))}</code>"]
        position = span.end()
    return "".join([*pieces, _text(text[position:])])


def _body(review: Review, title: str) -> Iterator[str]:
    reviewed = sum(1 for file in review.files if file.status != "skipped")
    yield f'<a class="skip" href="#panel">{_text(say("To the findings"))}</a>'
    against = say("{count} reviewed against {source}", count=plural(reviewed, "recipe"), source=review.source)
    hidden = hidden_in_words(review.files)
    yield f"<header><h1>{_text(title)}</h1><p>{_text(against + hidden)}</p>"
    yield f'<button type="button" id="theme">{_text(say("Light or dark"))}</button></header>'
    yield f'<main><ul class="tiles">{"".join(_tiles(review))}</ul>'
    yield from _bar(review)
    yield '<div id="panel" role="tabpanel" tabindex="-1">'
    yield '<div id="list">' + "\n".join(_groups(review)) + "</div>"
    yield f'<p class="empty" id="none"{" hidden" if review.findings else ""}>{_text(say("Nothing to show."))}</p>'
    yield from _effective(review)
    yield "</div>"
    yield from _skipped(review)
    hint = say("Press / to search. Evidence lines are those of the source named above.")
    yield f"</main><footer>{_text(hint)}</footer>"


def _tiles(review: Review) -> Iterator[str]:
    for severity in _SEVERITIES:
        word = severity_word(severity)
        yield f'<li><b class="{severity.word}">{review.counts[severity]}</b><span>{_text(word)}</span></li>'
    fixable = sum(1 for finding in review.findings if finding.fix is not None)
    yield f"<li><b>{fixable}</b><span>{_text(say('with a proved fix'))}</span></li>"
    touched = sum(1 for file in review.files if file.findings)
    yield f"<li><b>{touched}</b><span>{_text(say('recipes with findings'))}</span></li>"


def _bar(review: Review) -> Iterator[str]:
    yield '<div class="bar" hidden>'
    yield f'<div role="tablist" aria-label="{_text(say("View"))}">'
    views = (("check", say("By check")), ("recipe", say("By recipe")), ("effective", say("Effective config")))
    for name, words in views:
        yield (
            f'<button type="button" role="tab" id="tab-{name}" data-view="{name}" aria-controls="panel" '
            f'aria-selected="false">{_text(words)}</button>'
        )
    yield '</div><div role="group" data-for="findings" aria-label="' + _text(say("Severity")) + '">'
    for severity in _SEVERITIES:
        yield (
            f'<button type="button" data-severity="{severity.word}" aria-pressed="true">'
            f"{_text(severity_word(severity))}</button>"
        )
    yield f'</div><label data-for="findings">{_text(say("Check"))} <select id="check">'
    yield f'<option value="">{_text(say("all"))}</option>'
    found = {finding.check for finding in review.findings}
    for check in CHECKS:
        if check.id in found:
            yield f'<option value="{check.id}">{check.id}</option>'
    search = _text(say("Search"))
    yield f'</select></label><input type="search" id="text" aria-label="{search}" placeholder="{search}">'
    yield '<span class="shown" id="shown" data-for="findings" role="status"></span></div>'


def _groups(review: Review) -> Iterator[str]:
    sources = {file.path: file.source for file in review.files}
    for check in CHECKS:
        findings = [finding for finding in review.findings if finding.check == check.id]
        if not findings:
            continue
        findings.sort(key=lambda finding: (-finding.severity, finding.span))
        yield (
            f'<section class="group" data-check="{check.id}"><h2>{check.id} <small>{len(findings)}</small></h2>'
            f"<p>{_prose(say(check.says))}</p>"
        )
        for finding in findings:
            yield _finding(finding, sources.get(finding.span.path))
        yield "</section>"


def _finding(finding: Finding, source: SourceText | None) -> str:
    span = finding.span
    word = severity_word(finding.severity)
    likely = "" if finding.confidence == "certain" else f" ({confidence_word(finding.confidence)})"
    parts = [
        f'<article class="is-{finding.severity.word}" data-severity="{finding.severity.word}" '
        f'data-check="{finding.check}" data-path="{_text(span.path)}" data-line="{span.line}">',
        f'<h3><span class="{finding.severity.word}">{_text(word + likely)}</span> {finding.check} '
        f'<span class="where">{_text(f"{span.path}:{span.line}")}</span></h3>',
        f"<p>{_prose(finding.message)}</p>",
    ]
    if source is not None:
        parts.append(f"<pre>{_excerpt(source, span)}</pre>")
    if finding.evidence:
        places = (
            f"<code>{_text(f'{item.path}:{item.line}')}</code> {_text(item.symbol)}"
            for item in finding.evidence
        )
        parts.append(f'<p class="soft">{_text(say("evidence: "))}{", ".join(places)}</p>')
    if finding.fix is not None and source is not None:
        diff = "".join(_diff(source, edit) for edit in finding.fix.edits)
        words = _text(say("fix: ") + finding.fix.description)
        parts.append(f"<details><summary>{words}</summary><pre>{diff}</pre></details>")
    return "".join([*parts, "</article>"])


def _excerpt(source: SourceText, span: Span) -> str:
    text = source.line(span.line)
    end = span.end_column if span.end_line == span.line else len(text) + 1
    before, marked, after = text[: span.column - 1], text[span.column - 1 : end - 1], text[end - 1 :]
    return f"{_text(_cut(before))}<mark>{_text(_cut(marked))}</mark>{_text(_cut(after))}"


def _diff(source: SourceText, edit: Edit) -> str:
    old = (source.line(number) for number in range(edit.start_line, edit.end_line + 1))
    new = (line.rstrip("\n").removesuffix("\r") for line in SourceText(edit.path, edit.text).lines)
    return "".join(
        f'<span class="{name}">{mark}{_text(_cut(line))}</span>'
        for name, mark, lines in (("removed", "-", old), ("added", "+", new))
        for line in lines
    )


def _cut(text: str) -> str:
    return text if len(text) <= _MAX_VALUE else text[: _MAX_VALUE - 1] + "…"


def _effective(review: Review) -> Iterator[str]:
    yield f'<div id="effective" hidden><p><label>{_text(say("Recipe"))} <select id="recipe">'
    for number, file in enumerate(_recipes(review)):
        yield f'<option value="{number}">{_text(file.path)}</option>'
    note = say(
        "The keys that the script sets, on the path that it takes by default: what each launch really gets, and "
        "whether that reaches the rollout server."
    )
    yield f'</select></label></p><p class="soft">{_text(note)}</p><div id="effective-body"></div></div>'


def _skipped(review: Review) -> Iterator[str]:
    rest = [file for file in review.files if file.why]
    if rest:
        yield f"<details><summary>{_text(say('Not reviewed, or only in part'))}: {len(rest)}</summary><ul>"
        for file in rest:
            yield f"<li><code>{_text(file.path)}</code> {_prose(file.why)}</li>"
        yield "</ul></details>"


def _recipes(review: Review) -> Sequence[FileReview]:
    return [file for file in review.files if file.recipe is not None and file.recipe.plans]


def _data(review: Review, knowledge: Knowledge) -> str:
    """What the page's script needs, as JSON that ends no element."""
    recipes = []
    for file in _recipes(review):
        if file.recipe is not None:
            launches = effective_launches(file.recipe, knowledge, file.found)
            recipes.append({"path": printable(file.path), "launches": [_launch(item) for item in launches]})
    words = {
        "shown": say("{shown} of {all} shown", shown="{shown}", all="{all}"),
        "line": say("line"),
        "columns": [say("Key"), say("Value"), say("Line"), say("Reaches the server")],
        "nothing": say("Nothing to show."),
    }
    text = json.dumps({"words": words, "recipes": recipes}, separators=(",", ":"))
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _launch(launch: EffectiveLaunch) -> dict[str, object]:
    return {
        "module": launch.module,
        "line": launch.line,
        "note": printable(launch.note),
        "rows": [_row(setting) for setting in launch.settings],
    }


def _row(setting: EffectiveSetting) -> list[object]:
    value = "" if setting.value is None else setting.value.text
    return [
        printable(setting.key),
        printable(_cut(value)),
        setting.line,
        printable(setting.reaches),
        setting.kind,
    ]
