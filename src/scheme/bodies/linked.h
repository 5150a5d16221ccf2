/* Coordinates beside bodies, and the bodies that forces link to them: a part of the system with the matrix
 *
 *   A = M - h theta df/du - (h theta)^2 df/dq,
 *
 * its symmetric part at the predicted position: what is stiff stays stable, what pulls bodies and coordinates together keeps
 * their momentum, and the W of contact problems is symmetric. The step is that of the theta method,
 *
 *   M(q_theta) dv = h f(q_theta, v_theta) + G^T lambda + H^T p,
 *
 * written as A dv = h f + c + G^T lambda + H^T p with f at the predicted position; c is what linearisation and the symmetric
 * part leave out, c = h (f_theta - f) + (A - M_theta) dv. It is found without contacts first, and pass by pass with them, as
 * gyroscopic terms are; where that does not settle, the step is the linear one. c is 0 for linear springs and dampers.
 *
 * A motion of the system has slots: six of each body, then one of each coordinate. */
#ifndef CAROM_SCHEME_BODIES_LINKED_H
#define CAROM_SCHEME_BODIES_LINKED_H

#include "carom/model/bodies.h"
#include "carom/scheme.h"

enum {
    LINKED_BODY_PLACES = 12, /* entries of the mass matrix of a body: three masses, and the inertia */
    LINKED_MOST_STIFF = 300  /* velocities of a part that is looked at whether it can be stiffened */
};

typedef struct body_step_linked {
    int count;   /* velocities of the part; 0: there is none */
    int *slot;   /* of each */
    int *number; /* per slot: which velocity of the part, -1: none */
    int bodies;
    int *body;     /* those of the part */
    bool *is_body; /* per body */
    /* entries as the model gives them, and the places in A of these, of bodies' masses, of mirrored ones */
    double *mass, *by_q, *by_u;
    int *mass_place, *by_q_place, *by_u_place, *body_place, *mirror;
    carom_sparse pattern;
    double *value; /* symmetric part of A */
    double *slope; /* h theta df/du + (h theta)^2 df/dq */
    /* Of h theta df/du what is not symmetric; of affine forces that of the slope. Else (h theta)^2 df/dq is left out: its
     * terms of h^3 are large for stiff springs at bodies that turn. */
    double *turn;
    bool is_linear; /* c of this step is that of the linear step: turn dv */
    double *last;   /* values of the factor at hand */
    carom_sparse_factor *factor, *stiff_factor;
    bool is_stiff; /* impulses are answered by the second one */
    double *stiff, *dense;
    double *load; /* impulses that wait for an answer */
    bool loaded;
    double *impulse; /* h f */
    double *plain;   /* A^-1 h f; after linked_begin with what c adds without joints and contacts, */
    double *base;    /* ... which is this */
    double *late;    /* A^-1 c */
    double *change, *room;
    double *q, *v, *force; /* of all: theta */
} body_step_linked;

struct body_step;

/* Entry k of the mass matrix of the b-th linked body: its row and column in the part; false: there is none. */
bool linked_body_entry(const struct body_step *self, int b, int k, int *row, int *column);
/* Inertia of a body along the axes of space, at self->pose. */
void linked_body_inertia(const struct body_step *self, int body, double inertia[9]);

/* All memory. BAD_INPUT: the mass matrix of the coordinates at the start is not positive definite. */
carom_status linked_set_up(struct body_step *self, carom_error *error);
void linked_free(body_step_linked *linked);
/* The matrix at a position, with self->pose there. */
carom_status linked_prepare(struct body_step *self, double t, const double *q, const double *v,
                            carom_error *error);
/* The first matrices, at the start, from which later ones take their order: a motion that goes on has the same. */
carom_status linked_prepare_start(struct body_step *self, carom_error *error);
/* What a snapshot keeps of the factors. */
void linked_keep(struct body_step *self, carom_snapshot *snapshot);
/* From self->force: plain velocities of coordinates; forces of the part's bodies become what they are over the step. */
carom_status linked_begin(struct body_step *self, carom_error *error);

/* An impulse at a velocity of the part, or (along the six of a body) at a body of it; it waits for linked_answer. */
static inline void linked_push(body_step_linked *linked, int number, double impulse)
{
    linked->load[number] += impulse;
    linked->loaded = true;
}
void linked_push_body(body_step_linked *linked, int body, const double impulse[6]);
/* x += A^-1 of all impulses that wait, with the symmetric part. */
void linked_answer(struct body_step *self, double *x);

/* Displacements that put positions back: from now on `true` they are answered by M - stiffening (h theta)^2 df/dq. In the
 * metric of A the shapes of a stiff part that are strained most would move as easily as others, and gain energy; this way
 * what is soft moves. Where that matrix is not positive definite, it stays A. */
carom_status linked_stiffen(struct body_step *self, bool stiff, carom_error *error);
/* x := A^-1 x, with the matrix that counts. */
void linked_solve(body_step_linked *linked, double *x);

/* What c adds to free velocities. */
void linked_add_late(const struct body_step *self, double *free);
/* It anew, from self->end; true when it is another one by more than rounding. */
bool linked_correct(struct body_step *self);

#endif
