/* Derivative of a function of one variable where no expression gives it: central differences of order 6, whose step is found
 * from the function itself. */
#ifndef CAROM_SCHEME_PARTS_DIFFERENCE_H
#define CAROM_SCHEME_PARTS_DIFFERENCE_H

#include <stdbool.h>

typedef struct difference {
    int count;   /* components of the function */
    bool second; /* its second derivative, not the first */
    void *context;
    void (*value)(void *context, double s, double *value);
    double scale;    /* of the variable s: the first step is a share of it */
    double *scratch; /* DIFFERENCE_SCRATCH * count numbers */
} difference;

enum {
    DIFFERENCE_SCRATCH = 7
};

/* Derivatives of all components at s = 0. Returns false if no step is good: then `derivative`
 * holds the estimate whose orders differ least. */
bool difference_find(const difference *self, double *derivative);

#endif
