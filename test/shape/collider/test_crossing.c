/* Bodies that pass through others within one step. */
#include "test/shape/make_shapes.h"

typedef struct scene {
    carom_collider *collider;
    const carom_shape *shape[3];
} scene;

static scene scene_of(int dim, carom_shape *a, carom_shape *b)
{
    scene s = {.shape = {a, b}};
    WORKS(carom_collider_setup(dim, 2, s.shape, NULL, 0, NULL, 0.01, &s.collider, &error));
    return s;
}

static void free_scene(scene *s)
{
    carom_collider_free(s->collider);
    carom_shape_free((carom_shape *)s->shape[0]);
    carom_shape_free((carom_shape *)s->shape[1]);
}

/* The part of the step, -1 without a crossing. */
static double crossing(scene *s, carom_pose a0, carom_pose a1, carom_pose b0, carom_pose b1)
{
    const carom_pose before[] = {a0, b0}, after[] = {a1, b1};
    int a = -1, b = -1;
    double part = NAN;
    if (!carom_collider_crossing(s->collider, before, after, &a, &b, &part))
        return -1.0;
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    assert_true(part >= 0.0 && part <= 1.0);
    return part;
}

static void through_walls(void **state)
{
    (void)state;
    const carom_pose origin = carom_pose_identity();
    for (int dim = 2; dim <= 3; dim++) {
        double wall2[] = {0, -2, 0, 0.1, 0, 2}, wall3[] = {0, -2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2};
        carom_shape *sheet = NULL;
        if (dim == 2)
            WORKS(carom_shape_polyline(3, wall2, false, &sheet, &error));
        else
            WORKS(carom_shape_mesh(4, wall3, 2, (int[]){0, 1, 2, 0, 2, 3}, &sheet, &error));
        carom_shape *const wall[] = {box_of(dim, 0.02, 4, 4), capsule_of(dim, 0.02, 3), sheet};
        const carom_pose turned = dim == 2 ? pose_at(0, 0, 0, 1.5707963267948966) : origin;
        for (int w = 0; w < 3; w++) {
            scene s = scene_of(dim, sphere_of(dim, 0.1), wall[w]);
            const carom_pose stand = w == 1 ? turned : origin;
            const carom_pose left = pose_at(-0.5, 0.05, 0, 0), right = pose_at(0.3, 0.05, 0, 0);
            /* Half of the ball, of radius 0.05, meets the wall; in space the capsule stands along z, 0.05 beside its way. */
            const double ahead[] = {0.06, dim == 2 ? 0.07 : sqrt(0.07 * 0.07 - 0.05 * 0.05), 0.05};
            assert_near(crossing(&s, left, right, stand, stand), (0.5 - ahead[w]) / 0.8, 1e-4);
            /* Slow, beside, or only up to it: nothing. */
            assert_true(crossing(&s, left, pose_at(-0.45, 0.05, 0, 0), stand, stand) == -1.0);
            assert_true(crossing(&s, left, pose_at(-0.12, 0.05, 0, 0), stand, stand) == -1.0);
            assert_true(crossing(&s, pose_at(-0.5, 2.5, 0, 0), pose_at(0.3, 2.5, 0, 0), stand, stand) ==
                        -1.0);
            assert_true(crossing(&s, left, pose_at(NAN, 0, 0, 0), stand, stand) == -1.0);
            /* The wall moves instead. */
            const carom_pose wall_left = pose_product(&left, &stand),
                             wall_right = pose_product(&right, &stand);
            assert_true(crossing(&s, pose_at(0, 0, 0, 0), pose_at(-0.8, 0, 0, 0), wall_left, wall_left) >=
                        0.0);
            if (w == 1)
                assert_true(crossing(&s, origin, origin, wall_left, wall_right) >= 0.0);
            free_scene(&s);
        }
    }
}

/* It rests at a thin plate and falls through: the touch it had is no excuse. */
static void from_rest(void **state)
{
    (void)state;
    scene s = scene_of(3, box_of(3, 0.2, 0.2, 0.1), cylinder_of(1, 0.01));
    const carom_pose origin = carom_pose_identity(), on = pose_at(0, 0, 0.055, 0),
                     below = pose_at(0, 0, -0.2, 0);
    assert_near(crossing(&s, on, below, origin, origin), (0.05 - 0.025) / 0.255, 1e-3);
    free_scene(&s);
}

/* It ends in the wall, from where the next step may leave on the other side; not when a touch on the way showed it. */
static void into_walls(void **state)
{
    (void)state;
    const carom_pose origin = carom_pose_identity(), left = pose_at(-1, 0, 0, 0), right = pose_at(1, 0, 0, 0);
    for (int dim = 2; dim <= 3; dim++) {
        scene s = scene_of(dim, sphere_of(dim, 0.1), box_of(dim, 0.02, 4, 4));
        assert_near(crossing(&s, left, origin, origin, origin), 1.0, 0.0);
        assert_true(crossing(&s, origin, right, origin, origin) == -1.0);
        const carom_touch *touch;
        size_t count;
        const double before_wall = -0.115, in_wall = -0.1;
        WORKS(carom_collider_find(s.collider, (carom_pose[]){pose_at(before_wall, 0, 0, 0), origin}, &touch,
                                  &count, &error));
        assert_int_equal(count, 1);
        assert_near(crossing(&s, left, origin, origin, origin), 1.0, 0.0);
        WORKS(carom_collider_find(s.collider, (carom_pose[]){pose_at(in_wall, 0, 0, 0), origin}, &touch,
                                  &count, &error));
        assert_true(crossing(&s, left, origin, origin, origin) == -1.0);
        free_scene(&s);
    }
}

/* Two bullets. */
static void each_other(void **state)
{
    (void)state;
    scene s = scene_of(3, sphere_of(3, 0.1), sphere_of(3, 0.1));
    const carom_pose left = pose_at(-1, 0, 0, 0), right = pose_at(1, 0, 0, 0), above = pose_at(1, 0, 0.3, 0);
    assert_near(crossing(&s, left, right, right, left), (2 - 0.15) / 4, 1e-4);
    assert_true(crossing(&s, left, above, above, left) >= 0.0);
    assert_true(crossing(&s, left, right, pose_at(1, 0, 0.3, 0), pose_at(-1, 0, 0.3, 0)) == -1.0);
    free_scene(&s);
}

/* A half-space shows what is in it; shapes of one group pass freely. */
static void nothing_to_say(void **state)
{
    (void)state;
    scene s = scene_of(3, sphere_of(3, 0.1), plane_of(3, 0, 0, 1, 0));
    const carom_pose origin = carom_pose_identity();
    assert_true(crossing(&s, pose_at(0, 0, 1, 0), pose_at(0, 0, -1, 0), origin, origin) == -1.0);
    free_scene(&s);
    carom_shape *ball = sphere_of(3, 0.1);
    const carom_shape *const shape[] = {ball, ball};
    carom_collider *collider = NULL;
    WORKS(carom_collider_setup(3, 2, shape, (int[]){4, 4}, 0, NULL, 0.0, &collider, &error));
    const carom_pose before[] = {pose_at(-1, 0, 0, 0), origin}, after[] = {pose_at(1, 0, 0, 0), origin};
    int a, b;
    double part;
    assert_false(carom_collider_crossing(collider, before, after, &a, &b, &part));
    carom_collider_free(collider);
    carom_shape_free(ball);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(through_walls), cmocka_unit_test(from_rest),      cmocka_unit_test(into_walls),
        cmocka_unit_test(each_other),    cmocka_unit_test(nothing_to_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
