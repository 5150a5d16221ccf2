"""The reference in docs/ is what the docstrings say, and every public name has one."""

import subprocess
import sys

import carom

from conftest import SOURCE


def test_the_reference_is_up_to_date():
    subprocess.run([sys.executable, str(SOURCE / "scripts/docs/python_reference.py"), "reference.md"], check=True)
    there = (SOURCE / "docs/python-reference.md").read_text()
    assert open("reference.md").read() == there, "make python && PYTHONPATH=build/python /usr/bin/python3 scripts/docs/python_reference.py docs/python-reference.md"


def test_every_public_name_is_documented():
    for name in carom.__all__:
        assert (getattr(carom, name).__doc__ or "").strip(), name
