"""Is a model what was meant? What `carom check` finds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Dict, Mapping

from . import _calls
from ._native import ffi, lib
from ._studies import split_values
from .errors import Interrupted, ModelError

if TYPE_CHECKING:
    from .model import Model

_DERIVATIVES = ("momentum", "mass", "inertia", "potential", "force", "gap", "slip")


def run(model: "Model", values: Mapping[str, Any]) -> Dict[str, Any]:
    """Model.check."""
    fixed, _ = split_values(model._experiment({}), values)
    experiment = model._read(fixed)  # of this call alone: the comparison adds to its expressions
    found, error = ffi.new("carom_model_check *"), _calls.new_error()
    with _calls.interruptible() as call:
        status = lib.carom_check_model(experiment.pointer, found, error)
    if call.asked:
        raise Interrupted("interrupted while the model was checked", None)
    model._check(status, error)
    result = _as_dict(found)
    if not found.good:
        raise ModelError(f"{model.name}: exact derivatives and finite differences differ by {found.worst:.2e}; a kink "
                         "(abs, min, max, select, a point of a table) or a singularity lies near the start")
    return result


def _as_dict(found: Any) -> Dict[str, Any]:
    kinds = {lib.CAROM_CHECK_DERIVATIVES: "derivatives", lib.CAROM_CHECK_STRUCTURE: "structure",
             lib.CAROM_CHECK_BODIES: "bodies", lib.CAROM_CHECK_STUDY: "study", lib.CAROM_CHECK_WAITS: "waits"}
    result: Dict[str, Any] = {"kind": kinds[found.kind],
                              "scheme": None if found.scheme == ffi.NULL else _calls.text_of(found.scheme.name)}
    if found.kind == lib.CAROM_CHECK_DERIVATIVES:
        result["points"] = lib.CAROM_CHECK_POINTS
        result["derivatives"] = {name: getattr(found.derivatives, name) for name in _DERIVATIVES}
        result["worst"] = found.worst
        result["notes"] = [_calls.text_of(found.note[i]) for i in range(found.notes)]
    elif found.kind == lib.CAROM_CHECK_STRUCTURE:
        result["band_width"], result["constrained"] = found.band_width, found.constrained
        result["frequencies"] = {found.mode[i]: found.frequency[i] for i in range(found.modes)}
    elif found.kind == lib.CAROM_CHECK_BODIES:
        result["bodies"] = {"free": found.free_bodies, "fixed": found.fixed_bodies, "driven": found.driven_bodies}
        result["mass"] = found.mass
        result["coordinates_beside"], result["linked"] = found.coordinates_beside, found.linked
    return result
