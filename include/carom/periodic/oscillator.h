/* periodic: linear oscillators against rigid obstacles, in their modes.
 *
 *   M y'' + K y = sum_c w_c lambda_c,   gap_c = w_c . y + g_c >= 0,   every impact elastic
 *   K phi_j = omega_j^2 M phi_j,   V = (phi_1, phi_2, ..),   V^T M V = I */
#ifndef CAROM_PERIODIC_OSCILLATOR_H
#define CAROM_PERIODIC_OSCILLATOR_H

#include "carom/base.h"

/* What carom_linear_oscillator_create reads; copied. */
typedef struct carom_linear_system {
    int size;
    const double *mass;      /* size x size, positive definite; NULL: identity */
    const double *stiffness; /* size x size, positive definite */
    int contacts;
    const double *normal; /* contacts x size: w_c */
    const double *gap;    /* contacts: g_c > 0 */
} carom_linear_system;

typedef struct carom_linear_oscillator {
    carom_arena *arena; /* owns every array below */
    int size;
    double *mass; /* NULL: identity */
    double *stiffness;
    double *frequency; /* omega_j; ascending, but a ring's are those of wavenumbers 0, 1, 1, 2, 2, ... */
    double *mode;      /* size x size, column j is mode j: V^T M V = I */
    double *inverse;   /* V^T M */
    int contacts;
    double *normal;       /* contacts x size */
    double *gap;          /* contacts */
    double *contact_mode; /* contacts x size: b_c = V^T w_c */
    double *push;         /* contacts x size: M^-1 w_c, the velocity of a unit impulse */
    double *inverse_mass; /* contacts: w_c . M^-1 w_c = b_c . b_c */
    bool plain;           /* M = I and contact n is coordinate n: w_n = e_n, for all of them */
    bool ring;
    double coupling; /* of a ring */
    double *cosine;  /* of a ring: cos(2 pi k / size) */
} carom_linear_oscillator;

/* BAD_INPUT: M or K not positive definite, a zero normal, a gap that is not positive, not a number. The
 * caller frees the oscillator; it is NULL when it fails. */
carom_status carom_linear_oscillator_create(const carom_linear_system *system,
                                            carom_linear_oscillator **oscillator, carom_error *error);

/* Other matrices and contacts of the same sizes, without new memory. */
carom_status carom_linear_oscillator_set(carom_linear_oscillator *oscillator,
                                         const carom_linear_system *system, carom_error *error);

/* Ring of identical oscillators (masses, springs and distances of the obstacle are 1):
 *
 *   y_n'' + y_n - coupling (y_{n+1} - 2 y_n + y_{n-1}) = lambda_n,   y_n >= -1,   n modulo `particles`
 *
 * For two particles both neighbours are the same one; one particle has no coupling. The coupling may be
 * negative as far as K stays positive definite. */
carom_status carom_ring_create(int particles, double coupling, carom_linear_oscillator **oscillator,
                               carom_error *error);
/* Another coupling for a ring, without new memory. */
carom_status carom_ring_couple(carom_linear_oscillator *ring, double coupling, carom_error *error);
void carom_linear_oscillator_free(carom_linear_oscillator *oscillator);

/* Exact free motion: (y, v) after time t. `work` has 2 x size entries; y and v may be y0 and v0. */
void carom_linear_flow(const carom_linear_oscillator *oscillator, double t, const double *y0,
                       const double *v0, double *y, double *v, double *work);
/* Blocks of the flow, size x size each: y(t) = C y0 + S v0, v(t) = D y0 + C v0. */
void carom_linear_flow_blocks(const carom_linear_oscillator *oscillator, double t, double *C, double *S,
                              double *D);
/* [[C, S], [D, C]], 2 size x 2 size. Fails only when memory is short. */
carom_status carom_linear_flow_matrix(const carom_linear_oscillator *oscillator, double t, double *matrix,
                                      carom_error *error);
/* v . M v / 2 + y . K y / 2 */
double carom_linear_energy(const carom_linear_oscillator *oscillator, const double *y, const double *v);
/* w_c . (-M^-1 K y): acceleration of a gap in free motion. */
double carom_linear_gap_acceleration(const carom_linear_oscillator *oscillator, int contact, const double *y);

/* ---- against one constraint ------------------------------------------------------------------------ */

/* The same with one contact,
 *
 *   M u'' + K u = w lambda,   0 <= lambda  _|_  g = w . u + g0 >= 0,   elastic impacts. */
typedef struct carom_mode_system {
    int dof;
    const double *mass, *stiffness; /* n x n, symmetric positive definite */
    const double *direction;        /* w */
    double clearance;               /* g0 > 0 */
} carom_mode_system;

/* A chain that is fixed at one end, n masses m and springs k, and whose last mass is held back, u_n <= g0:
 * fills n x n, n x n and n numbers. m = 1 / n and k = n is the unit bar. */
void carom_mode_chain(int dof, double mass, double stiffness, double *mass_matrix, double *stiffness_matrix,
                      double *direction);

/* An oscillator with one contact: modes.h and harmonic_balance.h. */
typedef carom_linear_oscillator carom_mode_basis;

/* BAD_INPUT: M or K not symmetric positive definite, w = 0, g0 <= 0. *basis is NULL when it fails. */
carom_status carom_mode_basis_create(const carom_mode_system *system, carom_mode_basis **basis,
                                     carom_error *error);
void carom_mode_basis_free(carom_mode_basis *basis);

#endif
