"""Catalogues: what reviewbot says in other languages than English."""
