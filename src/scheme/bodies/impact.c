/* Laws of impact of bodies, as what is added to the velocity at the end: Coulomb's law holds between the impulse p and
 * u+ + shift.
 *
 * Newton's: shift = (e min(u_N-, 0), 0) for each point with its own e. With friction, or with different e, it may gain energy
 * (Kane's paradox).
 *
 * Moreau's: the law holds for the mean velocity u~ = (u+ + e u-)/(1 + e) in all components, with one e for the island, so
 * shift = e u-, since the law does not change when velocities are multiplied. With W p = u+ - u-
 *
 *   u+ = u~ + e/(1 + e) W p,   u- = u~ - 1/(1 + e) W p,
 *   change of energy = p.(u+ + u-)/2 = p.u~ - (1 - e)/(2 (1 + e)) p.W p <= 0:
 *
 * p_N u~_N = 0 and friction p_T.u~_T <= 0. A tangent bounces as the normal does. e belongs to what is struck: to points that approach
 * by more than forces change a velocity in a step; an island where nothing does so has e = 0 and rests. Where points with different
 * coefficients are struck at once, e is their mean, weighted with u_N-^2 / W_NN, the energy with which they approach. */
#include <math.h>
#include <string.h>

#include "body_step_data.h"

static double inverse_mass_of(const body_step *self, int i)
{
    const carom_pair_rows *row = &self->row[i];
    double W = 0.0;
    for (int side = 0; side < 2; side++)
        if (row->body[side] >= 0)
            W += self->inverse_mass[row->body[side]] + carom_dot(3, row->turn[side], row->answer[side]);
    return W;
}

static double restitution_of(const body_step *self, const body_point *point)
{
    const carom_bodies *bodies = self->bodies;
    return bodies->law[bodies->body[point->a].material * bodies->materials + bodies->body[point->b].material]
        .restitution;
}

static bool is_struck(const body_step *self, const body_point *point)
{
    const double speed = self->stepper->h * fmax(self->acceleration[point->a], self->acceleration[point->b]);
    return point->gap <= self->gap_tolerance && point->before[0] < -speed;
}

/* One restitution per island; self->shift is room. */
static void find_restitutions(body_step *self)
{
    double *weight = self->shift;
    memset(self->island_e, 0, (size_t)self->islands * sizeof *self->island_e);
    memset(weight, 0, (size_t)self->islands * sizeof *weight);
    for (int i = 0; i < self->active; i++) {
        const body_point *point = &self->point[i];
        const double W = is_struck(self, point) ? inverse_mass_of(self, i) : 0.0;
        if (!(W > 0.0))
            continue;
        const double energy = point->before[0] * point->before[0] / W;
        weight[point->island] += energy;
        self->island_e[point->island] += energy * restitution_of(self, point);
    }
    for (int k = 0; k < self->islands; k++)
        if (weight[k] > 0.0)
            self->island_e[k] /= weight[k];
}

void body_step_add_law(body_step *self, double *q)
{
    if (self->options.impact == BODY_IMPACT_MOREAU)
        find_restitutions(self);
    for (int i = 0; i < self->active; i++) {
        const body_point *point = &self->point[i];
        if (self->options.impact == BODY_IMPACT_NEWTON) {
            q[3 * i] += point->shift;
            continue;
        }
        const double e = self->island_e[point->island];
        for (int k = 0; k < (self->plane ? 2 : 3); k++)
            q[3 * i + k] += e * point->before[k];
        if (point->gap > self->gap_tolerance)
            q[3 * i] += point->shift; /* the gap may close */
    }
}
