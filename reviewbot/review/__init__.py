"""Findings → fixes that are proved, and what of it belongs to the change under review."""
