/* Frictional contact problems (FCLIB files) by the default solver, beside Siconos.
 *
 *   contact solve DIRECTORY FILE...   times `auto` from r = 0 and writes each problem for Siconos
 *   contact error FILE REACTIONS      carom_coulomb_error of the reactions in a text file
 *
 * Rows of `solve`:  problem NAME CONTACTS SECONDS ERROR WORD PATH.  The problem goes to DIRECTORY/NAME.dat in
 * Siconos' own text format: 3x3 blocks, three numbers per contact, equations of motion already eliminated.
 * Only the solver is timed, with the memory that it takes; reading and elimination are not. */
#include "measure.h"

static const double tolerance = 1e-8, seconds_most = 10.0;
static const double batch_seconds = 5e-3; /* shorter runs are taken together: the clock is not that fine */

typedef struct contact_problem {
    carom_fclib *content;
    carom_arena *arena;
    carom_coulomb coulomb;
} contact_problem;

static void free_problem(contact_problem *p)
{
    carom_fclib_free(p->content);
    carom_arena_free(p->arena);
}

/* False, with a message, when the file holds no problem of this kind (rolling friction, for example). */
static bool read_problem(const char *path, contact_problem *p)
{
    *p = (contact_problem){.arena = carom_arena_create()};
    if (!p->arena)
        exit(EXIT_FAILURE);
    carom_error error;
    carom_status status = carom_fclib_read(path, &p->content, &error);
    if (status == CAROM_OK)
        status = p->content->is_global
                     ? carom_coulomb_reduce(&p->content->global, p->arena, &p->coulomb, &error)
                     : carom_coulomb_embed(&p->content->local, p->arena, &p->coulomb, &error);
    if (status == CAROM_OK)
        return true;
    fprintf(stderr, "left out: %s\n", error.text);
    free_problem(p);
    return false;
}

static double *take_reactions(const contact_problem *p)
{
    double *r = carom_arena_take(p->arena, 3 * (size_t)p->coulomb.contacts, sizeof *r);
    if (!r)
        exit(EXIT_FAILURE);
    return r;
}

/* ---- the problem for Siconos ---------------------------------------------------------------------- */

static void write_blocks(FILE *file, const carom_blocks *W)
{
    const int filled = W->row_start[W->rows];
    fprintf(file, "%d\n%d\n%d\n", filled, W->rows, W->rows);
    for (int side = 0; side < 2; side++) /* where each row and each column of blocks ends */
        for (int i = 0; i < W->rows; i++)
            fprintf(file, "%d\n", 3 * (i + 1));
    fprintf(file, "%d\n%d\n", W->rows + 1, filled);
    for (int i = 0; i <= W->rows; i++)
        fprintf(file, "%d\n", W->row_start[i]);
    for (int k = 0; k < filled; k++)
        fprintf(file, "%d\n", W->column[k]);
    for (int k = 0; k < filled; k++) {
        const double *block = carom_block_at(W, k);
        fprintf(file, "%d\n", k);
        for (int column = 0; column < 3; column++) /* Siconos stores columns */
            for (int row = 0; row < 3; row++)
                fprintf(file, "%.17g\n", block[3 * row + column]);
    }
}

static void write_problem(const char *directory, const char *name, const carom_coulomb *problem)
{
    enum {
        STORAGE_SPARSE_BLOCK = 1
    };
    const int contacts = problem->contacts, size = 3 * contacts;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.dat", directory, name);
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    fprintf(file, "3\n%d\n%d\n%d\n%d\n", contacts, STORAGE_SPARSE_BLOCK, size, size);
    write_blocks(file, &problem->W);
    for (int i = 0; i < size; i++)
        fprintf(file, "%.17g\n", problem->q[i]);
    for (int i = 0; i < contacts; i++)
        fprintf(file, "%.17g\n", problem->mu[i]);
    if (fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

/* ---- auto ----------------------------------------------------------------------------------------- */

/* The best of several runs, each from zero. */
static double time_auto(const carom_coulomb *problem, double *r, carom_solve_report *report)
{
    const carom_solver_ops *solver = carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL);
    double best = INFINITY, spent = 0.0;
    const carom_solver_options limits = {.tolerance = tolerance, .max_seconds = seconds_most};
    for (int i = 0; i < RUNS_LEAST || spent < seconds_least; i++) {
        double batch = 0.0;
        int runs = 0;
        for (; batch < batch_seconds; runs++) {
            memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
            const double started = processor_seconds();
            if (carom_coulomb_solve(solver, problem, &limits, r, report, NULL) != CAROM_OK)
                exit(EXIT_FAILURE);
            batch += processor_seconds() - started;
        }
        best = fmin(best, batch / runs);
        spent += batch;
    }
    return best;
}

/* The file's name without directory and ending. */
static void name_of(const char *path, char *name, size_t size)
{
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    char *dot = strrchr(name, '.');
    if (dot)
        *dot = '\0';
}

static void solve(const char *directory, const char *path)
{
    char name[256];
    name_of(path, name, sizeof name);
    contact_problem p;
    if (!read_problem(path, &p))
        return;
    write_problem(directory, name, &p.coulomb);
    double *r = take_reactions(&p);
    carom_solve_report report;
    const double seconds = time_auto(&p.coulomb, r, &report);
    printf("problem %s %d %.3e %.1e %s %s\n", name, p.coulomb.contacts, seconds,
           carom_coulomb_error(&p.coulomb, r), carom_solve_word_text(report.word), path);
    fflush(stdout);
    free_problem(&p);
}

/* ---- the error of given reactions ------------------------------------------------------------------- */

static void print_error(const char *path, const char *reactions)
{
    contact_problem p;
    if (!read_problem(path, &p))
        exit(EXIT_FAILURE);
    double *r = take_reactions(&p);
    FILE *file = fopen(reactions, "r");
    if (!file) {
        perror(reactions);
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < 3 * p.coulomb.contacts; i++)
        if (fscanf(file, "%lf", &r[i]) != 1) {
            fprintf(stderr, "%s: %d numbers are needed\n", reactions, 3 * p.coulomb.contacts);
            exit(EXIT_FAILURE);
        }
    fclose(file);
    printf("%.3e\n", carom_coulomb_error(&p.coulomb, r));
    free_problem(&p);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "solve") == 0) {
        for (int i = 3; i < argc; i++)
            solve(argv[2], argv[i]);
        return EXIT_SUCCESS;
    }
    if (argc == 4 && strcmp(argv[1], "error") == 0) {
        print_error(argv[2], argv[3]);
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: %s solve DIRECTORY FILE... | error FILE REACTIONS\n", argv[0]);
    return 2;
}
