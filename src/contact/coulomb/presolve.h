/* Before a friction problem is solved: contacts that can never carry an impulse are dropped, and what remains
 * falls into islands that do not act on each other. */
#ifndef CAROM_CONTACT_COULOMB_PRESOLVE_H
#define CAROM_CONTACT_COULOMB_PRESOLVE_H

#include "carom/contact.h"

typedef struct coulomb_islands {
    int count;
    int *start;   /* count + 1: contacts of island i are contact[start[i]] ... contact[start[i + 1] - 1] */
    int *contact; /* ascending within an island; dropped ones stand in none */
    int *island;  /* of every contact of the problem; -1: dropped */
    int *place;   /* of every contact in its island */
} coulomb_islands;

/* u_N >= q_N >= 0 whatever the others do: with r = 0 the contact satisfies its law. */
bool coulomb_is_never_active(const carom_coulomb *problem, int contact);

/* False when memory is short. */
bool coulomb_find_islands(const carom_coulomb *problem, carom_arena *arena, coulomb_islands *islands);

/* The problem of the contacts of one island. */
bool coulomb_island_problem(const carom_coulomb *problem, const coulomb_islands *islands, int island,
                            carom_arena *arena, carom_coulomb *part);

#endif
