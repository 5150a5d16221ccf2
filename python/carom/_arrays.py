"""numpy arrays on memory of the library, without a copy."""

from __future__ import annotations

from typing import Any, Sequence, Tuple

import numpy as np

from ._native import ffi, lib


class _Memory:
    """Doubles of the library as numpy sees them; keeps their owner alive as long as an array is on them."""

    def __init__(self, owner: Any, pointer: Any, shape: Tuple[int, ...], writable: bool):
        self.owner = owner
        self.__array_interface__ = {
            "version": 3,
            "typestr": "<f8",
            "shape": shape,
            "data": (int(ffi.cast("uintptr_t", pointer)), not writable),
        }


def view(owner: Any, pointer: Any, shape: Sequence[int], writable: bool = False) -> np.ndarray:
    """An array on doubles that `owner` frees; the array holds the owner."""
    shape = tuple(int(n) for n in shape)
    if pointer == ffi.NULL or 0 in shape:
        return np.empty(shape)
    return np.asarray(_Memory(owner, pointer, shape, writable))


def doubles(values: Any, what: str, count: int = -1) -> np.ndarray:
    """A contiguous array of finite doubles; ValueError says what is wrong with `what`."""
    if type(values) is np.ndarray and values.dtype == np.float64 and values.ndim == 1 and values.flags.c_contiguous \
            and (count < 0 or count == values.size) and values.size < 2**31 \
            and lib.carom_all_finite(values.size, ffi.from_buffer("double[]", values)):
        return values  # what follows takes longer than a small problem
    try:
        array = np.ascontiguousarray(values, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise TypeError(f"{what}: numbers are needed, not {type(values).__name__} ({problem})") from None
    if array.ndim != 1:
        array = array.reshape(-1) if array.ndim == 0 else array
    if array.ndim != 1:
        raise ValueError(f"{what}: one row of numbers is needed, not an array of shape {array.shape}")
    if 0 <= count != array.size:
        raise ValueError(f"{what}: {count} numbers are needed, not {array.size}")
    if not np.isfinite(array).all():
        place = int(np.flatnonzero(~np.isfinite(array))[0])
        raise ValueError(f"{what}: entry {place} is {array[place]}; finite numbers are needed")
    return array


def pointer_to(array: np.ndarray) -> Any:
    """The array's doubles for the library, while the caller holds the array."""
    return ffi.cast("double *", array.ctypes.data)
