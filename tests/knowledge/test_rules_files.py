import re

import pytest

from reviewbot.errors import ConfigurationError
from reviewbot.knowledge.rules import Rule, parse_rules

RULE = """\
- id: one
  key: a.b
  effect: overwritten
  message: "{key}={value}"
  versions: ">=0.8"
  fix:
    set: {a.c: a.d * 2}
    remove: true
  evidence: {path: x.py, symbol: f, writes: b}
  examples:
    bad: [a.b=1]
    good: [a.c=1]
"""


def test_a_rule() -> None:
    (rule,) = parse_rules(RULE, "x.yaml")
    assert rule == Rule(
        id="one",
        key="a.b",
        effect="overwritten",
        message="{key}={value}",
        versions=">=0.8",
        set={"a.c": "a.d * 2"},
        remove=True,
        evidence={"path": "x.py", "symbol": "f", "writes": "b"},
        bad=("a.b=1",),
        good=("a.c=1",),
    )
    assert rule.origin == "x.yaml:1"


@pytest.mark.parametrize(
    ("version", "covered"),
    [("0.7.1", False), ("0.8.0", True), ("0.10.0.dev0", True), ("1dda039b9", True)],
)
def test_versions(version: str, covered: bool) -> None:
    (rule,) = parse_rules(RULE, "x.yaml")
    assert rule.covers(version) is covered


@pytest.mark.parametrize(
    ("old", "new", "error"),
    [
        ("effect:", "efect:", "x.yaml:3: unknown name 'efect'; did you mean 'effect'?"),
        (
            "overwritten",
            "overriten",
            "x.yaml:3: 'overriten' is none of the choices; did you mean 'overwritten'?",
        ),
        ("  key: a.b\n", "", "x.yaml:1: a rule needs 'key'"),
        ("  key: a.b\n", "  key: a.b\n  key: a.c\n", "x.yaml:3: 'key' is given twice"),
        ("remove: true", "remove: yes please", "x.yaml:8: true or false is needed here"),
        ("[a.b=1]", "a.b=1", "x.yaml:11: a list is needed here"),
        ("{a.c: a.d * 2}", "[a.c]", "x.yaml:7: a mapping (name: value) is needed here"),
        ("writes: b}", "wrote: b}", "x.yaml:9: unknown name 'wrote'; did you mean 'writes'?"),
        ("- id: one", "id: one", "x.yaml:1: a rule file is a list of rules (start each with '- id: …')"),
        ("{path: x.py", "{path: x.py: y", "x.yaml:9: not YAML: "),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, error: str) -> None:
    text = RULE.replace(old, new)
    if new == "id: one":
        text = new + "\n"
    with pytest.raises(ConfigurationError, match=re.escape(error)):
        list(parse_rules(text, "x.yaml"))
