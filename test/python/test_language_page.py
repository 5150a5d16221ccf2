"""The page about the language: its examples run, in order."""

import re

import pytest
from language_program import ROOT

PAGE = (ROOT / "docs" / "python-language.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.M | re.S)


def test_examples_run(capsys):
    pytest.importorskip("carom._native")
    known = {}
    for number, example in enumerate(EXAMPLES):
        exec(compile(example, f"example-{number}", "exec"), known)
    told = capsys.readouterr().out
    assert 'contact { "floor", gap = y, slip = dot(x), restitution = e, friction = 0.3 }' in told
    assert "comparing a symbol" in told
    assert re.search(r"example-\d:4: contact 'floor': the gap must be", told)


def test_one_model_has_other_values():
    pytest.importorskip("carom._native")
    known = {}
    settings = next(e for e in EXAMPLES if 'm.setting("J"' in e)
    exec(EXAMPLES[0] + settings.rsplit("\n", 2)[0] + '\nfound = m.run().measures["tip"], m.run(J=20, wall="far").measures["tip"]\n', known)
    assert known["found"][0] != known["found"][1]
