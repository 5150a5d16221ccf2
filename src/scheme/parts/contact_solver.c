#include "contact_solver.h"

#include <string.h>

const char *const solver_automatic[] = {"auto", NULL};

static double option_of(const carom_stepper *stepper, const char *name)
{
    return stepper->option[carom_scheme_find_option(stepper->ops, name)];
}

carom_solver_options contact_solver_limits(const carom_stepper *stepper)
{
    return (carom_solver_options){.tolerance = option_of(stepper, "tolerance"),
                                  .max_iterations = (int)option_of(stepper, "max_iterations")};
}

/* ---- which solvers can ------------------------------------------------------------------------------- */

/* The first contact whose friction is no disk, and with one tangent no symmetric interval; -1: there is
 * none. */
static int find_other_cone(const carom_model *model, const contact_rows *rows)
{
    for (int contact = 0; rows && contact < model->contacts; contact++) {
        const carom_contact_info *info = &model->contact[contact];
        const double *coefficients = rows->frame[contact].coefficients;
        for (int sticking = 0; contact_has_friction(info, &rows->frame[contact]) && sticking < 2;
             sticking++) {
            const carom_planar_set set =
                carom_friction_law_set(&info->friction, coefficients, info->tangents, sticking != 0);
            const bool symmetric = set.kind == CAROM_PLANAR_INTERVAL && set.a == -set.b;
            if (set.kind != CAROM_PLANAR_POINT && set.kind != CAROM_PLANAR_DISK && !symmetric)
                return contact;
        }
    }
    return -1;
}

static bool can_solve(const carom_solver_ops *solver, int contacts, bool any_cone)
{
    return (solver->max_size == 0 || contacts <= solver->max_size) &&
           (!any_cone || solver->kind != CAROM_PROBLEM_COULOMB);
}

static carom_status check_fit(const carom_stepper *stepper, carom_problem_kind kind,
                              const carom_solver_ops *solver, const contact_rows *rows, carom_error *error)
{
    const carom_model *model = stepper->model;
    const int other = kind == CAROM_PROBLEM_STEP ? find_other_cone(model, rows) : -1;
    if (can_solve(solver, model->contacts, other >= 0))
        return CAROM_OK;
    carom_text able = {0};
    for (size_t i = 0; i < carom_solver_count(kind); i++)
        if (can_solve(carom_solver_at(kind, i), model->contacts, other >= 0))
            carom_text_append(&able, "%s%s", able.length ? ", " : "", carom_solver_at(kind, i)->name);
    const char *names = able.bytes ? able.bytes : "auto";
    if (solver->max_size > 0 && model->contacts > solver->max_size)
        carom_fail(error, CAROM_BAD_INPUT,
                   "solver '%s' takes up to %d contacts, and the model has %d; those that take more: %s",
                   solver->name, solver->max_size, model->contacts, names);
    else
        carom_fail(
            error, CAROM_BAD_INPUT,
            "solver '%s' is for round friction cones, and that of contact '%s' is not round; those for any "
            "cone: %s",
            solver->name, model->contact[other].name, names);
    carom_text_free(&able);
    return CAROM_BAD_INPUT;
}

/* ---- create ------------------------------------------------------------------------------------------- */

carom_option *contact_solver_options(const carom_stepper *stepper, const carom_solver_ops *solver)
{
    static const char prefix[] = "solver.";
    const carom_option *list = stepper->solver_option;
    size_t count = 0, taken = 0;
    while (list && list[count].name)
        count++;
    carom_option *own = carom_arena_take(stepper->arena, count + 1, sizeof *own);
    for (size_t i = 0; own && i < count; i++) {
        own[taken] = list[i];
        if (strncmp(list[i].name, prefix, sizeof prefix - 1) == 0)
            own[taken].name += sizeof prefix - 1;
        if (carom_option_find(solver->option_count, solver->options, own[taken].name) >= 0)
            taken++;
    }
    if (own)
        own[taken] = (carom_option){0};
    return own;
}

carom_status contact_solver_create(const carom_stepper *stepper, carom_problem_kind kind,
                                   const carom_solver_ops *automatic, const carom_qp *qp,
                                   const contact_rows *rows, carom_solver **solver, carom_error *error)
{
    const carom_solver_ops *chosen = carom_scheme_solver(stepper->ops, stepper->option, kind);
    if (!chosen)
        chosen = automatic;
    *solver = NULL;
    if (!chosen)
        return CAROM_OK;
    const carom_status status = check_fit(stepper, kind, chosen, rows, error);
    if (status != CAROM_OK)
        return status;
    carom_solver_options options = contact_solver_limits(stepper);
    options.option = contact_solver_options(stepper, chosen);
    if (!options.option)
        return carom_fail_memory(error);
    const carom_problem_shape shape = {.kind = kind, .size = stepper->contacts, .qp = qp};
    return carom_solver_create(chosen, &shape, &options, solver, error);
}

void contact_solver_keep(carom_solver *solver, carom_snapshot *snapshot)
{
    if (!solver || !(solver->data || solver->step))
        return;
    if (solver->ops->keep)
        solver->ops->keep(solver, snapshot);
    else
        snapshot->failed = true;
}
