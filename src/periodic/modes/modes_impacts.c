/* Motions with k impacts per period:
 *
 *   Sigma imp = -g0 1    the gap is closed at every impact        Sigma_li = gT(tau_l - tau_i)
 *   Pi imp = 0           every impact is elastic                  Pi_li = gT'(tau_l - tau_i)
 *
 * for the flights; imp . Pi imp = 0 always, so that one of the k equations is left out. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "impact_equations.h"
#include "impulse_motion.h"

enum {
    BISECTIONS = 100,
    POINTS_PER_PERIOD = 40
};

/* |gT(0)| below this share of what an impulse moves the gap by in the constraint's own time: no finite impulse. */
static const double no_answer = 1e-12;

static bool has_no_answer(const carom_mode_basis *basis, double answer)
{
    return fabs(answer) < no_answer * basis->inverse_mass[0] * modes_time(basis);
}

static carom_status check_period(double period, carom_error *error)
{
    return period > 0.0 && isfinite(period)
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT, "the period must be positive (got %g)", period);
}

carom_status carom_mode_one_impact(const carom_mode_basis *basis, double period, carom_mode **mode,
                                   carom_error *error)
{
    *mode = NULL;
    const carom_status status = check_period(period, error);
    if (status != CAROM_OK)
        return status;
    const int j = modes_resonant(basis, period);
    if (j >= 0)
        return modes_limit_create(basis, period, j, mode, error);
    const double answer = modes_gap_response(basis, period, 0.0);
    if (has_no_answer(basis, answer))
        return modes_diverge_create(basis, period, 1, mode, error);
    const double impulse = -basis->gap[0] / answer;
    return modes_motion_create(basis, period, 1, &period, &impulse, mode, error);
}

/* ---- two impacts: gT'(s) = 0 -------------------------------------------------------------------------- */

static double root_between(const carom_mode_basis *basis, double period, double from, double to)
{
    const bool rising = modes_rate_response(basis, period, from) < 0.0;
    for (int i = 0; i < BISECTIONS; i++) {
        const double middle = 0.5 * (from + to);
        if ((modes_rate_response(basis, period, middle) < 0.0) == rising)
            from = middle;
        else
            to = middle;
    }
    return 0.5 * (from + to);
}

static carom_status two_at(const carom_mode_basis *basis, double period, double s, carom_mode **mode,
                           carom_error *error)
{
    const double answer = modes_gap_response(basis, period, 0.0) + modes_gap_response(basis, period, s);
    if (has_no_answer(basis, answer))
        return modes_diverge_create(basis, period, 2, mode, error);
    const double flight[2] = {s, period - s};
    const double impulse[2] = {-basis->gap[0] / answer, -basis->gap[0] / answer};
    return modes_motion_create(basis, period, 2, flight, impulse, mode, error);
}

carom_status carom_mode_two_impacts(const carom_mode_basis *basis, double period, int most, carom_mode **mode,
                                    int *found, carom_error *error)
{
    *found = 0;
    carom_status status = check_period(period, error);
    if (status != CAROM_OK)
        return status;
    if (modes_resonant(basis, period) >= 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the period %.10g is a multiple of that of linear mode %d: only limits of motions "
                          "exist there; change it a little",
                          period, modes_resonant(basis, period) + 1);
    const double end = 0.5 * period * (1.0 - 1e-9), periods = end * modes_highest(basis) / (2.0 * acos(-1.0));
    const int points = (int)fmin(1e7, ceil(POINTS_PER_PERIOD * fmax(periods, 1.0)));
    double s = 1e-9 * period, before = modes_rate_response(basis, period, s);
    for (int i = 1; i <= points && *found < most; i++) {
        const double next = end * i / points, after = modes_rate_response(basis, period, next);
        if ((before < 0.0) != (after < 0.0)) {
            status = two_at(basis, period, root_between(basis, period, s, next), &mode[*found], error);
            if (status != CAROM_OK)
                return status;
            ++*found;
        }
        s = next;
        before = after;
    }
    return CAROM_OK;
}

/* ---- k impacts ---------------------------------------------------------------------------------------- */

bool modes_impulses(const carom_mode_basis *basis, double period, int impacts, const double *time,
                    double *impulse, double *residual, double *work, int *pivot)
{
    const int k = impacts;
    for (int l = 0; l < k; l++) {
        impulse[l] = -basis->gap[0];
        for (int i = 0; i < k; i++)
            work[l * k + i] = modes_gap_response(basis, period, time[l] - time[i]);
    }
    if (carom_lu_factor(k, work, pivot) != 0)
        return false;
    carom_lu_solve(k, work, pivot, impulse);
    for (int l = 0; l < k && residual; l++) {
        residual[l] = 0.0;
        for (int i = 0; i < k; i++)
            if (i != l)
                residual[l] += modes_rate_response(basis, period, time[l] - time[i]) * impulse[i];
    }
    return carom_all_finite(k, impulse);
}

carom_status modes_equations_create(const carom_mode_basis *basis, int impacts, bool symmetric,
                                    modes_equations **equations, carom_error *error)
{
    *equations = NULL;
    if (impacts < 2 || (symmetric && impacts % 2 == 0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          symmetric ? "impacts at 0 and in pairs are an odd number above 1 (got %d)"
                                    : "flights are unknown with 2 impacts or more (got %d)",
                          impacts);
    const size_t k = (size_t)impacts;
    carom_arena *arena = carom_arena_create();
    modes_equations *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (made) {
        *made = (modes_equations){.arena = arena,
                                  .basis = basis,
                                  .impacts = impacts,
                                  .unknowns = symmetric ? impacts / 2 : impacts - 1,
                                  .symmetric = symmetric};
        made->flight = carom_arena_take(arena, k, sizeof(double));
        made->time = carom_arena_take(arena, k, sizeof(double));
        made->impulse = carom_arena_take(arena, k, sizeof(double));
        made->residual = carom_arena_take(arena, k, sizeof(double));
        made->work = carom_arena_take(arena, carom_product(k, k), sizeof(double));
        made->pivot = carom_arena_take(arena, k, sizeof(int));
        made->scale = carom_arena_take(arena, k, sizeof(double));
    }
    if (!made || !made->scale || !made->flight || !made->time || !made->impulse || !made->residual ||
        !made->work || !made->pivot) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    for (size_t i = 0; i < k; i++)
        made->scale[i] = modes_time(basis);
    *equations = made;
    return CAROM_OK;
}

/* Flights from the unknowns: false where one is not positive. */
static bool set_flights(modes_equations *self, const double *x, double period)
{
    const int k = self->impacts, r = self->unknowns;
    if (self->symmetric) {
        for (int i = 0; i < r; i++)
            self->flight[i] = self->flight[k - 1 - i] = i > 0 ? x[i] - x[i - 1] : x[0];
        self->flight[r] = period - 2.0 * x[r - 1];
    } else {
        self->flight[k - 1] = period;
        for (int i = 0; i < k - 1; i++) {
            self->flight[i] = x[i];
            self->flight[k - 1] -= x[i];
        }
    }
    double time = 0.0;
    for (int i = 0; i < k; i++) {
        if (!(self->flight[i] > 0.0))
            return false;
        self->time[i] = time;
        time += self->flight[i];
    }
    return true;
}

bool modes_equations_residual(void *context, const double *x, double period, double *f)
{
    modes_equations *self = context;
    if (!(period > 0.0) || !set_flights(self, x, period) ||
        !modes_impulses(self->basis, period, self->impacts, self->time, self->impulse, self->residual,
                        self->work, self->pivot))
        return false;
    /* Relative to the velocities that impulses give: solutions of large energy are as sharp as others. */
    const double size = 0.5 * self->basis->inverse_mass[0] * carom_largest(self->impacts, self->impulse);
    for (int i = 0; i < self->unknowns; i++)
        f[i] = self->residual[self->symmetric ? i + 1 : i] / size;
    return carom_all_finite(self->unknowns, f);
}

carom_arclength_problem modes_equations_problem(modes_equations *self)
{
    return (carom_arclength_problem){.size = self->unknowns,
                                     .context = self,
                                     .residual = modes_equations_residual,
                                     .scale = self->scale,
                                     .parameter_scale = self->scale[0]};
}

carom_status modes_equations_motion(modes_equations *self, const double *x, double period, carom_mode **mode,
                                    carom_error *error)
{
    if (!set_flights(self, x, period) ||
        !modes_impulses(self->basis, period, self->impacts, self->time, self->impulse, self->residual,
                        self->work, self->pivot))
        return modes_diverge_create(self->basis, period, self->impacts, mode, error);
    return modes_motion_create(self->basis, period, self->impacts, self->flight, self->impulse, mode, error);
}

static carom_status solve(const carom_mode_basis *basis, double period, int impacts, bool symmetric,
                          const double *guess, carom_mode **mode, carom_error *error)
{
    *mode = NULL;
    modes_equations *equations = NULL;
    carom_status status = check_period(period, error);
    if (status == CAROM_OK)
        status = modes_equations_create(basis, impacts, symmetric, &equations, error);
    if (status != CAROM_OK || !equations)
        return status;
    const carom_arclength_problem problem = modes_equations_problem(equations);
    carom_arclength_options options = carom_arclength_defaults();
    options.tolerance = 1e-12;
    double *x = carom_arena_take(equations->arena, (size_t)impacts, sizeof *x);
    if (!x)
        status = carom_fail_memory(error);
    if (status == CAROM_OK) {
        memcpy(x, guess, (size_t)equations->unknowns * sizeof *x);
        status = carom_newton(&problem, &options, period, x, NULL, NULL, error);
    }
    if (status == CAROM_OK)
        status = modes_equations_motion(equations, x, period, mode, error);
    carom_arena_free(equations->arena);
    return status;
}

carom_status carom_mode_impacts(const carom_mode_basis *basis, double period, int impacts,
                                const double *flight, carom_mode **mode, carom_error *error)
{
    *mode = NULL;
    if (impacts == 1)
        return carom_mode_one_impact(basis, period, mode, error);
    double sum = 0.0;
    for (int i = 0; i < impacts; i++)
        sum += flight[i];
    if (impacts < 1 || !(sum > 0.0))
        return carom_fail(error, CAROM_BAD_INPUT, "%d guessed flights with the sum %g: they must be positive",
                          impacts, sum);
    double *guess = carom_new_array((size_t)impacts, sizeof *guess);
    if (!guess)
        return carom_fail_memory(error);
    for (int i = 0; i < impacts; i++)
        guess[i] = flight[i] * period / sum;
    const carom_status status = solve(basis, period, impacts, false, guess, mode, error);
    free(guess);
    return status;
}

carom_status carom_mode_symmetric(const carom_mode_basis *basis, double period, int pairs, const double *side,
                                  carom_mode **mode, carom_error *error)
{
    *mode = NULL;
    if (pairs < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "one pair of impacts is the least (got %d)", pairs);
    return solve(basis, period, 2 * pairs + 1, true, side, mode, error);
}
