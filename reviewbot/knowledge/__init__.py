"""What the framework does with each key: facts read from its source, and rules that a person wrote."""
