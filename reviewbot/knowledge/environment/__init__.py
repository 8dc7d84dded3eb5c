"""What a framework's source does with environment variables, and what released engines know."""
