"""Which config keys a framework's source reads: typed by owner, and reached from which entry points."""
