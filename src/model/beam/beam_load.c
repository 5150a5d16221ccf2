/* Loads of the beam: sum of shape_k factor_k(t), what cannot be split, point forces. */
#include <math.h>
#include <string.h>

#include "beam.h"

/* Gauss-Legendre on 0 <= s <= 1, exact to degree 9. */
static const double gauss_place[BEAM_GAUSS] = {
    0.046910077030668003601186560850304, 0.23076534494715845448184278964990, 0.5,
    0.76923465505284154551815721035010, 0.95308992296933199639881343914970};
static const double gauss_weight[BEAM_GAUSS] = {
    0.11846344252809454375713202035996, 0.23931433524968323402064575741782,
    0.28444444444444444444444444444444, 0.23931433524968323402064575741782,
    0.11846344252809454375713202035996};

bool beam_load_take(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const size_t terms = (size_t)model->terms, forces = (size_t)model->forces;
    carom_arena *arena = work->arena;
    work->shape_work = carom_arena_take(arena, carom_tape_work_size(model->shape), sizeof(double));
    work->factor_work = carom_arena_take(arena, carom_tape_work_size(model->factor), sizeof(double));
    work->shape = carom_arena_take(arena, terms * (size_t)model->space.size, sizeof *work->shape);
    work->shape_value = carom_arena_take(arena, terms, sizeof *work->shape_value);
    work->factor = carom_arena_take(arena, terms + forces, sizeof *work->factor);
    work->factor_sum = carom_arena_take(arena, terms + forces, sizeof *work->factor_sum);
    work->force_row = carom_arena_take(arena, forces, sizeof *work->force_row);
    if (model->rest)
        work->rest_work = carom_arena_take(arena, carom_tape_work_size(model->rest), sizeof(double));
    return work->shape_work && work->factor_work && work->shape && work->shape_value && work->factor &&
           work->factor_sum && work->force_row && (!model->rest || work->rest_work);
}

/* ---- integration -------------------------------------------------------------------------------- */

static bool is_lumped(const beam_space *space)
{
    return space->basis == CAROM_BEAM_DIFFERENCE;
}

/* Places on the beam where a load is looked at: quadrature points, or nodes of finite differences. */
static int load_places(const beam_space *space)
{
    return is_lumped(space) ? space->elements : space->elements * BEAM_GAUSS;
}

static double load_place(const beam_work *work, int index)
{
    const beam_space *space = &beam_of(work)->space;
    if (is_lumped(space))
        return beam_node_place(space, work->length, index + 1);
    return beam_place(space, work->length, index / BEAM_GAUSS, gauss_place[index % BEAM_GAUSS]);
}

/* Adds the load `value` that was found at that place to the coefficients of the load. */
static void add_place(beam_work *work, int index, double value)
{
    const beam_space *space = &beam_of(work)->space;
    if (is_lumped(space)) {
        work->coefficient[index + 1] += value * beam_difference_share(space, work->length, index + 1);
        return;
    }
    const double *weight = work->gauss[index % BEAM_GAUSS];
    double *coefficient = work->coefficient + (size_t)(index / BEAM_GAUSS) * (size_t)space->stride;
    for (int k = 0; k < BEAM_LOCALS; k++)
        coefficient[k] += weight[k] * value;
}

static void clear_coefficients(beam_work *work)
{
    memset(work->coefficient, 0, (size_t)beam_of(work)->space.coefficients * sizeof *work->coefficient);
}

static void bind_quadrature(beam_work *work)
{
    const beam_space *space = &beam_of(work)->space;
    for (int g = 0; g < BEAM_GAUSS; g++) {
        beam_local(space, work->element_length, gauss_place[g], 0, work->gauss[g]);
        for (int k = 0; k < BEAM_LOCALS; k++)
            work->gauss[g][k] *= gauss_weight[g] * work->element_length;
    }
}

static void bind_shape(beam_work *work, int term)
{
    const beam_model *model = beam_of(work);
    clear_coefficients(work);
    for (int i = 0; i < load_places(&model->space); i++) {
        const double x = load_place(work, i);
        carom_tape_evaluate(model->shape, work->shape_work, &(carom_inputs){.place = x}, work->shape_value);
        if (!isfinite(work->shape_value[term]))
            beam_problem(work, model->line, "the load is %g at x = %g; it must be finite on the whole beam",
                         work->shape_value[term], x);
        add_place(work, i, work->shape_value[term]);
    }
    beam_reduce(&model->space, work->coefficient, work->shape + (size_t)term * (size_t)model->space.size);
}

void beam_load_bind(beam_work *work)
{
    const beam_model *model = beam_of(work);
    bind_quadrature(work);
    for (int k = 0; k < model->terms; k++)
        bind_shape(work, k);
    for (int k = 0; k < model->forces; k++) {
        const beam_force *force = &model->force[k];
        const double x = work->number[force->x];
        work->force_row[k] = (beam_row){0};
        if (beam_place_is_free(work, force->line, "point force", x))
            work->force_row[k] = beam_place_row(&model->space, work->length, x, 0);
    }
}

/* ---- at some instants --------------------------------------------------------------------------- */

/* The coefficients that the load which cannot be split has at the instants, weighted. */
static void add_rest(beam_work *work, int count, const double *t, const double *weight, double *load)
{
    const beam_model *model = beam_of(work);
    clear_coefficients(work);
    for (int i = 0; i < load_places(&model->space); i++) {
        double sum = 0.0;
        for (int k = 0; k < count; k++) {
            double value;
            carom_tape_evaluate(
                model->rest, work->rest_work,
                &(carom_inputs){.t = t[k], .place = load_place(work, i), .outside = work->base.input},
                &value);
            sum += weight[k] * value;
        }
        add_place(work, i, sum);
    }
    beam_reduce(&model->space, work->coefficient, work->vector);
    carom_axpy(model->space.size, 1.0, work->vector, load);
}

/* Factors of time are few: they are summed over the instants before any shape is touched. */
static void sum_factors(beam_work *work, int count, const double *t, const double *weight)
{
    const beam_model *model = beam_of(work);
    const int factors = model->terms + model->forces;
    memset(work->factor_sum, 0, (size_t)factors * sizeof *work->factor_sum);
    for (int k = 0; factors > 0 && k < count; k++) {
        carom_tape_evaluate(model->factor, work->factor_work,
                            &(carom_inputs){.t = t[k], .outside = work->base.input}, work->factor);
        carom_axpy(factors, weight[k], work->factor, work->factor_sum);
    }
}

void beam_load(carom_model_work *base, int count, const double *t, const double *weight, double *load)
{
    beam_work *work = (beam_work *)base;
    const beam_model *model = beam_of(work);
    const int n = model->space.size;
    memset(load, 0, (size_t)n * sizeof *load);
    sum_factors(work, count, t, weight);
    for (int k = 0; k < model->terms; k++)
        carom_axpy(n, work->factor_sum[k], work->shape + (size_t)k * (size_t)n, load);
    for (int k = 0; k < model->forces; k++) {
        const beam_row *row = &work->force_row[k];
        for (int i = 0; i < row->count; i++)
            load[row->column[i]] += row->entry[i] * work->factor_sum[model->terms + k];
    }
    if (model->rest)
        add_rest(work, count, t, weight, load);
}

double beam_load_along(beam_work *work, double t, const double *u)
{
    const beam_model *model = beam_of(work);
    const int n = model->space.size;
    double sum = 0.0;
    if (model->rest) {
        beam_load(&work->base, 1, &t, &(const double){1.0}, work->other);
        return carom_dot(n, work->other, u);
    }
    sum_factors(work, 1, &t, &(const double){1.0});
    for (int k = 0; k < model->terms; k++)
        if (work->factor_sum[k] != 0.0)
            sum += work->factor_sum[k] * carom_dot(n, work->shape + (size_t)k * (size_t)n, u);
    for (int k = 0; k < model->forces; k++) {
        const beam_row *row = &work->force_row[k];
        for (int i = 0; i < row->count; i++)
            sum += row->entry[i] * work->factor_sum[model->terms + k] * u[row->column[i]];
    }
    return sum;
}

/* ---- along a direction -------------------------------------------------------------------------- */

/* Places move with the length; weights of a place are powers of it. Of what stands in work->coefficient. */
static void finish_shape(beam_work *work, const beam_along *along, const double *shape, double *result)
{
    const beam_space *space = &beam_of(work)->space;
    const double stretch = along->length / work->length;
    beam_reduce(space, work->coefficient, result);
    for (int i = 0; i < space->size; i++)
        result[i] += (1.0 + along->power[i]) * stretch * shape[i];
}

static void bind_shape_along(beam_work *work, beam_along *along, int term)
{
    const beam_model *model = beam_of(work);
    const size_t first = (size_t)term * (size_t)model->space.size;
    clear_coefficients(work);
    for (int i = 0; i < load_places(&model->space); i++) {
        const double x = load_place(work, i);
        carom_tape_evaluate(model->shape, work->shape_work, &(carom_inputs){.place = x}, work->shape_value);
        carom_tape_along(model->shape, work->shape_work, along->tangent,
                         &(carom_inputs){.place = x * along->length / work->length}, work->shape_value);
        add_place(work, i, work->shape_value[term]);
    }
    finish_shape(work, along, work->shape + first, along->shape + first);
}

void beam_load_bind_along(beam_work *work, beam_along *along)
{
    const beam_model *model = beam_of(work);
    carom_tape_along_bind(model->shape, work->shape_work, along->parameter, along->tangent);
    for (int k = 0; k < model->terms; k++)
        bind_shape_along(work, along, k);
    for (int k = 0; k < model->forces; k++) {
        const beam_number x = model->force[k].x;
        along->force_row[k] = beam_place_row_along(&model->space, work->length, work->number[x], 0,
                                                   along->number[x], along->length);
    }
    carom_tape_along_bind(model->factor, work->factor_work, along->parameter, along->factor_tangent);
    if (model->rest)
        carom_tape_along_bind(model->rest, work->rest_work, along->parameter, along->rest_tangent);
}

static void add_rest_along(beam_work *work, const beam_along *along, int count, const double *t,
                           const double *weight, const double *t_along, double *load)
{
    const beam_model *model = beam_of(work);
    memset(along->vector, 0, (size_t)model->space.size * sizeof(double));
    add_rest(work, count, t, weight, along->vector);
    clear_coefficients(work);
    for (int i = 0; i < load_places(&model->space); i++) {
        const double x = load_place(work, i);
        double sum = 0.0;
        for (int k = 0; k < count; k++) {
            double value;
            carom_tape_evaluate(model->rest, work->rest_work,
                                &(carom_inputs){.t = t[k], .place = x, .outside = work->base.input}, &value);
            carom_tape_along(model->rest, work->rest_work, along->rest_tangent,
                             &(carom_inputs){.t = t_along[k], .place = x * along->length / work->length},
                             &value);
            sum += weight[k] * value;
        }
        add_place(work, i, sum);
    }
    finish_shape(work, along, along->vector, along->other);
    carom_axpy(model->space.size, 1.0, along->other, load);
}

void beam_load_derivative(beam_work *work, const beam_along *along, int count, const double *t,
                          const double *weight, const double *t_along, double *load)
{
    const beam_model *model = beam_of(work);
    const int n = model->space.size, factors = model->terms + model->forces;
    memset(load, 0, (size_t)n * sizeof *load);
    memset(along->factor_of_shapes, 0, (size_t)factors * sizeof(double));
    for (int k = 0; factors > 0 && k < count; k++) {
        carom_tape_evaluate(model->factor, work->factor_work,
                            &(carom_inputs){.t = t[k], .outside = work->base.input}, work->factor);
        carom_tape_along(model->factor, work->factor_work, along->factor_tangent,
                         &(carom_inputs){.t = t_along[k]}, along->factor);
        carom_axpy(factors, weight[k], along->factor, along->factor_of_shapes);
    }
    sum_factors(work, count, t, weight);
    for (int k = 0; k < model->terms; k++) {
        const size_t first = (size_t)k * (size_t)n;
        carom_axpy(n, along->factor_of_shapes[k], work->shape + first, load);
        carom_axpy(n, work->factor_sum[k], along->shape + first, load);
    }
    for (int k = 0; k < model->forces; k++) {
        const beam_row *row = &work->force_row[k], *moved = &along->force_row[k];
        for (int i = 0; i < row->count; i++)
            load[row->column[i]] += row->entry[i] * along->factor_of_shapes[model->terms + k];
        for (int i = 0; i < moved->count; i++)
            load[moved->column[i]] += moved->entry[i] * work->factor_sum[model->terms + k];
    }
    if (model->rest)
        add_rest_along(work, along, count, t, weight, t_along, load);
}
