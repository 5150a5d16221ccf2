"""Runs: arrays, measures, events, files, errors, lifetimes."""

import gc
import json
import os
import signal
import subprocess
import sys
import threading
import time
import tracemalloc

import numpy as np
import pytest

import carom


def test_a_ball_falls_as_it_should(ball):
    r = ball.run(scheme="event-driven", h=0.01, until=0.4)
    assert r.status == "ok" and r.trusted
    assert np.allclose(r["y"], 1 - 9.81 * r.t**2 / 2, rtol=0, atol=1e-9)
    assert np.allclose(r["dot(y)"], -9.81 * r.t, rtol=0, atol=1e-9)
    assert np.allclose(r.energy, 9.81, rtol=1e-10)
    assert (r["height"] == r.q[:, 0]).all() and (r["dot(y)"] == r.v[:, 0]).all()


def test_impacts_are_where_theory_has_them(ball):
    r = ball.run(scheme="event-driven", h=0.01, until=1.2, e=0.8)
    fall = np.sqrt(2 / 9.81)
    expected = [fall, fall * (1 + 2 * 0.8)]
    impacts = [event for event in r.events if event.kind == "impact"]
    assert np.allclose([event.t for event in impacts], expected, rtol=1e-9)
    assert impacts[0].contact == "floor"
    assert impacts[0].rate_after == pytest.approx(-0.8 * impacts[0].rate_before, rel=1e-9)
    assert r.impulses["floor"].shape == (len(r), 1) and (r.impulses["floor"] >= 0).all()
    assert (r.gaps["floor"] >= -1e-9).all()
    assert r.measures["bounces"] == 2 and isinstance(r.measures["times"], np.ndarray)


def test_the_numbers_are_those_of_the_program(program, ball):
    with open("ball.lua", "w") as file:
        file.write(ball.text)
    out = subprocess.run([program, "run", "ball.lua", "--set", "e=0.55", "--json"], capture_output=True, check=True)
    theirs, ours = json.loads(out.stdout), ball.run(e=0.55)
    assert theirs["measures"]["highest"] == ours.measures["highest"]
    assert theirs["measures"]["times"] == ours.measures["times"].tolist()
    assert theirs["steps"] == ours.steps and theirs["status"] == ours.status
    assert theirs["certificate"]["trusted"] == ours.trusted


def test_keywords_are_parameters_settings_and_options(ball):
    assert ball.run(e=0.5).parameters == {"e": 0.5, "g": 9.81}
    assert ball.run(theta=1.0).status == "ok"
    assert ball.run(options={"theta": 1.0}).status == "ok"
    assert len(ball.run(h=0.01, until=0.1)) == 11
    assert len(ball.run(h=0.01, until=0.1, every=5)) == 3
    assert ball.run(h=0.01, until=0.1, q0=[3.0], v0=[-1.0])["y"][0] == 3.0
    assert ball.run(h=0.01, t0=-0.1, until=0).t[-1] == pytest.approx(0)
    bin = carom.Model("bodies/bin")
    assert len(bin.run(n=5, until=0.01).q[0]) == 15


@pytest.mark.parametrize("wrong, kind, text", [
    (dict(ee=0.5), carom.ModelError, "did you mean 'e'"),
    (dict(e=1.5), carom.ModelError, "out of its range"),
    (dict(e=float("nan")), carom.ModelError, "nan"),
    (dict(e="much"), carom.ModelError, "a number"),
    (dict(e=[1, 2]), TypeError, "a number or a text"),
    (dict(e=None), TypeError, "a number or a text"),
    (dict(scheme="moreau"), carom.ModelError, "is not known"),
    (dict(scheme=7), (TypeError, carom.ModelError), "7"),
    (dict(h="x"), TypeError, "h: a number is needed, not 'x'"),
    (dict(h=0.0), carom.ModelError, "h"),
    (dict(h=-1e-3), carom.ModelError, "h"),
    (dict(h=float("inf")), carom.ModelError, "finite"),
    (dict(until=-1), carom.ModelError, ""),
    (dict(q0=[1, 2]), ValueError, "1 numbers are needed"),
    (dict(q0=[float("nan")]), ValueError, "finite"),
    (dict(q0="high"), TypeError, "numbers are needed"),
    (dict(q0=[[1.0]]), ValueError, "one row"),
    (dict(q0=[]), ValueError, "not 0"),
    (dict(every=0), ValueError, "from 1 on"),
    (dict(every=1.5), ValueError, "whole number"),
    (dict(theta=7), carom.ModelError, "from 0.5 to 1"),
    (dict(solver="fastest"), carom.ModelError, "fastest"),
    (dict(options={"theta\0": 1}), ValueError, "zero byte"),
])
def test_what_is_wrong_is_said(ball, wrong, kind, text):
    with pytest.raises(kind) as problem:
        ball.run(**wrong)
    assert text in str(problem.value)


def test_errors_of_a_model_have_file_and_line():
    with open("bad.lua", "w") as file:
        file.write('local y = coordinates("y")\nmass(1)\ncontact { "floor", gap = z }\n')
    with pytest.raises(carom.ModelError) as problem:
        carom.Model("bad.lua")
    assert problem.value.file == "bad.lua" and problem.value.line == 3
    with pytest.raises(carom.ModelError, match="did you mean 'moreau-1986/trial-04'"):
        carom.experiment("moreau-1986/trial-004")
    with pytest.raises(carom.ModelError, match="no-such"):
        carom.Model("no-such.lua")
    with pytest.raises(TypeError):
        carom.Model(42)
    with pytest.raises(TypeError, match="not None"):
        carom.run(None)


def test_a_motion_that_cannot_go_on_keeps_what_there_was():
    model = carom.Model("""
        local x = coordinates("x")
        mass(1)  force { x = sqrt(0.5 - time()) }
        initial { x = 0 }
        integrate { scheme = "moreau-jean", h = 1e-2, until_t = 1 }
    """)
    with pytest.raises(carom.StepError) as problem:
        model.run()
    kept = problem.value.result
    assert kept.status != "ok" and 0.3 < kept.t[-1] < 0.6 and "t = " in str(problem.value)
    assert model.run(strict=False).status == kept.status


def test_files_hold_the_same_bits(ball):
    r = ball.run(e=0.6, h=0.01)
    r.save("run.h5")
    s = carom.load("run.h5")
    assert (s.t == r.t).all() and (s.q == r.q).all() and (s.impulses["floor"] == r.impulses["floor"]).all()
    assert s.measures["highest"] == r.measures["highest"] and s.status == "ok" and s.trusted == r.trusted
    assert s.parameters == r.parameters and s.scheme == r.scheme and s.steps == r.steps
    with pytest.raises(carom.CaromError):
        carom.load("nothing.h5")
    with open("damaged.h5", "wb") as file:
        file.write(open("run.h5", "rb").read()[:1000])
    with pytest.raises(carom.CaromError):
        carom.load("damaged.h5")
    with pytest.raises(carom.CaromError):
        r.save("/no/such/folder/run.h5")


def test_arrays_outlive_everything_and_are_no_copies(ball):
    r = ball.run(h=0.01)
    q, t, copy = r.q, r.t, r.q.copy()
    assert q.base is not None and not q.flags.writeable and np.shares_memory(q, r.v) is False
    assert np.shares_memory(r.q, q)
    with pytest.raises(ValueError):
        q[0, 0] = 1
    del r
    gc.collect()
    junk = [np.ones(100000) for _ in range(20)]
    assert (q == copy).all() and t[0] == 0 and junk
    model = carom.Model(ball.text)
    r = model.run(h=0.01)
    del model
    gc.collect()
    assert r.events and r.parameters["e"] == 0.8 and repr(r)


def test_names_that_are_not_there(ball):
    r = ball.run(h=0.01)
    for ask in (lambda: r["x"], lambda: r.impulses["wall"], lambda: r.gaps["wall"]):
        with pytest.raises(KeyError, match="there "):
            ask()


def test_threads_give_the_same_bits(ball):
    alone = [ball.run(e=e).q.copy() for e in (0.1, 0.5, 0.9)]
    found = [None] * 3

    def work(i, e):
        found[i] = ball.run(e=e).q

    threads = [threading.Thread(target=work, args=(i, e)) for i, e in enumerate((0.1, 0.5, 0.9))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all((a == b).all() for a, b in zip(alone, found))


def test_the_interpreter_goes_on_while_it_computes(ball):
    for _ in range(5):  # where others have the processors, this thread may come too late
        counted, thread = 0, threading.Thread(target=ball.run, kwargs={"h": 2e-6})
        thread.start()
        while thread.is_alive():
            counted += 1
            time.sleep(0.001)
        if counted > 10:
            return
    assert counted > 10


LONG = """
import carom, sys, time
ball = carom.Model(sys.argv[1])
print("ready", flush=True)
try:
    ball.run(h=1e-9, every=1000)
except carom.Interrupted as stop:
    print(stop.result.status, len(stop.result) > 10, time.process_time(), flush=True)
else:
    print("not stopped")
"""


def processor_time(pid):
    """Seconds that a process has used: what others take of the machine does not count."""
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def test_ctrl_c_stops_at_once_and_keeps_what_was_computed(ball):
    process = subprocess.Popen([sys.executable, "-c", LONG, ball.text], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    ready = processor_time(process.pid)
    while processor_time(process.pid) < ready + 0.3:  # the run is under way, however busy the machine is
        time.sleep(0.05)
        assert process.poll() is None
    asked = processor_time(process.pid)
    os.kill(process.pid, signal.SIGINT)
    status, kept, stopped = process.stdout.readline().split()
    process.wait()
    assert status == "interrupted" and kept == "True"
    slow = 5 if os.environ.get("CAROM_SANITIZED") else 1
    assert float(stopped) - asked < 0.1 * slow, f"{float(stopped) - asked} s"


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_nothing_leaks(ball):
    count = 300 if os.environ.get("CAROM_SANITIZED") else 10000
    for _ in range(count // 10):
        ball.run(h=0.1)
    gc.collect()
    before = resident()
    for i in range(count):
        ball.run(h=0.1, e=0.5 + 0.4 * i / count)
    gc.collect()
    assert resident() - before < 4_000_000 or os.environ.get("CAROM_SANITIZED")  # which keeps what is freed
    tracemalloc.start()
    ball.run(h=0.1)
    first = tracemalloc.get_traced_memory()[0]
    for i in range(count // 10):
        ball.run(h=0.1, e=0.5 + 0.4 * i / count)
    gc.collect()
    grown = tracemalloc.get_traced_memory()[0] - first
    tracemalloc.stop()
    assert grown < 100_000


def test_bodies_go_on_from_where_a_run_ended():
    """Steps leave overlaps of a few micrometres: no reason to refuse such a start."""
    bin = carom.experiment("bodies/bin", n=100)
    first = bin.run(until=0.3)
    second = bin.run(q0=first.q[-1], v0=first.v[-1], t0=0.3, until=0.4)
    assert second.status == "ok" and second.t[0] == 0.3
    assert max(second.energy) <= first.energy[-1] * (1 + 1e-12)  # nothing is driven apart
