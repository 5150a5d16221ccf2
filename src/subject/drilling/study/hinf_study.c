/* drill_hinf { weights =, k =, d =, level = }: whether there is an H-infinity controller, and the limits of k and level. */
#include "study_inputs.h"

enum {
    SCALES = 41 /* from 1e-3 to 10 */
};

static carom_status compute(carom_study_call *call)
{
    drill_data data = drill_read(call, DRILL_NEEDS_FRICTION | DRILL_NEEDS_PLANT);
    if (call->status != CAROM_OK)
        return call->status;
    const bool search = carom_study_flag(call, "search"), scales = carom_study_flag(call, "scales");
    drill_objects o = {0};
    carom_drill_controller *controller = NULL;
    carom_drill_hinf result = {0};
    double level = NAN, skew = NAN, best_d = NAN, best_k = NAN;
    carom_error *error = call->error;
    data.controller = DRILL_NONE;
    carom_status status = drill_open(&data, &o, error);
    if (status == CAROM_OK)
        status = carom_drill_hinf_solve(o.nominal, &data.weights, data.k, data.d, data.level, &result,
                                        &controller, error);
    if (status == CAROM_OK && search) /* nominal: without the bit's channel */
        status = carom_drill_hinf_level(o.nominal, &data.weights, 0.0, 1e6, &level, error);
    if (status == CAROM_OK && search)
        status = carom_drill_hinf_skew(o.nominal, &data.weights, data.d, &skew, error);
    if (status == CAROM_OK && scales)
        status = carom_drill_hinf_scales(o.nominal, &data.weights, SCALES, &best_d, &best_k, error);
    carom_drill_controller_free(controller);
    drill_close(&o);
    if (status != CAROM_OK)
        return status;
    carom_study_give_flag(call, "feasible", result.feasible);
    carom_study_give_text(call, "why", result.why);
    carom_study_give_number(call, "gco", result.gco);
    carom_study_give_finite(call, "norm", result.norm);
    carom_study_give_finite(call, "fastest", result.fastest);
    carom_study_give_finite(call, "nominal_level", level);
    carom_study_give_finite(call, "largest_k", skew);
    carom_study_give_finite(call, "best_d", best_d);
    carom_study_give_finite(call, "best_k", best_k);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    DRILL_INPUTS,
    {"search", CAROM_STUDY_FLAG, NULL, "look for nominal_level and largest_k", .value = 0.0},
    {"scales", CAROM_STUDY_FLAG, NULL, "look for best_d and best_k", .value = 0.0},
    {0}};

static const carom_study_output outputs[] = {
    {"feasible", CAROM_STUDY_FLAG, NULL, "whether there is a controller"},
    {"why", CAROM_STUDY_TEXT, NULL, "why there is none"},
    {"gco", CAROM_STUDY_NUMBER, "N m s/rad", "size of the response of the top drive at 0.6 Hz"},
    {"norm", CAROM_STUDY_NUMBER, NULL, "weighted norm of the closed loop; none without a controller"},
    {"fastest", CAROM_STUDY_NUMBER, "1/s", "fastest pole of the controller"},
    {"nominal_level", CAROM_STUDY_NUMBER, NULL, "search: smallest level without the bit's channel"},
    {"largest_k", CAROM_STUDY_NUMBER, NULL, "search: largest k at this d"},
    {"best_d", CAROM_STUDY_NUMBER, NULL, "scales: d with the largest k"},
    {"best_k", CAROM_STUDY_NUMBER, NULL, "scales: that k"},
    {0}};

const carom_study_ops study_drill_hinf = {
    .name = "drill_hinf",
    .summary = "existence and limits of H-infinity controllers of a drill string",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
