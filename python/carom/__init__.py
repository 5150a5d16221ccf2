"""carom: motions with impacts, unilateral contact, clearance and dry friction.

>>> r = carom.run("moreau-1986/trial-04")
>>> r.status
'ok'
"""

from ._files import experiments
from ._native import ffi as _ffi, lib as _lib
from .errors import CaromError, FileError, Interrupted, ModelError, SolverError, StepError
from .model import Model, Parameter, experiment, run
from .motion import Event, Motion, load
from .stepper import Contact, State, Stepper

__version__ = _ffi.string(_lib.CAROM_VERSION).decode()

__all__ = ["CaromError", "Contact", "Event", "FileError", "Interrupted", "Model", "ModelError", "Motion", "Parameter",
           "SolverError", "State", "StepError", "Stepper", "experiment", "experiments", "load", "run"]
