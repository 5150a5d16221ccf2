#include "run_file_rows.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a chunk: what HDF5 and the system do for each chunk of each dataset costs as much as some hundred rows, but a short run
 * shall not have a large file. */
enum {
    CHUNK_ROWS_SHORT = 256,
    CHUNK_ROWS_LONG = 4096,
    CHUNKS_LEAST = 4, /* of a run whose rows are known to be more than a few */
    CHUNK_BYTES_MAX = 1 << 20,
    GATHER_BYTES =
        1 << 14 /* of rows that stay in the nearest cache while one part after the other is taken from them */
};

static size_t bytes_of_row(const run_file_part *part)
{
    return (size_t)part->width * (part->bytes ? 1 : sizeof(double));
}

static carom_status take_chunk(run_file_rows *self, size_t expected, carom_error *error)
{
    for (int i = 0; i < RUN_FILE_PARTS; i++)
        self->dataset[i] = -1;
    const size_t row_bytes = self->width * sizeof(double);
    const size_t fit = CHUNK_BYTES_MAX / row_bytes;
    size_t rows = expected / CHUNKS_LEAST + 1; /* so many chunks, the last one almost full */
    if (rows < CHUNK_ROWS_SHORT)
        rows = CHUNK_ROWS_SHORT;
    if (rows > CHUNK_ROWS_LONG)
        rows = CHUNK_ROWS_LONG;
    if (rows > fit)
        rows = fit;
    self->chunk_rows = rows < 1 ? 1 : rows;
    size_t most = 0;
    bool taken = true;
    for (int i = 0; taken && i < RUN_FILE_PARTS; i++) {
        const size_t bytes = bytes_of_row(&self->part[i]);
        self->chunk[i] = bytes > 0 ? carom_new_array(self->chunk_rows, bytes) : NULL;
        taken = bytes == 0 || self->chunk[i];
        most = bytes > most ? bytes : most;
    }
    self->work = taken ? carom_new_array(self->chunk_rows, most) : NULL;
    if (self->work)
        return CAROM_OK;
    run_file_rows_free(self);
    return carom_fail_memory(error);
}

carom_status run_file_rows_take(run_file_rows *self, const carom_row_layout *layout, size_t expected,
                                bool compressed, carom_error *error)
{
    *self = (run_file_rows){.layout = *layout, .compressed = compressed, .width = (size_t)layout->width};
    run_file_parts(layout, self->part);
    return take_chunk(self, expected, error);
}

carom_status run_file_rows_take_selected(run_file_rows *self, const carom_row_layout *layout, int columns,
                                         const carom_table_column *column, size_t expected, bool compressed,
                                         carom_error *error)
{
    *self = (run_file_rows){.layout = *layout,
                            .compressed = compressed,
                            .columns = columns,
                            .column = column,
                            .width = (size_t)columns};
    run_file_parts_kept(columns, self->part);
    return take_chunk(self, expected, error);
}

void run_file_rows_free(run_file_rows *self)
{
    for (int i = 0; i < RUN_FILE_PARTS; i++) {
        if (self->work && self->dataset[i] >= 0)
            H5Dclose(self->dataset[i]);
        self->dataset[i] = -1;
        free(self->chunk[i]);
        self->chunk[i] = NULL;
    }
    free(self->work);
    self->work = NULL;
}

bool run_file_rows_create(run_file_rows *self, hid_t run, const carom_experiment *experiment)
{
    if (!run_file_create_series(run, experiment, self->part, self->chunk_rows, self->compressed,
                                self->dataset))
        return false;
    if (self->columns < 2)
        return true;
    const char **name = carom_new_array((size_t)self->columns, sizeof *name);
    for (int i = 1; name && i < self->columns; i++)
        name[i - 1] = self->column[i].name;
    const bool written = name && hdf5_put_names(self->dataset[1], "names", name, self->columns - 1);
    free(name);
    return written;
}

/* ---- gathering ------------------------------------------------------------------------------------------- */

/* Where a column of the parts stands in a row of the layout. */
static int place_of(const run_file_rows *self, int column)
{
    return self->columns > 0 ? self->column[column].place : column;
}

static void gather_numbers(const double *from, size_t stride, size_t count, size_t width, double *to)
{
    if (width == 1) {
        for (size_t row = 0; row < count; row++)
            to[row] = from[row * stride];
        return;
    }
    for (size_t row = 0; row < count; row++)
        for (size_t i = 0; i < width; i++)
            *to++ = from[row * stride + i];
}

static void gather_bytes(const double *from, size_t stride, size_t count, size_t width, uint8_t *to)
{
    for (size_t row = 0; row < count; row++)
        for (size_t i = 0; i < width; i++)
            *to++ = (uint8_t)from[row * stride + i];
}

static void gather_selected(const run_file_rows *self, const run_file_part *part, size_t count,
                            const double *from, double *to)
{
    const size_t stride = (size_t)self->layout.width;
    for (size_t row = 0; row < count; row++)
        for (int i = 0; i < part->width; i++)
            *to++ = from[row * stride + (size_t)place_of(self, part->offset + i)];
}

static void gather(const run_file_rows *self, int index, size_t count, const double *rows)
{
    const run_file_part *part = &self->part[index];
    const size_t stride = (size_t)self->layout.width, width = (size_t)part->width;
    unsigned char *to = (unsigned char *)self->chunk[index] + self->filled * bytes_of_row(part);
    if (self->columns > 0)
        gather_selected(self, part, count, rows, (double *)(void *)to);
    else if (part->bytes)
        gather_bytes(rows + part->offset, stride, count, width, to);
    else
        gather_numbers(rows + part->offset, stride, count, width, (double *)(void *)to);
}

size_t run_file_rows_add(run_file_rows *self, size_t count, const double *rows)
{
    const size_t width = (size_t)self->layout.width, room = self->chunk_rows - self->filled;
    const size_t added = count < room ? count : room;
    const size_t fit = GATHER_BYTES / (width * sizeof(double)), most = fit > 0 ? fit : 1;
    for (size_t first = 0; first < added; first += most) {
        const size_t piece = added - first < most ? added - first : most;
        for (int i = 0; i < RUN_FILE_PARTS; i++)
            if (self->chunk[i])
                gather(self, i, piece, rows + first * width);
        self->filled += piece;
    }
    return added;
}

/* ---- storing --------------------------------------------------------------------------------------------- */

/* The whole chunk as it stands in the file, without what HDF5 does for selections: behind the rows zeros. */
static bool store_chunk(const run_file_rows *self, int index)
{
    const run_file_part *part = &self->part[index];
    const hsize_t start[3] = {self->chunk_start, 0, 0};
    const size_t bytes = self->chunk_rows * bytes_of_row(part), used = self->filled * bytes_of_row(part);
    memset((unsigned char *)self->chunk[index] + used, 0, bytes - used);
    return H5Dwrite_chunk(self->dataset[index], H5P_DEFAULT, 0, start, bytes, self->chunk[index]) >= 0;
}

/* Through the filters of the dataset, or into the order of bytes of the file. */
static bool store_selection(const run_file_rows *self, int index)
{
    const run_file_part *part = &self->part[index];
    const hsize_t count = self->filled - self->stored, first = self->chunk_start + self->stored;
    const hsize_t start[3] = {first, 0, 0}, extent[3] = {count, part->inner[0], part->inner[1]};
    const unsigned char *from = (unsigned char *)self->chunk[index] + self->stored * bytes_of_row(part);
    const hid_t target = H5Dget_space(self->dataset[index]),
                source = H5Screate_simple(part->rank, extent, NULL);
    const bool written = target >= 0 && source >= 0 &&
                         H5Sselect_hyperslab(target, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                         H5Dwrite(self->dataset[index], part->bytes ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE,
                                  source, target, H5P_DEFAULT, from) >= 0;
    if (source >= 0)
        H5Sclose(source);
    if (target >= 0)
        H5Sclose(target);
    return written;
}

static bool is_little_endian(void)
{
    const uint16_t one = 1;
    uint8_t first;
    memcpy(&first, &one, 1);
    return first == 1;
}

bool run_file_rows_store(run_file_rows *self, bool last)
{
    const bool whole = self->filled == self->chunk_rows, direct = !self->compressed && is_little_endian();
    if (self->filled == self->stored || (self->compressed && !whole && !last))
        return true;
    bool written = true;
    for (int i = 0; written && i < RUN_FILE_PARTS; i++) {
        const run_file_part *part = &self->part[i];
        const hsize_t size[3] = {self->chunk_start + self->filled, part->inner[0], part->inner[1]};
        if (self->dataset[i] >= 0)
            written = H5Dset_extent(self->dataset[i], size) >= 0 &&
                      (direct ? store_chunk(self, i) : store_selection(self, i));
    }
    self->stored = self->filled;
    if (whole) {
        self->chunk_start += self->filled;
        self->filled = self->stored = 0;
    }
    return written;
}

/* ---- reading back --------------------------------------------------------------------------------------- */

/* Rows of a part, as the file has them, to whole rows of the layout. */
static void scatter(const run_file_rows *self, const run_file_part *part, size_t count, const void *from,
                    double *to)
{
    const size_t stride = (size_t)self->layout.width;
    const double *number = from;
    const uint8_t *byte = from;
    for (size_t row = 0; row < count; row++)
        for (int i = 0; i < part->width; i++)
            to[row * stride + (size_t)place_of(self, part->offset + i)] =
                part->bytes ? (double)*byte++ : *number++;
}

/* At most as many rows as a chunk has, all of them in the file. */
static bool read_part(const run_file_rows *self, int index, hsize_t first, hsize_t count, double *to)
{
    const run_file_part *part = &self->part[index];
    const hsize_t start[3] = {first, 0, 0}, extent[3] = {count, part->inner[0], part->inner[1]};
    const hid_t source = H5Dget_space(self->dataset[index]),
                target = H5Screate_simple(part->rank, extent, NULL);
    const bool read = source >= 0 && target >= 0 &&
                      H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                      H5Dread(self->dataset[index], part->bytes ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE,
                              target, source, H5P_DEFAULT, self->work) >= 0;
    if (target >= 0)
        H5Sclose(target);
    if (source >= 0)
        H5Sclose(source);
    if (read)
        scatter(self, part, (size_t)count, self->work, to);
    return read;
}

bool run_file_rows_read(const run_file_rows *self, size_t first, size_t count, double *to)
{
    const size_t width = (size_t)self->layout.width, start = (size_t)self->chunk_start;
    if (first > start + self->filled || count > start + self->filled - first)
        return false;
    for (size_t i = 0; i < count * width; i++)
        to[i] = NAN; /* the file has not all of a row */
    while (first < start && count > 0) {
        const size_t left = start - first < count ? start - first : count,
                     rows = left < self->chunk_rows ? left : self->chunk_rows;
        for (int i = 0; i < RUN_FILE_PARTS; i++)
            if (self->dataset[i] >= 0 && !read_part(self, i, first, rows, to))
                return false;
        first += rows;
        count -= rows;
        to += rows * width;
    }
    for (int i = 0; count > 0 && i < RUN_FILE_PARTS; i++)
        if (self->chunk[i])
            scatter(self, &self->part[i], count,
                    (unsigned char *)self->chunk[i] + (first - start) * bytes_of_row(&self->part[i]), to);
    return true;
}
