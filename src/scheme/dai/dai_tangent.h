/* Derivatives of the steps of the schemes for inclusions: of the form of velocity_tangent.h, with friction forces as contacts, and
 * algebraic variables that follow from the others. */
#ifndef CAROM_SCHEME_DAI_DAI_TANGENT_H
#define CAROM_SCHEME_DAI_DAI_TANGENT_H

#include "dai_system.h"
#include "scheme/parts/velocity_tangent.h"

typedef struct dai_tangent {
    velocity_tangent velocity; /* first */
    int *active;               /* all friction forces */
    double *entry_along, *g_along;
} dai_tangent;

carom_status dai_tangent_accepts(const carom_stepper *stepper, carom_error *error);
/* Memory, and derivatives of what the scheme has made of the initial data. */
carom_status dai_tangent_setup(carom_tangent *base, const velocity_description *description,
                               carom_error *error);

/* What both schemes have in common. */
void dai_describe(const carom_stepper *stepper, velocity_step *step);

/* For velocity_description. */
const bool *dai_massless(const carom_stepper *stepper);
void dai_settle_place(carom_tangent *tangent, double t, double *q);
void dai_settle_along(carom_tangent *tangent, double t, const double *q, double t_along,
                      const double *parameter, double *dq);
void dai_rates_along(carom_tangent *tangent, int column);

#endif
