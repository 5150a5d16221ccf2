/* Newton's method for g(t, q) = 0, each correction d as short as it can be in the metric of M at the position before:
 *
 *   M d + G^T l = 0,   G d = -g,   q += d         along a direction   M dd + G^T dl = -dM d - dG^T l,   G dd = -dg - dG d */
#include "jean_projection_tangent.h"

#include <math.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    ITERATIONS_MAX = 50
};
/* Positions that differ by less, relative to the model's length and their size, are the same. */
static const double same = 1e-11;

bool projection_tangent_take(projection_tangent *self, carom_tangent *base)
{
    const carom_model *model = base->stepper->model;
    carom_arena *arena = base->arena;
    self->n = model->dof;
    self->joints = model->joints;
    self->length = base->stepper->scales.length;
    self->pattern = model->ops->block_pattern(model, CAROM_BLOCK_ROWS);
    const size_t n = (size_t)self->n, size = n + (size_t)self->joints, columns = (size_t)base->columns;
    const size_t constraints = (size_t)model->joints + (size_t)model->contacts,
                 entries = (size_t)carom_sparse_entries(self->pattern);
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&self->mass, carom_product(n, n)},
                  {&self->mass_along, carom_product(columns, carom_product(n, n))},
                  {&self->entry, entries},
                  {&self->entry_along, entries},
                  {&self->g, constraints},
                  {&self->g_along, constraints},
                  {&self->matrix, carom_product(size, size)},
                  {&self->change, size},
                  {&self->right, size},
                  {&self->q, n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return false;
    self->pivot = carom_arena_take(arena, size, sizeof(int));
    return self->pivot != NULL;
}

/* [M G^T; G 0] and its factors; false where it is singular. */
static bool factor(projection_tangent *self)
{
    const int n = self->n, size = n + self->joints;
    const carom_sparse *pattern = self->pattern;
    memset(self->matrix, 0, (size_t)size * (size_t)size * sizeof *self->matrix);
    for (int i = 0; i < n; i++)
        carom_copy(n, self->mass + (ptrdiff_t)i * n, self->matrix + (ptrdiff_t)i * size);
    for (int j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->joints) {
                const ptrdiff_t row = n + pattern->row[k];
                self->matrix[row * size + j] = self->matrix[(ptrdiff_t)j * size + row] = self->entry[k];
            }
    return carom_lu_factor(size, self->matrix, self->pivot) == 0;
}

/* The derivative of the correction along one column is added to that of the position. */
static void correct_along(projection_tangent *self, carom_tangent *base, int column, double t)
{
    const carom_model *model = base->stepper->model;
    const carom_sparse *pattern = self->pattern;
    const int n = self->n;
    double *dq = carom_tangent_q(base, column), *right = self->right;
    const double *d = self->change, *l = self->change + n;
    const carom_direction to = {.t = base->t[column], .q = dq, .parameter = base->column[column].parameter};
    const carom_motion motion = {.t = t, .q = self->q};
    model->ops->tangent->block(base->stepper->work, CAROM_BLOCK_ROWS, &motion, 1, &to, self->entry_along);
    model->ops->tangent->constraints(base->stepper->work, &motion, 1, &to, self->g_along, NULL, NULL);
    for (int i = 0; i < n; i++)
        right[i] = -carom_dot(n, self->mass_along + ((ptrdiff_t)column * n + i) * n, d);
    for (int i = 0; i < self->joints; i++)
        right[n + i] = -self->g_along[i];
    for (int j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            if (pattern->row[k] < self->joints) {
                right[j] -= self->entry_along[k] * l[pattern->row[k]];
                right[n + pattern->row[k]] -= self->entry_along[k] * d[j];
            }
    carom_lu_solve(n + self->joints, self->matrix, self->pivot, right);
    carom_axpy(n, 1.0, right, dq);
}

static bool has_arrived(const projection_tangent *self, const double *q)
{
    const double size = self->length + carom_largest(self->n, q);
    for (int i = 0; i < self->n; i++)
        if (fabs(self->q[i] - q[i]) > same * size)
            return false;
    return true;
}

bool projection_tangent_step(projection_tangent *self, carom_tangent *base, const double *q)
{
    const carom_stepper *stepper = base->stepper;
    const carom_model_ops *ops = stepper->model->ops;
    const double t = stepper->state.t;
    const int n = self->n;
    carom_copy(n, q, self->q);
    ops->mass(stepper->work, t, q, self->mass);
    for (int c = 0; c < base->columns; c++) {
        const carom_direction to = {
            .t = base->t[c], .q = carom_tangent_q(base, c), .parameter = base->column[c].parameter};
        ops->tangent->mass(stepper->work, t, q, 1, &to, self->mass_along + (ptrdiff_t)c * n * n);
    }
    for (int i = 0; i < ITERATIONS_MAX; i++) {
        if (has_arrived(self, stepper->state.q))
            return true;
        const carom_motion motion = {.t = t, .q = self->q};
        ops->constraints(stepper->work, &motion, self->g, NULL, NULL);
        ops->block(stepper->work, CAROM_BLOCK_ROWS, &motion, self->entry);
        if (!factor(self))
            return false;
        memset(self->change, 0, (size_t)n * sizeof *self->change);
        for (int k = 0; k < self->joints; k++)
            self->change[n + k] = -self->g[k];
        carom_lu_solve(n + self->joints, self->matrix, self->pivot, self->change);
        for (int c = 0; c < base->columns; c++)
            correct_along(self, base, c, t);
        carom_axpy(n, 1.0, self->change, self->q);
    }
    return false;
}
