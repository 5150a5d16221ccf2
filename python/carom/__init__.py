"""carom: motions with impacts, unilateral contact, clearance and dry friction.

>>> r = carom.run("moreau-1986/trial-04")
>>> r.status
'ok'
"""

from ._files import experiments
from ._native import ffi as _ffi, lib as _lib
from ._solvers import solvers
from .complementarity import LcpResult, QpResult, lcp, qp
from .contact import ContactProblem, ContactResult, read_fclib, solve, write_fclib
from .errors import CaromError, FileError, Interrupted, ModelError, SolverError, StepError
from .impact import ImpactLaw, ImpactResult, impact, impact_laws
from .model import Model, Parameter, experiment, run
from .motion import Event, Motion, load

__version__ = _ffi.string(_lib.CAROM_VERSION).decode()

__all__ = ["CaromError", "ContactProblem", "ContactResult", "Event", "FileError", "ImpactLaw", "ImpactResult",
           "Interrupted", "LcpResult", "Model", "ModelError", "Motion", "Parameter", "QpResult", "SolverError",
           "StepError", "experiment", "experiments", "impact", "impact_laws", "lcp", "load", "qp", "read_fclib",
           "run", "solve", "solvers", "write_fclib"]
