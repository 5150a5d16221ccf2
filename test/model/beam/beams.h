/* For tests: beams with everything that a description can hold, and shorthand for expressions. */
#ifndef CAROM_TEST_MODEL_BEAM_BEAMS_H
#define CAROM_TEST_MODEL_BEAM_BEAMS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/model/beam.h"
#include "test/near.h"

enum {
    BEAM_PARAMETERS = 6, /* p0 = L, p1 = k2, the others free */
    BEAM_PARTS = 4,
    BEAM_PROBES = 12
};

static char beam_p0[] = "L", beam_p1[] = "k2", beam_p2[] = "p2", beam_p3[] = "p3", beam_p4[] = "p4",
            beam_p5[] = "p5";
static const carom_parameter beam_parameter[BEAM_PARAMETERS] = {
    {.name = beam_p0, .value = 10.0, .unit = beam_p2, .doc = beam_p3},
    {.name = beam_p1, .value = 282.84},
    {.name = beam_p2, .value = 0.5},
    {.name = beam_p3, .value = 2.0},
    {.name = beam_p4, .value = 3.0},
    {.name = beam_p5, .value = 0.25},
};
static const double beam_values[BEAM_PARAMETERS] = {10.0, 282.84, 0.5, 2.0, 3.0, 0.25};

/* A description without loads, contacts, damping and probes: clamped at the left, free at the right. */
typedef struct beam_case {
    carom_graph *graph;
    carom_node x, t, p[BEAM_PARAMETERS];
    carom_beam_obstacle obstacle[BEAM_PARTS];
    carom_beam_stop stop[BEAM_PARTS];
    carom_beam_force force[BEAM_PARTS];
    carom_beam_probe probe[BEAM_PROBES];
    carom_beam_spec spec;
} beam_case;

static inline void beam_begin(beam_case *c, carom_beam_basis basis, int elements)
{
    const carom_node none = CAROM_NO_NODE;
    const carom_beam_field rest = {.function = none, .x = none, .value = none};
    memset(c, 0, sizeof *c);
    c->graph = carom_graph_create(0);
    c->x = carom_leaf(c->graph, CAROM_OP_PLACE, 0);
    c->t = carom_leaf(c->graph, CAROM_OP_TIME, 0);
    for (int i = 0; i < BEAM_PARAMETERS; i++)
        c->p[i] = carom_leaf(c->graph, CAROM_OP_PARAMETER, i);
    c->spec = (carom_beam_spec){.graph = c->graph,
                                .name = "u",
                                .parameters = BEAM_PARAMETERS,
                                .parameter = beam_parameter,
                                .basis = basis,
                                .elements = elements,
                                .left = CAROM_END_CLAMPED,
                                .right = CAROM_END_FREE,
                                .length = c->p[0],
                                .k2 = c->p[1],
                                .modulus = none,
                                .density = none,
                                .area = none,
                                .inertia = none,
                                .damping_mass = none,
                                .damping_stiffness = none,
                                .acceleration = none,
                                .load = none,
                                .restitution = none,
                                .obstacle = c->obstacle,
                                .stop = c->stop,
                                .force = c->force,
                                .displacement = rest,
                                .velocity = rest,
                                .probe = c->probe};
}

static inline carom_node number(const beam_case *c, double value)
{
    return carom_constant(c->graph, value);
}

static inline carom_node plus(const beam_case *c, carom_node a, carom_node b)
{
    return carom_binary(c->graph, CAROM_OP_ADD, a, b);
}

static inline carom_node minus(const beam_case *c, carom_node a, carom_node b)
{
    return carom_binary(c->graph, CAROM_OP_SUB, a, b);
}

static inline carom_node times(const beam_case *c, carom_node a, carom_node b)
{
    return carom_binary(c->graph, CAROM_OP_MUL, a, b);
}

static inline carom_node over(const beam_case *c, carom_node a, carom_node b)
{
    return carom_binary(c->graph, CAROM_OP_DIV, a, b);
}

static inline carom_node of(const beam_case *c, carom_op op, carom_node a)
{
    return carom_unary(c->graph, op, a);
}

static inline carom_node power(const beam_case *c, carom_node a, int exponent)
{
    return carom_binary(c->graph, CAROM_OP_POW, a, number(c, exponent));
}

static inline carom_beam_obstacle *add_obstacle(beam_case *c, carom_node lower, carom_node upper)
{
    carom_beam_obstacle *obstacle = &c->obstacle[c->spec.obstacles++];
    *obstacle =
        (carom_beam_obstacle){.lower = lower, .upper = upper, .from = CAROM_NO_NODE, .to = CAROM_NO_NODE};
    return obstacle;
}

static inline carom_beam_stop *add_stop(beam_case *c, const char *name, double x, carom_node lower,
                                        carom_node upper)
{
    carom_beam_stop *stop = &c->stop[c->spec.stops++];
    *stop = (carom_beam_stop){.name = name, .x = number(c, x), .lower = lower, .upper = upper};
    return stop;
}

static inline carom_beam_force *add_force(beam_case *c, double x, carom_node value)
{
    carom_beam_force *force = &c->force[c->spec.forces++];
    *force = (carom_beam_force){.x = number(c, x), .value = value};
    return force;
}

static inline int add_probe(beam_case *c, carom_beam_probe_kind kind, double x)
{
    c->probe[c->spec.probes] =
        (carom_beam_probe){.kind = kind, .x = kind <= CAROM_PROBE_MOMENT ? number(c, x) : CAROM_NO_NODE};
    return c->spec.probes++;
}

/* A model with its work; the graph is freed: a model does not need it. */
typedef struct built_beam {
    carom_model *model;
    carom_model_work *work;
    const carom_structure *structure;
    int n;
} built_beam;

static inline built_beam beam_build_with(beam_case *c, const double *parameters)
{
    built_beam b = {0};
    carom_error error = {0};
    const carom_status status = carom_beam_model_create(&c->spec, &b.model, &error);
    carom_graph_free(c->graph);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    b.work = b.model->ops->work_create(b.model);
    assert_non_null(b.work);
    b.model->ops->bind(b.work, parameters);
    b.structure = b.model->ops->structure(b.work);
    b.n = b.model->dof;
    return b;
}

/* Bound to beam_values, which must be sound. */
static inline built_beam beam_build_sound(beam_case *c)
{
    built_beam b = beam_build_with(c, beam_values);
    carom_error error = {0};
    if (b.model->ops->check(b.work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return b;
}

static inline void beam_release(built_beam *b)
{
    b->model->ops->work_free(b->work);
    carom_model_free(b->model);
}

static inline double *new_vector(int n)
{
    double *x = carom_new_array((size_t)n, sizeof *x);
    assert_non_null(x);
    return x;
}

static inline void fill_random(carom_random *random, int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, -1.0, 1.0);
}

/* Row `row` of D times q. */
static inline double row_value(const carom_structure *structure, int row, const double *q)
{
    double sum = 0.0;
    for (int k = structure->row_start[row]; k < structure->row_start[row + 1]; k++)
        sum += structure->entry[k] * q[structure->column[k]];
    return sum;
}

/* The static deflection under load(t): q = S^-1 load; S is factored in place. */
static inline void solve_static(const built_beam *b, double t, double *q)
{
    carom_arena *arena = carom_arena_create();
    assert_non_null(arena);
    carom_band factor;
    assert_true(carom_band_take(arena, b->n, b->structure->stiffness.width, &factor));
    carom_band_combine(&b->structure->stiffness, 0.0, &b->structure->stiffness, &factor);
    assert_int_equal(carom_band_factor(&factor), 0);
    b->model->ops->load(b->work, 1, &t, &(const double){1.0}, q);
    carom_band_solve(&factor, q);
    carom_arena_free(arena);
}

/* sqrt of eigenvalue `index` of (S, M) */
static inline double frequency(const built_beam *b, int index)
{
    double omega;
    carom_error error = {0};
    if (carom_structure_frequency(b->structure, index, &omega, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return omega;
}

/* ops->check says `text`. */
static inline void expect_problem(beam_case *c, const double *parameters, const char *text)
{
    built_beam b = beam_build_with(c, parameters);
    carom_error error = {0};
    assert_int_equal(b.model->ops->check(b.work, &error), CAROM_BAD_INPUT);
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_string_equal(error.text, text);
    /* the work stays usable, so that a caller may look at it */
    double *q = new_vector(b.n), *f = new_vector(b.n), *gap = new_vector(b.model->contacts);
    b.model->ops->initial(b.work, q, f);
    b.model->ops->force(b.work, 0.0, q, q, f);
    b.model->ops->gaps(b.work, 0.0, q, gap);
    free(q);
    free(f);
    free(gap);
    beam_release(&b);
}

#endif
