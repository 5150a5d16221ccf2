/* All solvers of FC(W, q, mu), by family; one line each in coulomb_registry.c. */
#ifndef CAROM_CONTACT_COULOMB_COULOMB_SOLVERS_H
#define CAROM_CONTACT_COULOMB_COULOMB_SOLVERS_H

#include "contact/coulomb/bipotential/uzawa.h"
#include "contact/coulomb/convex/convex_loop.h"
#include "contact/coulomb/projection/vi_solvers.h"
#include "coulomb_auto.h"
#include "dense_solvers.h"
#include "gauss_seidel.h"
#include "nonsmooth_newton.h"
#include "proximal.h"

#endif
