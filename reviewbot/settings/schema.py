"""The JSON Schema of the configuration file: ``python -m reviewbot.settings.schema`` prints it."""

from __future__ import annotations

import json

from reviewbot.settings.keys import KEYS


def config_schema() -> str:
    """The schema as JSON text."""
    properties = {name: {"description": key.says, **key.kind.schema} for name, key in KEYS.items()}
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Configuration of reviewbot",
        "type": ["object", "null"],
        "properties": properties,
        "additionalProperties": False,
    }
    return json.dumps(schema, indent=2) + "\n"


if __name__ == "__main__":
    print(config_schema(), end="")
