/* What tells special points of a branch: test functions of the multipliers, the multiplier that is on the unit circle, and
 * what a motion runs into where it ceases to be one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "shooting.h"

/* Products that are kept from overflowing; their signs count, and near zero their values. */
typedef struct product {
    double sign, logarithm;
} product;

static void multiply_by(product *p, double factor)
{
    p->sign *= factor < 0.0 ? -1.0 : factor > 0.0 ? 1.0 : 0.0;
    p->logarithm += log(fmax(fabs(factor), 1e-300));
}

static double value_of(const product *p)
{
    return p->sign * exp(fmin(p->logarithm, 300.0));
}

/* product of (multiplier - place): a complex pair gives one real factor. */
static double shifted_product(const carom_shooting *self, double place)
{
    product p = {1.0, 0.0};
    for (int i = 0; i < self->multipliers; i++) {
        const double a = self->real[i] - place, b = self->imaginary[i];
        if (b == 0.0)
            multiply_by(&p, a);
        else if (b > 0.0)
            multiply_by(&p, a * a + b * b);
    }
    return value_of(&p);
}

/* product over pairs i < k of (m_i m_k - 1): pairs whose product is complex come twice, conjugate, as one real factor. */
static double pair_product(const carom_shooting *self)
{
    product p = {1.0, 0.0};
    for (int i = 0; i < self->multipliers; i++)
        for (int k = i + 1; k < self->multipliers; k++) {
            const double a = self->real[i], b = self->imaginary[i], c = self->real[k], d = self->imaginary[k];
            const double re = a * c - b * d - 1.0, im = a * d + b * c;
            if (b == -d) /* both real, or one pair */
                multiply_by(&p, re);
            else if (im > 0.0)
                multiply_by(&p, re * re + im * im);
        }
    return value_of(&p);
}

void shooting_fill_tests(const carom_shooting *self, carom_branch_point *point)
{
    const bool conserves = self->kind == CAROM_SHOOT_CONSERVATIVE || self->kind == CAROM_SHOOT_SYMMETRIC;
    point->contact = -1;
    if (self->multipliers == 0 || !isfinite(point->multiplier))
        return;
    point->fold_test = shifted_product(self, 1.0);
    point->flip_test = shifted_product(self, -1.0);
    /* with a conserved energy multipliers come with their inverses: it is zero always */
    point->torus_test = conserves ? 0.0 : pair_product(self);
}

bool shooting_nearest_multiplier(void *context, carom_special to, double *real, double *imaginary)
{
    const carom_shooting *self = context;
    double nearest = INFINITY;
    *real = *imaginary = NAN;
    for (int i = 0; i < self->multipliers; i++) {
        const double a = self->real[i], b = self->imaginary[i];
        const double distance = to == CAROM_SPECIAL_TORUS  ? fabs(hypot(a, b) - 1.0)
                                : to == CAROM_SPECIAL_FLIP ? hypot(a + 1.0, b)
                                                           : hypot(a - 1.0, b);
        if (distance >= nearest || b < 0.0 || (to == CAROM_SPECIAL_TORUS && b == 0.0))
            continue;
        nearest = distance;
        *real = a;
        *imaginary = b;
    }
    return to != CAROM_SPECIAL_TORUS || nearest < 1e-4;
}

/* Other motions are next to it where M d = d for a d that is not the direction of motion: where M - 1, which without forcing
 * has that one in its kernel always, has one more. Where the energy is extremal it has not: its multiplier 1 has a chain. */
bool shooting_branches(void *context)
{
    carom_shooting *self = context;
    const int size = self->flow.size;
    if (self->kind == CAROM_SHOOT_FORCED)
        return true;
    double *matrix =
        carom_new_array(2 * carom_product((size_t)size, (size_t)size) + (size_t)size, sizeof *matrix);
    bool more = false;
    if (matrix && carom_shooting_monodromy(self, &self->shot, matrix, NULL) == CAROM_OK) {
        double *square = matrix + (ptrdiff_t)size * size, *value = square + (ptrdiff_t)size * size;
        for (int i = 0; i < size; i++)
            matrix[(ptrdiff_t)i * (size + 1)] -= 1.0;
        carom_monodromy_in_time(self->dof, self->flow.length / self->flow.speed, matrix);
        for (int i = 0; i < size; i++)
            for (int k = 0; k < size; k++) {
                square[(ptrdiff_t)i * size + k] = 0.0;
                for (int j = 0; j < size; j++)
                    square[(ptrdiff_t)i * size + k] +=
                        matrix[(ptrdiff_t)j * size + i] * matrix[(ptrdiff_t)j * size + k];
            }
        more = size > 1 && carom_symmetric_eigenvalues(size, square, value) == 0 &&
               value[1] <= 1e-9 * value[size - 1];
    }
    free(matrix);
    return more;
}

/* The motion up to an impact: the state right after it. */
static bool state_after(carom_shooting *self, int impact, double *t, double *state)
{
    const carom_shot *shot = &self->shot;
    *t = shot->t0;
    memcpy(state, shot->q, (size_t)self->dof * sizeof *state);
    memcpy(state + self->dof, shot->v, (size_t)self->dof * sizeof *state);
    for (int i = 0; i < impact; i++) {
        if (!shooting_fly(&self->flow, *t, shot->flight[i], self->steps[i], state))
            return false;
        *t += shot->flight[i];
        if (!shooting_strike(&self->flow, shooting_next_contact(self, i), *t, state))
            return false;
    }
    return true;
}

/* Does the gap of an impact without speed close again at once? The second derivative of the gap there. */
static bool is_pressed_on(carom_shooting *self, int impact)
{
    double t = 0.0, now = 0.0, then = 0.0, *state = self->state;
    const double h = 1e-6 * self->shot.period;
    if (!state_after(self, impact, &t, state))
        return false;
    shooting_gap(&self->flow, self->contact[impact], t, state, &now);
    if (!shooting_fly(&self->flow, t, h, 1, state))
        return false;
    shooting_gap(&self->flow, self->contact[impact], t + h, state, &then);
    return then < now;
}

carom_special shooting_limit(void *context, bool impact, int *contact)
{
    carom_shooting *self = context;
    const carom_shot *shot = &self->shot;
    if (impact) {
        *contact = self->contact[shot->approach_impact];
        return is_pressed_on(self, shot->approach_impact) ? CAROM_SPECIAL_STICKING : CAROM_SPECIAL_GRAZING;
    }
    *contact = shot->gap_contact;
    double t = shot->t0;
    for (int i = 0; i < self->impacts; i++) {
        if (fabs(shot->gap_time - t) < 1e-6 * shot->period ||
            fabs(shot->gap_time - t - shot->flight[i]) < 1e-6 * shot->period)
            return CAROM_SPECIAL_CORNER;
        t += shot->flight[i];
    }
    return CAROM_SPECIAL_GRAZING;
}

carom_special shooting_merging(void *context, int *contact)
{
    const carom_shooting *self = context;
    int smallest = 0;
    for (int i = 1; i < self->flights; i++)
        if (self->shot.flight[i] < self->shot.flight[smallest])
            smallest = i;
    *contact = shooting_next_contact(self, smallest);
    return self->contact[smallest] == *contact ? CAROM_SPECIAL_STICKING : CAROM_SPECIAL_CORNER;
}
