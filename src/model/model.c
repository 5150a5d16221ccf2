/* What all models share: names, frames and parameters. */
#include <stdlib.h>
#include <string.h>

#include "model_parts.h"

void carom_model_free(carom_model *model)
{
    if (model)
        model->ops->free(model);
}

static bool bind_defaults(const carom_model *model, carom_model_work *work)
{
    double *value = carom_new_array((size_t)model->parameters, sizeof *value);
    for (int i = 0; value && i < model->parameters; i++)
        value[i] = model->parameter[i].value;
    if (value)
        model->ops->bind(work, value);
    free(value);
    return value != NULL;
}

carom_status carom_model_work_create(const carom_model *model, const double *parameters,
                                     carom_model_work **out, carom_error *error)
{
    *out = NULL;
    if (!model)
        return carom_fail(error, CAROM_BAD_INPUT, "no model is given");
    carom_model_work *work = model->ops->work_create(model);
    if (!work)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    if (parameters)
        model->ops->bind(work, parameters);
    else if (!bind_defaults(model, work))
        status = carom_fail_memory(error);
    if (status == CAROM_OK && model->ops->check)
        status = model->ops->check(work, error);
    if (status == CAROM_OK)
        *out = work;
    else
        carom_model_work_free(work);
    return status;
}

void carom_model_work_free(carom_model_work *work)
{
    if (work)
        work->model->ops->work_free(work);
}

int carom_model_find_parameter(const carom_model *model, const char *name)
{
    for (int i = 0; i < model->parameters; i++)
        if (strcmp(model->parameter[i].name, name) == 0)
            return i;
    return -1;
}

int carom_model_find_contact(const carom_model *model, const char *name)
{
    for (int i = 0; i < model->contacts; i++)
        if (strcmp(model->contact[i].name, name) == 0)
            return i;
    return -1;
}

bool carom_contact_frame_take(carom_arena *arena, const carom_model *model, carom_contact_frame *frame)
{
    int coefficients = 0;
    for (int i = 0; i < model->contacts; i++)
        if (model->contact[i].coefficients > coefficients)
            coefficients = model->contact[i].coefficients;
    *frame = (carom_contact_frame){0};
    frame->normal = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    for (int k = 0; k < CAROM_TANGENTS_MAX; k++)
        frame->tangent[k] = carom_arena_take(arena, (size_t)model->dof, sizeof(double));
    frame->coefficients = carom_arena_take(arena, (size_t)coefficients, sizeof(double));
    return frame->normal && frame->tangent[0] && frame->tangent[1] && frame->coefficients;
}

static char *copy_or_null(carom_arena *arena, const char *text)
{
    return text ? carom_arena_copy_text(arena, text) : NULL;
}

bool model_copy_parameters(carom_model *model, carom_arena *arena, int count, const carom_parameter *given)
{
    model->parameters = count;
    model->parameter = carom_arena_take(arena, (size_t)count, sizeof *model->parameter);
    for (int i = 0; model->parameter && i < count; i++) {
        carom_parameter *parameter = &model->parameter[i];
        *parameter = given[i];
        parameter->name = copy_or_null(arena, parameter->name);
        parameter->unit = copy_or_null(arena, parameter->unit);
        parameter->doc = copy_or_null(arena, parameter->doc);
        if (!parameter->name)
            return false;
    }
    return model->parameter != NULL;
}
