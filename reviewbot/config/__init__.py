"""Hydra overrides and YAML trees → the effective config of a launch."""
