"""carom.solve beside Siconos' Python call on the files of FCLIB, in one run.

    PYTHONPATH=build/python /usr/bin/python3 bench/python/solve.py [FILE...]

Files: default those of $CAROM_FCLIB or ../shared/fclib. For each of them, on one core:

    C         milliseconds of carom_coulomb_solve inside of the call, the default solver, from r = 0
    carom     of the whole Python call, problem.solve(), and of its result's r; the problem is read and converted before
    above     Python call less C, microseconds: the least and the median of the calls
    r         what result.r, the array, costs after it, microseconds: the least
    Siconos   the Python call fc3d_driver, the best of NSGS and NSN_AC with 3x3 blocks and NSN_AC with a dense matrix; the
              problem is made before
    ratio     Siconos over carom

Both are asked for the same: carom_coulomb_error <= 1e-8, for which Siconos' own tolerance is lowered, 1e-6, 1e-7, ... (its
test is another one). A solver of Siconos that takes more than 5 s of the processor for one solution, or never comes there, is
"-". Without python3-siconos only carom is measured. Fails when a call costs more than
20 microseconds above C, by the least of its calls.

What a call costs depends on the caches: after a solution of milliseconds nothing of Python is in them. The last line shows it on
the smallest problem: its calls as they are, and with 64 MB of other memory read before each."""

import multiprocessing
import os
import pathlib
import sys
import tempfile
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np  # noqa: E402

import carom  # noqa: E402

WANTED = 1e-8
ABOVE_MOST = 20e-6
SECONDS_MOST = 5.0
CASES = (("NSGS", "block"), ("NSN_AC", "block"), ("NSN_AC", "dense"))


def repeat(call, least=0.3, calls=5):
    """Times of calls, at least so many seconds and calls."""
    times = []
    while len(times) < calls or sum(times) < least:
        started = time.perf_counter()
        call()
        times.append(time.perf_counter() - started)
    return times


def measure_carom(problem, between=lambda: None):
    """A result; seconds: least of C, least of the call with its r, what each call costs above C, least of r."""
    inside, whole, after = [], [], []

    def call(clock=time.perf_counter):  # found before: finding it counts, too, where caches are cold
        between()
        started = clock()
        result = problem.solve(WANTED, strict=False, prove=False)
        solved = clock()
        result.r
        after.append(clock() - solved)
        whole.append(solved - started)
        inside.append(result._call.seconds)

    result = problem.solve(WANTED, strict=False, prove=False)
    repeat(call, calls=20)
    inside, whole, after = map(np.array, (inside, whole, after))
    return result, inside.min(), (whole + after).min(), whole - inside, after.min()


def show_caches(problem, name):
    other = np.ones(64 * 2**20 // 8)
    warm, cold = measure_carom(problem)[3], measure_carom(problem, other.sum)[3]
    print(f"{name}, above C: {1e6 * warm.min():.1f}, median {1e6 * np.median(warm):.1f} microseconds; after reading 64 MB "
          f"{1e6 * cold.min():.1f}, median {1e6 * np.median(cold):.1f}")


def reduced(problem):
    """Dense W and q."""
    if not problem.is_global and problem.V is None:
        return problem.W.toarray(), np.array(problem.q)
    if not problem.is_global:
        R = np.linalg.solve(problem.R.toarray(), np.column_stack([problem.V.toarray().T, problem.s]))
        V = problem.V.toarray()
        return problem.W.toarray() - V @ R[:, :-1], problem.q - V @ R[:, -1]
    n, G = problem.M.shape[0], problem.G.toarray() if problem.G is not None else np.zeros((problem.M.shape[0], 0))
    H, b = problem.H.toarray(), problem.b if problem.b is not None else np.zeros(0)
    K = np.block([[problem.M.toarray(), -G], [G.T, np.zeros((G.shape[1], G.shape[1]))]])
    right = np.vstack([np.column_stack([H, problem.f]), np.column_stack([np.zeros((G.shape[1], H.shape[1])), -b])])
    x = np.linalg.solve(K, right)[:n]
    return H.T @ x[:, :-1], H.T @ x[:, -1] + problem.w


def write_blocks(path, problem):
    """The problem in space as Siconos reads it, with 3x3 blocks."""
    d, n = problem.dimension, problem.contacts
    places = np.array([3 * (i // d) + i % d for i in range(d * n)])
    W, q = np.eye(3 * n), np.zeros(3 * n)
    W[np.ix_(places, places)], q[places] = reduced(problem)
    blocks = W.reshape(n, 3, n, 3).transpose(0, 2, 1, 3)
    filled = abs(blocks).max(axis=(2, 3)) > 0 if n else np.zeros((0, 0), bool)
    np.fill_diagonal(filled, True)
    row, column = np.nonzero(filled)
    start = np.concatenate(([0], np.cumsum(filled.sum(axis=1))))
    with open(path, "w") as file:
        lines = [3, n, 1, 3 * n, 3 * n, row.size, n, n, *range(3, 3 * n + 1, 3), *range(3, 3 * n + 1, 3), n + 1, row.size,
                 *start, *column]
        for k, (i, j) in enumerate(zip(row, column)):
            lines += [k, *(f"{value:.17g}" for value in blocks[i, j].T.reshape(-1))]  # column by column
        lines += [f"{value:.17g}" for value in (*q, *problem.mu)]
        file.write("\n".join(map(str, lines)) + "\n")


def measure_siconos(pipe, path, solver, storage):
    """In a process of its own, since some solutions never end and some crash."""
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Siconos prints
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    import siconos.numerics as sn

    problem = carom.read_fclib(path)
    d, n = problem.dimension, problem.contacts
    with tempfile.TemporaryDirectory() as folder:
        write_blocks(f"{folder}/problem.dat", problem)
        theirs = sn.frictionContact_new_from_filename(f"{folder}/problem.dat")
    if storage == "dense":
        dense = sn.NM_create(sn.NM_DENSE, 3 * n, 3 * n)
        sn.NM_to_dense(theirs.M, dense)
        theirs = sn.frictionContactProblem_new_with_data(3, n, dense, theirs.q, theirs.mu)
    for tolerance in (10.0**-k for k in range(6, 15)):
        options = sn.SolverOptions(getattr(sn, f"SICONOS_FRICTION_3D_{solver}"))
        options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10**8
        options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
        r = np.zeros(3 * n)

        def call():
            pipe.send("solving")
            r[:] = 0
            started = time.perf_counter()
            sn.fc3d_driver(theirs, r, np.zeros(3 * n), options)
            times.append(time.perf_counter() - started)

        times = []
        call()
        if problem.error(r.reshape(-1, 3)[:, :d].reshape(-1)) <= WANTED:
            repeat(call)
            pipe.send(min(times))
            return
    pipe.send(None)


def best_of_siconos(path):
    best = None
    for solver, storage in CASES:
        ours, theirs = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.Process(target=measure_siconos, args=(theirs, path, solver, storage))
        process.start()
        theirs.close()
        found = "solving"
        while found == "solving" and ours.poll(SECONDS_MOST):
            try:
                found = ours.recv()
            except EOFError:
                break
        process.kill()
        process.join()
        if isinstance(found, float) and (best is None or found < best[0]):
            best = (found, f"{solver} {storage[0]}")
    return best


def files():
    if len(sys.argv) > 1:
        return [pathlib.Path(name) for name in sys.argv[1:]]
    root = pathlib.Path(__file__).resolve().parents[2]
    return sorted(pathlib.Path(os.environ.get("CAROM_FCLIB", root.parent / "shared" / "fclib")).glob("*.hdf5"))


def has_siconos():
    """Asked in another process: it must not be loaded into this one."""
    with multiprocessing.Pool(1) as pool:
        return pool.apply(try_siconos)


def try_siconos():
    try:
        import siconos.numerics  # noqa: F401
    except ImportError:
        return False
    return True


def main():
    if not files():
        print("solve.py: no FCLIB files; CAROM_FCLIB names their directory. Nothing is measured.")
        return 0
    compares = has_siconos()
    if not compares:
        print("Siconos: not measured; Debian's python3-siconos is not installed or does not load.")
    print(f"{'problem':38} {'contacts':>8} {'C ms':>9} {'carom ms':>9} {'above us':>11} {'r us':>5} {'Siconos ms':>19} {'ratio':>8}")
    ratios, worst, failed, smallest = [], 0.0, [], None
    for file in files():
        try:
            problem = carom.read_fclib(file)
        except carom.ModelError as refused:
            print(f"{file.stem:38} refused: {str(refused).split(': ', 1)[-1][:60]}")
            continue
        result, inside, whole, above, array = measure_carom(problem)
        if smallest is None or problem.contacts < smallest[0].contacts:
            smallest = (problem, file.stem)
        if not result.ok:
            failed.append(f"{file.stem} is not solved")
        worst = max(worst, above.min())
        theirs = best_of_siconos(str(file)) if compares else None
        cell, ratio = "-", "-"
        if theirs:
            cell, ratio = f"{1e3 * theirs[0]:.4f} {theirs[1]}", f"{theirs[0] / whole:.1f}"
            ratios.append(theirs[0] / whole)
        print(f"{file.stem:38} {problem.contacts:8} {1e3 * inside:9.4f} {1e3 * whole:9.4f} {1e6 * above.min():5.1f}"
              f"{1e6 * np.median(above):6.1f} {1e6 * array:5.1f} {cell:>19} {ratio:>8}", flush=True)
    if ratios:
        print(f"geometric mean of the ratios: {np.exp(np.mean(np.log(ratios))):.1f} over {len(ratios)} problems, "
              f"smallest {min(ratios):.1f}")
    if smallest:
        show_caches(*smallest)
    print(f"most above C: {1e6 * worst:.1f} microseconds; wanted at most {1e6 * ABOVE_MOST:.0f}")
    if worst > ABOVE_MOST:
        failed.append("the Python call costs too much")
    print("failed:", "; ".join(failed) or "nothing")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
