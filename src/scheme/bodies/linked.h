/* Coordinates beside bodies, and the bodies that forces link to them: a part of the system with the matrix
 *
 *   A = M - h theta df/du - (h theta)^2 df/dq,   A dv = h f + G^T lambda + H^T p,
 *
 * one linearised step of the theta method, f and its derivatives at the predicted position: what is stiff stays stable,
 * and what pulls bodies and coordinates together keeps their momentum. Contact problems want a symmetric W: impulses are
 * answered by the symmetric part of A, and the other one is put right pass by pass, as gyroscopic terms are.
 *
 * A motion of the system has slots: six of each body, then one of each coordinate. */
#ifndef CAROM_SCHEME_BODIES_LINKED_H
#define CAROM_SCHEME_BODIES_LINKED_H

#include "carom/model/bodies.h"
#include "carom/scheme.h"

typedef struct body_step_linked {
    int count; /* velocities of the part; 0: there is none */
    int *slot; /* of each */
    int *number; /* per slot: which velocity of the part, -1: none */
    int bodies;
    int *body;     /* those of the part */
    bool *is_body; /* per body */
    /* entries as the model gives them, and the places in A of these, of bodies' masses, of mirrored ones */
    double *mass, *by_q, *by_u;
    int *mass_place, *by_q_place, *by_u_place, *body_place, *mirror;
    carom_sparse pattern;
    double *value; /* symmetric part of A */
    double *skew;  /* of h theta df/du + (h theta)^2 df/dq, what is not symmetric */
    double *slope; /* room */
    bool has_skew;
    carom_sparse_factor *factor;
    double *load; /* impulses that wait for an answer */
    bool loaded;
    double *plain; /* dv by forces alone */
    double *late;  /* ... what the skew part adds when joints and contacts act, too */
    double *room;
} body_step_linked;

struct body_step;

/* All memory. BAD_INPUT: the mass matrix of the coordinates at the start is not positive definite. */
carom_status linked_set_up(struct body_step *self, carom_error *error);
void linked_free(body_step_linked *linked);
/* The matrix at a position, with self->pose there. */
carom_status linked_prepare(struct body_step *self, double t, const double *q, const double *v,
                            carom_error *error);
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

/* What the skew part adds to free velocities. */
void linked_add_late(const struct body_step *self, double *free);
/* It anew, from self->end; true when it is another one by more than rounding. */
bool linked_correct(struct body_step *self);

#endif
