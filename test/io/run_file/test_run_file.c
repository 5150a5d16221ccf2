/* What a writer leaves on disk: complete, the same each time, and of use when the run was stopped. */
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "run_files.h"

static const char *override_of(const carom_run_member *member, const char *name)
{
    for (int i = 0; i < member->override_count; i++)
        if (strcmp(member->override[i].name, name) == 0)
            return member->override[i].value;
    return NULL;
}

static void check_points(const carom_event_points *read)
{
    double row[POINTS_MAX];
    carom_model model = model_of(2);
    const carom_experiment experiment = experiment_of(&model, 3);
    const carom_event_points written = points_of(&experiment, row);
    assert_int_equal(read->columns, 3);
    assert_int_equal(read->count, POINTS);
    assert_memory_equal(read->row, written.row, POINTS * carom_event_points_width(&written) * sizeof *row);
}

static void test_round_trip(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    assert_string_equal(run->name, "test/bounce");
    assert_string_equal(run->file, "bounce.lua");
    assert_string_equal(run->variant, "hard");
    assert_string_equal(run->text, "-- a model\nkinetic(1)\n");
    assert_true(strlen(run->version) > 0);
    assert_string_equal(run->main.status, "ok");
    assert_string_equal(run->main.message, "stopped at \"x\"\n");
    assert_true(run->main.h == 1e-3 && run->main.t0 == -1 && run->main.t_end == 2.5);
    check_rows(&run->main.series, -1, 2500);
    check_points(&run->main.points);
    check_points(&run->member[1].points);
    assert_int_equal(run->main.series.layout.contacts, 2);
    assert_int_equal(run->main.series.layout.columns, 3);
    assert_int_equal(run->member_count, 2);
    check_rows(&run->member[0].series, 0, 1024);
    check_rows(&run->member[1].series, 1, 0);
    assert_string_equal(run->member[0].status, "failed");
    assert_string_equal(run->member[1].status, "interrupted");
    carom_run_file_free(run);
}

static void test_parameters_read_back_to_the_same_bits(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    assert_int_equal(run->main.override_count, 6);
    for (int i = 0; i < 3; i++) {
        double value = 0;
        assert_true(carom_parse_number(override_of(&run->main, parameters[i].name), &value));
        assert_true(value == parameter_values[i]);
    }
    assert_string_equal(override_of(&run->main, "shape"), "d\xc3\xa9j\xc3\xa0 vu");
    assert_string_equal(override_of(&run->main, "note"), "");
    assert_string_equal(override_of(&run->main, "beads"), "7");
    assert_string_equal(override_of(&run->member[0], "beads"), "8");
    carom_run_file_free(run);
}

static void test_no_contacts_no_columns(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 0, 0);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    assert_int_equal(run->main.series.layout.width, 6);
    check_rows(&run->main.series, -1, 2500);
    carom_run_file_free(run);
}

static hid_t open_dataset(hid_t file, const char *name, int *rank, hsize_t extent[3])
{
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    hid_t space = H5Dget_space(dataset);
    *rank = H5Sget_simple_extent_ndims(space);
    H5Sget_simple_extent_dims(space, extent, NULL);
    H5Sclose(space);
    return dataset;
}

/* Other programs read these files too: names, types and shapes are part of the format. */
static void test_layout_of_the_file(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    int rank = 0;
    hsize_t extent[3] = {0, 0, 0};
    hid_t impulse = open_dataset(file, "/main/series/impulse", &rank, extent);
    assert_true(rank == 3 && extent[0] == 2500 && extent[1] == 2 && extent[2] == 3);
    hid_t branch = open_dataset(file, "/family/0/series/branch", &rank, extent);
    assert_true(rank == 2 && extent[0] == 1024 && extent[1] == 2);
    hid_t record = open_dataset(file, "/main/series/record", &rank, extent);
    assert_true(rank == 2 && extent[0] == 2500 && extent[1] == 3);
    hid_t names = H5Aopen(record, "names", H5P_DEFAULT), type = H5Aget_type(names);
    char text[64] = "";
    assert_true(3 * H5Tget_size(type) <= sizeof text);
    assert_true(H5Aread(names, type, text) >= 0);
    assert_string_equal(text, "height");
    assert_string_equal(text + 2 * H5Tget_size(type), "speed");

    double value[3] = {0, 0, 0};
    hid_t list = open_dataset(file, "/main/measures/times", &rank, extent);
    assert_true(rank == 1 && extent[0] == 3);
    assert_true(H5Dread(list, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    assert_true(value[0] == 0.5 && value[1] == 1.5 && isnan(value[2]));
    hid_t number = open_dataset(file, "/main/measures/bounces", &rank, extent);
    assert_true(H5Dread(number, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, value) >= 0);
    assert_true(rank == 0 && value[0] == 2);
    hid_t absent = H5Dopen2(file, "/main/measures/first:last", H5P_DEFAULT), space = H5Dget_space(absent);
    assert_true(H5Sget_simple_extent_type(space) == H5S_NULL);

    const hid_t datasets[] = {impulse, branch, record, list, number, absent};
    for (size_t i = 0; i < sizeof datasets / sizeof *datasets; i++)
        H5Dclose(datasets[i]);
    H5Sclose(space);
    H5Tclose(type);
    H5Aclose(names);
    H5Fclose(file);
}

static carom_run_writer *new_writer(const char *path, bool compressed)
{
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    if (compressed)
        carom_run_writer_compress(writer);
    return writer;
}

static void expect_same_bytes(const char *one, const char *other)
{
    size_t size = 0, other_size = 0;
    unsigned char *bytes = read_bytes(one, &size), *other_bytes = read_bytes(other, &other_size);
    assert_int_equal(size, other_size);
    assert_memory_equal(bytes, other_bytes, size);
    free(bytes);
    free(other_bytes);
}

/* The second files, plain and compressed, are flushed in the middle of a chunk, because their runs pause. */
static void test_same_run_same_bytes(void **state)
{
    (void)state;
    const char *path[2][2] = {{in_folder(0, "run.h5"), in_folder(1, "packed.h5")},
                              {in_folder(2, "slow.h5"), in_folder(3, "slow-packed.h5")}};
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    carom_row_layout layout = carom_row_layout_of(&experiment);
    carom_run_result result = result_of("ok");
    for (int pause = 0; pause < 2; pause++) {
        carom_error error = {0};
        carom_run_writer *writer[2];
        carom_recorder recorder[2];
        for (int packed = 0; packed < 2; packed++) {
            writer[packed] = new_writer(path[pause][packed], packed);
            carom_run_writer_begin(writer[packed], -1, &experiment, parameter_values, &recorder[packed],
                                   &error);
            put_rows(recorder[packed], &layout, -1, 0, 1300, &error);
        }
        if (pause)
            nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 50 * 1000 * 1000}, NULL);
        for (int packed = 0; packed < 2; packed++) {
            put_rows(recorder[packed], &layout, -1, 1300, 1200, &error);
            assert_int_equal(carom_run_writer_end(writer[packed], &result, &error), CAROM_OK);
            put_run(writer[packed], &experiment, 0, 10, "ok");
            assert_int_equal(carom_run_writer_close(writer[packed], &error), CAROM_OK);
        }
    }
    expect_same_bytes(path[0][0], path[1][0]);
    expect_same_bytes(path[0][1], path[1][1]);
}

static hsize_t chunk_rows_of(const char *path)
{
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT),
                dataset = H5Dopen2(file, "/main/series/q", H5P_DEFAULT),
                creation = H5Dget_create_plist(dataset);
    hsize_t chunk[3] = {0, 0, 0};
    assert_int_equal(H5Pget_chunk(creation, 2, chunk), 2);
    H5Pclose(creation);
    H5Dclose(dataset);
    H5Fclose(file);
    return chunk[0];
}

/* A run that is known to be long has large chunks; it may end in the middle of one. */
static void test_long_and_compressed_runs(void **state)
{
    (void)state;
    const size_t rows = 9000;
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    carom_row_layout layout = carom_row_layout_of(&experiment);
    carom_run_result result = result_of("ok");
    size_t size[2] = {0, 0};
    for (int packed = 0; packed < 2; packed++) {
        const char *path = in_folder(packed, packed ? "packed.h5" : "run.h5");
        carom_error error = {0};
        carom_recorder recorder;
        carom_run_writer *writer = new_writer(path, packed);
        carom_run_writer_begin(writer, -1, &experiment, parameter_values, &recorder, &error);
        assert_int_equal(recorder.expect(recorder.context, 1000000, &error), CAROM_OK);
        assert_int_equal(put_rows(recorder, &layout, -1, 0, rows, &error), CAROM_OK);
        assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
        assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
        carom_run_file *run = NULL;
        assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
        check_rows(&run->main.series, -1, rows);
        carom_run_file_free(run);
        assert_int_equal(chunk_rows_of(path), 4096);
        free(read_bytes(path, &size[packed]));
    }
    assert_true(2 * size[1] < size[0]);
}

/* Writes rows in a child process that ends without finishing the run, as a killed one does. */
static void write_killed_run(const char *path, size_t rows)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_recorder recorder;
        carom_model model = model_of(2);
        carom_experiment experiment = experiment_of(&model, 3);
        carom_row_layout layout = carom_row_layout_of(&experiment);
        if (carom_run_writer_create(path, &writer, &error) != CAROM_OK ||
            carom_run_writer_begin(writer, -1, &experiment, parameter_values, &recorder, &error) !=
                CAROM_OK ||
            put_rows(recorder, &layout, -1, 0, rows, &error) != CAROM_OK)
            _exit(1);
        _exit(0);
    }
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
}

/* A run file of 10 rows, to be found as it was. */
static void write_old_run(const char *path)
{
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    put_run(writer, &experiment, -1, 10, "ok");
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
}

static void expect_old_run(const char *path)
{
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    check_rows(&run->main.series, -1, 10);
    carom_run_file_free(run);
}

static void test_killed_run_leaves_what_was_there(void **state)
{
    (void)state;
    const char *path = in_folder(0, "killed.h5");
    write_killed_run(path, 5000);
    assert_int_not_equal(access(path, F_OK), 0);
    write_old_run(path);
    write_killed_run(path, 5000);
    expect_old_run(path);
}

static void test_discarded_run_leaves_what_was_there(void **state)
{
    (void)state;
    const char *path = in_folder(0, "discarded.h5");
    carom_run_writer *writer = NULL, *second = NULL;
    carom_error error = {0};
    write_old_run(path);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_create(path, &second, &error), CAROM_IO_ERROR);
    assert_non_null(strstr(error.text, "another process"));
    carom_run_writer_discard(writer);
    expect_old_run(path);
}

/* A writer that is closed in the middle of a run keeps all rows. */
static void test_close_without_end_keeps_rows(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_run_file *run = NULL;
    carom_recorder recorder;
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    carom_row_layout layout = carom_row_layout_of(&experiment);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    carom_run_writer_begin(writer, -1, &experiment, parameter_values, &recorder, &error);
    put_rows(recorder, &layout, -1, 0, 7, &error);
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    check_rows(&run->main.series, -1, 7);
    assert_string_equal(run->main.status, "running");
    carom_run_file_free(run);
}

static void test_writer_refuses_wrong_order(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_recorder recorder;
    carom_model model = model_of(0);
    carom_experiment experiment = experiment_of(&model, 0);
    carom_run_result result = result_of("ok");
    assert_int_equal(carom_run_writer_create(in_folder(0, "run.h5"), &writer, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_IO_ERROR);
    assert_int_equal(carom_run_writer_begin(writer, -1, &experiment, parameter_values, &recorder, &error),
                     CAROM_OK);
    assert_int_equal(carom_run_writer_begin(writer, 0, &experiment, parameter_values, &recorder, &error),
                     CAROM_IO_ERROR);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
}

static void test_path_that_cannot_be_created(void **state)
{
    (void)state;
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    const char *path = in_folder(0, "no/such/folder.h5");
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_BAD_INPUT);
    assert_null(writer);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, "No such file or directory"));
    assert_int_equal(carom_run_writer_create(folder, &writer, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "directory"));
}

/* In a child process: the limit on file sizes stands for a full disk. */
static void test_full_disk_is_reported(void **state)
{
    (void)state;
    const char *path = in_folder(0, "full.h5");
    write_old_run(path);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_recorder recorder;
        carom_model model = model_of(2);
        carom_experiment experiment = experiment_of(&model, 3);
        carom_row_layout layout = carom_row_layout_of(&experiment);
        carom_run_result result = result_of("ok");
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){3 << 20, 3 << 20});
        if (carom_run_writer_create(path, &writer, &error) != CAROM_OK ||
            carom_run_writer_begin(writer, -1, &experiment, parameter_values, &recorder, &error) != CAROM_OK)
            _exit(1);
        if (put_rows(recorder, &layout, -1, 0, 40000, &error) != CAROM_IO_ERROR || !strstr(error.text, path))
            _exit(2);
        if (put_rows(recorder, &layout, -1, 0, 1, &error) != CAROM_IO_ERROR)
            _exit(3);
        if (carom_run_writer_end(writer, &result, &error) != CAROM_IO_ERROR || !strstr(error.text, path))
            _exit(4);
        if (carom_run_writer_close(writer, &error) != CAROM_IO_ERROR || H5close() < 0)
            _exit(5);
        _exit(0);
    }
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status));
    assert_int_equal(WEXITSTATUS(exit_status), 0);
    expect_old_run(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_parameters_read_back_to_the_same_bits),
        cmocka_unit_test(test_no_contacts_no_columns),
        cmocka_unit_test(test_layout_of_the_file),
        cmocka_unit_test(test_same_run_same_bytes),
        cmocka_unit_test(test_long_and_compressed_runs),
        cmocka_unit_test(test_killed_run_leaves_what_was_there),
        cmocka_unit_test(test_discarded_run_leaves_what_was_there),
        cmocka_unit_test(test_close_without_end_keeps_rows),
        cmocka_unit_test(test_writer_refuses_wrong_order),
        cmocka_unit_test(test_path_that_cannot_be_created),
        cmocka_unit_test(test_full_disk_is_reported),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
