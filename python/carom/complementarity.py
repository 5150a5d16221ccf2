"""Linear complementarity problems and quadratic programs with bounds."""

from __future__ import annotations

from typing import Any, Dict, Optional, Tuple

import numpy as np

from . import _calls, _matrix, _solvers
from ._arrays import doubles
from ._native import ffi, lib
from .errors import ModelError, SolverError

_MOST = 46340  # whose square is an int


def _at(array: np.ndarray) -> Any:
    return ffi.from_buffer("double[]", array)


def _square(name: str, value: Any, size: int, why: str) -> np.ndarray:
    if _matrix.is_sparse(value) and max(value.shape) > _MOST:
        raise ValueError(f"{name}: {value.shape[0]} x {value.shape[1]} is too large; at most {_MOST}")
    array = _matrix.to_dense(name, value)
    if array.shape != (size, size):
        raise ValueError(f"{name} is {array.shape[0]} x {array.shape[1]}; with {why} it must be {size} x {size}")
    if size > _MOST:
        raise ValueError(f"{name}: {size} unknowns are too many; at most {_MOST}")
    return array


def _limits(kept: _calls.Kept, name: str, tol: Any, max_iterations: Any, options: Dict[str, Any]) -> Any:
    made = ffi.new("carom_solver_options *")
    _solvers.set_limits(made, tol, max_iterations, None)
    if options:
        made.option = _solvers.option_list(kept, f"solver '{name}'", options)
    return made


class _Solved:
    """What all results have: report, error, ok, status."""

    def __init__(self, report: _solvers.Report):
        self.report = report
        self.error: float = report.error
        self.ok: bool = report.status == "ok"

    @property
    def status(self) -> str:
        return self.report.status

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.report!r}>"


class LcpResult(_Solved):
    """What `carom.lcp` returns: z, w = M z + q, error, ok, report."""

    def __init__(self, z: np.ndarray, w: np.ndarray, report: _solvers.Report):
        self.z, self.w = z, w
        super().__init__(report)


def lcp(M: Any, q: Any, tol: Optional[float] = None, solver: str = "auto", *, z0: Any = None,
        max_iterations: Optional[int] = None, strict: bool = True, **options: Any) -> LcpResult:
    """Solves a linear complementarity problem: z >= 0, w = M z + q >= 0, z.w = 0.

    Parameters
    ----------
    tol : largest error max |min(z_i, w_i / M_ii)| / (max |z| + max |q_i| / M_ii); default: the solver's own, 1e-12
    solver : a name of `carom.solvers()["lcp"]`; "auto": active-set for symmetric matrices, lemke for others and where
        that fails
    z0 : to start from, for solvers that use it
    strict : raise SolverError when it is not solved; False: return the best that was found

    >>> result = carom.lcp([[2, 1], [1, 2]], [-1, 1], solver="closed-form")
    >>> result.z, result.w
    (array([0.5, 0. ]), array([0. , 1.5]))
    """
    vector = doubles(q, "q")
    matrix = _square("M", M, vector.size, f"{vector.size} numbers in q")
    problem = ffi.new("carom_lcp *")
    kept = _calls.Kept()
    problem.size, problem.matrix, problem.vector = vector.size, kept.keep(_at(matrix)), kept.keep(_at(vector))
    names = [solver]
    if solver == "auto":
        names = ["active-set", "lemke"] if (matrix == matrix.T).all() else ["lemke"]
    best: Optional[LcpResult] = None
    for name in names:
        result = _solve_lcp(kept, problem, matrix, vector, name, tol, z0, max_iterations, options)
        if best is None or result.ok or result.error < best.error:
            best = result
        if result.ok:
            return result
    assert best is not None
    if strict:
        raise SolverError(best.report.sentence(), best)
    return best


def _solve_lcp(kept: _calls.Kept, problem: Any, matrix: np.ndarray, vector: np.ndarray, solver: str, tol: Any, z0: Any,
               max_iterations: Any, options: Dict[str, Any]) -> LcpResult:
    ops, name = _solvers.find("lcp", solver)
    limits = _limits(kept, name, tol, max_iterations, options)
    z = np.zeros(vector.size) if z0 is None else doubles(z0, "z0", vector.size).copy()
    report, error = ffi.new("carom_solve_report *"), _calls.new_error()
    _calls.check(lib.carom_python_lcp(ops, problem, limits, _at(z), report, error), error)
    return LcpResult(z, matrix @ z + vector, _solvers.Report(name, report, np.nan))


class QpResult(_Solved):
    """What `carom.qp` returns: x, r (a multiplier per row of D), active (rows at a bound), error, ok, report."""

    def __init__(self, x: np.ndarray, r: np.ndarray, active: int, report: _solvers.Report):
        self.x, self.r, self.active = x, r, active
        super().__init__(report)


def qp(A: Any, f: Any, D: Any = None, lower: Any = None, upper: Any = None, tol: Optional[float] = None,
       solver: str = "qp-active-set", *, max_iterations: Optional[int] = None, strict: bool = True,
       **options: Any) -> QpResult:
    """Solves a quadratic program: minimise 1/2 x.A x - f.x subject to lower <= D x <= upper.

    A is symmetric and positive definite; it is quick where its entries are near the diagonal. The rows of D are linearly
    independent; without D they are those of the unit matrix. Bounds are numbers or one per row; None and infinite ones
    do not bind. At the solution A x - f = D^T r, with r_i >= 0 at a lower bound and r_i <= 0 at an upper one.

    A string of three springs, pulled down onto a floor:

    >>> A = [[2, -1, 0], [-1, 2, -1], [0, -1, 2]]
    >>> result = carom.qp(A, [-1, -1, -1], lower=-1.25)
    >>> result.x, result.r
    (array([-1.125, -1.25 , -1.125]), array([0.  , 0.75, 0.  ]))
    """
    force = doubles(f, "f")
    size = force.size
    band, entry = _band(A, size)
    rows = _rows(D, size)
    low, high = _bounds("lower", lower, rows[0], -np.inf), _bounds("upper", upper, rows[0], np.inf)
    wrong = np.flatnonzero(low > high)
    if wrong.size:
        raise ValueError(f"lower[{wrong[0]}] = {low[wrong[0]]} is above upper[{wrong[0]}] = {high[wrong[0]]}")
    kept = _calls.Kept()
    matrix = kept.keep(ffi.new("carom_band *"))
    matrix.size, matrix.width, matrix.entry = size, band, kept.keep(_at(entry))
    problem = ffi.new("carom_qp *")
    problem.size, problem.matrix, problem.rows, problem.vector = size, matrix, rows[0], kept.keep(_at(force))
    problem.row_start = kept.keep(ffi.from_buffer("int[]", rows[1]))
    problem.column, problem.entry = kept.keep(ffi.from_buffer("int[]", rows[2])), kept.keep(_at(rows[3]))
    problem.lower, problem.upper = kept.keep(_at(low)), kept.keep(_at(high))
    ops, name = _solvers.find("qp", solver)
    limits = _limits(kept, name, tol, max_iterations, options)
    x, r = np.zeros(size), np.zeros(rows[0])
    report, error = ffi.new("carom_solve_report *"), _calls.new_error()
    status = lib.carom_python_qp(ops, problem, limits, _at(x), _at(r), report, error)
    if status == lib.CAROM_FAILED:
        raise ModelError(_calls.text_of(error.text) or "the program cannot be solved")
    _calls.check(status, error)
    result = QpResult(x, r, report.active, _solvers.Report(name, report, np.nan))
    if strict and not result.ok:
        raise SolverError(result.report.sentence(), result)
    return result


def _band(A: Any, size: int) -> Tuple[int, np.ndarray]:
    """Width and entries of the lower triangle, the diagonal last in each row."""
    if size == 0:
        raise ValueError("f is empty: a program has at least one unknown")
    if _matrix.is_sparse(A):
        if tuple(A.shape) != (size, size):
            raise ValueError(f"A is {A.shape[0]} x {A.shape[1]}; with {size} numbers in f it must be {size} x {size}")
        places = A.tocoo()
        row, column = np.asarray(places.row, dtype=np.int64), np.asarray(places.col, dtype=np.int64)
        value = _matrix.to_dense("A", np.atleast_2d(places.data)).reshape(-1)
        if value.size and (min(row.min(), column.min()) < 0 or max(row.max(), column.max()) >= size):
            raise ValueError("A: an entry stands outside its shape")
    else:
        dense = _square("A", A, size, f"{size} numbers in f")
        row, column = np.nonzero(dense)
        value = dense[row, column]
    width = int(np.abs(row - column).max()) if row.size else 0
    if size * (width + 1) >= 2**31:
        raise ValueError(f"A: {size} rows with {width + 1} places each are too large; order the unknowns so that the "
                         "entries are near the diagonal")
    lower, upper = np.zeros((size, width + 1)), np.zeros((size, width + 1))
    below, above = row >= column, row <= column
    np.add.at(lower, (row[below], width - row[below] + column[below]), value[below])
    np.add.at(upper, (column[above], width - column[above] + row[above]), value[above])
    if not (lower == upper).all():
        i, j = (int(k[0]) for k in np.nonzero(lower != upper))
        raise ValueError(f"A is not symmetric: entries ({i}, {i - width + j}) and ({i - width + j}, {i}) are "
                         f"{lower[i, j]} and {upper[i, j]}")
    return width, np.ascontiguousarray(lower)


def _rows(D: Any, size: int) -> Tuple[int, np.ndarray, np.ndarray, np.ndarray]:
    """Number of rows, where they begin, columns and entries."""
    if D is None:
        places = np.arange(size + 1, dtype=np.int32)
        return size, places, places[:-1].copy(), np.ones(size)
    if _matrix.is_sparse(D):
        matrix = D.tocsr().copy()
        matrix.sum_duplicates()
        shape, start = matrix.shape, matrix.indptr
        column, entry = matrix.indices, _matrix.to_dense("D", np.atleast_2d(matrix.data)).reshape(-1)
    else:
        dense = _matrix.to_dense("D", D)
        shape, (row, column) = dense.shape, np.nonzero(dense)
        start, entry = np.append(0, np.cumsum(np.bincount(row, minlength=shape[0]))), dense[row, column]
    if shape[1] != size:
        raise ValueError(f"D is {shape[0]} x {shape[1]}; with {size} numbers in f it must have {size} columns")
    if column.size and (column.min() < 0 or column.max() >= size):
        raise ValueError("D: an entry stands outside its shape")
    for i in np.flatnonzero(np.diff(start) == 0)[:1]:
        raise ValueError(f"D: row {int(i)} is empty; rows must be linearly independent")
    return (int(shape[0]), np.ascontiguousarray(start, dtype=np.int32), np.ascontiguousarray(column, dtype=np.int32),
            np.ascontiguousarray(entry))


def _bounds(name: str, given: Any, rows: int, none: float) -> np.ndarray:
    if given is None:
        return np.full(rows, none)
    try:
        bounds = np.array(given, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise TypeError(f"{name}: numbers are needed, not {type(given).__name__} ({problem})") from None
    if bounds.ndim == 0:
        bounds = np.full(rows, float(bounds))
    if bounds.shape != (rows,):
        raise ValueError(f"{name}: one number, or {rows}, one per row, not an array of shape {bounds.shape}")
    if np.isnan(bounds).any() or (bounds == -none).any():
        raise ValueError(f"{name}: numbers are needed, infinite ones only where there is no bound")
    return bounds
