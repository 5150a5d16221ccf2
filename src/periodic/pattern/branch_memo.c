/* A branch that is followed once more: what its memo knows is not computed again. Every decision on the way rests on
 * numbers that are kept with all their bits, so the rest of the branch is that of an unbroken one. */
#include <string.h>

#include "pattern_branch.h"

/* ---- numbers for a pattern and a value ---------------------------------------------------------------- */

static int fill_argument(branch_place *place, branch_kept what, const carom_phase *pattern)
{
    const int contacts = place->orbit->contacts;
    place->argument[0] = (double)what;
    for (int c = 0; c < contacts; c++)
        place->argument[1 + c] = (double)pattern[c];
    return 1 + contacts;
}

bool branch_recall(branch_place *place, branch_kept what, const carom_phase *pattern, double value, int count,
                   double *numbers)
{
    const carom_branch_memo *memo = place->request->memo;
    bool good = false;
    return memo &&
           memo->recall(memo->context, fill_argument(place, what, pattern), place->argument, value, count,
                        numbers, &good) &&
           good;
}

void branch_keep(branch_place *place, branch_kept what, const carom_phase *pattern, double value, int count,
                 const double *numbers)
{
    const carom_branch_memo *memo = place->request->memo;
    if (memo)
        memo->keep(memo->context, fill_argument(place, what, pattern), place->argument, value, count, numbers,
                   true);
}

/* ---- an orbit as numbers ------------------------------------------------------------------------------ */

enum {
    ORBIT_SINGLES = 10
};

/* The arrays of an orbit are one piece of memory. */
static size_t state_numbers(const carom_orbit *orbit)
{
    return 4 * (size_t)orbit->size + 2 * (size_t)orbit->contacts;
}

size_t branch_orbit_numbers(const carom_orbit *orbit)
{
    return ORBIT_SINGLES + state_numbers(orbit);
}

static void pack(const carom_orbit *orbit, double *number)
{
    const double single[ORBIT_SINGLES] = {orbit->period,
                                          orbit->energy,
                                          orbit->amplitude,
                                          orbit->condition,
                                          orbit->margin,
                                          orbit->time,
                                          (double)orbit->word,
                                          (double)orbit->determinant_sign,
                                          (double)orbit->resonance,
                                          (double)orbit->contact};
    memcpy(number, single, sizeof single);
    memcpy(number + ORBIT_SINGLES, orbit->y0, state_numbers(orbit) * sizeof *number);
}

static void unpack(const double *number, carom_orbit *orbit)
{
    orbit->period = number[0];
    orbit->energy = number[1];
    orbit->amplitude = number[2];
    orbit->condition = number[3];
    orbit->margin = number[4];
    orbit->time = number[5];
    orbit->word = (carom_orbit_word)(int)number[6];
    orbit->determinant_sign = (int)number[7];
    orbit->resonance = (int)number[8];
    orbit->contact = (int)number[9];
    memcpy(orbit->y0, number + ORBIT_SINGLES, state_numbers(orbit) * sizeof *number);
}

carom_status branch_solve_once(branch_place *place, const carom_phase *pattern, double value,
                               carom_error *error)
{
    carom_orbit *orbit = place->orbit;
    const int count = (int)branch_orbit_numbers(orbit);
    if (branch_recall(place, BRANCH_ORBIT, pattern, value, count, place->known)) {
        unpack(place->known, orbit);
        memmove(orbit->pattern, pattern, (size_t)orbit->contacts * sizeof *pattern);
        place->value = value;
        place->behind = place->own != NULL;
        /* a ring is quickly coupled; another system waits until it is asked for */
        return place->behind && place->own->ring ? branch_oscillator(place, error) : CAROM_OK;
    }
    const carom_status status = branch_solve(place, pattern, value, error);
    if (status == CAROM_OK && place->known) {
        pack(orbit, place->known);
        branch_keep(place, BRANCH_ORBIT, pattern, value, count, place->known);
    }
    return status;
}
