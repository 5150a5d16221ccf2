/* How fast the energy of a model changes while neither contacts nor joints act. */
#include <math.h>
#include <string.h>

#include "model_parts.h"

size_t carom_model_carrier_scratch(const carom_model *model)
{
    if (carom_model_is_sparse(model))
        return (size_t)carom_sparse_entries(model->ops->matrix_pattern(model, CAROM_MATRIX_MASS));
    return carom_product((size_t)model->dof, (size_t)model->dof);
}

/* The same with a sparse mass, whose entries the scratch takes. */
static bool find_sparse_carrier(carom_model_work *work, double t, const double *q, double *scratch,
                                double *carrier)
{
    carom_sparse mass = *work->model->ops->matrix_pattern(work->model, CAROM_MATRIX_MASS);
    carom_sparse_factor *factor = NULL;
    carom_error why;
    work->model->ops->matrix(work, CAROM_MATRIX_MASS, t, q, NULL, scratch);
    mass.value = scratch;
    const bool regular = carom_sparse_factor_create(&mass, &factor, &why) == CAROM_OK;
    if (regular)
        carom_sparse_solve(factor, carrier);
    carom_sparse_factor_free(factor);
    return regular;
}

size_t carom_model_power_scratch(const carom_model *model)
{
    return 2 * (size_t)model->dof + (model->moving_frame ? carom_model_carrier_scratch(model) : 0);
}

bool carom_model_carrier(carom_model_work *work, double t, const double *q, double *scratch, double *carrier)
{
    const carom_model *model = work->model;
    model->ops->carried(work, t, q, carrier);
    if (carom_model_is_sparse(model))
        return find_sparse_carrier(work, t, q, scratch, carrier);
    model->ops->mass(work, t, q, scratch);
    if (carom_cholesky_factor(model->dof, scratch) != 0)
        return false;
    carom_cholesky_solve(model->dof, scratch, carrier);
    return true;
}

/* E = T + V of a model that says nothing about its power: with T quadratic in u, dE/dt = D E + u.f, D along (u, 1)
 * in (q, t) at fixed u, by central differences. */
static double power_by_differences(carom_model_work *work, double t, const double *q, const double *u,
                                   double *scratch)
{
    const carom_model_ops *ops = work->model->ops;
    const int n = work->model->dof;
    double position = 1.0, speed = 1.0;
    for (int i = 0; i < n; i++) {
        position = fmax(position, fabs(q[i]));
        speed = fmax(speed, fabs(u[i]));
    }
    const double step = 6e-6 * position / speed; /* the cube root of rounding */
    double energy[2];
    for (int side = 0; side < 2; side++) {
        const double d = side ? step : -step;
        for (int i = 0; i < n; i++)
            scratch[i] = q[i] + d * u[i];
        energy[side] = ops->energy(work, t + d, scratch, u);
    }
    ops->force(work, t, q, u, scratch);
    return (energy[1] - energy[0]) / (2.0 * step) + carom_dot(n, u, scratch);
}

double carom_model_power(carom_model_work *work, double t, const double *q, const double *u, double *scratch)
{
    const carom_model *model = work->model;
    const int n = model->dof;
    if (model->powerless || !model->ops->force)
        return 0.0;
    if (!model->ops->power)
        return power_by_differences(work, t, q, u, scratch);
    const double power = model->ops->power(work, t, q, u);
    if (!model->moving_frame)
        return power;
    double *carrier = scratch + carom_model_carrier_scratch(model), *force = carrier + n;
    if (!carom_model_carrier(work, t, q, scratch, carrier))
        return NAN;
    model->ops->force(work, t, q, u, force);
    return power + carom_dot(n, carrier, force);
}

double carom_model_kinetic(carom_model_work *work, double t, const double *q, const double *u,
                           double *scratch)
{
    const carom_model_ops *ops = work->model->ops;
    if (ops->structure)
        return 0.5 * carom_band_form(&ops->structure(work)->mass, u, u);
    memset(scratch, 0, (size_t)work->model->dof * sizeof *scratch);
    return ops->energy(work, t, q, u) - ops->energy(work, t, q, scratch);
}
