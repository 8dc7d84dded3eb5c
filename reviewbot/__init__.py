"""Reviews pull requests that change training recipes."""
