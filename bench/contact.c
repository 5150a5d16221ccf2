/* Frictional contact problems (FCLIB files) by the default solver, beside Siconos.
 *
 *   contact solve DIRECTORY FILE...   times the default from r = 0 and writes each problem for Siconos
 *   contact time FILE...              times only
 *   contact error FILE REACTIONS      carom_coulomb_error of the reactions in a text file, 3 per contact; of problems with rolling
 *                                     friction carom_rolling_error, as many numbers per contact as the file has
 *
 * Rows of `solve` and `time`:  problem NAME CONTACTS SECONDS ERROR WORD WAY PATH.  The problem goes to DIRECTORY/NAME.dat in
 * Siconos' own text format: 3x3 blocks, three numbers per contact, equations of motion already eliminated. One in space with
 * equations of motion goes to DIRECTORY/NAME.global as well (write_global). Rolling friction goes to DIRECTORY/NAME.rolling, its
 * equations of motion alone, without torsion, which Siconos does not know.
 *
 * What is timed is what `carom solve` does with a file that it has read: a global problem is looked at, left as it is (way `global`) or
 * reduced to W (`reduced`), and solved; a local one is solved (`local`). The memory that this takes is in the time, reading is not. The
 * error is that of W and q, whatever the way. */
#include "carom/contact/rolling.h"
#include "measure.h"

static const double tolerance = 1e-8, seconds_most = 60.0;
static const double seconds_enough = 3.0; /* longer runs are not repeated */
static const double batch_seconds = 5e-3; /* shorter runs are taken together: the clock is not that fine */

typedef struct contact_problem {
    carom_fclib *content;
    carom_arena *arena;
    carom_coulomb coulomb; /* with rolling friction that of its parts */
    carom_rolling rolling;
    bool is_rolling;
    int dimension, contacts;
} contact_problem;

static void free_problem(contact_problem *p)
{
    carom_fclib_free(p->content);
    carom_arena_free(p->arena);
}

static carom_status pose(contact_problem *p, carom_error *error)
{
    const carom_coulomb_global *global = &p->content->global;
    const carom_coulomb_local *local = &p->content->local;
    const bool is_global = p->content->is_global;
    p->dimension = is_global ? global->dimension : local->dimension;
    p->contacts = is_global ? global->contacts : local->contacts;
    p->is_rolling = is_global ? global->mu_r : local->mu_r;
    if (!p->is_rolling)
        return is_global ? carom_coulomb_reduce(global, p->arena, &p->coulomb, error)
                         : carom_coulomb_embed(local, p->arena, &p->coulomb, error);
    const carom_status status = is_global ? carom_rolling_reduce(global, p->arena, &p->rolling, error)
                                          : carom_rolling_embed(local, p->arena, &p->rolling, error);
    p->coulomb = p->rolling.parts;
    return status;
}

/* False, with a message, when the file holds no problem of this kind. */
static bool read_problem(const char *path, contact_problem *p)
{
    *p = (contact_problem){.arena = carom_arena_create()};
    if (!p->arena)
        exit(EXIT_FAILURE);
    carom_error error;
    carom_status status = carom_fclib_read(path, &p->content, &error);
    if (status == CAROM_OK)
        status = pose(p, &error);
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

static FILE *open_or_exit(const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) {
        perror(path);
        exit(EXIT_FAILURE);
    }
    return file;
}

static void write_problem(const char *directory, const char *name, const carom_coulomb *problem)
{
    enum {
        STORAGE_SPARSE_BLOCK = 1
    };
    const int contacts = problem->contacts, size = 3 * contacts;
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.dat", directory, name);
    FILE *file = open_or_exit(path);
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

static void write_sparse(FILE *file, const carom_sparse *matrix)
{
    fprintf(file, "%d %d %d\n", matrix->rows, matrix->columns, matrix->column_start[matrix->columns]);
    for (int j = 0; j < matrix->columns; j++)
        for (int k = matrix->column_start[j]; k < matrix->column_start[j + 1]; k++)
            fprintf(file, "%d %d %.17g\n", matrix->row[k], j, matrix->value[k]);
}

static void write_vector(FILE *file, int n, const double *x)
{
    for (int i = 0; i < n; i++)
        fprintf(file, "%.17g\n", x[i]);
}

/* M, H by entries, f, w, mu, and mu_r where it is there, after the dimension; where there are no equations beside the motion. */
static void write_global(const char *directory, const char *name, const carom_coulomb_global *global)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.%s", directory, name, global->mu_r ? "rolling" : "global");
    FILE *file = open_or_exit(path);
    if (global->mu_r)
        fprintf(file, "%d\n", global->dimension);
    write_sparse(file, &global->M);
    write_sparse(file, &global->H);
    write_vector(file, global->M.rows, global->f);
    write_vector(file, global->H.columns, global->w);
    write_vector(file, global->contacts, global->mu);
    if (global->mu_r)
        write_vector(file, global->contacts, global->mu_r);
    if (fclose(file) != 0) {
        perror(path);
        exit(EXIT_FAILURE);
    }
}

static void write_for_siconos(const char *directory, const char *name, const contact_problem *p)
{
    const bool moves = p->content->is_global && p->content->global.G.columns == 0;
    if (!p->is_rolling)
        write_problem(directory, name, &p->coulomb);
    if (moves && (p->is_rolling ? p->dimension < 6 : p->dimension == 3))
        write_global(directory, name, &p->content->global);
}

/* ---- the default ------------------------------------------------------------------------------------ */

static void check(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        stop("contact", error);
}

/* With rolling friction; r has as many numbers per contact as the file. */
static const char *solve_rolling(const contact_problem *p, double *r, carom_solve_report *report)
{
    const carom_solver_options limits = {.tolerance = tolerance, .max_seconds = seconds_most};
    const carom_coulomb_global *global = &p->content->global;
    const bool is_global = p->content->is_global;
    carom_arena *arena = carom_arena_create();
    carom_error error;
    if (!arena)
        exit(EXIT_FAILURE);
    const char *way = "global";
    if (is_global && carom_rolling_prefers_global(global)) {
        double *v = carom_arena_take(arena, (size_t)global->M.rows, sizeof *v);
        check(v ? carom_rolling_solve_global(global, &limits, v, r, report, &error)
                : carom_fail_memory(&error),
              &error);
    } else {
        carom_rolling rolling = p->rolling;
        way = is_global ? "reduced" : "local";
        if (is_global)
            check(carom_rolling_reduce(global, arena, &rolling, &error), &error);
        double *three = carom_arena_take(arena, 3 * (size_t)rolling.parts.contacts, sizeof *three);
        check(three ? carom_rolling_solve(NULL, &rolling, &limits, three, report, &error)
                    : carom_fail_memory(&error),
              &error);
        carom_rolling_unpack_reactions(&rolling, three, r);
    }
    carom_arena_free(arena);
    return way;
}

/* As `carom solve` does from what it has read; r has three numbers per contact. The way is one of three words. */
static const char *solve_default(const contact_problem *p, double *r, carom_solve_report *report)
{
    const carom_solver_options limits = {.tolerance = tolerance, .max_seconds = seconds_most};
    const carom_solver_ops *solver = carom_solver_find(CAROM_PROBLEM_COULOMB, "auto", NULL);
    carom_error error;
    if (p->is_rolling)
        return solve_rolling(p, r, report);
    if (!p->content->is_global) {
        check(carom_coulomb_solve(solver, &p->coulomb, &limits, r, report, &error), &error);
        return "local";
    }
    const carom_coulomb_global *global = &p->content->global;
    if (!carom_coulomb_prefers_global(global)) {
        carom_arena *arena = carom_arena_create();
        carom_coulomb reduced;
        check(carom_coulomb_reduce(global, arena, &reduced, &error), &error);
        check(carom_coulomb_solve(solver, &reduced, &limits, r, report, &error), &error);
        carom_arena_free(arena);
        return "reduced";
    }
    double *v = malloc((size_t)global->M.rows * sizeof *v);
    if (!v)
        exit(EXIT_FAILURE);
    check(carom_coulomb_solve_global(global, &limits, v, r, report, &error), &error);
    free(v);
    for (int i = p->dimension == 2 ? global->contacts - 1 : -1; i >= 0; i--) {
        const double normal = r[2 * i], tangent = r[2 * i + 1];
        r[3 * i] = normal;
        r[3 * i + 1] = tangent;
        r[3 * i + 2] = 0.0;
    }
    return "global";
}

/* The best of several runs, each from zero. */
static double time_default(const contact_problem *p, double *r, carom_solve_report *report, const char **way)
{
    double best = INFINITY, spent = 0.0;
    for (int i = 0; (i < RUNS_LEAST && spent < seconds_enough) || spent < seconds_least; i++) {
        double batch = 0.0;
        int runs = 0;
        for (; batch < batch_seconds; runs++) {
            memset(r, 0, 3 * (size_t)p->coulomb.contacts * sizeof *r);
            const double started = processor_seconds();
            *way = solve_default(p, r, report);
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

/* Whatever solver r comes from. */
static double error_of(const contact_problem *p, const double *r)
{
    if (!p->is_rolling)
        return carom_coulomb_error(&p->coulomb, r);
    const size_t size = 3 * (size_t)p->coulomb.contacts;
    double *three = malloc(2 * size * sizeof *three);
    if (!three)
        exit(EXIT_FAILURE);
    carom_rolling_pack_reactions(&p->rolling, r, three);
    carom_rolling_examine(&p->rolling, three, three + size, NULL, NULL, NULL);
    const double error = carom_rolling_error(&p->rolling, three, three + size);
    free(three);
    return error;
}

/* Writes nothing where there is no directory. */
static void solve(const char *directory, const char *path)
{
    char name[256];
    name_of(path, name, sizeof name);
    contact_problem p;
    if (!read_problem(path, &p))
        return;
    if (directory)
        write_for_siconos(directory, name, &p);
    double *r = take_reactions(&p);
    carom_solve_report report;
    const char *way = "";
    const double seconds = time_default(&p, r, &report, &way);
    printf("problem %s %d %.3e %.3e %s %s %s\n", name, p.contacts, seconds, error_of(&p, r),
           carom_solve_word_text(report.word), way, path);
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
    const int numbers = (p.is_rolling ? p.dimension : 3) * p.contacts;
    for (int i = 0; i < numbers; i++)
        if (fscanf(file, "%lf", &r[i]) != 1) {
            fprintf(stderr, "%s: %d numbers are needed\n", reactions, numbers);
            exit(EXIT_FAILURE);
        }
    fclose(file);
    printf("%.3e\n", error_of(&p, r));
    free_problem(&p);
}

int main(int argc, char **argv)
{
    if (argc > 3 && strcmp(argv[1], "solve") == 0) {
        for (int i = 3; i < argc; i++)
            solve(argv[2], argv[i]);
        return EXIT_SUCCESS;
    }
    if (argc > 2 && strcmp(argv[1], "time") == 0) {
        for (int i = 2; i < argc; i++)
            solve(NULL, argv[i]);
        return EXIT_SUCCESS;
    }
    if (argc == 4 && strcmp(argv[1], "error") == 0) {
        print_error(argv[2], argv[3]);
        return EXIT_SUCCESS;
    }
    fprintf(stderr, "usage: %s solve DIRECTORY FILE... | time FILE... | error FILE REACTIONS\n", argv[0]);
    return 2;
}
