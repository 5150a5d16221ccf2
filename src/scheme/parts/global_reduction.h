/* The other way to solve a contact problem of a sparse system (global_contacts.h): through W = H A^-1 H^T, in the space of
 * impulses, as small systems do.
 *
 *   in the space of velocities   a factor of A + H^T r P' H per iteration, nothing of the size contacts x contacts
 *   through W                    A^-1 times every row of the contacts, then no factor of the size of A any more
 *
 * Factors of chains have no more entries than the chain: the former is the way for them, with any number of contacts. Those of
 * plates and solids fill in; there the latter is better by far as long as contacts are some hundreds, above all where A and the rows
 * stay, because what an impulse does, its answer, is then found once in a motion. Which is chosen follows from counts alone
 * (global_reduction_pays), so that the same problem is solved in the same way on every machine and after every resumption. */
#ifndef CAROM_SCHEME_PARTS_GLOBAL_REDUCTION_H
#define CAROM_SCHEME_PARTS_GLOBAL_REDUCTION_H

#include "global_contacts.h"

/* What the costs of a contact problem follow from. */
typedef struct reduction_counts {
    double size;           /* unknowns of A */
    double entries, flops; /* of the factors of A + H^T r P' H */
    bool narrow;           /* it is a narrow band, as that of a chain: its factors do not fill in */
    double entries_of_A;   /* of the factors of A */
    int contacts;          /* that act */
    int rows;              /* of these */
    int passing_rows;      /* those whose answers serve this problem only */
} reduction_counts;

/* Nanoseconds, about, of one problem; INFINITY: W would take too much memory. */
double global_reduction_cost_of_velocities(const reduction_counts *counts);
double global_reduction_cost_of_W(const reduction_counts *counts);
bool global_reduction_pays(const reduction_counts *counts);

typedef struct global_reduction global_reduction;

/* Lets problems be solved through W, too, unless answers would be too many. A is that of global_contacts_take, with factors or
 * without. False when memory is short. */
bool global_reduction_take(global_contacts *self, carom_arena *arena, const carom_model *model,
                           sparse_matrix *A);
/* May be called for NULL. */
void global_reduction_free(global_reduction *reduction);

/* Whether the problem of the contacts as they are is better solved through W. */
bool global_reduction_suits(const global_contacts *self);

/* Impulses from `start`, and v = v_free + A^-1 H^T p: self->impulse and self->v. False when memory is short, which
 * self->report says, or A has no factors. How good they are is for the caller to find. */
bool global_reduction_solve(global_contacts *self, const double *v_free, const double *start,
                            double tolerance);

#endif
