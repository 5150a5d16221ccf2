/* What a convergence study compares at an output, and the reference it is compared with. */
#ifndef CAROM_SURVEY_CONVERGE_REFERENCE_H
#define CAROM_SURVEY_CONVERGE_REFERENCE_H

#include "carom/survey.h"

/* The values of a row that are compared: positions, velocities, quantities. */
typedef struct compared_values {
    int count;
    int *source; /* place in the row */
    int *curve;  /* which error it belongs to: CAROM_CURVE_Q, ... */
    int *exact;  /* place in the row of the exact value; -1: not known. NULL: the reference is a run */
} compared_values;

/* Finds quantities and, for an exact reference, the records of the exact motion. */
carom_status compared_values_create(const carom_convergence_request *request, carom_arena *arena,
                                    compared_values *compared, carom_error *error);

/* How fine a reference run is, and which of its outputs are kept. */
typedef struct reference_step {
    double h;
    int record_every; /* outputs in between meet no output of any h */
} reference_step;

/* `h` descending; `wanted` NAN: h_min / 16, or a little smaller where that divides every h. */
reference_step reference_step_choose(int h_count, const double *h, double wanted);

/* Outputs of a reference run: rows of t and the compared values. */
typedef struct reference_run {
    const compared_values *compared;
    carom_series series;
    double *row; /* scratch, 1 + compared->count */
} reference_run;

bool reference_run_create(const compared_values *compared, carom_arena *arena, reference_run *reference);
carom_recorder reference_run_recorder(reference_run *reference);
void reference_run_free(reference_run *reference);

/* The errors of one run, measured as its rows come. */
typedef struct error_meter {
    const compared_values *compared;
    const reference_run *reference; /* NULL: exact */
    int curve_count;
    double until;     /* later outputs do not count */
    double same_time; /* outputs closer than this are at the same time */
    size_t place;     /* the reference's row at or before the run's last one */
    long outputs;     /* compared ones */
    double *error;    /* per curve; NAN once something compared is not a number */
    double *size;     /* per curve: the largest value compared */
    bool *known;      /* per curve: there is something to compare with */
    double *expected; /* scratch */
    bool is_interpolated;
} error_meter;

bool error_meter_create(const compared_values *compared, const reference_run *reference, int curve_count,
                        carom_arena *arena, error_meter *meter);
void error_meter_begin(error_meter *meter, double h, double until);
carom_recorder error_meter_recorder(error_meter *meter);
/* The error of a curve over the whole run; NAN when nothing was compared. */
double error_meter_error(const error_meter *meter, int curve);
bool error_meter_at_rounding(const error_meter *meter, int curve);

#endif
