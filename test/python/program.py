"""The program beside the package: what `carom ... --json` says, and whether Python has the same bits."""

import json
import math
import os
import pathlib
import signal
import subprocess
import threading
import time

import pytest

import carom

EXPERIMENTS = pathlib.Path(carom.__file__).parent / "experiments"


def file_of(experiment):
    return str(EXPERIMENTS / f"{experiment}.lua")


def json_of(*arguments):
    """The object that the program prints; its exit status may be 0 or 1 (shown, but not right)."""
    program = os.environ.get("CAROM")
    if not program:
        pytest.skip("CAROM names no program")
    done = subprocess.run([program, *map(str, arguments), "--json", "--quiet"], capture_output=True, text=True)
    assert done.returncode in (0, 1), done.stderr
    return json.loads(done.stdout)


def same(found, wanted):
    """The same number to the last bit; JSON has null for what is not finite."""
    if isinstance(wanted, dict):
        return same(list(found), list(wanted.values()))
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(same(a, b) for a, b in zip(found, wanted))
    if wanted is None:
        return found is None or not math.isfinite(found)
    return bool(found == wanted)


def listed(values):
    """Values of an axis for --over, to the last bit."""
    return ",".join(value if isinstance(value, str) else repr(float(value)) for value in values)


def interrupted(call, after=0.3, within=0.5, enough=lambda result: True):
    """What Interrupted carries when Ctrl-C comes after so many seconds.

    From then on the process may use `within` seconds of the processor, five times that with sanitizers; what others take of the
    machine does not count. On a busy machine Ctrl-C may come before the call is under way, which is a plain KeyboardInterrupt, or
    before there is `enough` of its result: then it comes later, twice.
    """
    slow = 5 if os.environ.get("CAROM_SANITIZED") else 1
    for wait in (after, 5 * after, 25 * after):
        asked = []
        timer = threading.Timer(wait, lambda: (asked.append(time.process_time()), os.kill(os.getpid(), signal.SIGINT)))
        try:
            timer.start()
            try:
                call()
                pytest.fail("it was over before Ctrl-C")
            except carom.Interrupted as stopped:
                used = time.process_time() - asked[0]
                assert used < within * slow, f"{used} s of the processor after Ctrl-C"
                if enough(stopped.result) or wait > 5 * after:
                    return stopped
            finally:
                timer.cancel()
                timer.join()
        except KeyboardInterrupt:
            continue
    pytest.fail("Ctrl-C was not heard by the call")


def resident():
    """Kilobytes of this process that are in memory."""
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") // 1024


BALL = """
local y = coordinates("y")
local e = param { "e", 0.8, min = 0, max = 1 }
local g = param { "g", 10, min = 0 }
local n = setting { "n", 1, integer = true, min = 1, doc = "mass" }
mass(n)  potential(n * g * y)
contact { "floor", gap = y, restitution = e }
initial { y = 1 }
integrate { scheme = "event-driven", h = 1e-2, until_t = 1.2 }
measure {
  height = y,
  impacts = count(impact "floor"),
  struck = times(impact "floor"),
  momentum = total(impulse("floor")),
  late = maximum(y, { from = 1 }),
}
"""

# Two equal masses on springs against a wall: frequencies sqrt 5 - 1 and sqrt 5 + 1.
CHAIN = """
local eps = param { "eps", 0, min = 0 }
local k = param { "k", 2, min = 0 }
local e = param { "e", 1, min = 0, max = 1 }
local whole = param { "whole", 1, integer = true }
local u1, u2 = coordinates("u1", "u2")
mass { { 0.5, 0 }, { 0, 0.5 } }
potential(k / 2 * (u1 ^ 2 + (u2 - u1) ^ 2) + eps / 4 * (u2 - u1) ^ 4)
contact { "wall", gap = 1 - u2, restitution = e }
initial { u1 = 0, u2 = 0.5 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
"""

# The same without the quartic term, which makes it linear.
LINEAR = CHAIN.replace(" + eps / 4 * (u2 - u1) ^ 4", "")

# Six oscillators in a ring, each above an obstacle at -1.
RING = """
local gamma = param { "gamma", 0.1, min = 0 }
local p, names, m, V = 6, {}, {}, 0
for n = 0, p - 1 do names[n + 1] = "y" .. n end
local y = { coordinates(table.unpack(names)) }
for n = 1, p do
    V = V + y[n] ^ 2 / 2 + gamma / 2 * (y[n % p + 1] - y[n]) ^ 2
    contact { "wall" .. n - 1, gap = y[n] + 1, restitution = 1 }
    m[n] = {}
    for k = 1, p do m[n][k] = k == n and 1 or 0 end
end
mass(m)
potential(V)
initial { y3 = 1.2 }
integrate { scheme = "event-driven", h = 0.01, until_t = 10 }
"""
