/* A hundred thousand random impacts: momentum to rounding, energy never created by the laws that promise it
 * (Moreau's; Newton's with one restitution; Poisson's; binary collisions; LZB to its tolerance). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_impact.h"

enum {
    PER_LAW = 25000,
    OF_LZB = 600,
    COORDINATES = 6
};

/* A chain, with or without a wall, or any directions; masses over two decades. */
static sample any_sample(carom_random *random, bool one_restitution)
{
    sample s = {.n = 2 + (int)carom_random_uniform(random, 0, COORDINATES - 1.001)};
    const bool chain = carom_random_uniform(random, 0, 1) < 0.5;
    s.c = 1 + (int)carom_random_uniform(random, 0, s.n - 0.001);
    for (int i = 0; i < s.n; i++) {
        s.masses[i] = pow(10.0, carom_random_uniform(random, -1, 1));
        s.v[i] = carom_random_uniform(random, -1, 1);
    }
    for (int j = 0; j < s.c; j++) {
        s.e[j] = one_restitution && j > 0 ? s.e[0] : carom_random_uniform(random, 0, 1);
        for (int i = 0; i < s.n; i++)
            s.w[i * s.c + j] = chain ? (i == j + 1) - (i == j) : carom_random_uniform(random, -1, 1);
    }
    return s;
}

/* A work is kept for all samples: sizes are upper bounds. */
static void strike(const char *name, int samples, bool one_restitution, double energy_tolerance, bool ends)
{
    carom_random random = {2026};
    carom_error error = {0};
    const carom_impact_law_ops *law = carom_impact_law_find(name, &error);
    assert_non_null(law);
    const carom_impact_sizes sizes = {.coordinates = COORDINATES, .contacts = COORDINATES};
    carom_impact_work *work = NULL;
    assert_int_equal(carom_impact_work_create(law, &sizes, &work, &error), CAROM_OK);
    carom_impact_options options = carom_impact_defaults();
    options.max_collisions = 200;
    int ended = 0;
    for (int k = 0; k < samples; k++) {
        const sample s = any_sample(&random, one_restitution);
        int start[COORDINATES + 1], row[COORDINATES * COORDINATES];
        double value[COORDINATES * COORDINATES], v[COORDINATES], p[COORDINATES];
        carom_impact_columns(s.n, s.c, s.w, start, row, value);
        const carom_impact impact = {.coordinates = s.n,
                                     .contacts = s.c,
                                     .masses = s.masses,
                                     .column_start = start,
                                     .row = row,
                                     .value = value,
                                     .velocity = s.v,
                                     .restitution = s.e};
        carom_impact_result r = {.velocity = v, .impulse = p};
        if (carom_impact_solve(work, &impact, &options, &r, &error) != CAROM_OK)
            fail_msg("%s, sample %d: %s", name, k, error.text);
        ended += r.word == CAROM_IMPACT_OK || r.word == CAROM_IMPACT_NONE;
        assert_true(r.kinetic);
        double size = 1.0;
        for (int j = 0; j < s.c; j++)
            size = fmax(size, p[j]);
        assert_true(r.imbalance <= 1e-11 * size);
        if (!(r.energy_after <= r.energy_before * (1 + energy_tolerance)))
            fail_msg("%s, sample %d: energy %.17g -> %.17g (%s)", name, k, r.energy_before, r.energy_after,
                     carom_impact_word_text(r.word));
    }
    carom_impact_work_free(work);
    assert_true(!ends || ended == samples); /* binary collisions need not end */
}

static void moreau(void **state)
{
    (void)state;
    strike("moreau", PER_LAW, true, 1e-12, true);
}

static void newton(void **state)
{
    (void)state;
    strike("newton", PER_LAW, true, 1e-12, true);
}

static void poisson(void **state)
{
    (void)state;
    strike("poisson", PER_LAW, false, 1e-12, true);
}

static void binary(void **state)
{
    (void)state;
    strike("binary", PER_LAW, false, 1e-12, false);
}

static void lzb(void **state)
{
    (void)state;
    strike("lzb", OF_LZB, false, 1e-8, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moreau), cmocka_unit_test(newton), cmocka_unit_test(poisson),
        cmocka_unit_test(binary), cmocka_unit_test(lzb),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
