"""The language of conditions: what it decides, what it leaves open, what it never does."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reviewbot.config.model import UNKNOWN
from reviewbot.knowledge.conditions import MAX_TEXT, evaluate, is_expression, keys_of, truth
from reviewbot.logic import Truth

CONFIG: dict[str, Any] = {
    "r.ep": 2,
    "r.tp": 2,
    "r.dp": 1,
    "r.name": "vllm",
    "r.none": None,
    "r.flag": False,
    "r.path": "/models/qwen",
    "r.sizes": [1, 2, 4],
    "r.env": "${oc.env:HOME}",
    "r.lora": {"rank": 8, "env": "${oc.env:R}"},
    "r.partly": [1, UNKNOWN],
    "r.deep.k": 7,
}


def get(key: str) -> Any:
    return CONFIG.get(key, UNKNOWN)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("r.ep > 1", True),
        ("r.ep == r.tp * r.dp", True),
        ("r.tp * r.dp", 2),
        ("r.tp + 0.5", 2.5),
        ("r.tp // 0", UNKNOWN),
        ("r.name in ['sglang', 'vllm']", True),
        ("r.name not in ('sglang',)", True),
        ("r.name in 'vllm,sglang'", True),
        ("'rank' in r.lora", True),
        ("r.none is None", True),
        ("r.none is not None", False),
        ("r.missing is None", UNKNOWN),
        ("r.flag is False", True),
        ("r.ep is 2", UNKNOWN),
        ("r.none > 1", UNKNOWN),
        ("1 < r.ep <= 2", True),
        ("2 < r.ep < r.missing", False),
        ("len(r.sizes)", 3),
        ("r.sizes[-1]", 4),
        ("r.sizes[9]", UNKNOWN),
        ("r.path.split('/')[-1]", "qwen"),
        ("r.path.startswith('/')", True),
        ("r.name.upper().lower() == r.name", True),
        ("r.lora.get('rank', 0)", 8),
        ("r.lora.get('alpha', 16)", 16),
        ("r.lora.get('alpha')", None),
        ("r.lora.get('env', 1)", UNKNOWN),
        ("r.deep.get('k', 0)", 7),
        ("r.lora['rank']", 8),
        ("max(int('3'), r.ep)", 3),
        ("isinstance(r.sizes, list)", True),
        ("isinstance(r.name, (int, str))", True),
        ("isinstance(r.name, Path)", UNKNOWN),
        ("{'a': r.ep}['a']", 2),
        ("-r.ep", -2),
        ("not r.flag", True),
        ("r.env", UNKNOWN),
        ("r.env == 'x'", UNKNOWN),
        ("1 in r.partly", True),
        ("3 in r.partly", UNKNOWN),
        ("opaque('self.nnodes > 1')", UNKNOWN),
        ("r.flag and opaque('x')", False),
        ("opaque('x') and r.flag", UNKNOWN),
        ("opaque('x') > 1 and r.ep > 5", False),
        ("r.ep or opaque('x')", 2),
        ("r.none or r.name", "vllm"),
        ("r.ep if opaque('x') else 2", 2),
        ("True if opaque('x') else 1", UNKNOWN),
        ("r.ep if r.flag else r.name", "vllm"),
        ("10 ** 9 * 10 ** 9 * 10 ** 9", UNKNOWN),
        ("2 ** 9999999", UNKNOWN),
        ("'a' * 1000000", UNKNOWN),
        ("r.name + '!'", "vllm!"),
        ("(lambda: 1)()", UNKNOWN),
        ("[x for x in r.sizes]", UNKNOWN),
        ("r.name.__class__", UNKNOWN),
        ("r.name.format(1)", UNKNOWN),
        ("(r.name or 'x').__class__", UNKNOWN),
        ("__import__('os').system('true')", UNKNOWN),
        ("f'{r.name}'", UNKNOWN),
        ("r.ep >", UNKNOWN),
        ("", UNKNOWN),
    ],
)
def test_value(text: str, value: Any) -> None:
    found = evaluate(text, get)
    assert found is value if value is UNKNOWN else (found == value and type(found) is type(value))


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("", Truth.TRUE),
        ("r.ep > 1 and r.name == 'vllm'", Truth.TRUE),
        ("opaque('x') and r.flag", Truth.FALSE),
        ("opaque('x') and r.ep", Truth.UNKNOWN),
        ("opaque('x') or r.ep", Truth.TRUE),
        ("not opaque('x')", Truth.UNKNOWN),
        ("r.sizes", Truth.TRUE),
        ("r.flag if opaque('x') else 0", Truth.FALSE),
        ("r.env", Truth.UNKNOWN),
        ("r.ep >", Truth.UNKNOWN),
    ],
)
def test_truth(text: str, verdict: Truth) -> None:
    assert truth(text, get) is verdict


@pytest.mark.parametrize(
    ("text", "keys"),
    [
        ("r.ep > 1 and r.name in ['vllm']", ("r.ep", "r.name")),
        ("r.lora.get('rank', r.ep)", ("r.ep", "r.lora.rank")),
        ("opaque('self.nnodes', r.tp)", ("r.tp",)),
        ("r.path.split('/')[-1]", ("r.path",)),
        ("isinstance(r.sizes, list)", ("r.sizes",)),
        ("model_engine == 'dp'", ("model_engine",)),
        ("1 +", ()),
    ],
)
def test_keys(text: str, keys: tuple[str, ...]) -> None:
    assert keys_of(text) == keys


def test_bounds() -> None:
    assert not is_expression("1" + "+1" * MAX_TEXT)
    assert not is_expression("(" * 150 + "1" + ")" * 150 + " +")
    assert not is_expression("1" + "+1" * 1_000)
    assert not is_expression("not " * 500 + "r.ep")
    assert is_expression("r.ep" + " and r.ep" * 60)


def test_cost_is_linear() -> None:
    """Each level reads the level below twice: without keeping values this would take 2 ** 35 steps."""
    text = "r.ep"
    for _ in range(35):
        text = f"-({text} or 1)"
    assert evaluate(text, get) == -2


EXPRESSIONS = st.recursive(
    st.sampled_from(["a", "b", "c", "1", "2", "0", "None", "True", "False", "'x'"]),
    lambda inner: st.one_of(
        st.tuples(
            inner, st.sampled_from([" and ", " or ", " == ", " < ", " + ", " * ", " in ", " is "]), inner
        ).map(lambda parts: f"({''.join(parts)})"),
        inner.map(lambda text: f"(not {text})"),
        inner.map(lambda text: f"[{text}]"),
        st.tuples(inner, inner, inner).map(lambda parts: "({} if {} else {})".format(*parts)),
    ),
    max_leaves=12,
)
VALUES = st.one_of(st.none(), st.booleans(), st.integers(-3, 3), st.sampled_from(["x", ""]))


@given(EXPRESSIONS, st.fixed_dictionaries({"a": VALUES, "b": VALUES, "c": VALUES}))
def test_known_values_agree_with_python(text: str, values: dict[str, Any]) -> None:
    """Where something is decided, Python decides the same."""
    found = evaluate(text, values.__getitem__)
    verdict = truth(text, values.__getitem__)
    if found is UNKNOWN and verdict is Truth.UNKNOWN:
        return
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            expected = eval(text, {"__builtins__": {}}, values)
        except TypeError:
            return
    if found is not UNKNOWN and not isinstance(found, list):
        assert found == expected
    assert verdict is Truth.of(bool(expected))


@given(EXPRESSIONS, st.fixed_dictionaries({"a": VALUES, "b": VALUES}), VALUES)
def test_unknown_never_becomes_a_claim(text: str, values: dict[str, Any], hidden: Any) -> None:
    """What is decided with ``c`` unknown holds for every value of ``c``."""
    found = evaluate(text, lambda key: values.get(key, UNKNOWN))
    verdict = truth(text, lambda key: values.get(key, UNKNOWN))
    complete = {**values, "c": hidden}
    if found is not UNKNOWN and not isinstance(found, list):
        assert evaluate(text, complete.__getitem__) in (found, UNKNOWN)
    if verdict is not Truth.UNKNOWN:
        assert truth(text, complete.__getitem__) in (verdict, Truth.UNKNOWN)


@given(st.text(max_size=80))
def test_any_text_is_survived(text: str) -> None:
    evaluate(text, get)
    assert truth(text, get) in Truth
    keys_of(text)
