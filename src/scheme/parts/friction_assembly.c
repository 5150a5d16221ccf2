#include "friction_assembly.h"

#include <math.h>

#include "contact_solver.h"
#include "step_report.h"

enum {
    COMPONENTS = CAROM_CONTACT_COMPONENTS
};

bool friction_assembly_take(friction_assembly *assembly, carom_arena *arena, const carom_model *model,
                            const contact_rows *rows, const int *active)
{
    const size_t count = (size_t)model->contacts, size = COMPONENTS * count;
    *assembly = (friction_assembly){.model = model, .rows = rows, .active = active};
    assembly->W = carom_arena_take(arena, carom_product(size, size), sizeof(double));
    assembly->u_free = carom_arena_take(arena, size, sizeof(double));
    assembly->target = carom_arena_take(arena, count, sizeof(double));
    assembly->tangents = carom_arena_take(arena, count, sizeof(int));
    assembly->set = carom_arena_take(arena, count, sizeof *assembly->set);
    assembly->impulse = carom_arena_take(arena, size, sizeof(double));
    assembly->regime = carom_arena_take(arena, count, 1);
    return assembly->W && assembly->u_free && assembly->target && assembly->tangents && assembly->set &&
           assembly->impulse && assembly->regime;
}

carom_status friction_assembly_choose(friction_assembly *assembly, const carom_stepper *stepper,
                                      carom_error *error)
{
    return contact_solver_create(stepper, CAROM_PROBLEM_STEP, &carom_step_auto, NULL, assembly->rows,
                                 &assembly->solver, error);
}

void friction_assembly_free(friction_assembly *assembly)
{
    carom_solver_free(assembly->solver);
    assembly->solver = NULL;
}

static void fill_contact(friction_assembly *assembly, int k, const carom_state *state,
                         const double *free_velocity)
{
    const int contact = assembly->active[k];
    const carom_contact_info *info = &assembly->model->contact[contact];
    const carom_contact_frame *frame = &assembly->rows->frame[contact];
    const bool sticking = state->regime[contact] == CAROM_CONTACT_STICK;
    assembly->tangents[k] = contact_has_friction(info, frame) ? info->tangents : 0;
    assembly->set[k] = carom_friction_law_set(&info->friction, frame->coefficients, info->tangents, sticking);
    for (int i = 0; i <= assembly->tangents[k]; i++) {
        assembly->u_free[COMPONENTS * k + i] = contact_velocity(assembly->rows, contact, i, free_velocity);
        assembly->impulse[COMPONENTS * k + i] = state->impulse[COMPONENTS * contact + i];
    }
}

/* A friction force has no normal row: u_N = w (p_N - h), so that p_N = h. The factor w makes a velocity of it that is like the
 * others of its contact: the free slip, and what the bound changes of it in a step; a power of two, which rounds nothing. */
static void fill_force(friction_assembly *assembly, int k)
{
    const int place = COMPONENTS * k, contact = assembly->active[k];
    const double bound = assembly->tangents[k] > 0 ? assembly->rows->frame[contact].coefficients[0] : 0.0;
    double w = 1.0; /* nothing acts, nothing moves: nothing is compared with it */
    if (assembly->tangents[k] > 0)
        w = scalbn(1.0, ilogb(contact_coupling(assembly->rows, contact, 1, contact, 1) * bound +
                              fabs(assembly->u_free[place + 1]) / assembly->h));
    assembly->W[(ptrdiff_t)place * (COMPONENTS * assembly->count + 1)] = w;
    assembly->u_free[place] = -w * assembly->h;
    assembly->impulse[place] = assembly->h;
}

/* Block (k, l) of W: rows of contact k times responses of contact l. */
static void fill_block(friction_assembly *assembly, int k, int l)
{
    const contact_rows *rows = assembly->rows;
    const ptrdiff_t width = COMPONENTS * assembly->count;
    for (int i = 0; i <= assembly->tangents[k]; i++) {
        double *place = assembly->W + (COMPONENTS * k + i) * width + COMPONENTS * l;
        for (int j = 0; j <= assembly->tangents[l]; j++)
            place[j] = contact_coupling(rows, assembly->active[k], i, assembly->active[l], j);
    }
}

void friction_assembly_fill(friction_assembly *assembly, int count, const carom_state *state,
                            const double *free_velocity)
{
    assembly->count = count;
    for (int k = 0; k < count; k++)
        fill_contact(assembly, k, state, free_velocity);
    for (int k = 0; k < count; k++)
        for (int l = 0; l < count; l++)
            fill_block(assembly, k, l);
    for (int k = 0; k < count; k++)
        if (assembly->model->contact[assembly->active[k]].friction_force)
            fill_force(assembly, k);
}

carom_status friction_assembly_solve(friction_assembly *assembly, double t, carom_step_counts *counts,
                                     carom_error *error)
{
    const carom_friction_problem problem = {.count = assembly->count,
                                            .tangents = assembly->tangents,
                                            .target = assembly->target,
                                            .set = assembly->set,
                                            .W = assembly->W,
                                            .u_free = assembly->u_free};
    carom_error why;
    const carom_solve_report report =
        carom_solver_step(assembly->solver, &problem, assembly->impulse, assembly->regime, &why);
    if (report.failed_contact >= 0)
        return fail_step(error, t, counts->steps + 1, "contact '%s': %s",
                         assembly->model->contact[assembly->active[report.failed_contact]].name, why.text);
    count_report(counts, &report);
    assembly->unsolved = report.status != CAROM_OK;
    if (!is_useless(&report))
        return CAROM_OK;
    if (report.status == CAROM_NO_MEMORY)
        return carom_fail_memory(error);
    return fail_step(
        error, t, counts->steps + 1, "%s%s", why.text,
        misses_tolerance(&report)
            ? ", of which nothing can be believed; another solver may do it (carom list solvers), "
              "or more max_iterations; where it is the model, less friction or restitution"
            : "");
}
