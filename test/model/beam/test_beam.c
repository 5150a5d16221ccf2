#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

static const carom_beam_basis bases[3] = {CAROM_BEAM_P3, CAROM_BEAM_BSPLINE, CAROM_BEAM_DIFFERENCE};

/* Damping, a load, obstacles on both sides and a stop. */
static void full_case(beam_case *c, carom_beam_basis basis)
{
    beam_begin(c, basis, 6);
    c->spec.damping_mass = c->p[2];
    c->spec.damping_stiffness = number(c, 0.01);
    c->spec.load = times(c, c->x, of(c, CAROM_OP_SIN, c->t));
    c->spec.restitution = c->p[5];
    const carom_node bound = number(c, 0.3);
    carom_beam_obstacle *obstacle = add_obstacle(c, of(c, CAROM_OP_NEG, bound), bound);
    obstacle->to = number(c, 7.0);
    add_stop(c, "tip", 10.0, number(c, -0.1), CAROM_NO_NODE);
}

static void test_force_is_minus_the_slope_of_the_energy(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 5);
        built_beam b = beam_build_sound(&c);
        double q[10], u[10], force[10];
        carom_random random = {.state = 11};
        fill_random(&random, b.n, q);
        fill_random(&random, b.n, u);
        b.model->ops->force(b.work, 0.3, q, u, force);
        for (int i = 0; i < b.n; i++) {
            const double kept = q[i], step = 1e-3;
            q[i] = kept + step;
            const double above = b.model->ops->energy(b.work, 0.3, q, u);
            q[i] = kept - step;
            const double below = b.model->ops->energy(b.work, 0.3, q, u);
            q[i] = kept;
            assert_near_or_relative(force[i], -(above - below) / (2.0 * step), 1e-8);
        }
        beam_release(&b);
    }
}

/* The force is affine: its Jacobians are differences over any step, and M is the Hessian of the energy. */
static void test_jacobians(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        full_case(&c, bases[k]);
        built_beam b = beam_build_sound(&c);
        const int n = b.n;
        double q[12], u[12], force[12], moved[12], by_q[144], by_u[144], mass[144], product[12];
        carom_random random = {.state = 12};
        fill_random(&random, n, q);
        fill_random(&random, n, u);
        b.model->ops->force(b.work, 0.7, q, u, force);
        b.model->ops->force_jacobian(b.work, 0.7, q, u, by_q, by_u);
        b.model->ops->mass(b.work, 0.7, q, mass);
        for (int i = 0; i < n; i++) {
            q[i] += 1.0;
            b.model->ops->force(b.work, 0.7, q, u, moved);
            q[i] -= 1.0;
            for (int r = 0; r < n; r++)
                assert_near_or_relative(moved[r] - force[r], by_q[r * n + i], 1e-12);
            u[i] += 1.0;
            b.model->ops->force(b.work, 0.7, q, u, moved);
            u[i] -= 1.0;
            for (int r = 0; r < n; r++)
                assert_near_or_relative(moved[r] - force[r], by_u[r * n + i], 1e-12);
        }
        carom_band_multiply(&b.structure->mass, u, product);
        for (int r = 0; r < n; r++)
            assert_near_or_relative(carom_dot(n, mass + (size_t)r * (size_t)n, u), product[r], 1e-13);
        b.model->ops->force_jacobian(b.work, 0.7, q, u, NULL, by_u);
        b.model->ops->force_jacobian(b.work, 0.7, q, u, by_q, NULL);
        beam_release(&b);
    }
}

/* L^4 / (8 k2) at the tip under a uniform load of 1, exact at the nodes. */
static void test_static_deflection(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 20);
        c.spec.acceleration = number(&c, 1.0);
        add_obstacle(&c, number(&c, -100.0), CAROM_NO_NODE);
        built_beam b = beam_build_sound(&c);
        double q[40];
        solve_static(&b, 0.0, q);
        assert_near_or_relative(row_value(b.structure, 19, q), 4.4194597652, 1e-10);
        for (int node = 1; node <= 20; node++) {
            const double x = 0.5 * node, L = 10.0;
            assert_near_or_relative(row_value(b.structure, node - 1, q),
                                    x * x * (6.0 * L * L - 4.0 * L * x + x * x) / (24.0 * 282.84), 1e-10);
        }
        beam_release(&b);
    }
}

/* E, rho, S and I give forces in newtons and energies in joules: with rho S != 1 all scales with it. */
static void test_section(void **state)
{
    (void)state;
    built_beam b[2];
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, CAROM_BEAM_P3, 4);
        c.spec.acceleration = c.t;
        if (k == 1) {
            c.spec.k2 = CAROM_NO_NODE;
            c.spec.modulus = number(&c, 282.84 * 6.0 / 3.0);
            c.spec.inertia = c.p[4]; /* 3 */
            c.spec.density = number(&c, 12.0);
            c.spec.area = c.p[2]; /* 1/2 */
        }
        b[k] = beam_build_sound(&c);
    }
    double q[8], u[8], f[2][8];
    carom_random random = {.state = 2};
    fill_random(&random, 8, q);
    fill_random(&random, 8, u);
    for (int k = 0; k < 2; k++)
        b[k].model->ops->force(b[k].work, 2.0, q, u, f[k]);
    for (int i = 0; i < 8; i++)
        assert_near_or_relative(f[1][i], 6.0 * f[0][i], 1e-12);
    assert_near_or_relative(b[1].model->ops->energy(b[1].work, 0.0, q, u),
                            6.0 * b[0].model->ops->energy(b[0].work, 0.0, q, u), 1e-13);
    beam_release(&b[0]);
    beam_release(&b[1]);
}

/* The normals are the slopes of the gaps. */
static void test_frames_and_gaps(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        full_case(&c, bases[k]);
        built_beam b = beam_build_sound(&c);
        const int contacts = b.model->contacts;
        assert_int_equal(contacts, 13);
        carom_arena *arena = carom_arena_create();
        carom_contact_frame frame;
        assert_true(carom_contact_frame_take(arena, b.model, &frame));
        double q[12] = {0}, u[12], gap[13], moved[13];
        carom_random random = {.state = 4};
        fill_random(&random, b.n, u);
        b.model->ops->gaps(b.work, 0.0, q, gap);
        b.model->ops->gaps(b.work, 0.0, u, moved);
        for (int contact = 0; contact < contacts; contact++) {
            b.model->ops->frame(b.work, contact, 0.0, q, &frame);
            assert_true(frame.normal_rate == 0.0 && frame.restitution == 0.25);
            bool upper;
            const double x = b.model->ops->contact_place(b.work, contact, &upper);
            assert_int_equal(upper, contact < 12 && contact % 2 == 1);
            if (contact == 12) {
                assert_near_or_relative(x, 10.0, 1e-15);
                assert_near_or_relative(gap[contact], 0.1, 1e-15);
            } else {
                assert_near_or_relative(x, 10.0 * (contact / 2 + 1) / 6.0, 1e-15);
                assert_true(x < 7.0 ? fabs(gap[contact] - 0.3) < 1e-15 : gap[contact] == INFINITY);
            }
            if (isfinite(gap[contact]))
                assert_near_or_relative(carom_row_dot(&frame.normal, u), moved[contact] - gap[contact],
                                        1e-14);
        }
        carom_arena_free(arena);
        beam_release(&b);
    }
}

static void test_structure_is_the_model(void **state)
{
    (void)state;
    beam_case c;
    full_case(&c, CAROM_BEAM_BSPLINE);
    built_beam b = beam_build_sound(&c);
    const carom_structure *s = b.structure;
    assert_int_equal(s->rows, 7);
    assert_true(s->damping_mass == 0.5 && s->damping_stiffness == 0.01 && s->restitution == 0.25);
    for (int row = 0; row < s->rows; row++) {
        for (int k = s->row_start[row] + 1; k < s->row_start[row + 1]; k++)
            assert_true(s->column[k] > s->column[k - 1] && s->column[k] < b.n);
        if (row < 6) {
            assert_int_equal(s->lower_contact[row], 2 * row);
            assert_int_equal(s->upper_contact[row], 2 * row + 1);
        }
    }
    assert_int_equal(s->lower_contact[6], 12);
    assert_int_equal(s->upper_contact[6], -1);
    assert_true(s->upper[6] == INFINITY && s->lower[6] == -0.1 && s->place[6] == 10.0);
    beam_release(&b);
}

/* A shape that the space holds is drawn exactly; the ends come first and last. */
static void test_profile(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        beam_case c;
        beam_begin(&c, bases[k], 8);
        c.spec.displacement.function = times(&c, power(&c, c.x, 2), minus(&c, number(&c, 3.0), c.x));
        built_beam b = beam_build_sound(&c);
        double q[16], u[16], x[81], shape[81];
        const int points = b.model->ops->profile_points(b.model);
        assert_int_equal(points, bases[k] == CAROM_BEAM_DIFFERENCE ? 9 : 81);
        b.model->ops->initial(b.work, q, u);
        b.model->ops->profile(b.work, q, x, shape);
        assert_true(x[0] == 0.0 && x[points - 1] == 10.0);
        for (int i = 0; i < points; i++) {
            assert_near_or_relative(x[i], 10.0 * i / (points - 1), 1e-15);
            assert_near_or_relative(shape[i], x[i] * x[i] * (3.0 - x[i]), 1e-13);
        }
        beam_release(&b);
    }
}

/* On the half grid the clamp comes first, then the nodes half a step off it. */
static void test_profile_of_the_half_grid(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 4);
    c.spec.grid = CAROM_GRID_HALF;
    built_beam b = beam_build_sound(&c);
    const double q[4] = {1, 2, 3, 4};
    double x[5], u[5];
    b.model->ops->profile(b.work, q, x, u);
    for (int i = 0; i < 5; i++) {
        assert_near_or_relative(x[i], i == 0 ? 0.0 : 2.0 * i + 1.0, 1e-15);
        assert_near_or_relative(u[i], i, 0.0);
    }
    beam_release(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_force_is_minus_the_slope_of_the_energy),
        cmocka_unit_test(test_jacobians),
        cmocka_unit_test(test_static_deflection),
        cmocka_unit_test(test_section),
        cmocka_unit_test(test_frames_and_gaps),
        cmocka_unit_test(test_structure_is_the_model),
        cmocka_unit_test(test_profile),
        cmocka_unit_test(test_profile_of_the_half_grid),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
