/* Joints in impacts: closed forms, the same body in coordinates that need no joint, random systems against the
 * projected matrix by its definition, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_impact.h"

typedef struct jointed {
    outcome out;
    double reaction[SAMPLE_MOST];
} jointed;

static jointed run_jointed(const sample *s, int joints, const double *rows, const carom_impact_law_ops *law)
{
    int start[SAMPLE_MOST + 1], row[SAMPLE_MOST * SAMPLE_MOST];
    double value[SAMPLE_MOST * SAMPLE_MOST];
    jointed j = {0};
    carom_impact_columns(s->n, s->c, s->w, start, row, value);
    const carom_impact impact = {.coordinates = s->n,
                                 .contacts = s->c,
                                 .mass = s->full ? s->mass : NULL,
                                 .masses = s->full ? NULL : s->masses,
                                 .column_start = start,
                                 .row = row,
                                 .value = value,
                                 .velocity = s->v,
                                 .restitution = s->e,
                                 .joints = joints,
                                 .joint = rows};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_work *work = NULL;
    j.out.status = carom_impact_work_create(law, &sizes, &work, &j.out.error);
    carom_impact_result r = {.velocity = j.out.v, .impulse = j.out.p, .reaction = j.reaction};
    if (j.out.status == CAROM_OK)
        j.out.status = carom_impact_solve(work, &impact, NULL, &r, &j.out.error);
    carom_impact_work_free(work);
    j.out.r = r;
    j.out.r.velocity = j.out.r.impulse = j.out.r.reaction = NULL; /* they would point into a copy */
    return j;
}

static void assert_proven(const jointed *j)
{
    if (j->out.status != CAROM_OK)
        fail_msg("%s", j->out.error.text);
    assert_int_equal(j->out.r.word, CAROM_IMPACT_OK);
    assert_true(j->out.r.imbalance <= 1e-14 && j->out.r.slippage <= 1e-14);
    assert_true(j->out.r.kinetic && j->out.r.kinematic);
}

/* Masses m1, m2 on a rod along u = (cos a, sin a); the first strikes the floor with speed 1:
 *
 *   G = (1 - sin^2 a m2 / (m1 + m2)) / m1,   p = (1 + e) / G,   lambda = sin a p m2 / (m1 + m2). */
static void rod_strikes_floor(void **state)
{
    (void)state;
    static const carom_impact_law_ops *const law[] = {&carom_impact_moreau, &carom_impact_newton,
                                                      &carom_impact_poisson, &carom_impact_binary,
                                                      &carom_impact_lzb};
    const double m1 = 2.0, m2 = 3.0, a = 0.5, e = 0.5, share = m2 / (m1 + m2);
    const double rod[] = {-cos(a), -sin(a), cos(a), sin(a)};
    const sample s = {.n = 4,
                      .c = 1,
                      .masses = {m1, m1, m2, m2},
                      .w = {0.0, 1.0, 0.0, 0.0},
                      .v = {0.0, -1.0, 0.0, -1.0},
                      .e = {e}};
    const double p = (1.0 + e) * m1 / (1.0 - sin(a) * sin(a) * share), lambda = sin(a) * p * share;
    const double after[] = {-cos(a) * lambda / m1, e, cos(a) * lambda / m2, -1.0 + sin(a) * lambda / m2};
    for (size_t k = 0; k < sizeof law / sizeof *law; k++) {
        const jointed j = run_jointed(&s, 1, rod, law[k]);
        const double allowed = law[k] == &carom_impact_lzb ? 1e-9 : 1e-14;
        assert_proven(&j);
        assert_true(fabs(j.out.p[0] - p) <= 4.0 * allowed && fabs(j.reaction[0] - lambda) <= 4.0 * allowed);
        assert_true(largest_difference(4, j.out.v, after) <= 4.0 * allowed);
        assert_true(fabs(j.out.r.energy_after - j.out.r.energy_before - j.out.r.work) <= 1e-13);
        assert_true(j.out.r.energetic);
    }
}

/* A bar on two corners as two masses and a rod, and as (x, y, angle): both corners strike a floor at y = 0 with
 * different speeds. Masses m at the ends of length 2: total 2 m, inertia 2 m. */
static void bar_in_two_descriptions(void **state)
{
    (void)state;
    const double m = 1.5, rod[] = {-1.0, 0.0, 1.0, 0.0}, e = 0.3;
    const sample ends = {.n = 4,
                         .c = 2,
                         .masses = {m, m, m, m},
                         .w = {0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0},
                         .v = {0.7, -1.0, 0.7, -0.2},
                         .e = {e, e}};
    const sample body = {.n = 3,
                         .c = 2,
                         .masses = {2.0 * m, 2.0 * m, 2.0 * m},
                         .w = {0.0, 0.0, 1.0, 1.0, -1.0, 1.0},
                         .v = {0.7, -0.6, 0.4},
                         .e = {e, e}};
    const jointed j = run_jointed(&ends, 1, rod, &carom_impact_moreau);
    const outcome b = run(&body, &carom_impact_moreau);
    assert_proven(&j);
    assert_true(largest_difference(2, j.out.p, b.p) <= 1e-14);
    const double v[] = {b.v[0], b.v[1] - b.v[2], b.v[0], b.v[1] + b.v[2]};
    assert_true(largest_difference(4, j.out.v, v) <= 1e-14);
    assert_true(fabs(j.reaction[0]) <= 1e-15); /* it lies flat */
}

/* G p = gamma+ - gamma- with G = W^T (M^-1 - M^-1 J^T (J M^-1 J^T)^-1 J M^-1) W for one and two joints. */
static void random_systems(void **state)
{
    (void)state;
    carom_random random = {7};
    for (int trial = 0; trial < 200; trial++) {
        const int joints = 1 + trial % 3;
        double rows[3 * SAMPLE_MOST];
        sample s = random_sample(&random, 8, 3, true);
        if (trial % 2)
            random_mass(&random, &s);
        for (int k = 0; k < joints * s.n; k++)
            rows[k] = random_normal(&random);
        const jointed j = run_jointed(&s, joints, rows, &carom_impact_moreau);
        if (j.out.status == CAROM_OK && j.out.r.word == CAROM_IMPACT_NONE)
            continue;
        if (j.out.status != CAROM_OK)
            fail_msg("trial %d: %s", trial, j.out.error.text);
        assert_int_equal(j.out.r.word, CAROM_IMPACT_OK);
        assert_true(j.out.r.imbalance <= 1e-13 && j.out.r.slippage <= 1e-13);
        for (int c = 0; c < s.c; c++) /* Newton's law where there is an impulse */
            if (j.out.p[c] > 1e-9)
                assert_true(fabs(sample_gamma(&s, c, j.out.v) + s.e[c] * sample_gamma(&s, c, s.v)) <= 1e-11);
        for (int k = 0; k < joints; k++) /* what the velocity was along the joints it stays */
            assert_true(fabs(carom_dot(s.n, rows + k * s.n, j.out.v) - carom_dot(s.n, rows + k * s.n, s.v)) <=
                        1e-12);
    }
}

static void refusals(void **state)
{
    (void)state;
    const sample s = {.n = 2, .c = 1, .masses = {1.0, 1.0}, .w = {0.0, 1.0}, .v = {0.0, -1.0}, .e = {0.5}};
    const double twice[] = {1.0, 0.0, 2.0, 0.0}, holds[] = {0.0, 3.0}, none[] = {0.0, 0.0},
                 broken[] = {NAN, 0.0};
    jointed j = run_jointed(&s, 2, twice, &carom_impact_moreau);
    assert_int_equal(j.out.status, CAROM_BAD_INPUT);
    assert_non_null(strstr(j.out.error.text, "joint 2 depends on those before"));
    j = run_jointed(&s, 1, holds, &carom_impact_moreau);
    assert_int_equal(j.out.status, CAROM_BAD_INPUT);
    assert_non_null(strstr(j.out.error.text, "the joints hold contact 1"));
    j = run_jointed(&s, 1, none, &carom_impact_moreau);
    assert_non_null(strstr(j.out.error.text, "direction of joint 1 is zero"));
    j = run_jointed(&s, 1, broken, &carom_impact_moreau);
    assert_non_null(strstr(j.out.error.text, "direction of joint 1 is nan at coordinate 1"));
    j = run_jointed(&s, 3, twice, &carom_impact_moreau);
    assert_non_null(strstr(j.out.error.text, "with 3 joints: there can be one per coordinate"));
    j = run_jointed(&s, 1, NULL, &carom_impact_moreau);
    assert_non_null(strstr(j.out.error.text, "without rows"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rod_strikes_floor),
        cmocka_unit_test(bar_in_two_descriptions),
        cmocka_unit_test(random_systems),
        cmocka_unit_test(refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
