#include "linear_system.h"

#include <math.h>
#include <string.h>

/* The last term of a series is at most this beside the first ones. */
static const double series_accuracy = 1e-17;

enum {
    HALVINGS_MAX = 60
};

static double *at(double *matrix, const linear_system *self, int row)
{
    return matrix + (ptrdiff_t)row * self->size;
}

/* ---- memory ----------------------------------------------------------------------------------------- */

static bool take_part(const linear_system *self, carom_arena *arena, linear_part *part)
{
    const size_t size = (size_t)self->size;
    part->generator = carom_arena_take(arena, size * size, sizeof(double));
    part->step = carom_arena_take(arena, size * size, sizeof(double));
    part->series = carom_arena_take(arena, (size_t)self->contacts * size * LINEAR_TERMS, sizeof(double));
    part->bend = carom_arena_take(arena, (size_t)self->contacts * size, sizeof(double));
    part->motion = carom_arena_take(arena, 2 * (size_t)self->dof * size * LINEAR_TERMS, sizeof(double));
    return part->generator && part->step && part->series && part->bend && part->motion;
}

static bool take_memory(linear_system *self, carom_arena *arena)
{
    const size_t size = (size_t)self->size, contacts = (size_t)self->contacts, n = (size_t)self->dof;
    const struct {
        double **place;
        size_t count;
    } numbers[] = {{&self->gap, contacts * size},          {&self->rate, contacts * size},
                   {&self->acceleration, contacts * size}, {&self->response, contacts * n},
                   {&self->coupling, contacts * contacts}, {&self->restitution, contacts},
                   {&self->generator, size * size},        {&self->power, size * size},
                   {&self->product, size * size},          {&self->term, 2 * size}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!(*numbers[i].place = carom_arena_take(arena, numbers[i].count, sizeof(double))))
            return false;
    self->part = carom_arena_take(arena, contacts + 1, sizeof *self->part);
    bool taken = self->part != NULL;
    for (size_t i = 0; taken && i <= contacts; i++)
        taken = take_part(self, arena, &self->part[i]);
    return taken;
}

/* ---- the system from the model -------------------------------------------------------------------------- */

/* Place of a wave in z; false: the frequency is 0, a constant. */
static bool wave_place(const linear_system *self, double frequency, int *place)
{
    for (int k = 0; k < self->waves; k++)
        if (self->frequency[k] == fabs(frequency)) {
            *place = 2 * self->dof + 1 + 2 * k;
            return true;
        }
    return false;
}

static void find_waves(linear_system *self, const carom_harmonics *driven)
{
    for (int k = 0; k < driven->count; k++) {
        int place;
        if (driven->frequency[k] != 0.0 && !wave_place(self, driven->frequency[k], &place))
            self->frequency[self->waves++] = fabs(driven->frequency[k]);
    }
}

/* row[...] += factor times entry i of what is driven (2 count x width numbers). */
static void add_driven(const linear_system *self, const carom_harmonics *driven, const double *what,
                       int width, int i, double factor, double *row)
{
    for (int k = 0; k < driven->count; k++) {
        const double cosine = what[(ptrdiff_t)(2 * k) * width + i],
                     sine = what[(ptrdiff_t)(2 * k + 1) * width + i];
        int place;
        if (!wave_place(self, driven->frequency[k], &place)) {
            row[2 * self->dof] += factor * cosine;
            continue;
        }
        row[place] += factor * cosine;
        row[place + 1] += factor * (driven->frequency[k] < 0.0 ? -sine : sine);
    }
}

/* B without contacts: q' = u; M u' = force_by_q q + force_by_u u + f; the waves turn. */
static carom_status make_generator(linear_system *self, carom_arena *arena, carom_model_work *work,
                                   const carom_harmonics *driven, double *factor, carom_error *error)
{
    const int n = self->dof;
    const size_t square = (size_t)n * (size_t)n;
    const carom_model_ops *ops = work->model->ops;
    double *by_q = carom_arena_take(arena, square, sizeof *by_q),
           *by_u = carom_arena_take(arena, square, sizeof *by_u);
    double *column = carom_arena_take(arena, (size_t)n, sizeof *column);
    double *zero = carom_arena_take(arena, 2 * (size_t)n, sizeof *zero);
    if (!by_q || !by_u || !column || !zero)
        return carom_fail_memory(error);
    ops->mass(work, 0.0, zero, factor);
    ops->force_jacobian(work, 0.0, zero, zero + n, by_q, by_u);
    const int row = carom_cholesky_factor(n, factor);
    if (row > 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the mass matrix is not positive definite at coordinate '%s'",
                          work->model->coordinate[row - 1]);
    for (int i = 0; i < n; i++) {
        double *accelerated = at(self->generator, self, n + i);
        at(self->generator, self, i)[n + i] = 1.0;
        memcpy(accelerated, by_q + (ptrdiff_t)i * n, (size_t)n * sizeof *by_q);
        memcpy(accelerated + n, by_u + (ptrdiff_t)i * n, (size_t)n * sizeof *by_u);
        add_driven(self, driven, driven->force, n, i, 1.0, accelerated);
    }
    for (int j = 0; j < self->size; j++) { /* M^-1 of these rows, column by column */
        for (int i = 0; i < n; i++)
            column[i] = at(self->generator, self, n + i)[j];
        carom_cholesky_solve(n, factor, column);
        for (int i = 0; i < n; i++)
            at(self->generator, self, n + i)[j] = column[i];
    }
    for (int k = 0; k < self->waves; k++) {
        const int place = 2 * n + 1 + 2 * k;
        at(self->generator, self, place)[place + 1] = -self->frequency[k];
        at(self->generator, self, place + 1)[place] = self->frequency[k];
    }
    return CAROM_OK;
}

/* to = row B */
static void times_generator(const linear_system *self, const double *row, double *to)
{
    memset(to, 0, (size_t)self->size * sizeof *to);
    for (int i = 0; i < self->size; i++)
        if (row[i] != 0.0)
            carom_axpy(self->size, row[i], self->generator + (ptrdiff_t)i * self->size, to);
}

static carom_status make_contacts(linear_system *self, carom_arena *arena, carom_model_work *work,
                                  const carom_harmonics *driven, const double *factor, carom_error *error)
{
    const int n = self->dof;
    double *zero = carom_arena_take(arena, (size_t)n, sizeof *zero);
    carom_contact_frame frame = {0};
    if (!zero || !carom_contact_frame_take(arena, work->model, &frame))
        return carom_fail_memory(error);
    for (int k = 0; k < self->contacts; k++) {
        double *gap = at(self->gap, self, k), *response = self->response + (ptrdiff_t)k * n;
        work->model->ops->frame(work, k, 0.0, zero, &frame);
        carom_row_spread(&frame.normal, n, gap);
        carom_row_spread(&frame.normal, n, response);
        carom_cholesky_solve(n, factor, response);
        self->restitution[k] = frame.restitution;
        if (!(frame.restitution >= 0.0 && frame.restitution <= 1.0))
            return carom_fail(error, CAROM_BAD_INPUT, "restitution of contact '%s' = %g: from 0 to 1",
                              work->model->contact[k].name, frame.restitution);
        for (int other = 0; other <= k; other++)
            self->coupling[k * self->contacts + other] = self->coupling[other * self->contacts + k] =
                carom_dot(n, at(self->gap, self, other), response);
        add_driven(self, driven, driven->gap, self->contacts, k, 1.0, gap);
        times_generator(self, gap, at(self->rate, self, k));
        times_generator(self, at(self->rate, self, k), at(self->acceleration, self, k));
        if (!(self->coupling[k * self->contacts + k] > 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "the gap of contact '%s' does not depend on the position",
                              work->model->contact[k].name);
    }
    return CAROM_OK;
}

/* ---- one set of closed contacts ------------------------------------------------------------------------ */

static void multiply(int size, const double *a, const double *b, double *product)
{
    memset(product, 0, (size_t)size * (size_t)size * sizeof *product);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++)
            if (a[i * size + k] != 0.0)
                carom_axpy(size, a[i * size + k], b + (ptrdiff_t)k * size, product + (ptrdiff_t)i * size);
}

/* Unit of an entry of z: positions and velocities have one, the constant and the waves have none. */
static double unit_of(const linear_system *self, int i)
{
    return i < self->dof ? self->length : i < 2 * self->dof ? self->length / self->h : 1.0;
}

/* Largest entry, without units. */
static double measure(const linear_system *self, const double *matrix)
{
    const int size = self->size;
    double largest = 0.0;
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
            largest = fmax(largest, fabs(matrix[i * size + j]) * (unit_of(self, j) / unit_of(self, i)));
    return largest;
}

/* exp(h B) as its series; the size of the last term. */
static double make_step(linear_system *self, linear_part *part)
{
    const int size = self->size;
    const size_t square = (size_t)size * (size_t)size;
    memset(self->power, 0, square * sizeof(double));
    for (int i = 0; i < size; i++)
        self->power[i * size + i] = 1.0;
    memcpy(part->step, self->power, square * sizeof(double));
    double last = 0.0;
    for (int k = 1; k < LINEAR_TERMS; k++) {
        multiply(size, self->power, part->generator, self->product);
        for (size_t i = 0; i < square; i++) {
            self->power[i] = self->product[i] / k;
            part->step[i] += self->power[i];
        }
        last = measure(self, self->power);
    }
    return last;
}

/* series[i][k] = (row (h B)^k / k!)_i */
static void make_series(linear_system *self, const linear_part *part, const double *row, double *series)
{
    const int size = self->size;
    double *now = self->term, *next = self->term + size;
    memcpy(now, row, (size_t)size * sizeof *row);
    for (int k = 0; k < LINEAR_TERMS; k++) {
        for (int i = 0; i < size; i++)
            series[i * LINEAR_TERMS + k] = now[i];
        memset(next, 0, (size_t)size * sizeof *next);
        for (int i = 0; i < size; i++)
            carom_axpy(size, now[i] / (k + 1), part->generator + (ptrdiff_t)i * size, next);
        memcpy(now, next, (size_t)size * sizeof *now);
    }
}

static double *series_of(const linear_system *self, const linear_part *part, int contact)
{
    return part->series + (ptrdiff_t)contact * self->size * LINEAR_TERMS;
}

/* h B with the force lambda = -gap''/W of the closed contact. */
static void make_part_generator(linear_system *self, linear_part *part, int closed)
{
    const int n = self->dof, size = self->size;
    for (int i = 0; i < size * size; i++)
        part->generator[i] = self->h * self->generator[i];
    if (closed < 0)
        return;
    const double *acceleration = self->acceleration + (ptrdiff_t)closed * size;
    const double *response = self->response + (ptrdiff_t)closed * n;
    const double coupling = self->coupling[closed * self->contacts + closed];
    for (int i = 0; i < n; i++)
        carom_axpy(size, -self->h * response[i] / coupling, acceleration, at(part->generator, self, n + i));
}

static void make_part_series(linear_system *self, linear_part *part, int closed)
{
    for (int k = 0; k < self->contacts; k++) {
        if (k != closed) {
            make_series(self, part, at(self->gap, self, k), series_of(self, part, k));
            continue;
        }
        const double coupling = self->coupling[k * self->contacts + k];
        make_series(self, part, at(self->acceleration, self, k), series_of(self, part, k));
        for (int i = 0; i < self->size * LINEAR_TERMS; i++)
            series_of(self, part, k)[i] /= -coupling;
    }
}

/* sum k (k - 1) |c_k| bounds |c''| on [0, 1]. */
static void make_bends(linear_system *self, linear_part *part)
{
    for (int k = 0; k < self->contacts; k++)
        for (int i = 0; i < self->size; i++) {
            const double *c = series_of(self, part, k) + (ptrdiff_t)i * LINEAR_TERMS;
            double bend = 0.0;
            for (int order = 2; order < LINEAR_TERMS; order++)
                bend += (double)(order * (order - 1)) * fabs(c[order]);
            at(part->bend, self, k)[i] = bend;
        }
}

static double *motion_of(const linear_system *self, const linear_part *part, int i)
{
    return part->motion + (ptrdiff_t)i * self->size * LINEAR_TERMS;
}

static void make_motion(linear_system *self, linear_part *part)
{
    double *row = self->product; /* is free */
    for (int i = 0; i < 2 * self->dof; i++) {
        memset(row, 0, (size_t)self->size * sizeof *row);
        row[i] = 1.0;
        make_series(self, part, row, motion_of(self, part, i));
    }
}

const linear_part *linear_system_part(linear_system *self, int closed)
{
    linear_part *part = &self->part[closed + 1];
    if (part->made)
        return part;
    make_part_generator(self, part, closed);
    make_step(self, part);
    make_part_series(self, part, closed);
    make_bends(self, part);
    make_motion(self, part);
    part->made = true;
    return part;
}

/* Halves h until all series end at rounding. */
static bool choose_h(linear_system *self, double longest)
{
    self->h = longest;
    for (int closed = -1; closed < self->contacts; closed++) {
        linear_part *part = &self->part[closed + 1];
        for (int i = 0;; i++) {
            make_part_generator(self, part, closed);
            const double last = make_step(self, part);
            if (last <= series_accuracy)
                break;
            if (i == HALVINGS_MAX || !isfinite(self->h))
                return false;
            /* One halving makes the last term smaller by 2^19: several at once where that is not enough. */
            const double ratio = isfinite(last) ? pow(series_accuracy / last, 1.0 / (LINEAR_TERMS - 1)) : 0.1;
            self->h = longest / ceil(longest / (self->h * fmin(0.98 * ratio, 0.98)));
        }
    }
    return true;
}

carom_status linear_system_make(linear_system *self, carom_arena *arena, carom_model_work *work,
                                double length, double longest, carom_error *error)
{
    const carom_model *model = work->model;
    const carom_harmonics *driven = model->ops->harmonics(work);
    *self = (linear_system){.dof = model->dof, .contacts = model->contacts, .length = length};
    if (!carom_all_finite(driven->count, driven->frequency) ||
        !carom_all_finite(2 * driven->count * model->dof, driven->force) ||
        !carom_all_finite(2 * driven->count * model->contacts, driven->gap))
        return carom_fail(error, CAROM_BAD_INPUT, "a force or a gap of the model is not a finite number");
    self->frequency = carom_arena_take(arena, (size_t)driven->count, sizeof *self->frequency);
    if (!self->frequency)
        return carom_fail_memory(error);
    find_waves(self, driven);
    self->size = 2 * self->dof + 1 + 2 * self->waves;
    double *factor = carom_arena_take(arena, (size_t)self->dof * (size_t)self->dof, sizeof *factor);
    if (!factor || !take_memory(self, arena))
        return carom_fail_memory(error);
    carom_status status = make_generator(self, arena, work, driven, factor, error);
    if (status == CAROM_OK)
        status = make_contacts(self, arena, work, driven, factor, error);
    if (status != CAROM_OK)
        return status;
    if (!carom_all_finite(self->size * self->size, self->generator) || !choose_h(self, longest))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "stiffness, damping or forces of the model are too large, or not finite, for a step of %g",
            longest);
    return CAROM_OK;
}

/* ---- motion ------------------------------------------------------------------------------------------------ */

void linear_system_set_waves(const linear_system *self, double t, double *z)
{
    double *wave = z + 2 * self->dof;
    *wave++ = 1.0;
    for (int k = 0; k < self->waves; k++) {
        *wave++ = cos(self->frequency[k] * t);
        *wave++ = sin(self->frequency[k] * t);
    }
}

/* The series that z makes of the columns. */
static inline void combine(int size, const double *column, const double *z, double series[LINEAR_TERMS])
{
    for (int k = 0; k < LINEAR_TERMS; k++)
        series[k] = 0.0;
    for (int i = 0; i < size; i++, column += LINEAR_TERMS)
        for (int k = 0; k < LINEAR_TERMS; k++)
            series[k] += z[i] * column[k];
}

void linear_system_move(linear_system *self, const linear_part *part, double x, double *z)
{
    const int size = self->size, moving = 2 * self->dof;
    double *moved = self->term;
    if (x == 1.0) {
        for (int i = 0; i < size; i++)
            moved[i] = carom_dot(size, part->step + (ptrdiff_t)i * size, z);
        carom_copy(size, moved, z);
        return;
    }
    for (int i = 0; i < moving; i++) {
        double series[LINEAR_TERMS];
        combine(size, motion_of(self, part, i), z, series);
        double sum = series[LINEAR_TERMS - 1];
        for (int k = LINEAR_TERMS - 2; k >= 0; k--)
            sum = sum * x + series[k];
        moved[i] = sum;
    }
    carom_copy(moving, moved, z);
}

void linear_system_series(const linear_system *self, const linear_part *part, int contact, const double *z,
                          double series[LINEAR_TERMS])
{
    combine(self->size, series_of(self, part, contact), z, series);
}

/* c(x) >= c_0 + c_1 x - bend x^2/2, which is concave: positive at both ends it is so between them. */
bool linear_system_is_clear(const linear_system *self, const linear_part *part, int contact, const double *z,
                            double end)
{
    const double *column = series_of(self, part, contact);
    const double *bends = part->bend + (ptrdiff_t)contact * self->size;
    double value = 0.0, slope = 0.0, bend = 0.0;
    for (int i = 0; i < self->size; i++, column += LINEAR_TERMS) {
        value += z[i] * column[0];
        slope += z[i] * column[1];
        bend += fabs(z[i]) * bends[i];
    }
    return value > 0.0 && value + (slope - 0.5 * bend * end) * end > 0.0;
}
