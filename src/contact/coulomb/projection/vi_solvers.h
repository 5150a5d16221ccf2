/* FC(W, q, mu) as a variational inequality over the product of cones, (40), by projection methods. */
#ifndef CAROM_CONTACT_COULOMB_PROJECTION_VI_SOLVERS_H
#define CAROM_CONTACT_COULOMB_PROJECTION_VI_SOLVERS_H

#include "carom/contact.h"

extern const carom_coulomb_solver_ops coulomb_fp_ds;
extern const carom_coulomb_solver_ops coulomb_fp_vi_upk;
extern const carom_coulomb_solver_ops coulomb_fp_vi_upts;
extern const carom_coulomb_solver_ops coulomb_eg_vi_upk;
extern const carom_coulomb_solver_ops coulomb_eg_vi_upts;
extern const carom_coulomb_solver_ops coulomb_hp_vi;

#endif
