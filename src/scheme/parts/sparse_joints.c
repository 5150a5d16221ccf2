#include "sparse_joints.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    PROJECTION_ITERATIONS_MAX = 30,
    INVERSE_ITERATIONS = 4, /* for the combination of joints that is next to zero */
    NAMED_MAX = 8
};

/* Compliance that joints get when one is looked for that depends on others: such a one moves by 1 / compliance, and by
 * half of that where its direction differs by an angle of 1e-6. */
static const double compliance = 1e-12;

/* ---- memory ------------------------------------------------------------------------------------------------ */

/* The places of A, G and G^T in one matrix. */
static bool take_pattern(sparse_joints *self, carom_arena *arena)
{
    const size_t entries = self->rows ? (size_t)carom_sparse_entries(self->rows) : 0;
    const int size = self->dof + self->count;
    const int entries_of_A = carom_sparse_entries(self->A);
    carom_arena *scratch = carom_arena_create();
    const size_t most = (size_t)entries_of_A + entries;
    int *row = scratch ? carom_arena_take(scratch, most, sizeof *row) : NULL;
    int *column = scratch ? carom_arena_take(scratch, most, sizeof *column) : NULL;
    double *zero = scratch ? carom_arena_take(scratch, most, sizeof *zero) : NULL;
    size_t noted = 0;
    for (int j = 0; row && column && j < self->dof; j++) {
        for (int k = self->A->column_start[j]; k < self->A->column_start[j + 1]; k++, noted++) {
            row[noted] = self->A->row[k];
            column[noted] = j;
        }
        for (int k = self->rows ? self->rows->column_start[j] : 0;
             self->rows && k < self->rows->column_start[j + 1]; k++)
            if (self->rows->row[k] < self->count) {
                row[noted] = self->dof + self->rows->row[k];
                column[noted++] = j;
            }
    }
    carom_sparse lower, sum;
    const carom_sparse *const part = &lower;
    const bool taken =
        row && column && zero && carom_sparse_take(scratch, size, size, noted, row, column, zero, &lower) &&
        sparse_union(arena, 1, &part, true, &sum) && sparse_matrix_take(&self->matrix, arena, &sum);
    carom_arena_free(scratch);
    return taken;
}

static void find_places(sparse_joints *self)
{
    const carom_sparse *pattern = &self->matrix.pattern;
    for (int j = 0; j < self->dof; j++) {
        for (int k = self->A->column_start[j]; k < self->A->column_start[j + 1]; k++)
            self->A_place[k] = carom_sparse_place(pattern, self->A->row[k], j);
        if (!self->rows)
            continue;
        for (int k = self->rows->column_start[j]; k < self->rows->column_start[j + 1]; k++) {
            const int joint = self->rows->row[k];
            const bool is_joint = joint < self->count;
            self->row_place[k] = is_joint ? carom_sparse_place(pattern, self->dof + joint, j) : -1;
            self->column_place[k] = is_joint ? carom_sparse_place(pattern, j, self->dof + joint) : -1;
        }
    }
}

static bool take(sparse_joints *self, carom_arena *arena, carom_model_work *work, const carom_sparse *A)
{
    const carom_model *model = work->model;
    self->work = work;
    self->dof = model->dof;
    self->count = model->joints;
    self->A = A;
    self->rows = model->joints > 0 ? model->ops->block_pattern(model, CAROM_BLOCK_ROWS) : NULL;
    const size_t entries = self->rows ? (size_t)carom_sparse_entries(self->rows) : 0;
    const size_t size = (size_t)self->dof + (size_t)self->count;
    const size_t constraints = (size_t)model->joints + (size_t)model->contacts;
    self->row_entry = carom_arena_take(arena, entries, sizeof(double));
    self->A_place = carom_arena_take(arena, (size_t)carom_sparse_entries(A), sizeof(int));
    self->row_place = carom_arena_take(arena, entries, sizeof(int));
    self->column_place = carom_arena_take(arena, entries, sizeof(int));
    self->scale = carom_arena_take(arena, size, sizeof(double));
    self->x = carom_arena_take(arena, size, sizeof(double));
    self->value = carom_arena_take(arena, constraints, sizeof(double));
    self->rate = carom_arena_take(arena, constraints, sizeof(double));
    self->size = carom_arena_take(arena, (size_t)self->count, sizeof(double));
    self->gradient = carom_arena_take(arena, (size_t)self->count, sizeof(double));
    if (!self->row_entry || !self->A_place || !self->row_place || !self->column_place || !self->scale ||
        !self->x || !self->value || !self->rate || !self->size || !self->gradient ||
        !take_pattern(self, arena))
        return false;
    find_places(self);
    return true;
}

bool sparse_joints_take_beside(sparse_joints *self, carom_arena *arena, carom_model_work *work,
                               const carom_sparse *A)
{
    *self = (sparse_joints){.A_entry = A->value};
    return take(self, arena, work, A);
}

bool sparse_joints_take(sparse_joints *self, carom_arena *arena, carom_model_work *work)
{
    const carom_sparse *mass = work->model->ops->matrix_pattern(work->model, CAROM_MATRIX_MASS);
    double *entry = carom_arena_take(arena, (size_t)carom_sparse_entries(mass), sizeof *entry);
    *self = (sparse_joints){.A_entry = entry, .mass_entry = entry};
    return entry && take(self, arena, work, mass);
}

void sparse_joints_free(sparse_joints *self)
{
    sparse_matrix_free(&self->matrix);
}

/* ---- the matrix -------------------------------------------------------------------------------------------- */

/* A power of two near 1 / sqrt(square); 1 where there is none. */
static double power_near(double square)
{
    int exponent = 0;
    if (!(square > 0.0) || !isfinite(square))
        return 1.0;
    frexp(square, &exponent);
    return ldexp(1.0, -exponent / 2);
}

void sparse_joints_rows(sparse_joints *self, double t, const double *q)
{
    const carom_model *model = self->work->model;
    const carom_motion motion = {.t = t, .q = q, .v = q}; /* rows do not depend on velocity */
    if (self->rows)
        model->ops->block(self->work, CAROM_BLOCK_ROWS, &motion, self->row_entry);
}

static void find_scales(sparse_joints *self)
{
    double *square = self->x;
    memset(square, 0, ((size_t)self->dof + (size_t)self->count) * sizeof *square);
    for (int j = 0; j < self->dof; j++)
        for (int k = self->A->column_start[j]; k < self->A->column_start[j + 1]; k++)
            if (self->A->row[k] == j)
                square[j] = self->A_entry[k];
    for (int j = 0; j < self->dof; j++) {
        self->scale[j] = power_near(square[j]);
        for (int k = self->rows ? self->rows->column_start[j] : 0;
             self->rows && k < self->rows->column_start[j + 1]; k++)
            if (self->rows->row[k] < self->count) {
                const double entry = self->scale[j] * self->row_entry[k];
                square[self->dof + self->rows->row[k]] += entry * entry;
            }
    }
    for (int i = self->dof; i < self->dof + self->count; i++)
        self->scale[i] = power_near(square[i]);
}

static void assemble(sparse_joints *self, double soft)
{
    const carom_sparse *pattern = &self->matrix.pattern;
    const double *acting = self->acting ? self->acting : self->row_entry;
    double *value = self->matrix.value;
    memset(value, 0, (size_t)carom_sparse_entries(pattern) * sizeof *value);
    for (int j = 0; j < self->dof; j++) {
        for (int k = self->A->column_start[j]; k < self->A->column_start[j + 1]; k++)
            value[self->A_place[k]] = self->scale[self->A->row[k]] * self->scale[j] * self->A_entry[k];
        for (int k = self->rows ? self->rows->column_start[j] : 0;
             self->rows && k < self->rows->column_start[j + 1]; k++)
            if (self->row_place[k] >= 0) {
                const double entry = self->scale[self->dof + self->rows->row[k]] * self->scale[j] * acting[k];
                value[self->row_place[k]] = entry;
                value[self->column_place[k]] = entry;
            }
    }
    for (int i = self->dof; soft > 0.0 && i < self->dof + self->count; i++)
        value[carom_sparse_place(pattern, i, i)] = -soft;
}

void sparse_joints_mass(sparse_joints *self, double t, const double *q)
{
    self->work->model->ops->matrix(self->work, CAROM_MATRIX_MASS, t, q, NULL, self->mass_entry);
}

static void evaluate(sparse_joints *self, double t, const double *q)
{
    if (self->mass_entry)
        sparse_joints_mass(self, t, q);
    sparse_joints_rows(self, t, q);
    find_scales(self);
}

int sparse_joints_factor(sparse_joints *self, double t, const double *q)
{
    evaluate(self, t, q);
    assemble(self, 0.0);
    return sparse_matrix_factor(&self->matrix);
}

void sparse_joints_solve(sparse_joints *self, double *x, double *p)
{
    for (int i = 0; i < self->dof; i++)
        self->x[i] = self->scale[i] * x[i];
    for (int k = 0; k < self->count; k++)
        self->x[self->dof + k] = self->scale[self->dof + k] * p[k];
    sparse_matrix_solve(&self->matrix, self->x);
    for (int i = 0; i < self->dof; i++)
        x[i] = self->scale[i] * self->x[i];
    for (int k = 0; k < self->count; k++)
        p[k] = -self->scale[self->dof + k] * self->x[self->dof + k];
}

/* ---- which joint depends on others ------------------------------------------------------------------------- */

/* The first joint whose row is zero; -1: there is none. */
static int find_zero_row(sparse_joints *self)
{
    memset(self->size, 0, (size_t)self->count * sizeof *self->size);
    for (int k = 0; k < carom_sparse_entries(self->rows); k++)
        if (self->rows->row[k] < self->count)
            self->size[self->rows->row[k]] += fabs(self->row_entry[k]);
    for (int k = 0; k < self->count; k++)
        if (self->size[k] == 0.0)
            return k;
    return -1;
}

/* The combination of joints that moves masses least, by inverse iteration with soft joints; how far a unit of it moves
 * them, in terms of the compliance. */
static double find_combination(sparse_joints *self)
{
    const int n = self->dof;
    double *p = self->x + n, growth = 0.0;
    for (int k = 0; k < self->count; k++)
        p[k] = 1.0 + 0.5 * sin(1.0 + 7.0 * k); /* of every combination something */
    for (int i = 0; i < INVERSE_ITERATIONS; i++) {
        const double largest = carom_largest(self->count, p);
        for (int k = 0; k < self->count; k++)
            p[k] /= largest;
        memset(self->x, 0, (size_t)n * sizeof *self->x);
        sparse_matrix_solve(&self->matrix, self->x);
        growth = carom_largest(self->count, p);
        if (!isfinite(growth))
            return INFINITY;
    }
    return growth * compliance;
}

static int append_name(char *text, size_t size, int length, const char *before, const char *name)
{
    if (length < 0 || (size_t)length >= size)
        return length;
    return length + snprintf(text + length, size - (size_t)length, "%s'%s'", before, name);
}

bool sparse_joints_find_dependent(sparse_joints *self, double t, const double *q, char *text, size_t size)
{
    char *const *name = self->work->model->joint;
    if (self->count == 0)
        return false;
    evaluate(self, t, q);
    const int zero = find_zero_row(self);
    if (zero >= 0) {
        snprintf(text, size, "joint '%s' has a zero gradient: no velocity changes it", name[zero]);
        return true;
    }
    assemble(self, compliance);
    if (sparse_matrix_factor(&self->matrix) != 0 || !(find_combination(self) > 0.5))
        return false;
    const double *p = self->x + self->dof, largest = carom_largest(self->count, p);
    int last = 0, named = 0;
    for (int k = 0; k < self->count; k++)
        if (fabs(p[k]) > 1e-6 * largest)
            last = k; /* of those that depend on each other the one that was given last */
    int length = snprintf(text, size, "joint '%s' depends on the others: remove one of ", name[last]);
    for (int k = 0; k < last && named < NAMED_MAX; k++)
        if (fabs(p[k]) > 1e-6 * largest)
            length = append_name(text, size, length, named++ > 0 ? ", " : "", name[k]);
    append_name(text, size, length, named > 0 ? ", " : "", name[last]);
    return true;
}

/* ---- how far joints are from being satisfied --------------------------------------------------------------- */

joint_violation sparse_joints_violation(sparse_joints *self, double t, const double *q, const double *v)
{
    const carom_model *model = self->work->model;
    const carom_motion motion = {.t = t, .q = q, .v = v ? v : q};
    const double *x = v ? v : q, time = v ? 1.0 : t;
    joint_violation worst = {.ratio = -1.0};
    sparse_joints_rows(self, t, q);
    model->ops->constraints(self->work, &motion, self->value, self->rate, NULL);
    for (int k = 0; k < self->count; k++) {
        self->size[k] = fabs(self->rate[k] * time);
        self->gradient[k] = 0.0;
        if (v)
            self->value[k] = self->rate[k];
    }
    for (int j = 0; j < self->dof; j++)
        for (int k = self->rows->column_start[j]; k < self->rows->column_start[j + 1]; k++)
            if (self->rows->row[k] < self->count) {
                const double term = self->row_entry[k] * x[j];
                self->size[self->rows->row[k]] += fabs(term);
                self->gradient[self->rows->row[k]] =
                    fmax(self->gradient[self->rows->row[k]], fabs(self->row_entry[k]));
                self->value[self->rows->row[k]] += v ? term : 0.0;
            }
    for (int k = 0; k < self->count; k++) {
        const double tolerance = joint_tolerance(&self->scales, self->size[k], self->gradient[k], v);
        const double ratio = joint_violation_ratio(self->value[k], tolerance);
        if (!(ratio <= worst.ratio))
            worst = (joint_violation){k, self->value[k], tolerance, ratio};
        if (!isfinite(ratio))
            break;
    }
    return worst;
}

bool sparse_joints_project(sparse_joints *self, double t, double *q, double *step, double *p,
                           joint_violation *left)
{
    double before = INFINITY;
    for (int iteration = 0; iteration < PROJECTION_ITERATIONS_MAX; iteration++) {
        *left = sparse_joints_violation(self, t, q, NULL);
        if (left->ratio <= 1e-4 || (left->ratio <= 1.0 && left->ratio > 0.5 * before)) /* or rounding */
            return true;
        before = left->ratio;
        for (int k = 0; k < self->count; k++)
            p[k] = -self->value[k];
        memset(step, 0, (size_t)self->dof * sizeof *step);
        if (!isfinite(left->ratio))
            return false;
        find_scales(self);
        assemble(self, 0.0);
        if (sparse_matrix_factor(&self->matrix) != 0)
            return false;
        sparse_joints_solve(self, step, p);
        carom_axpy(self->dof, 1.0, step, q);
    }
    return false;
}
