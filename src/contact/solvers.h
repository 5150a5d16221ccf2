/* All solvers, one line each: what stands here is declared, and can be chosen by name. */
#ifndef CAROM_CONTACT_SOLVERS_H
#define CAROM_CONTACT_SOLVERS_H

#include "carom/contact.h"

#define CAROM_LCP_SOLVERS(ENTRY)                                                                             \
    ENTRY(carom_lcp_active_set)                                                                              \
    ENTRY(carom_lcp_gauss_seidel)                                                                            \
    ENTRY(carom_lcp_lemke)                                                                                   \
    ENTRY(carom_lcp_closed_form)

#define CAROM_QP_SOLVERS(ENTRY)                                                                              \
    ENTRY(carom_qp_active_set)                                                                               \
    ENTRY(carom_qp_dual)

#define CAROM_ONE_CONTACT_SOLVERS(ENTRY) ENTRY(one_contact_solver)

/* With names that solvers of FC(W, q, mu) have, too. */
#define CAROM_STEP_SOLVERS(ENTRY)                                                                            \
    ENTRY(carom_step_auto)                                                                                   \
    ENTRY(carom_step_nsgs)
#define CAROM_COULOMB_NAMESAKES(ENTRY)                                                                       \
    ENTRY(coulomb_solver_auto)                                                                               \
    ENTRY(coulomb_solver_nsgs)

/* For FC(W, q, mu), and for steps with round cones. */
#define CAROM_COULOMB_SOLVERS(ENTRY)                                                                         \
    ENTRY(coulomb_solver_nsgs_exact)                                                                         \
    ENTRY(coulomb_solver_nsgs_ac)                                                                            \
    ENTRY(coulomb_solver_nsgs_jm)                                                                            \
    ENTRY(coulomb_solver_nsgs_ac_gp)                                                                         \
    ENTRY(coulomb_solver_nsgs_jm_gp)                                                                         \
    ENTRY(coulomb_solver_nsgs_fp_ds_one)                                                                     \
    ENTRY(coulomb_solver_nsgs_fp_vi_upk)                                                                     \
    ENTRY(coulomb_solver_psor_ac)                                                                            \
    ENTRY(coulomb_solver_nsn_ac)                                                                             \
    ENTRY(coulomb_solver_nsn_ac_gp)                                                                          \
    ENTRY(coulomb_solver_nsn_ac_a)                                                                           \
    ENTRY(coulomb_solver_nsn_jm)                                                                             \
    ENTRY(coulomb_solver_nsn_jm_gp)                                                                          \
    ENTRY(coulomb_solver_nsn_jm_a)                                                                           \
    ENTRY(coulomb_solver_nsn_nm)                                                                             \
    ENTRY(coulomb_solver_nsn_nm_gp)                                                                          \
    ENTRY(coulomb_solver_nsn_nm_a)                                                                           \
    ENTRY(coulomb_solver_nsn_fb)                                                                             \
    ENTRY(coulomb_solver_nsn_fb_gp)                                                                          \
    ENTRY(coulomb_solver_nsn_fb_a)                                                                           \
    ENTRY(coulomb_solver_nsn_ac_hybrid)                                                                      \
    ENTRY(coulomb_solver_newton)                                                                             \
    ENTRY(coulomb_solver_ppa_nsn_ac)                                                                         \
    ENTRY(coulomb_solver_ppa_nsn_ac_gp)                                                                      \
    ENTRY(coulomb_solver_ppa_nsgs_ac)                                                                        \
    ENTRY(coulomb_fp_ds)                                                                                     \
    ENTRY(coulomb_fp_vi_upk)                                                                                 \
    ENTRY(coulomb_fp_vi_upts)                                                                                \
    ENTRY(coulomb_eg_vi_upk)                                                                                 \
    ENTRY(coulomb_eg_vi_upts)                                                                                \
    ENTRY(coulomb_hp_vi)                                                                                     \
    ENTRY(coulomb_tresca_fp_vi_upk)                                                                          \
    ENTRY(coulomb_tresca_eg_vi_upk)                                                                          \
    ENTRY(coulomb_tresca_convexqp_pg)                                                                        \
    ENTRY(coulomb_tresca_nsgs_fp_vi_upk)                                                                     \
    ENTRY(coulomb_aclm_fp_vi_upk)                                                                            \
    ENTRY(coulomb_aclm_eg_vi_upk)                                                                            \
    ENTRY(coulomb_aclm_convexqp_pg)                                                                          \
    ENTRY(coulomb_aclm_nsgs_fp_vi_upk)                                                                       \
    ENTRY(coulomb_pana_pgs_fp_vi_upk)                                                                        \
    ENTRY(coulomb_pana_pgs_eg_vi_upk)                                                                        \
    ENTRY(coulomb_pana_pgs_convexqp_pg)                                                                      \
    ENTRY(coulomb_pana_convexqp_pg)                                                                          \
    ENTRY(coulomb_soclcp_nsgs_pli)                                                                           \
    ENTRY(coulomb_admm)                                                                                      \
    ENTRY(coulomb_ipm_aclm)                                                                                  \
    ENTRY(coulomb_solver_uzawa_bipotential)

#define CAROM_REGISTRY_TYPE const carom_solver_ops
CAROM_LCP_SOLVERS(CAROM_REGISTRY_DECLARE)
CAROM_QP_SOLVERS(CAROM_REGISTRY_DECLARE)
CAROM_ONE_CONTACT_SOLVERS(CAROM_REGISTRY_DECLARE)
CAROM_STEP_SOLVERS(CAROM_REGISTRY_DECLARE)
CAROM_COULOMB_NAMESAKES(CAROM_REGISTRY_DECLARE)
CAROM_COULOMB_SOLVERS(CAROM_REGISTRY_DECLARE)

#endif
