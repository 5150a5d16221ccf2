/* What a run file says: about the model, about each run, and the datasets that take its rows. */
#include "run_file_content.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/version.h"

enum {
    DEFLATE_LEVEL = 4 /* more takes longer and saves little */
};

bool run_file_put_head(hid_t file, const carom_experiment *experiment)
{
    return hdf5_put_text(file, "carom_version", CAROM_VERSION) &&
           hdf5_put_integer(file, "format", RUN_FILE_FORMAT) &&
           hdf5_put_text(file, "name", experiment->name) && hdf5_put_text(file, "file", experiment->file) &&
           (!experiment->variant || hdf5_put_text(file, "variant", experiment->variant)) &&
           hdf5_put_text_dataset(file, "model", H5T_CSET_UTF8, experiment->text ? experiment->text : "");
}

/* ---- before a run ---------------------------------------------------------------------------------- */

hid_t run_file_create_run(hid_t file, int member)
{
    if (member < 0)
        return hdf5_create_group(file, "main");
    hid_t family = H5Lexists(file, "family", H5P_DEFAULT) > 0 ? H5Gopen2(file, "family", H5P_DEFAULT)
                                                              : hdf5_create_group(file, "family");
    if (family < 0)
        return -1;
    char name[16];
    snprintf(name, sizeof name, "%d", member);
    hid_t group = hdf5_create_group(family, name);
    H5Gclose(family);
    return group;
}

bool run_file_put_run_head(hid_t group)
{
    return hdf5_put_text(group, "scheme", "") && hdf5_put_text(group, "status", "running") &&
           hdf5_put_text(group, "message", "") && hdf5_put_number(group, "h", NAN) &&
           hdf5_put_number(group, "t0", NAN) && hdf5_put_number(group, "t_end", NAN) &&
           hdf5_put_number(group, "until", NAN) && hdf5_put_integer(group, "steps", 0);
}

bool run_file_put_parameters(hid_t run, const carom_experiment *experiment, const double *parameter)
{
    hid_t group = hdf5_create_group(run, "parameters");
    if (group < 0)
        return false;
    bool written = true;
    for (int i = 0; written && i < experiment->model->parameters; i++)
        written = experiment->model->parameter[i].computed ||
                  hdf5_put_number(group, experiment->model->parameter[i].name, parameter[i]);
    for (int i = 0; written && i < experiment->setting_count; i++) {
        const carom_setting *setting = &experiment->setting[i];
        written = setting->is_text ? hdf5_put_text(group, setting->name, setting->text)
                                   : hdf5_put_number(group, setting->name, setting->number);
    }
    return H5Gclose(group) >= 0 && written;
}

static hid_t create_part(hid_t series, const run_file_part *part, size_t chunk_rows, bool compressed)
{
    hsize_t start[3] = {0, part->inner[0], part->inner[1]};
    hsize_t limit[3] = {H5S_UNLIMITED, part->inner[0], part->inner[1]};
    hsize_t chunk[3] = {chunk_rows, part->inner[0], part->inner[1]};
    hid_t space = H5Screate_simple(part->rank, start, limit);
    hid_t creation = H5Pcreate(H5P_DATASET_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
    hid_t dataset = -1;
    const double fill = 0.0; /* defined bytes in the unused end of the last chunk */
    /* Without a cache, in which compressed chunks would wait for a flush: their order in the file is that of the rows. */
    if (space >= 0 && creation >= 0 && access >= 0 && H5Pset_chunk_cache(access, 0, 0, 0.0) >= 0 &&
        H5Pset_chunk(creation, part->rank, chunk) >= 0 && H5Pset_obj_track_times(creation, false) >= 0 &&
        (!compressed || (H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, DEFLATE_LEVEL) >= 0)) &&
        H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &fill) >= 0)
        dataset = H5Dcreate2(series, part->name, part->bytes ? H5T_STD_U8LE : H5T_IEEE_F64LE, space,
                             H5P_DEFAULT, creation, access);
    if (access >= 0)
        H5Pclose(access);
    if (creation >= 0)
        H5Pclose(creation);
    if (space >= 0)
        H5Sclose(space);
    return dataset;
}

static bool put_part_names(hid_t dataset, const char *part, const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    const bool velocity = strcmp(part, "v") == 0;
    if (strcmp(part, "q") == 0 || velocity)
        return hdf5_put_names(
            dataset, "names",
            (const char *const *)(velocity && model->velocity ? model->velocity : model->coordinate),
            velocity ? model->dof : carom_model_positions(model));
    if (strcmp(part, "record") == 0)
        return hdf5_put_names(dataset, "names", (const char *const *)experiment->column,
                              experiment->column_count);
    if (strcmp(part, "gap") != 0)
        return true;
    const char **name = carom_new_array((size_t)model->contacts, sizeof *name);
    if (!name)
        return false;
    for (int i = 0; i < model->contacts; i++)
        name[i] = model->contact[i].name;
    bool written = hdf5_put_names(dataset, "names", name, model->contacts);
    free(name);
    return written;
}

bool run_file_create_series(hid_t run, const carom_experiment *experiment,
                            const run_file_part part[RUN_FILE_PARTS], size_t chunk_rows, bool compressed,
                            hid_t dataset[RUN_FILE_PARTS])
{
    hid_t series = hdf5_create_group(run, "series");
    if (series < 0)
        return false;
    bool written = true;
    for (int i = 0; written && i < RUN_FILE_PARTS; i++) {
        if (part[i].width == 0)
            continue;
        dataset[i] = create_part(series, &part[i], chunk_rows, compressed);
        written = dataset[i] >= 0 && put_part_names(dataset[i], part[i].name, experiment);
    }
    return H5Gclose(series) >= 0 && written;
}

/* ---- after a run ----------------------------------------------------------------------------------- */

/* A number, a list, or (when there is no value) a dataset without elements. */
static hid_t measure_space(const carom_measured *measured)
{
    hsize_t count = (hsize_t)measured->count;
    if (measured->is_array)
        return H5Screate_simple(1, &count, NULL);
    return H5Screate(measured->count > 0 ? H5S_SCALAR : H5S_NULL);
}

static bool put_measure(hid_t group, const char *name, const carom_measured *measured)
{
    hid_t space = measure_space(measured);
    bool written = hdf5_put_dataset(group, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space,
                                    measured->count > 0 ? measured->value : NULL);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

static bool put_measures(hid_t run, const carom_experiment *experiment, const carom_run_result *result)
{
    hid_t group = hdf5_create_group(run, "measures");
    if (group < 0)
        return false;
    bool written = true;
    for (int i = 0; written && i < result->measure_count; i++)
        written = put_measure(group, experiment->measure[i].name, &result->measure[i]);
    return H5Gclose(group) >= 0 && written;
}

static bool put_options(hid_t run, const carom_run_result *result)
{
    hid_t group = hdf5_create_group(run, "options");
    if (group < 0)
        return false;
    bool written = true;
    for (int i = 0; written && i < result->option_count; i++) {
        const carom_option_info *option = &result->scheme->options[i];
        const char *word = carom_option_word(option, (int)result->option[i]);
        written = option->registry && word
                      ? hdf5_put_text(group, option->name, word) /* its numbers may change */
                      : hdf5_put_number(group, option->name, result->option[i]);
    }
    for (int i = 0; written && i < result->solver_option_count; i++) {
        const carom_option *option = &result->solver_option[i];
        written = option->word ? hdf5_put_text(group, option->name, option->word)
                               : hdf5_put_number(group, option->name, option->value);
    }
    return H5Gclose(group) >= 0 && written;
}

bool run_file_put_run_tail(hid_t group, const carom_experiment *experiment, const carom_run_result *result)
{
    const double until = result->t0 + result->h * (double)result->steps_planned;
    return put_measures(group, experiment, result) && put_options(group, result) &&
           (experiment->study || run_file_put_certificate(group, experiment->model, &result->certificate)) &&
           run_file_put_events(group, experiment->model, result) &&
           run_file_put_sensitivity(group, experiment, result) && hdf5_put_number(group, "until", until) &&
           hdf5_put_integer(group, "every", result->record_every) &&
           hdf5_put_text(group, "scheme", result->scheme ? result->scheme->name : "") &&
           hdf5_put_text(group, "message", result->message) && hdf5_put_number(group, "h", result->h) &&
           hdf5_put_number(group, "t0", result->t0) && hdf5_put_number(group, "t_end", result->t_end) &&
           hdf5_put_integer(group, "steps", result->steps) && hdf5_put_text(group, "status", result->word);
}
