/* Moreau-jean of a sparse model: the Newton matrix by its entries, in one matrix with the joints where there are some
 * (sparse_joints), and the contact problem in the space of velocities or through W (global_contacts, global_reduction). */
#ifndef CAROM_SCHEME_MOREAU_JEAN_JEAN_SPARSE_H
#define CAROM_SCHEME_MOREAU_JEAN_JEAN_SPARSE_H

#include "scheme/parts/global_contacts.h"
#include "scheme/parts/sparse_joints.h"

typedef struct jean_sparse {
    sparse_matrix newton; /* M + h theta C + h^2 theta^2 K; with joints it is not factored: */
    bool assembled;       /* its values are known */
    sparse_joints joints; /* it and the rows of joints */
    double *row_old;      /* entries of the rows at the start of the step */
    double *row_used;     /* of those in the matrix: jean_sparse_joints.c */
    double *row_mean;     /* of those along which joints act */
    bool iterates;        /* in this step: an iterate is known */
    /* d/dq (-G^T lambda - f) and d/dq (G v + g_t), their places in the Newton matrix and among the rows (-1: of a
     * contact); the former without f; zeros, lambda per constraint */
    const carom_sparse *stiffness, *turn;
    double *stiffness_entry, *turn_entry, *geometric, *zero, *lambda;
    int *stiffness_place, *turn_place;
    double *joint_load; /* per joint */
    sparse_joints projector;
    const carom_sparse *pattern[CAROM_MATRICES];
    double *entry[CAROM_MATRICES];
    int *place[CAROM_MATRICES]; /* of their entries in the Newton matrix */
    int *mirror;                /* per entry of the Newton matrix: where the transposed one stands */
    global_contacts contacts;
    double *impulse; /* 3 per active contact: start and result */
    unsigned char *regime;
} jean_sparse;

#endif
