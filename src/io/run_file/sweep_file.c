/* The table of a sweep as an HDF5 file:
 *
 *   /              carom_version, format, kind = "sweep", name, file, variant, axes; dataset model
 *   /parameters    one attribute each: the values that are not swept
 *   /axes          a dataset per axis: numbers, or words
 *   /measures      a dataset per measure, of the grid's shape; arrays have one more extent, the longest
 *                  array's, and NaN after the end of shorter ones
 *   /status, /message, /steps, /trusted    of the grid's shape
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run_file_content.h"

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

static bool put_words(hid_t file, const char *name, const carom_sweep *sweep, bool messages)
{
    const char **text = carom_new_array((size_t)sweep->point_count, sizeof *text);
    hid_t space = grid_space(sweep, false, 0);
    for (int i = 0; text && i < sweep->point_count; i++)
        text[i] = messages ? sweep->point[i].message : sweep->point[i].word;
    bool written = text && hdf5_put_texts(file, name, space, text, sweep->point_count);
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
        written = number && hdf5_put_texts(group, axis->name, space, axis->value, axis->count);
    if (space >= 0)
        H5Sclose(space);
    free(number);
    return written;
}

static bool put_axes(hid_t file, const carom_sweep *sweep)
{
    const char *name[CAROM_SWEEP_AXES_MAX];
    hid_t group = hdf5_create_group(file, "axes");
    bool written = group >= 0;
    for (int i = 0; i < sweep->axis_count; i++) {
        name[i] = sweep->axis[i].name;
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

static bool put_whole_numbers(hid_t file, const char *name, const carom_sweep *sweep, bool trusted)
{
    long long *value = carom_new_array((size_t)sweep->point_count, sizeof *value);
    hid_t space = grid_space(sweep, false, 0);
    for (int i = 0; value && i < sweep->point_count; i++)
        value[i] = trusted ? sweep->point[i].trusted : sweep->point[i].steps;
    bool written = value && hdf5_put_dataset(file, name, H5T_STD_I64LE, H5T_NATIVE_LLONG, space, value);
    if (space >= 0)
        H5Sclose(space);
    free(value);
    return written;
}

/* ---- file ------------------------------------------------------------------------------------------- */

typedef struct sweep_content {
    const carom_experiment *experiment;
    const carom_sweep *sweep;
} sweep_content;

static bool put_all(hid_t file, const void *context)
{
    const sweep_content *content = context;
    const carom_experiment *experiment = content->experiment;
    const carom_sweep *sweep = content->sweep;
    return run_file_put_head(file, experiment) && hdf5_put_text(file, "kind", "sweep") &&
           run_file_put_parameters(file, experiment, experiment->parameter) && put_axes(file, sweep) &&
           put_measures(file, sweep) && put_words(file, "status", sweep, false) &&
           put_words(file, "message", sweep, true) && put_whole_numbers(file, "steps", sweep, false) &&
           put_whole_numbers(file, "trusted", sweep, true);
}

carom_status carom_sweep_write_file(const char *path, const carom_experiment *experiment,
                                    const carom_sweep *sweep, carom_error *error)
{
    if (!path || !experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "a sweep file needs %s; none is given",
                          path ? "an experiment" : "a path");
    const sweep_content content = {experiment, sweep};
    const hdf5_whole_file whole = {path, "sweep file", false, put_all, &content};
    return hdf5_write_whole(&whole, error);
}
