/* The contact problem of a step in the space of velocities, for large sparse systems: neither W = H A^-1 H^T nor the
 * response of a contact is formed, unless that is the cheaper way, and the scheme allows it (global_reduction.h).
 *
 *   A (v - v_free) = H^T p,   u = H v + rate,
 *   0 <= u_N - target  _|_  p_N >= 0,   -u_T in the normal cone of p_N D at p_T.
 *
 * The laws are p = P(l - r (u - target)) at l = p, with the projection P on the cone and any r > 0 (Alart and
 * Curnier 1991). For given multipliers l this is one equation for v, piecewise smooth, which Newton's method solves:
 *
 *   A (v - v_free) = H^T P(l - r (H v + rate - target)),   matrix A + H^T r P' H,
 *
 * of the places of A and of H^T H. Then l := p, until they agree: the method of multipliers. Without friction the
 * equation is the derivative of a convex function, along which steps are shortened where they must.
 *
 * With joints (sparse_joints) the unknowns are v and the impulses of joints, with a minus: A is the matrix of both, scaled
 * as that one is. Only the first ones of them, v, are in the rows of contacts. */
#ifndef CAROM_SCHEME_PARTS_GLOBAL_CONTACTS_H
#define CAROM_SCHEME_PARTS_GLOBAL_CONTACTS_H

#include "contact_rows.h"
#include "sparse_matrix.h"

/* One contact of the problem. Rows are the caller's. */
typedef struct global_contact {
    int tangents; /* 0: frictionless */
    const carom_row *row[CAROM_CONTACT_COMPONENTS];
    double rate[CAROM_CONTACT_COMPONENTS];
    double target;        /* normal velocity of a contact that carries an impulse */
    carom_planar_set set; /* D: an interval or a disk */
    bool has_normal;      /* false: a friction force, whose normal impulse is `normal` */
    double normal;
    const int
        *place; /* where the entries of its rows' products stand in the matrix: see global_contacts_take */
    int index;  /* of the model's contacts */
    bool constant_rows; /* in all problems */
} global_contact;

typedef struct global_contacts {
    int dof, capacity;
    int size;             /* unknowns: dof, or more with joints */
    sparse_matrix matrix; /* A + H^T r P' H */
    const sparse_matrix *A;
    const double *scale; /* A is scaled by them, rows and columns; NULL: not at all */
    int *place_of_A;     /* where its entries stand in the matrix */
    int **contact_place; /* per contact of the model */
    global_contact *contact;
    int count;
    double *multiplier, *impulse, *trial; /* 3 per contact */
    double *velocity;                     /* u - target, 3 per contact */
    double *compliance;                   /* H diag(A)^-1 H^T, normal and tangents: 2 per contact */
    double *penalty;                      /* r, likewise: */
    double stiffness;                     /* so many times the inverse */
    double *jacobian;                     /* r P', 9 per contact */
    double *v, *next, *change, *residual, *moved, *diagonal;
    double *kept;     /* v of the last multipliers */
    double tolerance; /* asked for; 0: 1e-10 */
    int max_iterations;
    /* For problems of an iteration: the next one begins with the velocity that the last one ended with (once), and need
     * not be solved more closely than this. */
    bool continues;
    double coarseness;
    carom_solve_report report;          /* of the last problem */
    int failed;                         /* a matrix that had no factors */
    struct global_reduction *reduction; /* the other way, through W; NULL: it is not taken */
    bool constant;                      /* A has the same values in all problems */
} global_contacts;

/* False: rows of contacts are so long that the matrix would be full. */
bool global_contacts_fit(const carom_model *model);

/* Cones that the problem knows, of every contact of the model: intervals, and disks. */
bool global_contacts_know_cones(const carom_model *model);

/* Memory for problems with any contacts of the model and matrices with the places of A, which is kept. False when
 * memory is short, or when rows are so long that the matrix would be full. Who has joints in A sets `scale`. */
bool global_contacts_take(global_contacts *self, carom_arena *arena, const carom_model *model,
                          const sparse_matrix *A);
void global_contacts_free(global_contacts *self);

/* Contact k of the problem is this one of the model, with its rows as they are; `sticking` chooses its cone. The caller
 * sets target, or what a friction force presses with. */
void global_contacts_pose(global_contacts *self, int k, const carom_model *model, const contact_rows *rows,
                          int contact, bool sticking);

/* The problem of the contacts self->contact[0 .. count), with the values of A, which is symmetric and positive definite
 * (with joints: where they hold). v_free and v have as many entries as there are unknowns; v_free satisfies the joints.
 * impulse: 3 per contact, start and result; regime: result. v = v_free + A^-1 H^T p. */
carom_solve_report global_contacts_solve(global_contacts *self, const double *v_free, double *v,
                                         double *impulse, unsigned char *regime);

#endif
