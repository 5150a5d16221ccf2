/* A study of a program's own: what is refused, what holds by default, how it ends. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/run/study.h"

static const char *const words[] = {"sum", "mean", NULL};

static const carom_study_input inputs[] = {
    {"list", CAROM_STUDY_LIST, "m", "numbers", .value = NAN, .min = -10, .max = 10},
    {"scale", CAROM_STUDY_NUMBER, NULL, "factor", .value = 2.0},
    {"least", CAROM_STUDY_NUMBER, NULL, "a size", .value = 1.0, .min = 0, .max = INFINITY},
    {"times", CAROM_STUDY_WHOLE, NULL, "how often", .value = 1, .min = 1, .max = 4},
    {"what", CAROM_STUDY_WORD, NULL, "which", .choices = words},
    {"loud", CAROM_STUDY_FLAG, NULL, "flag", .value = 1.0},
    {"extra", CAROM_STUDY_TABLE, NULL, "{ a = 1 }", .usual = "none"},
    {0}};
static const carom_study_output outputs[] = {{"result", CAROM_STUDY_NUMBER, NULL, "sum or mean"},
                                             {"scaled", CAROM_STUDY_LIST, NULL, "list"},
                                             {"loud", CAROM_STUDY_FLAG, NULL, "as given"},
                                             {"missing", CAROM_STUDY_NUMBER, NULL, "never there"},
                                             {0}};

static carom_status compute(carom_study_call *call)
{
    const int count = carom_study_list_length(call, "list"), times = carom_study_whole(call, "times");
    double *list = carom_study_list(call, "list", count), sum = 0.0;
    for (int i = 0; i < count; i++) {
        if (list[i] == 9.0)
            return carom_study_fail(call, CAROM_FAILED, "entry %d is 9", i + 1);
        sum += list[i] *= times * carom_study_number(call, "scale");
        if (carom_study_stopped(call, i, count))
            return call->status;
    }
    carom_study_give_number(call, "result", carom_study_word(call, "what") == 0 ? sum : sum / count);
    carom_study_give_list(call, "scaled", count, list);
    carom_study_give_flag(call, "loud", carom_study_flag(call, "loud"));
    carom_study_give_finite(call, "missing", NAN);
    return CAROM_OK;
}

static const carom_study_ops study = {"adding", "adds numbers", inputs, outputs, compute};

/* A table of inputs that grows. */
static carom_arena *arena;
static carom_data table;

static int set_up(void **state)
{
    (void)state;
    carom_arena_free(arena); /* of a case before in the same test */
    arena = carom_arena_create();
    table = (carom_data){.kind = CAROM_DATA_TABLE};
    return arena ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    carom_arena_free(arena);
    arena = NULL;
    return 0;
}

static carom_data *put(const char *name, carom_data_kind kind, double number)
{
    carom_data *entry = carom_data_add(arena, &table, name, kind);
    entry->number = number;
    return entry;
}

static void put_list(int count, double *list)
{
    carom_data *entry = put("list", CAROM_DATA_LIST, 0);
    entry->rows = count;
    entry->columns = 1;
    entry->list = list;
}

static void refused(const char *text)
{
    carom_error error = {0};
    assert_int_equal(carom_study_check(&study, &table, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "adding"));
    if (!strstr(error.text, text))
        fail_msg("'%s' does not say '%s'", error.text, text);
}

static void what_is_left_out_has_its_default(void **state)
{
    (void)state;
    double list[] = {1, 2, 3};
    carom_data found = {0};
    put_list(3, list);
    assert_int_equal(carom_study_compute(&study, &table, arena, (carom_progress){0}, &found, NULL), CAROM_OK);
    assert_true(carom_data_find(&found, "result")->number == 12);
    assert_true(carom_data_find(&found, "loud")->kind == CAROM_DATA_FLAG);
    assert_true(carom_data_find(&found, "loud")->number == 1);
    assert_true(carom_data_find(&found, "scaled")->list[2] == 6);
    assert_null(carom_data_find(&found, "missing"));
    assert_true(list[2] == 3); /* inputs are not changed */
}

static void one_number_is_a_list(void **state)
{
    (void)state;
    carom_data found = {0};
    put("list", CAROM_DATA_NUMBER, 4);
    put("what", CAROM_DATA_TEXT, 0)->text = "mean";
    put("loud", CAROM_DATA_FLAG, 0);
    assert_int_equal(carom_study_compute(&study, &table, arena, (carom_progress){0}, &found, NULL), CAROM_OK);
    assert_true(carom_data_find(&found, "result")->number == 8);
    assert_true(carom_data_find(&found, "loud")->number == 0);
}

static void what_does_not_fit_is_refused(void **state)
{
    double list[] = {1, 2, 30};
    refused("needs list = a list: numbers");
    put("lisd", CAROM_DATA_NUMBER, 1);
    refused("unknown key 'lisd'; did you mean 'list'?");
    set_up(state);
    put("zzz", CAROM_DATA_NUMBER, 1);
    refused("known are list, scale");
    set_up(state);
    put_list(3, list);
    refused("list = 30 must be from -10 to 10");
    list[2] = NAN; /* not known yet */
    assert_int_equal(carom_study_check(&study, &table, NULL), CAROM_OK);
    carom_data found = {0};
    carom_error error = {0};
    assert_int_equal(carom_study_compute(&study, &table, arena, (carom_progress){0}, &found, &error),
                     CAROM_BAD_INPUT);
    assert_string_equal(error.text, "adding: list is not a number (NaN)");
    list[2] = 3;
    carom_data *entry = put("times", CAROM_DATA_NUMBER, 2.5);
    refused("times = 2.5 must be a whole number from 1 to 4");
    entry->number = 5;
    refused("times = 5");
    entry->kind = CAROM_DATA_TEXT;
    entry->text = "two";
    refused("times takes a number; got a text");
    entry->kind = CAROM_DATA_NONE; /* nil */
    assert_int_equal(carom_study_check(&study, &table, NULL), CAROM_OK);
    put("least", CAROM_DATA_NUMBER, -1);
    refused("least = -1 must be 0 or more: a size");
    set_up(state);
    put_list(3, list);
    put("what", CAROM_DATA_TEXT, 0)->text = "men";
    refused("did you mean 'mean'");
    set_up(state);
    put_list(3, list);
    put("loud", CAROM_DATA_NUMBER, 1);
    refused("must be true or false");
    set_up(state);
    put_list(3, list);
    put("extra", CAROM_DATA_NUMBER, 1);
    refused("extra takes a table ({ a = 1 }); got a number");
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)context;
    (void)done;
    (void)total;
    return false;
}

static void failures_and_stops_are_told(void **state)
{
    (void)state;
    double list[] = {1, 9};
    carom_data found = {0};
    carom_error error = {0};
    put_list(2, list);
    assert_int_equal(carom_study_compute(&study, &table, arena, (carom_progress){0}, &found, &error),
                     CAROM_FAILED);
    assert_string_equal(error.text, "adding: entry 2 is 9");
    found = (carom_data){0};
    const carom_progress progress = {.report = stop_at_once};
    assert_int_equal(carom_study_compute(&study, &table, arena, progress, &found, &error), CAROM_INTERRUPTED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(what_is_left_out_has_its_default, set_up, tear_down),
        cmocka_unit_test_setup_teardown(one_number_is_a_list, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_does_not_fit_is_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(failures_and_stops_are_told, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
