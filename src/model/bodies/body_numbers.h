/* Places of the numbers of bodies and pairs in their tape: gravity (three), then those of each body, then those of each pair. */
#ifndef CAROM_MODEL_BODIES_BODY_NUMBERS_H
#define CAROM_MODEL_BODIES_BODY_NUMBERS_H

enum {
    MASS = 0,
    INERTIA = 1,
    AT = INERTIA + 6,
    ROTATION = AT + 3,
    VELOCITY = ROTATION + 4,
    SPIN = VELOCITY + 3,
    BODY_NUMBERS = SPIN + 3,
    FRICTION = 0,
    RESTITUTION,
    ROLLING,
    TORSION,
    PAIR_NUMBERS
};

/* Gives the law to all pairs of materials that pair p of the model speaks of. */
void bodies_spread_law(const bodies_model *model, int pair, const carom_pair_law *law, carom_pair_law *laws);

#endif
