"""Calls of the C library: texts, errors, and Ctrl-C."""

from __future__ import annotations

import contextlib
from typing import Any, Iterator, List, Optional

from ._native import ffi, lib
from .errors import CaromError, FileError, ModelError, StepError


def text_of(pointer: Any) -> Optional[str]:
    """A text of the library; None where there is none."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "backslashreplace")


def bytes_of(text: str) -> bytes:
    """A text for the library, which ends it with a zero byte: there is none inside."""
    encoded = str(text).encode("utf-8", "surrogateescape")
    if b"\0" in encoded:
        raise ValueError(f"a text must not contain a zero byte: {text!r}")
    return encoded


def new_error() -> Any:
    return ffi.new("carom_error *")


def exception_of(status: int, text: str) -> Exception:
    """The exception that a status stands for."""
    if status == lib.CAROM_NO_MEMORY:
        return MemoryError(text)
    kinds = {lib.CAROM_BAD_INPUT: ModelError, lib.CAROM_FAILED: StepError, lib.CAROM_IO_ERROR: FileError}
    return kinds.get(status, CaromError)(text)


def check(status: int, error: Any) -> None:
    """Raises what a status other than OK stands for."""
    if status != lib.CAROM_OK:
        raise exception_of(status, text_of(error.text) or text_of(lib.carom_status_word(status)) or "")


@contextlib.contextmanager
def interruptible() -> Iterator["Interruptible"]:
    """While it is open, Ctrl-C asks the library to stop and does nothing else; `asked` says so afterwards.

    It is for the caller to raise Interrupted with what was computed.
    """
    call = Interruptible()
    lib.carom_python_begin()
    try:
        yield call
    finally:
        call.asked = bool(lib.carom_python_end())


class Interruptible:
    asked = False


class Kept:
    """C data together with everything that they point to."""

    def __init__(self) -> None:
        self._kept: List[Any] = []

    def text(self, text: Optional[str]) -> Any:
        if text is None:
            return ffi.NULL
        return self.keep(ffi.new("char[]", bytes_of(text)))

    def keep(self, data: Any) -> Any:
        self._kept.append(data)
        return data

    def array(self, declaration: str, values: Any) -> Any:
        return self.keep(ffi.new(declaration, values))
