"""Hypothesis strategies for small scripts: every construct of recipes, put together at random.

The scripts end, touch no file and start nothing but ``python3``.  Names: ``a``–``d`` hold text, ``i``–``k``
integers, ``xs`` and ``ys`` arrays, ``m`` an associative array, ``r`` the name of a variable.
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
