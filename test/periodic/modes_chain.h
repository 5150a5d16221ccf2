/* For tests: the chain of n masses that stands for the unit bar, m = 1 / n, k = n, u_n <= 1. */
#ifndef CAROM_TEST_PERIODIC_MODES_CHAIN_H
#define CAROM_TEST_PERIODIC_MODES_CHAIN_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "carom/periodic.h"
#include "test/near.h"

static inline void expect_ok_at(carom_status status, const carom_error *error, const char *file, int line)
{
    if (status == CAROM_OK)
        return;
    print_error("%s\n", error->text);
    _fail(file, line);
}
#define expect_ok(status, error) expect_ok_at((status), (error), __FILE__, __LINE__)

static inline carom_mode_basis *chain_basis(int n)
{
    const size_t size = (size_t)n * (size_t)n;
    double *mass = calloc(size, sizeof *mass), *stiffness = calloc(size, sizeof *stiffness);
    double *direction = calloc((size_t)n, sizeof *direction);
    carom_mode_chain(n, 1.0 / n, n, mass, stiffness, direction);
    const carom_mode_system system = {
        .dof = n, .mass = mass, .stiffness = stiffness, .direction = direction, .clearance = 1.0};
    carom_mode_basis *basis = NULL;
    carom_error error = {0};
    expect_ok(carom_mode_basis_create(&system, &basis, &error), &error);
    free(mass);
    free(stiffness);
    free(direction);
    return basis;
}

static inline carom_mode *one_impact(const carom_mode_basis *basis, double period)
{
    carom_mode *mode = NULL;
    carom_error error = {0};
    expect_ok(carom_mode_one_impact(basis, period, &mode, &error), &error);
    return mode;
}

static inline double largest_multiplier(const carom_mode *mode)
{
    double largest = NAN;
    carom_error error = {0};
    expect_ok(carom_mode_multipliers(mode, NULL, NULL, &largest, &error), &error);
    return largest;
}

#endif
