#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

static char *coordinates[] = {"x", "the \"y\", up"};
static carom_contact_info contacts[] = {
    {.name = "floor", .tangents = 2}, {.name = "wall", .tangents = 1}, {.name = "stop", .tangents = 0}};
static char *columns[] = {"height", "reach", "hidden"};

static carom_model model_with(int contact_count)
{
    return (carom_model){.dof = 2, .contacts = contact_count, .coordinate = coordinates, .contact = contacts};
}

/* The text that a writer gives for some rows; the caller frees it. */
static char *csv_of(const carom_experiment *experiment, const double *rows, int row_count)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&bytes, &size);
    assert_non_null(stream);
    carom_csv_writer writer;
    carom_recorder recorder;
    carom_error error = {0};
    assert_int_equal(carom_csv_begin(&writer, stream, experiment, &recorder, &error), CAROM_OK);
    for (int i = 0; i < row_count; i++)
        assert_int_equal(recorder.row(recorder.context, rows + i * writer.layout.width, &error), CAROM_OK);
    assert_int_equal(fclose(stream), 0);
    return bytes;
}

static void test_header_and_rows(void **state)
{
    (void)state;
    carom_model model = model_with(3);
    carom_experiment experiment = {.model = &model, .column_count = 3, .named_columns = 2, .column = columns};
    const double rows[] = {
        /* t, q, v, energy */ 0.1,
        1,
        2,
        3,
        4,
        5.5,
        /* gap */ 0.25,
        0.5,
        0.75,
        /* impulse */ 1,
        2,
        3,
        4,
        5,
        0,
        7,
        0,
        0,
        /* regime */ CAROM_CONTACT_STICK,
        CAROM_CONTACT_SLIP,
        CAROM_CONTACT_OPEN,
        /* columns */ -1,
        -2,
        -3,
    };
    char *text = csv_of(&experiment, rows, 1);
    assert_string_equal(text, "t,x,\"the \"\"y\"\", up\",v_x,\"v_the \"\"y\"\", up\",energy,"
                              "floor.gap,floor.impulse,floor.impulse_t1,floor.impulse_t2,floor.status,"
                              "wall.gap,wall.impulse,wall.impulse_t1,wall.status,"
                              "stop.gap,stop.impulse,stop.status,height,reach\n"
                              "0.10000000000000001,1,2,3,4,5.5,"
                              "0.25,1,2,3,stick,0.5,4,5,slip,0.75,7,open,-1,-2\n");
    free(text);
}

static void test_no_contacts_no_columns(void **state)
{
    (void)state;
    coordinates[1] = "y";
    carom_model model = model_with(0);
    carom_experiment experiment = {.model = &model};
    const double rows[] = {0, 1, 2, 3, 4, 5, 0.5, 1e-300, -2, 3, 4, 1e17};
    char *text = csv_of(&experiment, rows, 2);
    assert_string_equal(text, "t,x,y,v_x,v_y,energy\n"
                              "0,1,2,3,4,5\n"
                              "0.5,1e-300,-2,3,4,1e+17\n");
    free(text);
}

/* Number i of row r: of all sizes, few that stay, none that is not a number in the same way. */
static double some_number(int r, int i)
{
    static const double special[] = {0.0, -0.0, 1e-310, -1e308, 0.1, 12345678.5, 1e17, -2.5e-7};
    if ((r + i) % 11 == 0)
        return special[(r + i) / 11 % 8];
    if ((r * i) % 37 == 5)
        return i % 2 ? NAN : -INFINITY;
    return (r % 2 ? 1.0 : -1.0) * pow(1.37, (r * 7 + i * 3) % 400 - 200);
}

/* Rows at once, longer than any buffer, with records that are coordinates, that are so in some rows, and that are not. */
static void test_many_long_rows(void **state)
{
    (void)state;
    enum {
        DOF = 300,
        RECORDS = 70,
        ROWS = 40
    };
    static char *name[DOF], *record_name[RECORDS];
    for (int i = 0; i < DOF; i++)
        name[i] = "q";
    for (int i = 0; i < RECORDS; i++)
        record_name[i] = "r";
    carom_model model = {.dof = DOF, .coordinate = name};
    carom_experiment experiment = {
        .model = &model, .column_count = RECORDS, .named_columns = RECORDS, .column = record_name};
    const carom_row_layout layout = carom_row_layout_of(&experiment);
    double *rows = calloc(ROWS * (size_t)layout.width, sizeof *rows);
    assert_non_null(rows);
    char *expected = NULL, *bytes = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&expected, &size);
    for (int r = 0; r < ROWS; r++) {
        double *row = rows + r * layout.width;
        for (int i = 0; i <= layout.energy; i++)
            row[i] = some_number(r, i);
        for (int i = 0; i < RECORDS; i++)
            row[layout.column + i] = i % 3 == 0   ? row[i]
                                     : i % 3 == 1 ? some_number(r, 5 * i)
                                                  : row[r < ROWS / 3 ? i : layout.energy - i];
        for (int i = 0; i <= layout.energy; i++)
            fprintf(stream, "%.17g,", row[i]);
        for (int i = 0; i < RECORDS; i++)
            fprintf(stream, i + 1 < RECORDS ? "%.17g," : "%.17g\n", row[layout.column + i]);
    }
    assert_int_equal(fclose(stream), 0);
    stream = open_memstream(&bytes, &size);
    carom_csv_writer writer;
    carom_recorder recorder;
    assert_int_equal(carom_csv_begin(&writer, stream, &experiment, &recorder, NULL), CAROM_OK);
    assert_int_equal(recorder.rows(recorder.context, ROWS - 10, rows, NULL), CAROM_OK);
    assert_int_equal(recorder.rows(recorder.context, 10, rows + (ROWS - 10) * layout.width, NULL), CAROM_OK);
    assert_int_equal(fclose(stream), 0);
    assert_string_equal(strchr(bytes, '\n') + 1, expected);
    free(rows);
    free(expected);
    free(bytes);
}

static void test_write_errors_are_reported(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/full", "w");
    if (!stream) {
        print_message("this system has no /dev/full to stand for a full disk: skipped\n");
        skip();
    }
    setvbuf(stream, NULL, _IONBF, 0);
    carom_model model = model_with(0);
    carom_experiment experiment = {.model = &model};
    carom_csv_writer writer;
    carom_recorder recorder;
    carom_error error = {0};
    assert_int_equal(carom_csv_begin(&writer, stream, &experiment, &recorder, &error), CAROM_IO_ERROR);
    assert_non_null(strstr(error.text, "No space left"));
    fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_header_and_rows),
        cmocka_unit_test(test_no_contacts_no_columns),
        cmocka_unit_test(test_many_long_rows),
        cmocka_unit_test(test_write_errors_are_reported),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
