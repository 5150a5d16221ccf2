#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "carom/io.h"
#include "carom/subject/drilling.h"

static const char path[] = "controller.txt"; /* in the working directory, which is the test's own */

static int remove_path(void **state)
{
    (void)state;
    return unlink(path);
}

static void write_text(const char *text)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    fputs(text, stream);
    fclose(stream);
}

static carom_drill_controller *read_good(const char *text)
{
    carom_drill_controller *controller;
    carom_error error;
    write_text(text);
    if (carom_drill_controller_read(path, &controller, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return controller;
}

/* The message names the file, then this. */
static void expect_refused(const char *text, const char *why)
{
    carom_drill_controller *controller;
    carom_error error;
    write_text(text);
    assert_int_equal(carom_drill_controller_read(path, &controller, &error), CAROM_BAD_INPUT);
    assert_null(controller);
    assert_non_null(strstr(error.text, path));
    if (!strstr(error.text, why))
        fail_msg("'%s' does not say '%s'", error.text, why);
}

static void forms_of_a_file(void **state)
{
    (void)state;
    carom_drill_controller *c =
        read_good("# two states\n2 2 # nc, ne\n1 2\n3\t4\r\n5 6 7 8\n# C\n9 1e1\n-.5 .25 # the end");
    static const double A[] = {1, 2, 3, 4}, B[] = {5, 6, 7, 8}, C[] = {9, 10}, D[] = {-0.5, 0.25};
    assert_int_equal(c->states, 2);
    assert_memory_equal(c->A, A, sizeof A);
    assert_memory_equal(c->B, B, sizeof B);
    assert_memory_equal(c->C, C, sizeof C);
    assert_memory_equal(c->D, D, sizeof D);
    carom_drill_controller_free(c);
    /* one input: the torque of the pipe is not used */
    c = read_good("1 1 0 1 1.87 2.93\n");
    assert_int_equal(c->states, 1);
    assert_true(c->B[0] == 1.0 && c->B[1] == 0.0 && c->C[0] == 1.87 && c->D[0] == 2.93 && c->D[1] == 0.0);
    carom_drill_controller_free(c);
    /* no states: gains alone */
    c = read_good("0 2\n#nothing\n3 4");
    assert_true(c->states == 0 && c->D[0] == 3.0 && c->D[1] == 4.0);
    carom_drill_controller_free(c);
}

static void damaged_files(void **state)
{
    (void)state;
    expect_refused("", ":1: the file ends before nc");
    expect_refused("# only words\n\n", ":3: the file ends before nc");
    expect_refused("3", ":1: the file ends before ne");
    expect_refused("1.5 2", ":1: nc is not a whole number from 0 to 400");
    expect_refused("-1 2", "nc is not a whole number");
    expect_refused("401 2", "nc is not a whole number");
    expect_refused("2 3", "ne is not a whole number from 1 to 2");
    expect_refused("1 2\n1\n2 nan\n", ":3: B[1][2] is not a finite number");
    expect_refused("1 2\n1\n2 inf\n", "B[1][2] is not a finite number");
    expect_refused("1 2\n1e999\n", "A[1][1] is not a finite number");
    expect_refused("2 1\n1 2\n3 x4\n", ":3: A[2][2] is not a finite number");
    expect_refused("2 2\n1 2\n3 4\n5 6 7 8\n9\n", ":6: the file ends where C[1][2] should be");
    expect_refused("1 1 0 1 1.87 2.93\n7\n",
                   ":2: something follows the last number: nc = 1 and ne = 1 make 4 numbers");
    expect_refused("1 1 0 1 1.87 111111111111111111111111111111111111111111111111111111111111111111111111",
                   "D[1][1] is not a finite number");
    expect_refused("1 1 \xff\xfe", "A[1][1] is not a finite number");
}

static void other_places(void **state)
{
    (void)state;
    carom_drill_controller *controller;
    carom_error error;
    assert_int_equal(carom_drill_controller_read(".", &controller, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not a plain file"));
    assert_int_equal(carom_drill_controller_read("/nowhere/c.txt", &controller, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "/nowhere/c.txt"));
}

static void what_is_written_reads_back_to_the_same_bits(void **state)
{
    (void)state;
    carom_drill_controller *c, *back;
    carom_error error;
    assert_int_equal(carom_drill_controller_create(3, &c, &error), CAROM_OK);
    for (int i = 0; i < 9; i++)
        c->A[i] = 1.0 / (i - 3.7);
    for (int i = 0; i < 6; i++)
        c->B[i] = 1e-300 * (i + 0.1);
    for (int i = 0; i < 3; i++)
        c->C[i] = -1e17 / (i + 3);
    c->D[0] = 0.1;
    assert_int_equal(carom_drill_controller_write(path, c, false, &error), CAROM_BAD_INPUT); /* it is there */
    assert_int_equal(carom_drill_controller_write(path, c, true, &error), CAROM_OK);
    assert_int_equal(carom_drill_controller_read(path, &back, &error), CAROM_OK);
    assert_int_equal(back->states, 3);
    assert_memory_equal(back->A, c->A, 9 * sizeof(double));
    assert_memory_equal(back->B, c->B, 6 * sizeof(double));
    assert_memory_equal(back->C, c->C, 3 * sizeof(double));
    assert_memory_equal(back->D, c->D, 2 * sizeof(double));
    carom_drill_controller_free(back);
    assert_int_equal(carom_drill_controller_write("/nowhere/c.txt", c, true, &error), CAROM_BAD_INPUT);
    carom_drill_controller_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_of_a_file),
        cmocka_unit_test(damaged_files),
        cmocka_unit_test(other_places),
        cmocka_unit_test(what_is_written_reads_back_to_the_same_bits),
    };
    return cmocka_run_group_tests(tests, NULL, remove_path);
}
