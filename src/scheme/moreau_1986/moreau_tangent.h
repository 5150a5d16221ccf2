/* Derivatives of the steps of Moreau's schemes, shared by them. */
#ifndef CAROM_SCHEME_MOREAU_1986_MOREAU_TANGENT_H
#define CAROM_SCHEME_MOREAU_1986_MOREAU_TANGENT_H

#include "moreau_stepper.h"

extern const carom_tangent_ops moreau_tangent;

#endif
