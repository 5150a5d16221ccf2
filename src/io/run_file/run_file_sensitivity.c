/* Derivatives of a run in its file: group `sensitivity` with the method and the breaks, and a group per name with the lists q,
 * v and record at the end, in the order of the series, a list per measure that has derivatives, and the series itself. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "run_file_content.h"
#include "run_file_reader.h"

/* ---- writing ---------------------------------------------------------------------------------------- */

static hid_t open_or_create(hid_t place, const char *name)
{
    return H5Lexists(place, name, H5P_DEFAULT) > 0 ? H5Gopen2(place, name, H5P_DEFAULT)
                                                   : hdf5_create_group(place, name);
}

hid_t run_file_sensitivity_group(hid_t run, const char *name, int index)
{
    const hid_t all = open_or_create(run, "sensitivity");
    if (all < 0)
        return -1;
    hid_t group = open_or_create(all, name);
    if (group >= 0 && !hdf5_put_integer(group, "index", index)) {
        H5Gclose(group);
        group = -1;
    }
    H5Gclose(all);
    return group;
}

static bool put_part(hid_t group, const char *name, int count, const double *value)
{
    return count == 0 || hdf5_put_reals(group, name, count, value);
}

static bool put_measures(hid_t run, const carom_experiment *experiment, const carom_sensitivity *s, int index)
{
    const hid_t group = hdf5_create_group(run, "measures");
    bool written = group >= 0;
    for (int i = 0; written && i < s->measure_count; i++) {
        const carom_measured *measure = &s->measure[(size_t)i * (size_t)s->count + (size_t)index];
        written = put_part(group, experiment->measure[i].name, measure->count, measure->value);
    }
    return group >= 0 && H5Gclose(group) >= 0 && written;
}

static bool put_name(hid_t run, const carom_experiment *experiment, const carom_row_layout *layout,
                     const carom_sensitivity *s, int index)
{
    const hid_t group = run_file_sensitivity_group(run, s->name[index], index);
    const double *row = carom_sensitivity_final(s, index);
    if (group < 0)
        return false;
    const bool written = put_part(group, "q", layout->positions, row + layout->q) &&
                         put_part(group, "v", layout->dof, row + layout->v) &&
                         put_part(group, "record", experiment->named_columns, row + layout->column) &&
                         put_measures(group, experiment, s, index);
    return H5Gclose(group) >= 0 && written;
}

static void break_names(int number, char t[32], char why[32])
{
    snprintf(t, 32, "break_%d_t", number + 1);
    snprintf(why, 32, "break_%d_why", number + 1);
}

static bool put_method(hid_t run, const carom_sensitivity *s)
{
    const hid_t group = open_or_create(run, "sensitivity");
    if (group < 0)
        return false;
    bool written = hdf5_put_text(group, "method", carom_sensitivity_method(s)) &&
                   hdf5_put_text(group, "why", s->why) && hdf5_put_number(group, "error", s->error) &&
                   hdf5_put_integer(group, "breaks", s->break_count) &&
                   hdf5_put_integer(group, "names", s->count);
    for (int i = 0; written && i < s->breaks_kept; i++) {
        char t[32], why[32];
        break_names(i, t, why);
        written = hdf5_put_number(group, t, s->breaks[i].t) && hdf5_put_text(group, why, s->breaks[i].why);
    }
    return H5Gclose(group) >= 0 && written;
}

bool run_file_put_sensitivity(hid_t run, const carom_experiment *experiment, const carom_run_result *result)
{
    const carom_sensitivity *s = result->sensitivity;
    if (!s || !s->final)
        return true;
    bool written = put_method(run, s);
    for (int i = 0; written && i < s->count; i++)
        written = put_name(run, experiment, &result->layout, s, i);
    return written;
}

/* ---- reading ---------------------------------------------------------------------------------------- */

static carom_status read_list(const run_file_reader *in, hid_t group, const char *name, int *count,
                              double **value)
{
    carom_run_measure list = {.name = (char *)name};
    if (H5Lexists(group, name, H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const carom_status status = run_file_read_measure(in, group, &list);
    *count = list.measured.count;
    *value = list.measured.value;
    return status;
}

static carom_status read_measures(const run_file_reader *in, hid_t group, carom_run_slopes *slopes)
{
    if (H5Lexists(group, "measures", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const hid_t measures = run_file_open_group(in, group, "measures");
    if (measures < 0)
        return in->error->status;
    const carom_status status =
        run_file_read_measures(in, measures, &slopes->measure_count, &slopes->measure);
    H5Gclose(measures);
    return status;
}

static carom_status read_name(const run_file_reader *in, hid_t group, carom_run_slopes *slopes)
{
    carom_status status = read_list(in, group, "q", &slopes->positions, &slopes->q);
    if (status == CAROM_OK)
        status = read_list(in, group, "v", &slopes->dof, &slopes->v);
    if (status == CAROM_OK)
        status = read_measures(in, group, slopes);
    if (status == CAROM_OK && H5Lexists(group, "series", H5P_DEFAULT) > 0) {
        slopes->has_series = true;
        status = run_file_read_series(in, group, &slopes->series);
    }
    return status;
}

/* Names stand in the order of their index. */
static carom_status read_link(const run_file_reader *in, hid_t all, hsize_t link, carom_run_sensitivity *to)
{
    char name[256];
    const ssize_t length =
        H5Lget_name_by_idx(all, ".", H5_INDEX_NAME, H5_ITER_INC, link, name, sizeof name, H5P_DEFAULT);
    if (length <= 0 || (size_t)length >= sizeof name)
        return run_file_damaged(in, "sensitivity", "a name is too long or cannot be read");
    const hid_t group = run_file_open_group(in, all, name);
    double index = -1.0;
    if (group < 0)
        return in->error->status;
    carom_status status = run_file_read_number(in, group, "index", &index);
    if (status == CAROM_OK && !(index >= 0.0 && index < to->count && !to->name[(int)index].name))
        status = run_file_damaged(in, "sensitivity", "the numbers of its names are not 0, 1, 2, ...");
    if (status == CAROM_OK) {
        carom_run_slopes *slopes = &to->name[(int)index];
        slopes->name = carom_arena_copy_text(in->run->arena, name);
        status = slopes->name ? read_name(in, group, slopes) : carom_fail_memory(in->error);
    }
    H5Gclose(group);
    return status;
}

static carom_status read_breaks(const run_file_reader *in, hid_t group, carom_run_sensitivity *to)
{
    double count = 0.0;
    carom_status status = run_file_read_number(in, group, "breaks", &count);
    if (status != CAROM_OK)
        return status;
    if (!(count >= 0.0 && count < INT_MAX))
        return run_file_damaged(in, "sensitivity", "the number of its breaks is no number");
    to->break_count = (int)count;
    to->breaks = carom_arena_take(in->run->arena, CAROM_BREAKS_KEPT, sizeof *to->breaks);
    if (!to->breaks)
        return carom_fail_memory(in->error);
    for (int i = 0; status == CAROM_OK && i < CAROM_BREAKS_KEPT && i < to->break_count; i++) {
        char t[32], why[32], *text = NULL;
        break_names(i, t, why);
        if (H5Aexists(group, t) <= 0)
            break;
        status = run_file_read_number(in, group, t, &to->breaks[i].t);
        if (status == CAROM_OK)
            status = run_file_read_text(in, group, why, &text);
        if (status == CAROM_OK) {
            carom_format(to->breaks[i].why, sizeof to->breaks[i].why, "%s", text);
            to->breaks_kept++;
        }
    }
    return status;
}

static carom_status read_group(const run_file_reader *in, hid_t group, carom_run_sensitivity *to)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0 || info.nlinks > in->bytes || info.nlinks > INT_MAX)
        return run_file_damaged(in, "sensitivity", "cannot be read");
    /* that of a run that was killed, or of an older carom, says nothing of itself */
    if (H5Aexists(group, "method") <= 0 || H5Aexists(group, "names") <= 0)
        return CAROM_OK;
    carom_status status = run_file_read_text(in, group, "method", &to->method);
    if (status == CAROM_OK)
        status = run_file_read_text(in, group, "why", &to->why);
    if (status == CAROM_OK)
        status = run_file_read_number(in, group, "error", &to->error);
    if (status == CAROM_OK)
        status = read_breaks(in, group, to);
    to->name = carom_arena_take(in->run->arena, (size_t)info.nlinks, sizeof *to->name);
    if (status == CAROM_OK && !to->name)
        status = carom_fail_memory(in->error);
    to->count = to->name ? (int)info.nlinks : 0;
    for (hsize_t i = 0; status == CAROM_OK && i < info.nlinks; i++)
        status = read_link(in, group, i, to);
    return status;
}

carom_status run_file_read_sensitivity(const run_file_reader *in, hid_t run, carom_run_sensitivity *to)
{
    if (H5Lexists(run, "sensitivity", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const hid_t group = run_file_open_group(in, run, "sensitivity");
    if (group < 0)
        return in->error->status;
    const carom_status status = read_group(in, group, to);
    H5Gclose(group);
    return status;
}
