/* The matrix M + H D H^T of velocities, factored: M the masses or stiffnesses of a global problem without equations, D three
 * by three numbers per contact, zero for the motion alone.
 *
 * Velocities are taken in threes, as they come: nodes of elastic bodies, halves of rigid ones. Blocks are not exchanged in the
 * elimination (carom_block_lu), which suits a symmetric positive definite M; whether it suits this one is measured. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_VELOCITY_SYSTEM_H
#define CAROM_CONTACT_COULOMB_PARTS_VELOCITY_SYSTEM_H

#include "carom/contact.h"

typedef struct coulomb_velocity_system coulomb_velocity_system;

/* Is this the way to take for the problem? It has no equations, and so many velocities that blocks are worth it. */
bool coulomb_velocity_system_suits(const carom_coulomb_global *global);

/* The problem must outlive it. NULL when memory is short, or contacts touch so many velocities that it would be. */
coulomb_velocity_system *coulomb_velocity_system_create(const carom_coulomb_global *global);
void coulomb_velocity_system_free(coulomb_velocity_system *system);

/* Factors of M + H D H^T; D has 9 numbers per contact, row by row, NULL: none. False when a pivot is singular, or memory is
 * short. */
bool coulomb_velocity_system_factor(coulomb_velocity_system *system, const double *D);
/* x := A^-1 x with the last factors, which are those of A up to rounding. */
void coulomb_velocity_system_solve(coulomb_velocity_system *system, double *x);

/* After factors without D: v = M^-1 (H r + f), refined; r has dimension numbers per contact, NULL: 0. Returns the backward error
 * max_i |M v - H r - f|_i / (|M| |v| + |H r + f|)_i. */
double coulomb_velocity_system_move(coulomb_velocity_system *system, const double *r, double *v);
/* A motion with a larger one is not known well enough. */
static const double coulomb_motion_rounding = 1e-12;

/* u = H^T v + w, three per contact; the third is 0 in the plane. */
void coulomb_velocity_system_contacts(const carom_coulomb_global *global, const double *v, double *u);
/* residual = H r + f - M v; r as above. */
void coulomb_velocity_system_residual(const carom_coulomb_global *global, const double *r, const double *v,
                                      double *residual);

/* Numbers in the factors. */
size_t coulomb_velocity_system_size(const coulomb_velocity_system *system);

#endif
