/* What Newton's, Moreau's and Poisson's laws guarantee, on random impacts: complementarity, energy, momentum,
 * non-expansion, idempotence, scaling, and that numbering and units mean nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_impact.h"

static const carom_impact_law_ops *const laws[] = {&carom_impact_moreau, &carom_impact_newton,
                                                   &carom_impact_poisson};

/* x.G x */
static double square(int c, const double *g, const double *x)
{
    double sum = 0.0;
    for (int i = 0; i < c; i++)
        sum += x[i] * carom_dot(c, g + i * c, x);
    return sum;
}

/* How much rounding grows with this impact: impulses against velocities. */
static double size_of(const outcome *out, int c)
{
    return 1.0 + carom_largest(c, out->p) + carom_largest(c, out->before);
}

static void assert_proved(const sample *s, const outcome *out)
{
    const double size = size_of(out, s->c);
    if (out->status != CAROM_OK)
        fail_msg("%s", out->error.text);
    assert_true(out->r.word == CAROM_IMPACT_OK || out->r.word == CAROM_IMPACT_NONE);
    assert_true(out->r.kinetic);
    assert_true(out->r.imbalance <= 1e-12);
    const double change = out->r.energy_after - out->r.energy_before;
    assert_true(fabs(change - out->r.work) <= 1e-12 * size * size);
    for (int k = 0; k < s->c; k++)
        assert_true(out->p[k] >= 0.0);
}

/* Newton: 0 <= p _|_ gamma+ + E gamma- >= 0. */
static void assert_newton(const sample *s, const outcome *out)
{
    const double tolerance = 1e-11 * size_of(out, s->c);
    for (int k = 0; k < s->c; k++) {
        const double xi = out->after[k] + s->e[k] * out->before[k];
        assert_true(xi >= -tolerance && fmin(out->p[k], fabs(xi)) <= tolerance);
    }
}

/* Poisson: 0 <= p_C _|_ gamma_C >= 0 and 0 <= p - (1 + E) p_C _|_ gamma+ >= 0. */
static void assert_poisson(const sample *s, const double *g, const outcome *out)
{
    const double tolerance = 1e-11 * size_of(out, s->c);
    for (int k = 0; k < s->c; k++) {
        const double gamma = out->before[k] + carom_dot(s->c, g + k * s->c, out->compression),
                     more = out->p[k] - (1 + s->e[k]) * out->compression[k];
        assert_true(out->compression[k] >= 0.0 && gamma >= -tolerance);
        assert_true(fmin(out->compression[k], fabs(gamma)) <= tolerance);
        assert_true(more >= -tolerance && out->after[k] >= -tolerance);
        assert_true(fmin(fabs(more), fabs(out->after[k])) <= tolerance);
    }
}

/* ---- energy -------------------------------------------------------------------------------------------- */

/* Newton, one restitution: dT = -(1 - e^2)/2 |p_C|^2; any: -(1/2) x.(G - E G E) x, x = p / (1 + e). Poisson:
 * ( |E p_C|^2 - |p_C|^2 - |y|^2 ) / 2, y = p - (1 + E) p_C; in the norm of G. */
static void energy_identities(void **state)
{
    (void)state;
    carom_random random = {41};
    for (int k = 0; k < 3000; k++) {
        const int c = 1 + k % 3;
        const bool global = k % 2;
        const sample s = random_sample(&random, c + 1, c, global);
        const outcome newton = run(&s, &carom_impact_newton), poisson = run(&s, &carom_impact_poisson);
        double g[9], x[3], ex[3], y[3], ep[3];
        sample_delassus(&s, g);
        assert_proved(&s, &newton);
        assert_proved(&s, &poisson);
        assert_newton(&s, &newton);
        assert_poisson(&s, g, &poisson);
        for (int i = 0; i < c; i++) {
            x[i] = newton.p[i] / (1 + s.e[i]);
            ex[i] = s.e[i] * x[i];
            ep[i] = s.e[i] * poisson.compression[i];
            y[i] = poisson.p[i] - poisson.compression[i] - ep[i];
        }
        const double size = size_of(&newton, c) + size_of(&poisson, c), tolerance = 1e-11 * size * size;
        const double of_newton = newton.r.energy_after - newton.r.energy_before,
                     of_poisson = poisson.r.energy_after - poisson.r.energy_before;
        assert_true(fabs(of_newton + (square(c, g, x) - square(c, g, ex)) / 2) <= tolerance);
        assert_true(
            fabs(of_poisson - (square(c, g, ep) - square(c, g, poisson.compression) - square(c, g, y)) / 2) <=
            tolerance);
        if (global)
            assert_true(fabs(of_newton + (1 - s.e[0] * s.e[0]) / 2 * square(c, g, poisson.compression)) <=
                        tolerance);
        /* never created: Poisson always, Newton with one restitution */
        assert_true(of_poisson <= 1e-12 * poisson.r.energy_before && poisson.r.energetic &&
                    poisson.r.kinematic);
        if (global)
            assert_true(of_newton <= 1e-12 * newton.r.energy_before && newton.r.energetic);
        assert_int_equal(newton.r.energetic, of_newton <= 1e-10 * newton.r.energy_before);
    }
}

/* Newton, any restitutions: energy is never created when no contact separates before. */
static void approaching_contacts_never_gain(void **state)
{
    (void)state;
    carom_random random = {43};
    int seen = 0;
    for (int k = 0; k < 6000; k++) {
        const int c = 1 + k % 3;
        const sample s = random_sample(&random, c + 1, c, k % 2);
        const outcome newton = run(&s, &carom_impact_newton);
        bool approach = true;
        for (int i = 0; i < c; i++)
            approach = approach && newton.before[i] <= 0.0;
        if (!approach)
            continue;
        seen++;
        assert_true(newton.r.energetic && newton.r.kinematic);
        if (k % 2 == 0)
            continue;
        /* one restitution: Newton = Poisson = Moreau */
        const outcome poisson = run(&s, &carom_impact_poisson), moreau = run(&s, &carom_impact_moreau);
        const double tolerance = 1e-11 * size_of(&newton, c);
        assert_true(largest_difference(c + 1, newton.v, poisson.v) <= tolerance);
        assert_true(largest_difference(c + 1, newton.v, moreau.v) == 0.0);
    }
    assert_true(seen > 1000);
}

/* |u_a - u_b| does not grow in the kinetic metric (and so |gamma| in G^-1), one restitution. */
static void one_restitution_does_not_expand(void **state)
{
    (void)state;
    carom_random random = {47};
    for (int k = 0; k < 3000; k++) {
        const int c = 1 + k % 3, n = c + 1;
        const sample a = random_sample(&random, n, c, true);
        sample b = a;
        const double near = k % 2 ? 1.0 : 1e-2;
        double before = 0.0;
        for (int i = 0; i < n; i++) {
            b.v[i] += near * random_normal(&random);
            before += (a.v[i] - b.v[i]) * (a.v[i] - b.v[i]);
        }
        for (int law = 0; law < 3; law++) {
            const outcome at_a = run(&a, laws[law]), at_b = run(&b, laws[law]);
            double after = 0.0;
            for (int i = 0; i < n; i++)
                after += (at_a.v[i] - at_b.v[i]) * (at_a.v[i] - at_b.v[i]);
            assert_true(sqrt(after) <= sqrt(before) * (1 + 1e-9));
        }
    }
}

/* ---- redundancy ---------------------------------------------------------------------------------------- */

/* More contacts than coordinates, and directions that are given twice: conditions hold all the same. */
static void redundant_contacts_hold_the_conditions(void **state)
{
    (void)state;
    carom_random random = {53};
    int solved = 0, infeasible = 0, smallest = 0;
    for (int k = 0; k < 3000; k++) {
        const int n = 1 + k % 4, c = n + 1 + k % 5;
        sample s = random_sample(&random, n, c, k % 3 == 0);
        for (int i = 0; k % 2 && i < n; i++)
            s.w[i * c + c - 1] = s.w[i * c]; /* twice */
        double g[SAMPLE_MOST * SAMPLE_MOST];
        sample_delassus(&s, g);
        const outcome newton = run(&s, &carom_impact_newton), poisson = run(&s, &carom_impact_poisson);
        if (newton.r.word == CAROM_IMPACT_INFEASIBLE) {
            assert_true(k % 3 != 0); /* one restitution: v+ = -e v- is always there */
            infeasible++;
        } else {
            assert_proved(&s, &newton);
            assert_newton(&s, &newton);
            solved++;
        }
        assert_proved(&s, &poisson);
        assert_poisson(&s, g, &poisson);
        assert_true(poisson.r.energetic && poisson.r.kinematic);
        smallest += (poisson.r.notes & CAROM_IMPACT_MINIMUM) != 0;
        if (poisson.r.word == CAROM_IMPACT_OK)
            assert_true(poisson.r.notes & CAROM_IMPACT_REDUNDANT);
    }
    assert_true(solved > 1500 && infeasible > 100 && smallest > 100);
}

/* One coordinate: w_k dv >= -b_k, b = (1 + e) gamma, is an interval of dv, empty or not. */
static void infeasible_means_that_there_is_no_velocity(void **state)
{
    (void)state;
    carom_random random = {55};
    int empty = 0;
    for (int k = 0; k < 3000; k++) {
        const int c = 2 + k % 5;
        const sample s = random_sample(&random, 1, c, false);
        const outcome out = run(&s, &carom_impact_newton);
        double low = -INFINITY, high = INFINITY;
        for (int i = 0; i < c; i++) {
            const double bound = -(1 + s.e[i]) * out.before[i] / s.w[i];
            low = s.w[i] > 0 ? fmax(low, bound) : low;
            high = s.w[i] < 0 ? fmin(high, bound) : high;
        }
        if (fabs(high - low) < 1e-3 || out.r.word == CAROM_IMPACT_NONE)
            continue;
        assert_int_equal(out.r.word, low > high ? CAROM_IMPACT_INFEASIBLE : CAROM_IMPACT_OK);
        empty += low > high;
    }
    assert_true(empty > 500);
}

/* The smallest compression: no smaller one along impulses that change nothing. For a direction given k times
 * the impulse is shared out equally. */
static void equal_contacts_share_the_compression(void **state)
{
    (void)state;
    for (int c = 2; c <= 8; c++) {
        sample s = {.n = 2, .c = c + 1, .masses = {1, 1}, .v = {-1, -1}};
        double restitution = 0.0;
        for (int k = 0; k < c; k++) {
            s.w[k] = 1.0;
            s.e[k] = k / 10.0;
            restitution += s.e[k] / c;
        }
        s.w[s.c + c] = 1.0;
        s.e[c] = .9;
        const outcome out = run(&s, &carom_impact_poisson);
        assert_true(out.r.notes & CAROM_IMPACT_MINIMUM);
        for (int k = 0; k < c; k++)
            assert_true(fabs(out.compression[k] - 1.0 / c) < 1e-14);
        assert_true(fabs(out.v[0] - restitution) < 1e-14 && fabs(out.v[1] - .9) < 1e-14);
    }
}

/* ---- idempotence, scale, numbering, units -------------------------------------------------------------- */

static void a_second_impact_does_nothing(void **state)
{
    (void)state;
    carom_random random = {59};
    for (int k = 0; k < 600; k++) {
        const int c = 1 + k % 4;
        sample s = random_sample(&random, c + 1, c, true);
        const outcome first = run(&s, &carom_impact_poisson);
        memcpy(s.v, first.v, sizeof s.v);
        for (int law = 0; law < 3; law++) {
            const outcome second = run(&s, laws[law]);
            assert_true(largest_difference(c + 1, second.v, first.v) <= 1e-11 * size_of(&first, c));
        }
    }
    /* nothing approaches: nothing at all changes, and the word says so */
    sample apart = {.n = 2, .c = 1, .masses = {1, 1}, .w = {-1, 1}, .v = {.1, .7}, .e = {.5}};
    for (int law = 0; law < 3; law++) {
        const outcome out = run(&apart, laws[law]);
        assert_int_equal(out.r.word, CAROM_IMPACT_NONE);
        assert_string_equal(carom_impact_word_text(out.r.word), "no-impact");
        assert_true(out.v[0] == .1 && out.v[1] == .7 && out.p[0] == 0.0);
        assert_true(out.r.kinematic && out.r.kinetic && out.r.energetic && out.r.work == 0.0);
    }
}

static void velocities_scale(void **state)
{
    (void)state;
    carom_random random = {61};
    for (int k = 0; k < 500; k++) {
        const int c = 1 + k % 4, n = c + 1;
        const double factor = pow(10, carom_random_uniform(&random, -6, 6));
        const sample s = random_sample(&random, n, c, true);
        sample scaled = s;
        for (int i = 0; i < n; i++)
            scaled.v[i] *= factor;
        for (int law = 0; law < 3; law++) {
            const outcome out = run(&s, laws[law]), other = run(&scaled, laws[law]);
            for (int i = 0; i < n; i++)
                assert_true(fabs(other.v[i] / factor - out.v[i]) <= 1e-11 * size_of(&out, c));
        }
    }
}

/* Contacts and coordinates in another order: the same velocities and impulses in that order. */
static void numbering_means_nothing(void **state)
{
    (void)state;
    carom_random random = {67};
    for (int k = 0; k < 500; k++) {
        const int c = 2 + k % 4, n = c + 1 + k % 2, turn_c = 1 + k % (c - 1), turn_n = 1 + k % (n - 1);
        const sample s = random_sample(&random, n, c, false);
        sample other = s;
        for (int i = 0; i < n; i++) {
            const int ball = (i + turn_n) % n;
            other.v[i] = s.v[ball];
            for (int j = 0; j < c; j++)
                other.w[i * c + j] = s.w[ball * c + (j + turn_c) % c];
        }
        for (int j = 0; j < c; j++)
            other.e[j] = s.e[(j + turn_c) % c];
        for (int law = 1; law < 3; law++) {
            const outcome a = run(&s, laws[law]), b = run(&other, laws[law]);
            const double tolerance = 1e-11 * size_of(&a, c);
            for (int i = 0; i < n; i++)
                assert_true(fabs(b.v[i] - a.v[(i + turn_n) % n]) <= tolerance);
            for (int j = 0; j < c; j++)
                assert_true(fabs(b.p[j] - a.p[(j + turn_c) % c]) <= tolerance * 100);
        }
    }
}

/* Other units of mass, length and time, and of single coordinates and gaps (angles): q_i = a_i q'_i,
 * g'_k = b_k g_k. The same physical impact, flags and words. */
static void units_mean_nothing(void **state)
{
    (void)state;
    carom_random random = {71};
    for (int k = 0; k < 500; k++) {
        const int c = 1 + k % 4, n = c + 1;
        sample s = random_sample(&random, n, c, false);
        random_mass(&random, &s);
        sample other = s;
        double coordinate[SAMPLE_MOST], gap[SAMPLE_MOST];
        const double mass = pow(10, carom_random_uniform(&random, -9, 9)),
                     speed = pow(10, carom_random_uniform(&random, -6, 6));
        for (int i = 0; i < n; i++)
            coordinate[i] = pow(10, carom_random_uniform(&random, -3, 3));
        for (int j = 0; j < c; j++)
            gap[j] = pow(10, carom_random_uniform(&random, -3, 3));
        for (int i = 0; i < n; i++) {
            other.v[i] = s.v[i] / coordinate[i] * speed;
            for (int j = 0; j < n; j++)
                other.mass[i * n + j] = s.mass[i * n + j] * coordinate[i] * coordinate[j] * mass;
            for (int j = 0; j < c; j++)
                other.w[i * c + j] = s.w[i * c + j] * coordinate[i] * gap[j];
        }
        for (int law = 1; law < 3; law++) {
            const outcome a = run(&s, laws[law]), b = run(&other, laws[law]);
            const double tolerance = 1e-9 * size_of(&a, c);
            assert_int_equal(a.r.word, b.r.word);
            for (int i = 0; i < n; i++)
                assert_true(fabs(b.v[i] * coordinate[i] / speed - a.v[i]) <= tolerance);
            for (int j = 0; j < c; j++)
                assert_true(fabs(b.p[j] * gap[j] / speed / mass - a.p[j]) <= tolerance * 100);
            assert_int_equal(a.r.energetic, b.r.energetic);
        }
    }
}

/* A constant velocity on top of a free chain, even a large one, changes nothing but itself. */
static void galilean_shift(void **state)
{
    (void)state;
    const double m[] = {1, 2, .5, 3}, v[] = {1, .2, .1, -1}, e[] = {.7, .7, .7};
    const double shift[] = {1, 1e3, 1e8};
    const sample s = chain_of(4, false, m, v, e);
    for (int law = 0; law < 3; law++)
        for (int k = 0; k < 3; k++) {
            sample moved = s;
            for (int i = 0; i < 4; i++)
                moved.v[i] += shift[k];
            const outcome a = run(&s, laws[law]), b = run(&moved, laws[law]);
            for (int i = 0; i < 4; i++)
                assert_true(fabs(b.v[i] - shift[k] - a.v[i]) <= 1e-15 * (1 + 10 * shift[k]));
            assert_true(b.r.kinematic && b.r.kinetic && b.r.energetic);
            assert_int_equal(b.r.word, CAROM_IMPACT_OK);
        }
}

/* The chain from the other side. */
static void mirror(void **state)
{
    (void)state;
    carom_random random = {73};
    for (int k = 0; k < 200; k++) {
        double m[6], v[6], e[5], mm[6], mv[6], me[5];
        for (int i = 0; i < 6; i++) {
            mm[5 - i] = m[i] = carom_random_uniform(&random, .1, 4);
            v[i] = random_normal(&random);
            mv[5 - i] = -v[i];
        }
        for (int j = 0; j < 5; j++)
            me[4 - j] = e[j] = carom_random_uniform(&random, 0, 1);
        const sample s = chain_of(6, false, m, v, e), t = chain_of(6, false, mm, mv, me);
        for (int law = 1; law < 3; law++) {
            const outcome a = run(&s, laws[law]), b = run(&t, laws[law]);
            for (int i = 0; i < 6; i++)
                assert_true(fabs(a.v[i] + b.v[5 - i]) < 1e-13);
            for (int j = 0; j < 5; j++)
                assert_true(fabs(a.p[j] - b.p[4 - j]) < 1e-13);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(energy_identities),
        cmocka_unit_test(approaching_contacts_never_gain),
        cmocka_unit_test(one_restitution_does_not_expand),
        cmocka_unit_test(redundant_contacts_hold_the_conditions),
        cmocka_unit_test(infeasible_means_that_there_is_no_velocity),
        cmocka_unit_test(equal_contacts_share_the_compression),
        cmocka_unit_test(a_second_impact_does_nothing),
        cmocka_unit_test(velocities_scale),
        cmocka_unit_test(numbering_means_nothing),
        cmocka_unit_test(units_mean_nothing),
        cmocka_unit_test(galilean_shift),
        cmocka_unit_test(mirror),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
