/* One linear program of limit analysis: max alpha - price.Q over stresses in equilibrium, within bounds. */
#ifndef CAROM_SUBJECT_FRAME_LIMIT_PROGRAM_H
#define CAROM_SUBJECT_FRAME_LIMIT_PROGRAM_H

#include "carom/subject/frame.h"

typedef struct limit_program limit_program;

/* Is this stress T or N of a support? */
bool limit_is_reaction(const carom_limit_problem *problem, int stress);

/* Powers of two by which stresses and loads are divided before CLP, whose tolerances are absolute: the largest capacity (the
 * largest load, if no capacity is finite) and the largest entry of the load. Alpha has the unit stress / load. */
typedef struct limit_units {
    double stress, load;
} limit_units;

limit_units limit_units_of(const carom_limit_problem *problem);

/* Moments bounded, reactions of supports free. `joint` adds |T| <= mu N and N >= 0 as rows. */
carom_status limit_program_create(const carom_limit_problem *problem, bool joint, limit_program **program,
                                  carom_error *error);
void limit_program_free(limit_program *program);

/* |T| <= radius and N >= 0 for one support. */
void limit_program_bound_friction(limit_program *program, int contact, double radius);
/* Adds -price times a stress to what is maximised. */
void limit_program_price(limit_program *program, int stress, double price);

typedef struct limit_solution {
    double alpha;
    double *stress;    /* Q */
    double *mechanism; /* w; w.f = 1 */
    bool degenerate;   /* a stress that is free to change stands at a bound */
} limit_solution;

/* From the last basis. The arrays of the solution are the caller's. */
carom_status limit_program_solve(limit_program *program, limit_solution *solution, carom_error *error);

#endif
