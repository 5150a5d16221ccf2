/* Columns of numbers from texts, good and bad ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/io.h"
#include "test/near.h"

static carom_status parse(const char *text, carom_csv_column x, carom_csv_column y, carom_arena *arena,
                          carom_csv_numbers *to, carom_error *error)
{
    const carom_csv_column column[] = {x, y};
    return carom_csv_numbers_parse(
        &(carom_csv_request){.file = "d.csv", .column_count = 2, .column = column, .first_grows = true}, text,
        arena, to, error);
}

static const carom_csv_column first = {NULL, 1}, second = {NULL, 2}, third = {NULL, 3};
static const carom_csv_column t = {"t", 0}, a = {"a", 0};

/* Each of them holds (0, 1.5) and (0.25, -2e3). */
static void test_forms(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        const carom_csv_column *x, *y;
    } form[] = {
        {"0,1.5\n0.25,-2e3\n", &first, &second},
        {"0 , 1.5\r\n 0.25 ,-2e3\r\n", &first, &second},
        {"0;1.5\n0.25;-2e3", &first, &second},
        {"0\t1.5\n0.25\t-2e3\n\n\n", &first, &second},
        {"  0   1.5\n0.25 \t -2e3  \n", &first, &second},
        {"t,a\n0,1.5\n0.25,-2e3\n", &t, &a},
        {"t,a\n0,1.5\n0.25,-2e3\n", &first, &second},
        {"\xEF\xBB\xBF\"t\";\"a\"\n0;1.5\n0.25;-2e3\n", &t, &a},
        {"# a comment, with marks; and\ttabs\n% another\n\nt,name,a\n0,\"x, y\",1.5\n# in "
         "between\n0.25,,-2e3\n",
         &t, &a},
        {"a,t\n1.5,0\n-2e3,0.25\n", &t, &a},
        {"\"0\",\"1.5\"\n\"0.25\",\"-2e3\"\n", &first, &second},
        {"t a\n0 1.5\n0.25 -2e3\n", &t, &a},
    };
    for (size_t i = 0; i < sizeof form / sizeof *form; i++) {
        carom_arena *arena = carom_arena_create();
        carom_csv_numbers found;
        carom_error error = {0};
        if (parse(form[i].text, *form[i].x, *form[i].y, arena, &found, &error) != CAROM_OK)
            fail_msg("form %d: %s", (int)i, error.text);
        assert_int_equal(found.rows, 2);
        assert_near(found.column[0][0], 0.0, 0.0);
        assert_near(found.column[0][1], 0.25, 0.0);
        assert_near(found.column[1][0], 1.5, 0.0);
        assert_near(found.column[1][1], -2e3, 0.0);
        carom_arena_free(arena);
    }
}

static void test_refused(void **unused)
{
    (void)unused;
    static const struct {
        const char *text;
        const carom_csv_column *x, *y;
        const char *wanted;
    } wrong[] = {
        {"", &first, &second, "d.csv: the file holds no numbers"},
        {"# nothing\n\n", &first, &second, "holds no numbers"},
        {"t,a\n", &t, &a, "d.csv:1: no numbers follow the names"},
        {"t,b\n0,1\n", &t, &a, "d.csv:1: there is no column 'a'; the first line names t, b"},
        {"t,a,a\n0,1,2\n", &t, &a, "2 columns have the name 'a'"},
        {"0,1\n", &t, &a, "the first line has no names, so there is no column 't'"},
        {"t,a\n0,1\n1,\n", &t, &a, "d.csv:3: '' in column 2 is not a finite number"},
        {"t,a\n0,1\n\n1,x\x01y\n", &t, &a, "d.csv:4: 'x\\x01y' in column 2"},
        {"t,a\n0,1\n1,nan\n", &t, &a, "d.csv:3: 'nan'"},
        {"t,a\n0,1\n1,inf\n", &t, &a, "d.csv:3: 'inf'"},
        {"t,a\n0,1\n1\n", &t, &a, "d.csv:3: there is no column 2: the line has 1"},
        {"0,1\n", &first, &third, "d.csv:1: there is no column 3: the line has 2"},
        {"0;1\n0,5;2\n", &first, &second, "d.csv:2: '0,5' in column 1 is not a finite number"},
        {"0,1\n1,1\n1,1\n", &first, &second, "d.csv:3: 1 is not larger than 1 before it: column 1 must grow"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        carom_arena *arena = carom_arena_create();
        carom_csv_numbers found;
        carom_error error = {0};
        assert_int_equal(parse(wrong[i].text, *wrong[i].x, *wrong[i].y, arena, &found, &error),
                         CAROM_BAD_INPUT);
        if (!strstr(error.text, wrong[i].wanted))
            fail_msg("'%s' lacks '%s'", error.text, wrong[i].wanted);
        assert_true(carom_is_plain(error.text));
        carom_arena_free(arena);
    }
}

/* Cells that are missing, where they may be: NAN; not in the first column, and no words. */
static void test_missing(void **unused)
{
    (void)unused;
    static const char *const text[] = {"t,a\n0,1.5\n1,\n2,NaN\n3,NA\n4\n5,-\n6,-2\n",
                                       "0,1.5\n1,\n2,nan\n3,NA\n4\n5,-\n6,-2\n",
                                       "0;1.5\n1;\n2;\n3;\n4;\n5;\n6;-2\n"};
    const carom_csv_column column[] = {first, second};
    carom_csv_request request = {
        .file = "d.csv", .column_count = 2, .column = column, .first_grows = true, .may_miss = true};
    carom_error error = {0};
    carom_csv_numbers found;
    for (int i = 0; i < 3; i++) {
        carom_arena *arena = carom_arena_create();
        assert_int_equal(carom_csv_numbers_parse(&request, text[i], arena, &found, &error), CAROM_OK);
        assert_int_equal(found.rows, 7);
        assert_near(found.column[1][0], 1.5, 0.0);
        assert_near(found.column[1][6], -2.0, 0.0);
        for (int k = 1; k < 6; k++)
            assert_true(isnan(found.column[1][k]));
        request.may_miss = false;
        assert_int_equal(carom_csv_numbers_parse(&request, text[i], arena, &found, &error), CAROM_BAD_INPUT);
        request.may_miss = true;
        carom_arena_free(arena);
    }
    carom_arena *arena = carom_arena_create();
    assert_int_equal(carom_csv_numbers_parse(&request, "t,a\n0,1\n,2\n", arena, &found, &error),
                     CAROM_BAD_INPUT);
    assert_int_equal(carom_csv_numbers_parse(&request, "t,a\n0,1\n1,two\n", arena, &found, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "d.csv:3: 'two'"));
    carom_arena_free(arena);
}

static void test_names(void **unused)
{
    (void)unused;
    carom_arena *arena = carom_arena_create();
    carom_error error = {0};
    int count = 0;
    char **name = NULL;
    assert_int_equal(carom_csv_names("d.csv", "# c\n t ; \"a b\";3\n0;1;2\n", arena, &count, &name, &error),
                     CAROM_OK);
    assert_int_equal(count, 3);
    assert_string_equal(name[0], "t");
    assert_string_equal(name[1], "a b");
    assert_string_equal(name[2], "3");
    assert_int_equal(carom_csv_names("d.csv", "0,1,\n", arena, &count, &name, &error), CAROM_OK);
    assert_int_equal(count, 0);
    assert_int_equal(carom_csv_names("d.csv", "# nothing\n", arena, &count, &name, &error), CAROM_BAD_INPUT);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_forms), cmocka_unit_test(test_missing),
                                       cmocka_unit_test(test_names), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
