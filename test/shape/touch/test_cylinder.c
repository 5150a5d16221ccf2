/* Touches of cylinders. */
#include "test/shape/make_shapes.h"

enum {
    ROOM = 32
};

static carom_touch touch[ROOM];

static const carom_pose lying = {{0}, {0, 0, 1, 0, 1, 0, -1, 0, 0}}; /* axis z of the shape along x */

/* About x by an angle, its middle at x, y, z. */
static carom_pose tilted(double x, double y, double z, double angle)
{
    const double c = cos(angle), s = sin(angle);
    return (carom_pose){{x, y, z}, {1, 0, 0, 0, c, -s, 0, s, c}};
}

/* It stands on its cap: points all around, the same ones while it slides and trembles; with the box under it, and the
 * half-space, and another cylinder. */
static void on_its_cap(void **state)
{
    (void)state;
    carom_shape *can = cylinder_of(0.5, 1.0), *plane = plane_of(3, 0, 0, 1, 0.5), *table = box_of(3, 6, 6, 1),
                *drum = cylinder_of(3, 1);
    const carom_shape *const ground[] = {plane, table, drum};
    const carom_pose origin = carom_pose_identity();
    carom_random random = {4};
    for (int g = 0; g < 3; g++) {
        uint64_t feature[8] = {0};
        for (int i = 0; i < 100; i++) {
            carom_pose turn = tilted(0.01 * i, 0.3, 1.0 - 1e-9, carom_random_uniform(&random, -1e-10, 1e-10));
            const carom_pose spin = pose_at(0, 0, 0, 0.1 * i), at = pose_product(&turn, &spin);
            assert_int_equal(touches_of(3, can, &at, ground[g], &origin, 1e-3, ROOM, touch), 8);
            double sum[3] = {0};
            for (int k = 0; k < 8; k++) {
                assert_near(touch[k].gap, -1e-9, 1e-9);
                assert_all_near(3, touch[k].normal, ((double[]){0, 0, 1}), 1e-9);
                assert_near(hypot(touch[k].point_a[0] - at.x[0], touch[k].point_a[1] - at.x[1]), 0.5, 1e-9);
                assert_true(i == 0 || touch[k].feature == feature[k]);
                feature[k] = touch[k].feature;
                for (int c = 0; c < 3; c++)
                    sum[c] += (touch[k].point_a[c] - at.x[c]) / 8;
            }
            assert_all_near(2, sum, ((double[2]){0}), 1e-9);
        }
    }
    carom_shape_free(can);
    carom_shape_free(plane);
    carom_shape_free(table);
    carom_shape_free(drum);
}

/* A coin that rolls on its rim has its lowest point there, which moves smoothly under one number. */
static void on_its_rim(void **state)
{
    (void)state;
    carom_shape *coin = cylinder_of(0.5, 0.1), *plane = plane_of(3, 0, 0, 1, 0.0),
                *table = box_of(3, 8, 8, 1);
    carom_pose origin = carom_pose_identity(), below = carom_pose_identity();
    below.x[2] = -0.5;
    uint64_t feature[2] = {0};
    for (int i = 0; i < 300; i++) {
        const double angle = 0.6 + 0.5 * sin(0.02 * i), height = 0.5 * sin(angle) + 0.05 * cos(angle);
        const carom_pose lean = tilted(0.3, 0.1, height - 1e-8, angle), spin = pose_at(0, 0, 0, 0.07 * i),
                         at = pose_product(&lean, &spin);
        for (int g = 0; g < 2; g++) {
            assert_int_equal(
                touches_of(3, coin, &at, g ? table : plane, g ? &below : &origin, 1e-6, ROOM, touch), 1);
            assert_near(touch->gap, -1e-8, 1e-14);
            assert_all_near(3, touch->normal, ((double[]){0, 0, 1}), 1e-15);
            /* The lowest point: half a thickness along the axis and a radius down the disc from the middle. */
            assert_near(touch->point_a[0], 0.3, 1e-14);
            assert_near(touch->point_a[1], 0.1 - 0.5 * cos(angle) + 0.05 * sin(angle), 1e-14);
            assert_true(i == 0 || touch->feature == feature[g]);
            feature[g] = touch->feature;
        }
    }
    carom_shape_free(coin);
    carom_shape_free(plane);
    carom_shape_free(table);
}

/* It lies on its side: two points, which rolling does not change. */
static void on_its_side(void **state)
{
    (void)state;
    carom_shape *log = cylinder_of(0.5, 2.0), *plane = plane_of(3, 0, 0, 1, 0.5), *table = box_of(3, 6, 6, 1),
                *plank = box_of(3, 1, 6, 1);
    const carom_shape *const ground[] = {plane, table, plank};
    const carom_pose origin = carom_pose_identity();
    for (int g = 0; g < 3; g++) {
        uint64_t feature[2] = {0};
        for (int i = 0; i < 100; i++) {
            const carom_pose spin = pose_at(0, 0, 0, 0.1 * i);
            carom_pose at = pose_product(&lying, &spin);
            at.x[1] = 0.01 * i;
            at.x[2] = 1.001;
            assert_int_equal(touches_of(3, log, &at, ground[g], &origin, 1e-2, ROOM, touch), 2);
            assert_near(fabs(touch[0].point_a[0] - touch[1].point_a[0]), g == 2 ? 1.0 : 2.0, 1e-12);
            for (int k = 0; k < 2; k++) {
                assert_near(touch[k].gap, 0.001, 1e-12);
                assert_true(i == 0 || touch[k].feature == feature[k]);
                feature[k] = touch[k].feature;
            }
        }
    }
    carom_shape_free(log);
    carom_shape_free(plane);
    carom_shape_free(table);
    carom_shape_free(plank);
}

static void closed_forms(void **state)
{
    (void)state;
    carom_shape *can = cylinder_of(0.5, 1.0), *ball = sphere_of(3, 0.25), *capsule = capsule_of(3, 0.25, 1);
    const carom_pose origin = carom_pose_identity();
    const double place[][4] = {
        {0.2, 0.1, 0.74, -0.01}, {0.0, 0.76, 0.3, 0.01}, {0.62, 0.0, 0.66, -0.05}, {0, 0.3, 0, -0.45}};
    for (int i = 0; i < 4; i++) {
        const carom_pose at = pose_at(place[i][0], place[i][1], place[i][2], 0);
        assert_int_equal(touches_of(3, ball, &at, can, &origin, 0.02, ROOM, touch), 1);
        assert_near(touch->gap, place[i][3], 1e-15);
        assert_int_equal(touches_of(3, can, &origin, ball, &at, 0.02, ROOM, touch), 1);
        assert_near(touch->gap, place[i][3], 1e-15);
    }
    /* Side by side, along each other and across; cap on cap. */
    carom_pose at = pose_at(0.999, 0, 0.2, 0);
    assert_int_equal(touches_of(3, can, &at, can, &origin, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, -0.001, 1e-15);
    assert_near(fabs(touch[0].point_a[2] - touch[1].point_a[2]), 0.8, 1e-15);
    at = pose_at(0.76, 0, 0.1, 0);
    assert_int_equal(touches_of(3, capsule, &at, can, &origin, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, 0.01, 1e-15);
    at = lying;
    at.x[1] = 1.01;
    assert_int_equal(touches_of(3, can, &at, can, &origin, 0.02, ROOM, touch), 1);
    assert_near(touch->gap, 0.01, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){0, 1, 0}), 1e-15);
    at = pose_at(0.3, 0, 0.999, 0.4);
    const size_t count = touches_of(3, can, &at, can, &origin, 0.02, ROOM, touch);
    assert_true(count >= 3 && count <= 8);
    for (size_t i = 0; i < count; i++)
        assert_near(touch[i].gap, -0.001, 1e-15);
    carom_shape_free(can);
    carom_shape_free(ball);
    carom_shape_free(capsule);
}

/* ---- against a search over all directions ------------------------------------------------------------------- */

typedef struct sample {
    carom_shape *shape;
    int points; /* 0: the cylinder */
    double radius, half;
    const double *xyz;
} sample;

static double reach_of(const sample *s, const carom_pose *pose, const double d[3])
{
    double own[3], most = -INFINITY, at = 0.0;
    for (int k = 0; k < 3; k++) {
        own[k] = pose->r[k] * d[0] + pose->r[3 + k] * d[1] + pose->r[6 + k] * d[2];
        at += d[k] * pose->x[k];
    }
    if (s->points == 0)
        return at + s->half * fabs(own[2]) + s->radius * hypot(own[0], own[1]);
    for (int i = 0; i < s->points; i++)
        most = fmax(most, own[0] * s->xyz[3 * i] + own[1] * s->xyz[3 * i + 1] + own[2] * s->xyz[3 * i + 2]);
    return at + most + s->radius;
}

static double free_along(const sample *a, const carom_pose *pa, const sample *b, const carom_pose *pb,
                         const double d[3])
{
    const double back[3] = {-d[0], -d[1], -d[2]};
    return -reach_of(a, pa, back) - reach_of(b, pb, d);
}

static void unit_from(carom_random *random, const double middle[3], double width, double d[3])
{
    double square = 0.0;
    while (square < 1e-4) {
        square = 0.0;
        for (int k = 0; k < 3; k++) {
            d[k] = middle[k] + carom_random_uniform(random, -width, width);
            square += d[k] * d[k];
        }
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(square);
}

static double by_search(const sample *a, const carom_pose *pa, const sample *b, const carom_pose *pb)
{
    carom_random random = {1};
    double overall = -INFINITY;
    for (int start = 0; start < 6; start++) {
        double best = -INFINITY, direction[3] = {0}, d[3];
        for (int i = 0; i < 1000; i++) {
            unit_from(&random, (double[3]){0}, 1.0, d);
            const double s = free_along(a, pa, b, pb, d);
            if (s > best) {
                best = s;
                memcpy(direction, d, sizeof d);
            }
        }
        double width = 0.1;
        for (int idle = 0; width > 1e-9;) {
            unit_from(&random, direction, width, d);
            const double s = free_along(a, pa, b, pb, d);
            if (s > best) {
                best = s;
                memcpy(direction, d, sizeof d);
                idle = 0;
            } else if (++idle > 40) {
                width *= 0.7;
                idle = 0;
            }
        }
        overall = fmax(overall, best);
    }
    return overall;
}

static void random_pairs(void **state)
{
    (void)state;
    static double box[24];
    static const double dot[] = {0, 0, 0}, segment[] = {0, 0, -0.4, 0, 0, 0.4},
                        wedge[] = {0.5, 0, 0, -0.5, 0.3, 0, -0.5, -0.4, 0.1, 0.2, 0.1, 0.7};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            box[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * (1.2 - 0.4 * k);
    const sample all[] = {
        {cylinder_of(0.3, 0.9), 0, 0.3, 0.45, NULL}, {cylinder_of(0.6, 0.1), 0, 0.6, 0.05, NULL},
        {sphere_of(3, 0.4), 1, 0.4, 0, dot},         {capsule_of(3, 0.2, 0.8), 2, 0.2, 0, segment},
        {box_of(3, 1.2, 0.8, 0.4), 8, 0.0, 0, box},  {convex_of(3, 4, wedge), 4, 0.0, 0, wedge}};
    carom_random random = {77};
    int touching = 0, apart = 0;
    for (int trial = 0; trial < 480; trial++) {
        const sample *a = &all[trial % 2], *b = &all[trial / 2 % 6];
        const carom_pose pa = random_pose(&random, 3, 0.5), pb = random_pose(&random, 3, 0.5);
        const double expected = by_search(a, &pa, b, &pb);
        const size_t count = touches_of(3, a->shape, &pa, b->shape, &pb, 0.2, ROOM, touch);
        if (expected > 0.2 + 1e-6) {
            assert_int_equal(count, 0);
            continue;
        }
        if (expected < -0.25)
            continue; /* far inside each other the best direction may be another one */
        touching += expected <= 0.0;
        apart += expected > 0.0;
        size_t lowest = 0;
        for (size_t k = 1; k < count; k++)
            lowest = touch[k].gap < touch[lowest].gap ? k : lowest;
        assert_true(count > 0);
        const double reached = fmax(expected, free_along(a, &pa, b, &pb, touch[lowest].normal));
        if (!(fabs(reached - touch[lowest].gap) < 1e-6))
            fail_msg("trial %d: gap %.9g, along its normal %.9g, search %.9g", trial, touch[lowest].gap,
                     free_along(a, &pa, b, &pb, touch[lowest].normal), expected);
        carom_touch other[ROOM];
        const size_t again = touches_of(3, b->shape, &pb, a->shape, &pa, 0.2, ROOM, other);
        assert_near(least_gap(again, other), least_gap(count, touch), 1e-6);
    }
    assert_true(touching > 100 && apart > 50);
    for (int i = 0; i < 6; i++)
        carom_shape_free(all[i].shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_its_cap),   cmocka_unit_test(on_its_rim),   cmocka_unit_test(on_its_side),
        cmocka_unit_test(closed_forms), cmocka_unit_test(random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
