#include "impact_tangent.h"

#include <math.h>
#include <string.h>

/* Impulses and velocities that are smaller, relative to the largest, are none. */
static const double nothing = 1e-11;
/* Derivatives that are smaller, relative to the largest, do not decide what a contact does. */
static const double still = 1e-7;
static const double rank_tolerance = 1e-11;
/* How far equations of redundant contacts may be from being solved, relative to their largest term. */
static const double consistent = 1e-8;

carom_status impact_tangent_accepts(const chosen_impact *chosen, carom_error *error)
{
    if (!chosen->work)
        return CAROM_OK;
    if (chosen->law != &carom_impact_newton && chosen->law != &carom_impact_moreau &&
        chosen->law != &carom_impact_poisson && chosen->law != &carom_impact_binary &&
        chosen->law != &carom_impact_lzb)
        return carom_fail(error, CAROM_BAD_INPUT, "the impact law '%s' has no derivatives",
                          chosen->law->name);
    if (chosen->law == &carom_impact_lzb && chosen->options.method != CAROM_LZB_EVENTS)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the impact law 'lzb' has derivatives with impact_method = \"events\" only");
    if (chosen->model_work->model->joints > 0)
        return carom_fail(error, CAROM_BAD_INPUT, "the impact law '%s' has no derivatives beside joints",
                          chosen->law->name);
    return CAROM_OK;
}

bool impact_tangent_take(impact_tangent *self, carom_arena *arena, chosen_impact *chosen, int directions)
{
    const carom_model *model = chosen->model_work->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts, d = (size_t)directions;
    const size_t square = carom_product(n, n), rows = carom_product(contacts, n),
                 couplings = carom_product(contacts, contacts);
    *self =
        (impact_tangent){.chosen = chosen,
                         .n = model->dof,
                         .contacts = model->contacts,
                         .directions = directions,
                         .work_size = carom_least_squares_work(model->contacts, model->contacts, directions)};
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->mass, square},
                  {&self->factor, square},
                  {&self->mass_along, carom_product(d, square)},
                  {&self->row, rows},
                  {&self->row_along, carom_product(d, rows)},
                  {&self->response, rows},
                  {&self->G, couplings},
                  {&self->G_along, carom_product(d, couplings)},
                  {&self->gamma, contacts},
                  {&self->gamma_along, carom_product(d, contacts)},
                  {&self->e_along, carom_product(d, contacts)},
                  {&self->p, contacts},
                  {&self->p_along, carom_product(d, contacts)},
                  {&self->part, contacts},
                  {&self->part_along, carom_product(d, contacts)},
                  {&self->matrix, couplings},
                  {&self->right, carom_product(d, contacts)},
                  {&self->work, self->work_size},
                  {&self->column, n},
                  {&self->acts, contacts},
                  {&self->room, carom_product(d + 1, contacts)},
                  {&self->again.velocity, n},
                  {&self->again.impulse, contacts}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->pivot = carom_arena_take(arena, contacts, sizeof(int));
    self->chosen_ones = carom_arena_take(arena, contacts, sizeof(int));
    return self->pivot && self->chosen_ones && carom_contact_frame_take(arena, model, &self->along) &&
           (chosen->law != &carom_impact_lzb ||
            lzb_tangent_take(&self->lzb, arena, model->contacts, directions));
}

/* ---- contact space ------------------------------------------------------------------------------------ */

static double *row_of(const impact_tangent *self, double *rows, int contact)
{
    return rows + (ptrdiff_t)contact * self->n;
}

static double *along_of(const impact_tangent *self, int direction)
{
    return self->row_along + (ptrdiff_t)direction * self->contacts * self->n;
}

/* Rows, restitutions and contact velocities along one direction. */
static void look_along(impact_tangent *self, int d, double t, const double *q,
                       const carom_direction *direction)
{
    const chosen_impact *chosen = self->chosen;
    const carom_model *model = chosen->model_work->model;
    const carom_model_tangent_ops *along = model->ops->tangent;
    double *rows = along_of(self, d);
    memset(rows, 0, (size_t)self->count * (size_t)self->n * sizeof *rows);
    for (int k = 0; k < self->count; k++) {
        along->frame(chosen->model_work, chosen->list[k], t, q, 1, direction, &self->along);
        carom_row_add(&self->along.normal, 1.0, row_of(self, rows, k));
        const ptrdiff_t place = (ptrdiff_t)d * self->contacts + k;
        self->e_along[place] =
            model->contact[chosen->list[k]].has_restitution ? self->along.restitution : 0.0;
        if (self->lzb.stiffness_along) {
            self->lzb.stiffness_along[place] = self->along.stiffness;
            self->lzb.exponent_along[place] = self->along.exponent;
        }
        self->gamma_along[place] =
            self->along.normal_rate + carom_dot(self->n, row_of(self, rows, k), chosen->velocity) +
            (direction->u ? carom_dot(self->n, row_of(self, self->row, k), direction->u) : 0.0);
    }
    along->mass(chosen->model_work, t, q, 1, direction, self->mass_along + (ptrdiff_t)d * self->n * self->n);
}

/* y = A x, n x n by rows */
static void multiply(int n, const double *matrix, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = carom_dot(n, matrix + (ptrdiff_t)i * n, x);
}

/* dG e_k = dW^T y + W^T M^-1 (dw_k - dM y), y = M^-1 w_k */
static void couple_along(impact_tangent *self, int d)
{
    const int n = self->n, count = self->count;
    double *G = self->G_along + (ptrdiff_t)d * self->contacts * self->contacts, *rows = along_of(self, d);
    for (int k = 0; k < count; k++) {
        const double *y = row_of(self, self->response, k);
        multiply(n, self->mass_along + (ptrdiff_t)d * n * n, y, self->column);
        for (int i = 0; i < n; i++)
            self->column[i] = row_of(self, rows, k)[i] - self->column[i];
        carom_cholesky_solve(n, self->factor, self->column);
        for (int j = 0; j < count; j++)
            G[(ptrdiff_t)j * count + k] = carom_dot(n, row_of(self, rows, j), y) +
                                          carom_dot(n, row_of(self, self->row, j), self->column);
    }
}

static bool enter(impact_tangent *self, double t, const double *q)
{
    const chosen_impact *chosen = self->chosen;
    const carom_model *model = chosen->model_work->model;
    const int n = self->n, count = self->count;
    model->ops->mass(chosen->model_work, t, q, self->mass);
    memcpy(self->factor, self->mass, (size_t)n * (size_t)n * sizeof *self->factor);
    if (carom_cholesky_factor(n, self->factor) != 0)
        return false;
    memset(self->row, 0, (size_t)count * (size_t)n * sizeof *self->row);
    self->speed = 0.0;
    for (int k = 0; k < count; k++) {
        double *row = row_of(self, self->row, k), *response = row_of(self, self->response, k);
        for (int i = chosen->column_start[k]; i < chosen->column_start[k + 1]; i++)
            row[chosen->row[i]] = chosen->value[i];
        memcpy(response, row, (size_t)n * sizeof *row);
        carom_cholesky_solve(n, self->factor, response);
        self->gamma[k] = carom_dot(n, row, chosen->velocity) + chosen->rate[k];
        self->speed = fmax(self->speed, fabs(self->gamma[k]));
    }
    for (int j = 0; j < count; j++)
        for (int k = 0; k < count; k++)
            self->G[(ptrdiff_t)j * count + k] =
                carom_dot(n, row_of(self, self->row, j), row_of(self, self->response, k));
    return true;
}

/* ---- strikes ------------------------------------------------------------------------------------------- */

static double largest_along(const impact_tangent *self, const double *before_along)
{
    double size = 0.0;
    for (int d = 0; d < self->now; d++) {
        const ptrdiff_t first = (ptrdiff_t)d * self->contacts;
        size = fmax(size, fmax(carom_largest(self->count, before_along + first),
                               carom_largest(self->count, self->gamma_along + first)));
    }
    return size;
}

/* gamma += G part, p += part, and along; the part is zero but where it was set. */
static void add_part(impact_tangent *self)
{
    const int count = self->count;
    for (int d = 0; d < self->now; d++) {
        const double *G = self->G_along + (ptrdiff_t)d * self->contacts * self->contacts;
        const double *along = self->part_along + (ptrdiff_t)d * self->contacts;
        double *gamma = self->gamma_along + (ptrdiff_t)d * self->contacts;
        for (int j = 0; j < count; j++)
            gamma[j] += carom_dot(count, G + (ptrdiff_t)j * count, self->part) +
                        carom_dot(count, self->G + (ptrdiff_t)j * count, along);
        carom_axpy(count, 1.0, along, self->p_along + (ptrdiff_t)d * self->contacts);
    }
    for (int j = 0; j < count; j++)
        self->gamma[j] += carom_dot(count, self->G + (ptrdiff_t)j * count, self->part);
    carom_axpy(count, 1.0, self->part, self->p);
}

/* Contacts that take no part although they might: what they ask for is zero, and changes. `rebound`: 1 + e, else 1. */
static void look_at_others(impact_tangent *self, const double *before, const double *before_along,
                           bool rebounds)
{
    const double *e = self->chosen->restitution, size = largest_along(self, before_along);
    for (int k = 0; k < self->count; k++) {
        const double factor = rebounds ? e[k] : 0.0;
        if (self->part[k] > 0.0 || fabs(self->gamma[k] + factor * before[k]) > nothing * self->speed)
            continue;
        for (int d = 0; d < self->now; d++) {
            const ptrdiff_t place = (ptrdiff_t)d * self->contacts + k;
            const double change = self->gamma_along[place] + factor * before_along[place] +
                                  (rebounds ? self->e_along[place] * before[k] : 0.0);
            if (fabs(change) > still * size)
                self->weak = self->chosen->list[k];
        }
    }
}

/* part = p_A of the contacts whose entry of `acts` is positive, and its derivatives. */
static bool solve_part(impact_tangent *self, const double *acts, bool rebounds)
{
    const int count = self->count;
    const double *e = self->chosen->restitution;
    int active = 0;
    for (int k = 0; k < count; k++) {
        self->part[k] = acts[k] > 0.0 ? acts[k] : 0.0;
        if (acts[k] > 0.0)
            self->chosen_ones[active++] = k;
    }
    memset(self->part_along, 0, (size_t)self->now * (size_t)self->contacts * sizeof *self->part_along);
    if (active == 0)
        return true;
    for (int j = 0; j < active; j++)
        for (int k = 0; k < active; k++)
            self->matrix[(ptrdiff_t)k * active + j] =
                self->G[(ptrdiff_t)self->chosen_ones[j] * count + self->chosen_ones[k]];
    double largest = 0.0;
    for (int d = 0; d < self->now; d++) {
        const double *G = self->G_along + (ptrdiff_t)d * self->contacts * self->contacts;
        for (int j = 0; j < active; j++) {
            const int k = self->chosen_ones[j];
            const ptrdiff_t place = (ptrdiff_t)d * self->contacts + k;
            const double factor = rebounds ? 1.0 + e[k] : 1.0;
            double *right = self->right + (ptrdiff_t)d * active + j;
            *right =
                -factor * self->gamma_along[place] - carom_dot(count, G + (ptrdiff_t)k * count, self->part);
            if (rebounds)
                *right -= self->e_along[place] * self->gamma[k];
            largest = fmax(largest, fabs(*right));
        }
    }
    if (carom_least_squares(active, active, self->matrix, self->now, self->right, rank_tolerance, self->pivot,
                            self->work, self->work_size) < 0)
        return false;
    for (int d = 0; d < self->now; d++)
        for (int j = 0; j < active; j++)
            self->part_along[(ptrdiff_t)d * self->contacts + self->chosen_ones[j]] =
                self->right[(ptrdiff_t)d * active + j];
    return true;
}

/* Whether what the strike asks for is fulfilled: redundant contacts may hold each other. */
static bool is_fulfilled(const impact_tangent *self, const double *before_along, const double *before,
                         bool rebounds)
{
    const double *e = self->chosen->restitution, size = largest_along(self, before_along);
    for (int k = 0; k < self->count; k++)
        for (int d = 0; self->part[k] > 0.0 && d < self->now; d++) {
            const ptrdiff_t place = (ptrdiff_t)d * self->contacts + k;
            const double left =
                self->gamma_along[place] +
                (rebounds ? e[k] * before_along[place] + self->e_along[place] * before[k] : 0.0);
            if (fabs(left) > consistent * size)
                return false;
        }
    return true;
}

/* room: for gamma before and its derivatives, 1 + directions times contacts. */
static bool strike(impact_tangent *self, const double *acts, bool rebounds, double *room)
{
    double *before_along = room + self->contacts;
    memcpy(room, self->gamma, (size_t)self->count * sizeof *room);
    memcpy(before_along, self->gamma_along,
           (size_t)self->now * (size_t)self->contacts * sizeof *before_along);
    if (!solve_part(self, acts, rebounds))
        return false;
    add_part(self);
    look_at_others(self, room, before_along, rebounds);
    return is_fulfilled(self, before_along, room, rebounds);
}

/* ---- laws ----------------------------------------------------------------------------------------------- */

/* Impulses that are rounding are none: what they decide is told. */
static void clean(int count, double *p)
{
    const double largest = carom_largest(count, p);
    for (int k = 0; k < count; k++)
        if (!(p[k] > nothing * largest))
            p[k] = 0.0;
}

static bool strike_newton(impact_tangent *self, double *acts, double *room)
{
    if (self->chosen->result.notes & CAROM_IMPACT_PROJECTED)
        return false; /* which impulses are of the law, and which of the projection, is not known */
    memcpy(acts, self->chosen->result.impulse, (size_t)self->count * sizeof *acts);
    clean(self->count, acts);
    return strike(self, acts, true, room);
}

static bool strike_poisson(impact_tangent *self, double *acts, double *room)
{
    const carom_impact_result *result = &self->chosen->result;
    const double *e = self->chosen->restitution;
    const int count = self->count;
    if (result->notes & CAROM_IMPACT_MINIMUM)
        return false;
    memcpy(acts, result->compression, (size_t)count * sizeof *acts);
    clean(count, acts);
    if (!strike(self, acts, false, room))
        return false;
    for (int k = 0; k < count; k++) { /* E p_C more, and what then is left of the impulses */
        for (int d = 0; d < self->now; d++) {
            const ptrdiff_t place = (ptrdiff_t)d * self->contacts + k;
            self->part_along[place] = e[k] * self->part_along[place] + self->e_along[place] * self->part[k];
        }
        acts[k] = result->impulse[k] - (1.0 + e[k]) * result->compression[k];
        self->part[k] *= e[k];
    }
    const double largest = carom_largest(count, result->impulse);
    for (int k = 0; k < count; k++)
        if (!(acts[k] > nothing * largest))
            acts[k] = 0.0;
    add_part(self);
    return strike(self, acts, false, room);
}

/* One collision of the law, made once more. */
typedef struct replay {
    impact_tangent *self;
    double *acts, *room;
} replay;

static void collided(void *context, int contact, double p)
{
    const replay *again = context;
    impact_tangent *self = again->self;
    memset(again->acts, 0, (size_t)self->count * sizeof *again->acts);
    again->acts[contact] = p;
    if (!self->failed && !strike(self, again->acts, true, again->room))
        self->failed = true;
}

static bool strike_binary(impact_tangent *self, double *acts, double *room)
{
    replay again = {self, acts, room};
    carom_impact_options options = self->chosen->options;
    options.collided = collided;
    options.collided_context = &again;
    self->failed = self->chosen->result.word == CAROM_IMPACT_NOT_CONVERGED ||
                   chosen_impact_again(self->chosen, &options, &self->again) != CAROM_OK;
    return !self->failed;
}

/* Contacts that are carried along and do nothing: where a direction makes one approach, it acts. */
static void look_at_idle(impact_tangent *self)
{
    const double largest = carom_largest(self->count, self->p), size = largest_along(self, self->gamma_along);
    for (int k = 0; k < self->count; k++)
        for (int d = 0; fabs(self->gamma[k]) <= nothing * self->speed && self->p[k] <= nothing * largest &&
                        d < self->now;
             d++)
            if (fabs(self->gamma_along[(ptrdiff_t)d * self->contacts + k]) > still * size)
                self->weak = self->chosen->list[k];
}

/* Without restitution, and with nothing that separates, bodies stay together: any restitution makes another law of it. */
static bool strike_lzb(impact_tangent *self, double *acts, double *room)
{
    bool inelastic = true, changes = false;
    for (int k = 0; k < self->count; k++) {
        inelastic = inelastic && self->chosen->restitution[k] == 0.0 && self->gamma[k] <= 0.0;
        for (int d = 0; d < self->now; d++)
            changes = changes || self->e_along[(ptrdiff_t)d * self->contacts + k] != 0.0;
    }
    if (!inelastic) {
        const bool done = lzb_tangent_strike(&self->lzb, self);
        if (done)
            look_at_idle(self);
        return done;
    }
    memcpy(acts, self->chosen->result.impulse, (size_t)self->count * sizeof *acts);
    clean(self->count, acts);
    return !changes && strike(self, acts, false, room);
}

bool impact_tangent_strike(impact_tangent *self, double t, const double *q, int count,
                           const carom_direction *direction, double *velocity_along)
{
    const chosen_impact *chosen = self->chosen;
    const int n = self->n;
    self->count = chosen->count;
    self->now = count;
    self->weak = -1;
    if (!enter(self, t, q))
        return false;
    memset(self->p, 0, (size_t)self->contacts * sizeof *self->p);
    memset(self->p_along, 0, (size_t)count * (size_t)self->contacts * sizeof *self->p_along);
    for (int d = 0; d < count; d++) {
        look_along(self, d, t, q, &direction[d]);
        couple_along(self, d);
    }
    const bool done = chosen->law == &carom_impact_lzb       ? strike_lzb(self, self->acts, self->room)
                      : chosen->law == &carom_impact_binary  ? strike_binary(self, self->acts, self->room)
                      : chosen->law == &carom_impact_poisson ? strike_poisson(self, self->acts, self->room)
                                                             : strike_newton(self, self->acts, self->room);
    if (!done)
        return false;
    for (int d = 0; d < count; d++) { /* M dv+ = M dv- - dM (v+ - v-) + dW p + W dp */
        double *out = velocity_along + (ptrdiff_t)d * n, *change = self->column;
        const double *rows = along_of(self, d), *p_along = self->p_along + (ptrdiff_t)d * self->contacts;
        for (int i = 0; i < n; i++)
            change[i] = chosen->velocity[i] - chosen->result.velocity[i];
        multiply(n, self->mass_along + (ptrdiff_t)d * n * n, change, out);
        for (int k = 0; k < self->count; k++) {
            carom_axpy(n, self->p[k], rows + (ptrdiff_t)k * n, out);
            carom_axpy(n, p_along[k], self->row + (ptrdiff_t)k * n, out);
        }
        carom_cholesky_solve(n, self->factor, out);
        if (direction[d].u)
            carom_axpy(n, 1.0, direction[d].u, out);
    }
    return true;
}
