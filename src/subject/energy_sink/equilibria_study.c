/* sink_equilibria { ..., f0 = }: equilibria of the slow motion of the energy sink and their stability. */
#include "study_inputs.h"

enum {
    MOST_EQUILIBRIA = 64,
    COLUMNS = 10
};

static void give(carom_study_call *call, const carom_energy_sink *sink, int found,
                 const carom_sink_equilibrium *all)
{
    /* positions and velocities at t = 0 come last */
    static const char *const names[COLUMNS] = {"n2",     "n1", "finite_n2", "finite_n1", "growth",
                                               "stable", "x",  "x_dot",     "y",         "y_dot"};
    const double w = carom_energy_sink_frequency(sink), k1 = sink->eps / (1.0 + sink->eps),
                 k2 = 1.0 / (1.0 + sink->eps);
    double list[MOST_EQUILIBRIA];
    for (int k = 0; k < COLUMNS; k++) {
        for (int i = 0; i < found; i++) {
            const carom_sink_equilibrium *e = &all[i];
            const double *phi = e->phi;
            const double value[COLUMNS] = {e->n2,
                                           e->n1,
                                           e->finite_n2,
                                           e->finite_n1,
                                           e->growth,
                                           e->stable ? 1.0 : 0.0,
                                           (phi[1] + k1 * phi[3]) / w,
                                           phi[0] + k1 * phi[2],
                                           (phi[1] - k2 * phi[3]) / w,
                                           phi[0] - k2 * phi[2]};
            list[i] = value[k];
        }
        carom_study_give_list(call, names[k], found, list);
    }
    carom_study_give_number(call, "least_forcing", carom_energy_sink_least_forcing(sink));
}

static carom_status compute(carom_study_call *call)
{
    const carom_energy_sink sink = energy_sink_read(call);
    carom_equilibria_options options = carom_equilibria_defaults();
    options.n2_max = carom_exactly(carom_study_number(call, "n2_max"));
    carom_sink_equilibrium *all = carom_study_take(call, MOST_EQUILIBRIA, sizeof *all);
    int found = 0;
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = carom_sink_equilibria(&sink, &options, MOST_EQUILIBRIA, all, &found, call->error);
    if (status == CAROM_OK)
        give(call, &sink, found < MOST_EQUILIBRIA ? found : MOST_EQUILIBRIA, all);
    return status;
}

static const carom_study_input inputs[] = {
    ENERGY_SINK_INPUTS, {"n2_max", CAROM_STUDY_NUMBER, NULL, "N2 up to", .value = 8.0}, {0}};

static const carom_study_output outputs[] = {
    {"n2", CAROM_STUDY_LIST, NULL, "amplitudes N2, leading order"},
    {"n1", CAROM_STUDY_LIST, NULL, "amplitudes N1, leading order"},
    {"finite_n2", CAROM_STUDY_LIST, NULL, "N2 at this eps"},
    {"finite_n1", CAROM_STUDY_LIST, NULL, "N1 at this eps"},
    {"growth", CAROM_STUDY_LIST, NULL, "largest real part of the eigenvalues of the averaged motion there"},
    {"stable", CAROM_STUDY_LIST, NULL, "1 where it is negative, else 0"},
    {"x", CAROM_STUDY_LIST, NULL, "positions of the oscillator at t = 0"},
    {"x_dot", CAROM_STUDY_LIST, NULL, "its velocities"},
    {"y", CAROM_STUDY_LIST, NULL, "positions of the sink at t = 0"},
    {"y_dot", CAROM_STUDY_LIST, NULL, "its velocities"},
    {"least_forcing", CAROM_STUDY_NUMBER, NULL, "4 alpha0/pi: below it there is no equilibrium"},
    {0}};

const carom_study_ops study_sink_equilibria = {
    .name = "sink_equilibria",
    .summary = "equilibria of the energy sink in slow time and their stability",
    .inputs = inputs,
    .outputs = outputs,
    .compute = compute};
