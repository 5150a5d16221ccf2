/* Law lzb: its scales, its defaults, and the choice of the method. */
#include "lzb.h"

#include <math.h>
#include <string.h>

#include "force.h"

/* Restitution 0 releases nothing, and a contact would never open: less than this is taken as this. */
static const double least_restitution = 1e-2;

/* Exponents below this are stiff for explicit steps. */
static const double stiff_exponent = 0.3;

/* The closing speed that is left when the impact is over, against the largest before; energies: its square.
 * The explicit schemes of first order would spend most of their steps below theirs. */
static const double default_tolerance = 5e-11, default_explicit_tolerance = 1e-9;

static const long default_max_steps = 100000000;

/* ---- memory ------------------------------------------------------------------------------------------ */

enum {
    NUMBERS = 6 + LZB_SCRATCH, /* per contact */
    WHOLES = 5
};

static size_t own_work(size_t contacts)
{
    return NUMBERS * contacts + (WHOLES * contacts * sizeof(int) + sizeof(double) - 1) / sizeof(double);
}

static size_t work_size(const carom_impact_sizes *sizes)
{
    const size_t own = own_work((size_t)sizes->contacts), lcp = carom_impact_lcp_work(sizes);
    return own > lcp ? own : lcp;
}

static void lay_out(lzb *s, double *work)
{
    const size_t contacts = (size_t)s->contacts;
    memset(work, 0, own_work(contacts) * sizeof *work);
    double **const numbers[] = {&s->closing, &s->indentation,  &s->energy,
                                &s->force,   &s->restitution2, &s->duration};
    int **const wholes[] = {&s->phase, &s->flags, &s->list.member, &s->list.before, &s->list.role};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++, work += contacts)
        *numbers[i] = work;
    s->scratch = work;
    int *whole = (int *)(work + LZB_SCRATCH * contacts);
    for (size_t i = 0; i < sizeof wholes / sizeof *wholes; i++, whole += contacts)
        *wholes[i] = whole;
}

/* ---- scales ------------------------------------------------------------------------------------------ */

/* tau_j = (m_j / K_j)^(1 / (1 + eta)) v^((1 - eta) / (1 + eta)), m_j = 1 / G_jj the reduced mass. */
static void find_scales(lzb *s)
{
    const carom_contact_space *space = s->space;
    for (int j = 0; j < s->contacts; j++) {
        s->closing[j] = -space->gamma[j];
        const double mass = 1.0 / space->entry[space->diagonal[j]];
        if (s->closing[j] > 0.0)
            s->energy_unit = fmax(s->energy_unit, 0.5 * mass * s->closing[j] * s->closing[j]);
        s->speed = fmax(s->speed, s->closing[j]);
    }
    s->time_unit = INFINITY;
    s->softest = INFINITY;
    for (int j = 0; j < s->contacts; j++) {
        const double eta = space->exponent[j], mass = 1.0 / space->entry[space->diagonal[j]];
        s->duration[j] = lzb_root_power(mass / space->stiffness[j], 1.0 / (1.0 + eta)) *
                         lzb_root_power(s->speed, (1.0 - eta) / (1.0 + eta));
        s->time_unit = fmin(s->time_unit, s->duration[j]);
        const double e = fmax(space->restitution[j], least_restitution);
        s->restitution2[j] = e * e;
        s->softest = fmin(s->softest, e);
    }
}

static void find_limits(lzb *s)
{
    const carom_impact_options *o = s->options;
    const bool explicit = o->method == CAROM_LZB_TIME || o->method == CAROM_LZB_IMPULSE;
    const double share = explicit ? default_explicit_tolerance : default_tolerance;
    s->velocity_tolerance = o->velocity_tolerance > 0.0 ? o->velocity_tolerance : share * s->speed;
    s->energy_tolerance = o->energy_tolerance > 0.0 ? o->energy_tolerance : share * share * s->energy_unit;
    s->max_steps = o->max_steps > 0 ? o->max_steps : default_max_steps;
}

static void note(lzb *s)
{
    const carom_contact_space *space = s->space;
    unsigned *notes = &s->result->notes;
    for (int j = 0; j < s->contacts; j++) {
        if (space->restitution[j] < least_restitution)
            *notes |= CAROM_IMPACT_SOFTENED;
        if (space->exponent[j] != space->exponent[0])
            *notes |= CAROM_IMPACT_MIXED;
        if (space->exponent[j] < stiff_exponent && s->options->method != CAROM_LZB_IMPLICIT)
            *notes |= CAROM_IMPACT_STIFF;
    }
}

/* ---- the law ----------------------------------------------------------------------------------------- */

static carom_status check(const carom_impact_options *o, carom_error *error)
{
    if (!(o->step >= 0.0 && isfinite(o->step)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "the step of law lzb must be positive, or 0 for its default (got %g)", o->step);
    if (!(o->velocity_tolerance >= 0.0 && o->energy_tolerance >= 0.0 && o->observe_interval >= 0.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "tolerances and the interval of observation must not be negative (got %g, %g and %g)",
            o->velocity_tolerance, o->energy_tolerance, o->observe_interval);
    return CAROM_OK;
}

/* Without any restitution, and with no contact that separates, the bodies stay together as Moreau's law says
 * (Nguyen and Brogliato 2018, 5.1.3). */
static bool is_inelastic(const carom_contact_space *space)
{
    for (int j = 0; j < space->contacts; j++)
        if (space->restitution[j] > 0.0 || space->gamma[j] > 0.0)
            return false;
    return true;
}

static void solve_inelastic(const carom_contact_space *space, double *work, carom_impact_result *result)
{
    result->residual = carom_impact_lcp(space, space->gamma, work, result->impulse);
    result->word = result->residual <= 1e-10 * space->speed ? CAROM_IMPACT_OK : CAROM_IMPACT_INFEASIBLE;
}

static void run(lzb *s)
{
    switch (s->options->method) {
    case CAROM_LZB_EVENTS:
        lzb_events(s);
        break;
    case CAROM_LZB_TIME:
    case CAROM_LZB_IMPULSE:
        lzb_explicit(s);
        break;
    case CAROM_LZB_IMPLICIT:
        lzb_implicit(s);
        break;
    }
}

static carom_status solve(const carom_contact_space *space, const carom_impact_options *options, double *work,
                          carom_impact_result *result, carom_error *error)
{
    const carom_status status = check(options, error);
    if (status != CAROM_OK)
        return status;
    if (is_inelastic(space)) {
        solve_inelastic(space, work, result);
        return CAROM_OK;
    }
    lzb s = {.space = space, .options = options, .result = result, .contacts = space->contacts};
    lay_out(&s, work);
    find_scales(&s);
    find_limits(&s);
    note(&s);
    run(&s);
    if (options->observe)
        lzb_observe(&s);
    result->duration = s.t;
    for (int j = 0; j < s.contacts; j++)
        result->residual = fmax(result->residual, s.closing[j]);
    return CAROM_OK;
}

/* In the order of carom_lzb_method. */
const char *const carom_lzb_method_words[] = {"events", "time", "impulse", "implicit", NULL};
static const char *const start_words[] = {"half", "exact", NULL};

enum {
    OPTION_METHOD,
    OPTION_STEP,
    OPTION_START,
    OPTION_MAX_STEPS,
    OPTION_TOLERANCE,
    OPTION_ENERGY_TOLERANCE,
    OPTION_COUNT
};

static const carom_option_info option_table[OPTION_COUNT] = {
    [OPTION_METHOD] = {"method", CAROM_LZB_EVENTS, 0.0, 3.0, carom_lzb_method_words,
                       "how the inside of an impact is integrated", NULL},
    [OPTION_STEP] = {"step", 0.0, 0.0, 1e300, NULL, "of time or impulse; 0: automatic", NULL},
    [OPTION_START] = {"start", 0.0, 0.0, 1.0, start_words,
                      "method time, start of a contact: 1/2 as the source, or 1/(1 + exponent)", NULL},
    [OPTION_MAX_STEPS] = {"max_steps", 1e8, 1.0, 2147483646.0, NULL, "most steps of one impact", NULL},
    [OPTION_TOLERANCE] = {"tolerance", 0.0, 0.0, 1e300, NULL, "slower closing is none; 0: automatic", NULL},
    [OPTION_ENERGY_TOLERANCE] = {"energy_tolerance", 0.0, 0.0, 1e300, NULL,
                                 "smaller energies are none; 0: automatic", NULL},
};

static void set_options(const double *value, carom_impact_options *options)
{
    options->method = (carom_lzb_method)value[OPTION_METHOD];
    options->step = value[OPTION_STEP];
    options->exact_start = value[OPTION_START] != 0.0;
    options->max_steps = (long)value[OPTION_MAX_STEPS];
    options->velocity_tolerance = value[OPTION_TOLERANCE];
    options->energy_tolerance = value[OPTION_ENERGY_TOLERANCE];
}

const carom_impact_law_ops carom_impact_lzb = {
    .name = "lzb",
    .summary = "Liu, Zhao and Brogliato: compliant contacts in frozen positions, energetic restitution",
    .usage = "the wave inside the impact, force K x^eta: impact_law = \"lzb\", stiffness and exponent of "
             "contacts",
    .tells = CAROM_IMPACT_TELLS_COURSE,
    .option_count = OPTION_COUNT,
    .options = option_table,
    .set = set_options,
    .work_size = work_size,
    .solve = solve,
};
