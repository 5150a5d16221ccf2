/* drill_modes { string =, kept = }: frequencies, shapes and reduction of a drill string. */
#include <string.h>

#include "study_inputs.h"

typedef struct string_modes {
    int discs;
    double *mass, *stiffness, *hertz, *shape, *ratio, *bit, *top;
} string_modes;

/* Damping ratios, and the shapes at bit and top. */
static void describe_modes(const carom_drill_string *s, string_modes *m)
{
    const int n = s->discs;
    for (int j = 0; j < n; j++) {
        double damping = 0.0;
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                damping += m->shape[a * n + j] * s->damping[a * n + b] * m->shape[b * n + j];
        m->ratio[j] = m->hertz[j] > 1e-6 ? damping / (4.0 * CAROM_PI * m->hertz[j]) : 0.0;
        m->bit[j] = m->shape[j];
        m->top[j] = m->shape[(n - 1) * n + j];
    }
}

/* Inertia and stiffness of the string; consistent ones where it is made of elements. */
static void fill_matrices(const drill_data *data, const carom_drill_string *string, bool consistent,
                          string_modes *m)
{
    const int n = m->discs;
    memcpy(m->stiffness, string->stiffness, (size_t)(n * n) * sizeof(double));
    for (int i = 0; i < n; i++)
        m->mass[i * n + i] = string->inertia[i];
    if (!consistent || (data->string != DRILL_ELEMENTS && data->own.sections == 0))
        return;
    carom_drill_elements elements =
        data->string == DRILL_OWN ? drill_own_elements(&data->own) : *carom_drill_demonstration();
    elements.consistent = true;
    carom_drill_assemble(&elements, m->mass, m->stiffness);
}

static carom_status find_modes(carom_study_call *call, const drill_data *data,
                               const carom_drill_string *string)
{
    const int n = string->discs;
    const size_t size = (size_t)n;
    const double f = carom_study_number(call, "f"), kept = carom_study_number(call, "kept");
    string_modes m = {.discs = n};
    double **array[] = {&m.mass, &m.stiffness, &m.shape, &m.hertz, &m.ratio, &m.bit, &m.top};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        *array[i] = carom_study_take(call, i < 3 ? size * size : size, sizeof(double));
    if (call->status != CAROM_OK)
        return call->status;
    fill_matrices(data, string, carom_study_flag(call, "consistent"), &m);
    double full = NAN, reduced = NAN, inertia = 0.0;
    carom_status status = carom_drill_modes(n, m.mass, m.stiffness, m.hertz, m.shape, call->error);
    if (status == CAROM_OK)
        describe_modes(string, &m);
    for (int i = 0; i < n * n; i++)
        inertia += m.mass[i];
    if (status == CAROM_OK)
        status =
            carom_drill_reduced_response(n, m.mass, string->damping, m.stiffness, n, f, &full, call->error);
    if (status == CAROM_OK)
        status =
            carom_drill_reduced_response(n, m.mass, string->damping, m.stiffness,
                                         isnan(kept) ? (n < 4 ? n : 4) : (int)kept, f, &reduced, call->error);
    if (status != CAROM_OK)
        return status;
    carom_study_give_list(call, "hertz", n, m.hertz);
    carom_study_give_list(call, "damping", n, m.ratio);
    carom_study_give_list(call, "bit", n, m.bit);
    carom_study_give_list(call, "top", n, m.top);
    carom_study_give_number(call, "inertia", inertia);
    carom_study_give_number(call, "response", full);
    carom_study_give_number(call, "reduced_response", reduced);
    return CAROM_OK;
}

static carom_status compute(carom_study_call *call)
{
    const drill_data data = drill_read(call, 0);
    if (call->status != CAROM_OK)
        return call->status;
    drill_objects o = {0};
    carom_status status = drill_open(&data, &o, call->error);
    if (status == CAROM_OK)
        status = find_modes(call, &data, o.string);
    drill_close(&o);
    return status;
}

static const carom_study_input inputs[] = {
    DRILL_STRING_INPUT,
    {"consistent", CAROM_STUDY_FLAG, NULL, "consistent inertia of elements instead of lumped", .value = 0.0},
    {"kept", CAROM_STUDY_NUMBER, NULL, "modes of the reduced model", .value = NAN,
     .usual = "4, or all of fewer"},
    {"f", CAROM_STUDY_NUMBER, "Hz", "frequency of the responses", .value = 0.1},
    {0}};

static const carom_study_output outputs[] = {
    {"hertz", CAROM_STUDY_LIST, "Hz", "frequencies; the first is the free rotation"},
    {"damping", CAROM_STUDY_LIST, NULL, "damping ratios"},
    {"bit", CAROM_STUDY_LIST, NULL, "shapes at the bit"},
    {"top", CAROM_STUDY_LIST, NULL, "shapes at the top drive"},
    {"inertia", CAROM_STUDY_NUMBER, "kg m^2", "of all discs"},
    {"response", CAROM_STUDY_NUMBER, "rad/(N m s)", "top torque to bit speed at f"},
    {"reduced_response", CAROM_STUDY_NUMBER, "rad/(N m s)", "the same of the reduced model"},
    {0}};

const carom_study_ops study_drill_modes = {.name = "drill_modes",
                                           .summary =
                                               "frequencies, shapes and modal reduction of a drill string",
                                           .inputs = inputs,
                                           .outputs = outputs,
                                           .compute = compute};
