/* The matrix I + M^-1 J^T D J of velocities, as blocks, for D of d x d per contact. */
#ifndef CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SYSTEM_H
#define CAROM_CONTACT_COULOMB_PAIRS_PAIRS_SYSTEM_H

#include "carom/linalg/block_lu.h"
#include "pairs_rows.h"

/* The pattern of the rows; false when memory is short. */
bool pairs_system_take(const pairs_rows *rows, carom_block_lu *lu);
/* I */
void pairs_system_clear(const pairs_rows *rows, carom_block_lu *lu);
/* Adds the part of one contact. */
void pairs_system_add(const pairs_rows *rows, carom_block_lu *lu, int contact, const double *D);

#endif
