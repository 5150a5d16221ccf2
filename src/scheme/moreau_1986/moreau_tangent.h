/* Derivatives of the steps of Moreau's schemes, shared by them. */
#ifndef CAROM_SCHEME_MOREAU_1986_MOREAU_TANGENT_H
#define CAROM_SCHEME_MOREAU_1986_MOREAU_TANGENT_H

#include "moreau_stepper.h"
#include "scheme/parts/velocity_tangent.h"

/* What differs between them. */
typedef struct moreau_equations {
    double av, restitution;
    bool force_anticipates, test_anticipates; /* at q + av h u, as the rows are; else at the vertex */
    bool pulls;                               /* impulses may pull */
    bool of_free;                             /* the free velocity rebounds, not the one before the step */
} moreau_equations;

void moreau_describe(const carom_stepper *stepper, const moreau_equations *equations, velocity_step *step);
/* Along the option av. */
void moreau_describe_along(const moreau_equations *equations, double av, velocity_step *along);

#endif
