/* For tests: a small experiment by hand, a run file of it, and a folder to keep such files in. */
#ifndef CAROM_TEST_IO_RUN_FILE_RUN_FILES_H
#define CAROM_TEST_IO_RUN_FILE_RUN_FILES_H

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
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

static inline carom_model model_of(int contact_count)
{
    return (carom_model){.dof = 2,
                         .contacts = contact_count,
                         .parameters = 3,
                         .coordinate = coordinates,
                         .contact = contacts,
                         .parameter = parameters};
}

static inline carom_experiment experiment_of(carom_model *model, int column_count)
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

static inline carom_run_result result_of(const char *word)
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

/* The number at a place of a run: different everywhere; regimes are small whole numbers. */
static inline double entry(const carom_row_layout *layout, int run, size_t row, int place)
{
    if (place >= layout->regime && place < layout->column)
        return (double)((row + (size_t)place) % 3);
    return 1.0 / 3.0 + (double)row * 1.25 + place * 1000.0 + run * 0.001;
}

static inline carom_status put_rows(carom_recorder recorder, const carom_row_layout *layout, int run,
                                    size_t first, size_t count, carom_error *error)
{
    double row[64];
    carom_status status = CAROM_OK;
    for (size_t i = first; status == CAROM_OK && i < first + count; i++) {
        for (int k = 0; k < layout->width; k++)
            row[k] = entry(layout, run, i, k);
        status = recorder.row(recorder.context, row, error);
    }
    return status;
}

/* Two events, of a stop at the last contact and an impact at the first, with columns before and after. */
enum {
    POINTS = 2,
    POINTS_MAX = 64
};
static inline carom_event_points points_of(const carom_experiment *experiment, double row[POINTS_MAX])
{
    carom_event_points points = {.columns = experiment->column_count, .count = POINTS, .row = row};
    const size_t width = carom_event_points_width(&points);
    for (size_t i = 0; i < POINTS * width; i++)
        row[i] = 0.125 * (double)i;
    row[1] = CAROM_EVENT_STOP;
    row[2] = experiment->model->contacts - 1;
    row[width + 1] = CAROM_EVENT_IMPACT;
    row[width + 2] = 0.0;
    return experiment->model->contacts > 0 ? points : (carom_event_points){0};
}

static inline void put_run(carom_run_writer *writer, const carom_experiment *experiment, int member,
                           size_t count, const char *word)
{
    carom_error error = {0};
    carom_recorder recorder;
    carom_row_layout layout = carom_row_layout_of(experiment);
    carom_run_result result = result_of(word);
    double point[POINTS_MAX];
    result.points = points_of(experiment, point);
    assert_int_equal(carom_run_writer_begin(writer, member, experiment, parameter_values, &recorder, &error),
                     CAROM_OK);
    assert_int_equal(put_rows(recorder, &layout, member, 0, count, &error), CAROM_OK);
    assert_int_equal(carom_run_writer_end(writer, &result, &error), CAROM_OK);
}

/* Main run and two members; row counts on both sides of a chunk. */
static inline void write_file_as(const char *path, int contact_count, int column_count, bool compressed)
{
    carom_error error = {0};
    carom_run_writer *writer = NULL;
    carom_model model = model_of(contact_count);
    carom_experiment experiment = experiment_of(&model, column_count);
    assert_int_equal(carom_run_writer_create(path, &writer, &error), CAROM_OK);
    if (compressed)
        carom_run_writer_compress(writer);
    put_run(writer, &experiment, -1, 2500, "ok");
    experiment.setting[2].number = 8;
    put_run(writer, &experiment, 0, 1024, "failed");
    put_run(writer, &experiment, 1, 0, "interrupted");
    experiment.setting[2].number = 7;
    assert_int_equal(carom_run_writer_close(writer, &error), CAROM_OK);
}

static inline void write_file(const char *path, int contact_count, int column_count)
{
    write_file_as(path, contact_count, column_count, false);
}

static inline void check_rows(const carom_series *series, int run, size_t count)
{
    assert_int_equal(series->count, count);
    for (size_t i = 0; i < count; i++)
        for (int k = 0; k < series->layout.width; k++)
            assert_true(carom_series_row(series, i)[k] == entry(&series->layout, run, i, k));
}

/* ---- folder of the test ---------------------------------------------------------------------------- */

static char folder[] = "carom_run_file_XXXXXX";
static char path_buffer[4][80];

static inline const char *in_folder(int slot, const char *name)
{
    snprintf(path_buffer[slot], sizeof path_buffer[slot], "%s/%s", folder, name);
    return path_buffer[slot];
}

static inline int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    const char *names[] = {"run.h5",         "copy.h5",   "slow.h5", "packed.h5",
                           "slow-packed.h5", "killed.h5", "full.h5", "text.h5"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(in_folder(0, names[i]));
    return rmdir(folder);
}

static inline unsigned char *read_bytes(const char *path, size_t *size)
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

#endif
