/* Contact laws as equations: published points, derivatives by differences, zeros at solutions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contact/coulomb/parts/contact_maps.h"
#include "test/near.h"

typedef struct sample_map {
    const char *name;
    coulomb_map *map;
} sample_map;

static const sample_map maps[] = {{"natural", coulomb_natural_map},
                                  {"Alart-Curnier", coulomb_alart_curnier},
                                  {"Jean-Moreau", coulomb_jean_moreau},
                                  {"Fischer-Burmeister", coulomb_fischer_burmeister}};
enum {
    MAPS = 4,
    NATURAL = 0,
    ALART_CURNIER = 1,
    JEAN_MOREAU = 2,
    FISCHER_BURMEISTER = 3
};

/* ---- one point with all its digits ----------------------------------------------------------------- */

typedef struct point {
    coulomb_rho rho;
    double G[3], A[9], B[9];
} point;

static const point points[MAPS] = {
    [NATURAL] = {{.9, .9},
                 {.226543176004, -.058631291342, .053596125801},
                 {.661764705882, .007001690037, .012150836439, .347476822305, .117383396066, .212020389502,
                  -.192134242922, .203607431847, .36837479899},
                 {.264705882353, -.386085358117, .213482492135, -.386085358117, .670934726387, -.116394643768,
                  .213482492135, -.116394643768, .524793166152}},
    [ALART_CURNIER] = {{.7, 1.3},
                       {.14, -.102155178726, .082163386141},
                       {.7, 0, 0, .366154817821, .149192966476, .265512906441, -.205744135728, .265512906441,
                        .472522969089},
                       {0, 0, 0, -.523078311173, .885236179634, -.204240697262, .293920193897, -.204240697262,
                        .636520793008}},
    [JEAN_MOREAU] = {{.7, 1.3},
                     {.14, -.17538614229, .123312213287},
                     {.7, 0, 0, 0, .170950274087, .30423353863, 0, .30423353863, .541432568748},
                     {0, 0, 0, -.523078311173, .868499789164, -.234025798946, .293920193897, -.234025798946,
                      .583513408655}},
    [FISCHER_BURMEISTER] = {{1, 1},
                            {.241203546236, .045454335273, -.007044550059},
                            {.601273020902, -.004066814925, .012792889732, .508054613029, .085517063086,
                             .13800896786, -.289056468627, .124243679219, .238276163371},
                            {.270609013455, -.360008093866, .192945047904, -.215627592385, .466483363867,
                             .021018700353, .116279662732, .028861731245, .490232936189}},
};

static void has_the_reference_digits(void **state)
{
    (void)state;
    const double u[3] = {.2, -.5, .3}, r[3] = {1.1, .4, -.2};
    for (int k = 0; k < MAPS; k++) {
        double G[3], A[9], B[9];
        maps[k].map(.6, points[k].rho, u, r, G, A, B);
        assert_all_near(3, G, points[k].G, 6e-13);
        assert_all_near(9, A, points[k].A, 6e-13);
        assert_all_near(9, B, points[k].B, 6e-13);
    }
}

/* ---- derivatives --------------------------------------------------------------------------------------- */

/* The distance from the places where a map has no derivative. */
static double distance_from_kinks(int map, double mu, coulomb_rho rho, const double u[3], const double r[3])
{
    const double slip = hypot(u[1], u[2]), least = fmin(rho.normal, rho.tangent);
    if (map == FISCHER_BURMEISTER)
        return slip;
    if (map == NATURAL) {
        const double z = r[0] - least * (u[0] + mu * slip),
                     t = hypot(r[1] - least * u[1], r[2] - least * u[2]);
        return fmin(slip, fmin(fabs(t - mu * z), fabs(mu * t + z)));
    }
    const double y = r[0] - rho.normal * u[0], c = map == ALART_CURNIER ? y : r[0],
                 t = hypot(r[1] - rho.tangent * u[1], r[2] - rho.tangent * u[2]);
    return fmin(fmin(fabs(y), fabs(c)), fabs(t - mu * fmax(0, c)));
}

/* Column `k` of dG/du (which = 0) or dG/dr by central differences. */
static void difference(coulomb_map *map, double mu, coulomb_rho rho, const double u[3], const double r[3],
                       int which, int k, double column[3])
{
    const double step = 1e-5;
    double x[2][3], high[3], low[3];
    memcpy(x[0], u, sizeof x[0]);
    memcpy(x[1], r, sizeof x[1]);
    x[which][k] += step;
    map(mu, rho, x[0], x[1], high, NULL, NULL);
    x[which][k] -= 2 * step;
    map(mu, rho, x[0], x[1], low, NULL, NULL);
    for (int i = 0; i < 3; i++)
        column[i] = (high[i] - low[i]) / (2 * step);
}

static void check_derivatives(coulomb_map *map, double mu, coulomb_rho rho, const double u[3],
                              const double r[3])
{
    double G[3], same[3], m[2][9];
    map(mu, rho, u, r, G, m[0], m[1]);
    map(mu, rho, u, r, same, NULL, NULL);
    assert_memory_equal(G, same, sizeof G);
    for (int which = 0; which < 2; which++)
        for (int k = 0; k < 3; k++) {
            double column[3];
            difference(map, mu, rho, u, r, which, k, column);
            for (int i = 0; i < 3; i++)
                assert_true(fabs(column[i] - m[which][3 * i + k]) <= 1e-6 * fmax(1, fabs(column[i])));
        }
}

static void derivatives_are_those_of_differences(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int map = 0; map < MAPS; map++)
        for (int checked = 0; checked < 400;) {
            double u[3], r[3];
            for (int i = 0; i < 3; i++) {
                u[i] = carom_random_uniform(&random, -1, 1);
                r[i] = carom_random_uniform(&random, -1, 1) + (i == 0 ? .5 : 0);
            }
            const double mu = carom_random_uniform(&random, .1, 1.5);
            const coulomb_rho rho = {carom_random_uniform(&random, .3, 2),
                                     carom_random_uniform(&random, .3, 2)};
            if (distance_from_kinks(map, mu, rho, u, r) < 2e-2)
                continue;
            check_derivatives(maps[map].map, mu, rho, u, r);
            checked++;
        }
}

/* Where s is on the boundary of the cone there is no derivative: those given are finite, at 0 the known ones.
 */
static void fischer_burmeister_has_derivatives_at_its_kinks(void **state)
{
    (void)state;
    const double corners[][6] = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 1, .3, -.4}, {.5, .6, -.8, 0, 0, 0}};
    for (size_t k = 0; k < sizeof corners / sizeof corners[0]; k++) {
        double G[3], A[9], B[9];
        coulomb_fischer_burmeister(.5, (coulomb_rho){1, 1}, corners[k], corners[k] + 3, G, A, B);
        assert_true(carom_all_finite(9, A) && carom_all_finite(9, B));
    }
    double G[3], A[9], B[9];
    coulomb_fischer_burmeister(.5, (coulomb_rho){1, 1}, corners[0], corners[0] + 3, G, A, B);
    assert_true(fabs(B[0] - .5 * (1 - sqrt(.5))) < 1e-15 && fabs(B[4] - (1 - sqrt(.5))) < 1e-15);
}

/* ---- zeros ------------------------------------------------------------------------------------------- */

static double size_of(coulomb_map *map, double mu, const double u[3], const double r[3])
{
    double G[3];
    map(mu, (coulomb_rho){.7, 1.3}, u, r, G, NULL, NULL);
    return sqrt(carom_dot(3, G, G));
}

static void maps_vanish_at_solutions_only(void **state)
{
    (void)state;
    const double rest[3] = {0}, stick[3] = {4, -.6, .8}, apart[3] = {.1, 3, -4};
    const double slip[3] = {0, 2.64, -3.52}, slide[3] = {4, -.72, .96}, wrong[3] = {4, .72, -.96};
    for (int k = 0; k < MAPS; k++) {
        coulomb_map *map = maps[k].map;
        const double rounding = k == FISCHER_BURMEISTER ? 2e-15 : 0.0;
        assert_true(size_of(map, .3, rest, stick) <= rounding);
        assert_true(size_of(map, .3, apart, rest) <= rounding);
        assert_true(size_of(map, .3, slip, slide) < 2e-15);
        assert_true(size_of(map, .3, slip, wrong) > .1);
        assert_true(size_of(map, .3, apart, stick) > .01);
        assert_true(size_of(map, .3, (const double[]){-.1, 0, 0}, rest) > .01);
        assert_true(size_of(map, .3, rest, (const double[]){-1, 0, 0}) > .1);
        assert_true(size_of(map, .3, rest, (const double[]){1, .5, 0}) > .1);
    }
}

/* Slow slip: the smaller spectral value of the sum of squares is far below the larger one's rounding. */
static void fischer_burmeister_keeps_its_digits_where_slip_is_slow(void **state)
{
    (void)state;
    for (double speed = 1; speed > 1e-12; speed /= 10) {
        const double slip[3] = {0, .6 * speed, -.8 * speed}, slide[3] = {4, -.72, .96};
        assert_true(size_of(coulomb_fischer_burmeister, .3, slip, slide) < 4e-15);
    }
}

static void without_friction_only_the_normal_remains(void **state)
{
    (void)state;
    const double u[3] = {-.2, .4, .1}, r[3] = {.5, .2, -.1};
    const coulomb_rho rho = {.7, 1.3};
    double G[3], A[9], B[9], other[3], otherA[9], otherB[9];
    coulomb_alart_curnier(0, rho, u, r, G, A, B);
    assert_all_near(3, G, (const double[]){-.14, .2, -.1}, 1e-16);
    assert_all_near(9, A, (const double[]){.7, 0, 0, 0, 0, 0, 0, 0, 0}, 0);
    assert_all_near(9, B, (const double[]){0, 0, 0, 0, 1, 0, 0, 0, 1}, 0);
    coulomb_fischer_burmeister(0, rho, u, r, other, otherA, otherB);
    assert_memory_equal(G, other, sizeof G);
    assert_memory_equal(A, otherA, sizeof A);
    assert_memory_equal(B, otherB, sizeof B);
}

/* ---- rho ------------------------------------------------------------------------------------------- */

static void rho_comes_from_the_block(void **state)
{
    (void)state;
    const double diagonal[9] = {2, 0, 0, 0, 4, 0, 0, 0, 8}, zero[9] = {0};
    coulomb_rho rho = coulomb_rho_of(COULOMB_RHO_110, diagonal);
    assert_true(fabs(rho.normal - .125) < 1e-15 && rho.normal == rho.tangent);
    rho = coulomb_rho_of(COULOMB_RHO_111, diagonal);
    assert_true(rho.normal == .5 && rho.tangent == .125);
    rho = coulomb_rho_of(COULOMB_RHO_112, diagonal);
    assert_true(rho.normal == .5 && rho.tangent == 4. / 64);
    for (int rule = 0; rule <= COULOMB_RHO_ONE; rule++) {
        rho = coulomb_rho_of((coulomb_rho_rule)rule, zero);
        assert_true(rho.normal == 1 && rho.tangent == 1);
    }
    rho = coulomb_rho_of(COULOMB_RHO_ONE, diagonal);
    assert_true(rho.normal == 1 && rho.tangent == 1);
}

/* The norm of a block that is not symmetric: W = s Q with a rotation Q has norm s; and x.W y never beats it.
 */
static void norm_of_a_block_is_its_largest_stretch(void **state)
{
    (void)state;
    const double c = cos(.4), s = sin(.4);
    const double turn[9] = {3 * c, -3 * s, 0, 3 * s, 3 * c, 0, 0, 0, 3};
    assert_true(fabs(coulomb_rho_of(COULOMB_RHO_110, turn).normal - 1. / 3) < 1e-15);
    const double W[9] = {2, .9, -.7, -.4, 1.5, .8, .6, -.9, 1};
    const double norm = 1 / coulomb_rho_of(COULOMB_RHO_110, W).normal;
    carom_random random = {5};
    double most = 0;
    for (int k = 0; k < 20000; k++) {
        double x[3], y[3] = {0};
        for (int i = 0; i < 3; i++)
            x[i] = carom_random_uniform(&random, -1, 1);
        carom_block_add(W, x, y);
        most = fmax(most, sqrt(carom_dot(3, y, y) / carom_dot(3, x, x)));
    }
    assert_true(most <= norm * (1 + 1e-14) && most > .999 * norm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(has_the_reference_digits),
        cmocka_unit_test(derivatives_are_those_of_differences),
        cmocka_unit_test(fischer_burmeister_has_derivatives_at_its_kinks),
        cmocka_unit_test(maps_vanish_at_solutions_only),
        cmocka_unit_test(fischer_burmeister_keeps_its_digits_where_slip_is_slow),
        cmocka_unit_test(without_friction_only_the_normal_remains),
        cmocka_unit_test(rho_comes_from_the_block),
        cmocka_unit_test(norm_of_a_block_is_its_largest_stretch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
