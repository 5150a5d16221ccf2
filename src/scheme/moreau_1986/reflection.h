/* Reflection of the free velocity at frictionless walls: the rule of elast and billiard. */
#ifndef CAROM_SCHEME_MOREAU_1986_REFLECTION_H
#define CAROM_SCHEME_MOREAU_1986_REFLECTION_H

#include "moreau_stepper.h"

/* Options that both have, first. */
enum {
    REFLECTOR_OPTION_AV = MOREAU_OPTION_AV,
    REFLECTOR_OPTIONS
};

typedef enum reflection_rule {
    REFLECT_BALANCED, /* energy balanced, Moreau 1986 (7.5), (7.7) */
    REFLECT_BILLIARD, /* Moreau 1986 (7.4) */
} reflection_rule;

typedef struct reflector {
    moreau_stepper moreau; /* first */
    reflection_rule rule;
    bool guard;       /* no pulling impulses */
    double *gap_rate; /* of active contacts at the free velocity */
} reflector;

/* What errors recommend where contacts act together. */
extern const carom_scheme_ops scheme_inel;

carom_status reflector_setup(reflector *self, reflection_rule rule, carom_error *error);

carom_status reflector_step(carom_stepper *stepper, carom_error *error);

#endif
