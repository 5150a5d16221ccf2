"""The examples in the docstrings run, and the language can read what they say."""

import doctest
import inspect

import pytest
from language_program import Language, builder, vocabulary

from carom.language import functions, language, layout, literals, tables, trace, vocabulary as words_of_library


def documented():
    for name, member in inspect.getmembers(Language):
        if not name.startswith("_") and ">>>" in (inspect.getdoc(member) or ""):
            yield name


@pytest.mark.parametrize("name", list(documented()))
def test_example(name):
    m = builder()
    x, y = m.coordinates("x", "y")
    m.contact("floor", gap=y)
    e = m.param("e", 0.5)
    known = {"m": m, "x": x, "y": y, "e": e, "n": m.setting("n", 2), "k": e, "Language": Language, **vars(functions)}
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(getattr(Language, name)), known, name, None, 0)
    told = []
    doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(examples, out=told.append)
    assert not told, "".join(told)


def test_every_word_has_an_example():
    for word in vocabulary().words.values():
        own = Language.__dict__.get(word.name) or next((c.__dict__[word.name] for c in Language.__mro__ if word.name in c.__dict__), None)
        if word.kind != "study" and word.name != "text":
            assert own is not None, word.name
            assert ">>> " in own.__doc__, word.name


@pytest.mark.parametrize("module", [functions, language, layout, literals, tables, trace, words_of_library])
def test_examples_of_modules(module):
    if module is language:
        return  # above
    assert doctest.testmod(module).failed == 0
