/* For tests: mechanical systems written as expressions, with the parameters and equations of motion that
 * textbooks give for them. */
#ifndef CAROM_TEST_MODEL_TRACED_SYSTEMS_H
#define CAROM_TEST_MODEL_TRACED_SYSTEMS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model.h"
#include "test/near.h"

enum {
    SYSTEM_DOF = 2,
    SYSTEM_PARAMETERS = 5
};

/* A graph with its symbols and a specification that has two coordinates, five parameters and nothing else. */
typedef struct system_spec {
    carom_graph *graph;
    carom_node q[SYSTEM_DOF], u[SYSTEM_DOF], p[SYSTEM_PARAMETERS], t;
    carom_traced_contact contact;
    carom_traced_spec spec;
} system_spec;

static const char *const system_coordinate[SYSTEM_DOF] = {"a", "b"};
static char system_p0[] = "p0", system_p1[] = "p1", system_p2[] = "p2", system_p3[] = "p3",
            system_p4[] = "p4";
static const carom_parameter system_parameter[SYSTEM_PARAMETERS] = {
    {.name = system_p0, .value = 1.3, .min = 0.0, .max = 10.0, .unit = system_p1, .doc = system_p2},
    {.name = system_p1, .value = 0.7},
    {.name = system_p2, .value = 1.1},
    {.name = system_p3, .value = 0.9},
    {.name = system_p4, .value = 9.81},
};
static const double system_values[SYSTEM_PARAMETERS] = {1.3, 0.7, 1.1, 0.9, 9.81};

static inline void system_begin(system_spec *s)
{
    memset(s, 0, sizeof *s);
    s->graph = carom_graph_create(0);
    for (int i = 0; i < SYSTEM_DOF; i++) {
        s->q[i] = carom_leaf(s->graph, CAROM_OP_COORDINATE, i);
        s->u[i] = carom_leaf(s->graph, CAROM_OP_VELOCITY, i);
    }
    for (int i = 0; i < SYSTEM_PARAMETERS; i++)
        s->p[i] = carom_leaf(s->graph, CAROM_OP_PARAMETER, i);
    s->t = carom_leaf(s->graph, CAROM_OP_TIME, 0);
    s->contact = (carom_traced_contact){.name = "wall",
                                        .gap = CAROM_NO_NODE,
                                        .restitution = CAROM_NO_NODE,
                                        .stiffness = CAROM_NO_NODE,
                                        .exponent = CAROM_NO_NODE};
    s->spec = (carom_traced_spec){.graph = s->graph,
                                  .dof = SYSTEM_DOF,
                                  .coordinate = system_coordinate,
                                  .parameters = SYSTEM_PARAMETERS,
                                  .parameter = system_parameter,
                                  .kinetic = CAROM_NO_NODE,
                                  .potential = CAROM_NO_NODE};
}

static inline carom_node number(const system_spec *s, double value)
{
    return carom_constant(s->graph, value);
}

static inline carom_node plus(const system_spec *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_ADD, a, b);
}

static inline carom_node minus(const system_spec *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_SUB, a, b);
}

static inline carom_node times(const system_spec *s, carom_node a, carom_node b)
{
    return carom_binary(s->graph, CAROM_OP_MUL, a, b);
}

static inline carom_node square(const system_spec *s, carom_node a)
{
    return times(s, a, a);
}

static inline carom_node of(const system_spec *s, carom_op op, carom_node a)
{
    return carom_unary(s->graph, op, a);
}

static inline carom_node half(const system_spec *s, carom_node a)
{
    return times(s, number(s, 0.5), a);
}

/* 1/2 (a'^2 + b'^2) */
static inline carom_node unit_kinetic(const system_spec *s)
{
    return half(s, plus(s, square(s, s->u[0]), square(s, s->u[1])));
}

/* Two rods of lengths p2, p3 with masses p0, p1 at their ends under gravity p4, angles from the vertical; the
 * energies from the Cartesian positions. */
static inline void double_pendulum(system_spec *s)
{
    system_begin(s);
    const carom_node x1 = times(s, s->p[2], of(s, CAROM_OP_SIN, s->q[0]));
    const carom_node y1 = of(s, CAROM_OP_NEG, times(s, s->p[2], of(s, CAROM_OP_COS, s->q[0])));
    const carom_node x2 = plus(s, x1, times(s, s->p[3], of(s, CAROM_OP_SIN, s->q[1])));
    const carom_node y2 = minus(s, y1, times(s, s->p[3], of(s, CAROM_OP_COS, s->q[1])));
    const carom_node place[4] = {x1, y1, x2, y2};
    carom_node kinetic = number(s, 0.0);
    for (int i = 0; i < 4; i++)
        kinetic =
            plus(s, kinetic, times(s, s->p[i / 2], square(s, carom_time_derivative(s->graph, place[i]))));
    s->spec.kinetic = half(s, kinetic);
    s->spec.potential = times(s, s->p[4], plus(s, times(s, s->p[0], y1), times(s, s->p[1], y2)));
}

static inline void double_pendulum_exact(const double *q, const double *u, double mass[4], double force[2])
{
    const double m1 = system_values[0], m2 = system_values[1], l1 = system_values[2], l2 = system_values[3];
    const double g = system_values[4], c = cos(q[0] - q[1]), d = sin(q[0] - q[1]);
    mass[0] = (m1 + m2) * l1 * l1;
    mass[1] = mass[2] = m2 * l1 * l2 * c;
    mass[3] = m2 * l2 * l2;
    force[0] = -m2 * l1 * l2 * d * u[1] * u[1] - (m1 + m2) * g * l1 * sin(q[0]);
    force[1] = m2 * l1 * l2 * d * u[0] * u[0] - m2 * g * l2 * sin(q[1]);
}

/* Entries of a mass matrix that depends on both coordinates, positive definite everywhere. */
static inline void curved_mass(const system_spec *s, carom_node mass[4])
{
    const carom_node mixed =
        half(s, of(s, CAROM_OP_SIN, plus(s, s->q[0], times(s, number(s, 2.0), s->q[1]))));
    mass[0] = plus(s, number(s, 2.0), of(s, CAROM_OP_COS, times(s, s->q[0], s->q[1])));
    mass[1] = mass[2] = mixed;
    mass[3] = plus(s, s->p[0], square(s, s->q[0]));
}

static inline carom_node quadratic_form(const system_spec *s, const carom_node mass[4])
{
    carom_node sum = number(s, 0.0);
    for (int i = 0; i < 4; i++)
        sum = plus(s, sum, times(s, mass[i], times(s, s->u[i / 2], s->u[i % 2])));
    return half(s, sum);
}

/* A model with its work, bound to system_values; the graph is freed: a model does not need it. */
typedef struct built {
    carom_model *model;
    carom_model_work *work;
} built;

static inline built build(system_spec *s)
{
    built b = {0};
    carom_error error = {0};
    const carom_status status = carom_traced_model_create(&s->spec, &b.model, &error);
    carom_graph_free(s->graph);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    b.work = b.model->ops->work_create(b.model);
    assert_non_null(b.work);
    b.model->ops->bind(b.work, system_values);
    return b;
}

static inline void release(built *b)
{
    b->model->ops->work_free(b->work);
    carom_model_free(b->model);
}

#endif
