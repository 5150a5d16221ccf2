/* Limit load by successive linear programs with frozen friction bounds (de Saxce 2018, sections 11, 12). */
#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "limit_program.h"

carom_limit_options carom_limit_defaults(void)
{
    return (carom_limit_options){.tolerance = 1e-10, .max_programs = 200, .rate_limit = 1e-9};
}

static carom_limit_options fill_options(const carom_limit_options *given)
{
    const carom_limit_options defaults = carom_limit_defaults();
    if (!given)
        return defaults;
    return (carom_limit_options){.tolerance = carom_given(given->tolerance, defaults.tolerance),
                                 .max_programs =
                                     given->max_programs ? given->max_programs : defaults.max_programs,
                                 .rate_limit = carom_given(given->rate_limit, defaults.rate_limit)};
}

/* ---- input ------------------------------------------------------------------------------------------ */

static carom_status check_contacts(const carom_limit_problem *problem, carom_error *error)
{
    for (int c = 0; c < problem->contacts; c++) {
        const carom_limit_contact *contact = problem->contact + c;
        if (contact->tangent < 0 || contact->tangent >= problem->stresses || contact->normal < 0 ||
            contact->normal >= problem->stresses || contact->tangent == contact->normal)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "support %d: its reactions must be two of the %d stresses", c + 1,
                              problem->stresses);
        if (!(contact->mu >= 0.0) || !isfinite(contact->mu))
            return carom_fail(error, CAROM_BAD_INPUT, "support %d: mu = %g must be a number >= 0", c + 1,
                              contact->mu);
    }
    return CAROM_OK;
}

static carom_status check(const carom_limit_problem *problem, carom_error *error)
{
    if (problem->equations < 1 || problem->stresses < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "limit analysis needs equations and stresses");
    if (!carom_all_finite(problem->equations * problem->stresses, problem->matrix) ||
        !carom_all_finite(problem->equations, problem->load))
        return carom_fail(error, CAROM_BAD_INPUT, "the equilibrium has an entry that is not a number");
    if (carom_largest(problem->equations, problem->load) == 0.0)
        return carom_fail(error, CAROM_BAD_INPUT, "the reference load is zero: there is nothing to multiply");
    for (int j = 0; j < problem->stresses; j++)
        if (!limit_is_reaction(problem, j) && !(problem->capacity[j] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT, "capacity %d is %g; a plastic moment is positive",
                              j + 1, problem->capacity[j]);
    return check_contacts(problem, error);
}

/* ---- the sequence ----------------------------------------------------------------------------------- */

static carom_limit_state *take_state(const carom_limit_problem *problem, int programs)
{
    carom_arena *arena = carom_arena_create();
    carom_limit_state *state = arena ? carom_arena_take(arena, 1, sizeof *state) : NULL;
    const size_t rows = (size_t)programs * (size_t)problem->contacts;
    if (state) {
        *state = (carom_limit_state){.arena = arena,
                                     .stresses = problem->stresses,
                                     .equations = problem->equations,
                                     .contacts = problem->contacts};
        state->stress = carom_arena_take(arena, (size_t)problem->stresses, sizeof(double));
        state->rate = carom_arena_take(arena, (size_t)problem->stresses, sizeof(double));
        state->mechanism = carom_arena_take(arena, (size_t)problem->equations, sizeof(double));
        state->history_alpha = carom_arena_take(arena, (size_t)programs, sizeof(double));
        state->history_normal = carom_arena_take(arena, rows, sizeof(double));
        state->history_tangent = carom_arena_take(arena, rows, sizeof(double));
        if (state->stress && state->rate && state->mechanism && state->history_alpha &&
            state->history_normal && state->history_tangent)
            return state;
    }
    carom_arena_free(arena);
    return NULL;
}

void carom_limit_state_free(carom_limit_state *state)
{
    if (state)
        carom_arena_free(state->arena);
}

static double normal_of(const carom_limit_state *state, int program, int contact)
{
    return state->history_normal[(ptrdiff_t)program * state->contacts + contact];
}

static void keep(const carom_limit_problem *problem, const limit_solution *solution, carom_limit_state *state)
{
    const ptrdiff_t row = (ptrdiff_t)state->programs * problem->contacts;
    state->alpha = state->history_alpha[state->programs++] = solution->alpha;
    state->degenerate = solution->degenerate;
    for (int c = 0; c < problem->contacts; c++) {
        state->history_normal[row + c] = state->stress[problem->contact[c].normal];
        state->history_tangent[row + c] = state->stress[problem->contact[c].tangent];
    }
}

/* Are the last stresses within Coulomb's cones, to `tolerance` of N? */
static bool is_admissible(const carom_limit_problem *problem, const carom_limit_state *state,
                          double tolerance)
{
    for (int c = 0; c < problem->contacts; c++) {
        const double n = state->stress[problem->contact[c].normal];
        const double t = state->stress[problem->contact[c].tangent];
        if (!(n >= 0.0) || !(fabs(t) <= problem->contact[c].mu * n * (1.0 + tolerance)))
            return false;
    }
    return true;
}

static bool has_settled(const carom_limit_state *state, double tolerance)
{
    const int last = state->programs - 1;
    if (last < 1)
        return false;
    if (!(fabs(state->alpha - state->history_alpha[last - 1]) <= tolerance * fabs(state->alpha)))
        return false;
    for (int c = 0; c < state->contacts; c++)
        if (!(fabs(normal_of(state, last, c) - normal_of(state, last - 1, c)) <=
              tolerance * fabs(normal_of(state, last, c))))
            return false;
    return true;
}

static carom_status run_programs(const carom_limit_problem *problem, const carom_limit_options *options,
                                 limit_program *program, carom_limit_state *state, carom_error *error)
{
    limit_solution solution = {.stress = state->stress, .mechanism = state->mechanism};
    while (state->programs < options->max_programs) {
        for (int c = 0; state->programs > 0 && c < problem->contacts; c++)
            limit_program_bound_friction(
                program, c, problem->contact[c].mu * fmax(0.0, normal_of(state, state->programs - 1, c)));
        const carom_status status = limit_program_solve(program, &solution, error);
        if (status != CAROM_OK)
            return status;
        keep(problem, &solution, state);
        /* sticking supports: the first program is the whole problem */
        state->converged = (state->programs == 1 && is_admissible(problem, state, 1e-12)) ||
                           has_settled(state, options->tolerance);
        if (state->converged)
            return CAROM_OK;
    }
    return carom_fail(error, CAROM_FAILED,
                      "the friction bounds did not settle after %d programs (load factor %g); allow more, or "
                      "look at the history for a cycle",
                      state->programs, state->alpha);
}

/* ---- what the state says ---------------------------------------------------------------------------- */

static double defect_of_contact(const carom_limit_contact *contact, const carom_limit_state *state)
{
    const double n = state->stress[contact->normal], slip = state->rate[contact->tangent];
    return contact->mu * n * fabs(slip) - state->stress[contact->tangent] * slip -
           n * state->rate[contact->normal];
}

static void describe(const carom_limit_problem *problem, const carom_limit_options *options,
                     carom_limit_state *state)
{
    memset(state->rate, 0, (size_t)problem->stresses * sizeof(double));
    for (int i = 0; i < problem->equations; i++)
        carom_axpy(problem->stresses, state->mechanism[i], problem->matrix + (ptrdiff_t)i * problem->stresses,
                   state->rate);
    const double at_rest = options->rate_limit * carom_largest(problem->stresses, state->rate);
    state->defect = 0.0;
    for (int j = 0; j < problem->stresses; j++) {
        if (limit_is_reaction(problem, j) || isinf(problem->capacity[j]))
            continue;
        state->hinges += fabs(state->rate[j]) > at_rest;
        state->defect += problem->capacity[j] * fabs(state->rate[j]) - state->stress[j] * state->rate[j];
    }
    for (int c = 0; c < problem->contacts; c++) {
        state->slides = state->slides || fabs(state->rate[problem->contact[c].tangent]) > at_rest;
        state->defect += defect_of_contact(problem->contact + c, state);
    }
}

carom_status carom_limit_load(const carom_limit_problem *problem, const carom_limit_options *given,
                              carom_limit_state **state, carom_error *error)
{
    *state = NULL;
    const carom_limit_options filled = fill_options(given), *options = &filled;
    carom_status status = check(problem, error);
    if (status != CAROM_OK)
        return status;
    if (options->max_programs < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "at least one program is needed");
    carom_limit_state *found = take_state(problem, options->max_programs);
    limit_program *program = NULL;
    status = found ? limit_program_create(problem, false, &program, error) : carom_fail_memory(error);
    if (status == CAROM_OK)
        status = run_programs(problem, options, program, found, error);
    limit_program_free(program);
    if (found && found->programs > 0) {
        describe(problem, options, found);
        *state = found;
    } else {
        carom_limit_state_free(found);
    }
    return status;
}

carom_status carom_limit_associated(const carom_limit_problem *problem, double *alpha, carom_error *error)
{
    carom_status status = check(problem, error);
    if (status != CAROM_OK)
        return status;
    limit_program *program = NULL;
    carom_limit_state *scratch = take_state(problem, 1);
    status = scratch ? limit_program_create(problem, true, &program, error) : carom_fail_memory(error);
    if (status == CAROM_OK) {
        limit_solution solution = {.stress = scratch->stress, .mechanism = scratch->mechanism};
        status = limit_program_solve(program, &solution, error);
        *alpha = solution.alpha;
    }
    limit_program_free(program);
    carom_limit_state_free(scratch);
    return status;
}
