/* Names of what results are differentiated by: parameters, and initial values as q:NAME and v:NAME. */
#include <string.h>

#include "sensitivity.h"

static carom_status fail_unknown(const active_run *run, const char *name, carom_error *error)
{
    const carom_experiment *experiment = run->plan.experiment;
    const carom_model *model = experiment->model;
    carom_text list = {0};
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed && !model->parameter[i].integer)
            carom_text_append(&list, "%s%s", list.length ? ", " : "", model->parameter[i].name);
    const int positions = carom_model_positions(model);
    for (int i = 0; i < positions && i < 20; i++)
        carom_text_append(&list, "%sq:%s", list.length ? ", " : "", model->coordinate[i]);
    for (int i = 0; i < model->dof && i < 20; i++)
        carom_text_append(&list, ", v:%s", carom_model_velocity_name(model, i));
    if (positions > 20)
        carom_text_append(&list, ", ...");
    bool setting = false;
    for (int i = 0; i < experiment->setting_count; i++)
        setting = setting || strcmp(experiment->setting[i].name, name) == 0;
    const int parameter = carom_model_find_parameter(model, name);
    const char *reason = setting
                             ? "is a setting: it shapes the model, and nothing can be differentiated by it"
                         : parameter >= 0 ? "is a whole number: nothing can be differentiated by it"
                                          : "is neither a parameter nor an initial value";
    const carom_status status =
        list.failed ? carom_fail_memory(error)
                    : carom_fail(error, CAROM_BAD_INPUT, "sensitivity: '%s' %s; there are: %s", name, reason,
                                 list.bytes ? list.bytes : "none");
    carom_text_free(&list);
    return status;
}

carom_status sensitivity_read_names(active_run *run, carom_error *error)
{
    const carom_run_request *request = run->request;
    const carom_model *model = run->plan.experiment->model;
    run_sensitivity *self = carom_arena_take(run->arena, 1, sizeof *self);
    if (!self)
        return carom_fail_memory(error);
    self->count = request->sensitivity_count;
    self->name = carom_arena_take(run->arena, (size_t)self->count, sizeof *self->name);
    if (!self->name)
        return carom_fail_memory(error);
    for (int c = 0; c < self->count; c++) {
        const char *text = request->sensitivity[c];
        sensitivity_name *name = &self->name[c];
        *name = (sensitivity_name){-1, -1, -1};
        if (strncmp(text, "q:", 2) == 0)
            name->position = carom_model_find_position(model, text + 2);
        else if (strncmp(text, "v:", 2) == 0)
            name->velocity = carom_model_find_velocity(model, text + 2);
        else
            name->parameter = carom_model_find_parameter(model, text);
        if (name->parameter >= 0 &&
            (model->parameter[name->parameter].computed || model->parameter[name->parameter].integer))
            name->parameter = -1;
        if (name->parameter < 0 && name->position < 0 && name->velocity < 0)
            return fail_unknown(run, text, error);
        for (int other = 0; other < c; other++)
            if (strcmp(request->sensitivity[other], text) == 0)
                return carom_fail(error, CAROM_BAD_INPUT, "sensitivity: '%s' is asked for twice", text);
    }
    run->sensitivity = self;
    return CAROM_OK;
}
