/* FCLIB files, written. */
#include <string.h>

#include "fclib_matrix.h"

/* ---- problem ------------------------------------------------------------------------------------------- */

static bool put_if_there(hid_t group, const char *name, int count, const double *value)
{
    return !value || hdf5_put_reals(group, name, count, value);
}

/* As the C library of FCLIB writes and reads them. */
static bool put_text(hid_t group, const char *name, const char *text)
{
    return !text || hdf5_put_text_dataset(group, name, H5T_CSET_ASCII, text);
}

static bool put_info(hid_t root, const carom_fclib *problem)
{
    if (!problem->title && !problem->description && !problem->math_info)
        return true;
    const hid_t group = hdf5_create_group(root, "info");
    if (group < 0)
        return false;
    const bool written = put_text(group, "title", problem->title) &&
                         put_text(group, "description", problem->description) &&
                         put_text(group, "math_info", problem->math_info);
    return H5Gclose(group) >= 0 && written;
}

static bool put_coefficients(hid_t group, int contacts, const double *mu, const double *mu_r,
                             const double *mu_t)
{
    return hdf5_put_reals(group, "mu", contacts, mu) && put_if_there(group, "mu_r", contacts, mu_r) &&
           put_if_there(group, "mu_t", contacts, mu_t);
}

static bool put_local_vectors(hid_t root, const carom_coulomb_local *local)
{
    const hid_t group = hdf5_create_group(root, "vectors");
    if (group < 0)
        return false;
    const bool written = hdf5_put_reals(group, "q", local->W.rows, local->q) &&
                         put_coefficients(group, local->contacts, local->mu, local->mu_r, local->mu_t) &&
                         (local->R.columns == 0 || hdf5_put_reals(group, "s", local->R.columns, local->s));
    return H5Gclose(group) >= 0 && written;
}

static bool put_local(hid_t root, const carom_coulomb_local *local)
{
    bool written = fclib_put_int(root, "spacedim", local->dimension) &&
                   fclib_put_matrix(root, "W", FCLIB_ROWS, &local->W);
    if (written && local->R.columns > 0)
        written = fclib_put_matrix(root, "V", FCLIB_COLUMNS, &local->V) &&
                  fclib_put_matrix(root, "R", FCLIB_COLUMNS, &local->R);
    return written && put_local_vectors(root, local);
}

static bool put_global_vectors(hid_t root, const carom_coulomb_global *global)
{
    const hid_t group = hdf5_create_group(root, "vectors");
    if (group < 0)
        return false;
    const bool written = hdf5_put_reals(group, "f", global->M.rows, global->f) &&
                         hdf5_put_reals(group, "w", global->H.columns, global->w) &&
                         put_coefficients(group, global->contacts, global->mu, global->mu_r, global->mu_t) &&
                         (global->G.columns == 0 || hdf5_put_reals(group, "b", global->G.columns, global->b));
    return H5Gclose(group) >= 0 && written;
}

static bool put_global(hid_t root, const carom_coulomb_global *global)
{
    bool written = fclib_put_int(root, "spacedim", global->dimension) &&
                   fclib_put_matrix(root, "M", FCLIB_COLUMNS, &global->M) &&
                   fclib_put_matrix(root, "H", FCLIB_COLUMNS, &global->H);
    if (written && global->G.columns > 0)
        written = fclib_put_matrix(root, "G", FCLIB_COLUMNS, &global->G);
    return written && put_global_vectors(root, global);
}

static bool is_rolling(const carom_fclib *problem)
{
    return problem->is_global ? problem->global.mu_r : problem->local.mu_r;
}

static const char *group_of(const carom_fclib *problem)
{
    int kind = 0;
    while (fclib_kind[kind].is_global != problem->is_global ||
           fclib_kind[kind].rolling != is_rolling(problem))
        kind++;
    return fclib_kind[kind].group;
}

static bool put_problem(hid_t file, const carom_fclib *problem)
{
    const hid_t root = hdf5_create_group(file, group_of(problem));
    if (root < 0)
        return false;
    const bool written =
        (problem->is_global ? put_global(root, &problem->global) : put_local(root, &problem->local)) &&
        put_info(root, problem);
    return H5Gclose(root) >= 0 && written;
}

/* ---- solution and guesses ------------------------------------------------------------------------------ */

static bool put_solution(hid_t parent, const char *name, const carom_fclib *problem,
                         const carom_fclib_solution *solution)
{
    const carom_coulomb_local *local = &problem->local;
    const carom_coulomb_global *global = &problem->global;
    const int m = problem->is_global ? global->H.columns : local->W.columns;
    const int p = problem->is_global ? global->G.columns : local->R.columns;
    const hid_t group = hdf5_create_group(parent, name);
    if (group < 0)
        return false;
    const bool written = put_if_there(group, "u", m, solution->u) &&
                         put_if_there(group, "r", m, solution->r) &&
                         (!problem->is_global || put_if_there(group, "v", global->M.columns, solution->v)) &&
                         (p == 0 || put_if_there(group, "l", p, solution->l));
    return H5Gclose(group) >= 0 && written;
}

static bool put_guesses(hid_t file, const carom_fclib *problem)
{
    const hid_t group = hdf5_create_group(file, "guesses");
    if (group < 0)
        return false;
    bool written = fclib_put_int(group, "number_of_guesses", problem->guess_count);
    for (int i = 0; written && i < problem->guess_count; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i + 1);
        written = put_solution(group, name, problem, &problem->guess[i]);
    }
    return H5Gclose(group) >= 0 && written;
}

static bool put_all(hid_t file, const void *content)
{
    const carom_fclib *problem = content;
    const carom_fclib_solution *solution = &problem->solution;
    const bool is_solved = solution->u || solution->r || solution->v || solution->l;
    return put_problem(file, problem) && (!is_solved || put_solution(file, "solution", problem, solution)) &&
           (problem->guess_count == 0 || put_guesses(file, problem));
}

/* What the datasets of the file are made of is there. */
static carom_status check_complete(const carom_fclib *problem, carom_error *error)
{
    const carom_coulomb_global *global = &problem->global;
    const carom_coulomb_local *local = &problem->local;
    const struct {
        bool is_global;
        const void *data;
        const char *name;
    } needed[] = {{true, global->M.column_start, "M"},
                  {true, global->H.column_start, "H"},
                  {true, global->f, "f"},
                  {true, global->w, "w"},
                  {true, global->mu, "mu"},
                  {false, local->W.column_start, "W"},
                  {false, local->q, "q"},
                  {false, local->mu, "mu"}};
    const int dimension = problem->is_global ? global->dimension : local->dimension;
    const double *mu_t = problem->is_global ? global->mu_t : local->mu_t;
    if (!is_rolling(problem) && dimension != 2 && dimension != 3)
        return carom_fail(error, CAROM_BAD_INPUT, "a problem in %d dimensions; give dimension = 2 or 3",
                          dimension);
    if (is_rolling(problem) && dimension != 3 && dimension != 5 && dimension != 6)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "a problem with rolling friction in %d dimensions; give dimension = 3 (plane), 5 or "
            "6 (with torsion)",
            dimension);
    if ((dimension == 6) != (mu_t != NULL))
        return carom_fail(error, CAROM_BAD_INPUT, "a problem in %d dimensions %s mu_t; torsion has 6",
                          dimension, mu_t ? "with" : "without");
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
        if (needed[i].is_global == problem->is_global && !needed[i].data)
            return carom_fail(error, CAROM_BAD_INPUT, "the %s problem has no %s",
                              problem->is_global ? "global" : "local", needed[i].name);
    return CAROM_OK;
}

carom_status carom_fclib_write(const char *path, const carom_fclib *problem, bool overwrite,
                               carom_error *error)
{
    if (!path)
        return carom_fail(error, CAROM_BAD_INPUT, "no path of an FCLIB file is given");
    const carom_status complete = check_complete(problem, error);
    if (complete != CAROM_OK)
        return complete;
    const hdf5_whole_file whole = {path, "FCLIB file", !overwrite, put_all, problem};
    return hdf5_write_whole(&whole, error);
}
