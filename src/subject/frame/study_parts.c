#include "study_parts.h"

#include <string.h>

const carom_study_output limit_outputs[] = {
    {"alpha", CAROM_STUDY_NUMBER, NULL, "load factor at collapse"},
    {"associated", CAROM_STUDY_NUMBER, NULL, "load factor of the associated law, an upper bound"},
    {"least", CAROM_STUDY_NUMBER, NULL, "least positive load factor of all limit states"},
    {"greatest", CAROM_STUDY_NUMBER, NULL, "greatest load factor of all limit states"},
    {"unique", CAROM_STUDY_FLAG, NULL, "whether least and greatest agree"},
    {"exact", CAROM_STUDY_FLAG, NULL, "whether all states were searched; else both are found, not bounds"},
    {"trivial", CAROM_STUDY_FLAG, NULL, "whether the load factor 0 is a solution, too"},
    {"programs", CAROM_STUDY_WHOLE, NULL, "linear programs solved"},
    {"hinges", CAROM_STUDY_WHOLE, NULL, "hinges that turn"},
    {"defect", CAROM_STUDY_NUMBER, NULL, "largest violation of the laws"},
    {"stress", CAROM_STUDY_LIST, NULL, "stresses at collapse"},
    {"rate", CAROM_STUDY_LIST, NULL, "their rates"},
    {"mechanism", CAROM_STUDY_LIST, NULL, "velocities of the mechanism, at unit power of the load"},
    {"alphas", CAROM_STUDY_LIST, NULL, "load factor of every program"},
    {"normals", CAROM_STUDY_LIST, NULL, "normal forces of the supports, program by program"},
    {"tangents", CAROM_STUDY_LIST, NULL, "their friction forces"},
    {"slides", CAROM_STUDY_FLAG, NULL, "whether a support slides"},
    {"degenerate", CAROM_STUDY_FLAG, NULL, "whether other mechanisms have the same load factor"},
    {"converged", CAROM_STUDY_FLAG, NULL, "whether the programs settled"},
    {0}};

int limit_length(carom_study_call *call, const char *key, const char *form)
{
    const carom_data *given = carom_data_find(call->input, key);
    const int length = given ? carom_data_length(given) : 0;
    if (length < 1 || length > LIMIT_ROWS_MOST)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s is a list of 1 to %d entries: %s = %s", key,
                         LIMIT_ROWS_MOST, key, form);
    return length;
}

double limit_needed(carom_study_call *call, const carom_data *entry, const char *owner, int k,
                    const char *key)
{
    const carom_data *field = carom_data_find(entry, key);
    if (!field)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s %d needs %s", owner, k + 1, key);
    else if (field->kind != CAROM_DATA_NUMBER)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s must be a plain number; got another kind", key);
    return field ? field->number : 0.0;
}

int limit_place(carom_study_call *call, const char *what, double number)
{
    if (number == floor(number) && number >= 1.0 && number <= 1e6)
        return (int)number - 1;
    carom_study_fail(call, CAROM_BAD_INPUT, "%s = %g must be a whole number from 1 on", what, number);
    return 0;
}

void limit_check_names(carom_study_call *call, const carom_data *entry, const char *owner,
                       const char *const *known)
{
    for (const carom_data *field = entry->kind == CAROM_DATA_TABLE ? entry->first : NULL; field;
         field = field->next) {
        size_t count = 0;
        bool found = !field->name;
        for (; known[count]; count++)
            found = found || strcmp(known[count], field->name) == 0;
        const char *nearest = found ? NULL : carom_nearest_name(field->name, known, count);
        if (!found)
            carom_study_fail(call, CAROM_BAD_INPUT, "%s: unknown key '%s'; %s%s%s", owner, field->name,
                             nearest ? "did you mean '" : "known are ", nearest ? nearest : known[0],
                             nearest ? "'?" : " ...");
    }
}

static void give_range(carom_study_call *call, const carom_limit_range *range)
{
    carom_study_give_number(call, "least", range->least);
    carom_study_give_number(call, "greatest", range->greatest);
    carom_study_give_flag(call, "unique", range->unique);
    carom_study_give_flag(call, "exact", range->exact);
    carom_study_give_flag(call, "trivial", range->trivial);
}

static void give_state(carom_study_call *call, const carom_limit_state *state, double associated)
{
    carom_study_give_number(call, "alpha", state->alpha);
    carom_study_give_number(call, "associated", associated);
    carom_study_give_number(call, "programs", state->programs);
    carom_study_give_number(call, "hinges", state->hinges);
    carom_study_give_number(call, "defect", state->defect);
    carom_study_give_list(call, "stress", state->stresses, state->stress);
    carom_study_give_list(call, "rate", state->stresses, state->rate);
    carom_study_give_list(call, "mechanism", state->equations, state->mechanism);
    carom_study_give_list(call, "alphas", state->programs, state->history_alpha);
    carom_study_give_list(call, "normals", state->programs * state->contacts, state->history_normal);
    carom_study_give_list(call, "tangents", state->programs * state->contacts, state->history_tangent);
    carom_study_give_flag(call, "slides", state->slides);
    carom_study_give_flag(call, "degenerate", state->degenerate);
    carom_study_give_flag(call, "converged", state->converged);
}

carom_status limit_analyse(carom_study_call *call, const carom_limit_problem *problem)
{
    carom_limit_options options = carom_limit_defaults();
    options.tolerance = carom_study_number(call, "tolerance");
    if (!(options.tolerance >= 0.0))
        return carom_study_fail(call, CAROM_BAD_INPUT, "tolerance = %g must not be negative",
                                options.tolerance);
    if (carom_study_whole(call, "programs") != 0)
        options.max_programs = carom_study_whole(call, "programs");
    options.tolerance = carom_exactly(options.tolerance); /* a zero that is given is meant */
    carom_limit_state *state = NULL;
    carom_error error;
    double associated = NAN;
    /* a state that has not settled says so itself */
    const carom_status status = carom_limit_load(problem, &options, &state, call->error);
    if (!state)
        return status;
    if (carom_limit_associated(problem, &associated, &error) != CAROM_OK)
        associated = INFINITY;
    carom_limit_range range;
    const carom_status searched = carom_limit_range_of(problem, state, &range, call->error);
    if (searched == CAROM_OK) {
        give_state(call, state, associated);
        give_range(call, &range);
    }
    carom_limit_state_free(state);
    return searched;
}
