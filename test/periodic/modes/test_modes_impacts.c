/* Two and three impacts per period, folds, and the sticking motion of two masses: values of the reference
 * tables, which an independent program computed. */
#include "test/periodic/modes_chain.h"

#include <string.h>

static void two_impacts(void **state)
{
    (void)state;
    static const struct {
        double T, flight, impulse, energy, multiplier;
    } row[] = {
        {3.83, 1.033624523950, 4.02637652, 21.6935168194, 2.4602330},
        {8.08, 3.424599274588, 1.89134337, 3.0310378608, 1.0},
        {9.57, 4.250662867540, 0.30907648, 0.7727337492, 16.612260},
    };
    carom_mode_basis *basis = chain_basis(2);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        carom_mode *mode[16];
        int count = 0, matches = 0;
        carom_error error = {0};
        expect_ok(carom_mode_two_impacts(basis, row[i].T, 16, mode, &count, &error), &error);
        for (int k = 0; k < count; k++) {
            if (fabs(mode[k]->flight[0] - row[i].flight) < 1e-10) {
                matches++;
                assert_int_equal(mode[k]->verdict, CAROM_MODE_ADMISSIBLE);
                assert_near(mode[k]->impulse[0], row[i].impulse, 1e-8);
                assert_near(mode[k]->energy, row[i].energy, 1e-8);
                assert_near(largest_multiplier(mode[k]), row[i].multiplier,
                            row[i].multiplier > 1.0 ? 1e-6 : 1e-5);
            }
            carom_mode_free(mode[k]);
        }
        assert_int_equal(matches, 1);
    }
    carom_mode_basis_free(basis);
}

static void three_impacts(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    const double guess[3] = {2.5, 1.5, 1.5}, side = 1.5;
    carom_mode *mode = NULL;
    carom_error error = {0};
    expect_ok(carom_mode_impacts(basis, 5.5, 3, guess, &mode, &error), &error);
    assert_near(mode->flight[0], 2.50684520, 1e-8);
    assert_near(mode->flight[1], 1.49657740, 1e-8);
    assert_near(mode->impulse[0], 47.731880, 1e-5);
    assert_near(mode->impulse[2], 6.567773, 1e-5);
    assert_near(mode->energy, 1184.1075, 1e-3);
    assert_int_equal(mode->verdict, CAROM_MODE_ADMISSIBLE);
    /* the same in its symmetric form: the weak impact comes first */
    carom_mode *symmetric = NULL;
    expect_ok(carom_mode_symmetric(basis, 5.5, 1, &side, &symmetric, &error), &error);
    assert_near(symmetric->energy, mode->energy, 1e-6);
    assert_near(symmetric->impulse[0], mode->impulse[2], 1e-7);
    carom_mode_free(symmetric);
    carom_mode_free(mode);
    carom_mode_basis_free(basis);
}

/* One impact of period T/2 solves the equations of two, and T/3 those of three. */
static void repeated_motions_are_rejected(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    const double guess[3] = {4.4, 4.4, 4.4};
    carom_mode *mode = NULL;
    carom_error error = {0};
    expect_ok(carom_mode_impacts(basis, 8.8, 2, guess, &mode, &error), &error);
    assert_int_equal(mode->verdict, CAROM_MODE_REPEATED);
    assert_non_null(strstr(mode->text, "period 4.4, 2 times"));
    assert_near(mode->impulse[1], 0.8157356551, 1e-9);
    carom_mode_free(mode);
    expect_ok(carom_mode_impacts(basis, 13.2, 3, guess, &mode, &error), &error);
    assert_int_equal(mode->verdict, CAROM_MODE_REPEATED);
    carom_mode_free(mode);
    carom_mode_basis_free(basis);
}

static void lost_paths_say_so(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    const double guess[3] = {1.0, -0.5, 1.0};
    carom_mode *mode = NULL;
    carom_error error = {0};
    assert_int_equal(carom_mode_impacts(basis, 5.5, 3, guess, &mode, &error), CAROM_FAILED);
    assert_null(mode);
    assert_non_null(strstr(error.text, "the Newton path is lost"));
    carom_mode_basis_free(basis);
}

/* The branch of three impacts that is born where that of one impact ends, through both of its folds. */
static void folding_branch(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    carom_mode *start = NULL;
    carom_error error = {0};
    const double side = 0.76;
    expect_ok(carom_mode_symmetric(basis, 3.995, 1, &side, &start, &error), &error);
    assert_near(start->flight[0], 0.7608785355, 1e-9);
    assert_near(start->impulse[0], 3.717213, 1e-6);
    assert_near(start->impulse[1], 0.00714973, 1e-8);
    assert_near(start->energy, 35.802576, 1e-6);

    carom_branch_options options = carom_branch_defaults();
    options.arclength.step = options.arclength.step_max = 0.01;
    options.arclength.direction = -1.0;
    options.flight_min = 0.02;
    options.through = true;
    carom_branch branch;
    expect_ok(carom_mode_follow(start, 1, &options, &branch, &error), &error);
    int folds = 0;
    double first = NAN, second = NAN;
    for (int i = 0; i < branch.count; i++)
        if (branch.point[i].fold) {
            folds++;
            *(folds == 1 ? &first : &second) = branch.point[i].period;
        }
    assert_true(folds >= 2);
    /* a separate search finds two motions at T = 3.9654 and none at 3.9653 */
    assert_near(first, 3.9654, 1e-4);
    assert_true(second > 4.0125 && second < 4.02);
    /* points of the table: the motion at T nearest to s_1 */
    static const struct {
        double T, s, energy, tolerance;
    } row[] = {{3.99, 0.7499073033, 37.029898791, 1e-8},
               {3.98, 0.7237356453, 39.062074822, 1e-8},
               {3.98, 0.52135970, 23.1363896, 1e-6},
               {4.0, 0.43553267, 17.7595199, 1e-6},
               {4.0025, 0.21671391, 37.6742422, 1e-6}};
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        int nearest = 0;
        for (int i = 0; i < branch.count; i++)
            if (hypot(branch.unknown[i] - row[k].s, branch.point[i].period - row[k].T) <
                hypot(branch.unknown[nearest] - row[k].s, branch.point[nearest].period - row[k].T))
                nearest = i;
        assert_near(branch.unknown[nearest], row[k].s, 0.01);
        carom_mode *mode = NULL;
        expect_ok(carom_mode_symmetric(basis, row[k].T, 1, &branch.unknown[nearest], &mode, &error), &error);
        assert_near(mode->flight[0], row[k].s, 1e-8);
        assert_near(mode->energy, row[k].energy, row[k].tolerance);
        carom_mode_free(mode);
    }
    carom_branch_free(&branch);

    /* the other way it ends at the junction, where the new impulses vanish */
    options.arclength.direction = 1.0;
    options.arclength.step = 1e-4;
    options.through = false;
    expect_ok(carom_mode_follow(start, 1, &options, &branch, &error), &error);
    assert_int_equal(branch.end, CAROM_END_GRAZE);
    assert_near(branch.point[branch.count - 1].period, 3.9952583, 1e-6);
    carom_branch_free(&branch);
    carom_mode_free(start);
    carom_mode_basis_free(basis);
}

/* Where branches end: sequences of 2 and 3 impacts stop close to the sticking motion (T = 4.0031736, E
 * = 35.37) where one impact more appears; others at a pole or where two weak impacts vanish. */
static void ends_of_branches(void **state)
{
    (void)state;
    static const struct {
        double T, first, direction;
        int pairs;
        const char *end;
        double from, to;
    } row[] = {
        {3.995, 0.7608, -1.0, 1, "junction", 4.0, 4.0031736},
        {3.83, 1.0336, 1.0, 0, "junction", 4.0, 4.0031736},
        {3.83, 1.0336, -1.0, 0, "energy", 3.5, 3.83},
        {5.5, 1.4966, -1.0, 1, "energy", 5.4, 5.5},
        {9.57, 4.25066, 1.0, 0, "linear", 9.708, 9.7080552},
    };
    carom_mode_basis *basis = chain_basis(2);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        carom_mode *start = NULL;
        carom_error error = {0};
        const double flight[2] = {row[i].first, row[i].T - row[i].first};
        expect_ok(row[i].pairs > 0 ? carom_mode_symmetric(basis, row[i].T, 1, flight, &start, &error)
                                   : carom_mode_impacts(basis, row[i].T, 2, flight, &start, &error),
                  &error);
        carom_branch_options options = carom_branch_defaults();
        options.arclength.direction = row[i].direction;
        options.arclength.step = 0.002;
        options.arclength.step_max = 0.02;
        carom_branch branch;
        expect_ok(carom_mode_follow(start, row[i].pairs, &options, &branch, &error), &error);
        const carom_branch_point *last = &branch.point[branch.count - 1];
        assert_string_equal(carom_branch_end_word(branch.end), row[i].end);
        assert_true(last->period > row[i].from && last->period < row[i].to);
        carom_branch_free(&branch);
        carom_mode_free(start);
    }
    carom_mode_basis_free(basis);
}

static void sticking_of_two_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(2);
    double q[2], v[2];
    carom_mode_sticking motion = {.q = q, .v = v};
    carom_error error = {0};
    expect_ok(carom_mode_stick(basis, 3.0, 1.0, &motion, &error), &error);
    assert_near(motion.flight, 2.9773315704, 1e-9);
    assert_near(motion.contact, 1.0258420358, 1e-9);
    assert_near(motion.period, 4.0031736062, 1e-9);
    assert_near(motion.energy, 35.3681953899, 1e-7);
    assert_true(motion.admissible);
    assert_near(q[0], 1.0, 1e-9); /* no reaction at release */
    assert_near(q[1], 1.0, 1e-12);
    assert_near(v[0], -11.7248787439, 1e-8);
    assert_near(v[1], 0.0, 1e-9);
    carom_mode_sticking found[8] = {{0}};
    int count = 0, matches = 0;
    expect_ok(carom_mode_stick_search(basis, 9.0, 8, (carom_progress){0}, found, &count, &error), &error);
    for (int i = 0; i < count; i++) {
        assert_true(found[i].admissible && (i == 0 || found[i].period > found[i - 1].period));
        matches +=
            fabs(found[i].period - motion.period) < 1e-9 && fabs(found[i].flight - motion.flight) < 1e-9;
    }
    assert_int_equal(matches, 1);
    carom_mode_basis_free(basis);
}

/* Three masses, by the equations of the motion itself: closed, at rest and without reaction at release. */
static void sticking_of_three_masses(void **state)
{
    (void)state;
    carom_mode_basis *basis = chain_basis(3);
    double q[3], v[3];
    carom_mode_sticking motion = {.q = q, .v = v};
    carom_error error = {0};
    int count = 0;
    expect_ok(carom_mode_stick_search(basis, 9.0, 1, (carom_progress){0}, &motion, &count, &error), &error);
    assert_int_equal(count, 1);
    assert_true(motion.admissible);
    assert_near(q[2], 1.0, 1e-9);
    assert_near(q[1], 1.0, 1e-8);
    assert_near(v[2], 0.0, 1e-8);
    /* next to the junction of one impact at T = 3.5818, as for two masses */
    assert_near(motion.period, 3.5973, 1e-3);
    carom_mode_basis_free(basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_impacts),
        cmocka_unit_test(three_impacts),
        cmocka_unit_test(repeated_motions_are_rejected),
        cmocka_unit_test(lost_paths_say_so),
        cmocka_unit_test(folding_branch),
        cmocka_unit_test(ends_of_branches),
        cmocka_unit_test(sticking_of_two_masses),
        cmocka_unit_test(sticking_of_three_masses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
