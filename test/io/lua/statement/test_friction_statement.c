#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

static void test_forms_of_friction(void **state)
{
    (void)state;
    static const struct {
        const char *slip, *friction;
        carom_friction_law law;
        double coefficient[8];
    } forms[] = {
        {"dot(x)", "0.3", {.dynamic_cone = {&carom_friction_isotropic, 1}}, {0.3}},
        {"{ dot(x) }", "m * 2", {.dynamic_cone = {&carom_friction_isotropic, 1}}, {1.0}},
        {"{ dot(x), dot(y) }", "m", {.dynamic_cone = {&carom_friction_isotropic, 1}}, {0.5}},
        {"{ dot(x), dot(y) }",
         "{ ellipse = { 0.5, 0.25 } }",
         {.dynamic_cone = {&carom_friction_elliptic, 2}},
         {0.5, 0.25}},
        {"{ dot(x), dot(y) }",
         "{ ellipse = { 0.5, 0.25 }, axes = -m }",
         {.dynamic_cone = {&carom_friction_elliptic, 3}},
         {0.5, 0.25, -0.5}},
        {"{ dot(x), dot(y) }",
         "{ ellipse = { 0.5, 0.25 }, slip_potential = { m, 1 } }",
         {.dynamic_cone = {&carom_friction_elliptic, 5}},
         {0.5, 0.25, 0, 0.5, 1}},
        {"{ dot(x), dot(y) }",
         "{ static = { ellipse = { 0.6, 0.3 }, axes = 0.2, slip_potential = { 2, 1 } }, dynamic = m }",
         {true, {&carom_friction_elliptic, 5}, {&carom_friction_isotropic, 1}},
         {0.6, 0.3, 0.2, 2, 1, 0.5}},
        {"{ dot(x), dot(y) }",
         "{ polygon = { { 1, 0 }, { 0, 1 }, { -1, -1 } } }",
         {.dynamic_cone = {&carom_friction_polygonal, 6}},
         {1, 0, 0, 1, -1, -1}},
        {"dot(x)",
         "{ backward = 0.3, forward = m }",
         {.dynamic_cone = {&carom_friction_asymmetric, 2}},
         {0.3, 0.5}},
        {"dot(x)",
         "{ static = 0.6, dynamic = 0.4 }",
         {true, {&carom_friction_isotropic, 1}, {&carom_friction_isotropic, 1}},
         {0.6, 0.4}},
        {"dot(x)",
         "{ static = { backward = 1, forward = 2 }, dynamic = 0.4 }",
         {true, {&carom_friction_asymmetric, 2}, {&carom_friction_isotropic, 1}},
         {1, 2, 0.4}},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local m = param('m', 0.5) local x, y, z = coordinates('x', 'y', 'z') mass(1)\n"
                 "contact { 'c', gap = z, slip = %s, friction = %s } integrate { h = 1, until_t = 1 }",
                 forms[i].slip, forms[i].friction);
        carom_experiment *e = load_good_text(text);
        const carom_contact_info *info = &e->model->contact[0];
        assert_int_equal(info->friction.two_level, forms[i].law.two_level);
        assert_ptr_equal(info->friction.dynamic_cone.shape, forms[i].law.dynamic_cone.shape);
        assert_ptr_equal(info->friction.static_cone.shape, forms[i].law.static_cone.shape);
        assert_int_equal(info->coefficients, carom_friction_law_coefficients(&forms[i].law));
        carom_arena *arena = carom_arena_create();
        carom_contact_frame frame;
        carom_model_work *work = e->model->ops->work_create(e->model);
        assert_true(carom_contact_frame_take(arena, e->model, &frame));
        e->model->ops->bind(work, e->parameter);
        e->model->ops->frame(work, 0, 0.0, (const double[]){0, 0, 0}, &frame);
        for (int c = 0; c < info->coefficients; c++)
            assert_true(frame.coefficients[c] == forms[i].coefficient[c]);
        e->model->ops->work_free(work);
        carom_arena_free(arena);
        carom_experiment_free(e);
    }
}

static void test_bad_ellipses(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"{ axes = 1, polygon = { { 1, 0 }, { 0, 1 }, { -1, -1 } } }", "axes goes with ellipse"},
        {"{ slip_potential = { 1, 1 } }", "slip_potential goes with ellipse"},
        {"{ ellipse = { 1, 1 }, slip_potential = 1 }", "slip_potential takes two coefficients"},
        {"{ ellipse = { 1, 1 }, slip_potential = { 1 } }", "slip_potential takes two coefficients"},
        {"{ ellipse = { 1, 1 }, axes = 'x' }", "the angle of the axes of the friction ellipse"},
        {"{ ellipse = { 1, 1 }, axis = 1 }", "did you mean 'axes'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local x, y, z = coordinates('x', 'y', 'z') mass(1) "
                 "contact { 'c', gap = z, slip = { dot(x), dot(y) }, friction = %s }",
                 cases[i][0]);
        check_refused(text, 1, cases[i][1], NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_forms_of_friction),
        cmocka_unit_test(test_bad_ellipses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
