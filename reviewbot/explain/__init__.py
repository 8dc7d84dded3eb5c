"""What is known about a check, a rule or a config key, as values; ``report`` puts them into words."""
