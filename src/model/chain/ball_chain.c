/* Balls in a row: masses, contacts between neighbours, and the impact when all of them touch. */
#include <math.h>

#include "carom/model/chain.h"

enum {
    BALLS_MAX = 100000000, /* numbers of entries stay ints */
    MULTIPLIER = 16807,
    MODULUS = 2147483647
};

/* ---- life ---------------------------------------------------------------------------------------------- */

static bool take_arrays(carom_chain *chain)
{
    const size_t balls = (size_t)chain->balls, contacts = (size_t)chain->contacts;
    carom_arena *arena = chain->arena;
    chain->mass = carom_arena_take(arena, balls, sizeof(double));
    chain->velocity = carom_arena_take(arena, balls, sizeof(double));
    chain->stiffness = carom_arena_take(arena, contacts, sizeof(double));
    chain->exponent = carom_arena_take(arena, contacts, sizeof(double));
    chain->restitution = carom_arena_take(arena, contacts, sizeof(double));
    chain->column_start = carom_arena_take(arena, contacts + 1, sizeof(int));
    chain->row = carom_arena_take(arena, 2 * contacts, sizeof(int));
    chain->value = carom_arena_take(arena, 2 * contacts, sizeof(double));
    return chain->mass && chain->velocity && chain->stiffness && chain->exponent && chain->restitution &&
           chain->column_start && chain->row && chain->value;
}

/* Gap j grows with ball j + 1 and shrinks with ball j; the wall does not move. */
static void fill_directions(carom_chain *chain)
{
    int place = 0;
    for (int contact = 0; contact < chain->contacts; contact++) {
        chain->column_start[contact] = place;
        chain->row[place] = contact;
        chain->value[place++] = -1.0;
        if (contact + 1 < chain->balls) {
            chain->row[place] = contact + 1;
            chain->value[place++] = 1.0;
        }
    }
    chain->column_start[chain->contacts] = place;
}

static void fill_defaults(carom_chain *chain)
{
    for (int i = 0; i < chain->balls; i++) {
        chain->mass[i] = 1.0;
        chain->velocity[i] = i == 0 || chain->wall ? 1.0 : 0.0;
    }
    for (int i = 0; i < chain->contacts; i++) {
        chain->stiffness[i] = 1.0;
        chain->exponent[i] = 1.5;
        chain->restitution[i] = 1.0;
    }
}

static carom_status fail_without_contact(carom_error *error)
{
    return carom_fail(error, CAROM_BAD_INPUT,
                      "a chain of one ball without a wall has no contact: nothing to compute");
}

carom_status carom_chain_create(int balls, bool wall, carom_chain **chain, carom_error *error)
{
    *chain = NULL;
    if (balls < 1 || balls > BALLS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "a chain has 1 to %d balls (got %d)", BALLS_MAX, balls);
    if (balls == 1 && !wall)
        return fail_without_contact(error);
    carom_arena *arena = carom_arena_create();
    carom_chain *made = arena ? carom_arena_take(arena, 1, sizeof *made) : NULL;
    if (made)
        *made =
            (carom_chain){.arena = arena, .balls = balls, .contacts = wall ? balls : balls - 1, .wall = wall};
    if (!made || !take_arrays(made)) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    fill_directions(made);
    fill_defaults(made);
    *chain = made;
    return CAROM_OK;
}

void carom_chain_free(carom_chain *chain)
{
    if (chain)
        carom_arena_free(chain->arena);
}

/* ---- patterns ------------------------------------------------------------------------------------------ */

static carom_status fill_random(carom_chain *chain, double seed, carom_error *error)
{
    if (!(seed >= 1.0 && seed < MODULUS) || seed != floor(seed))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the seed of random masses must be a whole number from 1 to %d (got %.10g)",
                          MODULUS - 1, seed);
    uint64_t draw = (uint64_t)seed;
    for (int i = 0; i < chain->balls; i++) {
        draw = draw * MULTIPLIER % MODULUS;
        chain->mass[i] = 0.5 + (double)draw / MODULUS;
    }
    return CAROM_OK;
}

static double mass_by_pattern(carom_chain_pattern pattern, double value, int ball, int balls)
{
    switch (pattern) {
    case CAROM_CHAIN_DECORATED:
        return ball % 2 == 1 ? value : 1.0;
    case CAROM_CHAIN_TAPERED:
        return pow(value, ball);
    case CAROM_CHAIN_STEPPED:
        return ball >= balls - balls / 2 ? value : 1.0;
    case CAROM_CHAIN_EQUAL:
    case CAROM_CHAIN_RANDOM:
        break;
    }
    return 1.0;
}

carom_status carom_chain_masses(carom_chain *chain, carom_chain_pattern pattern, double value,
                                carom_error *error)
{
    if (pattern == CAROM_CHAIN_RANDOM)
        return fill_random(chain, value, error);
    if (pattern != CAROM_CHAIN_EQUAL && !(value > 0.0 && isfinite(value)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the ratio of masses in a chain must be positive and finite (got %g)", value);
    for (int i = 0; i < chain->balls; i++) {
        const double mass = mass_by_pattern(pattern, value, i, chain->balls);
        if (!(mass > 0.0 && isfinite(mass)))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "with a ratio of %g the mass of ball %d is %g; take a ratio nearer to 1", value,
                              i + 1, mass);
    }
    for (int i = 0; i < chain->balls; i++)
        chain->mass[i] = mass_by_pattern(pattern, value, i, chain->balls);
    return CAROM_OK;
}

void carom_chain_stiffness_slope(carom_chain *chain, double slope)
{
    for (int i = 0; i < chain->contacts; i++)
        chain->stiffness[i] = slope < 0.0 ? 1.0 - slope * (chain->contacts - 1 - i) : 1.0 + slope * i;
}

/* ---- checks -------------------------------------------------------------------------------------------- */

static carom_status check_contact(const carom_chain *chain, int contact, bool allow_gain, carom_error *error)
{
    const double stiffness = chain->stiffness[contact], exponent = chain->exponent[contact];
    const double restitution = chain->restitution[contact];
    if (!(stiffness > 0.0 && isfinite(stiffness)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "stiffness of contact %d must be positive and finite (got %g)", contact + 1,
                          stiffness);
    if (!(exponent > 0.0 && isfinite(exponent)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "exponent of contact %d must be positive and finite (got %g)%s", contact + 1,
                          exponent,
                          exponent == 0.0 ? ": 0 is not a law of force, its limit is law moreau" : "");
    if (!(restitution >= 0.0 && isfinite(restitution)) || (restitution > 1.0 && !allow_gain))
        return carom_fail(error, CAROM_BAD_INPUT, "restitution of contact %d must lie in [0, 1] (got %g)%s",
                          contact + 1, restitution, restitution > 1.0 ? ": above 1 it creates energy" : "");
    return CAROM_OK;
}

carom_status carom_chain_check(const carom_chain *chain, bool allow_gain, carom_error *error)
{
    if (chain->contacts < 1)
        return fail_without_contact(error);
    for (int i = 0; i < chain->balls; i++) {
        if (!(chain->mass[i] > 0.0 && isfinite(chain->mass[i])))
            return carom_fail(error, CAROM_BAD_INPUT, "mass of ball %d must be positive and finite (got %g)",
                              i + 1, chain->mass[i]);
        if (!isfinite(chain->velocity[i]))
            return carom_fail(error, CAROM_BAD_INPUT, "velocity of ball %d must be finite (got %g)", i + 1,
                              chain->velocity[i]);
    }
    for (int contact = 0; contact < chain->contacts; contact++) {
        const carom_status status = check_contact(chain, contact, allow_gain, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

/* ---- use ----------------------------------------------------------------------------------------------- */

carom_impact carom_chain_impact(const carom_chain *chain)
{
    return (carom_impact){.coordinates = chain->balls,
                          .contacts = chain->contacts,
                          .masses = chain->mass,
                          .column_start = chain->column_start,
                          .row = chain->row,
                          .value = chain->value,
                          .velocity = chain->velocity,
                          .restitution = chain->restitution,
                          .stiffness = chain->stiffness,
                          .exponent = chain->exponent};
}

double carom_hertz_stiffness(double modulus, double poisson, double radius_1, double radius_2)
{
    const double common_modulus = modulus / (2.0 * (1.0 - poisson * poisson));
    const double common_radius = 1.0 / (1.0 / radius_1 + 1.0 / radius_2);
    return 4.0 / 3.0 * common_modulus * sqrt(common_radius);
}
