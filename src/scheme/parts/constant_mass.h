/* A constant mass matrix, factored once; a diagonal one is kept as its inverse. */
#ifndef CAROM_SCHEME_PARTS_CONSTANT_MASS_H
#define CAROM_SCHEME_PARTS_CONSTANT_MASS_H

#include "carom/linalg.h"
#include "carom/model.h"

typedef struct constant_mass {
    int dof;
    bool diagonal;
    double *inverse; /* diagonal: 1 / m_i */
    double *factor;  /* otherwise: Cholesky factor, dof x dof */
} constant_mass;

/* Evaluates and factors the mass matrix of the model; BAD_INPUT when it is not symmetric positive definite.
 */
carom_status constant_mass_create(carom_arena *arena, carom_model_work *work, double t, const double *q,
                                  constant_mass *mass, carom_error *error);

/* x = M^-1 f */
static inline void constant_mass_solve(const constant_mass *mass, const double *f, double *x)
{
    if (mass->diagonal) {
        for (int i = 0; i < mass->dof; i++)
            x[i] = mass->inverse[i] * f[i];
        return;
    }
    for (int i = 0; i < mass->dof; i++)
        x[i] = f[i];
    carom_cholesky_solve(mass->dof, mass->factor, x);
}

#endif
