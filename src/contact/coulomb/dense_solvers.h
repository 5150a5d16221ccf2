/* Solvers of FC(W, q, mu) that factor a dense matrix and keep W + shift or the cone's Hessian in it. */
#ifndef CAROM_CONTACT_COULOMB_DENSE_SOLVERS_H
#define CAROM_CONTACT_COULOMB_DENSE_SOLVERS_H

#include "carom/contact.h"

extern const carom_coulomb_solver_ops coulomb_admm;
extern const carom_coulomb_solver_ops coulomb_ipm_aclm;

#endif
