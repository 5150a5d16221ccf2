/* Instants at which forces that repeat in time have a kink or a jump: nodes of every integration by steps of high order. */
#ifndef CAROM_PERIODIC_SWITCHING_H
#define CAROM_PERIODIC_SWITCHING_H

#include "carom/model.h"

typedef struct switching {
    double period;   /* with which the instants repeat; 0: there are none */
    int count, most; /* most: capacity of the arrays */
    double *instant; /* ascending, from 0 to below the period */
    double *value[2];
} switching;

/* Finds the instants for the parameters of the work, over one period of what drives the model. Returns false if allocation
 * fails. */
bool switching_find(switching *self, carom_model_work *work, double period);
void switching_free(switching *self);
/* The first instant after t, which counts as the same one within `switching_margin`; INFINITY: none. */
double switching_next(const switching *self, double t);
/* Distance from an instant at which forces are on one side of it for certain. */
double switching_margin(const switching *self, double t);

#endif
