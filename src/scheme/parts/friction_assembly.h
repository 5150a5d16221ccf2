/* The problem of several contacts with friction in one step: from rows and responses to plain data, its
 * solution, and what a failure says. */
#ifndef CAROM_SCHEME_PARTS_FRICTION_ASSEMBLY_H
#define CAROM_SCHEME_PARTS_FRICTION_ASSEMBLY_H

#include "carom/scheme.h"
#include "contact_rows.h"

typedef struct friction_assembly {
    const carom_model *model;
    const contact_rows *rows;
    const int *active; /* problem contact k is contact active[k] of the model */
    int count;
    double h;       /* normal impulse of friction forces; filled by callers that have such */
    double *target; /* filled by the caller */
    int *tangents;  /* 0: frictionless */
    carom_planar_set *set;
    double *W, *u_free;
    double *impulse;       /* 3 per contact: start and result */
    unsigned char *regime; /* result */
    bool unsolved;         /* the last problem missed its tolerance, by less than makes it useless */
    carom_solver *solver;
} friction_assembly;

/* Memory for all contacts of the model; false when memory is short. Rows and active list are kept. */
bool friction_assembly_take(friction_assembly *assembly, carom_arena *arena, const carom_model *model,
                            const contact_rows *rows, const int *active);

/* The solver that the scheme's options choose, for the friction cones in the frames of the rows.
 * BAD_INPUT: see contact_solver_create. */
carom_status friction_assembly_choose(friction_assembly *assembly, const carom_stepper *stepper,
                                      carom_error *error);

/* Gives the solver back; may be called for an assembly of zeros. */
void friction_assembly_free(friction_assembly *assembly);

/* Fills all but the targets for the first `count` active contacts, whose rows and responses are known. The
 * sets and the start of the impulses are those of the state that the step began with. */
void friction_assembly_fill(friction_assembly *assembly, int count, const carom_state *state,
                            const double *free_velocity);

/* Solves and counts. A solution that misses the tolerance is taken, and said in `unsolved`, unless it is useless.
 * CAROM_FAILED says which contact of the step that ends at t. */
carom_status friction_assembly_solve(friction_assembly *assembly, double t, carom_step_counts *counts,
                                     carom_error *error);

#endif
