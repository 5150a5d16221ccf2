/* The mass matrix of a model, factored: the kinetic metric at one position. A constant one is evaluated
 * once.
 *
 *   M = L L^T by Cholesky; a diagonal one is kept as its inverse unless `full` is set. Of a sparse model
 *   (carom_model_is_sparse) nothing is n x n: M is diagonal, or factored as a sparse matrix. */
#ifndef CAROM_SCHEME_PARTS_MASS_FACTOR_H
#define CAROM_SCHEME_PARTS_MASS_FACTOR_H

#include <string.h>

#include "carom/linalg.h"
#include "carom/model.h"
#include "sparse_matrix.h"

typedef struct mass_factor {
    int dof;
    bool constant;        /* the same everywhere */
    bool full;            /* a diagonal matrix is factored like any other */
    bool known;           /* evaluated */
    bool diagonal;        /* ... and kept as its inverse */
    bool is_sparse;       /* in `sparse` instead of `factor` */
    double *factor;       /* dof x dof */
    double *inverse;      /* diagonal: 1 / m_i */
    sparse_matrix sparse; /* of a sparse model */
} mass_factor;

/* False when memory is short. Who takes one gives it back. */
bool mass_factor_take(mass_factor *mass, carom_arena *arena, const carom_model *model);
/* May be called for zeros. */
void mass_factor_free(mass_factor *mass);

/* What a snapshot keeps of one that changes. */
void mass_factor_keep(mass_factor *mass, carom_snapshot *snapshot);

/* Evaluates and factors the matrix at a position, unless it is constant and known. 0, or the 1-based row
 * whose pivot is not positive. */
int mass_factor_evaluate(mass_factor *mass, carom_model_work *work, double t, const double *q);

/* For the start of a run: CAROM_OK when the matrix is finite, symmetric and positive definite there;
 * BAD_INPUT names the coordinate. *diagonal (may be NULL): it is. Takes memory, and gives it back. */
carom_status mass_check(carom_model_work *work, double t, const double *q, bool *diagonal,
                        carom_error *error);

/* x = M^-1 f; f may be x. */
static inline void mass_factor_solve(mass_factor *mass, const double *f, double *x)
{
    if (mass->diagonal) {
        for (int i = 0; i < mass->dof; i++)
            x[i] = mass->inverse[i] * f[i];
        return;
    }
    if (x != f)
        memcpy(x, f, (size_t)mass->dof * sizeof *x);
    if (mass->is_sparse)
        sparse_matrix_solve(&mass->sparse, x);
    else
        carom_cholesky_solve(mass->dof, mass->factor, x);
}

/* x.M x: the square of a size in which coordinates of different units can be added. */
double mass_factor_square(const mass_factor *mass, const double *x);

/* response = M^-1 row. A response with columns of its own is that of a diagonal matrix; else it is full. */
static inline void mass_factor_answer(mass_factor *mass, const carom_row *row, carom_row *response)
{
    if (!response->column) {
        carom_row_spread(row, mass->dof, response->value);
        mass_factor_solve(mass, response->value, response->value);
        return;
    }
    for (int i = 0; i < row->count; i++)
        response->value[i] = mass->inverse[row->column[i]] * row->value[i];
}

#endif
