/* drill_response { controller =, f = { } }: frequency responses of a drill string. */
#include <string.h>

#include "study_inputs.h"

enum {
    FREQUENCIES_MOST = 100000
};

static carom_status respond(carom_study_call *call, const drill_objects *o, double slope, int count,
                            const double *hertz, double *mobility, double *top, double *work)
{
    carom_drill_plant *plant = NULL;
    carom_drill_loop *loop = NULL;
    carom_status status = drill_check_loop(o, call->error);
    if (status == CAROM_OK)
        status = carom_drill_plant_create(o->string, slope, &plant, call->error);
    if (status == CAROM_OK)
        status = carom_drill_loop_create(plant, o->controller, &loop, call->error);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        const int n = plant->states;
        double *c = work + 2 * n * (n + 1), real, imaginary;
        memset(c, 0, (size_t)n * sizeof *c);
        c[1] = 1.0;
        mobility[i] = carom_drill_mobility(loop, hertz[i]);
        carom_drill_response(n, plant->A, plant->B, 1, c, 0.0, hertz[i], work, &real, &imaginary);
        top[i] = hypot(real, imaginary);
        if (carom_study_stopped(call, i, count))
            status = call->status;
    }
    carom_drill_loop_free(loop);
    carom_drill_plant_free(plant);
    return status;
}

static carom_status compute(carom_study_call *call)
{
    const drill_data data = drill_read(call, DRILL_NEEDS_CONTROLLER);
    const int count = carom_study_list_length(call, "f");
    if (count < 1 || count > FREQUENCIES_MOST)
        return carom_study_fail(call, CAROM_BAD_INPUT, "f has %d frequencies; wanted: 1 to %d", count,
                                FREQUENCIES_MOST);
    const size_t size = (size_t)count, states = 2 * DRILL_DISCS_MOST;
    const double *hertz = carom_study_list(call, "f", count);
    double *mobility = carom_study_take(call, size, sizeof(double)),
           *top = carom_study_take(call, size, sizeof(double)),
           *work = carom_study_take(call, 3 * states * states, sizeof(double));
    if (call->status != CAROM_OK)
        return call->status;
    drill_objects o = {0};
    carom_status status = drill_open(&data, &o, call->error);
    if (status == CAROM_OK)
        status = respond(call, &o, carom_study_number(call, "slope"), count, hertz, mobility, top, work);
    drill_close(&o);
    if (status != CAROM_OK)
        return status;
    carom_study_give_list(call, "bit", count, mobility);
    carom_study_give_list(call, "top_to_bit", count, top);
    return CAROM_OK;
}

static const carom_study_input inputs[] = {
    {"f", CAROM_STUDY_LIST, "Hz", "frequencies", .value = NAN},
    DRILL_INPUTS,
    {"slope", CAROM_STUDY_NUMBER, "N m s/rad", "slope of the bit's law in the loop", .value = 0.0},
    {0}};

static const carom_study_output outputs[] = {
    {"bit", CAROM_STUDY_LIST, "rad/(N m s)", "mobility of the bit in the loop"},
    {"top_to_bit", CAROM_STUDY_LIST, "rad/(N m s)",
     "torque of the top drive to the speed of the bit, without controller"},
    {0}};

const carom_study_ops study_drill_response = {.name = "drill_response",
                                              .summary = "frequency responses of a drill string",
                                              .inputs = inputs,
                                              .outputs = outputs,
                                              .compute = compute};
