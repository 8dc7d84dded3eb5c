"""One module a check: a pure function from a recipe and knowledge to findings."""
