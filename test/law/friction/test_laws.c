/* The registry of friction laws, and a law of one's own. */
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
    assert_true(carom_friction_law_count() >= 6);
    for (size_t i = 0; i < carom_friction_law_count(); i++) {
        const carom_friction_law_ops *law = carom_friction_law_at(i);
        assert_true(strlen(law->name) > 0);
        assert_ptr_equal(carom_friction_law_find(law->name, NULL), law);
        /* says how a model file writes it */
        assert_true(strstr(law->usage, "friction =") || strstr(law->usage, "friction_force {"));
        for (const carom_friction_key *key = law->keys; key && key->name; key++) {
            assert_true(strlen(key->doc) > 0 && strlen(key->what) > 0);
            assert_ptr_equal(strstr(key->example, key->name), key->example);
        }
        assert_true(law->set || law == &carom_friction_static_dynamic);
    }
    assert_null(carom_friction_law_at(carom_friction_law_count()));
    assert_null(carom_friction_law_at(SIZE_MAX));
}

static void test_unknown_law_teaches(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_null(carom_friction_law_find("eliptic", &error));
    assert_non_null(strstr(error.text, "did you mean 'elliptic'"));
}

/* One slip component, a bound in one direction only. */
static carom_planar_set one_way_set(int count, const double *c, int tangents)
{
    (void)count;
    (void)tangents;
    return (carom_planar_set){.kind = CAROM_PLANAR_INTERVAL, .a = 0.0, .b = c[0]};
}

static const carom_friction_key one_way_keys[] = {
    {"one_way", CAROM_FRICTION_NUMBER, true, 0.0, "one_way = 0.3", "one_way", "coefficient"},
    {0},
};

static const carom_friction_law_ops one_way = {
    .name = "one-way",
    .usage = "of a test: friction = { one_way = 0.3 }",
    .keys = one_way_keys,
    .tangents_min = 1,
    .tangents_max = 1,
    .coefficients = 1,
    .set = one_way_set,
};

static void test_own_law(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_friction_law_ops incomplete = one_way;
    incomplete.set = NULL;
    assert_int_equal(carom_friction_law_register(&incomplete, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_friction_law_register(&one_way, &error), CAROM_OK);
    assert_int_equal(carom_friction_law_register(&one_way, &error), CAROM_BAD_INPUT);
    const carom_friction_law law = {.dynamic_cone = {carom_friction_law_find("one-way", &error), 1}};
    const double mu = 0.3, negative = -1.0;
    assert_int_equal(carom_friction_law_check(&law, &mu, 1, "c", &error), CAROM_OK);
    assert_int_equal(carom_friction_law_check(&law, &negative, 1, "c", &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_friction_law_check(&law, &mu, 2, "c", &error), CAROM_BAD_INPUT);
    const carom_planar_set set = carom_friction_law_set(&law, &mu, 1, false);
    assert_true(set.a == 0.0 && set.b == 0.3);
    assert_true(carom_friction_law_acts(&law, &mu));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_law_is_complete_and_named_once),
        cmocka_unit_test(test_unknown_law_teaches),
        cmocka_unit_test(test_own_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
