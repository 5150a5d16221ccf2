/* What the benchmark programs share: runs that stop the program when they fail, and their timing.
 *
 * Each figure is that of the best of several runs, less a run of one step, so that set-up does not count.
 * Seconds are those of the processor: what else runs on the machine counts less. */
#ifndef CAROM_BENCH_MEASURE_H
#define CAROM_BENCH_MEASURE_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/carom.h"

enum {
    RUNS_LEAST = 5
};
static const double seconds_least = 0.5; /* short runs are repeated more often */

typedef struct timing {
    long steps;
    double seconds;
} timing;

static inline void stop(const char *what, const carom_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(EXIT_FAILURE);
}

static inline carom_experiment *load(const carom_load_request *request)
{
    carom_experiment *experiment;
    carom_error error;
    if (carom_experiment_load(request, &experiment, &error) != CAROM_OK)
        stop(request->name, &error);
    return experiment;
}

static inline carom_run_result run(const carom_run_request *request)
{
    carom_run_result result;
    carom_error error;
    if (carom_run(request, &result, &error) != CAROM_OK)
        stop(request->experiment->name, &error);
    return result;
}

static inline double processor_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline timing best_of(const carom_run_request *request)
{
    timing best = {.seconds = INFINITY};
    double spent = 0.0;
    for (int i = 0; i < RUNS_LEAST || spent < seconds_least; i++) {
        double started = processor_seconds();
        carom_run_result result = run(request);
        double seconds = processor_seconds() - started;
        best.steps = result.steps;
        best.seconds = fmin(best.seconds, seconds);
        spent += seconds;
        carom_run_result_free(&result);
    }
    return best;
}

static inline timing time_steps(carom_run_request request)
{
    request.bare = true;
    timing all = best_of(&request);
    request.max_steps = 1;
    timing one = best_of(&request);
    return (timing){.steps = all.steps - one.steps, .seconds = all.seconds - one.seconds};
}

static inline double nanoseconds_per_step(timing measured)
{
    return 1e9 * measured.seconds / (double)measured.steps;
}

/* bench/run reads these rows by their fields; the caller ends the line. */
static inline void print_row(const char *system, const char *scheme, timing measured)
{
    printf("%-10s %-18s %8ld steps %10.1f ns/step %12.0f steps/s", system, scheme, measured.steps,
           nanoseconds_per_step(measured), (double)measured.steps / measured.seconds);
}

/* ---- parts of a program, each by its name --------------------------------------------------------- */

typedef struct part {
    const char *name;
    void (*measure)(void);
} part;

/* The part that the only argument names, or all; 2 when there is no such part. */
static inline int run_parts(int argc, char **argv, size_t count, const part *parts)
{
    bool found = argc == 1;
    for (size_t i = 0; i < count; i++)
        if (argc == 1 || (argc == 2 && strcmp(argv[1], parts[i].name) == 0)) {
            parts[i].measure();
            found = true;
        }
    if (found)
        return EXIT_SUCCESS;
    fprintf(stderr, "usage: %s [", argv[0]);
    for (size_t i = 0; i < count; i++)
        fprintf(stderr, "%s%s", i ? "|" : "", parts[i].name);
    fprintf(stderr, "]\n");
    return 2;
}

#endif
