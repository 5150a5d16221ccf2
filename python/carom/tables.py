"""Motions as tables of other libraries, which are imported when they are asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .motion import Motion


def _library(name: str, package: str) -> Any:
    import importlib

    try:
        return importlib.import_module(name)
    except ImportError:
        raise ImportError(f"this needs {name}: apt install {package}, or pip install {name}") from None


def to_pandas(motion: "Motion") -> Any:
    """A DataFrame with a column per name and the time as its index."""
    pandas = _library("pandas", "python3-pandas")
    names = [name for name in motion.columns if name != "t"]
    return pandas.DataFrame({name: motion[name] for name in names}, index=pandas.Index(motion.t, name="t"))


def to_xarray(motion: "Motion") -> Any:
    """A Dataset over t: the columns, and per contact gap, impulse and regime."""
    xarray = _library("xarray", "python3-xarray")
    data = {name: ("t", motion[name]) for name in motion.columns if name != "t"}
    for name in motion.gaps:
        data[f"gap {name}"] = ("t", motion.gaps[name])
        data[f"regime {name}"] = ("t", motion.regimes[name])
        for k, part in enumerate(motion.impulses[name].T):
            data[f"impulse {name}" + (f" tangent {k}" if k else "")] = ("t", part)
    facts = {"model": motion.name, "scheme": motion.scheme, "h": motion.h, "status": motion.status,
             "trusted": int(motion.trusted), **{f"parameter {k}": v for k, v in motion.parameters.items()}}
    return xarray.Dataset(data, coords={"t": motion.t}, attrs=facts)
