/* Whole runs of the systems of bench/examples, which stand there for Siconos, too.
 *
 *   examples MODEL.lua FILE RUN.h5     writes t and the recorded columns of every output to FILE
 *
 * Row:  carom STEPS BARE KEPT WRITTEN, nanoseconds per step: of bare steps, of a run with its certificate whose rows are
 * kept in memory, of one whose rows go to the run file RUN.h5 (closed and on the disk). */
#include "measure.h"

#include "carom/io.h"

static void check(carom_status status, const char *what, const carom_error *error)
{
    if (status != CAROM_OK)
        stop(what, error);
}

/* Where rows go; each is begun and ended inside the time that is measured. */
typedef enum keeping {
    NOWHERE,
    MEMORY,
    RUN_FILE
} keeping;

typedef struct one_run {
    const carom_experiment *experiment;
    const char *path; /* of the run file */
    keeping where;
    long max_steps; /* 0: all */
    carom_series series;
} one_run;

static long run_once(one_run *one)
{
    carom_error error = {0};
    carom_recorder recorder = {0};
    carom_run_writer *writer = NULL;
    carom_series_free(&one->series);
    if (one->where == MEMORY) {
        one->series = (carom_series){.layout = carom_row_layout_of(one->experiment)};
        recorder = carom_series_recorder(&one->series);
    }
    if (one->where == RUN_FILE) {
        check(carom_run_writer_create(one->path, &writer, &error), one->path, &error);
        check(carom_run_writer_begin(writer, 0, one->experiment, NULL, &recorder, &error), one->path, &error);
    }
    carom_run_result result = run(&(carom_run_request){.experiment = one->experiment,
                                                       .h = NAN,
                                                       .until = NAN,
                                                       .max_steps = one->max_steps,
                                                       .bare = one->where == NOWHERE,
                                                       .recorder = &recorder,
                                                       .recorder_count = one->where != NOWHERE});
    if (writer) {
        check(carom_run_writer_end(writer, &result, &error), one->path, &error);
        check(carom_run_writer_close(writer, &error), one->path, &error);
    }
    const long steps = result.steps;
    carom_run_result_free(&result);
    return steps;
}

static timing best_run(one_run *one)
{
    timing best = {.seconds = INFINITY};
    double spent = 0.0;
    for (int i = 0; i < RUNS_LEAST || spent < 0.2; i++) {
        const double started = processor_seconds();
        best.steps = run_once(one);
        const double seconds = processor_seconds() - started;
        best.seconds = fmin(best.seconds, seconds);
        spent += seconds;
    }
    return best;
}

static double nanoseconds(one_run one)
{
    one.series = (carom_series){0};
    const timing all = best_run(&one);
    one.max_steps = 1;
    const timing start = best_run(&one);
    carom_series_free(&one.series);
    return nanoseconds_per_step(
        (timing){.steps = all.steps - start.steps, .seconds = all.seconds - start.seconds});
}

static void write_outputs(const carom_series *series, int named, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    for (size_t i = 1; i < carom_series_outputs(series); i++) {
        const double *row = carom_series_row(series, i);
        fprintf(file, "%.17g", row[0]);
        for (int k = 0; k < named; k++)
            fprintf(file, " %.17g", row[series->layout.column + k]);
        fputc('\n', file);
    }
    if (fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: %s MODEL.lua FILE RUN.h5\n", argv[0]);
        return 2;
    }
    carom_experiment *experiment = load(&(carom_load_request){.name = argv[1], .file = argv[1]});
    one_run one = {.experiment = experiment, .path = argv[3], .where = MEMORY};
    const long steps = run_once(&one);
    write_outputs(&one.series, experiment->named_columns, argv[2]);
    carom_series_free(&one.series);
    printf("carom %ld", steps);
    for (keeping where = NOWHERE; where <= RUN_FILE; where++) {
        one.where = where;
        printf(" %.1f", nanoseconds(one));
    }
    printf("\n");
    carom_experiment_free(experiment);
    return EXIT_SUCCESS;
}
