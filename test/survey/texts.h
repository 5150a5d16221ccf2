/* Models of tests of surveys, from their texts. */
#ifndef CAROM_TEST_SURVEY_TEXTS_H
#define CAROM_TEST_SURVEY_TEXTS_H

#include "carom/io.h"
#include "test/near.h"

/* x'' + c x' + x = cos(w t) with a wall at s; parameters e, c, s, w. */
#define IMPACT_OSCILLATOR(w)                                                                                 \
    "local e, c = param { 'e', 0.8, min = 0, max = 1 }, param { 'c', 0.05 }\n"                               \
    "local s, w = param { 's', 0 }, param { 'w', " w " }\n"                                                  \
    "local x = coordinates('x')\n"                                                                           \
    "mass(1)\n"                                                                                              \
    "force { x = -x - c*dot(x) + cos(w*time()) }\n"                                                          \
    "contact { 'wall', gap = x - s, restitution = e }\n"                                                     \
    "initial { x = 0.5 }\n"                                                                                  \
    "integrate { scheme = 'event-driven', h = 0.1, until_t = 50 }\n"

static inline carom_experiment *load(const char *text)
{
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    if (carom_experiment_load(&(carom_load_request){.file = "model.lua", .text = text}, &experiment,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return experiment;
}

#endif
