/* Frictional contact problems that are spread over the ranks of MPI, in the global form M v = H r + f, u = H^T v + w without
 * equations (carom_coulomb_global) or in the reduced one, u = W r + q (carom_coulomb). Matrices and linear solvers are those of PETSc, which the caller initialises and ends. */
#ifndef CAROM_MPI_CONTACT_H
#define CAROM_MPI_CONTACT_H

#include <mpi.h>

#include "carom/contact.h"

/* What one rank has: rows of M one after the other, and contacts. Velocities are numbered over all ranks, those of rank 0 first;
 * every rank but the last has a multiple of three, so that nodes stay together. */
typedef struct carom_mpi_contact_part {
    int velocities;       /* rows of this rank */
    const int *row_start; /* velocities + 1 */
    const int *column;    /* over all ranks */
    const double *value;
    const double *f;
    int dimension;          /* 2 or 3 numbers per contact, the same for all ranks */
    int contacts;           /* of this rank; best those on its own velocities */
    const int *entry_start; /* of columns of H: dimension contacts + 1 */
    const int *entry_row;   /* velocities over all ranks */
    const double *entry_value;
    const double *w, *mu;
    const int *number; /* of each contact among all: the same for any number of ranks */
} carom_mpi_contact_part;

typedef struct carom_mpi_contact carom_mpi_contact;

typedef enum carom_mpi_linear {
    CAROM_MPI_DIRECT, /* MUMPS */
    CAROM_MPI_HYPRE,  /* generalised minimal residuals with BoomerAMG */
    CAROM_MPI_GAMG,   /* the same with smoothed aggregation, blocks of three */
    CAROM_MPI_FREE,   /* products with M and H alone, and the diagonal; of global problems */
} carom_mpi_linear;

/* By all ranks. Copies the part. PETSc options with the prefix contact_ change the linear solver. FAILED: what PETSc says. */
carom_status carom_mpi_contact_create(MPI_Comm communicator, const carom_mpi_contact_part *part,
                                      carom_mpi_linear linear, carom_mpi_contact **problem,
                                      carom_error *error);
/* The same from a whole problem that every rank holds, of which each takes its part. BAD_INPUT: it has equations. */
carom_status carom_mpi_contact_spread(MPI_Comm communicator, const carom_coulomb_global *global,
                                      carom_mpi_linear linear, carom_mpi_contact **problem,
                                      carom_error *error);
/* The part of each rank for carom_mpi_contact_create, where every rank has some of the entries of M and H: each entry is on one rank, and
 * their sum is the problem; sizes and vectors are those of the whole (carom_fclib_read_part). The part is the arena's. */
carom_status carom_mpi_contact_collect(MPI_Comm communicator, const carom_coulomb_global *some,
                                       carom_arena *arena, carom_mpi_contact_part *part, carom_error *error);
/* The reduced form, from a whole problem that every rank holds. For carom_mpi_contact_newton and _sweeps. */
carom_status carom_mpi_contact_spread_reduced(MPI_Comm communicator, const carom_coulomb *whole,
                                              carom_mpi_linear linear, carom_mpi_contact **problem,
                                              carom_error *error);
void carom_mpi_contact_free(carom_mpi_contact *problem);

/* Contacts and velocities of all ranks; in the reduced form three unknowns per contact. */
int carom_mpi_contact_contacts(const carom_mpi_contact *problem);
int carom_mpi_contact_velocities(const carom_mpi_contact *problem);

/* Proximal points with Newton's method in the space of velocities, as carom_coulomb_solve_global. Iterations are Newton's,
 * inner iterations those of the linear solver. The word is OK when carom_mpi_contact_error is within the tolerance. */
carom_status carom_mpi_contact_newton(carom_mpi_contact *problem, const carom_solver_options *options,
                                      carom_solve_report *report, carom_error *error);
/* Alternating directions: one matrix M + H B H^T for all iterations, B a constant per contact; contacts are projected alone. */
carom_status carom_mpi_contact_admm(carom_mpi_contact *problem, const carom_solver_options *options,
                                    carom_solve_report *report, carom_error *error);
/* Without friction, by PETSc's own solver of variational inequalities (SNESVINEWTONRSLS): a check of the others. BAD_INPUT where
 * mu is not 0 or a normal acts on more than one velocity. */
carom_status carom_mpi_contact_obstacle(carom_mpi_contact *problem, const carom_solver_options *options,
                                        carom_solve_report *report, carom_error *error);

/* Gauss-Seidel over the contacts of every rank, then an exchange of reactions. Iterations are sweeps. BAD_INPUT in the global form.
 * For piles: a sweep is cheap and every rank speaks with its neighbours alone. */
carom_status carom_mpi_contact_sweeps(carom_mpi_contact *problem, const carom_solver_options *options,
                                      carom_solve_report *report, carom_error *error);

/* What carom_coulomb_summarise tells, of the last reactions. By all ranks, which all get it. */
void carom_mpi_contact_summarise(const carom_mpi_contact *problem, carom_coulomb_summary *summary);
/* Numbers that this rank sends and receives in an iteration of sweeps, and the ranks it speaks with; 0 in the global form. */
void carom_mpi_contact_border(const carom_mpi_contact *problem, int *neighbours, long *numbers);

/* carom_coulomb_error of the reactions, from the motion that belongs to them, which is computed anew: to a relative 1e-12. */
carom_status carom_mpi_contact_error(carom_mpi_contact *problem, double *natural, carom_error *error);

/* Everything to rank 0, contacts by their numbers: r and u (dimension per contact; 3 in the reduced form, which has no v) and v; other
 * ranks may give NULL. */
carom_status carom_mpi_contact_gather(carom_mpi_contact *problem, double *r, double *u, double *v,
                                      carom_error *error);

#endif
