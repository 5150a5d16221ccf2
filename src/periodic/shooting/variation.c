/* Derivatives of flights and impacts, exact: flights carry columns (dq, dv) along,
 *
 *   dq' = dv,   dv' = A_q dq + A_v dv + source,   M A_q = df/dq - d(M a)/dq,   M A_v = df/dv,
 *
 * through the very steps of the extrapolation, so that they are derivatives of what shooting_fly computes. Sources are
 * those of a later start (da/dt), of a damping (-v) and of a parameter (da/dp). */
#include "shooting.h"

#include <math.h>
#include <string.h>

/* Of formulas of order 4, for what is algebraic and has no derivative of its own. */
static const double step = 1e-3;

bool shooting_variation_take(shooting_flow *flow, carom_arena *arena)
{
    const carom_model *model = flow->work->model;
    const size_t dof = (size_t)flow->dof, size = 2 * dof;
    flow->block = flow->size + 2 < SHOOTING_BLOCK ? flow->size + 2 : SHOOTING_BLOCK;
    flow->by_q = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    flow->by_v = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    flow->square = carom_arena_take(arena, carom_product(dof, dof), sizeof(double));
    flow->extended = carom_arena_take(arena, size * (size_t)(1 + flow->block), sizeof(double));
    flow->beside = carom_arena_take(arena, 4 * size, sizeof(double));
    flow->nothing = carom_arena_take(arena, (size_t)model->contacts + (size_t)model->joints, sizeof(double));
    int **rows[] = {&flow->row_q, &flow->row_v}, **starts[] = {&flow->start_q, &flow->start_v};
    for (int i = 0; i < 2; i++) {
        *rows[i] = carom_arena_take(arena, carom_product(dof, dof), sizeof(int));
        *starts[i] = carom_arena_take(arena, dof + 1, sizeof(int));
        if (!*rows[i] || !*starts[i])
            return false;
    }
    flow->entries = NULL;
    if (model->ops->block_pattern && model->ops->block && !model->constant_mass) {
        const carom_sparse *pattern = model->ops->block_pattern(model, CAROM_BLOCK_STIFFNESS);
        flow->entries =
            carom_arena_take(arena, (size_t)pattern->column_start[pattern->columns] + 1, sizeof(double));
        if (!flow->entries)
            return false;
    }
    return flow->by_q && flow->by_v && flow->square && flow->extended && flow->beside && flow->nothing;
}

/* ---- the linearised equation of motion ---------------------------------------------------------------- */

/* to := M^-1 from, columns of the n x n matrix from become rows of `to`: A x = sum of x_j row_j. */
static void solve_columns(const shooting_flow *flow, const double *from, double *to)
{
    const int n = flow->dof;
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++)
            to[j * n + i] = from[i * n + j];
        carom_cholesky_solve(n, flow->mass, to + j * n);
    }
}

/* matrix -= d(M a)/dq, by differences of the mass: for models that do not give it. */
static void subtract_mass_slope(shooting_flow *flow, double t, const double *q, const double *a,
                                double *matrix)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int n = flow->dof;
    double *there = flow->beside, *mass = flow->by_v; /* which is made anew afterwards */
    memcpy(there, q, (size_t)n * sizeof *there);
    for (int k = 0; k < n; k++) {
        const double h = step * flow->length;
        for (int p = 0; p < 4; p++) {
            there[k] = q[k] + place[p] * h;
            flow->work->model->ops->mass(flow->work, t, there, mass);
            for (int i = 0; i < n; i++)
                matrix[i * n + k] -= weight[p] / (12.0 * h) * carom_dot(n, mass + i * n, a);
        }
        there[k] = q[k];
    }
}

/* square := df/dq - d(M a)/dq */
static void fill_stiffness(shooting_flow *flow, double t, const double *q, const double *v, const double *a)
{
    const carom_model *model = flow->work->model;
    const int n = flow->dof;
    if (!flow->entries) {
        model->ops->force_jacobian(flow->work, t, q, v, flow->square, NULL);
        if (!flow->constant_mass)
            subtract_mass_slope(flow, t, q, a, flow->square);
        return;
    }
    const carom_sparse *pattern = model->ops->block_pattern(model, CAROM_BLOCK_STIFFNESS);
    const carom_motion motion = {.t = t, .q = q, .v = v, .a = a, .lambda = flow->nothing};
    model->ops->block(flow->work, CAROM_BLOCK_STIFFNESS, &motion, flow->entries);
    memset(flow->square, 0, (size_t)n * (size_t)n * sizeof(double));
    for (int j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            flow->square[pattern->row[k] * n + j] = -flow->entries[k];
}

/* Where the columns of a matrix, which stand as rows, have entries that are not zero. */
static void find_entries(int n, const double *by, int *start, int *row)
{
    int count = 0;
    for (int j = 0; j < n; j++) {
        start[j] = count;
        for (int i = 0; i < n; i++)
            if (by[(ptrdiff_t)j * n + i] != 0.0)
                row[count++] = i;
    }
    start[n] = count;
}

/* to += A x by the entries that are not zero. */
static void add_product(int n, const double *by, const int *start, const int *row, const double *x,
                        double *to)
{
    for (int j = 0; j < n; j++) {
        const double *column = by + (ptrdiff_t)j * n;
        for (int k = start[j]; k < start[j + 1]; k++)
            to[row[k]] += x[j] * column[row[k]];
    }
}

/* A_q and A_v at a state whose acceleration, without the damping, is known; the mass is factored there. */
static bool linearise(shooting_flow *flow, double t, const double *q, const double *v, const double *a)
{
    const carom_model *model = flow->work->model;
    const int n = flow->dof;
    if (flow->linearised && flow->constant_mass && model->constant_force_jacobian)
        return true;
    fill_stiffness(flow, t, q, v, a);
    solve_columns(flow, flow->square, flow->by_q);
    model->ops->force_jacobian(flow->work, t, q, v, NULL, flow->square);
    solve_columns(flow, flow->square, flow->by_v);
    flow->linearised = carom_all_finite(n * n, flow->by_q) && carom_all_finite(n * n, flow->by_v);
    find_entries(n, flow->by_q, flow->start_q, flow->row_q);
    find_entries(n, flow->by_v, flow->start_v, flow->row_v);
    return flow->linearised;
}

/* da/dt by a formula of order 4. */
static bool time_slope(shooting_flow *flow, double t, const double *q, const double *v, double *slope)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int n = flow->dof;
    const double h = step * flow->time_scale;
    double *there = flow->beside;
    memset(slope, 0, (size_t)n * sizeof *slope);
    for (int p = 0; p < 4; p++) {
        if (!shooting_acceleration(flow, t + place[p] * h, q, v, there))
            return false;
        carom_axpy(n, weight[p] / (12.0 * h), there, slope);
    }
    return true;
}

/* da/dp: the works beside are bound to p - h, p + h. */
static bool parameter_slope(shooting_flow *flow, double t, const double *q, const double *v, double *slope)
{
    const int n = flow->dof;
    double *there = flow->beside;
    memset(slope, 0, (size_t)n * sizeof *slope);
    for (int side = 0; side < 2; side++) {
        if (!shooting_flow_acceleration_beside(flow, side, t, q, v, there))
            return false;
        carom_axpy(n, (side ? 0.5 : -0.5) / flow->parameter_step, there, slope);
    }
    return true;
}

bool shooting_variation_rate(shooting_flow *flow, double t, const double *y, double *rate)
{
    const int n = flow->dof, size = flow->size;
    const double *q = y, *v = y + n;
    double *a = rate + n, *source = flow->beside + size;
    if (!shooting_acceleration(flow, t, q, v, a))
        return false;
    memcpy(rate, v, (size_t)n * sizeof *rate);
    carom_axpy(n, flow->damping, v, a);
    const bool linearised = linearise(flow, t, q, v, a);
    carom_axpy(n, -flow->damping, v, a);
    if (!linearised)
        return false;
    for (int c = 0; c < flow->columns; c++) {
        const double *dq = y + (ptrdiff_t)size * (1 + c), *dv = dq + n;
        double *to = rate + (ptrdiff_t)size * (1 + c);
        memcpy(to, dv, (size_t)n * sizeof *to);
        to += n;
        for (int i = 0; i < n; i++)
            to[i] = -flow->damping * dv[i];
        add_product(n, flow->by_q, flow->start_q, flow->row_q, dq, to);
        add_product(n, flow->by_v, flow->start_v, flow->row_v, dv, to);
        switch (flow->source[c]) {
        case SOURCE_NONE:
            break;
        case SOURCE_TIME:
            if (!time_slope(flow, t, q, v, source))
                return false;
            carom_axpy(n, 1.0, source, to);
            break;
        case SOURCE_DAMPING:
            carom_axpy(n, -1.0, v, to);
            break;
        case SOURCE_PARAMETER:
            if (!parameter_slope(flow, t, q, v, source))
                return false;
            carom_axpy(n, 1.0, source, to);
            break;
        }
    }
    return true;
}

/* ---- flights ------------------------------------------------------------------------------------------ */

/* The end of a flight by the time at which it starts, where forces have kinks or jumps in time: by differences of whole flights,
 * which meet them at other times. */
static bool differ_by_time(shooting_flow *flow, double t, double duration, int steps, const double *state,
                           double *to)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int size = flow->size;
    const double h = step * flow->time_scale;
    double *there = flow->kept;
    memset(to, 0, (size_t)size * sizeof *to);
    for (int p = 0; p < 4; p++) {
        memcpy(there, state, (size_t)size * sizeof *there);
        if (!shooting_fly(flow, t + place[p] * h, duration, steps, there))
            return false;
        carom_axpy(size, weight[p] / (12.0 * h), there, to);
    }
    return true;
}

/* The same by the parameter, whose works beside have kinks and jumps of their own. */
static bool differ_by_parameter(shooting_flow *flow, double t, double duration, int steps,
                                const double *state, double *to)
{
    const int size = flow->size;
    carom_model_work *own = flow->work;
    const switching *switches = flow->switches;
    double *there = flow->kept;
    bool good = true;
    memset(to, 0, (size_t)size * sizeof *to);
    for (int side = 0; side < 2 && good; side++) {
        memcpy(there, state, (size_t)size * sizeof *there);
        flow->work = flow->beside_work[side];
        flow->switches = flow->beside_switches[side];
        flow->factored = false;
        good = shooting_fly(flow, t, duration, steps, there);
        carom_axpy(size, (side ? 0.5 : -0.5) / flow->parameter_step, there, to);
    }
    flow->work = own;
    flow->switches = switches;
    flow->factored = false;
    return good;
}

static bool differ_by_sources(shooting_flow *flow, double t, double duration, int steps, const double *state,
                              const shooting_tangent *tangent)
{
    for (int i = 0; i < tangent->sources; i++) {
        double *to = tangent->by_source[i];
        if (tangent->source[i] == SOURCE_TIME && !differ_by_time(flow, t, duration, steps, state, to))
            return false;
        if (tangent->source[i] == SOURCE_PARAMETER &&
            !differ_by_parameter(flow, t, duration, steps, state, to))
            return false;
    }
    return true;
}

bool shooting_fly_tangents(shooting_flow *flow, double t, double duration, int steps, double *state,
                           const shooting_tangent *tangent)
{
    const bool switches = shooting_switches(flow);
    const int size = flow->size, total = size + (switches ? 0 : tangent->sources);
    const size_t bytes = (size_t)size * sizeof *state;
    bool good = !switches || differ_by_sources(flow, t, duration, steps, state, tangent);
    for (int first = 0; first < total && good; first += flow->block) {
        flow->columns = total - first < flow->block ? total - first : flow->block;
        memset(flow->extended, 0, bytes * (size_t)(1 + flow->columns));
        memcpy(flow->extended, state, bytes);
        for (int c = 0; c < flow->columns; c++) {
            const int column = first + c;
            flow->source[c] = column < size ? SOURCE_NONE : tangent->source[column - size];
            if (column < size)
                flow->extended[(ptrdiff_t)size * (1 + c) + column] = 1.0;
        }
        good = shooting_fly_extended(flow, t, duration, steps, flow->extended);
        for (int c = 0; c < flow->columns; c++) {
            const double *from = flow->extended + (ptrdiff_t)size * (1 + c);
            for (int i = 0; i < size; i++) {
                if (first + c < size)
                    tangent->by_state[(ptrdiff_t)i * size + first + c] = from[i];
                else
                    tangent->by_source[first + c - size][i] = from[i];
            }
        }
        flow->columns = 0;
    }
    memcpy(state, flow->extended, bytes);
    return good;
}

/* ---- impacts ------------------------------------------------------------------------------------------ */

/* One column of dR/dq, or dR/dt (k = -1), by a formula of order 4; velocities only, since positions do not jump. */
static bool strike_slope(shooting_flow *flow, int contact, double t, const double *state, int k,
                         double *slope)
{
    static const double place[4] = {-2.0, -1.0, 1.0, 2.0}, weight[4] = {1.0, -8.0, 8.0, -1.0};
    const int n = flow->dof, size = flow->size;
    double *there = flow->beside;
    const double h = 0.1 * step * (k < 0 ? flow->time_scale : flow->length);
    memset(slope, 0, (size_t)n * sizeof *slope);
    for (int p = 0; p < 4; p++) {
        memcpy(there, state, (size_t)size * sizeof *there);
        if (k >= 0)
            there[k] += place[p] * h;
        if (!shooting_strike(flow, contact, k < 0 ? t + place[p] * h : t, there))
            return false;
        carom_axpy(n, weight[p] / (12.0 * h), there + n, slope);
    }
    return true;
}

bool shooting_strike_tangents(shooting_flow *flow, int contact, double t, const double *state,
                              double *by_state, double *by_time)
{
    const carom_model *model = flow->work->model;
    const int n = flow->dof, size = flow->size;
    const bool fixed = model->contact[contact].constant_frame && model->constant_mass;
    double *after = flow->beside, *slope = flow->beside + size;
    memset(by_state, 0, (size_t)size * (size_t)size * sizeof *by_state);
    memset(by_time, 0, (size_t)size * sizeof *by_time);
    for (int i = 0; i < size; i++)
        by_state[(ptrdiff_t)i * (size + 1)] = 1.0;
    for (int k = -1; !fixed && k < n; k++) {
        if (!strike_slope(flow, contact, t, state, k, slope))
            return false;
        for (int i = 0; i < n; i++)
            *(k < 0 ? &by_time[n + i] : &by_state[(ptrdiff_t)(n + i) * size + k]) = slope[i];
    }
    /* dR/dv = 1 - (1 + e) M^-1 n n^T / (n . M^-1 n); the strike leaves M^-1 n and n */
    memcpy(after, state, (size_t)size * sizeof *after);
    if (!shooting_strike(flow, contact, t, after))
        return false;
    const carom_row *normal = &flow->frame.normal;
    const double factor = (1.0 + flow->frame.restitution) / carom_row_dot(normal, flow->response);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < normal->count; k++)
            by_state[(ptrdiff_t)(n + i) * size + n + carom_row_column(normal, k)] -=
                factor * flow->response[i] * normal->value[k];
    return true;
}

/* x+ = R(x-, t) on gap = 0:  S = R_x + (f+ - R_x f- - R_t) gap_x / gap',  f the rates of the state on both
 * sides. */
bool shooting_saltation(shooting_flow *flow, int contact, double t, double *state, double *matrix)
{
    const int n = flow->dof, size = flow->size;
    double *by_time = flow->beside + 2 * size, *before = flow->beside + 3 * size, *jump = flow->kept;
    double rate = 0.0;
    if (!shooting_strike_tangents(flow, contact, t, state, matrix, by_time))
        return false;
    shooting_gap(flow, contact, t, state, &rate);
    memcpy(before, state + n, (size_t)n * sizeof *before);
    if (!shooting_acceleration(flow, t, state, state + n, before + n) ||
        !shooting_strike(flow, contact, t, state))
        return false;
    memcpy(jump, state + n, (size_t)n * sizeof *jump);
    if (!shooting_acceleration(flow, t, state, state + n, jump + n))
        return false;
    const carom_row *normal = &flow->frame.normal;
    for (int i = 0; i < size; i++)
        jump[i] -= carom_dot(size, matrix + (ptrdiff_t)i * size, before) + by_time[i];
    for (int i = 0; i < size; i++)
        carom_row_add(normal, jump[i] / rate, matrix + (ptrdiff_t)i * size);
    return true;
}
