#include "joint_system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double dependent_pivot = 1e-12; /* square of the sine of an angle */

enum {
    PROJECTION_ITERATIONS_MAX = 30
};

/* True when d/dq (G v + g_t) has no entry in the rows of the joints. */
static bool is_constant(const carom_model *model)
{
    const carom_sparse *by_q = model->ops->block_pattern(model, CAROM_BLOCK_RATE_BY_Q);
    for (int k = 0; k < by_q->column_start[by_q->columns]; k++)
        if (by_q->row[k] < model->joints)
            return false;
    return true;
}

void joint_system_look_at(joint_system *joints, carom_model_work *work)
{
    const carom_model *model = work->model;
    *joints = (joint_system){.work = work, .model = model, .count = model->joints, .dof = model->dof};
    joints->constant = model->joints == 0 || is_constant(model);
}

bool joint_system_take(joint_system *joints, carom_arena *arena, carom_model_work *work)
{
    const carom_model *model = work->model;
    joint_system_look_at(joints, work);
    if (model->joints == 0)
        return true;
    const size_t count = (size_t)model->joints, dof = (size_t)model->dof;
    const size_t constraints = count + (size_t)model->contacts;
    joints->pattern = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
    const size_t entries = (size_t)joints->pattern->column_start[model->dof];
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&joints->entry, entries},        {&joints->entry_last, entries},
                  {&joints->value, constraints},    {&joints->rate, constraints},
                  {&joints->row, count * dof},      {&joints->response, count * dof},
                  {&joints->matrix, count * count}, {&joints->factor, count * count},
                  {&joints->scale, count},          {&joints->impulse, count}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    joints->pivot = carom_arena_take(arena, count, sizeof(int));
    return joints->pivot != NULL;
}

static const double *row_of(const joint_system *joints, int joint)
{
    return joints->row + (ptrdiff_t)joint * joints->dof;
}

static double *response_of(const joint_system *joints, int joint)
{
    return joints->response + (ptrdiff_t)joint * joints->dof;
}

void joint_system_rows(joint_system *joints, double t, const double *q)
{
    const carom_sparse *pattern = joints->pattern;
    const carom_motion motion = {.t = t, .q = q, .v = q}; /* rows do not depend on velocity */
    joints->model->ops->block(joints->work, CAROM_BLOCK_ROWS, &motion, joints->entry);
    for (int j = 0; j < joints->dof; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < joints->count)
                joints->row[(ptrdiff_t)pattern->row[k] * joints->dof + j] = joints->entry[k];
}

/* S = G R and its scaling; false when an entry is not finite. A row whose response vanishes keeps its zeros.
 */
static bool fill_matrix(joint_system *joints)
{
    const int n = joints->count;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            joints->matrix[k * n + l] = carom_dot(joints->dof, row_of(joints, k), response_of(joints, l));
    for (int k = 0; k < n; k++) {
        const double diagonal = joints->matrix[k * n + k];
        joints->scale[k] = diagonal > 0.0 ? 1.0 / sqrt(diagonal) : 1.0;
    }
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            joints->matrix[k * n + l] *= joints->scale[k] * joints->scale[l];
    return carom_all_finite(n * n, joints->matrix);
}

/* 0, or the 1-based joint of a pivot that is rounding. */
static int factor_matrix(joint_system *joints)
{
    const int n = joints->count;
    memcpy(joints->factor, joints->matrix, (size_t)(n * n) * sizeof(double));
    const int bad = carom_lu_factor(n, joints->factor, joints->pivot);
    if (bad > 0)
        return bad;
    for (int k = 0; k < n; k++)
        if (fabs(joints->factor[k * n + k]) <= dependent_pivot)
            return k + 1;
    return 0;
}

int joint_system_prepare(joint_system *joints, const newton_matrix *A, double t, const double *q,
                         bool *changed)
{
    const size_t bytes = (size_t)joints->pattern->column_start[joints->dof] * sizeof(double);
    joint_system_rows(joints, t, q);
    *changed = !joints->factored || joints->factorisation != A->factorisation ||
               memcmp(joints->entry, joints->entry_last, bytes) != 0;
    if (!*changed)
        return 0;
    joints->factored = false;
    for (int k = 0; k < joints->count; k++) {
        memcpy(response_of(joints, k), row_of(joints, k), (size_t)joints->dof * sizeof(double));
        newton_matrix_solve(A, response_of(joints, k));
    }
    if (!fill_matrix(joints))
        return -1;
    const int bad = factor_matrix(joints);
    if (bad != 0)
        return bad;
    memcpy(joints->entry_last, joints->entry, bytes);
    joints->factorisation = A->factorisation;
    joints->factored = true;
    return 0;
}

void joint_system_rates(joint_system *joints, double t, const double *q)
{
    const carom_motion motion = {.t = t, .q = q, .v = q};
    joints->model->ops->constraints(joints->work, &motion, NULL, joints->rate, NULL);
}

void joint_system_solve(const joint_system *joints, double *x)
{
    for (int k = 0; k < joints->count; k++)
        x[k] *= joints->scale[k];
    carom_lu_solve(joints->count, joints->factor, joints->pivot, x);
    for (int k = 0; k < joints->count; k++)
        x[k] *= joints->scale[k];
}

void joint_system_eliminate(joint_system *joints, const double *offset, double *x)
{
    double *p = joints->impulse;
    for (int k = 0; k < joints->count; k++)
        p[k] = -carom_dot(joints->dof, row_of(joints, k), x) - (offset ? offset[k] : 0.0);
    joint_system_solve(joints, p);
    for (int k = 0; k < joints->count; k++)
        carom_axpy(joints->dof, p[k], response_of(joints, k), x);
}

/* ---- which joint depends on others ---------------------------------------------------------------- */

static void exchange(double *a, double *b)
{
    const double kept = *a;
    *a = *b;
    *b = kept;
}

/* Exchanges rows and columns k and l of a symmetric matrix. */
static void exchange_joints(int n, double *a, int *order, int k, int l)
{
    for (int i = 0; i < n; i++)
        exchange(&a[k * n + i], &a[l * n + i]);
    for (int i = 0; i < n; i++)
        exchange(&a[i * n + k], &a[i * n + l]);
    const int kept = order[k];
    order[k] = order[l];
    order[l] = kept;
}

/* Cholesky factor with the largest pivot first, in the lower triangle; returns the rank. */
static int factor_with_pivots(int n, double *a, int *order)
{
    for (int k = 0; k < n; k++)
        order[k] = k;
    for (int k = 0; k < n; k++) {
        int largest = k;
        for (int i = k + 1; i < n; i++) /* of equal ones the first: joints given later are named */
            if (a[i * n + i] > a[largest * n + largest] + 1e-8)
                largest = i;
        exchange_joints(n, a, order, k, largest);
        if (!(a[k * n + k] > dependent_pivot))
            return k;
        a[k * n + k] = sqrt(a[k * n + k]);
        for (int i = k + 1; i < n; i++)
            a[i * n + k] /= a[k * n + k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[j * n + k];
    }
    return n;
}

/* Coefficients of the joint order[rank] as a combination of those before it: L^T c = its row of the factor.
 */
static void find_combination(int n, int rank, const double *a, double *coefficient)
{
    for (int k = rank - 1; k >= 0; k--) {
        coefficient[k] = a[rank * n + k];
        for (int i = k + 1; i < rank; i++)
            coefficient[k] -= a[i * n + k] * coefficient[i];
        coefficient[k] /= a[k * n + k];
    }
}

bool joint_system_find_dependent(joint_system *joints, char *text, size_t size)
{
    const int n = joints->count;
    char *const *name = joints->model->joint;
    double *a = joints->factor;
    joints->factored = false;
    for (int k = 0; k < n; k++)
        for (int l = 0; l < n; l++)
            a[k * n + l] = 0.5 * (joints->matrix[k * n + l] + joints->matrix[l * n + k]);
    const int rank = factor_with_pivots(n, a, joints->pivot);
    if (rank == n)
        return false;
    const char *dependent = name[joints->pivot[rank]];
    if (joints->matrix[joints->pivot[rank] * (n + 1)] < 0.5) {
        snprintf(text, size, "joint '%s' has a zero gradient: no velocity changes it", dependent);
        return true;
    }
    find_combination(n, rank, a, joints->impulse);
    int length = snprintf(text, size, "joint '%s' depends on the others: remove one of ", dependent);
    for (int k = 0; k < rank; k++)
        if (fabs(joints->impulse[k]) > 1e-6 && length >= 0 && (size_t)length < size)
            length += snprintf(text + length, size - (size_t)length, "'%s', ", name[joints->pivot[k]]);
    if (length >= 0 && (size_t)length < size)
        snprintf(text + length, size - (size_t)length, "'%s'", dependent);
    return true;
}

/* ---- how far joints are from being satisfied ------------------------------------------------------- */

joint_violation joint_system_violation(joint_system *joints, double t, const double *q, const double *v)
{
    const carom_motion motion = {.t = t, .q = q, .v = v ? v : q};
    const double *x = v ? v : q, time = v ? 1.0 : t;
    joint_violation worst = {.ratio = -1.0};
    joint_system_rows(joints, t, q);
    joints->model->ops->constraints(joints->work, &motion, joints->value, joints->rate, NULL);
    for (int k = 0; k < joints->count; k++) {
        double size = fabs(joints->rate[k] * time);
        for (int i = 0; i < joints->dof; i++)
            size += fabs(row_of(joints, k)[i] * x[i]);
        const double gradient = carom_largest(joints->dof, row_of(joints, k));
        const double tolerance = joint_tolerance(&joints->scales, size, gradient, v);
        if (v)
            joints->value[k] = carom_dot(joints->dof, row_of(joints, k), v) + joints->rate[k];
        const double ratio = joint_violation_ratio(joints->value[k], tolerance);
        if (!(ratio <= worst.ratio))
            worst = (joint_violation){k, joints->value[k], tolerance, ratio};
        if (!isfinite(ratio))
            break;
    }
    return worst;
}

bool joint_system_project(joint_system *joints, const newton_matrix *A, double t, double *q,
                          joint_violation *left, int *dependent)
{
    double before = INFINITY;
    *dependent = 0;
    for (int iteration = 0; iteration < PROJECTION_ITERATIONS_MAX; iteration++) {
        *left = joint_system_violation(joints, t, q, NULL);
        if (left->ratio <= 1e-4 || (left->ratio <= 1.0 && left->ratio > 0.5 * before)) /* or rounding */
            return true;
        before = left->ratio;
        bool changed = false;
        *dependent = joint_system_prepare(joints, A, t, q, &changed);
        if (!isfinite(left->ratio) || *dependent != 0)
            return false;
        double *p = joints->impulse;
        for (int k = 0; k < joints->count; k++)
            p[k] = -joints->value[k];
        joint_system_solve(joints, p);
        for (int k = 0; k < joints->count; k++)
            carom_axpy(joints->dof, p[k], response_of(joints, k), q);
    }
    return false;
}
