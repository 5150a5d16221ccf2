/* Numbers that must agree, for all tests: absolute tolerances, and what is not a number never agrees. */
#ifndef CAROM_TEST_NEAR_H
#define CAROM_TEST_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static inline void near_at(double value, double expected, double tolerance, const char *file, int line)
{
    if (fabs(value - expected) <= tolerance)
        return;
    print_error("%.17g instead of %.17g: the difference %g is above %g\n", value, expected,
                fabs(value - expected), tolerance);
    _fail(file, line);
}

#define assert_near(value, expected, tolerance) near_at(value, expected, tolerance, __FILE__, __LINE__)

#endif
