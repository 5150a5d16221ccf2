/* The rows of a run, read back from the datasets of its group `series`. */
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "run_file_reader.h"

/* Shape of one dataset of a series, checked against what the file can hold. */
typedef struct part_shape {
    bool present;
    int rank;
    hsize_t extent[3];
} part_shape;

/* The elements of a shape times the bytes of one, or the largest number when that overflows. */
static hsize_t shape_bytes(int rank, const hsize_t *extent, size_t element)
{
    hsize_t bytes = element;
    for (int i = 0; i < rank; i++) {
        if (extent[i] != 0 && bytes > (hsize_t)-1 / extent[i])
            return (hsize_t)-1;
        bytes *= extent[i];
    }
    return bytes;
}

/* What is wrong with the chunks: they must be of a size the file can hold, and enough of them for the
 * extents; of packed ones that is known already. NULL when they are right. */
static const char *storage_fault(const run_file_reader *in, hid_t dataset, const part_shape *shape,
                                 size_t element)
{
    hid_t creation = H5Dget_create_plist(dataset);
    if (creation < 0)
        return "cannot be read";
    hsize_t chunk[3] = {0, 0, 0};
    bool chunked = H5Pget_layout(creation) == H5D_CHUNKED &&
                   H5Pget_chunk(creation, shape->rank, chunk) == shape->rank &&
                   (H5Pget_nfilters(creation) == 0 || hdf5_is_packed(dataset));
    H5Pclose(creation);
    if (!chunked)
        return "is not stored in chunks as carom stores it, plain or shuffled and deflated";
    hsize_t needed = shape_bytes(shape->rank, shape->extent, element);
    bool plausible = shape->extent[0] == 0 || hdf5_is_packed(dataset) ||
                     (needed <= in->bytes && shape_bytes(shape->rank, chunk, element) <= in->bytes &&
                      needed <= H5Dget_storage_size(dataset));
    return plausible ? NULL : "says it holds more than the file has";
}

static carom_status check_part(const run_file_reader *in, hid_t dataset, const char *name, bool bytes,
                               part_shape *shape)
{
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const char *wrong = NULL;
    size_t element = bytes ? 1 : sizeof(double);
    if (type < 0 || space < 0)
        wrong = "cannot be read";
    else if (H5Tget_class(type) != (bytes ? H5T_INTEGER : H5T_FLOAT) || H5Tget_size(type) != element)
        wrong = bytes ? "does not hold bytes" : "does not hold doubles";
    else if (H5Sget_simple_extent_type(space) != H5S_SIMPLE ||
             H5Sget_simple_extent_ndims(space) != shape->rank)
        wrong = "has the wrong number of dimensions";
    else if (H5Sget_simple_extent_dims(space, shape->extent, NULL) < 0)
        wrong = "cannot be read";
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    if (!wrong)
        wrong = storage_fault(in, dataset, shape, element);
    return wrong ? run_file_damaged(in, name, wrong) : CAROM_OK;
}

static carom_status read_shape(const run_file_reader *in, hid_t series, const run_file_part *part,
                               part_shape *shape)
{
    shape->rank = part->rank;
    shape->extent[0] = shape->extent[1] = shape->extent[2] = 1;
    shape->present = H5Lexists(series, part->name, H5P_DEFAULT) > 0;
    if (!shape->present) {
        shape->extent[0] = shape->extent[1] = 0;
        return CAROM_OK;
    }
    hid_t dataset = run_file_open_rows(in, series, part->name);
    if (dataset < 0)
        return in->error->status;
    carom_status status = check_part(in, dataset, part->name, part->bytes, shape);
    H5Dclose(dataset);
    return status;
}

static carom_row_layout layout_of_counts(int positions, int dof, int contacts, int columns)
{
    carom_row_layout layout = {.positions = positions, .dof = dof, .contacts = contacts, .columns = columns};
    layout.q = 1;
    layout.v = layout.q + positions;
    layout.energy = layout.v + dof;
    layout.gap = layout.energy + 1;
    layout.impulse = layout.gap + contacts;
    layout.regime = layout.impulse + contacts * CAROM_CONTACT_COMPONENTS;
    layout.column = layout.regime + contacts;
    layout.width = layout.column + columns;
    return layout;
}

/* Numbers of coordinates, contacts and columns from the shapes; the parts must agree. */
static carom_status read_layout(const run_file_reader *in, const run_file_part *part, const part_shape *shape,
                                carom_row_layout *layout)
{
    enum {
        Q = 1,
        V = 2,
        GAP = 4,
        RECORD = 7
    };
    const hsize_t limit = INT_MAX / 16; /* so that the width fits an int */
    const hsize_t positions = shape[Q].extent[1], dof = shape[V].extent[1];
    const hsize_t contacts = shape[GAP].extent[1], columns = shape[RECORD].extent[1];
    if (positions > limit || dof > limit || contacts > limit || columns > limit)
        return run_file_damaged(in, "series", "the numbers of coordinates, contacts or columns are absurd");
    *layout = layout_of_counts((int)positions, (int)dof, (int)contacts, (int)columns);
    run_file_part wanted[RUN_FILE_PARTS];
    run_file_parts(layout, wanted);
    for (int i = 0; i < RUN_FILE_PARTS; i++) {
        if (wanted[i].width == 0 && !shape[i].present)
            continue;
        if (!shape[i].present)
            return run_file_damaged(in, part[i].name, "the dataset is missing");
        for (int k = 1; k < shape[i].rank; k++)
            if (shape[i].extent[k] != wanted[i].inner[k - 1] || shape[i].extent[k] == 0)
                return run_file_damaged(in, part[i].name, "its shape does not fit the other datasets");
    }
    if (positions > 0 && !shape[V].present)
        return run_file_damaged(in, part[V].name, "the dataset is missing");
    if (positions < dof ||
        positions - dof > dof / 6) /* one more per body in space, which has six velocities */
        return run_file_damaged(in, "v", "its shape does not fit the other datasets");
    return CAROM_OK;
}

/* Numbers or bytes of whole rows, to their places in the rows of the series. */
static void scatter(const run_file_part *part, const void *from, size_t first, size_t count,
                    carom_series *series)
{
    const size_t inside = (size_t)part->width, stride = (size_t)series->layout.width;
    double *to = series->rows + first * stride + (size_t)part->offset;
    for (size_t row = 0; row < count; row++)
        for (size_t i = 0; i < inside; i++) {
            double value = 0.0;
            if (part->bytes)
                value = ((const unsigned char *)from)[row * inside + i];
            else
                memcpy(&value, (const unsigned char *)from + (row * inside + i) * sizeof value, sizeof value);
            to[row * stride + i] = value;
        }
}

/* Chunks that are shuffled and deflated, one after the other: whole rows each. */
static bool read_packed(hid_t dataset, const run_file_part *part, carom_series *series)
{
    const hid_t creation = H5Dget_create_plist(dataset), order = H5Dget_type(dataset);
    hsize_t chunk[3] = {0, 0, 0}, place[3] = {0, 0, 0};
    const size_t element = part->bytes ? 1 : sizeof(double);
    bool good = creation >= 0 && order >= 0 && H5Pget_chunk(creation, part->rank, chunk) == part->rank &&
                chunk[0] > 0 && H5Tequal(order, part->bytes ? H5T_NATIVE_UINT8 : H5T_NATIVE_DOUBLE) > 0;
    const hsize_t bytes = good ? shape_bytes(part->rank, chunk, element) : 0;
    const size_t work_bytes = bytes <= SIZE_MAX ? hdf5_packed_work((size_t)bytes) : 0;
    unsigned char *work = work_bytes > 0 ? malloc(work_bytes) : NULL;
    void *unpacked = work && bytes > 0 ? malloc((size_t)bytes) : NULL;
    good = good && unpacked;
    for (; good && place[0] < series->count; place[0] += chunk[0]) {
        const hsize_t left = series->count - place[0];
        good = hdf5_packed_chunk(dataset, place, (size_t)(bytes / element), element, work, unpacked);
        if (good)
            scatter(part, unpacked, (size_t)place[0], (size_t)(left < chunk[0] ? left : chunk[0]), series);
    }
    free(unpacked);
    free(work);
    if (order >= 0)
        H5Tclose(order);
    if (creation >= 0)
        H5Pclose(creation);
    return good;
}

static carom_status read_part(const run_file_reader *in, hid_t group, const run_file_part *part,
                              carom_series *series)
{
    const hsize_t count = series->count, width = (hsize_t)series->layout.width;
    const hsize_t start[3] = {0, 0, 0}, extent[3] = {count, part->inner[0], part->inner[1]};
    const hsize_t row_size[2] = {count, width}, row_start[2] = {0, (hsize_t)part->offset};
    const hsize_t row_extent[2] = {count, (hsize_t)part->width};
    hid_t dataset = H5Dopen2(group, part->name, H5P_DEFAULT);
    hid_t source = dataset >= 0 ? H5Dget_space(dataset) : -1, target = H5Screate_simple(2, row_size, NULL);
    const bool packed = dataset >= 0 && hdf5_is_packed(dataset);
    bool good =
        packed ? read_packed(dataset, part, series)
               : dataset >= 0 && source >= 0 && target >= 0 &&
                     H5Sselect_hyperslab(source, H5S_SELECT_SET, start, NULL, extent, NULL) >= 0 &&
                     H5Sselect_hyperslab(target, H5S_SELECT_SET, row_start, NULL, row_extent, NULL) >= 0 &&
                     H5Dread(dataset, H5T_NATIVE_DOUBLE, target, source, H5P_DEFAULT, series->rows) >= 0;
    if (target >= 0)
        H5Sclose(target);
    if (source >= 0)
        H5Sclose(source);
    if (dataset >= 0)
        H5Dclose(dataset);
    return good ? CAROM_OK : run_file_damaged(in, part->name, "its numbers cannot be read");
}

static carom_status read_series_group(const run_file_reader *in, hid_t group, carom_series *series)
{
    const carom_row_layout one_of_each = layout_of_counts(1, 1, 1, 1);
    run_file_part part[RUN_FILE_PARTS];
    part_shape shape[RUN_FILE_PARTS];
    if (H5Lexists(group, "kept", H5P_DEFAULT) > 0)
        return carom_fail(in->error, CAROM_BAD_INPUT,
                          "the run file %s has only some columns of its rows, in %s/series/kept, for other "
                          "programs: run without --record for all of them",
                          in->path, in->group);
    run_file_parts(&one_of_each, part);
    hsize_t rows = (hsize_t)-1;
    for (int i = 0; i < RUN_FILE_PARTS; i++) {
        carom_status status = read_shape(in, group, &part[i], &shape[i]);
        if (status != CAROM_OK)
            return status;
        if (shape[i].present && shape[i].extent[0] < rows)
            rows = shape[i].extent[0];
    }
    carom_status status = read_layout(in, part, shape, &series->layout);
    if (status != CAROM_OK)
        return status;
    series->count = series->capacity = (size_t)rows;
    series->rows = carom_new_array((size_t)rows, (size_t)series->layout.width * sizeof(double));
    if (!series->rows)
        return carom_fail_memory(in->error);
    run_file_parts(&series->layout, part);
    for (int i = 0; rows > 0 && status == CAROM_OK && i < RUN_FILE_PARTS; i++)
        if (shape[i].present)
            status = read_part(in, group, &part[i], series);
    return status;
}

carom_status run_file_read_series(const run_file_reader *in, hid_t run, carom_series *series)
{
    hid_t group = run_file_open_group(in, run, "series");
    if (group < 0)
        return in->error->status;
    carom_status status = read_series_group(in, group, series);
    H5Gclose(group);
    return status;
}
