#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "systems.h"

enum {
    POINTS = 20
};

typedef struct point {
    double t, q[2], u[2];
} point;

static point random_point(carom_random *random)
{
    point at = {.t = carom_random_uniform(random, 0.0, 3.0)};
    for (int i = 0; i < 2; i++) {
        at.q[i] = carom_random_uniform(random, 0.3, 2.5);
        at.u[i] = carom_random_uniform(random, -2.0, 2.0);
    }
    return at;
}

static void check_equations(const built *b, const point *at, const double mass[4], const double force[2])
{
    double m[4], f[2];
    b->model->ops->mass(b->work, at->t, at->q, m);
    b->model->ops->force(b->work, at->t, at->q, at->u, f);
    for (int i = 0; i < 4; i++)
        assert_near_or_relative(m[i], mass[i], 1e-14);
    for (int i = 0; i < 2; i++)
        assert_near_or_relative(f[i], force[i], 1e-13);
}

/* ---- textbook systems -------------------------------------------------------------------------- */

static void test_double_pendulum(void **state)
{
    (void)state;
    system_spec s;
    double_pendulum(&s);
    built b = build(&s);
    assert_false(b.model->constant_mass);
    carom_random random = {.state = 1};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        double mass[4], force[2];
        double_pendulum_exact(at.q, at.u, mass, force);
        check_equations(&b, &at, mass, force);
    }
    release(&b);
}

/* Together with its derivatives the force is the same, to the bit, and so are they. */
static void test_force_with_its_derivatives(void **state)
{
    (void)state;
    system_spec s;
    double_pendulum(&s);
    built b = build(&s);
    const carom_model_ops *ops = b.model->ops;
    carom_random random = {.state = 5};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        double force[2], by_q[4], by_u[4], force_too[2], by_q_too[4], by_u_too[4];
        ops->force(b.work, at.t, at.q, at.u, force);
        ops->force_jacobian(b.work, at.t, at.q, at.u, by_q, by_u);
        assert_true(ops->force_with_jacobian(b.work, at.t, at.q, at.u, force_too, by_q_too, by_u_too));
        assert_memory_equal(force, force_too, sizeof force);
        assert_memory_equal(by_q, by_q_too, sizeof by_q);
        assert_memory_equal(by_u, by_u_too, sizeof by_u);
    }
    release(&b);
}

static void test_particle_in_polar_coordinates(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    const carom_node r = s.q[0];
    s.spec.kinetic =
        half(&s, times(&s, s.p[0], plus(&s, square(&s, s.u[0]), square(&s, times(&s, r, s.u[1])))));
    s.spec.potential = of(&s, CAROM_OP_NEG, carom_binary(s.graph, CAROM_OP_DIV, s.p[4], r));
    built b = build(&s);
    carom_random random = {.state = 2};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        const double m = system_values[0], radius = at.q[0];
        const double mass[4] = {m, 0, 0, m * radius * radius};
        const double force[2] = {m * radius * at.u[1] * at.u[1] - system_values[4] / (radius * radius),
                                 -2.0 * m * radius * at.u[0] * at.u[1]};
        check_equations(&b, &at, mass, force);
        assert_near_or_relative(b.model->ops->energy(b.work, at.t, at.q, at.u),
                                0.5 * m * (at.u[0] * at.u[0] + radius * radius * at.u[1] * at.u[1]) -
                                    system_values[4] / radius,
                                1e-14);
    }
    release(&b);
}

/* Frame with angular velocity w = p1 + p2 t: T = 1/2 |(x' - w y, y' + w x)|^2 has terms linear in the
 * velocities and terms without them; the forces are Coriolis', the centrifugal and Euler's. */
static void test_particle_in_a_rotating_frame(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    const carom_node w = plus(&s, s.p[1], times(&s, s.p[2], s.t));
    s.spec.kinetic = half(&s, plus(&s, square(&s, minus(&s, s.u[0], times(&s, w, s.q[1]))),
                                   square(&s, plus(&s, s.u[1], times(&s, w, s.q[0])))));
    built b = build(&s);
    assert_true(b.model->constant_mass);
    carom_random random = {.state = 3};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        const double turn = system_values[1] + system_values[2] * at.t, rate = system_values[2];
        const double mass[4] = {1, 0, 0, 1};
        const double force[2] = {2.0 * turn * at.u[1] + turn * turn * at.q[0] + rate * at.q[1],
                                 -2.0 * turn * at.u[0] + turn * turn * at.q[1] - rate * at.q[0]};
        check_equations(&b, &at, mass, force);
    }
    release(&b);
}

/* Pendulum (length p2, mass p0) whose pivot swings as X = p1 cos(p3 t): theta'' l + g sin + X'' cos = 0. */
static void test_pendulum_with_a_moving_pivot(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    const carom_node pivot = times(&s, s.p[1], of(&s, CAROM_OP_COS, times(&s, s.p[3], s.t)));
    const carom_node x = plus(&s, pivot, times(&s, s.p[2], of(&s, CAROM_OP_SIN, s.q[0])));
    const carom_node y = of(&s, CAROM_OP_NEG, times(&s, s.p[2], of(&s, CAROM_OP_COS, s.q[0])));
    const carom_node speed2 = plus(&s, square(&s, carom_time_derivative(s.graph, x)),
                                   square(&s, carom_time_derivative(s.graph, y)));
    s.spec.dof = 1;
    s.spec.kinetic = half(&s, times(&s, s.p[0], speed2));
    s.spec.potential = times(&s, times(&s, s.p[0], s.p[4]), y);
    built b = build(&s);
    carom_random random = {.state = 4};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        const double m = system_values[0], l = system_values[2], turn = system_values[3];
        const double acceleration = -system_values[1] * turn * turn * cos(turn * at.t);
        double mass, force;
        b.model->ops->mass(b.work, at.t, at.q, &mass);
        b.model->ops->force(b.work, at.t, at.q, at.u, &force);
        assert_near_or_relative(mass, m * l * l, 1e-14);
        assert_near_or_relative(
            force, -m * l * (system_values[4] * sin(at.q[0]) + acceleration * cos(at.q[0])), 1e-13);
    }
    release(&b);
}

/* ---- inertia terms in general ---------------------------------------------------------------- */

/* dM/dq_k by central differences at two steps, extrapolated. */
static void mass_slope(const built *b, const double q[2], int k, double slope[4])
{
    double coarse[4], ahead[4], behind[4];
    for (int level = 0; level < 2; level++) {
        const double h = level == 0 ? 2e-3 : 1e-3;
        double moved[2] = {q[0], q[1]};
        moved[k] = q[k] + h;
        b->model->ops->mass(b->work, 0.0, moved, ahead);
        moved[k] = q[k] - h;
        b->model->ops->mass(b->work, 0.0, moved, behind);
        for (int i = 0; i < 4; i++) {
            const double central = (ahead[i] - behind[i]) / (2.0 * h);
            slope[i] = level == 0 ? central : central + (central - coarse[i]) / 3.0;
            coarse[i] = central;
        }
    }
}

/* f_i = -sum dM_ij/dq_k u_k u_j + 1/2 sum dM_jk/dq_i u_j u_k, and the power identity u.f + 1/2 u.M'u = 0. */
static void test_inertia_terms_follow_from_the_mass_matrix(void **state)
{
    (void)state;
    system_spec s;
    carom_node entry[4];
    system_begin(&s);
    curved_mass(&s, entry);
    s.spec.kinetic = quadratic_form(&s, entry);
    built b = build(&s);
    carom_random random = {.state = 5};
    for (int point_index = 0; point_index < POINTS; point_index++) {
        const point at = random_point(&random);
        double slope[2][4], force[2], power = 0.0;
        mass_slope(&b, at.q, 0, slope[0]);
        mass_slope(&b, at.q, 1, slope[1]);
        b.model->ops->force(b.work, at.t, at.q, at.u, force);
        for (int i = 0; i < 2; i++) {
            double expected = 0.0;
            for (int j = 0; j < 2; j++)
                for (int k = 0; k < 2; k++)
                    expected += (0.5 * slope[i][2 * j + k] - slope[k][2 * i + j]) * at.u[j] * at.u[k];
            assert_near_or_relative(force[i], expected, 1e-9);
            power += at.u[i] * force[i];
        }
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 2; k++)
                power += 0.5 * at.u[i / 2] * slope[k][i] * at.u[k] * at.u[i % 2];
        assert_near_or_relative(power, 0.0, 1e-9);
    }
    release(&b);
}

static void test_mass_and_kinetic_give_the_same_model(void **state)
{
    (void)state;
    system_spec one, other;
    carom_node entry[4], matrix[4];
    system_begin(&one);
    curved_mass(&one, entry);
    one.spec.kinetic = quadratic_form(&one, entry);
    system_begin(&other);
    curved_mass(&other, matrix);
    other.spec.mass = matrix;
    one.spec.potential = times(&one, one.p[4], one.q[1]);
    other.spec.potential = times(&other, other.p[4], other.q[1]);
    built a = build(&one), b = build(&other);
    carom_random random = {.state = 6};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        double mass[4], force[2];
        a.model->ops->mass(a.work, at.t, at.q, mass);
        a.model->ops->force(a.work, at.t, at.q, at.u, force);
        check_equations(&b, &at, mass, force);
        assert_near_or_relative(b.model->ops->energy(b.work, at.t, at.q, at.u),
                                a.model->ops->energy(a.work, at.t, at.q, at.u), 1e-14);
    }
    release(&a);
    release(&b);
}

static void test_force_jacobians_are_derivatives_of_the_force(void **state)
{
    (void)state;
    system_spec s;
    double_pendulum(&s);
    const carom_node applied[2] = {times(&s, s.u[0], of(&s, CAROM_OP_SIN, s.q[1])),
                                   of(&s, CAROM_OP_TANH, times(&s, s.u[1], s.t))};
    s.spec.force = applied;
    built b = build(&s);
    carom_random random = {.state = 7};
    for (int point_index = 0; point_index < POINTS; point_index++) {
        const point at = random_point(&random);
        double by_q[4], by_u[4], only[4];
        b.model->ops->force_jacobian(b.work, at.t, at.q, at.u, by_q, by_u);
        b.model->ops->force_jacobian(b.work, at.t, at.q, at.u, only, NULL);
        assert_memory_equal(only, by_q, sizeof only);
        b.model->ops->force_jacobian(b.work, at.t, at.q, at.u, NULL, only);
        assert_memory_equal(only, by_u, sizeof only);
        for (int c = 0; c < 4; c++) {
            double fine[2] = {0}, coarse[2] = {0};
            for (int level = 0; level < 2; level++) {
                const double h = level == 0 ? 2e-3 : 1e-3;
                point moved = at;
                double *x = c < 2 ? &moved.q[c] : &moved.u[c - 2], ahead[2], behind[2];
                *x += h;
                b.model->ops->force(b.work, moved.t, moved.q, moved.u, ahead);
                *x -= 2.0 * h;
                b.model->ops->force(b.work, moved.t, moved.q, moved.u, behind);
                for (int r = 0; r < 2; r++) {
                    const double central = (ahead[r] - behind[r]) / (2.0 * h);
                    fine[r] = level == 0 ? central : central + (central - coarse[r]) / 3.0;
                    coarse[r] = central;
                }
            }
            for (int r = 0; r < 2; r++)
                assert_near_or_relative((c < 2 ? by_q : by_u)[2 * r + c % 2], fine[r], 1e-8);
        }
    }
    release(&b);
}

static void test_applied_forces_add_to_the_potential(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    const carom_node mass[4] = {s.p[0], number(&s, 0.0), number(&s, 0.0), s.p[1]};
    const carom_node force[2] = {times(&s, s.p[2], s.t), of(&s, CAROM_OP_NEG, s.u[1])};
    s.spec.mass = mass;
    s.spec.force = force;
    s.spec.potential = half(&s, square(&s, s.q[0]));
    built b = build(&s);
    assert_true(b.model->constant_mass); /* of parameters only */
    const point at = {.t = 2.0, .q = {3.0, 4.0}, .u = {5.0, 6.0}};
    const double expected_mass[4] = {system_values[0], 0, 0, system_values[1]};
    const double expected[2] = {2.0 * system_values[2] - 3.0, -6.0};
    check_equations(&b, &at, expected_mass, expected);
    assert_near_or_relative(b.model->ops->energy(b.work, at.t, at.q, at.u),
                            0.5 * (system_values[0] * 25.0 + system_values[1] * 36.0 + 9.0), 1e-15);
    /* other parameters, same model */
    const double heavy[SYSTEM_PARAMETERS] = {100.0, 200.0, 0.0, 0.0, 0.0};
    double m[4];
    b.model->ops->bind(b.work, heavy);
    b.model->ops->mass(b.work, 0.0, at.q, m);
    assert_near_or_relative(m[0], 100.0, 0.0);
    assert_near_or_relative(m[3], 200.0, 0.0);
    release(&b);
}

static void test_a_mass_that_moves_with_time_is_not_constant(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = times(&s, plus(&s, number(&s, 2.0), s.t), unit_kinetic(&s));
    built b = build(&s);
    assert_false(b.model->constant_mass);
    /* d/dt(m u) = 0: M u' = -m' u */
    const point at = {.t = 3.0, .u = {7.0, -1.0}};
    const double mass[4] = {5.0, 0, 0, 5.0}, force[2] = {-7.0, 1.0};
    check_equations(&b, &at, mass, force);
    release(&b);
}

/* ---- contacts -------------------------------------------------------------------------------- */

static void test_contact_frames_of_a_moving_wall(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    /* wall b = sin(a) + 3 t^2; slip along it, over a conveyor that runs at 2 + t */
    const carom_node height =
        plus(&s, of(&s, CAROM_OP_SIN, s.q[0]), times(&s, number(&s, 3.0), square(&s, s.t)));
    const carom_node belt = plus(&s, number(&s, 2.0), s.t);
    const carom_node coefficient[2] = {times(&s, s.p[0], square(&s, s.q[0])), s.p[1]};
    s.contact.gap = minus(&s, s.q[1], height);
    s.contact.tangents = 2;
    s.contact.slip[0] = minus(&s, plus(&s, s.u[0], times(&s, of(&s, CAROM_OP_COS, s.q[0]), s.u[1])), belt);
    s.contact.slip[1] = times(&s, s.p[2], s.u[1]);
    s.contact.restitution = of(&s, CAROM_OP_EXP, of(&s, CAROM_OP_NEG, square(&s, s.q[1])));
    s.contact.friction.dynamic_cone = (carom_friction_cone){&carom_friction_elliptic, 2};
    s.contact.coefficient = coefficient;
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    built b = build(&s);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, b.model, &frame));
    assert_int_equal(b.model->contact[0].tangents, 2);
    assert_int_equal(b.model->contact[0].coefficients, 2);
    assert_true(b.model->contact[0].has_restitution);
    carom_random random = {.state = 8};
    for (int k = 0; k < POINTS; k++) {
        const point at = random_point(&random);
        double gap;
        b.model->ops->gaps(b.work, at.t, at.q, &gap);
        assert_near_or_relative(gap, at.q[1] - sin(at.q[0]) - 3.0 * at.t * at.t, 1e-14);
        frame.normal.value[0] = frame.tangent[1].value[0] = NAN; /* whatever was there is overwritten */
        b.model->ops->frame(b.work, 0, at.t, at.q, &frame);
        assert_near_or_relative(carom_row_at(&frame.normal, 0), -cos(at.q[0]), 1e-15);
        assert_near_or_relative(carom_row_at(&frame.normal, 1), 1.0, 0.0);
        assert_near_or_relative(frame.normal_rate, -6.0 * at.t, 1e-15);
        assert_near_or_relative(carom_row_at(&frame.tangent[0], 0), 1.0, 0.0);
        assert_near_or_relative(carom_row_at(&frame.tangent[0], 1), cos(at.q[0]), 1e-15);
        assert_near_or_relative(frame.tangent_rate[0], -2.0 - at.t, 1e-15);
        assert_near_or_relative(carom_row_at(&frame.tangent[1], 0), 0.0, 0.0);
        assert_near_or_relative(carom_row_at(&frame.tangent[1], 1), system_values[2], 0.0);
        assert_near_or_relative(frame.tangent_rate[1], 0.0, 0.0);
        assert_near_or_relative(frame.restitution, exp(-at.q[1] * at.q[1]), 1e-15);
        assert_near_or_relative(frame.coefficients[0], system_values[0] * at.q[0] * at.q[0], 1e-15);
        assert_near_or_relative(frame.coefficients[1], system_values[1], 0.0);
    }
    carom_arena_free(arena);
    release(&b);
}

static void test_a_contact_without_slip_and_restitution(void **state)
{
    (void)state;
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    s.contact.gap = s.q[1];
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    built b = build(&s);
    assert_string_equal(b.model->contact[0].name, "wall");
    assert_int_equal(b.model->contact[0].tangents, 0);
    assert_int_equal(b.model->contact[0].coefficients, 0);
    assert_false(b.model->contact[0].has_restitution);
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, b.model, &frame));
    b.model->ops->frame(b.work, 0, 0.0, (const double[]){1.0, 2.0}, &frame);
    assert_near_or_relative(carom_row_at(&frame.normal, 0), 0.0, 0.0);
    assert_near_or_relative(carom_row_at(&frame.normal, 1), 1.0, 0.0);
    assert_near_or_relative(frame.normal_rate, 0.0, 0.0);
    carom_arena_free(arena);
    release(&b);
}

/* Which parts a scheme may evaluate once: frame and force Jacobian of a particle with a wall and a slip. */
static void check_constant_parts(bool rows, bool frame, bool jacobian,
                                 void (*describe)(system_spec *s, carom_node force[2]))
{
    system_spec s;
    carom_node force[2];
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    force[0] = force[1] = number(&s, 0.0);
    s.contact.gap = s.q[1];
    s.contact.tangents = 1;
    s.contact.slip[0] = s.u[0];
    describe(&s, force);
    s.spec.force = force;
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    built b = build(&s);
    assert_true(b.model->constant_mass);
    assert_int_equal(b.model->contact[0].constant_rows, rows);
    assert_int_equal(b.model->contact[0].constant_frame, frame);
    assert_int_equal(b.model->constant_force_jacobian, jacobian);
    release(&b);
}

static void flat_floor(system_spec *s, carom_node force[2])
{
    force[0] = times(s, s->p[0], s->q[1]); /* linear, and a push that moves with time */
    force[1] = of(s, CAROM_OP_SIN, s->t);
}

static void conveyor(system_spec *s, carom_node force[2])
{
    force[0] = square(s, s->u[0]);
    s->contact.slip[0] = minus(s, s->u[0], s->t);
}

static void curved_floor(system_spec *s, carom_node force[2])
{
    force[1] = square(s, s->q[0]);
    s->contact.gap = minus(s, s->q[1], square(s, s->q[0]));
}

static void test_constant_parts_are_marked(void **state)
{
    (void)state;
    check_constant_parts(true, true, true, flat_floor);
    check_constant_parts(true, false, false, conveyor);
    check_constant_parts(false, false, false, curved_floor);
}

/* affine: one Newton iteration is exact; constant: the force need not be evaluated again. */
static void check_force_kind(bool affine, bool constant, carom_node (*force_of)(system_spec *s))
{
    system_spec s;
    carom_node force[2];
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    force[0] = number(&s, 0.0);
    force[1] = force_of(&s);
    s.spec.force = force;
    built b = build(&s);
    assert_int_equal(b.model->affine_force, affine);
    assert_int_equal(b.model->constant_force, constant);
    release(&b);
}

static carom_node weight(system_spec *s)
{
    return times(s, s->p[0], s->p[1]);
}

static carom_node spring_and_shaker(system_spec *s)
{
    return minus(s, of(s, CAROM_OP_ABS, of(s, CAROM_OP_SIN, s->t)), times(s, s->p[0], s->q[1]));
}

static carom_node dry_friction(system_spec *s)
{
    return of(s, CAROM_OP_SIGN, s->u[1]); /* its derivative is zero, but it jumps */
}

static carom_node quadratic_drag(system_spec *s)
{
    return square(s, s->u[1]);
}

static void test_kinds_of_force_are_marked(void **state)
{
    (void)state;
    check_force_kind(true, true, weight);
    check_force_kind(true, false, spring_and_shaker);
    check_force_kind(false, false, dry_friction);
    check_force_kind(false, false, quadratic_drag);
}

static bool is_conservative(carom_node (*gap_of)(system_spec *s), carom_node (*slip_of)(system_spec *s))
{
    system_spec s;
    system_begin(&s);
    s.spec.kinetic = unit_kinetic(&s);
    s.spec.potential = square(&s, s.q[0]);
    s.contact.gap = gap_of(&s);
    s.contact.tangents = 1;
    s.contact.slip[0] = slip_of(&s);
    s.spec.contacts = 1;
    s.spec.contact = &s.contact;
    built b = build(&s);
    const bool conservative = b.model->conservative;
    release(&b);
    return conservative;
}

static carom_node floor_gap(system_spec *s)
{
    return s->q[1];
}

static carom_node lifting_gap(system_spec *s)
{
    return minus(s, s->q[1], s->t);
}

static carom_node plain_slip(system_spec *s)
{
    return s->u[0];
}

static carom_node belt_slip(system_spec *s)
{
    return minus(s, s->u[0], number(s, 2.0));
}

static void test_conservative_systems_are_known(void **state)
{
    (void)state;
    assert_true(is_conservative(floor_gap, plain_slip));
    assert_false(is_conservative(lifting_gap, plain_slip));
    assert_false(is_conservative(floor_gap, belt_slip));
}

static void test_the_description_is_copied(void **state)
{
    (void)state;
    system_spec s;
    double_pendulum(&s);
    built b = build(&s);
    assert_int_equal(b.model->dof, 2);
    assert_int_equal(b.model->parameters, SYSTEM_PARAMETERS);
    assert_int_equal(b.model->contacts, 0);
    assert_string_equal(b.model->coordinate[1], "b");
    assert_ptr_not_equal(b.model->coordinate[1], system_coordinate[1]);
    assert_string_equal(b.model->parameter[0].name, "p0");
    assert_string_equal(b.model->parameter[0].unit, "p1");
    assert_string_equal(b.model->parameter[0].doc, "p2");
    assert_ptr_not_equal(b.model->parameter[0].name, system_parameter[0].name);
    assert_null(b.model->parameter[1].doc);
    assert_near_or_relative(b.model->parameter[0].value, 1.3, 0.0);
    assert_near_or_relative(b.model->parameter[0].max, 10.0, 0.0);
    release(&b);
}

static void test_works_with_other_parameters_are_independent(void **state)
{
    (void)state;
    system_spec s;
    double_pendulum(&s);
    built b = build(&s);
    carom_model_work *other = b.model->ops->work_create(b.model);
    const double light[SYSTEM_PARAMETERS] = {0.1, 0.1, 1.0, 1.0, 0.0};
    b.model->ops->bind(other, light);
    const point at = {.q = {0.4, 0.4}, .u = {1.0, 1.0}};
    double mass[4], exact[4], force[2];
    b.model->ops->mass(other, 0.0, at.q, mass);
    assert_near_or_relative(mass[0], 0.2, 1e-15);
    double_pendulum_exact(at.q, at.u, exact, force);
    check_equations(&b, &at, exact, force);
    b.model->ops->work_free(other);
    b.model->ops->work_free(NULL);
    release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_double_pendulum),
        cmocka_unit_test(test_force_with_its_derivatives),
        cmocka_unit_test(test_particle_in_polar_coordinates),
        cmocka_unit_test(test_particle_in_a_rotating_frame),
        cmocka_unit_test(test_pendulum_with_a_moving_pivot),
        cmocka_unit_test(test_inertia_terms_follow_from_the_mass_matrix),
        cmocka_unit_test(test_mass_and_kinetic_give_the_same_model),
        cmocka_unit_test(test_force_jacobians_are_derivatives_of_the_force),
        cmocka_unit_test(test_applied_forces_add_to_the_potential),
        cmocka_unit_test(test_a_mass_that_moves_with_time_is_not_constant),
        cmocka_unit_test(test_contact_frames_of_a_moving_wall),
        cmocka_unit_test(test_a_contact_without_slip_and_restitution),
        cmocka_unit_test(test_constant_parts_are_marked),
        cmocka_unit_test(test_kinds_of_force_are_marked),
        cmocka_unit_test(test_conservative_systems_are_known),
        cmocka_unit_test(test_the_description_is_copied),
        cmocka_unit_test(test_works_with_other_parameters_are_independent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
