/* All solvers of FC(W, q, mu), by family; one line each in coulomb_registry.c. */
#ifndef CAROM_CONTACT_COULOMB_SOLVERS_H
#define CAROM_CONTACT_COULOMB_SOLVERS_H

#include "coulomb_auto.h"
#include "coulomb_convex.h"
#include "coulomb_direct.h"
#include "coulomb_gauss_seidel.h"
#include "coulomb_newton.h"
#include "coulomb_proximal.h"
#include "coulomb_uzawa.h"
#include "coulomb_vi.h"

#endif
