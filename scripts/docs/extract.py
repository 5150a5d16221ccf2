"""Prints a model of a page, by the name in the comment above it: extract.py PAGE NAME."""

import sys

sys.dont_write_bytecode = True
import pages  # noqa: E402

found = [block.text for block in pages.blocks(sys.argv[1]) if block.note == f"model: {sys.argv[2]}"]
if len(found) != 1:
    sys.exit(f"{sys.argv[1]}: {len(found)} models of the name '{sys.argv[2]}'")
print(found[0], end="")
