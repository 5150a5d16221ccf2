/* The linear program over GLPK's simplex method. Columns: stresses, then alpha; rows: C Q - alpha f = 0. */
#include "limit_program.h"

#include <glpk.h>
#include <math.h>
#include <stdlib.h>

struct frame_program {
    const carom_limit_problem *problem;
    glp_prob *lp;
    int alpha; /* column, from 1 */
};

bool frame_is_reaction(const carom_limit_problem *problem, int stress)
{
    for (int c = 0; c < problem->contacts; c++)
        if (problem->contact[c].tangent == stress || problem->contact[c].normal == stress)
            return true;
    return false;
}

static void bound_symmetric(glp_prob *lp, int column, double radius)
{
    if (isinf(radius))
        glp_set_col_bnds(lp, column, GLP_FR, 0.0, 0.0);
    else if (radius > 0.0)
        glp_set_col_bnds(lp, column, GLP_DB, -radius, radius);
    else
        glp_set_col_bnds(lp, column, GLP_FX, 0.0, 0.0);
}

static void add_columns(frame_program *program)
{
    const carom_limit_problem *problem = program->problem;
    glp_add_cols(program->lp, problem->stresses + 1);
    for (int j = 0; j < problem->stresses; j++)
        bound_symmetric(program->lp, j + 1, frame_is_reaction(problem, j) ? INFINITY : problem->capacity[j]);
    glp_set_col_bnds(program->lp, program->alpha, GLP_FR, 0.0, 0.0);
    glp_set_obj_dir(program->lp, GLP_MAX);
    glp_set_obj_coef(program->lp, program->alpha, 1.0);
}

/* index and value have room for all columns, from 1. */
static void add_equilibrium(frame_program *program, int *index, double *value)
{
    const carom_limit_problem *problem = program->problem;
    glp_add_rows(program->lp, problem->equations);
    for (int i = 0; i < problem->equations; i++) {
        int count = 0;
        for (int j = 0; j <= problem->stresses; j++) {
            const double entry = j < problem->stresses ? problem->matrix[(ptrdiff_t)i * problem->stresses + j]
                                                       : -problem->load[i];
            if (entry != 0.0) {
                index[++count] = j + 1;
                value[count] = entry;
            }
        }
        glp_set_mat_row(program->lp, i + 1, count, index, value);
        glp_set_row_bnds(program->lp, i + 1, GLP_FX, 0.0, 0.0);
    }
}

/* T - mu N <= 0 and -T - mu N <= 0 */
static void add_cones(frame_program *program)
{
    const carom_limit_problem *problem = program->problem;
    for (int c = 0; c < problem->contacts; c++) {
        const carom_limit_contact *contact = problem->contact + c;
        const int first = glp_add_rows(program->lp, 2);
        for (int side = 0; side < 2; side++) {
            const int index[] = {0, contact->tangent + 1, contact->normal + 1};
            const double value[] = {0.0, side == 0 ? 1.0 : -1.0, -contact->mu};
            glp_set_mat_row(program->lp, first + side, 2, index, value);
            glp_set_row_bnds(program->lp, first + side, GLP_UP, 0.0, 0.0);
        }
        glp_set_col_bnds(program->lp, contact->normal + 1, GLP_LO, 0.0, 0.0);
    }
}

carom_status frame_program_create(const carom_limit_problem *problem, bool joint, frame_program **program,
                                  carom_error *error)
{
    const size_t columns = (size_t)problem->stresses + 2;
    frame_program *self = carom_new_array(1, sizeof *self);
    int *index = carom_new_array(columns, sizeof *index);
    double *value = carom_new_array(columns, sizeof *value);
    *program = NULL;
    if (self && index && value) {
        *self = (frame_program){problem, glp_create_prob(), problem->stresses + 1};
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

void frame_program_free(frame_program *program)
{
    if (program)
        glp_delete_prob(program->lp);
    free(program);
}

void frame_program_bound_friction(frame_program *program, int contact, double radius)
{
    const carom_limit_contact *place = program->problem->contact + contact;
    bound_symmetric(program->lp, place->tangent + 1, radius);
    glp_set_col_bnds(program->lp, place->normal + 1, GLP_LO, 0.0, 0.0);
}

void frame_program_price(frame_program *program, int stress, double price)
{
    glp_set_obj_coef(program->lp, stress + 1, -price);
}

/* A basic column at one of its bounds: another basis, and so another mechanism, gives the same alpha. */
static bool is_at_bound(glp_prob *lp, int column)
{
    const int type = glp_get_col_type(lp, column);
    if (glp_get_col_stat(lp, column) != GLP_BS || type == GLP_FR)
        return false;
    const double value = glp_get_col_prim(lp, column), low = glp_get_col_lb(lp, column);
    const bool at_low = fabs(value - low) <= 1e-9 * fmax(1.0, fabs(low));
    if (type == GLP_LO)
        return at_low;
    const double high = glp_get_col_ub(lp, column);
    return at_low || fabs(value - high) <= 1e-9 * fmax(1.0, fabs(high));
}

/* Row multipliers y satisfy 0 = 1 + f.y for the column of alpha: w = -y has unit power, and the reduced cost
 * of a stress is its rate (C^T w). */
static void read_solution(const frame_program *program, frame_solution *solution)
{
    const carom_limit_problem *problem = program->problem;
    solution->alpha = glp_get_col_prim(program->lp, program->alpha);
    solution->degenerate = false;
    for (int j = 0; j < problem->stresses; j++) {
        solution->stress[j] = glp_get_col_prim(program->lp, j + 1);
        solution->degenerate = solution->degenerate || is_at_bound(program->lp, j + 1);
    }
    for (int i = 0; i < problem->equations; i++)
        solution->mechanism[i] = -glp_get_row_dual(program->lp, i + 1);
}

carom_status frame_program_solve(frame_program *program, frame_solution *solution, carom_error *error)
{
    glp_smcp options;
    glp_init_smcp(&options);
    options.msg_lev = GLP_MSG_OFF;
    options.tol_bnd = options.tol_dj = 1e-11;
    const int ended = glp_simplex(program->lp, &options);
    const int status = glp_get_status(program->lp);
    if (status == GLP_UNBND)
        return carom_fail(error, CAROM_FAILED,
                          "the load factor is unbounded: the load does no work on any mechanism");
    if (status == GLP_NOFEAS || status == GLP_INFEAS)
        return carom_fail(error, CAROM_FAILED, "the load cannot be carried: no admissible stress");
    if (ended != 0 || status != GLP_OPT)
        return carom_fail(error, CAROM_FAILED, "the simplex method ended without an optimum (code %d)",
                          ended);
    read_solution(program, solution);
    return CAROM_OK;
}
