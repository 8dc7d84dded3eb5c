"""What a user may settle: a configuration file, and the inputs of the Action."""
