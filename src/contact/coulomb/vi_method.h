/* Projection methods for the inequalities of vi_problem.h, one step at a time. With p(rho) =
 * P_X(r - rho F(r)), a step is
 *
 *   PROJECTION     r <- p(rho), rho fixed                                     De Saxce and Feng, Algorithm 1
 *   FIXED_POINT    r <- p(rho)                                                Algorithm 2
 *   EXTRAGRADIENT  r <- P_X(r - rho F(p(rho)))                                (99)
 *   GRADIENT       r <- p(rho), for F = W r + b with W symmetric              Algorithm 9
 *   HYPERPLANE     r <- P_X(r - (F(y).(r - y) / |F(y)|^2) F(y)), y between r and p(rho) such that
 *                  F(y).(r - p) >= (sigma / rho) |r - p|^2
 *
 * of Acary, Bremond and Huber 2018. FIXED_POINT and EXTRAGRADIENT shrink rho until the ratio of a test is at
 * most L and let it grow when the ratio is below Lmin (Algorithm 3):
 *
 *   KHOBOTOV        rho |F(r) - F(p)| / |r - p|                               (101)
 *   SOLODOV_TSENG   rho (r - p).(F(r) - F(p)) / |r - p|^2                     (102)
 *
 * GRADIENT shrinks rho until, with d = p - r, (1 - sigma) F(r).d + 1/2 d.W d <= 0: sufficient
 * decrease of 1/2 r.W r + b.r in a form that does not lose its digits near the solution. */
#ifndef CAROM_CONTACT_COULOMB_VI_METHOD_H
#define CAROM_CONTACT_COULOMB_VI_METHOD_H

#include "contact/coulomb/parts/watch.h"
#include "vi_problem.h"

typedef enum coulomb_vi_method {
    COULOMB_VI_PROJECTION,
    COULOMB_VI_FIXED_POINT,
    COULOMB_VI_EXTRAGRADIENT,
    COULOMB_VI_GRADIENT,
    COULOMB_VI_HYPERPLANE,
} coulomb_vi_method;

typedef enum coulomb_vi_test {
    COULOMB_VI_KHOBOTOV,
    COULOMB_VI_SOLODOV_TSENG,
} coulomb_vi_test;

typedef struct coulomb_vi_rule {
    coulomb_vi_method method;
    coulomb_vi_test test;
    double largest_ratio;  /* L */
    double smallest_ratio; /* Lmin */
    double factor;         /* nu: rho shrinks by it and grows by its inverse */
    double sigma;          /* of GRADIENT and HYPERPLANE */
} coulomb_vi_rule;

/* The constants of the source: L = 0.9, Lmin = 0.3, nu = 2/3; sigma is 0.1 for GRADIENT, 0.3 for
 * HYPERPLANE. */
coulomb_vi_rule coulomb_vi_rule_of(coulomb_vi_method method, coulomb_vi_test test);

/* An iterate with F = F(r) beside it, and memory for a step. */
typedef struct coulomb_vi_state {
    double *r, *F, *next, *next_F, *direction; /* 3 per contact each */
    double rho;
    long products; /* evaluations of F so far */
} coulomb_vi_state;

/* Memory for the parts of a state other than r is the caller's: COULOMB_VI_WORK numbers for each of r. */
enum {
    COULOMB_VI_WORK = 4
};
coulomb_vi_state coulomb_vi_state_of(int contacts, double rho, double *r, double *work);

/* F := F(r), to be called when r or the problem were changed. */
void coulomb_vi_refresh(const coulomb_vi *vi, coulomb_vi_state *state);

/* One step; F is that of the new r. False when r did not move. */
bool coulomb_vi_step(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state);

/* Steps until the residual is at most `tolerance`, which is absolute, the number of steps is `limit`, r does
 * not move, or time is over (watch NULL: no limit). Returns the number of steps. */
int coulomb_vi_run(const coulomb_vi *vi, const coulomb_vi_rule *rule, double tolerance, int limit,
                   coulomb_watch *watch, coulomb_vi_state *state);

#endif
