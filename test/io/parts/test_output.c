#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "carom/io.h"

static void expect_content(const char *path, const char *wanted)
{
    char text[64] = "";
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    assert_string_equal(text, wanted);
}

static void write_text(const char *path, const char *text)
{
    assert_int_equal(carom_output_write(path, false, text, strlen(text), NULL), CAROM_OK);
}

static void a_file_is_replaced_when_it_is_complete(void **state)
{
    (void)state;
    carom_output *output = NULL;
    write_text("a.txt", "old");
    assert_int_equal(chmod("a.txt", 0600), 0);
    assert_int_equal(carom_output_open("a.txt", false, &output, NULL), CAROM_OK);
    fputs("new", carom_output_stream(output));
    fflush(carom_output_stream(output));
    expect_content("a.txt", "old");
    assert_int_equal(carom_output_commit(output, NULL), CAROM_OK);
    expect_content("a.txt", "new");
    struct stat info;
    assert_int_equal(stat("a.txt", &info), 0);
    assert_int_equal(info.st_mode & 0777, 0600);
    assert_int_not_equal(access("a.txt.new", F_OK), 0);
}

static void what_is_discarded_leaves_all_as_it_was(void **state)
{
    (void)state;
    carom_output *output = NULL;
    write_text("b.txt", "old");
    assert_int_equal(carom_output_open("b.txt", false, &output, NULL), CAROM_OK);
    fputs("new", carom_output_stream(output));
    carom_output_discard(output);
    expect_content("b.txt", "old");
    assert_int_not_equal(access("b.txt.new", F_OK), 0);
    assert_int_equal(carom_output_try("b.txt", NULL), CAROM_OK);
    expect_content("b.txt", "old");
    assert_int_equal(carom_output_try("never.txt", NULL), CAROM_OK);
    assert_int_not_equal(access("never.txt", F_OK), 0);
}

static void what_is_to_be_kept_is_kept(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_output *output = NULL;
    assert_int_equal(carom_output_open("c.txt", true, &output, &error), CAROM_OK);
    fputs("mine", carom_output_stream(output));
    FILE *other = fopen("c.txt", "w"); /* someone else was quicker */
    assert_non_null(other);
    fputs("theirs", other);
    fclose(other);
    assert_int_equal(carom_output_commit(output, &error), CAROM_BAD_INPUT);
    expect_content("c.txt", "theirs");
    assert_int_equal(carom_output_write("c.txt", true, "x", 1, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_output_write("d.txt", true, "x", 1, &error), CAROM_OK);
    expect_content("d.txt", "x");
}

static void one_at_a_time(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_output *first = NULL, *second = NULL;
    assert_int_equal(carom_output_open("e.txt", false, &first, &error), CAROM_OK);
    assert_int_equal(carom_output_open("./e.txt", false, &second, &error), CAROM_IO_ERROR);
    assert_non_null(strstr(error.text, "another process"));
    fputs("first", carom_output_stream(first));
    assert_int_equal(carom_output_commit(first, &error), CAROM_OK);
    expect_content("e.txt", "first");
    write_text("e.txt", "second");
}

static void failures_are_told(void **state)
{
    (void)state;
    carom_error error = {0};
    assert_int_equal(carom_output_write("no/such", false, "x", 1, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_output_write(".", false, "x", 1, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_output_write("", false, "x", 1, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_output_write("/dev/full", false, "x", 1, &error), CAROM_IO_ERROR);
    assert_int_equal(carom_output_write("/dev/null", false, "x", 1, &error), CAROM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_replaced_when_it_is_complete),
        cmocka_unit_test(what_is_discarded_leaves_all_as_it_was),
        cmocka_unit_test(what_is_to_be_kept_is_kept),
        cmocka_unit_test(one_at_a_time),
        cmocka_unit_test(failures_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
