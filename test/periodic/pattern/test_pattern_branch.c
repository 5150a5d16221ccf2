/* Branches of orbits: ends, poles and changes of pattern of the long-wave branches (8.4), of breathers in the
 * coupling and the period (8.3, 8.7), and of neighbours in turns (closed form). */
#include "ring_orbits.h"

static const double coupling_one = 1.0;

static double long_period(void)
{
    return ring_mode_period(30, coupling_one, 1);
}

/* I_2 = {15 - j .. 15 + j} and I_1 opposite. */
static void put_long_wave(carom_phase *pattern, int j)
{
    int place[15];
    for (int d = -j; d <= j; d++)
        place[d + j] = 15 + d;
    put_opposite(pattern, 2 * j + 1, place);
}

static carom_orbit_branch follow(const carom_orbit_branch_request *request)
{
    carom_orbit_branch branch;
    carom_error error;
    assert_int_equal(carom_orbit_branch_follow(request, &branch, &error), CAROM_OK);
    return branch;
}

/* From alpha T_1 to where the branch ends. */
static void ends_at(const carom_linear_oscillator *ring, const carom_phase *pattern, double from, double to,
                    double step, carom_orbit_branch_end end, double expected, double tolerance)
{
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_PERIOD;
    request.from = from * long_period();
    request.to = to * long_period();
    request.step = step * long_period();
    carom_orbit_branch branch = follow(&request);
    assert_int_equal(branch.stretch_count, 1);
    assert_int_equal(branch.stretch[0].end, end);
    assert_near(branch.stretch[0].end_value / long_period(), expected, tolerance);
    for (int i = 1; i < branch.point_count; i++)
        assert_true((branch.point[i].value > branch.point[i - 1].value) == (to > from));
    carom_orbit_branch_free(&branch);
}

/* 8.4, branch 1: bisected to 1e-7 there. Steps of 0.02 T_1 are wider than the gap of j = 6 at 0.689, in which
 * a pole and a second zero of the determinant leave its sign as it was. */
static void long_wave_branch(void **state)
{
    (void)state;
    const struct {
        int j;
        double from, to;
        carom_orbit_branch_end end;
        double expected;
    } row[] = {
        {2, 0.985, 0.90, CAROM_ORBIT_BRANCH_TOUCH, 0.9771415},
        {2, 0.985, 1.0, CAROM_ORBIT_BRANCH_GRAZE, 0.9905650},
        {3, 0.97, 0.90, CAROM_ORBIT_BRANCH_TOUCH, 0.9618188},
        {3, 0.97, 1.0, CAROM_ORBIT_BRANCH_GRAZE, 0.9771415},
        {4, 0.94, 0.80, CAROM_ORBIT_BRANCH_TOUCH, 0.9207238},
        {4, 0.94, 1.0, CAROM_ORBIT_BRANCH_GRAZE, 0.9618188},
        {5, 0.90, 0.50, CAROM_ORBIT_BRANCH_TOUCH, 0.8369491},
        {5, 0.90, 1.0, CAROM_ORBIT_BRANCH_GRAZE, 0.9207238},
        {5, 0.80, 0.50, CAROM_ORBIT_BRANCH_TOUCH, 0.7641369},
        {5, 0.80, 0.9, CAROM_ORBIT_BRANCH_GRAZE, 0.8251500},
        {6, 0.74, 0.50, CAROM_ORBIT_BRANCH_GRAZE, 0.7239444},
        {6, 0.74, 0.9, CAROM_ORBIT_BRANCH_GRAZE, 0.7641369},
        {6, 0.70, 0.50, CAROM_ORBIT_BRANCH_GRAZE, 0.6898397},
        {6, 0.70, 0.9, CAROM_ORBIT_BRANCH_GRAZE, 0.7157608},
        {6, 0.65, 0.50, CAROM_ORBIT_BRANCH_TOUCH, 0.5798352},
        {6, 0.65, 0.9, CAROM_ORBIT_BRANCH_GRAZE, 0.6883168},
        {7, 0.55, 0.30, CAROM_ORBIT_BRANCH_DIVERGE, 0.503598785},
        {7, 0.55, 0.9, CAROM_ORBIT_BRANCH_GRAZE, 0.5798352},
    };
    carom_linear_oscillator *ring = make_ring(30, coupling_one);
    for (int i = 0; i < 18; i++) {
        carom_phase pattern[30];
        put_long_wave(pattern, row[i].j);
        const bool pole = row[i].end == CAROM_ORBIT_BRANCH_DIVERGE;
        ends_at(ring, pattern, row[i].from, row[i].to, 0.02, row[i].end, row[i].expected, pole ? 1e-9 : 1e-7);
    }
    carom_linear_oscillator_free(ring);
}

static int impacting(const carom_orbit_branch *branch, int stretch)
{
    int count = 0;
    for (int c = 0; c < branch->contacts; c++)
        count += branch->stretch[stretch].pattern[c] != CAROM_PHASE_NEVER;
    return count;
}

/* 8.4, branch 2: the first pattern finds the five others by itself. */
static void patterns_grow_along_the_second_branch(void **state)
{
    (void)state;
    const int first[] = {15}, last[] = {9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 21};
    const double end[] = {0.9907204, 0.9825921, 0.9649138, 0.8491270, 0.8358624, 0.8090208};
    const int count[] = {2, 6, 10, 14, 18, 22};
    carom_phase pattern[30];
    put_opposite(pattern, 1, first);
    carom_linear_oscillator *ring = make_ring(30, coupling_one);
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_PERIOD;
    request.from = 0.995 * long_period();
    request.to = 0.7 * long_period();
    request.step = 0.004 * long_period();
    request.switches = 5;
    carom_orbit_branch branch = follow(&request);
    assert_int_equal(branch.stretch_count, 6);
    for (int k = 0; k < 6; k++) {
        assert_int_equal(branch.stretch[k].end, CAROM_ORBIT_BRANCH_TOUCH);
        assert_int_equal(impacting(&branch, k), count[k]);
        assert_near(branch.stretch[k].end_value / long_period(), end[k], 1e-7);
    }
    put_opposite(pattern, 11, last);
    assert_memory_equal(pattern, branch.stretch[5].pattern, sizeof pattern);
    carom_orbit_branch_free(&branch);
    /* upwards from the middle of its first pattern it ends in the linear mode */
    put_opposite(pattern, 1, first);
    ends_at(ring, pattern, 0.995, 1.1, 0.004, CAROM_ORBIT_BRANCH_GRAZE, 1.0, 1e-7);
    carom_linear_oscillator_free(ring);
}

/* 8.3 and 8.7: the site breather in the period, ends at the blow-up and at 2 pi / Omega. */
static void site_breather_in_the_period(void **state)
{
    (void)state;
    const carom_phase pattern[30] = {[15] = CAROM_PHASE_START};
    const double row[][2] = {{0.05, 3.0000517853}, {0.15, 2.7836217985}, {1.0, 2.0107070243}};
    for (int i = 0; i < 3; i++) {
        carom_linear_oscillator *ring = make_ring(30, row[i][0]);
        const double start = row[i][1] + 0.1, scale = long_period();
        ends_at(ring, pattern, start / scale, 0.2, 0.01, CAROM_ORBIT_BRANCH_DIVERGE, row[i][1] / scale,
                1e-10);
        ends_at(ring, pattern, start / scale, 1.2, 0.01, CAROM_ORBIT_BRANCH_GRAZE,
                2.0 * PI / sqrt(1.0 + 4.0 * row[i][0]) / scale, 1e-8);
        carom_linear_oscillator_free(ring);
    }
}

static carom_orbit_branch_request in_coupling(const carom_linear_oscillator *ring, const carom_phase *pattern)
{
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    request.oscillator = ring;
    request.pattern = pattern;
    request.parameter = CAROM_ORBIT_BRANCH_COUPLING;
    request.period = three_halves;
    request.to = 0.3;
    request.step = 0.01;
    return request;
}

/* In the coupling the site breather ends in the out-of-phase mode; the range may end before. */
static void site_breather_in_the_coupling(void **state)
{
    (void)state;
    const carom_phase pattern[40] = {[20] = CAROM_PHASE_START};
    carom_linear_oscillator *ring = make_ring(40, 0.0);
    carom_orbit_branch_request request = in_coupling(ring, pattern);
    carom_orbit_branch branch = follow(&request);
    assert_int_equal(branch.stretch[0].end, CAROM_ORBIT_BRANCH_GRAZE);
    assert_int_equal(branch.stretch[0].contact, 20);
    assert_near(branch.stretch[0].end_value, 7.0 / 36.0, 1e-8);
    assert_near(branch.point[0].speed, 1.0, 1e-12);
    assert_true(isnan(branch.point[0].largest));
    carom_orbit_branch_free(&branch);
    request.to = fifteenths(14);
    request.multipliers = true;
    branch = follow(&request);
    const carom_orbit_branch_point *last = &branch.point[branch.point_count - 1];
    assert_int_equal(branch.stretch[0].end, CAROM_ORBIT_BRANCH_LIMIT);
    assert_true(last->value == request.to);
    assert_near(last->largest, 5.715092, 1e-4); /* of p = 100; that of 40 differs by 1e-5 */
    assert_int_equal(last->off_circle, 2);
    carom_orbit_branch_free(&branch);
    request.points_max = 4;
    branch = follow(&request);
    assert_int_equal(branch.point_count, 4);
    assert_int_equal(branch.stretch[0].end, CAROM_ORBIT_BRANCH_POINTS);
    carom_orbit_branch_free(&branch);
    carom_linear_oscillator_free(ring);
}

/* Neighbours in turns: T0 and 2 pi / Omega below, 4 pi / Omega and min(4 pi, 6 pi / Omega) in the second
 * window, on both sides of the coupling 5/16. At T0 the velocity (10) is infinite, at 4 pi / Omega particles
 * come back to the wall, at the others it vanishes. */
static void neighbours_in_turns(void **state)
{
    (void)state;
    carom_phase pattern[4];
    put_in_turns(pattern, 4);
    const double coupling[] = {0.2, 0.4}, scale = long_period();
    for (int i = 0; i < 2; i++) {
        const double omega = sqrt(1.0 + 4.0 * coupling[i]), pole = ring_alternating_pole(coupling[i]);
        const double second = 4.0 * PI / omega, last = fmin(4.0 * PI, 6.0 * PI / omega);
        carom_linear_oscillator *ring = make_ring(4, coupling[i]);
        ends_at(ring, pattern, 3.5 / scale, 0.1, 0.02, CAROM_ORBIT_BRANCH_DIVERGE, pole / scale, 1e-10);
        ends_at(ring, pattern, 3.5 / scale, 2.0, 0.02, CAROM_ORBIT_BRANCH_GRAZE, 2.0 * PI / omega / scale,
                1e-8);
        ends_at(ring, pattern, (second + 0.5) / scale, 0.1, 0.02, CAROM_ORBIT_BRANCH_PENETRATE,
                second / scale, 1e-8);
        ends_at(ring, pattern, (second + 0.5) / scale, 4.0, 0.02, CAROM_ORBIT_BRANCH_GRAZE, last / scale,
                1e-8);
        carom_linear_oscillator_free(ring);
    }
}

/* A chain with a mass matrix: 7.2 of the source on nonsmooth modes, n = 2. */
static void chain_in_the_period(void **state)
{
    (void)state;
    const carom_phase pattern = CAROM_PHASE_START;
    const double scale = long_period();
    carom_linear_oscillator *chain = make_chain(2);
    ends_at(chain, &pattern, 3.0 / scale, 0.1, 0.01, CAROM_ORBIT_BRANCH_DIVERGE, 2.6487479 / scale, 1e-8);
    ends_at(chain, &pattern, 3.0 / scale, 1.0, 0.01, CAROM_ORBIT_BRANCH_GRAZE, 3.8832221 / scale, 1e-8);
    ends_at(chain, &pattern, 4.5 / scale, 0.1, 0.01, CAROM_ORBIT_BRANCH_PENETRATE, 3.9952583 / scale, 1e-8);
    ends_at(chain, &pattern, 4.5 / scale, 1.0, 0.01, CAROM_ORBIT_BRANCH_GRAZE, 5.0832037 / scale, 1e-8);
    carom_linear_oscillator_free(chain);
}

static void bits_do_not_depend_on_threads(void **state)
{
    (void)state;
    carom_phase pattern[20] = {[10] = CAROM_PHASE_START, [11] = CAROM_PHASE_HALF};
    carom_linear_oscillator *ring = make_ring(20, 0.0);
    carom_orbit_branch_request request = in_coupling(ring, pattern);
    request.multipliers = true;
    request.threads = 1;
    carom_orbit_branch one = follow(&request);
    request.threads = 3;
    carom_orbit_branch three = follow(&request);
    assert_int_equal(one.point_count, three.point_count);
    for (int i = 0; i < one.point_count; i++)
        assert_memory_equal(&one.point[i].largest, &three.point[i].largest, sizeof(double));
    carom_orbit_branch_free(&one);
    carom_orbit_branch_free(&three);
    carom_linear_oscillator_free(ring);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)context, (void)done, (void)total;
    return false;
}

static void fails(const carom_orbit_branch_request *request, carom_status status, const char *says)
{
    carom_orbit_branch branch;
    carom_error error;
    assert_int_equal(carom_orbit_branch_follow(request, &branch, &error), status);
    assert_non_null(strstr(error.text, says));
    carom_orbit_branch_free(&branch);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    const carom_phase pattern[20] = {[10] = CAROM_PHASE_START};
    carom_linear_oscillator *ring = make_ring(20, 0.0), *chain = make_chain(2);
    const carom_orbit_branch_request good = in_coupling(ring, pattern);
    carom_orbit_branch_request request = good;
    request.from = 0.25;
    fails(&request, CAROM_BAD_INPUT, "cannot start at 0.25: NOT a motion");
    request = good;
    request.to = -0.3;
    fails(&request, CAROM_BAD_INPUT, "not positive definite");
    request = good;
    request.to = request.from;
    fails(&request, CAROM_BAD_INPUT, "two different numbers");
    request = good;
    request.oscillator = chain;
    fails(&request, CAROM_BAD_INPUT, "only a ring");
    request = good;
    request.period = -1.0;
    fails(&request, CAROM_BAD_INPUT, "positive number");
    request = good;
    request.step = NAN;
    fails(&request, CAROM_BAD_INPUT, "not negative");
    request = good;
    request.multipliers = true;
    request.threads = -2;
    fails(&request, CAROM_BAD_INPUT, "threads");
    request = good;
    request.parameter = CAROM_ORBIT_BRANCH_PERIOD;
    request.from = 4.0;
    request.to = 0.0;
    fails(&request, CAROM_BAD_INPUT, "must be positive");
    request = good;
    request.progress.report = stop_at_once;
    fails(&request, CAROM_INTERRUPTED, "interrupted");
    carom_linear_oscillator_free(ring);
    carom_linear_oscillator_free(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(long_wave_branch),
        cmocka_unit_test(patterns_grow_along_the_second_branch),
        cmocka_unit_test(site_breather_in_the_period),
        cmocka_unit_test(site_breather_in_the_coupling),
        cmocka_unit_test(neighbours_in_turns),
        cmocka_unit_test(chain_in_the_period),
        cmocka_unit_test(bits_do_not_depend_on_threads),
        cmocka_unit_test(bad_requests_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
