"""One module a command: options in, exit code out."""
