/* Joints in event-driven: pendulums in closed form, their forces, impacts, drift, and joints with friction. */
#include "model_runs.h"

static const double g = 9.81;

static const char pendulum[] = "local x, y = coordinates('x', 'y') mass(2) potential(2 * 9.81 * y)\n"
                               "joint { 'rod', x^2 + y^2 - 1 }\n"
                               "initial { x = sin(2), y = -cos(2) }\n"
                               "integrate { h = 0.02, until_t = 100 }\n"
                               "record { tension = reaction 'rod' }";

/* Period 4 K(sin(a / 2)) (l / g)^(1/2) by the arithmetic-geometric mean. */
static double period_of(double amplitude)
{
    double a = 1.0, b = cos(0.5 * amplitude);
    for (int i = 0; i < 8; i++) {
        const double mean = 0.5 * (a + b);
        b = sqrt(a * b);
        a = mean;
    }
    return 2.0 * acos(-1.0) / sqrt(g) / a;
}

/* Over 100 s: length and rate of the rod, energy, and the force in it, 2 lambda = -m (v^2 + g cos) along q. */
static void pendulum_keeps_its_length(void **unused)
{
    (void)unused;
    motion m = move_events(pendulum);
    const carom_row_layout *layout = &m.series.layout;
    double drift = 0.0, rate = 0.0;
    for (size_t i = 1; i < m.series.count; i++) {
        const double *row = m.series.rows + i * (size_t)layout->width, *q = row + layout->q,
                     *v = row + layout->v;
        drift = fmax(drift, fabs(q[0] * q[0] + q[1] * q[1] - 1.0));
        rate = fmax(rate, fabs(q[0] * v[0] + q[1] * v[1]));
        const double force = -2.0 * (v[0] * v[0] + v[1] * v[1] - g * q[1]) / 2.0;
        assert_near(row[layout->column], force, 1e-9);
    }
    assert_true(drift < 1e-10);
    assert_true(rate < 1e-10);
    assert_near(m.result.energy_final, m.result.energy_initial, 1e-8);
    assert_near(m.result.certificate.joints, 0.0, 1e-12);
    forget(&m);
}

static void pendulum_has_its_period(void **unused)
{
    (void)unused;
    char text[600];
    const double period = period_of(2.0);
    snprintf(text, sizeof text,
             "local x, y = coordinates('x', 'y') mass(2) potential(2 * 9.81 * y)\n"
             "joint { 'rod', x^2 + y^2 - 1 }\n"
             "initial { x = sin(2), y = -cos(2) } integrate { h = %.17g, until_t = %.17g }",
             period / 100.0, 10.0 * period);
    motion m = move_events(text);
    assert_near(position(&m, 0), sin(2.0), 1e-9);
    assert_near(velocity(&m, 0), 0.0, 1e-8);
    forget(&m);
}

/* The same pendulum in its angle: with a wall, so that impacts go through the joint. */
static void impacts_of_a_jointed_pendulum(void **unused)
{
    (void)unused;
    motion jointed =
        move_events("local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y)\n"
                    "joint { 'rod', x^2 + y^2 - 1 } contact { 'wall', gap = x + 0.3, restitution = 0.7 }\n"
                    "initial { x = sin(1), y = -cos(1) } integrate { h = 0.01, until_t = 6 }");
    motion angle = move_events("local p = coordinates 'p' kinetic(dot(p)^2 / 2) potential(-9.81 * cos(p))\n"
                               "contact { 'wall', gap = sin(p) + 0.3, restitution = 0.7 }\n"
                               "initial { p = 1 } integrate { h = 0.01, until_t = 6 }");
    for (int k = 0; k < 3; k++) {
        const carom_event *a = event_of(&jointed, CAROM_EVENT_IMPACT, k),
                          *b = event_of(&angle, CAROM_EVENT_IMPACT, k);
        assert_non_null(a);
        assert_near(a->t, b->t, 1e-10);
        assert_near(a->rate_after, b->rate_after, 1e-9);
        assert_near(a->impulse, b->impulse, 1e-9);
    }
    assert_near(position(&jointed, 0), sin(position(&angle, 0)), 1e-9);
    forget(&jointed);
    forget(&angle);
}

/* A mass on a rod whose end is moved: the joint works, x'' = -g/l x for small swings apart. */
static void joint_that_moves_works(void **unused)
{
    (void)unused;
    motion m = move_events("local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y)\n"
                           "joint { 'rod', (x - 0.2 * sin(3 * time()))^2 + y^2 - 1 }\n"
                           "initial { x = 0, y = -1, [dot(x)] = 0 } integrate { h = 0.01, until_t = 5 }");
    motion angle = move_events("local p = coordinates 'p' local t = time()\n"
                               "local s, c = 0.2 * sin(3 * t), 0.6 * cos(3 * t)\n"
                               "kinetic((dot(p)^2 + 2 * c * cos(p) * dot(p)) / 2) potential(-9.81 * cos(p))\n"
                               "initial { p = 0, [dot(p)] = -0.6 } integrate { h = 0.01, until_t = 5 }");
    const double end = 0.2 * sin(15.0);
    assert_near(position(&m, 0), end + sin(position(&angle, 0)), 1e-8);
    assert_near(m.result.energy_final - m.result.energy_initial, m.result.certificate.joints, 1e-7);
    assert_true(fabs(m.result.certificate.joints) > 0.1);
    forget(&m);
    forget(&angle);
}

/* A rod hinged at its end rests with its tip on a belt: friction through a joint. mu N of the tip: moments about the hinge. */
static void joint_and_friction(void **unused)
{
    (void)unused;
    /* block pulled by a rope over a joint: x + y = const, block on a rough table, weight hanging */
    motion m = move_events(
        "local x, z, y = coordinates('x', 'z', 'y') mass { x = 2, z = 2, y = 1 }\n"
        "potential(9.81 * (2 * z + y))\n"
        "joint { 'rope', x + y - 1 } contact { 'table', gap = z, slip = dot(x), friction = 0.2 }\n"
        "initial { x = 0, z = 0, y = 1, [dot(x)] = -1, [dot(y)] = 1 } integrate { h = 0.01, until_t = 1 }\n"
        "record { pull = reaction 'rope' }");
    /* first the block moves backwards, friction and weight brake: (1 + 0.4) g / 3; then it turns: (1 - 0.4) g / 3 */
    const double stop = 3.0 / (1.4 * g), rest = 1.0 - stop, back = 0.5 * stop;
    assert_near(position(&m, 0), -back + 0.5 * 0.2 * g * rest * rest, 1e-11);
    const double *row = m.series.rows + (m.series.count - 1) * (size_t)m.series.layout.width;
    assert_near(row[m.series.layout.column], g - 0.2 * g, 1e-10);
    forget(&m);
}

/* ---- going on from a checkpoint ------------------------------------------------------------------------------ */

/* A block that sticks and slips on a belt, with a mass tied to it by a joint. */
static carom_model *tied_block(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_coordinate(b, "w");
    carom_build_kinetic(b, carom_build_formula(b, "(dot(x)^2 + dot(y)^2 + dot(w)^2)/2"));
    carom_build_potential(b, carom_build_formula(b, "9.81*y + 8*x^2"));
    carom_build_joint(b, "tie", carom_build_formula(b, "w - x^2 - x"));
    const int belt = carom_build_contact(b, "belt", carom_build_formula(b, "y"));
    carom_build_slip(b, belt, carom_build_formula(b, "dot(x) - 0.3*cos(t)"));
    carom_build_friction(b, belt, carom_build_formula(b, "0.3"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static carom_stepper *start_tied(carom_model_work *work)
{
    const double q0[] = {0.0, 0.0, 0.0}, v0[] = {0.3, 0.0, 0.3};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    if (carom_stepper_create(scheme_named("event-driven"), work, &(carom_step_settings){.h = 0.05}, q0, v0,
                             &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

static void step_until(carom_stepper *stepper, long steps)
{
    carom_error error = {0};
    while (stepper->counts.steps < steps)
        if (carom_stepper_step(stepper, &error) != CAROM_OK)
            fail_msg("%s", error.text);
}

static void motion_goes_on_with_the_same_bits(void **unused)
{
    (void)unused;
    static const long at[] = {7, 900, 12000};
    carom_model *model = tied_block();
    carom_model_work *work = NULL, *other = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &other, &error), CAROM_OK);
    carom_stepper *whole = start_tied(work);
    carom_snapshot kept[3] = {0};
    for (int i = 0; i < 3; i++) {
        step_until(whole, at[i]);
        carom_stepper_keep(whole, &kept[i]);
        assert_false(kept[i].failed);
    }
    step_until(whole, 12500);
    for (int i = 0; i < 3; i++) {
        carom_stepper *again = start_tied(other);
        carom_snapshot snapshot = carom_snapshot_of(kept[i].bytes, kept[i].length);
        carom_stepper_keep(again, &snapshot);
        assert_false(snapshot.failed);
        step_until(again, 12500);
        assert_memory_equal(whole->state.q, again->state.q, 3 * sizeof(double));
        assert_memory_equal(whole->state.v, again->state.v, 3 * sizeof(double));
        assert_memory_equal(whole->state.impulse, again->state.impulse, 3 * sizeof(double));
        assert_memory_equal(whole->state.reaction, again->state.reaction, sizeof(double));
        const carom_works a = carom_stepper_works(whole), b = carom_stepper_works(again);
        assert_memory_equal(&a, &b, sizeof a);
        carom_stepper_free(again);
        carom_snapshot_free(&kept[i]);
    }
    carom_stepper_free(whole);
    carom_model_work_free(work);
    carom_model_work_free(other);
    carom_model_free(model);
}

static void wrong_starts_are_refused_or_projected(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y)\n"
        "joint { 'rod', x^2 + y^2 - 1 }\n"
        "initial { x = 1.1, y = 0 } integrate { scheme = 'event-driven', h = 0.01, until_t = 1%s }";
    char given[500];
    snprintf(given, sizeof given, text, "");
    motion m = move_and_keep(given, "event-driven", NAN, NAN);
    assert_int_equal(m.status, CAROM_BAD_INPUT);
    assert_mentions(&m.error, "initial=project");
    forget(&m);
    snprintf(given, sizeof given, text, ", initial = 'project'");
    m = move_events(given);
    assert_near(hypot(position(&m, 0), position(&m, 1)), 1.0, 1e-12);
    forget(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pendulum_keeps_its_length),
        cmocka_unit_test(pendulum_has_its_period),
        cmocka_unit_test(impacts_of_a_jointed_pendulum),
        cmocka_unit_test(joint_that_moves_works),
        cmocka_unit_test(joint_and_friction),
        cmocka_unit_test(motion_goes_on_with_the_same_bits),
        cmocka_unit_test(wrong_starts_are_refused_or_projected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
