/* Closed forms of rings against the source's reference values, 8.1 and 8.3. */
#include "ring_orbits.h"

static void poles_of_neighbours_in_turns(void **state)
{
    (void)state;
    const double expected[][2] = {
        {0.05, 3.085239370043}, {0.2, 2.925535925302}, {0.4, 2.735573828816}, {1.0, 2.304210496206}};
    for (int i = 0; i < 4; i++)
        assert_near(ring_alternating_pole(expected[i][0]), expected[i][1], 1e-12);
}

static void poles_of_the_breather(void **state)
{
    (void)state;
    const double expected[][2] = {
        {0.0, PI},           {0.05, 3.0000517853}, {0.1, 2.8830144802}, {0.15, 2.7836217985},
        {0.2, 2.6974987454}, {0.5, 2.3407755179},  {1.0, 2.0107070243}};
    for (int i = 0; i < 7; i++)
        for (int p = 30; p <= 60; p += 30)
            assert_near(ring_breather_pole(p, expected[i][0]), expected[i][1], 1e-10);
}

/* Largest displacement on the half period: samples, then the parabola through the three highest. */
static double highest(double coupling, double period)
{
    enum {
        SAMPLES = 4000
    };
    double y[2][3] = {{0}}, top = -INFINITY;
    for (int i = 0; i <= SAMPLES; i++) {
        for (int k = 0; k < 2; k++) {
            y[k][0] = y[k][1];
            y[k][1] = y[k][2];
        }
        ring_alternating(coupling, period, 0.5 * period * i / SAMPLES, &y[0][2], &y[1][2]);
        for (int k = 0; k < 2; k++) {
            top = fmax(top, y[k][2]);
            const double bend = y[k][0] - 2.0 * y[k][1] + y[k][2], slope = y[k][2] - y[k][0];
            if (i >= 2 && y[k][1] > y[k][0] && y[k][1] > y[k][2])
                top = fmax(top, y[k][1] - slope * slope / (8.0 * bend));
        }
    }
    return top;
}

static void neighbours_in_turns(void **state)
{
    (void)state;
    const struct {
        double coupling, period, speed, odd, highest;
    } row[] = {
        {0.2, 4.1, 0.634061307008, 1.385088399, 1.385088399},
        {0.2, 10.0, 1.333803297377, -0.785493288, 1.294035341},
        {0.2, 12.0, 0.252428962170, -0.770852921, 0.915956859},
        {0.4, 8.0, 3.925845751748, -0.796692966, 2.788765271},
        {0.4, 11.1, 0.387391705056, -0.008968198, 0.874169488},
        {0.4, 11.6, 0.094584173473, 0.616144063, 0.925701681},
    };
    for (int i = 0; i < 6; i++) {
        double odd, even;
        assert_near(ring_alternating_speed(row[i].coupling, row[i].period), row[i].speed, 1e-12);
        ring_alternating(row[i].coupling, row[i].period, 0.0, &odd, &even);
        assert_near(odd, row[i].odd, 1e-9);
        assert_near(even, -1.0, 1e-13);
        assert_near(highest(row[i].coupling, row[i].period), row[i].highest, 1e-9);
    }
    assert_near(ring_alternating_speed(0.2, 2.926), 3147.331869, 1e-6);
    /* at 4 pi / Omega odd particles graze at t = 0 */
    double odd, even;
    ring_alternating(0.4, 4.0 * PI / sqrt(2.6), 0.0, &odd, &even);
    assert_near(odd, -1.0, 1e-12);
    assert_near(ring_alternating_speed(0.4, 4.0 * PI / sqrt(2.6)), 5.043382112585, 1e-11);
}

static void one_particle_strikes(void **state)
{
    (void)state;
    assert_near(ring_breather_speed(100, 0.15, three_halves), 0.4367896991, 1e-10);
    assert_near(ring_breather_speed(100, 0.15, 0.6 * three_halves), 44.836508, 1e-6);
    assert_near(ring_breather_speed(100, 0.15, 0.8 * three_halves), 1.734305, 1e-6);
    assert_near(ring_breather_speed(1, 0.15, 5.0), -tan(2.5), 1e-14);
}

static void periods_of_modes(void **state)
{
    (void)state;
    assert_near(ring_mode_period(30, 1.0, 1), 6.150225339304, 1e-12);
    assert_near(ring_mode_period(30, 1.0, 3), 5.344796660578, 1e-12);
    assert_near(ring_mode_period(30, 1.0, 4), 4.874145505771, 1e-12);
    assert_near(ring_edge_coupling(three_halves), 7.0 / 36.0, 1e-15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(poles_of_neighbours_in_turns),
        cmocka_unit_test(poles_of_the_breather),
        cmocka_unit_test(neighbours_in_turns),
        cmocka_unit_test(one_particle_strikes),
        cmocka_unit_test(periods_of_modes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
