/* How touches change when shapes move: every pair of shapes, at random poses, against central differences of the touches. */
#include <stddef.h>

#include "test/shape/make_shapes.h"

enum {
    ROOM = 64,
    SHAPES_MOST = 9,
    TRIES = 120
};

static const double small = 2e-5, margin = 0.3;

typedef struct tally {
    int compared, unknown;
    double worst;
} tally;

/* A pose that moves by s along a displacement and a turn about axes of space. */
static carom_pose moved_by(const carom_pose *from, const double way[6], double s)
{
    carom_pose to = *from;
    const double angle = s * sqrt(way[3] * way[3] + way[4] * way[4] + way[5] * way[5]), half = 0.5 * angle;
    const double factor = angle != 0.0 ? s * sin(half) / angle : 0.0;
    double r[9];
    rotation_of((double[4]){cos(half), factor * way[3], factor * way[4], factor * way[5]}, r);
    for (int i = 0; i < 3; i++) {
        to.x[i] += s * way[i];
        for (int j = 0; j < 3; j++)
            to.r[3 * i + j] =
                r[3 * i] * from->r[j] + r[3 * i + 1] * from->r[3 + j] + r[3 * i + 2] * from->r[6 + j];
    }
    return to;
}

/* Its derivative at s = 0: w x of every column. */
static carom_pose along_of(const carom_pose *from, const double way[6])
{
    carom_pose to = {.x = {way[0], way[1], way[2]}};
    const double *w = way + 3;
    for (int j = 0; j < 3; j++) {
        const double a[3] = {from->r[j], from->r[3 + j], from->r[6 + j]};
        to.r[j] = w[1] * a[2] - w[2] * a[1];
        to.r[3 + j] = w[2] * a[0] - w[0] * a[2];
        to.r[6 + j] = w[0] * a[1] - w[1] * a[0];
    }
    return to;
}

static const carom_touch *find(size_t count, const carom_touch *touch, const carom_touch *like)
{
    for (size_t i = 0; i < count; i++)
        if (touch[i].feature == like->feature && touch[i].way == like->way)
            return &touch[i];
    return NULL;
}

/* f' = (8 (f(s) - f(-s)) - (f(2s) - f(-2s))) / 12 s */
static const double place[] = {1.0, -1.0, 2.0, -2.0}, weight[] = {8.0, -8.0, -1.0, 1.0};
enum {
    PLACES = 4
};

static double apart(int numbers, size_t from, const carom_touch *const at[PLACES], const carom_touch *slope)
{
    double worst = 0.0;
    for (int k = 0; k < numbers; k++) {
        const size_t offset = from + (size_t)k * sizeof(double);
        const double exact = *(const double *)((const char *)slope + offset);
        double sum = 0.0;
        for (int i = 0; i < PLACES; i++)
            sum += weight[i] * *(const double *)((const char *)at[i] + offset);
        worst = fmax(worst, fabs(sum / (12.0 * small) - exact) / (1.0 + fabs(exact)));
    }
    return worst;
}

static void compare(int dim, const carom_shape *a, const carom_shape *b, const carom_pose pose[2],
                    double way[2][6], tally *found)
{
    static carom_touch near[PLACES][ROOM];
    const carom_shape *const shape[] = {a, b};
    const carom_pose along[] = {along_of(&pose[0], way[0]), along_of(&pose[1], way[1])};
    size_t nears[PLACES], count = 0;
    carom_collider *collider = NULL;
    const carom_touch *touch = NULL;
    for (int i = 0; i < PLACES; i++) {
        const carom_pose one = moved_by(&pose[0], way[0], place[i] * small),
                         other = moved_by(&pose[1], way[1], place[i] * small);
        nears[i] = touches_of(dim, a, &one, b, &other, margin, ROOM, near[i]);
    }
    WORKS(carom_collider_setup(dim, 2, shape, NULL, 0, NULL, margin, &collider, &error));
    WORKS(carom_collider_find(collider, pose, &touch, &count, &error));
    for (size_t i = 0; i < count; i++) {
        const carom_touch *at[PLACES];
        carom_touch slope;
        bool everywhere = true;
        for (int k = 0; k < PLACES; k++)
            everywhere = (at[k] = find(nears[k], near[k], &touch[i])) && everywhere;
        if (!carom_touch_along(collider, &touch[i], &pose[0], &pose[1], &along[0], &along[1], &slope)) {
            found->unknown++;
            continue;
        }
        if (!everywhere)
            continue;
        double worst = apart(1, offsetof(carom_touch, gap), at, &slope);
        worst = fmax(worst, apart(3, offsetof(carom_touch, normal), at, &slope));
        worst = fmax(worst, apart(3, offsetof(carom_touch, point_a), at, &slope));
        worst = fmax(worst, apart(3, offsetof(carom_touch, point_b), at, &slope));
        found->worst = fmax(found->worst, worst);
        found->compared++;
        if (worst > 1e-6)
            fail_msg("touch %llx, way %x: off by %g", (unsigned long long)touch[i].feature,
                     (unsigned)touch[i].way, worst);
    }
    carom_collider_free(collider);
}

static tally compare_many(int dim, const carom_shape *a, const carom_shape *b, carom_random *random)
{
    tally found = {0};
    for (int n = 0; n < TRIES; n++) {
        const carom_pose pose[] = {random_pose(random, dim, 0.2), random_pose(random, dim, 1.0)};
        double way[2][6] = {{0.0}};
        for (int s = 0; s < 2; s++)
            for (int k = 0; k < 6; k++)
                if (dim == CAROM_SPACE || k < 2 || k == 5)
                    way[s][k] = carom_random_uniform(random, -1.0, 1.0);
        compare(dim, a, b, pose, way, &found);
    }
    return found;
}

/* The first `solids` of them have an inside. */
static void all_pairs(int dim, int solids, int shapes, carom_shape *shape[])
{
    carom_random random = {20};
    for (int i = 0; i < solids; i++)
        for (int j = i; j < shapes; j++) {
            const tally one = compare_many(dim, shape[i], shape[j], &random),
                        other = compare_many(dim, shape[j], shape[i], &random);
            assert_true(one.compared >= 20 && other.compared >= 20);
            /* features of a deep overlap that are not told apart */
            assert_true(one.unknown * 50 <= one.compared && other.unknown * 50 <= other.compared);
        }
    for (int i = 0; i < shapes; i++) {
        assert_true(carom_shape_has_slopes(shape[i]));
        carom_shape_free(shape[i]);
    }
}

static void test_plane(void **state)
{
    (void)state;
    static const double five[] = {0.5, 0, 0.2, 0.5, -0.4, 0.3, -0.5, -0.3, 0.1, -0.5},
                        corner[] = {0, 0, 1, 0, 1, 0.4, 0.4, 0.4, 0.4, 1, 0, 1},
                        line[] = {-2, 0.3, -0.5, 0, 0.6, 0.1, 2, -0.2};
    carom_shape *shape[SHAPES_MOST] = {sphere_of(2, 0.4), box_of(2, 0.8, 0.5, 0), capsule_of(2, 0.2, 0.6),
                                       convex_of(2, 5, five)};
    WORKS(carom_shape_polygon(6, corner, &shape[4], &error));
    shape[5] = plane_of(2, 0.2, 1, 0, 0.1);
    WORKS(carom_shape_polyline(4, line, false, &shape[6], &error));
    all_pairs(2, 5, 7, shape);
}

static void test_space(void **state)
{
    (void)state;
    static const double five[] = {0, 0, 0.5, 0.5, 0, -0.2, -0.3, 0.5, -0.3, -0.4, -0.4, -0.2, 0.1, 0.2, -0.5},
                        corner[] = {-2, -2, 0, 2, -2, 0.2, 0.1, 0.2, 0.4, -2, 2, 0.1, 2, 2, 0};
    static const int triangle[] = {0, 1, 2, 1, 4, 2, 4, 3, 2, 3, 0, 2};
    carom_shape *shape[SHAPES_MOST] = {sphere_of(3, 0.4), box_of(3, 0.8, 0.5, 0.6), capsule_of(3, 0.2, 0.6),
                                       convex_of(3, 5, five), plane_of(3, 0.2, 0.1, 1, 0.1)};
    WORKS(carom_shape_mesh(5, corner, 4, triangle, &shape[5], &error));
    all_pairs(3, 4, 6, shape);
}

/* Boxes that lie on each other: the patch has all kinds of corners, and its normal is that of the first one. */
static void test_lying(void **state)
{
    (void)state;
    carom_shape *a = box_of(3, 1, 1, 1), *b = box_of(3, 1, 1, 1);
    tally found = {0};
    carom_random random = {21};
    for (int n = 0; n < 20; n++) {
        const carom_pose pose[] = {pose_at(0.1, 0.2, 0, 0),
                                   pose_at(carom_random_uniform(&random, -0.3, 0.3), 0, 1.0, 0.1 + 0.05 * n)};
        double way[2][6];
        for (int k = 0; k < 12; k++)
            way[k / 6][k % 6] = carom_random_uniform(&random, -1.0, 1.0);
        for (int k = 3; k < 5; k++) /* stay parallel, so that all corners stay */
            way[0][k] = way[1][k] = 0.0;
        compare(3, a, b, pose, way, &found);
    }
    assert_true(found.compared >= 60 && found.unknown == 0);
    carom_shape_free(a);
    carom_shape_free(b);
}

static void test_cylinder(void **state)
{
    (void)state;
    carom_shape *cylinder = cylinder_of(0.3, 1);
    assert_false(carom_shape_has_slopes(cylinder));
    carom_shape_free(cylinder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_space),
        cmocka_unit_test(test_lying),
        cmocka_unit_test(test_cylinder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
