/* The events of a run as pictures need them, read back from the list `points` of its group `events`. */
#include "run_file_reader.h"

/* What is wrong with the list; NULL: nothing, and *count is its length. */
static const char *list_fault(const run_file_reader *in, hid_t dataset, hsize_t *count)
{
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const char *wrong = NULL;
    if (type < 0 || space < 0)
        wrong = "cannot be read";
    else if (H5Tget_class(type) != H5T_FLOAT || H5Tget_size(type) != sizeof(double))
        wrong = "does not hold doubles";
    else if (H5Sget_simple_extent_type(space) != H5S_SIMPLE || H5Sget_simple_extent_ndims(space) != 1 ||
             H5Sget_simple_extent_dims(space, count, NULL) < 0)
        wrong = "is not a list";
    else if (*count > in->bytes / sizeof(double) || *count * sizeof(double) > H5Dget_storage_size(dataset))
        wrong = "says it holds more than the file has";
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return wrong;
}

static bool is_index(double number, int count)
{
    return number >= 0.0 && number < count && number == (double)(int)number;
}

/* Kinds and contacts are numbers of something. */
static bool entries_fit(const carom_event_points *points, const carom_row_layout *layout)
{
    for (size_t i = 0; i < points->count; i++) {
        const double *row = points->row + i * carom_event_points_width(points);
        /* contact -1: of two bodies */
        if (!is_index(row[1], CAROM_EVENT_STOP + 1) ||
            (row[2] != -1.0 && !is_index(row[2], layout->contacts)))
            return false;
    }
    return true;
}

static carom_status read_list(const run_file_reader *in, hid_t dataset, const carom_row_layout *layout,
                              carom_event_points *points)
{
    hsize_t count = 0;
    const char *wrong = list_fault(in, dataset, &count);
    const size_t width = carom_event_points_width(points);
    if (wrong || count % width != 0)
        return run_file_damaged(in, "events/points", wrong ? wrong : "its length does not fit the columns");
    points->row = carom_arena_take(in->run->arena, (size_t)count, sizeof *points->row);
    if (!points->row)
        return carom_fail_memory(in->error);
    points->count = (size_t)count / width;
    if (H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, points->row) < 0)
        return run_file_damaged(in, "events/points", "its numbers cannot be read");
    return entries_fit(points, layout)
               ? CAROM_OK
               : run_file_damaged(in, "events/points", "a kind or contact does not exist");
}

static carom_status read_group(const run_file_reader *in, hid_t group, const carom_row_layout *layout,
                               carom_event_points *points)
{
    double columns = 0.0;
    if (H5Lexists(group, "points", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    carom_status status = run_file_read_number(in, group, "columns", &columns);
    if (status == CAROM_OK && columns != 0.0 && columns != layout->columns)
        status = run_file_damaged(in, "events", "its columns are not those of the series");
    if (status != CAROM_OK)
        return status;
    points->columns = (int)columns;
    const hid_t dataset = run_file_open_dataset(in, group, "points");
    if (dataset < 0)
        return in->error->status;
    status = read_list(in, dataset, layout, points);
    H5Dclose(dataset);
    return status;
}

carom_status run_file_read_points(const run_file_reader *in, hid_t run, const carom_row_layout *layout,
                                  carom_event_points *points)
{
    *points = (carom_event_points){0};
    if (H5Lexists(run, "events", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const hid_t group = run_file_open_group(in, run, "events");
    if (group < 0)
        return in->error->status;
    const carom_status status = read_group(in, group, layout, points);
    H5Gclose(group);
    return status;
}
