/* What theory asks of an impact law, tried on samples:
 *
 *   samples -> impacts -> measures -> per property the worst one, with the velocities that gave it */
#include <math.h>
#include <string.h>

#include "impact_audit.h"

enum {
    SIZE_MAX_AUDITED = 5000, /* coordinates and contacts: matrices are dense */
    CYCLE_POINTS_MAX = 1000,
    PAIRS_PER_REPORT = 64
};

carom_audit_options carom_audit_defaults(void)
{
    return (carom_audit_options){.samples = 10000, .seed = 1, .cycle_points = 40, .tolerance = 1e-9};
}

static carom_audit_options fill_options(const carom_audit_options *given)
{
    const carom_audit_options defaults = carom_audit_defaults();
    carom_audit_options options = given ? *given : defaults;
    if (options.samples == 0)
        options.samples = defaults.samples;
    if (options.seed == 0)
        options.seed = defaults.seed;
    if (options.cycle_points == 0)
        options.cycle_points = defaults.cycle_points;
    options.tolerance = carom_given(options.tolerance, defaults.tolerance);
    return options;
}

/* ---- properties ---------------------------------------------------------------------------------------- */

typedef struct property_info {
    const char *name, *text;
    /* worst = bound + sign times what is too much */
    double bound, sign;
    int velocities; /* of a counterexample */
} property_info;

static const property_info property_table[CAROM_AUDIT_PROPERTIES] = {
    [CAROM_AUDIT_KINEMATIC] = {"kinematic", "no contact approaches after the impact", 0.0, -1.0, 1},
    [CAROM_AUDIT_KINETIC] = {"kinetic", "impulses push, they do not pull", 0.0, -1.0, 1},
    [CAROM_AUDIT_ENERGETIC] = {"energetic", "the kinetic energy does not grow", 0.0, 1.0, 1},
    [CAROM_AUDIT_DECOMPOSITION] = {"decomposition", "the part of the velocity that no contact sees stays",
                                   0.0, 1.0, 1},
    [CAROM_AUDIT_NONEXPANSIVE] = {"non-expansive",
                                  "two impacts end at most as far from each other as they began, in the "
                                  "metric of kinetic energy",
                                  1.0, 1.0, 2},
    [CAROM_AUDIT_CYCLIC] = {"cyclic",
                            "no cycle of mean contact velocities gains by the impulses: the law has a "
                            "dissipation function",
                            0.0, 1.0, 2},
    [CAROM_AUDIT_IDEMPOTENT] = {"idempotent", "a second impact changes nothing", 0.0, 1.0, 1},
    [CAROM_AUDIT_SCALING] = {"scaling", "twice the velocity gives twice the outcome", 0.0, 1.0, 1},
};

const char *carom_audit_property_name(carom_audit_property property)
{
    return (unsigned)property < CAROM_AUDIT_PROPERTIES ? property_table[property].name : NULL;
}

const char *carom_audit_property_text(carom_audit_property property)
{
    return (unsigned)property < CAROM_AUDIT_PROPERTIES ? property_table[property].text : NULL;
}

/* ---- life ---------------------------------------------------------------------------------------------- */

typedef struct auditor {
    const carom_audit_options *options;
    const carom_progress *progress;
    audit_system system;
    audit_striker striker;
    audit_sampler sampler;
    carom_audit *audit;
    double *a, *b, *a_after, *b_after; /* rank: a pair before and after */
    double *change;                    /* rank */
    double *before, *after;            /* cycle_points x rank: y, then mean velocities and minus impulses */
    double *cycle_work;
} auditor;

static bool take_audit(carom_audit *audit)
{
    const size_t n = (size_t)audit->coordinates, contacts = (size_t)audit->contacts;
    audit->projector = carom_arena_take(audit->arena, carom_product(n, n), sizeof(double));
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
        for (int i = 0; i < property_table[p].velocities; i++)
            if (!(audit->counterexample[p][i] = carom_arena_take(audit->arena, contacts, sizeof(double))))
                return false;
    return audit->projector != NULL;
}

static bool take_auditor(auditor *a, carom_arena *arena)
{
    const size_t rank = (size_t)a->system.rank, points = (size_t)a->options->cycle_points;
    double **const vector[] = {&a->a, &a->b, &a->a_after, &a->b_after, &a->change};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        if (!(*vector[i] = carom_arena_take(arena, rank, sizeof(double))))
            return false;
    a->before = carom_arena_take(arena, carom_product(points, rank), sizeof(double));
    a->after = carom_arena_take(arena, carom_product(points, rank), sizeof(double));
    a->cycle_work = carom_arena_take(arena, audit_cycle_work((int)points), sizeof(double));
    return a->before && a->after && a->cycle_work;
}

static carom_audit *new_audit(const carom_impact *impact)
{
    carom_arena *arena = carom_arena_create();
    carom_audit *audit = arena ? carom_arena_take(arena, 1, sizeof *audit) : NULL;
    if (audit)
        *audit =
            (carom_audit){.arena = arena, .coordinates = impact->coordinates, .contacts = impact->contacts};
    if (audit && take_audit(audit))
        return audit;
    carom_arena_free(arena);
    return NULL;
}

void carom_audit_free(carom_audit *audit)
{
    if (audit)
        carom_arena_free(audit->arena);
}

/* ---- measures ------------------------------------------------------------------------------------------ */

/* Notes a measure of a property, found for velocity `first` (and `second`). */
static void note(auditor *a, carom_audit_property property, double measure, const double *first,
                 const double *second)
{
    const property_info *info = &property_table[property];
    carom_audit_finding *finding = &a->audit->finding[property];
    const double excess = info->sign * (measure - info->bound);
    if (!(excess <= a->options->tolerance))
        finding->failures++;
    if (finding->tested && !(excess > info->sign * (finding->worst - info->bound)))
        return;
    finding->tested = true;
    finding->worst = measure;
    audit_contact_velocities(&a->system, first, a->audit->counterexample[property][0]);
    if (second)
        audit_contact_velocities(&a->system, second, a->audit->counterexample[property][1]);
}

static double length_of(int n, const double *y)
{
    return sqrt(carom_dot(n, y, y));
}

/* |y - factor x| */
static double apart(auditor *a, const double *y, double factor, const double *x)
{
    memcpy(a->change, y, (size_t)a->system.rank * sizeof *a->change);
    carom_axpy(a->system.rank, -factor, x, a->change);
    return length_of(a->system.rank, a->change);
}

/* Signs, energy and what contacts do not see, of the last impact. */
static void note_impact(auditor *a, const double *y)
{
    const audit_striker *s = &a->striker;
    const double *scale = a->system.scale, before = s->result.energy_before;
    double speed = 0.0, slowest = INFINITY, largest = 0.0, smallest = INFINITY;
    for (int k = 0; k < a->system.contacts; k++) {
        speed = fmax(speed, fabs(s->gamma[k]) * scale[k]);
        slowest = fmin(slowest, s->gamma_after[k] * scale[k]);
        largest = fmax(largest, fabs(s->result.impulse[k]) / scale[k]);
        smallest = fmin(smallest, s->result.impulse[k] / scale[k]);
    }
    note(a, CAROM_AUDIT_KINEMATIC, slowest / speed, y, NULL);
    note(a, CAROM_AUDIT_KINETIC, largest > 0.0 ? smallest / largest : 0.0, y, NULL);
    note(a, CAROM_AUDIT_ENERGETIC, (s->result.energy_after - before) / before, y, NULL);
    note(a, CAROM_AUDIT_DECOMPOSITION, s->hidden, y, NULL);
}

static bool went_well(const audit_striker *striker)
{
    return striker->result.word == CAROM_IMPACT_OK || striker->result.word == CAROM_IMPACT_NONE;
}

/* Impact of y with its measures; *after gets the outcome, *good whether there is one. */
static carom_status try_impact(auditor *a, const double *y, double *after, bool *good, carom_error *error)
{
    *good = false;
    if (!(length_of(a->system.rank, y) > 0.0))
        return CAROM_OK;
    const carom_status status = audit_strike(&a->striker, y, error);
    if (status != CAROM_OK)
        return status;
    a->audit->impacts++;
    *good = went_well(&a->striker);
    if (!*good) {
        a->audit->failed_impacts++;
        return CAROM_OK;
    }
    memcpy(after, a->striker.y, (size_t)a->system.rank * sizeof *after);
    note_impact(a, y);
    return CAROM_OK;
}

/* Once more, and twice as fast. A second impact among rounding may end as it likes, if it only ends. */
static carom_status repeat_impact(auditor *a, const double *y, const double *after, carom_error *error)
{
    const double size = length_of(a->system.rank, y);
    carom_status status = audit_strike(&a->striker, after, error);
    if (status != CAROM_OK)
        return status;
    if (went_well(&a->striker) || a->striker.result.word == CAROM_IMPACT_ROUNDING)
        note(a, CAROM_AUDIT_IDEMPOTENT, apart(a, a->striker.y, 1.0, after) / size, y, NULL);
    memset(a->change, 0, (size_t)a->system.rank * sizeof *a->change);
    carom_axpy(a->system.rank, 2.0, y, a->change);
    status = audit_strike(&a->striker, a->change, error);
    if (status == CAROM_OK && went_well(&a->striker))
        note(a, CAROM_AUDIT_SCALING, apart(a, a->striker.y, 2.0, after) / (2.0 * size), y, NULL);
    return status;
}

static carom_status audit_pair(auditor *a, carom_error *error)
{
    bool first = false, second = false;
    carom_status status = audit_sample_pair(&a->sampler, a->a, a->b, error);
    if (status == CAROM_OK)
        status = try_impact(a, a->a, a->a_after, &first, error);
    if (status == CAROM_OK && first)
        status = repeat_impact(a, a->a, a->a_after, error);
    if (status == CAROM_OK)
        status = try_impact(a, a->b, a->b_after, &second, error);
    if (status != CAROM_OK || !first || !second)
        return status;
    const double before = apart(a, a->a, 1.0, a->b), after = apart(a, a->a_after, 1.0, a->b_after);
    /* In one dimension, or on an edge, two samples may be one. */
    if (before > 1e-4 * length_of(a->system.rank, a->a))
        note(a, CAROM_AUDIT_NONEXPANSIVE, after / before, a->a, a->b);
    return CAROM_OK;
}

/* x_i: mean velocities, y_i = -(what impulses changed): y_i . (x_j - x_i) = -p_i . (mean gamma_j - gamma_i).
 */
static carom_status audit_loop(auditor *a, bool ordered, carom_error *error)
{
    const int points = a->options->cycle_points, rank = a->system.rank;
    double largest = 0.0;
    carom_status status = audit_sample_loop(&a->sampler, ordered, points, a->before, error);
    for (int i = 0; i < points && status == CAROM_OK; i++) {
        bool good;
        double *before = a->before + (ptrdiff_t)i * rank, *after = a->after + (ptrdiff_t)i * rank;
        status = try_impact(a, before, after, &good, error);
        if (status != CAROM_OK || !good)
            return status;
        largest = fmax(largest, carom_dot(rank, before, before));
        for (int k = 0; k < rank; k++) {
            const double mean = 0.5 * (before[k] + after[k]);
            after[k] = before[k] - after[k];
            before[k] = mean;
        }
    }
    if (status != CAROM_OK)
        return status;
    const double slack = 0.5 * a->options->tolerance * largest;
    const audit_cycle cycle = audit_largest_cycle(points, rank, a->before, a->after, slack, a->cycle_work);
    double *member[] = {a->before + (ptrdiff_t)cycle.first * rank,
                        a->before + (ptrdiff_t)cycle.second * rank};
    /* Back from means to velocities before. */
    carom_axpy(rank, 0.5, a->after + (ptrdiff_t)cycle.first * rank, member[0]);
    if (cycle.second != cycle.first)
        carom_axpy(rank, 0.5, a->after + (ptrdiff_t)cycle.second * rank, member[1]);
    note(a, CAROM_AUDIT_CYCLIC, cycle.weight / largest, member[0], member[1]);
    return CAROM_OK;
}

/* ---- the audit ----------------------------------------------------------------------------------------- */

static bool goes_on(const auditor *a, double done, double total)
{
    return !a->progress || !a->progress->report || a->progress->report(a->progress->context, done, total);
}

static carom_status fail_interrupted(const auditor *a, carom_error *error)
{
    return carom_fail(error, CAROM_INTERRUPTED, "interrupted after %ld of %ld pairs of samples",
                      a->audit->samples, a->options->samples);
}

static carom_status audit_samples(auditor *a, carom_error *error)
{
    const long points = a->options->cycle_points, pairs = a->options->samples;
    const long loops = points >= 2 ? 1 + pairs / points : 0;
    const double total = (double)pairs + (double)loops * (double)points;
    for (long pair = 0; pair < pairs; pair++) {
        if (pair % PAIRS_PER_REPORT == 0 && !goes_on(a, (double)pair, total))
            return fail_interrupted(a, error);
        const carom_status status = audit_pair(a, error);
        if (status != CAROM_OK)
            return status;
        a->audit->samples++;
    }
    for (long loop = 0; loop < loops; loop++) {
        if (!goes_on(a, (double)pairs + (double)loop * (double)points, total))
            return fail_interrupted(a, error);
        const carom_status status = audit_loop(a, loop > 0, error);
        if (status != CAROM_OK)
            return status;
    }
    return CAROM_OK;
}

static carom_status audit_matrix(const auditor *a, carom_arena *arena, carom_error *error)
{
    const int contacts = a->system.contacts;
    double *matrix =
        carom_arena_take(arena, carom_product((size_t)contacts, (size_t)contacts), sizeof(double));
    if (!matrix)
        return carom_fail_memory(error);
    audit_fill_matrix(&a->system, NULL, matrix);
    const carom_status status =
        audit_smallest_eigenvalue(contacts, matrix, &a->audit->smallest_eigenvalue, error);
    if (status != CAROM_OK)
        return status;
    audit_fill_matrix(&a->system, a->system.scale, matrix);
    return audit_copositive(contacts, matrix, a->options->seed, &a->audit->copositive, error);
}

static void close_findings(carom_audit *audit)
{
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++) {
        carom_audit_finding *finding = &audit->finding[p];
        finding->holds = finding->tested && finding->failures == 0;
        for (int i = 0; i < 2 && !finding->tested; i++)
            audit->counterexample[p][i] = NULL;
    }
}

static carom_status check_options(const carom_impact *impact, const carom_audit_options *options,
                                  carom_error *error)
{
    if (impact->coordinates < 1 || impact->coordinates > SIZE_MAX_AUDITED || impact->contacts < 1 ||
        impact->contacts > SIZE_MAX_AUDITED)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "an audit is for 1 to %d coordinates and contacts (got %d and %d)",
                          SIZE_MAX_AUDITED, impact->coordinates, impact->contacts);
    if (options->samples < 1)
        return carom_fail(error, CAROM_BAD_INPUT, "an audit needs at least 1 sample (got %ld)",
                          options->samples);
    if (options->cycle_points < 0 || options->cycle_points > CYCLE_POINTS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "the points of a cycle are 1 to %d (got %d)",
                          CYCLE_POINTS_MAX, options->cycle_points);
    if (!(options->tolerance >= 0.0 && isfinite(options->tolerance)))
        return carom_fail(error, CAROM_BAD_INPUT, "the tolerance must be 0 or positive (got %g)",
                          options->tolerance);
    return CAROM_OK;
}

/* The checks of an impact, at rest. */
static carom_status check_system(auditor *a, const carom_impact *impact, const carom_impact_law_ops *law,
                                 const carom_impact_options *options, carom_arena *arena, carom_error *error)
{
    const carom_status status =
        audit_striker_make(&a->system, impact, law, options, arena, &a->striker, error);
    if (status != CAROM_OK)
        return status;
    return carom_impact_solve(a->striker.work, &a->striker.impact, options, &a->striker.result, error);
}

static carom_status run_audit(auditor *a, const carom_impact *impact, const carom_impact_law_ops *law,
                              const carom_impact_options *options, carom_arena *arena, carom_error *error)
{
    carom_status status = check_system(a, impact, law, options, arena, error);
    if (status == CAROM_OK)
        status = audit_system_make(impact, arena, &a->system, error);
    if (status == CAROM_OK && !take_auditor(a, arena))
        status = carom_fail_memory(error);
    if (status == CAROM_OK)
        status = audit_sampler_make(&a->system, a->options->approaching_only, a->options->seed, arena,
                                    &a->sampler, error);
    if (status == CAROM_OK)
        status = audit_matrix(a, arena, error);
    if (status != CAROM_OK)
        return status;
    a->audit->rank = a->system.rank;
    audit_projector(&a->system, a->audit->projector);
    return audit_samples(a, error);
}

carom_status carom_impact_audit(const carom_impact *impact, const carom_impact_law_ops *law,
                                const carom_impact_options *options, const carom_audit_options *audit_options,
                                const carom_progress *progress, carom_audit **audit, carom_error *error)
{
    *audit = NULL;
    const carom_audit_options filled = fill_options(audit_options);
    const carom_impact_options law_defaults = carom_impact_defaults();
    if (!options)
        options = &law_defaults;
    carom_status status = check_options(impact, &filled, error);
    if (status == CAROM_OK && !law)
        status = carom_fail(error, CAROM_BAD_INPUT, "no law of impact is given; see carom_impact_law_find");
    if (status != CAROM_OK)
        return status;
    auditor a = {.options = &filled, .progress = progress, .audit = new_audit(impact)};
    carom_arena *arena = carom_arena_create();
    if (a.audit && arena)
        status = run_audit(&a, impact, law, options, arena, error);
    else
        status = carom_fail_memory(error);
    audit_striker_free(&a.striker);
    audit_sampler_free(&a.sampler);
    carom_arena_free(arena);
    if (status == CAROM_OK || status == CAROM_INTERRUPTED) {
        close_findings(a.audit);
        *audit = a.audit;
    } else {
        carom_audit_free(a.audit);
    }
    return status;
}
