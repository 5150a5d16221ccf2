/* A double pendulum (unit point masses, unit rods, absolute angles from the downward vertical) whose tip
 * meets the wall x = -0.3, and a ball on a floor: the models on which the vibro-impact schemes are compared.
 */
#ifndef CAROM_TEST_SCHEME_WALL_PENDULUM_H
#define CAROM_TEST_SCHEME_WALL_PENDULUM_H

#include "models.h"

static const double pendulum_gravity = 9.81, pendulum_wall = -0.3;
static const double pendulum_q0[2] = {-0.9, -0.6}, pendulum_v0[2] = {0.0, 0.0};
static const double pendulum_energy0 = -20.292529959734;

static inline void pendulum_mass(const hand_model *hand, const double *q, double *mass)
{
    (void)hand;
    mass[0] = 2.0;
    mass[1] = mass[2] = cos(q[0] - q[1]);
    mass[3] = 1.0;
}

static inline void pendulum_force(const hand_model *hand, double t, const double *q, const double *u,
                                  double *force)
{
    (void)hand;
    (void)t;
    const double s = sin(q[0] - q[1]);
    force[0] = -s * u[1] * u[1] - 2.0 * pendulum_gravity * sin(q[0]);
    force[1] = s * u[0] * u[0] - pendulum_gravity * sin(q[1]);
}

static inline void pendulum_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand;
    (void)t;
    gap[0] = pendulum_wall - sin(q[0]) - sin(q[1]);
}

static inline void pendulum_frame(const hand_model *hand, int contact, double t, const double *q,
                                  carom_contact_frame *frame)
{
    (void)hand;
    (void)contact;
    (void)t;
    frame->normal.value[0] = -cos(q[0]);
    frame->normal.value[1] = -cos(q[1]);
}

static inline double pendulum_energy(const double *q, const double *u)
{
    return u[0] * u[0] + cos(q[0] - q[1]) * u[0] * u[1] + 0.5 * u[1] * u[1] -
           2.0 * pendulum_gravity * cos(q[0]) - pendulum_gravity * cos(q[1]);
}

static inline void pendulum_init(hand_model *hand, double restitution)
{
    hand_init(hand, 2, 1);
    hand->model.constant_mass = false;
    hand->variable_mass = pendulum_mass;
    hand->force = pendulum_force;
    hand->gaps = pendulum_gap;
    hand->frame = pendulum_frame;
    hand->info[0].has_restitution = true;
    hand->restitution[0] = restitution;
}

/* Unit mass above the floor q = 0 with gravity. */
static inline void ball_init(hand_model *hand, double gravity, double restitution)
{
    hand_init(hand, 1, 1);
    hand->force = constant_force;
    hand->data[16] = -gravity;
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->info[0].has_restitution = true;
    hand->restitution[0] = restitution;
}

#endif
