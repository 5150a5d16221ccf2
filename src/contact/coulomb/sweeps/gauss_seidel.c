/* Sweeps over the contacts, each solved for the impulses that the others have at the moment:
 *
 *   FC(W_aa / omega, u_a - W_aa r_a / omega, mu_a) (119)
 *
 * The cone does not care for scales, so s = r_a / omega solves FC(W_aa, u_a - W_aa s_a, mu_a). */
#include "contact/coulomb/gauss_seidel.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/coulomb/parts/anderson.h"
#include "contact/coulomb/parts/watch.h"

enum {
    SWEEPS_BETWEEN_LOOKS = 25, /* at most */
    PLAIN_SWEEPS = 2           /* before the acceleration: some problems need no more than a few */
};

/* Local tolerance over the change of a sweep, and its upper end. */
static const double adaptive_part = 0.1, adaptive_loosest = 1e-2;
/* The change at which to look again, over the last one, is at most this. */
static const double hope_most = 0.9;

struct coulomb_gauss_seidel {
    const carom_coulomb *problem;
    struct coulomb_nsgs_options options;
    coulomb_watch watch;
    coulomb_local *contact;
    double *best, *before; /* best r, r at the beginning of a sweep */
    coulomb_anderson acceleration;
    int *order; /* NULL: natural */
    carom_random random;
    coulomb_local_counts counts;
    double local_tolerance; /* of this sweep */
    double change;          /* |r - last r| / |last r| of this sweep (132) */
    double hoped_change;    /* at which the error is looked at */
    int next_look;          /* sweep at which it is looked at in any case */
    bool is_stuck;          /* a contact could not be solved */
};
typedef struct coulomb_gauss_seidel gauss_seidel;

struct coulomb_nsgs_options coulomb_nsgs_defaults(void)
{
    return (struct coulomb_nsgs_options){.omega = 1.0, .local_tolerance = 1e-14};
}

static void shuffle(carom_random *random, int count, int *order)
{
    for (int i = count - 1; i > 0; i--) {
        const int j = (int)carom_random_uniform(random, 0.0, (double)i + 1.0);
        const int kept = order[i];
        order[i] = order[j];
        order[j] = kept;
    }
}

coulomb_gauss_seidel *coulomb_gauss_seidel_create(int contacts, const struct coulomb_nsgs_options *options)
{
    coulomb_gauss_seidel *self = carom_new_array(1, sizeof *self);
    if (!self)
        return NULL;
    const size_t n = (size_t)contacts;
    self->options = *options;
    self->contact = carom_new_array(n, sizeof *self->contact);
    self->best = carom_new_array(6 * n, sizeof *self->best);
    if (options->order != COULOMB_ORDER_NATURAL)
        self->order = carom_new_array(n, sizeof *self->order);
    const bool accelerated =
        options->memory == 0 || coulomb_anderson_create(&self->acceleration, 3 * contacts, options->memory);
    if (accelerated && self->contact && self->best &&
        (self->order || options->order == COULOMB_ORDER_NATURAL)) {
        self->before = self->best + 3 * n;
        return self;
    }
    coulomb_gauss_seidel_free(self);
    return NULL;
}

void coulomb_gauss_seidel_free(coulomb_gauss_seidel *self)
{
    if (!self)
        return;
    free(self->contact);
    free(self->best);
    coulomb_anderson_free(&self->acceleration);
    free(self->order);
    free(self);
}

void coulomb_gauss_seidel_choose(coulomb_gauss_seidel *self, int memory,
                                 bool (*give_up)(void *context, int sweeps, double error), void *context)
{
    self->options.memory = self->acceleration.depth = memory;
    self->options.give_up = give_up;
    self->options.context = context;
}

static void prepare(gauss_seidel *self)
{
    const carom_coulomb *problem = self->problem;
    const struct coulomb_nsgs_options *options = &self->options;
    for (int a = 0; a < problem->contacts; a++) {
        coulomb_local_prepare(&self->contact[a], carom_block_at(&problem->W, problem->W.diagonal[a]),
                              problem->mu[a]);
        self->contact[a].any_solution = options->any_solution;
        if (options->rho_is_one)
            self->contact[a].rho = 1.0 / options->omega;
    }
    self->random.state = options->seed;
    if (self->order) {
        for (int a = 0; a < problem->contacts; a++)
            self->order[a] = a;
        shuffle(&self->random, problem->contacts, self->order);
    }
    self->local_tolerance =
        options->adaptive ? fmax(options->local_tolerance, adaptive_loosest) : options->local_tolerance;
    self->hoped_change = self->watch.limits->tolerance;
    self->next_look = 1;
    self->is_stuck = false;
    coulomb_anderson_begin(&self->acceleration, 3 * problem->contacts);
}

/* Two numbers side by side, as processors multiply them. */
typedef double pair __attribute__((vector_size(2 * sizeof(double))));

static inline pair pair_at(const double *x)
{
    return (pair){x[0], x[1]};
}

/* sum += the blocks from `first` to before `last` times their parts of r: nine sums side by side, in pairs
 * (the first entries of rows 0 and 2, ...), because one after the other each would wait for the last. */
static inline void add_blocks(const carom_blocks *W, int first, int last, const double *restrict r,
                              double *restrict sum)
{
    pair s00_01 = {0.0, 0.0}, s02_10 = s00_01, s11_12 = s00_01, s20_21 = s00_01;
    double s22 = 0.0;
    const double *restrict b = carom_block_at(W, first);
    for (int k = first; k < last; k++, b += 9) {
        const double *restrict x = r + 3 * (ptrdiff_t)W->column[k];
        const pair x01 = pair_at(x), x12 = pair_at(x + 1), x20 = {x[2], x[0]};
        s00_01 += pair_at(b) * x01;
        s02_10 += pair_at(b + 2) * x20;
        s11_12 += pair_at(b + 4) * x12;
        s20_21 += pair_at(b + 6) * x01;
        s22 += b[8] * x[2];
    }
    sum[0] += s00_01[0] + s00_01[1] + s02_10[0];
    sum[1] += s02_10[1] + s11_12[0] + s11_12[1];
    sum[2] += s20_21[0] + s20_21[1] + s22;
}

/* Solves contact a for s = r_a / omega; false when it cannot be solved. */
static bool solve_contact(gauss_seidel *self, int a, const double *r, double s[3])
{
    const carom_blocks *W = &self->problem->W;
    const double *qa = self->problem->q + 3 * (ptrdiff_t)a, *ra = r + 3 * (ptrdiff_t)a;
    const double omega = self->options.omega;
    coulomb_local *contact = &self->contact[a];
    double q[3] = {qa[0], qa[1], qa[2]};
    add_blocks(W, W->row_start[a], W->diagonal[a], r, q);
    add_blocks(W, W->diagonal[a] + 1, W->row_start[a + 1], r, q);
    if (omega != 1.0) {
        const double part = 1.0 - 1.0 / omega, kept[3] = {part * ra[0], part * ra[1], part * ra[2]};
        carom_block_add(contact->W, kept, q);
    }
    for (int k = 0; k < 3; k++)
        s[k] = ra[k] / omega;
    /* An answer that is not precise enough will do for one sweep, but not without inertia. */
    return coulomb_local_solve(contact, self->options.local, self->local_tolerance, q, s, &self->counts) ||
           contact->W[0] > 0.0;
}

static void sweep(gauss_seidel *self, double *r)
{
    const int contacts = self->problem->contacts;
    const double omega = self->options.omega;
    double change = 0.0, size = 0.0, next_size = 0.0;
    for (int k = 0; k < contacts; k++) {
        const int a = self->order ? self->order[k] : k;
        double *ra = r + 3 * (ptrdiff_t)a, s[3];
        if (!solve_contact(self, a, r, s)) {
            self->is_stuck = true;
            return;
        }
        for (int i = 0; i < 3; i++) {
            const double next = omega * s[i];
            change += (next - ra[i]) * (next - ra[i]);
            size += ra[i] * ra[i];
            next_size += next * next;
            ra[i] = next;
        }
    }
    size = size > 0.0 ? size : next_size;
    self->change = change > 0.0 ? sqrt(change / size) : change;
}

/* True when the error is worth its cost, that of a sweep: when the change is as small as hoped, or not a
 * number, and now and then for the best iterate of sweeps that do not come to rest. */
static bool is_worth_a_look(gauss_seidel *self, int sweeps)
{
    if (self->options.every_error || !(self->change > self->hoped_change))
        return true;
    if (sweeps < self->next_look)
        return false;
    self->next_look = sweeps < SWEEPS_BETWEEN_LOOKS ? 2 * sweeps : sweeps + SWEEPS_BETWEEN_LOOKS;
    return true;
}

/* Error and change shrink alike, so their quotient tells at which change the error will be small enough. */
static bool look(gauss_seidel *self, const double *r)
{
    const bool is_over = coulomb_watch_look(&self->watch, r);
    self->hoped_change =
        self->change * fmin(hope_most, self->watch.limits->tolerance / self->watch.best_error);
    return is_over;
}

/* After a sweep; true when it was the last one, the reason in *word. */
static bool is_over(gauss_seidel *self, const double *r, carom_solve_word *word)
{
    coulomb_watch *watch = &self->watch;
    if (self->is_stuck) {
        *word = CAROM_SOLVE_LOCAL;
        return true;
    }
    if (is_worth_a_look(self, watch->report->iterations)) {
        if (look(self, r)) {
            *word = watch->report->word;
            return true;
        }
        *word = CAROM_SOLVE_STALLED;
        if (self->options.give_up &&
            self->options.give_up(self->options.context, watch->report->iterations, watch->best_error))
            return true;
        /* r has stopped, though not at a solution */
        return self->change <= DBL_EPSILON && self->local_tolerance <= self->options.local_tolerance;
    }
    if (!coulomb_watch_is_over(watch))
        return false;
    *word = watch->report->word;
    (void)coulomb_watch_look(watch, r);
    return true;
}

static carom_solve_word iterate(gauss_seidel *self, double *r)
{
    const struct coulomb_nsgs_options *options = &self->options;
    carom_solve_word word = CAROM_SOLVE_ITERATIONS;
    do {
        if (self->order && options->order == COULOMB_ORDER_FULLY_SHUFFLED)
            shuffle(&self->random, self->problem->contacts, self->order);
        if (options->memory > 0)
            memcpy(self->before, r, 3 * (size_t)self->problem->contacts * sizeof *r);
        sweep(self, r);
        self->watch.report->iterations++;
        if (is_over(self, r, &word))
            break;
        if (options->memory > 0 && self->watch.report->iterations > PLAIN_SWEEPS)
            coulomb_anderson_step(&self->acceleration, self->before, r);
        if (options->adaptive)
            self->local_tolerance =
                fmax(options->local_tolerance, fmin(adaptive_loosest, adaptive_part * self->change));
    } while (true);
    return word;
}

void coulomb_gauss_seidel_solve(coulomb_gauss_seidel *self, const carom_coulomb *problem,
                                const carom_solver_options *limits, double *r, carom_solve_report *report)
{
    self->problem = problem;
    self->counts = (coulomb_local_counts){0};
    if (!carom_all_finite(3 * problem->contacts, r))
        memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    carom_solve_word word = CAROM_SOLVE_OK;
    if (coulomb_watch_begin(&self->watch, problem, limits, COULOMB_NSGS_SWEEPS, self->best, r, report)) {
        word = report->word;
    } else {
        prepare(self);
        word = iterate(self, r);
    }
    report->inner_iterations = self->counts.iterations;
    report->local_failures = self->counts.failures;
    coulomb_watch_end(&self->watch, word, r);
}

void coulomb_nsgs(const carom_coulomb *problem, const struct coulomb_nsgs_options *options,
                  const carom_solver_options *limits, double *r, carom_solve_report *report)
{
    coulomb_gauss_seidel *self = coulomb_gauss_seidel_create(problem->contacts, options);
    if (self)
        coulomb_gauss_seidel_solve(self, problem, limits, r, report);
    else
        *report = (carom_solve_report){.word = CAROM_SOLVE_MEMORY, .error = carom_coulomb_error(problem, r)};
    coulomb_gauss_seidel_free(self);
}
