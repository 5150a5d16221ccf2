from typing import Any, Optional

import numpy as np

from .contact import ContactProblem, ContactResult

class SolveBase:
    def solve(self, tol: Optional[float] = ..., solver: str = ..., *, r0: Any = ..., max_iterations: Optional[int] = ...,
              max_seconds: Optional[float] = ..., history: bool = ..., prove: bool = ..., strict: bool = ...,
              **options: Any) -> ContactResult: ...
    def _bind(self, function: int, contact: int, ops: int, contacts: int, dimension: int, result: type, /) -> None: ...

class SolvedBase:
    @property
    def problem(self) -> ContactProblem: ...
    @property
    def _memory(self) -> bytearray: ...
    @property
    def r(self) -> np.ndarray: ...
    def _keep(self, problem: ContactProblem, r: np.ndarray, /) -> None: ...
