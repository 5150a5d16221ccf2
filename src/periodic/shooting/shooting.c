/* Shooting: the equations of a periodic motion with k impacts, and Newton's method for them.
 *
 *   SYMMETRIC      q, a          gap(q) = 0,  v(T/2) = 0 from v(0+) = a M^-1 n       n + 1 equations
 *   otherwise      q, v, flights x_k = x_0,  gap = 0 at the end of each flight       2n + k
 *   CONSERVATIVE   and a damping, FORCED and the time of the first impact            sum of flights = T
 *
 * With a conserved energy one of the equations x_k = x_0 follows from the others; a damping as a further
 * unknown, which must come out as zero, makes the system regular. */
#include "shooting.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/model/forcing.h"

static bool has_period_equation(const carom_shooting *self)
{
    return self->kind == CAROM_SHOOT_CONSERVATIVE || (self->kind == CAROM_SHOOT_FORCED && self->impacts > 0);
}

double shooting_period(const carom_shooting *self)
{
    if (self->kind == CAROM_SHOOT_FORCED && self->frequency >= 0)
        return self->multiple * 2.0 * CAROM_PI / self->parameter[self->frequency];
    if (self->kind == CAROM_SHOOT_FORCED && self->multiple > 0 && self->forcing > 0.0)
        return self->multiple * self->forcing;
    return self->period;
}

double shooting_forcing(const carom_shooting *self, carom_model_work *work, const double *parameter)
{
    if (self->kind != CAROM_SHOOT_FORCED)
        return 0.0;
    if (self->frequency >= 0)
        return 2.0 * CAROM_PI / fabs(parameter[self->frequency]);
    const double period = carom_model_driven_period(work);
    return period > 0.0 ? period : self->period;
}

/* After the parameters have changed: the period of what drives the model, and the time in which forces change. Returns false
 * if allocation fails. */
static bool look_at_forcing(carom_shooting *self)
{
    self->forcing = self->kind == CAROM_SHOOT_FORCED ? carom_model_driven_period(self->work) : NAN;
    const double scale = self->forcing > 0.0 ? self->forcing : shooting_period(self);
    self->flow.time_scale = scale > 0.0 ? scale / 6.0 : 1.0;
    self->flow.switches = &self->switches[0];
    return switching_find(&self->switches[0], self->work,
                          shooting_forcing(self, self->work, self->parameter));
}

/* Is the period that of a parameter? */
static bool follows_frequency(const carom_shooting_problem *problem)
{
    return problem->kind == CAROM_SHOOT_FORCED && problem->frequency >= 0 && problem->multiple != 0;
}

/* ---- creation ----------------------------------------------------------------------------------------- */

static carom_status check_model(const carom_shooting_problem *problem, carom_error *error)
{
    const carom_model *model = problem->model;
    if (model->joints > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "shooting does not treat joints (the model has %d): write the model in coordinates "
                          "that need none",
                          model->joints);
    for (int i = 0; i < problem->impacts; i++) {
        const int contact = problem->contact[i];
        if (contact < 0 || contact >= model->contacts)
            return carom_fail(error, CAROM_BAD_INPUT, "impact %d is of contact %d; the model has %d", i + 1,
                              contact, model->contacts);
        if (model->contact[contact].tangents > 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has friction, which shooting does not treat: leave out its slip",
                              model->contact[contact].name);
        if (!model->contact[contact].has_restitution)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has no restitution: shooting needs one (1 for conserved energy)",
                              model->contact[contact].name);
    }
    return CAROM_OK;
}

static carom_status check(const carom_shooting_problem *problem, carom_error *error)
{
    const bool conserves =
        problem->kind == CAROM_SHOOT_CONSERVATIVE || problem->kind == CAROM_SHOOT_SYMMETRIC;
    if (!problem->model)
        return carom_fail(error, CAROM_BAD_INPUT, "shooting needs a model; none is given");
    if (!problem->contact && problem->impacts > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "shooting needs the contact of each impact; none are given");
    if (problem->impacts < (problem->kind == CAROM_SHOOT_FORCED ? 0 : 1))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "shooting needs at least one impact per period (got %d), unless the model is driven",
            problem->impacts);
    if (problem->kind == CAROM_SHOOT_SYMMETRIC && problem->impacts != 1)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the symmetric form has one impact per period (got %d): take the conservative form",
                          problem->impacts);
    if (conserves && !problem->model->conservative)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "the model has applied forces or depends on time: its energy is not conserved; take "
            "the forced or the autonomous form");
    const bool frequency = follows_frequency(problem);
    if (frequency && (problem->frequency >= problem->model->parameters || problem->multiple < 1))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the frequency is parameter %d of %d, the period %d times that of the force",
                          problem->frequency, problem->model->parameters, problem->multiple);
    if (problem->kind != CAROM_SHOOT_AUTONOMOUS && !frequency && !(problem->period > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "the period must be positive (got %g)", problem->period);
    return check_model(problem, error);
}

static int count_unknowns(const carom_shooting_problem *problem)
{
    const int dof = problem->model->dof;
    if (problem->kind == CAROM_SHOOT_SYMMETRIC)
        return dof + 1;
    if (problem->impacts == 0)
        return 2 * dof;
    return 2 * dof + problem->impacts + (problem->kind == CAROM_SHOOT_AUTONOMOUS ? 0 : 1);
}

static bool take_memory(carom_shooting *self)
{
    carom_arena *arena = self->arena;
    const size_t size = 2 * (size_t)self->dof, impacts = (size_t)self->flights;
    const size_t unknowns = (size_t)self->unknowns;
    self->chain = carom_arena_take(arena, carom_product(unknowns + 1, size), sizeof(double));
    self->delay = carom_arena_take(arena, unknowns + 1, sizeof(double));
    double **per_contact[] = {&self->gaps, &self->rates[0], &self->rates[1]};
    for (int i = 0; i < 3; i++)
        if (!(*per_contact[i] = carom_arena_take(arena, (size_t)self->model->contacts, sizeof(double))))
            return false;
    self->real = carom_arena_take(arena, size, sizeof(double));
    self->imaginary = carom_arena_take(arena, size, sizeof(double));
    for (int side = 0; side < 2; side++)
        self->parameters[side] = carom_arena_take(arena, (size_t)self->model->parameters, sizeof(double));
    self->contact = carom_arena_take(arena, impacts, sizeof(int));
    self->steps = carom_arena_take(arena, impacts, sizeof(int));
    self->parameter = carom_arena_take(arena, (size_t)self->model->parameters, sizeof(double));
    self->state = carom_arena_take(arena, size, sizeof(double));
    self->x = carom_arena_take(arena, unknowns, sizeof(double));
    self->scale = carom_arena_take(arena, unknowns, sizeof(double));
    self->columns = carom_arena_take(arena, 3 * size * size + 16 * size + 16, sizeof(double));
    self->shot.q = carom_arena_take(arena, size / 2, sizeof(double));
    self->shot.v = carom_arena_take(arena, size / 2, sizeof(double));
    self->shot.flight = carom_arena_take(arena, impacts, sizeof(double));
    return self->contact && self->steps && self->parameter && self->state && self->x && self->scale &&
           self->columns && self->shot.q && self->shot.v && self->shot.flight && self->chain && self->delay &&
           self->real && self->imaginary && self->parameters[0] && self->parameters[1] &&
           (self->work = self->model->ops->work_create(self->model)) &&
           shooting_flow_take(&self->flow, arena, self->work);
}

carom_status carom_shooting_create(const carom_shooting_problem *problem, carom_shooting **shooting,
                                   carom_error *error)
{
    *shooting = NULL;
    carom_status status = check(problem, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    carom_shooting *self = arena ? carom_arena_take(arena, 1, sizeof *self) : NULL;
    if (!self) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    *self = (carom_shooting){.arena = arena,
                             .model = problem->model,
                             .kind = problem->kind,
                             .dof = problem->model->dof,
                             .impacts = problem->impacts,
                             .flights = problem->impacts > 0 ? problem->impacts : 1,
                             .forcing = NAN,
                             .beside = NAN,
                             .unknowns = count_unknowns(problem),
                             .period = problem->period,
                             .frequency = follows_frequency(problem) ? problem->frequency : -1,
                             .multiple = problem->multiple,
                             .tolerance = problem->tolerance > 0.0 ? problem->tolerance : 1e-11,
                             .free = FREE_NONE};
    if (!take_memory(self)) {
        carom_shooting_free(self);
        return carom_fail_memory(error);
    }
    if (self->impacts > 0)
        memcpy(self->contact, problem->contact, (size_t)self->impacts * sizeof(int));
    memcpy(self->parameter, problem->parameter, (size_t)self->model->parameters * sizeof(double));
    self->model->ops->bind(self->work, self->parameter);
    if (!look_at_forcing(self)) {
        carom_shooting_free(self);
        return carom_fail_memory(error);
    }
    status = self->model->ops->check ? self->model->ops->check(self->work, error) : CAROM_OK;
    if (status == CAROM_OK)
        *shooting = self;
    else
        carom_shooting_free(self);
    return status;
}

void carom_shooting_free(carom_shooting *shooting)
{
    if (!shooting)
        return;
    if (shooting->work)
        shooting->model->ops->work_free(shooting->work);
    for (int i = 0; i < 3; i++)
        switching_free(&shooting->switches[i]);
    for (int side = 0; side < 2; side++)
        if (shooting->flow.beside_work[side])
            shooting->model->ops->work_free(shooting->flow.beside_work[side]);
    carom_arena_free(shooting->arena);
}

carom_status carom_shooting_set(carom_shooting *shooting, int parameter, double value, carom_error *error)
{
    if (parameter == CAROM_SHOOT_PERIOD) {
        if (!(value > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "the period must be positive (got %g)", value);
        shooting->period = value;
        return CAROM_OK;
    }
    if (parameter < 0 || parameter >= shooting->model->parameters)
        return carom_fail(error, CAROM_BAD_INPUT, "there is no parameter %d; the model has %d", parameter,
                          shooting->model->parameters);
    shooting->parameter[parameter] = value;
    shooting->model->ops->bind(shooting->work, shooting->parameter);
    shooting_flow_changed(&shooting->flow);
    shooting->beside = NAN;
    if (!look_at_forcing(shooting))
        return carom_fail_memory(error);
    return shooting->model->ops->check ? shooting->model->ops->check(shooting->work, error) : CAROM_OK;
}

bool shooting_bind(carom_shooting *shooting, double p)
{
    const int what = shooting->free;
    if (what == FREE_NONE)
        return true;
    if (what == CAROM_SHOOT_PERIOD ? shooting->period == p : shooting->parameter[what] == p)
        return true;
    return carom_shooting_set(shooting, what, p, NULL) == CAROM_OK;
}

/* ---- unknowns ----------------------------------------------------------------------------------------- */

void shooting_pack(carom_shooting *shooting, const carom_shot *shot, double *x)
{
    const int dof = shooting->dof, impacts = shooting->impacts;
    memcpy(x, shot->q, (size_t)dof * sizeof *x);
    if (shooting->kind == CAROM_SHOOT_SYMMETRIC) {
        /* v = a M^-1 n: the kinetic energy of v along n */
        shooting_flow *flow = &shooting->flow;
        double rate = 0.0, *state = shooting->state;
        memcpy(state, shot->q, (size_t)dof * sizeof *x);
        memcpy(state + dof, shot->v, (size_t)dof * sizeof *x);
        shooting_strike(flow, shooting->contact[0], 0.0, state); /* for the response M^-1 n */
        rate = carom_row_dot(&flow->frame.normal, shot->v);
        x[dof] = rate / carom_row_dot(&flow->frame.normal, flow->response);
        return;
    }
    memcpy(x + dof, shot->v, (size_t)dof * sizeof *x);
    shooting->start = shot->t0;
    if (impacts == 0)
        return;
    memcpy(x + 2 * dof, shot->flight, (size_t)impacts * sizeof *x);
    if (shooting->kind == CAROM_SHOOT_CONSERVATIVE)
        x[2 * dof + impacts] = 0.0;
    if (shooting->kind == CAROM_SHOOT_FORCED)
        x[2 * dof + impacts] = shot->t0;
}

bool shooting_symmetric_state(carom_shooting *self, const double *x, double *state)
{
    const int dof = self->dof;
    memcpy(state, x, (size_t)dof * sizeof *state);
    memset(state + dof, 0, (size_t)dof * sizeof *state);
    if (!shooting_strike(&self->flow, self->contact[0], 0.0, state))
        return false;
    memset(state + dof, 0, (size_t)dof * sizeof *state);
    carom_axpy(dof, x[dof], self->flow.response, state + dof);
    return true;
}

bool shooting_unpack(carom_shooting *shooting, const double *x, carom_shot *shot)
{
    const int dof = shooting->dof, impacts = shooting->impacts;
    shot->t0 = shooting->kind != CAROM_SHOOT_FORCED ? 0.0
               : impacts > 0                        ? x[2 * dof + impacts]
                                                    : shooting->start;
    if (shooting->kind == CAROM_SHOOT_SYMMETRIC) {
        if (!shooting_symmetric_state(shooting, x, shooting->state))
            return false;
        memcpy(shot->q, shooting->state, (size_t)dof * sizeof *x);
        memcpy(shot->v, shooting->state + dof, (size_t)dof * sizeof *x);
        shot->flight[0] = shot->period = shooting->period;
        return true;
    }
    memcpy(shot->q, x, (size_t)dof * sizeof *x);
    memcpy(shot->v, x + dof, (size_t)dof * sizeof *x);
    if (impacts == 0) {
        shot->flight[0] = shot->period = shooting_period(shooting);
        return true;
    }
    memcpy(shot->flight, x + 2 * dof, (size_t)impacts * sizeof *x);
    shot->period = 0.0;
    for (int i = 0; i < impacts; i++)
        shot->period += shot->flight[i];
    return true;
}

/* ---- equations ---------------------------------------------------------------------------------------- */

static bool symmetric_residual(carom_shooting *self, const double *x, double *f)
{
    const int dof = self->dof;
    double *state = self->state;
    if (!(self->period > 0.0) || !shooting_symmetric_state(self, x, state))
        return false;
    f[dof] = shooting_gap(&self->flow, self->contact[0], 0.0, state, NULL) / self->width;
    if (!shooting_fly(&self->flow, 0.0, 0.5 * self->period, self->steps[0], state))
        return false;
    for (int i = 0; i < dof; i++)
        f[i] = state[dof + i] * self->period / self->scale[0];
    return true;
}

static bool general_residual(carom_shooting *self, const double *x, double *f)
{
    const int dof = self->dof, size = 2 * dof, impacts = self->impacts;
    const double *flight = x + size, extra = has_period_equation(self) ? x[size + impacts] : 0.0;
    double *state = self->state, sum = 0.0;
    const double t0 = self->kind != CAROM_SHOOT_FORCED ? 0.0 : impacts > 0 ? extra : self->start;
    const double whole = shooting_period(self);
    memcpy(state, x, (size_t)size * sizeof *state);
    self->flow.damping = self->kind == CAROM_SHOOT_CONSERVATIVE ? extra : 0.0;
    bool good = true;
    for (int i = 0; i < self->flights && good; i++) {
        const int contact = shooting_next_contact(self, i);
        const double duration = impacts > 0 ? flight[i] : whole;
        good = duration > 0.0 && shooting_fly(&self->flow, t0 + sum, duration, self->steps[i], state);
        sum += duration;
        if (contact < 0)
            continue;
        if (good)
            f[size + i] = shooting_gap(&self->flow, contact, t0 + sum, state, NULL) / self->width;
        good = good && shooting_strike(&self->flow, contact, t0 + sum, state);
    }
    self->flow.damping = 0.0;
    for (int i = 0; i < size && good; i++)
        f[i] = (state[i] - x[i]) / self->scale[i];
    if (has_period_equation(self))
        f[size + impacts] = (sum - shooting_period(self)) / self->scale[size];
    return good;
}

bool shooting_residual(void *context, const double *x, double p, double *f)
{
    carom_shooting *self = context;
    if (!shooting_bind(self, p))
        return false;
    return self->kind == CAROM_SHOOT_SYMMETRIC ? symmetric_residual(self, x, f)
                                               : general_residual(self, x, f);
}

/* ---- solution ----------------------------------------------------------------------------------------- */

/* Largest positions, velocities and gaps at the ends of some steps of the guessed motion, as far as it can be computed. */
static void measure_motion(carom_shooting *self, const carom_shot *shot, double period)
{
    enum {
        SAMPLES = 16
    }; /* per flight */
    shooting_flow *flow = &self->flow;
    const int dof = self->dof, contacts = self->model->contacts;
    double t = shot->t0, *state = self->state;
    flow->length = carom_largest(dof, shot->q);
    flow->speed = carom_largest(dof, shot->v);
    self->width = 0.0;
    memcpy(state, shot->q, (size_t)dof * sizeof *state);
    memcpy(state + dof, shot->v, (size_t)dof * sizeof *state);
    bool good = true;
    for (int i = 0; i < self->flights && good; i++) {
        const double h = shot->flight[i] / SAMPLES;
        for (int s = 0; s < SAMPLES && good; s++, t += h) {
            good = shooting_fly(flow, t, h, 1, state);
            if (!good)
                break;
            flow->length = fmax(flow->length, carom_largest(dof, state));
            flow->speed = fmax(flow->speed, carom_largest(dof, state + dof));
            self->model->ops->gaps(self->work, t + h, state, self->gaps);
            self->width = fmax(self->width, carom_largest(contacts, self->gaps));
        }
        const int contact = shooting_next_contact(self, i);
        good = good && (contact < 0 || shooting_strike(flow, contact, t, state));
    }
    flow->length = fmax(flow->length, 0.01 * flow->speed * period);
    flow->speed = fmax(flow->speed, 0.01 * flow->length / period);
    if (!(flow->length > 0.0)) /* nothing moves, and nothing is compared with them */
        flow->length = flow->speed = 1.0;
    if (!(self->width > 0.0))
        self->width = flow->length;
}

/* Sizes of positions, velocities and times in the guess. */
static void choose_scale(carom_shooting *self, const carom_shot *shot)
{
    const int dof = self->dof;
    shooting_flow *flow = &self->flow;
    double period = 0.0;
    for (int i = 0; i < self->flights; i++)
        period += shot->flight[i];
    measure_motion(self, shot, period);
    for (int i = 0; i < self->unknowns; i++)
        self->scale[i] = i < dof ? flow->length : i < 2 * dof ? flow->speed : period;
    if (self->kind == CAROM_SHOOT_SYMMETRIC) {
        shooting_pack(self, shot, self->x); /* leaves the normal n and M^-1 n of the impact */
        const carom_row *normal = &flow->frame.normal;
        const double least =
            carom_largest(normal->count, normal->value) * flow->speed / carom_row_dot(normal, flow->response);
        self->scale[dof] = fmax(fabs(self->x[dof]), 1e-3 * least);
    } else if (self->kind == CAROM_SHOOT_CONSERVATIVE) {
        self->scale[2 * dof + self->impacts] = 1.0 / period;
    }
}

carom_status shooting_check_restitution(carom_shooting *self, const carom_shot *shot, carom_error *error)
{
    if (self->kind != CAROM_SHOOT_CONSERVATIVE && self->kind != CAROM_SHOOT_SYMMETRIC)
        return CAROM_OK;
    memcpy(self->state, shot->q, (size_t)self->dof * sizeof(double));
    memcpy(self->state + self->dof, shot->v, (size_t)self->dof * sizeof(double));
    for (int i = 0; i < self->impacts; i++) {
        shooting_gap(&self->flow, self->contact[i], shot->t0, self->state, NULL);
        const double e = self->flow.frame.restitution;
        if (e != 1.0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has restitution %g: the energy is conserved with 1 only",
                              self->model->contact[self->contact[i]].name, e);
    }
    return CAROM_OK;
}

static carom_status check_guess(carom_shooting *self, carom_shot *shot, carom_error *error)
{
    if (self->kind == CAROM_SHOOT_SYMMETRIC)
        shot->flight[0] = self->period;
    if (self->impacts == 0)
        shot->flight[0] = shooting_period(self);
    double sum = 0.0;
    for (int i = 0; i < self->flights; i++) {
        if (!(shot->flight[i] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "flight %d of the guess must be positive (got %g)",
                              i + 1, shot->flight[i]);
        sum += shot->flight[i];
    }
    for (int i = 0; i < self->impacts && has_period_equation(self); i++)
        shot->flight[i] *= shooting_period(self) / sum;
    if (!carom_all_finite(self->dof, shot->q) || !carom_all_finite(self->dof, shot->v) || !isfinite(shot->t0))
        return carom_fail(error, CAROM_BAD_INPUT, "the guessed state has entries that are not numbers");
    return shooting_check_restitution(self, shot, error);
}

carom_status shooting_prepare(carom_shooting *shooting, carom_shot *shot, carom_error *error)
{
    const carom_status status = check_guess(shooting, shot, error);
    if (status != CAROM_OK)
        return status;
    choose_scale(shooting, shot);
    return shooting_choose_steps(shooting, shot, error);
}

carom_status carom_shooting_solve(carom_shooting *shooting, carom_shot *shot, carom_error *error)
{
    carom_status status = shooting_prepare(shooting, shot, error);
    if (status != CAROM_OK)
        return status;
    const carom_arclength_problem problem = {.size = shooting->unknowns,
                                             .context = shooting,
                                             .residual = shooting_residual,
                                             .jacobian = shooting_jacobian,
                                             .scale = shooting->scale};
    carom_arclength_options options = carom_arclength_defaults();
    options.tolerance = shooting->tolerance;
    const int kept = shooting->free;
    shooting->free = FREE_NONE;
    shooting_pack(shooting, shot, shooting->x);
    carom_error lost = {0};
    status = carom_newton(&problem, &options, shooting_period(shooting), shooting->x, &shot->iterations,
                          &shot->residual, &lost);
    shooting->free = kept;
    if (status == CAROM_FAILED)
        return carom_fail(
            error, status,
            "the Newton path is lost: after %d iterations of shooting with %d impact%s and period "
            "%.9g the residual is %.3g. The branch may have moved away or ended: follow it from "
            "a solution in smaller steps of the parameter, or guess nearer",
            shot->iterations, shooting->impacts, shooting->impacts > 1 ? "s" : "",
            shooting->kind == CAROM_SHOOT_AUTONOMOUS ? shot->period : shooting_period(shooting),
            shot->residual);
    if (status != CAROM_OK)
        return carom_fail(error, status, "%.2000s", lost.text);
    shooting_unpack(shooting, shooting->x, shot);
    return shooting_describe(shooting, shot, error);
}
