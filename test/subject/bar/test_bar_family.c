#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/subject/bar.h"
#include "test/near.h"

static carom_bar_mode make(const carom_bar *bar, int index, int turns, double d)
{
    carom_bar_mode mode;
    carom_error error;
    if (carom_bar_mode_make(bar, index, turns, d, &mode, &error))
        fail_msg("%s", error.text);
    return mode;
}

/* The families that hold motions, with their slopes r (reference table). */
static const struct {
    int index, turns;
    double slope;
} known[] = {{1, 1, 1}, {3, 1, 4},  {3, 2, 2}, {5, 1, 9}, {5, 3, 3},
             {5, 4, 1}, {7, 1, 16}, {7, 2, 8}, {7, 4, 4}, {9, 1, 25}};
enum {
    KNOWN = sizeof known / sizeof *known
};

static void members_have_the_periods_and_energies_of_the_table(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const struct {
        int index, turns;
        double d, travel, alpha, energy;
    } row[] = {
        {1, 1, 0.25, 3.75, 2.0 / 3.0, 8.0 / 9.0},
        {1, 1, 0.5, 3.5, 1.0, 2.0},
        {1, 1, 0.75, 3.25, 2.0, 8.0},
        {3, 1, 0.05, 3.95 / 3.0, 1.875, 7.03125},
        {3, 1, 0.125, 3.875 / 3.0, 3.0, 18.0},
        {3, 1, 0.2, 3.8 / 3.0, 7.5, 112.5},
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const carom_bar_mode mode = make(&bar, row[i].index, row[i].turns, row[i].d);
        assert_near(mode.period, row[i].travel, 1e-14);
        assert_near(fabs(mode.alpha), row[i].alpha, 1e-13 * row[i].alpha);
        assert_near(mode.energy, row[i].energy, 2e-13 * row[i].energy);
        assert_near(mode.free_time + mode.contact_time, mode.period, 1e-15);
        assert_near(mode.contact_time, row[i].d, 0.0);
        assert_true(mode.admissible);
        assert_string_equal(mode.reason, "");
    }
}

/* |alpha| = N gap / (2 (L - r d)), sign (-1)^((N - 1)/2), up to d = L / r; the highest frequency is that of
 * d = L / r, the lowest N / m that of d = 0. */
static void families_follow_their_closed_form(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    for (int i = 0; i < KNOWN; i++)
        for (int k = 1; k < 10; k++) {
            const double r = known[i].slope, d = k / (10.0 * r);
            const int N = known[i].index;
            const carom_bar_mode mode = make(&bar, N, known[i].turns, d);
            assert_near(mode.slope, r, 0.0);
            assert_near(mode.longest, 1.0 / r, 1e-15);
            const double sign = N % 4 == 1 ? 1.0 : -1.0;
            assert_near(mode.alpha * (1.0 - r * d), sign * N / 2.0, 1e-12);
            assert_true(mode.admissible);
            assert_true(mode.frequency_ratio > (double)N / known[i].turns);
            /* With m >= 2 the end touches the wall within the flight. */
            assert_int_equal(mode.touches > 0, known[i].turns > 1);
        }
    for (int q = 1; q <= 8; q++) {
        const carom_bar_mode mode = make(&bar, 2 * q - 1, 1, 0.5 / (q * q));
        assert_near(mode.slope, q * q, 0.0);
        assert_near(fabs(mode.alpha), 2.0 * q - 1.0, 1e-12 * q);
        assert_true(mode.admissible);
    }
}

/* (22): phi(x) = eps(x) eps(x + d) phi(x + cT), and phi(x + 2L) = -phi(x). */
static void phi_solves_the_equation_of_periodic_motions(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    carom_random random = {7};
    for (int i = 0; i < KNOWN; i++) {
        const double d = 0.618 / known[i].slope;
        const carom_bar_mode mode = make(&bar, known[i].index, known[i].turns, d);
        for (int k = 0; k < 200; k++) {
            const double x = carom_random_uniform(&random, -1.0, 1.0);
            const double eps = x + d < 1.0 ? 1.0 : -1.0;
            assert_near(carom_bar_mode_phi(&mode, x), eps * carom_bar_mode_phi(&mode, x + mode.period), 0.0);
            assert_near(carom_bar_mode_phi(&mode, x), -carom_bar_mode_phi(&mode, x - 2.0), 0.0);
            assert_near(carom_bar_mode_phi(&mode, x), carom_bar_mode_phi(&mode, x + 4.0), 0.0);
        }
        assert_near(carom_bar_mode_integral(&mode, 1.0), 1.0, 1e-14);
    }
}

/* 0 <= -u_x(L) and u(L) <= gap, one of them an equality, at any time; u(0) = 0; the field goes on
 * continuously through the ends of contact and after a period. */
static void fields_meet_the_wall_as_they_must(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    for (int i = 0; i < KNOWN; i++) {
        const carom_bar_mode mode = make(&bar, known[i].index, known[i].turns, 0.37 / known[i].slope);
        for (int k = 0; k < 400; k++) {
            const double t = (k + 0.5) / 400.0 * mode.period;
            const carom_bar_point end = carom_bar_mode_at(&mode, 1.0, t);
            const bool contact = t > mode.free_time;
            assert_true(end.displacement <= 1.0 + 1e-12);
            if (contact) {
                assert_near(end.displacement, 1.0, 1e-12);
                assert_near(end.velocity, 0.0, 0.0);
                assert_near(end.strain, -2.0 * fabs(mode.alpha), 1e-12);
            } else {
                assert_near(end.strain, 0.0, 0.0);
            }
            assert_near(carom_bar_mode_at(&mode, 0.0, t).displacement, 0.0, 0.0);
        }
        const double small = 1e-9, jump = 8.0 * fabs(mode.alpha) * small;
        for (int k = 0; k <= 20; k++) {
            const double x = k / 20.0, instant[] = {0.0, mode.free_time, mode.period};
            for (int j = 0; j < 3; j++)
                assert_near(carom_bar_mode_at(&mode, x, instant[j] - small).displacement,
                            carom_bar_mode_at(&mode, x, instant[j] + small).displacement, jump);
        }
    }
}

/* Displacement differences over a short way agree with strain and velocity where there is no jump between;
 * the energy of the exact averages on a fine grid is that of the mode up to the cells with jumps. */
static void strain_velocity_and_energy_belong_to_the_displacement(void **state)
{
    (void)state;
    const carom_bar bar = {.young = 3.0, .density = 0.75, .area = 0.2, .length = 2.5, .gap = 0.04};
    const carom_bar_mode mode = make(&bar, 3, 1, 0.3);
    const double c = 2.0, small = 1e-6;
    assert_near(carom_bar_speed(&bar), c, 0.0);
    int checked = 0;
    for (int i = 1; i < 60; i++)
        for (int j = 0; j < 60; j++) {
            const double x = 2.5 * (i + 0.123) / 61.0, t = mode.period * (j + 0.456) / 60.0;
            const carom_bar_point here = carom_bar_mode_at(&mode, x, t),
                                  right = carom_bar_mode_at(&mode, x + small, t),
                                  later = carom_bar_mode_at(&mode, x, t + small);
            if (here.strain != right.strain || here.velocity != later.velocity)
                continue;
            checked++;
            assert_near((right.displacement - here.displacement) / small, here.strain, 1e-8);
            assert_near((later.displacement - here.displacement) / small, here.velocity, 1e-8);
        }
    assert_true(checked > 3000);

    enum {
        CELLS = 2000
    };
    double u[CELLS + 1], v[CELLS];
    for (int j = 0; j < 5; j++) {
        carom_bar_mode_sample(&mode, mode.period * (0.13 + 0.2 * j), CELLS, u, v);
        double energy = 0.0;
        for (int i = 0; i < CELLS; i++) {
            const double dx = 2.5 / CELLS, strain = (u[i + 1] - u[i]) / dx;
            energy += 0.2 * dx * (0.75 * v[i] * v[i] + 3.0 * strain * strain) / 2.0;
        }
        assert_near(energy, mode.energy, 0.005 * mode.energy);
    }
}

/* Lengths by L, times by L / c, displacements by gap: alpha = gap / (2 (L - d)), E = 2 E S L alpha^2. */
static void any_data_give_the_scaled_motion(void **state)
{
    (void)state;
    const carom_bar unit = carom_bar_unit();
    const carom_bar bar = {.young = 210e9, .density = 7800.0, .area = 1e-4, .length = 1.6, .gap = 2e-4};
    const carom_bar_mode one = make(&unit, 1, 1, 0.3), mode = make(&bar, 1, 1, 0.48);
    const double c = sqrt(210e9 / 7800.0), alpha = 2e-4 / (2.0 * (1.6 - 0.48));
    assert_near(mode.alpha, alpha, 1e-12 * alpha);
    assert_near(mode.period, (6.4 - 0.48) / c, 1e-15);
    assert_near(mode.energy, 2.0 * 210e9 * 1e-4 * 1.6 * alpha * alpha, 1e-10);
    assert_near(mode.frequency_ratio, one.frequency_ratio, 1e-13);
    assert_true(mode.admissible);
    for (int k = 0; k < 50; k++) {
        const double x = 0.02 * k, t = 0.0713 * k;
        const carom_bar_point a = carom_bar_mode_at(&one, x, t),
                              b = carom_bar_mode_at(&mode, 1.6 * x, 1.6 * t / c);
        assert_near(b.displacement, 2e-4 * a.displacement, 1e-15);
        assert_near(b.strain, 2e-4 / 1.6 * a.strain, 1e-15);
        assert_near(b.velocity, 2e-4 * c / 1.6 * a.velocity, 1e-10);
    }
}

static void first_mode_starts_stretched_and_at_rest(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const carom_bar_mode mode = make(&bar, 1, 1, 0.25);
    for (int k = 0; k < 40; k++) {
        const double x = (k + 0.5) / 40.0;
        const carom_bar_point at = carom_bar_mode_at(&mode, x, 0.0);
        assert_near(at.strain, x < 0.75 ? 4.0 / 3.0 : 0.0, 1e-14);
        assert_near(at.velocity, x < 0.75 ? 0.0 : -4.0 / 3.0, 1e-14);
    }
}

/* d -> 0: the triangle wave that grazes the wall, energy E S gap^2 / (2 L). */
static void short_contact_tends_to_the_triangle(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const double d = 1e-6;
    const carom_bar_mode mode = make(&bar, 1, 1, d);
    assert_near(mode.energy, 0.5 / ((1.0 - d) * (1.0 - d)), 1e-12);
    for (int k = 0; k < 40; k++) {
        const double t = 0.1 * k;
        assert_near(carom_bar_mode_at(&mode, 1.0, t).displacement, fabs(t - 2.0) - 1.0, 5.0 * d);
    }
}

static void scan_finds_the_ten_families(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    const carom_bar_scan_options options = carom_bar_scan_defaults();
    carom_bar_scan scan;
    carom_error error;
    assert_int_equal(carom_bar_scan_make(&bar, &options, &scan, &error), CAROM_OK);
    assert_int_equal(scan.count, 40);
    int found = 0;
    double below = 0.0, above = INFINITY;
    for (int i = 0; i < scan.count; i++) {
        const carom_bar_family *family = &scan.family[i];
        if (family->admissible == 0)
            continue;
        assert_true(found < KNOWN);
        assert_int_equal(family->index, known[found].index);
        assert_int_equal(family->turns, known[found].turns);
        assert_near(family->slope, known[found].slope, 0.0);
        /* all members from d = 0.01 in steps of 0.02 up to L / r */
        assert_int_equal(family->admissible, family->samples);
        assert_near(family->shortest_found, 0.01, 1e-15);
        assert_true(family->longest_found + 0.0200001 > 1.0 / known[found].slope);
        if (family->lowest_frequency_ratio < 2.0)
            below = fmax(below, family->highest_frequency_ratio);
        else
            above = fmin(above, family->lowest_frequency_ratio);
        found++;
    }
    assert_int_equal(found, KNOWN);
    /* none of the motions has a frequency in [2, 3] */
    assert_true(below < 1.78 && above > 3.0);
    carom_bar_scan_free(&scan);
}

static void motions_that_cannot_be_say_why(void **state)
{
    (void)state;
    const carom_bar bar = carom_bar_unit();
    /* The first mode with a flight of one more linear period passes the wall. */
    const carom_bar_mode twice = make(&bar, 1, 2, 0.5);
    assert_false(twice.admissible);
    assert_non_null(strstr(twice.reason, "behind the wall"));
    const carom_bar_mode pulled = make(&bar, -3, -1, 0.5);
    assert_false(pulled.admissible);
    assert_true(pulled.reason[0] != '\0');
    const carom_bar_mode backwards = make(&bar, -1, -1, 0.5);
    assert_false(backwards.admissible);
    assert_non_null(strstr(backwards.reason, "pull"));
}

static void assert_refused(const carom_bar *bar, int index, int turns, double d, const char *says)
{
    carom_bar_mode mode;
    carom_error error;
    assert_int_equal(carom_bar_mode_make(bar, index, turns, d, &mode, &error), CAROM_BAD_INPUT);
    if (!strstr(error.text, says))
        fail_msg("'%s' does not say '%s'", error.text, says);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    carom_bar bar = carom_bar_unit();
    assert_refused(&bar, 2, 1, 0.1, "family index must be odd");
    assert_refused(&bar, 0, 1, 0.1, "family index must be odd");
    assert_refused(&bar, 101, 1, 1e-5, "at most 99");
    assert_refused(&bar, 1, 0, 0.1, "positive");
    assert_refused(&bar, 1, -1, 0.1, "positive");
    assert_refused(&bar, 1, 1, 1.0, "between 0 and 1 ");
    assert_refused(&bar, 1, 1, 0.0, "between 0 and 1 ");
    assert_refused(&bar, 3, 1, 0.25, "between 0 and 0.25");
    assert_refused(&bar, 3, 1, NAN, "between 0 and 0.25");
    bar.gap = 0.0;
    assert_refused(&bar, 1, 1, 0.1, "infinite energy");
    bar = carom_bar_unit();
    bar.density = -1.0;
    assert_refused(&bar, 1, 1, 0.1, "density is -1");
    bar = carom_bar_unit();
    carom_bar_scan_options options = carom_bar_scan_defaults();
    options.step = CAROM_ZERO;
    carom_bar_scan scan;
    assert_int_equal(carom_bar_scan_make(&bar, &options, &scan, NULL), CAROM_BAD_INPUT);
    options = carom_bar_scan_defaults();
    options.largest_index = 1000;
    assert_int_equal(carom_bar_scan_make(&bar, &options, &scan, NULL), CAROM_BAD_INPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_have_the_periods_and_energies_of_the_table),
        cmocka_unit_test(families_follow_their_closed_form),
        cmocka_unit_test(phi_solves_the_equation_of_periodic_motions),
        cmocka_unit_test(fields_meet_the_wall_as_they_must),
        cmocka_unit_test(strain_velocity_and_energy_belong_to_the_displacement),
        cmocka_unit_test(any_data_give_the_scaled_motion),
        cmocka_unit_test(first_mode_starts_stretched_and_at_rest),
        cmocka_unit_test(short_contact_tends_to_the_triangle),
        cmocka_unit_test(scan_finds_the_ten_families),
        cmocka_unit_test(motions_that_cannot_be_say_why),
        cmocka_unit_test(bad_input_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
