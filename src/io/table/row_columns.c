/* The columns of rows by the names that tables give them. */
#include "row_columns.h"

#include <string.h>

/* A record may carry the name of a column that is always there, such as energy. */
bool row_column_is_taken(const carom_model *model, const char *name)
{
    if (strcmp(name, "t") == 0 || strcmp(name, "energy") == 0)
        return true;
    for (int i = 0; i < carom_model_positions(model); i++)
        if (strcmp(name, model->coordinate[i]) == 0)
            return true;
    return false;
}

static bool visit_contact(const carom_row_layout *layout, int contact, const carom_contact_info *info,
                          row_column_visit *visit, void *context)
{
    static const char *const impulse[CAROM_CONTACT_COMPONENTS] = {".impulse", ".impulse_t1", ".impulse_t2"};
    if (!visit(context, "", info->name, ".gap", (carom_table_column){.place = layout->gap + contact}))
        return false;
    for (int k = 0; k < CAROM_CONTACT_COMPONENTS && k <= info->tangents; k++)
        if (!visit(context, "", info->name, impulse[k],
                   (carom_table_column){.place = layout->impulse + CAROM_CONTACT_COMPONENTS * contact + k}))
            return false;
    return visit(context, "", info->name, ".status",
                 (carom_table_column){.place = layout->regime + contact, .is_status = true});
}

void row_columns_visit(const carom_experiment *experiment, row_column_visit *visit, void *context)
{
    const carom_model *model = experiment->model;
    const carom_row_layout layout = carom_row_layout_of(experiment);
    bool goes_on = visit(context, "", "t", "", (carom_table_column){.place = 0});
    for (int i = 0; goes_on && i < layout.positions; i++)
        goes_on = visit(context, "", model->coordinate[i], "", (carom_table_column){.place = layout.q + i});
    for (int i = 0; goes_on && i < layout.dof; i++)
        goes_on = visit(context, "v_", carom_model_velocity_name(model, i), "",
                        (carom_table_column){.place = layout.v + i});
    if (goes_on)
        goes_on = visit(context, "", "energy", "", (carom_table_column){.place = layout.energy});
    for (int i = 0; goes_on && i < layout.contacts; i++)
        goes_on = visit_contact(&layout, i, &model->contact[i], visit, context);
    for (int i = 0; goes_on && i < experiment->named_columns; i++)
        goes_on = visit(context, row_column_is_taken(model, experiment->column[i]) ? "record." : "",
                        experiment->column[i], "", (carom_table_column){.place = layout.column + i});
}

/* ---- by their names ------------------------------------------------------------------------------------- */

typedef struct column_search {
    const char *wanted;
    bool found;
    carom_table_column column;
    carom_text known;
} column_search;

static bool look_at_column(void *context, const char *before, const char *name, const char *after,
                           carom_table_column column)
{
    column_search *self = context;
    const size_t first = strlen(before), second = strlen(name);
    self->found = strncmp(self->wanted, before, first) == 0 &&
                  strncmp(self->wanted + first, name, second) == 0 &&
                  strcmp(self->wanted + first + second, after) == 0;
    self->column = column;
    return !self->found;
}

static bool list_column(void *context, const char *before, const char *name, const char *after,
                        carom_table_column column)
{
    carom_text *known = &((column_search *)context)->known;
    (void)column;
    const bool full = known->length > 300;
    carom_text_append(known, full ? ", ..." : "%s%s%s%s", known->length ? ", " : "", before, name, after);
    return !full;
}

static carom_status fail_unknown(const carom_experiment *experiment, const char *name, carom_error *error)
{
    column_search list = {0};
    row_columns_visit(experiment, list_column, &list);
    carom_fail(error, CAROM_BAD_INPUT, "rows have no column '%s'; they have %s", name,
               list.known.bytes ? list.known.bytes : "none");
    carom_text_free(&list.known);
    return CAROM_BAD_INPUT;
}

carom_status carom_table_columns_find(const carom_experiment *experiment, int count, const char *const *name,
                                      carom_table_column *column, int *found, carom_error *error)
{
    *found = 1;
    column[0] = (carom_table_column){.name = "t"};
    for (int i = 0; i < count; i++) {
        column_search search = {.wanted = name[i]};
        row_columns_visit(experiment, look_at_column, &search);
        if (!search.found)
            return fail_unknown(experiment, name[i], error);
        bool again = false;
        for (int k = 0; k < *found; k++)
            again = again || column[k].place == search.column.place;
        if (again)
            continue;
        column[*found] = search.column;
        column[(*found)++].name = name[i];
    }
    return CAROM_OK;
}
