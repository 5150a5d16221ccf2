#include "contact/coulomb/vi_method.h"

#include <math.h>
#include <string.h>

enum {
    TRIALS = 100,         /* of rho or of a point on a segment */
    GRADIENT_TRIALS = 50, /* of rho */
};

coulomb_vi_rule coulomb_vi_rule_of(coulomb_vi_method method, coulomb_vi_test test)
{
    return (coulomb_vi_rule){.method = method,
                             .test = test,
                             .largest_ratio = 0.9,
                             .smallest_ratio = 0.3,
                             .factor = 2.0 / 3.0,
                             .sigma = method == COULOMB_VI_HYPERPLANE ? 0.3 : 0.1};
}

coulomb_vi_state coulomb_vi_state_of(int contacts, double rho, double *r, double *work)
{
    const ptrdiff_t size = 3 * (ptrdiff_t)contacts;
    return (coulomb_vi_state){.r = r,
                              .F = work,
                              .next = work + size,
                              .next_F = work + 2 * size,
                              .direction = work + 3 * size,
                              .rho = rho};
}

static void evaluate(const coulomb_vi *vi, const double *r, double *F, coulomb_vi_state *state)
{
    coulomb_vi_map(vi, r, F);
    state->products++;
}

void coulomb_vi_refresh(const coulomb_vi *vi, coulomb_vi_state *state)
{
    evaluate(vi, state->r, state->F, state);
}

static void swap(double **a, double **b)
{
    double *const kept = *a;
    *a = *b;
    *b = kept;
}

/* r := next; the arrays of F change places, r itself is the caller's. */
static void accept_next(const coulomb_vi *vi, coulomb_vi_state *state)
{
    memcpy(state->r, state->next, 3 * (size_t)vi->W.rows * sizeof(double));
    swap(&state->F, &state->next_F);
}

static void try_rho(const coulomb_vi *vi, coulomb_vi_state *state)
{
    coulomb_vi_project(vi, state->r, state->rho, state->F, state->next);
    evaluate(vi, state->next, state->next_F, state);
}

/* Sums over d = next - r and e = F(next) - F(r). */
typedef struct differences {
    double dd, de, ee;
} differences;

static differences compare(const coulomb_vi *vi, const coulomb_vi_state *state)
{
    differences sum = {0};
    for (int i = 0; i < 3 * vi->W.rows; i++) {
        const double d = state->next[i] - state->r[i], e = state->next_F[i] - state->F[i];
        sum.dd += d * d;
        sum.de += d * e;
        sum.ee += e * e;
    }
    return sum;
}

static double test_ratio(const coulomb_vi_rule *rule, double rho, const differences *sum)
{
    return rule->test == COULOMB_VI_KHOBOTOV ? rho * sqrt(sum->ee / sum->dd) : rho * sum->de / sum->dd;
}

/* Algorithm 3: next = p(rho) with a rho that passes the test. The ratio of the test is 0 when r does not
 * move. */
static bool find_next(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state,
                      double *ratio)
{
    *ratio = 0.0;
    for (int trial = 0; trial <= TRIALS; trial++) {
        try_rho(vi, state);
        const differences sum = compare(vi, state);
        if (sum.dd == 0.0)
            return false;
        *ratio = test_ratio(rule, state->rho, &sum);
        if (!(*ratio > rule->largest_ratio) || trial == TRIALS)
            break;
        state->rho *= rule->factor;
    }
    return true;
}

static bool step_adaptive(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state)
{
    double ratio;
    if (!find_next(vi, rule, state, &ratio))
        return false;
    if (rule->method == COULOMB_VI_EXTRAGRADIENT) {
        coulomb_vi_project(vi, state->r, state->rho, state->next_F, state->r);
        coulomb_vi_refresh(vi, state);
    } else {
        accept_next(vi, state);
    }
    if (ratio < rule->smallest_ratio)
        state->rho /= rule->factor;
    return true;
}

static bool step_projection(const coulomb_vi *vi, coulomb_vi_state *state)
{
    try_rho(vi, state);
    const bool moved = compare(vi, state).dd != 0.0;
    accept_next(vi, state);
    return moved;
}

/* d = p(rho) - r in `direction`, W d in `next_F`. */
static void try_gradient(const coulomb_vi *vi, coulomb_vi_state *state)
{
    coulomb_vi linear = *vi;
    linear.b = NULL;
    coulomb_vi_project(vi, state->r, state->rho, state->F, state->next);
    for (int i = 0; i < 3 * vi->W.rows; i++)
        state->direction[i] = state->next[i] - state->r[i];
    evaluate(&linear, state->direction, state->next_F, state);
}

/* W d is a product of its own, since F(p) - F(r) loses its digits near the solution; F is carried along. For
 * the same reason -F.d is not taken for less than |d|^2 / rho, which it never is since p is a projection. */
static bool step_gradient(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state)
{
    const int size = 3 * vi->W.rows;
    int trial = 0;
    for (;; trial++) {
        try_gradient(vi, state);
        const double *const d = state->direction;
        if (carom_largest(size, d) == 0.0)
            return false;
        const double descent = fmax(-carom_dot(size, state->F, d), carom_dot(size, d, d) / state->rho);
        const double curvature = carom_dot(size, d, state->next_F);
        if (0.5 * curvature <= (1.0 - rule->sigma) * descent || trial == GRADIENT_TRIALS)
            break;
        state->rho *= rule->factor;
    }
    memcpy(state->r, state->next, (size_t)size * sizeof(double));
    carom_axpy(size, 1.0, state->next_F, state->F);
    if (trial == 0)
        state->rho /= rule->factor;
    return true;
}

/* The point r + t d with the largest t = 1, nu, nu^2 ... whose F points away enough; in next, next_F. */
static void find_plane(const coulomb_vi *vi, const coulomb_vi_rule *rule, double dd, coulomb_vi_state *state)
{
    const int size = 3 * vi->W.rows;
    double t = 1.0;
    for (int trial = 0; trial <= TRIALS; trial++) {
        for (int i = 0; i < size; i++)
            state->next[i] = state->r[i] - t * state->direction[i];
        evaluate(vi, state->next, state->next_F, state);
        if (carom_dot(size, state->next_F, state->direction) >= rule->sigma / state->rho * dd)
            break;
        t *= rule->factor;
    }
}

static bool step_hyperplane(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state)
{
    const int size = 3 * vi->W.rows;
    coulomb_vi_project(vi, state->r, state->rho, state->F, state->next);
    for (int i = 0; i < size; i++)
        state->direction[i] = state->r[i] - state->next[i];
    const double dd = carom_dot(size, state->direction, state->direction);
    if (dd == 0.0)
        return false;
    find_plane(vi, rule, dd, state);
    const double FF = carom_dot(size, state->next_F, state->next_F);
    if (FF == 0.0) {
        accept_next(vi, state);
        return true;
    }
    double along = 0.0;
    for (int i = 0; i < size; i++)
        along += state->next_F[i] * (state->r[i] - state->next[i]);
    coulomb_vi_project(vi, state->r, along / FF, state->next_F, state->r);
    coulomb_vi_refresh(vi, state);
    return true;
}

bool coulomb_vi_step(const coulomb_vi *vi, const coulomb_vi_rule *rule, coulomb_vi_state *state)
{
    switch (rule->method) {
    case COULOMB_VI_PROJECTION:
        return step_projection(vi, state);
    case COULOMB_VI_GRADIENT:
        return step_gradient(vi, rule, state);
    case COULOMB_VI_HYPERPLANE:
        return step_hyperplane(vi, rule, state);
    case COULOMB_VI_FIXED_POINT:
    case COULOMB_VI_EXTRAGRADIENT:
        break;
    }
    return step_adaptive(vi, rule, state);
}

int coulomb_vi_run(const coulomb_vi *vi, const coulomb_vi_rule *rule, double tolerance, int limit,
                   coulomb_watch *watch, coulomb_vi_state *state)
{
    coulomb_vi_refresh(vi, state);
    int steps = 0;
    while (steps < limit && coulomb_vi_residual(vi, state->r, state->F) > tolerance &&
           !(watch && coulomb_watch_is_over(watch))) {
        if (!coulomb_vi_step(vi, rule, state))
            break;
        steps++;
    }
    return steps;
}
