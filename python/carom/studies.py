"""Studies of a model: many motions, periodic motions, checks. Model has these methods."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from . import checks, convergence, periodic, sweep


class Studies:
    """Methods of Model that look at more than one motion."""

    def sweep(self, *, measures: Any = None, threads: int = 0, options: Optional[Mapping[str, Any]] = None,
              **values: Any) -> sweep.Sweep:
        """Runs the model at every point of a grid, on all cores, and keeps its measures.

        Names with several values, one or two, are swept: parameters, settings, `scheme`; `h` and `until` where they are
        parameters. The others have one value for all points, as in `run`.

        Parameters
        ----------
        measures : names of those wanted; None: all
        threads : points that are computed at a time; 0: one per core. The numbers do not depend on it
        options : options of the scheme as a dict, where a parameter has the same name

        A run that fails is a point with its status and message. Ctrl-C raises Interrupted with the points done.

        >>> ball = carom.experiment("paoli-2001/bouncing-ball")
        >>> r = ball.sweep(e=np.linspace(0.2, 0.8, 4), scheme=["moreau-jean", "sweeping"], measures=["impacts"])
        >>> list(r.axes), r["impacts"].shape
        (['e', 'scheme'], (4, 2))
        """
        return sweep.run(self, measures, threads, options, values)

    def converge(self, h: Any, *, schemes: Any = None, reference: str = "fine", reference_scheme: Optional[str] = None,
                 reference_h: Optional[float] = None, quantities: Any = None, until: Optional[float] = None,
                 options: Optional[Mapping[str, Any]] = None, **values: Any) -> convergence.Convergence:
        """Runs the model with several schemes and steps and tells how fast their errors fall.

        Parameters
        ----------
        h : step sizes, at least two
        schemes : names; None: the model's own
        reference : what the runs are compared with: "fine", a run with a much smaller step; "event-driven", the scheme that
            locates impacts; "exact", the records exact_x of the model for a coordinate x
        reference_scheme, reference_h : of the fine one; None: the first scheme, a sixteenth of the smallest step
        quantities : names of records of the model whose errors are wanted, too
        until : end time

        Other keywords are parameters and settings of the model, and options of the schemes that know them.

        >>> study = carom.experiment("moreau-1986/trial-04").converge([4e-3, 2e-3, 1e-3], reference="event-driven")
        >>> study.reference["kind"], len(study.h)
        ('event-driven', 3)
        """
        return convergence.run(self, h, schemes, reference, reference_scheme, reference_h, quantities, until, options,
                               values)

    def orbit(self, period: float, impacts: Any, *, flights: Any = None, guess: Optional[str] = None,
              settle: Optional[float] = None, pick: Optional[int] = None, verify: Optional[int] = None,
              perturb: float = 0.0, strict: bool = True, **values: Any) -> periodic.Orbit:
        """A periodic motion that strikes given contacts, and whether it is stable.

        Parameters
        ----------
        period : after which time the motion returns
        impacts : what is struck in one period: "wall"; "wall,wall" or ["wall", "wall"], twice; "left@0,right@0.5" or
            [("left", 0), ("right", 0.5)], at these parts of the period
        flights : guess of the times from each impact to the next, one per impact
        guess : where shooting starts: "linear", the motion of the model linearised at its rest, or "run", a run from its
            initial state to the first impact; None: what works
        settle : let that run go on for so many periods before (for driven models)
        pick : of several motions this one, from 1
        verify : follow the motion for so many periods by the event-driven scheme; see `Orbit.verify`
        perturb : ... with this added to each coordinate at the start
        strict : raise StepError when there is no motion; False: return the candidate with its verdict

        Other keywords are parameters and settings of the model.

        >>> chain = carom.Model('''
        ... local u1, u2 = coordinates("u1", "u2")
        ... mass { { 0.5, 0 }, { 0, 0.5 } }
        ... potential(u1 ^ 2 + (u2 - u1) ^ 2)
        ... contact { "wall", gap = 1 - u2, restitution = 1 }
        ... initial { u2 = 0.5 }
        ... integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
        ... ''')
        >>> orbit = chain.orbit(period=4.4, impacts="wall")
        >>> orbit.method, orbit.stable
        ('closed form', True)
        """
        return periodic.orbit(self, period, impacts, flights, guess, settle, pick, verify, perturb, strict, values)

    def continue_(self, parameter: str, start: float, stop: float, *, impacts: Any, period: Optional[float] = None,
                  flights: Any = None, guess: Optional[str] = None, settle: Optional[float] = None,
                  pick: Optional[int] = None, frequency: Optional[str] = None, pattern: bool = False,
                  switches: int = 0, points: int = 400, step: Optional[float] = None, through: bool = False,
                  strict: bool = True, **values: Any) -> periodic.Branch:
        """Follows a periodic motion over a parameter or its period, to where the branch ends.

        Parameters
        ----------
        parameter : what changes, from `start` to `stop`: a parameter of the model, or "period"
        impacts, flights, guess, settle, pick : of the motion at the start, as for `orbit`
        period : after which time the motion returns (not with "period")
        frequency : of a driven model: name of the parameter with the circular frequency, which the period follows
        pattern : linear models, impacts at 0 and half the period, also of several contacts at one instant: one linear
            system per point
        switches : with pattern: go on at most so often where a contact begins or ceases to be struck at these times
        points : at most so many
        step : largest step of the parameter
        through : go on where the solutions pass through an obstacle
        strict : raise StepError when the branch is lost; False: return what there is

        Other keywords are parameters and settings of the model.

        >>> chain = carom.Model('''
        ... local u1, u2 = coordinates("u1", "u2")
        ... mass { { 0.5, 0 }, { 0, 0.5 } }
        ... potential(u1 ^ 2 + (u2 - u1) ^ 2)
        ... contact { "wall", gap = 1 - u2, restitution = 1 }
        ... initial { u2 = 0.5 }
        ... integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
        ... ''')
        >>> branch = chain.continue_("period", 4.4, 3.5, impacts="wall")
        >>> branch.end
        'junction'
        """
        return periodic.follow(self, parameter, start, stop, impacts, period, flights, guess, settle, pick, frequency,
                               pattern, switches, points, step, through, strict, values)

    def modes(self, *, impacts: Any = 1, sticking: bool = False, periods: Any = None, points: int = 300,
              **values: Any) -> periodic.Modes:
        """All periodic motions of a linear model against one contact, over a range of periods.

        Parameters
        ----------
        impacts : impacts per period, of 1, 2 and 3: a number or several
        sticking : also motions with one phase of lasting contact per period
        periods : (shortest, longest); None: from 0.4 of the shortest linear period to twice the longest
        points : at most so many each way from a motion with 2 or 3 impacts

        Other keywords are parameters and settings of the model.

        >>> chain = carom.Model('''
        ... local u1, u2 = coordinates("u1", "u2")
        ... mass { { 0.5, 0 }, { 0, 0.5 } }
        ... potential(u1 ^ 2 + (u2 - u1) ^ 2)
        ... contact { "wall", gap = 1 - u2, restitution = 1 }
        ... initial { u2 = 0.5 }
        ... integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
        ... ''')
        >>> modes = chain.modes()
        >>> np.allclose(modes.omega, [np.sqrt(5) - 1, np.sqrt(5) + 1])
        True
        """
        return periodic.modes(self, impacts, sticking, periods, points, values)

    def check(self, **values: Any) -> Dict[str, Any]:
        """Tests the start of the model and its derivatives against finite differences; ModelError says what is wrong.

        Of a beam its natural frequencies are told instead, of bodies their masses.

        >>> found = carom.experiment("moreau-1986/trial-04").check()
        >>> found["scheme"], found["worst"] < 1e-6
        ('elast', True)
        """
        return checks.run(self, values)
