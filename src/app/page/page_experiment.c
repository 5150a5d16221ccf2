/* What a page says about the model: where it comes from, its parameters, its text, the command. */
#include <math.h>
#include <string.h>

#include "app/page.h"

static void write_parameter(page *self, const carom_parameter *parameter, double value)
{
    carom_json *json = &self->json;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", parameter->name);
    carom_json_number(json, "value", value);
    carom_json_number(json, "default", parameter->value);
    if (parameter->unit && *parameter->unit)
        carom_json_text(json, "unit", parameter->unit);
    if (parameter->doc && *parameter->doc)
        carom_json_text(json, "doc", parameter->doc);
    if (isfinite(parameter->min))
        carom_json_number(json, "low", parameter->min);
    if (isfinite(parameter->max))
        carom_json_number(json, "high", parameter->max);
    carom_json_object_end(json);
}

static void write_setting(page *self, const carom_setting *setting)
{
    carom_json *json = &self->json;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "name", setting->name);
    if (setting->is_text)
        carom_json_text(json, "value", setting->text);
    else
        carom_json_number(json, "value", setting->number);
    if (setting->unit && *setting->unit)
        carom_json_text(json, "unit", setting->unit);
    if (setting->doc && *setting->doc)
        carom_json_text(json, "doc", setting->doc);
    carom_json_object_end(json);
}

static void write_text(page *self, const char *key, const char *text)
{
    if (text && *text)
        carom_json_text(&self->json, key, text);
}

static void page_experiment(page *self, const carom_experiment *experiment, const double *parameter)
{
    carom_json *json = &self->json;
    const carom_model *model = experiment->model;
    write_text(self, "name", experiment->name);
    write_text(self, "source", experiment->source);
    write_text(self, "doc", experiment->doc);
    write_text(self, "variant", experiment->variant);
    carom_json_array_begin(json, "parameters");
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed)
            write_parameter(self, &model->parameter[i], parameter[i]);
    carom_json_array_end(json);
    carom_json_array_begin(json, "settings");
    for (int i = 0; i < experiment->setting_count; i++)
        write_setting(self, &experiment->setting[i]);
    carom_json_array_end(json);
    carom_json_object_begin(json, "model");
    const char *slash = experiment->file ? strrchr(experiment->file, '/') : NULL;
    write_text(self, "file", slash ? slash + 1 : experiment->file);
    write_text(self, "text", experiment->text);
    carom_json_object_end(json);
}

/* ---- the command ----------------------------------------------------------------------------------- */

/* An option that only says what else is written or shown. */
static bool is_left_out(const command *given, const char *word, bool *takes_value)
{
    static const char *const other[] = {"--plot", "--json",  "--quiet",  "--report",  "--vtk",
                                        "--gltf", "--video", "--frames", "--profile", "--checkpoint"};
    const char *equals = strchr(word, '=');
    const size_t length = equals ? (size_t)(equals - word) : strlen(word);
    for (int i = 0; i < given->option_count; i++) {
        const argument_option *option = &given->options[i];
        if (strlen(option->name) != length || strncmp(option->name, word, length) != 0)
            continue;
        bool found = option->writes != WRITES_NOTHING;
        for (size_t k = 0; k < sizeof other / sizeof *other; k++)
            found = found || strcmp(option->name, other[k]) == 0;
        *takes_value = option->takes_value && !equals;
        return found;
    }
    return false;
}

void page_command(page *self, const command *made_by, int argc, char **argv)
{
    carom_json *json = &self->json;
    carom_json_array_begin(json, "command");
    carom_json_text(json, NULL, "carom");
    carom_json_text(json, NULL, made_by->name);
    for (int i = 1; i < argc; i++) {
        bool takes_value = false;
        if (is_left_out(made_by, argv[i], &takes_value))
            i += takes_value;
        else
            carom_json_text(json, NULL, argv[i]);
    }
    carom_json_array_end(json);
}

carom_status page_begin(page *self, const char *kind, const carom_experiment *experiment,
                        const double *parameter, const command *made_by, int argc, char **argv,
                        carom_error *error)
{
    const carom_status status =
        page_open(self, kind, experiment->title ? experiment->title : experiment->name, error);
    if (status == CAROM_OK) {
        page_command(self, made_by, argc, argv);
        page_experiment(self, experiment, parameter);
    }
    return status;
}
