/* The impact of a model: its closed contacts at the start. */
#include <math.h>

#include "app/impact_output.h"

/* A model need not say a restitution; then the command line must, unless it is not needed. */
static carom_status fill_restitution(const impact_given *given, const carom_model_impact *from,
                                     carom_error *error)
{
    const bool needed = !impact_has(given, IMPACT_RESTITUTION) && !impact_has(given, IMPACT_MAP);
    for (int j = 0; j < from->impact.contacts; j++) {
        if (!isnan(from->restitution[j]))
            continue;
        if (needed)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' of %s has no restitution in the model: give --restitution",
                              from->contact[j], from->name);
        from->restitution[j] = 0.0;
    }
    return CAROM_OK;
}

bool make_impact_model(impact_given *given, impact_case *made, carom_error *error)
{
    int set_count = 0;
    carom_override *set = NULL;
    carom_model_impact_request request = {0};
    carom_experiment *experiment = NULL;
    carom_model_impact from;
    if (!read_assignments(&command_impact, &given->arguments, &given->arguments.option[IMPACT_SET],
                          &set_count, &set) ||
        !read_positive_number(given, IMPACT_GAP_TOLERANCE, &request.gap_tolerance) ||
        load_motion(given->arguments.positional[0], impact_value(given, IMPACT_VARIANT), set_count, set,
                    &experiment, error) != CAROM_OK)
        return false;
    request.experiment = experiment;
    made->item = "coordinate";
    carom_status status = carom_model_impact_take(made->arena, &request, &from, error);
    if (status == CAROM_OK)
        status = fill_restitution(given, &from, error);
    if (status == CAROM_OK && !(made->title = carom_arena_copy_text(made->arena, from.name)))
        status = carom_fail_memory(error);
    carom_experiment_free(experiment);
    if (status != CAROM_OK)
        return false;
    made->impact = from.impact;
    made->coordinate = from.coordinate;
    made->contact = from.contact;
    made->joint = from.joint;
    return override_impact(given, made, error) &&
           carom_model_impact_check(&from, &made->impact, error) == CAROM_OK;
}
