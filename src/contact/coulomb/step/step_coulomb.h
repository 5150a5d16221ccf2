/* A step with round cones as FC(W, q, mu): velocities are counted from the targets, and impulses in units in
 * which W is of size one, so that the tolerance is one of velocities. */
#ifndef CAROM_CONTACT_COULOMB_STEP_STEP_COULOMB_H
#define CAROM_CONTACT_COULOMB_STEP_STEP_COULOMB_H

#include "carom/contact.h"

typedef struct step_coulomb {
    carom_coulomb problem; /* all blocks of W are there */
    int *row_start, *column, *diagonal;
    double *block, *q, *mu, *r;
    double unit; /* r = impulse * unit */
} step_coulomb;

/* Memory for steps with up to so many contacts; NULL when it is short. */
step_coulomb *step_coulomb_create(int contacts);
void step_coulomb_free(step_coulomb *posed);

/* Are all cones round? */
bool step_is_round(const carom_friction_problem *problem);

/* problem and r of the step and its impulses. */
void step_coulomb_pose(step_coulomb *posed, const carom_friction_problem *problem, const double *impulse);
/* The impulses that r stands for. */
void step_coulomb_take_back(const step_coulomb *posed, const carom_friction_problem *problem,
                            double *impulse);

/* carom_solver_step by a solver of FC(W, q, mu). */
void step_coulomb_solve(carom_solver *solver, const carom_friction_problem *problem, double *impulse,
                        unsigned char *regime, carom_solve_report *report, carom_error *error);

#endif
