/* Derivatives of the steps of newmark-contact. With the rows that touch held, a step is
 *
 *   A y = b + D^T r,   b = (h^2 (g - S u) - h C d) / (1 + e),   D (u + (1 - e)/(1 + e) d + y) = bound,
 *   d+ = d + (1 + e) y,   u+ = u + d+,
 *
 * and along a direction, D being constant,
 *
 *   A dy = db - dA y + D^T dr,   D dy = dbound - D d(u + (1 - e)/(1 + e) d).
 *
 * Few rows touch: with Y = A^-1 D^T the forces follow from D Y dr = ..., and no matrix larger than that is full. Outputs have
 * v = d/h, so that d of the step before is h v. */
#include <math.h>
#include <string.h>

#include "newmark_contact.h"

enum {
    ROWS_MAX = 2000 /* what touches may be full */
};

/* A status with a smaller margin is not strict. */
static const double strict_margin = 1e-9;
/* ... and a gap, relative to the obstacles' size. */
static const double zero_gap = 1e-12;
static const double rank_tolerance = 1e-11;

typedef struct newmark_tangent_data {
    carom_tangent base; /* first */
    newmark_contact *scheme;
    const carom_structure_along **along; /* per column */
    carom_band factor;                   /* of A */
    carom_band mass_factor;              /* of M, for the start of second order */
    double *term[3];                     /* columns x n: m(t_{n-1}), m(t_n), m(t_{n+1}), see newmark_load.h */
    double *before;                      /* columns x n: dq before the step */
    int active;
    int *row;              /* that touch */
    double *answer;        /* active x n: Y */
    double *matrix, *copy; /* active x active: D Y */
    double *r;             /* active: dr */
    int *pivot;
    double *work;
    size_t work_size;
    double *dd, *dy, *vector, *other, *Sv; /* n */
} newmark_tangent_data;

/* ---- products ---------------------------------------------------------------------------------------- */

static const double *parameter_of(const newmark_tangent_data *self, int column)
{
    return self->base.column[column].parameter;
}

/* to += factor S x */
static void add_stiffness(newmark_tangent_data *self, double factor, const double *x, double *to)
{
    if (factor == 0.0)
        return;
    self->scheme->stepper.model->ops->stiffness_times(self->scheme->stepper.work, x, self->other);
    carom_axpy(self->scheme->stepper.dof, factor, self->other, to);
}

/* to += factor M x */
static void add_mass(newmark_tangent_data *self, double factor, const double *x, double *to)
{
    if (factor == 0.0)
        return;
    carom_band_multiply(&self->scheme->structure->mass, x, self->other);
    carom_axpy(self->scheme->stepper.dof, factor, self->other, to);
}

/* to += factor dS x, factor dM x, along a column */
static void add_stiffness_along(newmark_tangent_data *self, int c, double factor, const double *x, double *to)
{
    const carom_stepper *stepper = &self->scheme->stepper;
    if (factor == 0.0 || !parameter_of(self, c))
        return;
    stepper->model->ops->tangent->stiffness_times(stepper->work, parameter_of(self, c), x, self->other);
    carom_axpy(stepper->dof, factor, self->other, to);
}

static void add_mass_along(newmark_tangent_data *self, int c, double factor, const double *x, double *to)
{
    if (factor == 0.0 || !parameter_of(self, c))
        return;
    carom_band_multiply(&self->along[c]->mass, x, self->other);
    carom_axpy(self->scheme->stepper.dof, factor, self->other, to);
}

/* to += factor d(C x), C = a M + b S, dx NULL: x does not change */
static void add_damping_along(newmark_tangent_data *self, int c, double factor, const double *x,
                              const double *dx, double *to)
{
    const carom_structure *s = self->scheme->structure;
    const carom_structure_along *along = self->along[c];
    add_mass(self, factor * along->damping_mass, x, to);
    add_mass_along(self, c, factor * s->damping_mass, x, to);
    add_stiffness(self, factor * along->damping_stiffness, x, to);
    add_stiffness_along(self, c, factor * s->damping_stiffness, x, to);
    if (!dx)
        return;
    add_mass(self, factor * s->damping_mass, dx, to);
    add_stiffness(self, factor * s->damping_stiffness, dx, to);
}

static double row_times(const carom_structure *s, int row, const double *x)
{
    double sum = 0.0;
    for (int k = s->row_start[row]; k < s->row_start[row + 1]; k++)
        sum += s->entry[k] * x[s->column[k]];
    return sum;
}

/* ---- the first step ------------------------------------------------------------------------------------ */

/* v^1 = v0 + h/2 a, M a = load(t0) - S q0 - C v0, or without a; q^1 = q0 + h v^1. */
static void first_step(newmark_tangent_data *self, int c, const double *q0, const double *v0,
                       const double *v1, const double *dq0, const double *dv0, double *dq, double *dv)
{
    const newmark_contact *scheme = self->scheme;
    const carom_stepper *stepper = &scheme->stepper;
    const carom_tangent_column *column = &self->base.column[c];
    const int n = stepper->dof;
    const double h = stepper->h, dh = column->h;
    double *da = self->vector, *a = self->dy;
    carom_copy(n, dv0, dv);
    if (stepper->option[NEWMARK_OPTION_START] != 0.0) {
        for (int i = 0; i < n; i++)
            a[i] = 2.0 * (v1[i] - v0[i]) / h;
        stepper->model->ops->tangent->load(stepper->work, column->parameter, 1, &stepper->t0,
                                           &(const double){1.0}, &column->t0, da);
        add_stiffness(self, -1.0, dq0, da);
        add_stiffness_along(self, c, -1.0, q0, da);
        add_damping_along(self, c, -1.0, v0, dv0, da);
        add_mass_along(self, c, -1.0, a, da);
        carom_band_solve(&self->mass_factor, da);
        for (int i = 0; i < n; i++)
            dv[i] += 0.5 * (dh * a[i] + h * da[i]);
    }
    for (int i = 0; i < n; i++)
        dq[i] = dq0[i] + dh * v1[i] + h * dv[i];
}

/* ---- other steps ----------------------------------------------------------------------------------------- */

/* Derivatives of m(t_0) and m(t_1), as newmark_load_start makes them. */
static void begin_load(newmark_tangent_data *self)
{
    const newmark_contact *scheme = self->scheme;
    const carom_stepper *stepper = &scheme->stepper;
    const ptrdiff_t n = stepper->dof;
    for (int c = 0; c < self->base.columns; c++) {
        const carom_tangent_column *column = &self->base.column[c];
        newmark_load_along(&scheme->load, column->parameter, stepper->t0, column->t0, column->h,
                           self->term[1] + c * n);
        newmark_load_along(&scheme->load, column->parameter, stepper->t0 + stepper->h, column->t0 + column->h,
                           column->h, self->term[2] + c * n);
    }
}

/* Derivatives of the terms of the load, for the step that ends at the state. */
static void move_load(newmark_tangent_data *self)
{
    const newmark_contact *scheme = self->scheme;
    const carom_stepper *stepper = &scheme->stepper;
    const ptrdiff_t n = stepper->dof;
    double *oldest = self->term[0];
    self->term[0] = self->term[1];
    self->term[1] = self->term[2];
    self->term[2] = oldest;
    const double h = stepper->h, t = stepper->state.t;
    for (int c = 0; c < self->base.columns; c++) {
        const carom_tangent_column *column = &self->base.column[c];
        const double dt = self->base.t[c];
        if (stepper->model->inputs > 0) /* they may be others than in the step before */
            newmark_load_along(&scheme->load, column->parameter, t - h, dt, column->h, self->term[1] + c * n);
        newmark_load_along(&scheme->load, column->parameter, t, dt + column->h, column->h,
                           self->term[2] + c * n);
    }
}

/* Rows that touch, Y and D Y. */
static void find_active(newmark_tangent_data *self)
{
    const newmark_contact *scheme = self->scheme;
    const carom_structure *s = scheme->structure;
    const ptrdiff_t n = scheme->stepper.dof;
    self->active = 0;
    for (int row = 0; row < s->rows; row++)
        if (scheme->r[row] != 0.0)
            self->row[self->active++] = row;
    for (int k = 0; k < self->active; k++) {
        double *answer = self->answer + k * n;
        const int row = self->row[k];
        memset(answer, 0, (size_t)n * sizeof *answer);
        for (int i = s->row_start[row]; i < s->row_start[row + 1]; i++)
            answer[s->column[i]] = s->entry[i];
        carom_band_solve(&self->factor, answer);
        for (int l = 0; l < self->active; l++)
            self->matrix[(ptrdiff_t)k * self->active + l] = row_times(s, self->row[l], answer);
    }
}

/* self->r := (D Y)^-1 self->r, or the shortest solution where rows depend on each other. */
static bool solve_forces(newmark_tangent_data *self)
{
    const int count = self->active;
    if (count == 0)
        return true;
    memcpy(self->copy, self->matrix, (size_t)count * (size_t)count * sizeof *self->copy);
    return carom_least_squares(count, count, self->copy, 1, self->r, rank_tolerance, self->pivot, self->work,
                               self->work_size) >= 0;
}

/* db - dA y into self->vector, for d and its derivative dd before the step. */
static void find_right_side(newmark_tangent_data *self, int c, const double *du)
{
    const newmark_contact *scheme = self->scheme;
    const carom_structure *s = scheme->structure;
    const carom_structure_along *along = self->along[c];
    const carom_tangent_column *column = &self->base.column[c];
    const int n = scheme->stepper.dof;
    const double h = scheme->stepper.h, dh = column->h, e = scheme->e, beta = scheme->beta;
    const double dbeta = column->option ? column->option[NEWMARK_OPTION_BETA] : 0.0;
    const double *d = scheme->d_next, *u = scheme->u_next, *Su = scheme->Su_next; /* exchanged: before it */
    double *x = self->vector;
    for (int i = 0; i < n; i++) {
        const double outer = scheme->load.term[0][i] + scheme->load.term[2][i], now = scheme->load.term[1][i];
        const double g = beta * outer + (1.0 - 2.0 * beta) * now;
        const ptrdiff_t at = (ptrdiff_t)c * n + i;
        const double dg = beta * (self->term[0][at] + self->term[2][at]) +
                          (1.0 - 2.0 * beta) * self->term[1][at] + dbeta * (outer - 2.0 * now);
        x[i] = 2.0 * h * dh * (g - Su[i]) + h * h * dg;
    }
    add_stiffness(self, -h * h, du, x);
    add_stiffness_along(self, c, -h * h, u, x);
    add_mass(self, -dh * s->damping_mass, d, x);
    add_stiffness(self, -dh * s->damping_stiffness, d, x);
    add_damping_along(self, c, -h, d, self->dd, x);
    for (int i = 0; i < n; i++)
        x[i] = (x[i] - along->restitution * scheme->vector[i]) / (1.0 + e);
    /* A = (1 + a h/2) M + (h^2 beta + b h/2) S */
    const double a = s->damping_mass, b = s->damping_stiffness, *y = scheme->y;
    add_mass(self, -0.5 * (along->damping_mass * h + a * dh), y, x);
    add_mass_along(self, c, -(1.0 + 0.5 * a * h), y, x);
    add_stiffness(
        self, -(2.0 * h * dh * beta + h * h * dbeta + 0.5 * (along->damping_stiffness * h + b * dh)), y, x);
    add_stiffness_along(self, c, -(h * h * beta + 0.5 * b * h), y, x);
}

/* Where a row is held: d of (bound - u - (1 - e)/(1 + e) d), as D sees it. */
static double held_along(const newmark_tangent_data *self, int c, int row, bool lower, const double *du)
{
    const newmark_contact *scheme = self->scheme;
    const carom_structure *s = scheme->structure;
    const carom_structure_along *along = self->along[c];
    const double e = scheme->e, share = (1.0 - e) / (1.0 + e),
                 dshare = -2.0 * along->restitution / ((1.0 + e) * (1.0 + e));
    return (lower ? along->lower[row] : along->upper[row]) - row_times(s, row, du) -
           share * row_times(s, row, self->dd) - dshare * row_times(s, row, scheme->d_next);
}

/* dy and dr. False: no solution. */
static bool solve_column(newmark_tangent_data *self, int c, const double *du)
{
    const newmark_contact *scheme = self->scheme;
    const ptrdiff_t n = scheme->stepper.dof;
    find_right_side(self, c, du);
    carom_copy((int)n, self->vector, self->dy);
    carom_band_solve(&self->factor, self->dy);
    for (int k = 0; k < self->active; k++) {
        const int row = self->row[k];
        self->r[k] =
            held_along(self, c, row, scheme->r[row] > 0.0, du) - row_times(scheme->structure, row, self->dy);
    }
    if (!solve_forces(self))
        return false;
    for (int k = 0; k < self->active; k++)
        carom_axpy((int)n, self->r[k], self->answer + k * n, self->dy);
    return carom_all_finite((int)n, self->dy);
}

/* ---- breaks ------------------------------------------------------------------------------------------------ */

static void tell_of_row(newmark_tangent_data *self, int row, bool lower, const char *what)
{
    const newmark_contact *scheme = self->scheme;
    const int contact = lower ? scheme->structure->lower_contact[row] : scheme->structure->upper_contact[row];
    carom_tangent_tell(&self->base, scheme->stepper.state.t,
                       "contact '%s' %s on one side, and not on the other",
                       contact < 0 ? "" : scheme->stepper.model->contact[contact].name, what);
}

/* Rows that touch without a force, and would with one, or without, along this column. */
static void look_at_rows(newmark_tangent_data *self, int c, const double *du)
{
    const newmark_contact *scheme = self->scheme;
    const carom_structure *s = scheme->structure;
    const double size = carom_largest(scheme->stepper.dof, scheme->u) + scheme->program.row_size,
                 change =
                     carom_largest(scheme->stepper.dof, self->dy) + carom_largest(scheme->stepper.dof, du);
    double largest = 0.0;
    for (int k = 0; k < self->active; k++)
        largest = fmax(largest, fabs(scheme->r[self->row[k]]));
    for (int k = 0; k < self->active; k++)
        if (fabs(scheme->r[self->row[k]]) <= strict_margin * largest && self->r[k] != 0.0)
            tell_of_row(self, self->row[k], scheme->r[self->row[k]] > 0.0, "opens");
    for (int row = 0; row < s->rows; row++) {
        if (scheme->r[row] != 0.0)
            continue;
        const double at = row_times(s, row, scheme->y);
        for (int lower = 0; lower < 2; lower++) {
            const double slack = lower ? at - scheme->lower[row] : scheme->upper[row] - at;
            if (!(fabs(slack) <= zero_gap * size))
                continue;
            const double moves = row_times(s, row, self->dy) - held_along(self, c, row, lower, du);
            if (fabs(moves) > strict_margin * change)
                tell_of_row(self, row, lower, "closes");
        }
    }
}

/* ---- steps ------------------------------------------------------------------------------------------------- */

static void take_impulses(newmark_tangent_data *self, int c)
{
    const newmark_contact *scheme = self->scheme;
    const carom_structure *s = scheme->structure;
    const double h = scheme->stepper.h, e = scheme->e, de = self->along[c]->restitution,
                 dh = self->base.column[c].h;
    double *impulse = self->base.impulse + (ptrdiff_t)c * CAROM_CONTACT_COMPONENTS * scheme->stepper.contacts;
    memset(impulse, 0, CAROM_CONTACT_COMPONENTS * (size_t)scheme->stepper.contacts * sizeof *impulse);
    for (int k = 0; k < self->active; k++) {
        const double r = scheme->r[self->row[k]], sign = r > 0.0 ? 1.0 : -1.0;
        const int contact = r > 0.0 ? s->lower_contact[self->row[k]] : s->upper_contact[self->row[k]];
        impulse[CAROM_CONTACT_COMPONENTS * contact] =
            sign * ((1.0 + e) * self->r[k] + (de - (1.0 + e) * dh / h) * r) / h;
    }
}

static void step_column(newmark_tangent_data *self, int c)
{
    const newmark_contact *scheme = self->scheme;
    const int n = scheme->stepper.dof;
    const double h = scheme->stepper.h, dh = self->base.column[c].h, e = scheme->e,
                 de = self->along[c]->restitution;
    double *dq = carom_tangent_q(&self->base, c), *dv = carom_tangent_v(&self->base, c);
    for (int i = 0; i < n; i++)
        self->dd[i] = h * dv[i] + dh * self->base.v_before[i];
    if (!solve_column(self, c, dq)) {
        carom_tangent_tell(&self->base, scheme->stepper.state.t,
                           "the equations of the step have no finite derivatives");
        self->base.lost = true;
        return;
    }
    look_at_rows(self, c, dq);
    take_impulses(self, c);
    for (int i = 0; i < n; i++) {
        self->dd[i] += de * scheme->y[i] + (1.0 + e) * self->dy[i];
        dq[i] += self->dd[i];
        dv[i] = (self->dd[i] - dh * scheme->stepper.state.v[i]) / h;
    }
}

static carom_status step(carom_tangent *base, carom_error *error)
{
    (void)error;
    newmark_tangent_data *self = (newmark_tangent_data *)base;
    const carom_stepper *stepper = base->stepper;
    const ptrdiff_t n = stepper->dof;
    const bool first = stepper->counts.steps == 1;
    for (int c = 0; c < base->columns; c++)
        carom_copy((int)n, carom_tangent_q(base, c), self->before + c * n);
    if (!first) {
        move_load(self);
        find_active(self);
    } else if (stepper->model->inputs > 0) { /* they may be others than at the start */
        begin_load(self);
    }
    for (int c = 0; c < base->columns && !base->lost; c++) {
        double *dq = carom_tangent_q(base, c), *dv = carom_tangent_v(base, c);
        if (first) {
            carom_copy((int)n, dv, self->dd);
            first_step(self, c, base->q_before, base->v_before, stepper->state.v, self->before + c * n,
                       self->dd, dq, dv);
        } else {
            step_column(self, c);
        }
    }
    for (int c = 0; c < base->columns; c++)
        base->t[c] += base->column[c].h;
    return CAROM_OK;
}

/* E = 1/2 v.(M + h^2 beta S) v + 1/2 u.S u_before, v = (u - u_before) / h, along a column; with Su_before at hand. */
static double pair_energy(newmark_tangent_data *self, int c, const double *v, const double *u,
                          const double *u_before, const double *Su_before, const double *dv, const double *du,
                          const double *du_before)
{
    const newmark_contact *scheme = self->scheme;
    const carom_tangent_column *column = &self->base.column[c];
    const int n = scheme->stepper.dof;
    const double h = scheme->stepper.h, beta = scheme->beta;
    const double dbeta = column->option ? column->option[NEWMARK_OPTION_BETA] : 0.0;
    double *Sv = self->Sv, *moved = self->vector;
    memset(Sv, 0, (size_t)n * sizeof *Sv);
    add_stiffness(self, 1.0, v, Sv);
    double sum = carom_band_form(&scheme->structure->mass, v, dv) +
                 0.5 * carom_band_form(&self->along[c]->mass, v, v) + beta * h * h * carom_dot(n, Sv, dv) +
                 (h * column->h * beta + 0.5 * h * h * dbeta) * carom_dot(n, Sv, v);
    memset(moved, 0, (size_t)n * sizeof *moved);
    add_stiffness_along(self, c, 0.5 * h * h * beta, v, moved);
    sum += carom_dot(n, moved, v);
    memset(moved, 0, (size_t)n * sizeof *moved);
    add_stiffness_along(self, c, 0.5, u_before, moved);
    add_stiffness(self, 0.5, du_before, moved);
    return sum + carom_dot(n, moved, u) + 0.5 * carom_dot(n, Su_before, du);
}

/* As the scheme's energy: before the first step the pair that begins is meant. */
static double energy(carom_tangent *base, int c)
{
    newmark_tangent_data *self = (newmark_tangent_data *)base;
    const newmark_contact *scheme = self->scheme;
    const carom_state *state = &scheme->stepper.state;
    const int n = scheme->stepper.dof;
    const double *dq = carom_tangent_q(base, c), *dv = carom_tangent_v(base, c);
    if (scheme->stepper.counts.steps > 0)
        return pair_energy(self, c, state->v, scheme->u, scheme->u_next, scheme->Su_next, dv, dq,
                           self->before + (ptrdiff_t)c * n);
    double *v1 = self->answer, *dq1 = v1 + n, *dv1 = dq1 + n;
    for (int i = 0; i < n; i++)
        v1[i] = scheme->d_next[i] / scheme->stepper.h;
    first_step(self, c, state->q, state->v, v1, dq, dv, dq1, dv1);
    return pair_energy(self, c, v1, scheme->u_next, scheme->u, scheme->Su, dv1, dq1, dq);
}

/* ---- life ---------------------------------------------------------------------------------------------------- */

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    const newmark_contact *scheme = (const newmark_contact *)stepper;
    if (!stepper->model->ops->tangent->structure)
        return carom_fail(error, CAROM_BAD_INPUT, "the structure has no derivatives along its parameters");
    if (scheme->structure->rows > ROWS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%d places have obstacles; derivatives of steps are made for %d at most",
                          scheme->structure->rows, ROWS_MAX);
    return CAROM_OK;
}

static bool take_memory(newmark_tangent_data *self)
{
    const newmark_contact *scheme = self->scheme;
    carom_arena *arena = self->base.arena;
    const size_t n = (size_t)scheme->stepper.dof, columns = (size_t)self->base.columns,
                 rows = (size_t)scheme->structure->rows, all = carom_product(columns, n);
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->term[0], all},
                  {&self->term[1], all},
                  {&self->term[2], all},
                  {&self->before, all},
                  {&self->answer, carom_product(rows > 3 ? rows : 3, n)},
                  {&self->matrix, carom_product(rows, rows)},
                  {&self->copy, carom_product(rows, rows)},
                  {&self->r, rows},
                  {&self->dd, n},
                  {&self->dy, n},
                  {&self->vector, n},
                  {&self->other, n},
                  {&self->Sv, n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->along = carom_arena_take(arena, columns, sizeof *self->along);
    self->row = carom_arena_take(arena, rows, sizeof *self->row);
    self->pivot = carom_arena_take(arena, rows, sizeof *self->pivot);
    const carom_band *M = &scheme->structure->mass;
    self->work_size = carom_least_squares_work((int)rows, (int)rows, 1);
    self->work = carom_arena_take(arena, self->work_size, sizeof(double));
    return self->along && self->row && self->pivot && self->work &&
           carom_band_take(arena, M->size, M->width, &self->factor) &&
           carom_band_take(arena, M->size, M->width, &self->mass_factor);
}

static carom_status setup(carom_tangent *base, carom_error *error)
{
    newmark_tangent_data *self = (newmark_tangent_data *)base;
    const carom_stepper *stepper = base->stepper;
    newmark_contact *scheme = self->scheme = (newmark_contact *)stepper;
    if (!take_memory(self))
        return carom_fail_memory(error);
    carom_band_combine(&scheme->A, 0.0, &scheme->A, &self->factor);
    carom_band_combine(&scheme->structure->mass, 0.0, &scheme->structure->mass, &self->mass_factor);
    if (carom_band_factor(&self->factor) != 0 || carom_band_factor(&self->mass_factor) != 0)
        return carom_fail(error, CAROM_FAILED, "the matrix of the step is not positive definite");
    for (int c = 0; c < base->columns; c++) {
        const carom_tangent_column *column = &base->column[c];
        self->along[c] = stepper->model->ops->tangent->structure(stepper->work, column->parameter);
        if (!self->along[c])
            return carom_fail_memory(error);
    }
    begin_load(self);
    return CAROM_OK;
}

/* The loads of the steps before and the positions before them. */
static void keep(carom_tangent *base, carom_snapshot *snapshot)
{
    newmark_tangent_data *self = (newmark_tangent_data *)base;
    const size_t all = (size_t)base->columns * (size_t)base->stepper->dof;
    for (int i = 0; i < 3; i++)
        carom_snapshot_block(snapshot, self->term[i], all * sizeof(double));
    carom_snapshot_block(snapshot, self->before, all * sizeof(double));
}

const carom_tangent_ops newmark_tangent = {
    .bytes = sizeof(newmark_tangent_data),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .energy = energy,
    .keep = keep,
};
