/* Contact with dry friction, inelastic, Moreau 1986, sections 12 to 14.
 *
 * The source treats one contact with friction at a time. Several at once are an extension: block Gauss-Seidel
 * over the contacts, each solved by the source's rule for the impulses of the others. Those of a large sparse model are
 * solved together in the space of velocities (global_contacts). */
#include <math.h>
#include <string.h>

#include "moreau_tangent.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/friction_assembly.h"
#include "scheme/parts/full_size.h"

static const char *const off_on[] = {"off", "on", NULL};

enum {
    OPTION_AV = MOREAU_OPTION_AV,
    OPTION_CORRECTION,
    OPTION_SOLVER,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_AV] = {"av", 0.0, -2.0, 2.0, NULL,
                   "contact rows are taken at q + av h u and time t + av h; gaps are tested at q and t"},
    [OPTION_CORRECTION] = {"correction", 0.0, 0.0, 1.0, off_on,
                           "on: violated contacts are moved back to gap 0 in each step"},
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_step_solvers, NULL,
                           "of contacts with friction; auto: one contact by the rule of the source"),
};

typedef struct moreau_friction {
    moreau_stepper moreau; /* first */
    bool by_rule;          /* one contact alone; otherwise the solver treats it like several */
    bool is_sparse;        /* several contacts in the space of velocities: there is no assembly */
    friction_assembly assembly;
} moreau_friction;

/* A contact that is closed and does not slip at the start begins as sticking, so that the static cone rules
 * the first step, Moreau 1986, section 12, Remark 1. */
static void set_initial_regimes(moreau_stepper *moreau)
{
    const carom_state *state = &moreau->stepper.state;
    if (moreau->stepper.contacts > 0)
        moreau->stepper.model->ops->gaps(moreau->stepper.work, moreau->stepper.t0, state->q, moreau->gap);
    for (int contact = 0; contact < moreau->stepper.contacts; contact++) {
        const carom_contact_info *info = &moreau->stepper.model->contact[contact];
        bool sticks = moreau->gap[contact] <= 0.0 && info->tangents > 0;
        for (int k = 1; sticks && k <= info->tangents; k++) /* rows: from the checks of the start */
            sticks = contact_velocity(&moreau->rows, contact, k, state->v) == 0.0;
        state->regime[contact] = sticks ? CAROM_CONTACT_STICK : CAROM_CONTACT_OPEN;
    }
}

static bool takes_sparse(const carom_stepper *stepper)
{
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, stepper->option, CAROM_PROBLEM_STEP);
    return sparse_normals_serve(stepper) && (!chosen || chosen == &carom_step_auto) &&
           global_contacts_know_cones(stepper->model);
}

static carom_status set_up_assembly(moreau_friction *self, carom_error *error)
{
    carom_stepper *stepper = &self->moreau.stepper;
    if (friction_assembly_take(&self->assembly, stepper->arena, stepper->model, &self->moreau.rows,
                               self->moreau.active))
        return friction_assembly_choose(&self->assembly, stepper, error);
    const carom_status status = full_size_check_rows(
        CAROM_CONTACT_COMPONENTS * (double)stepper->contacts,
        "moreau-friction with so many contacts and a solver of one's choice, cones that are not round, or "
        "matrices that are not sparse",
        "leave the option solver out, take round cones (one coefficient), or fewer contacts", error);
    return status == CAROM_OK ? carom_fail_memory(error) : status;
}

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    moreau_friction *self = (moreau_friction *)stepper;
    self->is_sparse = takes_sparse(stepper);
    moreau_stepper *moreau = &self->moreau;
    self->moreau.equations = (moreau_equations){.av = stepper->option[OPTION_AV],
                                                .corrects = stepper->option[OPTION_CORRECTION] != 0.0};
    carom_status status = moreau_stepper_setup(moreau, self->is_sparse, error);
    if (status != CAROM_OK)
        return status;
    self->by_rule = stepper->option[OPTION_SOLVER + SOLVER_OPTION_NAME] == 0.0 &&
                    (!self->is_sparse || moreau->mass.diagonal);
    set_initial_regimes(moreau);
    return self->is_sparse ? CAROM_OK : set_up_assembly(self, error);
}

static void free_assembly(carom_stepper *stepper)
{
    friction_assembly_free(&((moreau_friction *)stepper)->assembly);
    moreau_stepper_free(stepper);
}

/* Rows of a contact that the step needs: tangents only when it has friction. */
static carom_status evaluate_rows(moreau_stepper *moreau, int contact, int *tangents, carom_error *error)
{
    const carom_contact_info *info = &moreau->stepper.model->contact[contact];
    carom_status status =
        moreau_contact_rows(moreau, contact, contact_components(info), moreau->ahead, error);
    *tangents = contact_has_friction(info, &moreau->rows.frame[contact]) ? info->tangents : 0;
    return status;
}

/* D_1 of the step: the static one when the previous step ended sticking. */
static carom_planar_set friction_set(const moreau_stepper *moreau, int contact)
{
    const carom_contact_info *info = &moreau->stepper.model->contact[contact];
    bool sticking = moreau->stepper.state.regime[contact] == CAROM_CONTACT_STICK;
    return carom_friction_law_set(&info->friction, moreau->rows.frame[contact].coefficients, info->tangents,
                                  sticking);
}

/* Adds the impulse of a contact to the velocity and to the record of the step. */
static void apply_impulse(moreau_stepper *moreau, int contact, int tangents, const double *impulse,
                          unsigned char regime)
{
    for (int k = 0; k <= tangents; k++) {
        carom_row_add(contact_response(&moreau->rows, contact, k), impulse[k], moreau->u);
        moreau->impulse[CAROM_CONTACT_COMPONENTS * contact + k] = impulse[k];
    }
    moreau->regime[contact] = regime;
}

/* A contact at rest that sticks and leaves no freedom stops the system, and it stops it exactly. */
static void stop_if_held(moreau_stepper *moreau, int contact, int tangents)
{
    if (moreau->regime[contact] != CAROM_CONTACT_STICK || 1 + tangents != moreau->stepper.dof)
        return;
    const carom_contact_frame *rows = &moreau->rows.frame[contact];
    bool moves = rows->normal_rate != 0.0;
    for (int k = 0; k < tangents; k++)
        moves = moves || rows->tangent_rate[k] != 0.0;
    for (int i = 0; !moves && i < moreau->stepper.dof; i++)
        moreau->u[i] = 0.0;
}

static carom_status fail_contact(const moreau_stepper *moreau, int contact, const carom_error *why,
                                 carom_error *error)
{
    return fail_step(error, moreau->t, step_number(&moreau->stepper), "contact '%s': %s",
                     moreau->stepper.model->contact[contact].name, why->text);
}

static carom_status solve_one(moreau_stepper *moreau, carom_error *error)
{
    const int contact = moreau->active[0];
    carom_friction_contact problem;
    carom_status status = evaluate_rows(moreau, contact, &problem.tangents, error);
    if (status != CAROM_OK)
        return status;
    problem.u_free[0] = contact_velocity(&moreau->rows, contact, 0, moreau->u_free);
    if (!(problem.u_free[0] < 0.0))
        return CAROM_OK;
    if (problem.tangents == 0) {
        double impulse = -problem.u_free[0] / moreau_normal_response(moreau, contact);
        moreau_add_normal_impulse(moreau, contact, impulse);
        return CAROM_OK;
    }
    double scale = 0.0;
    for (int i = 0; i <= problem.tangents; i++) {
        problem.u_free[i] = contact_velocity(&moreau->rows, contact, i, moreau->u_free);
        if (fabs(problem.u_free[i]) > scale)
            scale = fabs(problem.u_free[i]);
        for (int j = 0; j <= problem.tangents; j++)
            problem.W[i][j] = contact_coupling(&moreau->rows, contact, i, contact, j);
    }
    problem.target = 0.0;
    problem.set = friction_set(moreau, contact);
    carom_friction_result result;
    carom_error why;
    if (carom_friction_contact_solve(&problem, &result, &why) != CAROM_OK)
        return fail_contact(moreau, contact, &why, error);
    count_report(
        &moreau->stepper.counts,
        &(const carom_solve_report){.iterations = 1,
                                    .error = result.error / scale,
                                    .tolerance = carom_solver_at(CAROM_PROBLEM_ONE_CONTACT, 0)->tolerance});
    apply_impulse(moreau, contact, problem.tangents, result.impulse, (unsigned char)result.regime);
    stop_if_held(moreau, contact, problem.tangents);
    return CAROM_OK;
}

static carom_status solve_several(moreau_friction *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    friction_assembly *assembly = &self->assembly;
    for (int k = 0; k < moreau->active_count; k++) {
        int tangents = 0;
        carom_status status = evaluate_rows(moreau, moreau->active[k], &tangents, error);
        if (status != CAROM_OK)
            return status;
    }
    friction_assembly_fill(assembly, moreau->active_count, &moreau->stepper.state, moreau->u_free);
    carom_status status = friction_assembly_solve(assembly, moreau->t, &moreau->stepper.counts, error);
    if (status != CAROM_OK)
        return status;
    moreau->stepper.counts.unsolved += assembly->unsolved;
    for (int k = 0; k < assembly->count; k++)
        if (assembly->regime[k] != CAROM_CONTACT_OPEN)
            apply_impulse(moreau, moreau->active[k], assembly->tangents[k],
                          assembly->impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * k, assembly->regime[k]);
    for (int k = 0; k < assembly->count; k++)
        stop_if_held(moreau, moreau->active[k], assembly->tangents[k]);
    return CAROM_OK;
}

/* The same of a sparse model, for the change of the free velocity: rounding is that of its own size. */
static carom_status solve_sparse(moreau_friction *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    const carom_stepper *stepper = &moreau->stepper;
    sparse_normals *sparse = &moreau->sparse;
    global_contacts *problem = &sparse->contacts;
    problem->count = moreau->active_count;
    for (int k = 0; k < moreau->active_count; k++) {
        const int contact = moreau->active[k];
        int tangents = 0;
        carom_status status = evaluate_rows(moreau, contact, &tangents, error);
        if (status != CAROM_OK)
            return status;
        global_contacts_pose(problem, k, stepper->model, &moreau->rows, contact,
                             stepper->state.regime[contact] == CAROM_CONTACT_STICK);
        for (int i = 0; i < CAROM_CONTACT_COMPONENTS; i++) {
            sparse->impulse[CAROM_CONTACT_COMPONENTS * k + i] =
                i <= tangents ? stepper->state.impulse[CAROM_CONTACT_COMPONENTS * contact + i] : 0.0;
            if (i <= tangents)
                problem->contact[k].rate[i] = contact_velocity(&moreau->rows, contact, i, moreau->u_free);
        }
    }
    const carom_solve_report report =
        global_contacts_solve(problem, sparse->zero, sparse->change, sparse->impulse, sparse->regime);
    count_report(&moreau->stepper.counts, &report);
    if (report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (is_useless(&report))
        return fail_step(error, moreau->t, step_number(stepper),
                         "the impulses of %d active contacts were not found (error %g after %d iterations); "
                         "another solver may do it (carom list solvers), where the contacts are few",
                         moreau->active_count, report.error, report.iterations);
    moreau->stepper.counts.unsolved += report.status != CAROM_OK;
    carom_axpy(stepper->dof, 1.0, sparse->change, moreau->u);
    for (int k = 0; k < moreau->active_count; k++)
        if (sparse->regime[k] != CAROM_CONTACT_OPEN) {
            memcpy(moreau->impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * moreau->active[k],
                   sparse->impulse + (ptrdiff_t)CAROM_CONTACT_COMPONENTS * k,
                   CAROM_CONTACT_COMPONENTS * sizeof(double));
            moreau->regime[moreau->active[k]] = sparse->regime[k];
        }
    return CAROM_OK;
}

static carom_status solve(moreau_friction *self, carom_error *error)
{
    if (self->by_rule && self->moreau.active_count == 1)
        return solve_one(&self->moreau, error);
    return self->is_sparse ? solve_sparse(self, error) : solve_several(self, error);
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    moreau_friction *self = (moreau_friction *)stepper;
    moreau_stepper *moreau = &self->moreau;
    carom_status status = moreau_begin(moreau, error);
    if (status == CAROM_OK)
        status = moreau_find_active(moreau, error);
    if (status == CAROM_OK && moreau->active_count > 0)
        status = solve(self, error);
    if (status == CAROM_OK && moreau->equations.corrects)
        status = moreau_correct_violation(moreau, error);
    if (status == CAROM_OK)
        moreau_finish(moreau);
    return status;
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    moreau_friction *self = (moreau_friction *)stepper;
    moreau_keep(stepper, snapshot);
    contact_solver_keep(self->assembly.solver, snapshot);
}

const carom_scheme_ops scheme_moreau_friction = {
    .name = "moreau-friction",
    .summary = "inelastic contact with dry friction (Moreau 1986, sections 12 to 14)",
    .options = options,
    .option_count = OPTION_COUNT,
    .abilities = CAROM_SCHEME_COUPLED_MASS | CAROM_SCHEME_FRICTION,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_STEP),
    .size = sizeof(moreau_friction),
    .setup = setup,
    .step = step,
    .free = free_assembly,
    .keep = keep,
    .tangent = &moreau_tangent,
};
