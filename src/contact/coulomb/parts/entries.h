/* Entries of a Delassus matrix as they are computed, and the problem FC(W, q, mu) made of them. */
#ifndef CAROM_CONTACT_COULOMB_PARTS_ENTRIES_H
#define CAROM_CONTACT_COULOMB_PARTS_ENTRIES_H

#include "carom/contact.h"

/* A growing list; rows and columns count three per contact, whatever the dimension. */
typedef struct coulomb_entries {
    int dimension; /* 2 or 3: how many the places given to coulomb_entries_add count per contact */
    /* Of problems with rolling friction: from places of the problem to those of its parts (rolling_parts.h); NULL: as they are. */
    const int *place;
    size_t count, capacity;
    int *row, *column;
    double *value;
} coulomb_entries;

/* Adds to the entry at a place; nothing when the value is exactly zero. False when memory is short. */
bool coulomb_entries_add(coulomb_entries *list, int row, int column, double value);
void coulomb_entries_free(coulomb_entries *list);

/* q (dimension per contact) and mu are copied; the second tangent of contacts in the plane gets W = 1 and
 * q = 0. */
carom_status coulomb_entries_finish(coulomb_entries *list, int contacts, const double *q, const double *mu,
                                    carom_arena *arena, carom_coulomb *problem, carom_error *error);

/* W and q of a problem, into `list` and *q, one number per reaction, which the caller frees. reduce.c, embed.c. */
carom_status coulomb_reduce_to(const carom_coulomb_global *global, coulomb_entries *list, double **q,
                               carom_error *error);
carom_status coulomb_embed_to(const carom_coulomb_local *local, coulomb_entries *list, double **q,
                              carom_error *error);

#endif
