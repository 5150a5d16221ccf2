/* Tangents and distances of level functions at single points. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "carom/model/level.h"
#include "test/near.h"

/* A sphere around the origin, as a model of one point in space with friction. */
static carom_model *sphere(void)
{
    carom_builder *b = carom_builder_create();
    const char *names[] = {"x", "y", "z"};
    for (int i = 0; i < 3; i++)
        carom_build_coordinate(b, names[i]);
    carom_build_kinetic(b, carom_build_formula(b, "(dot(x)^2 + dot(y)^2 + dot(z)^2)/2"));
    const int contact =
        carom_build_level(b, "sphere", carom_build_formula(b, "x^2 + y^2 + z^2 - 1"), 0, NULL);
    carom_build_friction(b, contact, carom_build_formula(b, "0.3"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

typedef struct frame_at {
    carom_arena *arena;
    carom_model_work *work;
    carom_contact_frame frame;
} frame_at;

static void open_frame(const carom_model *model, frame_at *at)
{
    at->arena = carom_arena_create();
    assert_int_equal(carom_model_work_create(model, NULL, &at->work, NULL), CAROM_OK);
    assert_true(carom_contact_frame_take(at->arena, model, &at->frame));
}

static void close_frame(frame_at *at)
{
    carom_model_work_free(at->work);
    carom_arena_free(at->arena);
}

/* n, t1, t2 are orthonormal on the sphere at q. */
static void is_orthonormal(frame_at *at, const double *q)
{
    at->work->model->ops->frame(at->work, 0, 0.0, q, &at->frame);
    const carom_row *row[] = {&at->frame.normal, &at->frame.tangent[0], &at->frame.tangent[1]};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++)
            assert_near(carom_row_product(row[i], row[k]), i == k, 1e-14);
}

static void frames_are_orthonormal_everywhere(void **state)
{
    (void)state;
    carom_model *model = sphere();
    frame_at at;
    open_frame(model, &at);
    carom_random random = {3};
    for (int i = 0; i < 200; i++) {
        double q[3], length = 0.0;
        for (int k = 0; k < 3; k++)
            q[k] = carom_random_uniform(&random, -1.0, 1.0);
        length = sqrt(carom_dot(3, q, q));
        for (int k = 0; k < 3; k++)
            q[k] /= length;
        is_orthonormal(&at, q);
    }
    /* at the direction opposite to the axis, and as near to it as numbers are */
    is_orthonormal(&at, (double[]){0.0, 0.0, -1.0});
    for (double aside = 1e-1; aside > 1e-170; aside *= 1e-3)
        is_orthonormal(&at, (double[]){aside, -0.5 * aside, -sqrt(1.0 - 1.25 * aside * aside)});
    close_frame(&at);
    carom_model_free(model);
}

/* Along great circles that stay clear of that direction: small steps turn the frame by small angles. */
static void frames_are_continuous(void **state)
{
    (void)state;
    carom_model *model = sphere();
    frame_at at;
    open_frame(model, &at);
    const double step = 1e-3;
    for (int circle = 0; circle < 2; circle++) {
        double before[3] = {0};
        for (int i = 0; i * step < 6.3; i++) {
            const double a = i * step, up = circle ? 0.8 * cos(a) : 0.0;
            const double radius = sqrt(1.0 - up * up);
            double now[3];
            at.work->model->ops->frame(at.work, 0, 0.0, (double[]){radius * sin(a), radius * cos(a), up},
                                       &at.frame);
            carom_row_spread(&at.frame.tangent[0], 3, now);
            for (int k = 0; i > 0 && k < 3; k++)
                assert_near(now[k], before[k], 10.0 * step);
            for (int k = 0; k < 3; k++)
                before[k] = now[k];
        }
    }
    close_frame(&at);
    carom_model_free(model);
}

/* Second order in the distance from the surface; finite in the middle. */
static void distances_are_right_to_first_order(void **state)
{
    (void)state;
    carom_model *model = sphere();
    frame_at at;
    open_frame(model, &at);
    for (double d = 1e-1; d > 1e-7; d /= 10.0) {
        double gap;
        model->ops->gaps(at.work, 0.0, (double[]){0.6 * (1.0 + d), 0.0, 0.8 * (1.0 + d)}, &gap);
        assert_near(gap, d, d * d);
    }
    double gap;
    model->ops->gaps(at.work, 0.0, (double[]){0.0, 0.0, 0.0}, &gap);
    assert_true(isfinite(gap) && gap < 0.0);
    close_frame(&at);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frames_are_orthonormal_everywhere),
        cmocka_unit_test(frames_are_continuous),
        cmocka_unit_test(distances_are_right_to_first_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
