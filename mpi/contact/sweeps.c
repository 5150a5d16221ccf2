/* Gauss-Seidel over the contacts of every rank at the same time, which then tell each other their reactions:
 *
 *   r_i  solves the contact alone with  u_i = (W_ii + c_i I) r_i + (sum_{j != i} W_ij r_j + q_i - c_i r_i'),   r_i' the last one,
 *
 * r_j the newest of the own contacts and the last ones of others. A solution is one for any c. Two ranks that push one body both do all
 * of the work where c = 0, and what they do together may be too much; c_i = sum |W_ij| over the contacts of other ranks always
 * converges where there is no friction (the row sums that make Jacobi's method convergent; Baker, Falgout, Kolev and Yang 2011), but some five times as
 * slowly. So c begins as 0, and grows to a quarter and to all of these sums when errors do not fall.
 *
 * From sweep to sweep Anderson's acceleration combines the last few, with sums over all ranks. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/contact/acceleration.h"
#include "reduced.h"

enum {
    SWEEPS = 20000,
    REMEMBERED = 8, /* sweeps of the acceleration */
    CHECKED = 10,   /* sweeps between two errors */
    PATIENCE = 50   /* errors that are no smaller than the least, for a larger c */
};

static const double shift_part[] = {0.0, 0.25, 1.0};
enum {
    SHIFTS = sizeof shift_part / sizeof *shift_part
};
static const double growth = 10.0; /* of the error, for a larger c at once */

/* Not below the largest stretch of the block: |B|_2^2 <= |B|_1 |B|_inf. */
static double block_size(const double *block)
{
    double rows = 0.0, columns = 0.0;
    for (int k = 0; k < 3; k++) {
        rows = fmax(rows, fabs(block[3 * k]) + fabs(block[3 * k + 1]) + fabs(block[3 * k + 2]));
        columns = fmax(columns, fabs(block[k]) + fabs(block[3 + k]) + fabs(block[6 + k]));
    }
    return sqrt(rows * columns);
}

static void find_shifts(const struct reduced *W, double *shift)
{
    for (int i = 0; i < W->contacts; i++) {
        shift[i] = 0.0;
        for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
            if (W->column[k] >= W->contacts)
                shift[i] += block_size(W->block + 9 * (ptrdiff_t)k);
    }
}

/* One contact; false when its own problem is not solved. */
static bool relax(carom_mpi_contact *self, int i, double shift)
{
    struct reduced *W = self->W;
    double *r = W->r + 3 * (ptrdiff_t)i, u[3], own[9];
    memcpy(own, W->block + 9 * (ptrdiff_t)W->diagonal[i], sizeof own);
    memcpy(u, self->w + 3 * (ptrdiff_t)i, sizeof u);
    for (int k = W->row_start[i]; k < W->row_start[i + 1]; k++)
        if (k != W->diagonal[i])
            carom_block_add(W->block + 9 * (ptrdiff_t)k, W->r + 3 * (ptrdiff_t)W->column[k], u);
    for (int k = 0; k < 3; k++) {
        u[k] -= shift * r[k];
        own[4 * k] += shift;
    }
    return carom_coulomb_law_solve(self->mu[i], own, u, r);
}

/* The own contacts; self->r has them. */
static void sweep(carom_mpi_contact *self, double part, const double *shift, carom_solve_report *report)
{
    for (int i = 0; i < self->contacts; i++)
        if (!relax(self, i, part * shift[i]))
            report->local_failures++;
    memcpy(self->r, self->W->r, 3 * (size_t)self->contacts * sizeof *self->r);
}

typedef struct sweeping {
    double *shift, *best, *before;
    carom_acceleration *acceleration;
    double least; /* error of the best */
    int idle, level;
    bool swept; /* from `before` to self->r */
} sweeping;

/* Sweeps up to the next look at the error, which is at what a sweep left: reactions in their cones. */
static void sweep_on(carom_mpi_contact *self, sweeping *s, int most, carom_solve_report *report)
{
    const size_t bytes = 3 * (size_t)self->contacts * sizeof(double);
    for (int k = 0; k < CHECKED && report->iterations < most; k++) {
        if (s->swept)
            carom_acceleration_step(s->acceleration, s->before, self->r);
        s->swept = true;
        memcpy(s->before, self->r, bytes);
        reduced_exchange(self, self->r);
        sweep(self, shift_part[s->level], s->shift, report);
        report->iterations++;
    }
    reduced_multiply(self, self->r, self->u);
}

/* Another c: from the best reactions on. */
static void shift_more(carom_mpi_contact *self, sweeping *s)
{
    const size_t bytes = 3 * (size_t)self->contacts * sizeof(double);
    s->level++;
    s->idle = 0;
    s->swept = false;
    carom_acceleration_begin(s->acceleration);
    memcpy(self->r, s->best, bytes);
}

/* self->r becomes the best reactions. */
static void iterate(carom_mpi_contact *self, const carom_solver_options *limits, sweeping *s,
                    carom_solve_report *report)
{
    const size_t bytes = 3 * (size_t)self->contacts * sizeof(double);
    double error = self->q_size > 0.0 ? distributed_error(self, self->u, self->r) : 0.0;
    s->least = INFINITY;
    for (;;) {
        distributed_tell(self, limits, report->iterations, error);
        s->idle = error < s->least ? 0 : s->idle + 1;
        if (error < s->least) {
            s->least = error;
            memcpy(s->best, self->r, bytes);
        }
        if (error <= limits->tolerance || distributed_is_over(self, limits, report))
            break;
        if (s->level + 1 < SHIFTS && (s->idle > PATIENCE || !(error <= growth * s->least)))
            shift_more(self, s);
        sweep_on(self, s, limits->max_iterations, report);
        error = distributed_error(self, self->u, self->r);
    }
    memcpy(self->r, s->best, bytes);
}

static void sum_over_ranks(void *context, int count, double *number)
{
    const carom_mpi_contact *self = context;
    MPI_Allreduce(MPI_IN_PLACE, number, count, MPI_DOUBLE, MPI_SUM, self->communicator);
}

static void sweeping_free(sweeping *s)
{
    carom_acceleration_free(s->acceleration);
    free(s->shift);
    free(s->best);
    free(s->before);
}

static PetscErrorCode solve(carom_mpi_contact *self, const carom_solver_options *limits,
                            carom_solve_report *report)
{
    PetscFunctionBeginUser;
    const size_t size = 3 * (size_t)self->contacts;
    sweeping s = {.shift = carom_new_array(size + 1, sizeof(double)),
                  .best = carom_new_array(size + 1, sizeof(double)),
                  .before = carom_new_array(size + 1, sizeof(double)),
                  .acceleration =
                      carom_acceleration_create(3 * self->contacts, REMEMBERED, sum_over_ranks, self)};
    const bool is_here = s.shift && s.best && s.before && s.acceleration;
    if (!distributed_all_can(self->communicator, is_here) || !is_here) {
        sweeping_free(&s);
        SETERRQ(self->communicator, PETSC_ERR_MEM, "memory is short");
    }
    PetscCall(distributed_begin(self));
    find_shifts(self->W, s.shift);
    iterate(self, limits, &s, report);
    report->local_failures = (long)distributed_sum(self, (double)report->local_failures);
    sweeping_free(&s);
    PetscCall(distributed_end(self, limits, report));
    PetscFunctionReturn(0);
}

carom_status carom_mpi_contact_sweeps(carom_mpi_contact *problem, const carom_solver_options *options,
                                      carom_solve_report *report, carom_error *error)
{
    const carom_solver_options limits = distributed_limits(options, SWEEPS);
    *report = (carom_solve_report){.word = CAROM_SOLVE_STALLED, .error = INFINITY, .failed_contact = -1};
    if (!problem->W)
        return carom_fail(error, CAROM_BAD_INPUT, "sweeps are for the reduced form u = W r + q");
    return distributed_status(solve(problem, &limits, report), "sweeps on ranks", error);
}
