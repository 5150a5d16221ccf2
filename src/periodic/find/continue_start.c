/* The motion at which a branch starts, and whether it can be followed from there. */
#include <string.h>

#include "find.h"

static carom_status find_parameter(const carom_periodic_model *periodic, const char *name, int *parameter,
                                   carom_error *error)
{
    const carom_model *model = periodic->model;
    *parameter = carom_model_find_parameter(model, name);
    if (*parameter >= 0 && !model->parameter[*parameter].integer)
        return CAROM_OK;
    if (*parameter >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "parameter '%s' is a whole number: nothing can be followed over it", name);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "'%s' is no parameter of %s that changes continuously; carom show %s lists them", name,
                      periodic->name, periodic->name);
}

static carom_status check_impacts(const carom_periodic_model *model, bool pattern,
                                  carom_impact_sequence *impacts, carom_error *error)
{
    const char *why = pattern ? carom_why_not_linear(model) : NULL;
    if (why)
        return carom_fail(error, CAROM_BAD_INPUT, "pattern is for linear models; %s is not one: %s",
                          model->name, why);
    if (pattern && !carom_impact_is_pattern(impacts))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "pattern: impacts are at 0 and half the period, each contact at most once, such as "
                          "left@0,right@0.5");
    impacts->given = impacts->given || pattern;
    return CAROM_OK;
}

/* What strikes at one instant is followed as a pattern; so is what was found as one, unless something asks for shooting. */
static carom_status choose_way(const carom_find_request *start, const carom_continue_names *names,
                               const carom_found_orbit *found, carom_continue_request *request,
                               carom_error *error)
{
    const bool asks_for_shooting =
        request->through || names->frequency || start->flights > 0 || start->guess != CAROM_GUESS_ANY;
    request->pattern = names->pattern || (strcmp(found->method, "pattern") == 0 && !asks_for_shooting);
    for (int i = 1; !request->pattern && i < start->impacts.count; i++)
        if (start->impacts.phase[i] == start->impacts.phase[i - 1])
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "impacts: two contacts are struck at one instant, phase %g: such motions, of linear "
                "models, are followed without --through and --frequency",
                start->impacts.phase[i]);
    return CAROM_OK;
}

/* Was a motion found that can be followed? */
static carom_status check_found(const carom_periodic_model *model, const carom_continue_names *names,
                                const carom_continue_request *request, const carom_found_orbit *found,
                                carom_error *error)
{
    if (names->pattern && strcmp(found->method, "pattern") != 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "pattern: %s has no rest with open gaps and stiffness around it", model->name);
    if (!found->is_motion && !request->through)
        return carom_fail(error, CAROM_FAILED, "at the start, %s = %.10g: %s", names->parameter,
                          request->from, found->verdict);
    if (!found->found)
        return carom_fail(error, CAROM_FAILED, "at the start: %s", found->verdict);
    return CAROM_OK;
}

carom_status carom_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request,
                                  int *frequency, carom_found_orbit *found, carom_error *error)
{
    *found = (carom_found_orbit){0};
    request->parameter = CAROM_SHOOT_PERIOD;
    carom_status status = check_impacts(model, names->pattern, &start->impacts, error);
    if (status == CAROM_OK)
        status = carom_find_orbit(model, start, found, error);
    if (status == CAROM_OK)
        status = check_found(model, names, request, found, error);
    if (status == CAROM_OK)
        status = choose_way(start, names, found, request, error);
    if (status == CAROM_OK && strcmp(names->parameter, "period") != 0)
        status = find_parameter(model, names->parameter, &request->parameter, error);
    if (status == CAROM_OK)
        status = carom_continue_check(model, request, &start->impacts, error);
    if (status == CAROM_OK && names->frequency) {
        request->frequency = frequency;
        status = find_parameter(model, names->frequency, frequency, error);
    }
    return status == CAROM_OK ? find_period_stays(model, request, found, error) : status;
}
