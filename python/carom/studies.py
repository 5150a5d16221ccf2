"""Studies of a model: many motions, periodic motions, checks. Model has these methods."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional

from . import checks, convergence, fit, long_term, periodic, sweep
from ._further import Further


class Studies:
    """Methods of Model that look at more than one motion."""

    def sweep(self, *, measures: Any = None, threads: int = 0, options: Optional[Mapping[str, Any]] = None,
              accuracy: Any = None, **values: Any) -> sweep.Sweep:
        """Runs the model at every point of a grid, on all cores, and keeps its measures.

        Names with several values, one or two, are swept: parameters, settings, `scheme`; `h` and `until` where they are
        parameters. The others have one value for all points, as in `run`.

        Parameters
        ----------
        measures : names of those wanted; None: all
        threads : points that are computed at a time; 0: one per core. The numbers do not depend on it
        options : options of the scheme as a dict, where a parameter has the same name
        accuracy : largest relative error of the measures, as in `run`: adds NAME_error and accuracy_met to the measures

        A run that fails is a point with its status and message. Ctrl-C raises Interrupted with the points done.

        >>> ball = carom.experiment("paoli-2001/bouncing-ball")
        >>> r = ball.sweep(e=np.linspace(0.2, 0.8, 4), scheme=["moreau-jean", "sweeping"], measures=["impacts"])
        >>> list(r.axes), r["impacts"].shape
        (['e', 'scheme'], (4, 2))
        """
        return sweep.run(self, measures, threads, options, accuracy, values)

    def bifurcation(self, parameter: str, start: float, end: float, points: int, *, iterates: int = 100, skip: int = 200,
                    direction: str = "up", restart: bool = False, starts: Any = None, section: Optional[str] = None,
                    wait: Optional[float] = None, period: Optional[float] = None, longest: Optional[int] = None,
                    tolerance: Optional[float] = None, escape: Optional[float] = None, scheme: Optional[str] = None,
                    h: Optional[float] = None, threads: int = 0, options: Optional[Mapping[str, Any]] = None,
                    **values: Any) -> long_term.Diagram:
        """What a motion settles to over a parameter, seen once per forcing period or at impacts; as `carom bifurcation`.

        Parameters
        ----------
        parameter, start, end, points : what varies, its first and last value, how many in all
        iterates, skip : looks that are kept at each value, and those before them
        direction : "up", "down" or "both"; each value begins where the one before ended, unless `restart`
        starts : dicts such as {"x": 1, "v:x": 0}, a course each; None: the model's own start
        section : a contact whose impacts are looked at; None: once per forcing period; `wait`: longest time without one
        period : time between two looks; None: the forcing period, from the model
        longest, tolerance, escape : of periods that are looked for; beyond what a motion has escaped

        Other keywords are parameters and settings of the model, and options of the scheme.

        >>> d = carom.experiment("oscillators/impact").bifurcation("w", 2.4, 2.6, 3, skip=500, direction="both")
        >>> d.directions, d.period.tolist()
        (['up', 'down'], [[1, 1, 1], [1, 1, 1]])
        """
        return long_term.bifurcation(self, parameter, start, end, points, iterates, skip, direction, restart, starts, section,
                                     wait, period, longest, tolerance, escape, scheme, h, threads, options, values)

    def basin(self, over: Mapping[str, Any], *, periods: int = 200, period: Optional[float] = None,
              longest: Optional[int] = None, tolerance: Optional[float] = None, escape: Optional[float] = None,
              scheme: Optional[str] = None, h: Optional[float] = None, threads: int = 0,
              options: Optional[Mapping[str, Any]] = None, **values: Any) -> long_term.Basin:
        """Where motions end up, over one or two starts or parameters; as `carom basin`.

        Parameters
        ----------
        over : a dict of axes (from, to, count): "q:x" and "v:x" are starts, other names parameters
        periods : forcing periods that a motion has to settle
        period, longest, tolerance, escape : as for `bifurcation`

        >>> b = carom.experiment("oscillators/impact").basin({"q:x": (0.1, 2, 4), "w": (2.2, 2.4, 3)})
        >>> b.attractor.shape, b.attractors[0]["period"]
        ((4, 3), 1)
        """
        return long_term.basin(self, over, periods, period, longest, tolerance, escape, scheme, h, threads, options, values)

    def fit(self, data: Any, *, map: Optional[Mapping[str, str]] = None, params: Any = None, each: Any = None,
            time: str = "t", events: Optional[str] = None, sigma: Optional[Mapping[str, Any]] = None,
            start: Optional[Mapping[str, float]] = None, bounds: Optional[Mapping[str, Any]] = None,
            sizes: Optional[Mapping[str, float]] = None, loss: str = "squares", scale: Optional[float] = None,
            starts: int = 1, stages: int = 0, seed: int = 1, jacobian: str = "best", iterations: Optional[int] = None,
            tolerance: Optional[float] = None, threads: int = 0, scheme: Optional[str] = None, h: Optional[float] = None,
            options: Optional[Mapping[str, Any]] = None, **values: Any) -> fit.Fit:
        """Finds the parameters with which the motion comes closest to measured data, and how well the data know them.

        Parameters
        ----------
        data : columns of one motion: a dict of arrays, a data frame; NaN: missing. A list of them: several motions. A tuple
            (columns, {"q:y": 1.2}) gives a motion values of its own
        map : what the columns are: {"height": "y", "speed": "dot(y)"}
        params : names of what is to be found: parameters, q:NAME and v:NAME for initial values
        each : the same for every motion by itself
        time : column of the times
        events : in place of map: the column of times holds those of the impacts of this contact
        sigma : standard deviations: {"height": 0.003}, a number, an array, or the name of a column
        start, bounds, sizes : dicts: where the search starts; (low, high), either may be None; a change that matters
        loss, scale : "huber", "cauchy" or "soft-l1" bear outliers; the residual from which they bend
        starts, seed : search from so many places between the bounds
        stages : fit the first part of the data first; 0: only where it is needed
        jacobian : "best", "exact" or "differences"
        iterations, tolerance : most steps; standard errors from the minimum at which it may end
        threads : runs at the same time; 0: one per core. The numbers do not depend on it

        `scheme`, `h`, `options` and other keywords are as in `run`.

        >>> ball = carom.Model('''
        ... local e = param { "e", 0.6, min = 0, max = 1 }
        ... local y = coordinates("y")
        ... mass(1)  potential(9.81 * y)  contact { "floor", gap = y, restitution = e }
        ... initial { y = 1 }  integrate { scheme = "event-driven", h = 0.01, until_t = 1 }
        ... ''')
        >>> times = [0.4515, 1.1740, 1.7521, 2.2145]
        >>> r = ball.fit({"t": times}, events="floor", params=["e", "q:y"])
        >>> r.status, round(float(r["e"]), 3), r.exact
        ('ok', 0.8, True)
        """
        return fit.run(self, data, map, params, each, time, events, sigma, start, bounds, sizes, loss, scale, starts, stages,
                       seed, jacobian, iterations, tolerance, threads, scheme, h, options, values)

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
                  switch: Optional[str] = None, depth: int = 1, locus: Optional[str] = None, second: Optional[str] = None,
                  second_stop: Optional[float] = None, strict: bool = True, **values: Any) -> periodic.Branch:
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
        switch : follow what branches off, too: "flip" (with twice the period), "branch-point" or "all"; see Branch.branches
        depth : from these again, so often
        locus : follow the first "fold", "flip" or "grazing" over two parameters, the other one `second` until `second_stop`;
            see Branch.locus
        strict : raise StepError when the branch is lost; False: return what there is

        Other keywords are parameters and settings of the model.

        >>> impact = carom.experiment("oscillators/impact")
        >>> branch = impact.continue_("w", 2.6, 2.7, impacts="wall", switch="flip", locus="flip", second="e", second_stop=0.75)
        >>> print(f"{branch.branches[0].origin:.6f}", branch.branches[0].times)
        2.656177 2
        >>> print(branch.locus)
        <Locus: flip over w and e, 23 points, end: range>
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
                               pattern, switches, points, step, through,
                               Further(switch, depth, locus, second, second_stop), strict, values)

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

        Of a beam its natural frequencies are told instead, of bodies their masses. ``notes`` name contacts with friction whose gap or
        slip may not be a true length or velocity.

        >>> found = carom.experiment("moreau-1986/trial-04").check()
        >>> found["scheme"], found["worst"] < 1e-6
        ('elast', True)
        """
        return checks.run(self, values)
