/* Derivatives of beams along directions of parameters, time and state: against differences of beams with other parameters. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

enum {
    ELEMENTS = 6,
    MOST = 600
};

/* Everything depends on parameters: the length, places, a load that is no sum of products, obstacles, the start. */
static void full_case(beam_case *c, carom_beam_basis basis, carom_beam_grid grid, bool by_modulus)
{
    beam_begin(c, basis, ELEMENTS);
    const carom_node L = c->p[0];
    c->spec.grid = grid;
    if (basis == CAROM_BEAM_BSPLINE)
        c->spec.right = CAROM_END_PINNED;
    if (by_modulus) {
        c->spec.k2 = CAROM_NO_NODE;
        c->spec.modulus = c->p[1];
        c->spec.density = c->p[3];
        c->spec.area = plus(c, c->p[2], number(c, 1.0));
        c->spec.inertia = c->p[5];
    }
    c->spec.damping_mass = c->p[2];
    c->spec.damping_stiffness = times(c, number(c, 0.01), c->p[3]);
    c->spec.restitution = c->p[5];
    c->spec.acceleration = times(c, c->x, of(c, CAROM_OP_SIN, times(c, c->p[3], c->t)));
    c->spec.load = of(c, CAROM_OP_EXP, times(c, number(c, -0.1), times(c, c->x, times(c, c->t, c->p[5]))));
    const carom_node slope = times(c, number(c, 0.01), times(c, c->p[2], c->x));
    carom_beam_obstacle *wall =
        add_obstacle(c, minus(c, number(c, -0.02), slope), plus(c, number(c, 0.03), slope));
    wall->to = times(c, number(c, 0.7), L);
    carom_beam_obstacle *roof = add_obstacle(c, CAROM_NO_NODE, minus(c, number(c, 0.05), slope));
    roof->from = times(c, number(c, 0.4), L);
    roof->to = wall->to;
    add_stop(c, "near_end", 0.0, minus(c, number(c, -0.1), c->p[2]), CAROM_NO_NODE)->x =
        times(c, number(c, 5.0 / 6.0), L);
    add_force(c, 0.0, of(c, CAROM_OP_COS, times(c, c->p[4], c->t)))->x = c->p[4];
    c->spec.displacement.function = of(c, CAROM_OP_SIN, over(c, times(c, c->p[3], c->x), L));
    c->spec.velocity = (carom_beam_field){.function = CAROM_NO_NODE,
                                          .mode = 2,
                                          .x = plus(c, times(c, number(c, 0.3), L), c->p[5]),
                                          .value = c->p[2]};
    for (int kind = CAROM_PROBE_DISPLACEMENT; kind <= CAROM_PROBE_TOUCHING; kind++) {
        add_probe(c, (carom_beam_probe_kind)kind, 0.0);
        if (kind <= CAROM_PROBE_MOMENT) /* the second derivative jumps at nodes: its place moves with them */
            c->probe[c->spec.probes - 1].x =
                kind == CAROM_PROBE_MOMENT ? times(c, number(c, 0.43), L) : c->p[4];
    }
}

/* A point of everything, or a direction. */
typedef struct point {
    double parameter[BEAM_PARAMETERS], t, q[MOST], u[MOST], impulse[MOST];
} point;

typedef struct numbers {
    int count;
    double value[4 * MOST];
} numbers;

static double *more(numbers *to, int count)
{
    double *place = to->value + to->count;
    to->count += count;
    assert_true(to->count <= 4 * MOST);
    memset(place, 0, (size_t)count * sizeof *place);
    return place;
}

static const double instants = 0.21; /* the second one later by this times t */
static const double weights[2] = {0.4, 0.6};

static numbers values_at(const built_beam *b, const point *at)
{
    const carom_model_ops *ops = b->model->ops;
    const int n = b->n, contacts = b->model->contacts;
    numbers all = {0};
    ops->bind(b->work, at->parameter);
    carom_error error = {0};
    if (ops->check(b->work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    ops->mass(b->work, at->t, at->q, more(&all, n * n));
    ops->force(b->work, at->t, at->q, at->u, more(&all, n));
    ops->gaps(b->work, at->t, at->q, more(&all, contacts));
    *more(&all, 1) = ops->energy(b->work, at->t, at->q, at->u);
    const double t[2] = {at->t, at->t * (1.0 + instants)};
    ops->load(b->work, 2, t, weights, more(&all, n));
    ops->stiffness_times(b->work, at->q, more(&all, n));
    double *q0 = more(&all, 2 * n);
    ops->initial(b->work, q0, q0 + n);
    ops->observe(b->work, at->t, at->q, at->u, at->impulse, more(&all, b->model->observables));
    const carom_structure *s = ops->structure(b->work);
    carom_band_multiply(&s->stiffness, at->u, more(&all, n));
    *more(&all, 1) = s->damping_mass;
    *more(&all, 1) = s->damping_stiffness;
    *more(&all, 1) = s->restitution;
    for (int row = 0; row < s->rows; row++) {
        *more(&all, 1) = isfinite(s->lower[row]) ? s->lower[row] : 0.0;
        *more(&all, 1) = isfinite(s->upper[row]) ? s->upper[row] : 0.0;
    }
    return all;
}

static numbers values_along(const built_beam *b, const point *at, const point *by)
{
    const carom_model_ops *ops = b->model->ops;
    const carom_model_tangent_ops *along = ops->tangent;
    const int n = b->n, contacts = b->model->contacts;
    const carom_direction d = {by->t, by->q, by->u, by->parameter}, still = {.parameter = by->parameter};
    numbers all = {0};
    ops->bind(b->work, at->parameter);
    along->mass(b->work, at->t, at->q, 1, &d, more(&all, n * n));
    along->force(b->work, at->t, at->q, at->u, 1, &d, more(&all, n));
    along->gaps(b->work, at->t, at->q, 1, &d, more(&all, contacts));
    along->energy(b->work, at->t, at->q, at->u, 1, &d, more(&all, 1));
    const double t[2] = {at->t, at->t * (1.0 + instants)}, dt[2] = {by->t, by->t * (1.0 + instants)};
    along->load(b->work, by->parameter, 2, t, weights, dt, more(&all, n));
    double *Sq = more(&all, n), moved[MOST];
    along->stiffness_times(b->work, by->parameter, at->q, Sq);
    ops->stiffness_times(b->work, by->q, moved);
    carom_axpy(n, 1.0, moved, Sq);
    double *q0 = more(&all, 2 * n);
    along->initial(b->work, by->parameter, q0, q0 + n);
    along->observe(b->work, at->t, at->q, at->u, at->impulse, &d, by->impulse,
                   more(&all, b->model->observables));
    const carom_structure *s = ops->structure(b->work);
    const carom_structure_along *moves = along->structure(b->work, by->parameter);
    double *Su = more(&all, n);
    carom_band_multiply(&moves->stiffness, at->u, Su);
    carom_band_multiply(&s->stiffness, by->u, moved);
    carom_axpy(n, 1.0, moved, Su);
    *more(&all, 1) = moves->damping_mass;
    *more(&all, 1) = moves->damping_stiffness;
    *more(&all, 1) = moves->restitution;
    for (int row = 0; row < s->rows; row++) {
        *more(&all, 1) = moves->lower[row];
        *more(&all, 1) = moves->upper[row];
    }
    /* frames: rows are constant, the restitution is not */
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, b->model, &frame));
    along->frame(b->work, 0, at->t, at->q, 1, &still, &frame);
    assert_true(frame.restitution == moves->restitution && frame.normal_rate == 0.0);
    for (int i = 0; i < n; i++)
        assert_true(frame.normal.value[i] == 0.0);
    carom_arena_free(arena);
    return all;
}

static point moved_point(const point *at, const point *by, double s)
{
    point there = *at;
    const double *from = (const double *)by;
    double *to = (double *)&there;
    for (size_t i = 0; i < sizeof there / sizeof(double); i++)
        to[i] += s * from[i];
    return there;
}

static void check_beam(beam_case *c, const double *direction)
{
    built_beam b = beam_build_sound(c);
    carom_random random = {.state = 5};
    point at = {.t = 0.4}, by = {.t = 0.3};
    memcpy(at.parameter, beam_values, sizeof beam_values);
    memcpy(by.parameter, direction, sizeof beam_values);
    fill_random(&random, b.n, at.q);
    fill_random(&random, b.n, at.u);
    fill_random(&random, b.n, by.q);
    fill_random(&random, b.n, by.u);
    fill_random(&random, 3 * b.model->contacts, at.impulse);
    fill_random(&random, 3 * b.model->contacts, by.impulse);
    const double step = 1e-4;
    numbers level[2];
    for (int k = 0; k < 2; k++) {
        const double s = step / (1 + k);
        const point up = moved_point(&at, &by, s), down = moved_point(&at, &by, -s);
        const numbers above = values_at(&b, &up), below = values_at(&b, &down);
        level[k].count = above.count;
        for (int i = 0; i < above.count; i++)
            level[k].value[i] = (above.value[i] - below.value[i]) / (2.0 * s);
    }
    const numbers found = values_along(&b, &at, &by), here = values_at(&b, &at);
    assert_int_equal(found.count, level[0].count);
    for (int i = 0; i < found.count; i++) {
        const double expected = (4.0 * level[1].value[i] - level[0].value[i]) / 3.0;
        if (isinf(here.value[i])) /* the gap of no obstacle */
            continue;
        if (!(fabs(found.value[i] - expected) <= 1e-7 * (1.0 + fabs(expected)) + 1e-10 * fabs(here.value[i])))
            fail_msg("number %d of %d: %.12g, differences %.12g", i, found.count, found.value[i], expected);
    }
    beam_release(&b);
}

static void test_against_differences(void **state)
{
    (void)state;
    static const double all[BEAM_PARAMETERS] = {0.7, 30.0, 0.2, -0.3, 0.4, 0.1},
                        length[BEAM_PARAMETERS] = {1.0}, still[BEAM_PARAMETERS] = {0.0};
    static const struct {
        carom_beam_basis basis;
        carom_beam_grid grid;
    } kind[] = {{CAROM_BEAM_P3, CAROM_GRID_PAPER},
                {CAROM_BEAM_BSPLINE, CAROM_GRID_PAPER},
                {CAROM_BEAM_DIFFERENCE, CAROM_GRID_PAPER},
                {CAROM_BEAM_DIFFERENCE, CAROM_GRID_HALF},
                {CAROM_BEAM_DIFFERENCE, CAROM_GRID_GHOST}};
    for (size_t k = 0; k < sizeof kind / sizeof *kind; k++)
        for (int modulus = 0; modulus < 2; modulus++) {
            const double *const direction[] = {all, length, still};
            for (int d = 0; d < 3; d++) {
                beam_case c;
                full_case(&c, kind[k].basis, kind[k].grid, modulus == 1);
                check_beam(&c, direction[d]);
            }
        }
}

/* A stop that leaves its node is none, a moment at a place that moves has no derivative: NaN, so that it is seen. */
static void test_what_has_no_derivative(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 5);
    add_stop(&c, "stop", 0.0, number(&c, -0.1), CAROM_NO_NODE)->x = times(&c, number(&c, 4.0), c.p[3]);
    add_probe(&c, CAROM_PROBE_MOMENT, 0.0);
    c.probe[0].x = c.p[4];
    built_beam b = beam_build_sound(&c);
    const double moves_stop[BEAM_PARAMETERS] = {0, 0, 0, 1.0},
                 moves_probe[BEAM_PARAMETERS] = {0, 0, 0, 0, 1.0};
    const carom_model_tangent_ops *along = b.model->ops->tangent;
    assert_true(isnan(along->structure(b.work, moves_stop)->lower[0]));
    assert_true(along->structure(b.work, moves_probe)->lower[0] == 0.0);
    double q[20] = {0.1, 0.2}, none[60] = {0}, observed;
    along->observe(b.work, 0.0, q, q, none, &(carom_direction){.q = q, .u = q, .parameter = moves_probe},
                   none, &observed);
    assert_true(isnan(observed));
    beam_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_against_differences),
                                       cmocka_unit_test(test_what_has_no_derivative)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
