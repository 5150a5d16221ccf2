"""Matrices of numpy and scipy as the library takes them, and back."""

from __future__ import annotations

from typing import Any, Dict, List, Tuple

import numpy as np

from ._native import ffi, lib

LARGEST = 2**29  # rows and columns: places are ints in the library
_NAMES: Dict[str, Any] = {}
_LAYOUTS = {"csc": lib.CAROM_PYTHON_CSC, "csr": lib.CAROM_PYTHON_CSR, "bsr": lib.CAROM_PYTHON_BSR,
            "coo": lib.CAROM_PYTHON_COO}


class Matrix:
    """A carom_python_matrix on the memory of numpy, which it holds."""

    __slots__ = ("pointer", "rows", "columns", "kept")

    def __init__(self, name: str, shape: Tuple[int, int]):
        self.rows, self.columns = int(shape[0]), int(shape[1])
        if self.rows > LARGEST or self.columns > LARGEST:
            raise ValueError(f"{name}: {self.rows} x {self.columns} is too large; at most {LARGEST} rows and columns")
        self.kept: List[Any] = []
        self.pointer = ffi.new("carom_python_matrix *")
        if name not in _NAMES:
            _NAMES[name] = ffi.new("char[]", name.encode())
        self.pointer.name, self.pointer.rows, self.pointer.columns = _NAMES[name], self.rows, self.columns

    def buffer(self, array: np.ndarray, kind: str) -> Any:
        data = ffi.from_buffer(kind, array)
        self.kept.append(data)
        return data


def is_sparse(value: Any) -> bool:
    return hasattr(value, "tocsc") and hasattr(value, "format") and hasattr(value, "shape")


def _numbers(name: str, data: Any) -> np.ndarray:
    try:
        array = np.asarray(data)
        if array.dtype.kind not in "fiub":
            raise TypeError(f"its entries are of type {array.dtype}")
        return np.ascontiguousarray(array, dtype=np.float64) if array.dtype != np.float64 else array
    except (TypeError, ValueError) as problem:
        raise TypeError(f"{name}: a matrix of real numbers is needed, not {type(data).__name__} ({problem})") from None


def _indices(name: str, what: str, data: Any) -> np.ndarray:
    array = np.asarray(data)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"{name}.{what}: whole numbers in one row are needed")
    if array.dtype != np.int32:
        if array.size and not -(2**31) <= int(array.min()) <= int(array.max()) < 2**31:
            raise ValueError(f"{name}.{what}: {int(array.max())} is too large for a place in a matrix")
        array = array.astype(np.int32)
    return np.ascontiguousarray(array)


def matrix(name: str, value: Any, diagonal: bool = False) -> Matrix:
    """Any matrix for the library; with `diagonal` one row of numbers stands for a diagonal one."""
    if type(value) is np.ndarray:
        array = value if value.dtype == np.float64 else _numbers(name, value)
    elif is_sparse(value):
        return _of_sparse(name, value)
    else:
        array = _numbers(name, value)
    if diagonal and array.ndim == 1:
        places = np.arange(array.size, dtype=np.int32)
        return _of_entries(name, (array.size, array.size), places, places, np.ascontiguousarray(array))
    if array.ndim != 2:
        raise ValueError(f"{name}: rows and columns are needed, not an array of shape {array.shape}")
    if array.strides[0] % 8 or array.strides[1] % 8:
        array = np.ascontiguousarray(array)
    made = Matrix(name, (array.shape[0], array.shape[1]))
    pointer = made.pointer
    pointer.layout = lib.CAROM_PYTHON_DENSE
    pointer.row_stride, pointer.column_stride = array.strides[0] // 8, array.strides[1] // 8
    if array.flags.c_contiguous:
        pointer.value = made.buffer(array, "double[]")
    else:
        made.kept.append(array)
        pointer.value = ffi.cast("double *", array.ctypes.data)
    return made


def _of_entries(name: str, shape: Tuple[int, int], row: np.ndarray, column: np.ndarray, value: np.ndarray) -> Matrix:
    if not row.size == column.size == value.size:
        raise ValueError(f"{name}: {row.size} rows, {column.size} columns and {value.size} values of entries")
    made = Matrix(name, shape)
    pointer = made.pointer
    pointer.layout, pointer.entries = lib.CAROM_PYTHON_COO, value.size
    pointer.index, pointer.other = made.buffer(row, "int[]"), made.buffer(column, "int[]")
    pointer.value = made.buffer(value, "double[]")
    return made


def _of_sparse(name: str, value: Any) -> Matrix:
    if value.format not in _LAYOUTS:
        value = value.tocsc()
    form = value.format
    data = np.ascontiguousarray(_numbers(name, value.data))
    if data.size >= 2**31:
        raise ValueError(f"{name}: {data.size} entries are too many; at most {2**31 - 1}")
    if form == "coo":
        return _of_entries(name, value.shape, _indices(name, "row", value.row), _indices(name, "col", value.col), data)
    made = Matrix(name, value.shape)
    pointer = made.pointer
    start, index = _indices(name, "indptr", value.indptr), _indices(name, "indices", value.indices)
    lines, entries = made.columns if form == "csc" else made.rows, data.size
    if form == "bsr":
        entries = _check_blocks(name, made, data)
        lines = made.rows // pointer.block_rows
    if start.size != lines + 1:
        raise ValueError(f"{name}.indptr: {lines + 1} numbers are needed, not {start.size}")
    if index.size != entries or start[0] != 0 or start[-1] > entries:
        raise ValueError(f"{name}: {entries} entries, {index.size} indices, indptr from {start[0]} to {start[-1]}")
    pointer.layout, pointer.entries = _LAYOUTS[form], entries
    pointer.start, pointer.index = made.buffer(start, "int[]"), made.buffer(index, "int[]")
    pointer.value = made.buffer(data, "double[]")
    return made


def _check_blocks(name: str, made: Matrix, data: np.ndarray) -> int:
    if data.ndim != 3 or 0 in data.shape[1:] or made.rows % data.shape[1] or made.columns % data.shape[2]:
        raise ValueError(f"{name}: blocks of shape {data.shape[1:]} do not fill a matrix of shape "
                         f"{(made.rows, made.columns)}")
    made.pointer.block_rows, made.pointer.block_columns = data.shape[1], data.shape[2]
    return int(data.shape[0])


def to_scipy(sparse: Any) -> Any:
    """A copy of a carom_sparse as scipy.sparse.csc_matrix."""
    import scipy.sparse

    count = sparse.column_start[sparse.columns]

    def copy(pointer: Any, length: int, kind: Any) -> np.ndarray:
        if length == 0:
            return np.empty(0, dtype=kind)
        return np.frombuffer(ffi.buffer(pointer, length * np.dtype(kind).itemsize), dtype=kind).copy()

    start = copy(sparse.column_start, sparse.columns + 1, np.int32)
    parts = (copy(sparse.value, count, np.float64), copy(sparse.row, count, np.int32), start)
    return scipy.sparse.csc_matrix(parts, shape=(sparse.rows, sparse.columns))


def to_dense(name: str, value: Any) -> np.ndarray:
    """A matrix of finite doubles, row by row."""
    array = _numbers(name, value.toarray() if is_sparse(value) else value)
    if array.ndim != 2:
        raise ValueError(f"{name}: rows and columns are needed, not an array of shape {array.shape}")
    array = np.ascontiguousarray(array)
    if not np.isfinite(array).all():
        i, j = (int(k[0]) for k in np.nonzero(~np.isfinite(array)))
        raise ValueError(f"{name}: entry ({i}, {j}) is {array[i, j]}; finite numbers are needed")
    return array
