#include "contact/coulomb/nonsmooth_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/extragradient.h"
#include "contact/coulomb/parts/line_search.h"
#include "contact/coulomb/parts/watch.h"
#include "newton_system.h"

struct coulomb_newton {
    coulomb_newton_options options;
    coulomb_map *map;
    int contacts;
    coulomb_newton_system *system;
    coulomb_rho *rho;       /* per contact */
    double *u, *G, *d, *Wd; /* 3 per contact */
    double *A, *B;          /* 9 per contact */
    double *best;
    double *trial; /* 9 per contact: work of the extragradient method */
};

static coulomb_map *const maps[] = {[COULOMB_FUNCTION_AC] = coulomb_alart_curnier,
                                    [COULOMB_FUNCTION_JM] = coulomb_jean_moreau,
                                    [COULOMB_FUNCTION_NM] = coulomb_natural_map,
                                    [COULOMB_FUNCTION_FB] = coulomb_fischer_burmeister};

static double *take(size_t contacts, size_t each, bool *taken)
{
    double *array = carom_new_array(contacts, each * sizeof *array);
    *taken = *taken && array;
    return array;
}

coulomb_newton *coulomb_newton_create(const carom_problem_shape *shape, const coulomb_newton_options *options)
{
    coulomb_newton *newton = carom_new_array(1, sizeof *newton);
    if (!newton)
        return NULL;
    const size_t contacts = (size_t)shape->size;
    newton->options = *options;
    newton->map = maps[options->function];
    newton->contacts = shape->size;
    newton->system = coulomb_newton_system_create(shape);
    newton->rho = carom_new_array(contacts, sizeof *newton->rho);
    bool taken = newton->system && newton->rho;
    newton->u = take(contacts, 3, &taken);
    newton->G = take(contacts, 3, &taken);
    newton->d = take(contacts, 3, &taken);
    newton->Wd = take(contacts, 3, &taken);
    newton->A = take(contacts, 9, &taken);
    newton->B = take(contacts, 9, &taken);
    newton->best = take(contacts, 3, &taken);
    if (options->extragradient > 0)
        newton->trial = take(contacts, COULOMB_EXTRAGRADIENT_WORK, &taken);
    if (taken)
        return newton;
    coulomb_newton_free(newton);
    return NULL;
}

void coulomb_newton_free(coulomb_newton *newton)
{
    if (!newton)
        return;
    coulomb_newton_system_free(newton->system);
    free(newton->rho);
    free(newton->u);
    free(newton->G);
    free(newton->d);
    free(newton->Wd);
    free(newton->A);
    free(newton->B);
    free(newton->best);
    free(newton->trial);
    free(newton);
}

/* ---- line search ------------------------------------------------------------------------------------- */

static double step_length(const coulomb_newton *newton, const carom_coulomb *problem, const double *r)
{
    if (newton->options.search == COULOMB_SEARCH_NONE)
        return 1.0;
    const coulomb_line line = {newton->contacts, newton->map, problem->mu, newton->rho,
                               newton->u,        newton->Wd,  r,           newton->d};
    const double merit = carom_dot(3 * newton->contacts, newton->G, newton->G) / 2;
    return newton->options.search == COULOMB_SEARCH_GP ? coulomb_line_goldstein_price(&line, merit)
                                                       : coulomb_line_armijo(&line, merit);
}

/* ---- the method --------------------------------------------------------------------------------------- */

static void linearise(const coulomb_newton *newton, const carom_coulomb *problem, const double *r)
{
    carom_blocks_multiply(&problem->W, r, problem->q, newton->u);
    for (int a = 0; a < newton->contacts; a++) {
        const ptrdiff_t three = 3 * (ptrdiff_t)a, nine = 9 * (ptrdiff_t)a;
        newton->map(problem->mu[a], newton->rho[a], newton->u + three, r + three, newton->G + three,
                    newton->A + nine, newton->B + nine);
    }
}

static carom_solve_word iterate(coulomb_newton *newton, coulomb_watch *watch, double *r)
{
    const carom_coulomb *problem = watch->problem;
    const int size = 3 * newton->contacts;
    do {
        linearise(newton, problem, r);
        if (!coulomb_newton_system_solve(newton->system, &problem->W, newton->A, newton->B, newton->G,
                                         newton->d, &watch->report->local_failures))
            return CAROM_SOLVE_STALLED;
        if (newton->options.search != COULOMB_SEARCH_NONE)
            carom_blocks_multiply(&problem->W, newton->d, NULL, newton->Wd);
        const double t = step_length(newton, problem, r);
        if (t < COULOMB_LINE_SMALLEST || carom_largest(size, newton->d) == 0.0)
            return CAROM_SOLVE_STALLED;
        carom_axpy(size, t, newton->d, r);
        watch->report->iterations++;
    } while (!coulomb_watch_look(watch, r));
    return watch->report->word;
}

void coulomb_newton_solve(coulomb_newton *newton, const carom_coulomb *problem,
                          const carom_solver_options *limits, double *r, carom_solve_report *report)
{
    coulomb_watch watch;
    newton->contacts = problem->contacts;
    for (int a = 0; a < newton->contacts; a++)
        newton->rho[a] =
            coulomb_rho_of(newton->options.rho, carom_block_at(&problem->W, problem->W.diagonal[a]));
    bool over =
        coulomb_watch_begin(&watch, problem, limits, COULOMB_NEWTON_ITERATIONS, newton->best, r, report);
    if (!over && newton->options.extragradient > 0)
        over = coulomb_extragradient(&watch, newton->options.extragradient, newton->trial, r);
    const carom_solve_word word = over ? report->word : iterate(newton, &watch, r);
    coulomb_watch_end(&watch, word, r);
}

void coulomb_newton_forget(coulomb_newton *newton)
{
    coulomb_newton_system_forget(newton->system);
}

void coulomb_newton_choose_search(coulomb_newton *newton, coulomb_search search)
{
    newton->options.search = search;
}

void coulomb_newton_once(const carom_coulomb *problem, const coulomb_newton_options *options,
                         const carom_solver_options *limits, double *r, carom_solve_report *report)
{
    const carom_problem_shape shape = carom_coulomb_shape(problem);
    coulomb_newton *newton = coulomb_newton_create(&shape, options);
    if (newton)
        coulomb_newton_solve(newton, problem, limits, r, report);
    else
        *report = (carom_solve_report){.word = CAROM_SOLVE_MEMORY, .error = carom_coulomb_error(problem, r)};
    coulomb_newton_free(newton);
}
