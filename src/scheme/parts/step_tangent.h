/* The derivative of a step that is defined by equations G(z; before, t, h, p) = 0: unknowns z (velocity after the step,
 * impulses of contacts and joints, ...). Along a direction of everything
 *
 *   G_z dz + G_before d before + G_t dt + G_h dh + G_p dp = 0.
 *
 * A scheme says what the left side is along a direction; here the matrix G_z is made of it, column by column, and the system
 * is solved. Where contacts are redundant it is singular though consistent: the shortest solution is taken, whose velocity
 * is that of every solution. */
#ifndef CAROM_SCHEME_PARTS_STEP_TANGENT_H
#define CAROM_SCHEME_PARTS_STEP_TANGENT_H

#include "carom/scheme.h"

enum {
    STEP_TANGENT_MOST = 2000 /* unknowns: the matrix is made column by column, and is full */
};

/* Zero and NULL: does not change. */
typedef struct step_direction {
    const double *z;
    const double *before; /* carom_tangent.size numbers: what was carried into the step */
    double t, h;          /* of the time at which it began, and of its length */
    const double *parameter, *option;
} step_direction;

typedef void (*step_residual)(void *context, const step_direction *direction, double *residual);

typedef struct step_tangent {
    int room, columns; /* unknowns at most, and directions of the motion */
    int unknowns;
    bool singular;         /* the last system was: redundant contacts, or a status that decides nothing */
    bool no_memory;        /* why the last system was not solved */
    double mismatch;       /* ... and how far its equations are from being solved, relative to their terms */
    double *matrix, *copy; /* room x room, by columns */
    double *right;         /* (columns + 1) x room: minus the residuals, then dz; then step_tangent_idle */
    double *kept_right;
    double *size;                     /* of each unknown, in its unit: step_tangent_size */
    double *row_scale, *column_scale; /* numbers without a unit come of them */
    double *unit;
    int *pivot, *place;
    double *work;
    size_t work_size;
    /* the entries that are not zero, where there are many unknowns and few of them */
    int *column_start, *row;
    double *value;
} step_tangent;

/* BAD_INPUT: more unknowns than a full matrix in every step is worth. */
carom_status step_tangent_check_size(double unknowns, carom_error *error);

/* False when memory is short. */
bool step_tangent_take(step_tangent *self, carom_arena *arena, int room, int columns);

/* For step_tangent_solve: the size of the unknowns first ... end - 1, in their unit. Which one does not matter, as long as it follows
 * the units of the model: equations are compared in these sizes. */
void step_tangent_size(step_tangent *self, int first, int end, double size);

/* dz for all columns of a tangent at once: result c begins at step_tangent_solution(self, c). False: entries are not
 * finite, or no solution, or no_memory. */
bool step_tangent_solve(step_tangent *self, const carom_tangent *tangent, int unknowns,
                        step_residual residual, void *context);

static inline const double *step_tangent_solution(const step_tangent *self, int column)
{
    return self->right + (size_t)column * (size_t)self->unknowns;
}

/* Of the last system, if it was singular: a direction of the unknowns, one of many, along which its equations do not change. */
static inline const double *step_tangent_idle(const step_tangent *self)
{
    return step_tangent_solution(self, self->columns);
}

/* The direction of a column for the step that the stepper has just made; its z is NULL. */
step_direction step_tangent_direction(const carom_tangent *tangent, int column);

#endif
