#include "jean_sparse.h"

#include <string.h>

#include "jean_options.h"
#include "moreau_jean.h"
#include "scheme/parts/full_size.h"
#include "scheme/parts/global_reduction.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

/* ---- setup ------------------------------------------------------------------------------------------------- */

bool moreau_jean_takes_sparse(const moreau_jean *self)
{
    const carom_stepper *stepper = &self->stepper;
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, stepper->option, CAROM_PROBLEM_STEP);
    const char *law = moreau_jean_impact_law(stepper->option);
    return carom_model_is_sparse(stepper->model) && !self->oblique &&
           (stepper->model->joints == 0 || strcmp(law, impact_law_own[0]) == 0) &&
           global_contacts_know_cones(stepper->model) && (!chosen || chosen == &carom_step_auto) &&
           !carom_scheme_solver(stepper->ops, stepper->option, CAROM_PROBLEM_LCP);
}

carom_status moreau_jean_check_full(const moreau_jean *self, carom_error *error)
{
    const carom_stepper *stepper = &self->stepper;
    const carom_model *model = stepper->model;
    char what[200];
    if (!carom_model_is_sparse(model))
        return full_size_check(model, "moreau-jean with matrices that are not sparse",
                               "take fewer coordinates", error);
    if (self->oblique)
        return full_size_check(model, "moreau-jean with a law of impact and friction", "leave impact_law out",
                               error);
    if (model->joints > 0 && strcmp(moreau_jean_impact_law(stepper->option), impact_law_own[0]) != 0) {
        carom_format(what, sizeof what, "moreau-jean with a law of impact and joint '%s'", model->joint[0]);
        return full_size_check(model, what, "leave impact_law out, or write the model without joints", error);
    }
    if (!global_contacts_know_cones(model))
        return full_size_check(model, "moreau-jean with friction cones in space that are not round",
                               "take round ones (one coefficient)", error);
    return full_size_check(model, "moreau-jean with a solver of one's choice",
                           "leave the option solver out, or take solver=auto", error);
}

static bool take_places(jean_sparse *sparse, carom_arena *arena)
{
    const carom_sparse *newton = &sparse->newton.pattern;
    for (int m = 0; m < CAROM_MATRICES; m++) {
        const carom_sparse *a = sparse->pattern[m];
        const size_t entries = (size_t)carom_sparse_entries(a);
        int *place = sparse->place[m] = carom_arena_take(arena, entries, sizeof *place);
        sparse->entry[m] = carom_arena_take(arena, entries, sizeof(double));
        if (!place || !sparse->entry[m])
            return false;
        for (int j = 0; j < a->columns; j++)
            for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
                place[k] = carom_sparse_place(newton, a->row[k], j);
    }
    sparse->mirror = carom_arena_take(arena, (size_t)carom_sparse_entries(newton), sizeof(int));
    for (int j = 0; sparse->mirror && j < newton->columns; j++)
        for (int k = newton->column_start[j]; k < newton->column_start[j + 1]; k++)
            sparse->mirror[k] = carom_sparse_place(newton, j, newton->row[k]);
    return sparse->mirror != NULL;
}

bool moreau_jean_sparse_take(moreau_jean *self)
{
    const carom_model *model = self->stepper.model;
    carom_arena *arena = self->stepper.arena;
    jean_sparse *sparse = &self->sparse;
    carom_sparse sum;
    for (carom_model_matrix m = 0; m < CAROM_MATRICES; m++)
        sparse->pattern[m] = model->ops->matrix_pattern(model, m);
    sparse->impulse = carom_arena_take(arena, COMPONENTS * (size_t)model->contacts, sizeof(double));
    sparse->regime = carom_arena_take(arena, (size_t)model->contacts, 1);
    const carom_sparse *parts[CAROM_MATRICES + 1];
    memcpy(parts, sparse->pattern, sizeof sparse->pattern);
    if (model->joints > 0)
        parts[CAROM_MATRICES] = model->ops->block_pattern(model, CAROM_BLOCK_STIFFNESS);
    if (!sparse->impulse || !sparse->regime ||
        !sparse_union(arena, CAROM_MATRICES + (model->joints > 0), parts, true, &sum) ||
        !sparse_matrix_take(&sparse->newton, arena, &sum) || !take_places(sparse, arena) ||
        !moreau_jean_joints_take(self))
        return false;
    const bool joints = model->joints > 0;
    if (!global_contacts_take(&sparse->contacts, arena, model,
                              joints ? &sparse->joints.matrix : &sparse->newton))
        return false;
    sparse->contacts.scale = joints ? sparse->joints.scale : NULL;
    return global_reduction_take(&sparse->contacts, arena, model,
                                 joints ? &sparse->joints.matrix : &sparse->newton);
}

void moreau_jean_sparse_free(moreau_jean *self)
{
    sparse_matrix_free(&self->sparse.newton);
    sparse_joints_free(&self->sparse.joints);
    sparse_joints_free(&self->sparse.projector);
    global_contacts_free(&self->sparse.contacts);
}

/* ---- the Newton matrix ------------------------------------------------------------------------------------- */

void moreau_jean_sparse_mass(moreau_jean *self, double t, const double *q)
{
    self->stepper.model->ops->matrix(self->stepper.work, CAROM_MATRIX_MASS, t, q, NULL,
                                     self->sparse.entry[CAROM_MATRIX_MASS]);
}

static void add_entries(jean_sparse *sparse, carom_model_matrix m, double factor)
{
    for (int k = 0; k < carom_sparse_entries(sparse->pattern[m]); k++)
        sparse->newton.value[sparse->place[m][k]] += factor * sparse->entry[m][k];
}

void moreau_jean_sparse_newton(moreau_jean *self)
{
    jean_sparse *sparse = &self->sparse;
    const carom_stepper *stepper = &self->stepper;
    const double by_velocity = stepper->h * self->theta, by_position = by_velocity * by_velocity;
    const int entries = carom_sparse_entries(&sparse->newton.pattern);
    double *value = sparse->newton.value;
    for (carom_model_matrix m = CAROM_MATRIX_FORCE_BY_Q; m <= CAROM_MATRIX_FORCE_BY_U; m++)
        stepper->model->ops->matrix(stepper->work, m, self->t, self->q, self->v, sparse->entry[m]);
    memset(value, 0, (size_t)entries * sizeof *value);
    add_entries(sparse, CAROM_MATRIX_MASS, 1.0);
    add_entries(sparse, CAROM_MATRIX_FORCE_BY_U, -by_velocity);
    add_entries(sparse, CAROM_MATRIX_FORCE_BY_Q, -by_position);
    if (sparse->iterates && !self->joints.constant)
        moreau_jean_sparse_stiffen(self);
    sparse->assembled = true;
    self->newton_symmetric = true;
    self->for_contacts = self->active_count > 0;
    for (int k = 0; k < entries; k++) {
        const int other = sparse->mirror[k];
        if (other <= k || value[k] == value[other])
            continue;
        self->newton_symmetric = false;
        if (self->for_contacts)
            value[k] = value[other] = 0.5 * (value[k] + value[other]);
    }
}

bool moreau_jean_sparse_mass_is_regular(moreau_jean *self)
{
    jean_sparse *sparse = &self->sparse;
    memset(sparse->newton.value, 0,
           (size_t)carom_sparse_entries(&sparse->newton.pattern) * sizeof *sparse->newton.value);
    add_entries(sparse, CAROM_MATRIX_MASS, 1.0);
    const bool regular = sparse_matrix_factor(&sparse->newton) == 0;
    sparse->newton.known = sparse->assembled = false; /* it is not that of the iterate */
    return regular;
}

void moreau_jean_sparse_take_momentum(const moreau_jean *self, const double *v, const double *v_old,
                                      double *x)
{
    const carom_sparse *a = self->sparse.pattern[CAROM_MATRIX_MASS];
    const double *mass = self->sparse.entry[CAROM_MATRIX_MASS];
    for (int j = 0; j < a->columns; j++)
        for (int k = a->column_start[j]; k < a->column_start[j + 1]; k++)
            x[a->row[k]] -= mass[k] * (v[j] - v_old[j]);
}

/* ---- the contact problem ----------------------------------------------------------------------------------- */

/* The frame of an active contact at the iterate, finite and as its laws allow. */
static carom_status check_rows(moreau_jean *self, int contact, carom_error *error)
{
    const carom_contact_info *info = &self->stepper.model->contact[contact];
    const contact_rows *rows = &self->rows;
    for (int k = 0; k < contact_components(info); k++) {
        const carom_contact_frame *frame = &rows->frame[contact];
        const carom_row *row = contact_row(rows, contact, k);
        const double rate = k == 0 ? frame->normal_rate : frame->tangent_rate[k - 1];
        bool zero = true;
        for (int i = 0; i < row->count; i++)
            zero = zero && row->value[i] == 0.0;
        if (!carom_all_finite(row->count, row->value) || !isfinite(rate))
            return fail_step(error, self->t, step_number(&self->stepper),
                             "the %s or its rate of contact '%s' is not a finite number",
                             k == 0 ? "gradient of the gap" : "slip direction", info->name);
        if (zero && k == 0 && !info->friction_force)
            return fail_step(
                error, self->t, step_number(&self->stepper),
                "the gap of contact '%s' has a zero gradient while the contact is active; no step helps: "
                "write the gap so that its gradient does not vanish where it is 0",
                info->name);
    }
    return CAROM_OK;
}

static void pose(moreau_jean *self, int k)
{
    const carom_stepper *stepper = &self->stepper;
    jean_sparse *sparse = &self->sparse;
    const int contact = self->active[k];
    const carom_contact_info *info = &stepper->model->contact[contact];
    const bool sticking = stepper->state.regime[contact] == CAROM_CONTACT_STICK;
    global_contact *posed = &sparse->contacts.contact[k];
    global_contacts_pose(&sparse->contacts, k, stepper->model, &self->rows, contact, sticking);
    posed->target = self->target[contact];
    posed->normal = info->friction_force ? stepper->h : 0.0;
    for (int i = 0; i <= info->tangents && !sparse->contacts.continues; i++)
        sparse->impulse[COMPONENTS * k + i] =
            i <= posed->tangents ? stepper->state.impulse[COMPONENTS * contact + i] : 0.0;
}

carom_status moreau_jean_sparse_contacts(moreau_jean *self, carom_error *error)
{
    jean_sparse *sparse = &self->sparse;
    for (int k = 0; k < self->active_count; k++) {
        const int contact = self->active[k];
        carom_status status = moreau_jean_frame(self, contact, error);
        if (status == CAROM_OK)
            status = check_rows(self, contact, error);
        if (status != CAROM_OK)
            return status;
        pose(self, k);
    }
    self->rows_found = true;
    const bool look = self->joints.count > 0 && !sparse->contacts.continues;
    const int held = look ? moreau_jean_find_held(self) : -1;
    if (held >= 0)
        return moreau_jean_fail_held(self, held, error);
    const carom_status told = moreau_jean_tell_problem(self, error);
    if (told != CAROM_OK)
        return told;
    sparse->contacts.count = self->active_count;
    sparse->contacts.constant = self->constant_newton && self->joints.constant;
    const carom_solve_report report =
        global_contacts_solve(&sparse->contacts, self->v_free, self->v_new, sparse->impulse, sparse->regime);
    if (sparse->contacts.coarseness > 0.0) /* the last problem of the step is the one that counts */
        self->stepper.counts.solver_iterations += report.iterations;
    else
        count_report(&self->stepper.counts, &report);
    sparse->contacts.continues = self->joints.count > 0;
    if (report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (is_useless(&report))
        return fail_step(
            error, self->t, step_number(&self->stepper),
            "the impulses of %d active contacts were not found (error %g after %d iterations): M + h "
            "theta C + h^2 theta^2 K is perhaps not positive definite, which a smaller step h mends",
            self->active_count, report.error, report.iterations);
    self->unsolved = report.status != CAROM_OK;
    return CAROM_OK;
}
