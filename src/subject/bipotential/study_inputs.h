/* Inputs that studies of contacts by their bipotential share: friction is mu, or mu_x and mu_y; p_x and p_y the slip
 * potential where it is another ellipse. */
#ifndef CAROM_SUBJECT_BIPOTENTIAL_STUDY_INPUTS_H
#define CAROM_SUBJECT_BIPOTENTIAL_STUDY_INPUTS_H

#include <math.h>

#include "carom/contact/bipotential.h"
#include "carom/run/study.h"

enum {
    BIPOTENTIAL_CONTACTS_MAX = 300
};

/* clang-format off */
#define CONE_INPUTS                                                                                                   \
    {"mu", CAROM_STUDY_NUMBER, NULL, "friction, the same in all directions", .value = NAN,                            \
     .usual = "mu_x and mu_y are given"},                                                                             \
    {"mu_x", CAROM_STUDY_NUMBER, NULL, "friction along the first axis", .value = NAN, .usual = "mu is given"},        \
    {"mu_y", CAROM_STUDY_NUMBER, NULL, "along the second", .value = NAN, .usual = "mu is given"}
#define SLIP_INPUTS                                                                                                   \
    {"p_x", CAROM_STUDY_NUMBER, NULL, "half axis of the slip potential", .value = NAN, .usual = "mu_x"},              \
    {"p_y", CAROM_STUDY_NUMBER, NULL, "the other", .value = NAN, .usual = "mu_y"}
#define PROBLEM_INPUTS                                                                                                \
    {"W", CAROM_STUDY_LIST, NULL, "u = q + W r: 3 rows and 3 columns per contact, row by row", .value = NAN},         \
    {"gap", CAROM_STUDY_LIST, NULL, "initial gaps, one or per contact", .usual = "0"},                                \
    CONE_INPUTS, SLIP_INPUTS,                                                                                         \
    {"axes", CAROM_STUDY_NUMBER, "rad", "angle of the axes of friction against the tangents", .value = 0.0},          \
    {"allow_penetration", CAROM_STUDY_FLAG, NULL, "gaps may be negative", .value = 0.0},                              \
    {"sweep", CAROM_STUDY_WORD, NULL, "order of the corrections", .choices = bipotential_sweeps},                     \
    {"rho", CAROM_STUDY_NUMBER, NULL, "step of the predictor, > 0", .value = NAN,                                     \
     .usual = "1 / largest eigenvalue of W"},                                                                         \
    {"tolerance", CAROM_STUDY_NUMBER, NULL, "relative change at which iterations end", .value = NAN,                  \
     .usual = "as carom_uzawa_defaults"},                                                                             \
    {"iterations", CAROM_STUDY_WHOLE, NULL, "most of them", .value = NAN, .usual = "as carom_uzawa_defaults",         \
     .min = 1, .max = 10000000},                                                                                      \
    {"visits", CAROM_STUDY_WHOLE, NULL, "of each contact in a sweep", .value = NAN,                                   \
     .usual = "as carom_uzawa_defaults", .min = 1, .max = 1000000}
/* clang-format on */

extern const char *const bipotential_sweeps[];

/* Fails in the call where the numbers make no cone. */
carom_elliptic_cone cone_read(carom_study_call *call);
/* All but q. */
carom_elliptic_problem bipotential_read_problem(carom_study_call *call, int contacts);
carom_uzawa_options bipotential_read_options(carom_study_call *call);
/* "open", "stick" (inside the cone) or "slip" (on its surface), as 0, 2, 1. */
int bipotential_state(const carom_elliptic_cone *cone, const double r[3]);
/* `count` finite numbers that must be there. */
const double *bipotential_read_needed(carom_study_call *call, const char *key, int count);

#endif
