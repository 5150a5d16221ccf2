/* What all solvers of FC(W, q, mu) share: limits, the best iterate, the end. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_WATCH_H
#define CAROM_CONTACT_COULOMB_PARTS_WATCH_H

#include "carom/contact/bipotential.h"

/* A solver under way. Memory for `best` is the caller's, 3 per contact. */
typedef struct coulomb_watch {
    const carom_coulomb *problem;
    const carom_elliptic_problem *elliptic; /* the problem whose error counts; NULL: the round one */
    const carom_solver_options *limits;
    carom_solve_report *report;
    int max_iterations;
    double started;
    double *best;
    double best_error;
} coulomb_watch;

/* Clears the report. True when r (the start) is a solution already, or q is negligible, for which r becomes
 * 0. */
bool coulomb_watch_begin(coulomb_watch *watch, const carom_coulomb *problem,
                         const carom_solver_options *limits, int default_iterations, double *best, double *r,
                         carom_solve_report *report);

/* The same, with the error of a problem that has the same W and q and other cones. */
bool coulomb_watch_begin_elliptic(coulomb_watch *watch, const carom_coulomb *problem,
                                  const carom_elliptic_problem *elliptic, const carom_solver_options *limits,
                                  int default_iterations, double *best, double *r,
                                  carom_solve_report *report);

/* After an iteration, whose number is report->iterations: computes the error of r, keeps the best. True when
 * the solver must end, the reason in report->word. */
bool coulomb_watch_look(coulomb_watch *watch, const double *r);

/* True when time or iterations are over; costs little, so that loops may ask between two looks. */
bool coulomb_watch_is_over(coulomb_watch *watch);

/* The end: r becomes the best iterate seen, the report gets its error and the time. `word` is the reason when
 * the solver ended by itself; a solution is CAROM_SOLVE_OK whatever it says. */
void coulomb_watch_end(coulomb_watch *watch, carom_solve_word word, double *r);

#endif
