/* Scales of a model: the length, time and mass that its tolerances are relative to.
 *
 *   carom_scales scales;
 *   carom_status status = carom_model_scales(work, t, q, v, h, &scales, &error);
 *   const double tolerance = 1e-12 * scales.length;
 *
 * The scales are homogeneous functions of the model's numbers: if all lengths of a model are multiplied by a power of two, so is
 * scales.length, exactly. They depend on the initial state and the parameters, not on the output interval, the end of the run or a
 * constant velocity of the frame. The step h is used only where the model gives no time at all.
 *
 * length: the largest of the gaps, each divided by the size of its gradient. Without an open gap: the displacement v^2/a or
 *         a T^2; then the coordinates themselves. Bodies with shapes: the smallest radius of a free body.
 * time:   1/w of the fastest rate: circular frequencies of the forcing, sqrt(|K_ij|/sqrt(m_i m_j)) and |C_ij|/sqrt(m_i m_j) of
 *         the force's derivatives. Without such a rate: length/v or sqrt(length/a), whichever is shorter;
 *         then length/v of the coordinates themselves.
 * mass:   the largest diagonal entry of the mass matrix; of bodies the largest mass.
 *
 * Here v is the largest relative velocity of a contact (of the coordinates, if there are no contacts) and a the largest
 * acceleration, at the initial state and a quarter of the shortest forcing period later. */
#ifndef CAROM_MODEL_SCALES_H
#define CAROM_MODEL_SCALES_H

#include "carom/model.h"

typedef struct carom_scales {
    double length, time, mass; /* positive and finite */
} carom_scales;

static inline double carom_scales_speed(const carom_scales *scales)
{
    return scales->length / scales->time;
}
static inline double carom_scales_energy(const carom_scales *scales)
{
    const double speed = carom_scales_speed(scales);
    return scales->mass * speed * speed;
}

/* Scales at the state (t, q, v); h > 0 is the step or output interval. Allocates temporary memory. Returns CAROM_FAILED if
 * allocation fails. A quantity that is not finite is ignored. */
carom_status carom_model_scales(carom_model_work *work, double t, const double *q, const double *v, double h,
                                carom_scales *scales, carom_error *error);

#endif
