/* Folds, flips and grazing motions over two parameters: the equations of the motion and one more,
 *
 *   fold      product of (multiplier - 1) = 0
 *   flip      product of (multiplier + 1) = 0
 *   grazing   the smallest gap between impacts, or the speed of an impact, is 0
 *
 * in the unknowns of the motion and the first parameter, continued in the second. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "periodic/follower.h"
#include "shooting.h"

typedef struct locus {
    carom_shooting *shooting;
    carom_special kind;
    bool speed; /* grazing: an impact loses its speed */
    int impact; /* ... this one */
    int first, second;
    double *matrix; /* 2 dof x 2 dof */
} locus;

/* Sets both parameters. */
static bool bind(const locus *self, double first, double second)
{
    carom_shooting *shooting = self->shooting;
    return (shooting->parameter[self->first] == first ||
            carom_shooting_set(shooting, self->first, first, NULL) == CAROM_OK) &&
           (shooting->parameter[self->second] == second ||
            carom_shooting_set(shooting, self->second, second, NULL) == CAROM_OK);
}

/* The approach speed of one impact. */
static bool speed_of(locus *self, const carom_shot *shot, double *speed)
{
    carom_shooting *shooting = self->shooting;
    const int n = shooting->dof;
    double t = shot->t0, rate = 0.0, *state = shooting->state;
    memcpy(state, shot->q, (size_t)n * sizeof *state);
    memcpy(state + n, shot->v, (size_t)n * sizeof *state);
    for (int i = 0;; i = (i + 1) % shooting->impacts) {
        if (!shooting_fly(&shooting->flow, t, shot->flight[i], shooting->steps[i], state))
            return false;
        t += shot->flight[i];
        if ((i + 1) % shooting->impacts == self->impact)
            break;
        if (!shooting_strike(&shooting->flow, shooting_next_contact(shooting, i), t, state))
            return false;
    }
    shooting_gap(&shooting->flow, shooting->contact[self->impact], t, state, &rate);
    *speed = -rate;
    return true;
}

static bool test_of(locus *self, carom_shot *shot, double *value)
{
    carom_shooting *shooting = self->shooting;
    if (self->kind == CAROM_SPECIAL_GRAZING && self->speed) {
        if (!speed_of(self, shot, value))
            return false;
        *value /= shooting->scale[shooting->dof];
        return true;
    }
    if (self->kind == CAROM_SPECIAL_GRAZING) {
        if (!shooting_find_gaps(shooting, shot) || !isfinite(shot->gap))
            return false;
        *value = shot->gap / shooting->width;
        return true;
    }
    carom_branch_point point = {0};
    if (carom_shooting_monodromy(shooting, shot, self->matrix, NULL) != CAROM_OK ||
        shooting_largest_multiplier(shooting, shot, self->matrix, &point.multiplier, NULL) != CAROM_OK)
        return false;
    shooting_fill_tests(shooting, &point);
    *value = self->kind == CAROM_SPECIAL_FLIP ? point.flip_test : point.fold_test;
    return true;
}

static bool residual(void *context, const double *x, double p, double *f)
{
    locus *self = context;
    carom_shooting *shooting = self->shooting;
    const int n = shooting->unknowns;
    return bind(self, x[n], p) && shooting_residual(shooting, x, 0.0, f) &&
           shooting_unpack(shooting, x, &shooting->shot) && test_of(self, &shooting->shot, &f[n]);
}

static carom_status describe(void *context, const double *x, double p, carom_branch_point *point,
                             double *unknown, carom_error *error)
{
    locus *self = context;
    carom_shooting *shooting = self->shooting;
    carom_shot *shot = &shooting->shot;
    const int n = shooting->dof, flights = shooting->flights;
    if (!bind(self, x[shooting->unknowns], p) || !shooting_unpack(shooting, x, shot))
        return carom_fail(error, CAROM_FAILED, "the motion at parameter %.9g cannot be computed", p);
    carom_status status = shooting_choose_steps(shooting, shot, error);
    if (status == CAROM_OK)
        status = shooting_describe(shooting, shot, error);
    if (status != CAROM_OK)
        return status;
    *point = (carom_branch_point){.parameter = p,
                                  .other = x[shooting->unknowns],
                                  .period = shot->period,
                                  .energy = shot->energy,
                                  .reach = shot->reach,
                                  .multiplier = shot->multiplier,
                                  .gap = shot->gap,
                                  .impulse = shot->approach,
                                  .strongest = shot->strongest,
                                  .impacts = shooting->impacts,
                                  .admissible = shot->admissible || self->kind == CAROM_SPECIAL_GRAZING,
                                  .stable = true, /* it is the border */
                                  .special = self->kind,
                                  .contact = -1};
    memcpy(unknown, shot->q, (size_t)n * sizeof *unknown);
    memcpy(unknown + n, shot->v, (size_t)n * sizeof *unknown);
    memcpy(unknown + 2 * n, shot->flight, (size_t)flights * sizeof *unknown);
    unknown[2 * n + flights] = shot->t0;
    return CAROM_OK;
}

static double smallest_flight(void *context, const double *x, double p)
{
    const locus *self = context;
    const carom_shot *shot = &self->shooting->shot;
    double smallest = INFINITY;
    (void)p;
    if (!shooting_unpack(self->shooting, x, &self->shooting->shot))
        return 0.0;
    for (int i = 0; i < self->shooting->flights; i++)
        smallest = fmin(smallest, shot->flight[i] / shot->period);
    return smallest;
}

static carom_status follow(locus *self, double size, carom_shot *shot, const carom_branch_options *options,
                           double *x, double *scale, carom_branch *branch, carom_error *error)
{
    carom_shooting *shooting = self->shooting;
    const int n = shooting->unknowns;
    carom_status status = shooting_prepare(shooting, shot, error);
    if (status == CAROM_OK) {
        carom_error none = {0};
        status = shooting_describe(shooting, shot, &none);
        self->speed = shooting->impacts > 0 && fabs(shot->approach) / shooting->scale[shooting->dof] <
                                                   fabs(shot->gap) / shooting->width;
        self->impact = shot->approach_impact;
    }
    if (status != CAROM_OK)
        return status;
    shooting_pack(shooting, shot, x);
    x[n] = shooting->parameter[self->first];
    memcpy(scale, shooting->scale, (size_t)n * sizeof *scale);
    scale[n] = size;
    const branch_course course = {.context = self,
                                  .width = 2 * shooting->dof + shooting->flights + 1,
                                  .describe = describe,
                                  .smallest_flight = smallest_flight};
    return branch_follow_locus(&course, residual, n + 1, x, scale, shooting->parameter[self->second], options,
                               branch, error);
}

carom_status carom_shooting_locus(carom_shooting *shooting, carom_special kind, int first, int second,
                                  double size, carom_shot *shot, const carom_branch_options *given,
                                  carom_branch *branch, carom_error *error)
{
    const carom_branch_options options = branch_fill_options(given);
    const size_t rows = 2 * (size_t)shooting->dof, unknowns = (size_t)shooting->unknowns + 1;
    *branch = (carom_branch){.end = CAROM_END_LOST};
    carom_status status = branch_check_locus(first, second, shooting->model->parameters, error);
    if (status != CAROM_OK)
        return status;
    double *room = carom_new_array(carom_product(rows, rows) + 2 * unknowns, sizeof *room);
    if (!room)
        return carom_fail_memory(error);
    locus self = {
        .shooting = shooting, .kind = kind, .first = first, .second = second, .matrix = room + 2 * unknowns};
    const int kept = shooting->free;
    shooting->free = FREE_NONE;
    status = follow(&self, size, shot, &options, room, room + unknowns, branch, error);
    shooting->free = kept;
    free(room);
    return status;
}
