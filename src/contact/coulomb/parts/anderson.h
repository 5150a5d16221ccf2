/* Anderson's acceleration of a fixed point iteration x := g(x): from the last few steps the combination is
 * taken whose residual g(x) - x would be smallest if g were affine, as sweeps over contacts are once it has
 * turned out which of them stick, slide and open. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_ANDERSON_H
#define CAROM_CONTACT_COULOMB_PARTS_ANDERSON_H

#include <stdbool.h>

enum {
    COULOMB_ANDERSON_MOST = 16 /* steps that are remembered */
};

typedef struct coulomb_anderson {
    int size, depth; /* unknowns, steps that are remembered */
    int steps;       /* since the beginning, or since it was begun anew */
    double residual; /* |g - x|^2 of the last step */
    double *memory;
    double *last_f, *last_g;                                   /* f = g - x */
    double *f_change, *g_change;                               /* of step k at place (k - 1) % depth */
    double gram[COULOMB_ANDERSON_MOST][COULOMB_ANDERSON_MOST]; /* f_change . f_change */
    double right[COULOMB_ANDERSON_MOST];                       /* f_change . f */
    /* Unknowns of which each process has some: makes numbers the sums of those of all. NULL: there is one process. */
    void (*sum)(void *context, int count, double *number);
    void *context;
} coulomb_anderson;

/* Memory for up to `size` unknowns; false when it is short. */
bool coulomb_anderson_create(coulomb_anderson *self, int size, int depth);
void coulomb_anderson_free(coulomb_anderson *self);
/* Another iteration, which may have fewer unknowns. */
void coulomb_anderson_begin(coulomb_anderson *self, int size);

/* x: where a step began, g: where it ended; g becomes where the next one begins. Residuals that grow make it
 * begin anew. */
void coulomb_anderson_step(coulomb_anderson *self, const double *x, double *g);

#endif
