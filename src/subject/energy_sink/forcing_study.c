/* sink_forcing { ..., n2 = }: the forcing that makes N2 an equilibrium of the energy sink. */
#include "study_inputs.h"

static carom_status compute(carom_study_call *call)
{
    const carom_energy_sink sink = energy_sink_read(call);
    const int count = carom_study_list_length(call, "n2");
    const double *n2 = carom_study_list(call, "n2", count);
    double *points = carom_study_take(call, 2 * (size_t)count, sizeof *points),
           *forcing = carom_study_take(call, (size_t)count, sizeof *forcing);
    for (int i = 0; call->status == CAROM_OK && i < count; i++) {
        if (!(n2[i] > 0.0))
            return carom_study_fail(call, CAROM_BAD_INPUT, "n2 = %g is an amplitude: n2 > 0", n2[i]);
        forcing[i] = points[2 * i] = carom_manifold_forcing(&sink, n2[i], NULL);
        points[2 * i + 1] = n2[i];
    }
    if (call->status != CAROM_OK)
        return call->status;
    carom_study_give_list(call, "forcing", count, forcing);
    carom_study_give_matrix(call, "points", count, 2, points);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"n2", CAROM_STUDY_LIST, NULL, "amplitudes N2 > 0 of the sink, one or more", .value = NAN},
    ENERGY_SINK_INPUTS,
    {0}};

static const carom_study_output outputs[] = {
    {"forcing", CAROM_STUDY_LIST, NULL, "f0 for which each is an equilibrium"},
    {"points", CAROM_STUDY_MATRIX, NULL, "the same as points { f0, N2 }"},
    {0}};

const carom_study_ops study_sink_forcing = {
    .name = "sink_forcing",
    .summary = "forcing that makes an amplitude an equilibrium of the energy sink",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
