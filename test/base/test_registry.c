/* Registries: tables by name, and what is added while the program runs. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "carom/base.h"

typedef struct fruit {
    const char *name;
    int seeds;
} fruit;

const fruit fruit_apple = {"apple", 5};
const fruit fruit_pear = {"pear", 7};

#define FRUITS(ENTRY) ENTRY(fruit_apple) ENTRY(fruit_pear)
#define CAROM_REGISTRY_TYPE const fruit
CAROM_REGISTRY(fruits, "fruit", FRUITS);

static void test_table(void **state)
{
    (void)state;
    carom_registry registry = fruits;
    assert_int_equal(carom_registry_count(&registry), 2);
    assert_ptr_equal(carom_registry_at(&registry, 1), &fruit_pear);
    assert_null(carom_registry_at(&registry, 2));
    assert_string_equal(carom_registry_name_at(&registry, 0), "apple");
    assert_int_equal(carom_registry_index(&registry, "pear"), 1);
    assert_int_equal(carom_registry_index(&registry, "Pear"), -1);
    registry.any_case = true;
    assert_int_equal(carom_registry_index(&registry, "Pear"), 1);
    carom_text text = {0};
    carom_registry_append_names(&registry, " | ", &text);
    assert_string_equal(text.bytes, "apple | pear");
    carom_text_free(&text);
}

static void test_unknown_name_teaches(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_null(carom_registry_find(&fruits, "aple", &error));
    assert_int_equal(error.status, CAROM_BAD_INPUT);
    assert_string_equal(error.text, "fruit 'aple' is not known; did you mean 'apple'? Known: apple, pear");
    assert_null(carom_registry_find(&fruits, NULL, NULL));
    assert_ptr_equal(carom_registry_find(&fruits, "pear", &error), &fruit_pear);
}

static void test_add(void **state)
{
    (void)state;
    static carom_registry registry; /* what is added to it stays */
    registry = fruits;
    static const fruit plum = {"plum", 1}, fig = {"fig", 900}, nameless = {"", 0}, again = {"apple", 3};
    carom_error error = {0};
    assert_int_equal(carom_registry_add(&registry, &plum, &error), CAROM_OK);
    assert_int_equal(carom_registry_add(&registry, &fig, &error), CAROM_OK);
    assert_int_equal(carom_registry_count(&registry), 4);
    assert_ptr_equal(carom_registry_at(&registry, 3), &fig);
    assert_int_equal(carom_registry_index(&registry, "plum"), 2);
    assert_int_equal(carom_registry_add(&registry, &plum, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "there is a fruit 'plum' already"));
    assert_int_equal(carom_registry_add(&registry, &again, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_registry_add(&registry, &nameless, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_registry_count(&registry), 4);
    assert_int_equal(carom_registry_count(&fruits), 2);
}

enum {
    THREADS = 4,
    EACH = 50
};

static carom_registry shared;
static fruit many[THREADS * EACH];
static char names[THREADS * EACH][24];

static void *add_some(void *first)
{
    for (int i = 0; i < EACH; i++)
        if (carom_registry_add(&shared, (fruit *)first + i, NULL) != CAROM_OK)
            return first;
    return NULL;
}

static void test_threads_add_at_once(void **state)
{
    (void)state;
    shared = fruits;
    pthread_t thread[THREADS];
    for (int i = 0; i < THREADS * EACH; i++) {
        snprintf(names[i], sizeof names[i], "fruit-%d", i);
        many[i].name = names[i];
    }
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&thread[i], NULL, add_some, many + i * EACH), 0);
    for (int i = 0; i < THREADS; i++) {
        void *failed = NULL;
        pthread_join(thread[i], &failed);
        assert_null(failed);
    }
    assert_int_equal(carom_registry_count(&shared), 2 + THREADS * EACH);
    for (int i = 0; i < THREADS * EACH; i++)
        assert_ptr_equal(carom_registry_find(&shared, names[i], NULL), &many[i]);
}

static void test_words_of_options(void **state)
{
    (void)state;
    static const char *const own[] = {"none", NULL};
    const carom_option_info option = {"fruit", 0, 0, 1e9, own, "which fruit", &fruits};
    const carom_option_info number = {"weight", 1, 0, 9, NULL, "grams"};
    assert_int_equal(carom_option_word_count(&option), 3);
    assert_int_equal(carom_option_word_count(&number), 0);
    assert_string_equal(carom_option_word(&option, 0), "none");
    assert_string_equal(carom_option_word(&option, 2), "pear");
    assert_null(carom_option_word(&option, 3));
    double value = -1.0;
    carom_error error = {0};
    assert_int_equal(carom_option_parse("basket", &option, "pear", &value, &error), CAROM_OK);
    assert_float_equal(value, 2.0, 0.0);
    assert_int_equal(carom_option_parse("basket", &option, "1", &value, &error), CAROM_OK);
    assert_float_equal(value, 1.0, 0.0);
    assert_int_equal(carom_option_parse("basket", &option, "pea", &value, &error), CAROM_BAD_INPUT);
    assert_string_equal(
        error.text,
        "basket, option fruit: value 'pea' is not known; did you mean 'pear'? Known: none, apple, pear");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table),
        cmocka_unit_test(test_unknown_name_teaches),
        cmocka_unit_test(test_add),
        cmocka_unit_test(test_threads_add_at_once),
        cmocka_unit_test(test_words_of_options),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
