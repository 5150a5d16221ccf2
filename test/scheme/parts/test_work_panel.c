/* Integrals of powers that come one after the other. */
#include "scheme/parts/work_panel.h"

#include <math.h>

#include "test/near.h"

static void power_at(double t, double power[PANEL_POWERS])
{
    power[0] = 1.0 + sin(3.0 * t);
    power[1] = exp(-t);
    power[2] = 0.0;
}

static double forces_until(double t)
{
    return t + (1.0 - cos(3.0 * t)) / 3.0;
}

static void add(work_panel *panel, double t, carom_works *works)
{
    double power[PANEL_POWERS];
    power_at(t, power);
    work_panel_add(panel, t, power, works);
}

static void check_end(work_panel *panel, double t, carom_works *works, double tolerance)
{
    double power[PANEL_POWERS];
    power_at(t, power);
    work_panel_end(panel, t, power, works);
    assert_near(works->forces, forces_until(t), tolerance);
    assert_near(works->contacts, 1.0 - exp(-t), tolerance);
    assert_int_equal(panel->count, 0);
}

/* Any number of nodes, at the end of which there are more or fewer that are not integrated yet. */
static void nodes_at_one_distance(void **unused)
{
    (void)unused;
    for (int count = 8; count < 60; count++) {
        work_panel panel = {.stride = 1};
        carom_works works = {0};
        work_panel_clear(&panel);
        for (int i = 0; i < count; i++)
            add(&panel, 0.04 * i, &works);
        check_end(&panel, 0.04 * (count - 1) + 0.013, &works, 1e-10);
    }
}

/* As steps grow after a restart: from 1e-9, up to ten times at once. */
static void nodes_that_spread(void **unused)
{
    (void)unused;
    static const double growth[] = {140.0, 3.0, 1.0, 10.0, 6.0, 1.0, 10.0, 1.0, 1.7, 1.0, 2.1, 1.0, 1.6};
    work_panel panel = {.stride = 1};
    carom_works works = {0};
    double t = 0.0, step = 1e-9;
    work_panel_clear(&panel);
    for (int i = 0; t < 2.0; i++) {
        add(&panel, t, &works);
        t += step;
        step = fmin(0.05, step * growth[i % 13]);
    }
    check_end(&panel, 2.0, &works, 1e-8);
}

/* Steps that fail, and an event before the last node. */
static void time_goes_back(void **unused)
{
    (void)unused;
    work_panel panel = {.stride = 1};
    carom_works works = {0};
    work_panel_clear(&panel);
    for (int i = 0; i < 50; i++) {
        if (i % 7 == 6)
            work_panel_add(&panel, 0.04 * i + 0.03, (double[PANEL_POWERS]){1e6, 1e6},
                           &works); /* of a state that never was */
        add(&panel, 0.04 * i, &works);
    }
    work_panel_add(&panel, 2.02, (double[PANEL_POWERS]){1e6, 1e6}, &works);
    check_end(&panel, 1.97, &works, 1e-9);
}

static void every_other_step_is_wanted(void **unused)
{
    (void)unused;
    work_panel panel = {.stride = 2};
    carom_works works = {0};
    int wanted = 0;
    work_panel_clear(&panel);
    for (int i = 0; i < 100; i++)
        for (int iteration = 0; iteration < 2; iteration++)
            if (work_panel_wants(&panel, 0.02 * i)) {
                add(&panel, 0.02 * i, &works);
                wanted++;
            }
    assert_int_equal(wanted, 50);
    check_end(&panel, 1.999, &works, 1e-10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_at_one_distance),
        cmocka_unit_test(nodes_that_spread),
        cmocka_unit_test(time_goes_back),
        cmocka_unit_test(every_other_step_is_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
