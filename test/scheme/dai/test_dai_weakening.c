/* Friction forces that weaken with the slip, in the schemes for inclusions: exact solutions of one disc,
 * exact stick, refusals, several forces. */
#include "test/scheme/dai_runs.h"

#define BIT_LAW "slip = dot(x), bound = 0.272, static = 1.232, decay = 30 / (0.5 * pi)"

static const double Ts = 1.232, Td = 0.272, vd = 19.098593171027442, J = 0.064;

/* One disc under the torque u. */
static motion turn(double u, double w0, const char *scheme, double h, double until)
{
    char text[400];
    snprintf(text, sizeof text,
             "local x = coordinates 'x' mass(0.064) force { x = %g } initial { [dot(x)] = %g }\n"
             "friction_force { 'bit', " BIT_LAW " }\n"
             "record { torque = impulse('bit', 1) / %.17g }\n"
             "measure { a_sticking = fraction(sticking 'bit'), b_stops = first(sticking 'bit') }\n"
             "integrate { h = 1e-3, until_t = 1 }",
             u, w0, h);
    motion m = move(text, scheme, h, until);
    if (m.status != CAROM_OK)
        fail_msg("%s", m.error.text);
    return m;
}

/* u = 1.5 from rest: w = ln((b + (a - b) e^(a vd t / J)) / a) / vd, a = u - Td, b = Ts - Td. */
static void start_follows_the_closed_form(void **unused)
{
    (void)unused;
    const double a = 1.5 - Td, b = Ts - Td, exact = log((b + (a - b) * exp(a * vd * 0.05 / J)) / a) / vd;
    assert_near(exact, 0.879675146, 1e-9);
    for (int i = 0; i < 2; i++) {
        motion coarse = turn(1.5, 0.0, both[i], 1e-3, 0.05), fine = turn(1.5, 0.0, both[i], 1.25e-4, 0.05);
        assert_near(velocity(&coarse, 0), 0.894228248, 1e-9);
        assert_near(velocity(&fine, 0), 0.881500126, 1e-9);
        assert_near(log2((velocity(&coarse, 0) - exact) / (velocity(&fine, 0) - exact)) / 3.0, 1.0, 0.01);
        forget(&coarse);
        forget(&fine);
        fine = turn(1.5, 0.0, both[i], 1.25e-4, 0.1);
        assert_near(velocity(&fine, 0), 1.839050144, 2e-3);
        forget(&fine);
    }
}

static void below_the_limit_it_sticks_for_ever(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        motion m = turn(1.2, 0.0, both[i], 1e-3, 1.0);
        assert_true(velocity(&m, 0) == 0.0 && position(&m, 0) == 0.0);
        assert_near(m.result.final[m.result.layout.column], -1.2, 1e-14); /* against the drive */
        assert_near(m.result.measure[0].value[0], 1.0, 0.0);
        forget(&m);
    }
}

static void coasting_stops_in_time(void **unused)
{
    (void)unused;
    const double b = Ts - Td, exact = J / (Td * vd) * log((Td * exp(vd) + b) / (Td + b));
    assert_near(exact, 0.216683667, 1e-9);
    for (int i = 0; i < 2; i++) {
        motion m = turn(0.0, 1.0, both[i], 1e-4, 0.3);
        assert_true(velocity(&m, 0) == 0.0);
        assert_near(m.result.measure[1].value[0], 0.2167, 1e-12); /* the first output after `exact` */
        forget(&m);
    }
}

/* Backwards is forwards, mirrored to the last bit. */
static void both_directions_are_alike(void **unused)
{
    (void)unused;
    for (int i = 0; i < 2; i++) {
        motion forwards = turn(1.5, -0.3, both[i], 1e-3, 0.2),
               backwards = turn(-1.5, 0.3, both[i], 1e-3, 0.2);
        assert_true(velocity(&forwards, 0) == -velocity(&backwards, 0));
        assert_true(position(&forwards, 0) == -position(&backwards, 0));
        forget(&forwards);
        forget(&backwards);
    }
}

static void belt_is_reached_exactly(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(2)\n"
                               "friction_force { 'belt', slip = dot(x) - 0.5, bound = 1, static = 2, decay = "
                               "3 }\nintegrate { h = 1e-2, until_t = 3 }";
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_true(velocity(&m, 0) == 0.5);
        forget(&m);
    }
}

/* Without weakening (static = bound, or no decay) it is Coulomb's law, step by step. */
static void coulomb_is_a_special_case(void **unused)
{
    (void)unused;
    static const char form[] = "local x = coordinates 'x' mass(1) potential(x^2 / 2) initial { x = 2 }\n"
                               "friction_force { 'dry', slip = dot(x), %s }\n"
                               "integrate { h = 1e-2, until_t = 20 }";
    static const char *const law[] = {"bound = 0.3", "bound = 0.3, static = 0.3, decay = 5",
                                      "bound = 0.1, static = 0.3, decay = 0"};
    for (int i = 0; i < 2; i++)
        for (int k = 1; k < 3; k++) {
            char dry[300], same[300];
            snprintf(dry, sizeof dry, form, law[0]);
            snprintf(same, sizeof same, form, law[k]);
            motion a = move(dry, both[i], NAN, NAN), b = move(same, both[i], NAN, NAN);
            assert_int_equal(b.status, CAROM_OK);
            assert_near(position(&a, 0), position(&b, 0), k == 1 ? 0.0 : 1e-13);
            assert_true(velocity(&a, 0) == 0.0 && velocity(&b, 0) == 0.0);
            forget(&a);
            forget(&b);
        }
}

/* A weight on bit that grows: bound 0.2 + 0.1 t, static 0.2 + 1.1 t; against the classical Runge-Kutta rule
 * for w' = -(0.2 + 0.1 t + t exp(-3 w)). */
static double ramped(double w, double t)
{
    return -(0.2 + 0.1 * t + t * exp(-3.0 * w));
}

static void coefficients_may_change(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x = coordinates 'x' mass(1) initial { [dot(x)] = 1 }\n"
        "local t = time()\n"
        "friction_force { 'bit', slip = dot(x), bound = 0.2 + 0.1 * t, static = 0.2 + 1.1 * t, decay = 3 }\n"
        "integrate { h = 1e-3, until_t = 1 }";
    double w = 1.0;
    const double d = 1e-3;
    for (int k = 0; k < 1000; k++) {
        const double t = k * d, a = ramped(w, t), b = ramped(w + d / 2 * a, t + d / 2),
                     c = ramped(w + d / 2 * b, t + d / 2), e = ramped(w + d * c, t + d);
        w += d / 6 * (a + 2 * b + 2 * c + e);
    }
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], NAN, NAN), fine = move(text, both[i], 1e-4, NAN);
        assert_near(velocity(&m, 0), w, 1e-3);
        assert_near((velocity(&m, 0) - w) / (velocity(&fine, 0) - w), 10.0, 0.1); /* first order */
        forget(&m);
        forget(&fine);
        m = move(text, both[i], NAN, 2.0);
        assert_true(velocity(&m, 0) == 0.0);
        forget(&m);
    }
}

/* ---- several forces ------------------------------------------------------------------------------------ */

/* A block on a plank on the floor: only the floor changes the momentum, and by its law. */
static void momentum_of_a_stack(void **unused)
{
    (void)unused;
    static const char text[] =
        "local a, b = coordinates('a', 'b') mass { a = 1, b = 2 } initial { [dot(a)] = 3 }\n"
        "friction_force { 'between', slip = dot(a) - dot(b), bound = 1.5, static = 4, decay = 2 }\n"
        "friction_force { 'floor', slip = dot(b), bound = 0.5, static = 0.8, decay = 1 }\n"
        "integrate { h = 1e-3, until_t = 1 }";
    for (int i = 0; i < 2; i++) {
        motion m = move_and_keep(text, both[i], NAN, NAN);
        assert_int_equal(m.status, CAROM_OK);
        double momentum = 3.0;
        for (size_t k = 1; k < m.series.count; k++) {
            const double *row = carom_series_row(&m.series, k), *v = row + m.series.layout.v;
            momentum += row[m.series.layout.impulse + CAROM_CONTACT_COMPONENTS + 1]; /* of the floor */
            assert_near(v[0] + 2.0 * v[1], momentum, 1e-12);
            const double held = m.result.h * (0.5 + 0.3 * exp(-fabs(v[1])));
            if (v[1] != 0.0) /* the law of the floor at the end of the step */
                assert_near(row[m.series.layout.impulse + CAROM_CONTACT_COMPONENTS + 1],
                            -copysign(held, v[1]), 1e-14);
        }
        forget(&m);
        m = move(text, both[i], NAN, 10.0); /* friction stops all of it */
        assert_true(velocity(&m, 1) == 0.0);
        assert_near(velocity(&m, 0), 0.0, 1e-15);
        forget(&m);
    }
}

/* Two masses, friction on the floor 0.1 and between them enough to hold: one oscillator of mass 1.44 with
 * half cycles 1.05, 0.85, ..., at rest from t = 5 pi 1.2 on at -0.05. */
static void two_masses_swing_as_one(void **unused)
{
    (void)unused;
    static const char text[] =
        "local a, b = coordinates('a', 'b') mass { a = 1, b = 0.44 } potential(a^2 / 2)\n"
        "initial { a = 1.05, b = 0.3 }\n"
        "friction_force { 'floor', slip = dot(a), bound = 0.1 }\n"
        "friction_force { 'between', slip = dot(b) - dot(a), bound = 0.2, static = 0.6, decay = 10 }\n"
        "measure { a_rests = fraction(sticking 'floor', { from = 19 }), b_together = fraction(sticking "
        "'between') }\n"
        "integrate { h = 1e-3, until_t = 22 }";
    for (int i = 0; i < 2; i++) {
        motion m = move(text, both[i], i == 0 ? 1e-3 : 1e-4, NAN);
        assert_int_equal(m.status, CAROM_OK);
        assert_near(position(&m, 0), -0.05, i == 0 ? 1e-6 : 1e-3);
        assert_near(position(&m, 1) - position(&m, 0), -0.75, 1e-12);
        assert_true(velocity(&m, 0) == 0.0);
        assert_near(velocity(&m, 1), 0.0, 1e-15);
        assert_near(m.result.measure[0].value[0], 1.0, 0.0);
        assert_near(m.result.measure[1].value[0], 1.0, 0.0);
        forget(&m);
    }
}

/* Where the upper mass slides, both schemes go to the same motion, and what sticks is zero to the last bit.
 */
static void schemes_agree_on_two_masses(void **unused)
{
    (void)unused;
    static const char text[] =
        "local a, b = coordinates('a', 'b') mass { a = 1, b = 0.5 } potential(a^2 / 2 + (b - a)^2)\n"
        "initial { a = 1, b = -1 }\n"
        "friction_force { 'floor', slip = dot(a), bound = 0.1, static = 0.2, decay = 4 }\n"
        "friction_force { 'between', slip = dot(b) - dot(a), bound = 0.05, static = 0.3, decay = 3 }\n"
        "integrate { h = 1e-3, until_t = 3 }";
    motion reference = move(text, "dai-theta", 1e-5, NAN);
    for (int i = 0; i < 2; i++) {
        double far[2] = {0};
        for (int k = 0; k < 2; k++) {
            motion m = move_and_keep(text, both[i], k == 0 ? 1e-3 : 1e-4, NAN);
            assert_int_equal(m.status, CAROM_OK);
            for (size_t r = 1; r < m.series.count; r++) {
                const double *row = carom_series_row(&m.series, r);
                if (row[m.series.layout.regime] == CAROM_CONTACT_STICK)
                    assert_true(row[m.series.layout.v] == 0.0);
            }
            for (int c = 0; c < 2; c++)
                far[k] = fmax(far[k], fabs(position(&m, c) - position(&reference, c)));
            forget(&m);
        }
        assert_true(far[0] < 5e-3);
        assert_true(far[1] < 0.15 * far[0]); /* first order */
    }
    forget(&reference);
}

/* Three masses and four slips, which depend on each other: the impulses are not unique and differ in size,
 * but the sweeps end, and what slides does so by its law. */
static const char dependent[] =
    "local x = %d\n"
    "local function some() x = (16807 * x) %% 2147483647 return x / 2147483647 end\n"
    "for i = 1, 10 do some() end\n"
    "local a, b, c = coordinates('a', 'b', 'c')\n"
    "mass { a = 0.2 + some(), b = 0.2 + some(), c = 0.2 + some() }\n"
    "potential(((a - b)^2 + 3 * (b - c)^2 + a^2) / 2)\n"
    "initial { a = 1, b = -1, c = 2 * some(), [dot(a)] = 3 * some(), [dot(c)] = -1 }\n"
    "friction_force { 'ab', slip = dot(a) - dot(b), bound = 0.3 * some(), static = 1, decay = 1 + 5 * some() "
    "}\n"
    "friction_force { 'bc', slip = dot(b) - dot(c), bound = 0.3 * some(), static = 0.7, decay = 1 + 5 * "
    "some() }\n"
    "friction_force { 'b', slip = dot(b), bound = 0.5 * some() }\n"
    "friction_force { 'c', slip = dot(c), bound = 0.1, static = 0.2, decay = 3 }\n"
    "integrate { h = 1e-2, until_t = 10 }";

/* The step that the refusal of a large one recommends. */
static double largest_step(const char *text, const char *scheme)
{
    motion m = move(text, scheme, 1.0, NAN);
    assert_int_equal(m.status, CAROM_BAD_INPUT);
    const char *limit = strstr(m.error.text, "take h below ");
    assert_non_null(limit);
    const double h = strtod(limit + strlen("take h below "), NULL);
    forget(&m);
    return h;
}

static void check_dependent(const char *text, const char *scheme, double h)
{
    motion m = move_and_keep(text, scheme, h, NAN);
    if (m.status != CAROM_OK)
        fail_msg("h = %g: %s", h, m.error.text);
    for (size_t r = 1; r < m.series.count; r++) {
        const double *row = carom_series_row(&m.series, r), slip = row[m.series.layout.v + 2];
        const double impulse = row[m.series.layout.impulse + 3 * CAROM_CONTACT_COMPONENTS + 1];
        if (row[m.series.layout.regime + 3] == CAROM_CONTACT_SLIP)
            assert_near(impulse, -copysign(h * (0.1 + 0.1 * exp(-3.0 * fabs(slip))), slip), 1e-12 * h);
        else
            assert_true(slip == 0.0 && fabs(impulse) <= h * 0.2 * (1 + 1e-14));
    }
    forget(&m);
}

static void dependent_slips_settle(void **unused)
{
    (void)unused;
    for (int seed = 1; seed <= 30; seed++) {
        char text[1200];
        snprintf(text, sizeof text, dependent, seed);
        for (int i = 0; i < 2; i++) {
            const double limit = largest_step(text, both[i]);
            check_dependent(text, both[i], 0.99 * limit);
            check_dependent(text, both[i], 0.4 * limit);
        }
    }
}

/* No drive: the energy falls. A slip that changes sign within a step may lift it by what friction does in
 * h^2: at most h^2 T f / (2 m). */
static void energy_never_grows(void **unused)
{
    (void)unused;
    static const char text[] =
        "local a, b = coordinates('a', 'b') mass { a = 1, b = 0.5 } potential(a^2 / 2 + (b - a)^2)\n"
        "initial { a = 1, b = -1, [dot(b)] = 1 }\n"
        "friction_force { 'floor', slip = dot(a), bound = 0.1, static = 0.2, decay = 4 }\n"
        "friction_force { 'wall', slip = dot(b), bound = 0.05, static = 0.3, decay = 3 }\n"
        "integrate { h = 1e-3, until_t = 100 }";
    motion m = move_and_keep(text, "dai-theta", NAN, NAN);
    assert_int_equal(m.status, CAROM_OK);
    const double allowed = 1e-6 * 0.3 * 5.0 / (2.0 * 0.5);
    double last = INFINITY;
    for (size_t r = 0; r < m.series.count; r++) {
        const double now = carom_series_row(&m.series, r)[m.series.layout.energy];
        assert_true(now <= last + allowed);
        last = now;
    }
    assert_true(velocity(&m, 0) == 0.0 && velocity(&m, 1) == 0.0); /* and both rest */
    forget(&m);
}

/* ---- refusals --------------------------------------------------------------------------------------- */

static void large_steps_are_refused(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x = coordinates 'x' mass(0.064) potential(0.3 * x^2) initial { [dot(x)] = 1 }\n"
        "friction_force { 'bit', " BIT_LAW " }\nintegrate { h = 1e-3, until_t = 0.3 }";
    const double limit = J / (vd * (Ts - Td)); /* 3.49e-3 */
    for (int i = 0; i < 2; i++) {
        expect_refusal_at(text, both[i], 3.6e-3,
                          "'bit': step too large: friction law is multivalued over one step, h = 0.0036; "
                          "take h below 0.00349066");
        expect_refusal_at(text, both[i], 1.001 * limit, "step too large");
        motion m = move(text, both[i], 0.999 * limit, NAN);
        assert_int_equal(m.status, CAROM_OK);
        forget(&m);
    }
}

/* Two forces on one slip count together. */
static void coupled_forces_are_refused_together(void **unused)
{
    (void)unused;
    static const char text[] = "local x = coordinates 'x' mass(1) initial { [dot(x)] = 1 }\n"
                               "friction_force { 'a', slip = dot(x), bound = 0, static = 1, decay = 10 }\n"
                               "friction_force { 'b', slip = dot(x), bound = 0, static = 1, decay = 30 }\n"
                               "integrate { h = 1e-3, until_t = 1 }";
    for (int i = 0; i < 2; i++) {
        expect_refusal_at(text, both[i], 0.026, "take h below 0.025");
        motion m = move(text, both[i], 0.01, NAN);
        assert_int_equal(m.status, CAROM_OK);
        forget(&m);
    }
}

/* A law that becomes too steep, or none, on the way ends the run there. */
static void steep_laws_end_the_run(void **unused)
{
    (void)unused;
    static const char *const law[][2] = {
        {"bound = 0.1, static = 0.1 + time(), decay = 200", "take h below"},
        {"bound = 0.1, static = 0.3 - time(), decay = 1", "weakening law needs Ts >= Td"},
        {"bound = 0.1, static = 0.3, decay = 0.5 - time()", "its decay is"}};
    for (size_t k = 0; k < sizeof law / sizeof *law; k++)
        for (int i = 0; i < 2; i++) {
            char text[400];
            snprintf(text, sizeof text,
                     "local x = coordinates 'x' mass(1) initial { [dot(x)] = 5 }\n"
                     "friction_force { 'bit', slip = dot(x), %s }\nintegrate { h = 1e-2, until_t = 1 }",
                     law[k][0]);
            motion m = move(text, both[i], NAN, NAN);
            assert_int_equal(m.status, CAROM_FAILED);
            assert_mentions(&m.error, law[k][1]);
            assert_mentions(&m.error, "'bit'");
            forget(&m);
        }
}

static void what_is_no_law_is_refused(void **unused)
{
    (void)unused;
    static const char *const law[][2] = {{"bound = p, static = 1, decay = 1", "weakening law needs Ts >= Td"},
                                         {"bound = 1, static = 3, decay = -p", "its decay is -2"},
                                         {"bound = -p, static = 1, decay = 1", "its bound is -2"},
                                         {"bound = 1, static = sqrt(x), decay = 1", "static = "},
                                         {"bound = 1, static = 3, decay = 1 / x", "its decay is"}};
    for (size_t k = 0; k < sizeof law / sizeof *law; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local p = param { 'p', 2 } local x = coordinates 'x' mass(1) initial { x = %s }\n"
                 "friction_force { 'bit', slip = dot(x), %s }\nintegrate { h = 1e-2, until_t = 1 }",
                 k == 3 ? "-1" : "0", law[k][0]);
        expect_refusal(text, "dai-theta", law[k][1]);
        expect_refusal(text, "dai-euler", law[k][1]);
    }
    expect_refusal("local x = coordinates 'x' mass(1)\n"
                   "friction_force { 'bit', " BIT_LAW " }\nintegrate { h = 1e-2, until_t = 1 }",
                   "moreau-jean",
                   "'bit' weakens with the slip, which scheme 'moreau-jean' does not treat; take dai-theta");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(start_follows_the_closed_form),
        cmocka_unit_test(below_the_limit_it_sticks_for_ever),
        cmocka_unit_test(coasting_stops_in_time),
        cmocka_unit_test(both_directions_are_alike),
        cmocka_unit_test(belt_is_reached_exactly),
        cmocka_unit_test(coulomb_is_a_special_case),
        cmocka_unit_test(coefficients_may_change),
        cmocka_unit_test(momentum_of_a_stack),
        cmocka_unit_test(two_masses_swing_as_one),
        cmocka_unit_test(schemes_agree_on_two_masses),
        cmocka_unit_test(dependent_slips_settle),
        cmocka_unit_test(energy_never_grows),
        cmocka_unit_test(large_steps_are_refused),
        cmocka_unit_test(coupled_forces_are_refused_together),
        cmocka_unit_test(steep_laws_end_the_run),
        cmocka_unit_test(what_is_no_law_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
