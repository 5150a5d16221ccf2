/* The solver of a scheme's contact problems, as its options choose it. */
#ifndef CAROM_SCHEME_PARTS_CONTACT_SOLVER_H
#define CAROM_SCHEME_PARTS_CONTACT_SOLVER_H

#include "carom/scheme.h"
#include "contact_rows.h"

/* Places of a scheme's option table. */
enum {
    SOLVER_OPTION_NAME,
    SOLVER_OPTION_TOLERANCE,
    SOLVER_OPTION_ITERATIONS,
    SOLVER_OPTIONS
};

extern const char *const solver_automatic[]; /* "auto" */

/* The entries of an option table, from place `first`: what is a word beside the names of solvers, the
 * first one being the default, and the registries of the kinds of problems. */
/* clang-format off */
#define CONTACT_SOLVER_OPTIONS(first, words, registry_of_kind, second_registry, text)                        \
    [(first) + SOLVER_OPTION_NAME] = {"solver", 0.0, 0.0, 1e9, words, text, registry_of_kind, second_registry}, \
    [(first) + SOLVER_OPTION_TOLERANCE] = {"tolerance", 0.0, 0.0, 1.0, NULL,                                 \
                                           "of contact problems, their own error; 0: the solver's default"}, \
    [(first) + SOLVER_OPTION_ITERATIONS] = {"max_iterations", 0.0, 0.0, 1e9, NULL,                           \
                                            "of the solver in one problem; 0: the solver's default"}
/* clang-format on */

/* Tolerance and iterations that the options give, 0 where they give none. */
carom_solver_options contact_solver_limits(const carom_stepper *stepper);

/* Those of the options for solvers that this one has, under its own names for them; ends with {0}. NULL: memory is short. */
carom_option *contact_solver_options(const carom_stepper *stepper, const carom_solver_ops *solver);

/* The solver for problems of a kind with up to the model's number of contacts (QP: `qp`): the one that the
 * options name, else `automatic`; NULL when that is NULL. The frames of rows (NULL: no friction) tell the
 * friction cones of the start. BAD_INPUT: it cannot take these problems; the text names those that can. */
carom_status contact_solver_create(const carom_stepper *stepper, carom_problem_kind kind,
                                   const carom_solver_ops *automatic, const carom_qp *qp,
                                   const contact_rows *rows, carom_solver **solver, carom_error *error);

/* What a solver (NULL: none) leaves from one step to the next. */
void contact_solver_keep(carom_solver *solver, carom_snapshot *snapshot);

#endif
