"""Configuration files: what they settle, and what is said of a wrong one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from reviewbot.checks.model import Severity
from reviewbot.errors import ConfigurationError
from reviewbot.settings.keys import KEYS
from reviewbot.settings.model import CheckSettings, Settings
from reviewbot.settings.nodes import MAX_CONFIG
from reviewbot.settings.read import find_settings, read_settings, with_inputs
from reviewbot.settings.schema import config_schema

DOCS = Path(__file__).parent.parent.parent / "docs"

RIGHT: list[tuple[str, Settings]] = [
    ("", Settings()),
    ("# nothing\n", Settings()),
    ("paths: ['*.sh', 'run_*']\n", Settings(paths=("*.sh", "run_*"))),
    ("paths: '*.sh run_*'\n", Settings(paths=("*.sh", "run_*"))),
    ("exclude: [tests/]\n", Settings(exclude=("tests/",))),
    ("framework-version: 0.9.1\n", Settings(framework_version="0.9.1")),
    ("engines: {vllm: 0.18.1, sglang: '0.5'}\n", Settings(engines={"vllm": "0.18.1", "sglang": "0.5"})),
    ("env: {NNODES: 2, HOME_DIR: /data}\n", Settings(env={"NNODES": "2", "HOME_DIR": "/data"})),
    ("min-severity: low\n", Settings(min_severity=Severity.LOW)),
    ("fail-level: none\n", Settings(fail_level="none")),
    (
        "checks:\n  environment: {enabled: false}\n  shadowed: {severity: low}\n",
        Settings(
            checks={
                "environment": CheckSettings(enabled=False),
                "shadowed": CheckSettings(True, Severity.LOW),
            }
        ),
    ),
    ("rules: [./own/rules/]\n", Settings(rules=("own/rules",))),
    ("language: zh\n", Settings(language="zh")),
    ("max-comments: 0\n", Settings(max_comments=0)),
    ("drafts: true\n", Settings(drafts=True)),
    ("comment-when-clean: true\n", Settings(speak_when_clean=True)),
    ("annotations: true\n", Settings(annotations=True)),
    ("check-run: true\n", Settings(check_run=True)),
]

WRONG = [
    ('env: {A: !!bool "zz"}\n', "c.yml: this is not YAML"),
    (
        "a0: &a0 [x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 40)}]\n" for n in range(1, 7)),
        "c.yml: it holds more than 20000 values",
    ),
    ("x\n  fail-level: high\n", "c.yml:2: this is not YAML"),
    ("\nfail-levle: high\n", "c.yml:2: unknown setting 'fail-levle'; did you mean fail-level?"),
    ("qqq: 1\n", "c.yml:1: unknown setting 'qqq'; there are annotations, "),
    ("fail-level: severe\n", "c.yml:1: fail-level must be one of none, low, medium, high, not 'severe'"),
    ("min-severity: none\n", "c.yml:1: min-severity must be one of low, medium, high, not 'none'"),
    ("min-severity: [low]\n", "c.yml:1: min-severity must be one of low, medium, high"),
    ("max-comments: many\n", "c.yml:1: max-comments must be a number from 0 to 100, not 'many'"),
    ("max-comments: true\n", "c.yml:1: max-comments must be a number"),
    ("max-comments: 1000\n", "c.yml:1: max-comments must be a number"),
    ("drafts: perhaps\n", "c.yml:1: drafts must be true or false, not 'perhaps'"),
    ("- a\n", "c.yml:1: it must be a mapping"),
    ("framework-version: 0.9\n", "c.yml:1: framework-version must be a version in quotes, such as '0.9.1'"),
    ("paths: []\n", "c.yml:1: paths must be a list of globs, such as ['*.sh']"),
    ("paths: [1]\n", "c.yml:1: paths must be a list of globs"),
    ("rules: [../other]\n", "c.yml:1: rules must name folders inside the repository, not '../other'"),
    ("engines: {vlm: '0.18'}\n", "c.yml:1: engines: vlm=0.18: 'vlm' is none of vllm"),
    ("engines: {vllm: newest}\n", "c.yml:1: engines: vllm=newest: 'newest' is no version"),
    ("engines:\n  vllm: 0.18\n", "c.yml:2: engines.vllm must be a version in quotes"),
    ("env: {A B: x}\n", "c.yml:1: env.A B: 'A B' is no name of an environment variable"),
    ("env: {A: [x]}\n", "c.yml:1: env.A must be a text in quotes"),
    (
        "checks: {ignore: {enabled: false}}\n",
        "c.yml:1: checks.ignore: there is no check 'ignore'; did you mean ignored?",
    ),
    (
        "checks:\n  ignored:\n    enable: false\n",
        "c.yml:3: checks.ignored.enable: unknown setting 'enable'; did you mean enabled?",
    ),
    ("checks:\n  ignored: off\n", "c.yml:2: checks.ignored must be a mapping"),
    ("language: de\n", "c.yml:1: language must be one of en, zh, not 'de'"),
    ("drafts: true\ndrafts: false\n", "c.yml:2: drafts is given twice"),
    ("paths: " + "[" * 3000 + "\n", "c.yml"),
    ("paths: [[[[[[[[[[a]]]]]]]]]]\n", "c.yml:1: paths is nested too deep"),
    ("#" * (MAX_CONFIG + 1), f"c.yml: it is larger than {MAX_CONFIG} characters"),
    ("a: &a [x, x]\nb: &b [*a, *a]\npaths: [*b, *b]\n", "c.yml:1: unknown setting 'a'"),
    ("drafts: !!python/object/apply:os.system ['true']\n", "c.yml:1: drafts must be true or false"),
]


@pytest.mark.parametrize(("text", "settings"), RIGHT, ids=[text for text, _ in RIGHT])
def test_what_a_file_settles(text: str, settings: Settings) -> None:
    assert read_settings(text, "c.yml") == settings


@pytest.mark.parametrize(("text", "sentence"), WRONG, ids=[text[:30] for text, _ in WRONG])
def test_a_wrong_file_is_one_sentence(text: str, sentence: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        read_settings(text, "c.yml")
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_every_setting_has_a_right_example() -> None:
    assert {name for text, _ in RIGHT for name in KEYS if text.startswith(name + ":")} == set(KEYS)
    assert {key.field for key in KEYS.values()} == set(Settings.__dataclass_fields__)


TOML = """
[tool.other]
min-severity = 3

[tool.reviewbot]
paths = ["*.sh"]
min-severity = "{severity}"

[tool.reviewbot.checks.ignored]
enabled = {enabled}
"""


def test_a_table_of_a_toml_file() -> None:
    made = read_settings(TOML.format(severity="high", enabled="false"), "pyproject.toml")
    ignored = {"ignored": CheckSettings(enabled=False)}
    assert made == Settings(paths=("*.sh",), min_severity=Severity.HIGH, checks=ignored)
    with pytest.raises(ConfigurationError, match=r"^pyproject.toml:7: min-severity must be one of"):
        read_settings(TOML.format(severity="x", enabled="false"), "pyproject.toml")
    with pytest.raises(ConfigurationError, match=r"^pyproject.toml:10: checks.ignored.enabled must be true"):
        read_settings(TOML.format(severity="high", enabled="7"), "pyproject.toml")
    with pytest.raises(ConfigurationError, match=r"^pyproject.toml: this is not TOML"):
        read_settings("[tool.reviewbot]\nx = \n", "pyproject.toml")
    with pytest.raises(ConfigurationError, match="there is no table"):
        read_settings("[tool.other]\n", "pyproject.toml")


def test_where_a_configuration_is_looked_for() -> None:
    toml = TOML.format(severity="high", enabled="false")
    texts = {
        ".github/reviewbot.yml": "language: zh\n",
        "reviewbot.yml": "max-comments: 3\n",
        "pyproject.toml": toml,
    }
    for path, text in texts.items():
        assert find_settings({path: text}.get) == read_settings(text, path)
    assert find_settings(lambda _path: None) == Settings()
    assert find_settings({"pyproject.toml": "[tool.other\n"}.get) == Settings()
    with pytest.raises(
        ConfigurationError, match=r"two configurations, .github/reviewbot.yml and pyproject.toml"
    ):
        find_settings({name: texts[name] for name in (".github/reviewbot.yml", "pyproject.toml")}.get)


def test_inputs_win_over_the_file() -> None:
    given = {
        "min-severity": "high",
        "engines": "vllm=0.18.0 sglang=0.5.5",
        "lang": "zh",
        "exclude": "a/ b.sh",
    }
    made = with_inputs(
        read_settings("min-severity: low\ndrafts: true\n", "c.yml"), lambda name: given.get(name, "")
    )
    assert made == Settings(
        min_severity=Severity.HIGH,
        drafts=True,
        engines={"vllm": "0.18.0", "sglang": "0.5.5"},
        language="zh",
        exclude=("a/", "b.sh"),
    )
    with pytest.raises(
        ConfigurationError, match="the input max-comments must be a number from 0 to 100, not 'x'"
    ):
        with_inputs(Settings(), {"max-comments": "x"}.get)  # type: ignore[arg-type]


def test_the_schema_is_the_one_in_the_docs() -> None:
    assert (DOCS / "schema" / "config-v1.schema.json").read_text(encoding="utf-8") == config_schema()


def valid(text: str) -> bool:
    data: Any = yaml.safe_load(text)
    return jsonschema.Draft202012Validator(json.loads(config_schema())).is_valid(data)


def test_the_schema_takes_what_the_program_takes() -> None:
    for text, _ in RIGHT:
        assert valid(text), text
    beyond = (
        "is given twice",
        "not YAML",
        "larger",
        "'vlm' is none",
        "no version",
        "inside the repository",
        "c.yml",
    )
    for text, sentence in WRONG:
        if (
            "!!python" not in text
            and not any(words in sentence for words in beyond[:-1])
            and sentence != beyond[-1]
        ):
            assert not valid(text), text


def test_the_page_lists_every_setting() -> None:
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    for name, key in KEYS.items():
        assert f"| `{name}` | {key.says} | {'`' + key.given + '`' if key.given else '–'} |\n" in page
    example = page.partition("```yaml\n")[2].partition("```")[0]
    assert read_settings(example, "c.yml").fail_level == "high"
    assert valid(example)
