/* The linear program over CLP's dual simplex method. Columns: stresses, then alpha; rows: C Q - alpha f = 0. */
#include "limit_program.h"

#include <Clp_C_Interface.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

/* CLP's bound for: none. */
static const double unbounded = DBL_MAX;

struct limit_program {
    const carom_limit_problem *problem;
    Clp_Simplex *lp;
    int alpha; /* column */
    limit_units units;
};

/* The power of two below a number; 1 for 0. */
static double power_below(double number)
{
    return number > 0.0 && isfinite(number) ? ldexp(1.0, ilogb(number)) : 1.0;
}

limit_units limit_units_of(const carom_limit_problem *problem)
{
    double capacity = 0.0, load = 0.0;
    for (int j = 0; j < problem->stresses; j++)
        if (!limit_is_reaction(problem, j) && isfinite(problem->capacity[j]))
            capacity = fmax(capacity, problem->capacity[j]);
    for (int i = 0; i < problem->equations; i++)
        load = fmax(load, fabs(problem->load[i]));
    return (limit_units){power_below(capacity > 0.0 ? capacity : load), power_below(load)};
}

bool limit_is_reaction(const carom_limit_problem *problem, int stress)
{
    for (int c = 0; c < problem->contacts; c++)
        if (problem->contact[c].tangent == stress || problem->contact[c].normal == stress)
            return true;
    return false;
}

static void bound_symmetric(Clp_Simplex *lp, int column, double radius)
{
    const double bound = isinf(radius) ? unbounded : radius;
    Clp_columnLower(lp)[column] = -bound;
    Clp_columnUpper(lp)[column] = bound;
}

static void add_columns(limit_program *program)
{
    const carom_limit_problem *problem = program->problem;
    Clp_resize(program->lp, 0, problem->stresses + 1);
    for (int j = 0; j < problem->stresses; j++)
        bound_symmetric(program->lp, j,
                        limit_is_reaction(problem, j) ? INFINITY
                                                      : problem->capacity[j] / program->units.stress);
    bound_symmetric(program->lp, program->alpha, INFINITY);
    Clp_setOptimizationDirection(program->lp, -1.0); /* maximise */
    Clp_objective(program->lp)[program->alpha] = 1.0;
}

static void add_row(limit_program *program, int count, const int *index, const double *value, double low)
{
    const int start[] = {0, count};
    const double zero = 0.0;
    Clp_addRows(program->lp, 1, &low, &zero, start, index, value);
}

/* index and value have room for all columns. */
static void add_equilibrium(limit_program *program, int *index, double *value)
{
    const carom_limit_problem *problem = program->problem;
    for (int i = 0; i < problem->equations; i++) {
        int count = 0;
        for (int j = 0; j <= problem->stresses; j++) {
            const double entry = j < problem->stresses ? problem->matrix[(ptrdiff_t)i * problem->stresses + j]
                                                       : -problem->load[i] / program->units.load;
            if (entry != 0.0) {
                index[count] = j;
                value[count++] = entry;
            }
        }
        add_row(program, count, index, value, 0.0);
    }
}

/* T - mu N <= 0 and -T - mu N <= 0 */
static void add_cones(limit_program *program)
{
    const carom_limit_problem *problem = program->problem;
    for (int c = 0; c < problem->contacts; c++) {
        const carom_limit_contact *contact = problem->contact + c;
        for (int side = 0; side < 2; side++)
            add_row(program, 2, (const int[]){contact->tangent, contact->normal},
                    (const double[]){side == 0 ? 1.0 : -1.0, -contact->mu}, -unbounded);
        Clp_columnLower(program->lp)[contact->normal] = 0.0;
    }
}

static Clp_Simplex *new_model(void)
{
    Clp_Simplex *lp = Clp_newModel();
    Clp_setLogLevel(lp, 0);
    Clp_scaling(lp, 0);
    Clp_setPrimalTolerance(lp, 1e-11);
    Clp_setDualTolerance(lp, 1e-11);
    return lp;
}

carom_status limit_program_create(const carom_limit_problem *problem, bool joint, limit_program **program,
                                  carom_error *error)
{
    const size_t columns = (size_t)problem->stresses + 1;
    limit_program *self = carom_new_array(1, sizeof *self);
    int *index = carom_new_array(columns, sizeof *index);
    double *value = carom_new_array(columns, sizeof *value);
    *program = NULL;
    if (self && index && value) {
        *self = (limit_program){problem, new_model(), problem->stresses, limit_units_of(problem)};
        add_columns(self);
        add_equilibrium(self, index, value);
        if (joint)
            add_cones(self);
        *program = self;
    } else {
        free(self);
    }
    free(index);
    free(value);
    return *program ? CAROM_OK : carom_fail_memory(error);
}

void limit_program_free(limit_program *program)
{
    if (program)
        Clp_deleteModel(program->lp);
    free(program);
}

void limit_program_bound_friction(limit_program *program, int contact, double radius)
{
    const carom_limit_contact *place = program->problem->contact + contact;
    bound_symmetric(program->lp, place->tangent, radius / program->units.stress);
    Clp_columnLower(program->lp)[place->normal] = 0.0;
}

void limit_program_price(limit_program *program, int stress, double price)
{
    Clp_objective(program->lp)[stress] = -price * program->units.load;
}

/* 1: the unit of stresses. */
static bool is_near(double value, double bound)
{
    return fabs(bound) < unbounded && fabs(value - bound) <= 1e-9 * fmax(1.0, fabs(bound));
}

/* A basic column or row at one of its bounds: another basis, and so another mechanism, gives the same alpha. */
static bool is_degenerate(const limit_program *program)
{
    enum {
        BASIC = 1
    };
    Clp_Simplex *lp = program->lp;
    const double *value = Clp_primalColumnSolution(lp);
    for (int j = 0; j < program->problem->stresses; j++)
        if (Clp_getColumnStatus(lp, j) == BASIC &&
            (is_near(value[j], Clp_columnLower(lp)[j]) || is_near(value[j], Clp_columnUpper(lp)[j])))
            return true;
    for (int i = 0; i < program->problem->equations; i++)
        if (Clp_getRowStatus(lp, i) == BASIC)
            return true;
    return false;
}

/* Row multipliers y satisfy 0 = 1 + f.y for the column of alpha: w = -y has unit power, and the reduced cost
 * of a stress is its rate (C^T w). */
static void read_solution(const limit_program *program, limit_solution *solution)
{
    const carom_limit_problem *problem = program->problem;
    const double *value = Clp_primalColumnSolution(program->lp);
    const double *multiplier = Clp_dualRowSolution(program->lp);
    solution->alpha = value[program->alpha] * (program->units.stress / program->units.load);
    solution->degenerate = is_degenerate(program);
    for (int j = 0; j < problem->stresses; j++)
        solution->stress[j] = value[j] * program->units.stress;
    for (int i = 0; i < problem->equations; i++)
        solution->mechanism[i] = -multiplier[i] / program->units.load;
}

carom_status limit_program_solve(limit_program *program, limit_solution *solution, carom_error *error)
{
    enum {
        OPTIMAL,
        INFEASIBLE,
        UNBOUNDED
    };
    /* bounds that moved leave the multipliers of the last basis feasible */
    Clp_dual(program->lp, 0);
    const int status = Clp_status(program->lp);
    if (status == UNBOUNDED)
        return carom_fail(error, CAROM_FAILED,
                          "the load factor is unbounded: the load does no work on any mechanism");
    if (status == INFEASIBLE)
        return carom_fail(error, CAROM_FAILED, "the load cannot be carried: no admissible stress");
    if (status != OPTIMAL)
        return carom_fail(error, CAROM_FAILED, "the simplex method ended without an optimum (code %d)",
                          status);
    read_solution(program, solution);
    return CAROM_OK;
}
