/* The parts of the solver of quadratic programs with bounds on short rows. */
#ifndef CAROM_CONTACT_QP_QP_SOLVER_H
#define CAROM_CONTACT_QP_QP_SOLVER_H

#include <math.h>

#include "carom/contact.h"

/* Where a row stands: the sign of the multiplier that its bound may carry. */
typedef enum qp_side {
    QP_UPPER = -1,
    QP_FREE = 0,
    QP_LOWER = 1,
} qp_side;

typedef enum qp_method {
    QP_PRIMAL_DUAL, /* active set, warm; the dual method when a set comes back */
    QP_DUAL,        /* dual active set of Goldfarb and Idnani: always finite */
} qp_method;

typedef struct qp_options {
    qp_method method;
    double tolerance;    /* of carom_qp_error */
    int max_iterations;  /* of the primal-dual active set */
    double feasibility;  /* violation of a bound that is left alone, relative to max |D x| or row_size */
    size_t cache_bytes;  /* most memory for columns A^-1 D^T that are kept, and for the banded system, which
                          * is left out when it needs more */
    int condensed_limit; /* active rows up to which the small dense system is solved; beyond it one banded
                          * system with the multipliers among the unknowns */
} qp_options;
/* 1e-8, 60, 1e-13, 256 MiB, 96. */
qp_options qp_defaults(void);

/* Columns A^-1 D_i^T that are kept, and the Cholesky factor of W_aa = D_a A^-1 D_a^T. */
typedef struct qp_condensed {
    int capacity;   /* active rows that it takes */
    int slots;      /* columns that may be kept */
    int hand;       /* slot that is looked at first when one must be given up */
    int *slot_row;  /* per slot: row + 1; 0: empty */
    int *row_slot;  /* per row: slot + 1; 0: none */
    double *column; /* slots x size */
    double *factor; /* row k of the lower triangle at k (k + 1) / 2 */
    int factored;   /* leading rows of the factor that fit the list of active rows */
} qp_condensed;

/* One system for x and the active multipliers, each multiplier among the x of its row. */
typedef struct qp_banded {
    size_t bytes;   /* what the system needs when all rows are active ... */
    bool available; /* ... and whether that is granted */
    bool factored;
    int *order, *order_start; /* rows by the column that they stand behind; size + 1 */
    int *x_place, *r_place;   /* unknowns in the system */
    carom_band system;        /* and its factor */
    double *right, *change, *residual;
    double *gap;
} qp_banded;

typedef struct qp_solver {
    carom_arena *arena;
    carom_qp problem;
    qp_options options;
    carom_band factor; /* of A */
    int active;
    int *row;         /* active rows, in the order of their coming */
    double *reaction; /* their multipliers */
    signed char *side;
    uint64_t key;   /* of the active set */
    uint64_t *seen; /* keys of the sets of this solve */
    double *x_free; /* A^-1 f */
    double *d;      /* D x */
    double *work;   /* size */
    double *direction, *reaction_change;
    double free_size;    /* max |D x_free| */
    bool d_is_free;      /* d is D x_free */
    double size_of_rows; /* max |D x|, and no less than row_size and a small share of free_size */
    bool outgrown;       /* more rows became active than there is memory for */
    qp_condensed condensed;
    qp_banded banded;
} qp_solver;

/* For many programs with one A and one D: A is factored once, the active rows of one solution are the start
 * of the next. `shape` gives size, matrix, rows, row_start, column, entry, lower and upper, which must
 * outlive the solver; bounds are read anew in every solve. */
carom_status qp_solver_create(const carom_qp *shape, const qp_options *options, qp_solver **solver,
                              carom_error *error);
/* True when there is memory for a system with active rows; `least` gets the cache_bytes that would do. */
bool qp_has_room(const qp_solver *solver, size_t *least);
/* x and r are results. Takes no memory. r is exactly zero on rows that are not at a bound. */
carom_solve_report qp_solve(qp_solver *solver, const double *vector, double *x, double *r);
void qp_solver_free(qp_solver *solver);

static inline double qp_row_value(const carom_qp *problem, int row, const double *x)
{
    double sum = 0.0;
    for (int k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
        sum += problem->entry[k] * x[problem->column[k]];
    return sum;
}

/* y += s D_row^T */
static inline void qp_add_row(const carom_qp *problem, int row, double s, double *y)
{
    for (int k = problem->row_start[row]; k < problem->row_start[row + 1]; k++)
        y[problem->column[k]] += s * problem->entry[k];
}

/* The column of the row's largest entry. */
static inline int qp_main_column(const carom_qp *problem, int row)
{
    int best = problem->row_start[row];
    for (int k = best + 1; k < problem->row_start[row + 1]; k++)
        if (fabs(problem->entry[k]) > fabs(problem->entry[best]))
            best = k;
    return problem->column[best];
}

/* ---- active_rows.c: the active rows ---- */

static inline bool qp_is_fixed(const qp_solver *solver, int row)
{
    return solver->problem.lower[row] == solver->problem.upper[row];
}
static inline double qp_target(const qp_solver *solver, int row)
{
    return solver->side[row] == QP_LOWER ? solver->problem.lower[row] : solver->problem.upper[row];
}
void qp_add(qp_solver *solver, int row, qp_side side);
void qp_drop(qp_solver *solver, int position);
/* Of the first `count` active rows, drops those whose multiplier has the wrong sign or whose bound is gone;
 * true when there were some. */
bool qp_drop_wrong(qp_solver *solver, int count);
void qp_clear(qp_solver *solver);
/* Begins a program: x_free, and the active rows that still have a bound. */
void qp_begin(qp_solver *solver, const double *vector);
/* The side on which the row is violated by d by more than the tolerance, and by how much. */
static inline qp_side qp_violated(const qp_solver *solver, int row, double d, double *amount)
{
    const double tolerance = solver->options.feasibility * solver->size_of_rows;
    const double below = solver->problem.lower[row] - d, above = d - solver->problem.upper[row];
    *amount = below > above ? below : above;
    if (below > tolerance)
        return QP_LOWER;
    return above > tolerance ? QP_UPPER : QP_FREE;
}
/* x, d and reaction of the program in which the active rows are equations and the others are left out. False
 * when the active rows depend on each other. */
bool qp_balance(qp_solver *solver, double *x);
bool qp_factor(qp_solver *solver);
/* With y on entry the change of D_a x that is asked for: y becomes the multipliers of the active rows, and
 * x += A^-1 D_a^T y. After qp_factor. */
void qp_correct(qp_solver *solver, double *y, double *x);

/* ---- condensed.c ---- */

bool qp_condensed_take(qp_solver *solver);
/* A^-1 D_row^T, valid until the next call for a row that is not active. */
const double *qp_column(qp_solver *solver, int row);
bool qp_condensed_factor(qp_solver *solver);
void qp_condensed_correct(qp_solver *solver, double *y, double *x);

/* ---- banded.c ---- */

bool qp_banded_take(qp_solver *solver);
bool qp_banded_factor(qp_solver *solver);
void qp_banded_correct(qp_solver *solver, double *y, double *x);

/* ---- goldfarb_idnani.c ---- */

/* From no active rows to the solution; returns the number of steps. */
int qp_dual(qp_solver *solver, double *x);

#endif
