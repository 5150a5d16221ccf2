/* A matrix and the joints of a large sparse model at one position: one sparse matrix, nothing of joints x coordinates.
 *
 *   A x - G^T p = f          [ D A D    D G^T s ] [ x / D  ]   [ D f ]
 *   G x         = g          [ s G D       0    ] [ -p / s ] = [ s g ]
 *
 * A is the mass matrix, or one of the caller's. D and s make its diagonal and the rows of G of size one; they are powers
 * of two, which round nothing. A model without joints has A alone. */
#ifndef CAROM_SCHEME_PARTS_SPARSE_JOINTS_H
#define CAROM_SCHEME_PARTS_SPARSE_JOINTS_H

#include "carom/model.h"
#include "joint_system.h"
#include "sparse_matrix.h"

typedef struct sparse_joints {
    carom_model_work *work;
    int dof, count;
    const carom_sparse *A, *rows; /* places; rows of all constraints, joints first */
    const double *A_entry;
    double *mass_entry; /* the same where A is the mass; NULL: the caller's */
    double *row_entry;
    int *A_place;                  /* of the entries in the matrix */
    int *row_place, *column_place; /* of those of G and of G^T; -1: of a contact */
    const double *acting; /* the caller's: entries in the matrix in the place of row_entry; NULL: these */
    sparse_matrix matrix;
    double *scale;        /* D, s */
    double *x;            /* dof + count */
    double *value, *rate; /* g and g_t; per constraint */
    double *size;         /* per joint: of its terms */
    double *gradient;     /* per joint: largest entry of its row */
    carom_scales scales;  /* for violations: set by who asks for them */
} sparse_joints;

/* False when memory is short. Who takes one gives it back. */
bool sparse_joints_take(sparse_joints *self, carom_arena *arena, carom_model_work *work);
/* Of another matrix than the mass: its places and the caller's values, which are kept, not copied. */
bool sparse_joints_take_beside(sparse_joints *self, carom_arena *arena, carom_model_work *work,
                               const carom_sparse *A);
/* May be called for zeros. */
void sparse_joints_free(sparse_joints *self);

/* Evaluates (of the caller's matrix the rows alone) and factors at (t, q). 0, or what sparse_matrix_factor says. */
int sparse_joints_factor(sparse_joints *self, double t, const double *q);
/* Parts of it: row_entry, and the metric of sparse_joints_project. */
void sparse_joints_rows(sparse_joints *self, double t, const double *q);
void sparse_joints_mass(sparse_joints *self, double t, const double *q);

/* x is f and becomes x; p (may be NULL without joints) is g and becomes p. */
void sparse_joints_solve(sparse_joints *self, double *x, double *p);

/* At (t, q): "joint 'b' depends on the others: remove one of 'a', 'b'", as joint_system_find_dependent. The matrix has
 * other values then. False: it does not, or memory is short. */
bool sparse_joints_find_dependent(sparse_joints *self, double t, const double *q, char *text, size_t size);

/* As joint_system_violation and joint_system_project, in the metric of the last sparse_joints_factor or sparse_joints_mass; step has room for
 * the coordinates, p for the joints. */
joint_violation sparse_joints_violation(sparse_joints *self, double t, const double *q, const double *v);
bool sparse_joints_project(sparse_joints *self, double t, double *q, double *step, double *p,
                           joint_violation *left);

#endif
