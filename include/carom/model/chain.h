/* model/chain: Balls in a row on a line, contact j between balls j and j + 1; with a wall behind the last ball one contact
 * more. The caller may change what stands in the arrays. */
#ifndef CAROM_MODEL_CHAIN_H
#define CAROM_MODEL_CHAIN_H

#include "carom/model.h"

typedef struct carom_chain {
    carom_arena *arena; /* owns the arrays */
    int balls, contacts;
    bool wall;
    double *mass, *velocity;                    /* per ball */
    double *stiffness, *exponent, *restitution; /* per contact */
    int *column_start, *row;                    /* directions of the contacts, for carom_impact */
    double *value;
} carom_chain;

/* Masses 1, the first ball at speed 1 (with a wall: all of them), stiffness 1, exponent 3/2, restitution 1.
 * *chain is NULL when it fails. BAD_INPUT: fewer than one ball, or one ball and no wall (no contact). */
carom_status carom_chain_create(int balls, bool wall, carom_chain **chain, carom_error *error);
void carom_chain_free(carom_chain *chain);

/* Masses by a pattern; the first is 1, except for random ones. */
typedef enum carom_chain_pattern {
    CAROM_CHAIN_EQUAL,
    CAROM_CHAIN_DECORATED, /* 1, value, 1, value, ... */
    CAROM_CHAIN_TAPERED,   /* each ball is `value` times the one before */
    CAROM_CHAIN_STEPPED,   /* the second half of the chain (balls / 2, rounded down) has mass `value` */
    CAROM_CHAIN_RANDOM,    /* 1/2 + u, u uniform from the seed `value` (x <- 16807 x mod 2^31 - 1) */
} carom_chain_pattern;
/* BAD_INPUT: a value that gives a mass that is not positive and finite, or a seed that is not a whole number
 * from 1 to 2^31 - 2; the masses stay as they were. */
carom_status carom_chain_masses(carom_chain *chain, carom_chain_pattern pattern, double value,
                                carom_error *error);
/* K_1 = 1, K_i = 1 + slope (i - 1); with a negative slope from the other end: the last one is 1. */
void carom_chain_stiffness_slope(carom_chain *chain, double slope);

/* "mass of ball 3 must be positive and finite (got 0)", "restitution of contact 2 must lie in [0, 1] ..." */
carom_status carom_chain_check(const carom_chain *chain, bool allow_gain, carom_error *error);

/* The impact with all contacts closed; it points into the chain. */
carom_impact carom_chain_impact(const carom_chain *chain);

/* Hertz: K of two spheres of one material, E sqrt(2 R) / (3 (1 - nu^2)) for equal radii; an infinite radius
 * is a flat wall. */
double carom_hertz_stiffness(double modulus, double poisson, double radius_1, double radius_2);

#endif
