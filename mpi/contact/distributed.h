/* A contact problem on ranks, and what its solvers share. Functions that return PetscErrorCode are called by all ranks. */
#ifndef CAROM_MPI_CONTACT_DISTRIBUTED_H
#define CAROM_MPI_CONTACT_DISTRIBUTED_H

#include <petscksp.h>

#include "carom/contact/coulomb_law.h"
#include "carom/mpi/contact.h"

struct reduced;     /* reduced.h */
struct matrix_free; /* matrix_free.c */

struct carom_mpi_contact {
    MPI_Comm communicator;
    int d, contacts; /* numbers per contact; contacts of this rank */
    int velocities;  /* of this rank */
    int all_contacts, all_velocities;
    int *entry_start, *entry_row, *number;
    double *entry_value, *w, *mu;
    struct reduced
        *W;       /* the reduced form, whose unknowns are the reactions: no H, f, v; NULL: the global one */
    Mat A, H;     /* M + H D H^T, or I + D W; H, columns of this rank's contacts beside each other */
    bool is_free; /* A has no entries of its own, only products */
    struct matrix_free *free; /* then */
    PetscCount mass_entries, all_entries;
    double *mass_value, *entry; /* of A: those of M, then those of the contacts */
    Vec f, v, work[3];          /* velocities */
    Vec at_contacts;            /* d per contact */
    KSP solver;
    long linear_iterations;
    /* 3 per contact of this rank */
    double *q, *u, *r;
    double q_size;
    carom_coulomb_rho *rho;
    double started;
};

/* A and its vectors from the places of self->all_entries entries. */
PetscErrorCode distributed_make_matrix(carom_mpi_contact *self, PetscInt *row, PetscInt *column);
PetscErrorCode distributed_make_solver(carom_mpi_contact *self, carom_mpi_linear linear);

/* A, which is M until now, becomes M + H D H^T by its products; D as that of distributed_matrix. */
PetscErrorCode matrix_free_create(carom_mpi_contact *self);
PetscErrorCode matrix_free_set(carom_mpi_contact *self, const double *D);
void matrix_free_destroy(carom_mpi_contact *self);

/* A = M + H D H^T; D has 9 numbers per contact of this rank, NULL: none. */
PetscErrorCode distributed_matrix(carom_mpi_contact *self, const double *D);
/* x = A^-1 b to the relative tolerance. */
PetscErrorCode distributed_solve(carom_mpi_contact *self, double tolerance, Vec b, Vec x);
/* x = H r, r 3 per contact of this rank. */
PetscErrorCode distributed_push(carom_mpi_contact *self, const double *r, Vec x);
/* v = A^-1 (H push + f), from the v at hand on. */
PetscErrorCode distributed_answer(carom_mpi_contact *self, double tolerance, const double *push);
/* u = H^T v + w, 3 per contact. */
PetscErrorCode distributed_contacts(carom_mpi_contact *self, Vec v, double *u);
/* A becomes M, v = M^-1 (H r + f) with refinement, u follows. */
PetscErrorCode distributed_move(carom_mpi_contact *self, const double *r);
/* q, |q| and rho. Leaves v and u as those of r = 0. */
PetscErrorCode distributed_begin(carom_mpi_contact *self);

/* No rank goes on when one cannot. */
bool distributed_all_can(MPI_Comm communicator, bool can);
/* Numbers, 0; NULL on all ranks where one has no memory. The caller frees them. */
double *distributed_take(const carom_mpi_contact *self, size_t count);
double distributed_sum(const carom_mpi_contact *self, double own);
/* carom_coulomb_error of these velocities and reactions. */
double distributed_error(const carom_mpi_contact *self, const double *u, const double *r);
/* True on all ranks when time is over or the caller asks for the end; report->word says which. */
bool distributed_is_over(const carom_mpi_contact *self, const carom_solver_options *limits,
                         carom_solve_report *report);
void distributed_tell(const carom_mpi_contact *self, const carom_solver_options *limits, int iteration,
                      double error);

carom_solver_options distributed_limits(const carom_solver_options *given, int iterations);
/* The error of self->r anew, and the words of the report. */
PetscErrorCode distributed_end(carom_mpi_contact *self, const carom_solver_options *limits,
                               carom_solve_report *report);
/* What PETSc says became an error text of ours. */
carom_status distributed_status(PetscErrorCode code, const char *what, carom_error *error);

#endif
