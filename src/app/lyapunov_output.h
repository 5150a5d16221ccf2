/* What `carom lyapunov` found, for its texts, JSON and pictures. */
#ifndef CAROM_APP_LYAPUNOV_OUTPUT_H
#define CAROM_APP_LYAPUNOV_OUTPUT_H

#include "carom/survey/exponents.h"
#include "command.h"

typedef struct lyapunov_output {
    const carom_experiment *experiment;
    const carom_lyapunov *found;
    carom_status status;
    const char *message; /* NULL: the status is OK */
} lyapunov_output;

void print_lyapunov_text(const lyapunov_output *output);
void print_lyapunov_json(const lyapunov_output *output);
/* Exponents against time. */
carom_status draw_lyapunov(const lyapunov_output *output, const picture_place *picture, carom_error *error);

/* Several motions, over a parameter or from several starts. */
typedef struct exponents_output {
    const carom_experiment *experiment;
    const char *parameter; /* NULL: none varies */
    const carom_exponents *all;
    carom_status status;
} exponents_output;

void print_exponents_text(const exponents_output *output);
void print_exponents_json(const exponents_output *output);
/* Exponents against the parameter, or against the number of the start. */
carom_status draw_exponents(const exponents_output *output, const picture_place *picture, carom_error *error);

#endif
