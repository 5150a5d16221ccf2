"""Pages NAME.html of commands beside what they printed with --json, NAME.json."""
import json
import math

from page_data import read_page


def both(name, kind):
    page, printed = read_page(name + ".html"), json.load(open(name + ".json"))
    assert page["format"] == 1 and page["kind"] == kind, (page["format"], page["kind"])
    assert page["command"][:2] == ["carom", kind] and "--report" not in page["command"] and "--json" not in page["command"]
    return page, printed


def rows(page, title):
    table = next(t for t in page["tables"] if t["title"] == title)
    for row in table["rows"]:
        assert len(row) == len(table["columns"])
    return [dict(zip(table["columns"], row)) for row in table["rows"]]


def panels(page):
    return [panel for figure in page["figures"] for panel in figure["panels"]]


def runs_of(page, printed):
    """Run i of a page is point i of the sweep."""
    runs = page["runs"]
    assert runs["names"] == [axis["name"] for axis in printed["axes"]]
    width = len(runs["names"])
    for i, point in enumerate(printed["points"]):
        for k, name in enumerate(runs["names"]):
            value = runs["values"][i * width + k]
            shown = runs["words"][k][int(value)] if runs["words"][k] else value
            assert shown == point["at"][name], (i, name, shown, point["at"])
        assert runs["statuses"][runs["status"][i]] == point["status"] and runs["trusted"][i] == point["trusted"]
    assert len(runs["status"]) == len(printed["points"])
    assert runs["command"] == ["carom", "run", "ball.lua"]


def check_lines(name):
    page, printed = both(name, "sweep")
    runs_of(page, printed)
    shown = panels(page)
    assert [p["y"]["label"] for p in shown] == printed["measures"]
    for panel in shown:
        seen = 0
        for curve in panel["curves"]:
            for x, y, run in zip(curve["x"], curve["y"], curve["run"]):
                point = printed["points"][run]
                assert x == point["at"][panel["x"]["label"]] and y == point["measures"][panel["y"]["label"]]
                seen += 1
        assert seen == len(printed["points"])


def check_map():
    page, printed = both("map", "sweep")
    runs_of(page, printed)
    heat, = panels(page)
    assert heat["kind"] == "heat" and heat["label"] == "last"
    x, y = heat["x"]["values"], heat["y"]["values"]
    assert len(x) == 11 and len(y) == 9 and len(heat["z"]) == 99 and sorted(heat["run"]) == list(range(99))
    for i, (z, run) in enumerate(zip(heat["z"], heat["run"])):
        point = printed["points"][run]
        assert (x[i % 11], y[i // 11]) == (point["at"]["e"], point["at"]["v"]) and z == point["measures"]["last"]


def check_converge():
    page, printed = both("converge", "converge")
    positions, velocities = panels(page)
    table = rows(page, "Errors")
    assert len(table) == 12
    for panel, key in ((positions, "q"), (velocities, "v")):
        assert panel["x"]["log"] and panel["y"]["log"]
        for curve, scheme in zip(panel["curves"], printed["schemes"]):
            assert curve["x"] == scheme["h"] and curve["y"] == scheme["error_" + key]
            assert curve["label"] == "%s, order %.2f" % (scheme["scheme"], scheme["order_" + key])
        slopes = [c for c in panel["curves"] if c["label"].startswith("slope")]
        assert len(slopes) == len(panel["curves"]) - 2 > 0
        for curve in slopes:
            slope = math.log(curve["y"][1] / curve["y"][0]) / math.log(curve["x"][1] / curve["x"][0])
            assert abs(slope - float(curve["label"].split()[1])) < 1e-9


def check_fit():
    page, printed = both("fit", "fit")
    facts = {row["name"]: row["value"] for row in page["facts"][0]["rows"]}
    assert facts["status"] == printed["status"] and facts["motions computed"] == printed["runs"]
    names = list(printed["params"])
    for row, name in zip(rows(page, "Estimates"), names):
        found = printed["params"][name]
        assert row["parameter"] == name and row["estimate"] == found["value"] and row["standard error"] == found["error"]
        assert row["95 % from"] == found["low"] and row["to"] == found["high"] and row["start"] == found["start"]
    for i, row in enumerate(rows(page, "Correlations")):
        assert [row[name] for name in names] == printed["correlation"][i]
    shown = panels(page)
    assert [p["y"]["label"] for p in shown] == ["x", "x, data minus fit", "v_x", "v_x, data minus fit"]
    for data, off in (shown[0:2], shown[2:4]):
        points, motion = data["curves"]
        rest, = off["curves"]
        assert points["style"] == "points" and motion["style"] == "line" and len(motion["x"]) > len(points["x"])
        assert points["x"] == rest["x"] and max(map(abs, rest["y"])) < 1e-6 < max(map(abs, points["y"]))


def check_orbit():
    page, printed = both("orbit", "orbit")
    facts = {row["name"]: row["value"] for row in page["facts"][0]["rows"]}
    assert facts["verdict"] == printed["verdict"] and facts["period"] == printed["period"]
    impact, = rows(page, "Impacts")
    assert {k: impact[k] for k in ("contact", "t", "approach", "impulse")} == \
        {k: printed["impacts"][0][k] for k in ("contact", "t", "approach", "impulse")}
    multipliers = next(c for p in panels(page) for c in p["curves"] if c["label"] == "multipliers")
    assert [list(z) for z in zip(multipliers["x"], multipliers["y"])] == printed["multipliers"]
    names, times = page["coordinates"]["names"], page["clock"]["t"]
    first, last = page["coordinates"]["q"][:2], page["coordinates"]["q"][-2:]
    assert times[0] == 0 and abs(times[-1] - printed["period"]) < 1e-12
    for i, name in enumerate(names):
        assert abs(first[i] - printed["q"][name]) < 1e-12 and abs(last[i] - first[i]) < 1e-9, "it is periodic"


def check_continue():
    page, printed = both("continue", "continue")
    assert page["status"] == printed["status"] and page["message"] == printed["end_text"]
    energy = panels(page)[0]
    assert (energy["x"]["label"], energy["y"]["label"]) == ("period", "energy")
    points = {(p["parameter"], p["energy"]): p for p in printed["points"]}
    seen = set()
    for curve in energy["curves"]:
        for place in zip(curve["x"], curve["y"]):
            if math.isnan(place[0]):
                continue
            seen.add(place)
            # a piece begins where the last one ends, so that the line is whole
            assert points[place]["stable"] == (curve["label"] == "stable") or place in (
                (curve["x"][0], curve["y"][0]), (curve["x"][-1], curve["y"][-1]))
    assert seen == set(points)
    named = {name: x for mark in energy["marks"] for name, x in zip(mark["names"], mark["x"])}
    assert named[printed["special"][0]["kind"]] == printed["crossings"][0] == printed["special"][0]["parameter"]
    assert named[printed["end"]] == printed["points"][-1]["parameter"]


def check_further():
    """What branches off, and a locus, stand on the page, too."""
    page, printed = both("further", "continue")
    switched, = printed["branches"]
    title = "2 times the period, from the flip at w = %.6g" % switched["at"]
    table = rows(page, title)
    assert [row["w"] for row in table] == [p["parameter"] for p in switched["points"]]
    assert [row["period"] for row in table] == [p["period"] for p in switched["points"]]
    energy = panels(page)[0]
    places = {place for c in energy["curves"] if c["label"].startswith("2 times") for place in zip(c["x"], c["y"])}
    assert {(p["parameter"], p["energy"]) for p in switched["points"]} == {p for p in places if not math.isnan(p[0])}
    locus = panels(page)[-1]
    assert (locus["x"]["label"], locus["y"]["label"]) == ("w", "e")
    curve, = locus["curves"]
    assert curve["x"] == [p["parameter"] for p in printed["locus"]["points"]]
    assert curve["y"] == [p["second"] for p in printed["locus"]["points"]]
    assert [row["e"] for row in rows(page, "flip over two parameters")] == curve["y"]


def check_modes():
    page, printed = both("modes", "modes")
    for row, branch in zip(rows(page, "Branches"), printed["branches"]):
        assert row["impacts"] == branch["impacts"] and row["points"] == len(branch["points"])
        assert row["period from"] == branch["points"][0]["period"]
    shown = {(x, y) for c in panels(page)[0]["curves"] for x, y in zip(c["x"], c["y"]) if not math.isnan(x)}
    for branch in printed["branches"]:
        for p in branch["points"]:
            assert any(x == p["energy"] and abs(y - 2 * math.pi / p["period"]) < 1e-12 for x, y in shown), p


def check_impact():
    page, printed = both("impact", "impact")
    laws = {row["law"]: row for row in rows(page, "Laws")}
    curves = {c["label"]: c["y"] for c in panels(page)[0]["curves"]}
    assert curves["before"] == printed["velocity_before"]
    for result in printed["results"]:
        assert curves[result["law"]] == result["velocity"]
        assert laws[result["law"]]["energy after / before"] == result["energy_ratio"]
    for i, row in enumerate(rows(page, "Velocities")):
        assert row["moreau"] == printed["results"][0]["velocity"][i]


def check_solve():
    page, printed = both("solve", "solve")
    assert page["status"] == "ok"
    for row, result, figure in zip(rows(page, "Files"), printed["results"], page["figures"]):
        assert (row["file"], row["contacts"], row["result"]) == (result["file"], result["contacts"], result["status"])
        solver = next(c for c in figure["panels"][0]["curves"] if c["label"] == "nsgs")
        assert abs(solver["y"][-1] - result["error"]) <= 1e-12 and solver["x"][-1] == result["iterations"]
        assert figure["panels"][0]["y"]["log"]
    sliding = next(c for c in page["figures"][0]["panels"][1]["curves"] if c["label"] == "sliding")
    assert abs(math.hypot(sliding["x"][0], sliding["y"][0]) - 1) < 1e-12, "on the boundary of the cone"


def check_bench():
    page, printed = both("bench", "bench")
    table = rows(page, "Solves")
    assert len(table) == len(printed["results"]) == 6
    for row, result in zip(table, printed["results"]):
        assert (row["problem"] + ".hdf5", row["solver"], row["contacts"]) == (result["file"], result["solver"], result["contacts"])
    for curve, solver in zip(panels(page)[0]["curves"], printed["profile"]["solvers"]):
        assert curve["label"] == solver["solver"]
        steps = list(zip(curve["x"], curve["y"]))
        for tau, rho in zip(printed["profile"]["tau"], solver["rho"]):
            assert [y for x, y in steps if x <= tau][-1] == rho, (tau, rho, steps)


for name in ("lines", "words"):
    check_lines(name)
check_map()
check_converge()
check_fit()
check_fit()
check_orbit()
check_continue()
check_further()
check_modes()
check_impact()
check_solve()
check_bench()
