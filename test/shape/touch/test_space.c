/* Touches of balls, capsules, boxes, hulls and half-spaces in space. */
#include "test/shape/make_shapes.h"

enum {
    ROOM = 32
};

static carom_touch touch[ROOM];

/* A box on a half-space has its four lower corners, on a wider box too, with the same numbers while it slides, turns about the
 * vertical and rocks. */
static void box_at_rest(void **state)
{
    (void)state;
    carom_shape *box = box_of(3, 1, 0.8, 0.6), *table = box_of(3, 4, 4, 1),
                *plane = plane_of(3, 0, 0, 1, 0.5);
    const carom_shape *const ground[] = {table, plane};
    const carom_pose origin = carom_pose_identity();
    for (int g = 0; g < 2; g++) {
        uint64_t feature[4] = {0};
        for (int i = 0; i < 200; i++) {
            carom_pose at = pose_at(0.5 * sin(0.03 * i), 0.4 * cos(0.02 * i), 0.8 - 1e-9, 0.05 * i);
            const double c = cos(2e-3 * sin(0.4 * i)), s = sin(2e-3 * sin(0.4 * i));
            const carom_pose tilt = {{0}, {c, 0, s, 0, 1, 0, -s, 0, c}};
            carom_pose tilted = pose_product(&at, &tilt);
            assert_int_equal(touches_of(3, box, &tilted, ground[g], &origin, 0.02, ROOM, touch), 4);
            for (int k = 0; k < 4; k++) {
                assert_near(touch[k].gap, touch[k].point_a[2] - 0.5, 1e-15);
                assert_all_near(3, touch[k].normal, ((double[]){0, 0, 1}), 1e-15);
                assert_true(i == 0 || touch[k].feature == feature[k]);
                feature[k] = touch[k].feature;
            }
        }
    }
    carom_shape_free(box);
    carom_shape_free(table);
    carom_shape_free(plane);
}

/* A prism of forty sides has eight points under its base, all around, and the same ones while it trembles; when it leans its lowest vertex is
 * among them. */
static void prism_of_many_sides(void **state)
{
    (void)state;
    enum {
        SIDES = 40
    };
    double xyz[6 * SIDES];
    for (int i = 0; i < 2 * SIDES; i++) {
        xyz[3 * i] = 0.5 * cos(2.0 * CAROM_PI * i / SIDES);
        xyz[3 * i + 1] = 0.5 * sin(2.0 * CAROM_PI * i / SIDES);
        xyz[3 * i + 2] = i < SIDES ? -0.5 : 0.5;
    }
    carom_shape *prism = convex_of(3, 2 * SIDES, xyz), *plane = plane_of(3, 0, 0, 1, 0.5),
                *table = box_of(3, 4, 4, 1);
    const carom_shape *const ground[] = {plane, table};
    const carom_pose origin = carom_pose_identity();
    carom_random random = {21};
    for (int g = 0; g < 2; g++) {
        uint64_t feature[8] = {0};
        for (int i = 0; i < 100; i++) {
            const double t = carom_random_uniform(&random, -1e-10, 1e-10), lean = 1e-3;
            const carom_pose at = {{0.1, 0.2, 1.0 - 1e-8}, {1, 0, t, 0, 1, -t, -t, t, 1}};
            assert_int_equal(touches_of(3, prism, &at, ground[g], &origin, 1e-3, ROOM, touch), 8);
            double around[4] = {0};
            for (int k = 0; k < 8; k++) {
                assert_near(touch[k].gap, -1e-8, 1e-9);
                assert_true(i == 0 || touch[k].feature == feature[k]);
                feature[k] = touch[k].feature;
                const double x = touch[k].point_a[0] - 0.1, y = touch[k].point_a[1] - 0.2;
                around[0] = fmax(around[0], x);
                around[1] = fmax(around[1], y);
                around[2] = fmax(around[2], -x);
                around[3] = fmax(around[3], -y);
            }
            for (int k = 0; k < 4; k++)
                assert_true(around[k] > 0.4);
            const carom_pose leans = {{0, 0, 1.0}, {1, 0, lean, 0, 1, 0, -lean, 0, 1}};
            const size_t count = touches_of(3, prism, &leans, ground[g], &origin, 1e-2, ROOM, touch);
            assert_near(least_gap(count, touch), -0.5 * lean, 1e-9);
        }
    }
    carom_shape_free(prism);
    carom_shape_free(plane);
    carom_shape_free(table);
}

/* Equal boxes in line, with rounding: always the same four, never an edge. */
static void equal_boxes(void **state)
{
    (void)state;
    carom_random random = {11};
    carom_shape *box = box_of(3, 1, 1, 1);
    const carom_pose below = carom_pose_identity();
    uint64_t feature[4] = {0};
    for (int i = 0; i < 300; i++) {
        const double e = 1e-10;
        carom_pose above =
            pose_at(carom_random_uniform(&random, -e, e), carom_random_uniform(&random, -e, e),
                    1.0 + carom_random_uniform(&random, -e, e), carom_random_uniform(&random, -e, e));
        const double t = carom_random_uniform(&random, -e, e);
        const carom_pose tilt = {{0}, {1, 0, t, 0, 1, 0, -t, 0, 1}};
        const carom_pose tilted = pose_product(&above, &tilt);
        assert_int_equal(touches_of(3, box, &below, box, &tilted, 1e-6, ROOM, touch), 4);
        for (int k = 0; k < 4; k++) {
            assert_all_near(3, touch[k].normal, ((double[]){0, 0, -1}), 1e-8);
            assert_true(i == 0 || touch[k].feature == feature[k]);
            feature[k] = touch[k].feature;
        }
    }
    carom_shape_free(box);
}

/* A cross of two long boxes: the four corners of the square that they have in common. */
static void crossed_boxes(void **state)
{
    (void)state;
    carom_shape *box = box_of(3, 4, 1, 1);
    const carom_pose below = carom_pose_identity(), above = pose_at(0.2, 0.1, 0.999, 1.5707963267948966);
    assert_int_equal(touches_of(3, box, &below, box, &above, 0.01, ROOM, touch), 4);
    for (int k = 0; k < 4; k++) {
        assert_near(touch[k].gap, -0.001, 1e-12);
        assert_near(fabs(touch[k].point_a[0] - 0.2), 0.5, 1e-12);
        assert_near(fabs(touch[k].point_a[1]), 0.5, 1e-12);
    }
    carom_shape_free(box);
}

/* Two edges that cross: one point, in closed form. */
static void crossed_edges(void **state)
{
    (void)state;
    carom_shape *box = box_of(3, 1, 1, 1);
    const double h = sqrt(0.5);
    /* One stands on an edge along y, the other hangs over it with an edge along x. */
    const carom_pose below = {{0}, {h, 0, h, 0, 1, 0, -h, 0, h}};
    for (int i = 0; i < 3; i++) {
        const double gap = 0.01 * (i - 1);
        const carom_pose above = {{0.1, 0.2, 2 * h + gap}, {1, 0, 0, 0, h, -h, 0, h, h}};
        assert_int_equal(touches_of(3, box, &below, box, &above, 0.02, ROOM, touch), 1);
        assert_near(touch->gap, gap, 1e-12);
        assert_all_near(3, touch->normal, ((double[]){0, 0, -1}), 1e-12);
        assert_all_near(2, touch->point_a, ((double[]){0, 0.2}), 1e-12);
    }
    carom_shape_free(box);
}

static void balls_and_boxes(void **state)
{
    (void)state;
    carom_shape *ball = sphere_of(3, 0.5), *box = box_of(3, 2, 2, 1);
    const carom_pose middle = carom_pose_identity();
    const double place[][4] = {{0.3, -0.4, 0.95, -0.05},
                               {1.3, 0.2, 0.9, 0.0},
                               {1.2, 1.2, 0.6, 0.3 - 0.5},
                               {0.0, 0.1, 0.4, -0.6},
                               {1.3, 0.9, 0.94, 0.03253}};
    for (int i = 0; i < 4; i++) {
        const carom_pose at = pose_at(place[i][0], place[i][1], place[i][2], 0.4);
        assert_int_equal(touches_of(3, ball, &at, box, &middle, 0.1, ROOM, touch), 1);
        assert_near(touch->gap, place[i][3], 1e-15);
        assert_int_equal(touches_of(3, box, &middle, ball, &at, 0.1, ROOM, touch), 1);
        assert_near(touch->gap, place[i][3], 1e-15);
    }
    const carom_pose one = pose_at(0, 0, 0, 0), two = pose_at(0.48, 0.6, 0.64, 0);
    assert_int_equal(touches_of(3, ball, &one, ball, &two, 0.1, ROOM, touch), 1);
    assert_near(touch->gap, 0.0, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){-0.48, -0.6, -0.64}), 1e-15);
    carom_shape_free(ball);
    carom_shape_free(box);
}

static void capsules(void **state)
{
    (void)state;
    carom_shape *capsule = capsule_of(3, 0.25, 1), *box = box_of(3, 3, 3, 1), *ball = sphere_of(3, 0.5);
    const carom_pose origin = carom_pose_identity();
    carom_pose at = pose_at(0.51, 0, 0.2, 0); /* side by side, 0.8 in common */
    assert_int_equal(touches_of(3, capsule, &at, capsule, &origin, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, 0.01, 1e-15);
    assert_near(fabs(touch[0].point_a[2] - touch[1].point_a[2]), 0.8, 1e-15);
    at = (carom_pose){{0.1, 0.49, 0.2}, {0, 0, 1, 0, 1, 0, -1, 0, 0}}; /* across */
    assert_int_equal(touches_of(3, capsule, &at, capsule, &origin, 0.02, ROOM, touch), 1);
    assert_near(touch[0].gap, -0.01, 1e-15);
    assert_all_near(3, touch->normal, ((double[]){0, 1, 0}), 1e-15);
    at.x[0] = at.x[1] = 0.0;
    at.x[2] = 0.745; /* lies on the box */
    assert_int_equal(touches_of(3, capsule, &at, box, &origin, 0.02, ROOM, touch), 2);
    assert_near(touch[0].gap, -0.005, 1e-15);
    assert_near(fabs(touch[0].point_a[0] - touch[1].point_a[0]), 1.0, 1e-15);
    at = pose_at(0.6, 0.4, 0.5, 0); /* beside a ball: (0.6, 0.4) away from the axis of the ball */
    assert_int_equal(touches_of(3, capsule, &at, ball, &origin, 0.02, ROOM, touch), 1);
    assert_near(touch[0].gap, sqrt(0.52) - 0.75, 1e-15);
    carom_shape_free(capsule);
    carom_shape_free(box);
    carom_shape_free(ball);
}

/* ---- against a search over all directions ---------------------------------------------------------------- */

typedef struct sample {
    carom_shape *shape;
    int points;
    double radius;
    const double *xyz;
} sample;

typedef struct cloud {
    int points;
    double radius, point[32][3];
} cloud;

static void place_cloud(const sample *s, const carom_pose *pose, cloud *c)
{
    c->points = s->points;
    c->radius = s->radius;
    for (int i = 0; i < s->points; i++)
        for (int k = 0; k < 3; k++)
            c->point[i][k] = pose->x[k] + pose->r[3 * k] * s->xyz[3 * i] +
                             pose->r[3 * k + 1] * s->xyz[3 * i + 1] + pose->r[3 * k + 2] * s->xyz[3 * i + 2];
}

/* What planes across d leave free between the two. */
static double free_along(const cloud *a, const cloud *b, const double d[3])
{
    double least = INFINITY, most = -INFINITY;
    for (int i = 0; i < a->points; i++)
        least = fmin(least, d[0] * a->point[i][0] + d[1] * a->point[i][1] + d[2] * a->point[i][2]);
    for (int i = 0; i < b->points; i++)
        most = fmax(most, d[0] * b->point[i][0] + d[1] * b->point[i][1] + d[2] * b->point[i][2]);
    return least - most - a->radius - b->radius;
}

static double unit_from(carom_random *random, const double middle[3], double width, double d[3])
{
    double square = 0.0;
    for (int k = 0; k < 3; k++) {
        d[k] = middle[k] + carom_random_uniform(random, -width, width);
        square += d[k] * d[k];
    }
    for (int k = 0; k < 3; k++)
        d[k] /= sqrt(square);
    return square;
}

/* The signed distance: from the best of many directions, closer and closer ones. */
static double separation_by_search(const cloud *a, const cloud *b)
{
    carom_random random = {1};
    double best[8], direction[8][3] = {{0}}, overall = -INFINITY;
    for (int start = 0; start < 8; start++) {
        best[start] = -INFINITY;
        for (int i = 0; i < 1000; i++) {
            double d[3];
            if (unit_from(&random, (double[3]){0}, 1.0, d) < 1e-4)
                continue;
            const double s = free_along(a, b, d);
            if (s > best[start]) {
                best[start] = s;
                memcpy(direction[start], d, sizeof d);
            }
        }
        double width = 0.1;
        for (int i = 0, idle = 0; width > 1e-10; i++) {
            double d[3];
            unit_from(&random, direction[start], width, d);
            const double s = free_along(a, b, d);
            if (s > best[start]) {
                best[start] = s;
                memcpy(direction[start], d, sizeof d);
                idle = 0;
            } else if (++idle > 40) {
                width *= 0.7;
                idle = 0;
            }
        }
        overall = fmax(overall, best[start]);
    }
    return overall;
}

static void random_pairs(void **state)
{
    (void)state;
    static double box[24], rock[60];
    static const double dot[] = {0, 0, 0}, segment[] = {0, 0, -0.4, 0, 0, 0.4},
                        wedge[] = {0.5, 0, 0, -0.5, 0.3, 0, -0.5, -0.4, 0.1, 0.2, 0.1, 0.7};
    carom_random random = {2};
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            box[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * (1.2 - 0.4 * k);
    for (int i = 0; i < 20; i++) {
        double d[3];
        unit_from(&random, (double[3]){0}, 1.0, d);
        for (int k = 0; k < 3; k++)
            rock[3 * i + k] = 0.6 * d[k];
    }
    const sample all[] = {{sphere_of(3, 0.4), 1, 0.4, dot},
                          {capsule_of(3, 0.2, 0.8), 2, 0.2, segment},
                          {box_of(3, 1.2, 0.8, 0.4), 8, 0.0, box},
                          {convex_of(3, 4, wedge), 4, 0.0, wedge},
                          {convex_of(3, 20, rock), 20, 0.0, rock}};
    int touching = 0, apart = 0;
    for (int trial = 0; trial < 500; trial++) {
        const sample *a = &all[trial % 5], *b = &all[trial / 5 % 5];
        const carom_pose pa = random_pose(&random, 3, 0.55), pb = random_pose(&random, 3, 0.55);
        cloud ca, cb;
        place_cloud(a, &pa, &ca);
        place_cloud(b, &pb, &cb);
        const double expected = separation_by_search(&ca, &cb);
        const size_t count = touches_of(3, a->shape, &pa, b->shape, &pb, 0.3, ROOM, touch);
        if (expected > 0.3 + 1e-6) {
            assert_int_equal(count, 0);
            continue;
        }
        touching += expected <= 0.0;
        apart += expected > 0.0;
        /* No direction leaves more free than the lowest gap, and its normal leaves it (or one nearby: faces are
         * preferred). */
        size_t lowest = 0;
        for (size_t k = 1; k < count; k++)
            lowest = touch[k].gap < touch[lowest].gap ? k : lowest;
        assert_true(count > 0);
        const double reached = fmax(expected, free_along(&ca, &cb, touch[lowest].normal));
        assert_near(reached, touch[lowest].gap, 1e-7);
        carom_touch other[ROOM];
        const size_t again = touches_of(3, b->shape, &pb, a->shape, &pa, 0.3, ROOM, other);
        assert_near(least_gap(again, other), least_gap(count, touch), 1e-9);
    }
    assert_true(touching > 100 && apart > 100);
    for (int i = 0; i < 5; i++)
        carom_shape_free(all[i].shape);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(box_at_rest),   cmocka_unit_test(prism_of_many_sides),
        cmocka_unit_test(equal_boxes),   cmocka_unit_test(crossed_boxes),
        cmocka_unit_test(crossed_edges), cmocka_unit_test(balls_and_boxes),
        cmocka_unit_test(capsules),      cmocka_unit_test(random_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
