/* The table of a sweep as an HDF5 file:
 *
 *   /              carom_version, format, kind = "sweep", name, file, variant, axes; dataset model
 *   /parameters    one attribute each: the values that are not swept
 *   /axes          a dataset per axis: numbers, or words
 *   /measures      a dataset per measure, of the grid's shape; arrays have one more extent, the longest
 *                  array's, and NaN after the end of shorter ones
 *   /status, /message, /steps    of the grid's shape
 *
 * The file is made in memory and written as a whole: HDF5 does not survive a full disk, stdio does. No times
 * are stored: the same sweep gives the same bytes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_file_content.h"

enum {
    GROWTH_BYTES = 1 << 16
};

/* The grid's shape; arrays add the extent of the longest. */
static hid_t grid_space(const carom_sweep *sweep, bool is_array, int longest)
{
    hsize_t extent[CAROM_SWEEP_AXES_MAX + 1];
    int rank = 0;
    for (; rank < sweep->axis_count; rank++)
        extent[rank] = (hsize_t)sweep->axis[rank].count;
    if (is_array)
        extent[rank++] = (hsize_t)longest;
    return H5Screate_simple(rank, extent, NULL);
}

/* ---- texts ------------------------------------------------------------------------------------------ */

/* Texts of one length, filled up with zero bytes. */
static bool put_texts(hid_t place, const char *name, hid_t space, int count, const char *const *text)
{
    size_t bytes = 1;
    for (int i = 0; i < count; i++)
        if (text[i] && strlen(text[i]) + 1 > bytes)
            bytes = strlen(text[i]) + 1;
    char *packed = carom_new_array((size_t)count, bytes);
    hid_t type = hdf5_text_type(bytes);
    for (int i = 0; packed && i < count; i++)
        if (text[i])
            memcpy(packed + (size_t)i * bytes, text[i], strlen(text[i]));
    bool written = packed && type >= 0 && hdf5_put_dataset(place, name, type, type, space, packed);
    if (type >= 0)
        H5Tclose(type);
    free(packed);
    return written;
}

static bool put_words(hid_t file, const char *name, const carom_sweep *sweep, bool messages)
{
    const char **text = carom_new_array((size_t)sweep->point_count, sizeof *text);
    hid_t space = grid_space(sweep, false, 0);
    for (int i = 0; text && i < sweep->point_count; i++)
        text[i] = messages ? sweep->point[i].message : sweep->point[i].word;
    bool written = text && put_texts(file, name, space, sweep->point_count, text);
    if (space >= 0)
        H5Sclose(space);
    free(text);
    return written;
}

/* ---- axes ------------------------------------------------------------------------------------------- */

static bool put_axis(hid_t group, const carom_sweep_axis *axis)
{
    hsize_t extent = (hsize_t)axis->count;
    hid_t space = H5Screate_simple(1, &extent, NULL);
    double *number = carom_new_array((size_t)axis->count, sizeof *number);
    bool are_numbers = number != NULL, written;
    for (int i = 0; are_numbers && i < axis->count; i++)
        are_numbers = carom_parse_number(axis->value[i], &number[i]);
    if (are_numbers)
        written = hdf5_put_dataset(group, axis->name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, number);
    else
        written = number && put_texts(group, axis->name, space, axis->count, axis->value);
    if (space >= 0)
        H5Sclose(space);
    free(number);
    return written;
}

static bool put_axes(hid_t file, const carom_sweep *sweep)
{
    char *name[CAROM_SWEEP_AXES_MAX];
    hid_t group = hdf5_create_group(file, "axes");
    bool written = group >= 0;
    for (int i = 0; i < sweep->axis_count; i++) {
        name[i] = (char *)sweep->axis[i].name;
        written = written && put_axis(group, &sweep->axis[i]);
    }
    if (group >= 0)
        H5Gclose(group);
    return written && hdf5_put_names(file, "axes", name, sweep->axis_count);
}

/* ---- points ----------------------------------------------------------------------------------------- */

static bool put_measure(hid_t group, const carom_sweep *sweep, int index)
{
    bool is_array = false;
    int longest = 0;
    for (int i = 0; i < sweep->point_count; i++) {
        const carom_measured *measured = &sweep->point[i].measure[index];
        is_array = is_array || measured->is_array;
        longest = measured->count > longest ? measured->count : longest;
    }
    const size_t width = is_array ? (size_t)longest : 1;
    double *value = carom_new_array((size_t)sweep->point_count * width, sizeof *value);
    hid_t space = grid_space(sweep, is_array, longest);
    for (int i = 0; value && i < sweep->point_count; i++) {
        const carom_measured *measured = &sweep->point[i].measure[index];
        for (size_t k = 0; k < width; k++)
            value[(size_t)i * width + k] = k < (size_t)measured->count ? measured->value[k] : NAN;
    }
    bool written = value && hdf5_put_dataset(group, sweep->measure[index], H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE,
                                             space, value);
    if (space >= 0)
        H5Sclose(space);
    free(value);
    return written;
}

static bool put_measures(hid_t file, const carom_sweep *sweep)
{
    hid_t group = hdf5_create_group(file, "measures");
    bool written = group >= 0;
    for (int i = 0; written && i < sweep->measure_count; i++)
        written = put_measure(group, sweep, i);
    if (group >= 0)
        H5Gclose(group);
    return written;
}

static bool put_steps(hid_t file, const carom_sweep *sweep)
{
    long long *steps = carom_new_array((size_t)sweep->point_count, sizeof *steps);
    hid_t space = grid_space(sweep, false, 0);
    for (int i = 0; steps && i < sweep->point_count; i++)
        steps[i] = sweep->point[i].steps;
    bool written = steps && hdf5_put_dataset(file, "steps", H5T_STD_I64LE, H5T_NATIVE_LLONG, space, steps);
    if (space >= 0)
        H5Sclose(space);
    free(steps);
    return written;
}

/* ---- file ------------------------------------------------------------------------------------------- */

/* The path names the file in HDF5's messages only: nothing is stored on disk. */
static hid_t create_in_memory(const char *path)
{
    hid_t creation = H5Pcreate(H5P_FILE_CREATE), access = H5Pcreate(H5P_FILE_ACCESS), file = -1;
    if (creation >= 0 && access >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_fapl_core(access, GROWTH_BYTES, false) >= 0)
        file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
    if (creation >= 0)
        H5Pclose(creation);
    if (access >= 0)
        H5Pclose(access);
    return file;
}

/* The bytes of the file; NULL when HDF5 or memory fails. */
static void *make_image(const char *path, const carom_experiment *experiment, const carom_sweep *sweep,
                        size_t *size)
{
    void *image = NULL;
    hid_t file = create_in_memory(path);
    const bool made = file >= 0 && run_file_put_head(file, experiment) &&
                      hdf5_put_text(file, "kind", "sweep") &&
                      run_file_put_parameters(file, experiment, experiment->parameter) &&
                      put_axes(file, sweep) && put_measures(file, sweep) &&
                      put_words(file, "status", sweep, false) && put_words(file, "message", sweep, true) &&
                      put_steps(file, sweep) && H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0;
    const ssize_t bytes = made ? H5Fget_file_image(file, NULL, 0) : -1;
    if (bytes > 0)
        image = carom_new_array((size_t)bytes, 1);
    if (image && H5Fget_file_image(file, image, (size_t)bytes) != bytes) {
        free(image);
        image = NULL;
    }
    *size = image ? (size_t)bytes : 0;
    if (file >= 0)
        H5Fclose(file);
    return image;
}

static carom_status write_image(const char *path, const void *image, size_t size, carom_error *error)
{
    errno = 0;
    FILE *stream = fopen(path, "wb");
    bool written = stream && fwrite(image, 1, size, stream) == size;
    if (stream && fclose(stream) != 0)
        written = false;
    return written ? CAROM_OK
                   : carom_fail(error, stream ? CAROM_IO_ERROR : CAROM_BAD_INPUT,
                                "cannot write the sweep file %s: %s", path, strerror(errno));
}

carom_status carom_sweep_write_file(const char *path, const carom_experiment *experiment,
                                    const carom_sweep *sweep, carom_error *error)
{
    char reason[512] = "";
    size_t size = 0;
    if (!path || !experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a sweep file needs %s; none is given",
                          path ? "an experiment" : "a path");
    hdf5_quiet quiet = hdf5_silence();
    void *image = make_image(path, experiment, sweep, &size);
    if (!image)
        hdf5_reason(reason, sizeof reason);
    hdf5_restore(quiet);
    if (!image)
        return carom_fail(error, CAROM_IO_ERROR, "cannot make the sweep file %s: %s", path, reason);
    carom_status status = write_image(path, image, size, error);
    free(image);
    return status;
}
