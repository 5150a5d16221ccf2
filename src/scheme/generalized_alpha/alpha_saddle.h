/* Matrices [A -G^T; B 0] of motions under constraints, sparse, with the rows of constraints that do not act
 * replaced by those of "no multiplier". All of them have the same places, so that the ordering is kept.
 * Chains of bodies give narrow bands; other matrices are factored by KLU (carom_sparse_factor). */
#ifndef CAROM_SCHEME_GENERALIZED_ALPHA_ALPHA_SADDLE_H
#define CAROM_SCHEME_GENERALIZED_ALPHA_ALPHA_SADDLE_H

#include "carom/model.h"

enum {
    SADDLE_SLOTS = 3 /* factors that are remembered: sets of contacts come back */
};

typedef struct saddle_slot {
    double *value; /* what was factored */
    carom_sparse_factor *factor;
    carom_narrow band; /* in the place of factor, where the matrix is narrow */
    bool filled;
    unsigned long used;
} saddle_slot;

typedef struct saddle {
    int dof, constraints, joints;
    /* The unknown multipliers are divided by this, a mass: their pivots are then of the size of the others.
     */
    double scale;
    const carom_sparse *block[CAROM_BLOCKS]; /* places; NULL: not a part of this matrix */
    int *place[CAROM_BLOCKS];                /* where an entry of the block stands */
    int *transposed, *diagonal;              /* of -G^T, of the multipliers' diagonal */
    carom_sparse matrix;
    double *value; /* of matrix, being filled */
    const bool *acts;
    bool narrow;
    int *order, *band_place; /* of unknowns, of entries in the band */
    double *ordered;
    saddle_slot slot[SADDLE_SLOTS], *current;
    unsigned long uses;
} saddle;

/* Memory for a matrix whose A and B are sums of the blocks with a bit in `parts` (1 << CAROM_BLOCK_...); mass
 * and rows are always parts. False when memory is short. */
bool saddle_take(saddle *s, carom_arena *arena, const carom_model *model, unsigned parts, double scale);
void saddle_free(saddle *s);
/* What a snapshot keeps of the factors. */
void saddle_keep(saddle *s, carom_snapshot *snapshot);

/* A matrix is: begin, add what A and B consist of, prepare. Rows of constraints with !acts are passed over:
 * they say multiplier / scale = right-hand side. */
void saddle_begin(saddle *s, const bool *acts, const double *rows);
void saddle_add(saddle *s, carom_mechanism_block block, double factor, const double *entry);
/* Orderings, from the first matrix; it must be regular. */
carom_status saddle_order(saddle *s, carom_error *error);
/* The factors of the matrix: remembered ones when all entries are the same, bit by bit. New ones of
 * matrices that are not narrow take memory when the old pivots do not suit them. Contacts that depend on
 * others are given a little compliance: as the matrix of an iteration it shares their impulses, and the
 * residuals stay exact. / */
carom_status saddle_prepare(saddle *s, carom_error *error);
/* x := matrix^-1 x; dof + constraints entries. */
void saddle_solve(saddle *s, double *x);

#endif
