/* Moreau-jean of a sparse model: the Newton matrix by its entries, and the contact problem in the space of velocities
 * (global_contacts). */
#ifndef CAROM_SCHEME_MOREAU_JEAN_JEAN_SPARSE_H
#define CAROM_SCHEME_MOREAU_JEAN_JEAN_SPARSE_H

#include "scheme/parts/global_contacts.h"

typedef struct jean_sparse {
    sparse_matrix newton; /* M + h theta C + h^2 theta^2 K */
    const carom_sparse *pattern[CAROM_MATRICES];
    double *entry[CAROM_MATRICES];
    int *place[CAROM_MATRICES]; /* of their entries in the Newton matrix */
    int *mirror;                /* per entry of the Newton matrix: where the transposed one stands */
    global_contacts contacts;
    double *impulse; /* 3 per active contact: start and result */
    unsigned char *regime;
} jean_sparse;

#endif
