/* Derivatives of the steps of generalized-alpha. */
#ifndef CAROM_SCHEME_GENERALIZED_ALPHA_ALPHA_TANGENT_H
#define CAROM_SCHEME_GENERALIZED_ALPHA_ALPHA_TANGENT_H

#include "generalized_alpha.h"

extern const carom_tangent_ops alpha_tangent_ops;

#endif
