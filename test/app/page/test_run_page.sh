#!/bin/sh
# The page of a run holds what the run's JSON says: state at every output, certificate, measures, plots, scene.
set -eu
cat >ball.lua <<'END'
experiment { title = "Ball <script>alert(1)</script> & more" }
local e = param { "e", 0.8, unit = "1", doc = "restitution" }
local x, y = coordinates("x", "y")
kinetic((dot(x)^2 + dot(y)^2)/2)
potential(9.81*y)
contact { "floor", gap = y - 0.1, slip = dot(x), restitution = e, friction = 0.3 }
initial { x = 0, y = 1, [dot(x)] = 1 }
integrate { scheme = "moreau-jean", h = 1e-3, until_t = 2 }
measure { bounces = count(impact "floor"), top = maximum(y) }
plot { "height", x = time(), y = y, marks = true }
draw { disc(x, y, 0.1, { name = "ball", colour = "#d55e00" }), path({ x, y }), wall { { -1, 0 }, { 3, 0 } },
       touch("floor", { x, 0 }, { 0, 1 }), spring({ 0, 2 }, { x, y }), arrow({ x, y }, { dot(x), dot(y) }) }
END
"$CAROM" run ball.lua --report ball.html --at 0.5,1.234,2 --json >run.json 2>messages
grep -q 'report: ball.html' messages
if grep -q 'alert(1)</script>' ball.html; then
    echo "a text of the model is a script of the page" >&2
    exit 1
fi
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - <<'END'
import json
from page_data import read_page, at_frame

page, run = read_page("ball.html"), json.load(open("run.json"))
assert page["format"] == 1 and page["kind"] == "run"
assert page["title"] == "Ball <script>alert(1)</script> & more"
assert page["command"] == ["carom", "run", "ball.lua", "--at", "0.5,1.234,2"], page["command"]
assert page["status"] == run["status"]
assert page["certificate"] == run["certificate"]
assert {m["name"]: m["value"] for m in page["measures"]} == run["measures"]
assert page["parameters"] == [{"name": "e", "value": 0.8, "default": 0.8, "unit": "1", "doc": "restitution"}] or \
    page["parameters"][0]["value"] == 0.8
assert page["model"]["text"].startswith("experiment {")
times = page["clock"]["t"]
assert len(times) == run["steps"] + 1 and page["clock"]["rows"] == len(times)
names, q = page["coordinates"]["names"], page["coordinates"]["q"]
for sample in run["samples"]:
    frame = min(range(len(times)), key=lambda f: abs(times[f] - sample["t"]))
    assert times[frame] == sample["t"]
    for i, name in enumerate(names):
        assert q[frame * len(names) + i] == sample["q"][name]
    disc = page["scene"]["items"][0]
    assert disc["kind"] == "disc" and disc["name"] == "ball" and disc["colour"] == "#d55e00" and disc["r"] == 0.1
    for i, name in enumerate(names):
        assert abs(at_frame(disc["at"][i], frame) - sample["q"][name]) < 1e-6
kinds = [item["kind"] for item in page["scene"]["items"]]
assert kinds == ["disc", "path", "wall", "contact", "spring", "arrow"], kinds
touch = page["scene"]["items"][3]
impacts = sum(r == 3 for r in touch["regime"])
assert impacts == run["measures"]["bounces"], (impacts, run["measures"])
assert max(touch["impulse"][0]) > 1.0
low, high = page["scene"]["low"], page["scene"]["high"]
assert low[0] == -1 and high[0] == 3 and low[1] <= 0 and high[1] >= 2, (low, high)
panel = page["figures"][0]["panels"][0]
curve = panel["curves"][0]
assert curve["x"] == curve["t"] and len(curve["y"]) == len(times)
assert abs(max(curve["y"]) - run["measures"]["top"]) < 1e-15
assert sum(len(m["x"]) for m in panel["marks"] if m["kind"] == "impact") == run["measures"]["bounces"]
events = page["events"]
assert sum(events["kinds"][k] == "impact" for k in events["kind"]) == run["measures"]["bounces"]
END

# The page of a run file says the same.
"$CAROM" run ball.lua --out ball.h5 --quiet
"$CAROM" report ball.h5 2>messages
grep -q 'report: ball.html' messages
"$CAROM" run ball.lua --report direct.html --quiet 2>/dev/null
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - <<'END'
from page_data import read_page

stored, direct = read_page("ball.html"), read_page("direct.html")
for key in ("title", "status", "certificate", "clock", "coordinates", "scene", "figures", "parameters", "model"):
    assert stored[key] == direct[key], key
assert sorted(m["name"] for m in stored["measures"]) == sorted(m["name"] for m in direct["measures"])
assert {m["name"]: m["value"] for m in stored["measures"]} == {m["name"]: m["value"] for m in direct["measures"]}
assert stored["events"]["t"] == direct["events"]["t"]
assert stored["command"] == ["carom", "run", "ball.h5"]
END

# Of very many events some are shown, over the whole run.
"$CAROM" run bodies/bin --set n=100 --until 1 --report bin.html --events bin.csv --quiet
PYTHONPATH=$CAROM_SOURCE_DIR/test/app/page python3 - <<'END'
from page_data import read_page

events = read_page("bin.html")["events"]
times = [float(line.split(",")[0]) for line in list(open("bin.csv"))[1:]]
assert events["of"] == len(times) > len(events["t"]) == 20000, (events["of"], len(times))
assert all(a <= b for a, b in zip(events["t"], events["t"][1:])) and set(events["t"]) <= set(times)
assert events["t"][0] == times[0] and events["t"][-1] > 0.99 * times[-1]
END

# What cannot be is said before anything is computed.
for wrong in ball.txt nowhere/ball.html; do
    status=0
    "$CAROM" run ball.lua --report "$wrong" --quiet 2>messages || status=$?
    test $status -eq 2
    test ! -e "$wrong"
done
