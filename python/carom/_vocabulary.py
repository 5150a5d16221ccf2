"""The words of the model language as the library has registered them."""

from __future__ import annotations

from typing import Any, List, Optional

from ._calls import text_of
from ._native import ffi, lib
from .language import Vocabulary


def _names(list_of: Any) -> Optional[List[str]]:
    """Names of a list that ends with an entry without one."""
    if list_of == ffi.NULL:
        return None
    names: List[str] = []
    while list_of[len(names)].name != ffi.NULL:
        names.append(text_of(list_of[len(names)].name) or "")
    return names


def vocabulary() -> Vocabulary:
    """All statements, measures and studies."""
    statements = [lib.carom_statement_at(i) for i in range(lib.carom_statement_count())]
    measures = [lib.carom_measure_at(i) for i in range(lib.carom_measure_count())]
    studies = [lib.carom_study_at(i) for i in range(lib.carom_study_count())]
    return Vocabulary(
        {text_of(s.name) or "": (text_of(s.summary) or "", text_of(s.example) or "", _names(s.keys)) for s in statements},
        {text_of(m.name) or "": (text_of(m.summary) or "", text_of(m.example) or "") for m in measures if not m.hidden},
        {text_of(s.name) or "": (text_of(s.summary) or "", _names(s.inputs)) for s in studies},
    )
