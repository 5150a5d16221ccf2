/* Contacts on supports that shake fast: second derivatives of gaps and slips at any frequency. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "model_runs.h"

static const double pi = 3.14159265358979323846;

/* A part on a table with the lift A sin(w t), A w^2 = 2 g, leaves it where sin(w t) = 1/2. */
static void test_part_leaves_table(void **state)
{
    (void)state;
    const double frequency[] = {1e-3, 1.0, 16.0, 50.0, 60.0, 100.0, 150.0, 1e4};
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        char text[600];
        snprintf(text, sizeof text,
                 "local f = %.17g\n"
                 "local w, g = 2 * pi * f, 9.81\n"
                 "local A = 2 * g / w^2\n"
                 "local y = coordinates('y')\n"
                 "mass(1)\n"
                 "potential(g * y)\n"
                 "contact { 'table', gap = y - A * sin(w * time()), restitution = 0 }\n"
                 "initial { [dot(y)] = A * w }\n"
                 "integrate { scheme = 'event-driven', h = 0.05 / f, until_t = 0.3 / f }\n",
                 frequency[i]);
        motion m = move_events(text);
        assert_true(fabs(time_of(&m, CAROM_EVENT_RELEASE, 0) * 12.0 * frequency[i] - 1.0) < 1e-9);
        forget(&m);
    }
}

/* A block on a plate that shakes along itself with 0.3 g sticks where the friction is 0.4. */
static void test_block_sticks_to_plate(void **state)
{
    (void)state;
    const double frequency[] = {1.0, 16.0, 50.0, 60.0, 100.0};
    for (size_t i = 0; i < sizeof frequency / sizeof *frequency; i++) {
        char text[700];
        const double w = 2.0 * pi * frequency[i];
        snprintf(text, sizeof text,
                 "local w, g = %.17g, 9.81\n"
                 "local x, y = coordinates('x', 'y')\n"
                 "mass(1)\n"
                 "potential(g * y)\n"
                 "contact { 'plate', gap = y, slip = dot(x) - 0.3 * g / w * cos(w * time()), friction = 0.4, "
                 "restitution = 0 }\n"
                 "initial { [dot(x)] = 0.3 * g / w }\n"
                 "integrate { scheme = 'event-driven', h = 0.7 / w, until_t = 14 / w }\n",
                 w);
        motion m = move_events(text);
        assert_true(fabs(position(&m, 0) * w * w / 9.81 - 0.3 * sin(w * m.result.final[0])) < 1e-8);
        forget(&m);
    }
}

/* ---- a vibratory feeder ------------------------------------------------------------------------------- */

/* A part on a plate with the slope al that moves by A sin(w t) along be + al; A w^2 sin(be) = 0.8 g cos(al), so that it never lifts. */
typedef struct feeder {
    double w, g, al, be, mu, A;
} feeder;

static feeder feeder_of(double frequency, double be, double mu)
{
    feeder f = {.w = 2.0 * pi * frequency, .g = 9.81, .al = 0.04, .be = be, .mu = mu};
    f.A = 0.8 * f.g * cos(f.al) / (f.w * f.w * sin(f.be));
    return f;
}

/* Slope and inertia of the plate, per mass: the part sticks where |pull| <= mu normal. */
static double pull(const feeder *f, double t)
{
    return f->g * sin(f->al) - f->A * f->w * f->w * cos(f->be) * sin(f->w * t);
}

static double normal(const feeder *f, double t)
{
    return f->g * cos(f->al) - f->A * f->w * f->w * sin(f->be) * sin(f->w * t);
}

static double plate_speed(const feeder *f, double t)
{
    return f->A * f->w * cos(f->be) * cos(f->w * t);
}

/* Integrals of the exact acceleration of a part that slips to one side since t0, where it had x0 and v0. */
static double slip_speed(const feeder *f, double side, double t0, double v0, double t)
{
    const double a = f->A * f->w * sin(f->be) * side * f->mu;
    return v0 - (f->g * sin(f->al) + side * f->mu * f->g * cos(f->al)) * (t - t0) -
           a * (cos(f->w * t) - cos(f->w * t0));
}

static double slip_way(const feeder *f, double side, double t0, double v0, double t)
{
    const double a = f->A * f->w * sin(f->be) * side * f->mu, s = t - t0;
    return v0 * s - 0.5 * (f->g * sin(f->al) + side * f->mu * f->g * cos(f->al)) * s * s -
           a * ((sin(f->w * t) - sin(f->w * t0)) / f->w - cos(f->w * t0) * s);
}

/* How far the part is after `end`, slip by slip; the plate and the part start together at t = 0. */
static double conveyed(const feeder *f, double end, int *slips)
{
    const double step = pi / (1000.0 * f->w);
    double t = 0.0, x = 0.0, v = plate_speed(f, 0.0), side = 0.0; /* of the slip; 0: sticks */
    while (t < end) {
        const double from = t;
        double low = t, high = t;
        bool over = false;
        do { /* the end of this phase */
            low = high;
            high = fmin(high + step, end);
            over = side == 0.0 ? fabs(pull(f, high)) > f->mu * normal(f, high)
                               : side * (slip_speed(f, side, from, v, high) - plate_speed(f, high)) < 0.0;
        } while (!over && high < end);
        for (int i = 0; over && i < 100; i++) {
            const double t_mid = 0.5 * (low + high);
            const bool past =
                side == 0.0 ? fabs(pull(f, t_mid)) > f->mu * normal(f, t_mid)
                            : side * (slip_speed(f, side, from, v, t_mid) - plate_speed(f, t_mid)) < 0.0;
            *(past ? &high : &low) = t_mid;
        }
        t = high;
        x += side == 0.0 ? f->A * cos(f->be) * (sin(f->w * t) - sin(f->w * from))
                         : slip_way(f, side, from, v, t);
        v = plate_speed(f, t); /* at the end of a slip, too */
        const bool sticks = side != 0.0 && fabs(pull(f, t)) <= f->mu * normal(f, t);
        *slips += side == 0.0 && over;
        side = sticks ? 0.0 : pull(f, t) > 0.0 ? -1.0 : 1.0;
    }
    return x;
}

/* From 50 Hz on as well: the mean speed is that of slip and stick, and the part never leaves the plate. */
static void test_part_is_conveyed(void **state)
{
    (void)state;
    static const double cases[][3] = {{2.0, 1.0, 0.5}, {50.0, 1.0, 0.5}, {70.0, 0.9, 0.6}, {400.0, 1.1, 0.4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        enum {
            FIRST = 6,
            LAST = 14
        };
        const double frequency = cases[i][0];
        const feeder f = feeder_of(frequency, cases[i][1], cases[i][2]);
        double way[2] = {0};
        for (int k = 0; k < 2; k++) {
            char text[1200];
            const int periods = k == 0 ? FIRST : LAST;
            snprintf(
                text, sizeof text,
                "local f, al, be, mu, A = %.17g, %.17g, %.17g, %.17g, %.17g\n"
                "local w, g = 2 * pi * f, 9.81\n"
                "local s = A * sin(w * time())\n"
                "local x, y = coordinates('x', 'y')\n"
                "mass(0.02)\n"
                "potential(0.02 * g * (sin(al) * x + cos(al) * y))\n"
                "contact { 'plate', gap = y - sin(be) * s, slip = dot(x) - cos(be) * dot(s), friction = mu,"
                " restitution = 0 }\n"
                "initial { [dot(x)] = A * w * cos(be), [dot(y)] = A * w * sin(be) }\n"
                "integrate { scheme = 'event-driven', h = 0.05 / f, until_t = %d / f }\n",
                frequency, f.al, f.be, f.mu, f.A, periods);
            motion m = move_events(text);
            int slips = 0;
            way[k] = position(&m, 0);
            assert_near(way[k] / f.A, conveyed(&f, periods / frequency, &slips) / f.A, 1e-8);
            assert_true(slips >= periods - 1);
            assert_near(position(&m, 1) / f.A, 0.0, 1e-9); /* at whole periods: on the plate */
            assert_null(event_of(&m, CAROM_EVENT_RELEASE, 0));
            assert_null(event_of(&m, CAROM_EVENT_IMPACT, 0));
            assert_true(m.result.certificate.trusted);
            forget(&m);
        }
        const double mean = (way[1] - way[0]) * frequency / (LAST - FIRST);
        assert_true(mean > 0.01 * f.A * f.w); /* it goes up */
    }
}

static const double w_functions = 314.15926535897932; /* 50 Hz */

static void weight(void *context, double t, const double *q, const double *v, double *f)
{
    (void)context, (void)t, (void)q, (void)v;
    f[0] = -9.81;
}

static void above_table(void *context, double t, const double *q, double *gap)
{
    const double w = w_functions;
    (void)context;
    gap[0] = q[0] - 2.0 * 9.81 / (w * w) * sin(w * t);
}

static void normal_of_table(void *context, int contact, double t, const double *q, double *row, double *rate)
{
    const double w = w_functions;
    (void)context, (void)contact, (void)q;
    row[0] = 1.0;
    *rate = -2.0 * 9.81 / w * cos(w * t);
}

/* The same table where no expression gives derivatives. It flies from pi / (6 w) on. */
static void test_functions(void **state)
{
    (void)state;
    const double w = w_functions, g = 9.81, A = 2.0 * g / (w * w), leaves = pi / (6.0 * w);
    const carom_model_functions table = {
        .dof = 1,
        .masses = (double[]){1.0},
        .force = weight,
        .contacts = 1,
        .gap = above_table,
        .normal = normal_of_table,
        .contact = &(carom_function_contact){.restitution = 0.0},
    };
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_from_functions(&table, &model, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    const double q0[1] = {0.0}, v0[1] = {A * w}, h = 0.1 / w;
    assert_int_equal(carom_stepper_create(scheme_named("event-driven"), work, &(carom_step_settings){.h = h},
                                          q0, v0, &stepper, &error),
                     CAROM_OK);
    for (int i = 1; i <= 12; i++) {
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
        const double t = stepper->state.t, s = t - leaves;
        const double exact = s < 0.0 ? A * sin(w * t) : 0.5 * A + s * (A * w * cos(w * leaves) - 0.5 * g * s);
        assert_true(fabs(stepper->state.q[0] - exact) < 1e-9 * A);
    }
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_functions),
        cmocka_unit_test(test_part_leaves_table),
        cmocka_unit_test(test_block_sticks_to_plate),
        cmocka_unit_test(test_part_is_conveyed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
