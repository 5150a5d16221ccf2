#include "study_inputs.h"

carom_energy_sink energy_sink_read(carom_study_call *call)
{
    carom_energy_sink sink = carom_energy_sink_defaults();
    const struct {
        const char *key;
        double *value;
    } field[] = {{"eps", &sink.eps},       {"w1", &sink.w1},       {"a0", &sink.a0},
                 {"alpha0", &sink.alpha0}, {"beta", &sink.beta},   {"sigma", &sink.sigma},
                 {"lam", &sink.lam},       {"gamma", &sink.gamma}, {"f0", &sink.f0}};
    for (size_t i = 0; i < sizeof field / sizeof *field; i++)
        *field[i].value = carom_study_number(call, field[i].key);
    carom_error error;
    if (carom_energy_sink_check(&sink, &error) != CAROM_OK)
        carom_study_fail(call, CAROM_BAD_INPUT, "%s", error.text);
    return sink;
}
