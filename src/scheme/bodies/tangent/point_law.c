#include "point_law.h"

#include <math.h>

/* Impulses that are smaller, relative to the largest, are none. */
static const double no_impulse = 1e-12;
/* A status with a smaller margin is not strict: what the contact problem is solved to is smaller still. */
static double margin_of(const body_step *step)
{
    return fmin(fmax(1e-12, 10.0 * step->tolerance), 1e-6);
}

/* The components of a friction: from `first`, `count` of them. */
typedef struct span {
    int first, count;
} span;

static span span_of(bool plane, int friction)
{
    return friction == 0   ? (span){1, plane ? 1 : 2}
           : friction == 1 ? (span){3, plane ? 1 : 2}
                           : (span){5, plane ? 0 : 1};
}

static carom_dual bound_of(const replay_point *point, int friction)
{
    return friction == 0 ? point->mu : friction == 1 ? point->rolling : point->torsion;
}

static double length_of(span of, const double *x)
{
    return of.count == 0 ? 0.0 : of.count == 1 ? fabs(x[of.first]) : hypot(x[of.first], x[of.first + 1]);
}

void point_law_read_values(const body_replay *replay, int i, point_law *law)
{
    const replay_point *point = &replay->point[i];
    carom_dual u[REPLAY_COMPONENTS];
    body_replay_point_motion(replay, i, REPLAY_END, u);
    for (int k = 0; k < REPLAY_COMPONENTS; k++) {
        law->u[k] = creal(k < 3 ? u[k] + point->shift[k] : u[k]);
        law->p[k] = creal(point->r[k]);
    }
}

static void read_friction(const body_step *step, const replay_point *point, int f, double speed,
                          point_law *law)
{
    const span of = span_of(step->plane, f);
    const double margin = margin_of(step);
    const double bound = creal(bound_of(point, f)), most = bound * law->p[0];
    const double slip = length_of(of, law->u), held = length_of(of, law->p);
    const bool moves = slip > margin * speed;
    if (of.count == 0 || (f > 0 && bound == 0.0))
        law->friction[f] = FRICTION_NONE;
    else if (bound == 0.0) /* on the way to some */
        law->friction[f] = moves ? FRICTION_SLIPS : FRICTION_NONE;
    else
        law->friction[f] = moves && held >= (1.0 - 1e-6) * most ? FRICTION_SLIPS : FRICTION_STICKS;
    if (law->friction[f] == FRICTION_STICKS && !law->other && held >= (1.0 - margin) * most) {
        law->at_bound = true;
        law->other = f == 0 ? "slips" : "turns";
    }
}

void point_law_read(const body_replay *replay, int i, double impulse, double speed, point_law *law)
{
    const bool plane = replay->step->plane;
    const double length = replay->base->stepper->accounts.length, margin = margin_of(replay->step);
    *law = (point_law){.first = law->first};
    point_law_read_values(replay, i, law);
    law->open = !(law->p[0] > no_impulse * impulse);
    if (law->open) {
        law->other = law->u[0] <= margin * speed ? "closes" : NULL;
        return;
    }
    law->other = law->p[0] <= margin * impulse ? "opens" : NULL;
    law->is_velocity[0] = true;
    law->rows = 1;
    for (int f = 0; f < FRICTIONS; f++) {
        const span of = span_of(plane, f);
        read_friction(replay->step, &replay->point[i], f, f == 0 ? speed : speed / length, law);
        for (int k = 0; law->friction[f] != FRICTION_NONE && k < of.count; k++) {
            law->component[law->rows] = of.first + k;
            law->is_velocity[law->rows++] = law->friction[f] == FRICTION_STICKS;
        }
    }
}

void point_law_rows(const point_law *law, const replay_point *point, const carom_dual p[REPLAY_COMPONENTS],
                    const carom_dual u[REPLAY_COMPONENTS], carom_dual row[REPLAY_COMPONENTS])
{
    for (int k = 0; k < law->rows; k++) {
        const int c = law->component[k], f = c == 5 ? 2 : c >= 3 ? 1 : 0;
        const bool two = (k > 0 && c == law->component[k - 1] + 1 && (c == 2 || c == 4)) ||
                         (k + 1 < law->rows && law->component[k + 1] == c + 1 && (c == 1 || c == 3));
        if (law->is_velocity[k]) {
            row[k] = u[c];
            continue;
        }
        const int first = c == 2 || c == 4 ? c - 1 : c;
        const carom_dual direction = two ? u[c] / csqrt(u[first] * u[first] + u[first + 1] * u[first + 1])
                                     : law->u[c] < 0.0 ? -1.0
                                                       : 1.0;
        row[k] = p[c] + bound_of(point, f) * p[0] * direction;
    }
}
