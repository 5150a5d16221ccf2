/* One time step: smooth terms at theta, friction on the speeds at the end, so that stick is exact.
 *
 *   A W + h r = b,  r_i in Tw_i Sign(W_i)
 *   A = M + theta h D + theta^2 h^2 K
 *   b = M w + h (u e_n - K (th + theta (1 - theta) h w) - (1 - theta) D w)
 *
 * Chains are solved at once when every disc sticks or turns as it did; otherwise there are sweeps over the
 * discs (projected Gauss-Seidel), each solved exactly; A is nearly diagonal. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "disc_elimination.h"

enum {
    SWEEPS_MOST = 2000
};

/* What disc i has to do with disc j. */
typedef struct neighbour {
    int disc;
    double couple;   /* A_ij */
    double spring;   /* -h K_ij */
    double spring_w; /* -h (theta (1 - theta) h K_ij + (1 - theta) D_ij) */
} neighbour;

struct carom_drill_stepper {
    carom_arena *arena;
    int discs;
    double h, theta;
    int *start; /* discs + 1, into neighbour: the other discs */
    neighbour *near;
    neighbour *self; /* couple: A_ii */
    double *inertia;
    carom_drill_law *law;
    double *b, *W, *r;
    double *last; /* speeds at the start of the step before */
    bool moving;  /* there was one */
    int sweeps;
    bool has_row;
    drill_disc_row row;
};

static carom_status check_step(const carom_drill_string *s, double h, double theta, carom_error *error)
{
    if (!(h > 0.0) || !isfinite(h))
        return carom_fail(error, CAROM_BAD_INPUT, "time step %g must be positive", h);
    if (!(theta >= 0.5 && theta <= 1.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "theta = %g must be from 1/2 (no numerical damping) to 1; below 1/2 the step is unstable", theta);
    const double a = s->inertia[0] + theta * h * s->damping[0] + theta * theta * h * h * s->stiffness[0];
    if (!(a > h * s->bit.vd * (s->bit.Ts - s->bit.Td)))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "step too large: the friction law of the bit is multivalued over one step of h = %g s; it "
            "must be below J1/(vd (Ts - Td)) = %.4g s",
            h, carom_drill_step_limit(s->inertia[0], &s->bit));
    return CAROM_OK;
}

static neighbour make_neighbour(const carom_drill_string *s, int i, int j, double h, double theta)
{
    const double K = s->stiffness[i * s->discs + j], D = s->damping[i * s->discs + j];
    return (neighbour){.disc = j,
                       .couple = (i == j ? s->inertia[i] : 0.0) + theta * h * D + theta * theta * h * h * K,
                       .spring = -h * K,
                       .spring_w = -h * (theta * (1.0 - theta) * h * K + (1.0 - theta) * D)};
}

static void fill_stepper(const carom_drill_string *s, carom_drill_stepper *p)
{
    int count = 0;
    for (int i = 0; i < s->discs; i++) {
        p->start[i] = count;
        p->self[i] = make_neighbour(s, i, i, p->h, p->theta);
        p->inertia[i] = s->inertia[i];
        p->law[i] = i == 0 ? s->bit : (carom_drill_law){s->wall[i], s->wall[i], 0.0};
        for (int j = 0; j < s->discs; j++)
            if (i != j && (s->stiffness[i * s->discs + j] != 0.0 || s->damping[i * s->discs + j] != 0.0))
                p->near[count++] = make_neighbour(s, i, j, p->h, p->theta);
    }
    p->start[s->discs] = count;
}

static carom_status make_row(const carom_drill_string *s, carom_drill_stepper *p, carom_error *error)
{
    const int n = s->discs;
    double *A = carom_new_array(carom_product((size_t)n, (size_t)n), sizeof *A);
    if (!A)
        return carom_fail_memory(error);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            A[i * n + j] = make_neighbour(s, i, j, p->h, p->theta).couple;
    p->has_row = drill_disc_row_fits(n, A);
    const carom_status status =
        p->has_row ? drill_disc_row_take(p->arena, n, A, p->h, s->wall, &p->row, error) : CAROM_OK;
    free(A);
    return status;
}

carom_status carom_drill_stepper_create(const carom_drill_string *string, double h, double theta,
                                        carom_drill_stepper **stepper, carom_error *error)
{
    *stepper = NULL;
    carom_status status = carom_drill_check(string, error);
    if (status == CAROM_OK)
        status = check_step(string, h, theta, error);
    if (status != CAROM_OK)
        return status;
    carom_arena *arena = carom_arena_create();
    carom_drill_stepper *p = arena ? carom_arena_take(arena, 1, sizeof *p) : NULL;
    if (p) {
        const size_t n = (size_t)string->discs;
        p->arena = arena;
        p->discs = string->discs;
        p->h = h;
        p->theta = theta;
        p->start = carom_arena_take(arena, n + 1, sizeof *p->start);
        p->near = carom_arena_take(arena, carom_product(n, n), sizeof *p->near);
        p->self = carom_arena_take(arena, n, sizeof *p->self);
        p->inertia = carom_arena_take(arena, n, sizeof(double));
        p->law = carom_arena_take(arena, n, sizeof *p->law);
        p->b = carom_arena_take(arena, 4 * n, sizeof(double));
    }
    if (!p || !p->start || !p->near || !p->self || !p->inertia || !p->law || !p->b) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    p->W = p->b + p->discs;
    p->r = p->W + p->discs;
    p->last = p->r + p->discs;
    fill_stepper(string, p);
    status = make_row(string, p, error);
    if (status == CAROM_OK)
        *stepper = p;
    else
        carom_arena_free(arena);
    return status;
}

void carom_drill_stepper_free(carom_drill_stepper *stepper)
{
    if (stepper)
        carom_arena_free(stepper->arena); /* the stepper itself stands in it */
}

int carom_drill_stepper_sweeps(const carom_drill_stepper *stepper)
{
    return stepper->sweeps;
}

static void right_side(carom_drill_stepper *p, double u, const double *th, const double *w)
{
    const int n = p->discs;
    for (int i = 0; i < n; i++) {
        double b = p->inertia[i] * w[i] + p->self[i].spring * th[i] + p->self[i].spring_w * w[i];
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            b += p->near[k].spring * th[p->near[k].disc] + p->near[k].spring_w * w[p->near[k].disc];
        p->b[i] = b;
    }
    p->b[n - 1] += p->h * u;
}

/* carom_drill_friction for Ts = Td, in place. */
static double coulomb(double a, double limit, double h, double c, double *r)
{
    if (fabs(c) <= limit) {
        *r = c / h;
        return 0.0;
    }
    const double friction = copysign(limit, c);
    *r = friction / h;
    return (c - friction) / a;
}

/* Largest change of a speed. */
static double sweep(carom_drill_stepper *p)
{
    double most = 0.0;
    for (int i = 0; i < p->discs; i++) {
        double c = p->b[i];
        for (int k = p->start[i]; k < p->start[i + 1]; k++)
            c -= p->near[k].couple * p->W[p->near[k].disc];
        const double a = p->self[i].couple;
        const double W = i == 0 ? carom_drill_friction(a, p->h, c, &p->law[0], p->W[0], &p->r[0])
                                : coulomb(a, p->h * p->law[i].Ts, p->h, c, &p->r[i]);
        const double moved = fabs(W - p->W[i]);
        most = moved > most ? moved : most;
        p->W[i] = W;
    }
    return most;
}

/* Rounding is larger than 1e-15 where speeds are (full scale: some 50 rad/s). */
static double settled_within(const carom_drill_stepper *p, const double *w)
{
    double most = 1.0;
    for (int i = 0; i < p->discs; i++)
        most = fabs(w[i]) > most ? fabs(w[i]) : most;
    return 1e-15 * most;
}

static carom_status sweep_until_settled(carom_drill_stepper *p, double tolerance, carom_error *error)
{
    for (int done = 1; done <= SWEEPS_MOST; done++)
        if (sweep(p) < tolerance) {
            p->sweeps = done;
            return CAROM_OK;
        }
    return carom_fail(error, CAROM_FAILED,
                      "the discs do not settle in %d sweeps of one step; take a smaller step than h = %g s",
                      SWEEPS_MOST, p->h);
}

/* Speeds to begin with: those of the last two steps, extrapolated. */
static void begin(carom_drill_stepper *p, const double *w)
{
    for (int i = 0; i < p->discs; i++) {
        p->W[i] = p->moving && w[i] != 0.0 ? 2.0 * w[i] - p->last[i] : w[i];
        p->last[i] = w[i];
    }
    p->moving = true;
}

carom_status carom_drill_step(carom_drill_stepper *stepper, double u, const carom_drill_law *law, double *th,
                              double *w, double *r, carom_error *error)
{
    carom_drill_stepper *p = stepper;
    const int n = p->discs;
    const double before = p->h * (1.0 - p->theta), after = p->h * p->theta;
    right_side(p, u, th, w);
    begin(p, w);
    p->sweeps = 0;
    if (!p->has_row || !drill_disc_row_solve(&p->row, p->b, law, p->W, r)) {
        p->law[0] = *law;
        if (p->has_row) /* what it left is no speed of this motion */
            memcpy(p->W, w, (size_t)n * sizeof *w);
        const carom_status status = sweep_until_settled(p, settled_within(p, w), error);
        if (status != CAROM_OK)
            return status;
        if (r)
            memcpy(r, p->r, (size_t)n * sizeof *r);
        if (p->has_row)
            drill_disc_row_follow(&p->row, p->W);
    }
    for (int i = 0; i < n; i++) {
        th[i] += before * w[i] + after * p->W[i];
        w[i] = p->W[i];
    }
    return isfinite(w[0]) ? CAROM_OK
                          : carom_fail(error, CAROM_FAILED, "the speed of the bit is not a number any more");
}
