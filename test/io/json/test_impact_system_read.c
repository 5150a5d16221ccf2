/* Systems of impacts from JSON: what is read, and what is said about files that are wrong. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "io/json/json_place.h"

static const char path[] = "system.json";

static void write_bytes(const char *text, size_t length)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(text, 1, length, stream), length);
    assert_int_equal(fclose(stream), 0);
}

static carom_impact_file *read_good(const char *text)
{
    carom_impact_file *file = NULL;
    carom_error error = {0};
    write_bytes(text, strlen(text));
    if (carom_impact_file_read(path, &file, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return file;
}

/* The file must be refused, and the message must hold the text. */
static void refuse_bytes(const char *text, size_t length, const char *wanted)
{
    carom_impact_file *file = NULL;
    carom_error error = {0};
    write_bytes(text, length);
    assert_int_equal(carom_impact_file_read(path, &file, &error), CAROM_BAD_INPUT);
    assert_null(file);
    if (!strstr(error.text, wanted))
        fail_msg("the message is '%s', wanted '%s'", error.text, wanted);
}

static void refuse(const char *text, const char *wanted)
{
    refuse_bytes(text, strlen(text), wanted);
}

static void test_diagonal_mass_and_one_number_for_all(void **state)
{
    (void)state;
    carom_impact_file *file =
        read_good("{\"M\": [2, 0.5], \"W\": [[1, 1], [-0.4, 0]], \"velocity\": [-1, 3e-1],"
                  " \"restitution\": 1, \"names\": [\"left\", \"r\\u00e9\"]}");
    const carom_impact *impact = &file->impact;
    assert_int_equal(impact->coordinates, 2);
    assert_int_equal(impact->contacts, 2);
    assert_null(impact->mass);
    assert_true(impact->masses[0] == 2.0 && impact->masses[1] == 0.5);
    assert_int_equal(impact->column_start[1], 2);
    assert_int_equal(impact->column_start[2], 3); /* the zero is left out */
    assert_true(impact->row[1] == 1 && impact->value[1] == -0.4);
    assert_true(impact->row[2] == 0 && impact->value[2] == 1.0);
    assert_true(impact->velocity[1] == 0.3);
    assert_true(impact->restitution[0] == 1.0 && impact->restitution[1] == 1.0);
    assert_null(impact->rate);
    assert_null(impact->stiffness);
    assert_null(impact->exponent);
    assert_string_equal(file->contact[0], "left");
    assert_string_equal(file->contact[1], "r\xc3\xa9");
    carom_impact_file_free(file);
}

static void test_full_mass_and_all_keys(void **state)
{
    (void)state;
    carom_impact_file *file =
        read_good("{\"M\": [[2, 1], [1, 3]], \"W\": [[1], [0]], \"rate\": [0.5], \"stiffness\": 7, "
                  "\"exponent\": [1.5], \"restitution\": [0.25]}");
    assert_null(file->impact.masses);
    assert_true(file->impact.mass[1] == 1.0 && file->impact.mass[3] == 3.0);
    assert_true(file->impact.rate[0] == 0.5 && file->impact.stiffness[0] == 7.0);
    assert_true(file->impact.exponent[0] == 1.5 && file->impact.restitution[0] == 0.25);
    assert_null(file->impact.velocity);
    assert_null(file->contact);
    carom_impact_file_free(file);
}

static void test_large_whole_numbers_are_numbers(void **state)
{
    (void)state;
    carom_impact_file *file = read_good("{\"M\": [123456789012345678901234567890], \"W\": [[1]]}");
    assert_true(file->impact.masses[0] == 123456789012345678901234567890.0);
    carom_impact_file_free(file);
}

static void test_what_is_no_json_is_told_with_its_line(void **state)
{
    (void)state;
    refuse("", "is empty");
    refuse("{\"M\": [1],\n\n oops}", "system.json:3: not JSON");
    refuse("{\"M\": [NaN], \"W\": [[1]]}", "system.json:1: not JSON");
    refuse("{\"M\": [1e999], \"W\": [[1]]}", "not JSON");
    refuse("{\"M\": [1], \"M\": [2], \"W\": [[1]]}", "not JSON");
    refuse("{\"M\": [1]", "not JSON");
    refuse("{\"M\": [1], \"W\": [[1]]} and more", "not JSON");
    refuse("\"text\"", "needs an object");
    refuse("null", "got null");
    refuse("{\"M\": [1], \"W\": [[1]], \"names\": [\"\xff\"]}", "not JSON");
    refuse_bytes("{\"M\": [1]\0, \"W\": [[1]]}", 24, "not JSON");
}

static void test_wrong_shapes_are_told_with_line_and_place(void **state)
{
    (void)state;
    refuse("{}", "the key \"M\" is missing");
    refuse("{\"M\": [1]}", "the key \"W\" is missing");
    refuse("{\"M\": 1, \"W\": [[1]]}",
           "\"M\": needs a square matrix [[...]] or its diagonal [...]; got a number");
    refuse("{\"M\": [], \"W\": [[1]]}", "there must be a coordinate");
    refuse("{\"M\": [[1, 0]], \"W\": [[1]]}", "\"M[1]\": needs 1 number, as many as there are rows; got 2");
    refuse("{\"M\": [[1, 0],\n[0]], \"W\": [[1], [1]]}", "system.json:2: \"M[2]\": needs 2 numbers");
    refuse("{\"M\": [[1, 0],\n0], \"W\": [[1], [1]]}",
           "system.json:2: \"M[2]\": needs an array of numbers; got a number");
    refuse("{\"M\": [1, [1]], \"W\": [[1], [1]]}", "\"M[2]\": needs a number; got an array");
    refuse("{\"M\": [1, 1], \"W\": [[1]]}", "needs 2 rows, one per coordinate of M; got 1");
    refuse("{\"M\": [1], \"W\": [1]}", "\"W[1]\": needs an array, a number per contact; got a number");
    refuse("{\"M\": [1], \"W\": [[]]}", "no contact, nothing to compute");
    refuse("{\"M\": [1, 1],\n \"W\": [[1, 2],\n [3,\n true]]}",
           "system.json:4: \"W[2][2]\": needs a number; got true or false");
    refuse("{\"M\": [1, 1], \"W\": [[1, 2], [3, 4, 5]]}",
           "\"W[2]\": needs 2 numbers, as many as in the first row");
    refuse("{\"M\": [1, 1], \"W\": [[1, 0], [3, 0]]}", "column 2 is zero");
    refuse("{\"M\": [1], \"W\": [[1]], \"velocity\": 1}",
           "\"velocity\": needs an array of numbers; got a number");
    refuse("{\"M\": [1], \"W\": [[1]], \"velocity\": [1, 2]}", "needs 1 number, one per coordinate; got 2");
    refuse("{\"M\": [1], \"W\": [[1]], \"restitution\": \"e\"}",
           "\"restitution\": needs a number or an array of numbers; got a text");
    refuse("{\"M\": [1], \"W\": [[1]], \"rate\": [null]}", "\"rate[1]\": needs a number; got null");
    refuse("{\"M\": [1], \"W\": [[1]], \"names\": \"a\"}", "\"names\": needs an array of texts");
    refuse("{\"M\": [1], \"W\": [[1]], \"names\": [\"a\", \"b\"]}", "\"names\": needs 1 text");
    refuse("{\"M\": [1], \"W\": [[1]], \"names\": [1]}", "\"names[1]\": needs a text; got a number");
    refuse("{\"M\": [1],\n\"W\": [[1]],\n\"stifness\": 1}",
           "system.json:3: key 'stifness' is not known; did you mean 'stiffness'?");
}

static void append_times(carom_text *text, const char *piece, long count)
{
    for (long i = 0; i < count; i++)
        carom_text_append(text, "%s", piece);
}

static void test_hostile_files_are_refused(void **state)
{
    (void)state;
    carom_text text = {0};
    append_times(&text, "[", 300000);
    refuse(text.bytes, "not JSON");
    text.length = 0;
    append_times(&text, "{\"M\":", 100000);
    refuse(text.bytes, "not JSON");
    text.length = 0;
    /* a first row that promises a matrix of 4e10 entries */
    carom_text_append(&text, "{\"W\": [[1]], \"M\": [[1");
    append_times(&text, ",1", 199999);
    carom_text_append(&text, "]");
    append_times(&text, ",1", 199999);
    carom_text_append(&text, "]}");
    refuse(text.bytes, "\"M\": is too large");
    text.length = 0;
    carom_text_append(&text, "{\"M\": [1");
    append_times(&text, ",1", 99999);
    carom_text_append(&text, "], \"W\": [[1");
    append_times(&text, ",1", 9999);
    carom_text_append(&text, "]");
    append_times(&text, ",[]", 99999);
    carom_text_append(&text, "]}");
    refuse(text.bytes, "\"W\": is too large");
    carom_text_free(&text);
    carom_impact_file *file = NULL;
    carom_error error = {0};
    assert_int_equal(carom_impact_file_read("no/such/file.json", &file, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "cannot read 'no/such/file.json'"));
    assert_int_equal(carom_impact_file_read("/", &file, &error), CAROM_BAD_INPUT);
}

/* Every beginning of a good file is refused without harm. */
static void test_files_that_end_early_are_refused(void **state)
{
    (void)state;
    const char good[] =
        "{\"M\": [[2, 1], [1, 3]], \"W\": [[1], [0]], \"names\": [\"a\\\"]\"], \"velocity\": [1, 2]}";
    for (size_t length = 0; length < strlen(good); length++)
        refuse_bytes(good, length, "system.json");
}

static void test_places_are_found_behind_brackets_in_texts(void **state)
{
    (void)state;
    const char text[] = "{\"names\": [\"]}\\\"\", \"{[\"],\n\"M\": [\n1,\n[2,\n3]]}";
    const size_t length = strlen(text);
    assert_int_equal(json_place_line(text, length, "names", 1, -1), 1);
    assert_int_equal(json_place_line(text, length, "M", -1, -1), 2);
    assert_int_equal(json_place_line(text, length, "M", 0, -1), 3);
    assert_int_equal(json_place_line(text, length, "M", 1, -1), 4);
    assert_int_equal(json_place_line(text, length, "M", 1, 1), 5);
    assert_int_equal(json_place_line(text, length, "W", 0, 0), 5); /* not there: the end */
    assert_int_equal(json_place_line("", 0, "W", 0, 0), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_diagonal_mass_and_one_number_for_all),
        cmocka_unit_test(test_full_mass_and_all_keys),
        cmocka_unit_test(test_large_whole_numbers_are_numbers),
        cmocka_unit_test(test_what_is_no_json_is_told_with_its_line),
        cmocka_unit_test(test_wrong_shapes_are_told_with_line_and_place),
        cmocka_unit_test(test_hostile_files_are_refused),
        cmocka_unit_test(test_files_that_end_early_are_refused),
        cmocka_unit_test(test_places_are_found_behind_brackets_in_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
