/* Inputs that studies of the energy sink share. */
#ifndef CAROM_SUBJECT_ENERGY_SINK_STUDY_INPUTS_H
#define CAROM_SUBJECT_ENERGY_SINK_STUDY_INPUTS_H

#include <math.h>

#include "carom/run/study.h"
#include "carom/subject/energy_sink.h"

/* clang-format off */
#define ENERGY_SINK_INPUTS                                                                                            \
    {"eps", CAROM_STUDY_NUMBER, NULL, "mass ratio, sink / oscillator", .value = 1e-3},                                \
    {"w1", CAROM_STUDY_NUMBER, NULL, "frequency of the oscillator", .value = 1.0},                                    \
    {"a0", CAROM_STUDY_NUMBER, NULL, "viscous damping of the oscillator", .value = 0.1},                              \
    {"alpha0", CAROM_STUDY_NUMBER, NULL, "dry friction of the oscillator", .value = 0.1},                             \
    {"beta", CAROM_STUDY_NUMBER, NULL, "stiffness on z", .value = 0.1},                                               \
    {"sigma", CAROM_STUDY_NUMBER, NULL, "detuning", .value = 0.1},                                                    \
    {"lam", CAROM_STUDY_NUMBER, NULL, "damper of the sink", .value = 0.1},                                            \
    {"gamma", CAROM_STUDY_NUMBER, NULL, "cubic spring of the sink", .value = 0.1},                                    \
    {"f0", CAROM_STUDY_NUMBER, NULL, "forcing", .value = 4.019}
/* clang-format on */

/* Fails in the call where the numbers make no energy sink. */
carom_energy_sink energy_sink_read(carom_study_call *call);

#endif
