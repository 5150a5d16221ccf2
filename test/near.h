/* Numbers that must agree, for all tests; what is not a number never agrees. */
#ifndef CAROM_TEST_NEAR_H
#define CAROM_TEST_NEAR_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

static inline void near_at(const char *what, double value, double expected, double tolerance,
                           const char *file, int line)
{
    if (fabs(value - expected) <= tolerance)
        return;
    print_error("%s = %.17g, expected %.17g within %.3g, off by %.3g\n", what, value, expected, tolerance,
                value - expected);
    _fail(file, line);
}

/* Relative to |expected| or `least`, whichever is larger. */
static inline void relative_at(const char *what, double value, double expected, double least,
                               double tolerance, const char *file, int line)
{
    near_at(what, value, expected, tolerance * fmax(least, fabs(expected)), file, line);
}

static inline void all_near_at(int count, const double *value, const double *expected, double tolerance,
                               const char *file, int line)
{
    for (int i = 0; i < count; i++) {
        char place[40];
        snprintf(place, sizeof place, "number %d", i);
        near_at(place, value[i], expected[i], tolerance, file, line);
    }
}

#define assert_near(value, expected, tolerance)                                                              \
    near_at(#value, value, expected, tolerance, __FILE__, __LINE__)

/* count, value, expected, tolerance: so many numbers of two arrays, which may be compound literals. */
#define assert_all_near(...) all_near_at(__VA_ARGS__, __FILE__, __LINE__)

/* Relative tolerances; the second one relative to numbers above 1 only. */
#define assert_relative(value, expected, tolerance)                                                          \
    relative_at(#value, value, expected, 0.0, tolerance, __FILE__, __LINE__)
#define assert_near_or_relative(value, expected, tolerance)                                                  \
    relative_at(#value, value, expected, 1.0, tolerance, __FILE__, __LINE__)

#endif
