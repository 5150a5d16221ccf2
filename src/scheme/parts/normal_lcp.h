/* The frictionless contact problem of a step: normal impulses z >= 0 and normal velocities w = W z + b >= 0
 * with z.w = 0, and the choice of its solver. */
#ifndef CAROM_SCHEME_PARTS_NORMAL_LCP_H
#define CAROM_SCHEME_PARTS_NORMAL_LCP_H

#include "carom/scheme.h"

typedef struct normal_lcp {
    int size;
    double *matrix, *vector; /* filled by the caller; solve scales the vector */
    double *z;               /* start and solution */
    double *work;
    double *grown;        /* of normal_lcp_make_room */
    carom_solver *solver; /* NULL: automatic, with these limits, 0 for the defaults */
    carom_solver_options limits;
    carom_solve_report report; /* of the last problem */
} normal_lcp;

/* Memory for problems up to the capacity; false when memory is short. */
bool normal_lcp_take(normal_lcp *lcp, carom_arena *arena, int capacity);
/* The same for a scheme, with the solver and the limits that its options choose. Where sparse_normals serve, there is
 * room for vector and z only. BAD_INPUT: see contact_solver_create. */
carom_status normal_lcp_setup(normal_lcp *lcp, const carom_stepper *stepper, carom_error *error);
/* With room for the matrix wherever: for full steps of sparse models, which a solver of friction by name asks for. */
carom_status normal_lcp_setup_full(normal_lcp *lcp, const carom_stepper *stepper, carom_error *error);
/* Where sparse_normals serve: matrices up to this size from now on, what stood there is lost. Takes memory; false when
 * it is short. */
bool normal_lcp_make_room(normal_lcp *lcp, int size);
/* May be called for zeros. */
void normal_lcp_free(normal_lcp *lcp);

/* Automatic: closed form for one or two contacts, otherwise the active set, and Gauss-Seidel when that
 * fails. The error of the report is relative to the size of the impulses. */
carom_solve_report normal_lcp_solve(normal_lcp *lcp);

/* Why the last problem was not solved: "lemke: max-iterations, error 0.1 after 1 iterations". Returns
 * text. */
const char *normal_lcp_reason(const normal_lcp *lcp, char *text, size_t size);

/* What one problem leaves for the next: the start of the multipliers. */
void normal_lcp_keep(normal_lcp *lcp, int capacity, carom_snapshot *snapshot);

#endif
