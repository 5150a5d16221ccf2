"""Contact problems: closed forms, all solvers, the files of FCLIB, agreement with the program, wrong calls."""

import doctest
import gc
import json
import signal
import subprocess
import sys
import threading
import weakref

import numpy as np
import pytest

import carom
from program import interrupted

sparse = pytest.importorskip("scipy.sparse")


def chain(contacts, seed=1):
    """A problem with a solution: bodies of 6 coordinates, each contact between neighbours."""
    random = np.random.default_rng(seed)
    H = np.zeros((6 * contacts, 3 * contacts))
    for i in range(contacts):
        H[6 * i : 6 * i + 6, 3 * i : 3 * i + 3] = random.normal(size=(6, 3))
        if i:
            H[6 * i - 6 : 6 * i, 3 * i : 3 * i + 3] = -random.normal(size=(6, 3))
    masses = random.uniform(0.5, 2, 6 * contacts)
    f, w = random.normal(size=6 * contacts), np.zeros(3 * contacts)
    mu = random.uniform(0.1, 0.8, contacts)
    return masses, H, f, w, mu


def reduced(contacts, seed=1):
    masses, H, f, w, mu = chain(contacts, seed)
    W = H.T @ (H / masses[:, None])
    return (W + W.T) / 2, H.T @ (f / masses) + w, mu


# ---- closed forms


def test_one_contact_separates():
    result = carom.solve(np.eye(3), [0.5, 1, 2], 0.3)
    assert result.ok and result.regimes == ["open"]
    assert (result.r == 0).all() and (result.u == [0.5, 1, 2]).all()


def test_one_contact_sticks():
    W = np.diag([2.0, 4.0, 5.0])
    result = carom.solve(W, [-1, 0.5, 0], 0.5)
    assert result.regimes == ["stick"]
    assert np.allclose(result.r, [0.5, -0.125, 0], rtol=0, atol=1e-15) and abs(result.u).max() < 1e-15


@pytest.mark.parametrize("angle", np.linspace(0, 6, 7))
def test_one_contact_slides(angle):
    mu, slip = 0.4, np.array([np.cos(angle), np.sin(angle)])
    result = carom.solve(np.eye(3), [-2, 3 * slip[0], 3 * slip[1]], mu)
    assert result.regimes == ["slip"]
    assert np.allclose(result.r, np.concatenate(([2], -2 * mu * slip)), rtol=1e-14)
    assert np.allclose(result.u, np.concatenate(([0], (3 - 2 * mu) * slip)), rtol=1e-14, atol=1e-15)
    assert result.summary["dissipation"] == pytest.approx(-2 * mu * (3 - 2 * mu))


@pytest.mark.parametrize("free, r, u", [((0.1, 5), (0, 0), (0.1, 5)), ((-1, 0.2), (1, -0.2), (0, 0)),
                                        ((-1, -2), (1, 0.5), (0, -1.5))])
def test_plane(free, r, u):
    result = carom.solve(np.eye(2), free, [0.5])
    assert result.problem.dimension == 2
    assert np.allclose(result.r, r, atol=1e-15) and np.allclose(result.u, u, atol=1e-15)
    assert (carom.solve(np.eye(2), free, 0.5, dimension=2).r == result.r).all()


def test_plane_is_space_without_the_second_tangent():
    W, q, mu = reduced(5)
    keep = [k for k in range(15) if k % 3 < 2]
    result = carom.solve(W[np.ix_(keep, keep)], q[keep], mu)
    assert result.r.shape == (10,) and result.error <= 1e-8
    whole = np.eye(15)
    whole[np.ix_(keep, keep)] = W[np.ix_(keep, keep)]
    flat = q.copy()
    flat[2::3] = 0
    assert np.allclose(carom.solve(whole, flat, mu).r[keep], result.r, atol=1e-7)


# ---- forms and storages


def test_storages_give_the_same_bits():
    W, q, mu = reduced(6)
    W[abs(W) < 0.2] = 0
    W += 5 * np.eye(18)
    wanted = carom.solve(W, q, mu)
    shifted = sparse.coo_matrix(W)
    order = np.random.default_rng(0).permutation(shifted.nnz)
    shifted = sparse.coo_matrix((shifted.data[order], (shifted.row[order], shifted.col[order])), shape=W.shape)
    storages = [np.asfortranarray(W), W.tolist(), np.repeat(W, 2, axis=1)[:, ::2], W[::-1][::-1],
                sparse.csc_matrix(W), sparse.csr_matrix(W), sparse.bsr_matrix(W, blocksize=(3, 3)), shifted,
                sparse.bsr_matrix(W, blocksize=(2, 9)), sparse.lil_matrix(W), sparse.dia_matrix(W),
                sparse.csr_array(W)]
    large = sparse.csr_matrix(W)
    large.indices, large.indptr = large.indices.astype(np.int64), large.indptr.astype(np.int64)
    for storage in [*storages, large]:
        result = carom.solve(storage, q, mu)
        assert (result.r == wanted.r).all() and result.report.iterations == wanted.report.iterations
    assert (carom.solve(sparse.csc_matrix(W), q, mu).problem.W.toarray() == W).all()


def test_entries_at_one_place_are_added():
    W = sparse.coo_matrix(([1.0, 1.0, 2.0, 1.0], ([0, 0, 1, 2], [0, 0, 1, 2])), shape=(3, 3))
    assert (carom.ContactProblem(W, [-1, 0, 0], 0.1).W.toarray() == np.diag([2, 2, 1])).all()


@pytest.mark.parametrize("solver", ["auto", "direct", "nsgs"])
def test_global_is_the_reduced_problem(solver):
    masses, H, f, w, mu = chain(4)
    result = carom.solve(M=masses, H=H, f=f, w=w, mu=mu, solver=solver)
    assert result.ok and result.v.shape == (24,)
    assert np.allclose(masses * result.v, H @ result.r + f, atol=1e-10)
    assert np.allclose(H.T @ result.v + w, result.u, atol=1e-10)
    W, q = H.T @ (H / masses[:, None]), H.T @ (f / masses) + w
    assert carom.ContactProblem(W, q, mu).error(result.r) == pytest.approx(result.error, rel=0.05, abs=1e-13)
    for mass in (np.diag(masses), sparse.diags(masses), sparse.csr_matrix(np.diag(masses))):
        assert (carom.solve(M=mass, H=sparse.bsr_matrix(H, blocksize=(6, 3)), f=f, w=w, mu=mu, solver=solver).r
                == result.r).all()


def test_global_with_equations():
    masses, H, f, w, mu = chain(3)
    random = np.random.default_rng(4)
    G, b = random.normal(size=(18, 2)), random.normal(size=2)
    for solver in ("auto", "direct"):
        result = carom.solve(M=masses, H=H, f=f, w=w, G=G, b=b, mu=mu, solver=solver)
        assert np.allclose(masses * result.v, H @ result.r + G @ result.l + f)
        assert np.allclose(G.T @ result.v + b, 0, atol=1e-12)


def test_local_with_equations():
    W, q, mu = reduced(3)
    random = np.random.default_rng(4)
    V, R, s = random.normal(size=(9, 2)), -np.eye(2), random.normal(size=2)
    result = carom.solve(W, q, mu, V=V, R=R, s=s)
    assert np.allclose(W @ result.r + V @ result.l + q, result.u)
    assert np.allclose(V.T @ result.r + R @ result.l + s, 0)


def test_empty_problem():
    result = carom.solve(np.zeros((0, 0)), [], [])
    assert result.ok and result.r.shape == (0,) and result.u.shape == (0,) and result.regimes == []


# ---- solvers


SLOW = {"SOCLCP-NSGS-PLI": 1.0, "HP-VI": 0.01}  # solves another problem; hyperplanes take long


@pytest.mark.parametrize("name", sorted(carom.solvers()["coulomb"]))
def test_every_solver(name):
    W, q, mu = reduced(4, seed=3)
    W /= np.linalg.eigvalsh(W)[-1]  # plain fixed points have a step of 1
    wanted = carom.solve(W, q, mu, tol=1e-12)
    result = carom.solve(W, q, mu, solver=name, max_seconds=10, strict=False, tol=1e-6)
    assert result.report.solver == name and result.error == carom.ContactProblem(W, q, mu).error(result.r)
    assert result.ok or result.error < SLOW[name]
    if result.ok:
        assert result.error <= 1e-6 and np.allclose(result.u, wanted.u, atol=1e-4)
    assert carom.solve(W, q, mu, solver=name.swapcase(), max_iterations=1, strict=False).report.solver == name


def test_list_of_solvers_is_that_of_the_program(carom_program):
    listed = json.loads(subprocess.run([carom_program, "list", "solvers", "--json"], capture_output=True, check=True).stdout)
    names = sorted(entry["name"] for entry in listed["solvers"])
    found = carom.solvers()
    kinds = ("lcp", "qp", "one-contact", "coulomb")
    assert {name for kind in kinds for name in found[kind]} <= set(names)
    of_auto = next(e for e in listed["solvers"] if e["name"] == "auto" and "coulomb" in e["summary"])
    options = found["coulomb"]["auto"].options
    assert [entry["name"] for entry in of_auto["options"]] == list(options)
    assert [entry["default"] for entry in of_auto["options"]] == [option.default for option in options.values()]
    assert found["coulomb"]["nsgs"].options["order"].words == ["natural", "shuffled", "fully-shuffled"]


def test_options():
    W, q, mu = reduced(12)
    shuffled = carom.solve(W, q, mu, solver="nsgs", order="shuffled", seed=7, adaptive=True)
    plain = carom.solve(W, q, mu, solver="nsgs")
    assert shuffled.ok and (shuffled.r != plain.r).any()
    with pytest.raises(carom.ModelError, match="solver 'nsgs'.*'ordr'.*did you mean 'order'"):
        carom.solve(W, q, mu, solver="nsgs", ordr="shuffled")
    with pytest.raises(carom.ModelError, match="omega"):
        carom.solve(W, q, mu, solver="nsgs", omega=1e9)
    with pytest.raises(carom.ModelError, match="did you mean 'nsgs'"):
        carom.solve(W, q, mu, solver="nsgz")
    with pytest.raises(carom.ModelError, match="direct"):
        carom.solve(W, q, mu, solver="direct")


def test_warm_start_takes_nothing():
    W, q, mu = reduced(8)
    first = carom.solve(W, q, mu, solver="nsgs")
    again = carom.solve(W, q, mu, solver="nsgs", r0=first.r)
    assert again.report.iterations < first.report.iterations and again.report.iterations <= 1
    assert (again.r == first.r).all()


def test_history():
    W, q, mu = reduced(8)
    result = carom.solve(W, q, mu, solver="nsgs", check="every-sweep", history=True)
    history = result.history
    del result
    gc.collect()
    assert history.shape[1] == 3 and (np.diff(history[:, 0]) >= 0).all() and history[-1, 1] <= 1e-8
    assert carom.solve(W, q, mu).history is None


def test_orthotropic_friction():
    result = carom.solve(np.eye(3), [-1, 0, 2], 0.5, solver="uzawa-bipotential", ratio=0.5)
    assert np.allclose(result.r, [1, 0, -0.25], atol=1e-7) and result.residual is None
    assert result.regimes == ["slip"] and result.summary["error"] == pytest.approx(result.error, abs=1e-12)
    with pytest.raises(carom.ModelError, match="two tangents"):
        carom.solve(np.eye(2), [-1, 2], [0.5], solver="uzawa-bipotential", ratio=0.5)


# ---- what is not solved


def test_not_solved():
    W, q, mu = reduced(8)
    with pytest.raises(carom.SolverError, match="max-iterations after 1 iteration.*wanted 1e-12") as caught:
        carom.solve(W, q, mu, tol=1e-12, solver="nsgs", max_iterations=1)
    best = caught.value.result
    assert not best.ok and best.report.iterations == 1 and np.isfinite(best.error) and best.r.shape == (24,)
    same = carom.solve(W, q, mu, tol=1e-12, solver="nsgs", max_iterations=1, strict=False)
    assert (same.r == best.r).all()


def test_proof_that_there_is_no_solution():
    """Pressed together by two walls that nothing can move: W = 0 there."""
    W = np.zeros((6, 6))
    W[1, 1] = W[2, 2] = W[4, 4] = W[5, 5] = 1
    W[0, 0] = W[3, 3] = 1
    W[0, 3] = W[3, 0] = -1
    with pytest.raises(carom.SolverError, match="There is no solution") as caught:
        carom.solve(W, [-1, 0, 0, -1, 0, 0], 0.3)
    result = caught.value.result
    assert result.status == "infeasible" and result.existence == "none"
    d = result.direction
    assert np.allclose(W.T @ d, 0) and d @ [-1, 0, 0, -1, 0, 0] < 0 and result.proof["q_d"] < 0
    assert carom.solve(W, [-1, 0, 0, -1, 0, 0], 0.3, solver="nsgs", max_iterations=100, prove=False,
                       strict=False).existence is None


def test_singular_mass():
    with pytest.raises(carom.ModelError, match="M is singular"):
        carom.solve(M=[1.0, 0, 1], H=np.eye(3), f=[0, 0, 0], w=[-1, 0, 0], mu=0.1)


def test_interrupted():
    """Ctrl-C ends a solution that would take minutes, with what there is."""
    W, q, mu = reduced(60)
    problem = carom.ContactProblem(W - np.diag(np.full(180, 0.999 * np.linalg.eigvalsh(W)[0])), q, mu)
    stopped = interrupted(lambda: problem.solve(tol=1e-15, solver="FP-DS", max_iterations=10**9, rho=1e-6))
    assert stopped.result.status == "interrupted" and stopped.result.r.shape == (180,)
    assert problem.solve(solver="auto", strict=False).r.shape == (180,)


def test_threads():
    W, q, mu = reduced(20)
    problem, found = carom.ContactProblem(W, q, mu), []
    threads = [threading.Thread(target=lambda: found.append(problem.solve().r)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 8 and all((r == found[0]).all() for r in found)


# ---- the call of solve(), which is in C for the usual arguments


@pytest.mark.parametrize("dimension", [2, 3])
def test_the_usual_call_and_the_one_in_python_give_the_same_bits(dimension):
    random = np.random.default_rng(dimension)
    root = random.normal(size=(5 * dimension, 5 * dimension))
    problem = carom.ContactProblem(root @ root.T, random.normal(size=5 * dimension), 0.4, dimension=dimension)
    first = problem.solve()  # W is not reduced yet: Python
    quick = problem.solve(1e-8, "auto", r0=None, max_iterations=None, max_seconds=None, history=False, prove=False)
    slow = problem.solve(r0=np.zeros(5 * dimension))
    assert not hasattr(first, "_memory") and hasattr(quick, "_memory") and not hasattr(slow, "_memory")
    for result in (first, slow, carom.solve(problem)):
        assert (result.r == quick.r).all() and (result.u == quick.u).all() and result.regimes == quick.regimes
        assert (result.error, result.report.iterations) == (quick.error, quick.report.iterations)
    assert quick.r is quick.r and quick.r.shape == (5 * dimension,) and quick.problem is problem and quick.ok
    assert problem.solve(1e-3).report.tolerance == problem.solve(tol=1e-3).report.tolerance == 1e-3
    assert carom.solve(problem, tol=1e-3, max_seconds=9.0).report.tolerance == 1e-3


def test_wrong_calls_of_solve_name_it():
    problem = carom.ContactProblem(np.eye(3), [-1, 0, 0], 0.5)
    for _ in range(2):  # before W is reduced, and after
        with pytest.raises(TypeError, match=r"solve\(\) got multiple values for argument 'tol'"):
            problem.solve(1e-8, tol=1e-8)
        with pytest.raises(TypeError, match=r"solve\(\) takes"):
            problem.solve(1e-8, "auto", None)
        for wrong, error in ((1, ValueError), (0.0, ValueError), (float("nan"), ValueError), ("1e-8", TypeError), (True, TypeError)):
            with pytest.raises(error, match="tol"):
                problem.solve(wrong)
        with pytest.raises(carom.ModelError, match="option 'speed' is not known"):
            problem.solve(1e-8, speed=3)
        assert problem.solve(None).report.tolerance > 0
    with pytest.raises(RuntimeError, match="Unsolved"):
        class Own(carom.ContactProblem):
            def _unsolved(self, *arguments):
                raise RuntimeError("Unsolved")
        own = Own(np.zeros((3, 3)), [-1, 0, 0], 0.5)
        own._reduce()
        own.solve()


def test_an_unsolved_problem_of_the_usual_call():
    problem = carom.ContactProblem(np.zeros((3, 3)), [-1, 0, 0], 0.5)
    problem._reduce()
    result = problem.solve(strict=False, prove=False)
    assert hasattr(result, "_memory") and not result.ok and result.existence is None
    assert problem.solve(strict=False).existence is not None
    with pytest.raises(carom.SolverError) as caught:
        problem.solve()
    assert caught.value.result.problem is problem


def test_results_keep_what_they_need_and_no_more():
    problem = carom.ContactProblem(np.eye(3), [-1, 0.3, 0], 0.5)
    problem.solve()
    result = problem.solve()
    r = result.r
    counted = sys.getrefcount(problem)
    result.itself, forgotten = result, weakref.ref(result)
    del result
    gc.collect()
    assert forgotten() is None and sys.getrefcount(problem) == counted - 1 and (r == [1, -0.3, 0]).all()
    r[0] = 2  # it is the caller's


KEYBOARD = """
import os, signal, sys, time
import numpy as np
import carom

problem = carom.ContactProblem(np.eye(3), [-1, 0, 0], 0.5)
for kind in sys.argv[1:]:
    signal.signal(signal.SIGINT, {"usual": signal.default_int_handler, "own": lambda *_: print("own", flush=True),
                                  "none": signal.SIG_IGN, "death": signal.SIG_DFL}[kind])
    for _ in range(3):
        problem.solve()
    try:
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.01)
        print("went on", flush=True)
    except KeyboardInterrupt:
        print("KeyboardInterrupt", flush=True)
"""


@pytest.mark.parametrize("kinds, said, code", [
    (["usual", "own", "usual"], ["KeyboardInterrupt", "own", "went on", "KeyboardInterrupt"], 0),
    (["none", "usual"], ["went on", "KeyboardInterrupt"], 0),
    (["usual", "death"], ["KeyboardInterrupt"], -signal.SIGINT),
    (["death"], [], -signal.SIGINT),
])
def test_ctrl_c_between_calls_is_whosever_it_was(kinds, said, code):
    done = subprocess.run([sys.executable, "-c", KEYBOARD, *kinds], capture_output=True, text=True)
    assert (done.stdout.split("\n")[:-1], done.returncode) == (said, code), done.stderr


def test_interrupted_under_a_handler_that_was_set_meanwhile():
    """The call does not look at signals before it has run for a millisecond."""
    W, q, mu = reduced(60)
    problem = carom.ContactProblem(W - np.diag(np.full(180, 0.999 * np.linalg.eigvalsh(W)[0])), q, mu)
    problem.solve(strict=False, prove=False)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # at the place of carom's
    try:
        stopped = interrupted(lambda: problem.solve(tol=1e-15, solver="FP-DS", max_iterations=10**9, rho=1e-6))
    finally:
        signal.signal(signal.SIGINT, before)
    assert stopped.result.status == "interrupted"
# ---- rolling friction


def disc(tangent, mu=1.0, mu_r=0.05):
    """A disc of mass 3 and radius 0.2 that begins to move on an incline."""
    cosine = 1.0 / np.sqrt(1.0 + tangent**2)
    return carom.ContactProblem(M=[3.0, 3.0, 0.06], H=[[0, 1, 0], [1, 0, 0], [0, 0.2, 1]], w=np.zeros(3),
                                f=[0.3 * tangent * cosine, -0.3 * cosine, 0.0], mu=mu, mu_r=mu_r, dimension=3)


@pytest.mark.parametrize("solver", ["auto", "nsgs", "direct"])
def test_a_disc_rolls_beyond_its_angle(solver):
    """It rests up to tan a = mu_r / radius, and rolls beyond it."""
    for tangent in (0.1, 0.24, 0.26, 0.5):
        problem = disc(tangent)
        result = problem.solve(1e-12, solver=solver)
        speed = 0.1 / np.sqrt(1 + tangent**2) * max(0.0, tangent - 0.25) / 1.5
        assert np.allclose(result.v, [speed, 0.0, -speed / 0.2], atol=1e-11)
        assert np.allclose(result.u, [0.0, 0.0, -speed / 0.2], atol=1e-10)
        assert result.regimes == ["stick"] and problem.error(result.r) <= 1e-11
        assert abs(result.r[2]) <= 0.05 * result.r[0] * (1 + 1e-9)
        assert result.residual["rounding"] < 1e-12 and result.summary["sticking"] == 1


def test_rolling_friction_in_files(tmp_path):
    problem = disc(0.5)
    result = problem.solve()
    carom.write_fclib(tmp_path / "disc.hdf5", problem, solution=result)
    again = carom.read_fclib(tmp_path / "disc.hdf5")
    assert (again.dimension, again.contacts, again.is_global) == (3, 1, True)
    assert np.array_equal(again.mu_r, problem.mu_r) and again.mu_t is None
    assert np.array_equal(again.solution.r, result.r) and again.error(again.solution.r) <= 1e-8
    assert "rolling friction" in repr(again)


def test_what_is_no_rolling_friction():
    W = np.eye(5)
    with pytest.raises(carom.ModelError, match="mu_r"):
        carom.ContactProblem(W, np.zeros(5), 0.5, mu_r=-1.0)
    with pytest.raises(ValueError, match="rolling friction"):
        carom.ContactProblem(W, np.zeros(5), 0.5, mu_r=0.1, dimension=4)
    with pytest.raises(ValueError, match="mu_r has 2 numbers"):
        carom.ContactProblem(W, np.zeros(5), 0.5, mu_r=[0.1, 0.2])
    with pytest.raises(TypeError, match="mu_t without mu_r"):
        carom.ContactProblem(np.eye(6), np.zeros(6), 0.5, mu_t=0.1)
    with pytest.raises(carom.ModelError, match="orthotropic"):
        carom.ContactProblem(W, [-1.0, 0, 0, 0, 0], 0.5, mu_r=0.1).solve(solver="uzawa-bipotential", ratio=0.5)
    assert carom.solve(np.eye(6), [-1.0, 0.3, 0, 0, 0, 2.0], 0.5, mu_r=0.1, mu_t=0.25).r == pytest.approx(
        [1.0, -0.3, 0, 0, 0, -0.25])


# ---- files


def test_files_agree_with_the_program(fclib, carom_program):
    """carom.solve gives what `carom solve --json` gives, to the last digit."""
    small = [file for file in fclib if file.stat().st_size < 300_000]
    for solver in ("auto", "nsgs"):
        run = subprocess.run([carom_program, "solve", "--json", "--quiet", "--solver", solver, "--max-iterations", "400",
                              *map(str, small)], capture_output=True, text=True, check=False)
        for entry in json.loads(run.stdout)["results"]:
            problem = carom.read_fclib(entry["file"])
            result = problem.solve(solver=solver, max_iterations=400, strict=False)
            report, summary = result.report, result.summary
            assert (problem.contacts, problem.dimension) == (entry["contacts"], entry["dimension"])
            for name in ("status", "iterations", "error", "inner_iterations", "local_failures"):
                assert getattr(report, name) == entry[name], (entry["file"], name)
            for name in ("absolute_error", "q_norm", "r_norm", "u_norm", "energy", "dissipation", "open", "sliding",
                         "sticking"):
                assert summary[name] == entry[name], (entry["file"], name)
            assert result.residual == entry["residual"] and result.existence == entry.get("existence")


def test_direct_agrees_with_the_program(fclib, carom_program):
    files = [str(file) for file in fclib if carom_reads(file) and carom.read_fclib(file).is_global]
    run = subprocess.run([carom_program, "solve", "--json", "--quiet", "--direct", *files], capture_output=True, text=True,
                         check=False)
    for entry in json.loads(run.stdout)["results"]:
        if entry["status"] == "bad-input":  # rolling friction whose moments have axes of their own
            with pytest.raises(carom.ModelError, match="no rigid bodies"):
                carom.read_fclib(entry["file"]).solve(solver="direct")
            continue
        result = carom.read_fclib(entry["file"]).solve(solver="direct", strict=False)
        assert (result.status, result.error, result.report.iterations) == (entry["status"], entry["error"],
                                                                          entry["iterations"])
        assert result.summary["u_norm"] == entry["u_norm"] and result.residual == entry["residual"]


def carom_reads(file):
    try:
        carom.read_fclib(file)
    except carom.ModelError:
        return False
    return True


def everything(problem):
    parts = {}
    for name in ("W", "V", "R", "M", "H", "G"):
        matrix = getattr(problem, name)
        if matrix is not None:
            parts[name] = (matrix.shape, matrix.indptr.tobytes(), matrix.indices.tobytes(), matrix.data.tobytes())
    for name in ("q", "s", "f", "w", "b", "mu"):
        vector = getattr(problem, name)
        parts[name] = None if vector is None else vector.tobytes()
    for name in ("title", "description", "math_info"):
        parts[name] = getattr(problem, name)
    for k, solution in enumerate([problem.solution, *problem.guesses]):
        for name in ("r", "u", "v", "l"):
            array = getattr(solution, name)
            parts[name, k] = None if array is None else array.tobytes()
    return parts


def test_round_trip_of_files(fclib, tmp_path):
    for file in fclib:
        if not carom_reads(file):
            continue
        problem = carom.read_fclib(file)
        carom.write_fclib(tmp_path / file.name, problem)
        assert everything(carom.read_fclib(tmp_path / file.name)) == everything(problem), file.name


def test_files_solved_from_their_matrices(fclib):
    """What a problem shows is what it is: solved again from its matrices it gives the same bits."""
    for file in fclib:
        if not carom_reads(file) or file.stat().st_size > 200_000:
            continue
        problem = carom.read_fclib(file)
        names = ("W", "q", "mu", "mu_r", "mu_t", "M", "H", "f", "w", "G", "b", "V", "R", "s")
        parts = {name: getattr(problem, name) for name in names}
        again = carom.solve(**parts, dimension=problem.dimension, strict=False)
        assert (again.r == problem.solve(strict=False).r).all(), file.name


def test_round_trip_of_a_solution(tmp_path):
    masses, H, f, w, mu = chain(3)
    problem = carom.ContactProblem(M=masses, H=H, f=f, w=w, mu=mu, title="chain", description="äöü")
    assert problem.math_info is None
    result = problem.solve()
    path = tmp_path / "chain.hdf5"
    carom.write_fclib(path, problem, solution=result)
    again = carom.read_fclib(path)
    assert (again.title, again.description, again.math_info) == ("chain", "äöü", None)
    for name in ("r", "u", "v"):
        assert getattr(again.solution, name).tobytes() == getattr(result, name).tobytes()
    assert again.error(again.solution.r) == result.error
    with pytest.raises(carom.CaromError, match="chain.hdf5"):
        carom.write_fclib(path, problem)
    again.title = "chain of three"
    carom.write_fclib(path, again, overwrite=True)
    assert carom.read_fclib(path).title == "chain of three" and carom.read_fclib(path).solution.r is not None
    with pytest.raises(ValueError, match="another problem"):
        carom.write_fclib(path, again, overwrite=True, solution=result)


def test_files_that_are_none(tmp_path):
    with pytest.raises(carom.FileError, match="nothing.hdf5"):
        carom.read_fclib(tmp_path / "nothing.hdf5")
    with pytest.raises(carom.FileError):
        carom.read_fclib(tmp_path)
    (tmp_path / "text").write_text("text")
    with pytest.raises(carom.ModelError, match="not an FCLIB file"):
        carom.read_fclib(tmp_path / "text")


# ---- LCP and QP


def test_lcp_closed_form():
    assert carom.lcp([[2.0]], [-1.0]).z[0] == pytest.approx(0.5, rel=1e-15)
    assert carom.lcp([[2.0]], [1.0]).z[0] == 0
    assert (carom.lcp([[2.0]], [-1.0], solver="closed-form").z == [0.5]).all()


@pytest.mark.parametrize("solver", ["auto", "active-set", "gauss-seidel", "lemke"])
def test_lcp_solvers(solver):
    random = np.random.default_rng(1)
    B = random.normal(size=(12, 12))
    for M in (B @ B.T + np.eye(12), sparse.csr_matrix(B @ B.T + np.eye(12))):
        q = random.normal(size=12)
        result = carom.lcp(M, q, solver=solver)
        assert result.ok and (result.z >= 0).all() and (result.w > -1e-9).all() and abs(result.z @ result.w) < 1e-9
        assert np.allclose(result.w, M @ result.z + q)


def test_lcp_unsymmetric_and_without_solution():
    M, q = np.array([[1.0, 2.0], [-1.0, 1.0]]), [-1.0, -1.0]
    result = carom.lcp(M, q)
    assert result.report.solver == "lemke" and result.ok
    with pytest.raises(carom.SolverError) as caught:
        carom.lcp([[-1.0]], [-1.0])
    assert not caught.value.result.ok
    with pytest.raises(carom.ModelError, match="up to size 2"):
        carom.lcp(np.eye(3), [1, 1, 1], solver="closed-form")


def test_lcp_is_contact_without_friction():
    W, q, mu = reduced(6)
    normal = slice(0, None, 3)
    W = sparse.block_diag([np.eye(3)] * 6).toarray()
    W[normal, normal] = reduced(6)[0][normal, normal]
    result = carom.solve(W, q, 0.0)
    assert np.allclose(result.r[normal], carom.lcp(W[normal, normal], q[normal]).z, atol=1e-8)


@pytest.mark.parametrize("solver", list(carom.solvers()["qp"]))
def test_qp(solver):
    size = 40
    A = sparse.diags([-1.0, 2.1, -1.0], [-1, 0, 1], shape=(size, size))
    f = -0.05 * np.ones(size)
    for matrix in (A, A.toarray(), sparse.bsr_matrix(A.toarray())):
        result = carom.qp(matrix, f, lower=-0.3, upper=1, solver=solver)
        assert result.ok and (result.x >= -0.3 - 1e-12).all() and (result.r >= 0).all()
        assert np.allclose(A @ result.x - f, result.r, atol=1e-10) and result.active == (result.r > 0).sum() > 0
        assert abs(result.r @ (result.x + 0.3)) < 1e-10
    D = sparse.eye(size, format="csr")[::4]
    rows = carom.qp(A, f, D, lower=-0.1, upper=np.inf, solver=solver)
    dense = carom.qp(A.toarray(), f, D.toarray(), lower=-0.1, solver=solver)
    assert (rows.x == dense.x).all() and np.allclose(A @ rows.x - f, D.T @ rows.r, atol=1e-10)
    free = carom.qp(A, f, solver=solver)
    assert np.allclose(A @ free.x, f) and (free.r == 0).all()


def test_qp_refusals():
    A, f = np.array([[2.0, -1], [-1, 2]]), [1.0, 1.0]
    with pytest.raises(ValueError, match="lower\\[1\\] = 3.0 is above"):
        carom.qp(A, f, lower=[0, 3], upper=1)
    with pytest.raises(ValueError, match="not symmetric"):
        carom.qp([[2, 1], [0, 2]], f)
    with pytest.raises(carom.ModelError, match="positive definite"):
        carom.qp([[1, 2], [2, 1]], f)
    with pytest.raises(ValueError, match="row 0 is empty"):
        carom.qp(A, f, [[0, 0]], lower=0)
    with pytest.raises(ValueError, match="3 columns|2 columns"):
        carom.qp(A, f, np.eye(3), lower=0)


# ---- lifetimes


def test_arrays_outlive_their_problem():
    W, q, mu = reduced(4)
    result = carom.solve(W, q, mu)
    r, u, problem = result.r, result.u, result.problem
    kept = (r.copy(), u.copy())
    views, first = (problem.q, problem.mu), problem.q.copy()
    assert not views[0].flags.writeable
    del result, problem, W, q, mu
    gc.collect()
    _ = [carom.solve(np.eye(3) * k, [-1, 0, 0], 0.1) for k in range(1, 50)]
    assert (r == kept[0]).all() and (u == kept[1]).all() and (views[0] == first).all()


def test_problem_does_not_see_later_changes():
    W, q = np.eye(3), np.array([-1.0, 0, 0])
    problem = carom.ContactProblem(W, q, 0.5)
    W[0, 0] = q[0] = np.nan
    assert (problem.solve().r == [1, 0, 0]).all()


def test_no_leak(memory_is_given_back):
    import resource

    W, q, mu = reduced(10)
    problem = carom.ContactProblem(W, q, mu)

    def work(count):
        for _ in range(count):
            carom.solve(W, q, mu, history=True)
            problem.solve(solver="nsgs", max_iterations=1, strict=False, prove=False).u
        gc.collect()
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    before = work(300)
    assert work(1500) - before < 2000  # kilobytes


# ---- wrong calls


def test_wrong_shapes_say_what_is_right():
    for W, q, mu, text in [(np.eye(3), [1, 2], 0.1, "3 per contact"), (np.eye(2), [1, 2, 3], 0.1, "W is 2 x 2.*3 x 3"),
                           (np.ones((3, 2)), [1, 2, 3], 0.1, "W is 3 x 2"), (np.eye(3), [1, 2, 3], -0.1, r"mu\[0\] = -0.1"),
                           (np.eye(3), [1, 2, np.nan], 0.1, "entry 2 is nan"), (np.eye(3), [1, 2, 3], [0.1] * 4, "2 or 3"),
                           (np.diag([1, np.inf, 1]), [1, 2, 3], 0.1, r"W: entry \(1, 1\) is inf"),
                           (np.eye(3), [1, 2, 3], np.nan, "mu")]:
        with pytest.raises(ValueError, match=text):
            carom.solve(W, q, mu)
    for arguments, text in [(dict(W=np.eye(3), q=[1, 2, 3]), "mu is missing"), (dict(q=[1, 2, 3], mu=0.1), "W is missing"),
                            (dict(M=np.eye(3), f=[1, 2, 3], w=[0, 0, 0], mu=1), "H is missing"),
                            (dict(W=np.eye(3), M=np.eye(3), mu=1), "local problem beside"),
                            (dict(W="abc", q=[1, 2, 3], mu=1), "real numbers"),
                            (dict(W=1j * np.eye(3), q=[1, 2, 3], mu=1), "real numbers"),
                            (dict(W=np.eye(3), q=[1, 2, 3], mu=1, tol="x"), "tol"),
                            (dict(W=np.eye(3), q=[1, 2, 3], mu=1, solver=3), "solver")]:
        with pytest.raises(TypeError, match=text):
            carom.solve(**arguments)


def broken_matrices():
    good = sparse.csr_matrix(np.eye(3) + 1)
    for change in (dict(indices=np.array([0, 1, 7] * 3, dtype=np.int32)), dict(indices=np.array([0, -1, 2] * 3, dtype=np.int32)),
                   dict(indptr=np.array([0, 3, 2, 9], dtype=np.int32)), dict(indptr=np.array([0, 9], dtype=np.int32)),
                   dict(indptr=np.array([0, 3, 6, 90], dtype=np.int32)), dict(indptr=np.array([5, 6, 7, 9], dtype=np.int32)),
                   dict(indices=np.array([0], dtype=np.int32)), dict(indices=np.arange(9.0)),
                   dict(data=np.full(9, np.nan)), dict(indices=np.full(9, 2**40))):
        broken = good.copy()
        for name, value in change.items():
            setattr(broken, name, value)
        yield broken
    broken = sparse.coo_matrix(np.eye(3))
    broken.row = np.array([0, 1, 99], dtype=np.int32)
    yield broken
    broken = sparse.coo_matrix(np.eye(3))
    broken.col = np.array([0, 1], dtype=np.int32)
    yield broken
    broken = sparse.bsr_matrix(np.eye(6), blocksize=(3, 3))
    broken.indices = np.array([0, 5], dtype=np.int32)
    yield broken
    yield sparse.coo_matrix(([1.0], ([0], [0])), shape=(2**31 - 1, 2**31 - 1))


def test_broken_sparse_matrices():
    for W in broken_matrices():
        size = 6 if W.shape == (6, 6) else 3
        with pytest.raises((ValueError, TypeError)):
            carom.solve(W, [-1.0] * size, 0.1)
        with pytest.raises((ValueError, TypeError)):
            carom.solve(M=W, H=np.eye(size), f=[0] * size, w=[-1.0] * size, mu=0.1)


def test_random_wrong_calls():
    """300 calls with something wrong: exceptions, never a crash; what happens to be right is solved."""
    random = np.random.default_rng(7)
    things = [None, 0, -1, 2.5, np.nan, np.inf, "auto", "", b"x", [], [[]], [1], [1, 2, 3], (0.0,) * 6, np.eye(3), np.eye(6),
              np.eye(2)[:, :1], np.zeros((0, 0)), np.zeros((3, 3, 3)), np.array(["a"]), np.array([None]), {}, {1: 2}, object(),
              1j, np.eye(3) * 1j, np.eye(3, dtype=bool), np.full((3, 3), np.nan), -np.eye(3), 10**400, 2**63, True, len,
              sparse.csr_matrix((3, 3)), sparse.eye(6, format="bsr"), sparse.coo_matrix((2**31 - 1, 3)), np.float32(0.5),
              np.ma.masked_array([1, 2, 3], [0, 1, 0]), float("-inf"), np.array(3.0), range(3), iter([1, 2, 3])]
    names = ["W", "q", "mu", "M", "H", "f", "w", "G", "b", "V", "R", "s", "tol", "solver", "dimension", "r0",
             "max_iterations", "max_seconds", "history", "prove", "strict", "omega", "rho", "seed"]
    right = [dict(W=np.eye(3), q=[-1, 0, 0], mu=0.5), dict(M=np.eye(3), H=np.eye(3), f=[0, 0, 0], w=[-1, 0, 0], mu=0.1), {}]
    refused = 0
    for _ in range(300):
        call = dict(right[random.integers(3)])
        for name in random.choice(names, size=random.integers(1, 4), replace=False):
            call[name] = things[random.integers(len(things))]
        call.setdefault("max_seconds", 1.0)
        function = [carom.solve, carom.solve, lambda **k: carom.lcp(k.get("W"), k.get("q"), k.get("tol")),
                    lambda **k: carom.qp(k.get("M"), k.get("f"), k.get("G"), k.get("b"))][random.integers(4)]
        try:
            function(**call)
        except (TypeError, ValueError, OverflowError, carom.CaromError) as problem:
            assert str(problem), call
            refused += 1
    assert refused > 200
