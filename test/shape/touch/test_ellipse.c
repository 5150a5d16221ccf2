#include "test/near.h"

#include "carom/base.h"
#include "shape/touch/ellipse.h"

/* The line along the first normal through the point meets the ellipse at the nearest of many points. */
static void nearest(void **state)
{
    (void)state;
    carom_random random = {1};
    for (int trial = 0; trial < 2000; trial++) {
        const double a = 1.0, b = trial % 4 == 0 ? 0.0 : pow(10.0, carom_random_uniform(&random, -4.0, 0.0));
        const double x = carom_random_uniform(&random, -2.0, 2.0),
                     y = carom_random_uniform(&random, -1.0, 1.0) * (trial % 5 != 0);
        double normal[ELLIPSE_NORMALS][2], least = INFINITY;
        assert_true(ellipse_normals(a, b, x, y, normal) >= 1);
        for (int i = 0; i < 4000; i++) {
            const double angle = 2.0 * CAROM_PI * i / 4000;
            least = fmin(least, hypot(x - a * cos(angle), y - b * sin(angle)));
        }
        /* Distance along the normal: n.p - h(n), negative inside. */
        const double reach = hypot(a * normal[0][0], b * normal[0][1]);
        assert_near(hypot(normal[0][0], normal[0][1]), 1.0, 1e-14);
        const double found = fabs(normal[0][0] * x + normal[0][1] * y - reach);
        /* The points are up to 8e-4 beside the nearest one. */
        assert_true(found <= least + 1e-9 && found >= sqrt(fmax(0.0, least * least - 1e-6)) - 1e-9);
    }
}

/* Each normal's line goes through the point. */
static void all_normals(void **state)
{
    (void)state;
    carom_random random = {2};
    int found = 0;
    for (int trial = 0; trial < 2000; trial++) {
        const double a = 1.0, b = carom_random_uniform(&random, 0.05, 0.95);
        const double x = carom_random_uniform(&random, -1.0, 1.0),
                     y = carom_random_uniform(&random, -0.5, 0.5);
        double normal[ELLIPSE_NORMALS][2];
        const int count = ellipse_normals(a, b, x, y, normal);
        found += count;
        for (int i = 0; i < count; i++) {
            const double reach = hypot(a * normal[i][0], b * normal[i][1]);
            const double foot[2] = {a * a * normal[i][0] / reach, b * b * normal[i][1] / reach};
            assert_near((x - foot[0]) * normal[i][1] - (y - foot[1]) * normal[i][0], 0.0, 1e-9);
        }
    }
    assert_true(found > 3000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(nearest), cmocka_unit_test(all_normals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
