"""Hypothesis strategies for small scripts: every construct of recipes, put together at random.

The scripts end, touch no file and start nothing but ``python3``.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st
from script_words import (
    Text,
    argument,
    arguments,
    arithmetic,
    array_name,
    formatted,
    launch,
    number,
    number_name,
    pattern,
    quoted,
    simple_parameter,
    sum_of,
    text_name,
    unnamed,
    value,
    word,
    words_from_arrays,
)

plain_words = st.lists(word, max_size=3).map(lambda parts: "".join(" " + part for part in parts))
growing = st.one_of(plain_words, formatted(" §§", words_from_arrays, plain_words))
"""The words of an array: at most one other array among them, so that none grows without bounds."""

assignment = st.one_of(
    formatted("§=§", text_name, value),
    formatted("§+=§", text_name, value),
    formatted("§=§", number_name, number),
    formatted("§=§", number_name, sum_of),
    formatted("((§ §))", number_name, st.sampled_from(["++", "+= 2", "*= 2", "-= 1", "= 5", "<<= 1"])).map(
        "{} || :".format
    ),
    formatted("export §=§", text_name, value),
    formatted("export E§=§", st.sampled_from(["1", "2"]), value),
    formatted("§=(§)", array_name, growing),
    formatted("§+=(§)", array_name, plain_words),
    formatted("§[§]=§", array_name, st.sampled_from(["0", "1", "3"]), value),
    formatted("§=(\n    §  # note\n    # 'none\n    §\n)", array_name, argument, word),
    formatted("unset §", st.one_of(text_name, array_name)),
    formatted("m[§]=§", st.sampled_from(["one", "two", "k$a"]), value),
    formatted("r=§", text_name),
    formatted("set --§", growing),
    formatted("set -- §", word),
    st.just("shift || :"),
    formatted(": ${§:=§}", text_name, word),
    formatted("read -r § § <<< §", text_name, text_name, word),
    formatted(
        'IFS=, read -r § § <<< "§"',
        text_name,
        text_name,
        st.sampled_from(["p,q", "p", "p,q,s", "$a,x", " p , q "]),
    ),
    formatted("printf -v § '%s-%03d' § §", text_name, word, number),
    formatted("IFS=§", st.sampled_from([",", "' '", "$' \\t\\n'", "/"])),
)
assignment = unnamed(st.one_of(assignment, formatted("§=§; §=§", text_name, value, text_name, value)))

test = st.one_of(
    formatted(
        "[ §§§ ]",
        quoted(simple_parameter),
        st.sampled_from([" = ", " != ", " == "]),
        quoted(simple_parameter),
    ),
    formatted(
        "[ § § § ]", number_name.map('"${}"'.format), st.sampled_from(["-gt", "-le", "-eq", "-ne"]), number
    ),
    formatted("[ § § ]", st.sampled_from(["-n", "-z", "! -n"]), quoted(simple_parameter)),
    formatted("[[ § == § ]]", simple_parameter, pattern.filter(lambda text: text != " ")),
    formatted("[[ § != § ]]", simple_parameter, quoted(simple_parameter)),
    formatted(
        "[[ § =~ § ]]", simple_parameter, st.sampled_from(["^a", "b$", "[0-9]+", "(x|r)u", "^(.)(.?)$", "."])
    ),
    formatted("[[ -n § && ! § == x ]]", simple_parameter, simple_parameter),
    formatted("[[ -z § || § -lt § ]]", simple_parameter, number_name, number),
    formatted("((§))", arithmetic()),
    st.sampled_from(["true", "false", "! true"]),
)


def compound(statement: Text) -> Text:
    """A statement made of statements: branches, groups, functions."""
    body = st.lists(statement, min_size=1, max_size=3).map("\n".join)
    alternatives = st.sampled_from(["*", "x*|run", "'a b'", '"$b"', "[0-9]*", "?", "''"])
    return st.one_of(
        formatted("if §; then\n§\nfi", test, body),
        formatted("if §; then\n§\nelse\n§\nfi", test, body, body),
        formatted("if §\nthen §\nelif §; then\n§\nelse §\nfi", test, statement, test, body, statement),
        formatted(
            "case § in\n    §)\n§\n;;\n    *) § ;;\nesac", simple_parameter, alternatives, body, statement
        ),
        formatted(
            'case "§" in (§) §;; x) §;& y) §;; esac',
            simple_parameter,
            alternatives,
            statement,
            statement,
            statement,
        ),
        formatted("§ && { §\n}", test, statement),
        formatted("§ || { §\n}", test, statement),
        formatted("{ §\n}", body),
        formatted("( §\n)", body),
        formatted("f() {\nlocal § §=§\n§\n}\nf§", text_name, text_name, value, body, arguments),
        formatted("eval §", st.sampled_from(["'a=$b'", '"c=\\$d"', "\"python3 -m mod '$i' $j\"", "d=1"])),
        formatted("§ <<EOT\n$a '\nEOT", launch),
        formatted("python3 -m mod \\\n    §  \\\n\t§ # end", argument, argument),
    )


def loop(statement: Text) -> Text:
    """A loop over statements; loops are not nested, so that scripts end soon."""
    body = st.lists(statement, min_size=1, max_size=3).map("\n".join)
    return st.one_of(
        formatted("for § in §; do\n§\ndone", text_name, argument, body),
        formatted('for § in "${§[@]}" last; do §\n done', text_name, array_name, statement),
        formatted("for ((n = 0; n < 2; n++)); do\n§\ndone", body),
        formatted("n=0; while ((n++ < 2)); do\n§\ndone", body),
        formatted(
            "for n in 1 2 3; do\n[ $n = 2 ] && §\n§\ndone", st.sampled_from(["continue", "break"]), body
        ),
    )


straight = unnamed(st.recursive(st.one_of(assignment, assignment, launch), compound, max_leaves=3))
statements = unnamed(st.recursive(st.one_of(straight, straight, loop(straight)), compound, max_leaves=3))


HEAD = """a= b=x c='p q' d=run/7b.x i=3 j=10 k=0 r=b
xs=(one 'two words' '')
ys=()
declare -A m=([one]=1 [two]='2 2')
"""


@st.composite
def scripts(draw: Callable[[Text], str]) -> str:
    """A script that starts with known variables and ends with a launch."""
    body = draw(st.lists(statements, min_size=1, max_size=6).map("\n".join))
    head = draw(
        st.sampled_from(["set --\n", "set -- one 'two three'\n", "set --\nset -e\n", "set -- 1 2\nset -u\n"])
    )
    return f"{HEAD}{head}{body}\n{draw(launch)}\n"
