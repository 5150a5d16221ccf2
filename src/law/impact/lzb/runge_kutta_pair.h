/* One Runge-Kutta step of x' = f d, d' = -G lambda(x), with an estimate of its error. */
#ifndef CAROM_LAW_IMPACT_LZB_RUNGE_KUTTA_PAIR_H
#define CAROM_LAW_IMPACT_LZB_RUNGE_KUTTA_PAIR_H

#include "lzb.h"

enum {
    PAIR_STAGES = 7
};

/* The pair of Dormand and Prince, order 5(4), with the stages of d eliminated: since d_i = d_0 - h G sum_k
 * a_ik lambda_k, an indentation needs only forces, x_i = x_0 + h f (c_i d_0 - h G sum_k (A A)_ik lambda_k).
 */
typedef struct lzb_pair {
    double twice[PAIR_STAGES][PAIR_STAGES]; /* A A */
    double twice_error[PAIR_STAGES];        /* (b - b^) A */
    /* Per contact, zero for contacts that are not active: */
    double *force[PAIR_STAGES]; /* force[0]: at the start */
    double *impulse;            /* of the step */
    double *sum;                /* of forces with weights */
    /* Per contact, for members: */
    double *rate;  /* f: 0 open, 1 compression, 1 / e^2 expansion; set by the caller */
    double *x, *d; /* after the step */
} lzb_pair;

/* Takes its memory from s->scratch: 12 numbers per contact. */
void lzb_pair_prepare(lzb_pair *pair, lzb *s);

/* Forces at the start, force[0]. */
void lzb_pair_start(lzb_pair *pair, const lzb *s);

/* A step of length h from s->closing and s->indentation to d and x. */
void lzb_pair_step(lzb_pair *pair, const lzb *s, double h);

/* The estimate of the last step's error: in d against the speed, in x against the speed in a contact's time.
 */
double lzb_pair_error(lzb_pair *pair, const lzb *s, double h);

/* The last step becomes the state; force[0] is that at its end. */
void lzb_pair_accept(lzb_pair *pair, lzb *s);

/* Contacts that are not active any more: zero forces. */
void lzb_pair_clear(lzb_pair *pair, const lzb *s);

#endif
