/* Derivatives of flights, impacts and of the equations of shooting, against differences and closed forms. */
#include "impact_oscillator.h"

#include <stdlib.h>
#include <string.h>

#include "periodic/shooting/shooting.h"

/* A pendulum that hangs from a cart, driven, against an obstacle that is curved and moves: nothing is constant. Without
 * what drives it the energy is conserved. */
static carom_model *cart(bool driven)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "a");
    carom_build_parameter(b, "w", 2.0);
    carom_build_parameter(b, "e", 0.7);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2 + dot(x)*dot(a)*cos(a) + dot(a)^2/2"));
    carom_build_potential(b, carom_build_formula(b, "w*x^2/4 - cos(a)"));
    if (driven)
        carom_build_force(b, x, carom_build_formula(b, "cos(w*t)*(1 + x/4) - dot(x)^3/5"));
    const int wall = carom_build_contact(
        b, "wall",
        carom_build_formula(b, driven ? "1 + w*sin(w*t)/10 - x - sin(a)" : "1 + w/10 - x - sin(a)"));
    carom_build_restitution(b, wall, carom_build_formula(b, driven ? "e + x/10" : "1"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    assert_non_null(model);
    return model;
}

static const int walls[3] = {0, 0, 0};

static carom_shooting *aim(const carom_model *model, const double *parameter, carom_shooting_kind kind,
                           int impacts, double period)
{
    return aim_at(model, parameter, kind, impacts, walls, period);
}

static void flights_and_impacts(void **state)
{
    (void)state;
    const double parameter[2] = {2.0, 0.7}, t = 0.3, duration = 1.1, start[4] = {0.4, -0.3, 0.8, 0.5};
    carom_model *model = cart(true);
    carom_shooting *shooting = aim(model, parameter, CAROM_SHOOT_FORCED, 1, 1.0);
    shooting_flow *flow = &shooting->flow;
    double by_state[16], by_time[4], end[4], strike[16], strike_time[4];
    memcpy(end, start, sizeof end);
    const shooting_tangent tangent = {
        .by_state = by_state, .sources = 1, .source = {SOURCE_TIME}, .by_source = {by_time}};
    assert_true(shooting_fly_tangents(flow, t, duration, 16, end, &tangent));
    assert_true(shooting_strike_tangents(flow, 0, t, start, strike, strike_time));
    for (int k = -1; k < 4; k++) {
        const double h = 1e-5;
        double value[2][4], struck[2][4];
        for (int side = 0; side < 2; side++) {
            const double sign = side ? 1.0 : -1.0;
            memcpy(value[side], start, sizeof start);
            memcpy(struck[side], start, sizeof start);
            if (k >= 0) {
                value[side][k] += sign * h;
                struck[side][k] += sign * h;
            }
            const double when = k < 0 ? t + sign * h : t;
            assert_true(shooting_fly(flow, when, duration, 16, value[side]));
            assert_true(shooting_strike(flow, 0, when, struck[side]));
        }
        for (int i = 0; i < 4; i++) {
            assert_near(k < 0 ? by_time[i] : by_state[4 * i + k], (value[1][i] - value[0][i]) / (2.0 * h),
                        1e-8);
            assert_near(k < 0 ? strike_time[i] : strike[4 * i + k], (struck[1][i] - struck[0][i]) / (2.0 * h),
                        1e-8);
        }
    }
    carom_shooting_free(shooting);
    carom_model_free(model);
}

/* The matrix of Newton's method against differences of the residual, for every kind of equations. */
static void equations(void **state)
{
    (void)state;
    static const struct {
        carom_shooting_kind kind;
        int impacts, free;
    } kinds[] = {
        {CAROM_SHOOT_FORCED, 1, 0},       {CAROM_SHOOT_FORCED, 3, 0},
        {CAROM_SHOOT_FORCED, 2, 1},       {CAROM_SHOOT_FORCED, 0, 0},
        {CAROM_SHOOT_FORCED, 0, 1},       {CAROM_SHOOT_AUTONOMOUS, 2, 0},
        {CAROM_SHOOT_CONSERVATIVE, 2, 0}, {CAROM_SHOOT_CONSERVATIVE, 1, CAROM_SHOOT_PERIOD},
        {CAROM_SHOOT_SYMMETRIC, 1, 0},    {CAROM_SHOOT_SYMMETRIC, 1, CAROM_SHOOT_PERIOD},
    };
    const double parameter[2] = {2.0, 0.7};
    carom_model *driven = cart(true), *conserving = cart(false);
    for (size_t c = 0; c < sizeof kinds / sizeof *kinds; c++) {
        const double period = CAROM_PI;
        const carom_model *model = kinds[c].kind == CAROM_SHOOT_FORCED ? driven : conserving;
        carom_shooting *shooting = aim(model, parameter, kinds[c].kind, kinds[c].impacts, period);
        const int n = shooting->unknowns;
        double q[2] = {0.4, -0.3}, v[2] = {-0.8, 0.5}, flight[3] = {0.9, 1.2, 1.0};
        carom_shot shot = {.q = q, .v = v, .flight = flight, .t0 = 0.3};
        carom_error error = {0};
        expect_done(shooting_prepare(shooting, &shot, &error), &error);
        double *x = calloc((size_t)n, sizeof *x), *by_x = calloc((size_t)(n * n), sizeof *x),
               *by_p = calloc((size_t)n, sizeof *x), *low = calloc((size_t)n, sizeof *x),
               *high = calloc((size_t)n, sizeof *x);
        shooting_pack(shooting, &shot, x);
        shooting->free = kinds[c].free;
        const double p = kinds[c].free < 0 ? period : parameter[kinds[c].free];
        assert_true(shooting_jacobian(shooting, x, p, by_x, by_p));
        for (int k = 0; k <= n; k++) {
            const double h = 1e-5, kept = k < n ? x[k] : p;
            if (k < n)
                x[k] = kept - h;
            assert_true(shooting_residual(shooting, x, k < n ? p : p - h, low));
            if (k < n)
                x[k] = kept + h;
            assert_true(shooting_residual(shooting, x, k < n ? p : p + h, high));
            if (k < n)
                x[k] = kept;
            for (int i = 0; i < n; i++)
                assert_near(k < n ? by_x[i * n + k] : by_p[i], (high[i] - low[i]) / (2.0 * h), 2e-7);
        }
        free(x);
        free(by_x);
        free(by_p);
        free(low);
        free(high);
        carom_shooting_free(shooting);
    }
    carom_model_free(driven);
    carom_model_free(conserving);
}

/* One impact in n periods of the force: phase, velocity and multipliers, whose product is e^2 exp(-c T). */
static void known_motions(void **state)
{
    (void)state;
    static const struct {
        double e, c, w;
        int n;
        double phase, v, real[2], imaginary;
    } row[] = {
        {0.8, 0.05, 1.8, 1, 1.9841372766, 2.0145881275, {0.58764903, 0.58764903}, 0.43837439},
        {0.8, 0.05, 2.2, 1, 2.6492403988, 1.4621670137, {0.59808524, 0.59808524}, 0.44399076},
        {0.8, 0.05, 2.4, 1, 2.5185704580, 0.6803568612, {0.16621884, 0.16621884}, 0.73064834},
        {0.8, 0.05, 2.6, 1, 2.3551704385, 0.4028217660, {-0.5395246, -0.5395246}, 0.52542466},
        {0.8, 0.05, 2.8, 1, 2.2014184211, 0.2684180191, {-0.2047726, -2.79370415}, 0.0},
        {0.8, 0.05, 3.6, 2, 0.9375761560, 0.4104658427, {0.15578166, 0.15578166}, 0.71640461},
        {0.7, 0.1, 2.2, 1, 2.5350230410, 1.1762635554, {0.48638716, 0.48638716}, 0.36289631},
    };
    carom_model *model = impact_oscillator();
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        const double parameter[4] = {row[i].w, row[i].e, row[i].c, 0.0}, q0 = 0.5, v0 = 0.0;
        carom_periodic_model *periodic = NULL;
        carom_found_orbit found = {0};
        carom_error error = {0};
        int contact = 0;
        double phase = 0.0;
        expect_done(
            carom_periodic_model_create("oscillator", model, parameter, 0.0, &q0, &v0, &periodic, &error),
            &error);
        const carom_find_request request = {.impacts = {.count = 1, .contact = &contact, .phase = &phase},
                                            .periods = row[i].n};
        expect_done(carom_find_orbit(periodic, &request, &found, &error), &error);
        assert_true(found.is_motion);
        const double forcing = 2.0 * CAROM_PI / row[i].w;
        assert_near(found.period, row[i].n * forcing, 1e-13);
        assert_near(found.t0 - forcing * floor(found.t0 / forcing), row[i].phase, 1e-10);
        assert_near(found.v[0], row[i].v, 1e-10);
        assert_int_equal(found.multipliers, 2);
        const int first = found.real[0] < found.real[1] && row[i].imaginary == 0.0;
        for (int k = 0; k < 2; k++) {
            assert_near(found.real[first ? 1 - k : k], row[i].real[k], 6e-9);
            assert_near(fabs(found.imaginary[k]), row[i].imaginary, 6e-9);
        }
        const double product = row[i].imaginary != 0.0
                                   ? found.real[0] * found.real[0] + found.imaginary[0] * found.imaginary[0]
                                   : found.real[0] * found.real[1];
        assert_near(product, row[i].e * row[i].e * exp(-row[i].c * found.period), 1e-12);
        carom_found_orbit_free(&found);
        carom_periodic_model_free(periodic);
    }
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flights_and_impacts),
        cmocka_unit_test(equations),
        cmocka_unit_test(known_motions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
