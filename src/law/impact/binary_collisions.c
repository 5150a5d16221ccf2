/* Binary collisions: contacts collide one after the other, each as if it were alone,
 *
 *   p = -(1 + e_k) gamma_k / G_kk,   v += M^-1 w_k p,
 *
 * until none approaches (Nguyen and Brogliato 2018, (14)-(15) and Algorithm 1). The outcome depends on the
 * order. The collisions may be infinitely many; a computer then ends them at the level of rounding.
 *
 * A collision changes the velocities of the contacts that couple with it, which are few in a chain. Waiting
 * contacts are counted in a tree of partial sums, so that the first, the last or any other one is found in a
 * time that grows with the logarithm of their number. */
#include <math.h>

#include "impact_law.h"

static const long default_max_collisions = 1000000;
/* Approach slower than this share of the velocities is rounding. */
static const double rounding_share = 1e-12;

/* ---- waiting contacts ---------------------------------------------------------------------------------- */

/* A set of contacts. Place i (from 1) of the tree counts its members among contacts i - (i & -i) ... i - 1;
 * numbers stand in doubles because a law's memory does. */
typedef struct contact_set {
    int contacts, members;
    double *count;  /* contacts + 1 */
    double *member; /* per contact: 1 or 0 */
} contact_set;

static void set_put(contact_set *set, int contact, bool member)
{
    const double change = (member ? 1.0 : 0.0) - set->member[contact];
    if (change == 0.0)
        return;
    set->member[contact] += change;
    set->members += member ? 1 : -1;
    for (int i = contact + 1; i <= set->contacts; i += i & -i)
        set->count[i] += change;
}

static void set_clear(contact_set *set)
{
    set->members = 0;
    for (int i = 0; i < set->contacts; i++)
        set->member[i] = set->count[i] = 0.0;
    set->count[set->contacts] = 0.0;
}

/* Member number `position` (from 0) in ascending order. */
static int set_at(const contact_set *set, int position)
{
    int before = 0, step = 1;
    double left = position;
    while (step <= set->contacts / 2)
        step *= 2;
    for (; step > 0; step /= 2)
        if (before + step <= set->contacts && set->count[before + step] <= left) {
            before += step;
            left -= set->count[before];
        }
    return before;
}

/* ---- order --------------------------------------------------------------------------------------------- */

enum {
    MULTIPLIER = 16807,
    MODULUS = 2147483647
};

typedef struct collisions {
    const carom_contact_space *space;
    const carom_impact_options *options;
    contact_set waiting;
    double *gamma, *velocity;
    double tolerance;
    uint64_t draw; /* state of the generator */
    carom_impact_result *result;
} collisions;

static int next_contact(collisions *c)
{
    const int members = c->waiting.members;
    if (c->options->order == CAROM_ORDER_LEFT_RIGHT)
        return set_at(&c->waiting, 0);
    if (c->options->order == CAROM_ORDER_RIGHT_LEFT)
        return set_at(&c->waiting, members - 1);
    c->draw = c->draw * MULTIPLIER % MODULUS;
    return set_at(&c->waiting, (int)((double)c->draw / MODULUS * members));
}

/* ---- collisions ---------------------------------------------------------------------------------------- */

static void collide(collisions *c, int contact)
{
    const carom_contact_space *space = c->space;
    const double approach = c->gamma[contact];
    const double p = -(1.0 + space->restitution[contact]) * approach / space->entry[space->diagonal[contact]];
    if (c->options->collided)
        c->options->collided(c->options->collided_context, contact, p);
    carom_contact_space_push(space, contact, p, c->velocity);
    for (int k = space->start[contact]; k < space->start[contact + 1]; k++) {
        const int other = space->column[k];
        c->gamma[other] = carom_contact_space_rate(space, other, c->velocity);
    }
    c->result->impulse[contact] += p;
    c->result->collisions++;
    c->result->smallest_approach = fmin(c->result->smallest_approach, -approach);
}

/* Who waits after a collision of `contact`. It does not itself: it leaves with -e gamma >= 0, whatever
 * rounding makes of that. */
static void update_waiting(collisions *c, int contact)
{
    const carom_contact_space *space = c->space;
    for (int k = space->start[contact]; k < space->start[contact + 1]; k++) {
        const int other = space->column[k];
        set_put(&c->waiting, other, other != contact && c->gamma[other] < -c->tolerance);
    }
}

static bool is_stopped(const collisions *c, long limit)
{
    enum {
        ASK_EVERY = 1024
    };
    const carom_progress *progress = &c->options->progress;
    const long done = c->result->collisions;
    return progress->report && done % ASK_EVERY == 0 &&
           !progress->report(progress->context, (double)done, (double)limit);
}

static void collide_until_none_approaches(collisions *c)
{
    const long limit = c->options->max_collisions > 0 ? c->options->max_collisions : default_max_collisions;
    for (int i = 0; i < c->space->contacts; i++)
        set_put(&c->waiting, i, c->gamma[i] < -c->tolerance);
    while (c->waiting.members > 0 && c->result->collisions < limit && !is_stopped(c, limit)) {
        const int contact = next_contact(c);
        collide(c, contact);
        update_waiting(c, contact);
    }
    if (c->waiting.members > 0)
        c->result->word = CAROM_IMPACT_NOT_CONVERGED;
}

/* Every contact has its turn once, and collides if it approaches then. */
static void sweep_once(collisions *c)
{
    for (int i = 0; i < c->space->contacts; i++)
        set_put(&c->waiting, i, true);
    while (c->waiting.members > 0) {
        const int contact = next_contact(c);
        set_put(&c->waiting, contact, false);
        if (c->gamma[contact] < -c->tolerance)
            collide(c, contact);
    }
}

/* ---- what to know about the end ------------------------------------------------------------------------ */

/* z of two contacts that press each other together (G_12 < 0), as two neighbours in a chain do. The product
 * of their two collisions has determinant e_1 e_2 and trace (1 + e_1)(1 + e_2) c^2 - e_1 - e_2 in contact
 * velocities, c^2 = G_12^2 / (G_11 G_22): its eigenvalues are real, and no rotation ever leads out of the
 * approaching quadrant, when z >= 1. For three balls and e_1 = e_2 this is (17). */
static double never_ending_measure(double coupling, double first_restitution, double second_restitution)
{
    if (!(coupling > 0.0))
        return 0.0;
    return coupling * sqrt((1.0 + first_restitution) * (1.0 + second_restitution)) /
           (sqrt(first_restitution) + sqrt(second_restitution));
}

static bool never_ends(const carom_contact_space *space)
{
    if (space->contacts != 2 || space->start[1] != 2 || space->start[2] != 4)
        return false;
    const double *g = space->entry, *e = space->restitution;
    return never_ending_measure(-g[1] / sqrt(g[0] * g[3]), e[0], e[1]) >= 1.0;
}

static double largest_approach(const collisions *c)
{
    double largest = 0.0;
    for (int i = 0; i < c->space->contacts; i++)
        largest = fmax(largest, -carom_contact_space_rate(c->space, i, c->velocity));
    return largest;
}

static void judge(collisions *c)
{
    const carom_contact_space *space = c->space;
    carom_impact_result *result = c->result;
    double speed = carom_largest(space->coordinates, space->impact->velocity);
    if (space->impact->rate)
        speed = fmax(speed, carom_largest(space->contacts, space->impact->rate));
    if (result->collisions == 0)
        result->smallest_approach = 0.0;
    else if (result->word == CAROM_IMPACT_OK && result->smallest_approach <= rounding_share * speed)
        result->word = CAROM_IMPACT_ROUNDING;
    if (c->options->one_sweep)
        return;
    result->residual = largest_approach(c);
    const bool ended = result->word == CAROM_IMPACT_OK && !(c->tolerance > 0.0 && result->residual > 0.0);
    if (!ended && never_ends(space))
        result->notes |= CAROM_IMPACT_INFINITE;
}

/* ---- the law ------------------------------------------------------------------------------------------- */

static size_t work_size(const carom_impact_sizes *sizes)
{
    return (size_t)sizes->coordinates + 3 * (size_t)sizes->contacts + 1;
}

static carom_status check_options(const carom_impact_options *options, carom_error *error)
{
    if (!(options->collision_tolerance >= 0.0) || !isfinite(options->collision_tolerance))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the speed below which contacts do not collide must be 0 or positive and finite "
                          "(got %g)",
                          options->collision_tolerance);
    if (options->max_collisions < 0)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the number of collisions must be limited by a positive number (got %ld)",
                          options->max_collisions);
    return CAROM_OK;
}

static carom_status solve_binary(const carom_contact_space *space, const carom_impact_options *options,
                                 double *work, carom_impact_result *result, carom_error *error)
{
    const carom_status status = check_options(options, error);
    if (status != CAROM_OK)
        return status;
    const ptrdiff_t contacts = space->contacts;
    const uint64_t seed = options->seed % MODULUS;
    collisions c = {.space = space,
                    .options = options,
                    .waiting = {.contacts = space->contacts, .count = work, .member = work + contacts + 1},
                    .gamma = work + 2 * contacts + 1,
                    .velocity = work + 3 * contacts + 1,
                    .tolerance = options->collision_tolerance,
                    .draw = seed > 0 ? seed : 1,
                    .result = result};
    set_clear(&c.waiting);
    for (int i = 0; i < space->coordinates; i++)
        c.velocity[i] = space->impact->velocity[i];
    for (int i = 0; i < space->contacts; i++)
        c.gamma[i] = space->gamma[i];
    result->word = CAROM_IMPACT_OK;
    result->smallest_approach = INFINITY;
    if (options->one_sweep)
        sweep_once(&c);
    else
        collide_until_none_approaches(&c);
    judge(&c);
    return CAROM_OK;
}

/* In the order of carom_impact_order. */
const char *const carom_impact_order_words[] = {"lr", "rl", "random", NULL};
static const char *const once_words[] = {"off", "on", NULL};

enum {
    OPTION_ORDER,
    OPTION_SEED,
    OPTION_MAX_COLLISIONS,
    OPTION_TOLERANCE,
    OPTION_ONCE,
    OPTION_COUNT
};

static const carom_option_info option_table[OPTION_COUNT] = {
    [OPTION_ORDER] = {"order", CAROM_ORDER_LEFT_RIGHT, 0.0, 2.0, carom_impact_order_words,
                      "which approaching contact collides next", NULL},
    [OPTION_SEED] = {"seed", 1.0, 1.0, MODULUS - 1.0, NULL, "of order random", NULL},
    [OPTION_MAX_COLLISIONS] = {"max_collisions", 1e6, 1.0, MODULUS - 1.0, NULL,
                               "most collisions of one impact", NULL},
    [OPTION_TOLERANCE] = {"tolerance", 0.0, 0.0, 1e300, NULL, "slower approaches are none", NULL},
    [OPTION_ONCE] = {"once", 0.0, 0.0, 1.0, once_words, "on: every contact once, in the order, and no more",
                     NULL},
};

static void set_options(const double *value, carom_impact_options *options)
{
    options->order = (carom_impact_order)value[OPTION_ORDER];
    options->seed = (unsigned)value[OPTION_SEED];
    options->max_collisions = (long)value[OPTION_MAX_COLLISIONS];
    options->collision_tolerance = value[OPTION_TOLERANCE];
    options->one_sweep = value[OPTION_ONCE] != 0.0;
}

const carom_impact_law_ops carom_impact_binary = {
    .name = "binary",
    .summary = "binary collisions: contacts collide one after the other by Newton's law; the order matters",
    .usage = "pair after pair, in an order: impact_law = \"binary\", impact_order = \"rl\"",
    .tells = CAROM_IMPACT_TELLS_COLLISIONS,
    .option_count = OPTION_COUNT,
    .options = option_table,
    .set = set_options,
    .work_size = work_size,
    .solve = solve_binary,
};

/* ---- three balls --------------------------------------------------------------------------------------- */

double carom_binary_three_ball_z(const double masses[3], double restitution)
{
    const double coupling = 1.0 / sqrt((1.0 + masses[1] / masses[0]) * (1.0 + masses[1] / masses[2]));
    return never_ending_measure(coupling, restitution, restitution);
}

long carom_binary_three_ball_count(const double masses[3], double restitution)
{
    const double z = carom_binary_three_ball_z(masses, restitution);
    if (!(z < 1.0))
        return -1;
    /* Half turns that rounding puts just above a whole number are that number. */
    return (long)ceil(CAROM_PI / acos(z) - 1e-9) - 1;
}
