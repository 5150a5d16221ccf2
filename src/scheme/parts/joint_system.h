/* The joints of a model at one position: their rows G, what a unit impulse along each does to the velocity,
 * and the elimination of their impulses.
 *
 *   R = A^-1 G^T,   S = G R,   x -> x - R S^-1 (G x + c)
 *
 * gives the x next to the one before, in the metric of the matrix A, with G x + c = 0. A is a mass or a
 * Newton matrix. Rows are kept full: mechanisms have few coordinates. */
#ifndef CAROM_SCHEME_PARTS_JOINT_SYSTEM_H
#define CAROM_SCHEME_PARTS_JOINT_SYSTEM_H

#include <math.h>

#include "carom/model/scales.h"
#include "newton_matrix.h"

typedef struct joint_system {
    carom_model_work *work;
    const carom_model *model;
    int count, dof;
    bool constant;               /* rows and rates do not depend on position */
    const carom_sparse *pattern; /* of the rows of all constraints, joints first */
    double *entry, *entry_last;
    double *value, *rate;   /* g and g_t; per constraint */
    double *row, *response; /* count x dof: G and R^T */
    double *matrix;         /* S, scaled to a unit diagonal */
    double *scale;          /* per joint: 1 / sqrt(S_kk) */
    double *factor;         /* of the scaled matrix */
    int *pivot;
    double *impulse;     /* of the last elimination */
    bool factored;       /* for entry_last and ... */
    long factorisation;  /* ... this one of the matrix A */
    carom_scales scales; /* for violations: set by who asks for them */
} joint_system;

/* Their number, and whether rows are constant: all that is known of the joints of a sparse model here (sparse_joints). */
void joint_system_look_at(joint_system *joints, carom_model_work *work);
/* Memory for the joints of a model; false when memory is short. */
bool joint_system_take(joint_system *joints, carom_arena *arena, carom_model_work *work);

/* Rows at (t, q), responses for the matrix A and the factors of S; what has not changed is kept, and *changed
 * says whether there was anything. 0, or the 1-based joint that depends on the others, or -1: not finite. */
int joint_system_prepare(joint_system *joints, const newton_matrix *A, double t, const double *q,
                         bool *changed);

/* Only the rows at (t, q), in `row`. The next joint_system_prepare evaluates them again. */
void joint_system_rows(joint_system *joints, double t, const double *q);

/* g_t at (t, q). */
void joint_system_rates(joint_system *joints, double t, const double *q);

/* x := S^-1 x, one entry per joint. */
void joint_system_solve(const joint_system *joints, double *x);

/* x := x + R p with G x + offset = 0; p is kept as the impulse. offset NULL: zero. */
void joint_system_eliminate(joint_system *joints, const double *offset, double *x);

/* "joint 'b' depends on the others: remove one of 'a', 'b'": for a matrix S that is singular. False when it
 * is not, to a relative 1e-12 (joints whose directions differ by less than an angle of 1e-6). */
bool joint_system_find_dependent(joint_system *joints, char *text, size_t size);

/* How far g is from zero at (t, q), or with a velocity G v + g_t: the joint with the largest ratio of its
 * value to the tolerance, which is 1e-9 of its size, the sum of its terms |G_i q_i| (|G_i v_i|) and of that
 * of time, and 1e-12 of what its gradient makes of the model's length (speed): sums of numbers that cancel leave
 * rounding. */
typedef struct joint_violation {
    int joint;
    double value, tolerance, ratio;
} joint_violation;
joint_violation joint_system_violation(joint_system *joints, double t, const double *q, const double *v);
static inline double joint_tolerance(const carom_scales *scales, double size, double gradient,
                                     bool is_velocity)
{
    if (!(scales->time > 0.0)) /* none are known */
        return 1e-9 * size;
    return 1e-9 * size + 1e-12 * gradient * (is_velocity ? carom_scales_speed(scales) : scales->length);
}
static inline double joint_violation_ratio(double value, double tolerance)
{
    return value == 0.0 ? 0.0 : fabs(value) / tolerance;
}

/* Newton's method for g(t, q) = 0, each correction as short as it can be in the metric A. False when it did
 * not converge: *left says which joint, or *dependent is not 0 (as joint_system_prepare says). */
bool joint_system_project(joint_system *joints, const newton_matrix *A, double t, double *q,
                          joint_violation *left, int *dependent);

#endif
