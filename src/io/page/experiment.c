/* What a page says about the model: where it comes from, its parameters, its text, the command. */
#include <math.h>
#include <string.h>

#include "carom/io/page.h"

static void write_parameter(carom_page *self, const carom_parameter *parameter, double value)
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

static void write_setting(carom_page *self, const carom_setting *setting)
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

static void write_text(carom_page *self, const char *key, const char *text)
{
    if (text && *text)
        carom_json_text(&self->json, key, text);
}

static void write_experiment(carom_page *self, const carom_experiment *experiment, const double *parameter)
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

void carom_page_command(carom_page *self, const char *const *command)
{
    if (!command)
        return;
    carom_json_array_begin(&self->json, "command");
    for (; *command; command++)
        carom_json_text(&self->json, NULL, *command);
    carom_json_array_end(&self->json);
}

carom_status carom_page_begin(carom_page *self, const char *kind, const char *title,
                              const carom_experiment *experiment, const double *parameter,
                              const char *const *command, carom_error *error)
{
    const char *own = experiment->title ? experiment->title : experiment->name;
    const carom_status status = carom_page_open(self, kind, title ? title : own ? own : "", error);
    if (status == CAROM_OK) {
        carom_page_command(self, command);
        write_experiment(self, experiment, parameter);
    }
    return status;
}
