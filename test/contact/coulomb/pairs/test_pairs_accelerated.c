/* Accelerated sweeps over contacts between pairs of bodies: they end where sweeps end, sooner, and give back the best. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/pairs/pairs_accelerated.h"
#include "sample_piles.h"
#include "test/near.h"

typedef struct swept {
    pile pile;
    pairs_rows rows;
    pairs_sweep sweeps;
    pairs_accelerated accelerated;
    double r[3 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
    double error;
} swept;

static void begin(swept *s, uint64_t seed, bool plane, int layers, double mu)
{
    make_pile(&s->pile, seed, plane, layers, mu);
    assert_true(pairs_rows_take(&s->rows, &s->pile.problem, carom_pairs_scale(&s->pile.problem)));
    assert_true(pairs_sweep_take(&s->sweeps, &s->rows));
    assert_true(pairs_accelerated_take(&s->accelerated, &s->rows));
    memset(s->r, 0, sizeof s->r);
    pairs_rows_motion(&s->rows, s->r, s->v);
    s->error = pairs_rows_error(&s->rows, s->r, s->v);
}

static void end(swept *s)
{
    pairs_accelerated_free(&s->accelerated);
    pairs_sweep_free(&s->sweeps);
    pairs_rows_free(&s->rows);
}

/* What is told is the error of what is given back. */
static void expect_consistent(const swept *s)
{
    static double v[6 * (PILE_BODIES + 1)];
    pairs_rows_motion(&s->rows, s->r, v);
    for (int i = 0; i < s->rows.s * s->rows.bodies; i++)
        assert_true(s->v[i] == v[i]);
    assert_true(fabs(pairs_rows_error(&s->rows, s->r, v) - s->error) <= 1e-12 * (1.0 + s->error));
}

static int plain_sweeps(swept *s, double tolerance)
{
    int count = 0;
    while (s->error > tolerance && count < 20000) {
        pairs_sweep_once(&s->sweeps, false, s->r, s->v);
        s->error = pairs_rows_error(&s->rows, s->r, s->v);
        count++;
    }
    return count;
}

/* With much friction they may stall, as sweeps need not: Newton's method is for these. */
static void sooner_than_plain_ones(void **state)
{
    (void)state;
    static swept s;
    const double tolerance = 1e-9;
    const pairs_accelerated_limits limits = {.tolerance = tolerance, .most = 20000};
    int plain = 0, accelerated = 0;
    for (int k = 0; k < 6; k++) {
        begin(&s, 20 + (uint64_t)k, k % 2 == 0, 10, k < 3 ? 0.1 : 0.2);
        plain += plain_sweeps(&s, tolerance);
        assert_true(s.error <= tolerance);
        begin(&s, 20 + (uint64_t)k, k % 2 == 0, 10, k < 3 ? 0.1 : 0.2);
        const int own = pairs_accelerated_run(&s.accelerated, &s.sweeps, &limits, s.r, s.v, &s.error);
        accelerated += own;
        assert_true(s.error <= tolerance);
        expect_consistent(&s);
    }
    print_message("%d sweeps, %d with acceleration\n", plain, accelerated);
    assert_true(2 * accelerated < plain);
    end(&s);
}

static void few_are_no_harm(void **state)
{
    (void)state;
    static swept s;
    for (int most = 0; most < 4; most++) {
        begin(&s, 3, false, 8, 0.3);
        const double before = s.error;
        const pairs_accelerated_limits limits = {.tolerance = 1e-12, .most = most};
        assert_int_equal(pairs_accelerated_run(&s.accelerated, &s.sweeps, &limits, s.r, s.v, &s.error), most);
        assert_true(s.error <= before);
        expect_consistent(&s);
    }
    end(&s);
}

/* A tolerance that no sweep reaches within the limit is given up after a look or three. */
static void what_does_not_promise_ends(void **state)
{
    (void)state;
    static swept s;
    begin(&s, 3, false, 12, 0.9);
    const pairs_accelerated_limits limits = {.tolerance = 1e-300, .most = 1000};
    assert_true(pairs_accelerated_run(&s.accelerated, &s.sweeps, &limits, s.r, s.v, &s.error) <= 100);
    expect_consistent(&s);
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sooner_than_plain_ones),
        cmocka_unit_test(few_are_no_harm),
        cmocka_unit_test(what_does_not_promise_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
