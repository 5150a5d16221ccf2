/* Length, time and mass of a model, for tolerances: see the header for the rules. */
#include "carom/model/scales.h"

#include <math.h>

#include "carom/linalg.h"
#include "carom/model/bodies.h"
#include "carom/model/forcing.h"

/* A gap or rate that is this small against its terms is zero. */
static const double rounding = 1e-12;
/* A gap that is this small against the displacement is closed. */
static const double touching = 1e-6;

typedef struct search {
    carom_model_work *work;
    const carom_model *model;
    double t;
    const double *q, *v;
    double *inertia;            /* diagonal of the mass matrix */
    double *force;              /* dof */
    double mass, gap, rate;     /* largest ones; 0: none found */
    double speed, acceleration; /* likewise */
    double damping;             /* largest rate of a damping, which gives no length */
    double held;                /* largest acceleration that a friction force can give */
    double quarter;             /* of the shortest forcing period; 0: none */
} search;

static void grow(double *largest, double value)
{
    if (value > *largest && isfinite(value))
        *largest = value;
}

/* ---- mass and rates --------------------------------------------------------------------------------- */

/* |a_ij|/sqrt(m_i m_j): the rate of a damping, the squared rate of a stiffness. */
static void add_rate(search *self, bool is_stiffness, int i, int j, double entry)
{
    const double inertia = sqrt(self->inertia[i]) * sqrt(self->inertia[j]);
    const double rate = inertia > 0.0 ? fabs(entry) / inertia : 0.0;
    grow(is_stiffness ? &self->rate : &self->damping, is_stiffness ? sqrt(rate) : rate);
}

static void add_dense_rates(search *self, bool is_stiffness, const double *entry)
{
    const int n = self->model->dof;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            add_rate(self, is_stiffness, i, j, entry[(ptrdiff_t)i * n + j]);
}

static bool find_dense(search *self, carom_arena *arena)
{
    const carom_model_ops *ops = self->model->ops;
    const int n = self->model->dof;
    const size_t entries = carom_product((size_t)n, (size_t)n);
    double *by_q = carom_arena_take(arena, entries, sizeof *by_q);
    double *by_u = carom_arena_take(arena, entries, sizeof *by_u);
    if (!by_q || !by_u)
        return false;
    ops->mass(self->work, self->t, self->q, by_q);
    for (int i = 0; i < n; i++)
        self->inertia[i] = by_q[(ptrdiff_t)i * n + i];
    if (!ops->force_jacobian)
        return true;
    ops->force_jacobian(self->work, self->t, self->q, self->v, by_q, by_u);
    add_dense_rates(self, true, by_q);
    add_dense_rates(self, false, by_u);
    return true;
}

static bool find_sparse(search *self, carom_arena *arena)
{
    for (int kind = 0; kind < CAROM_MATRICES; kind++) {
        const carom_sparse *pattern = self->model->ops->matrix_pattern(self->model, (carom_model_matrix)kind);
        double *entry = carom_arena_take(arena, (size_t)carom_sparse_entries(pattern), sizeof *entry);
        if (!entry)
            return false;
        self->model->ops->matrix(self->work, (carom_model_matrix)kind, self->t, self->q, self->v, entry);
        for (int j = 0; j < pattern->columns; j++)
            for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++) {
                const int i = pattern->row[k];
                if (kind != CAROM_MATRIX_MASS)
                    add_rate(self, kind == CAROM_MATRIX_FORCE_BY_Q, i, j, entry[k]);
                else if (i == j)
                    self->inertia[i] = entry[k];
            }
    }
    return true;
}

static void find_structure(search *self)
{
    const carom_structure *structure = self->model->ops->structure(self->work);
    const carom_band *mass = &structure->mass, *stiffness = &structure->stiffness;
    for (int i = 0; i < mass->size; i++)
        self->inertia[i] = *carom_band_at(mass, i, i);
    for (int i = 0; i < stiffness->size; i++)
        add_rate(self, true, i, i, *carom_band_at(stiffness, i, i));
    for (int i = 0; i < structure->rows; i++) {
        grow(&self->gap, fabs(structure->lower[i]));
        grow(&self->gap, fabs(structure->upper[i]));
    }
}

/* ---- gaps, velocities, accelerations ------------------------------------------------------------------ */

static double size_of(const carom_row *row)
{
    return sqrt(carom_dot(row->count, row->value, row->value));
}

/* Sum of |row_i x_i|: a gap or a rate that is far smaller is a difference of equal numbers. */
static double terms_of(const carom_row *row, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < row->count; i++)
        sum += fabs(row->value[i] * x[carom_row_column(row, i)]);
    return sum;
}

static void add_row(search *self, const carom_row *row, double rate, double *largest, double value)
{
    const double size = size_of(row), speed = fabs(carom_row_dot(row, self->v) + rate);
    if (!(size > 0.0))
        return;
    if (value > rounding * terms_of(row, self->q))
        grow(largest, value / size);
    if (speed > rounding * (terms_of(row, self->v) + fabs(rate)))
        grow(&self->speed, speed / size);
}

/* The first coefficient bounds a friction force, or is its limit at high speed. */
static void add_bound(search *self, const carom_contact_info *info, const carom_contact_frame *frame)
{
    const carom_row *row = &frame->tangent[0];
    for (int i = 0; info->coefficients > 0 && info->tangents > 0 && i < row->count; i++) {
        const double inertia = self->inertia[carom_row_column(row, i)];
        if (inertia > 0.0)
            grow(&self->held, fabs(row->value[i] * frame->coefficients[0]) / inertia);
    }
}

static bool find_gaps(search *self, carom_arena *arena)
{
    const carom_model *model = self->model;
    double *gap = carom_arena_take(arena, (size_t)model->contacts, sizeof *gap), none = INFINITY;
    carom_contact_frame frame = {0};
    if (!gap || !carom_contact_frame_take(arena, model, &frame))
        return false;
    model->ops->gaps(self->work, self->t, self->q, gap);
    for (int i = 0; i < model->contacts; i++) {
        const carom_contact_info *info = &model->contact[i];
        model->ops->frame(self->work, i, self->t, self->q, &frame);
        if (info->friction_force)
            add_bound(self, info, &frame);
        else
            add_row(self, &frame.normal, frame.normal_rate, &self->gap, gap[i]);
        for (int k = 0; k < info->tangents; k++)
            add_row(self, &frame.tangent[k], frame.tangent_rate[k], &none, 0.0);
    }
    return true;
}

static void add_accelerations(search *self, double t)
{
    if (!self->model->ops->force)
        return;
    self->model->ops->force(self->work, t, self->q, self->v, self->force);
    for (int i = 0; i < self->model->dof; i++)
        if (self->inertia[i] > 0.0)
            grow(&self->acceleration, fabs(self->force[i]) / self->inertia[i]);
}

static void add_speeds(search *self)
{
    for (int i = 0; i < self->model->dof; i++)
        grow(&self->speed, fabs(self->v[i]));
}

/* ---- bodies ----------------------------------------------------------------------------------------- */

/* Of the sphere about the origin of the body that holds its shape. */
static double radius_of(const carom_shape *shape)
{
    const carom_pose origin = carom_pose_identity();
    double low[3], high[3], sum = 0.0;
    carom_shape_bounds(shape, &origin, low, high);
    for (int k = 0; k < 3; k++) {
        const double reach = fmax(fabs(low[k]), fabs(high[k]));
        sum += reach * reach;
    }
    return sqrt(sum);
}

/* The size of a body without a shape is its radius of gyration. */
static double size_of_body(const carom_body *body)
{
    return body->shape ? radius_of(body->shape) : sqrt(fabs(body->inertia[8]) / body->mass);
}

static void find_bodies(search *self)
{
    const carom_bodies *bodies = carom_model_bodies(self->work);
    const int axes = bodies->dimension == CAROM_PLANE ? 2 : 3;
    double smallest = INFINITY;
    for (int i = 0; i < bodies->count; i++) {
        const carom_body *body = &bodies->body[i];
        if (body->kind != CAROM_BODY_FREE)
            continue;
        const double size = size_of_body(body);
        if (size > 0.0)
            smallest = fmin(smallest, size);
        grow(&self->mass, body->mass);
        for (int k = 0; k < axes; k++)
            grow(&self->speed, fabs(self->v[body->v + k]));
    }
    grow(&self->gap, smallest);
    grow(&self->acceleration, sqrt(carom_dot(3, bodies->gravity, bodies->gravity)));
}

/* ---- all of it -------------------------------------------------------------------------------------- */

static carom_status find_quantities(search *self, carom_arena *arena, carom_error *error)
{
    const carom_model *model = self->model;
    carom_forcing forcing;
    const carom_status status = carom_model_forcing(self->work, &forcing, error);
    if (status != CAROM_OK)
        return status;
    grow(&self->rate, forcing.fastest);
    self->quarter = forcing.fastest > 0.0 ? 0.5 * CAROM_PI / forcing.fastest : 0.0;
    self->inertia = carom_arena_take(arena, (size_t)model->dof, sizeof *self->inertia);
    self->force = carom_arena_take(arena, (size_t)model->dof, sizeof *self->force);
    if (!self->inertia || !self->force)
        return carom_fail_memory(error);
    if (model->has_bodies) {
        find_bodies(self);
        return CAROM_OK;
    }
    const bool is_structure = model->ops->structure;
    if (is_structure)
        find_structure(self);
    else if (!(carom_model_is_sparse(model) ? find_sparse : find_dense)(self, arena))
        return carom_fail_memory(error);
    for (int i = 0; i < model->dof; i++)
        grow(&self->mass, self->inertia[i]);
    if (!is_structure && model->contacts > 0 && !find_gaps(self, arena))
        return carom_fail_memory(error);
    if (is_structure || model->contacts == 0)
        add_speeds(self);
    add_accelerations(self, self->t);
    if (self->quarter > 0.0)
        add_accelerations(self, self->t + self->quarter);
    return CAROM_OK;
}

/* What the motion does in its time; 0: not known. */
static double displacement_of(const search *self, double time)
{
    const double v = self->speed, a = self->acceleration;
    if (time > 0.0)
        return fmax(v * time, a * time * time);
    return v > 0.0 && a > 0.0 ? v * (v / a) : 0.0;
}

static double length_of(const search *self, double time)
{
    const double displacement = displacement_of(self, time);
    double position = 0.0;
    /* a contact that all but touches gives no length */
    if (self->gap > touching * displacement)
        return self->gap;
    if (displacement > 0.0)
        return displacement;
    for (int i = 0; i < carom_model_positions(self->model); i++)
        grow(&position, fabs(self->q[i]));
    return position > 0.0 ? position : self->held * time * time;
}

static double time_of_motion(const search *self, double length)
{
    const double v = self->speed, a = self->acceleration;
    double rate = 0.0;
    if (length > 0.0) {
        grow(&rate, v / length);
        grow(&rate, sqrt(a / length));
    }
    return rate > 0.0 ? 1.0 / rate : 0.0;
}

carom_status carom_model_scales(carom_model_work *work, double t, const double *q, const double *v, double h,
                                carom_scales *scales, carom_error *error)
{
    search self = {.work = work, .model = work->model, .t = t, .q = q, .v = v};
    *scales = (carom_scales){1.0, h, 1.0};
    if (work->model->dof == 0)
        return CAROM_OK;
    carom_arena *arena = carom_arena_create();
    const carom_status status = arena ? find_quantities(&self, arena, error) : carom_fail_memory(error);
    carom_arena_free(arena);
    if (status != CAROM_OK)
        return status;
    double time = self.rate > 0.0 ? 1.0 / self.rate : 0.0;
    const double length = length_of(&self, time);
    if (!(time > 0.0))
        time = time_of_motion(&self, length);
    if (self.damping > 0.0)
        time = time > 0.0 ? fmin(time, 1.0 / self.damping) : 1.0 / self.damping;
    if (!(time > 0.0) && !work->model->has_bodies) { /* what slides along its contacts without forces */
        add_speeds(&self);
        time = time_of_motion(&self, length);
    }
    scales->time = time > 0.0 && isfinite(time) ? time : h;
    if (length > 0.0 && isfinite(length))
        scales->length = length;
    else if (self.acceleration > 0.0 || self.speed > 0.0) /* at rest at the origin, or no force: one step */
        scales->length = fmax(self.speed * h, self.acceleration * h * h);
    if (self.mass > 0.0)
        scales->mass = self.mass;
    return CAROM_OK;
}
