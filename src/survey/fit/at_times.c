/* A motion at the times of the data.
 *
 * Schemes with steps of their own make their outputs there. Between the outputs of the others positions follow
 *
 *   q(s) = cubic with the positions and velocities of both outputs, s = (t - t0)/(t1 - t0),
 *
 * which for moreau-jean with theta = 1/2 is the parabola that its step integrates, and velocities change evenly. In a step with an
 * impact the velocity jumps at a time that the scheme does not know: positions change evenly there. */
#include <math.h>

#include "carom/linalg.h"
#include "fit.h"

/* Of a step: what counts as the same time. */
static const double same_time = 1e-9;

/* value = sum of weight times value at the two outputs. */
typedef struct blend {
    double q0, q1, v0, v1; /* of positions and velocities */
} blend;

static blend blend_at(double s, double length, bool curved)
{
    if (!curved)
        return (blend){.q0 = 1.0 - s, .q1 = s};
    const double r = 1.0 - s;
    return (blend){.q0 = r * r * (1.0 + 2.0 * s),
                   .q1 = s * s * (1.0 + 2.0 * r),
                   .v0 = s * r * r * length,
                   .v1 = -s * s * r * length};
}

static void mix(const carom_model *model, blend of, double s, const double *q0, const double *v0,
                const double *q1, const double *v1, double *q, double *v)
{
    const int positions = carom_model_positions(model);
    for (int i = 0; i < positions; i++)
        q[i] = of.q0 * q0[i] + of.q1 * q1[i];
    for (int i = 0; positions == model->dof && i < positions; i++)
        q[i] += of.v0 * v0[i] + of.v1 * v1[i];
    for (int i = 0; i < model->dof; i++)
        v[i] = (1.0 - s) * v0[i] + s * v1[i];
}

static void interpolate(fit_motion *motion, double t, fit_state *to)
{
    const carom_model *model = motion->problem->experiment->model;
    const fit_state *a = &motion->before, *b = &motion->now;
    const size_t positions = (size_t)carom_model_positions(model), size = b->size;
    const double length = b->t - a->t, s = (t - a->t) / length;
    const bool curved = model->rotations == 0 && !fit_motion_struck(motion, -1);
    const blend of = blend_at(s, length, curved);
    to->t = t;
    mix(model, of, s, a->q, a->v, b->q, b->v, to->q, to->v);
    to->impulse = b->impulse;
    to->impulse_along = b->impulse_along;
    to->size = size;
    for (size_t c = 0; to->along && c < (size_t)motion->columns; c++) {
        const double *da = a->along + c * size, *db = b->along + c * size;
        double *d = to->along + c * size;
        mix(model, of, s, da, da + positions, db, db + positions, d, d + positions);
    }
}

static bool has_datum(const fit_motion *motion, int row)
{
    const int outputs = motion->problem->outputs.count;
    for (int k = 0; k < outputs; k++)
        if (motion->run->place[row * outputs + k] >= 0)
            return true;
    return false;
}

static void keep_row(fit_motion *motion, double t, double tolerance)
{
    if (motion->now.t > t + tolerance && motion->stepper->counts.steps > 0) {
        interpolate(motion, t, &motion->between);
        fit_motion_keep(motion, motion->row, &motion->between);
    } else {
        fit_motion_keep(motion, motion->row, &motion->now);
    }
}

/* Up to an output at the time of a row, or behind it; one of a scheme with steps of its own is there after one step. */
bool fit_times_go_on(fit_motion *motion)
{
    const double tolerance = same_time * motion->stepper->h;
    for (; motion->row < motion->prediction->rows; motion->row++) {
        if (!has_datum(motion, motion->row))
            continue;
        const double t = motion->run->data->t[motion->row];
        if (motion->problem->own_steps) {
            motion->next = t;
            motion->stepper->next_output = &motion->next;
        }
        if (motion->now.t < (motion->problem->own_steps ? t : t - tolerance))
            return true;
        keep_row(motion, t, tolerance);
    }
    return false;
}
