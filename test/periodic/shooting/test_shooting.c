/* Shooting on a model built from expressions: one mass on a spring between two walls, x <= 1 and x >= -width.
 * The motion with one impact per period T at the first wall is x = cos(t - T/2) / cos(T/2). */
#include "test/periodic/modes_chain.h"

#include <string.h>

#include "periodic/shooting/shooting.h"
#include "test/periodic/two_walls.h"

static const double width = 1.1;
static const int right[2] = {0, 0}, both[2] = {0, 1};

static carom_shooting *aim(const carom_model *model, carom_shooting_kind kind, int impacts,
                           const int *contact, double period)
{
    const carom_shooting_problem problem = {.model = model,
                                            .parameter = &width,
                                            .kind = kind,
                                            .impacts = impacts,
                                            .contact = contact,
                                            .period = period,
                                            .frequency = -1};
    carom_shooting *shooting = NULL;
    carom_error error = {0};
    expect_ok(carom_shooting_create(&problem, &shooting, &error), &error);
    return shooting;
}

/* Flights of a harmonic oscillator, and the order of the extrapolation. */
static void flights_are_exact(void **state)
{
    (void)state;
    carom_model *model = two_walls();
    carom_shooting *shooting = aim(model, CAROM_SHOOT_SYMMETRIC, 1, right, 5.0);
    double x[2] = {0.3, -0.7};
    assert_true(shooting_fly(&shooting->flow, 0.0, 5.0, 20, x));
    assert_near(x[0], 0.3 * cos(5.0) - 0.7 * sin(5.0), 1e-13);
    assert_near(x[1], -0.7 * cos(5.0) - 0.3 * sin(5.0), 1e-13);
    double error[2];
    for (int i = 0; i < 2; i++) {
        double y[2] = {1.0, 0.0};
        assert_true(shooting_fly(&shooting->flow, 0.0, 12.0, i == 0 ? 6 : 12, y));
        error[i] = fabs(y[0] - cos(12.0));
        assert_true(error[i] <= 2.0 * shooting->flow.truncation);
    }
    assert_true(error[0] > 1e-10 && error[0] / error[1] > 500.0);
    double strike[2] = {1.0, 0.4}, rate = 0.0;
    assert_near(shooting_gap(&shooting->flow, 0, 0.0, strike, &rate), 0.0, 1e-15);
    assert_near(rate, -0.4, 1e-15);
    assert_true(shooting_strike(&shooting->flow, 0, 0.0, strike));
    assert_near(strike[1], -0.4, 1e-15);
    carom_shooting_free(shooting);
    carom_model_free(model);
}

static void closed_form(void **state)
{
    (void)state;
    carom_model *model = two_walls();
    carom_error error = {0};
    for (int kind = CAROM_SHOOT_CONSERVATIVE; kind <= CAROM_SHOOT_SYMMETRIC; kind++) {
        const double T = 5.0;
        carom_shooting *shooting = aim(model, (carom_shooting_kind)kind, 1, right, T);
        double q = 0.9, v = -0.6, flight = T;
        carom_shot shot = {.q = &q, .v = &v, .flight = &flight};
        expect_ok(carom_shooting_solve(shooting, &shot, &error), &error);
        assert_near(q, 1.0, 1e-11);
        assert_near(v, tan(T / 2.0), 1e-10);
        assert_near(shot.energy, 0.5 / (cos(T / 2.0) * cos(T / 2.0)), 1e-10);
        assert_near(shot.approach, -tan(T / 2.0), 1e-10);
        /* u(T/2) = 1 / cos(T/2) lies behind the other wall */
        assert_false(shot.admissible);
        assert_int_equal(shot.gap_contact, 1);
        assert_near(shot.gap, width + 1.0 / cos(T / 2.0), 1e-10);
        assert_near(shot.gap_time, T / 2.0, 1e-6);
        double matrix[4];
        expect_ok(carom_shooting_monodromy(shooting, &shot, matrix, &error), &error);
        assert_near(matrix[0] * matrix[3] - matrix[1] * matrix[2], 1.0, 1e-8);
        assert_near(matrix[0] + matrix[3], 2.0, 1e-7); /* 1 twice */
        carom_shooting_free(shooting);
    }
    carom_model_free(model);
}

/* Impacts at both walls: flights of equal length between them, of energy E with
 * T/2 = pi - acos(1/A) - acos(width/A) twice over, A^2 = 2 E. */
static void both_walls(void **state)
{
    (void)state;
    carom_model *model = two_walls();
    carom_error error = {0};
    const double A = 1.5, speed = sqrt(A * A - 1.0);
    const double half = acos(-1.0) - acos(1.0 / A) - acos(width / A);
    carom_shooting *shooting = aim(model, CAROM_SHOOT_CONSERVATIVE, 2, both, 2.0 * half);
    double q = 1.02, v = -speed * 1.03, flight[2] = {half * 0.97, half * 1.03};
    carom_shot shot = {.q = &q, .v = &v, .flight = flight};
    expect_ok(carom_shooting_solve(shooting, &shot, &error), &error);
    assert_near(q, 1.0, 1e-10);
    assert_near(v, -speed, 1e-9);
    assert_near(flight[0], half, 1e-9);
    assert_true(shot.admissible);
    /* over the position of the second wall at fixed T: further away only a larger energy keeps the time */
    carom_branch_options options = carom_branch_defaults();
    options.parameter_min = 0.5;
    options.parameter_max = 1.3;
    options.arclength.step = 0.05;
    carom_branch branch;
    expect_ok(carom_shooting_follow(shooting, 0, &shot, &options, &branch, &error), &error);
    assert_int_equal(branch.end, CAROM_END_OF_RANGE);
    for (int i = 0; i < branch.count; i++) {
        const double a = sqrt(2.0 * branch.point[i].energy), d = branch.point[i].parameter;
        assert_near(acos(-1.0) - acos(1.0 / a) - acos(d / a), half, 1e-8);
    }
    carom_branch_free(&branch);
    carom_shooting_free(shooting);
    carom_model_free(model);
}

/* Down from T = 6 the motion grows until it touches the other wall: 1 / cos(T/2) = -1.1. */
static void another_contact_ends_a_branch(void **state)
{
    (void)state;
    carom_model *model = two_walls();
    carom_shooting *shooting = aim(model, CAROM_SHOOT_CONSERVATIVE, 1, right, 6.0);
    double q = 1.0, v = tan(3.0), flight = 6.0;
    carom_shot shot = {.q = &q, .v = &v, .flight = &flight};
    carom_branch_options options = carom_branch_defaults();
    options.arclength.direction = -1.0;
    options.arclength.step = 0.05;
    carom_branch branch;
    carom_error error = {0};
    expect_ok(carom_shooting_follow(shooting, CAROM_SHOOT_PERIOD, &shot, &options, &branch, &error), &error);
    assert_string_equal(carom_branch_end_word(branch.end), "junction");
    assert_near(shot.period, 2.0 * acos(-1.0 / 1.1), 1e-6);
    carom_branch_free(&branch);
    carom_shooting_free(shooting);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_are_exact),
        cmocka_unit_test(closed_form),
        cmocka_unit_test(both_walls),
        cmocka_unit_test(another_contact_ends_a_branch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
