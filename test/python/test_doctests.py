"""The examples in the package's docstrings."""

import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import carom

MODULES = sorted(module.name for module in pkgutil.walk_packages(carom.__path__, "carom.")
                 if not module.name.endswith("_native") and not module.name.startswith("carom.language."))


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    module = importlib.import_module(name)
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(module, extraglobs={"carom": carom, "np": np}, optionflags=flags)
    assert failed == 0


def test_there_are_examples():
    assert len(MODULES) >= 6
    for public in ("run", "load", "Model", "Motion", "experiment"):
        assert getattr(carom, public).__doc__, public
