/* sink_flow { ..., x =, y =, t_end = }: the averaged motion of the energy sink, once per period. */
#include <string.h>

#include "carom/run.h"
#include "study_inputs.h"

enum {
    MOST_JUMPS = 1000,
    PERIODS_PER_REPORT = 64,
    BISECTIONS = 40 /* of a period: 1e-12 of it */
};

typedef struct flow_result {
    int jumps, samples;
    double *jump, *n1, *n2, *t;
    double n1_min, n1_max;
} flow_result;

/* How far into a period, which begins with `start`, N2 passes the level, by bisection on the flow. */
static carom_status locate(const carom_energy_sink *sink, double period,
                           const carom_averaged_options *options, const double *start, double level, bool up,
                           double *place, carom_error *error)
{
    double low = 0.0, high = period;
    for (int i = 0; i < BISECTIONS; i++) {
        double phi[CAROM_AVERAGED];
        carom_averaged_options own = *options; /* which learns a step */
        const double middle = 0.5 * (low + high);
        memcpy(phi, start, sizeof phi);
        const carom_status status = carom_averaged_flow(sink, middle, &own, phi, error);
        if (status != CAROM_OK)
            return status;
        const double n2 = hypot(phi[2], phi[3]);
        if (up ? n2 > level : n2 < level)
            high = middle;
        else
            low = middle;
    }
    *place = high;
    return CAROM_OK;
}

static carom_status follow(carom_study_call *call, const carom_energy_sink *sink, double *phi, double from,
                           flow_result *result)
{
    const double period = 2.0 * CAROM_PI / carom_energy_sink_frequency(sink);
    carom_averaged_options options = carom_averaged_defaults();
    carom_manifold_fold fold[2];
    carom_jump_detector *detector = NULL;
    carom_status status = CAROM_OK;
    double low = 0.0, high = 0.0, before[CAROM_AVERAGED];
    if (carom_manifold_folds(sink, fold) == 2) {
        low = 0.71 * fold[0].n2;
        high = 0.82 * fold[1].n2;
        status = carom_jump_detector_create(1.0, low, high, &detector, call->error);
    }
    for (int i = 1; status == CAROM_OK && i <= result->samples; i++) {
        memcpy(before, phi, sizeof before);
        status = carom_averaged_flow(sink, period, &options, phi, call->error);
        const double n1 = hypot(phi[0], phi[1]), n2 = hypot(phi[2], phi[3]), t = i * period;
        result->t[i - 1] = t;
        result->n1[i - 1] = n1;
        result->n2[i - 1] = n2;
        const carom_jump jump = detector ? carom_jump_detector_take(detector, n2) : CAROM_JUMP_NONE;
        if (status == CAROM_OK && jump != CAROM_JUMP_NONE && result->jumps < MOST_JUMPS) {
            const bool up = jump == CAROM_JUMP_UP;
            double place = period;
            status = locate(sink, period, &options, before, up ? high : low, up, &place, call->error);
            result->jump[result->jumps++] = t - period + place;
        }
        if (t >= from) {
            result->n1_min = fmin(result->n1_min, n1);
            result->n1_max = fmax(result->n1_max, n1);
        }
        if (i % PERIODS_PER_REPORT == 0 && carom_study_stopped(call, i, result->samples))
            status = call->status;
    }
    carom_jump_detector_free(detector);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const carom_energy_sink sink = energy_sink_read(call);
    const double t_end = carom_study_number(call, "t_end"), from = carom_study_number(call, "from");
    const double periods = floor(t_end * carom_energy_sink_frequency(&sink) / (2.0 * CAROM_PI));
    if (!(periods >= 1.0 && periods <= 1e5))
        return carom_study_fail(call, CAROM_BAD_INPUT,
                                "t_end = %g must be from one period of the forcing to 1e5 of them", t_end);
    double phi[CAROM_AVERAGED];
    carom_averaged_start(&sink, carom_study_number(call, "x"), carom_study_number(call, "x_dot"),
                         carom_study_number(call, "y"), carom_study_number(call, "y_dot"), phi);
    const size_t count = (size_t)periods;
    flow_result result = {.samples = (int)periods,
                          .jump = carom_study_take(call, MOST_JUMPS, sizeof(double)),
                          .t = carom_study_take(call, count, sizeof(double)),
                          .n1 = carom_study_take(call, count, sizeof(double)),
                          .n2 = carom_study_take(call, count, sizeof(double)),
                          .n1_min = INFINITY,
                          .n1_max = -INFINITY};
    carom_status status = call->status;
    if (status == CAROM_OK)
        status = follow(call, &sink, phi, isnan(from) ? 0.5 * t_end : from, &result);
    if (status != CAROM_OK)
        return status;
    carom_study_give_list(call, "jumps", result.jumps, result.jump);
    carom_study_give_list(call, "t", result.samples, result.t);
    carom_study_give_list(call, "n1", result.samples, result.n1);
    carom_study_give_list(call, "n2", result.samples, result.n2);
    carom_study_give_number(call, "n1_min", result.n1_min);
    carom_study_give_number(call, "n1_max", result.n1_max);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"t_end", CAROM_STUDY_NUMBER, NULL, "end", .value = NAN},
    {"from", CAROM_STUDY_NUMBER, NULL, "n1_min and n1_max are those after this time", .value = NAN,
     .usual = "t_end/2"},
    ENERGY_SINK_INPUTS,
    {"x", CAROM_STUDY_NUMBER, NULL, "start of the oscillator", .value = 2.0},
    {"x_dot", CAROM_STUDY_NUMBER, NULL, "its velocity", .value = 0.0},
    {"y", CAROM_STUDY_NUMBER, NULL, "start of the sink", .value = 2.0},
    {"y_dot", CAROM_STUDY_NUMBER, NULL, "its velocity", .value = 0.0},
    {0}};

static const carom_study_output outputs[] = {{"t", CAROM_STUDY_LIST, NULL, "ends of the periods"},
                                             {"n1", CAROM_STUDY_LIST, NULL, "amplitude N1 then"},
                                             {"n2", CAROM_STUDY_LIST, NULL, "amplitude N2 then"},
                                             {"jumps", CAROM_STUDY_LIST, NULL,
                                              "when N2 jumps between the branches of the manifold: passes "
                                              "0.82 of N2 at the second fold upwards, or 0.71 of that at the "
                                              "first downwards, having been at the other level"},
                                             {"n1_min", CAROM_STUDY_NUMBER, NULL, "smallest N1 after `from`"},
                                             {"n1_max", CAROM_STUDY_NUMBER, NULL, "largest N1 after `from`"},
                                             {0}};

const carom_study_ops study_sink_flow = {.name = "sink_flow",
                                         .summary = "averaged motion of the energy sink",
                                         .inputs = inputs,
                                         .outputs = outputs,
                                         .compute = compute};
