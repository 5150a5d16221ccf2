/* Bifurcation diagrams and basins as HDF5 files: what stands where is said in carom/io/long_term.h. */
#include "carom/io/long_term.h"

#include <math.h>
#include <stdlib.h>

#include "run_file_content.h"

typedef struct long_term_content {
    const carom_experiment *experiment;
    const char *parameter;
    const carom_diagram *diagram;
    const char *const *axis;
    const carom_basin *basin;
} long_term_content;

static bool put_numbers(hid_t place, const char *name, int rank, const hsize_t *extent, const double *value)
{
    const hid_t space = H5Screate_simple(rank, extent, NULL);
    const bool written =
        value && hdf5_put_dataset(place, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, value);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

static bool put_whole(hid_t place, const char *name, int rank, const hsize_t *extent, const int *value)
{
    const hid_t space = H5Screate_simple(rank, extent, NULL);
    const bool written = value && hdf5_put_dataset(place, name, H5T_STD_I32LE, H5T_NATIVE_INT, space, value);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

static bool put_words(hid_t place, const char *name, int rank, const hsize_t *extent, const char *const *word,
                      int count)
{
    const hid_t space = H5Screate_simple(rank, extent, NULL);
    const bool written = word && hdf5_put_texts(place, name, space, word, count);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

/* ---- bifurcation ------------------------------------------------------------------------------------------ */

static int most_returns(const carom_diagram *diagram)
{
    int most = 1;
    for (int i = 0; i < diagram->courses * diagram->points; i++)
        most = diagram->point[i].count > most ? diagram->point[i].count : most;
    return most;
}

/* One entry of the state, or with entry < 0 the time, of all returns. */
static bool put_returns(hid_t place, const char *name, const carom_diagram *diagram, int entry)
{
    const int most = most_returns(diagram), all = diagram->courses * diagram->points;
    const int width = diagram->positions + diagram->dof;
    const hsize_t extent[3] = {(hsize_t)diagram->courses, (hsize_t)diagram->points, (hsize_t)most};
    double *value = carom_new_array(carom_product((size_t)all, (size_t)most), sizeof *value);
    for (int i = 0; value && i < all; i++)
        for (int k = 0; k < most; k++) {
            const carom_diagram_point *point = &diagram->point[i];
            double *to = &value[(size_t)i * (size_t)most + (size_t)k];
            if (k >= point->count)
                *to = NAN;
            else
                *to = entry < 0 ? point->t[k] : point->state[(ptrdiff_t)k * width + entry];
        }
    const bool written = put_numbers(place, name, 3, extent, value);
    free(value);
    return written;
}

static bool put_states(hid_t file, const carom_diagram *diagram)
{
    const hid_t q = hdf5_create_group(file, "q"), v = hdf5_create_group(file, "v");
    bool written = q >= 0 && v >= 0;
    for (int i = 0; written && i < diagram->positions; i++)
        written = put_returns(q, diagram->model->coordinate[i], diagram, i);
    for (int i = 0; written && i < diagram->dof; i++)
        written =
            put_returns(v, carom_model_velocity_name(diagram->model, i), diagram, diagram->positions + i);
    if (q >= 0)
        H5Gclose(q);
    if (v >= 0)
        H5Gclose(v);
    return written;
}

static bool put_points(hid_t file, const carom_diagram *diagram)
{
    const int all = diagram->courses * diagram->points;
    const hsize_t extent[2] = {(hsize_t)diagram->courses, (hsize_t)diagram->points};
    double *value = carom_new_array((size_t)all, sizeof *value);
    int *period = carom_new_array((size_t)all, sizeof *period),
        *impacts = carom_new_array((size_t)all, sizeof *impacts);
    const char **word = carom_new_array((size_t)all, sizeof *word);
    bool written = value && period && impacts && word;
    for (int i = 0; written && i < all; i++) {
        const carom_diagram_point *point = &diagram->point[i];
        value[i] = point->value;
        period[i] = point->period;
        impacts[i] = point->period_impacts;
        word[i] = point->done ? carom_return_word(point->end) : "interrupted";
    }
    written = written && put_numbers(file, "values", 2, extent, value) &&
              put_whole(file, "period", 2, extent, period) &&
              put_whole(file, "impacts", 2, extent, impacts) &&
              put_words(file, "status", 2, extent, word, all);
    free(value);
    free(period);
    free(impacts);
    free(word);
    return written;
}

static bool put_diagram(hid_t file, const void *context)
{
    const long_term_content *content = context;
    const carom_diagram *diagram = content->diagram;
    return run_file_put_head(file, content->experiment) && hdf5_put_text(file, "kind", "bifurcation") &&
           hdf5_put_text(file, "parameter", content->parameter) &&
           hdf5_put_text(file, "scheme", diagram->scheme->name) &&
           hdf5_put_integer(file, "directions", diagram->directions) &&
           hdf5_put_integer(file, "first_is_down", diagram->first_is_down) &&
           run_file_put_parameters(file, content->experiment, content->experiment->parameter) &&
           put_points(file, diagram) && put_returns(file, "t", diagram, -1) && put_states(file, diagram);
}

carom_status carom_diagram_write_file(const char *path, const carom_experiment *experiment,
                                      const char *parameter, const carom_diagram *diagram, carom_error *error)
{
    const long_term_content content = {.experiment = experiment, .parameter = parameter, .diagram = diagram};
    const hdf5_whole_file whole = {path, "bifurcation file", false, put_diagram, &content};
    return hdf5_write_whole(&whole, error);
}

/* ---- basins --------------------------------------------------------------------------------------------------- */

static bool put_axes(hid_t file, const char *const *name, const carom_basin *basin)
{
    const hid_t group = hdf5_create_group(file, "axes");
    bool written = group >= 0;
    for (int i = 0; written && i < basin->axis_count; i++) {
        const hsize_t extent = (hsize_t)basin->axis[i].count;
        double *value = carom_new_array((size_t)basin->axis[i].count, sizeof *value);
        for (int k = 0; value && k < basin->axis[i].count; k++)
            value[k] = carom_basin_axis_value(&basin->axis[i], k);
        written = put_numbers(group, name[i], 1, &extent, value);
        free(value);
    }
    if (group >= 0)
        H5Gclose(group);
    return written && hdf5_put_names(file, "axes", name, basin->axis_count);
}

static bool put_cells(hid_t file, const carom_basin *basin)
{
    hsize_t extent[CAROM_BASIN_AXES_MAX + 1];
    for (int i = 0; i < basin->axis_count; i++)
        extent[i] = (hsize_t)basin->axis[i].count;
    extent[basin->axis_count] = (hsize_t)basin->state;
    const size_t cells = (size_t)basin->cells;
    int *number = carom_new_array(3 * cells, sizeof *number);
    const char **word = carom_new_array(cells, sizeof *word);
    for (size_t i = 0; number && word && i < cells; i++) {
        const carom_basin_cell *cell = &basin->cell[i];
        const bool done = basin->done[i / (size_t)basin->block];
        number[i] = done ? cell->attractor + 1 : 0;
        number[cells + i] = cell->period;
        number[2 * cells + i] = cell->impacts;
        word[i] = done ? carom_basin_end_word((carom_basin_end)cell->end) : "interrupted";
    }
    const bool written = number && word && put_whole(file, "attractor", basin->axis_count, extent, number) &&
                         put_whole(file, "period", basin->axis_count, extent, number + cells) &&
                         put_whole(file, "impacts", basin->axis_count, extent, number + 2 * cells) &&
                         put_words(file, "end", basin->axis_count, extent, word, basin->cells) &&
                         put_numbers(file, "last", basin->axis_count + 1, extent, basin->last);
    free(number);
    free(word);
    return written;
}

static bool put_attractors(hid_t file, const carom_basin *basin)
{
    const size_t count = (size_t)basin->attractor_count;
    const hsize_t extent[2] = {(hsize_t)count, (hsize_t)basin->state};
    const hid_t group = hdf5_create_group(file, "attractors");
    int *number = carom_new_array(2 * count, sizeof *number);
    double *share = carom_new_array(count * (size_t)(basin->state + 1), sizeof *share),
           *point = share ? share + count : NULL;
    for (size_t i = 0; number && share && i < count; i++) {
        const carom_attractor *attractor = &basin->attractor[i];
        number[i] = attractor->period;
        number[count + i] = attractor->impacts;
        share[i] = (double)attractor->cells / basin->cells;
        for (int k = 0; k < basin->state; k++)
            point[i * (size_t)basin->state + (size_t)k] = attractor->point[k];
    }
    const bool written = group >= 0 && number && share && put_whole(group, "period", 1, extent, number) &&
                         put_whole(group, "impacts", 1, extent, number + count) &&
                         put_numbers(group, "share", 1, extent, share) &&
                         put_numbers(group, "point", 2, extent, point);
    if (group >= 0)
        H5Gclose(group);
    free(number);
    free(share);
    return written;
}

static bool put_basin(hid_t file, const void *context)
{
    const long_term_content *content = context;
    const carom_basin *basin = content->basin;
    return run_file_put_head(file, content->experiment) && hdf5_put_text(file, "kind", "basin") &&
           hdf5_put_text(file, "scheme", basin->scheme->name) &&
           hdf5_put_integer(file, "periods", basin->periods) &&
           run_file_put_parameters(file, content->experiment, content->experiment->parameter) &&
           put_axes(file, content->axis, basin) && put_cells(file, basin) && put_attractors(file, basin);
}

carom_status carom_basin_write_file(const char *path, const carom_experiment *experiment,
                                    const char *const *axis, const carom_basin *basin, carom_error *error)
{
    const long_term_content content = {.experiment = experiment, .axis = axis, .basin = basin};
    const hdf5_whole_file whole = {path, "basin file", false, put_basin, &content};
    return hdf5_write_whole(&whole, error);
}
