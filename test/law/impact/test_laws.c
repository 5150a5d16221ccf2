/* The registry of impact laws, options by name, and a law of one's own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/law.h"

static void test_every_law_is_complete_and_named_once(void **state)
{
    (void)state;
    assert_true(carom_impact_law_count() >= 5);
    for (size_t i = 0; i < carom_impact_law_count(); i++) {
        const carom_impact_law_ops *law = carom_impact_law_at(i);
        assert_true(strlen(law->name) > 0 && strlen(law->summary) > 20);
        /* says how a model file writes it */
        assert_true(strstr(law->usage, "restitution =") || strstr(law->usage, "impact_law ="));
        assert_ptr_equal(carom_impact_law_find(law->name, NULL), law);
        assert_true(law->option_count <= CAROM_IMPACT_OWN_OPTIONS);
        for (int o = 0; o < law->option_count; o++)
            assert_true(strlen(law->options[o].doc) > 0);
    }
    assert_null(carom_impact_law_at(carom_impact_law_count()));
    assert_null(carom_impact_law_at(SIZE_MAX));
}

static void test_rules_of_schemes_say_how_to_write_them(void **state)
{
    (void)state;
    assert_true(carom_impact_rule_count() > 0);
    for (size_t i = 0; i < carom_impact_rule_count(); i++)
        assert_non_null(strstr(carom_impact_rule_at(i)->usage, "restitution ="));
    assert_null(carom_impact_rule_at(carom_impact_rule_count()));
}

static void test_unknown_law_teaches(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_null(carom_impact_law_find("newtn", &error));
    assert_non_null(strstr(error.text, "did you mean 'newton'"));
}

static void test_options_by_name(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_impact_options options = carom_impact_defaults();
    options.allow_gain = true;
    const carom_option list[] = {{"method", .word = "impulse"}, {"step", 0.25, NULL}, {0}};
    assert_int_equal(carom_impact_options_resolve(&carom_impact_lzb, list, &options, &error), CAROM_OK);
    assert_int_equal(options.method, CAROM_LZB_IMPULSE);
    assert_true(options.step == 0.25);
    assert_int_equal(options.max_steps, 100000000);
    assert_true(options.allow_gain);
    const carom_option order[] = {{"order", .word = "rl"}, {"once", 1.0, NULL}, {0}};
    assert_int_equal(carom_impact_options_resolve(&carom_impact_binary, order, &options, &error), CAROM_OK);
    assert_int_equal(options.order, CAROM_ORDER_RIGHT_LEFT);
    assert_true(options.one_sweep);
    assert_int_equal(options.seed, 1);
    const carom_option wrong[] = {{"ordre", .word = "rl"}, {0}};
    assert_int_equal(carom_impact_options_resolve(&carom_impact_binary, wrong, &options, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "did you mean 'order'"));
    assert_int_equal(carom_impact_options_resolve(&carom_impact_poisson, NULL, &options, &error), CAROM_OK);
}

/* ---- a law of one's own: a share of the impulse that stops each contact alone ------------------------- */

static const carom_option_info share_options[] = {{"share", 0.5, 0.0, 1.0, NULL, "of the impulse", NULL}};

static size_t no_work(const carom_impact_sizes *sizes)
{
    (void)sizes;
    return 1;
}

static carom_status solve_share(const carom_contact_space *space, const carom_impact_options *options,
                                double *work, carom_impact_result *result, carom_error *error)
{
    (void)work;
    (void)error;
    for (int i = 0; i < space->contacts; i++)
        if (space->gamma[i] < 0.0)
            result->impulse[i] = -options->own[0] * space->gamma[i] / space->entry[space->diagonal[i]];
    result->word = CAROM_IMPACT_OK;
    return CAROM_OK;
}

static const carom_impact_law_ops law_share = {
    .name = "share",
    .summary = "a share of the impulse that stops a contact",
    .usage = "of a test: impact_law = \"share\"",
    .option_count = 1,
    .options = share_options,
    .work_size = no_work,
    .solve = solve_share,
};

static void test_own_law(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_impact_law_ops incomplete = law_share;
    incomplete.solve = NULL;
    assert_int_equal(carom_impact_law_register(&incomplete, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_impact_law_register(&law_share, &error), CAROM_OK);
    assert_int_equal(carom_impact_law_register(&law_share, &error), CAROM_BAD_INPUT);
    const carom_impact_law_ops *law = carom_impact_law_find("share", &error);
    assert_ptr_equal(law, &law_share);

    /* A mass of 2 comes with speed 3. */
    double velocity = 0.0, impulse = 0.0;
    const carom_impact impact = {.coordinates = 1,
                                 .contacts = 1,
                                 .masses = (const double[]){2.0},
                                 .column_start = (const int[]){0, 1},
                                 .row = (const int[]){0},
                                 .value = (const double[]){1.0},
                                 .velocity = (const double[]){-3.0},
                                 .restitution = (const double[]){0.0}};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_options options = carom_impact_defaults();
    carom_impact_result result = {.velocity = &velocity, .impulse = &impulse};
    carom_impact_work *work = NULL;
    const carom_option list[] = {{"share", 0.75, NULL}, {0}};
    assert_int_equal(carom_impact_work_create(law, &sizes, &work, &error), CAROM_OK);
    assert_int_equal(carom_impact_options_resolve(law, list, &options, &error), CAROM_OK);
    assert_int_equal(carom_impact_solve(work, &impact, &options, &result, &error), CAROM_OK);
    assert_true(impulse == 4.5 && velocity == -0.75);
    assert_false(result.kinematic); /* the proof is not the law's */
    assert_true(result.energetic);
    carom_impact_work_free(work);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_law_is_complete_and_named_once),
        cmocka_unit_test(test_rules_of_schemes_say_how_to_write_them),
        cmocka_unit_test(test_unknown_law_teaches),
        cmocka_unit_test(test_options_by_name),
        cmocka_unit_test(test_own_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
