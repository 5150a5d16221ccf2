/* Checks that every solver of FC(W, q, mu) must pass, and runs with default options. */
#ifndef CAROM_TEST_CONTACT_COULOMB_COULOMB_CHECKS_H
#define CAROM_TEST_CONTACT_COULOMB_COULOMB_CHECKS_H

#include <string.h>

#include "formula_problems.h"
#include "solve_with.h"

enum {
    MOST_NUMBERS = 30,
};

/* From r on, with limits of the caller. */
static inline carom_solve_report run_from(const carom_solver_ops *solver, const carom_coulomb *problem,
                                          const carom_solver_options *limits, double *r)
{
    const carom_solve_report report = solve_with(solver, problem, NULL, limits, r);
    /* never a success with a large error, and never an error of its own making */
    assert_true(report.word != CAROM_SOLVE_OK || report.error <= limits->tolerance);
    assert_true(report.error == carom_coulomb_error(problem, r));
    return report;
}

/* From zero. */
static inline carom_solve_report run(const carom_solver_ops *solver, const carom_coulomb *problem,
                                     double tolerance, int max_iterations, double *r)
{
    const carom_solver_options limits = {.tolerance = tolerance, .max_iterations = max_iterations};
    memset(r, 0, 3 * (size_t)problem->contacts * sizeof *r);
    return run_from(solver, problem, &limits, r);
}

/* 1/2 r.W r + q.r */
static inline double energy(const carom_coulomb *problem, const double *r)
{
    double u[MOST_NUMBERS];
    carom_blocks_multiply(&problem->W, r, NULL, u);
    const int size = 3 * problem->contacts;
    return 0.5 * carom_dot(size, r, u) + carom_dot(size, problem->q, r);
}

static inline double size_of_velocity(const carom_coulomb *problem, const double *r)
{
    double u[MOST_NUMBERS];
    carom_blocks_multiply(&problem->W, r, problem->q, u);
    return formula_norm(3 * problem->contacts, u);
}

/* The one solution of SYN36. */
static inline void solves_syn36(const carom_solver_ops *solver)
{
    static const double first[] = {234.270373003, 44.3266953974,  15.1805264015,
                                   47.0828175568, -11.8388758048, 7.70404267235};
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    double r[MOST_NUMBERS], normals = 0.0;
    assert_int_equal(run(solver, &problem, 1e-10, 0, r).word, CAROM_SOLVE_OK);
    for (int k = 0; k < 6; k++)
        assert_true(fabs(r[k] - first[k]) < 1e-4);
    for (int i = 0; i < problem.contacts; i++)
        normals += r[3 * i];
    assert_true(fabs(formula_norm(30, r) - 300.625153859) < 1e-4);
    assert_true(fabs(normals - 568.762154667) < 1e-4);
    assert_true(fabs(size_of_velocity(&problem, r) - 6.21438966183) < 1e-8);
    assert_true(fabs(energy(&problem, r) + 361.170889029) < 1e-6);
    carom_arena_free(arena);
}

/* DEF15, whose matrix is singular. */
static inline void solves_def15(const carom_solver_ops *solver)
{
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def15(arena);
    double r[MOST_NUMBERS];
    assert_int_equal(run(solver, &problem, 1e-10, 0, r).word, CAROM_SOLVE_OK);
    assert_true(fabs(formula_norm(24, r) - 0.22192323032) < 1e-7);
    assert_true(fabs(size_of_velocity(&problem, r) - 0.42105393535) < 1e-8);
    assert_true(fabs(energy(&problem, r) + 0.020360413617) < 1e-9);
    assert_true(fabs(r[3] - 0.087222766051) < 1e-7 && fabs(r[4] - 0.0062899806421) < 1e-7 &&
                fabs(r[5] - 0.025399589093) < 1e-7);
    carom_arena_free(arena);
}

/* DEF12 has two solutions, known by their energies. */
static inline void solves_def12(const carom_solver_ops *solver)
{
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_def12(arena);
    double r[MOST_NUMBERS];
    assert_int_equal(run(solver, &problem, 1e-9, 0, r).word, CAROM_SOLVE_OK);
    const double value = energy(&problem, r), velocity = size_of_velocity(&problem, r);
    const bool first = fabs(value + 0.253648142445) < 1e-8 && fabs(velocity - 0.155887287013) < 1e-7;
    const bool second = fabs(value + 0.26205506429) < 1e-8 && velocity < 1e-7;
    assert_true(first || second);
    carom_arena_free(arena);
}

static const int one_start[] = {0, 1}, one_column[] = {0}, one_diagonal[] = {0};

static inline carom_coulomb one_contact(const double *W, const double *q, const double *mu)
{
    return (carom_coulomb){1, {1, one_start, one_column, one_diagonal, W}, q, mu};
}

/* One contact that sticks, slides, opens; a symmetric and an unsymmetric matrix. */
static inline void solves_one_contact(const carom_solver_ops *solver)
{
    static const double half[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5},
                        Ws[9] = {2, .3, -.2, .3, 1.5, .4, -.2, .4, 1},
                        Wu[9] = {2, .9, -.7, -.4, 1.5, .8, .6, -.9, 1};
    static const struct {
        const double *W;
        double q[3], mu, r[3];
    } cases[] = {
        {half, {-2, .3, -.4}, .3, {4, -.6, .8}},
        {half, {-2, 3, -4}, .3, {4, -.72, .96}},
        {half, {.1, 3, -4}, .3, {0, 0, 0}},
        {half, {-2, 3, -4}, 0, {4, 0, 0}},
        {Ws, {-1, .2, .1}, .6, {0.5535858178888, -0.27639000805802, 0.12127316680097}},
        {Ws, {-1, 2, 1}, .6, {0.53288979080066, -0.29744929407866, -0.11727603311142}},
        {Wu, {-1, 2, 1}, .6, {0.52165089895697, -0.2207159259297, -0.22191790774684}},
        {Wu, {-1, -2, .5}, 1, {0.33109294109353, 0.32459995348163, -0.065248799542107}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        const carom_coulomb problem = one_contact(cases[k].W, cases[k].q, &cases[k].mu);
        double r[3];
        assert_int_equal(run(solver, &problem, 1e-9, 0, r).word, CAROM_SOLVE_OK);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(r[i] - cases[k].r[i]) < 1e-7);
    }
}

/* Without friction SYN36 is a linear complementarity problem in the normals. */
static inline void solves_without_friction(const carom_solver_ops *solver)
{
    carom_arena *arena = carom_arena_create();
    carom_coulomb problem = formula_syn36(arena);
    static const double none[10] = {0};
    double r[MOST_NUMBERS];
    problem.mu = none;
    assert_int_equal(run(solver, &problem, 1e-9, 0, r).word, CAROM_SOLVE_OK);
    for (int i = 0; i < problem.contacts; i++) {
        double u[3];
        carom_blocks_row(&problem.W, i, r, problem.q, u);
        assert_true(r[3 * i] >= 0.0 && r[3 * i + 1] == 0.0 && r[3 * i + 2] == 0.0);
        assert_true(u[0] > -1e-8 && fabs(fmin(r[3 * i], u[0])) < 1e-8);
    }
    carom_arena_free(arena);
}

/* q = 0 has the solution 0 whatever the start; a number that is none is no success. */
static inline void takes_odd_input(const carom_solver_ops *solver)
{
    static const double half[9] = {.5, 0, 0, 0, .5, 0, 0, 0, .5}, mu = .3, zero[3] = {0};
    static const double q[3] = {-2, 3, -4}, bad_q[3] = {-2, NAN, -4},
                        bad_W[9] = {INFINITY, 0, 0, 0, 1, 0, 0, 0, 1};
    const carom_solver_options limits = {.tolerance = 1e-9, .max_iterations = 50};
    const carom_coulomb still = one_contact(half, zero, &mu), no_number = one_contact(half, bad_q, &mu),
                        no_matrix = one_contact(bad_W, q, &mu), well = one_contact(half, q, &mu);
    double r[3] = {1, 2, 3};
    assert_int_equal(run_from(solver, &still, &limits, r).word, CAROM_SOLVE_OK);
    assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    assert_int_not_equal(run(solver, &no_number, 1e-9, 50, r).word, CAROM_SOLVE_OK);
    assert_int_not_equal(run(solver, &no_matrix, 1e-9, 50, r).word, CAROM_SOLVE_OK);
    assert_true(carom_all_finite(3, r));
    double solution[3] = {4, -.72, .96};
    const carom_solve_report report = run_from(solver, &well, &limits, solution);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_int_equal(report.iterations, 0);
}

/* SYN-INF has no solution: the solver ends, and says that it did not find one. */
static inline void ends_without_solution(const carom_solver_ops *solver, int max_iterations)
{
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn_inf(arena);
    double r[MOST_NUMBERS];
    const carom_solve_report report = run(solver, &problem, 1e-6, max_iterations, r);
    assert_int_not_equal(report.word, CAROM_SOLVE_OK);
    assert_true(report.error > 0.1 && carom_all_finite(MOST_NUMBERS, r));
    carom_arena_free(arena);
}

/* A limit of time ends a solver. */
static inline void ends_in_time(const carom_solver_ops *solver)
{
    carom_arena *arena = carom_arena_create();
    const carom_coulomb problem = formula_syn36(arena);
    const carom_solver_options limits = {.tolerance = 1e-12, .max_seconds = 1e-9};
    double r[MOST_NUMBERS] = {0};
    assert_int_equal(run_from(solver, &problem, &limits, r).word, CAROM_SOLVE_TIME);
    carom_arena_free(arena);
}

#endif
