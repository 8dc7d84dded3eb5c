"""The keys that an unknown key was likely meant to be."""

from __future__ import annotations

from collections.abc import Iterator

from reviewbot.config.model import Base, Plain


def nearest(key: str, base: Base, n: int = 3) -> tuple[str, ...]:
    """Up to ``n`` keys or groups of ``base``, the likeliest first; empty where nothing comes near.

    Looks for a config group of that name at the top, the same last name elsewhere, a misspelt part, a part
    that is missing or too many.
    """
    wanted = key.partition("@")[0].replace("/", ".").split(".")
    ranked: dict[str, float] = {}
    for candidate in _candidates(base):
        score = _likeness(wanted, candidate.split("."))
        if score >= _LEAST:
            ranked[candidate] = score
    for group in _groups(base):
        name = group.partition("@")[0]
        if name.rpartition("/")[2] == wanted[-1]:
            ranked[group] = max(ranked.get(group, 0.0), 2.0 if "@" not in group and "/" not in group else 0.7)
        elif len(wanted) == 1 and _close(wanted[0], name):
            ranked[group] = max(ranked.get(group, 0.0), 1.0 - _distance(wanted[0], name) / 10)
    ranked.pop(key, None)
    order = sorted(ranked, key=lambda candidate: (-ranked[candidate], candidate.count("."), candidate))
    return tuple(order[:n])


_LEAST = 0.45


def _candidates(base: Base) -> Iterator[str]:
    """Every key of the tree, inner nodes included."""
    pending: list[tuple[str, Plain]] = [("", base.tree)]
    while pending:
        prefix, node = pending.pop()
        for name, value in node.items():
            key = f"{prefix}{name}"
            yield key
            if isinstance(value, dict):
                pending.append((f"{key}.", value))


def _groups(base: Base) -> Iterator[str]:
    """The entries of the defaults list that a command can name."""
    for group in base.groups:
        if "/../" not in group:
            yield group


def _likeness(wanted: list[str], candidate: list[str]) -> float:
    """0 … 1 for the same last name, less for a misspelt one; shared parts of the path raise it."""
    last, name = wanted[-1], candidate[-1]
    if last == name:
        alike = 1.0
    elif _close(last, name):
        alike = 0.8 - 0.1 * _distance(last, name)
    elif len(wanted) == len(candidate) > 1 and _same_words(last, name):
        alike = 0.6
    else:
        return 0.0
    return alike * (0.5 + 0.5 * _shared(wanted[:-1], candidate[:-1]))


def _shared(wanted: list[str], candidate: list[str]) -> float:
    """How much of two paths is the same: the longest common subsequence of parts, misspelt parts counting
    less."""
    if not wanted and not candidate:
        return 1.0
    rows = [[0.0] * (len(candidate) + 1) for _ in range(len(wanted) + 1)]
    for i, left in enumerate(wanted):
        for j, right in enumerate(candidate):
            same = 1.0 if left == right else 0.7 if _close(left, right) else 0.0
            rows[i + 1][j + 1] = max(rows[i][j + 1], rows[i + 1][j], rows[i][j] + same)
    return 2 * rows[-1][-1] / (len(wanted) + len(candidate))


def _close(left: str, right: str) -> bool:
    """Whether two names differ by a slip: at most two edits, and no more than a third of the name."""
    if left == right:
        return True
    limit = min(2, max(len(left), len(right)) // 3)
    if abs(len(left) - len(right)) > limit or len(set(left) ^ set(right)) > 2 * limit or limit == 0:
        return False
    return _distance(left, right) <= limit


def is_slip(key: str, candidate: str) -> bool:
    """Whether two keys of one node differ by a slip in a last name that is long enough to tell."""
    node, _, last = key.rpartition(".")
    other, _, name = candidate.rpartition(".")
    return node == other and last != name and min(len(last), len(name)) >= 6 and _close(last, name)


def _same_words(left: str, right: str) -> bool:
    """Whether one name's words are all in the other, whole or shortened.

    ``max_len`` and ``max_token_length``, ``tokens_max`` and ``max_tokens``.
    """
    few, many = sorted((left.split("_"), right.split("_")), key=len)
    return len(few) > 1 and all(any(_shortened(word, other) for other in many) for word in few)


def _shortened(left: str, right: str) -> bool:
    short, long = sorted((left, right), key=len)
    return short == long or (len(short) >= 3 and long.startswith(short))


def _distance(left: str, right: str) -> int:
    """Edits between two names, swapped neighbours counting as one."""
    before: list[int] = []
    row = list(range(len(right) + 1))
    for i, a in enumerate(left):
        older, before = before, row
        row = [i + 1]
        for j, b in enumerate(right):
            cost = min(before[j] + (a != b), before[j + 1] + 1, row[j] + 1)
            if i and j and a == right[j - 1] and left[i - 1] == b:
                cost = min(cost, older[j - 1] + 1)
            row.append(cost)
    return row[-1]
