"""Every kind of statement: what Python writes gives the run, the pictures and the page of the same model written by hand."""

import inspect
import re

import language_library_cases  # noqa: F401 - adds its cases
import pytest
from language_cases import CASES
from language_program import PROGRAM, Language, Vocabulary, builder, everything, vocabulary

from carom.language.tables import plain_key


@pytest.mark.parametrize("name", CASES)
def test_python_and_the_language_say_the_same(name):
    lua, build = CASES[name]
    m = builder()
    build(m)
    of_python, of_lua = everything(m.text), everything(lua)
    assert of_lua["run"]["status"] in ("ok", "stopped")
    for part in of_lua:
        assert of_python[part] == of_lua[part], part


def test_every_word_is_tried():
    """Each statement and measure of the registry stands in one of the texts above."""
    texts = []
    for _, build in CASES.values():
        m = builder()
        build(m)
        texts.append(m.text)
    written = "\n".join(texts)
    words = [w.name for w in vocabulary().words.values() if w.kind != "study"]
    assert [w for w in words if not re.search(rf"\b{w}\b", written)] == []


def test_every_key_of_the_registry_is_taken():
    """Functions of Python know every key that the library knows."""
    m = Language()
    for word in vocabulary().words.values():
        function = getattr(Language, word.name, None) if word.name != "text" else Language.text_
        if word.kind == "study" or not word.keys or function is None:
            continue
        known = {plain_key(n) for n in inspect.signature(function).parameters}
        free = any(p.kind is p.VAR_KEYWORD for p in inspect.signature(function).parameters.values())
        renamed = {"until_t": "until", "from_t": "from"}
        if word.name == "segments":  # of those that lines have it takes these
            known |= {"x", "y", "smooth", "marks"}
        missing = [k for k in word.keys if renamed.get(k, k) not in known and not free]
        assert missing == [], (word.name, missing)
        assert function.__doc__ and ">>>" in function.__doc__, word.name
    assert m.text == ""


def test_program_and_library_have_the_same_words():
    assert Vocabulary.of_program(PROGRAM).words == vocabulary().words
