#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/law.h"

static const carom_law_entry *find(const char *name)
{
    for (size_t i = 0; i < carom_law_count(); i++)
        if (strcmp(carom_law_at(i)->name, name) == 0)
            return carom_law_at(i);
    return NULL;
}

static void test_every_entry_is_complete_and_named_once(void **state)
{
    (void)state;
    assert_true(carom_law_count() > 0);
    for (size_t i = 0; i < carom_law_count(); i++) {
        const carom_law_entry *entry = carom_law_at(i);
        assert_true(strlen(entry->name) > 0 && strlen(entry->summary) > 0);
        assert_true(strcmp(entry->kind, "friction") == 0 || strcmp(entry->kind, "impact") == 0);
        assert_ptr_equal(find(entry->name), entry);
        /* the summary says how a model file writes it */
        if (strcmp(entry->kind, "friction") == 0)
            assert_true(strstr(entry->summary, "friction =") || strstr(entry->summary, "friction_force {"));
        else
            assert_true(strstr(entry->summary, "restitution =") || strstr(entry->summary, "impact_law ="));
    }
}

static void test_every_friction_shape_is_listed(void **state)
{
    (void)state;
    static const carom_friction_shape shape[] = {CAROM_FRICTION_ISOTROPIC, CAROM_FRICTION_ELLIPTIC,
                                                 CAROM_FRICTION_POLYGONAL, CAROM_FRICTION_ASYMMETRIC,
                                                 CAROM_FRICTION_WEAKENING};
    for (size_t i = 0; i < sizeof shape / sizeof *shape; i++) {
        const carom_law_entry *entry = find(carom_friction_shape_name(shape[i]));
        assert_non_null(entry);
        assert_string_equal(entry->kind, "friction");
    }
    assert_non_null(find("static-dynamic"));
    assert_non_null(find("newton"));
}

static void test_every_impact_law_is_listed(void **state)
{
    (void)state;
    for (size_t i = 0; i < carom_impact_law_count(); i++) {
        const carom_law_entry *entry = find(carom_impact_law_name(carom_impact_law_at(i)));
        assert_non_null(entry);
        assert_string_equal(entry->kind, "impact");
    }
}

static void test_there_is_nothing_beyond_the_end(void **state)
{
    (void)state;
    assert_null(carom_law_at(carom_law_count()));
    assert_null(carom_law_at(SIZE_MAX));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_entry_is_complete_and_named_once),
        cmocka_unit_test(test_every_friction_shape_is_listed),
        cmocka_unit_test(test_every_impact_law_is_listed),
        cmocka_unit_test(test_there_is_nothing_beyond_the_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
