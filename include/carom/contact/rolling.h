/* contact/rolling: contacts with friction and rolling friction (Acary and Bourrier 2021), perhaps with torsional friction. Numbers
 * per contact, in the order of files (FCLIB, Siconos):
 *
 *   3   plane   r_N, r_T, m_R
 *   5   space   r_N, r_T1, r_T2, m_R1, m_R2
 *   6   space   r_N, r_T1, r_T2, m_R1, m_R2, m_N     torsion: of this library alone
 *
 * u has velocities, then spins w_R (and w_N), in the same places. With
 *
 *   K = { |r_T| <= mu r_N,  |m_R| <= mu_r r_N,  |m_N| <= mu_t r_N },   g = mu |u_T| + mu_r |w_R| + mu_t |w_N|:
 *
 *   K* contains u + (g, 0, ...),  perpendicular to  r in K,
 *
 * which says u_N >= 0, r_N >= 0, u_N r_N = 0, and for friction, rolling and torsion each: nothing moves, or the reaction is as large
 * as it may be, against the motion. mu_r and mu_t are lengths. */
#ifndef CAROM_CONTACT_ROLLING_H
#define CAROM_CONTACT_ROLLING_H

#include "carom/contact.h"

/* The problem by its parts: friction, rolling and torsion of each contact as contacts of FC(W, q, mu), all frictions first, then all
 * rollings, then all torsions. The normal of a part is that of its contact,
 *
 *   u'_N = W_NN (r'_N - r_N),   0 <= u'_N,  0 <= r'_N,  u'_N r'_N = 0   <=>   r'_N = max(0, r_N),
 *
 * and acts on nothing: W is not symmetric. A length of each contact, (W_NN / W_R)^(1/2) with the mean W_R of its moments, makes
 * velocities of spins and impulses of moments, and `scale`, the mean of W_NN, velocities of impulses: all numbers of the parts
 * are velocities, the same in any units. */
typedef struct carom_rolling {
    int dimension, contacts;
    const double *mu, *mu_r, *mu_t; /* of the problem; mu_t: NULL unless there are 6 numbers */
    const double *length;
    double scale;
    carom_coulomb parts; /* three numbers each; without W where there is none (carom_rolling_take_global) */
} carom_rolling;

/* Parts of one contact: 2, or 3 with torsion. 0: no problem has so many numbers per contact. */
int carom_rolling_parts(int dimension);

/* Of a problem with mu_r. All memory comes from the arena, mu, mu_r and mu_t are those of the problem. BAD_INPUT: it has none, or
 * they are not as they must be. FAILED as carom_coulomb_reduce and carom_coulomb_embed. */
carom_status carom_rolling_reduce(const carom_coulomb_global *global, carom_arena *arena,
                                  carom_rolling *problem, carom_error *error);
carom_status carom_rolling_embed(const carom_coulomb_local *local, carom_arena *arena, carom_rolling *problem,
                                 carom_error *error);

/* Between the numbers of the problem (dimension per contact) and those of its parts (three per part). */
void carom_rolling_pack_reactions(const carom_rolling *problem, const double *r, double *three);
void carom_rolling_unpack_reactions(const carom_rolling *problem, const double *three, double *r);
void carom_rolling_pack_velocities(const carom_rolling *problem, const double *u, double *three);
void carom_rolling_unpack_velocities(const carom_rolling *problem, const double *three, double *u);

/* |r - P_K(r - u - (g, 0, ...))| / |q| over all contacts, at least min(r_N, u_N) of each, in the numbers of the parts, r and u
 * three per part; normals of moments are not read. 0 when q is 0 and r is; infinite when a number is not finite. Independent of any
 * solver. */
double carom_rolling_error(const carom_rolling *problem, const double *r, const double *u);

/* Of r (three per part; normals of moments become those of their contacts): u is a result, and so are one regime per part with the
 * summary, and the law part by part; both may be NULL. Norms are those of the parts, but |r|, energy and dissipation in
 * units of the problem; open, sliding and sticking count frictions. Needs W. */
void carom_rolling_examine(const carom_rolling *problem, double *r, double *u, unsigned char *regime,
                           carom_coulomb_summary *summary, carom_coulomb_residual *residual);

/* By a solver of COULOMB (NULL: auto) for the parts, again with a smaller tolerance until carom_rolling_error is small enough, which
 * is the error of the report. r: three per part, start and result. As carom_coulomb_solve otherwise. */
carom_status carom_rolling_solve(const carom_solver_ops *ops, const carom_rolling *problem,
                                 const carom_solver_options *options, double *r, carom_solve_report *report,
                                 carom_error *error);

/* ---- rigid bodies, without W --------------------------------------------------------------------------- */

/* True for rigid bodies that touch in pairs, whose axes of moments are the tangents and the normal of their contacts, as
 * `carom run --fclib` writes them: carom_pairs_solve is the way to solve them. Takes memory while it works. */
bool carom_rolling_prefers_global(const carom_coulomb_global *global);
/* The same numbers as carom_rolling_reduce, without W; for those. */
carom_status carom_rolling_take_global(const carom_coulomb_global *global, carom_arena *arena,
                                       carom_rolling *problem, carom_error *error);
/* r (dimension per contact): start and result, v: the motion that belongs to it. FAILED: these are no rigid bodies in pairs, and
 * carom_rolling_solve is for them. */
carom_status carom_rolling_solve_global(const carom_coulomb_global *global,
                                        const carom_solver_options *options, double *v, double *r,
                                        carom_solve_report *report, carom_error *error);
/* As carom_rolling_examine, of carom_rolling_take_global; r and u: dimension per contact. */
carom_status carom_rolling_examine_global(const carom_coulomb_global *global, const carom_rolling *problem,
                                          const double *r, double *u, unsigned char *regime,
                                          carom_coulomb_summary *summary, carom_coulomb_residual *residual,
                                          carom_error *error);

#endif
