/* FCLIB files: the public collection of frictional contact problems (Acary and others, HDF5).
 *
 *   /fclib_local    spacedim; W, V, R (matrices); vectors: q, mu, s; info: title, description, math_info
 *   /fclib_global   spacedim; M, H, G; vectors: f, w, b, mu; info
 *   /fclib_global_rolling   as /fclib_global, with vectors/mu_r, and spacedim 5, or 3 in the plane
 *   /solution       u, r, v, l
 *   /guesses        number_of_guesses; 1, 2, ... as solution
 *
 * V, R, s; G, b; info; solution and guesses may be missing. Of this library alone, but in the same way: /fclib_local_rolling, and
 * vectors/mu_t with spacedim 6, torsion (carom/contact/rolling.h). A file may be damaged or made up: sizes are
 * compared with each other and with the file before memory is taken. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "fclib_matrix.h"
#include "io/parts/hdf5_guard.h"

/* How many times its own size a file may ask for: compressed lists of indices are that small. */
enum {
    EXPANSION = 100,
    BUDGET_BYTES = 1 << 20
};

/* ---- what both kinds of problems have ------------------------------------------------------------------ */

static carom_status read_dimension(const fclib_group *root, bool rolling, int *dimension)
{
    const carom_status status = fclib_read_int(root, "spacedim", dimension);
    if (status != CAROM_OK)
        return status;
    if (rolling && *dimension != 3 && *dimension != 5 && *dimension != 6)
        return fclib_bad(root, "spacedim",
                         "is %d; with rolling friction it must be 3 (plane), 5 (space) or 6 (and torsion)",
                         *dimension);
    if (!rolling && *dimension == 5)
        return fclib_bad(root, "spacedim",
                         "is 5, which is rolling friction: that stands in a group %s_rolling, with "
                         "vectors/mu_r",
                         root->path);
    if (!rolling && *dimension != 2 && *dimension != 3)
        return fclib_bad(root, "spacedim", "is %d; it must be 2 or 3", *dimension);
    return CAROM_OK;
}

static carom_status check_coefficients(const fclib_group *vectors, const char *name, int contacts,
                                       const double *value)
{
    for (int i = 0; i < contacts; i++)
        if (value[i] < 0.0)
            return fclib_bad(vectors, name, "%s[%d] = %.17g; friction coefficients must be >= 0", name, i,
                             value[i]);
    return CAROM_OK;
}

static carom_status read_mu(const fclib_group *vectors, int *contacts, const double **mu)
{
    double *value = NULL;
    const carom_status status =
        fclib_read_reals(vectors, "mu", vectors->in->problem->arena, &value, contacts);
    *mu = value;
    return status == CAROM_OK ? check_coefficients(vectors, "mu", *contacts, value) : status;
}

/* Coefficients of moments, where they are to be there. */
static carom_status read_moments(const fclib_group *vectors, bool there, const char *name, int contacts,
                                 const double **mu)
{
    double *value = NULL;
    if (!there)
        return CAROM_OK;
    if (!fclib_has(vectors, name))
        return fclib_bad(vectors, name, "is missing: coefficients of %s, one per entry of mu",
                         strcmp(name, "mu_r") == 0 ? "rolling friction" : "torsional friction (spacedim 6)");
    const carom_status status = fclib_read_vector(vectors, name, contacts, "one per entry of mu", &value);
    *mu = value;
    return status == CAROM_OK ? check_coefficients(vectors, name, contacts, value) : status;
}

/* The columns of the matrix of reactions, W or H; 0 when they cannot be told yet. */
static int reactions_of(const fclib_group *root, const char *matrix)
{
    fclib_group group;
    carom_error *const error = root->in->error, none;
    int columns = 0;
    root->in->error = &none; /* what is wrong with the matrix is told when it is read */
    if (fclib_has(root, matrix)) {
        if (fclib_open(root, matrix, &group) != CAROM_OK || fclib_read_int(&group, "n", &columns) != CAROM_OK)
            columns = 0;
        fclib_close(&group);
    }
    root->in->error = error;
    return columns;
}

/* mu and the velocity q or w: spacedim numbers for each entry of mu. Where they do not fit, the one that does
 * not fit the matrix is wrong. */
static carom_status read_mu_and_velocity(const fclib_group *root, const fclib_group *vectors,
                                         const char *velocity, const char *matrix, int dimension,
                                         int *contacts, const double **mu, double **value)
{
    int count = 0;
    carom_status status = read_mu(vectors, contacts, mu);
    if (status == CAROM_OK)
        status = fclib_read_reals(vectors, velocity, vectors->in->problem->arena, value, &count);
    if (status != CAROM_OK || (double)count == (double)dimension * *contacts)
        return status;
    if (count % dimension == 0 && count == reactions_of(root, matrix))
        return fclib_bad(
            vectors, "mu", "has %d entr%s; there must be %d: vectors/%s has %d entries, and spacedim is %d",
            *contacts, *contacts == 1 ? "y" : "ies", count / dimension, velocity, count, dimension);
    return fclib_bad(vectors, velocity, "has %d entries; there must be %.0f, spacedim for each entry of mu",
                     count, (double)dimension * *contacts);
}

static carom_status read_info(const fclib_group *root)
{
    carom_fclib *problem = root->in->problem;
    fclib_group info;
    if (!fclib_has(root, "info"))
        return CAROM_OK;
    carom_status status = fclib_open(root, "info", &info);
    if (status == CAROM_OK)
        status = fclib_read_text(&info, "title", &problem->title);
    if (status == CAROM_OK)
        status = fclib_read_text(&info, "description", &problem->description);
    if (status == CAROM_OK)
        status = fclib_read_text(&info, "math_info", &problem->math_info);
    fclib_close(&info);
    return status;
}

/* A matrix without columns, for one that is not there. */
static carom_status no_matrix(const fclib_group *root, int rows, carom_sparse *matrix)
{
    const bool taken = carom_sparse_take(root->in->problem->arena, rows, 0, 0, NULL, NULL, NULL, matrix);
    return taken ? CAROM_OK : carom_fail_memory(root->in->error);
}

/* ---- local problems ------------------------------------------------------------------------------------ */

static carom_status read_local_vectors(const fclib_group *root, carom_coulomb_local *local, bool rolling,
                                       bool equations, int *p)
{
    double *q = NULL, *s = NULL;
    fclib_group vectors;
    carom_status status = fclib_open(root, "vectors", &vectors);
    if (status == CAROM_OK)
        status = read_mu_and_velocity(root, &vectors, "q", "W", local->dimension, &local->contacts,
                                      &local->mu, &q);
    if (status == CAROM_OK)
        status = read_moments(&vectors, rolling, "mu_r", local->contacts, &local->mu_r);
    if (status == CAROM_OK)
        status = read_moments(&vectors, local->dimension == 6, "mu_t", local->contacts, &local->mu_t);
    if (status == CAROM_OK && equations)
        status = fclib_read_reals(&vectors, "s", root->in->problem->arena, &s, p);
    fclib_close(&vectors);
    local->q = q;
    local->s = s;
    return status;
}

static carom_status read_local_equations(const fclib_group *root, carom_coulomb_local *local, int p)
{
    const int m = local->dimension * local->contacts;
    const carom_status status =
        fclib_read_matrix(root, "V", m, p, "entries of vectors/q and of vectors/s", &local->V);
    return status == CAROM_OK ? fclib_read_matrix(root, "R", p, p, "entries of vectors/s", &local->R)
                              : status;
}

static carom_status read_local(const fclib_group *root, bool rolling)
{
    carom_coulomb_local *local = &root->in->problem->local;
    const bool equations = fclib_has(root, "R");
    int p = 0;
    if (equations != fclib_has(root, "V"))
        return fclib_bad(root, NULL, "has %s without %s; there must be both or none", equations ? "R" : "V",
                         equations ? "V" : "R");
    carom_status status = read_dimension(root, rolling, &local->dimension);
    if (status == CAROM_OK)
        status = read_local_vectors(root, local, rolling, equations, &p);
    if (status != CAROM_OK)
        return status;
    const int m = local->dimension * local->contacts;
    status = fclib_read_matrix(root, "W", m, m, "entries of vectors/q", &local->W);
    if (status != CAROM_OK || equations)
        return status == CAROM_OK ? read_local_equations(root, local, p) : status;
    status = no_matrix(root, m, &local->V);
    return status == CAROM_OK ? no_matrix(root, 0, &local->R) : status;
}

/* ---- global problems ----------------------------------------------------------------------------------- */

static carom_status read_global_vectors(const fclib_group *root, carom_coulomb_global *global, bool rolling,
                                        bool equations, int *n, int *p)
{
    carom_arena *arena = root->in->problem->arena;
    double *f = NULL, *w = NULL, *b = NULL;
    fclib_group vectors;
    carom_status status = fclib_open(root, "vectors", &vectors);
    if (status == CAROM_OK)
        status = read_mu_and_velocity(root, &vectors, "w", "H", global->dimension, &global->contacts,
                                      &global->mu, &w);
    if (status == CAROM_OK)
        status = read_moments(&vectors, rolling, "mu_r", global->contacts, &global->mu_r);
    if (status == CAROM_OK)
        status = read_moments(&vectors, global->dimension == 6, "mu_t", global->contacts, &global->mu_t);
    if (status == CAROM_OK)
        status = fclib_read_reals(&vectors, "f", arena, &f, n);
    if (status == CAROM_OK && equations)
        status = fclib_read_reals(&vectors, "b", arena, &b, p);
    fclib_close(&vectors);
    global->f = f;
    global->w = w;
    global->b = b;
    return status;
}

static carom_status read_global(const fclib_group *root, bool rolling)
{
    carom_coulomb_global *global = &root->in->problem->global;
    const bool equations = fclib_has(root, "G");
    int n = 0, p = 0;
    carom_status status = read_dimension(root, rolling, &global->dimension);
    if (status == CAROM_OK)
        status = read_global_vectors(root, global, rolling, equations, &n, &p);
    if (status == CAROM_OK)
        status = fclib_read_matrix(root, "M", n, n, "entries of vectors/f", &global->M);
    if (status == CAROM_OK)
        status = fclib_read_matrix(root, "H", n, global->dimension * global->contacts,
                                   "entries of vectors/f and of vectors/w", &global->H);
    if (status != CAROM_OK || !equations)
        return status == CAROM_OK ? no_matrix(root, n, &global->G) : status;
    return fclib_read_matrix(root, "G", n, p, "entries of vectors/f and of vectors/b", &global->G);
}

/* ---- solution and guesses ------------------------------------------------------------------------------ */

static carom_status read_if_there(const fclib_group *group, const char *name, int length, double **value)
{
    if (!fclib_has(group, name))
        return CAROM_OK;
    return fclib_read_vector(group, name, length, "as the problem has", value);
}

static carom_status read_solution(const fclib_group *parent, const char *name, carom_fclib_solution *solution)
{
    const carom_fclib *problem = parent->in->problem;
    const carom_coulomb_local *local = &problem->local;
    const carom_coulomb_global *global = &problem->global;
    const int m = problem->is_global ? global->H.columns : local->W.columns;
    const int p = problem->is_global ? global->G.columns : local->R.columns;
    fclib_group group;
    carom_status status = fclib_open(parent, name, &group);
    if (status == CAROM_OK)
        status = read_if_there(&group, "u", m, &solution->u);
    if (status == CAROM_OK)
        status = read_if_there(&group, "r", m, &solution->r);
    if (status == CAROM_OK && problem->is_global)
        status = read_if_there(&group, "v", global->M.columns, &solution->v);
    if (status == CAROM_OK && p > 0)
        status = read_if_there(&group, "l", p, &solution->l);
    fclib_close(&group);
    return status;
}

static carom_status read_each_guess(const fclib_group *guesses)
{
    carom_fclib *problem = guesses->in->problem;
    int count = 0;
    carom_status status = fclib_read_int(guesses, "number_of_guesses", &count);
    if (status != CAROM_OK)
        return status;
    /* every guess has a name in the file, so there cannot be more of them than bytes */
    if (count < 0 || (hsize_t)count > guesses->in->bytes)
        return fclib_bad(guesses, "number_of_guesses", "is %d; the file has no room for them", count);
    problem->guess = carom_arena_take(problem->arena, (size_t)count, sizeof *problem->guess);
    if (!problem->guess)
        return carom_fail_memory(guesses->in->error);
    problem->guess_count = count;
    for (int i = 0; status == CAROM_OK && i < count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i + 1);
        status = read_solution(guesses, name, &problem->guess[i]);
    }
    return status;
}

static carom_status read_guesses(const fclib_group *top)
{
    fclib_group guesses;
    carom_status status = fclib_open(top, "guesses", &guesses);
    if (status == CAROM_OK)
        status = read_each_guess(&guesses);
    fclib_close(&guesses);
    return status;
}

/* ---- file ---------------------------------------------------------------------------------------------- */

static carom_status read_problem(const fclib_group *top)
{
    int kinds = 0, kind = 0;
    for (int i = 0; i < FCLIB_KINDS; i++)
        if (fclib_has(top, fclib_kind[i].group)) {
            kind = i;
            kinds++;
        }
    if (kinds == 0)
        return carom_fail(top->in->error, CAROM_BAD_INPUT,
                          "%s is not an FCLIB file: no fclib_local, fclib_global or fclib_global_rolling "
                          "group",
                          top->in->path);
    if (kinds > 1)
        return carom_fail(top->in->error, CAROM_BAD_INPUT,
                          "%s: %d problems are there, one of them %s; a file holds one problem",
                          top->in->path, kinds, fclib_kind[kind].group);
    const bool rolling = fclib_kind[kind].rolling;
    fclib_group root;
    carom_status status = fclib_open(top, fclib_kind[kind].group, &root);
    top->in->problem->is_global = fclib_kind[kind].is_global;
    if (status == CAROM_OK)
        status = fclib_kind[kind].is_global ? read_global(&root, rolling) : read_local(&root, rolling);
    if (status == CAROM_OK)
        status = read_info(&root);
    fclib_close(&root);
    return status;
}

static carom_status read_content(fclib_reader *in)
{
    const fclib_group top = fclib_root(in);
    carom_status status = read_problem(&top);
    if (in->part > 0) /* vectors of results are the first part's */
        return status;
    if (status == CAROM_OK && fclib_has(&top, "solution"))
        status = read_solution(&top, "solution", &in->problem->solution);
    if (status == CAROM_OK && fclib_has(&top, "guesses"))
        status = read_guesses(&top);
    return status;
}

static carom_status open_stream(fclib_reader *in)
{
    struct stat info;
    if (stat(in->path, &info) == 0 && !S_ISREG(info.st_mode))
        return carom_fail(in->error, CAROM_BAD_INPUT, "cannot read %s: it is not a regular file", in->path);
    const carom_status reserved = hdf5_reserve(0, in->error);
    if (reserved != CAROM_OK)
        return reserved;
    in->stream = fopen(in->path, "rb");
    if (!in->stream)
        return carom_fail(in->error, errno == ENOMEM ? CAROM_NO_MEMORY : CAROM_BAD_INPUT,
                          "cannot read %s: %s", in->path, strerror(errno));
    if (H5Fis_hdf5(in->path) <= 0)
        return carom_fail(in->error, CAROM_BAD_INPUT, "%s is not an FCLIB file: it is not HDF5", in->path);
    if (!hdf5_root_fits(in->stream))
        return carom_fail(in->error, CAROM_BAD_INPUT, "cannot open %s: its first header is damaged",
                          in->path);
    return CAROM_OK;
}

static bool find_sizes(fclib_reader *in)
{
    hsize_t base = 0;
    const hid_t creation = H5Fget_create_plist(in->file);
    const bool found = creation >= 0 && H5Pget_userblock(creation, &base) >= 0 &&
                       H5Fget_filesize(in->file, &in->bytes) >= 0 && H5Fget_eoa(in->file, &in->end) >= 0;
    if (creation >= 0)
        H5Pclose(creation);
    in->base = base;
    if (in->end > in->bytes)
        in->end = in->bytes;
    in->budget = in->bytes * EXPANSION + BUDGET_BYTES;
    return found;
}

static carom_status open_file(fclib_reader *in)
{
    const carom_status status = open_stream(in);
    if (status != CAROM_OK)
        return status;
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        in->file = H5Fopen(in->path, H5F_ACC_RDONLY, access);
    char reason[256] = "";
    if (in->file < 0 || !find_sizes(in))
        hdf5_reason(reason, sizeof reason);
    if (access >= 0)
        H5Pclose(access);
    return *reason ? carom_fail(in->error, CAROM_BAD_INPUT, "cannot open %s, it may be damaged: %s", in->path,
                                reason)
                   : CAROM_OK;
}

static void close_file(fclib_reader *in)
{
    if (in->file >= 0)
        H5Fclose(in->file);
    if (in->stream)
        fclose(in->stream);
}

static carom_status read_file(fclib_reader *in)
{
    carom_status status = open_file(in);
    if (status == CAROM_OK)
        status = read_content(in);
    close_file(in);
    return status;
}

static bool holds_problem(fclib_reader *in)
{
    if (open_file(in) != CAROM_OK)
        return false;
    const fclib_group top = fclib_root(in);
    bool found = false;
    for (int i = 0; i < FCLIB_KINDS; i++)
        found = found || fclib_has(&top, fclib_kind[i].group);
    return found;
}

bool carom_fclib_is_file(const char *path)
{
    carom_error error;
    fclib_reader in = {.path = path, .file = -1, .error = &error};
    const hdf5_quiet quiet = hdf5_silence();
    const bool found = holds_problem(&in);
    close_file(&in);
    hdf5_restore(quiet);
    return found;
}

static carom_fclib *create_problem(void)
{
    carom_arena *arena = carom_arena_create();
    carom_fclib *problem = arena ? carom_arena_take(arena, 1, sizeof *problem) : NULL;
    if (!problem) {
        carom_arena_free(arena);
        return NULL;
    }
    problem->arena = arena;
    return problem;
}

carom_status carom_fclib_read(const char *path, carom_fclib **problem, carom_error *error)
{
    return carom_fclib_read_part(path, 0, 1, problem, error);
}

carom_status carom_fclib_read_part(const char *path, int part, int parts, carom_fclib **problem,
                                   carom_error *error)
{
    *problem = NULL;
    carom_error own_error;
    carom_fclib *made = create_problem();
    if (!made)
        return carom_fail_memory(error);
    fclib_reader in = {.path = path,
                       .file = -1,
                       .part = part,
                       .parts = parts,
                       .problem = made,
                       .error = error ? error : &own_error};
    const hdf5_quiet quiet = hdf5_silence();
    const carom_status status = read_file(&in);
    hdf5_restore(quiet);
    if (status != CAROM_OK) {
        carom_fclib_free(made);
        return status;
    }
    *problem = made;
    return CAROM_OK;
}

void carom_fclib_free(carom_fclib *problem)
{
    if (problem)
        carom_arena_free(problem->arena); /* holds *problem itself */
}
