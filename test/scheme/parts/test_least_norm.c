/* Shortest solutions of systems whose rows depend on each other. */
#include "scheme/parts/least_norm.h"

#include "test/near.h"

enum {
    MOST = 6
};

static double number(unsigned *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return (double)(*seed >> 8) / 8388608.0 - 1.0;
}

/* A = L R of the given rank, b = A x: the solution solves, is not longer than x, and lies in the space of the rows. */
static void check(int n, int rank, unsigned seed)
{
    double L[MOST * MOST], R[MOST * MOST], A[MOST * MOST], kept[MOST * MOST], x[MOST], b[MOST],
        scratch[4 * MOST];
    double solved[MOST];
    int order[MOST];
    for (int i = 0; i < n * rank; i++) {
        L[i] = number(&seed);
        R[i] = number(&seed);
    }
    for (int i = 0; i < n; i++) {
        x[i] = number(&seed);
        for (int j = 0; j < n; j++) {
            A[i * n + j] = 0.0;
            for (int k = 0; k < rank; k++)
                A[i * n + j] += L[i * rank + k] * R[k * n + j];
            kept[i * n + j] = A[i * n + j];
        }
    }
    for (int i = 0; i < n; i++) {
        b[i] = 0.0;
        for (int j = 0; j < n; j++)
            b[i] += A[i * n + j] * x[j];
        solved[i] = b[i];
    }
    assert_int_equal(least_norm_solve(n, A, solved, 1e-11, order, scratch), rank);
    double length = 0.0, longer = 0.0, product = 0.0;
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        for (int j = 0; j < n; j++)
            sum += kept[i * n + j] * solved[j];
        assert_near(sum, b[i], 1e-12);
        length += solved[i] * solved[i];
        longer += x[i] * x[i];
        product += solved[i] * (x[i] - solved[i]); /* what is left lies in the null space */
    }
    assert_true(length <= longer + 1e-12);
    assert_near(product, 0.0, 1e-11);
}

static void solutions_are_shortest(void **unused)
{
    (void)unused;
    for (int n = 1; n <= MOST; n++)
        for (int rank = 1; rank <= n; rank++)
            for (unsigned seed = 1; seed <= 20; seed++)
                check(n, rank, seed + 100u * (unsigned)(n * MOST + rank));
}

static void known_ones(void **unused)
{
    (void)unused;
    double A[4] = {1.0, 2.0, 2.0, 4.0}, b[2] = {5.0, 10.0}, scratch[8];
    int order[2];
    assert_int_equal(least_norm_solve(2, A, b, 1e-11, order, scratch), 1);
    assert_near(b[0], 1.0, 1e-14);
    assert_near(b[1], 2.0, 1e-14);
    double zero[1] = {0.0}, c[1] = {0.0};
    assert_int_equal(least_norm_solve(1, zero, c, 1e-11, order, scratch), 0);
    assert_near(c[0], 0.0, 0.0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(solutions_are_shortest),
                                       cmocka_unit_test(known_ones)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
