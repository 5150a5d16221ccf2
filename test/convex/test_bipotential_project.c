/* Projection on elliptic cones. Values: the specification (closed form; minimised distance). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/convex.h"

static void reference_points(void **state)
{
    (void)state;
    static const struct {
        double mu[2], tau[3];
        carom_cone_region region;
        double r[3];
    } cases[] = {
        {{.5, .5}, {1, 1, 0}, CAROM_CONE_SURFACE, {1.2, .6, 0}},
        {{.5, .5}, {1, 1, 1}, CAROM_CONE_SURFACE, {1.36568542495, 0.482842712475, 0.482842712475}},
        {{.5, .5}, {-.1, 1, 1}, CAROM_CONE_SURFACE, {0.485685424949, 0.171715728752, 0.171715728752}},
        {{.5, .5}, {0, .3, -.4}, CAROM_CONE_SURFACE, {.2, .06, -.08}},
        {{.5, .5}, {-1, .3, .4}, CAROM_CONE_APEX, {0, 0, 0}},
        {{.5, .5}, {1, .1, .02}, CAROM_CONE_INSIDE, {1, .1, .02}},
        {{.3, .15}, {1, 1, 0}, CAROM_CONE_SURFACE, {1.19266055046, 0.357798165138, 0}},
        {{.3, .15}, {1, 1, 1}, CAROM_CONE_SURFACE, {1.24619938398, 0.312977956988, 0.102244755192}},
        {{.3, .15}, {-.1, 1, 1}, CAROM_CONE_SURFACE, {0.218831299458, 0.0581781316021, 0.0152081178101}},
        {{.3, .15}, {0, .3, -.4}, CAROM_CONE_SURFACE, {0.101296179159, 0.0247706422018, -0.0088019559902}},
        {{.3, .15}, {3, -4, .5}, CAROM_CONE_SURFACE, {3.85670598687, -1.15335036453, 0.0459870440117}},
        {{.3, .15}, {-2, 5, 7}, CAROM_CONE_APEX, {0, 0, 0}},
        {{0, 0}, {2, 3, 4}, CAROM_CONE_INSIDE, {2, 0, 0}},
        {{0, 0}, {-2, 3, 4}, CAROM_CONE_APEX, {0, 0, 0}},
        {{.5, 0}, {1, 1, 7}, CAROM_CONE_SURFACE, {1.2, .6, 0}},
        {{.3, .15}, {0, 0, 0}, CAROM_CONE_APEX, {0, 0, 0}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double r[3];
        assert_int_equal(carom_elliptic_cone_project(cases[i].mu, cases[i].tau, r), cases[i].region);
        for (int k = 0; k < 3; k++)
            assert_true(fabs(r[k] - cases[i].r[k]) < 1e-11);
    }
}

/* r in K, tau - r in the polar cone, and both perpendicular: that is the projection. Ellipses from round to
 * a thousand times as long as wide, tau of any size. */
static void projections_are_orthogonal(void **state)
{
    (void)state;
    carom_random random = {3};
    for (int i = 0; i < 20000; i++) {
        const double scale = pow(10.0, carom_random_uniform(&random, -6, 6));
        const double mu[2] = {pow(10.0, carom_random_uniform(&random, -2, 1)),
                              pow(10.0, carom_random_uniform(&random, -2, 1))};
        double tau[3], r[3], rest[3];
        for (int k = 0; k < 3; k++)
            tau[k] = scale * carom_random_uniform(&random, -1, 1);
        carom_elliptic_cone_project(mu, tau, r);
        for (int k = 0; k < 3; k++)
            rest[k] = tau[k] - r[k];
        assert_true(hypot(r[1] / mu[0], r[2] / mu[1]) <= r[0] + 1e-13 * scale);
        assert_true(hypot(mu[0] * rest[1], mu[1] * rest[2]) <= -rest[0] + 1e-13 * scale);
        assert_true(fabs(r[0] * rest[0] + r[1] * rest[1] + r[2] * rest[2]) <= 1e-13 * scale * scale);
        /* a point of the surface stays, to the rounding of r_T / mu, mu >= 0.01 */
        double again[3];
        carom_elliptic_cone_project(mu, r, again);
        assert_true(hypot(hypot(again[0] - r[0], again[1] - r[1]), again[2] - r[2]) < 1e-13 * scale);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_points),
        cmocka_unit_test(projections_are_orthogonal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
