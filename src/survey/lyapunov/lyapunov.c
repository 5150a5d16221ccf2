/* Lyapunov exponents by orthonormal columns (Benettin, Galgani, Giorgilli and Strelcyn 1980).
 *
 *   S_k Q_k-1 = Q_k R_k over each step,   exponent i = mean of log R_k,ii over the time
 *
 * Of regular motions the logarithms are quasi-periodic, and a mean with the weight exp(-1/(s (1 - s))), s from 0 to 1 over the
 * time, converges faster than any power (Das and others 2017), where the plain mean has the error 1/time. */
#include "lyapunov.h"

#include <math.h>
#include <string.h>

enum {
    POINTS = 400
};

/* Means of both windows that differ by less, relative to 1 / self->unit and their size: a regular motion. Impacts within steps leave what falls
 * with the square of the time, and chaos what falls with its root. */
static const double regular_difference = 1e-6, regular_square = 20.0;

/* Seconds between two questions whether to go on: after steps, where a checkpoint can be made, and within a long one. */
static const double asks_every = 0.02, asks_within = 0.5;

static bool take_memory(lyapunov *self)
{
    carom_lyapunov *result = self->result;
    const carom_model *model = self->stepping->stepper->model;
    const size_t count = (size_t)result->count, n = (size_t)model->dof;
    const size_t points = (size_t)self->points;
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&result->exponent, count},
                  {&result->spread, count},
                  {&result->point_time, points + 1},
                  {&result->point, carom_product(points + 1, count)},
                  {&self->log_sum, count},
                  {&self->weighted[0], count},
                  {&self->weighted[1], count},
                  {&self->mean_low, count},
                  {&self->mean_high, count},
                  {&self->by_u, carom_product(n, n)},
                  {&self->mass, carom_product(n, n)},
                  {&self->scratch, n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(result->arena, arrays[i].size, sizeof(double))))
            return false;
    self->pivot = carom_arena_take(result->arena, n, sizeof(int));
    self->regime = carom_arena_take(result->arena, (size_t)model->contacts, 1);
    return self->pivot && self->regime &&
           (model->contacts == 0 || carom_contact_frame_take(result->arena, model, &self->frame));
}

/* A velocity is a position per self->unit. */
static carom_status find_weights(lyapunov *self, carom_error *error)
{
    const carom_tangent *tangent = self->tangent;
    const carom_stepper *stepper = tangent->stepper;
    const int positions = carom_model_positions(stepper->model), state = positions + stepper->dof;
    self->weight = carom_arena_take(self->result->arena, (size_t)tangent->size, sizeof *self->weight);
    if (!self->weight)
        return carom_fail_memory(error);
    if (tangent->ops->sizes)
        tangent->ops->sizes(stepper, self->unit, self->weight + state);
    for (int i = 0; i < tangent->size; i++)
        self->weight[i] = i < positions ? 1.0 : i < state ? self->unit : 1.0 / self->weight[i];
    return CAROM_OK;
}

/* Columns of the start: unit vectors turned a little, so that none lies along an axis of symmetry. */
static carom_status start_columns(lyapunov *self, carom_error *error)
{
    carom_stepper *stepper = self->stepping->stepper;
    const carom_model *model = stepper->model;
    const int count = self->result->count, positions = carom_model_positions(model),
              width = positions + model->dof;
    carom_arena *arena = self->result->arena;
    carom_tangent_column *column = carom_arena_take(arena, (size_t)count, sizeof *column);
    double *start = carom_arena_take(arena, carom_product((size_t)count, (size_t)width), sizeof *start);
    if (!column || !start)
        return carom_fail_memory(error);
    for (int c = 0; c < count; c++) {
        double *at = start + (ptrdiff_t)c * width;
        for (int i = 0; i < width; i++)
            at[i] = ((i == c ? 1.0 : 0.0) + 0.1 * sin(1.0 + 3.7 * c + 1.3 * i)) /
                    (i < positions ? 1.0 : self->unit);
        column[c].q0 = at;
        column[c].v0 = at + positions;
    }
    const carom_status status = carom_tangent_create(stepper, count, column, &self->tangent, error);
    return status == CAROM_OK ? find_weights(self, error) : status;
}

/* ---- the divergence of the flow and of impacts ---------------------------------------------------------------------------- */

static bool slips(const carom_model *model)
{
    for (int contact = 0; contact < model->contacts; contact++)
        if (model->contact[contact].tangents > 0 || model->contact[contact].friction_force)
            return true;
    return model->joints > 0;
}

double lyapunov_divergence(const carom_stepper *stepper, double *by_u, double *mass, double *scratch,
                           int *pivot)
{
    const carom_state *state = &stepper->state;
    const int n = stepper->dof;
    double trace = 0.0;
    stepper->model->ops->force_jacobian(stepper->work, state->t, state->q, state->v, NULL, by_u);
    stepper->model->ops->mass(stepper->work, state->t, state->q, mass);
    if (carom_lu_factor(n, mass, pivot) != 0)
        return NAN;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            scratch[i] = by_u[i * n + j];
        carom_lu_solve(n, mass, pivot, scratch);
        trace += scratch[j];
    }
    return trace;
}

static double divergence_at_state(lyapunov *self)
{
    return lyapunov_divergence(self->stepping->stepper, self->by_u, self->mass, self->scratch, self->pivot);
}

/* A step: by the trapezoidal rule. */
static void add_divergence(lyapunov *self, double length)
{
    const double now = divergence_at_state(self);
    if (self->counts)
        self->divergence += 0.5 * length * (self->divergence_before + now);
    self->divergence_before = now;
}

static bool follows_motion(const lyapunov *self)
{
    return self->stepping->stepper->ops->abilities & (CAROM_SCHEME_LOCATES_IMPACTS | CAROM_SCHEME_OWN_STEPS);
}

/* Of a motion an impact shrinks volumes by e^2, of a step by e. */
static void count_impact(lyapunov *self, double ratio)
{
    if (!self->counts)
        return;
    self->result->impacts++;
    if (ratio > 0.0)
        self->jumps += (follows_motion(self) ? 2.0 : 1.0) * log(ratio);
    else
        self->uncheckable = true;
}

/* e of a contact's impacts, as the model states it. */
static double restitution_at(lyapunov *self, int contact, double t, const double *q)
{
    const carom_stepper *stepper = self->stepping->stepper;
    stepper->model->ops->frame(stepper->work, contact, t, q, &self->frame);
    return stepper->model->contact[contact].has_restitution ? self->frame.restitution : 0.0;
}

/* Where an impact takes time, no velocity jumps at its begin. */
static void take_event(void *context, const carom_event *event)
{
    lyapunov *self = context;
    const bool jumps = self->stepping->stepper->ops->abilities & CAROM_SCHEME_LOCATES_IMPACTS;
    if (event->kind == CAROM_EVENT_IMPACT)
        count_impact(self, jumps ? -event->rate_after / event->rate_before
                                 : restitution_at(self, event->contact, event->t, event->q));
    else if (event->kind != CAROM_EVENT_RELEASE && self->counts)
        self->uncheckable = true;
}

/* Of schemes that do not report impacts: contacts that begin to carry impulses. */
static void count_impacts(lyapunov *self)
{
    const carom_stepper *stepper = self->stepping->stepper;
    const carom_state *state = &stepper->state;
    if (stepper->ops->abilities & CAROM_SCHEME_EVENTS)
        return;
    for (int contact = 0; contact < stepper->contacts; contact++) {
        const bool touches = state->regime[contact] != CAROM_CONTACT_OPEN;
        const bool touched = self->regime[contact] != CAROM_CONTACT_OPEN;
        self->regime[contact] = state->regime[contact];
        if (touches && touched && self->counts && !follows_motion(self))
            self->uncheckable =
                true; /* a contact that lasts shrinks them in each step, by the scheme's rule */
        if (!touches || touched)
            continue;
        count_impact(self, restitution_at(self, contact, state->t, state->q));
    }
}

/* ---- orthonormal columns ------------------------------------------------------------------------------------------------- */

/* Product of two columns, in the sizes of their numbers: without a unit that one of them would set. */
static double product(const lyapunov *self, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < self->tangent->size; i++)
        sum += self->weight[i] * a[i] * (self->weight[i] * b[i]);
    return sum;
}

/* Gram and Schmidt, twice. A column that is nothing beside the others becomes a unit vector, and its length is 0. False when a
 * column is no vector of numbers. */
static bool orthonormalise(lyapunov *self, double *length)
{
    carom_tangent *tangent = self->tangent;
    const int size = tangent->size;
    double largest = 0.0, smallest = INFINITY;
    for (int c = 0; c < tangent->columns; c++) {
        double *column = carom_tangent_q(tangent, c);
        const double whole = sqrt(product(self, column, column));
        if (!isfinite(whole))
            return false;
        length[c] = whole;
        for (int attempt = 0; attempt < size + 1; attempt++) {
            for (int twice = 0; twice < 2; twice++)
                for (int b = 0; b < c; b++) {
                    const double *other = carom_tangent_q(tangent, b);
                    carom_axpy(size, -product(self, other, column), other, column);
                }
            const double rest = sqrt(product(self, column, column));
            if (attempt == 0)
                length[c] = rest > 1e-15 * whole ? rest : 0.0;
            if (rest > 0.0 && (attempt > 0 ? rest > 0.1 : length[c] > 0.0)) {
                for (int i = 0; i < size; i++)
                    column[i] /= rest;
                break;
            }
            for (int i = 0; i < size; i++)
                column[i] = i == (c + attempt) % size ? 1.0 / self->weight[i] : 0.0;
        }
        largest = fmax(largest, length[c]);
        smallest = fmin(smallest, length[c]);
    }
    if (self->counts && smallest > 0.0)
        self->result->least_ratio = fmin(self->result->least_ratio, smallest / largest);
    return true;
}

static double weight_of(double s)
{
    return s > 0.0 && s < 1.0 ? exp(-1.0 / (s * (1.0 - s))) : 0.0;
}

static void add_logarithms(lyapunov *self, const double *length, double middle, double step)
{
    const double time = self->request->time, s = (middle - self->begin) / time;
    const double weight[LYAPUNOV_WINDOWS] = {weight_of(s), weight_of(2.0 * s - 1.0)};
    for (int k = 0; k < LYAPUNOV_WINDOWS; k++)
        self->weight_sum[k] += weight[k] * step;
    for (int c = 0; c < self->result->count; c++) {
        const double value = length[c] > 0.0 ? log(length[c]) : -INFINITY;
        self->log_sum[c] += value;
        for (int k = 0; k < LYAPUNOV_WINDOWS; k++)
            if (weight[k] > 0.0)
                self->weighted[k][c] += weight[k] * value;
    }
}

/* A point of the convergence, when it is due. */
static void add_point(lyapunov *self, double t)
{
    carom_lyapunov *result = self->result;
    const int all = self->points;
    const double done = t - self->begin;
    const bool second_half = done >= 0.5 * self->request->time;
    for (int c = 0; second_half && c < result->count; c++) {
        const double mean = self->log_sum[c] / done;
        self->mean_low[c] = fmin(self->mean_low[c], mean);
        self->mean_high[c] = fmax(self->mean_high[c], mean);
    }
    if (result->point_count >= all ||
        done < (result->point_count + 1) * self->request->time / all - 1e-9 * done)
        return;
    result->point_time[result->point_count] = done;
    for (int c = 0; c < result->count; c++)
        result->point[(ptrdiff_t)result->point_count * result->count + c] = self->log_sum[c] / done;
    result->point_count++;
}

/* ---- the motion ------------------------------------------------------------------------------------------------------------ */

static carom_status ask(lyapunov *self, double done, carom_error *error)
{
    const carom_progress *progress = &self->request->progress;
    const double all = self->request->transient + self->request->time;
    if (progress->report && !progress->report(progress->context, fmin(done, all), all))
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted at t = %.10g",
                          self->stepping->stepper->state.t);
    return CAROM_OK;
}

/* Within a step, which may be long where it is only the time between two looks at the columns. */
static bool asks_to_stop(void *context)
{
    lyapunov *self = context;
    const double now = carom_seconds();
    if (now - self->asked < asks_within)
        return false;
    self->asked = now;
    carom_error error = {0};
    return ask(self, self->stepping->stepper->state.t - self->t0, &error) != CAROM_OK;
}

static void begin_counting(lyapunov *self)
{
    self->counts = true;
    self->begin = self->stepping->stepper->state.t;
    for (int c = 0; c < self->result->count; c++) {
        self->mean_low[c] = INFINITY;
        self->mean_high[c] = -INFINITY;
    }
}

/* One step of the motion and its columns, and what it adds. */
static carom_status go_on(lyapunov *self, double *length, carom_error *error)
{
    const carom_stepper *stepper = self->stepping->stepper;
    carom_tangent *tangent = self->tangent;
    const double before = stepper->state.t;
    const int breaks = tangent->breaks;
    const carom_status status = carom_tangent_step(tangent, error);
    if (status != CAROM_OK)
        return status;
    if (tangent->lost) {
        const int last = tangent->breaks < CAROM_BREAKS_KEPT ? tangent->breaks : CAROM_BREAKS_KEPT;
        return carom_fail(error, CAROM_FAILED, "t = %.9g: %s", stepper->state.t,
                          last > 0 ? tangent->kept[last - 1].why : "derivatives are lost");
    }
    if (self->counts && tangent->breaks > breaks && self->result->breaks++ == 0 && breaks < CAROM_BREAKS_KEPT)
        self->result->first_break = tangent->kept[breaks];
    count_impacts(self);
    add_divergence(self, stepper->state.t - before);
    if (!orthonormalise(self, length))
        return carom_fail(error, CAROM_FAILED, "t = %.9g: the derivatives of the step are not finite",
                          stepper->state.t);
    if (self->counts) {
        add_logarithms(self, length, 0.5 * (before + stepper->state.t), stepper->state.t - before);
        add_point(self, stepper->state.t);
    }
    return CAROM_OK;
}

static bool is_save_due(const lyapunov *self, double now)
{
    const carom_checkpoint *checkpoint = self->request->checkpoint;
    return checkpoint && checkpoint->save &&
           now - self->saved > fmax(checkpoint->seconds, 30.0 * self->saving);
}

/* Every few milliseconds: is it to go on, is a checkpoint due? */
static carom_status look_around(lyapunov *self, double now, carom_error *error)
{
    const carom_status status = ask(self, self->stepping->stepper->state.t - self->t0, error);
    if (!is_save_due(self, now) && status != CAROM_INTERRUPTED)
        return status;
    carom_error saving = {0};
    const carom_status saved = lyapunov_save(self, status == CAROM_OK ? error : &saving);
    return status == CAROM_OK ? saved : status;
}

static carom_status follow(lyapunov *self, carom_error *error)
{
    carom_stepper *stepper = self->stepping->stepper;
    const double transient = self->request->transient, end = self->t0 + transient + self->request->time;
    double *length = carom_arena_take(self->result->arena, (size_t)self->result->count, sizeof *length);
    carom_status status = length ? CAROM_OK : carom_fail_memory(error);
    self->asked = self->saved = carom_seconds();
    while (status == CAROM_OK && stepper->state.t < end - 1e-9 * stepper->h) {
        if (!self->counts && stepper->state.t >= self->t0 + transient - 1e-9 * stepper->h)
            begin_counting(self);
        status = go_on(self, length, error);
        const double now = carom_seconds();
        if (status == CAROM_OK && now - self->asked > asks_every) {
            self->asked = now;
            status = look_around(self, now, error);
        }
    }
    return status;
}

/* ---- the result ------------------------------------------------------------------------------------------------------------- */

static bool is_regular(const lyapunov *self)
{
    if (!(self->result->time >= 0.999 * self->request->time) || !(self->weight_sum[1] > 0.0))
        return false;
    const double turns = self->result->time / self->unit;
    const double least = regular_difference + regular_square / (turns * turns);
    for (int c = 0; c < self->result->count; c++) {
        const double whole = self->weighted[0][c] / self->weight_sum[0],
                     half = self->weighted[1][c] / self->weight_sum[1];
        if (!(fabs(whole - half) <= least * (1.0 / self->unit + fabs(whole))))
            return false;
    }
    return true;
}

static void sum_up(lyapunov *self)
{
    carom_lyapunov *result = self->result;
    const carom_model *model = self->stepping->stepper->model;
    result->time = self->counts ? self->stepping->stepper->state.t - self->begin : 0.0;
    if (!(result->time > 0.0))
        return;
    result->regular = is_regular(self);
    for (int c = 0; c < result->count; c++) {
        const double mean = self->log_sum[c] / result->time,
                     whole = self->weighted[0][c] / self->weight_sum[0];
        result->exponent[c] = result->regular ? whole : mean;
        result->spread[c] = result->regular ? fabs(whole - self->weighted[1][c] / self->weight_sum[1])
                                            : self->mean_high[c] - self->mean_low[c];
        if (!(result->spread[c] >= 0.0))
            result->spread[c] = NAN;
        result->sum += mean;
    }
    result->divergence = self->divergence / result->time;
    result->jumps = self->jumps / result->time;
    result->checked = result->count == 2 * model->dof && !self->uncheckable && !slips(model) &&
                      isfinite(result->divergence) && isfinite(result->sum);
}

static void describe(lyapunov *self)
{
    const carom_lyapunov_request *request = self->request;
    const carom_stepper *stepper = self->stepping->stepper;
    carom_lyapunov *result = self->result;
    result->scheme = stepper->ops;
    result->locates = follows_motion(self);
    result->h = stepper->h;
    result->transient = request->transient;
    result->count = request->exponents > 0 ? request->exponents : 2 * stepper->dof;
}

/* At the start, or where a checkpoint was made; *fits false: it is of another motion. */
static carom_status set_up(lyapunov *self, bool *fits, carom_error *error)
{
    const carom_checkpoint *checkpoint = self->request->checkpoint;
    const bool resumes = checkpoint && checkpoint->bytes;
    carom_snapshot kept =
        resumes ? carom_snapshot_of(checkpoint->bytes, checkpoint->count) : (carom_snapshot){0};
    carom_status status = lyapunov_begin(self, error);
    if (status != CAROM_OK)
        return status;
    describe(self);
    self->points = self->request->points > 0 ? self->request->points : POINTS;
    if (!take_memory(self))
        return carom_fail_memory(error);
    self->t0 = self->stepping->stepper->state.t;
    if (self->request->time < self->stepping->stepper->h)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a time of %g is shorter than one step, h = %g: give more of it",
                          self->request->time, self->stepping->stepper->h);
    *fits = !resumes || lyapunov_restore_motion(self, &kept);
    if (*fits)
        status = start_columns(self, error);
    if (!*fits || status != CAROM_OK)
        return status;
    self->stepping->stepper->listener = (carom_event_listener){self, take_event};
    self->stepping->stepper->stop = (carom_stop){self, asks_to_stop};
    self->divergence_before = divergence_at_state(self);
    *fits = !resumes || lyapunov_restore_means(self, &kept);
    return CAROM_OK;
}

carom_status carom_lyapunov_run(const carom_lyapunov_request *request, carom_lyapunov *result,
                                carom_error *error)
{
    carom_lyapunov_request filled = *request;
    lyapunov self = {.request = &filled, .result = result};
    bool fits = true;
    *result = (carom_lyapunov){.least_ratio = 1.0};
    carom_status status = carom_lyapunov_times(request, &filled.transient, &filled.time, &self.unit, error);
    if (status != CAROM_OK)
        return status;
    result->arena = carom_arena_create();
    if (!result->arena)
        return carom_fail_memory(error);
    status = set_up(&self, &fits, error);
    if (status == CAROM_OK && fits)
        status = follow(&self, error);
    if (self.tangent && fits)
        sum_up(&self);
    carom_tangent_free(self.tangent);
    carom_stepping_free(self.stepping);
    if (status != CAROM_OK || fits)
        return status;
    carom_lyapunov_free(result);
    carom_checkpoint anew = *request->checkpoint;
    carom_lyapunov_request from_start = *request;
    anew.bytes = NULL;
    from_start.checkpoint = &anew;
    return carom_lyapunov_run(&from_start, result, error);
}

void carom_lyapunov_free(carom_lyapunov *result)
{
    carom_arena_free(result->arena);
    *result = (carom_lyapunov){0};
}
