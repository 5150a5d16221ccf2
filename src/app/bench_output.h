/* What `carom bench` measures, and how it is shown. */
#ifndef CAROM_APP_BENCH_OUTPUT_H
#define CAROM_APP_BENCH_OUTPUT_H

#include <stdio.h>

#include "contact_file.h"

/* One solver on one problem. */
typedef struct bench_cell {
    carom_solve_report report;
    double seconds; /* the shortest of all times */
} bench_cell;

typedef struct bench_problem {
    const char *path;
    char *stem; /* of the path, for tables */
    int contacts, dimension;
    bench_cell *cell; /* one per solver */
} bench_problem;

typedef struct bench_output {
    int solver_count;
    const chosen_solver *solver;
    int problem_count;
    const bench_problem *problem;
    const carom_solver_options *limits;
    const carom_profile *profile;
} bench_output;

void print_bench_text(const bench_output *output);
void print_bench_json(const bench_output *output);
void write_bench_csv(FILE *stream, const bench_output *output);

/* Draws directory/name.svg and .png, with name.gp, name.dat and name.tau.csv. */
carom_status draw_profile(const bench_output *output, const char *directory, const char *name,
                          carom_error *error);

#endif
