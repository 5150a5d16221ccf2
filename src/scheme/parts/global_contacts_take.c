/* Memory of contact problems in the space of velocities, and how a problem gets the contacts of a model. */
#include <stdlib.h>
#include <string.h>

#include "global_contacts.h"
#include "global_reduction.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* Columns of all rows of a contact, ascending, no one twice; their number. */
static int columns_of(const carom_contact_info *info, int dof, int *column)
{
    int count = 0;
    for (int k = 0; k <= info->tangents; k++) {
        const carom_row_pattern *row = &info->row[k];
        for (int i = 0; i < (row->column ? row->count : dof); i++) {
            const int c = row->column ? row->column[i] : i;
            int place = count;
            while (place > 0 && column[place - 1] > c)
                place--;
            if (place > 0 && column[place - 1] == c)
                continue;
            memmove(column + place + 1, column + place, (size_t)(count - place) * sizeof *column);
            column[place] = c;
            count++;
        }
    }
    return count;
}

static double pairs_of(const carom_model *model)
{
    double pairs = 0.0;
    for (int c = 0; c < model->contacts; c++) {
        double columns = 0.0;
        for (int k = 0; k <= model->contact[c].tangents; k++)
            columns += model->contact[c].row[k].column ? model->contact[c].row[k].count : model->dof;
        pairs += columns * columns;
    }
    return pairs;
}

/* The places of A, and of the products of the rows of each contact. */
static bool take_pattern(global_contacts *self, carom_arena *arena, const carom_model *model, int *column)
{
    const int size = self->A->size;
    const size_t pairs = (size_t)pairs_of(model);
    carom_arena *scratch = carom_arena_create();
    int *row_list = scratch ? carom_arena_take(scratch, pairs, sizeof(int)) : NULL;
    int *column_list = scratch ? carom_arena_take(scratch, pairs, sizeof(int)) : NULL;
    double *zero = scratch ? carom_arena_take(scratch, pairs, sizeof(double)) : NULL;
    carom_sparse products, sum;
    size_t noted = 0;
    bool taken = row_list && column_list && zero;
    for (int c = 0; taken && c < model->contacts; c++) {
        const int count = columns_of(&model->contact[c], model->dof, column);
        for (int i = 0; i < count; i++)
            for (int j = 0; j < count; j++, noted++) {
                row_list[noted] = column[i];
                column_list[noted] = column[j];
            }
    }
    taken = taken && carom_sparse_take(scratch, size, size, noted, row_list, column_list, zero, &products);
    const carom_sparse *const parts[] = {&self->A->pattern, &products};
    taken =
        taken && sparse_union(arena, 2, parts, true, &sum) && sparse_matrix_take(&self->matrix, arena, &sum);
    carom_arena_free(scratch);
    return taken;
}

/* For component pairs (k, l) of a contact, entry by entry: the place of (column of k, column of l). */
static int *take_places(const global_contacts *self, carom_arena *arena, const carom_model *model,
                        int contact)
{
    const carom_contact_info *info = &model->contact[contact];
    size_t entries = 0;
    for (int k = 0; k <= info->tangents; k++)
        entries += (size_t)(info->row[k].column ? info->row[k].count : model->dof);
    int *place = carom_arena_take(arena, entries * entries, sizeof *place), next = 0;
    for (int k = 0; place && k <= info->tangents; k++)
        for (int l = 0; l <= info->tangents; l++) {
            const carom_row_pattern *a = &info->row[k], *b = &info->row[l];
            for (int i = 0; i < (a->column ? a->count : model->dof); i++)
                for (int j = 0; j < (b->column ? b->count : model->dof); j++)
                    place[next++] = carom_sparse_place(&self->matrix.pattern, a->column ? a->column[i] : i,
                                                       b->column ? b->column[j] : j);
        }
    return place;
}

static bool take_arrays(global_contacts *self, carom_arena *arena, size_t contacts)
{
    const size_t size = (size_t)self->size;
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->multiplier, COMPONENTS * contacts},
                  {&self->impulse, COMPONENTS * contacts},
                  {&self->trial, COMPONENTS * contacts},
                  {&self->velocity, COMPONENTS * contacts},
                  {&self->compliance, 2 * contacts},
                  {&self->penalty, 2 * contacts},
                  {&self->jacobian, 9 * contacts},
                  {&self->v, size},
                  {&self->change, size},
                  {&self->residual, size},
                  {&self->moved, size},
                  {&self->diagonal, size},
                  {&self->next, size},
                  {&self->kept, size}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->contact = carom_arena_take(arena, contacts, sizeof *self->contact);
    return self->contact != NULL;
}

bool global_contacts_fit(const carom_model *model)
{
    return pairs_of(model) <= 64.0 * ((double)model->dof + (double)model->contacts) + 1e7;
}

bool global_contacts_take(global_contacts *self, carom_arena *arena, const carom_model *model,
                          const sparse_matrix *A)
{
    *self = (global_contacts){.size = A->size, .dof = model->dof, .capacity = model->contacts, .A = A};
    if (!global_contacts_fit(model))
        return false;
    int *column = carom_new_array(COMPONENTS * (size_t)model->dof, sizeof *column);
    bool taken = column && take_arrays(self, arena, (size_t)model->contacts) &&
                 take_pattern(self, arena, model, column);
    free(column);
    self->contact_place = carom_arena_take(arena, (size_t)model->contacts, sizeof *self->contact_place);
    self->place_of_A = carom_arena_take(arena, (size_t)carom_sparse_entries(&A->pattern), sizeof(int));
    taken = taken && self->contact_place && self->place_of_A;
    for (int j = 0; taken && j < A->size; j++)
        for (int k = A->pattern.column_start[j]; k < A->pattern.column_start[j + 1]; k++)
            self->place_of_A[k] = carom_sparse_place(&self->matrix.pattern, A->pattern.row[k], j);
    for (int c = 0; taken && c < model->contacts; c++)
        taken = (self->contact_place[c] = take_places(self, arena, model, c)) != NULL;
    return taken;
}

void global_contacts_free(global_contacts *self)
{
    sparse_matrix_free(&self->matrix);
    global_reduction_free(self->reduction);
    self->reduction = NULL;
}

/* ---- the contacts of a model ------------------------------------------------------------------------------- */

bool global_contacts_know_cones(const carom_model *model)
{
    for (int c = 0; c < model->contacts; c++) {
        const carom_contact_info *info = &model->contact[c];
        const carom_friction_law *law = &info->friction;
        if (info->tangents == 2 && carom_friction_law_coefficients(law) > 0 &&
            (law->dynamic_cone.shape != &carom_friction_isotropic ||
             (law->two_level && law->static_cone.shape != &carom_friction_isotropic)))
            return false;
    }
    return true;
}

void global_contacts_pose(global_contacts *self, int k, const carom_model *model, const contact_rows *rows,
                          int contact, bool sticking)
{
    const carom_contact_info *info = &model->contact[contact];
    const carom_contact_frame *frame = &rows->frame[contact];
    const bool rubs = info->friction_force || contact_has_friction(info, frame);
    global_contact *posed = &self->contact[k];
    *posed = (global_contact){.tangents = rubs ? info->tangents : 0,
                              .has_normal = !info->friction_force,
                              .place = self->contact_place[contact],
                              .index = contact,
                              .constant_rows = info->constant_rows};
    if (rubs)
        posed->set = carom_friction_law_set(&info->friction, frame->coefficients, info->tangents, sticking);
    for (int i = 0; i <= info->tangents; i++) {
        posed->row[i] = contact_row(rows, contact, i);
        posed->rate[i] = i == 0 ? frame->normal_rate : frame->tangent_rate[i - 1];
    }
}
