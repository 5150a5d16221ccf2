/* The tables, the CSV and the JSON object of `carom bench`. */
#include <math.h>
#include <string.h>

#include "app/bench_output.h"

/* ---- text ------------------------------------------------------------------------------------------ */

enum {
    NAMED_COLUMNS = 6, /* more solvers are numbered, so that a line has room */
    CELL_WIDTH = 9,
};

static int stem_width(const bench_output *output)
{
    size_t width = strlen("problem");
    for (int i = 0; i < output->problem_count; i++)
        width = strlen(output->problem[i].stem) > width ? strlen(output->problem[i].stem) : width;
    return (int)width;
}

static int label_width(const bench_output *output)
{
    size_t width = strlen("solver");
    for (int s = 0; s < output->solver_count; s++)
        width = strlen(output->solver[s].label) > width ? strlen(output->solver[s].label) : width;
    return (int)width;
}

static bool is_numbered(const bench_output *output)
{
    return output->solver_count > NAMED_COLUMNS;
}

static int cell_width(const bench_output *output, int solver)
{
    const int width = is_numbered(output) ? 0 : (int)strlen(output->solver[solver].label);
    return width > CELL_WIDTH ? width : CELL_WIDTH;
}

static void print_head(const bench_output *output)
{
    printf("seconds to an error of %g, at most %g s each\n\n", output->limits->tolerance,
           output->limits->max_seconds);
    printf("%-*s  contacts", stem_width(output), "problem");
    for (int s = 0; s < output->solver_count; s++) {
        char number[32];
        snprintf(number, sizeof number, "[%d]", s + 1);
        printf("  %*s", cell_width(output, s), is_numbered(output) ? number : output->solver[s].label);
    }
    printf("\n");
}

/* Seconds, or in one word why not. */
static void print_cell(const bench_output *output, const bench_problem *problem, int solver)
{
    static const char *const why[] = {[CAROM_SOLVE_OK] = "",
                                      [CAROM_SOLVE_ITERATIONS] = "iterat.",
                                      [CAROM_SOLVE_TIME] = "timeout",
                                      [CAROM_SOLVE_STALLED] = "stalled",
                                      [CAROM_SOLVE_DIVERGED] = "diverged",
                                      [CAROM_SOLVE_LOCAL] = "local",
                                      [CAROM_SOLVE_MEMORY] = "memory",
                                      [CAROM_SOLVE_REFUSED] = "refused",
                                      [CAROM_SOLVE_ROUNDING] = "rounding",
                                      [CAROM_SOLVE_INFEASIBLE] = "no sol.",
                                      [CAROM_SOLVE_INTERRUPTED] = "stopped"};
    const bench_cell *cell = &problem->cell[solver];
    char text[32];
    if (cell->report.word == CAROM_SOLVE_OK)
        snprintf(text, sizeof text, "%.3g", cell->seconds);
    else
        snprintf(text, sizeof text, "%s", why[cell->report.word]);
    printf("  %*s", cell_width(output, solver), text);
}

static void print_shares(const bench_output *output)
{
    const carom_profile *profile = output->profile;
    const int width = label_width(output);
    printf("\n%s%-*s  fastest  within 2x  within 10x  solved\n", is_numbered(output) ? "      " : "", width,
           "solver");
    for (int s = 0; s < output->solver_count; s++) {
        if (is_numbered(output))
            printf("%4d  ", s + 1);
        printf("%-*s  %6.1f%%  %8.1f%%  %9.1f%%  %5.1f%%\n", width, output->solver[s].label,
               100.0 * carom_profile_share(profile, s, 1.0), 100.0 * carom_profile_share(profile, s, 2.0),
               100.0 * carom_profile_share(profile, s, 10.0),
               100.0 * carom_profile_share(profile, s, INFINITY));
    }
    if (profile->unsolved > 0)
        printf("unsolved by all: %d of %d problem%s\n", profile->unsolved, profile->problems,
               plural(profile->problems));
}

void print_bench_text(const bench_output *output)
{
    print_head(output);
    for (int p = 0; p < output->problem_count; p++) {
        printf("%-*s  %8d", stem_width(output), output->problem[p].stem, output->problem[p].contacts);
        for (int s = 0; s < output->solver_count; s++)
            print_cell(output, &output->problem[p], s);
        printf("\n");
    }
    print_shares(output);
}

/* ---- CSV ------------------------------------------------------------------------------------------- */

/* A cell in quotes where it needs them. */
static void write_text_cell(FILE *stream, const char *text)
{
    if (!strpbrk(text, ",\"\n")) {
        fputs(text, stream);
        return;
    }
    fputc('"', stream);
    for (const char *c = text; *c; c++) {
        if (*c == '"')
            fputc('"', stream);
        fputc(*c, stream);
    }
    fputc('"', stream);
}

void write_bench_csv(FILE *stream, const bench_output *output)
{
    fprintf(stream, "file,contacts,dimension,solver,status,iterations,error,seconds\n");
    for (int p = 0; p < output->problem_count; p++)
        for (int s = 0; s < output->solver_count; s++) {
            const bench_problem *problem = &output->problem[p];
            const bench_cell *cell = &problem->cell[s];
            write_text_cell(stream, problem->path);
            fprintf(stream, ",%d,%d,", problem->contacts, problem->dimension);
            write_text_cell(stream, output->solver[s].label);
            fprintf(stream, ",%s,%d,", carom_solve_word_text(cell->report.word), cell->report.iterations);
            if (isfinite(cell->report.error))
                fprintf(stream, "%.17g", cell->report.error);
            fprintf(stream, ",%.17g\n", cell->seconds);
        }
}

/* ---- JSON ------------------------------------------------------------------------------------------ */

static void write_cell(carom_json *json, const bench_output *output, int p, int s)
{
    const bench_problem *problem = &output->problem[p];
    const bench_cell *cell = &problem->cell[s];
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "file", problem->path);
    carom_json_text(json, "solver", output->solver[s].label);
    carom_json_text(json, "status", carom_solve_word_text(cell->report.word));
    carom_json_number(json, "contacts", problem->contacts);
    carom_json_number(json, "dimension", problem->dimension);
    carom_json_number(json, "iterations", cell->report.iterations);
    carom_json_number(json, "error", cell->report.error);
    carom_json_number(json, "wall_s", cell->seconds);
    carom_json_object_end(json);
}

static void write_curve(carom_json *json, const bench_output *output, int s)
{
    const carom_profile *profile = output->profile;
    carom_json_object_begin(json, NULL);
    carom_json_text(json, "solver", output->solver[s].label);
    carom_json_number(json, "fastest", carom_profile_share(profile, s, 1.0));
    carom_json_number(json, "solved", carom_profile_share(profile, s, INFINITY));
    carom_json_array_begin(json, "rho");
    for (int k = 0; k < profile->tau_count; k++)
        carom_json_number(json, NULL, profile->share[(ptrdiff_t)s * profile->tau_count + k]);
    carom_json_array_end(json);
    carom_json_object_end(json);
}

void print_bench_json(const bench_output *output)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_number(&json, "tolerance", output->limits->tolerance);
    carom_json_number(&json, "max_seconds", output->limits->max_seconds);
    carom_json_array_begin(&json, "results");
    for (int p = 0; p < output->problem_count; p++)
        for (int s = 0; s < output->solver_count; s++)
            write_cell(&json, output, p, s);
    carom_json_array_end(&json);
    carom_json_object_begin(&json, "profile");
    carom_json_number(&json, "problems", output->profile->problems);
    carom_json_number(&json, "unsolved", output->profile->unsolved);
    carom_json_array_begin(&json, "tau");
    for (int k = 0; k < output->profile->tau_count; k++)
        carom_json_number(&json, NULL, output->profile->tau[k]);
    carom_json_array_end(&json);
    carom_json_array_begin(&json, "solvers");
    for (int s = 0; s < output->solver_count; s++)
        write_curve(&json, output, s);
    carom_json_array_end(&json);
    carom_json_object_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}
