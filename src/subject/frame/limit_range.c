/* The least and the greatest load factor of all limit states with Coulomb friction.
 *
 * A limit state is a stress in equilibrium with alpha f, within its bounds, and a mechanism w with w.f = 1, so that every hinge
 * and every support fulfils its law: the bipotential's part above the power, `defect`, is zero. With the law of each hinge
 * and support decided (at rest, sliding or turning to one side, lifting) stresses and mechanism are two linear programs that
 * have nothing in common. The search branches over these decisions:
 *
 *   stresses    least or greatest alpha: a bound of all that follows from the decisions so far
 *   mechanism   least defect for these stresses; zero: a limit state; else the largest term is decided next
 */
#include <Clp_C_Interface.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "limit_program.h"

enum {
    PROGRAMS_MOST = 40000
};

/* Relative to the power of the load, alpha: a defect that is rounding; a bound that leaves nothing to win; the smallest alpha
 * that counts, relative to that of the associated law; factors that are equal; an associated factor that is none, relative to
 * that of supports which neither slide nor lift. */
static const double no_defect = 1e-9, no_win = 1e-10, least_share = 1e-6, equal_share = 1e-8, no_load = 1e-12;
static const double unbounded = DBL_MAX;

/* Of a hinge, or of a support at its tangent's place. */
typedef enum decision {
    OPEN,
    RESTS,
    POSITIVE, /* turns or slides so that its stress is at the upper bound */
    NEGATIVE,
    LIFTS, /* supports only */
    DECISIONS
} decision;

typedef struct range_search {
    const carom_limit_problem *problem;
    Clp_Simplex *stresses, *mechanism;
    unsigned char *decided; /* per stress */
    int *support;           /* per stress: the support whose tangent it is, or -1 */
    double *stress;         /* of the current program */
    double sign;            /* +1: greatest, -1: least */
    double best;            /* alpha of the best limit state; NaN: none */
    double floor;           /* alpha counts from here on */
    long programs;
    bool complete, failed;
} range_search;

/* ---- programs --------------------------------------------------------------------------------------- */

static Clp_Simplex *new_model(void)
{
    Clp_Simplex *lp = Clp_newModel();
    Clp_setLogLevel(lp, 0);
    Clp_scaling(lp, 0);
    Clp_setPrimalTolerance(lp, 1e-11);
    Clp_setDualTolerance(lp, 1e-11);
    return lp;
}

static void bound(Clp_Simplex *lp, int column, double low, double high)
{
    Clp_columnLower(lp)[column] = isinf(low) ? -unbounded : low;
    Clp_columnUpper(lp)[column] = isinf(high) ? unbounded : high;
}

static void add_row(Clp_Simplex *lp, int count, const int *index, const double *value, double low,
                    double high)
{
    const int start[] = {0, count};
    Clp_addRows(lp, 1, &low, &high, start, index, value);
}

/* Columns: stresses, alpha. Rows: equilibrium, then per support T - mu N <= 0 and -T - mu N <= 0. */
static void fill_stresses(const range_search *self, int *index, double *value)
{
    const carom_limit_problem *problem = self->problem;
    const int n = problem->stresses;
    Clp_resize(self->stresses, 0, n + 1);
    for (int i = 0; i < problem->equations; i++) {
        int count = 0;
        for (int j = 0; j <= n; j++) {
            const double entry = j < n ? problem->matrix[(ptrdiff_t)i * n + j] : -problem->load[i];
            if (entry != 0.0) {
                index[count] = j;
                value[count++] = entry;
            }
        }
        add_row(self->stresses, count, index, value, 0.0, 0.0);
    }
    for (int c = 0; c < problem->contacts; c++)
        for (int side = 0; side < 2; side++)
            add_row(self->stresses, 2, (const int[]){problem->contact[c].tangent, problem->contact[c].normal},
                    (const double[]){side == 0 ? 1.0 : -1.0, -problem->contact[c].mu}, -unbounded, 0.0);
    for (int j = 0; j < n; j++) {
        const double capacity = limit_is_reaction(problem, j) ? INFINITY : problem->capacity[j];
        bound(self->stresses, j, -capacity, capacity);
    }
    for (int c = 0; c < problem->contacts; c++)
        bound(self->stresses, problem->contact[c].normal, 0.0, INFINITY);
    Clp_setOptimizationDirection(self->stresses, -1.0); /* maximise */
}

/* Columns: w, then the positive and the negative part of every rate. Rows: C^T w - plus + minus = 0, f.w = 1. */
static void fill_mechanism(const range_search *self, int *index, double *value)
{
    const carom_limit_problem *problem = self->problem;
    const int n = problem->stresses, m = problem->equations;
    Clp_resize(self->mechanism, 0, m + 2 * n);
    for (int j = 0; j < n; j++) {
        int count = 0;
        for (int i = 0; i < m; i++)
            if (problem->matrix[(ptrdiff_t)i * n + j] != 0.0) {
                index[count] = i;
                value[count++] = problem->matrix[(ptrdiff_t)i * n + j];
            }
        index[count] = m + 2 * j;
        value[count++] = -1.0;
        index[count] = m + 2 * j + 1;
        value[count++] = 1.0;
        add_row(self->mechanism, count, index, value, 0.0, 0.0);
    }
    int count = 0;
    for (int i = 0; i < m; i++)
        if (problem->load[i] != 0.0) {
            index[count] = i;
            value[count++] = problem->load[i];
        }
    add_row(self->mechanism, count, index, value, 1.0, 1.0);
    for (int i = 0; i < m; i++)
        bound(self->mechanism, i, -INFINITY, INFINITY);
}

/* ---- decisions -------------------------------------------------------------------------------------- */

static void bound_rates(const range_search *self, int stress, bool plus, bool minus)
{
    const int first = self->problem->equations + 2 * stress;
    bound(self->mechanism, first, 0.0, plus ? INFINITY : 0.0);
    bound(self->mechanism, first + 1, 0.0, minus ? INFINITY : 0.0);
}

static void apply_to_support(const range_search *self, int support, decision what)
{
    const carom_limit_contact *contact = self->problem->contact + support;
    double *low = Clp_rowLower(self->stresses) + self->problem->equations + 2 * support;
    low[0] = what == POSITIVE ? 0.0 : -unbounded;
    low[1] = what == NEGATIVE ? 0.0 : -unbounded;
    bound(self->stresses, contact->normal, 0.0, what == LIFTS ? 0.0 : INFINITY);
    bound_rates(self, contact->tangent, what != RESTS && what != NEGATIVE, what != RESTS && what != POSITIVE);
    bound_rates(self, contact->normal, false, what == OPEN || what == LIFTS);
}

static void apply_to_hinge(const range_search *self, int stress, decision what)
{
    const double capacity = self->problem->capacity[stress];
    bound(self->stresses, stress, what == POSITIVE ? capacity : -capacity,
          what == NEGATIVE ? -capacity : capacity);
    bound_rates(self, stress, what == OPEN || what == POSITIVE, what == OPEN || what == NEGATIVE);
}

static void decide(range_search *self, int stress, decision what)
{
    self->decided[stress] = (unsigned char)what;
    if (self->support[stress] >= 0)
        apply_to_support(self, self->support[stress], what);
    else
        apply_to_hinge(self, stress, what);
}

static bool can_be_decided(const range_search *self, int stress)
{
    return self->support[stress] >= 0 ||
           (!limit_is_reaction(self->problem, stress) && !isinf(self->problem->capacity[stress]));
}

/* Nothing is decided: what has no bound has no rate. */
static void open_all(range_search *self)
{
    for (int j = 0; j < self->problem->stresses; j++)
        if (can_be_decided(self, j))
            decide(self, j, OPEN);
        else if (!limit_is_reaction(self->problem, j))
            bound_rates(self, j, false, false);
}

/* ---- search ----------------------------------------------------------------------------------------- */

/* Largest or least alpha of the decisions so far. False: there is none, or none that is better. */
static bool bound_alpha(range_search *self, double *alpha)
{
    const int n = self->problem->stresses;
    self->programs++;
    Clp_dual(self->stresses, 0);
    const int status = Clp_status(self->stresses);
    self->failed = self->failed || (status != 0 && status != 1);
    if (status != 0)
        return false;
    const double *value = Clp_primalColumnSolution(self->stresses);
    memcpy(self->stress, value, (size_t)n * sizeof *value);
    *alpha = value[n];
    return isnan(self->best) || self->sign * (*alpha - self->best) > no_win * fabs(self->best);
}

/* Prices of rates: what a unit of each adds to the defect at the current stresses. */
static void price_rates(const range_search *self)
{
    const carom_limit_problem *problem = self->problem;
    double *price = Clp_objective(self->mechanism) + problem->equations;
    for (int j = 0; j < problem->stresses; j++)
        if (can_be_decided(self, j) && self->support[j] < 0) {
            price[2 * j] = fmax(0.0, problem->capacity[j] - self->stress[j]);
            price[2 * j + 1] = fmax(0.0, problem->capacity[j] + self->stress[j]);
        }
    for (int c = 0; c < problem->contacts; c++) {
        const int t = problem->contact[c].tangent, n = problem->contact[c].normal;
        const double radius = problem->contact[c].mu * self->stress[n];
        price[2 * t] = fmax(0.0, radius - self->stress[t]);
        price[2 * t + 1] = fmax(0.0, radius + self->stress[t]);
        price[2 * n + 1] = fmax(0.0, self->stress[n]);
    }
}

static double defect_of(const range_search *self, int stress)
{
    const double *price = Clp_objective(self->mechanism) + self->problem->equations;
    const double *rate = Clp_primalColumnSolution(self->mechanism) + self->problem->equations;
    double sum = price[2 * stress] * rate[2 * stress] + price[2 * stress + 1] * rate[2 * stress + 1];
    if (self->support[stress] >= 0) {
        const int n = self->problem->contact[self->support[stress]].normal;
        sum += price[2 * n + 1] * rate[2 * n + 1];
    }
    return sum;
}

/* The mechanism of least defect. False: there is none. *worst: the open hinge or support with the largest part, -1 when it is a
 * limit state. */
static bool find_mechanism(range_search *self, double alpha, int *worst)
{
    self->programs++;
    price_rates(self);
    Clp_dual(self->mechanism, 0);
    const int status = Clp_status(self->mechanism);
    self->failed = self->failed || (status != 0 && status != 1);
    if (status != 0)
        return false;
    double sum = 0.0, largest = 0.0;
    *worst = -1;
    for (int j = 0; j < self->problem->stresses; j++) {
        const double part = can_be_decided(self, j) ? defect_of(self, j) : 0.0;
        sum += part;
        if (self->decided[j] == OPEN && part > largest) {
            largest = part;
            *worst = j;
        }
    }
    if (sum <= no_defect * fabs(alpha))
        *worst = -1;
    return true;
}

static void search(range_search *self)
{
    double alpha = 0.0;
    int worst = -1;
    if (self->programs >= PROGRAMS_MOST || self->failed) {
        self->complete = false;
        return;
    }
    if (!bound_alpha(self, &alpha) || !find_mechanism(self, alpha, &worst))
        return;
    if (worst < 0) {
        self->best = alpha;
        return;
    }
    const int last = self->support[worst] >= 0 ? LIFTS : NEGATIVE;
    for (int what = RESTS; what <= last; what++) {
        decide(self, worst, (decision)what);
        search(self);
    }
    decide(self, worst, OPEN);
}

/* The trivial state: no load and no stress, all supports open, and a rigid motion on which the load does work. */
static bool has_trivial_state(range_search *self)
{
    open_all(self);
    for (int j = 0; j < self->problem->stresses; j++)
        if (can_be_decided(self, j) && self->support[j] < 0)
            bound_rates(self, j, false, false);
    double *price = Clp_objective(self->mechanism);
    memset(price, 0, (size_t)(self->problem->equations + 2 * self->problem->stresses) * sizeof *price);
    Clp_primal(self->mechanism,
               0); /* only feasibility is asked, of which the dual method may be wrong without prices */
    return Clp_status(self->mechanism) == 0;
}

static double find_end(range_search *self, double sign, double start)
{
    const int alpha = self->problem->stresses;
    self->sign = sign;
    self->best = start;
    Clp_objective(self->stresses)[alpha] = sign;
    bound(self->stresses, alpha, self->floor, INFINITY);
    open_all(self);
    search(self);
    return self->best;
}

static void find_ends(range_search *self, double start, carom_limit_range *range)
{
    range->greatest = find_end(self, 1.0, start);
    range->least = find_end(self, -1.0, start);
    if (range->least <= self->floor * (1.0 + no_win)) /* limit states at all small factors */
        range->least = 0.0;
    range->exact = self->complete && !self->failed;
    range->unique = range->greatest - range->least <= equal_share * range->greatest;
    range->programs = self->programs;
}

/* ---- interface -------------------------------------------------------------------------------------- */

static bool take(range_search *self, carom_arena *arena, const carom_limit_problem *problem)
{
    const size_t n = (size_t)problem->stresses, columns = (size_t)problem->equations + 2 * n + 1;
    int *index = carom_arena_take(arena, columns, sizeof *index);
    double *value = carom_arena_take(arena, columns, sizeof *value);
    self->decided = carom_arena_take(arena, n, sizeof *self->decided);
    self->support = carom_arena_take(arena, n, sizeof *self->support);
    self->stress = carom_arena_take(arena, n, sizeof *self->stress);
    if (!index || !value || !self->decided || !self->support || !self->stress)
        return false;
    for (int j = 0; j < problem->stresses; j++)
        self->support[j] = -1;
    for (int c = 0; c < problem->contacts; c++)
        self->support[problem->contact[c].tangent] = c;
    self->stresses = new_model();
    self->mechanism = new_model();
    fill_stresses(self, index, value);
    fill_mechanism(self, index, value);
    return true;
}

/* Factors of rows and stresses, powers of two; 0: not known yet. */
typedef struct scaling {
    const carom_limit_problem *problem;
    double *row, *column;
} scaling;

static double inverse_of(double size)
{
    return size > 0.0 ? ldexp(1.0, -ilogb(size)) : 0.0;
}

static double row_size(const scaling *self, int row)
{
    double largest = 0.0;
    for (int j = 0; j < self->problem->stresses; j++)
        largest =
            fmax(largest,
                 self->column[j] * fabs(self->problem->matrix[(ptrdiff_t)row * self->problem->stresses + j]));
    return largest;
}

static double column_size(const scaling *self, int column)
{
    double largest = 0.0;
    for (int i = 0; i < self->problem->equations; i++)
        largest =
            fmax(largest,
                 self->row[i] * fabs(self->problem->matrix[(ptrdiff_t)i * self->problem->stresses + column]));
    return largest;
}

/* From the known ones to those beside them. T and N of a support have one factor. Returns false if nothing new is known. */
static bool spread(const scaling *self)
{
    const carom_limit_problem *problem = self->problem;
    bool changed = false;
    for (int i = 0; i < problem->equations; i++)
        if (self->row[i] == 0.0) {
            self->row[i] = inverse_of(row_size(self, i));
            changed = changed || self->row[i] > 0.0;
        }
    for (int c = 0; c < problem->contacts; c++) {
        const int t = problem->contact[c].tangent, n = problem->contact[c].normal;
        if (self->column[t] == 0.0) {
            self->column[t] = self->column[n] = inverse_of(fmax(column_size(self, t), column_size(self, n)));
            changed = changed || self->column[t] > 0.0;
        }
    }
    for (int j = 0; j < problem->stresses; j++)
        if (self->column[j] == 0.0 && !limit_is_reaction(problem, j)) {
            self->column[j] = inverse_of(column_size(self, j));
            changed = changed || self->column[j] > 0.0;
        }
    return changed;
}

/* Moments and forces, equations of moments and of forces: entries of all are of size 1, whatever the unit of length. */
static bool find_scaling(scaling *self, carom_arena *arena)
{
    const carom_limit_problem *problem = self->problem;
    self->row = carom_arena_take(arena, (size_t)problem->equations, sizeof *self->row);
    self->column = carom_arena_take(arena, (size_t)problem->stresses, sizeof *self->column);
    if (!self->row || !self->column)
        return false;
    for (int i = 0; i < problem->equations; i++)
        self->row[i] = 0.0;
    for (int j = 0; j < problem->stresses; j++)
        self->column[j] = !limit_is_reaction(problem, j) && isfinite(problem->capacity[j]) ? 1.0 : 0.0;
    while (spread(self))
        ;
    for (int i = 0; i < problem->equations; i++)
        self->row[i] = self->row[i] > 0.0 ? self->row[i] : 1.0;
    for (int j = 0; j < problem->stresses; j++)
        self->column[j] = self->column[j] > 0.0 ? self->column[j] : 1.0;
    return true;
}

/* The problem in units in which CLP's absolute tolerances are relative ones; *unit: what its alpha is multiplied by. */
static bool divide(const carom_limit_problem *problem, carom_arena *arena, carom_limit_problem *divided,
                   double *unit)
{
    const size_t m = (size_t)problem->equations, n = (size_t)problem->stresses;
    scaling by = {.problem = problem};
    double *capacity = carom_arena_take(arena, n, sizeof *capacity);
    double *load = carom_arena_take(arena, m, sizeof *load);
    double *matrix = carom_arena_take(arena, carom_product(m, n), sizeof *matrix);
    if (!capacity || !load || !matrix || !find_scaling(&by, arena))
        return false;
    for (size_t i = 0; i < m; i++) {
        load[i] = by.row[i] * problem->load[i];
        for (size_t j = 0; j < n; j++)
            matrix[i * n + j] = by.row[i] * by.column[j] * problem->matrix[i * n + j];
    }
    memcpy(capacity, problem->capacity, n * sizeof *capacity);
    *divided = *problem;
    divided->matrix = matrix;
    divided->capacity = capacity;
    divided->load = load;
    const limit_units units = limit_units_of(divided);
    for (size_t j = 0; j < n; j++)
        capacity[j] /= units.stress;
    for (size_t i = 0; i < m; i++)
        load[i] /= units.load;
    *unit = units.stress / units.load;
    return true;
}

carom_status carom_limit_range_of(const carom_limit_problem *problem, const carom_limit_state *found,
                                  carom_limit_range *range, carom_error *error)
{
    const bool starts = found->converged && found->alpha > 0.0;
    const double start = starts ? found->alpha : NAN;
    *range = (carom_limit_range){.least = start, .greatest = start, .unique = starts, .exact = true};
    double associated = 0.0;
    carom_error why;
    if (problem->contacts == 0)
        return CAROM_OK;
    if (carom_limit_associated(problem, &associated, &why) != CAROM_OK) { /* unbounded */
        range->exact = range->unique = false;
        return CAROM_OK;
    }
    carom_arena *arena = carom_arena_create();
    carom_limit_problem divided;
    double unit = 1.0;
    range_search self = {.problem = &divided, .complete = true};
    if (!arena || !divide(problem, arena, &divided, &unit) || !take(&self, arena, &divided)) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    self.floor = least_share * associated / unit;
    range->trivial = has_trivial_state(&self);
    if (associated > no_load * found->history_alpha[0]) {
        find_ends(&self, start / unit, range);
        range->least *= unit;
        range->greatest *= unit;
    } else /* the bound says it all */
        *range = (carom_limit_range){.unique = true, .exact = true, .trivial = range->trivial};
    Clp_deleteModel(self.stresses);
    Clp_deleteModel(self.mechanism);
    carom_arena_free(arena);
    return CAROM_OK;
}
