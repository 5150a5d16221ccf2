/* Strings in linear form: modes, scaling, elements, responses. */
#include "drill.h"

static const double pi = 3.14159265358979323846;

static void spread(const carom_drill_string *s, double *mass)
{
    for (int i = 0; i < s->discs; i++)
        mass[i * s->discs + i] = s->inertia[i];
}

static void modes_of_the_setup(void **state)
{
    (void)state;
    static const double expected[] = {0.153549063, 0.379451436, 0.531098248},
                        damping[] = {1.32482e-3, 1.57002e-3, 1.08837e-3};
    carom_drill_string *s = setup();
    carom_error error;
    double mass[16] = {0}, hertz[4], shape[16];
    spread(s, mass);
    assert_ok(carom_drill_modes(4, mass, s->stiffness, hertz, shape, &error));
    for (int j = 0; j < 3; j++) {
        assert_near(hertz[j + 1], expected[j], 1e-9);
        double d = 0.0;
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++)
                d += shape[a * 4 + j + 1] * s->damping[a * 4 + b] * shape[b * 4 + j + 1];
        assert_near(d / (4.0 * pi * hertz[j + 1]), damping[j], 1e-8);
    }
    assert_near(fabs(shape[3]), 3.58491, 1e-5);
    assert_near(fabs(shape[15]), 0.00613, 1e-5);
    assert_true(shape[3] * shape[15] < 0.0);
    carom_drill_string_free(s);
}

static void expect_pole(int n, const double *real, const double *imaginary, double re, double im,
                        double tolerance)
{
    for (int i = 0; i < n; i++)
        if (hypot(real[i] - re, imaginary[i] - im) <= tolerance)
            return;
    fail_msg("no pole at %.8f %+.8f i", re, im);
}

static void poles_without_a_controller(void **state)
{
    (void)state;
    carom_drill_plant *plant = plant_at(0.0);
    carom_drill_loop *loop;
    carom_error error;
    double largest;
    assert_ok(carom_drill_loop_create(plant, NULL, &loop, &error));
    assert_ok(carom_drill_loop_poles(loop, 0.0, &largest, &error));
    expect_pole(7, loop->real, loop->imaginary, 0.0, 0.0, 1e-13);
    expect_pole(7, loop->real, loop->imaginary, -0.00127815, 0.96477661, 1e-8);
    expect_pole(7, loop->real, loop->imaginary, -0.00374317, 2.38416071, 1e-8);
    expect_pole(7, loop->real, loop->imaginary, -0.00363188, 3.33698595, 1e-8);
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
}

static void responses_without_a_controller(void **state)
{
    (void)state;
    static const double f[] = {0.05, 0.1, 0.3, 0.5},
                        mobility[] = {0.02635792, 1.51699603, 4.05552076, 30.22273832},
                        top[] = {0.84531065, 0.71195198, 0.17054391, 0.09159065};
    carom_drill_plant *plant = plant_at(0.0);
    carom_drill_loop *loop;
    carom_error error;
    double work[4 * 7 * 8], real, imaginary;
    const double bit[7] = {0, 1, 0, 0, 0, 0, 0};
    assert_ok(carom_drill_loop_create(plant, NULL, &loop, &error));
    for (int i = 0; i < 4; i++) {
        assert_near(carom_drill_mobility(loop, f[i]), mobility[i], 1e-8);
        carom_drill_response(7, plant->A, plant->B, 1, bit, 0.0, f[i], work, &real, &imaginary);
        assert_near(hypot(real, imaginary), top[i], 1e-8);
    }
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
}

/* A top drive that turns forwards ahead of the disc below pulls the pipe: its torque is positive. */
static void pipe_torque_has_its_sign(void **state)
{
    (void)state;
    carom_drill_plant *plant = plant_at(0.0);
    assert_near(plant->C[7 + 5], -1.097, 0.0); /* of th3 - th4 */
    assert_near(plant->C[7 + 4], -0.0024, 0.0);
    assert_near(plant->C[7 + 6], 0.0024, 0.0);
    carom_drill_plant_free(plant);
}

static void equilibrium_balances(void **state)
{
    (void)state;
    carom_drill_string *s = setup();
    carom_error error;
    double u, th[4], zero;
    assert_ok(carom_drill_equilibrium(s, carom_rpm(5.5), &u, th, &error));
    assert_near(u, 6.2690160336, 1e-10);
    const double bit = carom_drill_torque(&s->bit, carom_rpm(5.5));
    assert_near(th[1] - th[0], bit / 0.630, 1e-14); /* of adjacent springs: sums of torques over stiffness */
    assert_near(th[2] - th[1], (bit + 2.297) / 1.799, 1e-14);
    assert_near(th[3] - th[2], (bit + 2.297 + 3.038) / 1.097, 1e-14);
    assert_int_equal(carom_drill_equilibrium(s, 0.0, &zero, NULL, &error), CAROM_BAD_INPUT);
    carom_drill_string_free(s);
}

static void scaling_to_the_rig_and_back(void **state)
{
    (void)state;
    static const double inertia[] = {40.0, 442.5, 442.5, 1778.125};
    carom_drill_string *s = setup();
    carom_drill_scale(s, 6250.0, 10.0);
    for (int i = 0; i < 4; i++)
        assert_near(s->inertia[i], inertia[i], 1e-9);
    assert_near(s->bit.Ts, 7700.0, 1e-9);
    assert_near(s->bit.Td, 1700.0, 1e-9);
    assert_near(s->bit.vd, carom_drill_decay(5.0), 1e-12);
    carom_drill_scale(s, 1.0 / 6250.0, 0.1);
    assert_near(s->stiffness[0], 0.630, 1e-14);
    carom_drill_string_free(s);
}

/* ---- elements --------------------------------------------------------------------------------------- */

enum {
    NODES = 18
};

static void elements_of_the_demonstration(void **state)
{
    (void)state;
    static const double lumped[] = {0.153513039, 0.379325533, 0.530292927, 0.704787},
                        consistent[] = {0.154117815, 0.387180529, 0.542842850},
                        bit[] = {0.01923466, 0.04731943, 0.08227127, 0.1066016};
    carom_drill_elements elements = *carom_drill_demonstration();
    carom_error error;
    double mass[NODES * NODES], stiffness[NODES * NODES], hertz[NODES], shape[NODES * NODES], inertia = 0.0;
    assert_int_equal(carom_drill_nodes(&elements), NODES);
    carom_drill_assemble(&elements, mass, stiffness);
    for (int i = 0; i < NODES * NODES; i++)
        inertia += mass[i];
    assert_near(inertia, 2702.9048, 5e-5);
    assert_ok(carom_drill_modes(NODES, mass, stiffness, hertz, shape, &error));
    for (int j = 0; j < 4; j++) {
        assert_near(hertz[j + 1], lumped[j], j < 3 ? 1e-9 : 1e-6);
        assert_near(fabs(shape[j]), bit[j], 1e-7);
    }
    elements.consistent = true;
    carom_drill_assemble(&elements, mass, stiffness);
    assert_ok(carom_drill_modes(NODES, mass, stiffness, hertz, shape, &error));
    for (int j = 0; j < 3; j++)
        assert_near(hertz[j + 1], consistent[j], 1e-9);
}

/* One element of length l, Ip: two discs of rho Ip l / 2, spring G Ip / l, damper ck times that. */
static void elements_of_a_string(void **state)
{
    (void)state;
    carom_drill_section section = {1, 2.0, 3.0};
    carom_drill_elements elements = {
        .sections = 1, .section = &section, .shear_modulus = 5.0, .density = 7.0, .top_inertia = 11.0};
    const carom_drill_law bit = {2.0, 1.0, 1.0};
    const double wall[] = {0.0, 0.5};
    carom_drill_string *string;
    carom_error error;
    assert_ok(carom_drill_elements_string(&elements, 0.1, wall, &bit, &string, &error));
    assert_int_equal(string->discs, 2);
    assert_near(string->inertia[0], 21.0, 0.0);
    assert_near(string->inertia[1], 32.0, 0.0);
    assert_near(carom_drill_top_stiffness(string), 7.5, 0.0);
    assert_near(carom_drill_top_damping(string), 0.75, 1e-15);
    assert_near(string->wall[1], 0.5, 0.0);
    assert_near(string->bit.Ts, 2.0, 0.0);
    carom_drill_string_free(string);
    section.polar = 0.0;
    assert_int_equal(carom_drill_elements_string(&elements, 0.1, wall, &bit, &string, &error),
                     CAROM_BAD_INPUT);
    assert_null(string);
    assert_non_null(strstr(error.text, "section 1"));
    elements.density = -1.0;
    assert_int_equal(carom_drill_elements_string(&elements, 0.1, wall, &bit, &string, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "density -1"));
}

static void reduction_keeps_the_first_modes(void **state)
{
    (void)state;
    carom_drill_string *s;
    carom_error error;
    double mass[NODES * NODES] = {0}, full, reduced;
    assert_ok(carom_drill_demonstration_string(&s, &error));
    spread(s, mass);
    assert_ok(carom_drill_reduced_response(NODES, mass, s->damping, s->stiffness, NODES, 0.1, &full, &error));
    assert_ok(carom_drill_reduced_response(NODES, mass, s->damping, s->stiffness, 4, 0.1, &reduced, &error));
    assert_near(full, 1.208484e-3, 1e-9);
    assert_near(reduced, 1.211642e-3, 1e-9);
    assert_int_equal(
        carom_drill_reduced_response(NODES, mass, s->damping, s->stiffness, 19, 0.1, &full, &error),
        CAROM_BAD_INPUT);
    carom_drill_string_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(modes_of_the_setup),
        cmocka_unit_test(poles_without_a_controller),
        cmocka_unit_test(responses_without_a_controller),
        cmocka_unit_test(pipe_torque_has_its_sign),
        cmocka_unit_test(equilibrium_balances),
        cmocka_unit_test(scaling_to_the_rig_and_back),
        cmocka_unit_test(elements_of_the_demonstration),
        cmocka_unit_test(elements_of_a_string),
        cmocka_unit_test(reduction_keeps_the_first_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
