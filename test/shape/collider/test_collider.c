/* Many shapes at once: the broad phase loses nothing, and what is found depends on the poses alone. */
#include "test/shape/make_shapes.h"

enum {
    SHAPES = 150
};

/* Discs, boxes and capsules of sizes from 0.02 to 2 in a square, and two half planes. */
static void make_scene(int dim, carom_shape **shape, int *group)
{
    carom_random random = {3};
    for (int i = 0; i < SHAPES; i++) {
        const double size = 0.02 * pow(100.0, carom_random_uniform(&random, 0.0, 1.0) * (i % 10 == 0));
        group[i] = i;
        if (dim == CAROM_SPACE && i % 7 == 3) {
            shape[i] = cylinder_of(size, 2 * size);
            continue;
        }
        switch (i % 3) {
        case 0:
            shape[i] = sphere_of(dim, size);
            break;
        case 1:
            shape[i] = box_of(dim, 3 * size, size, 2 * size);
            break;
        default:
            shape[i] = capsule_of(dim, size, 2 * size);
        }
    }
    carom_shape_free(shape[0]);
    carom_shape_free(shape[SHAPES - 1]);
    shape[0] = plane_of(dim, 1, 0, 0, -1.0);
    shape[SHAPES - 1] = plane_of(dim, 0, 1, 0, -1.0);
    group[0] = group[SHAPES - 1] = group[50] = -1;
    group[20] = group[30] = 1000;
}

static void random_poses(carom_random *random, int dim, carom_pose *pose)
{
    for (int i = 0; i < SHAPES; i++)
        pose[i] = i == 0 || i == SHAPES - 1 ? carom_pose_identity() : random_pose(random, dim, 1.0);
}

static size_t all_touches(carom_collider *collider, const carom_pose *pose, const carom_touch **touch)
{
    size_t count = 0;
    WORKS(carom_collider_find(collider, pose, touch, &count, &error));
    return count;
}

/* Pair by pair gives the same, to the last bit. */
static void nothing_is_lost(void **state)
{
    const int dim = *(const int *)*state;
    carom_shape *shape[SHAPES];
    int group[SHAPES];
    const int apart[][2] = {{40, 7}, {8, 60}, {50, 7}};
    carom_collider *collider = NULL;
    carom_pose pose[SHAPES];
    carom_random random = {99};
    make_scene(dim, shape, group);
    WORKS(carom_collider_setup(dim, SHAPES, (const carom_shape *const *)shape, group, 3, apart, 0.01,
                               &collider, &error));
    random_poses(&random, dim, pose);
    for (int step = 0; step < 30; step++) {
        if (step == 25)
            random_poses(&random, dim, pose);
        for (int i = 1; i + 1 < SHAPES; i++) {
            pose[i].x[0] += carom_random_uniform(&random, -1e-3, 1e-3) * (i % 7 == step % 7 ? 30.0 : 1.0);
            pose[i].x[1] += carom_random_uniform(&random, -1e-3, 1e-3);
        }
        if (step == 20)
            pose[0].x[0] += 0.25; /* the wall moves */
        if (step == 22)
            pose[33].x[0] = NAN;
        const carom_touch *touch = NULL;
        const size_t count = all_touches(collider, pose, &touch);
        size_t place = 0;
        if (step % 6 != 0 && step != 20 && step != 22 && step != 25)
            continue;
        for (int a = 0; a < SHAPES; a++)
            for (int b = a + 1; b < SHAPES; b++) {
                if (group[a] == group[b] || (a == 7 && (b == 40 || b == 50)) || (a == 8 && b == 60))
                    continue;
                carom_touch pair[64];
                const size_t own = touches_of(dim, shape[a], &pose[a], shape[b], &pose[b], 0.01, 64, pair);
                for (size_t k = 0; k < own; k++, place++) {
                    assert_true(place < count);
                    pair[k].a = a;
                    pair[k].b = b;
                    assert_memory_equal(&touch[place], &pair[k], sizeof *pair);
                }
            }
        assert_int_equal(place, count);
        assert_true(count > 50);
    }
    carom_collider_free(collider);
    for (int i = 0; i < SHAPES; i++)
        carom_shape_free(shape[i]);
}

static int by_gap(const void *a, const void *b)
{
    const carom_touch *x = a, *y = b;
    return x->gap < y->gap ? -1 : x->gap > y->gap;
}

/* The whole scene turned, moved, and in the other order: the same gaps. */
static void turned_and_renumbered(void **state)
{
    const int dim = *(const int *)*state;
    carom_shape *shape[SHAPES];
    const carom_shape *reversed[SHAPES];
    int group[SHAPES];
    carom_collider *collider = NULL, *other = NULL;
    carom_pose pose[SHAPES], turned[SHAPES];
    carom_random random = {5};
    make_scene(dim, shape, group);
    for (int i = 0; i < SHAPES; i++)
        reversed[i] = shape[SHAPES - 1 - i];
    WORKS(carom_collider_setup(dim, SHAPES, (const carom_shape *const *)shape, NULL, 0, NULL, 0.01, &collider,
                               &error));
    WORKS(carom_collider_setup(dim, SHAPES, reversed, NULL, 0, NULL, 0.01, &other, &error));
    for (int round = 0; round < 5; round++) {
        random_poses(&random, dim, pose);
        const carom_pose turn = random_pose(&random, dim, 3.0);
        for (int i = 0; i < SHAPES; i++)
            turned[SHAPES - 1 - i] = pose_product(&turn, &pose[i]);
        const carom_touch *touch = NULL, *again = NULL;
        const size_t count = all_touches(collider, pose, &touch);
        assert_int_equal(all_touches(other, turned, &again), count);
        carom_touch *one = malloc(count * sizeof *one), *two = malloc(count * sizeof *two);
        memcpy(one, touch, count * sizeof *one);
        memcpy(two, again, count * sizeof *two);
        qsort(one, count, sizeof *one, by_gap);
        qsort(two, count, sizeof *two, by_gap);
        for (size_t k = 0; k < count; k++)
            assert_near(one[k].gap, two[k].gap, 1e-12);
        free(one);
        free(two);
    }
    carom_collider_free(collider);
    carom_collider_free(other);
    for (int i = 0; i < SHAPES; i++)
        carom_shape_free(shape[i]);
}

static void refusals(void **state)
{
    (void)state;
    carom_shape *disc = sphere_of(CAROM_PLANE, 1.0);
    const carom_shape *const shape[] = {disc, disc};
    const int apart[][2] = {{0, 2}};
    carom_collider *collider = NULL;
    carom_error error = {0};
    assert_int_equal(carom_collider_setup(3, 2, shape, NULL, 0, NULL, 0.1, &collider, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "shape 0 is none of the space"));
    assert_int_equal(carom_collider_setup(2, 2, shape, NULL, 1, apart, 0.1, &collider, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "(0, 2); there are shapes 0 to 1"));
    assert_int_equal(carom_collider_setup(2, 2, shape, NULL, 0, NULL, -0.1, &collider, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "margin -0.1"));
    assert_int_equal(carom_collider_setup(4, 2, shape, NULL, 0, NULL, 0.1, &collider, &error),
                     CAROM_BAD_INPUT);
    assert_null(collider);
    carom_collider_free(NULL);
    carom_shape_free(NULL);
    carom_shape_free(disc);
}

static void an_empty_scene(void **state)
{
    (void)state;
    carom_collider *collider = NULL;
    const carom_touch *touch = NULL;
    WORKS(carom_collider_setup(2, 0, NULL, NULL, 0, NULL, 0.0, &collider, &error));
    assert_int_equal(all_touches(collider, NULL, &touch), 0);
    carom_collider_free(collider);
}

int main(void)
{
    static const int plane = CAROM_PLANE, space = CAROM_SPACE;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(nothing_is_lost, (void *)&plane),
        cmocka_unit_test_prestate(turned_and_renumbered, (void *)&plane),
        cmocka_unit_test_prestate(nothing_is_lost, (void *)&space),
        cmocka_unit_test_prestate(turned_and_renumbered, (void *)&space),
        cmocka_unit_test(refusals),
        cmocka_unit_test(an_empty_scene),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
