"""A review → text for people, JSON for programs."""
