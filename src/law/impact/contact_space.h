/* Memory for an carom_contact_space, and how it is filled. */
#ifndef CAROM_LAW_IMPACT_CONTACT_SPACE_H
#define CAROM_LAW_IMPACT_CONTACT_SPACE_H

#include "impact_joints.h"
#include "impact_law.h"

typedef struct contact_space_memory {
    carom_impact_sizes sizes; /* no zeros */
    double *gamma, *stiffness, *exponent;
    int *start, *column, *diagonal;
    double *entry;
    int *response_start, *response_row;
    double *response;
    int *by_row_start, *by_row_contact; /* W by rows: which contacts move a coordinate ... */
    double *by_row_value;               /* ... and how */
    int *marker;                        /* per contact: where its entry of the row under way stands, or -1 */
    double *factor;                     /* of a full mass matrix */
    impact_joints joints;
} contact_space_memory;

bool contact_space_take(carom_arena *arena, const carom_impact_sizes *sizes, contact_space_memory *memory);

/* impact_check.c: sizes, NaN, signs. Whatever passes can be read without fear. */
carom_status impact_check(const carom_impact_sizes *sizes, const carom_impact *impact, bool allow_gain,
                          carom_error *error);

/* The impact's data must have been checked. BAD_INPUT: the mass matrix is not positive definite, a direction
 * is zero, too large or held by the joints, joints depend on each other, or G has more entries than there is
 * memory for. */
carom_status contact_space_fill(const carom_impact *impact, contact_space_memory *memory,
                                carom_contact_space *space, carom_error *error);

/* v.M v / 2 */
double impact_kinetic_energy(const carom_impact *impact, const double *v);

#endif
