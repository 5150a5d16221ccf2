/* Motions in other units: lengths, times and masses multiplied by even powers of two give the same significands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "model_runs.h"

typedef struct unit {
    int length, time, mass; /* powers of two */
} unit;

static const unit units[] = {{20, 0, 0},     {-20, 0, 0},  {0, 20, 0},    {0, -20, 0},   {0, 0, 20},
                             {0, 0, -20},    {40, 0, 0},   {-40, 0, 0},   {0, 40, 0},    {0, -40, 0},
                             {0, 0, 40},     {0, 0, -40},  {-20, 20, 20}, {20, -20, 20}, {20, 20, -20},
                             {-40, -20, 40}, {40, 20, -20}};

/* A driven oscillator with a stop, which event-driven-linear and penalty take, too. */
static const char stop[] = "local x = coordinates('x')\n"
                           "mass(2 * M)\n"
                           "potential(M / T^2 * x^2)\n"
                           "force { x = M * L / T^2 * 2 * cos(2.7 * time() / T) - 0.3 * M / T * dot(x) }\n"
                           "contact { 'stop', gap = 0.15 * L - x, restitution = 0.7 }\n"
                           "integrate { scheme = 'event-driven', h = 0.25 * T, until_t = 25 * T }\n";

/* A ball that falls on a table in motion, stays there and leaves it. */
static const char table[] =
    "local y = coordinates('y')\n"
    "mass(3 * M)\n"
    "potential(3 * M * 9.81 * L / T^2 * y)\n"
    "contact { 'table', gap = y - 0.6 * L * sin(5 * time() / T), restitution = 0.4 }\n"
    "initial { y = 0.3 * L }\n"
    "integrate { scheme = 'event-driven', h = 0.125 * T, until_t = 2.75 * T, zeno = "
    "'continue' }\n";

/* Stick and slip on a belt. */
static const char belt[] =
    "local x, y = coordinates('x', 'y')\n"
    "mass { x = M, y = M }\n"
    "potential(2 * M / T^2 * x^2 + 9.81 * M * L / T^2 * y)\n"
    "contact { 'belt', gap = y, slip = dot(x) - 0.5 * L / T, friction = 0.2, restitution = 0 }\n"
    "initial { x = L }\n"
    "integrate { scheme = 'event-driven', h = 0.25 * T, until_t = 10 * T }\n";

/* A pendulum with a wall, in two coordinates and a joint. */
static const char pendulum[] = "local x, y = coordinates('x', 'y')\n"
                               "mass { x = M, y = M }\n"
                               "potential(9.81 * M * L / T^2 * y)\n"
                               "joint { 'rod', (x^2 + y^2 - L^2) / L }\n"
                               "contact { 'wall', gap = x + 0.2 * L, restitution = 0.5 }\n"
                               "initial { x = 0.8 * L, y = -0.6 * L }\n"
                               "integrate { scheme = 'event-driven', h = 0.25 * T, until_t = 2 * T, zeno = "
                               "'continue' }\n";

static motion move_in(const char *text, const char *scheme, unit in)
{
    char whole[1200];
    snprintf(whole, sizeof whole, "local L, T, M = %.17g, %.17g, %.17g\n%s", ldexp(1.0, in.length),
             ldexp(1.0, in.time), ldexp(1.0, in.mass), text);
    motion m = move_and_keep(whole, scheme, NAN, NAN);
    if (m.status != CAROM_OK)
        print_error("%s\n", m.error.text);
    assert_int_equal(m.status, CAROM_OK);
    return m;
}

static void compare(const motion *m, const motion *usual, unit in)
{
    const carom_row_layout *layout = &m->result.layout;
    const double *row = m->result.final, *expected = usual->result.final;
    assert_int_equal(m->result.steps, usual->result.steps);
    assert_int_equal(m->result.impacts, usual->result.impacts);
    assert_int_equal(m->result.event_count, usual->result.event_count);
    assert_int_equal(m->result.certificate.doubts, usual->result.certificate.doubts);
    for (size_t i = 0; i < m->result.event_count; i++)
        assert_true(m->result.event[i].t == ldexp(usual->result.event[i].t, in.time));
    for (int i = 0; i < layout->dof; i++) {
        assert_true(row[layout->q + i] == ldexp(expected[layout->q + i], in.length));
        assert_true(row[layout->v + i] == ldexp(expected[layout->v + i], in.length - in.time));
    }
}

static void try_units(const char *text, const char *scheme)
{
    motion usual = move_in(text, scheme, (unit){0, 0, 0});
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        motion m = move_in(text, scheme, units[i]);
        compare(&m, &usual, units[i]);
        forget(&m);
    }
    forget(&usual);
}

static void test_stop(void **state)
{
    (void)state;
    try_units(stop, "event-driven");
}

static void test_stop_linear(void **state)
{
    (void)state;
    try_units(stop, "event-driven-linear");
}

static void test_stop_penalty(void **state)
{
    (void)state;
    try_units(stop, "penalty");
}

static void test_table(void **state)
{
    (void)state;
    try_units(table, "event-driven");
}

static void test_belt(void **state)
{
    (void)state;
    try_units(belt, "event-driven");
}

static void test_pendulum(void **state)
{
    (void)state;
    try_units(pendulum, "event-driven");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_stop),  cmocka_unit_test(test_stop_linear), cmocka_unit_test(test_stop_penalty),
        cmocka_unit_test(test_table), cmocka_unit_test(test_belt),        cmocka_unit_test(test_pendulum),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
