/* The first rank is `carom solve`: its options, lines, JSON and files. What is asked goes to all ranks as an `order`. Each
 * reads its part of the file; where the reduced form is wanted, all of it. Options with one dash are PETSc's. */
#include "solve_command.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <petscsys.h>

#include "app/solve_output.h"
#include "carom/io.h"
#include "carom/mpi/contact.h"

typedef carom_status solve_function(carom_mpi_contact *, const carom_solver_options *, carom_solve_report *,
                                    carom_error *);

/* ---- what can be asked ------------------------------------------------------------------------------------------- */

typedef struct method {
    carom_solver_ops ops; /* its name, for the lines */
    solve_function *solve;
    bool global, reduced; /* forms that it takes; a global problem is reduced where it must be */
} method;

static const method methods[] = {
    {{.name = "newton", .summary = "proximal points with Newton's method"},
     carom_mpi_contact_newton,
     true,
     true},
    {{.name = "sweeps", .summary = "Gauss-Seidel on every rank, for piles"},
     carom_mpi_contact_sweeps,
     false,
     true},
    {{.name = "admm", .summary = "alternating directions"}, carom_mpi_contact_admm, true, false},
    {{.name = "obstacle", .summary = "PETSc's variational inequalities, without friction"},
     carom_mpi_contact_obstacle,
     true,
     false},
};
enum {
    METHODS = sizeof methods / sizeof *methods
};
static const char *const linear_names[] = {"direct", "hypre", "gamg", "free"}; /* as carom_mpi_linear */
enum {
    LINEARS = sizeof linear_names / sizeof *linear_names
};

enum {
    OPTION_METHOD,
    OPTION_LINEAR,
    OPTION_TOL,
    OPTION_MAX_SECONDS,
    OPTION_MAX_ITERATIONS,
    OPTION_WRITE,
    OPTION_FORCE,
    OPTION_HISTORY,
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_COUNT
};

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_METHOD] = {"--method", true, false, 0, NULL},
    [OPTION_LINEAR] = {"--linear", true, false, 0, NULL},
    [OPTION_TOL] = {"--tol", true, false, 0, NULL},
    [OPTION_MAX_SECONDS] = {"--max-seconds", true, false, 0, NULL},
    [OPTION_MAX_ITERATIONS] = {"--max-iterations", true, false, 0, NULL},
    [OPTION_WRITE] = {"--write", true, false, 0, NULL},
    [OPTION_FORCE] = {"--force", false, false, 0, NULL},
    [OPTION_HISTORY] = {"--history", true, false, 0, NULL, WRITES_FILE},
    [OPTION_JSON] = {"--json", false, false, 0, NULL},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
};

static const command command_ranks_solve = {
    .name = "solve",
    .usage =
        "carom-mpi solve FILE.hdf5... [--method newton|sweeps|admm|obstacle] [--linear "
        "direct|hypre|gamg|free] [--tol T] [--max-seconds S] [--max-iterations N] [--write DIR [--force]] "
        "[--history FILE.csv] [--json] [--quiet] [-PETSC_OPTION ...]; solvers by name, guesses and "
        "pictures are those of carom solve",
    .option_count = OPTION_COUNT,
    .options = option_table,
};

/* What all ranks are told. */
typedef struct order {
    int files; /* 0: nothing, go home */
    int method, linear, max_iterations;
    double tolerance, max_seconds;
    bool wants_solution;
} order;

typedef struct job {
    int rank, ranks;
    order order;
    arguments arguments; /* of the first rank, as all that follows */
    chosen_solver solver;
    solved_file *result;
    solve_history history;
    bool failed, input_failed;
    int neighbours; /* most of a rank, in an iteration of sweeps */
    long border;    /* most numbers that a rank sends and receives then */
} job;

/* ---- the command line -------------------------------------------------------------------------------------------- */

/* Without PETSc's options and their values. */
static int strip_petsc(int argc, char **argv, char **to)
{
    int count = 0;
    for (int i = 0; i < argc; i++) {
        const bool is_petsc = i > 0 && argv[i][0] == '-' && argv[i][1] != '-' && argv[i][1] != '\0';
        if (!is_petsc)
            to[count++] = argv[i];
        else if (i + 1 < argc && argv[i + 1][0] != '-')
            i++;
    }
    return count;
}

static bool read_method(job *self)
{
    const char *name = value_of(&self->arguments, OPTION_METHOD);
    for (int i = 0; name && i < METHODS; i++)
        if (strcmp(name, methods[i].ops.name) == 0) {
            self->order.method = i;
            return true;
        }
    if (!name)
        return true;
    report_usage(&command_ranks_solve, "--method is newton, sweeps, admm or obstacle; got '%s'", name);
    return false;
}

static bool read_linear(job *self)
{
    const char *name = value_of(&self->arguments, OPTION_LINEAR);
    for (int i = 0; name && i < LINEARS; i++)
        if (strcmp(name, linear_names[i]) == 0) {
            self->order.linear = i;
            return true;
        }
    if (!name)
        return true;
    report_usage(&command_ranks_solve, "--linear is direct, hypre, gamg or free; got '%s'", name);
    return false;
}

static bool read_command_line(job *self, int argc, char **argv)
{
    const command *what = &command_ranks_solve;
    carom_solver_options limits = {.tolerance = 1e-8};
    if (!parse_arguments(what, argc, argv, &self->arguments))
        return false;
    const int files = self->arguments.positional_count;
    if (files == 0 || (files > 1 && has_option(&self->arguments, OPTION_HISTORY))) {
        report_usage(what, files == 0 ? "which FCLIB file?" : "--history needs one file");
        return false;
    }
    if (!read_limits(what, &self->arguments.option[OPTION_TOL], &self->arguments.option[OPTION_MAX_SECONDS],
                     &limits) ||
        !read_whole(what, &self->arguments.option[OPTION_MAX_ITERATIONS], 1, WHOLE_MOST,
                    &self->order.max_iterations) ||
        !read_method(self) || !read_linear(self))
        return false;
    self->order.tolerance = limits.tolerance;
    self->order.max_seconds = limits.max_seconds;
    self->order.wants_solution = has_option(&self->arguments, OPTION_WRITE);
    self->solver = (chosen_solver){.ops = &methods[self->order.method].ops};
    self->result = carom_arena_take(self->arguments.arena, (size_t)files, sizeof *self->result);
    for (int i = 0; self->result && i < files; i++) {
        self->result[i].path = self->arguments.positional[i];
        self->result[i].shown = carom_arena_copy_plain(self->arguments.arena, self->result[i].path);
        if (!self->result[i].shown)
            return false;
    }
    self->order.files = files;
    return self->result != NULL;
}

/* ---- one file, by all ranks -------------------------------------------------------------------------------------- */

/* Every rank's yes. */
static bool all_agree(bool own)
{
    int mine = own, all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all != 0;
}

/* All ranks fail where one does, with the words of the first that did. */
static carom_status agree_on(carom_status status, carom_error *error)
{
    int rank, own, first;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    own = status == CAROM_OK ? INT_MAX : rank;
    MPI_Allreduce(&own, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (first == INT_MAX)
        return CAROM_OK;
    MPI_Bcast(error, (int)sizeof *error, MPI_BYTE, first, MPI_COMM_WORLD);
    return error->status;
}

/* The first rank's path on all of them; NULL on all: memory is short. */
static char *tell_path(const char *path, int rank)
{
    int length = rank == 0 ? (int)strlen(path) : 0;
    MPI_Bcast(&length, 1, MPI_INT, 0, MPI_COMM_WORLD);
    char *name = carom_new_array((size_t)length + 1, 1);
    if (!all_agree(name != NULL) || !name) {
        free(name);
        return NULL;
    }
    if (rank == 0)
        memcpy(name, path, (size_t)length);
    MPI_Bcast(name, length, MPI_CHAR, 0, MPI_COMM_WORLD);
    return name;
}

static carom_status refuse_rolling(const carom_fclib *content, const char *name, carom_error *error)
{
    if (content->is_global ? !content->global.mu_r : !content->local.mu_r)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s has rolling friction, which is not solved on ranks; carom solve solves it", name);
}

/* On all ranks: of a global problem that is solved as such the part of each, otherwise everything. */
static carom_status read_problem(const job *self, const char *path, carom_fclib **content, carom_error *error)
{
    *content = NULL;
    char *name = tell_path(path, self->rank);
    if (!name)
        return carom_fail_memory(error);
    const bool in_parts = methods[self->order.method].global;
    carom_status status =
        agree_on(in_parts ? carom_fclib_read_part(name, self->rank, self->ranks, content, error)
                          : carom_fclib_read(name, content, error),
                 error);
    if (status == CAROM_OK && in_parts && !(*content)->is_global) {
        carom_fclib_free(*content);
        status = agree_on(carom_fclib_read(name, content, error), error);
    }
    if (status == CAROM_OK)
        status = agree_on(refuse_rolling(*content, name, error), error);
    free(name);
    return status;
}

/* Of what a file holds, which is freed: PETSc takes its memory afterwards. */
static carom_status spread_global(carom_mpi_linear linear, carom_fclib **content, carom_mpi_contact **problem,
                                  carom_error *error)
{
    carom_mpi_contact_part part;
    carom_arena *arena = carom_arena_create();
    carom_status status = agree_on(arena ? CAROM_OK : carom_fail_memory(error), error);
    if (status == CAROM_OK)
        status = carom_mpi_contact_collect(MPI_COMM_WORLD, &(*content)->global, arena, &part, error);
    carom_fclib_free(*content);
    *content = NULL;
    if (status == CAROM_OK)
        status = carom_mpi_contact_create(MPI_COMM_WORLD, &part, linear, problem, error);
    carom_arena_free(arena);
    return status;
}

static carom_status spread_reduced(carom_mpi_linear linear, const carom_fclib *content,
                                   carom_mpi_contact **problem, carom_error *error)
{
    carom_arena *arena = carom_arena_create();
    carom_coulomb reduced;
    carom_status status = !arena ? carom_fail_memory(error)
                          : content->is_global
                              ? carom_coulomb_reduce(&content->global, arena, &reduced, error)
                              : carom_coulomb_embed(&content->local, arena, &reduced, error);
    status = agree_on(status, error);
    if (status == CAROM_OK)
        status = carom_mpi_contact_spread_reduced(MPI_COMM_WORLD, &reduced, linear, problem, error);
    carom_arena_free(arena);
    return status;
}

static carom_status spread(const order *asked, carom_fclib **content, carom_mpi_contact **problem,
                           carom_error *error)
{
    const method *how = &methods[asked->method];
    const carom_mpi_linear linear = (carom_mpi_linear)asked->linear;
    if ((*content)->is_global && how->global)
        return spread_global(linear, content, problem, error);
    if (how->reduced)
        return spread_reduced(linear, *content, problem, error);
    return carom_fail(error, CAROM_BAD_INPUT,
                      "the file holds a reduced problem (W, q); --method %s takes global ones (M, H)",
                      how->ops.name);
}

/* Of the first rank. */
static void take_report(void *context, int iteration, double error, double seconds)
{
    solve_history *history = context;
    if (history->count == history->capacity) {
        const size_t larger = 2 * history->capacity + 64;
        solve_point *point = realloc(history->point, larger * sizeof *point);
        history->is_short = history->is_short || !point;
        if (!point)
            return;
        history->point = point;
        history->capacity = larger;
    }
    history->point[history->count++] = (solve_point){iteration, error, seconds};
}

/* Numbers per contact that a file has, from three. */
static void extract(int contacts, int dimension, const double *from, int per_contact, double *to)
{
    for (int k = 0; k < dimension * contacts; k++)
        to[k] = from[k / dimension * per_contact + k % dimension];
}

/* What the first rank has of all. */
typedef struct gathered {
    carom_arena *arena;
    int contacts, velocities;
    double *r, *u, *v; /* three numbers per contact, or as many as the file has */
    bool is_reduced;   /* three, and no v */
} gathered;

static carom_status gather(const job *self, carom_mpi_contact *problem, const solved_file *result,
                           gathered *all, carom_error *error)
{
    const bool is_first = self->rank == 0;
    all->contacts = carom_mpi_contact_contacts(problem);
    all->is_reduced = !(result->is_global && methods[self->order.method].global);
    all->arena = is_first ? carom_arena_create() : NULL;
    all->velocities = carom_mpi_contact_velocities(problem);
    const size_t size = 3 * (size_t)all->contacts;
    if (all->arena) {
        all->r = carom_arena_take(all->arena, size, sizeof *all->r);
        all->u = carom_arena_take(all->arena, size, sizeof *all->u);
        all->v = carom_arena_take(all->arena, (size_t)all->velocities, sizeof *all->v);
    }
    if (!all_agree(!is_first || (all->arena && all->r && all->u && all->v)))
        return carom_fail_memory(error);
    return carom_mpi_contact_gather(problem, all->r, all->u, all->v, error);
}

static bool fits(const gathered *all, const carom_fclib *whole)
{
    return whole->is_global ? whole->global.contacts == all->contacts &&
                                  (all->is_reduced || whole->global.M.rows == all->velocities)
                            : whole->local.contacts == all->contacts && all->is_reduced;
}

/* On the first rank: the whole file, which is read again, with the solution. */
static carom_status fill_solution(const gathered *all, const char *path, carom_fclib **content,
                                  carom_error *error)
{
    const carom_status status = carom_fclib_read(path, content, error);
    if (status != CAROM_OK)
        return status;
    carom_fclib *whole = *content;
    if (!fits(all, whole))
        return carom_fail(error, CAROM_FAILED, "%s is another file than the one that was solved", path);
    const int d = whole->is_global ? whole->global.dimension : whole->local.dimension,
              given = all->is_reduced ? 3 : d;
    const size_t size = (size_t)(d * all->contacts),
                 velocities = whole->is_global ? (size_t)whole->global.M.rows : 0;
    carom_fclib_solution *solution = &whole->solution;
    *solution = (carom_fclib_solution){
        .u = carom_arena_take(whole->arena, size, sizeof(double)),
        .r = carom_arena_take(whole->arena, size, sizeof(double)),
        .v = whole->is_global ? carom_arena_take(whole->arena, velocities, sizeof(double)) : NULL};
    if (!solution->u || !solution->r || (whole->is_global && !solution->v))
        return carom_fail_memory(error);
    extract(all->contacts, d, all->r, given, solution->r);
    extract(all->contacts, d, all->u, given, solution->u);
    if (whole->is_global && all->is_reduced)
        return carom_coulomb_motion(&whole->global, solution->r, solution->v, NULL, error);
    if (whole->is_global)
        memcpy(solution->v, all->v, velocities * sizeof *solution->v);
    return CAROM_OK;
}

static void take_border(job *self, const carom_mpi_contact *problem)
{
    long own[2] = {0}, most[2];
    int neighbours = 0;
    carom_mpi_contact_border(problem, &neighbours, &own[1]);
    own[0] = neighbours;
    MPI_Allreduce(own, most, 2, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
    self->neighbours = (int)most[0];
    self->border = most[1];
}

/* The problem of the file on ranks, which need the file no more. */
static carom_status load(job *self, solved_file *result, carom_mpi_contact **problem, carom_error *error)
{
    carom_fclib *content = NULL;
    carom_status status = read_problem(self, result->path, &content, error);
    if (status == CAROM_OK) {
        result->is_global = content->is_global;
        result->dimension = content->is_global ? content->global.dimension : content->local.dimension;
        status = spread(&self->order, &content, problem, error);
    }
    carom_fclib_free(content);
    return status;
}

/* Solved; on the first rank `result` is filled and the content has the solution where it is wanted. */
static carom_status solve_together(job *self, solved_file *result, carom_fclib **content, carom_error *error)
{
    const order *asked = &self->order;
    carom_mpi_contact *problem = NULL;
    carom_solver_options limits = {.tolerance = asked->tolerance,
                                   .max_iterations = asked->max_iterations,
                                   .max_seconds = asked->max_seconds};
    if (self->rank == 0) {
        limits.report = take_report;
        limits.context = &self->history;
    }
    carom_status status = load(self, result, &problem, error);
    if (status == CAROM_OK)
        status = methods[asked->method].solve(problem, &limits, &result->report, error);
    if (status == CAROM_OK) {
        take_border(self, problem);
        carom_mpi_contact_summarise(problem, &result->summary);
        result->contacts = carom_mpi_contact_contacts(problem);
        result->guess_count = 0; /* they are not used here */
        result->wall_seconds = result->report.seconds;
    }
    gathered all = {0};
    if (status == CAROM_OK && asked->wants_solution)
        status = gather(self, problem, result, &all, error);
    carom_mpi_contact_free(problem); /* before the file takes memory */
    if (status == CAROM_OK && all.arena)
        status = fill_solution(&all, result->path, content, error);
    carom_arena_free(all.arena);
    return status;
}

/* ---- what the first rank says ------------------------------------------------------------------------------------ */

static double largest_megabytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double own = (double)usage.ru_maxrss / 1024.0, all = 0.0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return all;
}

static double processor_seconds(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    double own = (double)usage.ru_utime.tv_sec + 1e-6 * (double)usage.ru_utime.tv_usec, all = 0.0;
    MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

static void show(job *self, const solve_output *output, const solved_file *result, double megabytes,
                 double seconds)
{
    if (!has_option(&self->arguments, OPTION_JSON) && !has_option(&self->arguments, OPTION_QUIET)) {
        if (result == self->result)
            print_solve_head(output);
        print_solve_row(output, result);
        if (output->count == 1) {
            print_solve_details(result);
            printf("  ranks        %d, user time of all %.3g s, memory of one at most %.0f MB\n", self->ranks,
                   seconds, megabytes);
            if (self->border > 0)
                printf("  border       a rank has up to %d neighbour%s, and exchanges up to %ld numbers\n",
                       self->neighbours, plural(self->neighbours), self->border);
        }
    }
    if (result->report.word != CAROM_SOLVE_OK)
        fprintf(stderr, "carom: %s: not solved (%s after %d iteration%s): best error %.3e, wanted %.3g\n",
                result->shown, carom_solve_word_text(result->report.word), result->report.iterations,
                plural(result->report.iterations), result->report.error, self->order.tolerance);
}

static carom_status write_solution(const job *self, const solved_file *result, carom_fclib *content,
                                   carom_error *error)
{
    const char *directory = value_of(&self->arguments, OPTION_WRITE), *slash = strrchr(result->path, '/');
    if (!directory)
        return CAROM_OK;
    if (mkdir(directory, 0777) != 0 && errno != EEXIST)
        return carom_fail(error, CAROM_FAILED, "%s: %s", directory, strerror(errno));
    carom_text path = {0};
    carom_text_append(&path, "%s/%s", directory, slash ? slash + 1 : result->path);
    const carom_status status =
        path.failed
            ? carom_fail_memory(error)
            : carom_fclib_write(path.bytes, content, has_option(&self->arguments, OPTION_FORCE), error);
    carom_text_free(&path);
    return status;
}

static carom_status write_history(const job *self, carom_error *error)
{
    const char *path = value_of(&self->arguments, OPTION_HISTORY);
    carom_output *output = NULL;
    if (!path)
        return CAROM_OK;
    const carom_status status = carom_output_open(path, false, &output, error);
    if (status != CAROM_OK)
        return status;
    write_solve_history(carom_output_stream(output), &self->history);
    return carom_output_commit(output, error);
}

/* Before a long computation, on the first rank: can its result be written? */
static carom_status check_target(const job *self, const solved_file *result, carom_error *error)
{
    const char *directory = value_of(&self->arguments, OPTION_WRITE), *slash = strrchr(result->path, '/');
    if (!directory)
        return CAROM_OK;
    carom_text path = {0};
    carom_text_append(&path, "%s/%s", directory, slash ? slash + 1 : result->path);
    carom_status status = path.failed ? carom_fail_memory(error) : CAROM_OK;
    if (status == CAROM_OK && !has_option(&self->arguments, OPTION_FORCE) && access(path.bytes, F_OK) == 0)
        status =
            carom_fail(error, CAROM_BAD_INPUT, "%s is there already; --force writes over it", path.bytes);
    if (status == CAROM_OK && is_same_file(path.bytes, result->path))
        status = carom_fail(error, CAROM_BAD_INPUT, "%s is read by this command; --write another directory",
                            path.bytes);
    carom_text_free(&path);
    return status;
}

/* ---- all files --------------------------------------------------------------------------------------------------- */

static void note_failure(job *self, solved_file *result, const carom_error *error)
{
    self->failed = true;
    if (self->rank > 0)
        return;
    if (report_error(error) == EXIT_BAD_INPUT)
        self->input_failed = true;
    result->message = carom_arena_copy_text(self->arguments.arena, error->text);
}

static void solve_file(job *self, const solve_output *output, solved_file *result)
{
    carom_error error = {0};
    carom_fclib *content = NULL;
    result->stored = (stored_solution){.error = NAN, .u_of_r = NAN, .u_difference = NAN};
    carom_status status = self->rank == 0 ? check_target(self, result, &error) : CAROM_OK;
    if (!all_agree(status == CAROM_OK)) {
        note_failure(self, result, &error);
        return;
    }
    status = solve_together(self, result, &content, &error);
    const double megabytes = largest_megabytes(), seconds = processor_seconds();
    if (status == CAROM_OK && self->rank == 0) {
        show(self, output, result, megabytes, seconds);
        status = write_solution(self, result, content, &error);
        if (status == CAROM_OK)
            status = write_history(self, &error);
    }
    self->failed = self->failed || result->report.word != CAROM_SOLVE_OK;
    if (status != CAROM_OK)
        note_failure(self, result, &error);
    carom_fclib_free(content);
}

static int execute(job *self)
{
    solved_file other = {0}; /* ranks but the first keep nothing */
    const solve_output output = {
        &self->solver,
        &(carom_solver_options){.tolerance = self->order.tolerance, .max_seconds = self->order.max_seconds},
        self->order.files, self->result};
    for (int i = 0; i < self->order.files; i++)
        solve_file(self, &output, self->rank == 0 ? &self->result[i] : &other);
    if (self->rank > 0)
        return EXIT_DONE;
    bool was_read = false;
    for (int i = 0; i < self->order.files; i++)
        was_read = was_read || !self->result[i].message;
    if (has_option(&self->arguments, OPTION_JSON) && was_read)
        print_solve_json(&output);
    return self->input_failed ? EXIT_BAD_INPUT : self->failed ? EXIT_COMPUTATION_FAILED : EXIT_DONE;
}

int ranks_solve(int argc, char **argv)
{
    job self = {0};
    int exit_status = EXIT_DONE, count = argc;
    char **given = argv, **own = carom_new_array((size_t)argc + 1, sizeof *own);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &self.ranks);
    if (!all_agree(own != NULL) || !own || PetscInitialize(&count, &given, NULL, NULL) != 0) {
        free(own);
        return EXIT_COMPUTATION_FAILED;
    }
    PetscPushErrorHandler(PetscReturnErrorHandler, NULL);
    carom_linalg_serial();
    if (self.rank == 0 && !read_command_line(&self, strip_petsc(argc, argv, own), own)) {
        self.order.files = 0;
        exit_status = EXIT_BAD_INPUT;
    }
    MPI_Bcast(&self.order, (int)sizeof self.order, MPI_BYTE, 0, MPI_COMM_WORLD);
    if (self.order.files > 0)
        exit_status = execute(&self);
    if (self.rank == 0)
        free_arguments(&self.arguments);
    free(self.history.point);
    free(own);
    PetscPopErrorHandler();
    PetscFinalize();
    return exit_status;
}
