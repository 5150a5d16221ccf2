#include "sparse_normals.h"

#include <math.h>
#include <string.h>

#include "contact_solver.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS,
    NEIGHBOURS_MAX = 64 /* contacts of one coordinate that another is compared with */
};

/* ---- memory ------------------------------------------------------------------------------------------------ */

bool sparse_normals_serve(const carom_stepper *stepper)
{
    return stepper->contacts > 0 && carom_model_is_sparse(stepper->model) &&
           !carom_scheme_solver(stepper->ops, stepper->option, CAROM_PROBLEM_LCP) &&
           global_contacts_fit(stepper->model);
}

static bool mass_is_diagonal(const carom_model *model)
{
    return carom_sparse_is_diagonal(model->ops->matrix_pattern(model, CAROM_MATRIX_MASS));
}

contact_responses sparse_normals_responses(const carom_stepper *stepper)
{
    return sparse_normals_serve(stepper) && !mass_is_diagonal(stepper->model) ? RESPONSES_NONE
                                                                              : RESPONSES_OF_MASS;
}

bool sparse_normals_take_lists(sparse_normals *self, const carom_stepper *stepper, const mass_factor *mass,
                               const contact_rows *rows)
{
    *self = (sparse_normals){.mass = mass, .rows = rows};
    if (!sparse_normals_serve(stepper))
        return true;
    size_t entries = 0;
    for (int contact = 0; contact < stepper->contacts; contact++)
        entries += (size_t)rows->frame[contact].normal.count;
    self->last = carom_arena_take(stepper->arena, (size_t)stepper->dof, sizeof(int));
    self->before = carom_arena_take(stepper->arena, entries, sizeof(int));
    self->owner = carom_arena_take(stepper->arena, entries, sizeof(int));
    for (int i = 0; self->last && i < stepper->dof; i++)
        self->last[i] = -1;
    return self->last && self->before && self->owner;
}

bool sparse_normals_take(sparse_normals *self, const carom_stepper *stepper, const mass_factor *mass,
                         const contact_rows *rows)
{
    if (!sparse_normals_take_lists(self, stepper, mass, rows))
        return false;
    if (!sparse_normals_serve(stepper))
        return true;
    const size_t contacts = (size_t)stepper->contacts, dof = (size_t)stepper->dof;
    self->impulse = carom_arena_take(stepper->arena, COMPONENTS * contacts, sizeof(double));
    self->regime = carom_arena_take(stepper->arena, contacts, 1);
    self->zero = carom_arena_take(stepper->arena, dof, sizeof(double));
    self->change = carom_arena_take(stepper->arena, dof, sizeof(double));
    if (!self->impulse || !self->regime || !self->zero || !self->change ||
        !global_contacts_take(&self->contacts, stepper->arena, stepper->model, &mass->sparse))
        return false;
    if (carom_scheme_find_option(stepper->ops, "tolerance") >= 0) {
        const carom_solver_options limits = contact_solver_limits(stepper);
        self->contacts.tolerance = limits.tolerance;
        self->contacts.max_iterations = limits.max_iterations;
    }
    self->used = true;
    return true;
}

void sparse_normals_free(sparse_normals *self)
{
    if (self->used)
        global_contacts_free(&self->contacts);
}

/* ---- rows -------------------------------------------------------------------------------------------------- */

normal_fault sparse_normals_check(const sparse_normals *self, int contact)
{
    const carom_contact_frame *frame = &self->rows->frame[contact];
    const carom_row *row = &frame->normal;
    if (!carom_all_finite(row->count, row->value) || !isfinite(frame->normal_rate))
        return NORMAL_NOT_FINITE;
    for (int i = 0; i < row->count; i++)
        if (row->value[i] != 0.0)
            return NORMAL_FINE;
    return NORMAL_ZERO;
}

/* Looks at the contacts that came before at the coordinates of the k-th active one, then adds it to them; `entry` is the
 * first of its own. False: `look` wants no more. */
static bool look_at_contact(sparse_normals *self, const int *active, int k, int entry,
                            sparse_normals_look *look, void *context)
{
    const carom_row *row = &self->rows->frame[active[k]].normal;
    bool more = true;
    for (int i = 0; i < row->count; i++, entry++) {
        int *last = &self->last[carom_row_column(row, i)];
        int other = *last;
        for (int seen = 0; more && other >= 0 && seen < NEIGHBOURS_MAX; seen++, other = self->before[other])
            more = look(context, self->owner[other], k);
        self->before[entry] = *last;
        self->owner[entry] = k;
        *last = entry;
    }
    return more;
}

void sparse_normals_pairs(sparse_normals *self, int count, const int *active, sparse_normals_look *look,
                          void *context)
{
    bool more = true;
    int entry = 0, seen = 0;
    for (; more && seen < count; seen++) {
        more = look_at_contact(self, active, seen, entry, look, context);
        entry += self->rows->frame[active[seen]].normal.count;
    }
    for (int k = 0; k < seen; k++) {
        const carom_row *row = &self->rows->frame[active[k]].normal;
        for (int i = 0; i < row->count; i++)
            self->last[carom_row_column(row, i)] = -1;
    }
}

/* ---- the projection ---------------------------------------------------------------------------------------- */

static bool note_pair(void *context, int first, int second)
{
    (void)first;
    (void)second;
    *(bool *)context = true;
    return false;
}

static bool is_separate(sparse_normals *self, int count, const int *active)
{
    bool found = false;
    if (!self->mass->diagonal)
        return count < 1;
    sparse_normals_pairs(self, count, active, note_pair, &found);
    return !found;
}

/* Each contact for itself, Moreau 1986 (10.7). */
static void project_separate(sparse_normals *self, int count, const int *active, const double *rate,
                             const double *u, double *v, double *z)
{
    if (v != u)
        memcpy(v, u, (size_t)self->rows->dof * sizeof *v);
    for (int k = 0; k < count; k++) {
        const double closing = carom_row_dot(&self->rows->frame[active[k]].normal, u) + rate[k];
        z[k] = closing < 0.0 ? -closing / contact_coupling(self->rows, active[k], 0, active[k], 0) : 0.0;
    }
    for (int k = 0; k < count; k++)
        carom_row_add(contact_response(self->rows, active[k], 0), z[k], v);
}

carom_solve_report sparse_normals_project(sparse_normals *self, int count, const int *active,
                                          const double *rate, const double *u, double *v, double *z)
{
    if (is_separate(self, count, active)) {
        project_separate(self, count, active, rate, u, v, z);
        return (carom_solve_report){.status = CAROM_OK, .failed_contact = -1};
    }
    /* for v - u, which may be much smaller: then rounding is that of its own size */
    self->contacts.count = count;
    for (int k = 0; k < count; k++) {
        const carom_row *normal = &self->rows->frame[active[k]].normal;
        self->contacts.contact[k] = (global_contact){.row = {normal},
                                                     .rate = {carom_row_dot(normal, u) + rate[k]},
                                                     .has_normal = true,
                                                     .place = self->contacts.contact_place[active[k]]};
        self->impulse[COMPONENTS * k] = z[k];
    }
    const carom_solve_report report =
        global_contacts_solve(&self->contacts, self->zero, self->change, self->impulse, self->regime);
    for (int k = 0; k < count; k++)
        z[k] = self->impulse[COMPONENTS * k];
    for (int i = 0; i < self->rows->dof; i++)
        v[i] = u[i] + self->change[i];
    return report;
}
