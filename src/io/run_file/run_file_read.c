/* Run files, read back. A file may be damaged, cut short, or no run file at all: every type, shape and size
 * is checked against the file before memory is taken for it. A run that was killed may have datasets of
 * different lengths; the rows that all of them have are kept. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run_file_reader.h"

carom_status run_file_damaged(const run_file_reader *in, const char *name, const char *what)
{
    const char *separator = strcmp(in->group, "/") == 0 ? "" : "/";
    return carom_fail(in->error, CAROM_BAD_INPUT, "the run file %s is incomplete or damaged: %s%s%s: %s",
                      in->path, in->group, separator, name, what);
}

hid_t run_file_open_group(const run_file_reader *in, hid_t place, const char *name)
{
    const char *fault = hdf5_link_fault(in->stream, 0, in->end, place, name);
    const hid_t group = fault ? -1 : H5Gopen2(place, name, H5P_DEFAULT);
    if (group < 0)
        run_file_damaged(in, name, fault ? fault : "is not a group, or cannot be read");
    return group;
}

static hid_t open_looked_at(const run_file_reader *in, hid_t place, const char *name,
                            const char *(*storage_fault)(hid_t dataset, uint64_t end))
{
    const char *fault = hdf5_link_fault(in->stream, 0, in->end, place, name);
    const hid_t dataset = fault ? -1 : H5Dopen2(place, name, H5P_DEFAULT);
    if (dataset >= 0)
        fault = storage_fault(dataset, in->end);
    if (dataset >= 0 && !fault)
        return dataset;
    if (dataset >= 0)
        H5Dclose(dataset);
    run_file_damaged(in, name, fault ? fault : "is not a dataset, or cannot be read");
    return -1;
}

hid_t run_file_open_dataset(const run_file_reader *in, hid_t place, const char *name)
{
    return open_looked_at(in, place, name, hdf5_storage_fault);
}

hid_t run_file_open_rows(const run_file_reader *in, hid_t place, const char *name)
{
    return open_looked_at(in, place, name, hdf5_packed_fault);
}

/* ---- texts and numbers ----------------------------------------------------------------------------- */

/* Memory for a text of the given type and space; NULL (with the error filled) when they are not one text. */
static char *take_text(const run_file_reader *in, const char *name, hid_t type, hid_t space)
{
    if (H5Tget_class(type) != H5T_STRING || H5Tis_variable_str(type) != 0) {
        run_file_damaged(in, name, "is not a fixed-length text");
        return NULL;
    }
    size_t bytes = H5Tget_size(type);
    if (H5Sget_simple_extent_npoints(space) != 1 || bytes == 0 || bytes > in->bytes) {
        run_file_damaged(in, name, "is not one text of plausible length");
        return NULL;
    }
    char *text = carom_arena_take(in->run->arena, bytes + 1, 1);
    if (!text)
        carom_fail_memory(in->error);
    return text;
}

static char *read_text_value(const run_file_reader *in, const char *name, hid_t attribute)
{
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    char *text = NULL;
    if (type < 0 || space < 0)
        run_file_damaged(in, name, "cannot be read");
    else
        text = take_text(in, name, type, space);
    if (text && H5Aread(attribute, type, text) < 0) {
        run_file_damaged(in, name, "cannot be read");
        text = NULL;
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return text;
}

carom_status run_file_read_text(const run_file_reader *in, hid_t place, const char *name, char **text)
{
    hid_t attribute = H5Aexists(place, name) > 0 ? H5Aopen(place, name, H5P_DEFAULT) : -1;
    if (attribute < 0)
        return run_file_damaged(in, name, "the attribute is missing");
    *text = read_text_value(in, name, attribute);
    H5Aclose(attribute);
    return *text ? CAROM_OK : in->error->status;
}

static bool is_number_type(hid_t type)
{
    H5T_class_t class = H5Tget_class(type);
    return (class == H5T_FLOAT || class == H5T_INTEGER) && H5Tget_size(type) <= 16;
}

static carom_status read_number_value(const run_file_reader *in, const char *name, hid_t attribute,
                                      double *value)
{
    hid_t type = H5Aget_type(attribute), space = H5Aget_space(attribute);
    bool good = type >= 0 && space >= 0 && is_number_type(type) && H5Sget_simple_extent_npoints(space) == 1 &&
                H5Aread(attribute, H5T_NATIVE_DOUBLE, value) >= 0;
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    return good ? CAROM_OK : run_file_damaged(in, name, "is not a number");
}

carom_status run_file_read_number(const run_file_reader *in, hid_t place, const char *name, double *value)
{
    hid_t attribute = H5Aexists(place, name) > 0 ? H5Aopen(place, name, H5P_DEFAULT) : -1;
    if (attribute < 0)
        return run_file_damaged(in, name, "the attribute is missing");
    carom_status status = read_number_value(in, name, attribute, value);
    H5Aclose(attribute);
    return status;
}

static carom_status read_model_text(const run_file_reader *in)
{
    hid_t dataset = run_file_open_dataset(in, in->file, "model");
    if (dataset < 0)
        return in->error->status;
    hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
    char *text = NULL;
    if (type < 0 || space < 0)
        run_file_damaged(in, "model", "cannot be read");
    else
        text = take_text(in, "model", type, space);
    /* HDF5 1.10 reads on behind the end of a dataset that stores less than its shape says. */
    if (text && (H5Dget_storage_size(dataset) < H5Tget_size(type) ||
                 H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) < 0)) {
        run_file_damaged(in, "model", "cannot be read");
        text = NULL;
    }
    if (space >= 0)
        H5Sclose(space);
    if (type >= 0)
        H5Tclose(type);
    H5Dclose(dataset);
    in->run->text = text;
    return text ? CAROM_OK : in->error->status;
}

/* ---- parameters and options: a group of attributes, read back as texts ------------------------------- */

typedef struct override_list {
    const run_file_reader *in;
    const char *group;
    carom_override *entry;
    int count, capacity;
    carom_status status;
} override_list;

static char *number_text(const run_file_reader *in, const char *name, hid_t attribute)
{
    double value = 0.0;
    if (read_number_value(in, name, attribute, &value) != CAROM_OK)
        return NULL;
    char text[32];
    carom_format(text, sizeof text, "%.17g", value);
    char *copy = carom_arena_copy_text(in->run->arena, text);
    if (!copy)
        carom_fail_memory(in->error);
    return copy;
}

static char *override_text(const run_file_reader *in, const char *name, hid_t attribute)
{
    hid_t type = H5Aget_type(attribute);
    bool is_text = type >= 0 && H5Tget_class(type) == H5T_STRING;
    if (type >= 0)
        H5Tclose(type);
    return is_text ? read_text_value(in, name, attribute) : number_text(in, name, attribute);
}

static herr_t take_override(hid_t group, const char *name, const H5A_info_t *info, void *context)
{
    (void)info;
    override_list *list = context;
    const run_file_reader *in = list->in;
    if (list->count == list->capacity) {
        list->status = run_file_damaged(in, list->group, "holds more entries than it says");
        return -1;
    }
    hid_t attribute = H5Aopen(group, name, H5P_DEFAULT);
    if (attribute < 0) {
        list->status = run_file_damaged(in, name, "the value cannot be read");
        return -1;
    }
    carom_override *entry = &list->entry[list->count];
    entry->value = override_text(in, name, attribute);
    H5Aclose(attribute);
    entry->name = carom_arena_copy_text(in->run->arena, name);
    if (entry->value && !entry->name)
        carom_fail_memory(in->error);
    if (!entry->value || !entry->name) {
        list->status = in->error->status;
        return -1;
    }
    list->count++;
    return 0;
}

static carom_status read_attributes(hid_t group, override_list *list)
{
    const run_file_reader *in = list->in;
    H5O_info_t info;
    if (H5Oget_info2(group, &info, H5O_INFO_NUM_ATTRS) < 0 || info.num_attrs > in->bytes ||
        info.num_attrs > INT_MAX)
        return run_file_damaged(in, list->group, "cannot be read");
    list->capacity = (int)info.num_attrs;
    list->entry = carom_arena_take(in->run->arena, (size_t)info.num_attrs, sizeof *list->entry);
    if (!list->entry)
        return carom_fail_memory(in->error);
    hsize_t position = 0;
    herr_t done = H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, &position, take_override, list);
    if (list->status != CAROM_OK)
        return list->status;
    return done < 0 ? run_file_damaged(in, list->group, "cannot be read") : CAROM_OK;
}

static carom_status read_override_group(const run_file_reader *in, hid_t run, const char *name, int *count,
                                        carom_override **override)
{
    hid_t group = run_file_open_group(in, run, name);
    if (group < 0)
        return in->error->status;
    override_list list = {.in = in, .group = name, .status = CAROM_OK};
    carom_status status = read_attributes(group, &list);
    H5Gclose(group);
    *count = list.count;
    *override = list.entry;
    return status;
}

static carom_status read_parameters(const run_file_reader *in, hid_t run, carom_run_member *member)
{
    carom_status status =
        read_override_group(in, run, "parameters", &member->override_count, &member->override);
    /* A run that was killed has no options yet. */
    if (status != CAROM_OK || H5Lexists(run, "options", H5P_DEFAULT) <= 0)
        return status;
    return read_override_group(in, run, "options", &member->option_count, &member->option);
}

/* ---- runs ------------------------------------------------------------------------------------------ */

static carom_status read_run_head(const run_file_reader *in, hid_t group, carom_run_member *member)
{
    const struct {
        const char *name;
        char **text;
    } texts[] = {{"scheme", &member->scheme}, {"status", &member->status}, {"message", &member->message}};
    const struct {
        const char *name;
        double *number;
    } numbers[] = {
        {"h", &member->h}, {"t0", &member->t0}, {"t_end", &member->t_end}, {"until", &member->until}};
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < sizeof texts / sizeof *texts; i++)
        status = run_file_read_text(in, group, texts[i].name, texts[i].text);
    for (size_t i = 0; status == CAROM_OK && i < sizeof numbers / sizeof *numbers; i++)
        status = run_file_read_number(in, group, numbers[i].name, numbers[i].number);
    member->every = 1.0;
    if (status == CAROM_OK && H5Aexists(group, "every") > 0) /* older files do not say it */
        status = run_file_read_number(in, group, "every", &member->every);
    return status;
}

/* The run `name` of a place; `path` is where it stands, for messages. */
static carom_status read_run(run_file_reader *in, hid_t place, const char *name, const char *path,
                             carom_run_member *member)
{
    hid_t group = run_file_open_group(in, place, name);
    if (group < 0)
        return in->error->status;
    in->group = path;
    carom_status status = read_run_head(in, group, member);
    if (status == CAROM_OK)
        status = read_parameters(in, group, member);
    if (status == CAROM_OK)
        status = run_file_read_series(in, group, &member->series);
    if (status == CAROM_OK)
        status = run_file_read_points(in, group, &member->series.layout, &member->points);
    if (status == CAROM_OK)
        status = run_file_read_results(in, group, member);
    if (status == CAROM_OK)
        status = run_file_read_sensitivity(in, group, &member->sensitivity);
    H5Gclose(group);
    return status;
}

static carom_status read_members(run_file_reader *in, hid_t family)
{
    carom_run_file *run = in->run;
    char name[16], path[32];
    int count = 0;
    for (snprintf(name, sizeof name, "0"); H5Lexists(family, name, H5P_DEFAULT) > 0;
         carom_format(name, sizeof name, "%d", count))
        count++;
    run->member = carom_arena_take(run->arena, (size_t)count, sizeof *run->member);
    if (!run->member)
        return carom_fail_memory(in->error);
    run->member_count = count;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        in->group = "/family";
        carom_format(name, sizeof name, "%d", i);
        carom_format(path, sizeof path, "/family/%d", i);
        status = read_run(in, family, name, path, &run->member[i]);
    }
    in->group = "/family"; /* `path` ends here */
    return status;
}

static carom_status read_family(run_file_reader *in)
{
    in->group = "/";
    if (H5Lexists(in->file, "family", H5P_DEFAULT) <= 0)
        return CAROM_OK;
    hid_t family = run_file_open_group(in, in->file, "family");
    if (family < 0)
        return in->error->status;
    const carom_status status = read_members(in, family);
    H5Gclose(family);
    return status;
}

static carom_status read_head(const run_file_reader *in)
{
    carom_run_file *run = in->run;
    double format = 0.0;
    carom_status status = run_file_read_number(in, in->file, "format", &format);
    if (status == CAROM_OK && format != (double)RUN_FILE_FORMAT)
        return carom_fail(in->error, CAROM_BAD_INPUT,
                          "the run file %s has format %g; this version of carom reads format %d", in->path,
                          format, RUN_FILE_FORMAT);
    if (status == CAROM_OK)
        status = run_file_read_text(in, in->file, "carom_version", &run->version);
    if (status == CAROM_OK)
        status = run_file_read_text(in, in->file, "name", &run->name);
    if (status == CAROM_OK)
        status = run_file_read_text(in, in->file, "file", &run->file);
    if (status == CAROM_OK && H5Aexists(in->file, "variant") > 0)
        status = run_file_read_text(in, in->file, "variant", &run->variant);
    return status == CAROM_OK ? read_model_text(in) : status;
}

/* ---- file ------------------------------------------------------------------------------------------ */

/* A plain file whose first header is sound: HDF5 would wait for a pipe, and does not survive some damage. */
static carom_status open_stream(run_file_reader *in)
{
    struct stat about;
    if (stat(in->path, &about) == 0 && !S_ISREG(about.st_mode))
        return carom_fail(in->error, CAROM_BAD_INPUT, "cannot read the run file %s: it is not a regular file",
                          in->path);
    const carom_status reserved = hdf5_reserve(0, in->error);
    if (reserved != CAROM_OK)
        return reserved;
    in->stream = fopen(in->path, "rb");
    if (!in->stream && errno == ENOENT && carom_journal_exists(in->path))
        return carom_fail(in->error, CAROM_BAD_INPUT,
                          "the run file %s is not complete: carom resume %s goes on with it", in->path,
                          in->path);
    if (!in->stream)
        return carom_fail(in->error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read the run file %s: %s", in->path, strerror(errno));
    if (H5Fis_hdf5(in->path) <= 0)
        return carom_fail(in->error, CAROM_BAD_INPUT,
                          "%s is not a run file: it is not HDF5 (carom run --out writes run files)",
                          in->path);
    if (!hdf5_root_fits(in->stream))
        return carom_fail(in->error, CAROM_BAD_INPUT,
                          "cannot open the run file %s: its first header is damaged", in->path);
    return CAROM_OK;
}

static carom_status open_file(run_file_reader *in)
{
    const carom_status status = open_stream(in);
    if (status != CAROM_OK)
        return status;
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        in->file = H5Fopen(in->path, H5F_ACC_RDONLY, access);
    char reason[512] = "";
    if (in->file < 0)
        hdf5_reason(reason, sizeof reason);
    if (access >= 0)
        H5Pclose(access);
    if (in->file < 0 || H5Fget_filesize(in->file, &in->bytes) < 0 || H5Fget_eoa(in->file, &in->end) < 0)
        return carom_fail(in->error, CAROM_BAD_INPUT, "cannot open the run file %s: %s", in->path, reason);
    if (in->end > in->bytes)
        in->end = in->bytes;
    return CAROM_OK;
}

static carom_status read_file(run_file_reader *in)
{
    carom_status status = open_file(in);
    if (status == CAROM_OK)
        status = read_head(in);
    if (status == CAROM_OK)
        status = read_run(in, in->file, "main", "/main", &in->run->main);
    if (status == CAROM_OK)
        status = read_family(in);
    if (in->file >= 0)
        H5Fclose(in->file);
    if (in->stream)
        fclose(in->stream);
    return status;
}

static carom_run_file *create_run_file(void)
{
    carom_arena *arena = carom_arena_create();
    carom_run_file *run = arena ? carom_arena_take(arena, 1, sizeof *run) : NULL;
    if (!run) {
        carom_arena_free(arena);
        return NULL;
    }
    run->arena = arena;
    return run;
}

carom_status carom_run_file_read(const char *path, carom_run_file **run, carom_error *error)
{
    *run = NULL;
    carom_error own_error;
    carom_run_file *made = create_run_file();
    if (!made)
        return carom_fail_memory(error);
    run_file_reader in = {
        .path = path, .group = "/", .file = -1, .run = made, .error = error ? error : &own_error};
    hdf5_quiet quiet = hdf5_silence();
    carom_status status = read_file(&in);
    hdf5_restore(quiet);
    if (status != CAROM_OK) {
        carom_run_file_free(made);
        return status;
    }
    *run = made;
    return CAROM_OK;
}

static void free_series(carom_run_member *member)
{
    carom_series_free(&member->series);
    for (int i = 0; i < member->sensitivity.count; i++)
        carom_series_free(&member->sensitivity.name[i].series);
}

void carom_run_file_free(carom_run_file *run)
{
    if (!run)
        return;
    free_series(&run->main);
    for (int i = 0; i < run->member_count; i++)
        free_series(&run->member[i]);
    carom_arena_free(run->arena); /* holds *run itself */
}
