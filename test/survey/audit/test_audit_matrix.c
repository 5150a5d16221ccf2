#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>

#include "impact_systems.h"
#include "survey/audit/impact_audit.h"

enum {
    SIZE_MAX_TESTED = 20
};

static bool is_copositive(int n, const double *matrix)
{
    carom_error error;
    bool copositive;
    assert_int_equal(audit_copositive(n, matrix, 1, &copositive, &error), CAROM_OK);
    return copositive;
}

/* Two by two: a, c >= 0 and b >= -sqrt(a c). */
static void pairs_follow_the_closed_form(void **state)
{
    (void)state;
    carom_random random = {2};
    for (int i = 0; i < 500; i++) {
        const double a = carom_random_uniform(&random, -0.3, 1.0),
                     b = carom_random_uniform(&random, -1.0, 1.0);
        const double c = carom_random_uniform(&random, -0.3, 1.0);
        const double matrix[] = {a, b, b, c};
        const bool expected = a >= 0.0 && c >= 0.0 && b >= -sqrt(a * c);
        assert_true(is_copositive(2, matrix) == expected);
    }
    /* singular ones on the edge */
    const double edge[] = {1, -1, -1, 1}, zero[] = {0, 0, 0, 0}, beyond[] = {0, -1e-4, -1e-4, 1};
    assert_true(is_copositive(2, edge) && is_copositive(2, zero) && !is_copositive(2, beyond));
}

/* Horn's matrix: copositive, though neither semidefinite nor a sum of such a one and a nonnegative one. With
 * further unknowns beside it, and a little off the diagonal. */
static void fill_horn(int n, double off, double *matrix)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            const int apart = (i - j + 5) % 5;
            double entry = i == j ? 1.0 : 0.0;
            if (i < 5 && j < 5)
                entry = apart == 1 || apart == 4 ? -1.0 : 1.0;
            matrix[i * n + j] = entry - (i == j ? off : 0.0);
        }
}

static void horns_matrix_is_copositive(void **state)
{
    (void)state;
    double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
    const int sizes[] = {5, 12, 13, SIZE_MAX_TESTED}; /* by all subsets, and by samples */
    for (int k = 0; k < 4; k++) {
        fill_horn(sizes[k], 0.0, matrix);
        assert_true(is_copositive(sizes[k], matrix));
        fill_horn(sizes[k], -0.1, matrix);
        assert_true(is_copositive(sizes[k], matrix));
        fill_horn(sizes[k], 0.01, matrix); /* x = (1, 1, 0, ...) gives -0.02 */
        assert_false(is_copositive(sizes[k], matrix));
    }
    double smallest;
    carom_error error;
    fill_horn(5, 0.0, matrix);
    assert_int_equal(audit_smallest_eigenvalue(5, matrix, &smallest, &error), CAROM_OK);
    assert_true(fabs(smallest - (1.0 - sqrt(5.0))) <= 1e-14); /* 1 - 2 cos(2 pi k/5) + 2 cos(4 pi k/5) */
}

/* What only three unknowns together break: 1 on the diagonal, -0.6 off it, x = (1, 1, 1) gives 3 - 3.6. */
static void triples_are_looked_at(void **state)
{
    (void)state;
    double matrix[SIZE_MAX_TESTED * SIZE_MAX_TESTED];
    const int sizes[] = {3, 12, 13, SIZE_MAX_TESTED};
    for (int k = 0; k < 4; k++) {
        const int n = sizes[k];
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    matrix[i * n + j] = i == j ? 1.0 : i < 3 && j < 3 ? (sign < 0 ? -0.6 : -0.4) : 0.0;
            assert_true(is_copositive(n, matrix) == (sign > 0));
        }
    }
}

static void the_matrix_is_that_of_the_system(void **state)
{
    (void)state;
    impact_system s;
    carom_error error;
    audit_system system;
    carom_arena *arena = carom_arena_create();
    make_block(&s, 0.7, 0.2);
    assert_int_equal(audit_system_make(&s.impact, arena, &system, &error), CAROM_OK);
    double matrix[4];
    audit_fill_matrix(&system, NULL, matrix);
    const double expected[] = {0.82 * 0.51, 0.18 * 0.86, 0.18 * 0.86, 0.82 * 0.96};
    for (int i = 0; i < 4; i++)
        assert_true(fabs(matrix[i] - expected[i]) <= 1e-15);
    audit_fill_matrix(&system, system.scale, matrix);
    for (int i = 0; i < 4; i++)
        assert_true(fabs(matrix[i] - expected[i] / 0.82) <= 1e-15);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pairs_follow_the_closed_form),
        cmocka_unit_test(horns_matrix_is_copositive),
        cmocka_unit_test(triples_are_looked_at),
        cmocka_unit_test(the_matrix_is_that_of_the_system),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
