/* What reactions of a global problem say, from the motion that belongs to them. */
#include <math.h>
#include <stdlib.h>

#include "contact/coulomb/parts/coulomb_summary.h"
#include "global_system.h"

/* The reactions of x become those given, the rest follows. */
static void move(coulomb_global_system *system, const carom_coulomb_global *global, const double *given,
                 double *x)
{
    const int dimension = global->dimension;
    double *r = x + coulomb_global_system_r(system);
    for (int at = 0; at < 3 * global->contacts; at++)
        r[at] = at % 3 < dimension ? given[at / 3 * dimension + at % 3] : 0.0;
    coulomb_global_system_move(system, x);
}

carom_status carom_coulomb_summarise_global(const carom_coulomb_global *global, const double *r, double *u,
                                            unsigned char *regime, carom_coulomb_summary *summary,
                                            carom_error *error)
{
    coulomb_global_system *system = NULL;
    const carom_status made = coulomb_global_system_create(global, &system, error);
    if (made != CAROM_OK)
        return made;
    const size_t size = coulomb_global_system_size(system);
    double *free_motion = carom_new_array(size, sizeof *free_motion), *x = carom_new_array(size, sizeof *x);
    const bool taken = free_motion && x;
    if (taken) {
        const int dimension = global->dimension, contacts = global->contacts;
        const double *q = free_motion + coulomb_global_system_u(system);
        const double *three = x + coulomb_global_system_u(system);
        coulomb_global_system_move(system, free_motion);
        move(system, global, r, x);
        const double q_size = sqrt(carom_dot(3 * contacts, q, q));
        coulomb_summary_fill(contacts, q, x + coulomb_global_system_r(system), three,
                             coulomb_global_system_error(system, x, q_size), regime, summary);
        for (int at = 0; at < dimension * contacts; at++)
            u[at] = three[at / dimension * 3 + at % dimension];
    }
    free(free_motion);
    free(x);
    coulomb_global_system_free(system);
    return taken ? CAROM_OK : carom_fail_memory(error);
}
