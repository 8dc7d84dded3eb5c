"""Bash scripts → the commands that they would run.  Nothing is ever executed."""
