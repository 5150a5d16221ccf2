/* Run files, written while a run goes on, under a temporary name until they are complete. Rows are collected in a
 * chunk; whole chunks, and at the latest what came in the last two seconds, are written and flushed. The layout of the
 * file does not depend on when the flushes happen, and no times are stored: the same run gives the same bytes. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "io/parts/locked_file.h"
#include "run_file_content.h"

enum {
    CHUNK_ROWS_MAX = 256,
    CHUNK_BYTES_MAX = 1 << 20,
    METADATA_BYTES = 1 << 20 /* generous room for what HDF5 adds to the data of one flush */
};
static const double FLUSH_SECONDS = 2.0;

struct carom_run_writer {
    char *path; /* as it was given */
    locked_file temporary;
    hid_t file;
    bool has_head; /* name, file and model text are in the file */
    bool broken;   /* a write failed: no more is written */

    /* The run under way; group < 0 when there is none. */
    hid_t group;
    const carom_experiment *experiment;
    carom_row_layout layout;
    run_file_part part[RUN_FILE_PARTS];
    hid_t dataset[RUN_FILE_PARTS]; /* -1 for parts of zero width */
    double *rows;                  /* chunk_rows x layout.width */
    size_t chunk_rows;
    size_t filled; /* rows in the chunk */
    size_t stored; /* the first of them that are in the file already */
    hsize_t chunk_start;
    double last_flush;
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
    int failure = posix_fallocate(writer->temporary.descriptor, (off_t)size, (off_t)(bytes + METADATA_BYTES));
    if (failure != ENOSPC && failure != EFBIG && failure != EDQUOT && failure != EIO)
        return CAROM_OK; /* done, or this file system cannot reserve */
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
              run_file_put_parameters(writer->group, writer->experiment, parameter) &&
              run_file_create_series(writer->group, writer->experiment, writer->part, writer->chunk_rows,
                                     writer->dataset) &&
              H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0;
    return written ? CAROM_OK : fail_write(writer, error);
}

static void release_run(carom_run_writer *writer)
{
    for (int i = 0; i < RUN_FILE_PARTS; i++)
        if (writer->group >= 0 && writer->dataset[i] >= 0)
            H5Dclose(writer->dataset[i]);
    if (writer->group >= 0)
        H5Gclose(writer->group);
    writer->group = -1;
    free(writer->rows);
    writer->rows = NULL;
}

/* ---- rows ------------------------------------------------------------------------------------------ */

static bool store_part(const carom_run_writer *writer, int index)
{
    const run_file_part *part = &writer->part[index];
    hid_t dataset = writer->dataset[index];
    const hsize_t count = writer->filled - writer->stored, first = writer->chunk_start + writer->stored;
    const hsize_t size[3] = {first + count, part->inner[0], part->inner[1]};
    const hsize_t start[3] = {first, 0, 0}, extent[3] = {count, part->inner[0], part->inner[1]};
    const hsize_t row_size[2] = {count, (hsize_t)writer->layout.width};
    const hsize_t row_start[2] = {0, (hsize_t)part->offset}, row_extent[2] = {count, (hsize_t)part->width};
    if (H5Dset_extent(dataset, size) < 0)
        return false;
    hid_t target = H5Dget_space(dataset), source = H5Screate_simple(2, row_size, NULL);
    bool written = target >= 0 && source >= 0 &&
                   H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                   H5Sselect_hyperslab(source, H5S_SELECT_SET, row_start, NULL, row_extent, NULL) >= 0 &&
                   H5Dwrite(dataset, H5T_NATIVE_DOUBLE, source, target, H5P_DEFAULT,
                            writer->rows + writer->stored * (size_t)writer->layout.width) >= 0;
    if (source >= 0)
        H5Sclose(source);
    if (target >= 0)
        H5Sclose(target);
    return written;
}

/* Writes and flushes the rows of the chunk that are not in the file yet. */
static carom_status store_rows(carom_run_writer *writer, carom_error *error)
{
    size_t bytes = writer->chunk_rows * (size_t)writer->layout.width * sizeof(double);
    carom_status status = reserve_space(writer, bytes, error);
    if (status != CAROM_OK)
        return status;
    bool written = true;
    if (writer->filled > writer->stored)
        for (int i = 0; written && i < RUN_FILE_PARTS; i++)
            if (writer->dataset[i] >= 0)
                written = store_part(writer, i);
    written = written && H5Fflush(writer->file, H5F_SCOPE_GLOBAL) >= 0;
    writer->stored = writer->filled;
    writer->last_flush = carom_seconds();
    return written ? CAROM_OK : fail_write(writer, error);
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    carom_run_writer *writer = context;
    if (writer->broken || writer->group < 0)
        return carom_fail(error, CAROM_IO_ERROR, "the run file %s takes no more rows after an error",
                          writer->path);
    size_t width = (size_t)writer->layout.width;
    memcpy(writer->rows + writer->filled * width, row, width * sizeof *row);
    writer->filled++;
    bool whole = writer->filled == writer->chunk_rows;
    if (!whole && carom_seconds() - writer->last_flush < FLUSH_SECONDS)
        return CAROM_OK;
    hdf5_quiet quiet = hdf5_silence();
    carom_status status = store_rows(writer, error);
    hdf5_restore(quiet);
    if (whole) {
        writer->chunk_start += writer->filled;
        writer->filled = writer->stored = 0;
    }
    return status;
}

static carom_status take_buffer(carom_run_writer *writer, carom_error *error)
{
    size_t row_bytes = (size_t)writer->layout.width * sizeof(double);
    size_t rows = CHUNK_BYTES_MAX / row_bytes;
    if (rows > CHUNK_ROWS_MAX)
        rows = CHUNK_ROWS_MAX;
    writer->chunk_rows = rows < 1 ? 1 : rows;
    writer->chunk_start = 0;
    writer->filled = writer->stored = 0;
    writer->rows = carom_new_array(writer->chunk_rows, row_bytes);
    return writer->rows ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_run_writer_begin(carom_run_writer *writer, int member, const carom_experiment *experiment,
                                    const double *parameter, carom_recorder *recorder, carom_error *error)
{
    if (writer->broken || writer->group >= 0)
        return carom_fail(error, CAROM_IO_ERROR, "the run file %s cannot start a run: %s", writer->path,
                          writer->broken ? "an earlier write failed" : "the run before has not ended");
    if (!experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a run file is of an experiment; none is given");
    writer->experiment = experiment;
    writer->layout = carom_row_layout_of(experiment);
    run_file_parts(&writer->layout, writer->part);
    for (int i = 0; i < RUN_FILE_PARTS; i++)
        writer->dataset[i] = -1;
    carom_status status = take_buffer(writer, error);
    if (status != CAROM_OK)
        return status;
    hdf5_quiet quiet = hdf5_silence();
    status = create_run(writer, member, parameter ? parameter : experiment->parameter, error);
    if (status != CAROM_OK)
        release_run(writer);
    hdf5_restore(quiet);
    writer->last_flush = carom_seconds();
    *recorder = (carom_recorder){.context = writer, .row = take_row};
    return status;
}

/* ---- end ------------------------------------------------------------------------------------------- */

static carom_status finish_run(carom_run_writer *writer, const carom_run_result *result, carom_error *error)
{
    size_t bytes =
        sizeof result->message + sizeof result->certificate + result->event_count * sizeof *result->event;
    for (int i = 0; i < result->measure_count; i++)
        bytes += (size_t)result->measure[i].count * sizeof(double);
    carom_status status = store_rows(writer, error);
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
    else if (writer->group >= 0)
        status = store_rows(writer, error);
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
