/* Touches of discs, capsules and polygons in the plane. */
#include "test/shape/make_shapes.h"

enum {
    ROOM = 16
};

static carom_touch touch[ROOM];

static void discs(void **state)
{
    (void)state;
    carom_shape *a = sphere_of(CAROM_PLANE, 0.5), *b = sphere_of(CAROM_PLANE, 0.25);
    const carom_pose here = pose_at(1, 2, 0, 0.3), there = pose_at(1 + 0.6 * 0.7, 2 + 0.8 * 0.7, 0, 1.0);
    assert_int_equal(touches_of(CAROM_PLANE, a, &here, b, &there, 0.1, ROOM, touch), 1);
    assert_near(touch->gap, -0.05, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){-0.6, -0.8, 0}), 1e-15);
    assert_all_near(3, touch->point_a, ((double[]){1.3, 2.4, 0}), 1e-15);
    const carom_pose far = pose_at(2.0, 2, 0, 0);
    assert_int_equal(touches_of(CAROM_PLANE, a, &here, b, &far, 0.1, ROOM, touch), 0);
    assert_int_equal(touches_of(CAROM_PLANE, a, &here, b, &far, 0.26, ROOM, touch), 1);
    assert_near(touch->gap, 0.25, 1e-15);
    assert_int_equal(touches_of(CAROM_PLANE, a, &here, b, &here, 0.1, ROOM, touch), 1);
    assert_near(touch->gap, -0.75, 1e-15);
    carom_shape_free(a);
    carom_shape_free(b);
}

/* Over a face, beside a corner, and inside. */
static void disc_and_box(void **state)
{
    (void)state;
    carom_shape *disc = sphere_of(CAROM_PLANE, 0.5), *box = box_of(CAROM_PLANE, 2, 1, 0);
    const carom_pose middle = pose_at(0, 0, 0, 0);
    const double place[][3] = {
        {0.3, 0.95, -0.05}, {0.3, 1.05, 0.05}, {1.3, 0.9, 0.0}, {1.36, 0.98, 0.1}, {0.1, 0.3, -0.7}};
    for (int i = 0; i < 5; i++) {
        const carom_pose at = pose_at(place[i][0], place[i][1], 0, 0.7);
        assert_int_equal(touches_of(CAROM_PLANE, disc, &at, box, &middle, 0.2, ROOM, touch), 1);
        assert_near(touch->gap, place[i][2], 1e-15);
        assert_int_equal(touches_of(CAROM_PLANE, box, &middle, disc, &at, 0.2, ROOM, touch), 1);
        assert_near(touch->gap, place[i][2], 1e-15);
    }
    const carom_pose at_corner = pose_at(1.3, 0.9, 0, 0);
    touches_of(CAROM_PLANE, disc, &at_corner, box, &middle, 0.2, ROOM, touch);
    assert_all_near(3, touch->normal, ((double[]){0.6, 0.8, 0}), 1e-15);
    assert_all_near(3, touch->point_b, ((double[]){1, 0.5, 0}), 1e-15);
    carom_shape_free(disc);
    carom_shape_free(box);
}

/* A box on a wider one has its two lower corners; they keep their numbers when it slides and rocks. */
static void box_on_box(void **state)
{
    (void)state;
    carom_shape *small = box_of(CAROM_PLANE, 1, 1, 0), *large = box_of(CAROM_PLANE, 4, 1, 0);
    const carom_pose below = pose_at(0, 0, 0, 0);
    uint64_t feature[2] = {0};
    for (int i = 0; i < 200; i++) {
        const double angle = 1e-3 * sin(0.3 * i) * (i % 3 != 0);
        const carom_pose above = pose_at(-1.3 + 0.01 * i, 1.0 - 1e-9, 0, angle);
        assert_int_equal(touches_of(CAROM_PLANE, small, &above, large, &below, 0.01, ROOM, touch), 2);
        for (int k = 0; k < 2; k++) {
            assert_near(touch[k].gap,
                        0.5 - 1e-9 - 0.5 * cos(angle) +
                            (touch[k].point_a[0] < above.x[0] ? -0.5 : 0.5) * sin(angle),
                        1e-12);
            assert_all_near(3, touch[k].normal, ((double[]){0, 1, 0}), 1e-3);
            assert_true(i == 0 || touch[k].feature == feature[k]);
            feature[k] = touch[k].feature;
        }
    }
    carom_shape_free(small);
    carom_shape_free(large);
}

/* Equal boxes in line: rounding decides nothing. */
static void equal_boxes(void **state)
{
    (void)state;
    carom_random random = {7};
    carom_shape *box = box_of(CAROM_PLANE, 1, 1, 0);
    const carom_pose below = pose_at(0, 0, 0, 0);
    uint64_t feature[2] = {0};
    for (int i = 0; i < 200; i++) {
        const carom_pose above = pose_at(carom_random_uniform(&random, -1e-12, 1e-12),
                                         1.0 + carom_random_uniform(&random, -1e-12, 1e-12), 0,
                                         carom_random_uniform(&random, -1e-12, 1e-12));
        assert_int_equal(touches_of(CAROM_PLANE, box, &below, box, &above, 1e-6, ROOM, touch), 2);
        for (int k = 0; k < 2; k++) {
            assert_all_near(3, touch[k].normal, ((double[]){0, -1, 0}), 1e-11);
            assert_true(i == 0 || touch[k].feature == feature[k]);
            feature[k] = touch[k].feature;
        }
    }
    carom_shape_free(box);
}

/* Two boxes that overhang: one corner of each. */
static void overhanging_boxes(void **state)
{
    (void)state;
    carom_shape *box = box_of(CAROM_PLANE, 1, 1, 0);
    const carom_pose below = pose_at(0, 0, 0, 0), above = pose_at(0.75, 1.01, 0, 0);
    assert_int_equal(touches_of(CAROM_PLANE, box, &below, box, &above, 0.02, ROOM, touch), 2);
    double low = fmin(touch[0].point_a[0], touch[1].point_a[0]),
           high = fmax(touch[0].point_a[0], touch[1].point_a[0]);
    assert_near(low, 0.25, 1e-15);
    assert_near(high, 0.5, 1e-15);
    assert_near(touch[0].gap, 0.01, 1e-15);
    assert_near(touch[1].gap, 0.01, 1e-15);
    carom_shape_free(box);
}

static void capsules(void **state)
{
    (void)state;
    carom_shape *capsule = capsule_of(CAROM_PLANE, 0.25, 1), *box = box_of(CAROM_PLANE, 4, 1, 0);
    const carom_pose middle = pose_at(0, 0, 0, 0);
    carom_pose at = pose_at(0.2, 0.74, 0, 0);
    assert_int_equal(touches_of(CAROM_PLANE, capsule, &at, box, &middle, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, -0.01, 1e-15);
    assert_near(touch[1].gap, -0.01, 1e-15);
    assert_near(fabs(touch[0].point_a[0] - touch[1].point_a[0]), 1.0, 1e-15);
    at = pose_at(0.2, 0.51, 0, 0); /* side by side */
    assert_int_equal(touches_of(CAROM_PLANE, capsule, &at, capsule, &middle, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, 0.01, 1e-15);
    assert_near(fabs(touch[0].point_a[0] - touch[1].point_a[0]), 0.8, 1e-15);
    at = pose_at(1.3, 0.4, 0, 0); /* end at end: (0.3, 0.4) apart */
    assert_int_equal(touches_of(CAROM_PLANE, capsule, &at, capsule, &middle, 0.02, ROOM, touch), 1);
    assert_near(touch[0].gap, 0.0, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){0.6, 0.8, 0}), 1e-15);
    at = pose_at(0.1, 1.01, 0, 1.5707963267948966); /* end on side */
    assert_int_equal(touches_of(CAROM_PLANE, capsule, &at, capsule, &middle, 0.02, ROOM, touch), 1);
    assert_near(touch[0].gap, 0.01, 1e-15);
    carom_shape_free(capsule);
    carom_shape_free(box);
}

static void on_a_half_plane(void **state)
{
    (void)state;
    carom_shape *box = box_of(CAROM_PLANE, 1, 1, 0), *plane = plane_of(CAROM_PLANE, 0, 2, 0, 1.0);
    carom_shape *disc = sphere_of(CAROM_PLANE, 0.3);
    const carom_pose origin = pose_at(0, 0, 0, 0), at = pose_at(5, 1.0, 0, 0), low = pose_at(1, 0.7, 0, 2);
    assert_int_equal(touches_of(CAROM_PLANE, plane, &origin, box, &at, 0.01, ROOM, touch), 2);
    assert_near(touch[0].gap, 0.0, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){0, -1, 0}), 1e-15);
    assert_int_equal(touches_of(CAROM_PLANE, disc, &low, plane, &origin, 0.01, ROOM, touch), 1);
    assert_near(touch[0].gap, -0.1, 1e-15);
    const carom_pose turned = pose_at(0, 0.5, 0, 1.5707963267948966); /* now -x is free and x > -1/2 is not */
    const carom_pose beside = pose_at(-1.005, 3, 0, 0);
    assert_int_equal(touches_of(CAROM_PLANE, box, &beside, plane, &turned, 0.01, ROOM, touch), 2);
    assert_near(touch[0].gap, 0.005, 1e-15);
    carom_shape_free(box);
    carom_shape_free(plane);
    carom_shape_free(disc);
}

/* A roof that was cut below its ridge: a box or disc that comes over the ridge, a little in the roof, feels the two sides of the roof and never
 * the cut. */
static void over_a_cut(void **state)
{
    (void)state;
    carom_shape *house = NULL;
    WORKS(carom_shape_polygon(6, (double[]){-2, -0.2, 0, -0.2, 2, -1, 2, -0.8, 0, 0, -2, 0}, &house, &error));
    carom_shape *const solid[] = {sphere_of(2, 0.3), box_of(2, 0.5, 0.4, 0), capsule_of(2, 0.2, 0.1)};
    const double height[] = {0.3, 0.2, 0.2}, front[] = {0.0, 0.25, 0.05};
    const carom_pose origin = carom_pose_identity();
    for (int s = 0; s < 3; s++)
        for (int i = -60; i <= 60; i++) {
            const double over = copysign(pow(10.0, -10.0 + 0.08 * abs(i)), i);
            const carom_pose at = pose_at(over - front[s], height[s] - 1e-6, 0, 0);
            const size_t count = touches_of(2, solid[s], &at, house, &origin, 1e-7, ROOM, touch);
            assert_in_range(count, 1, s ? 3 : 1);
            for (size_t k = 0; k < count; k++) {
                assert_near(touch[k].gap, -0.6e-6,
                            0.8e-6); /* over the other side by what counts as nothing */
                assert_true(touch[k].normal[0] >= -1e-6 && touch[k].normal[1] > 0.92);
            }
        }
    for (int s = 0; s < 3; s++)
        carom_shape_free(solid[s]);
    carom_shape_free(house);
}

/* In the notch of an L a disc touches both walls; a box beside the L only its side. */
static void in_a_notch(void **state)
{
    (void)state;
    carom_shape *corner = NULL, *disc = sphere_of(2, 0.25), *box = box_of(2, 0.5, 0.5, 0);
    WORKS(carom_shape_polygon(6, (double[]){0, 0, 2, 0, 2, 1, 1, 1, 1, 2, 0, 2}, &corner, &error));
    const carom_pose origin = carom_pose_identity(), in = pose_at(1.25, 1.25, 0, 0),
                     beside = pose_at(1.25, 1.75, 0, 0), low = pose_at(1.25, 1.25, 0, 0);
    assert_int_equal(touches_of(2, disc, &in, corner, &origin, 1e-3, ROOM, touch), 2);
    for (int k = 0; k < 2; k++)
        assert_near(touch[k].gap, 0.0, 1e-15);
    assert_near(touch[0].normal[0] + touch[1].normal[0], 1.0, 1e-15);
    assert_int_equal(touches_of(2, box, &beside, corner, &origin, 1e-3, ROOM, touch), 2);
    assert_all_near(3, touch->normal, ((double[]){1, 0, 0}), 1e-15);
    const size_t count = touches_of(2, box, &low, corner, &origin, 1e-3, ROOM, touch);
    double side = 0.0, floor_normal = 0.0;
    for (size_t k = 0; k < count; k++) {
        assert_near(touch[k].gap, 0.0, 1e-15);
        side = fmax(side, touch[k].normal[0]);
        floor_normal = fmax(floor_normal, touch[k].normal[1]);
    }
    assert_near(side, 1.0, 1e-15);
    assert_near(floor_normal, 1.0, 1e-15);
    carom_shape_free(corner);
    carom_shape_free(disc);
    carom_shape_free(box);
}

/* ---- against brute force ------------------------------------------------------------------------------- */

/* Signed distance of two sets of points with radii: the largest over many directions of what a line between them leaves free. */
static double separation_by_search(int na, const double *a, double ra, int nb, const double *b, double rb)
{
    double best = -INFINITY, middle = 0.0, width = CAROM_PI;
    for (int round = 0; round < 4; round++) {
        double best_angle = middle;
        for (int step = -1000; step <= 1000; step++) {
            const double angle = middle + width * step / 1000, n[2] = {cos(angle), sin(angle)};
            double least = INFINITY, most = -INFINITY;
            for (int i = 0; i < na; i++)
                least = fmin(least, n[0] * a[2 * i] + n[1] * a[2 * i + 1]);
            for (int j = 0; j < nb; j++)
                most = fmax(most, n[0] * b[2 * j] + n[1] * b[2 * j + 1]);
            if (least - most > best) {
                best = least - most;
                best_angle = angle;
            }
        }
        middle = best_angle;
        width /= 400.0;
    }
    return best - ra - rb;
}

typedef struct sample {
    carom_shape *shape;
    int points;
    double radius;
    const double *xy;
} sample;

static void random_pairs(void **state)
{
    (void)state;
    static const double box[] = {-0.6, -0.2, 0.6, -0.2, 0.6, 0.2, -0.6, 0.2},
                        triangle[] = {-0.5, -0.4, 0.7, -0.3, 0.1, 0.8},
                        seven[] = {0.5,  0,     0.31,  0.39,  -0.11, 0.49, -0.45,
                                   0.22, -0.45, -0.22, -0.11, -0.49, 0.31, -0.39},
                        dot[] = {0, 0}, segment[] = {-0.5, 0, 0.5, 0};
    const sample all[] = {{sphere_of(CAROM_PLANE, 0.4), 1, 0.4, dot},
                          {box_of(CAROM_PLANE, 1.2, 0.4, 0), 4, 0.0, box},
                          {convex_of(CAROM_PLANE, 3, triangle), 3, 0.0, triangle},
                          {convex_of(CAROM_PLANE, 7, seven), 7, 0.0, seven},
                          {capsule_of(CAROM_PLANE, 0.2, 1.0), 2, 0.2, segment}};
    carom_random random = {42};
    int touching = 0;
    for (int trial = 0; trial < 400; trial++) {
        const sample *a = &all[trial % 5], *b = &all[trial / 5 % 5];
        const carom_pose pa = random_pose(&random, CAROM_PLANE, 0.7),
                         pb = random_pose(&random, CAROM_PLANE, 0.7);
        double xa[14], xb[14];
        for (int i = 0; i < a->points; i++)
            for (int k = 0; k < 2; k++)
                xa[2 * i + k] = pa.x[k] + pa.r[3 * k] * a->xy[2 * i] + pa.r[3 * k + 1] * a->xy[2 * i + 1];
        for (int i = 0; i < b->points; i++)
            for (int k = 0; k < 2; k++)
                xb[2 * i + k] = pb.x[k] + pb.r[3 * k] * b->xy[2 * i] + pb.r[3 * k + 1] * b->xy[2 * i + 1];
        const double expected = separation_by_search(a->points, xa, a->radius, b->points, xb, b->radius);
        const size_t count = touches_of(CAROM_PLANE, a->shape, &pa, b->shape, &pb, 0.3, ROOM, touch);
        if (expected > 0.3 + 1e-6) {
            assert_int_equal(count, 0);
            continue;
        }
        touching++;
        assert_near(least_gap(count, touch), expected, 1e-7);
        /* The same seen from the other one. */
        carom_touch other[ROOM];
        assert_int_equal(touches_of(CAROM_PLANE, b->shape, &pb, a->shape, &pa, 0.3, ROOM, other), count);
        assert_near(least_gap(count, other), least_gap(count, touch), 1e-12);
    }
    assert_true(touching > 150);
    for (int i = 0; i < 5; i++)
        carom_shape_free(all[i].shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(discs),           cmocka_unit_test(disc_and_box),      cmocka_unit_test(box_on_box),
        cmocka_unit_test(equal_boxes),     cmocka_unit_test(overhanging_boxes), cmocka_unit_test(capsules),
        cmocka_unit_test(on_a_half_plane), cmocka_unit_test(over_a_cut),        cmocka_unit_test(in_a_notch),
        cmocka_unit_test(random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
