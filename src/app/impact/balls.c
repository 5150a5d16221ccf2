/* A chain of balls from the command line: masses, patterns, stiffness, wall. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

enum {
    BALLS_MAX = 1000000,
};

/* Steel and the like: modulus, Poisson's ratio, radius, density (0: not given). */
typedef struct hertz_data {
    bool given;
    double modulus, poisson, radius, density;
} hertz_data;

static bool read_hertz(impact_given *given, hertz_data *hertz)
{
    number_list list;
    if (!read_number_list(given, IMPACT_HERTZ, &list))
        return false;
    if (list.count == 0)
        return true;
    bool good = list.count == 3 || list.count == 4;
    for (int i = 0; good && i < list.count; i++)
        good = isfinite(list.value[i]) &&
               (i == 1 ? list.value[i] > -1.0 && list.value[i] <= 0.5 : list.value[i] > 0.0);
    if (!good) {
        report_usage(&command_impact,
                     "--hertz needs E,NU,RADIUS or E,NU,RADIUS,RHO, positive, NU at most 0.5; got '%s'",
                     impact_value(given, IMPACT_HERTZ));
        return false;
    }
    *hertz = (hertz_data){true, list.value[0], list.value[1], list.value[2],
                          list.count == 4 ? list.value[3] : 0.0};
    return true;
}

/* ---- how many balls ---------------------------------------------------------------------------------- */

static bool read_balls(impact_given *given, const number_list *masses, int *balls)
{
    long count = 0;
    if (!read_whole_number(given, IMPACT_BALLS, &count))
        return false;
    if (count > BALLS_MAX) {
        report_usage(&command_impact, "--balls: at most %d", BALLS_MAX);
        return false;
    }
    if (masses->count > 0 && count > 0 && count != masses->count) {
        report_usage(&command_impact, "--balls %ld and %d masses: leave one of them out, or make them agree",
                     count, masses->count);
        return false;
    }
    if (masses->count == 0 && count == 0) {
        report_usage(&command_impact,
                     "which system? --masses 1,1,1 or --balls 5, --system FILE.json, or a model");
        return false;
    }
    *balls = count > 0 ? (int)count : masses->count;
    return true;
}

/* ---- masses ------------------------------------------------------------------------------------------ */

static const struct {
    int option;
    carom_chain_pattern pattern;
} patterns[] = {{IMPACT_DECORATED, CAROM_CHAIN_DECORATED},
                {IMPACT_TAPERED, CAROM_CHAIN_TAPERED},
                {IMPACT_STEPPED, CAROM_CHAIN_STEPPED},
                {IMPACT_RANDOM, CAROM_CHAIN_RANDOM}};

enum {
    PATTERNS = sizeof patterns / sizeof *patterns,
};

/* Which pattern, -1: none; false after a message for two of them, or one beside --masses. */
static bool find_pattern(const impact_given *given, int *found)
{
    *found = -1;
    for (int i = 0; i < PATTERNS; i++) {
        if (!impact_has(given, patterns[i].option))
            continue;
        const int other = *found >= 0 ? patterns[*found].option : IMPACT_MASSES;
        if (impact_has(given, other)) {
            report_usage(&command_impact, "%s and %s both say what the masses are: leave one out",
                         given->arguments.option[other].name,
                         given->arguments.option[patterns[i].option].name);
            return false;
        }
        *found = i;
    }
    return true;
}

static bool set_pattern(impact_given *given, int found, carom_chain *chain, carom_error *error)
{
    double value = 0.0;
    long seed = 0;
    const int option = patterns[found].option;
    if (option == IMPACT_RANDOM ? !read_whole_number(given, option, &seed)
                                : !read_positive_number(given, option, &value))
        return false;
    if (option == IMPACT_RANDOM)
        value = (double)seed;
    return carom_chain_masses(chain, patterns[found].pattern, value, error) == CAROM_OK;
}

static bool set_masses(impact_given *given, const number_list *masses, const hertz_data *hertz,
                       carom_chain *chain, carom_error *error)
{
    int found = -1;
    if (!find_pattern(given, &found))
        return false;
    if (masses->count > 0 && hertz->density > 0.0) {
        report_usage(&command_impact, "--masses and the density of --hertz both say what the masses are");
        return false;
    }
    if (masses->count > 0)
        memcpy(chain->mass, masses->value, (size_t)masses->count * sizeof *chain->mass);
    if (found >= 0 && !set_pattern(given, found, chain, error))
        return false;
    const double sphere = 4.0 / 3.0 * acos(-1.0) * pow(hertz->radius, 3.0) * hertz->density;
    for (int i = 0; hertz->density > 0.0 && i < chain->balls; i++)
        chain->mass[i] *= sphere;
    return true;
}

/* ---- contacts ---------------------------------------------------------------------------------------- */

static bool set_stiffness(impact_given *given, const hertz_data *hertz, carom_chain *chain)
{
    double slope = 0.0;
    if (!parse_number_option(&command_impact, &given->arguments.option[IMPACT_SLOPE], &slope))
        return false;
    if (!isfinite(slope)) {
        report_usage(&command_impact, "--stiffness-slope needs a finite number; got '%s'",
                     impact_value(given, IMPACT_SLOPE));
        return false;
    }
    if (impact_has(given, IMPACT_STIFFNESS) && (hertz->given || impact_has(given, IMPACT_SLOPE))) {
        report_usage(&command_impact, "--stiffness and %s both say how stiff contacts are: leave one out",
                     hertz->given ? "--hertz" : "--stiffness-slope");
        return false;
    }
    if (impact_has(given, IMPACT_SLOPE))
        carom_chain_stiffness_slope(chain, slope);
    const double pair =
        hertz->given ? carom_hertz_stiffness(hertz->modulus, hertz->poisson, hertz->radius, hertz->radius)
                     : 1.0;
    for (int j = 0; j < chain->contacts; j++)
        chain->stiffness[j] *= pair;
    return true;
}

/* The contact with the wall is the last one. */
static bool set_wall(impact_given *given, impact_case *made)
{
    carom_chain *chain = made->chain;
    const int option[2] = {IMPACT_WALL_STIFFNESS, IMPACT_WALL_RESTITUTION};
    double *target[2] = {&chain->stiffness[chain->contacts - 1], &chain->restitution[chain->contacts - 1]};
    for (int i = 0; i < 2; i++) {
        if (!impact_has(given, option[i]))
            continue;
        if (!chain->wall) {
            report_usage(&command_impact, "%s is for --wall", given->arguments.option[option[i]].name);
            return false;
        }
        if (!parse_number_option(&command_impact, &given->arguments.option[option[i]], target[i]))
            return false;
    }
    return true;
}

static bool set_lists(impact_given *given, carom_chain *chain, carom_error *error)
{
    char why[128];
    snprintf(why, sizeof why, "one per contact (%d ball%s %s have %d)", chain->balls, plural(chain->balls),
             chain->wall ? "and a wall" : "in a row", chain->contacts);
    const list_shape per_ball = {chain->balls, "one per ball", false},
                     per_contact = {chain->contacts, why, true};
    return read_shaped_list(given, IMPACT_VELOCITY, per_ball, chain->velocity, error) &&
           read_shaped_list(given, IMPACT_RESTITUTION, per_contact, chain->restitution, error) &&
           read_shaped_list(given, IMPACT_STIFFNESS, per_contact, chain->stiffness, error) &&
           read_shaped_list(given, IMPACT_EXPONENT, per_contact, chain->exponent, error);
}

static char *chain_title(carom_arena *arena, const carom_chain *chain)
{
    char title[96];
    if (chain->wall)
        snprintf(title, sizeof title, "%d ball%s against a wall", chain->balls, plural(chain->balls));
    else
        snprintf(title, sizeof title, "%d balls in a row", chain->balls);
    return carom_arena_copy_text(arena, title);
}

bool make_impact_chain(impact_given *given, impact_case *made, carom_error *error)
{
    number_list masses;
    hertz_data hertz = {0};
    int balls = 0;
    if (!read_number_list(given, IMPACT_MASSES, &masses) || !read_balls(given, &masses, &balls) ||
        !read_hertz(given, &hertz))
        return false;
    if (carom_chain_create(balls, impact_has(given, IMPACT_WALL), &made->chain, error) != CAROM_OK)
        return false;
    if (!set_masses(given, &masses, &hertz, made->chain, error) ||
        !set_stiffness(given, &hertz, made->chain) || !set_lists(given, made->chain, error) ||
        !set_wall(given, made) ||
        carom_chain_check(made->chain, impact_has(given, IMPACT_ALLOW_GAIN), error) != CAROM_OK)
        return false;
    made->item = "ball";
    made->impact = carom_chain_impact(made->chain);
    made->title = chain_title(made->arena, made->chain);
    return made->title || carom_fail_memory(error) == CAROM_OK;
}
