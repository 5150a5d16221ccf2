"""Frictional contact problems by three solvers of Siconos, written by `contact solve` of this directory.

    /usr/bin/python3 siconos_contact.py DIRECTORY CONTACT ROWS

DIRECTORY holds the problems, CONTACT is the program build/bench/contact, ROWS the file with its rows.

NSGS, NSN_AC and ADMM with their default parameters, from r = 0; only the tolerance and the largest number of
iterations are set. Their stopping tests are not that of carom (Siconos divides by the larger of |q| and |r|, and
NSGS tests its steps before it computes the error), so the tolerance is lowered, 1e-6, 1e-7, ..., until `contact
error` of the reactions is at most 1e-8; only the last solution is counted. Beside the defaults each solver has variants
that are better for some problems: NSGS with the error computed in every iteration (full), because its own test may never be
met; NSN_AC and ADMM with a dense matrix instead of 3x3 blocks (dense), and both on the equations of motion as they are (motion:
gfc3d, problems in space only; NSGS of that family ends without a solution after its iterations).

Problems with equations of motion have to be reduced to W for the other variants. Siconos' own reduction is timed and
printed by itself; W in blocks comes from the file, whose conversion is not counted, nor the reduction of problems in the plane.

Rolling friction (NAME.rolling: dimension, M, H, f, w, mu, mu_r) goes to rolling_fc2d and rolling_fc3d: NSGS with the sparse W (sparse), the
same with the error computed in every iteration (full), and in space ADMM with blocks, which NSGS in space does not take; a dense W both
take for zero. W is computed here, and given to Siconos for nothing. It has no torsion: such problems are told as `left`.

Every solver runs in a process of its own, which is ended when one solution takes more than BENCH_CONTACT_SECONDS (10) of
the processor, or much longer than the best of the solvers before: it is not the best then, and nothing else is asked.

Rows:  siconos NAME SOLVER VARIANT SECONDS ERROR TOLERANCE ITERATIONS
       reduction NAME SECONDS
       unsolved NAME SOLVER VARIANT WHY
       left NAME WHY
"""

import multiprocessing
import os
import subprocess
import sys
import time
import warnings

import numpy as np
import scipy.sparse
import scipy.sparse.linalg
import siconos.numerics as sn

WANTED_ERROR = 1e-8
TOLERANCES = [10.0**-k for k in range(6, 15)]
SECONDS_MOST = float(os.environ.get("BENCH_CONTACT_SECONDS", "10"))
CLOCK_MOST = 20.0 * SECONDS_MOST  # for a solver that waits instead of working
RUNS_LEAST = 3
SECONDS_LEAST, SECONDS_ENOUGH = 0.2, 2.0  # short runs are repeated more often, long ones less
MUCH_LONGER, LEAST_LIMIT = 5.0, 0.05  # than the best, and seconds that everyone has
CLOSE = 1.5  # times the best: what is slower is not measured more closely
DENSE_MOST = 1000  # contacts: a factor of a larger dense matrix takes longer than the limit
BATCH_SECONDS = 5e-3  # shorter runs are taken together: the clock is not that fine
CASES = [
    ("ADMM", "motion"),
    ("NSN_AC", "motion"),
    ("NSGS", "block"),
    ("NSGS", "full"),
    ("ADMM", "block"),
    ("ADMM", "dense"),
    ("NSN_AC", "block"),
    ("NSN_AC", "dense"),
]
ROLLING_CASES = [("NSGS", "sparse"), ("NSGS", "full"), ("ADMM", "block")]


def read_parts(path, rolling):
    """M, H, f, w, mu as `contact solve` writes them; with rolling friction the dimension before, and mu_r behind."""
    with open(path) as file:
        numbers = np.array(file.read().split(), dtype=float)
    at = 0

    def take(count):
        nonlocal at
        at += count
        return numbers[at - count : at].copy()

    def matrix():
        rows, columns, entries = take(3).astype(int)
        row, column, value = take(3 * entries).reshape(entries, 3).T
        made = scipy.sparse.csc_matrix((value, (row.astype(int), column.astype(int))), shape=(rows, columns))
        made.indices, made.indptr = made.indices.astype(np.int64), made.indptr.astype(np.int64)
        return made

    dimension = int(take(1)[0]) if rolling else 3
    M, H = matrix(), matrix()
    f, w = take(M.shape[0]), take(H.shape[1])
    contacts = H.shape[1] // dimension
    mu = take(contacts)
    return dimension, M, H, f, w, mu, take(contacts) if rolling else None


def read_motion(path):
    """As a problem of Siconos and what it points to."""
    _, M, H, f, w, mu, _ = read_parts(path, False)
    problem = sn.globalFrictionContactProblem_new()
    problem.dimension, problem.numberOfContacts = 3, len(mu)
    problem.M, problem.H, problem.q, problem.b, problem.mu = M, H, f, w, mu
    return problem, (M, H, f, w, mu)


def write_rolling(path, d, W, q, mu, mu_r):
    """In Siconos' own text format, d x d blocks: mu_r cannot be given from Python."""
    n = len(mu)
    blocks = [
        (i, j) for i in range(n) for j in range(n) if np.any(W[d * i : d * i + d, d * j : d * j + d])
    ]
    starts = np.searchsorted([i for i, _ in blocks], range(n + 1))
    ends = [d * (i + 1) for i in range(n)]
    whole = [d, n, 1, d * n, d * n, len(blocks), n, n, *ends, *ends, n + 1, len(blocks), *starts]
    with open(path, "w") as file:
        file.write("\n".join(map(str, whole + [j for _, j in blocks])) + "\n")
        for k, (i, j) in enumerate(blocks):
            file.write(f"{k}\n")
            np.savetxt(file, W[d * i : d * i + d, d * j : d * j + d].T.ravel(), fmt="%.17g")
        for vector in (q, mu, mu_r):
            np.savetxt(file, vector, fmt="%.17g")


def read_rolling(path, variant):
    d, M, H, f, w, mu, mu_r = read_parts(path + ".rolling", True)
    factor = scipy.sparse.linalg.splu(scipy.sparse.csc_matrix(M.toarray()))
    W, q = H.T @ factor.solve(H.toarray()), H.T @ factor.solve(f) + w
    W[np.abs(W) <= 1e-15 * np.abs(W).max()] = 0.0  # what rounding leaves between contacts that share no body
    write_rolling(f"{path}.{variant}.dat", d, W, q, mu, mu_r)
    problem = sn.rollingFrictionContact_new_from_filename(f"{path}.{variant}.dat")
    if variant == "block":
        return problem, None
    sparse = scipy.sparse.csc_matrix(W)
    sparse.indices, sparse.indptr = sparse.indices.astype(np.int64), sparse.indptr.astype(np.int64)
    problem.M = sparse
    return problem, sparse


def is_rolling(path):
    return os.path.exists(path + ".rolling")


def read_problem(path, variant):
    """The problem, with what has to live as long as it."""
    if is_rolling(path):
        return read_rolling(path, variant)
    if variant == "motion":
        return read_motion(path + ".global")
    problem = sn.frictionContact_new_from_filename(path + ".dat")
    if variant != "dense":
        return problem, None
    size = 3 * problem.numberOfContacts
    dense = sn.NM_create(sn.NM_DENSE, size, size)
    sn.NM_to_dense(problem.M, dense)
    made = sn.frictionContactProblem_new_with_data(
        3, problem.numberOfContacts, dense, problem.q, problem.mu
    )
    return made, problem


def family_of(problem, variant):
    if isinstance(problem, sn.RollingFrictionContactProblem):
        return f"SICONOS_ROLLING_FRICTION_{3 if problem.dimension == 5 else 2}D_"
    return "SICONOS_GLOBAL_FRICTION_3D_" if variant == "motion" else "SICONOS_FRICTION_3D_"


def solve(problem, solver, variant, tolerance, velocities):
    family = family_of(problem, variant)
    options = sn.SolverOptions(getattr(sn, family + solver))
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10**8
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    if variant == "full":
        options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = (
            sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        )
    rolls = "ROLLING" in family
    size = (problem.dimension if rolls else 3) * problem.numberOfContacts
    reaction, velocity = np.zeros(size), np.zeros(size)
    if rolls:
        driver = sn.rolling_fc3d_driver if problem.dimension == 5 else sn.rolling_fc2d_driver
        started = time.process_time()
        driver(problem, reaction, velocity, options)
    elif variant == "motion":
        motion = np.zeros(velocities)
        started = time.process_time()
        sn.gfc3d_driver(problem, reaction, velocity, motion, options)
    else:
        started = time.process_time()
        sn.fc3d_driver(problem, reaction, velocity, options)
    seconds = time.process_time() - started
    return reaction, seconds, options.iparam[sn.SICONOS_IPARAM_ITER_DONE]


def error_of(reaction, contact, fclib, path):
    np.savetxt(path, reaction, fmt="%.17g")
    answer = subprocess.run([contact, "error", fclib, path], capture_output=True, text=True, check=True)
    return float(answer.stdout)


def silence():
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Siconos prints
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)


def measure(pipe, data, solver, variant, contact, fclib, close):
    """The best time with the largest tolerance that gives the error wanted; a message before every solution."""
    silence()
    reactions = f"{data}.{solver}.{variant}"
    problem, parts = read_problem(data, variant)
    velocities = parts[0].shape[0] if variant == "motion" else 0
    error = np.inf
    for tolerance in TOLERANCES:
        pipe.send("solving")
        reaction, seconds, iterations = solve(problem, solver, variant, tolerance, velocities)
        error = error_of(reaction, contact, fclib, reactions)
        if error <= WANTED_ERROR:
            break
    else:
        pipe.send(f"unsolved error-{error:.1e}")
        return
    best = seconds if seconds > min(BATCH_SECONDS, close) else np.inf
    spent, batches = seconds, 1
    while (best <= close or np.isinf(best)) and (
        spent < SECONDS_LEAST or (batches < RUNS_LEAST and spent < SECONDS_ENOUGH)
    ):
        batch, runs = 0.0, 0
        while batch < BATCH_SECONDS:
            pipe.send("solving")
            reaction, seconds, iterations = solve(problem, solver, variant, tolerance, velocities)
            batch, runs = batch + seconds, runs + 1
        best, spent, batches = min(best, batch / runs), spent + batch, batches + 1
    error = max(error, error_of(reaction, contact, fclib, reactions))
    pipe.send(f"siconos {best:.3e} {error:.1e} {tolerance:.0e} {iterations}")


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait(process, pipe, most):
    """The last message of a process that is allowed so many seconds per message."""
    message, begin, clock = "", 0.0, time.monotonic()
    while True:
        if pipe.poll(0.02):
            try:
                message = pipe.recv()
            except EOFError:
                return "unsolved crash"
            if message != "solving":
                return message
            begin, clock = processor_seconds(process.pid), time.monotonic()
        elif not process.is_alive():
            if not pipe.poll():
                return "unsolved crash"
        elif processor_seconds(process.pid) - begin > most or time.monotonic() - clock > CLOCK_MOST:
            return "unsolved time-limit" if most >= SECONDS_MOST else "unsolved slower"


def run_alone(target, arguments, most):
    """The last message of target(pipe, *arguments) in a process of its own."""
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=target, args=(theirs, *arguments))
    process.start()
    theirs.close()
    message = wait(process, ours, most)
    if process.is_alive():
        process.join(0.2)
        process.kill()
    process.join()
    return message


def reduce(pipe, data):
    """Siconos' own way from the equations of motion to W, the best of three."""
    silence()
    problem, parts = read_problem(data, "motion")
    best = np.inf
    for _ in range(RUNS_LEAST):
        pipe.send("solving")
        started = time.process_time()
        sn.globalFrictionContact_reformulation_FrictionContact(problem)
        best = min(best, time.process_time() - started)
    pipe.send(f"reduction {best:.3e}")


def run_problem(name, contacts, data, contact, fclib):
    reduction = 0.0
    if os.path.exists(data + ".global"):
        message = run_alone(reduce, (data,), SECONDS_MOST).split()
        reduction = float(message[1]) if message[0] == "reduction" else np.inf
        print("reduction", name, f"{reduction:.3e}", flush=True)
    if not is_rolling(data) and not os.path.exists(data + ".dat"):
        print("left", name, "torsion", flush=True)
        return
    best = np.inf
    for solver, variant in ROLLING_CASES if is_rolling(data) else CASES:
        if is_rolling(data) and solver == "ADMM" and read_parts(data + ".rolling", True)[0] != 5:
            continue
        if (variant == "motion" and not os.path.exists(data + ".global")) or (
            variant == "dense" and contacts > DENSE_MOST
        ):
            continue
        most = min(SECONDS_MOST, max(LEAST_LIMIT, MUCH_LONGER * best))
        arguments = (data, solver, variant, contact, fclib, CLOSE * best)
        word, rest = run_alone(measure, arguments, most).split(maxsplit=1)
        print(word, name, solver, variant, rest, flush=True)
        if word == "siconos":
            best = min(best, float(rest.split()[0]))


def main():
    warnings.simplefilter("ignore")  # of the conversion of indices
    directory, contact, rows = sys.argv[1:4]
    multiprocessing.set_start_method("fork")
    with open(rows) as file:
        problems = [line.split(maxsplit=7) for line in file if line.startswith("problem ")]
    for _, name, contacts, *_, fclib in problems:
        run_problem(name, int(contacts), os.path.join(directory, name), contact, fclib.strip())


main()
