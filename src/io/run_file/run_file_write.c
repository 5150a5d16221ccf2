/* Run files, written while a run goes on, under a temporary name until they are complete. Rows are collected in a
 * chunk; whole chunks are written, and what came in the last two seconds is written and flushed at the latest then. The
 * layout of the file does not depend on when the flushes happen, and no times are stored: the same run gives the same
 * bytes. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/parts/locked_file.h"
#include "io/parts/write_behind.h"
#include "run_file_rows.h"

enum {
    METADATA_BYTES = 1 << 20, /* generous room for what HDF5 adds to the data of one flush */
    AHEAD_BYTES = 1 << 24,    /* reserved at a time, where the disk has them */
    ROWS_PER_LOOK = 32        /* at the clock, at most */
};
static const double FLUSH_SECONDS = 2.0;

struct carom_run_writer {
    char *path; /* as it was given */
    locked_file temporary;
    hid_t file;
    off_t reserved; /* the disk has room for so many bytes of the file */
    size_t waiting; /* bytes that the disk has not been asked to take yet */
    bool compressed;
    int columns; /* selected ones; 0: all */
    const carom_table_column *column;
    bool has_head; /* name, file and model text are in the file */
    bool broken;   /* a write failed: no more is written */

    /* The run under way; group < 0 when there is none. */
    hid_t group;
    const carom_experiment *experiment;
    run_file_rows rows;
    size_t expected;           /* rows; 0: not known */
    int names;                 /* of derivatives: a series of rows each, where there are some */
    const char *const *name;   /* the caller's */
    run_file_rows *slope;      /* per name; NULL: none are known */
    double *slope_row;         /* room for one of their rows */
    const double *next_slopes; /* of the next row; NULL: not known */
    bool
        has_series; /* its datasets are there: made before the first row, when it is known how many there will be */
    double last_flush, last_look;
    size_t rows_to_look, look_stride; /* rows until the next look at the clock, and between two of them */
};

static carom_status fail_write(carom_run_writer *writer, carom_error *error)
{
    char reason[512];
    hdf5_reason(reason, sizeof reason);
    writer->broken = true;
    return carom_fail(error, CAROM_IO_ERROR, "cannot write the run file %s: %s", writer->path, reason);
}

/* ---- file ------------------------------------------------------------------------------------------ */

static hid_t create_file(const char *path)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    /* Format 1.8: metadata have checksums, and a file whose writer was killed can still be opened (the 1.10
     * format marks files as open for writing). No aggregation of small blocks, which would make the layout
     * depend on the times of the flushes. */
    if (creation >= 0 && access >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_V18) >= 0 &&
        H5Pset_meta_block_size(access, 0) >= 0 && H5Pset_small_data_block_size(access, 0) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0 &&
        H5Pset_file_locking(access, false, true) >= 0) /* it is locked already */
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (creation >= 0)
        H5Pclose(creation);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

static carom_status open_file(carom_run_writer *writer, carom_error *error)
{
    carom_error inner = {0};
    carom_status status = locked_file_open(writer->path, ".new", &writer->temporary, &inner);
    if (status != CAROM_OK)
        return carom_fail(error, status, "cannot create the run file: %s", inner.text);
    hdf5_quiet quiet = hdf5_silence();
    writer->file = create_file(writer->temporary.path);
    status = writer->file < 0 ? fail_write(writer, error) : CAROM_OK;
    hdf5_restore(quiet);
    return status;
}

/* Makes sure that the disk has room for this many more bytes. HDF5 (up to 2.x) loses its footing when a write
 * fails, up to a crash at exit, so a full disk must be noticed before HDF5 writes; the file then stays good
 * and keeps all rows that were flushed. */
static carom_status reserve_space(carom_run_writer *writer, size_t bytes, carom_error *error)
{
    hsize_t size = 0;
    if (H5Fget_filesize(writer->file, &size) < 0)
        return fail_write(writer, error);
    const off_t needed = (off_t)(size + bytes + METADATA_BYTES);
    if (needed <= writer->reserved)
        return CAROM_OK;
    const off_t ahead = needed + AHEAD_BYTES;
    off_t got = ahead;
    int failure = posix_fallocate(writer->temporary.descriptor, (off_t)size, ahead - (off_t)size);
    if (failure == ENOSPC || failure == EFBIG || failure == EDQUOT) {
        got = needed; /* less may do */
        failure = posix_fallocate(writer->temporary.descriptor, (off_t)size, needed - (off_t)size);
    }
    if (failure != ENOSPC && failure != EFBIG && failure != EDQUOT && failure != EIO) {
        writer->reserved = got; /* or this file system cannot reserve */
        return CAROM_OK;
    }
    writer->broken = true;
    return carom_fail(error, CAROM_IO_ERROR, "cannot write the run file %s: %s", writer->path,
                      strerror(failure));
}

/* Flushes, closes, and gives back the space that was reserved and not used. */
static carom_status close_file(carom_run_writer *writer, carom_error *error)
{
    hsize_t size = 0;
    bool known = H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0 && H5Fget_filesize(writer->file, &size) >= 0;
    if (H5Fclose(writer->file) < 0 || !known)
        return fail_write(writer, error);
    if (ftruncate(writer->temporary.descriptor, (off_t)size) != 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot finish the run file %s: %s", writer->path,
                          strerror(errno));
    return CAROM_OK;
}

carom_status carom_run_writer_create(const char *path, carom_run_writer **writer, carom_error *error)
{
    *writer = NULL;
    if (!path)
        return carom_fail(error, CAROM_BAD_INPUT, "no path of a run file is given");
    carom_run_writer *made = carom_new_array(1, sizeof *made);
    char *copy = made ? carom_new_array(strlen(path) + 1, 1) : NULL;
    if (!copy) {
        free(made);
        return carom_fail_memory(error);
    }
    memcpy(copy, path, strlen(path));
    made->path = copy;
    made->file = made->group = -1;
    made->temporary.descriptor = -1;
    carom_status status = open_file(made, error);
    if (status != CAROM_OK) {
        carom_run_writer_discard(made);
        return status;
    }
    *writer = made;
    return CAROM_OK;
}

/* ---- begin ----------------------------------------------------------------------------------------- */

static size_t text_bytes(const carom_experiment *experiment)
{
    size_t bytes = experiment->text ? strlen(experiment->text) : 0;
    for (int i = 0; i < experiment->setting_count; i++)
        if (experiment->setting[i].is_text && experiment->setting[i].text)
            bytes += strlen(experiment->setting[i].text);
    return bytes;
}

static carom_status create_run(carom_run_writer *writer, int member, const double *parameter,
                               carom_error *error)
{
    carom_status status = reserve_space(writer, text_bytes(writer->experiment), error);
    if (status != CAROM_OK)
        return status;
    bool written = writer->has_head || run_file_put_head(writer->file, writer->experiment);
    writer->has_head = true;
    if (written)
        writer->group = run_file_create_run(writer->file, member);
    written = written && writer->group >= 0 && run_file_put_run_head(writer->group) &&
              run_file_put_parameters(writer->group, writer->experiment, parameter);
    return written ? CAROM_OK : fail_write(writer, error);
}

static void release_run(carom_run_writer *writer)
{
    run_file_rows_free(&writer->rows);
    for (int i = 0; writer->slope && i < writer->names; i++)
        run_file_rows_free(&writer->slope[i]);
    free(writer->slope);
    free(writer->slope_row);
    writer->slope = NULL;
    writer->slope_row = NULL;
    if (writer->group >= 0)
        H5Gclose(writer->group);
    writer->group = -1;
}

/* Once per run, before its first row. */
static carom_status create_series(carom_run_writer *writer, size_t expected, carom_error *error)
{
    const carom_row_layout layout = carom_row_layout_of(writer->experiment);
    writer->has_series = true;
    writer->expected = expected;
    carom_status status =
        writer->columns > 0 ? run_file_rows_take_selected(&writer->rows, &layout, writer->columns,
                                                          writer->column, expected, writer->compressed, error)
                            : run_file_rows_take(&writer->rows, &layout, expected, writer->compressed, error);
    if (status != CAROM_OK) {
        writer->broken = true;
        return status;
    }
    hdf5_quiet quiet = hdf5_silence();
    status = reserve_space(writer, 0, error);
    if (status == CAROM_OK && (!run_file_rows_create(&writer->rows, writer->group, writer->experiment) ||
                               H5Fflush(writer->file, H5F_SCOPE_GLOBAL) < 0))
        status = fail_write(writer, error);
    hdf5_restore(quiet);
    return status;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

/* Flushes what is in the file. */
static carom_status flush_rows(carom_run_writer *writer, carom_error *error)
{
    writer->last_flush = carom_seconds();
    return H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0 ? CAROM_OK : fail_write(writer, error);
}

/* Writes the rows of the chunk that are not in the file yet. */
static carom_status store_rows(carom_run_writer *writer, bool last, carom_error *error)
{
    const size_t series = 1 + (size_t)(writer->slope ? writer->names : 0);
    const size_t bytes = series * run_file_rows_bytes(&writer->rows);
    carom_status status = reserve_space(writer, bytes, error);
    bool written = status == CAROM_OK && run_file_rows_store(&writer->rows, last);
    for (int i = 0; written && writer->slope && i < writer->names; i++)
        written = run_file_rows_store(&writer->slope[i], last);
    write_behind(&writer->waiting, writer->temporary.descriptor, bytes);
    return status != CAROM_OK || written ? status : fail_write(writer, error);
}

static bool create_slope_series(carom_run_writer *writer, int index)
{
    const hid_t group = run_file_sensitivity_group(writer->group, writer->name[index], index);
    const bool written = group >= 0 && run_file_rows_create(&writer->slope[index], group, writer->experiment);
    return group >= 0 && H5Gclose(group) >= 0 && written;
}

/* Derivatives are known from the first row on, or not at all. */
static carom_status create_slopes(carom_run_writer *writer, carom_error *error)
{
    writer->slope = carom_new_array((size_t)writer->names, sizeof *writer->slope);
    writer->slope_row = carom_new_array((size_t)writer->rows.layout.width, sizeof *writer->slope_row);
    if (!writer->slope || !writer->slope_row)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < writer->names; i++)
        status = run_file_rows_take(&writer->slope[i], &writer->rows.layout, writer->expected,
                                    writer->compressed, error);
    hdf5_quiet quiet = hdf5_silence();
    if (status == CAROM_OK)
        status = reserve_space(writer, 0, error);
    for (int i = 0; status == CAROM_OK && i < writer->names; i++)
        if (!create_slope_series(writer, i))
            status = fail_write(writer, error);
    hdf5_restore(quiet);
    return status;
}

static void take_slopes(void *context, const double *rows)
{
    ((carom_run_writer *)context)->next_slopes = rows;
}

/* Before the row that they belong to. */
static carom_status take_slope_rows(carom_run_writer *writer, carom_error *error)
{
    const carom_row_layout *layout = &writer->rows.layout;
    const size_t width = (size_t)layout->width;
    const bool first = writer->rows.chunk_start == 0 && writer->rows.filled == 0;
    if (!writer->slope && writer->next_slopes && first) {
        const carom_status status = create_slopes(writer, error);
        if (status != CAROM_OK)
            return status;
    }
    for (int c = 0; writer->slope && c < writer->names; c++) {
        double *row = writer->slope_row;
        for (size_t i = 0; i < width; i++)
            row[i] = writer->next_slopes ? writer->next_slopes[(size_t)c * width + i] : NAN;
        for (int i = 0; i < layout->contacts; i++)
            row[layout->regime + i] = 0.0; /* a status: stored as a byte */
        run_file_rows_add(&writer->slope[c], 1, row);
    }
    writer->next_slopes = NULL;
    return CAROM_OK;
}

/* Looks at the clock some times in two seconds, not at every row. */
static bool is_flush_due(carom_run_writer *writer, size_t rows)
{
    if (rows < writer->rows_to_look) {
        writer->rows_to_look -= rows;
        return false;
    }
    const double now = carom_seconds(), passed = now - writer->last_look;
    if (passed < 0.1 * FLUSH_SECONDS && writer->look_stride < ROWS_PER_LOOK)
        writer->look_stride *= 2;
    else if (passed > 0.2 * FLUSH_SECONDS && writer->look_stride > 1)
        writer->look_stride /= 2;
    writer->last_look = now;
    writer->rows_to_look = writer->look_stride;
    return now - writer->last_flush >= FLUSH_SECONDS;
}

static carom_status expect_rows(void *context, size_t rows, carom_error *error)
{
    carom_run_writer *writer = context;
    return writer->has_series || writer->broken || writer->group < 0 ? CAROM_OK
                                                                     : create_series(writer, rows, error);
}

/* As many as the chunk takes. */
static carom_status take_some(carom_run_writer *writer, size_t count, const double *rows, size_t *taken,
                              carom_error *error)
{
    *taken = run_file_rows_add(&writer->rows, count, rows);
    const bool whole = run_file_rows_whole(&writer->rows), due = is_flush_due(writer, *taken);
    if (!whole && !due)
        return CAROM_OK;
    hdf5_quiet quiet = hdf5_silence();
    carom_status status = store_rows(writer, false, error);
    if (status == CAROM_OK && due)
        status = flush_rows(writer, error);
    hdf5_restore(quiet);
    return status;
}

static carom_status take_rows(void *context, size_t count, const double *rows, carom_error *error)
{
    carom_run_writer *writer = context;
    if (writer->broken || writer->group < 0)
        return carom_fail(error, CAROM_IO_ERROR, "the run file %s takes no more rows after an error",
                          writer->path);
    carom_status status = writer->has_series ? CAROM_OK : create_series(writer, 0, error);
    if (status == CAROM_OK && writer->names > 0) /* rows come one by one then */
        status = take_slope_rows(writer, error);
    for (size_t done = 0, taken = 0; status == CAROM_OK && done < count; done += taken)
        status =
            take_some(writer, count - done, rows + done * (size_t)writer->rows.layout.width, &taken, error);
    return status;
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    return take_rows(context, 1, row, error);
}

carom_status carom_run_writer_read_back(carom_run_writer *writer, size_t first, size_t count, double *rows,
                                        carom_error *error)
{
    if (count == 0)
        return CAROM_OK;
    hdf5_quiet quiet = hdf5_silence();
    const bool read = writer->has_series && !writer->broken && writer->group >= 0 &&
                      run_file_rows_read(&writer->rows, first, count, rows);
    hdf5_restore(quiet);
    return read ? CAROM_OK
                : carom_fail(error, CAROM_IO_ERROR, "the run file %s does not give its rows back",
                             writer->path);
}

void carom_run_writer_compress(carom_run_writer *writer)
{
    writer->compressed = true;
}

void carom_run_writer_select(carom_run_writer *writer, int count, const carom_table_column *column)
{
    writer->columns = count;
    writer->column = column;
}

carom_status carom_run_writer_begin(carom_run_writer *writer, int member, const carom_experiment *experiment,
                                    const double *parameter, carom_recorder *recorder, carom_error *error)
{
    return carom_run_writer_begin_sensitive(writer, member, experiment, parameter, 0, NULL, recorder, error);
}

carom_status carom_run_writer_begin_sensitive(carom_run_writer *writer, int member,
                                              const carom_experiment *experiment, const double *parameter,
                                              int names, const char *const *name, carom_recorder *recorder,
                                              carom_error *error)
{
    if (writer->broken || writer->group >= 0)
        return carom_fail(error, CAROM_IO_ERROR, "the run file %s cannot start a run: %s", writer->path,
                          writer->broken ? "an earlier write failed" : "the run before has not ended");
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a run file is of an experiment; none is given");
    writer->experiment = experiment;
    writer->has_series = false;
    writer->names = names;
    writer->name = name;
    writer->slope = NULL;
    writer->next_slopes = NULL;
    hdf5_quiet quiet = hdf5_silence();
    carom_status status = create_run(writer, member, parameter ? parameter : experiment->parameter, error);
    if (status != CAROM_OK)
        release_run(writer);
    hdf5_restore(quiet);
    writer->last_flush = writer->last_look = carom_seconds();
    writer->rows_to_look = writer->look_stride = 1;
    *recorder = (carom_recorder){.context = writer,
                                 .row = take_row,
                                 .slopes = names > 0 ? take_slopes : NULL,
                                 .expect = expect_rows,
                                 .rows = names > 0 ? NULL : take_rows};
    return status;
}

/* ---- end ------------------------------------------------------------------------------------------- */

static carom_status finish_run(carom_run_writer *writer, const carom_run_result *result, carom_error *error)
{
    size_t bytes =
        sizeof result->message + sizeof result->certificate + result->event_count * sizeof *result->event;
    for (int i = 0; i < result->measure_count; i++)
        bytes += (size_t)result->measure[i].count * sizeof(double);
    carom_status status = writer->has_series ? CAROM_OK : create_series(writer, 0, error);
    if (status == CAROM_OK)
        status = store_rows(writer, true, error);
    if (status == CAROM_OK)
        status = reserve_space(writer, bytes, error);
    if (status != CAROM_OK)
        return status;
    bool written = run_file_put_run_tail(writer->group, writer->experiment, result) &&
                   H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0;
    return written ? CAROM_OK : fail_write(writer, error);
}

carom_status carom_run_writer_end(carom_run_writer *writer, const carom_run_result *result,
                                  carom_error *error)
{
    if (writer->group < 0)
        return carom_fail(error, CAROM_IO_ERROR, "the run file %s has no run under way", writer->path);
    hdf5_quiet quiet = hdf5_silence();
    carom_status status = CAROM_IO_ERROR;
    if (writer->broken)
        carom_fail(error, status, "the run file %s is not complete: an earlier write failed", writer->path);
    else
        status = finish_run(writer, result, error);
    release_run(writer);
    hdf5_restore(quiet);
    return status;
}

static void release_writer(carom_run_writer *writer)
{
    locked_file_close(&writer->temporary, true); /* takes nothing away that got its name */
    free(writer->path);
    free(writer);
}

void carom_run_writer_discard(carom_run_writer *writer)
{
    if (!writer)
        return;
    hdf5_quiet quiet = hdf5_silence();
    release_run(writer);
    if (writer->file >= 0)
        H5Fclose(writer->file);
    hdf5_restore(quiet);
    release_writer(writer);
}

carom_status carom_run_writer_close(carom_run_writer *writer, carom_error *error)
{
    if (!writer)
        return CAROM_OK;
    carom_status status = CAROM_OK;
    hdf5_quiet quiet = hdf5_silence();
    if (writer->broken)
        status = carom_fail(error, CAROM_IO_ERROR, "the run file %s is not complete: an earlier write failed",
                            writer->path);
    else if (writer->group >= 0 && writer->has_series)
        status = store_rows(writer, true, error);
    release_run(writer);
    if (writer->file >= 0) {
        carom_status closed = close_file(writer, status == CAROM_OK ? error : NULL);
        status = status == CAROM_OK ? closed : status;
    }
    hdf5_restore(quiet);
    if (status == CAROM_OK && fsync(writer->temporary.descriptor) != 0)
        status = carom_fail(error, CAROM_IO_ERROR, "cannot finish the run file %s: %s", writer->path,
                            strerror(errno));
    if (status == CAROM_OK)
        status = locked_file_rename(&writer->temporary, false, error);
    release_writer(writer);
    return status;
}
