"""Hypothesis strategies for words of bash, and for commands of them.

Names: ``a``–``d`` hold text, ``i``–``k`` integers, ``xs`` and ``ys`` arrays, ``m`` an associative array, ``r`` the
name of a variable; ``U`` and ``V`` are never set.
"""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

Text = st.SearchStrategy[str]

TEXTS = ("a", "b", "c", "d")
NUMBERS = ("i", "j", "k")
ARRAYS = ("xs", "ys")

text_name = st.sampled_from(TEXTS)
number_name = st.sampled_from(NUMBERS)
array_name = st.sampled_from(ARRAYS)
number = st.integers(0, 40).map(str)

bare = st.sampled_from(
    [
        "x",
        "run",
        "7b",
        "a.b",
        "k=v",
        "k=",
        "/p/q.sh",
        "--flag",
        "+n.m=2",
        "~del",
        "é",
        "{x}",
        "{}",
        "a@b=c",
        "-",
    ]
)
escaped = st.sampled_from(["\\ ", '\\"', "\\$", "\\\\", "\\'", "\\*", "\\n", "\\\n", "\\{"])
single_quoted = st.sampled_from(
    ["''", "'a b'", "'$a'", "'\"'", "'{x: 1}'", "'\\'", "'a\nb'", "'#'", "'[1,2]'"]
)
ansi_quoted = st.sampled_from(["$'a\\tb'", "$'\\''", "$'\\x41'", "$'\\n'", "$'é\\u00e9'"])
pattern = st.sampled_from(
    ["*", "?", "a*", "*b", "/*", "*/", "*.", ".*", "[a-m]", "[!a]", "[0-9]", "x", "/", "_", " "]
)


def unnamed(strategy: Text) -> Text:
    """The same strategy, with a short representation."""

    @st.composite
    def drawn(draw: Callable[[Text], str]) -> str:
        return draw(strategy)

    return drawn()


def formatted(template: str, *parts: Text) -> Text:
    """The template with each ``§`` replaced by a drawn part."""
    pieces = template.split("§")
    assert len(pieces) == len(parts) + 1
    return st.tuples(*parts).map(
        lambda drawn: pieces[0] + "".join(part + piece for part, piece in zip(drawn, pieces[1:], strict=True))
    )


def arithmetic() -> Text:
    """An expression over integers that never divides by zero."""
    atom = st.one_of(number, number_name, number_name.map("${}".format))
    atom = st.one_of(atom, number_name.map("${{{}}}".format), array_name.map("${{#{}[@]}}".format))
    binary = st.sampled_from(
        ["+", "-", "*", " + ", " - ", " * ", "<", ">", "==", "!=", ">=", "&&", "||", "&", "|", "^"]
    )
    by_number = st.sampled_from(["/2", " / 3", "%4", " % 5", "<<1", ">>1"])

    def larger(inner: Text) -> Text:
        return st.one_of(
            formatted("§§§", inner, binary, inner),
            formatted("(§)§", inner, by_number),
            formatted("§?§:§", inner, inner, inner),
            formatted("-(§)", inner),
            formatted("!(§)", inner),
            formatted("$((§))", inner),
        )

    return st.recursive(atom, larger, max_leaves=4)


sum_of = formatted("$((§))", arithmetic())

simple_parameter = st.one_of(
    text_name.map("${}".format),
    text_name.map("${{{}}}".format),
    number_name.map("${{{}}}".format),
    text_name.map("${{#{}}}".format),
    st.sampled_from(
        ["$1", "${2}", "$#", "${3:-third}", "${r}", "${!r}", "${m[one]}", "${m[k$a]:-none}", "${#m[@]}"]
    ),
    st.sampled_from(["${U:-5}", "${U-q r}", "${U:+set}", "${U+set}", "${U:-$V}", "${V:-${U:-x}}", "$U"]),
    formatted("${§[0]}", array_name),
    formatted("${§[§]}", array_name, st.sampled_from(["1", "i%2", "$((j%2))", "0"])),
    formatted("${#§[@]}", array_name),
)


def parameter(word: Text) -> Text:
    """An expansion of one variable, with an operand that may itself be made of words."""
    trim = st.sampled_from(["#", "##", "%", "%%"])
    substitute = st.sampled_from(["/", "//", "/#", "/%"])
    piece = st.one_of(pattern, text_name.map("${}".format))
    return st.one_of(
        formatted("${§§§}", text_name, st.sampled_from([":-", "-", ":+", "+", ":="]), word),
        formatted("${§§§}", text_name, trim, pattern),
        formatted("${§§§}", text_name, trim, text_name.map("${}".format)),
        formatted(
            "${§§§/§}",
            text_name,
            substitute,
            piece,
            st.one_of(bare, text_name.map("${}".format), st.just("")),
        ),
        formatted("${§§}", text_name, st.sampled_from(["^^", ",,", "^", ",", "^^[a-f]"])),
        formatted(
            "${§:§}", text_name, st.sampled_from(["0", "1", " -1", "2", "1:2", "0:-1", "i:1", "$j", "(-2):1"])
        ),
        formatted("$(echo §)", word),
        sum_of,
    )


def quoted(inside: Text) -> Text:
    """A word in double quotes."""
    literal = st.sampled_from(
        ["a b", " ", "x", "'", '\\"', "\\$", "\\\\", "*", "{x,y}", "a\nb", "\\n", "#", "é ü", "["]
    )
    return st.lists(st.one_of(literal, inside), max_size=4).map(lambda parts: '"' + "".join(parts) + '"')


words_from_arrays = st.one_of(
    formatted('"${§[@]}"', array_name),
    formatted("${§[@]}", array_name),
    formatted("${§[*]}", array_name),
    formatted('"${§[*]}"', array_name),
    formatted('"${§[@]:1}"', array_name),
    formatted('"${§[@]:0:§}"', array_name, st.sampled_from(["1", "2"])),
    formatted('"${§[@]/§/§}"', array_name, pattern, bare),
    formatted('"${§[@]§§}"', array_name, st.sampled_from(["#", "%"]), pattern),
    formatted('"p${§[@]}s"', array_name),
    formatted('"${§[@]+"${§[@]}"}"', array_name, array_name),
    formatted('"${!§[@]}"', array_name),
    st.sampled_from(
        [
            '"$@"',
            "$@",
            '"$*"',
            "$*",
            '"${@:2}"',
            '"${@:1:1}"',
            "x{a,b}y",
            "{1..3}",
            "{a,b}{c,'d e'}",
            "{c..a}",
        ]
    ),
)


def words() -> Text:
    """One word as written, which may become none or several."""
    plain = st.one_of(bare, bare, escaped, single_quoted, ansi_quoted, simple_parameter)

    def larger(inner: Text) -> Text:
        expansion = parameter(st.one_of(inner, bare, single_quoted))
        double = quoted(st.one_of(simple_parameter, parameter(in_quotes)))
        return st.one_of(expansion, double, double, st.tuples(inner, inner).map("".join))

    return st.recursive(plain, larger, max_leaves=4)


in_quotes = st.one_of(
    bare, simple_parameter, st.sampled_from(["'a b'", "\\$", "it's", '"a  b"', "\\\\", '"$a"', "a b"])
)
"""Operands within double quotes: single quotes are characters there, and double quotes pair within the operand."""

word = unnamed(words())
value = st.one_of(word, bare, sum_of)
argument = st.one_of(
    word,
    formatted("key.§=§", bare.filter(str.isalnum), word),
    formatted('key="§"', st.one_of(simple_parameter, st.just("a  b"))),
    words_from_arrays,
)
arguments = st.lists(argument, max_size=5).map(lambda parts: "".join(" " + part for part in parts))
launch = formatted("§python3 -m mod§", st.sampled_from(["", "", "", "E=1 ", 'E="$a" F=$i ']), arguments)
