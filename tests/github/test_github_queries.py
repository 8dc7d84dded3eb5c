"""The GraphQL texts against GitHub's published schema, or against the part of it that the loopback server has."""

from __future__ import annotations

import pytest
from graphql import build_schema, parse, validate
from loopback_description import graphql_schema
from loopback_graphql import SCHEMA

from reviewbot.github import queries

TEXTS = (queries.THREADS, queries.COMMENTS, queries.MINIMIZE)


@pytest.mark.parametrize("whole", [False, True], ids=["loopback", "published"])
def test_queries_are_valid(whole: bool) -> None:
    text = (graphql_schema() if whole else None) or SCHEMA
    schema = build_schema(text, assume_valid=True)
    for query in TEXTS:
        assert validate(schema, parse(query)) == []
