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

int carom_model_find_position(const carom_model *model, const char *name)
{
    for (int i = 0; i < carom_model_positions(model); i++)
        if (strcmp(model->coordinate[i], name) == 0)
            return i;
    return -1;
}

int carom_model_find_velocity(const carom_model *model, const char *name)
{
    for (int i = 0; i < model->dof; i++)
        if (strcmp(carom_model_velocity_name(model, i), name) == 0)
            return i;
    return -1;
}

enum {
    NAMES_LISTED = 20
};

int carom_model_state_place(const carom_model *model, const char *name, carom_error *error)
{
    const int positions = carom_model_positions(model);
    const bool velocity = strncmp(name, "v:", 2) == 0;
    const char *bare = velocity || strncmp(name, "q:", 2) == 0 ? name + 2 : name;
    const int place =
        velocity ? carom_model_find_velocity(model, bare) : carom_model_find_position(model, bare);
    if (place >= 0)
        return velocity ? positions + place : place;
    carom_text list = {0};
    for (int i = 0; i < positions && i < NAMES_LISTED; i++)
        carom_text_append(&list, "%sq:%s", i ? ", " : "", model->coordinate[i]);
    for (int i = 0; i < model->dof && i < NAMES_LISTED; i++)
        carom_text_append(&list, ", v:%s", carom_model_velocity_name(model, i));
    carom_fail(error, CAROM_BAD_INPUT, "there is no '%s' in a state of this model; it has %s%s", name,
               list.bytes ? list.bytes : "none", model->dof > NAMES_LISTED ? ", ..." : "");
    carom_text_free(&list);
    return -1;
}

/* ---- frames ------------------------------------------------------------------------------------ */

static int row_entries(const carom_model *model, int contact, int component)
{
    const carom_contact_info *info = &model->contact[contact];
    if (component > info->tangents)
        return 0;
    return info->row[component].column ? info->row[component].count : model->dof;
}

/* Rows are full until a model says otherwise. */
static bool take_row(carom_arena *arena, int entries, carom_row *row)
{
    *row = (carom_row){.count = entries, .value = carom_arena_take(arena, (size_t)entries, sizeof(double))};
    return row->value != NULL;
}

static bool take_frame(carom_arena *arena, const int entries[CAROM_CONTACT_COMPONENTS], int coefficients,
                       carom_contact_frame *frame)
{
    *frame = (carom_contact_frame){0};
    frame->coefficients = carom_arena_take(arena, (size_t)coefficients, sizeof(double));
    bool taken = frame->coefficients && take_row(arena, entries[0], &frame->normal);
    for (int k = 0; k < CAROM_TANGENTS_MAX; k++)
        taken = taken && take_row(arena, entries[1 + k], &frame->tangent[k]);
    return taken;
}

bool carom_contact_frame_take(carom_arena *arena, const carom_model *model, carom_contact_frame *frame)
{
    int coefficients = 0, entries[CAROM_CONTACT_COMPONENTS] = {0};
    for (int i = 0; i < model->contacts; i++) {
        if (model->contact[i].coefficients > coefficients)
            coefficients = model->contact[i].coefficients;
        for (int k = 0; k < CAROM_CONTACT_COMPONENTS; k++)
            if (row_entries(model, i, k) > entries[k])
                entries[k] = row_entries(model, i, k);
    }
    return take_frame(arena, entries, coefficients, frame);
}

bool carom_contact_frame_take_for(carom_arena *arena, const carom_model *model, int contact,
                                  carom_contact_frame *frame)
{
    int entries[CAROM_CONTACT_COMPONENTS];
    for (int k = 0; k < CAROM_CONTACT_COMPONENTS; k++)
        entries[k] = row_entries(model, contact, k);
    return take_frame(arena, entries, model->contact[contact].coefficients, frame);
}

/* ---- rows -------------------------------------------------------------------------------------- */

double carom_row_product(const carom_row *a, const carom_row *b)
{
    if (!a->column)
        return carom_row_dot(b, a->value);
    if (!b->column)
        return carom_row_dot(a, b->value);
    double sum = 0.0;
    for (int i = 0, j = 0; i < a->count && j < b->count;) {
        if (a->column[i] == b->column[j])
            sum += a->value[i++] * b->value[j++];
        else if (a->column[i] < b->column[j])
            i++;
        else
            j++;
    }
    return sum;
}

void carom_row_spread(const carom_row *row, int n, double *full)
{
    memset(full, 0, (size_t)n * sizeof *full);
    for (int i = 0; i < row->count; i++)
        full[carom_row_column(row, i)] = row->value[i];
}

double carom_row_at(const carom_row *row, int column)
{
    if (!row->column)
        return row->value[column];
    for (int i = 0; i < row->count && row->column[i] <= column; i++)
        if (row->column[i] == column)
            return row->value[i];
    return 0.0;
}

/* ---- sparse or full ---------------------------------------------------------------------------- */

/* Up to this many coordinates full matrices cost less than the search for the places of sparse ones. */
enum {
    FULL_DOF = 64
};

bool carom_model_is_sparse(const carom_model *model)
{
    if (!model->ops->matrix_pattern || model->dof <= FULL_DOF)
        return false;
    const double full = (double)model->dof * (double)model->dof;
    for (carom_model_matrix m = 0; m < CAROM_MATRICES; m++)
        if (model->ops->matrix_pattern(model, m)->column_start[model->dof] > 0.25 * full)
            return false;
    return true;
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
        model->inputs += parameter->input;
        parameter->name = copy_or_null(arena, parameter->name);
        parameter->unit = copy_or_null(arena, parameter->unit);
        parameter->doc = copy_or_null(arena, parameter->doc);
        if (!parameter->name)
            return false;
    }
    return model->parameter != NULL;
}

bool model_take_inputs(carom_model_work *work, carom_arena *arena)
{
    if (work->model->inputs > 0)
        work->input = carom_arena_take(arena, (size_t)work->model->parameters, sizeof *work->input);
    return work->input || work->model->inputs == 0;
}

void model_bind_inputs(carom_model_work *work, const double *parameters)
{
    if (work->input)
        memcpy(work->input, parameters, (size_t)work->model->parameters * sizeof *work->input);
}
