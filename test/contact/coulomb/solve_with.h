/* One problem by one solver, with its options as one number per entry of its table; NULL: their defaults. */
#ifndef CAROM_TEST_CONTACT_COULOMB_SOLVE_WITH_H
#define CAROM_TEST_CONTACT_COULOMB_SOLVE_WITH_H

#include "contact/solvers.h"

static inline carom_solve_report solve_with(const carom_solver_ops *solver, const carom_coulomb *problem,
                                            const double *value, const carom_solver_options *limits,
                                            double *r)
{
    enum {
        MOST = 32
    };
    carom_option option[MOST + 1] = {{0}};
    carom_solver_options options = *limits;
    carom_solve_report report;
    assert_true(solver && solver->option_count <= MOST);
    for (int i = 0; value && i < solver->option_count; i++)
        option[i] = (carom_option){solver->options[i].name, value[i], NULL};
    options.option = option;
    assert_int_equal(carom_coulomb_solve(solver, problem, &options, r, &report, NULL), CAROM_OK);
    return report;
}

#endif
