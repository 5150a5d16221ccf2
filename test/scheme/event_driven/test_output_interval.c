/* Schemes with steps of their own: outputs are read off the motion, which does not depend on their interval, and the last output
 * is at the end that was asked for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "model_runs.h"

/* A ball between two plates that move fast, with a long flight in between. */
static const char plates[] =
    "local x = coordinates('x')\n"
    "mass(1)\n"
    "force { x = -1 }\n"
    "local s = 1e-3 * sin(200 * time())\n"
    "contact { 'low', gap = x - s, restitution = 0.6 }\n"
    "contact { 'high', gap = 1e-3 + s - x, restitution = 0.6 }\n"
    "initial { x = 5e-4 }\n"
    "integrate { scheme = 'event-driven', h = 1e-3, until_t = 0.3333, zeno = 'continue' }\n";

/* An oscillator on a belt: stick and slip. */
static const char belt[] =
    "local x = coordinates('x')\n"
    "mass(1)\n"
    "potential(2 * x^2)\n"
    "friction_force { 'belt', slip = dot(x) - 0.5, bound = 1 + 0.2 * sin(3 * time()) }\n"
    "initial { x = 1 }\n"
    "integrate { scheme = 'event-driven', h = 0.02, until_t = 11.111 }\n";

/* A ball that comes to rest, on a floor that lifts it off again. */
static const char zeno[] =
    "local y = coordinates('y')\n"
    "mass(1)\n"
    "potential(9.81 * y)\n"
    "contact { 'floor', gap = y - 0.6 * sin(5 * time()), restitution = 0.4 }\n"
    "initial { y = 0.3 }\n"
    "integrate { scheme = 'event-driven', h = 0.01, until_t = 2.7777, zeno = 'continue' }\n";

/* A driven oscillator with a stop. */
static const char stop[] = "local x = coordinates('x')\n"
                           "mass(1)\n"
                           "potential(x^2 / 2)\n"
                           "force { x = cos(2.7 * time()) - 0.1 * dot(x) }\n"
                           "contact { 'stop', gap = 0.15 - x, restitution = 0.7 }\n"
                           "integrate { scheme = 'event-driven', h = 0.05, until_t = 25.01 }\n";

static void compare(const motion *m, const motion *other, double tolerance)
{
    const carom_row_layout *layout = &m->result.layout;
    assert_true(m->result.event_count > 0);
    assert_int_equal(m->result.event_count, other->result.event_count);
    for (size_t i = 0; i < m->result.event_count; i++) {
        assert_int_equal(m->result.event[i].kind, other->result.event[i].kind);
        assert_true(fabs(m->result.event[i].t - other->result.event[i].t) <= tolerance * other->result.t_end);
    }
    assert_true(m->result.t_end == other->result.t_end);
    for (int i = layout->q; i < layout->v + layout->dof; i++)
        assert_true(fabs(m->result.final[i] - other->result.final[i]) <=
                    tolerance * fmax(fabs(other->result.final[i]), 1e-3));
    assert_int_equal(m->result.certificate.doubts, other->result.certificate.doubts);
    assert_int_equal(m->result.impacts, other->result.impacts);
}

static void try_intervals(const char *text, const char *scheme, double h, double until)
{
    static const double factor[] = {0.01, 0.1, 0.5, 2.0, 10.0, 100.0};
    motion usual = move_and_keep(text, scheme, NAN, NAN);
    assert_int_equal(usual.status, CAROM_OK);
    assert_true(usual.result.t_end == until);
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        motion m = move_and_keep(text, scheme, factor[i] * h, NAN);
        assert_int_equal(m.status, CAROM_OK);
        compare(&m, &usual, 1e-9);
        forget(&m);
    }
    forget(&usual);
}

static void test_moving_plates(void **state)
{
    (void)state;
    try_intervals(plates, "event-driven", 1e-3, 0.3333);
}

static void test_stick_slip(void **state)
{
    (void)state;
    try_intervals(belt, "event-driven", 0.02, 11.111);
}

static void test_accumulations(void **state)
{
    (void)state;
    try_intervals(zeno, "event-driven", 0.01, 2.7777);
}

static void test_stop(void **state)
{
    (void)state;
    try_intervals(stop, "event-driven", 0.05, 25.01);
    try_intervals(stop, "event-driven-linear", 0.05, 25.01);
    try_intervals(stop, "penalty", 0.05, 25.01);
}

/* Schemes with time steps end where a step does. */
static void test_time_steps(void **state)
{
    (void)state;
    motion m = move(stop, "moreau-jean", 0.05, 1.01);
    assert_int_equal(m.status, CAROM_OK);
    assert_near(m.result.t_end, 1.05, 1e-12);
    forget(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moving_plates), cmocka_unit_test(test_stick_slip),
        cmocka_unit_test(test_accumulations), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_time_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
