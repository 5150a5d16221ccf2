/* Periodic motions with whatever happens in them, against closed solutions: a driven block with dry friction that stops twice
 * per period, and an oscillator that lies on its wall, after one impact or after infinitely many. */
#include <string.h>

#include "test/base/sanitized.h"
#include "test/periodic/shooting/impact_oscillator.h"

enum {
    BLOCK_W,
    BLOCK_MU
};

/* A block of weight 1 on the floor, on a spring, driven: x'' + x = cos(w t) - friction. */
static carom_model *block(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_parameter(b, "w", 0.4);
    carom_build_parameter(b, "mu", 0.5);
    carom_build_kinetic(b, carom_build_formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, carom_build_formula(b, "x^2/2 + y"));
    carom_build_force(b, x, carom_build_formula(b, "cos(w*t)"));
    const int floor = carom_build_contact(b, "floor", carom_build_formula(b, "y"));
    carom_build_slip(b, floor, carom_build_formula(b, "dot(x)"));
    carom_build_friction(b, floor, carom_build_formula(b, "mu"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    assert_non_null(model);
    return model;
}

/* The block slips from -X, where cos(w t) + X = mu, to where it stops:
 *
 *   x = -mu + A cos(w t) + C cos(t - t0) + D sin(t - t0),   A = 1 / (1 - w^2). */
typedef struct slip {
    double w, mu, t0, A, C, D;
} slip;

static slip slip_from(double w, double mu, double X)
{
    slip s = {.w = w, .mu = mu, .t0 = -acos(mu - X) / w, .A = 1.0 / (1.0 - w * w)};
    s.C = -X + mu - s.A * cos(w * s.t0);
    s.D = s.A * w * sin(w * s.t0);
    return s;
}

static double position(const slip *s, double t)
{
    return -s->mu + s->A * cos(s->w * t) + s->C * cos(t - s->t0) + s->D * sin(t - s->t0);
}

static double velocity(const slip *s, double t)
{
    return -s->A * s->w * sin(s->w * t) - s->C * sin(t - s->t0) + s->D * cos(t - s->t0);
}

static double stop_of(const slip *s)
{
    double low = s->t0 + 0.05, high;
    while (velocity(s, low + 0.01) > 0.0)
        low += 0.01;
    high = low + 0.01;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        *(velocity(s, middle) > 0.0 ? &low : &high) = middle;
    }
    return low;
}

/* How long it slips at a time, in the motion that is symmetric: it stops at X. */
static double slip_duration(double w, double mu, double *X)
{
    double low = 0.2, high = 1.6;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (low + high);
        const slip a = slip_from(w, mu, low), s = slip_from(w, mu, middle);
        const bool same = (position(&a, stop_of(&a)) - low) * (position(&s, stop_of(&s)) - middle) > 0.0;
        *(same ? &low : &high) = middle;
    }
    const slip s = slip_from(w, mu, low);
    *X = low;
    return stop_of(&s) - s.t0;
}

static carom_periodic_model *prepare(const carom_model *model, const double *parameter, const double *q0)
{
    const double zero[2] = {0.0, 0.0};
    carom_periodic_model *periodic = NULL;
    carom_error error = {0};
    expect_done(carom_periodic_model_create("model", model, parameter, 0.0, q0, zero, &periodic, &error),
                &error);
    return periodic;
}

static carom_found_orbit find(const carom_periodic_model *periodic)
{
    carom_found_orbit found = {0};
    carom_error error = {0};
    const carom_find_request request = {.impacts = {.any = true}};
    expect_done(carom_find_orbit(periodic, &request, &found, &error), &error);
    assert_true(found.is_motion);
    return found;
}

/* Durations from each `from` of the contact to the next `to`. */
static void expect_durations(const carom_found_orbit *found, carom_event_kind from, carom_event_kind to,
                             int count, double expected, double tolerance)
{
    int seen = 0;
    for (int i = 0; i < found->events; i++)
        for (int k = 1; found->event[i].kind == from && k <= found->events; k++) {
            const carom_map_event *next = &found->event[(i + k) % found->events];
            if (next->kind != to)
                continue;
            const double wraps = i + k >= found->events ? found->period : 0.0;
            assert_near(next->t + wraps - found->event[i].t, expected, tolerance);
            seen++;
            break;
        }
    assert_int_equal(seen, count);
}

static void a_block_stops_twice_per_period(void **state)
{
    (void)state;
    static const double value[][2] = {{0.4, 0.5}, {0.5, 0.4}};
    carom_model *model = block();
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        const double w = value[i][0], q0[2] = {0.5, 0.0};
        double X;
        const double slips = slip_duration(w, value[i][1], &X);
        carom_periodic_model *periodic = prepare(model, value[i], q0);
        carom_found_orbit found = find(periodic);
        assert_near(found.period, 2.0 * CAROM_PI / w, 1e-12);
        expect_durations(&found, CAROM_EVENT_SLIP, CAROM_EVENT_STICK, 2, slips, 1e-8);
        expect_durations(&found, CAROM_EVENT_STICK, CAROM_EVENT_SLIP, 2, CAROM_PI / w - slips, 1e-8);
        double most = 0.0;
        for (int r = 0; r < found.rows; r++)
            most = fmax(most, fabs(found.row[(size_t)r * 5 + 1]));
        assert_near(most, X, 1e-9);
        assert_true(found.stable);
        carom_found_orbit_free(&found);
        carom_periodic_model_free(periodic);
    }
    carom_model_free(model);
}

/* Where the mass lies on the wall x = 0 it leaves when cos(w t) becomes positive: w t = 3/2 pi. All motions are the same
 * after that, so that the multipliers are 0. */
static void an_oscillator_lies_on_its_wall(void **state)
{
    (void)state;
    static const double value[][2] = {{1.8, 0.0}, {0.3, 0.8}}; /* w, e */
    carom_model *model = impact_oscillator();
    for (size_t i = 0; i < sizeof value / sizeof *value; i++) {
        const double w = value[i][0], parameter[4] = {w, value[i][1], 0.05, 0.0}, q0 = 0.5;
        carom_periodic_model *periodic = prepare(model, parameter, &q0);
        carom_found_orbit found = find(periodic);
        int released = 0;
        for (int k = 0; k < found.events; k++)
            if (found.event[k].kind == CAROM_EVENT_RELEASE) {
                const double turns = found.event[k].t / found.period;
                assert_near(turns - floor(turns), 0.75, 1e-9);
                released++;
            }
        assert_int_equal(released, 1);
        assert_true(found.impacts == 1 || value[i][1] > 0.0);
        assert_true(found.impacts > 20 || value[i][1] == 0.0);
        assert_true(found.largest < 1e-5);
        carom_found_orbit_free(&found);
        carom_periodic_model_free(periodic);
    }
    carom_model_free(model);
}

/* What branches off at a flip has two impacts in two periods of the force; the product of its multipliers is
 * e^4 exp(-c T). */
static void expect_twice_the_period(const carom_periodic_model *periodic, const carom_found_orbit *found,
                                    const carom_branch *from, int flip, const carom_continue_request *request)
{
    carom_branch branch = {0};
    carom_error error = {0};
    expect_done(carom_continue_switch(periodic, found, from, 1, flip, request, &branch, &error), &error);
    assert_int_equal(branch.end, CAROM_END_OF_RANGE);
    assert_true(branch.count > 3);
    for (int i = 1; i < branch.count; i++) {
        const carom_branch_point *point = &branch.point[i];
        /* (m - 1)(n - 1) and (m + 1)(n + 1) */
        const double product = 0.5 * (point->fold_test + point->flip_test) - 1.0;
        assert_near(point->period, 4.0 * CAROM_PI / point->parameter, 1e-10);
        assert_near(product, pow(0.8, 4.0) * exp(-0.05 * point->period), 1e-9);
        assert_int_equal(point->impacts, 2);
        assert_true(point->multiplier < 1.0);
    }
    carom_branch_free(&branch);
}

/* Without such phases the map finds what shooting finds, and a flip on the way. */
static void the_map_agrees_with_shooting(void **state)
{
    (void)state;
    const double parameter[4] = {2.6, 0.8, 0.05, 0.0}, q0 = 0.5;
    carom_model *model = impact_oscillator();
    carom_periodic_model *periodic = prepare(model, parameter, &q0);
    carom_found_orbit found = find(periodic);
    assert_int_equal(found.impacts, 1);
    const double when = (found.t0 + found.time[0]) / found.period;
    assert_near((when - floor(when)) * found.period, 2.3551704385, 1e-8);
    assert_near(0.8 * found.approach[0], 0.4028217660, 1e-8);
    assert_near(found.real[0], -0.5395246, 1e-6);
    assert_near(found.imaginary[0], 0.52542466, 1e-8);
    /* exact derivatives: the product of the multipliers is e^2 exp(-c T) */
    assert_near(found.real[0] * found.real[1] - found.imaginary[0] * found.imaginary[1],
                0.64 * exp(-0.05 * found.period), 1e-12);
    carom_branch branch = {0};
    carom_error error = {0};
    const carom_continue_request request = {.parameter = PAR_W, .from = 2.6, .to = 2.7};
    expect_done(carom_continue_orbit(periodic, &found, &request, &branch, &error), &error);
    int flip = -1;
    for (int i = 0; i < branch.count; i++)
        if (branch.point[i].special == CAROM_SPECIAL_FLIP)
            flip = i;
    assert_true(flip >= 0);
    assert_near(branch.point[flip].parameter, 2.65617730, 1e-8);
    expect_twice_the_period(periodic, &found, &branch, flip, &request);
    carom_branch_free(&branch);
    carom_found_orbit_free(&found);
    carom_periodic_model_free(periodic);
    carom_model_free(model);
}

/* Over the friction: the largest position is where it stops. */
static void stops_over_the_friction(void **state)
{
    (void)state;
    const double parameter[2] = {0.4, 0.5}, q0[2] = {0.5, 0.0};
    carom_model *model = block();
    carom_periodic_model *periodic = prepare(model, parameter, q0);
    carom_found_orbit found = find(periodic);
    carom_branch branch = {0};
    carom_error error = {0};
    const carom_continue_request request = {.parameter = BLOCK_MU, .from = 0.5, .to = SANITIZED ? 0.52 : 0.7};
    expect_done(carom_continue_orbit(periodic, &found, &request, &branch, &error), &error);
    assert_int_equal(branch.end, CAROM_END_OF_RANGE);
    for (int i = 0; i < branch.count; i++) {
        double X;
        slip_duration(0.4, branch.point[i].parameter, &X);
        assert_near(branch.point[i].reach, X, 1e-7);
    }
    carom_branch_free(&branch);
    carom_found_orbit_free(&found);
    carom_periodic_model_free(periodic);
    carom_model_free(model);
}

static carom_model *van_der_pol(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "mu", 1.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_potential(b, carom_build_formula(b, "x^2/2"));
    carom_build_force(b, x, carom_build_formula(b, "mu*(1 - x^2)*dot(x)"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    assert_non_null(model);
    return model;
}

/* Nothing drives it, and nothing strikes: periods of van der Pol's oscillator as they are published; the multiplier is that of
 * the trace, exp of the integral of mu (1 - x^2) over the period. */
static void a_limit_cycle_without_impacts(void **state)
{
    (void)state;
    static const double known[][2] = {{1.0, 6.66328686}, {2.0, 7.62987448}, {0.5, 6.38067}};
    carom_model *model = van_der_pol();
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const double q0 = 2.0, guess[] = {5.0, 9.0, 6.3};
        carom_periodic_model *periodic = prepare(model, known[i], &q0);
        carom_found_orbit found = {0};
        carom_error error = {0};
        const carom_find_request request = {.period = guess[i]};
        expect_done(carom_find_orbit(periodic, &request, &found, &error), &error);
        assert_near(found.period, known[i][1], i < 2 ? 1e-8 : 1e-5);
        assert_true(found.stable && found.impacts == 0);
        double integral = 0.0;
        for (int r = 0; r + 1 < found.rows; r++) { /* of a periodic function: converges fast */
            const double *row = found.row + (ptrdiff_t)r * 3;
            integral += known[i][0] * (1.0 - row[1] * row[1]) * (row[3] - row[0]);
        }
        assert_near(found.largest, exp(integral), 1e-12);
        const int shift = fabs(found.real[0] - 1.0) < fabs(found.real[1] - 1.0) ? 0 : 1;
        assert_near(found.real[shift], 1.0, 1e-8);
        carom_found_orbit_free(&found);
        carom_periodic_model_free(periodic);
    }
    carom_model_free(model);
}

/* One coordinate more than there is room for. */
static void many_coordinates_are_refused(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_node energy = carom_build_formula(b, "0");
    for (int i = 0; i < 65; i++) {
        char name[20], text[40];
        carom_format(name, sizeof name, "x%d", i);
        carom_build_coordinate(b, name);
        carom_format(text, sizeof text, "dot(%s)^2/2", name);
        energy = carom_binary(carom_builder_graph(b), CAROM_OP_ADD, energy, carom_build_formula(b, text));
    }
    carom_build_kinetic(b, energy);
    carom_model *model = NULL;
    carom_error error = {0};
    expect_done(carom_build_model(b, &model, &error), &error);
    carom_builder_free(b);
    carom_period_map *map = NULL;
    const carom_map_problem problem = {.model = model, .driven = true, .period = 1.0};
    assert_int_equal(carom_period_map_create(&problem, &map, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "at most 64 coordinates (the model has 65)"));
    assert_null(map);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_block_stops_twice_per_period), cmocka_unit_test(an_oscillator_lies_on_its_wall),
        cmocka_unit_test(the_map_agrees_with_shooting),   cmocka_unit_test(stops_over_the_friction),
        cmocka_unit_test(a_limit_cycle_without_impacts),  cmocka_unit_test(many_coordinates_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
