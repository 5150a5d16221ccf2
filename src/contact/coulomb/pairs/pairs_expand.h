/* Contacts with moments for solvers that know three numbers per contact: one contact more for rolling, and one for
 * torsion. Their moments are tangents, and what bounds them is a normal r'_N of their own that becomes the contact's,
 *
 *   u'_N = W_NN (r'_N - r_N),   0 <= u'_N,  0 <= r'_N,  u'_N r'_N = 0   <=>   r'_N = max(0, r_N).
 *
 * It acts on nothing: W is not symmetric then. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_EXPAND_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_EXPAND_H

#include "pairs_blocks.h"

/* Memory that grows with the problems. */
typedef struct pairs_expand {
    carom_pairs problem; /* without moments: as it was given */
    int contacts;        /* without those of moments, which stand behind them */
    carom_pair_rows *row;
    double *q;
    struct pairs_moment {
        int contact;
        bool torsion;
    } * moment;
    size_t room;
} pairs_expand;

/* False when memory is short. */
bool pairs_expand_take(pairs_expand *self, const carom_pairs *problem);
void pairs_expand_free(pairs_expand *self);

/* Impulses in the layout of carom_pairs, times `scale`, to 3 per contact of self->problem, and back. */
void pairs_expand_impulses(const pairs_expand *self, double scale, const double *r, double *expanded);
void pairs_expand_reduce(const pairs_expand *self, double scale, const double *expanded, double *r);

/* Puts the rows of normals of moments into W, which is assembled from self->problem. */
void pairs_expand_bind(const pairs_expand *self, pairs_blocks *blocks);

#endif
