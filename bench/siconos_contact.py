"""Frictional contact problems by three solvers of Siconos, written by `contact solve` of this directory.

    /usr/bin/python3 siconos_contact.py DIRECTORY CONTACT ROWS

DIRECTORY holds the problems, CONTACT is the program build/bench/contact, ROWS the file with its rows.

NSGS, NSN_AC and ADMM with their default parameters, from r = 0; only the tolerance and the largest number of
iterations are set. Their stopping tests are not that of carom (Siconos divides by the larger of |q| and |r|, and
NSGS tests its steps before it computes the error), so the tolerance is lowered, 1e-6, 1e-7, ..., until `contact
error` of the reactions is at most 1e-8. Beside the defaults each solver has a variant that is better for some
problems: NSGS with the error computed in every iteration (full), because its own test may never be met; NSN_AC and
ADMM with a dense matrix instead of 3x3 blocks (dense).

Every solver runs in a process of its own, which is ended when one solution takes more than 10 s of the processor.

Rows:  siconos NAME SOLVER VARIANT SECONDS ERROR TOLERANCE ITERATIONS
       unsolved NAME SOLVER VARIANT WHY
"""

import multiprocessing
import os
import subprocess
import sys
import time

import numpy as np
import siconos.numerics as sn

WANTED_ERROR = 1e-8
TOLERANCES = [10.0**-k for k in range(6, 15)]
SECONDS_MOST = 10.0
CLOCK_MOST = 20.0 * SECONDS_MOST  # for a solver that waits instead of working
RUNS_LEAST = 3
SECONDS_LEAST, SECONDS_ENOUGH = 0.5, 5.0  # short runs are repeated more often, long ones less
BATCH_SECONDS = 5e-3  # shorter runs are taken together: the clock is not that fine
CASES = [
    ("NSGS", "block"),
    ("NSGS", "full"),
    ("NSN_AC", "block"),
    ("NSN_AC", "dense"),
    ("ADMM", "block"),
    ("ADMM", "dense"),
]


def read_problem(path, variant):
    problem = sn.frictionContact_new_from_filename(path)
    if variant != "dense":
        return problem
    size = 3 * problem.numberOfContacts
    dense = sn.NM_create(sn.NM_DENSE, size, size)
    sn.NM_to_dense(problem.M, dense)
    return sn.frictionContactProblem_new_with_data(
        3, problem.numberOfContacts, dense, problem.q, problem.mu
    )


def solve(problem, solver, variant, tolerance):
    options = sn.SolverOptions(getattr(sn, "SICONOS_FRICTION_3D_" + solver))
    options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = 10**8
    options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
    if variant == "full":
        options.iparam[sn.SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = (
            sn.SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL
        )
    size = 3 * problem.numberOfContacts
    reaction, velocity = np.zeros(size), np.zeros(size)
    started = time.process_time()
    sn.fc3d_driver(problem, reaction, velocity, options)
    seconds = time.process_time() - started
    return reaction, seconds, options.iparam[sn.SICONOS_IPARAM_ITER_DONE]


def error_of(reaction, contact, fclib, path):
    np.savetxt(path, reaction, fmt="%.17g")
    answer = subprocess.run([contact, "error", fclib, path], capture_output=True, text=True, check=True)
    return float(answer.stdout)


def measure(pipe, data, solver, variant, contact, fclib):
    """The best time with the largest tolerance that gives the error wanted; a message before every solution."""
    nowhere = os.open(os.devnull, os.O_WRONLY)  # Siconos prints
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    reactions = f"{data}.{solver}.{variant}"
    problem = read_problem(data, variant)
    error = np.inf
    for tolerance in TOLERANCES:
        pipe.send("solving")
        reaction, seconds, iterations = solve(problem, solver, variant, tolerance)
        error = error_of(reaction, contact, fclib, reactions)
        if error <= WANTED_ERROR:
            break
    else:
        pipe.send(f"unsolved error-{error:.1e}")
        return
    best = seconds if seconds > BATCH_SECONDS else np.inf
    spent, batches = seconds, 1
    while spent < SECONDS_LEAST or (batches < RUNS_LEAST and spent < SECONDS_ENOUGH):
        batch, runs = 0.0, 0
        while batch < BATCH_SECONDS:
            pipe.send("solving")
            reaction, seconds, iterations = solve(problem, solver, variant, tolerance)
            batch, runs = batch + seconds, runs + 1
        best, spent, batches = min(best, batch / runs), spent + batch, batches + 1
    error = max(error, error_of(reaction, contact, fclib, reactions))
    pipe.send(f"siconos {best:.3e} {error:.1e} {tolerance:.0e} {iterations}")


def processor_seconds(pid):
    with open(f"/proc/{pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def wait(process, pipe):
    """The last message of a process that is allowed SECONDS_MOST per message."""
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
        elif (
            processor_seconds(process.pid) - begin > SECONDS_MOST or time.monotonic() - clock > CLOCK_MOST
        ):
            return "unsolved time-limit"


def run_case(arguments):
    ours, theirs = multiprocessing.Pipe(duplex=False)
    process = multiprocessing.Process(target=measure, args=(theirs, *arguments))
    process.start()
    theirs.close()
    message = wait(process, ours)
    if process.is_alive():
        process.join(0.2)
        process.kill()
    process.join()
    return message


def main():
    directory, contact, rows = sys.argv[1:4]
    multiprocessing.set_start_method("fork")
    with open(rows) as file:
        problems = [line.split(maxsplit=6) for line in file if line.startswith("problem ")]
    for _, name, *_, fclib in problems:
        for solver, variant in CASES:
            data = os.path.join(directory, name + ".dat")
            word, rest = run_case((data, solver, variant, contact, fclib.strip())).split(maxsplit=1)
            print(word, name, solver, variant, rest, flush=True)


main()
