/* The table of solvers of FC(W, q, mu). */
#include <strings.h>

#include "coulomb_solvers.h"

static const carom_coulomb_solver_ops *const solvers[] = {
    &coulomb_solver_auto,
    &coulomb_solver_nsgs,
    &coulomb_solver_nsgs_exact,
    &coulomb_solver_nsgs_ac,
    &coulomb_solver_nsgs_jm,
    &coulomb_solver_nsgs_ac_gp,
    &coulomb_solver_nsgs_jm_gp,
    &coulomb_solver_nsgs_fp_ds_one,
    &coulomb_solver_nsgs_fp_vi_upk,
    &coulomb_solver_psor_ac,
    &coulomb_solver_nsn_ac,
    &coulomb_solver_nsn_ac_gp,
    &coulomb_solver_nsn_ac_a,
    &coulomb_solver_nsn_jm,
    &coulomb_solver_nsn_jm_gp,
    &coulomb_solver_nsn_jm_a,
    &coulomb_solver_nsn_nm,
    &coulomb_solver_nsn_nm_gp,
    &coulomb_solver_nsn_nm_a,
    &coulomb_solver_nsn_fb,
    &coulomb_solver_nsn_fb_gp,
    &coulomb_solver_nsn_fb_a,
    &coulomb_solver_nsn_ac_hybrid,
    &coulomb_solver_newton,
    &coulomb_solver_ppa_nsn_ac,
    &coulomb_solver_ppa_nsn_ac_gp,
    &coulomb_solver_ppa_nsgs_ac,
    &coulomb_fp_ds,
    &coulomb_fp_vi_upk,
    &coulomb_fp_vi_upts,
    &coulomb_eg_vi_upk,
    &coulomb_eg_vi_upts,
    &coulomb_hp_vi,
    &coulomb_tresca_fp_vi_upk,
    &coulomb_tresca_eg_vi_upk,
    &coulomb_tresca_convexqp_pg,
    &coulomb_tresca_nsgs_fp_vi_upk,
    &coulomb_aclm_fp_vi_upk,
    &coulomb_aclm_eg_vi_upk,
    &coulomb_aclm_convexqp_pg,
    &coulomb_aclm_nsgs_fp_vi_upk,
    &coulomb_pana_pgs_fp_vi_upk,
    &coulomb_pana_pgs_eg_vi_upk,
    &coulomb_pana_pgs_convexqp_pg,
    &coulomb_pana_convexqp_pg,
    &coulomb_soclcp_nsgs_pli,
    &coulomb_admm,
    &coulomb_ipm_aclm,
    &coulomb_solver_uzawa_bipotential,
};

enum {
    SOLVER_COUNT = sizeof solvers / sizeof solvers[0]
};

size_t carom_coulomb_solver_count(void)
{
    return SOLVER_COUNT;
}

const carom_coulomb_solver_ops *carom_coulomb_solver_at(size_t index)
{
    return index < SOLVER_COUNT ? solvers[index] : NULL;
}

const carom_coulomb_solver_ops *carom_coulomb_solver_find(const char *name, carom_error *error)
{
    const char *names[SOLVER_COUNT];
    for (size_t i = 0; i < SOLVER_COUNT; i++) {
        if (strcasecmp(solvers[i]->name, name) == 0)
            return solvers[i];
        names[i] = solvers[i]->name;
    }
    carom_fail_unknown("solver", name, names, SOLVER_COUNT, error);
    return NULL;
}
