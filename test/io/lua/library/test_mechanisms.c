/* The library of mechanisms: body2d, joints, clearance, bar, beam2d. Expected numbers are closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

#define END "integrate { h = 0.1, until_t = 1 }\n"
#define ROD                                                                                                  \
    "local rod = body2d { 'rod', mass = 2, inertia = 3, at = { 1, 2, 0.5 }, velocity = { 4, 5, 6 } }\n"

enum {
    DOF_MAX = 12
};

/* A model at its initial state. */
typedef struct built {
    carom_experiment *experiment;
    const carom_model *model;
    carom_model_work *work;
    double *values;
    double q[DOF_MAX], v[DOF_MAX], mass[DOF_MAX * DOF_MAX];
} built;

static built build(const char *text)
{
    built made = {.experiment = load_good_text(text)};
    made.model = made.experiment->model;
    assert_true(made.model->dof <= DOF_MAX);
    made.work = made.model->ops->work_create(made.model);
    made.model->ops->bind(made.work, made.experiment->parameter);
    made.values = values_of(made.experiment);
    for (int i = 0; i < made.model->dof; i++) {
        made.q[i] = made.values[made.experiment->q0[i]];
        made.v[i] = made.values[made.experiment->v0[i]];
    }
    made.model->ops->mass(made.work, 0.0, made.q, made.mass);
    return made;
}

static void release(built *made)
{
    free(made->values);
    made->model->ops->work_free(made->work);
    carom_experiment_free(made->experiment);
}

/* Joints and gaps at q + step v of the start. */
static void constraints_at(const built *made, double step, double *g)
{
    double q[DOF_MAX];
    for (int i = 0; i < made->model->dof; i++)
        q[i] = made->q[i] + step * made->v[i];
    const carom_motion motion = {.t = 0.0, .q = q, .v = made->v};
    made->model->ops->constraints(made->work, &motion, g, NULL, NULL);
}

/* All joints hold at the start, and so do their rates (by central differences along the motion). */
static void check_consistent(const built *made)
{
    double before[16], now[16], after[16];
    assert_true(made->model->joints > 0 && made->model->joints + made->model->contacts <= 16);
    constraints_at(made, -1e-5, before);
    constraints_at(made, 0.0, now);
    constraints_at(made, 1e-5, after);
    for (int k = 0; k < made->model->joints; k++) {
        assert_near(now[k], 0.0, 1e-14);
        assert_near((after[k] - before[k]) / 2e-5, 0.0, 1e-7);
    }
}

/* ---- bodies ----------------------------------------------------------------------------------------- */

static void a_body_has_coordinates_inertia_weight_and_start(void **state)
{
    (void)state;
    built made = build("body2d { 'rod', mass = 2, inertia = 3, at = { 1, 2, 0.5 }, velocity = { 4, 5, 6 }, "
                       "gravity = 10 }\n" END);
    static const char *const names[] = {"rod_x", "rod_y", "rod_phi"};
    static const double mass[] = {2, 2, 3}, q[] = {1, 2, 0.5}, v[] = {4, 5, 6}, weight[] = {0, -20, 0};
    double force[3];
    assert_int_equal(made.model->dof, 3);
    made.model->ops->force(made.work, 0.0, made.q, made.v, force);
    for (int i = 0; i < 3; i++) {
        assert_string_equal(made.model->coordinate[i], names[i]);
        assert_true(made.mass[4 * i] == mass[i] && made.q[i] == q[i] && made.v[i] == v[i]);
        assert_true(force[i] == weight[i]);
    }
    assert_near(made.model->ops->energy(made.work, 0.0, made.q, made.v), 16 + 25 + 54 + 40, 1e-12);
    release(&made);
}

/* (1, 2) + turn by 0.5 of (3, -1); its velocity is (4, 5) + 6 across. */
static void a_point_moves_with_its_body(void **state)
{
    (void)state;
    carom_experiment *experiment = load_good_text(
        ROD
        "local x, y = rod:point { 3, -1 }\n"
        "local sx, sy, svx, svy = rod:point_at_start { 3, -1 }\n"
        "record { x = x, y = y, vx = dot(x), vy = dot(y), sx = sx, sy = sy, svx = svx, svy = svy }\n" END);
    const double q[3] = {1, 2, 0.5}, v[3] = {4, 5, 6};
    double *value = columns_of(experiment, &(carom_inputs){.q = q, .u = v});
    const double rx = 3 * cos(0.5) + sin(0.5), ry = 3 * sin(0.5) - cos(0.5);
    const double expected[] = {1 + rx, 2 + ry, 4 - 6 * ry, 5 + 6 * rx};
    static const char *const now[] = {"x", "y", "vx", "vy"}, *const start[] = {"sx", "sy", "svx", "svy"};
    for (int i = 0; i < 4; i++) {
        assert_near(value[column_named(experiment, now[i])], expected[i], 1e-13);
        assert_near(value[column_named(experiment, start[i])], expected[i], 1e-13);
    }
    free(value);
    carom_experiment_free(experiment);
}

static void starts_join_those_of_other_coordinates(void **state)
{
    (void)state;
    built made =
        build(ROD "local s = coordinates('s')\nkinetic(dot(s)^2 / 2)\ninitial { s = 7, [dot(s)] = 8 }\n" END);
    assert_true(made.q[0] == 1 && made.v[2] == 6 && made.q[3] == 7 && made.v[3] == 8);
    release(&made);
}

/* ---- joints ----------------------------------------------------------------------------------------- */

/* Crank, rod and slider in any position: what is pinned starts where its pin holds it, and as fast. */
static void pinned_bodies_start_consistently(void **state)
{
    (void)state;
    built made = build("local a = param('a', 0.7)\n"
                       "local crank = body2d { 'crank', mass = 1, inertia = 1, pinned = { { -0.5, 0.1 }, "
                       "ground, { 2, 1 } }, phi = a, omega = 3 }\n"
                       "revolute { 'main', crank, { -0.5, 0.1 }, ground, { 2, 1 } }\n"
                       "local rod = body2d { 'rod', mass = 1, inertia = 1, pinned = { { -1, 0 }, crank, { "
                       "0.5, 0 } }, phi = -0.4, omega = 1.5 }\n"
                       "revolute { 'elbow', crank, { 0.5, 0 }, rod, { -1, 0 } }\n" END);
    assert_int_equal(made.model->joints, 4);
    assert_string_equal(made.model->joint[3], "elbow_2");
    check_consistent(&made);
    release(&made);
}

/* A slider on a line at 30 degrees of a turned body: free along the line, held across it and in its angle. */
static void a_prismatic_joint_leaves_one_freedom(void **state)
{
    (void)state;
    static const char text[] =
        "local t = 0.3 + pi / 6\n"
        "local a = body2d { 'a', mass = 1, inertia = 1, at = { 1, 1, 0.3 } }\n"
        "local b = body2d { 'b', mass = 1, inertia = 1, at = { 1 + 2 * cos(t), 1 + 2 * sin(t), -0.2 },"
        " velocity = { cos(t), sin(t), 0 } }\n"
        "prismatic { 'guide', a, { 0, 0 }, pi / 6, b }\n" END;
    built made = build(text);
    assert_int_equal(made.model->joints, 2);
    check_consistent(&made);
    const double across = 0.3 + acos(-1.0) / 6 + acos(-1.0) / 2;
    double g[2];
    made.q[3] += 0.01 * cos(across);
    made.q[4] += 0.01 * sin(across);
    made.q[5] += 0.02;
    constraints_at(&made, 0.0, g);
    assert_near(g[0], 0.01, 1e-14);
    assert_near(g[1], 0.02, 1e-14);
    release(&made);
}

static void a_distance_is_kept(void **state)
{
    (void)state;
    built made =
        build(ROD "distance { 'string', rod, { 3, -1 }, ground, { 1, 2 }, length = sqrt(10) - 1 }\n" END);
    double g[1];
    assert_int_equal(made.model->joints, 1);
    constraints_at(&made, 0.0, g);
    assert_near(g[0], 1.0, 1e-13);
    release(&made);
}

/* Journal (centre of rod) at (0.03, 0.04) in a bearing of the ground with play 0.06: gap 0.01. Tangent (-0.8,
 * 0.6); slip = -0.8 * 4 + 0.6 * 5 + 0.2 * 6 with a pin of radius 0.2. */
static void a_journal_moves_in_its_bearing(void **state)
{
    (void)state;
    built made = build("local rod = body2d { 'rod', mass = 2, inertia = 3, at = { 0.03, 0.04, 0.5 }, "
                       "velocity = { 4, 5, 6 } }\n"
                       "clearance { 'play', ground, rod, radius = 0.06, journal = 0.2, restitution = 0.5, "
                       "friction = 0.1 }\n" END);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, made.model, &frame));
    double gap;
    made.model->ops->gaps(made.work, 0.0, made.q, &gap);
    assert_near(gap, 0.01, 1e-15);
    made.model->ops->frame(made.work, 0, 0.0, made.q, &frame);
    double slip = frame.tangent_rate[0], rate = frame.normal_rate;
    for (int i = 0; i < 3; i++) {
        slip += carom_row_at(&frame.tangent[0], i) * made.v[i];
        rate += carom_row_at(&frame.normal, i) * made.v[i];
    }
    assert_near(slip, -3.2 + 3 + 1.2, 1e-12);
    assert_near(rate, -(0.6 * 4 + 0.8 * 5), 1e-12);
    made.q[0] = made.q[1] = 0.0; /* centred: no direction, but numbers */
    made.model->ops->frame(made.work, 0, 0.0, made.q, &frame);
    for (int i = 0; i < 3; i++)
        assert_true(isfinite(carom_row_at(&frame.normal, i)) && isfinite(carom_row_at(&frame.tangent[0], i)));
    carom_arena_free(arena);
    release(&made);
}

/* ---- elastic members -------------------------------------------------------------------------------- */

/* Two elements of length 1.5, mass 3 each, stiffness 4: rows of the matrices. */
static void a_bar_has_its_matrices(void **state)
{
    (void)state;
    static const char *const kinds[] = {"consistent", "lumped"};
    static const double mass[2][9] = {{1, .5, 0, .5, 2, .5, 0, .5, 1}, {1.5, 0, 0, 0, 3, 0, 0, 0, 1.5}};
    for (int k = 0; k < 2; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local b = bar { 'u', elements = 2, length = 3, E = 3, A = 2, rho = 1, mass = '%s', "
                 "velocity = -7 }\n"
                 "record { pull = b.force(2) }\n" END,
                 kinds[k]);
        built made = build(text);
        assert_int_equal(made.model->dof, 3);
        assert_string_equal(made.model->coordinate[2], "u_2");
        for (int i = 0; i < 9; i++)
            assert_near(made.mass[i], mass[k][i], 1e-14);
        const double q[3] = {0.1, 0.4, 0.2}, v[3] = {0};
        double force[3];
        made.model->ops->force(made.work, 0.0, q, v, force);
        assert_near(force[0], 1.2, 1e-14);
        assert_near(force[1], -2.0, 1e-14);
        assert_near(force[2], 0.8, 1e-14);
        double *value = columns_of(made.experiment, &(carom_inputs){.q = q, .u = v});
        assert_near(value[0], -0.8, 1e-14);
        assert_true(made.v[0] == -7 && made.v[2] == -7);
        free(value);
        release(&made);
    }
}

/* Nodal forces of the two-node element in closed form (one-point integration) at an arbitrary shape. */
static void a_beam_element_has_its_forces(void **state)
{
    (void)state;
    built made = build("beam2d { 'b', elements = 1, length = 0.5, E = 10, A = 2, I = 3, nu = 0.25, rho = 4, "
                       "at = { 0, 0, 0.2 } }\n" END);
    const double q[6] = {0.01, -0.02, 0.25, 0.53, 0.08, 0.4}, v[6] = {0}, l = 0.5;
    const double c = cos(0.325), s = sin(0.325), dx = 0.52, dy = 0.1;
    const double stretch = (dx * c + dy * s) / l - 1, shear = (dy * c - dx * s) / l;
    const double N = 20 * stretch, V = 10 / 2.5 * 2 * 5 / 6 * shear, M = 30 * 0.15 / l;
    const double turn = l / 2 * (N * shear - V * (stretch + 1));
    const double inner[6] = {-c * N + s * V, -s * N - c * V, turn - M,
                             c * N - s * V,  s * N + c * V,  turn + M};
    double force[6];
    made.model->ops->force(made.work, 0.0, q, v, force);
    for (int i = 0; i < 6; i++)
        assert_near(force[i], -inner[i], 1e-13);
    made.model->ops->force(made.work, 0.0, made.q, v, force); /* straight at the start: no strain */
    for (int i = 0; i < 6; i++)
        assert_near(force[i], 0.0, 1e-13);
    assert_near(made.mass[0], 4 * 2 * l / 3, 1e-14);
    assert_near(made.mass[3], 4 * 2 * l / 6, 1e-14);
    assert_near(made.mass[2 * 6 + 5], 4 * 3 * l / 6, 1e-14);
    release(&made);
}

/* A hinged root has its angle only; nodes are bodies for joints. */
static void a_beam_is_part_of_a_mechanism(void **state)
{
    (void)state;
    built made = build(
        "local b = beam2d { 'b', elements = 2, length = 2, E = 10, A = 2, I = 3, rho = 4, root = 'hinged', "
        "gravity = 10 }\n"
        "local bob = body2d { 'bob', mass = 1, inertia = 1, pinned = { { -0.1, 0 }, b.tip, { 0, 0 } } }\n"
        "revolute { 'pin', bob, { -0.1, 0 }, b.tip }\n" END);
    assert_int_equal(made.model->dof, 10);
    assert_string_equal(made.model->coordinate[0], "b_0_phi");
    assert_string_equal(made.model->coordinate[4], "b_2_x");
    assert_true(made.q[4] == 2.0 && made.q[7] == 2.1);
    double force[10];
    made.model->ops->force(made.work, 0.0, made.q, made.v, force);
    assert_near(force[2], -80.0, 1e-12); /* of the inner node: rho A l g */
    assert_near(force[5], -40.0, 1e-12);
    check_consistent(&made);
    release(&made);
}

/* ---- mistakes --------------------------------------------------------------------------------------- */

static void mistakes_of_bodies_are_explained(void **state)
{
    (void)state;
    check_refused("\nbody2d(3)\n", 2, "body2d takes a table", NULL);
    check_refused("body2d { mass = 1 }\n", 1, "begins with a name", NULL);
    check_refused("body2d { 'a', mas = 1 }\n", 1, "unknown key 'mas'", "known are mass");
    check_refused("body2d { 'a', mass = 1 }\n", 1, "body2d 'a' needs inertia", NULL);
    check_refused("body2d { 'a', mass = -1, inertia = 1 }\n", 1, "mass = -1 must be positive", NULL);
    check_refused("body2d { 'a', mass = 1, inertia = 1, at = { 1, 2 } }\n", 1, "at must be { x, y, phi }",
                  NULL);
    check_refused("body2d { 'a', mass = 1, inertia = 1, phi = 1 }\n", 1, "phi and omega go with pinned",
                  NULL);
    check_refused("body2d { 'a', mass = 1, inertia = 1, pinned = { ground } }\n", 1, "pinned must be", NULL);
    check_refused(
        "body2d { 'a', mass = 1, inertia = 1, at = { 0, 0, 0 }, pinned = { { 0, 0 }, ground, { 0, 0 } } }\n",
        1, "not at and velocity", NULL);
    check_refused(ROD "body2d { 'rod', mass = 1, inertia = 1 }\n", 2, "rod_x", NULL);
    check_refused(ROD END "body2d { 'late', mass = 1, inertia = 1 }\n", 3, "after initial or integrate",
                  NULL);
    check_refused(ROD "initial { rod_x = 5 }\n" END, 2, "'rod_x' is given twice", NULL);
    check_refused(ROD "rod:point(3)\n", 2, "must be { a, b }", NULL);
    check_refused("bar { 'u', elements = 2.5, length = 1, E = 1, rho = 1 }\n", 1, "whole number",
                  "not a param");
    check_refused("bar { 'u', elements = 2, length = 1, E = 1, rho = 1, mass = 'heavy' }\n", 1, "lumped",
                  NULL);
    check_refused("beam2d { 'b', elements = 2, length = 1, E = 1, A = 1, I = 1, rho = 1, root = 'loose' }\n",
                  1, "root is", "hinged");
}

static void mistakes_of_joints_are_explained(void **state)
{
    (void)state;
    check_refused(ROD "revolute { 'p', rod, { 0, 0 }, 3 }\n", 2, "entry 4 must be a body", "ground");
    check_refused(ROD "revolute { 'p', rod, { 0, 0 }, rod, { 1, 0 } }\n", 2, "joins 'rod' to itself", NULL);
    check_refused(ROD "revolute { 'p', rod, { 0 }, ground, { 1, 0 } }\n", 2, "a point must be { a, b }",
                  NULL);
    check_refused(ROD "revolute { 'p', rod, ground, { 1, 0 }, 4 }\n", 2, "entry 5 is too much", NULL);
    check_refused(ROD "prismatic { 'p', ground, { 0, 0 }, rod }\n", 2, "entry 4 must be the angle", NULL);
    check_refused(ROD "distance { 'p', ground, rod }\n", 2, "needs length", NULL);
    check_refused(ROD "clearance { 'p', ground, rod }\n", 2, "needs radius", NULL);
    check_refused(ROD "clearance { 'p', ground, rod, radius = 1, friction = 0.1 }\n", 2, "needs journal",
                  NULL);
    check_refused(ROD "clearance { 'p', ground, rod, radius = 1, restitution = 2 }\n", 2, "outside [0, 1]",
                  NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_body_has_coordinates_inertia_weight_and_start),
        cmocka_unit_test(a_point_moves_with_its_body),
        cmocka_unit_test(starts_join_those_of_other_coordinates),
        cmocka_unit_test(pinned_bodies_start_consistently),
        cmocka_unit_test(a_prismatic_joint_leaves_one_freedom),
        cmocka_unit_test(a_distance_is_kept),
        cmocka_unit_test(a_journal_moves_in_its_bearing),
        cmocka_unit_test(a_bar_has_its_matrices),
        cmocka_unit_test(a_beam_element_has_its_forces),
        cmocka_unit_test(a_beam_is_part_of_a_mechanism),
        cmocka_unit_test(mistakes_of_bodies_are_explained),
        cmocka_unit_test(mistakes_of_joints_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
