/* Constraints of a traced model and their derivatives against finite differences: a double pendulum (mass
 * matrix of position) with a joint, a joint that moves in time, and a contact. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "systems.h"

enum {
    N = SYSTEM_DOF,
    CONSTRAINTS = 3
};

typedef struct pendulum {
    carom_model *model;
    carom_model_work *work;
} pendulum;

typedef struct point {
    double t, q[N], v[N], a[N], lambda[CONSTRAINTS];
} point;

static const point at = {0.4, {0.3, -0.8}, {1.1, 0.6}, {-0.7, 2.1}, {1.5, -0.4, 0.9}};

static pendulum build_pendulum(void)
{
    static carom_traced_joint joint[2];
    system_spec s;
    double_pendulum(&s);
    s.spec.force = NULL;
    joint[0] = (carom_traced_joint){.name = "bent",
                                    .value = plus(&s, of(&s, CAROM_OP_SIN, s.q[0]), square(&s, s.q[1]))};
    joint[1] = (carom_traced_joint){
        .name = "driven",
        .value = minus(&s, times(&s, s.q[0], of(&s, CAROM_OP_COS, s.q[1])), square(&s, s.t))};
    s.contact.gap = plus(&s, times(&s, s.q[0], s.q[1]), times(&s, s.t, s.q[1]));
    s.spec.joints = 2;
    s.spec.joint = joint;
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    pendulum made = {0};
    carom_error error = {0};
    if (carom_traced_model_create(&s.spec, &made.model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    made.work = made.model->ops->work_create(made.model);
    made.model->ops->bind(made.work, system_values);
    carom_graph_free(s.graph);
    return made;
}

static void release_pendulum(pendulum *made)
{
    made->model->ops->work_free(made->work);
    carom_model_free(made->model);
}

static carom_motion motion_of(const point *p)
{
    return (carom_motion){.t = p->t, .q = p->q, .v = p->v, .a = p->a, .lambda = p->lambda};
}

/* A block as a full matrix. */
static void block_at(const pendulum *made, carom_mechanism_block block, const point *p, double *matrix)
{
    const carom_sparse *pattern = made->model->ops->block_pattern(made->model, block);
    double entry[32];
    const carom_motion motion = motion_of(p);
    assert_true(pattern->column_start[pattern->columns] <= 32);
    made->model->ops->block(made->work, block, &motion, entry);
    memset(matrix, 0, (size_t)(pattern->rows * pattern->columns) * sizeof *matrix);
    for (int j = 0; j < pattern->columns; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            matrix[pattern->row[k] * pattern->columns + j] = entry[k];
}

/* M a - G^T lambda - f */
static void residual_at(const pendulum *made, const point *p, double *residual)
{
    double mass[N * N], rows[CONSTRAINTS * N], force[N];
    block_at(made, CAROM_BLOCK_MASS, p, mass);
    block_at(made, CAROM_BLOCK_ROWS, p, rows);
    made->model->ops->force(made->work, p->t, p->q, p->v, force);
    for (int i = 0; i < N; i++) {
        residual[i] = -force[i];
        for (int j = 0; j < N; j++)
            residual[i] += mass[i * N + j] * p->a[j];
        for (int k = 0; k < CONSTRAINTS; k++)
            residual[i] -= rows[k * N + i] * p->lambda[k];
    }
}

/* G v + g_t */
static void rate_at(const pendulum *made, const point *p, double *rate)
{
    double rows[CONSTRAINTS * N];
    const carom_motion motion = motion_of(p);
    block_at(made, CAROM_BLOCK_ROWS, p, rows);
    made->model->ops->constraints(made->work, &motion, NULL, rate, NULL);
    for (int k = 0; k < CONSTRAINTS; k++)
        for (int i = 0; i < N; i++)
            rate[k] += rows[k * N + i] * p->v[i];
}

/* G a + h */
static void curvature_at(const pendulum *made, const point *p, double *curvature)
{
    double rows[CONSTRAINTS * N];
    const carom_motion motion = motion_of(p);
    block_at(made, CAROM_BLOCK_ROWS, p, rows);
    made->model->ops->constraints(made->work, &motion, NULL, NULL, curvature);
    for (int k = 0; k < CONSTRAINTS; k++)
        for (int i = 0; i < N; i++)
            curvature[k] += rows[k * N + i] * p->a[i];
}

static void g_at(const pendulum *made, const point *p, double *g)
{
    const carom_motion motion = motion_of(p);
    made->model->ops->constraints(made->work, &motion, g, NULL, NULL);
}

static void force_at(const pendulum *made, const point *p, double *force)
{
    made->model->ops->force(made->work, p->t, p->q, p->v, force);
}

typedef void evaluate(const pendulum *made, const point *p, double *value);

/* The block is sign times the derivative of f by q (or v). */
static void expect_derivative(const pendulum *made, carom_mechanism_block block, evaluate *f, int rows,
                              bool by_v, double sign)
{
    const double step = 1e-6;
    double exact[CONSTRAINTS * N], high[CONSTRAINTS], low[CONSTRAINTS];
    block_at(made, block, &at, exact);
    for (int j = 0; j < N; j++) {
        point p = at;
        double *moved = by_v ? &p.v[j] : &p.q[j];
        *moved += step;
        f(made, &p, high);
        *moved -= 2 * step;
        f(made, &p, low);
        for (int i = 0; i < rows; i++) {
            const double found = sign * (high[i] - low[i]) / (2 * step);
            if (fabs(exact[i * N + j] - found) > 1e-8 * (1 + fabs(found)))
                fail_msg("block %d, entry (%d, %d): %.12g, by differences %.12g", block, i, j,
                         exact[i * N + j], found);
        }
    }
}

static void blocks_are_derivatives(void **state)
{
    (void)state;
    pendulum made = build_pendulum();
    expect_derivative(&made, CAROM_BLOCK_ROWS, g_at, CONSTRAINTS, false, 1);
    expect_derivative(&made, CAROM_BLOCK_RATE_BY_Q, rate_at, CONSTRAINTS, false, 1);
    expect_derivative(&made, CAROM_BLOCK_STIFFNESS, residual_at, N, false, 1);
    expect_derivative(&made, CAROM_BLOCK_DAMPING, force_at, N, true, -1);
    expect_derivative(&made, CAROM_BLOCK_CURVATURE_BY_Q, curvature_at, CONSTRAINTS, false, 1);
    expect_derivative(&made, CAROM_BLOCK_CURVATURE_BY_V, curvature_at, CONSTRAINTS, true, 1);
    double mass[N * N], entries[N * N];
    made.model->ops->mass(made.work, at.t, at.q, mass);
    block_at(&made, CAROM_BLOCK_MASS, &at, entries);
    assert_memory_equal(mass, entries, sizeof mass);
    release_pendulum(&made);
}

/* Along a motion q(t) with velocity v and acceleration a: g' = G v + g_t and g'' = G a + h. */
static void constraints_follow_the_motion(void **state)
{
    (void)state;
    pendulum made = build_pendulum();
    const double step = 1e-4;
    double before[CONSTRAINTS], now[CONSTRAINTS], after[CONSTRAINTS], rate[CONSTRAINTS],
        curvature[CONSTRAINTS];
    point early = at, late = at;
    early.t -= step, late.t += step;
    for (int i = 0; i < N; i++) {
        early.q[i] += -step * at.v[i] + step * step / 2 * at.a[i];
        late.q[i] += step * at.v[i] + step * step / 2 * at.a[i];
    }
    g_at(&made, &early, before);
    g_at(&made, &at, now);
    g_at(&made, &late, after);
    rate_at(&made, &at, rate);
    curvature_at(&made, &at, curvature);
    for (int k = 0; k < CONSTRAINTS; k++) {
        assert_true(fabs((after[k] - before[k]) / (2 * step) - rate[k]) < 1e-6);
        assert_true(fabs((after[k] - 2 * now[k] + before[k]) / (step * step) - curvature[k]) < 1e-5);
    }
    release_pendulum(&made);
}

static void names_and_numbers_are_kept(void **state)
{
    (void)state;
    pendulum made = build_pendulum();
    assert_int_equal(made.model->joints, 2);
    assert_string_equal(made.model->joint[1], "driven");
    assert_int_equal(made.model->contacts, 1);
    release_pendulum(&made);
}

static void expect_refused(carom_node (*describe)(system_spec *s), const char *word)
{
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    const carom_traced_joint joint = {.name = "pin", .line = 7, .value = describe(&s)};
    s.spec.joints = 1;
    s.spec.joint = &joint;
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_traced_model_create(&s.spec, &model, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, word));
    assert_non_null(strstr(error.text, "7: joint 'pin'"));
    carom_graph_free(s.graph);
}

static carom_node of_velocity(system_spec *s)
{
    return plus(s, s->q[0], s->u[1]);
}

static carom_node of_time_alone(system_spec *s)
{
    return s->t;
}

static void joints_of_other_things_are_refused(void **state)
{
    (void)state;
    expect_refused(of_velocity, "not of velocity");
    expect_refused(of_time_alone, "does not depend on any coordinate");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_are_derivatives),
        cmocka_unit_test(constraints_follow_the_motion),
        cmocka_unit_test(names_and_numbers_are_kept),
        cmocka_unit_test(joints_of_other_things_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
