"""GraphQL texts: what the REST interface does not tell or do."""

from __future__ import annotations

_AUTHOR = "viewerDidAuthor author { login __typename }"

THREADS = f"""
query($owner: String!, $name: String!, $number: Int!, $after: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{
      reviewThreads(first: 50, after: $after) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{
          isResolved isOutdated path line startLine
          comments(first: 50) {{
            nodes {{ id databaseId body isMinimized {_AUTHOR} }}
          }}
        }}
      }}
    }}
  }}
}}
"""
"""The review threads, with who wrote what in them."""

COMMENTS = f"""
query($owner: String!, $name: String!, $number: Int!, $after: String) {{
  viewer {{ login }}
  repository(owner: $owner, name: $name) {{
    pullRequest(number: $number) {{
      comments(first: 100, after: $after) {{
        pageInfo {{ hasNextPage endCursor }}
        nodes {{ id databaseId body isMinimized {_AUTHOR} }}
      }}
    }}
  }}
}}
"""
"""The comments on the pull request as a whole."""

MINIMIZE = """
mutation($node: ID!, $why: ReportedContentClassifiers!) {
  minimizeComment(input: {subjectId: $node, classifier: $why}) { minimizedComment { isMinimized } }
}
"""
