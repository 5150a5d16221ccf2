#include "fclib_dataset.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "io/parts/hdf5_guard.h"

fclib_group fclib_root(fclib_reader *in)
{
    return (fclib_group){.in = in, .id = in->file, .path = ""};
}

carom_status fclib_bad(const fclib_group *group, const char *name, const char *format, ...)
{
    char what[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(what, sizeof what, format, arguments);
    va_end(arguments);
    return carom_fail(group->in->error, CAROM_BAD_INPUT, "%s: %s%s%s: %s", group->in->path, group->path,
                      name ? "/" : "", name ? name : "", what);
}

/* ---- groups ------------------------------------------------------------------------------------------- */

bool fclib_has(const fclib_group *group, const char *name)
{
    return H5Lexists(group->id, name, H5P_DEFAULT) > 0;
}

static carom_status check_link(const fclib_group *group, const char *name)
{
    const fclib_reader *in = group->in;
    const char *fault = hdf5_link_fault(in->stream, in->base, in->end, group->id, name);
    return fault ? fclib_bad(group, name, "%s", fault) : CAROM_OK;
}

carom_status fclib_open(const fclib_group *parent, const char *name, fclib_group *group)
{
    *group = (fclib_group){.in = parent->in, .id = -1};
    snprintf(group->path, sizeof group->path, "%.40s/%.20s", parent->path, name);
    const carom_status status = check_link(parent, name);
    if (status != CAROM_OK)
        return status;
    group->id = H5Gopen2(parent->id, name, H5P_DEFAULT);
    return group->id < 0 ? fclib_bad(parent, name, "is not a group, or cannot be read") : CAROM_OK;
}

void fclib_close(fclib_group *group)
{
    if (group->id >= 0)
        H5Gclose(group->id);
    group->id = -1;
}

/* ---- datasets ----------------------------------------------------------------------------------------- */

typedef struct dataset {
    hid_t id, type, space;
} dataset;

static void close_dataset(dataset *set)
{
    if (set->space >= 0)
        H5Sclose(set->space);
    if (set->type >= 0)
        H5Tclose(set->type);
    if (set->id >= 0)
        H5Dclose(set->id);
}

static carom_status open_dataset(const fclib_group *group, const char *name, dataset *set)
{
    *set = (dataset){-1, -1, -1};
    const carom_status status = check_link(group, name);
    if (status != CAROM_OK)
        return status;
    set->id = H5Dopen2(group->id, name, H5P_DEFAULT);
    if (set->id < 0)
        return fclib_bad(group, name, "is not a dataset, or cannot be read");
    set->type = H5Dget_type(set->id);
    set->space = H5Dget_space(set->id);
    return set->type < 0 || set->space < 0 ? fclib_bad(group, name, "cannot be read") : CAROM_OK;
}

static bool is_any_of(hid_t type, int count, const hid_t *known)
{
    for (int i = 0; i < count; i++)
        if (H5Tequal(type, known[i]) > 0)
            return true;
    return false;
}

static bool is_int_type(hid_t type)
{
    const hid_t known[] = {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I32BE, H5T_STD_I64BE};
    return is_any_of(type, 4, known);
}

static bool is_real_type(hid_t type)
{
    const hid_t known[] = {H5T_IEEE_F64LE, H5T_IEEE_F64BE, H5T_IEEE_F32LE, H5T_IEEE_F32BE};
    return is_any_of(type, 4, known);
}

/* The length of a dataset of rank 1, or of a single number. */
static carom_status find_length(const fclib_group *group, const char *name, const dataset *set, int *length)
{
    const int rank = H5Sget_simple_extent_ndims(set->space);
    if (rank < 0 || rank > 1 || H5Sget_simple_extent_type(set->space) == H5S_NULL)
        return fclib_bad(group, name, "has rank %d; a list of numbers has rank 1", rank);
    const hssize_t points = H5Sget_simple_extent_npoints(set->space);
    if (points < 0 || points > INT_MAX / 4)
        return fclib_bad(group, name, "claims %lld entries; at most %d are read", (long long)points,
                         INT_MAX / 4);
    *length = (int)points;
    return CAROM_OK;
}

/* Memory for entries that the file says it has; NULL with the error filled when it cannot have them. */
static void *take(const fclib_group *group, const char *name, carom_arena *arena, int count, size_t size)
{
    fclib_reader *in = group->in;
    const hsize_t bytes = (hsize_t)count * size;
    if (bytes > in->budget) {
        fclib_bad(group, name,
                  "claims %d entries, which with those before are more than a file of %llu bytes holds",
                  count, (unsigned long long)in->bytes);
        return NULL;
    }
    in->budget -= bytes;
    void *memory = carom_arena_take(arena, (size_t)count, size);
    if (!memory)
        carom_fail_memory(in->error);
    return memory;
}

/* HDF5 1.10 reads on behind the end of a dataset that stores less than its shape says. Chunks were looked at; a
 * contiguous dataset that was never written, such as r in files of the
 * collection, it reads as zeros. */
static bool is_stored_whole(const dataset *set)
{
    const hid_t creation = H5Dget_create_plist(set->id);
    const H5D_layout_t layout = creation >= 0 ? H5Pget_layout(creation) : H5D_LAYOUT_ERROR;
    if (creation >= 0)
        H5Pclose(creation);
    const hsize_t points = (hsize_t)H5Sget_simple_extent_npoints(set->space);
    const hsize_t stored = H5Dget_storage_size(set->id);
    return layout == H5D_CHUNKED || (layout == H5D_CONTIGUOUS && stored == 0) ||
           stored / H5Tget_size(set->type) >= points;
}

/* A range of a list; `count` is what is wanted of it. */
typedef struct range {
    int first, count;
} range;

/* Reads what the range says; a single number is a list of one. */
static bool read_range(const dataset *set, hid_t type, range wanted, void *memory)
{
    const hsize_t first = (hsize_t)wanted.first, count = (hsize_t)wanted.count;
    const hssize_t all = H5Sget_simple_extent_npoints(set->space);
    if ((hssize_t)count == all)
        return H5Dread(set->id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, memory) >= 0;
    if (count == 0)
        return true;
    const hid_t room = H5Screate_simple(1, &count, NULL);
    const bool was_read = room >= 0 &&
                          H5Sselect_hyperslab(set->space, H5S_SELECT_SET, &first, NULL, &count, NULL) >= 0 &&
                          H5Dread(set->id, type, room, set->space, H5P_DEFAULT, memory) >= 0;
    if (room >= 0)
        H5Sclose(room);
    return was_read;
}

static carom_status read_checked(const fclib_group *group, const char *name, const dataset *set, hid_t type,
                                 range wanted, void *memory)
{
    const char *fault = hdf5_storage_fault(set->id, group->in->end);
    if (fault)
        return fclib_bad(group, name, "%s", fault);
    if (!is_stored_whole(set))
        return fclib_bad(group, name, "has %lld entries, but only %llu bytes are stored",
                         (long long)H5Sget_simple_extent_npoints(set->space),
                         (unsigned long long)H5Dget_storage_size(set->id));
    if (read_range(set, type, wanted, memory))
        return CAROM_OK;
    char reason[256];
    hdf5_reason(reason, sizeof reason);
    return fclib_bad(group, name, "cannot be read, the file may be cut short: %s", reason);
}

static carom_status check_type(const fclib_group *group, const char *name, const dataset *set, bool is_real)
{
    if (is_real ? is_real_type(set->type) : is_int_type(set->type))
        return CAROM_OK;
    return fclib_bad(group, name,
                     is_real ? "does not hold floating point numbers of 32 or 64 bits"
                             : "does not hold signed integers of 32 or 64 bits");
}

carom_status fclib_read_length(const fclib_group *group, const char *name, bool is_real, int *length)
{
    dataset set;
    carom_status status = open_dataset(group, name, &set);
    if (status == CAROM_OK)
        status = check_type(group, name, &set, is_real);
    if (status == CAROM_OK)
        status = find_length(group, name, &set, length);
    close_dataset(&set);
    return status;
}

/* A range that does not say how many entries it has means all. */
static carom_status find_range(const fclib_group *group, const char *name, const dataset *set, range *wanted)
{
    int length = 0;
    const carom_status status = find_length(group, name, set, &length);
    if (status != CAROM_OK)
        return status;
    if (wanted->count < 0)
        wanted->count = length;
    if (wanted->first < 0 || wanted->first > length || wanted->count > length - wanted->first)
        return fclib_bad(group, name, "has %d entries; %d from %d on are wanted", length, wanted->count,
                         wanted->first);
    return CAROM_OK;
}

static carom_status read_int_set(const fclib_group *group, const char *name, const dataset *set,
                                 carom_arena *arena, range *wanted, int **value)
{
    carom_status status = check_type(group, name, set, false);
    if (status == CAROM_OK)
        status = find_range(group, name, set, wanted);
    if (status != CAROM_OK)
        return status;
    *value = take(group, name, arena, wanted->count, sizeof **value);
    return *value ? read_checked(group, name, set, H5T_NATIVE_INT, *wanted, *value)
                  : group->in->error->status;
}

static carom_status read_ints(const fclib_group *group, const char *name, carom_arena *arena, range *wanted,
                              int **value)
{
    dataset set;
    carom_status status = open_dataset(group, name, &set);
    if (status == CAROM_OK)
        status = read_int_set(group, name, &set, arena, wanted, value);
    close_dataset(&set);
    return status;
}

carom_status fclib_read_ints(const fclib_group *group, const char *name, carom_arena *arena, int **value,
                             int *count)
{
    range all = {0, -1};
    const carom_status status = read_ints(group, name, arena, &all, value);
    *count = status == CAROM_OK ? all.count : 0;
    return status;
}

carom_status fclib_read_some_ints(const fclib_group *group, const char *name, carom_arena *arena, int first,
                                  int count, int **value)
{
    return read_ints(group, name, arena, &(range){first, count}, value);
}

carom_status fclib_read_int(const fclib_group *group, const char *name, int *value)
{
    int *list = NULL, count = 0;
    const carom_status status = fclib_read_ints(group, name, group->in->problem->arena, &list, &count);
    if (status != CAROM_OK || !list)
        return status;
    if (count != 1)
        return fclib_bad(group, name, "has %d entries; it is one number", count);
    *value = list[0];
    return CAROM_OK;
}

static carom_status check_finite(const fclib_group *group, const char *name, range given, const double *value)
{
    for (int i = 0; i < given.count; i++)
        if (!isfinite(value[i]))
            return fclib_bad(group, name, "entry %d is %s; numbers must be finite", given.first + i,
                             isnan(value[i]) ? "NaN" : "infinite");
    return CAROM_OK;
}

static carom_status read_real_set(const fclib_group *group, const char *name, const dataset *set,
                                  carom_arena *arena, range *wanted, double **value)
{
    carom_status status = check_type(group, name, set, true);
    if (status == CAROM_OK)
        status = find_range(group, name, set, wanted);
    if (status != CAROM_OK)
        return status;
    *value = take(group, name, arena, wanted->count, sizeof **value);
    if (!*value)
        return group->in->error->status;
    status = read_checked(group, name, set, H5T_NATIVE_DOUBLE, *wanted, *value);
    return status == CAROM_OK ? check_finite(group, name, *wanted, *value) : status;
}

static carom_status read_reals(const fclib_group *group, const char *name, carom_arena *arena, range *wanted,
                               double **value)
{
    dataset set;
    carom_status status = open_dataset(group, name, &set);
    if (status == CAROM_OK)
        status = read_real_set(group, name, &set, arena, wanted, value);
    close_dataset(&set);
    return status;
}

carom_status fclib_read_reals(const fclib_group *group, const char *name, carom_arena *arena, double **value,
                              int *count)
{
    range all = {0, -1};
    const carom_status status = read_reals(group, name, arena, &all, value);
    *count = status == CAROM_OK ? all.count : 0;
    return status;
}

carom_status fclib_read_some_reals(const fclib_group *group, const char *name, carom_arena *arena, int first,
                                   int count, double **value)
{
    return read_reals(group, name, arena, &(range){first, count}, value);
}

carom_status fclib_read_vector(const fclib_group *group, const char *name, int length, const char *of_what,
                               double **value)
{
    int count = 0;
    const carom_status status = fclib_read_reals(group, name, group->in->problem->arena, value, &count);
    if (status == CAROM_OK && count != length)
        return fclib_bad(group, name, "has %d entries; there must be %d, %s", count, length, of_what);
    return status;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static carom_status read_text_set(const fclib_group *group, const char *name, const dataset *set, char **text)
{
    const size_t bytes = H5Tget_size(set->type);
    if (H5Tget_class(set->type) != H5T_STRING || H5Tis_variable_str(set->type) != 0)
        return fclib_bad(group, name, "is not a text of fixed length");
    if (H5Sget_simple_extent_npoints(set->space) != 1 || bytes == 0 || bytes > INT_MAX - 1)
        return fclib_bad(group, name, "is not one text");
    *text = take(group, name, group->in->problem->arena, (int)bytes + 1, 1);
    return *text ? read_checked(group, name, set, set->type, (range){0, 1}, *text) : group->in->error->status;
}

carom_status fclib_read_text(const fclib_group *group, const char *name, char **text)
{
    dataset set;
    if (!fclib_has(group, name))
        return CAROM_OK;
    carom_status status = open_dataset(group, name, &set);
    if (status == CAROM_OK)
        status = read_text_set(group, name, &set, text);
    close_dataset(&set);
    return status;
}
