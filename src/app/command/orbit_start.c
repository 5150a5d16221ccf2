/* Which motion a command looks for: the model, the impacts as they are written, and the search. */
#include <string.h>

#include "app/orbit_output.h"
#include "app/resumed.h"

carom_status orbit_subject_load(const char *name, const char *variant, int set_count,
                                const carom_override *set, orbit_subject *subject, carom_error *error)
{
    const carom_status status = load_motion(name, variant, set_count, set, &subject->experiment, error);
    return status == CAROM_OK ? carom_periodic_model_of(subject->experiment, &subject->model, error) : status;
}

carom_status orbit_subject_resume(const resumed_command *from, int set_count, const carom_override *set,
                                  orbit_subject *subject, carom_error *error)
{
    carom_status status = resumed_load(from, set_count, set, &subject->experiment, error);
    if (status == CAROM_OK)
        status = carom_experiment_compute(subject->experiment, (carom_progress){0}, error);
    return status == CAROM_OK ? carom_periodic_model_of(subject->experiment, &subject->model, error) : status;
}

void orbit_subject_free(orbit_subject *subject)
{
    carom_periodic_model_free(subject->model);
    carom_experiment_free(subject->experiment);
}

/* ---- impacts ------------------------------------------------------------------------------------------- */

/* The library calls what is wrong by its name, the command line by its option. */
static carom_status name_option(carom_status status, carom_error *error)
{
    static const char *const option[] = {"impacts", "pattern", "period", "periods"};
    for (size_t i = 0; status == CAROM_BAD_INPUT && i < sizeof option / sizeof *option; i++) {
        const size_t length = strlen(option[i]);
        if (strncmp(error->text, option[i], length) == 0 && strchr(": ", error->text[length])) {
            const carom_error inner = *error;
            return carom_fail(error, status, "--%s", inner.text);
        }
    }
    return status;
}

carom_status orbit_read_impacts(const carom_periodic_model *model, carom_arena *arena, const char *text,
                                carom_impact_sequence *impacts, carom_error *error)
{
    int count = 0;
    if (!text && model->model->contacts > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--impacts says what is struck in one period, such as --impacts %s; none: nothing is",
            model->model->contact[0].name);
    const char **word = split_list(arena, text ? text : "none", &count);
    if (!word)
        return carom_fail_memory(error);
    return name_option(carom_impact_sequence_read(model, arena, count, word, impacts, error), error);
}

/* ---- the search ---------------------------------------------------------------------------------------- */

static carom_status check_flights(const carom_find_request *request, carom_error *error)
{
    if (request->flights == 0 || request->flights == request->impacts.count)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "--flights has %d value%s for %d impact%s: one per impact",
                      request->flights, plural(request->flights), request->impacts.count,
                      plural(request->impacts.count));
}

static carom_status name_pick(carom_status status, const carom_find_request *request,
                              const carom_found_orbit *found, carom_error *error)
{
    if (status == CAROM_BAD_INPUT && found->solutions > 0 && request->pick > found->solutions)
        return carom_fail(error, status, "--pick %d: there are %d motions", request->pick, found->solutions);
    return name_option(status, error);
}

carom_status orbit_find(const carom_periodic_model *model, const carom_find_request *request,
                        carom_found_orbit *found, carom_error *error)
{
    const carom_status status = check_flights(request, error);
    return status == CAROM_OK
               ? name_pick(carom_find_orbit(model, request, found, error), request, found, error)
               : status;
}

carom_status orbit_continue_start(const carom_periodic_model *model, carom_find_request *start,
                                  const carom_continue_names *names, carom_continue_request *request,
                                  int *frequency, carom_found_orbit *found, carom_error *error)
{
    const carom_status status = check_flights(start, error);
    return status == CAROM_OK
               ? name_pick(carom_continue_start(model, start, names, request, frequency, found, error), start,
                           found, error)
               : status;
}
