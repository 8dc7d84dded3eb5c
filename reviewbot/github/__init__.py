"""GitHub: events in, reviews out.  The only package that knows GitHub or uses the network."""
