/* The frictionless contact problem of a step: normal impulses z >= 0 and normal velocities w = W z + b >= 0
 * with z.w = 0, and the choice of its solver. */
#ifndef CAROM_SCHEME_PARTS_NORMAL_LCP_H
#define CAROM_SCHEME_PARTS_NORMAL_LCP_H

#include "carom/contact.h"

typedef struct normal_lcp {
    int size;
    double *matrix, *vector; /* filled by the caller; solve scales the vector */
    double *z;               /* start and solution */
    double *work;
} normal_lcp;

/* Memory for problems up to the capacity; false when memory is short. */
bool normal_lcp_take(normal_lcp *lcp, carom_arena *arena, int capacity);
/* The same where a solver is chosen that the automatic choice does not know. */
bool normal_lcp_take_for(const carom_solver_ops *solver, normal_lcp *lcp, carom_arena *arena, int capacity);

/* solver NULL: closed form for one or two contacts, otherwise the active set, and Gauss-Seidel when that
 * fails. The error of the report is relative to the size of the impulses. */
carom_solve_report normal_lcp_solve(normal_lcp *lcp, const carom_solver_ops *solver);

#endif
