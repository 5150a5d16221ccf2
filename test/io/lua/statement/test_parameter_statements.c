#include <math.h>
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

static const char small_script[] = "local x = coordinates('x')\n"
                                   "kinetic(dot(x)^2 / 2)\n"
                                   "integrate { h = 0.1, until_t = 1 }\n";

static const carom_plot *plot_named(const carom_experiment *experiment, const char *name)
{
    for (int i = 0; i < experiment->plot_count; i++)
        if (strcmp(experiment->plot[i].name, name) == 0)
            return &experiment->plot[i];
    return NULL;
}

static char name_e[] = "e", name_n[] = "n", name_shape[] = "shape", name_mu[] = "mu";

static carom_experiment *load_with(const char *variant, int count, const carom_override *override)
{
    return load_good(&(carom_load_request){.file = script_name,
                                           .text = complete_script,
                                           .variant = variant,
                                           .override_count = count,
                                           .override = override});
}

static double force_on_x(const carom_experiment *e)
{
    carom_model_work *work = e->model->ops->work_create(e->model);
    double force[2];
    e->model->ops->bind(work, e->parameter);
    e->model->ops->force(work, 0.0, (const double[]){0, 0}, (const double[]){0, 0}, force);
    e->model->ops->work_free(work);
    return force[0];
}

static void test_overrides_reach_parameters_and_settings(void **state)
{
    (void)state;
    char quarter[] = "0.25", four[] = "4", steep[] = "steep", one[] = "1";
    carom_experiment *e = load_with(NULL, 0, NULL);
    assert_string_equal(e->name, script_name); /* without a name the file is shown */
    assert_true(force_on_x(e) == 3.0 * (1 + 2 + 3));
    carom_experiment_free(e);
    const carom_override set[] = {
        {name_e, one}, {name_n, four}, {name_shape, steep}, {name_e, quarter}}; /* the last one wins */
    e = load_with(NULL, 4, set);
    assert_true(e->parameter[0] == 0.25);
    assert_true(e->model->parameter[0].value == 0.5); /* the default stays */
    assert_true(e->setting[0].number == 4.0);
    assert_true(force_on_x(e) == 3.0 * (1 + 2 + 3 + 4)); /* the loop ran with the new value */
    carom_model_work *work = e->model->ops->work_create(e->model);
    double gap[2];
    e->model->ops->bind(work, e->parameter);
    e->model->ops->gaps(work, 0.0, (const double[]){1, 0}, gap);
    assert_true(fabs(gap[0] + 2.0 / sqrt(5.0)) <= 1e-15); /* of one point with friction: a distance */
    e->model->ops->work_free(work);
    carom_experiment_free(e);
}

static void test_wrong_overrides_are_refused(void **state)
{
    (void)state;
    char name_k[] = "k", name_x[] = "x", name_nu[] = "nu", bad[] = "2.5", word[] = "fast", high[] = "101";
    const struct {
        carom_override override;
        const char *word;
    } cases[] = {
        {{name_e, bad}, "out of range"},        {{name_e, word}, "not a number"},
        {{name_k, bad}, "whole number"},        {{name_n, bad}, "whole number"},
        {{name_n, word}, "not a number"},       {{name_n, high}, "100"},
        {{name_shape, word}, "flat, steep"},    {{name_x, high}, "unknown"},
        {{name_nu, high}, "did you mean 'mu'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        carom_experiment *e = NULL;
        carom_error error = {0};
        const carom_load_request request = {.file = script_name,
                                            .text = complete_script,
                                            .override_count = 1,
                                            .override = &cases[i].override};
        assert_int_equal(carom_experiment_load(&request, &e, &error), CAROM_BAD_INPUT);
        assert_null(e);
        if (!strstr(error.text, cases[i].word) || !strstr(error.text, cases[i].override.name))
            fail_msg("case %zu: %s", i, error.text);
    }
}

static void test_variants(void **state)
{
    (void)state;
    carom_experiment *e = load_with(NULL, 0, NULL);
    assert_int_equal(e->variant_count, 3);
    assert_string_equal(e->variants[0].name, "bouncy");
    assert_string_equal(e->variants[0].doc, "more restitution");
    assert_int_equal(e->variants[0].override_count, 2);
    assert_string_equal(e->variants[0].override[0].name, "e");
    assert_int_equal(e->variants[1].override_count, 1); /* family is no override */
    carom_experiment_free(e);

    e = load_with("bouncy", 0, NULL);
    assert_string_equal(e->variant, "bouncy");
    assert_true(e->parameter[0] == 0.9 && e->setting[0].number == 5.0);
    assert_true(force_on_x(e) == 3.0 * (1 + 2 + 3 + 4 + 5));
    assert_int_equal(e->family_size, 3);
    carom_experiment_free(e);

    char two[] = "2", tenth[] = "0.1";
    const carom_override set[] = {{name_n, two}, {name_mu, tenth}}; /* stronger than the variant */
    e = load_with("bouncy", 2, set);
    assert_true(e->parameter[0] == 0.9 && e->parameter[1] == 0.1 && e->setting[0].number == 2.0);
    carom_experiment_free(e);

    e = load_with("steep", 0, NULL);
    assert_non_null(plot_named(e, "steep-only"));
    assert_int_equal(e->family_size, 2);
    assert_int_equal(e->axis_count, 1);
    assert_string_equal(e->axis[0].name, "mu");
    carom_experiment_free(e);

    e = load_with("alone", 0, NULL);
    assert_int_equal(e->family_size, 0);
    carom_experiment_free(e);

    carom_error error = {0};
    const carom_load_request request = {.file = script_name, .text = complete_script, .variant = "boncy"};
    assert_int_equal(carom_experiment_load(&request, &e, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, script_name));
    assert_non_null(strstr(error.text, "bouncy, steep, alone"));
}

static void test_a_variant_with_a_wrong_value_is_named(void **state)
{
    (void)state;
    char text[400];
    snprintf(text, sizeof text,
             "param { 'p', 1, max = 2 }\nvariant { 'far', p = 3 }\nvariant { 'odd', zz = 3 }\n%s",
             small_script);
    static const struct {
        const char *variant, *word;
    } cases[] = {{"far", "out of range"}, {"odd", "'zz'"}};
    for (int i = 0; i < 2; i++) {
        carom_experiment *e;
        carom_error error = {0};
        const carom_load_request request = {.file = script_name, .text = text, .variant = cases[i].variant};
        assert_int_equal(carom_experiment_load(&request, &e, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, script_name));
        assert_non_null(strstr(error.text, cases[i].variant));
        assert_non_null(strstr(error.text, cases[i].word));
    }
}

static void test_families(void **state)
{
    (void)state;
    carom_experiment *e = load_with(NULL, 0, NULL);
    assert_int_equal(e->family_size, 3);
    assert_int_equal(e->axis_count, 2);
    assert_string_equal(e->axis[0].name, "e");
    assert_string_equal(e->axis[1].name, "scheme");
    double value;
    assert_true(carom_parse_number(e->axis[0].value[0], &value) && value == 0.1); /* the same bits */
    assert_string_equal(e->axis[1].value[1], "elast");
    carom_experiment_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overrides_reach_parameters_and_settings),
        cmocka_unit_test(test_wrong_overrides_are_refused),
        cmocka_unit_test(test_variants),
        cmocka_unit_test(test_a_variant_with_a_wrong_value_is_named),
        cmocka_unit_test(test_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
