/* cone_project { tau = { n, x, y }, mu = }: the nearest point of the friction cone. */
#include "study_inputs.h"

static carom_status compute(carom_study_call *call)
{
    static const char *const regions[] = {
        [CAROM_CONE_APEX] = "apex", [CAROM_CONE_INSIDE] = "inside", [CAROM_CONE_SURFACE] = "surface"};
    const carom_elliptic_cone cone = cone_read(call);
    const double *tau = bipotential_read_needed(call, "tau", 3);
    if (call->status != CAROM_OK)
        return call->status;
    double r[3], distance = 0.0;
    const carom_cone_region region = carom_elliptic_cone_project(cone.mu, tau, r);
    for (int k = 0; k < 3; k++)
        distance = hypot(distance, tau[k] - r[k]);
    carom_study_give_list(call, "r", 3, r);
    carom_study_give_number(call, "distance", distance);
    carom_study_give_text(call, "region", regions[region]);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"tau", CAROM_STUDY_LIST, NULL, "a reaction { n, x, y }", .value = NAN}, CONE_INPUTS, {0}};

static const carom_study_output outputs[] = {
    {"r", CAROM_STUDY_LIST, NULL, "the nearest reaction that friction allows"},
    {"distance", CAROM_STUDY_NUMBER, NULL, "how far it is"},
    {"region", CAROM_STUDY_TEXT, NULL, "apex, inside or surface"},
    {0}};

const carom_study_ops study_cone_project = {.name = "cone_project",
                                            .summary = "nearest point of an elliptic friction cone",
                                            .inputs = inputs,
                                            .outputs = outputs,
                                            .compute = compute};
