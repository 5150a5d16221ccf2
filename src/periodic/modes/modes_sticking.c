/* Motions with one phase of lasting contact per period, symmetric in time. In modal coordinates, from the
 * middle of the flight on: a_j = A_j cos(om_j t), and at the landing, t = flight / 2,
 *
 *   b . a = -g0,   b . a' = 0,   b . om^2 a = 0        closed, without speed, without reaction.
 *
 * In contact the rest of the system, a = -g0 b / b.b + Z y with Z an orthonormal basis of what b does not
 * see, vibrates about its own equilibrium and has no velocity at the middle of the contact:
 *
 *   (y_p - ys_p) Om_p sin(Om_p contact / 2) = y_p' cos(Om_p contact / 2),   p = 1 .. n - 1.
 *
 * n + 2 equations for A and the two durations, linear in A: for guessed durations A is that of least squares.
 */
#include <math.h>
#include <string.h>

#include "impulse_motion.h"

enum {
    GRID = 36, /* guesses of both durations are parts of the longest period */
    CONTACT_POINTS = 200
};

typedef struct sticking {
    carom_arena *arena;
    const carom_mode_basis *basis;
    int n;
    double *clamped;        /* n - 1: Om_p */
    double *mode;           /* (n - 1) x n: rows are Z times the modes of the clamped system */
    double *rest;           /* n - 1: ys_p */
    double *position;       /* n: -g0 b / b.b */
    double *matrix, *right; /* (n + 2) x n and n + 2: E and r */
    double *normal;         /* n x n */
    double *x, *scale;      /* n + 2: A, flight, contact, and their sizes */
    double amplitude;       /* g0 / |b|: modal amplitude that closes the gap */
    double *a, *rate;       /* at the landing */
} sticking;

/* ---- the system while it sticks ----------------------------------------------------------------------- */

/* Rows 1 .. n-1 of the reflection that takes b to the first axis: orthonormal, and orthogonal to b. */
static void fill_free_directions(const carom_mode_basis *basis, double *Z)
{
    const int n = basis->size;
    const double *b = basis->contact_mode, length = sqrt(basis->inverse_mass[0]);
    const double head = b[0] + copysign(length, b[0]),
                 square = head * head + basis->inverse_mass[0] - b[0] * b[0];
    for (int p = 1; p < n; p++)
        for (int i = 0; i < n; i++)
            Z[(p - 1) * n + i] = (p == i ? 1.0 : 0.0) - 2.0 * b[p] * (i > 0 ? b[i] : head) / square;
}

static int clamp(sticking *self, double *Z, double *unit, double *stiffness, double *vector)
{
    const int n = self->n, m = n - 1;
    fill_free_directions(self->basis, Z);
    for (int p = 0; p < m; p++)
        for (int q = 0; q < m; q++) {
            unit[p * m + q] = p == q ? 1.0 : 0.0;
            stiffness[p * m + q] = 0.0;
            for (int j = 0; j < n; j++)
                stiffness[p * m + q] +=
                    Z[p * n + j] * self->basis->frequency[j] * self->basis->frequency[j] * Z[q * n + j];
        }
    int failed = carom_generalized_eigen(m, stiffness, unit, self->clamped, vector);
    for (int p = 0; p < m && failed == 0; p++) {
        failed = !(self->clamped[p] > 0.0);
        self->clamped[p] = sqrt(self->clamped[p]);
    }
    for (int p = 0; p < m && failed == 0; p++) {
        double *row = self->mode + p * n, push = 0.0;
        memset(row, 0, (size_t)n * sizeof *row);
        for (int q = 0; q < m; q++)
            carom_axpy(n, vector[q * m + p], Z + q * n, row);
        for (int j = 0; j < n; j++)
            push += row[j] * self->basis->frequency[j] * self->basis->frequency[j] * self->position[j];
        self->rest[p] = -push / (self->clamped[p] * self->clamped[p]);
    }
    return failed;
}

static carom_status create(const carom_mode_basis *basis, sticking *self, carom_error *error)
{
    const size_t n = (size_t)basis->size;
    if (n < 2)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a system of one degree of freedom cannot stick: it would rest on the constraint "
                          "without a force");
    *self = (sticking){.arena = carom_arena_create(), .basis = basis, .n = basis->size};
    double *work[4] = {0}, **vectors[] = {&self->clamped, &self->rest, &self->position, &self->x,
                                          &self->a,       &self->rate, &self->right,    &self->scale};
    bool taken = self->arena != NULL;
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0] && taken; i++)
        taken = (*vectors[i] = carom_arena_take(self->arena, n + 2, sizeof(double))) != NULL;
    for (size_t i = 0; i < 4 && taken; i++)
        taken = (work[i] = carom_arena_take(self->arena, carom_product(n, n), sizeof(double))) != NULL;
    taken = taken && (self->mode = carom_arena_take(self->arena, carom_product(n, n), sizeof(double))) &&
            (self->matrix = carom_arena_take(self->arena, (n + 2) * n, sizeof(double))) &&
            (self->normal = carom_arena_take(self->arena, carom_product(n, n), sizeof(double)));
    if (!taken)
        return carom_fail_memory(error);
    self->amplitude = basis->gap[0] / sqrt(basis->inverse_mass[0]);
    for (size_t i = 0; i < n + 2; i++)
        self->scale[i] = i < n ? self->amplitude : modes_time(basis);
    carom_axpy(basis->size, -basis->gap[0] / basis->inverse_mass[0], basis->contact_mode, self->position);
    if (clamp(self, work[0], work[1], work[2], work[3]) != 0)
        return carom_fail(error, CAROM_FAILED, "the modes of the system in contact were not found");
    return CAROM_OK;
}

/* ---- the equations ------------------------------------------------------------------------------------ */

/* Rows of the equations E A = r, all in units of displacement. */
static void fill_equations(sticking *self, double flight, double contact)
{
    const carom_mode_basis *basis = self->basis;
    const int n = self->n;
    const double unit = sqrt(basis->inverse_mass[0]), fast = basis->frequency[n - 1];
    double *E = self->matrix, *r = self->right;
    for (int j = 0; j < n; j++) {
        const double om = basis->frequency[j], c = cos(0.5 * om * flight), s = sin(0.5 * om * flight);
        const double b = basis->contact_mode[j] / unit;
        E[j] = b * c;
        E[n + j] = -b * s * om / fast;
        E[2 * n + j] = b * c * om * om / (fast * fast);
        for (int p = 0; p < n - 1; p++) {
            const double Om = self->clamped[p], angle = 0.5 * Om * contact;
            E[(p + 3) * n + j] = self->mode[p * n + j] * (c * sin(angle) + om / Om * s * cos(angle));
        }
    }
    r[0] = -basis->gap[0] / unit;
    r[1] = r[2] = 0.0;
    for (int p = 0; p < n - 1; p++)
        r[p + 3] = self->rest[p] * sin(0.5 * self->clamped[p] * contact);
}

/* x: A, flight, contact. */
static bool residual(void *context, const double *x, double unused, double *f)
{
    (void)unused;
    sticking *self = context;
    const int n = self->n;
    if (!(x[n] > 0.0) || !(x[n + 1] > 0.0))
        return false;
    fill_equations(self, x[n], x[n + 1]);
    for (int i = 0; i < n + 2; i++)
        f[i] = (carom_dot(n, self->matrix + i * n, x) - self->right[i]) / self->amplitude;
    return true;
}

/* E^T E A = E^T r */
static bool guess_amplitudes(sticking *self, double flight, double contact)
{
    const int n = self->n;
    double *square = self->normal;
    fill_equations(self, flight, contact);
    for (int j = 0; j < n; j++) {
        self->x[j] = 0.0;
        for (int i = 0; i < n + 2; i++)
            self->x[j] += self->matrix[i * n + j] * self->right[i];
        for (int k = 0; k < n; k++) {
            square[j * n + k] = j == k ? 1e-14 : 0.0;
            for (int i = 0; i < n + 2; i++)
                square[j * n + k] += self->matrix[i * n + j] * self->matrix[i * n + k];
        }
    }
    if (carom_cholesky_factor(n, square) != 0)
        return false;
    carom_cholesky_solve(n, square, self->x);
    self->x[n] = flight;
    self->x[n + 1] = contact;
    return true;
}

/* Smallest reaction b . om^2 a / b.b inside the contact. */
static double smallest_reaction(const sticking *self, double contact)
{
    const int n = self->n;
    double smallest = INFINITY;
    for (int i = 1; i < CONTACT_POINTS; i++) {
        const double t = contact * i / CONTACT_POINTS;
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += self->basis->contact_mode[j] * self->basis->frequency[j] * self->basis->frequency[j] *
                   self->position[j];
        for (int p = 0; p < n - 1; p++) {
            const double *mode = self->mode + p * n, Om = self->clamped[p];
            const double y = self->rest[p] + (carom_dot(n, mode, self->a) - self->rest[p]) * cos(Om * t) +
                             carom_dot(n, mode, self->rate) / Om * sin(Om * t);
            for (int j = 0; j < n; j++)
                sum += self->basis->contact_mode[j] * self->basis->frequency[j] * self->basis->frequency[j] *
                       mode[j] * y;
        }
        smallest = fmin(smallest, sum / self->basis->inverse_mass[0]);
    }
    return smallest;
}

/* The motion of x: state at the landing, then that at release, where velocities are opposite. */
static void report(sticking *self, carom_mode_sticking *motion)
{
    const carom_mode_basis *basis = self->basis;
    const int n = self->n;
    motion->flight = self->x[n];
    motion->contact = self->x[n + 1];
    motion->period = motion->flight + motion->contact;
    for (int j = 0; j < n; j++) {
        const double om = basis->frequency[j], angle = 0.5 * om * motion->flight;
        self->a[j] = self->x[j] * cos(angle);
        self->rate[j] = -self->x[j] * om * sin(angle);
    }
    motion->energy = modes_energy(basis, self->a, self->rate);
    motion->reaction = smallest_reaction(self, motion->contact);
    for (int j = 0; j < n; j++)
        self->rate[j] = -self->rate[j];
    double when = NAN;
    motion->gap = modes_smallest_gap(basis, self->a, self->rate, motion->flight, &when);
    /* The gap starts with its third derivative: at half a percent of the flight it must have opened. */
    double early = basis->gap[0];
    for (int j = 0; j < n; j++) {
        const double om = basis->frequency[j], t = 0.005 * motion->flight;
        early += basis->contact_mode[j] * (self->a[j] * cos(om * t) + self->rate[j] / om * sin(om * t));
    }
    motion->admissible = motion->gap > -1e-9 * basis->gap[0] && early > 0.0 && motion->reaction > 0.0;
    for (int i = 0; i < n; i++) {
        double u = 0.0, v = 0.0;
        for (int j = 0; j < n; j++) {
            u += basis->mode[(ptrdiff_t)i * n + j] * self->a[j];
            v += basis->mode[(ptrdiff_t)i * n + j] * self->rate[j];
        }
        if (motion->q)
            motion->q[i] = u;
        if (motion->v)
            motion->v[i] = v;
    }
}

static carom_status solve(sticking *self, double flight, double contact, carom_mode_sticking *motion,
                          carom_error *error)
{
    const carom_arclength_problem problem = {
        .size = self->n + 2, .context = self, .residual = residual, .scale = self->scale};
    carom_arclength_options options = carom_arclength_defaults();
    options.tolerance = 1e-13;
    if (!(flight > 0.0) || !(contact > 0.0) || !guess_amplitudes(self, flight, contact))
        return carom_fail(error, CAROM_BAD_INPUT, "guessed durations must be positive (got %g and %g)",
                          flight, contact);
    const carom_status status = carom_newton(&problem, &options, 0.0, self->x, NULL, NULL, error);
    if (status == CAROM_OK)
        report(self, motion);
    return status;
}

carom_status carom_mode_stick(const carom_mode_basis *basis, double flight, double contact,
                              carom_mode_sticking *motion, carom_error *error)
{
    sticking self = {0};
    carom_status status = create(basis, &self, error);
    if (status == CAROM_OK && self.basis)
        status = solve(&self, flight, contact, motion, error);
    carom_arena_free(self.arena);
    return status;
}

/* Puts a motion into the list, which is sorted by period, unless it is there or the list is full of shorter ones.
 */
static void keep(const carom_mode_sticking *found, int most, carom_mode_sticking *motion, int *count)
{
    const double same = 1e-6 * found->period;
    for (int i = 0; i < *count; i++)
        if (fabs(motion[i].flight - found->flight) < same && fabs(motion[i].contact - found->contact) < same)
            return;
    if (*count == most && found->period >= motion[most - 1].period)
        return;
    int place = *count < most ? (*count)++ : most - 1;
    for (; place > 0 && motion[place - 1].period > found->period; place--) {
        motion[place].flight = motion[place - 1].flight;
        motion[place].contact = motion[place - 1].contact;
        motion[place].period = motion[place - 1].period;
    }
    motion[place].flight = found->flight;
    motion[place].contact = found->contact;
    motion[place].period = found->period;
}

carom_status carom_mode_stick_search(const carom_mode_basis *basis, double period_max, int most,
                                     carom_progress progress, carom_mode_sticking *motion, int *count,
                                     carom_error *error)
{
    sticking self = {0};
    carom_status status = create(basis, &self, error);
    *count = 0;
    for (int i = 1; i < GRID && status == CAROM_OK && self.basis; i++) {
        for (int k = 1; i + k <= GRID; k++) {
            carom_mode_sticking found = {0};
            if (solve(&self, period_max * i / GRID, period_max * k / GRID, &found, NULL) == CAROM_OK &&
                found.admissible && found.period <= period_max && found.flight >= 1e-3 * period_max &&
                found.contact >= 1e-3 * period_max)
                keep(&found, most, motion, count);
        }
        if (progress.report && !progress.report(progress.context, i, GRID - 1))
            status = carom_fail(error, CAROM_INTERRUPTED, "interrupted, looking for motions that stick");
    }
    for (int i = 0; i < *count && status == CAROM_OK; i++)
        status = solve(&self, motion[i].flight, motion[i].contact, &motion[i], error);
    carom_arena_free(self.arena);
    return status;
}
