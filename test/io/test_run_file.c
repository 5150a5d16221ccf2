#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <hdf5.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "carom/io.h"

/* ---- a small experiment by hand -------------------------------------------------------------------- */

static char *coordinates[] = {"x", "y"};
static char *columns[] = {"height", NULL, "speed"};
static carom_contact_info contacts[] = {{.name = "floor", .tangents = 1}, {.name = "wall", .tangents = 2}};
static carom_parameter parameters[] = {{.name = "mass"}, {.name = "e"}, {.name = "a/b: odd name"}};
static carom_setting settings[] = {{.name = "shape", .is_text = true, .text = "d\xc3\xa9j\xc3\xa0 vu"},
                                   {.name = "note", .is_text = true, .text = ""},
                                   {.name = "beads", .number = 7}};
static carom_measure measures[] = {
    {.name = "bounces"}, {.name = "times"}, {.name = "first/last"}, {.name = "empty"}};

static const double parameter_values[] = {0.1, 1.0 / 3.0, DBL_MIN};

static carom_model model_of(int contact_count)
{
    return (carom_model){.dof = 2,
                         .contacts = contact_count,
                         .parameters = 3,
                         .coordinate = coordinates,
                         .contact = contacts,
                         .parameter = parameters};
}

static carom_experiment experiment_of(carom_model *model, int column_count)
{
    return (carom_experiment){.name = "test/bounce",
                              .file = "bounce.lua",
                              .text = "-- a model\nkinetic(1)\n",
                              .variant = "hard",
                              .model = model,
                              .setting_count = 3,
                              .setting = settings,
                              .column_count = column_count,
                              .named_columns = column_count ? 1 : 0,
                              .column = columns,
                              .measure_count = 4,
                              .measure = measures};
}

static double times[] = {0.5, 1.5, NAN};
static double bounces[] = {2};
static carom_measured measured[] = {{1, false, bounces}, {3, true, times}, {0, false, NULL}, {0, true, NULL}};

static carom_run_result result_of(const char *word)
{
    carom_run_result result = {.scheme = NULL,
                               .h = 1e-3,
                               .t0 = -1,
                               .t_end = 2.5,
                               .steps = 17,
                               .measure_count = 4,
                               .measure = measured};
    snprintf(result.word, sizeof result.word, "%s", word);
    snprintf(result.message, sizeof result.message, "stopped at \"x\"\n");
    return result;
}

/* The number at a place of a run: different everywhere; branches are small whole numbers. */
static double entry(const carom_row_layout *layout, int run, size_t row, int place)
{
    if (place >= layout->branch && place < layout->column)
        return (double)((row + (size_t)place) % 3);
    return 1.0 / 3.0 + (double)row * 1.25 + place * 1000.0 + run * 0.001;
}

static carom_status put_rows(carom_sink sink, const carom_row_layout *layout, int run, size_t first,
                             size_t count, carom_error *error)
{
    double row[64];
    carom_status status = CAROM_OK;
    for (size_t i = first; status == CAROM_OK && i < first + count; i++) {
        for (int k = 0; k < layout->width; k++)
            row[k] = entry(layout, run, i, k);
        status = sink.row(sink.context, row, error);
    }
    return status;
}

static void put_run(carom_run_writer *writer, const carom_experiment *experiment, int member, size_t count,
                    const char *word)
{
    carom_error error = {0};
    carom_sink sink;
    carom_row_layout layout = carom_row_layout_of(experiment);
    carom_run_result result = result_of(word);
    assert_int_equal(carom_run_writer_begin(writer, member, experiment, parameter_values, &sink, &error),
                     CAROM_OK);
    assert_int_equal(put_rows(sink, &layout, member, 0, count, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
}

/* Main run and two members; row counts on both sides of a chunk. */
static void write_file(const char *path, int contact_count, int column_count)
{
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_model model = model_of(contact_count);
    carom_experiment experiment = experiment_of(&model, column_count);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    put_run(writer, &experiment, -1, 2500, "ok");
    experiment.setting[2].number = 8;
    put_run(writer, &experiment, 0, 1024, "failed");
    put_run(writer, &experiment, 1, 0, "interrupted");
    experiment.setting[2].number = 7;
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
}

static void check_rows(const carom_series *series, int run, size_t count)
{
    assert_int_equal(series->count, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < series->layout.width; k++)
            assert_true(carom_series_row(series, i)[k] == entry(&series->layout, run, i, k));
}

static const char *override_of(const carom_run_member *member, const char *name)
{
    for (int i = 0; i < member->override_count; i++)
        if (strcmp(member->override[i].name, name) == 0)
            return member->override[i].value;
    return NULL;
}

/* ---- folder of the test ---------------------------------------------------------------------------- */

static char folder[] = "carom_run_file_XXXXXX";
static char path_buffer[4][80];

static const char *in_folder(int slot, const char *name)
{
    snprintf(path_buffer[slot], sizeof path_buffer[slot], "%s/%s", folder, name);
    return path_buffer[slot];
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    const char *names[] = {"run.h5", "copy.h5", "slow.h5", "killed.h5", "full.h5", "text.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(0, names[i]));
    return rmdir(folder);
}

static unsigned char *read_bytes(const char *path, size_t *size)
{
    FILE *stream = fopen(path, "rb");
    assert_non_null(stream);
    struct stat info;
    assert_int_equal(stat(path, &info), 0);
    *size = (size_t)info.st_size;
    unsigned char *bytes = malloc(*size + 1);
    assert_int_equal(fread(bytes, 1, *size, stream), *size);
    fclose(stream);
    return bytes;
}

static void write_bytes(const char *path, const unsigned char *bytes, size_t size)
{
    FILE *stream = fopen(path, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    assert_int_equal(fclose(stream), 0);
}

/* ---- tests ----------------------------------------------------------------------------------------- */

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

/* The second file is flushed in the middle of a chunk, because its run pauses. */
static void test_same_run_same_bytes(void **state)
{
    (void)state;
    const char *quick = in_folder(0, "run.h5"), *slow = in_folder(1, "slow.h5");
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    carom_row_layout layout = carom_row_layout_of(&experiment);
    carom_run_result result = result_of("ok");
    for (int pause = 0; pause < 2; pause++) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_sink sink;
        assert_int_equal(carom_run_writer_create(pause ? slow : quick, &writer, &error), CAROM_OK);
        carom_run_writer_begin(writer, -1, &experiment, parameter_values, &sink, &error);
        put_rows(sink, &layout, -1, 0, 1300, &error);
        if (pause)
            nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 50 * 1000 * 1000}, NULL);
        put_rows(sink, &layout, -1, 1300, 1200, &error);
        assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
        put_run(writer, &experiment, 0, 10, "ok");
        assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
    }
    size_t quick_size = 0, slow_size = 0;
    unsigned char *quick_bytes = read_bytes(quick, &quick_size), *slow_bytes = read_bytes(slow, &slow_size);
    assert_int_equal(quick_size, slow_size);
    assert_memory_equal(quick_bytes, slow_bytes, quick_size);
    free(quick_bytes);
    free(slow_bytes);
}

/* Writes rows in a child process that ends without finishing the run, as a killed one does. */
static void write_killed_run(const char *path, size_t rows_before_pause, bool pause)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_sink sink;
        carom_model model = model_of(2);
        carom_experiment experiment = experiment_of(&model, 3);
        carom_row_layout layout = carom_row_layout_of(&experiment);
        if (carom_run_writer_create(path, &writer, &error) != CAROM_OK ||
            carom_run_writer_begin(writer, -1, &experiment, parameter_values, &sink, &error) != CAROM_OK ||
            put_rows(sink, &layout, -1, 0, rows_before_pause, &error) != CAROM_OK)
            _exit(1);
        if (pause) {
            nanosleep(&(struct timespec){.tv_sec = 2, .tv_nsec = 50 * 1000 * 1000}, NULL);
            put_rows(sink, &layout, -1, rows_before_pause, 1, &error);
        }
        _exit(0);
    }
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status) && WEXITSTATUS(exit_status) == 0);
}

static void test_killed_run_keeps_whole_chunks(void **state)
{
    (void)state;
    const char *path = in_folder(0, "killed.h5");
    write_killed_run(path, 5000, false);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    assert_string_equal(run->main.status, "running");
    assert_true(isnan(run->main.t_end));
    assert_true(run->main.series.count >= 4 * 1024);
    check_rows(&run->main.series, -1, run->main.series.count);
    carom_run_file_free(run);
}

static void test_slow_killed_run_keeps_rows_of_an_unfinished_chunk(void **state)
{
    (void)state;
    const char *path = in_folder(0, "killed.h5");
    write_killed_run(path, 100, true);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    check_rows(&run->main.series, -1, 101);
    carom_run_file_free(run);
}

/* A writer that is closed in the middle of a run keeps all rows. */
static void test_close_without_end_keeps_rows(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_run_file *run = NULL;
    carom_sink sink;
    carom_model model = model_of(2);
    carom_experiment experiment = experiment_of(&model, 3);
    carom_row_layout layout = carom_row_layout_of(&experiment);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    carom_run_writer_begin(writer, -1, &experiment, parameter_values, &sink, &error);
    put_rows(sink, &layout, -1, 0, 7, &error);
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
    carom_sink sink;
    carom_model model = model_of(0);
    carom_experiment experiment = experiment_of(&model, 0);
    carom_run_result result = result_of("ok");
    assert_int_equal(carom_run_writer_create(in_folder(0, "run.h5"), &writer, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_IO_ERROR);
    assert_int_equal(carom_run_writer_begin(writer, -1, &experiment, parameter_values, &sink, &error),
                     CAROM_OK);
    assert_int_equal(carom_run_writer_begin(writer, 0, &experiment, parameter_values, &sink, &error),
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
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        carom_error error = {0};
        carom_run_writer *writer = NULL;
        carom_sink sink;
        carom_model model = model_of(2);
        carom_experiment experiment = experiment_of(&model, 3);
        carom_row_layout layout = carom_row_layout_of(&experiment);
        carom_run_result result = result_of("ok");
        signal(SIGXFSZ, SIG_IGN);
        setrlimit(RLIMIT_FSIZE, &(struct rlimit){3 << 20, 3 << 20});
        if (carom_run_writer_create(path, &writer, &error) != CAROM_OK ||
            carom_run_writer_begin(writer, -1, &experiment, parameter_values, &sink, &error) != CAROM_OK)
            _exit(1);
        if (put_rows(sink, &layout, -1, 0, 40000, &error) != CAROM_IO_ERROR || !strstr(error.text, path))
            _exit(2);
        if (put_rows(sink, &layout, -1, 0, 1, &error) != CAROM_IO_ERROR)
            _exit(3);
        if (carom_run_writer_end(writer, &result, &error) != CAROM_IO_ERROR || !strstr(error.text, path))
            _exit(4);
        if (carom_run_writer_close(writer, &error) != CAROM_OK || H5close() < 0)
            _exit(5);
        _exit(0);
    }
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status));
    assert_int_equal(WEXITSTATUS(exit_status), 0);

    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    assert_true(run->main.series.count >= 4 * 1024);
    check_rows(&run->main.series, -1, run->main.series.count);
    carom_run_file_free(run);
}

static void expect_bad_input(const char *path, const char *part_of_message)
{
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_BAD_INPUT);
    assert_null(run);
    assert_non_null(strstr(error.text, path));
    assert_non_null(strstr(error.text, part_of_message));
}

static void test_files_that_are_no_run_files(void **state)
{
    (void)state;
    expect_bad_input(in_folder(0, "missing.h5"), "No such file");
    const char *path = in_folder(0, "text.h5");
    write_bytes(path, (const unsigned char *)"t,x\n0,1\n", 8);
    expect_bad_input(path, "not HDF5");
    write_bytes(path, (const unsigned char *)"", 0);
    expect_bad_input(path, "not HDF5");
    expect_bad_input(folder, "not HDF5");
    assert_int_equal(carom_run_file_read(path, &(carom_run_file *){NULL}, NULL), CAROM_BAD_INPUT);
}

/* Each edit damages a good file in one way. */
typedef void file_edit(hid_t file);

static void remove_format(hid_t file)
{
    H5Adelete(file, "format");
}
static void remove_name(hid_t file)
{
    H5Adelete(file, "name");
}
static void remove_model(hid_t file)
{
    H5Ldelete(file, "model", H5P_DEFAULT);
}
static void remove_main(hid_t file)
{
    H5Ldelete(file, "main", H5P_DEFAULT);
}
static void remove_parameters(hid_t file)
{
    H5Ldelete(file, "family/0/parameters", H5P_DEFAULT);
}
static void remove_velocities(hid_t file)
{
    H5Ldelete(file, "main/series/v", H5P_DEFAULT);
}
static void remove_gaps(hid_t file)
{
    H5Ldelete(file, "main/series/gap", H5P_DEFAULT);
}
static void remove_step(hid_t file)
{
    H5Adelete_by_name(file, "main", "h", H5P_DEFAULT);
}
static void replace_series_by_soft_link(hid_t file)
{
    H5Ldelete(file, "main/series/q", H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "main/series/q", H5P_DEFAULT, H5P_DEFAULT);
}
static void exchange_gap_and_energy(hid_t file)
{
    H5Lmove(file, "main/series/gap", file, "main/series/x", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/energy", file, "main/series/gap", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/x", file, "main/series/energy", H5P_DEFAULT, H5P_DEFAULT);
}
static void exchange_gap_and_branch(hid_t file)
{
    H5Lmove(file, "main/series/gap", file, "main/series/x", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/branch", file, "main/series/gap", H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, "main/series/x", file, "main/series/branch", H5P_DEFAULT, H5P_DEFAULT);
}
static void give_velocities_of_other_width(hid_t file)
{
    H5Ldelete(file, "main/series/v", H5P_DEFAULT);
    H5Lcreate_hard(file, "main/series/record", file, "main/series/v", H5P_DEFAULT, H5P_DEFAULT);
}
static void claim_many_rows(hid_t file)
{
    const hsize_t extent[2] = {(hsize_t)1 << 50, 2};
    hid_t dataset = H5Dopen2(file, "main/series/q", H5P_DEFAULT);
    H5Dset_extent(dataset, extent);
    H5Dclose(dataset);
}
static void put_scalar_attribute(hid_t file, const char *group, const char *name, hid_t type,
                                 const void *value)
{
    hid_t space = H5Screate(H5S_SCALAR);
    H5Adelete_by_name(file, group, name, H5P_DEFAULT);
    hid_t attribute =
        H5Acreate_by_name(file, group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(attribute, type, value);
    H5Aclose(attribute);
    H5Sclose(space);
}
static void make_step_a_text(hid_t file)
{
    put_scalar_attribute(file, "main", "h", H5T_C_S1, "x");
}
static void make_status_a_number(hid_t file)
{
    put_scalar_attribute(file, "main", "status", H5T_NATIVE_INT, &(int){1});
}
static void make_format_two(hid_t file)
{
    put_scalar_attribute(file, "/", "format", H5T_NATIVE_INT, &(int){2});
}
static void make_parameter_a_reference(hid_t file)
{
    hobj_ref_t reference = 0;
    put_scalar_attribute(file, "main/parameters", "e", H5T_STD_REF_OBJ, &reference);
}

static void test_damaged_files_are_refused_with_the_reason(void **state)
{
    (void)state;
    const struct {
        file_edit *edit;
        const char *message;
    } cases[] = {
        {remove_format, "/format"},
        {remove_name, "/name"},
        {remove_model, "/model"},
        {remove_main, "/main"},
        {remove_parameters, "/family/0/parameters"},
        {remove_velocities, "/main/v: the dataset is missing"},
        {remove_gaps, "shape does not fit"},
        {remove_step, "/main/h"},
        {replace_series_by_soft_link, "/main/q"},
        {exchange_gap_and_energy, "dimensions"},
        {exchange_gap_and_branch, "does not hold doubles"},
        {give_velocities_of_other_width, "/main/v"},
        {claim_many_rows, "more than the file has"},
        {make_step_a_text, "/main/h: is not a number"},
        {make_status_a_number, "/main/status"},
        {make_format_two, "format 2"},
        {make_parameter_a_reference, "/main/e"},
    };
    const char *path = in_folder(0, "run.h5");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_file(path, 2, 3);
        hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
        assert_true(file >= 0);
        cases[i].edit(file);
        H5Fclose(file);
        expect_bad_input(path, cases[i].message);
    }
}

/* A run that was killed between two datasets: the rows that all have are kept. */
static void test_uneven_lengths_keep_the_shortest(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    const hsize_t extent[2] = {1024, 2};
    hid_t dataset = H5Dopen2(file, "main/series/branch", H5P_DEFAULT);
    H5Dset_extent(dataset, extent);
    H5Dclose(dataset);
    H5Fclose(file);
    carom_error error = {0};
    carom_run_file *run = NULL;
    assert_int_equal(carom_run_file_read(path, &run, &error), CAROM_OK);
    check_rows(&run->main.series, -1, 1024);
    carom_run_file_free(run);
}

static void test_truncated_files_are_refused(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5"), *copy = in_folder(1, "copy.h5");
    write_file(path, 2, 3);
    size_t size = 0;
    unsigned char *bytes = read_bytes(path, &size);
    for (size_t length = 0; length < size; length += length < 4096 ? 61 : 6007) {
        write_bytes(copy, bytes, length);
        expect_bad_input(copy, "");
    }
    write_bytes(copy, bytes, size - 1);
    expect_bad_input(copy, "");
    free(bytes);
}

static void put_byte(FILE *stream, size_t place, unsigned char byte)
{
    if (fseek(stream, (long)place, SEEK_SET) != 0 || fputc(byte, stream) == EOF || fflush(stream) != 0)
        _exit(2);
}

/* Reads a file again and again with one byte changed, in the dense part of the metadata and anywhere. Returns
 * how often it was refused. */
static int read_with_changed_bytes(const char *path, int tries)
{
    size_t size = 0;
    int refused = 0;
    unsigned char *bytes = read_bytes(path, &size);
    FILE *stream = fopen(path, "r+b");
    carom_random random = {20240607};
    for (int i = 0; i < tries; i++) {
        size_t place = (size_t)carom_random_uniform(&random, 0.0, i % 2 ? 20000.0 : (double)size);
        int change = (int)carom_random_uniform(&random, 1.0, 256.0);
        put_byte(stream, place, (unsigned char)(bytes[place] ^ change));
        carom_error error = {0};
        carom_run_file *run = NULL;
        carom_status status = carom_run_file_read(path, &run, &error);
        if (status != CAROM_OK && status != CAROM_BAD_INPUT)
            _exit(3);
        refused += status == CAROM_BAD_INPUT;
        carom_run_file_free(run);
        put_byte(stream, place, bytes[place]);
    }
    fclose(stream);
    free(bytes);
    return refused;
}

/* Reading must come back, with an error or (numbers that changed) with a run. In a child process, because
 * HDF5 1.10 itself loses memory when the checksum of an object is wrong, and complains about it at exit. */
static void test_changed_bytes_do_no_harm(void **state)
{
    (void)state;
    const char *path = in_folder(0, "run.h5");
    write_file(path, 2, 3);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(read_with_changed_bytes(path, 600) > 30 ? 0 : 1);
    int exit_status = 0;
    assert_true(waitpid(child, &exit_status, 0) == child);
    assert_true(WIFEXITED(exit_status));
    assert_int_equal(WEXITSTATUS(exit_status), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip),
        cmocka_unit_test(test_parameters_read_back_to_the_same_bits),
        cmocka_unit_test(test_no_contacts_no_columns),
        cmocka_unit_test(test_layout_of_the_file),
        cmocka_unit_test(test_same_run_same_bytes),
        cmocka_unit_test(test_killed_run_keeps_whole_chunks),
        cmocka_unit_test(test_slow_killed_run_keeps_rows_of_an_unfinished_chunk),
        cmocka_unit_test(test_close_without_end_keeps_rows),
        cmocka_unit_test(test_writer_refuses_wrong_order),
        cmocka_unit_test(test_path_that_cannot_be_created),
        cmocka_unit_test(test_full_disk_is_reported),
        cmocka_unit_test(test_files_that_are_no_run_files),
        cmocka_unit_test(test_damaged_files_are_refused_with_the_reason),
        cmocka_unit_test(test_uneven_lengths_keep_the_shortest),
        cmocka_unit_test(test_truncated_files_are_refused),
        cmocka_unit_test(test_changed_bytes_do_no_harm),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
