/* slip_reaction { angle =, mu_x =, mu_y =, p_x =, p_y = }: friction while sliding. */
#include "study_inputs.h"

static carom_status compute(carom_study_call *call)
{
    static const double degree = CAROM_PI / 180.0;
    const carom_elliptic_cone cone = cone_read(call);
    const double angle = carom_study_number(call, "angle") * degree,
                 normal = carom_study_number(call, "normal");
    if (!isfinite(angle))
        carom_study_fail(call, CAROM_BAD_INPUT, "angle has the entry %g; it must be finite", angle);
    if (!(normal >= 0.0) || !isfinite(normal))
        carom_study_fail(call, CAROM_BAD_INPUT, "normal = %g is a pressure, which must not be negative",
                         normal);
    if (call->status != CAROM_OK)
        return call->status;
    double r[2];
    const double loss = carom_slip_reaction(&cone, normal, (const double[]){cos(angle), sin(angle)}, r);
    carom_study_give_list(call, "r", 2, r);
    carom_study_give_number(call, "size", hypot(r[0], r[1]));
    carom_study_give_number(call, "angle", atan2(-r[1], -r[0]) / degree);
    carom_study_give_number(call, "dissipation", loss);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"angle", CAROM_STUDY_NUMBER, "deg", "direction of the slip", .value = NAN},
    {"normal", CAROM_STUDY_NUMBER, NULL, "pressure", .value = 1.0},
    CONE_INPUTS,
    SLIP_INPUTS,
    {0}};

static const carom_study_output outputs[] = {
    {"r", CAROM_STUDY_LIST, NULL, "friction { x, y }"},
    {"size", CAROM_STUDY_NUMBER, NULL, "its size"},
    {"angle", CAROM_STUDY_NUMBER, "deg", "direction that it is against"},
    {"dissipation", CAROM_STUDY_NUMBER, NULL, "power lost per slip rate"},
    {0}};

const carom_study_ops study_slip_reaction = {.name = "slip_reaction",
                                             .summary = "friction while sliding in a given direction",
                                             .inputs = inputs,
                                             .outputs = outputs,
                                             .compute = compute};
