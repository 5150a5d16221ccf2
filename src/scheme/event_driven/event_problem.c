#include "event_problem.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "scheme/parts/least_norm.h"

/* A row whose part that does not depend on others is smaller than this depends on them. */
static const double dependent = 1e-11;
/* W_NN + W_NT.x below this share of W_NN is not positive. */
static const double painleve = 1e-9;

bool event_problem_make_room(event_problem *problem, int contacts)
{
    if (contacts <= problem->capacity)
        return true;
    event_problem_free(problem);
    const size_t count = (size_t)(contacts < 8 ? 8 : contacts + contacts / 2), rows = 3 * count;
    const size_t square = carom_product(rows, rows);
    struct {
        void **array;
        size_t count, size;
    } arrays[] = {
        {(void **)&problem->contact, count, sizeof(int)},
        {(void **)&problem->tangents, count, sizeof(int)},
        {(void **)&problem->bounded, count, sizeof(bool)},
        {(void **)&problem->moves, count, sizeof(bool)},
        {(void **)&problem->status, count, 1},
        {(void **)&problem->set, count, sizeof *problem->set},
        {(void **)&problem->W, square, sizeof(double)},
        {(void **)&problem->matrix, square, sizeof(double)},
        {(void **)&problem->c, rows, sizeof(double)},
        {(void **)&problem->x, 2 * count, sizeof(double)},
        {(void **)&problem->r, rows, sizeof(double)},
        {(void **)&problem->a, rows, sizeof(double)},
        {(void **)&problem->reference, rows, sizeof(double)},
        {(void **)&problem->weight, rows, sizeof(double)},
        {(void **)&problem->vector, rows, sizeof(double)},
        {(void **)&problem->scratch, (LEAST_NORM_SCRATCH + 1) * rows, sizeof(double)},
        {(void **)&problem->unknown, rows, sizeof(int)},
        {(void **)&problem->pivot, rows, sizeof(int)},
    };
    bool good = true;
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        good = (*arrays[i].array = carom_new_array(arrays[i].count, arrays[i].size)) && good;
    if (!good) {
        event_problem_free(problem);
        return false;
    }
    problem->capacity = (int)count;
    return true;
}

void event_problem_free(event_problem *problem)
{
    void *arrays[] = {problem->contact,   problem->tangents, problem->bounded, problem->moves,
                      problem->status,    problem->set,      problem->W,       problem->matrix,
                      problem->c,         problem->x,        problem->r,       problem->a,
                      problem->reference, problem->weight,   problem->vector,  problem->scratch,
                      problem->unknown,   problem->pivot};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        free(arrays[i]);
    *problem = (event_problem){0};
}

/* ---- friction ------------------------------------------------------------------------------------------- */

double event_friction_margin(const carom_planar_set *set, int tangents, const double r[3])
{
    if (tangents == 1)
        return fmin(set->b * r[0] - r[1], r[1] - set->a * r[0]);
    if (set->kind == CAROM_PLANAR_DISK)
        return set->a * r[0] - hypot(r[1], r[2]);
    const double c = cos(set->angle), s = sin(set->angle);
    const double along = c * r[1] + s * r[2], across = c * r[2] - s * r[1];
    return fmin(set->a, set->b) * (r[0] - hypot(along / set->a, across / set->b));
}

void event_friction_of_slip(const carom_planar_set *set, int tangents, const double v[2], double x[2])
{
    x[1] = 0.0;
    if (tangents == 1) {
        x[0] = v[0] > 0.0 ? set->a : set->b;
        return;
    }
    if (set->kind == CAROM_PLANAR_DISK) {
        const double size = hypot(v[0], v[1]);
        x[0] = -set->a * v[0] / size;
        x[1] = -set->a * v[1] / size;
        return;
    }
    double w[2];
    carom_planar_slip(set, v, w);
    const double c = cos(set->angle), s = sin(set->angle);
    const double along = set->a * (c * w[0] + s * w[1]), across = set->b * (c * w[1] - s * w[0]);
    const double size = hypot(along, across);
    const double x1 = -set->a * along / size, x2 = -set->b * across / size;
    x[0] = c * x1 - s * x2;
    x[1] = s * x1 + c * x2;
}

/* ---- forces for given statuses ---------------------------------------------------------------------------- */

static double at(const event_problem *problem, int row, int column)
{
    return problem->W[(ptrdiff_t)row * 3 * problem->count + column];
}

/* W times the force that belongs to the unknown in place `column`: of a contact that slips its friction comes along. */
static double coupling(const event_problem *problem, int row, int column)
{
    const int k = column / 3;
    double sum = at(problem, row, column);
    if (column % 3 == 0 && event_slips(problem->status[k]))
        for (int i = 0; i < problem->tangents[k]; i++)
            sum += problem->x[2 * k + i] * at(problem, row, column + 1 + i);
    return sum;
}

static int list_unknowns(event_problem *problem)
{
    int m = 0;
    for (int k = 0; k < problem->count; k++) {
        if (problem->status[k] != EVENT_OPEN && !problem->bounded[k])
            problem->unknown[m++] = 3 * k;
        for (int i = 0; problem->status[k] == EVENT_STICK && i < problem->tangents[k]; i++)
            problem->unknown[m++] = 3 * k + 1 + i;
    }
    return m;
}

static void find_accelerations(event_problem *problem)
{
    const int rows = 3 * problem->count;
    for (int i = 0; i < rows; i++)
        problem->a[i] = problem->c[i] + carom_dot(rows, problem->W + (ptrdiff_t)i * rows, problem->r);
}

/* r for the unknowns, and what friction belongs to those that slip. */
static void complete_forces(event_problem *problem)
{
    for (int k = 0; k < problem->count; k++) {
        double *r = problem->r + 3 * k;
        if (problem->bounded[k])
            r[0] = 1.0;
        for (int i = 0; event_slips(problem->status[k]) && i < problem->tangents[k]; i++)
            r[1 + i] = r[0] * problem->x[2 * k + i];
    }
}

/* Scaled to a unit diagonal, so that pivots say how far rows depend on each other. */
static event_problem_end fill_matrix(event_problem *problem, int m)
{
    double *scale = problem->scratch;
    for (int i = 0; i < m; i++) {
        const int row = problem->unknown[i];
        const double own = at(problem, row, row), diagonal = coupling(problem, row, row);
        if (row % 3 == 0 && !((problem->counting ? fabs(diagonal) : diagonal) > painleve * own)) {
            problem->bad = problem->contact[row / 3];
            return EVENT_PROBLEM_PAINLEVE;
        }
        scale[i] = own > 0.0 ? 1.0 / sqrt(own) : 1.0;
    }
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++)
            problem->matrix[i * m + j] =
                scale[i] * coupling(problem, problem->unknown[i], problem->unknown[j]) * scale[j];
        problem->vector[i] = -scale[i] * problem->a[problem->unknown[i]];
    }
    return EVENT_PROBLEM_SOLVED;
}

/* Nearest to the reference: what its forces leave is solved for in units of the weights. */
static void solve_redundant(event_problem *problem, int m)
{
    const double *scale = problem->scratch;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < m; i++)
            problem->matrix[i * m + j] *= problem->weight[problem->unknown[j]];
    least_norm_solve(m, problem->matrix, problem->vector, dependent, problem->pivot, problem->scratch + m);
    for (int j = 0; j < m; j++)
        problem->r[problem->unknown[j]] +=
            scale[j] * problem->weight[problem->unknown[j]] * problem->vector[j];
}

static event_problem_end solve_regular(event_problem *problem, int m)
{
    const double *scale = problem->scratch;
    int bad = carom_lu_factor(m, problem->matrix, problem->pivot);
    for (int i = 0; bad == 0 && i < m; i++)
        if (!(fabs(problem->matrix[i * m + i]) > dependent))
            bad = i + 1;
    if (bad > 0) {
        problem->bad = problem->contact[problem->unknown[bad - 1] / 3];
        return EVENT_PROBLEM_DEPENDENT;
    }
    carom_lu_solve(m, problem->matrix, problem->pivot, problem->vector);
    for (int j = 0; j < m; j++)
        problem->r[problem->unknown[j]] = scale[j] * problem->vector[j];
    return EVENT_PROBLEM_SOLVED;
}

event_problem_end event_problem_solve(event_problem *problem)
{
    const int m = list_unknowns(problem);
    memset(problem->r, 0, 3 * (size_t)problem->count * sizeof *problem->r);
    for (int j = 0; problem->redundant && j < m; j++)
        problem->r[problem->unknown[j]] = problem->reference[problem->unknown[j]];
    complete_forces(problem);
    find_accelerations(problem);
    if (m == 0)
        return EVENT_PROBLEM_SOLVED;
    event_problem_end end = fill_matrix(problem, m);
    if (end == EVENT_PROBLEM_SOLVED && problem->redundant)
        solve_redundant(problem, m);
    else if (end == EVENT_PROBLEM_SOLVED)
        end = solve_regular(problem, m);
    if (end != EVENT_PROBLEM_SOLVED)
        return end;
    complete_forces(problem);
    find_accelerations(problem);
    return EVENT_PROBLEM_SOLVED;
}

/* ---- do statuses hold? -------------------------------------------------------------------------------------- */

/* Acceleration against the friction of a contact that begins to slip: 0 where it has the direction for which x is the friction. */
static double turn(const event_problem *problem, int k, double size)
{
    const double *a = problem->a + 3 * k + 1;
    double x[2] = {0}, off = 0.0;
    if (problem->tangents[k] == 1) {
        const double sign = problem->x[2 * k] < 0.0 ? 1.0 : -1.0; /* of the slip */
        return -sign * a[0] / size;
    }
    if (!(hypot(a[0], a[1]) > 1e-6 * size)) /* its direction is that of a force which grows */
        return (a[0] * problem->x[2 * k] + a[1] * problem->x[2 * k + 1]) / size;
    event_friction_of_slip(&problem->set[k], 2, a, x);
    for (int i = 0; i < 2; i++)
        off = fmax(off, fabs(x[i] - problem->x[2 * k + i]));
    return off * fabs(problem->r[3 * k]) * event_problem_at(problem, k, 1, k, 1) / size;
}

double event_problem_violation(const event_problem *problem, int k, double size)
{
    const double *r = problem->r + 3 * k, *a = problem->a + 3 * k;
    const double own = problem->bounded[k] ? 0.0 : event_problem_at(problem, k, 0, k, 0);
    double worst = 0.0;
    if (problem->status[k] == EVENT_OPEN)
        return -a[0] / size;
    if (!problem->bounded[k])
        worst = -r[0] * own / size;
    if (problem->status[k] == EVENT_STICK)
        worst = fmax(worst, -event_friction_margin(&problem->set[k], problem->tangents[k], r) *
                                event_problem_at(problem, k, 1, k, 1) / size);
    if (event_slips(problem->status[k]) && !problem->moves[k])
        worst = fmax(worst, turn(problem, k, size));
    return worst;
}

double event_problem_worst(const event_problem *problem, double size, int *worst)
{
    double most = -INFINITY;
    for (int k = 0; k < problem->count; k++) {
        const double violation = event_problem_violation(problem, k, size);
        if (!(violation <= most)) {
            most = violation;
            *worst = k;
        }
    }
    return most;
}
