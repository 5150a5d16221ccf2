/* INEL: inelastic contact with any number of frictionless walls; the new velocity is the projection of the
 * free one on the cone of admissible velocities in the kinetic metric, Moreau 1986, section 10. */
#include "moreau_tangent.h"
#include "scheme/parts/contact_solver.h"
#include "scheme/parts/normal_lcp.h"

static const char *const off_on[] = {"off", "on", NULL};
static const char *const test_points[] = {"anticipated", "vertex", NULL};

enum {
    OPTION_AV = MOREAU_OPTION_AV,
    OPTION_CORRECTION,
    OPTION_TEST,
    OPTION_SOLVER,
    OPTION_COUNT = OPTION_SOLVER + SOLVER_OPTIONS
};

static const carom_option_info options[OPTION_COUNT] = {
    [OPTION_AV] = {"av", 0.5, -2.0, 2.0, NULL,
                   "force and gradients are taken at q + av h u and time t + av h"},
    [OPTION_CORRECTION] = {"correction", 0.0, 0.0, 1.0, off_on,
                           "on: violated contacts are moved back to gap 0 in each step"},
    [OPTION_TEST] = {"test", 0.0, 0.0, 1.0, test_points,
                     "where gaps are tested: at q + av h u and time t + av h, or at q and t"},
    CONTACT_SOLVER_OPTIONS(OPTION_SOLVER, solver_automatic, &carom_lcp_solvers, NULL,
                           "of the impulses; auto: closed form for one or two contacts, else active-set"),
};

typedef struct inel {
    moreau_stepper moreau; /* first */
    normal_lcp lcp;
} inel;

static carom_status setup(carom_stepper *stepper, carom_error *error)
{
    inel *self = (inel *)stepper;
    self->moreau.equations = (moreau_equations){.av = stepper->option[OPTION_AV],
                                                .force_anticipates = true,
                                                .test_anticipates = stepper->option[OPTION_TEST] == 0.0,
                                                .corrects = stepper->option[OPTION_CORRECTION] != 0.0};
    carom_status status = moreau_stepper_setup(&self->moreau, true, error);
    return status == CAROM_OK ? normal_lcp_setup(&self->lcp, stepper, error) : status;
}

static void free_solver(carom_stepper *stepper)
{
    normal_lcp_free(&((inel *)stepper)->lcp);
    moreau_stepper_free(stepper);
}

static void keep(carom_stepper *stepper, carom_snapshot *snapshot)
{
    inel *self = (inel *)stepper;
    moreau_keep(stepper, snapshot);
    normal_lcp_keep(&self->lcp, stepper->contacts, snapshot);
}

/* W = G M^-1 G^T and the gap rates of the free velocity. */
static carom_status set_up_problem(inel *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    normal_lcp *lcp = &self->lcp;
    const int count = moreau->active_count;
    lcp->size = count;
    for (int k = 0; k < count; k++) {
        int contact = moreau->active[k];
        carom_status status = moreau_contact_rows(moreau, contact, 1, moreau->ahead, error);
        if (status != CAROM_OK)
            return status;
        for (int l = 0; !moreau->sparse.used && l <= k; l++) {
            double entry = contact_coupling(&moreau->rows, contact, 0, moreau->active[l], 0);
            lcp->matrix[k * count + l] = entry;
            lcp->matrix[l * count + k] = entry;
        }
        lcp->vector[k] = moreau->sparse.used ? moreau->rows.frame[contact].normal_rate
                                             : contact_velocity(&moreau->rows, contact, 0, moreau->u_free);
        lcp->z[k] = moreau->stepper.state.impulse[CAROM_CONTACT_COMPONENTS * contact];
    }
    return CAROM_OK;
}

/* The same for a sparse model: the vector has the rates of the gaps in time. */
static carom_solve_report project_sparse(inel *self)
{
    moreau_stepper *moreau = &self->moreau;
    return sparse_normals_project(&moreau->sparse, moreau->active_count, moreau->active, self->lcp.vector,
                                  moreau->u_free, moreau->u, self->lcp.z);
}

/* u = proj(u', V), Moreau 1986 (10.5): a contact carries an impulse when its multiplier is positive. */
static carom_status project(inel *self, carom_error *error)
{
    moreau_stepper *moreau = &self->moreau;
    const bool sparse = moreau->sparse.used;
    carom_status status = set_up_problem(self, error);
    if (status != CAROM_OK)
        return status;
    char why[160];
    const carom_solve_report report = sparse ? project_sparse(self) : normal_lcp_solve(&self->lcp);
    self->lcp.report = report;
    count_report(&moreau->stepper.counts, &report);
    if (report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    if (is_useless(&report))
        return fail_step(error, moreau->t, step_number(&moreau->stepper),
                         "the impulses of %d active contacts were not found (%s); try another solver option",
                         moreau->active_count, normal_lcp_reason(&self->lcp, why, sizeof why));
    moreau->stepper.counts.unsolved += report.status != CAROM_OK;
    for (int k = 0; k < moreau->active_count; k++)
        if (self->lcp.z[k] > 0.0 && sparse)
            moreau_record_normal_impulse(moreau, moreau->active[k], self->lcp.z[k]);
        else if (self->lcp.z[k] > 0.0)
            moreau_add_normal_impulse(moreau, moreau->active[k], self->lcp.z[k]);
    return CAROM_OK;
}

static carom_status step(carom_stepper *stepper, carom_error *error)
{
    inel *self = (inel *)stepper;
    moreau_stepper *moreau = &self->moreau;
    carom_status status = moreau_begin(moreau, error);
    if (status == CAROM_OK)
        status = moreau_find_active(moreau, error);
    if (status == CAROM_OK && moreau->active_count > 0)
        status = project(self, error);
    if (status == CAROM_OK && moreau->equations.corrects)
        status = moreau_correct_violation(moreau, error);
    if (status == CAROM_OK)
        moreau_finish(moreau);
    return status;
}

const carom_scheme_ops scheme_inel = {
    .name = "inel",
    .summary = "inelastic contact with any number of walls, frictionless (Moreau 1986, section 10)",
    .abilities = CAROM_SCHEME_COUPLED_MASS,
    .options = options,
    .option_count = OPTION_COUNT,
    .problems = CAROM_SCHEME_SOLVES(CAROM_PROBLEM_LCP),
    .size = sizeof(inel),
    .setup = setup,
    .step = step,
    .free = free_solver,
    .keep = keep,
    .tangent = &moreau_tangent,
};
