/* The energy sink: steps of the schemes for differential algebraic inclusions, and the averaged motion.
 *
 *   sink
 *
 * Run from the root of the source tree. Rows:  sink SCHEME bare STEPS SECONDS NS_PER_STEP  (only steps),
 * sink SCHEME run ...  (with energy, envelopes and measures at every step),  sink averaged DURATION SECONDS.
 */
#include "carom/subject/energy_sink.h"
#include "measure.h"

static void measure_steps(const carom_experiment *experiment, const char *scheme)
{
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .h = 1e-3, .until = 500.0};
    const timing bare = time_steps(request), full = best_of(&request);
    printf("sink %s bare %ld %.3f %.0f\n", scheme, bare.steps, bare.seconds,
           1e9 * bare.seconds / (double)bare.steps);
    printf("sink %s run %ld %.3f %.0f\n", scheme, full.steps, full.seconds,
           1e9 * full.seconds / (double)full.steps);
}

static void measure_averaged(void)
{
    const carom_energy_sink sink = carom_energy_sink_defaults();
    carom_averaged_options options = carom_averaged_defaults();
    double phi[CAROM_AVERAGED];
    carom_error error;
    carom_averaged_start(&sink, 2.0, 0.0, 2.0, 0.0, phi);
    const double started = processor_seconds();
    if (carom_averaged_flow(&sink, 1e4, &options, phi, &error) != CAROM_OK)
        stop("averaged", &error);
    printf("sink averaged 10000 %.4f\n", processor_seconds() - started);
}

int main(void)
{
    carom_experiment *experiment = load(
        &(carom_load_request){.name = "energy-sink", .file = "experiments/lamarque-2018/energy-sink.lua"});
    measure_steps(experiment, "dai-theta");
    measure_steps(experiment, "dai-euler");
    measure_averaged();
    carom_experiment_free(experiment);
    return EXIT_SUCCESS;
}
