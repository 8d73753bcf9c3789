"""What every scenario shares: where the server is, and a line for each step that passed or failed."""

import asyncio
import inspect
import os
import sys
import traceback

BASE_URL = os.environ["TOPAS_BASE_URL"]
API_KEY = "none"
MODEL = "default"

WEATHER = {
    "name": "weather",
    "description": "Tells the weather of a city.",
    "parameters": {
        "type": "object",
        "properties": {"city": {"type": "string", "enum": ["Bern", "Rome"]}},
        "required": ["city"],
        "additionalProperties": False,
    },
}


def run(*steps):
    """Runs the steps one after the other; a failed one does not keep the next from running."""
    failed = 0
    for step in steps:
        try:
            result = step()
            if inspect.isawaitable(result):
                asyncio.run(result)
            print(f"passed {step.__name__}", flush=True)
        except Exception as error:
            failed += 1
            traceback.print_exc()
            print(f"failed {step.__name__}: {type(error).__name__}: {error}".splitlines()[0], flush=True)
    sys.exit(1 if failed else 0)
