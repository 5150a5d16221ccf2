/* The equations of motion of a friction problem together with the law of its contacts, linearised:
 *
 *   ( M   -G   0  -H ) v     f               motion
 *   ( G^T  0   0   0 ) l     -b              equations
 *   (-H^T  0   I   0 ) u  =  w               velocities at contacts
 *   ( 0    0   A   B ) r     A u + B r - G   law, in an iteration of Newton's method
 *
 * Three numbers per contact; in the plane the second tangent says u = r instead, which is W = 1, q = 0. */
#ifndef CAROM_CONTACT_COULOMB_GLOBAL_GLOBAL_SYSTEM_H
#define CAROM_CONTACT_COULOMB_GLOBAL_GLOBAL_SYSTEM_H

#include "carom/contact.h"

typedef struct coulomb_global_system coulomb_global_system;

/* FAILED: "M is singular", "redundant bilateral constraints". */
carom_status coulomb_global_system_create(const carom_coulomb_global *global, coulomb_global_system **system,
                                          carom_error *error);
void coulomb_global_system_free(coulomb_global_system *system);

/* Numbers in x = (v, l, u, r), and where u and r begin. */
size_t coulomb_global_system_size(const coulomb_global_system *system);
ptrdiff_t coulomb_global_system_u(const coulomb_global_system *system);
ptrdiff_t coulomb_global_system_r(const coulomb_global_system *system);

/* The motion for given reactions: x has r, and gets v, l, u. */
void coulomb_global_system_move(coulomb_global_system *system, double *x);

/* carom_coulomb_error, (131), from u and r of x; q_size = |q|, the u that belongs to r = 0. */
double coulomb_global_system_error(const coulomb_global_system *system, const double *x, double q_size);

/* The same from u and r, three per contact. */
double coulomb_global_error(const carom_coulomb_global *global, const double *u, const double *r,
                            double q_size);

/* The law part by part, from the free velocities q and from u, r (three per contact), v, l of one motion. False when memory is
 * short. */
bool coulomb_global_residual(const carom_coulomb_global *global, const double *q, const double *u,
                             const double *three, const double *v, const double *l,
                             carom_coulomb_residual *residual);

/* d = the change of x that makes the law with A, B (9 per contact) and G (3) hold to first order while the
 * motion goes on to hold. G is an impulse, so B has no unit. A singular matrix gets B + 1e-8 I, and *regularised grows by
 * one. False when there is no finite d even then. */
bool coulomb_global_system_step(coulomb_global_system *system, const double *A, const double *B,
                                const double *G, double *d, long *regularised);

#endif
