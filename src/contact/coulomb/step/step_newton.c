/* Newton's method on the law of Alart and Curnier, for the impulses p of all contacts of a step at once. With
 *
 *   u = W p + u_free,   y_N = p_N - (u_N - target) / W_NN,   y_T = p_T - u_T / W_TT
 *
 * a contact is
 *
 *   open  (y_N <= 0):               p = 0,
 *   stick (y_T in y_N D_1):         u_N = target, u_T = 0,
 *   slip  (otherwise):              u_N = target, p_T = y_N n,
 *
 * n the point of D_1 that is nearest in the direction of y_T. With one tangent all this is linear, and a step is a
 * guess of what the contacts do, solved exactly: from the impulses of the step before, mostly the right one. W may be
 * singular, since impulses need not be unique: the matrix has a little more on its diagonal, the residual has not. */
#include "step_newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/solvers.h"
#include "step_problem.h"

enum {
    COMPONENTS = 3,
    TRIES = 4 /* steps without a smaller error */
};

/* What is added to the diagonal of W, as a share of it: an iterate is wrong by about this share of the last change. */
static const double regularisation = 1e-9;

/* What a contact does; slip with one tangent to one end of the interval or the other. */
typedef enum status {
    OPEN,
    STICK,
    SLIP_LOW,
    SLIP_HIGH,
    STATUSES
} status;

struct step_newton {
    double *matrix, *right; /* of the unknowns: places of the tangents that a contact has */
    int *pivot;
    double *impulse, *u; /* of the iterate, 3 per contact */
    status *status;
    int *place; /* of an unknown among 3 per contact */
    int *first; /* unknown of a contact: that of its normal */
    int unknowns;
};

step_newton *step_newton_create(int contacts)
{
    const size_t n = (size_t)contacts, size = COMPONENTS * n;
    step_newton *self = carom_new_array(1, sizeof *self);
    if (!self)
        return NULL;
    self->matrix = carom_new_array(carom_product(size, size), sizeof *self->matrix);
    self->right = carom_new_array(size, sizeof *self->right);
    self->pivot = carom_new_array(size, sizeof *self->pivot);
    self->impulse = carom_new_array(size, sizeof *self->impulse);
    self->u = carom_new_array(size, sizeof *self->u);
    self->status = carom_new_array(n, sizeof *self->status);
    self->place = carom_new_array(size, sizeof *self->place);
    self->first = carom_new_array(n, sizeof *self->first);
    if (self->matrix && self->right && self->pivot && self->impulse && self->u && self->status &&
        self->place && self->first)
        return self;
    step_newton_free(self);
    return NULL;
}

void step_newton_free(step_newton *self)
{
    if (!self)
        return;
    free(self->matrix);
    free(self->right);
    free(self->pivot);
    free(self->impulse);
    free(self->u);
    free(self->status);
    free(self->place);
    free(self->first);
    free(self);
}

/* Tangents along which the contact has friction. */
static int rubbing_tangents(const carom_friction_problem *problem, int contact)
{
    const int tangents = problem->tangents[contact];
    return tangents == 0 || problem->set[contact].kind == CAROM_PLANAR_POINT ? 0 : tangents;
}

bool step_newton_takes(const carom_friction_problem *problem)
{
    for (int k = 0; k < problem->count; k++) {
        const int tangents = problem->tangents[k];
        const carom_planar_kind kind = tangents == 0 ? CAROM_PLANAR_POINT : problem->set[k].kind;
        if (kind != CAROM_PLANAR_POINT && !(tangents == 1 && kind == CAROM_PLANAR_INTERVAL) &&
            !(tangents == 2 && kind == CAROM_PLANAR_DISK))
            return false;
    }
    return true;
}

static void number_unknowns(step_newton *self, const carom_friction_problem *problem)
{
    self->unknowns = 0;
    for (int k = 0; k < problem->count; k++) {
        self->first[k] = self->unknowns;
        for (int i = 0; i <= rubbing_tangents(problem, k); i++)
            self->place[self->unknowns++] = COMPONENTS * k + i;
    }
}

static int tangents_of(const step_newton *self, const carom_friction_problem *problem, int k)
{
    const int next = k + 1 < problem->count ? self->first[k + 1] : self->unknowns;
    return next - self->first[k] - 1;
}

/* ---- one step ----------------------------------------------------------------------------------------- */

static double entry(const carom_friction_problem *problem, int i, int j)
{
    return problem->W[(ptrdiff_t)i * COMPONENTS * problem->count + j];
}

static void find_velocities(step_newton *self, const carom_friction_problem *problem, const double *impulse)
{
    for (int a = 0; a < self->unknowns; a++) {
        const int i = self->place[a];
        double u = problem->u_free[i];
        for (int b = 0; b < self->unknowns; b++)
            u += entry(problem, i, self->place[b]) * impulse[self->place[b]];
        self->u[i] = i % COMPONENTS == 0 ? u - problem->target[i / COMPONENTS] : u;
    }
}

/* W_NN, or W_TT: the same of both tangents, or a sliding direction would not be one. */
static double stiffness(const step_newton *self, const carom_friction_problem *problem, int place)
{
    const int k = place / COMPONENTS, first = COMPONENTS * k + 1;
    if (place % COMPONENTS == 0 || tangents_of(self, problem, k) < 2)
        return entry(problem, place, place);
    return 0.5 * (entry(problem, first, first) + entry(problem, first + 1, first + 1));
}

/* y of an unknown */
static double pushed(const step_newton *self, const carom_friction_problem *problem, const double *impulse,
                     int place)
{
    return impulse[place] - self->u[place] / stiffness(self, problem, place);
}

static status status_of(const step_newton *self, const carom_friction_problem *problem, const double *impulse,
                        int k)
{
    const int at = COMPONENTS * k, tangents = tangents_of(self, problem, k);
    const double normal = pushed(self, problem, impulse, at);
    if (!(normal > 0.0))
        return OPEN;
    if (tangents == 0)
        return STICK; /* of no tangents */
    const double first = pushed(self, problem, impulse, at + 1);
    if (tangents == 2) {
        const double second = pushed(self, problem, impulse, at + 2);
        return hypot(first, second) <= problem->set[k].a * normal ? STICK : SLIP_HIGH;
    }
    if (first > problem->set[k].b * normal)
        return SLIP_HIGH;
    return first < problem->set[k].a * normal ? SLIP_LOW : STICK;
}

/* Row a: the equation that the velocity at its place is zero, or its sum with others'. */
static void add_velocity_row(step_newton *self, const carom_friction_problem *problem, int row, int place,
                             double factor)
{
    double *entries = self->matrix + (ptrdiff_t)row * self->unknowns;
    for (int b = 0; b < self->unknowns; b++) {
        const double w = entry(problem, place, self->place[b]);
        entries[b] += factor * (self->place[b] == place ? w * (1.0 + regularisation) : w);
    }
}

/* p_T - y_N n = 0 linearised, with one tangent: p_T - g p_N = 0, as u_N = target. */
static void slip_along_line(step_newton *self, const carom_friction_problem *problem, const double *impulse,
                            int k)
{
    const int row = self->first[k] + 1, at = COMPONENTS * k;
    const double gradient = self->status[k] == SLIP_HIGH ? problem->set[k].b : problem->set[k].a;
    double *entries = self->matrix + (ptrdiff_t)row * self->unknowns;
    entries[row] += 1.0;
    entries[row - 1] -= gradient;
    self->right[row] = gradient * impulse[at] - impulse[at + 1];
}

/* p_T - mu y_N n with n = y_T / |y_T|:
 * dp_T - mu n (dp_N - du_N / W_NN) - mu y_N / |y_T| (1 - n n^T) (dp_T - du_T / W_TT). */
static void slip_in_plane(step_newton *self, const carom_friction_problem *problem, const double *impulse,
                          int k)
{
    const int row = self->first[k] + 1, at = COMPONENTS * k;
    const double mu = problem->set[k].a, normal = pushed(self, problem, impulse, at);
    const double y[2] = {pushed(self, problem, impulse, at + 1), pushed(self, problem, impulse, at + 2)};
    const double length = hypot(y[0], y[1]), share = mu * normal / length;
    for (int i = 0; i < 2; i++) {
        double *entries = self->matrix + (ptrdiff_t)(row + i) * self->unknowns;
        const double n = y[i] / length;
        entries[row + i] += 1.0;
        entries[row - 1] -= mu * n;
        add_velocity_row(self, problem, row + i, at, mu * n / entry(problem, at, at));
        for (int j = 0; j < 2; j++) {
            const double turn = share * ((i == j ? 1.0 : 0.0) - n * y[j] / length);
            entries[row + j] -= turn;
            add_velocity_row(self, problem, row + i, at + 1 + j, turn / stiffness(self, problem, at + 1 + j));
        }
        self->right[row + i] = mu * normal * n - impulse[at + 1 + i];
    }
}

static void fill_contact(step_newton *self, const carom_friction_problem *problem, const double *impulse,
                         int k)
{
    const int row = self->first[k], tangents = tangents_of(self, problem, k), at = COMPONENTS * k;
    const int held = self->status[k] == OPEN ? 0 : self->status[k] == STICK ? 1 + tangents : 1;
    for (int i = 0; i < held;
         i++) { /* in units of the impulse, as the other rows: pivots are chosen among them */
        const double unit = 1.0 / stiffness(self, problem, at + i);
        add_velocity_row(self, problem, row + i, at + i, unit);
        self->right[row + i] = -unit * self->u[at + i];
    }
    for (int i = 0; self->status[k] == OPEN && i <= tangents; i++) {
        self->matrix[(ptrdiff_t)(row + i) * (self->unknowns + 1)] = 1.0;
        self->right[row + i] = -impulse[at + i];
    }
    if (self->status[k] == SLIP_LOW || self->status[k] == SLIP_HIGH) {
        if (tangents == 1)
            slip_along_line(self, problem, impulse, k);
        else
            slip_in_plane(self, problem, impulse, k);
    }
}

/* The next iterate in the place of `impulse`, for the statuses as they are; false when there is none. */
static bool advance(step_newton *self, const carom_friction_problem *problem, double *impulse)
{
    const int n = self->unknowns;
    memset(self->matrix, 0, (size_t)n * (size_t)n * sizeof *self->matrix);
    for (int k = 0; k < problem->count; k++)
        fill_contact(self, problem, impulse, k);
    if (carom_lu_factor(n, self->matrix, self->pivot) != 0)
        return false;
    carom_lu_solve(n, self->matrix, self->pivot, self->right);
    if (!carom_all_finite(n, self->right))
        return false;
    for (int a = 0; a < n; a++)
        impulse[self->place[a]] += self->right[a];
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; self->status[k] == OPEN && i < COMPONENTS; i++)
            impulse[COMPONENTS * k + i] = 0.0;
    return true;
}

/* ---- the method --------------------------------------------------------------------------------------- */

/* Places of tangents that do not rub hold no impulse. */
static void begin(step_newton *self, const carom_friction_problem *problem, const double *impulse)
{
    number_unknowns(self, problem);
    memset(self->impulse, 0, COMPONENTS * (size_t)problem->count * sizeof *self->impulse);
    for (int a = 0; a < self->unknowns; a++)
        self->impulse[self->place[a]] = impulse[self->place[a]];
}

static void take(const step_newton *self, const carom_friction_problem *problem, double *impulse)
{
    for (int k = 0; k < problem->count; k++)
        for (int i = 0; i <= problem->tangents[k]; i++)
            impulse[COMPONENTS * k + i] = self->impulse[COMPONENTS * k + i];
}

double step_newton_solve(step_newton *self, const carom_friction_problem *problem, double tolerance, int most,
                         double *impulse, int *iterations)
{
    double best = carom_friction_problem_error(problem, impulse);
    int failures = 0;
    begin(self, problem, impulse);
    for (int k = 0; k < most && best > tolerance && failures < TRIES; k++) {
        find_velocities(self, problem, self->impulse);
        for (int c = 0; c < problem->count; c++)
            self->status[c] = status_of(self, problem, self->impulse, c);
        if (!advance(self, problem, self->impulse))
            break;
        ++*iterations;
        const double error = carom_friction_problem_error(problem, self->impulse);
        failures = error < best ? 0 : failures + 1;
        if (!(error < best))
            continue;
        best = error;
        take(self, problem, impulse);
    }
    return best;
}

static bool try_statuses(step_newton *self, const carom_friction_problem *problem, double tolerance)
{
    memset(self->impulse, 0, COMPONENTS * (size_t)problem->count * sizeof *self->impulse);
    for (int round = 0; round < 2; round++) { /* the second for what the regularisation has left */
        find_velocities(self, problem, self->impulse);
        if (!advance(self, problem, self->impulse))
            return false;
        if (carom_friction_problem_error(problem, self->impulse) <= tolerance)
            return true;
    }
    return false;
}

bool step_newton_enumerate(step_newton *self, const carom_friction_problem *problem, double tolerance,
                           double *impulse)
{
    if (problem->count != 2 || problem->tangents[0] > 1 || problem->tangents[1] > 1)
        return false;
    begin(self, problem, impulse);
    for (int a = 0; a < STATUSES; a++)
        for (int b = 0; b < STATUSES; b++) {
            const bool slips[2] = {a >= SLIP_LOW, b >= SLIP_LOW};
            if ((slips[0] && tangents_of(self, problem, 0) == 0) ||
                (slips[1] && tangents_of(self, problem, 1) == 0))
                continue;
            self->status[0] = (status)a;
            self->status[1] = (status)b;
            if (!try_statuses(self, problem, tolerance))
                continue;
            take(self, problem, impulse);
            return true;
        }
    return false;
}
