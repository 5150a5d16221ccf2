"""carom: motions with impacts, unilateral contact, clearance and dry friction.

>>> r = carom.run("moreau-1986/trial-04")
>>> r.status
'ok'
"""

from ._files import experiments
from ._further import Locus
from ._native import ffi as _ffi, lib as _lib
from ._solvers import solvers
from .complementarity import LcpResult, QpResult, lcp, qp
from .contact import ContactProblem, ContactResult, read_fclib, solve, write_fclib
from .convergence import Convergence
from .errors import CaromError, FileError, Interrupted, ModelError, SolverError, StepError
from .fit import Estimate, Fit
from .impact import ImpactLaw, ImpactResult, impact, impact_laws
from .language import Symbol, SymbolError, select
from .language.functions import *  # noqa: F401,F403 - sin, cos, ... of symbols and numbers
from .language import functions as _functions
from .long_term import Basin, Diagram
from .model import Model, Parameter, experiment, run
from .motion import Event, Motion, load
from .periodic import Branch, Modes, Orbit
from .sensitivity import Sensitivity
from .stepper import Contact, State, Stepper
from .sweep import Sweep

__version__ = _ffi.string(_lib.CAROM_VERSION).decode()

__all__ = ["Basin", "Branch", "CaromError", "Contact", "ContactProblem", "ContactResult", "Convergence", "Diagram", "Estimate", "Event", "FileError", "Fit",
           "ImpactLaw", "ImpactResult", "Interrupted", "LcpResult", "Locus", "Model", "ModelError", "Modes", "Motion", "Orbit",
           "Parameter", "QpResult", "Sensitivity", "SolverError", "State", "StepError", "Stepper", "Sweep", "Symbol", "SymbolError",
           "experiment", "experiments", "impact", "impact_laws", "lcp", "load", "qp", "read_fclib", "run", "select", "solve",
           "solvers", "write_fclib", *_functions.__all__]
