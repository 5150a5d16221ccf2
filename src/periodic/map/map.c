/* The map of a period by the event-driven scheme, and Newton's method for its fixed points:
 *
 *   driven        x(t0 + T) = x(t0)                           unknown x
 *   otherwise     x(T) = x(0),  (x - reference) . along = 0   unknown x, T */
#include "map.h"

#include <math.h>
#include <string.h>

#include "carom/model/forcing.h"
#include "carom/periodic/multipliers.h"

/* The scheme is good to some 1e-11. */
static const double state_step = 5e-5, parameter_step = 1e-5, map_tolerance = 1e-9;

enum {
    ITERATIONS = 40
};

double map_period(const carom_period_map *self)
{
    const double forcing = self->driven && self->multiple > 0 ? carom_model_driven_period(self->work) : NAN;
    return forcing > 0.0 ? self->multiple * forcing : self->period;
}

/* ---- life --------------------------------------------------------------------------------------------- */

static carom_status check(const carom_map_problem *problem, carom_error *error)
{
    if (!problem->model || !(problem->period > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the map of a period needs a model and a period above 0 (got %g)", problem->period);
    if (problem->model->joints > 0 || problem->model->has_bodies)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the map of a period moves every coordinate by itself: models with joints or bodies are not "
            "treated");
    if (problem->model->dof > MAP_COORDINATES)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the map of a period is for at most %d coordinates (the model has %d)",
                          MAP_COORDINATES, problem->model->dof);
    return CAROM_OK;
}

static bool take_memory(carom_period_map *self)
{
    carom_arena *arena = self->arena;
    const size_t size = (size_t)self->size, unknowns = size + 1;
    double **vector[] = {&self->scale, &self->reference, &self->along,     &self->x,
                         &self->end,   &self->real,      &self->imaginary, NULL};
    for (int i = 0; vector[i]; i++)
        if (!(*vector[i] = carom_arena_take(arena, unknowns, sizeof(double))))
            return false;
    self->parameter = carom_arena_take(arena, (size_t)self->model->parameters, sizeof(double));
    self->beside = carom_arena_take(arena, 3 * unknowns, sizeof(double));
    self->matrix = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    self->work = self->model->ops->work_create(self->model);
    return self->parameter && self->beside && self->matrix && self->work &&
           carom_contact_frame_take(arena, self->model, &self->frame);
}

carom_status carom_period_map_create(const carom_map_problem *problem, carom_period_map **map,
                                     carom_error *error)
{
    *map = NULL;
    carom_status status = check(problem, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    carom_period_map *self = arena ? carom_arena_take(arena, 1, sizeof *self) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    self->arena = arena;
    self->model = problem->model;
    self->dof = problem->model->dof;
    self->size = 2 * self->dof;
    self->driven = problem->driven;
    self->unknowns = self->size + !problem->driven;
    self->period = problem->period;
    self->multiple = problem->multiple;
    self->free = -1;
    if (!take_memory(self)) {
        carom_period_map_free(self);
        return carom_fail_memory(error);
    }
    if (self->model->parameters > 0)
        memcpy(self->parameter, problem->parameter, (size_t)self->model->parameters * sizeof(double));
    self->model->ops->bind(self->work, self->parameter);
    status = self->model->ops->check ? self->model->ops->check(self->work, error) : CAROM_OK;
    if (status == CAROM_OK)
        *map = self;
    else
        carom_period_map_free(self);
    return status;
}

void carom_period_map_free(carom_period_map *map)
{
    if (!map)
        return;
    if (map->work)
        map->model->ops->work_free(map->work);
    carom_arena_free(map->arena);
}

const double *carom_period_map_real(const carom_period_map *map)
{
    return map->real;
}

const double *carom_period_map_imaginary(const carom_period_map *map)
{
    return map->imaginary;
}

const carom_map_event *carom_period_map_events(const carom_period_map *map)
{
    return map->event;
}

bool map_bind(carom_period_map *self, double p)
{
    if (self->free < 0 || self->parameter[self->free] == p)
        return true;
    self->parameter[self->free] = p;
    self->model->ops->bind(self->work, self->parameter);
    return !self->model->ops->check || self->model->ops->check(self->work, NULL) == CAROM_OK;
}

/* ---- the map ------------------------------------------------------------------------------------------ */

static void take_event(void *context, const carom_event *event)
{
    carom_period_map *self = context;
    if (event->kind == CAROM_EVENT_IMPACT) {
        self->impacts++;
        self->approach = fmin(self->approach, -event->rate_before);
        self->strongest = fmax(self->strongest, -event->rate_before);
    }
    if (event->q)
        self->reach = fmax(self->reach, carom_largest(self->dof, event->q));
    if (self->events < CAROM_MAP_EVENTS)
        self->event[self->events++] = (carom_map_event){.t = event->t,
                                                        .kind = event->kind,
                                                        .contact = event->contact,
                                                        .rate_before = event->rate_before,
                                                        .impulse = event->impulse};
}

/* A run that closes contacts where impacts accumulate. */
carom_status map_begin_run(carom_period_map *self, double t, double h, const double *state,
                           carom_stepper **run, carom_error *error)
{
    const carom_option option[] = {{.name = "zeno", .word = "continue"}, {0}};
    return carom_stepper_create(carom_scheme_with(CAROM_SCHEME_LOCATES_IMPACTS), self->work,
                                &(carom_step_settings){.t0 = t, .h = h, .no_works = true, .option = option},
                                state, state + self->dof, run, error);
}

bool map_apply(carom_period_map *self, double t, double period, const double *state, bool listens, double *to)
{
    carom_stepper *run = NULL;
    self->stopped = (carom_error){0};
    carom_status status = map_begin_run(self, t, period, state, &run, &self->stopped);
    if (status == CAROM_OK && listens) {
        self->events = self->impacts = 0;
        self->approach = INFINITY;
        self->strongest = 0.0;
        self->reach = carom_largest(self->dof, state);
        run->listener = (carom_event_listener){self, take_event};
    }
    if (status == CAROM_OK)
        status = carom_stepper_step(run, &self->stopped);
    if (status == CAROM_OK) {
        memcpy(to, run->state.q, (size_t)self->dof * sizeof *to);
        memcpy(to + self->dof, run->state.v, (size_t)self->dof * sizeof *to);
    }
    carom_stepper_free(run);
    return status == CAROM_OK && carom_all_finite(self->size, to);
}

/* ---- equations ---------------------------------------------------------------------------------------- */

static double start_of(const carom_period_map *self)
{
    return self->driven ? self->phase * map_period(self) : 0.0;
}

bool map_residual(void *context, const double *x, double p, double *f)
{
    carom_period_map *self = context;
    const int size = self->size;
    if (!map_bind(self, p))
        return false;
    const double period = self->driven ? map_period(self) : x[size];
    if (!(period > 0.0) || !map_apply(self, start_of(self), period, x, false, self->end))
        return false;
    for (int i = 0; i < size; i++)
        f[i] = (self->end[i] - x[i]) / self->scale[i];
    if (!self->driven) {
        f[size] = 0.0;
        for (int i = 0; i < size; i++)
            f[size] += self->along[i] * (x[i] - self->reference[i]) / self->scale[i];
    }
    return true;
}

/* Column of the matrix that a change of T or p gives, by differences of the residual. */
static bool column_beside(carom_period_map *self, double *x, double p, int which, double h, double *low,
                          double *high)
{
    const int n = self->unknowns;
    const double kept = which < 0 ? p : x[which];
    for (int i = 0; i < n; i++)
        low[i] = high[i] = 0.0;
    for (int side = 0; side < 2; side++) {
        const double moved = kept + (side ? h : -h);
        if (which >= 0)
            x[which] = moved;
        const bool good = map_residual(self, x, which < 0 ? moved : p, side ? high : low);
        if (which >= 0)
            x[which] = kept;
        if (!good)
            return false;
    }
    for (int i = 0; i < n; i++)
        high[i] = (high[i] - low[i]) / (2.0 * h);
    return true;
}

bool map_jacobian(void *context, const double *x, double p, double *by_x, double *by_p)
{
    carom_period_map *self = context;
    const int size = self->size, n = self->unknowns;
    double *copy = self->x;
    if (!map_bind(self, p))
        return false;
    const double period = self->driven ? map_period(self) : x[size];
    if (!map_differentiate(self, start_of(self), period, x, self->matrix))
        return false;
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            by_x[(ptrdiff_t)i * n + k] =
                (self->matrix[(ptrdiff_t)i * size + k] - (i == k ? 1.0 : 0.0)) / self->scale[i];
    double low[MAP_UNKNOWNS];
    memcpy(copy, x, (size_t)n * sizeof *copy);
    memset(by_p, 0, (size_t)n * sizeof *by_p);
    if (!self->driven) {
        if (!column_beside(self, copy, p, size, state_step * period, low, by_p))
            return false;
        for (int i = 0; i < n; i++)
            by_x[(ptrdiff_t)i * n + size] = by_p[i];
        for (int k = 0; k < size; k++)
            by_x[(ptrdiff_t)size * n + k] = self->along[k] / self->scale[k];
        by_x[(ptrdiff_t)size * n + size] = 0.0;
        memset(by_p, 0, (size_t)n * sizeof *by_p);
    }
    return self->free < 0 ||
           column_beside(self, copy, p, -1, parameter_step * self->parameter_scale, low, by_p);
}

/* Why a period could not be computed. */
static carom_status failure_of(const carom_period_map *self)
{
    return self->stopped.status == CAROM_NO_MEMORY ? CAROM_NO_MEMORY : CAROM_FAILED;
}

/* ---- solution ----------------------------------------------------------------------------------------- */

carom_status map_prepare(carom_period_map *self, const carom_mapped *motion, carom_error *error)
{
    const int n = self->dof;
    const double period = self->driven ? map_period(self) : motion->period;
    double length = carom_largest(n, motion->q), speed = carom_largest(n, motion->v);
    length = fmax(fmax(length, motion->reach), 0.01 * speed * period);
    speed = fmax(speed, 0.1 * length / period);
    if (!(length > 0.0))
        length = speed = 1.0;
    for (int i = 0; i < self->size; i++)
        self->scale[i] = i < n ? length : speed;
    self->scale[self->size] = period;
    self->phase = motion->phase;
    if (self->driven)
        return CAROM_OK;
    memcpy(self->reference, motion->q, (size_t)n * sizeof(double));
    memcpy(self->reference + n, motion->v, (size_t)n * sizeof(double));
    const double h = 1e-4 * period;
    if (!map_apply(self, 0.0, h, self->reference, false, self->along))
        return carom_fail(error, failure_of(self), "%.900s", self->stopped.text);
    double square = 0.0;
    for (int i = 0; i < self->size; i++) {
        self->along[i] = (self->along[i] - self->reference[i]) / self->scale[i];
        square += self->along[i] * self->along[i];
    }
    for (int i = 0; i < self->size; i++)
        self->along[i] /= square > 0.0 ? sqrt(square) : 1.0;
    return CAROM_OK;
}

int map_shift_in_time(const carom_period_map *map)
{
    int known = -1;
    double nearest = INFINITY;
    for (int i = 0; i < map->size && !map->driven; i++) {
        const double distance = hypot(map->real[i] - 1.0, map->imaginary[i]);
        if (distance < nearest) {
            nearest = distance;
            known = i;
        }
    }
    return known;
}

/* The largest multiplier, without that of a shift in time. */
static double largest_multiplier(const carom_period_map *self)
{
    const int known = map_shift_in_time(self);
    double largest = 0.0;
    for (int i = 0; i < self->size; i++)
        if (i != known)
            largest = fmax(largest, hypot(self->real[i], self->imaginary[i]));
    return largest;
}

carom_status map_describe(carom_period_map *self, const double *x, carom_mapped *motion, carom_error *error)
{
    const int n = self->dof, size = self->size;
    motion->period = self->driven ? map_period(self) : x[size];
    motion->t0 = start_of(self);
    motion->phase = self->phase;
    memcpy(motion->q, x, (size_t)n * sizeof *x);
    memcpy(motion->v, x + n, (size_t)n * sizeof *x);
    if (!map_differentiate(self, motion->t0, motion->period, x, self->matrix) ||
        !map_apply(self, motion->t0, motion->period, x, true, self->end))
        return carom_fail(error, failure_of(self), "the period from t = %.9g cannot be computed: %.800s",
                          motion->t0, self->stopped.text);
    motion->impacts = self->impacts;
    motion->events = self->events;
    motion->reach = self->reach;
    motion->energy = self->model->ops->energy(self->work, motion->t0, motion->q, motion->v);
    double unused = 0.0;
    carom_monodromy_in_time(n, motion->period, self->matrix);
    const carom_status status =
        carom_multipliers(size, self->matrix, self->real, self->imaginary, &unused, error);
    motion->multiplier = status == CAROM_OK ? largest_multiplier(self) : NAN;
    return status;
}

carom_status carom_period_map_solve(carom_period_map *map, carom_mapped *motion, carom_error *error)
{
    carom_status status = map_prepare(map, motion, error);
    if (status != CAROM_OK)
        return status;
    double x[MAP_UNKNOWNS];
    map_pack(map, motion, x);
    const carom_arclength_problem problem = {.size = map->unknowns,
                                             .context = map,
                                             .residual = map_residual,
                                             .jacobian = map_jacobian,
                                             .scale = map->scale};
    carom_arclength_options options = carom_arclength_defaults();
    options.tolerance = map_tolerance;
    options.iterations = ITERATIONS;
    carom_error lost = {0};
    status = carom_newton(&problem, &options, 0.0, x, &motion->iterations, &motion->residual, &lost);
    if (status == CAROM_FAILED)
        return carom_fail(
            error, failure_of(map),
            "the map of the period has no fixed point next to the guess: after %d iterations the residual "
            "is %.3g%s%.600s; let the run settle longer, or start it elsewhere",
            motion->iterations, motion->residual, map->stopped.text[0] ? " and the scheme says: " : "",
            map->stopped.text);
    if (status != CAROM_OK)
        return carom_fail(error, status, "%.1000s", lost.text);
    return map_describe(map, x, motion, error);
}

carom_status carom_period_map_sample(carom_period_map *self, const carom_mapped *motion, int rows,
                                     double *row, carom_error *error)
{
    const int n = self->dof, width = 1 + self->size;
    carom_stepper *run = NULL;
    memcpy(self->x, motion->q, (size_t)n * sizeof(double));
    memcpy(self->x + n, motion->v, (size_t)n * sizeof(double));
    carom_status status = map_begin_run(self, motion->t0, motion->period / (rows - 1), self->x, &run, error);
    for (int i = 0; i < rows && status == CAROM_OK; i++) {
        double *to = row + (ptrdiff_t)i * width;
        to[0] = run->state.t - motion->t0;
        memcpy(to + 1, run->state.q, (size_t)n * sizeof *to);
        memcpy(to + 1 + n, run->state.v, (size_t)n * sizeof *to);
        if (i + 1 < rows)
            status = carom_stepper_step(run, error);
    }
    carom_stepper_free(run);
    return status;
}
