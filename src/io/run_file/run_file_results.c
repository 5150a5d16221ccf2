/* What a run file says of the end of a run, read back: its certificate and its measures. A run that was killed has
 * neither. */
#include <limits.h>
#include <string.h>

#include "run_file_reader.h"

/* ---- certificate ------------------------------------------------------------------------------------ */

/* A text of at most `size` - 1 bytes; longer ones are cut. */
static carom_status read_words(const run_file_reader *in, hid_t group, const char *name, char *to,
                               size_t size)
{
    char *text = NULL;
    if (H5Aexists(group, name) <= 0)
        return CAROM_OK;
    const carom_status status = run_file_read_text(in, group, name, &text);
    if (status == CAROM_OK)
        carom_format(to, size, "%s", text);
    return status;
}

/* Doubts are a list of texts of one length, with zeros behind those that are shorter. */
static carom_status read_doubts(const run_file_reader *in, hid_t group, carom_certificate *certificate)
{
    if (certificate->doubts == 0 || H5Lexists(group, "doubts", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const hid_t dataset = run_file_open_dataset(in, group, "doubts");
    if (dataset < 0)
        return in->error->status;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const size_t bytes = type >= 0 ? H5Tget_size(type) : 0;
    const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : 0;
    const bool fits = type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
                      count > 0 && count <= CAROM_DOUBTS_KEPT && bytes > 0 && bytes <= in->bytes &&
                      (hsize_t)count * bytes <= H5Dget_storage_size(dataset);
    char *text = fits ? carom_arena_take(in->run->arena, (size_t)count * bytes + 1, 1) : NULL;
    const bool read = text && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0;
    for (hssize_t i = 0; read && i < count; i++)
        carom_format(certificate->doubt[i], sizeof certificate->doubt[i], "%.*s", (int)bytes,
                     text + (size_t)i * bytes);
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(dataset);
    if (fits && !text)
        return carom_fail_memory(in->error);
    return read ? CAROM_OK : run_file_damaged(in, "certificate/doubts", "is not a list of doubts");
}

static carom_status read_certificate(const run_file_reader *in, hid_t group, carom_certificate *to)
{
    double trusted = 0.0, unsolved = 0.0, fixed_rows = 0.0, crossings = 0.0, doubts = 0.0;
    const struct {
        const char *name;
        double *number;
    } number[] = {{"trusted", &trusted},
                  {"unsolved_steps", &unsolved},
                  {"fixed_rows_steps", &fixed_rows},
                  {"crossings", &crossings},
                  {"doubt_count", &doubts},
                  {"energy_initial", &to->energy_initial},
                  {"energy_final", &to->energy_final},
                  {"forces", &to->forces},
                  {"contacts", &to->contacts},
                  {"joints", &to->joints},
                  {"scheme", &to->scheme},
                  {"energy_scale", &to->energy_scale},
                  {"penetration", &to->penetration},
                  {"penetration_time", &to->penetration_time},
                  {"drift", &to->drift},
                  {"drift_time", &to->drift_time},
                  {"contact_error", &to->contact_error},
                  {"contact_error_time", &to->contact_error_time},
                  {"contact_tolerance", &to->contact_tolerance}};
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < sizeof number / sizeof *number; i++)
        if (H5Aexists(group, number[i].name) > 0) /* older files have fewer */
            status = run_file_read_number(in, group, number[i].name, number[i].number);
    if (status != CAROM_OK)
        return status;
    if (!(unsolved >= 0.0 && unsolved < 1e15 && fixed_rows >= 0.0 && fixed_rows < 1e15 && crossings >= 0.0 &&
          crossings < 1e15 && doubts >= 0.0 && doubts < INT_MAX))
        return run_file_damaged(in, "certificate", "a count is no count");
    to->trusted = trusted == 1.0;
    to->unsolved_steps = (long)unsolved;
    to->fixed_rows_steps = (long)fixed_rows;
    to->crossings = (long)crossings;
    to->doubts = (int)doubts;
    to->drift_joint = to->drift > 0.0 ? 0 : -1; /* which one it is stands there by its name only */
    status =
        read_words(in, group, "penetration_contact", to->penetration_contact, sizeof to->penetration_contact);
    if (status == CAROM_OK)
        status = read_words(in, group, "stop", to->stop, sizeof to->stop);
    if (status == CAROM_OK && H5Aexists(group, "stop_time") > 0)
        status = run_file_read_number(in, group, "stop_time", &to->stop_time);
    return status == CAROM_OK ? read_doubts(in, group, to) : status;
}

/* ---- measures ---------------------------------------------------------------------------------------- */

carom_status run_file_read_measure(const run_file_reader *in, hid_t group, carom_run_measure *measure)
{
    const hid_t dataset = run_file_open_dataset(in, group, measure->name);
    if (dataset < 0)
        return in->error->status;
    const hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    const H5S_class_t shape = space >= 0 ? H5Sget_simple_extent_type(space) : H5S_NO_CLASS;
    const hssize_t count = shape == H5S_NULL ? 0 : space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool good = type >= 0 && count >= 0 && count <= INT_MAX && H5Tget_class(type) == H5T_FLOAT &&
                H5Tget_size(type) == sizeof(double) &&
                (hsize_t)count * sizeof(double) <= H5Dget_storage_size(dataset) + (count == 0);
    measure->measured.is_array = shape == H5S_SIMPLE;
    measure->measured.count = good ? (int)count : 0;
    measure->measured.value =
        carom_arena_take(in->run->arena, (size_t)measure->measured.count, sizeof(double));
    const bool room = measure->measured.value != NULL;
    if (good && room && count > 0)
        good =
            H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, measure->measured.value) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(dataset);
    if (!room)
        return carom_fail_memory(in->error);
    return good ? CAROM_OK
                : run_file_damaged(in, measure->name, "is not a measure: a number or a list of them");
}

carom_status run_file_read_measures(const run_file_reader *in, hid_t group, int *count,
                                    carom_run_measure **list)
{
    H5G_info_t info;
    if (H5Gget_info(group, &info) < 0 || info.nlinks > in->bytes || info.nlinks > INT_MAX)
        return run_file_damaged(in, "measures", "cannot be read");
    *list = carom_arena_take(in->run->arena, (size_t)info.nlinks, sizeof **list);
    if (!*list)
        return carom_fail_memory(in->error);
    *count = 0;
    carom_status status = CAROM_OK;
    for (hsize_t i = 0; status == CAROM_OK && i < info.nlinks; i++) {
        char name[256];
        const ssize_t length =
            H5Lget_name_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, i, name, sizeof name, H5P_DEFAULT);
        if (length <= 0 || (size_t)length >= sizeof name)
            return run_file_damaged(in, "measures", "a name is too long or cannot be read");
        carom_run_measure *measure = &(*list)[*count];
        measure->name = carom_arena_copy_text(in->run->arena, name);
        if (!measure->name)
            return carom_fail_memory(in->error);
        status = run_file_read_measure(in, group, measure);
        *count += status == CAROM_OK;
    }
    return status;
}

/* ---- both -------------------------------------------------------------------------------------------- */

static carom_status in_group(const run_file_reader *in, hid_t run, const char *name, carom_run_member *member)
{
    if (H5Lexists(run, name, H5P_DEFAULT) <= 0)
        return CAROM_OK;
    const hid_t group = run_file_open_group(in, run, name);
    if (group < 0)
        return in->error->status;
    carom_status status;
    if (strcmp(name, "measures") == 0) {
        status = run_file_read_measures(in, group, &member->measure_count, &member->measure);
    } else {
        status = read_certificate(in, group, &member->certificate);
        member->has_certificate = status == CAROM_OK;
    }
    H5Gclose(group);
    return status;
}

carom_status run_file_read_results(const run_file_reader *in, hid_t run, carom_run_member *member)
{
    const carom_status status = in_group(in, run, "certificate", member);
    return status == CAROM_OK ? in_group(in, run, "measures", member) : status;
}
