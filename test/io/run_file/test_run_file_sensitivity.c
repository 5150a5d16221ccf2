/* Derivatives in run files: what was recorded is read back, row by row; damaged files are refused or read, never more. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sys/wait.h>
#include <unistd.h>

#include "carom/io.h"

static const char model[] = "local e, g = param { 'e', 0.8 }, param { 'g', 9.81 }\n"
                            "local y = coordinates('y')\n"
                            "mass(1)  potential(g * y)  contact { 'floor', gap = y, restitution = e }\n"
                            "initial { y = 0.05 }  record { square = y^2 }  measure { top = maximum(y), hits "
                            "= times(impact 'floor') }\n"
                            "integrate { scheme = 'event-driven', h = 0.01, until_t = 0.3 }\n";

static carom_experiment *load(void)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_load_request request = {.text = model, .name = "ball"};
    if (carom_experiment_load(&request, &experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

/* The rows of derivatives, as another recorder sees them. */
typedef struct kept_slopes {
    size_t width, count;
    const double *next;
    double rows[64][2][64];
} kept_slopes;

static void take_slopes(void *context, const double *rows)
{
    ((kept_slopes *)context)->next = rows;
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    kept_slopes *kept = context;
    (void)row;
    (void)error;
    assert_true(kept->count < 64 && kept->next);
    for (size_t c = 0; c < 2; c++)
        memcpy(kept->rows[kept->count][c], kept->next + c * kept->width, kept->width * sizeof(double));
    kept->count++;
    return CAROM_OK;
}

static void write_file(const char *path, carom_experiment *experiment, kept_slopes *kept,
                       carom_run_result *result)
{
    static const char *const names[] = {"g", "e"};
    carom_run_writer *writer = NULL;
    carom_recorder recorder[2];
    carom_error error = {0};
    kept->width = (size_t)carom_row_layout_of(experiment).width;
    assert_true(kept->width <= 64);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    assert_int_equal(
        carom_run_writer_begin_sensitive(writer, -1, experiment, NULL, 2, names, &recorder[0], &error),
        CAROM_OK);
    recorder[1] = (carom_recorder){.context = kept, .row = take_row, .slopes = take_slopes};
    const carom_run_request request = {.experiment = experiment,
                                       .recorder_count = 2,
                                       .recorder = recorder,
                                       .sensitivity_count = 2,
                                       .sensitivity = names};
    if (carom_run(&request, result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_int_equal(carom_run_writer_end(writer, result, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
}

static void test_rows_and_results_come_back(void **state)
{
    (void)state;
    static kept_slopes kept;
    carom_experiment *experiment = load();
    carom_run_result result;
    carom_run_file *file = NULL;
    carom_error error = {0};
    write_file("ball.h5", experiment, &kept, &result);
    if (carom_run_file_read("ball.h5", &file, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_run_sensitivity *s = &file->main.sensitivity;
    assert_string_equal(s->method, "exact");
    assert_int_equal(s->count, 2);
    assert_string_equal(s->name[0].name, "g"); /* in their order, not in that of the alphabet */
    assert_string_equal(s->name[1].name, "e");
    assert_int_equal(s->break_count, 0);
    assert_int_equal(kept.count, 31);
    for (int c = 0; c < 2; c++) {
        const carom_run_slopes *slopes = &s->name[c];
        const carom_row_layout *layout = &slopes->series.layout;
        assert_true(slopes->has_series);
        assert_int_equal(slopes->series.count, kept.count);
        assert_int_equal(layout->columns, result.layout.columns);
        for (size_t i = 0; i < kept.count; i++) {
            const double *row = carom_series_row(&slopes->series, i);
            assert_true(row[layout->q] == kept.rows[i][c][result.layout.q]);
            assert_true(row[layout->v] == kept.rows[i][c][result.layout.v]);
            assert_true(row[layout->column] == kept.rows[i][c][result.layout.column]);
        }
        assert_int_equal(slopes->positions, 1);
        assert_true(slopes->q[0] == carom_sensitivity_final(result.sensitivity, c)[result.layout.q]);
        assert_true(slopes->v[0] == carom_sensitivity_final(result.sensitivity, c)[result.layout.v]);
        assert_int_equal(slopes->measure_count, 2);
        assert_string_equal(slopes->measure[0].name, "hits");
        assert_int_equal(slopes->measure[0].measured.count, file->main.measure[0].measured.count);
    }
    carom_run_file_free(file);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* Reads a file again and again with one byte changed: 0 where it is refused or read, as it should be. */
static int read_with_changed_bytes(const char *path)
{
    FILE *stream = fopen(path, "r+b");
    int refused = 0, read = 0;
    if (!stream || fseek(stream, 0, SEEK_END) != 0)
        return 2;
    const long size = ftell(stream);
    for (long place = 7; place < size; place += size / 120 + 1) {
        carom_run_file *file = NULL;
        fseek(stream, place, SEEK_SET);
        const int byte = fgetc(stream);
        fseek(stream, place, SEEK_SET);
        fputc(byte ^ 0x5a, stream);
        fflush(stream);
        const carom_status status = carom_run_file_read(path, &file, NULL);
        refused += status == CAROM_BAD_INPUT;
        read += status == CAROM_OK;
        if (status != CAROM_OK && status != CAROM_BAD_INPUT)
            return 3;
        carom_run_file_free(file);
        fseek(stream, place, SEEK_SET);
        fputc(byte, stream);
    }
    fclose(stream);
    return refused > 0 && read > 0 ? 0 : 1;
}

/* In a child process: HDF5 1.10 itself complains at exit when a checksum was wrong. */
static void test_damage(void **state)
{
    (void)state;
    static kept_slopes kept;
    carom_experiment *experiment = load();
    carom_run_result result;
    write_file("whole.h5", experiment, &kept, &result);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(read_with_changed_bytes("whole.h5"));
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status));
    assert_int_equal(WEXITSTATUS(exit_status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_results_come_back),
        cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
