/* Parts of dai_friction.c that the start of a system needs. */
#ifndef CAROM_SCHEME_DAI_DAI_FRICTION_H
#define CAROM_SCHEME_DAI_DAI_FRICTION_H

#include "dai_system.h"

/* Rows, rates and bounds; BAD_INPUT when a law is not one of friction or a slip moves an algebraic variable.
 */
carom_status dai_read_frames(dai_system *system, double t, const double *q, carom_error *error);
/* inverse d_k and d_j inverse d_k. */
void dai_find_responses(dai_system *system);

#endif
