/* Linear structures and what drives linear models, in other units. */
#include "units_model.h"

/* ---- structures -------------------------------------------------------------------------------------- */

bool units_take_structure(units_work *work)
{
    const units_model *model = units_of(&work->base);
    if (!model->inner->ops->structure)
        return true;
    const carom_structure *inner = model->inner->ops->structure(work->inner);
    work->lower = carom_arena_take(work->arena, (size_t)inner->rows, sizeof(double));
    work->upper = carom_arena_take(work->arena, (size_t)inner->rows, sizeof(double));
    return work->lower && work->upper &&
           carom_band_take(work->arena, inner->mass.size, inner->mass.width, &work->structure.mass) &&
           carom_band_take(work->arena, inner->mass.size, inner->mass.width, &work->structure.stiffness);
}

units_direction *units_direction_of(units_work *work, const carom_structure_along *inner)
{
    for (units_direction *known = work->direction; known; known = known->next)
        if (known->inner == inner)
            return known;
    const carom_band *mass = &work->structure.mass;
    const size_t rows = (size_t)work->structure.rows;
    units_direction *taken = carom_arena_take(work->arena, 1, sizeof *taken);
    if (!taken)
        return NULL;
    *taken = (units_direction){.inner = inner, .next = work->direction};
    taken->lower = carom_arena_take(work->arena, rows, sizeof(double));
    taken->upper = carom_arena_take(work->arena, rows, sizeof(double));
    if (!taken->lower || !taken->upper ||
        !carom_band_take(work->arena, mass->size, mass->width, &taken->structure.mass) ||
        !carom_band_take(work->arena, mass->size, mass->width, &taken->structure.stiffness))
        return NULL;
    work->direction = taken;
    return taken;
}

void units_scale_band(double factor, const carom_band *from, const carom_band *to)
{
    units_times(from->size * (from->width + 1), factor, from->entry, to->entry);
}

void units_bind_structure(units_work *work)
{
    const units_model *model = units_of(&work->base);
    const carom_structure *inner = model->inner->ops->structure(work->inner);
    const carom_band mass = work->structure.mass, stiffness = work->structure.stiffness;
    units_scale_band(model->by.mass, &inner->mass, &mass);
    units_scale_band(model->by.mass * model->by_time * model->by_time, &inner->stiffness, &stiffness);
    units_times(inner->rows, model->by.length, inner->lower, work->lower);
    units_times(inner->rows, model->by.length, inner->upper, work->upper);
    work->structure = *inner;
    work->structure.mass = mass;
    work->structure.stiffness = stiffness;
    work->structure.damping_mass *= model->by_time;
    work->structure.damping_stiffness *= model->by.time;
    work->structure.lower = work->lower;
    work->structure.upper = work->upper;
}

const carom_structure *units_structure(const carom_model_work *base)
{
    return &((const units_work *)base)->structure;
}

/* The sum in one call where it fits: adding up parts would round in another order. */
void units_load(carom_model_work *base, int count, const double *t, const double *weight, double *load)
{
    const units_model *model = units_of(base);
    const int n = base->model->dof;
    double *times = ((units_work *)base)->times, *part = ((units_work *)base)->acceleration;
    for (int k = 0; k == 0 || k < count; k += UNITS_TIMES) {
        const int some = count - k < UNITS_TIMES ? count - k : UNITS_TIMES;
        double *to = k == 0 ? load : part;
        units_times(some, model->by_time, t + k, times);
        model->inner->ops->load(units_inner(base), some, times, weight + k, to);
        if (k > 0)
            carom_axpy(n, 1.0, part, load);
    }
    units_multiply(n, model->by.force, load);
}

void units_stiffness_times(carom_model_work *base, const double *q, double *force)
{
    const units_model *model = units_of(base);
    model->inner->ops->stiffness_times(units_inner(base), units_own_q(base, q), force);
    units_multiply(base->model->dof, model->by.force, force);
}

/* ---- what drives a linear model ---------------------------------------------------------------------- */

bool units_take_harmonics(units_work *work)
{
    const units_model *model = units_of(&work->base);
    if (!model->inner->is_linear || !model->inner->ops->harmonics)
        return true;
    const size_t count = (size_t)model->inner->ops->harmonics(work->inner)->count;
    work->frequency = carom_arena_take(work->arena, count, sizeof(double));
    work->driving = carom_arena_take(work->arena, 2 * count * (size_t)model->base.dof, sizeof(double));
    work->driven_gap =
        carom_arena_take(work->arena, 2 * count * (size_t)model->base.contacts, sizeof(double));
    return work->frequency && work->driving && work->driven_gap;
}

const carom_harmonics *units_harmonics(carom_model_work *base)
{
    const units_model *model = units_of(base);
    units_work *work = (units_work *)base;
    const carom_harmonics *inner = model->inner->ops->harmonics(units_inner(base));
    const int forces = 2 * inner->count * base->model->dof, gaps = 2 * inner->count * base->model->contacts;
    work->harmonics = (carom_harmonics){
        inner->count, units_times(inner->count, model->by_time, inner->frequency, work->frequency),
        units_times(forces, model->by.force, inner->force, work->driving),
        units_times(gaps, model->by.length, inner->gap, work->driven_gap)};
    return &work->harmonics;
}
