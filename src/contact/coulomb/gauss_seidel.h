/* Block Gauss-Seidel and successive over-relaxation for FC(W, q, mu): Algorithm 7 of Acary, Bremond and Huber
 * (2018). */
#ifndef CAROM_CONTACT_COULOMB_GAUSS_SEIDEL_H
#define CAROM_CONTACT_COULOMB_GAUSS_SEIDEL_H

#include "local_contact.h"

typedef enum coulomb_order {
    COULOMB_ORDER_NATURAL,
    COULOMB_ORDER_SHUFFLED,       /* one permutation */
    COULOMB_ORDER_FULLY_SHUFFLED, /* a new one for every sweep */
    COULOMB_ORDERS
} coulomb_order;

struct coulomb_nsgs_options {
    coulomb_local_method local;
    coulomb_order order;
    uint64_t seed;          /* of the permutations */
    double omega;           /* implicit relaxation (119); 1: Gauss-Seidel */
    double local_tolerance; /* of coulomb_local_error */
    bool adaptive;          /* a looser local tolerance while sweeps still change much */
    bool rho_is_one;        /* projection: the source's rho = 1 instead of 1 / largest eigenvalue */
    int memory;             /* sweeps that Anderson's acceleration remembers; 0: none */
    bool any_solution;      /* exact: of several solutions of a contact any will do, which saves time */
    bool every_error;       /* the error after every sweep; otherwise when the change of r lets hope */
    /* Asked after sweeps whose error was computed, with the smallest so far; true ends with STALLED. May be
     * NULL. */
    bool (*give_up)(void *context, int sweeps, double error);
    void *context;
};

enum {
    COULOMB_NSGS_SWEEPS = 100000 /* default */
};

/* Exact, natural order, omega 1, tolerance 1e-14. */
struct coulomb_nsgs_options coulomb_nsgs_defaults(void);

/* Memory for problems of up to so many contacts; NULL when there is none. Solving takes none. */
typedef struct coulomb_gauss_seidel coulomb_gauss_seidel;
coulomb_gauss_seidel *coulomb_gauss_seidel_create(int contacts, const struct coulomb_nsgs_options *options);
/* For the next problems: no longer a memory of the acceleration than it was created with, and who may end
 * them. */
void coulomb_gauss_seidel_choose(coulomb_gauss_seidel *self, int memory,
                                 bool (*give_up)(void *context, int sweeps, double error), void *context);
void coulomb_gauss_seidel_solve(coulomb_gauss_seidel *self, const carom_coulomb *problem,
                                const carom_solver_options *limits, double *r, carom_solve_report *report);
void coulomb_gauss_seidel_free(coulomb_gauss_seidel *self);

/* One problem: create, solve, free. */
void coulomb_nsgs(const carom_coulomb *problem, const struct coulomb_nsgs_options *options,
                  const carom_solver_options *limits, double *r, carom_solve_report *report);

#endif
