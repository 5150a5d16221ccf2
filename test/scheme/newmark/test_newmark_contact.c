#include "chain_structure.h"
#include "test/near.h"

typedef struct options {
    double value[6]; /* beta, load, start, solver, tolerance, max_iterations */
} options;

static carom_status try_start(chain *c, double h, options o, const double *q0, const double *v0,
                              carom_stepper **stepper, carom_error *error)
{
    const carom_step_settings settings = {
        .h = h, .values = o.value, .value_count = sizeof o.value / sizeof *o.value};
    return carom_stepper_create(carom_scheme_find("newmark-contact", NULL), &c->work, &settings, q0, v0,
                                stepper, error);
}

static carom_stepper *begin(chain *c, double h, options o, const double *q0, const double *v0)
{
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    if (try_start(c, h, o, q0, v0, &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

static double energy_of(carom_stepper *stepper)
{
    return stepper->ops->energy(stepper);
}

static void step(carom_stepper *stepper)
{
    carom_error error = {0};
    if (carom_stepper_step(stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static void end(carom_stepper *stepper)
{
    carom_stepper_free(stepper);
}

/* u^n = cos(n theta) with cos theta = 1 - (h w)^2 / (2 (1 + beta (h w)^2)) solves the free recurrence. */
static void free_oscillator_follows_its_recurrence(void **state)
{
    (void)state;
    const double beta[] = {0, 0.1, 0.25, 0.5}, w = 3.0, h = 0.1;
    for (int b = 0; b < 4; b++) {
        chain c;
        chain_make(&c, 1, 2.0, 2.0 * w * w);
        const double theta = acos(1 - h * h * w * w / (2 * (1 + beta[b] * h * h * w * w)));
        const double q0 = 1, v0 = (cos(theta) - 1) / h;
        carom_stepper *stepper = begin(&c, h, (options){{beta[b]}}, &q0, &v0);
        const double energy = energy_of(stepper);
        for (int n = 1; n <= 500; n++) {
            step(stepper);
            assert_near(stepper->state.q[0], cos(n * theta), 1e-11);
            assert_near(stepper->state.v[0], (cos(n * theta) - cos((n - 1) * theta)) / h, 1e-10);
            assert_near(energy_of(stepper), energy, 1e-12 * energy);
            assert_near(stepper->state.t, n * h, 1e-12);
        }
        end(stepper);
    }
}

/* C = a M + b S: the discrete energy falls by h (w.C w), w = (u^{n+1} - u^{n-1}) / (2 h), in every step. */
static void damping_takes_the_energy_it_should(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 3, 1.5, 40.0);
    c.structure.damping_mass = 0.3;
    c.structure.damping_stiffness = 0.01;
    const double q0[] = {0.1, -0.2, 0.3}, v0[] = {1, 2, -1}, h = 0.05;
    carom_stepper *stepper = begin(&c, h, (options){{0.25}}, q0, v0);
    double before[3], now[3];
    memcpy(now, q0, sizeof now);
    step(stepper);
    for (int n = 0; n < 200; n++) {
        const double energy = energy_of(stepper);
        memcpy(before, now, sizeof now);
        memcpy(now, stepper->state.q, sizeof now);
        step(stepper);
        double w[3];
        for (int i = 0; i < 3; i++)
            w[i] = (stepper->state.q[i] - before[i]) / (2 * h);
        const double power = 0.3 * carom_band_form(&c.structure.mass, w, w) +
                             0.01 * carom_band_form(&c.structure.stiffness, w, w);
        assert_near(energy_of(stepper) - energy, -h * power, 1e-12);
    }
    end(stepper);
}

static void weight_on_a_stop_is_carried_by_it(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 2, 3.0, 1e-3);
    c.amplitude = -9.81;
    for (int i = 0; i < 2; i++)
        c.lower[i] = 0.0;
    const double rest[2] = {0}, h = 1e-2;
    carom_stepper *stepper = begin(&c, h, (options){{0.5}}, rest, rest);
    step(stepper);
    for (int n = 0; n < 20; n++) {
        step(stepper);
        for (int i = 0; i < 2; i++) {
            assert_near(stepper->state.q[i], 0, 1e-15);
            assert_near(stepper->state.impulse[3 * 2 * i], 9.81 * h, 1e-13);
            assert_near(stepper->state.impulse[3 * (2 * i + 1)], 0, 0);
            assert_int_equal(stepper->state.regime[2 * i], CAROM_CONTACT_SLIP);
            assert_int_equal(stepper->state.regime[2 * i + 1], CAROM_CONTACT_OPEN);
        }
    }
    end(stepper);
}

/* A mass without spring or force: straight to the stop and back with e times the speed; the mean position
 * (u^{n+1} + e u^{n-1}) / (1 + e) stays admissible, momentum changes by the impulses. */
static void restitution_returns_its_part_of_the_speed(void **state)
{
    (void)state;
    const double e[] = {0, 0.3, 0.5, 1};
    for (int k = 0; k < 8; k++) {
        chain c;
        chain_make(&c, 1, 2.0, 1e-12);
        c.structure.restitution = e[k / 2];
        const bool above = k % 2 == 1;
        (above ? c.upper : c.lower)[0] = 0.0;
        const double side = above ? -1 : 1, q0 = side, v0 = -side, h = 0.03;
        carom_stepper *stepper = begin(&c, h, (options){{0.25}}, &q0, &v0);
        double history[3] = {q0, q0, q0}, impulse = 0;
        for (int n = 1; n <= 60; n++) {
            step(stepper);
            history[0] = history[1];
            history[1] = history[2];
            history[2] = stepper->state.q[0];
            impulse += stepper->state.impulse[above ? 3 : 0];
            if (n > 1)
                assert_true(side * (history[2] + e[k / 2] * history[0]) > -1e-15);
        }
        assert_near(stepper->state.v[0], side * e[k / 2], 1e-9);
        assert_near(impulse, 2.0 * (1 + e[k / 2]), 1e-9);
        end(stepper);
    }
}

/* m u'' = a cos(w t): the step uses m(t_n) = sin terms / h, or a cos(w t_n). */
static void loads_are_means_or_values(void **state)
{
    (void)state;
    const double h = 0.1, w = 2.0, m = 3.0, beta = 0.3, zero = 0.0;
    for (int instant = 0; instant < 2; instant++) {
        chain c;
        chain_make(&c, 1, m, 1e-14);
        c.amplitude = 5.0;
        c.frequency = w;
        carom_stepper *stepper = begin(&c, h, (options){{beta, instant}}, &zero, &zero);
        double before = 0, now = 0;
        step(stepper);
        for (int n = 1; n < 50; n++) {
            double load[3];
            for (int k = 0; k < 3; k++) {
                const double t = (n - 1 + k) * h;
                load[k] = 5.0 * (instant ? cos(w * t) : (sin(w * (t + h)) - sin(w * t)) / (w * h));
            }
            const double next =
                2 * now - before + h * h / m * (beta * (load[0] + load[2]) + (1 - 2 * beta) * load[1]);
            step(stepper);
            assert_near(stepper->state.q[0], next, 1e-12);
            before = now;
            now = next;
        }
        end(stepper);
    }
}

static void second_order_start_has_the_acceleration(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 1, 2.0, 8.0);
    c.amplitude = 3.0;
    c.structure.damping_mass = 0.5;
    const double q0 = 0.7, v0 = -0.2, h = 0.1;
    carom_stepper *stepper = begin(&c, h, (options){{0.25, 1, 1}}, &q0, &v0);
    step(stepper);
    assert_near(stepper->state.q[0], q0 + h * v0 + h * h / 2 * (3.0 - 8.0 * q0 - 0.5 * 2.0 * v0) / 2.0,
                1e-15);
    end(stepper);
}

static void both_solvers_move_alike_and_lose_energy(void **state)
{
    (void)state;
    carom_stepper *stepper[2];
    chain c[2];
    const double q0[] = {0, 0, 0, 0}, v0[] = {3, -5, 4, 2}, h = 0.01;
    for (int k = 0; k < 2; k++) {
        chain_make(&c[k], 4, 1.0, 50.0);
        for (int i = 0; i < 4; i++) {
            c[k].lower[i] = -0.1 - 0.01 * i;
            c[k].upper[i] = 0.12;
        }
        stepper[k] = begin(&c[k], h, (options){{0.5, 0, 0, k}}, q0, v0);
    }
    long contacts = 0;
    double energy = INFINITY;
    for (int n = 0; n < 2000; n++) {
        for (int k = 0; k < 2; k++)
            step(stepper[k]);
        for (int i = 0; i < 4; i++) {
            assert_near(stepper[1]->state.q[i], stepper[0]->state.q[i], 1e-12);
            assert_true(stepper[0]->state.q[i] >= c[0].lower[i] - 1e-14);
            assert_true(stepper[0]->state.q[i] <= c[0].upper[i] + 1e-14);
            contacts += stepper[0]->state.regime[2 * i] + stepper[0]->state.regime[2 * i + 1];
        }
        assert_true(energy_of(stepper[0]) <= energy + 1e-12);
        energy = energy_of(stepper[0]);
    }
    assert_true(contacts > 10);
    assert_true(stepper[0]->counts.worst_solver_error < 1e-12);
    end(stepper[0]);
    end(stepper[1]);
}

static void expect_refusal(chain *c, double h, options o, const double *q0, const double *v0,
                           const char *says, const char *also)
{
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(try_start(c, h, o, q0, v0, &stepper, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, says) || !strstr(error.text, also))
        fail_msg("%s", error.text);
}

static void what_cannot_work_is_refused(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 1, 1.0, 400.0); /* kappa = 400, limit 2 / 20 = 0.1 at beta = 0 */
    const double zero = 0.0, one = 1.0;
    expect_refusal(&c, 0.11, (options){{0}}, &zero, &one, "kappa = 400", "= 0.1 ");
    expect_refusal(&c, 0.01, (options){{0.6}}, &zero, &one, "beta", "0.5");
    c.upper[0] = 0.5;
    expect_refusal(&c, 0.01, (options){{0.5}}, &one, &zero, "at the start", "'high0'");
    const double fast = 100;
    expect_refusal(&c, 0.01, (options){{0.5}}, &zero, &fast, "after the first step", "by 0.5");
    carom_stepper *stepper = begin(&c, 0.09, (options){{0}}, &zero, &one); /* below the limit */
    for (int n = 0; n < 1000; n++)
        step(stepper);
    assert_true(fabs(stepper->state.q[0]) <= 0.5 + 1e-12);
    end(stepper);
    static const carom_model_ops plain = {0};
    const carom_model traced = {.ops = &plain};
    carom_error error = {0};
    assert_int_equal(carom_scheme_find("newmark-contact", NULL)->accepts(&traced, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "moreau-jean"));
}

static void doubtful_data_are_told(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 1, 1.0, 400.0);
    c.structure.restitution = 0.5;
    c.lower[0] = 0.1;
    const double q0 = 0.2, zero = 0.0;
    carom_stepper *stepper = begin(&c, 0.1, (options){{0.25}}, &q0, &zero);
    assert_int_equal(stepper->warnings.count, 2);
    assert_non_null(strstr(stepper->warnings.text[0], "obstacle crosses the rest position"));
    assert_non_null(strstr(stepper->warnings.text[1], "omega_max*h=2 > 1"));
    end(stepper);
}

static void a_load_that_is_not_a_number_ends_the_run(void **state)
{
    (void)state;
    chain c;
    chain_make(&c, 2, 1.0, 1.0);
    const double zero[2] = {0};
    carom_stepper *stepper = begin(&c, 0.1, (options){{0.5}}, zero, zero);
    step(stepper);
    step(stepper);
    c.amplitude = NAN;
    carom_error error = {0};
    assert_int_equal(carom_stepper_step(stepper, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "the load on coordinate 'x0'"));
    assert_string_equal(stepper->end_word, "blowup");
    assert_near(stepper->state.t, 0.2, 1e-15); /* the last good state stands */
    end(stepper);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_oscillator_follows_its_recurrence),
        cmocka_unit_test(damping_takes_the_energy_it_should),
        cmocka_unit_test(weight_on_a_stop_is_carried_by_it),
        cmocka_unit_test(restitution_returns_its_part_of_the_speed),
        cmocka_unit_test(loads_are_means_or_values),
        cmocka_unit_test(second_order_start_has_the_acceleration),
        cmocka_unit_test(both_solvers_move_alike_and_lose_energy),
        cmocka_unit_test(what_cannot_work_is_refused),
        cmocka_unit_test(doubtful_data_are_told),
        cmocka_unit_test(a_load_that_is_not_a_number_ends_the_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
