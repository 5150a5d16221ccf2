/* Chains of balls, short and long: closed forms for any masses (Nguyen and Brogliato 2018, Propositions 1 to
 * 3 generalised), the projection of any velocities by pooling neighbours, and systems that are sparse but no
 * chains. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>

#include "sample_impact.h"

/* ---- short ones ---------------------------------------------------------------------------------------- */

static void assert_chain(int balls, bool wall, const double *m, const double *v, double e,
                         const double *after, const double *impulse)
{
    const carom_impact_law_ops *laws[] = {&carom_impact_moreau, &carom_impact_newton, &carom_impact_poisson};
    double restitution[SAMPLE_MOST];
    for (int j = 0; j < SAMPLE_MOST; j++)
        restitution[j] = e;
    const sample s = chain_of(balls, wall, m, v, restitution);
    for (int k = 0; k < 3; k++) {
        const outcome out = run(&s, laws[k]);
        assert_int_equal(out.status, CAROM_OK);
        assert_int_equal(out.r.word, CAROM_IMPACT_OK);
        assert_true(largest_difference(balls, out.v, after) < 1e-14);
        assert_true(largest_difference(s.c, out.p, impulse) < 2e-14);
        assert_true(out.r.kinematic && out.r.kinetic && out.r.energetic);
    }
}

static void reference_values(void **state)
{
    (void)state;
    const double m1[] = {1, 2, 3, 4}, v1[] = {1, 0, 0, 0}, a1[] = {-.53, .17, .17, .17},
                 p1[] = {1.53, 1.19, .68};
    assert_chain(4, false, m1, v1, .7, a1, p1);
    const double v2[] = {1, 0, 0, -1}, a2[] = {-.5, 0, 0, .5}, p2[] = {1.5, 1.5, 1.5};
    assert_chain(4, false, NULL, v2, .5, a2, p2);
    const double v3[] = {1, 1, 0, 0}, a3[] = {0, 0, 1, 1}, p3[] = {1, 2, 1};
    assert_chain(4, false, NULL, v3, 1, a3, p3);
    const double m4[] = {2, 1, 1, 3, 1}, v4[] = {1, .5, 0, 0, -.25},
                 a4[] = {-.29375, .10625, .50625, .50625, .70625}, p4[] = {2.5875, 2.98125, 2.475, .95625};
    assert_chain(5, false, m4, v4, .8, a4, p4);
    const double v5[] = {1, 1, 1, 1, 1}, a5[] = {-.5, -.5, -.5, -.5, -.5}, p5[] = {1.5, 3, 4.5, 6, 7.5};
    assert_chain(5, true, NULL, v5, .5, a5, p5);
}

static void two_balls_have_one_outcome(void **state)
{
    (void)state;
    const double m[] = {1.5, .4}, v[] = {2, -1};
    for (int k = 0; k <= 10; k++) {
        const double e = k / 10.0, p = (1 + e) * 3 / (1 / m[0] + 1 / m[1]);
        const double after[] = {v[0] - p / m[0], v[1] + p / m[1]};
        assert_chain(2, false, m, v, e, after, &p);
    }
}

/* ---- long ones ----------------------------------------------------------------------------------------- */

typedef struct long_chain {
    int n, c;
    double *masses, *v, *e, *value, *after, *impulse, *wanted, *wanted_impulse;
    int *start, *row;
    carom_impact impact;
    carom_impact_result result;
} long_chain;

/* first_wall: a further contact, before all others, stops ball 1 on its left. */
static long_chain make_chain(int n, bool first_wall, bool last_wall)
{
    long_chain chain = {.n = n, .c = n - 1 + first_wall + last_wall};
    const size_t balls = (size_t)n, contacts = (size_t)chain.c;
    double *all = calloc(4 * balls + 5 * contacts, sizeof *all);
    assert_non_null(all);
    chain.masses = all;
    chain.v = all + balls;
    chain.after = chain.v + balls;
    chain.wanted = chain.after + balls;
    chain.e = chain.wanted + balls;
    chain.impulse = chain.e + contacts;
    chain.wanted_impulse = chain.impulse + contacts;
    chain.value = chain.wanted_impulse + contacts;
    chain.start = calloc(3 * contacts + 1, sizeof *chain.start);
    assert_non_null(chain.start);
    chain.row = chain.start + contacts + 1;
    int place = 0;
    for (int j = 0; j < chain.c; j++) {
        const int left = j - first_wall;
        chain.start[j] = place;
        if (left >= 0) {
            chain.row[place] = left;
            chain.value[place++] = -1.0;
        }
        if (left + 1 < n) {
            chain.row[place] = left + 1;
            chain.value[place++] = 1.0;
        }
    }
    chain.start[chain.c] = place;
    for (int i = 0; i < n; i++)
        chain.masses[i] = 1.0;
    chain.impact = (carom_impact){.coordinates = n,
                                  .contacts = chain.c,
                                  .masses = chain.masses,
                                  .column_start = chain.start,
                                  .row = chain.row,
                                  .value = chain.value,
                                  .velocity = chain.v,
                                  .restitution = chain.e};
    chain.result = (carom_impact_result){.velocity = chain.after, .impulse = chain.impulse};
    return chain;
}

static void free_chain(long_chain *chain)
{
    free(chain->masses);
    free(chain->start);
}

static void random_masses(long_chain *chain, uint64_t seed)
{
    carom_random random = {seed};
    for (int i = 0; i < chain->n; i++)
        chain->masses[i] = pow(10.0, carom_random_uniform(&random, -1.0, 1.0));
}

static void set_restitution(long_chain *chain, double e)
{
    for (int j = 0; j < chain->c; j++)
        chain->e[j] = e;
}

static void solve(long_chain *chain, const carom_impact_law_ops *law)
{
    const carom_impact_options options = carom_impact_defaults();
    const carom_impact_sizes sizes = carom_impact_sizes_of(&chain->impact);
    carom_impact_work *work = NULL;
    carom_error error = {0};
    assert_true(sizes.couplings <= 4 * chain->n);
    assert_int_equal(carom_impact_work_create(law, &sizes, &work, &error), CAROM_OK);
    if (carom_impact_solve(work, &chain->impact, &options, &chain->result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_impact_work_free(work);
}

/* Entry by entry, relative to the entry that is wanted. */
static double worst_relative(int n, const double *a, const double *wanted)
{
    double worst = 0.0;
    for (int i = 0; i < n; i++)
        worst = fmax(worst, fabs(a[i] - wanted[i]) / fabs(wanted[i]));
    return worst;
}

/* lambda_i = (1+e) v m_1 (sum_{k>i} m_k) / M, v_1 = v (m_1 - e (M - m_1)) / M, v_i = (1+e) v m_1 / M. Sums in
 * long double. */
static void want_closed_form(long_chain *chain, double e)
{
    const int n = chain->n;
    const long double v = (long double)chain->v[0], m1 = (long double)chain->masses[0],
                      f = 1.0L + (long double)e;
    long double rest = 0.0L;
    for (int i = n - 1; i > 0; i--) {
        rest += (long double)chain->masses[i];
        chain->wanted_impulse[i - 1] = (double)rest; /* scaled below */
    }
    const long double total = rest + m1;
    for (int j = 0; j < n - 1; j++)
        chain->wanted_impulse[j] = (double)(f * v * m1 * (long double)chain->wanted_impulse[j] / total);
    for (int i = 1; i < n; i++)
        chain->wanted[i] = (double)(f * v * m1 / total);
    chain->wanted[0] = (double)(v * (m1 - (long double)e * rest) / total);
}

static void a_struck_chain_has_a_closed_form(void **state)
{
    (void)state;
    const int sizes[] = {3, 10, 499, 1000, 10000};
    const carom_impact_law_ops *laws[] = {&carom_impact_moreau, &carom_impact_newton, &carom_impact_poisson};
    for (int k = 0; k < 5; k++)
        for (int equal = 0; equal < 2; equal++)
            for (int law = 0; law < 3; law++) {
                long_chain chain = make_chain(sizes[k], false, false);
                if (!equal)
                    random_masses(&chain, 7);
                set_restitution(&chain, .7);
                chain.v[0] = 2;
                want_closed_form(&chain, .7);
                solve(&chain, laws[law]);
                const double velocity = worst_relative(chain.n, chain.after, chain.wanted),
                             impulse = worst_relative(chain.c, chain.impulse, chain.wanted_impulse);
                if (!(velocity < 1e-10 && impulse < 1e-10))
                    fail_msg("%d balls, %s: velocities %g, impulses %g off", chain.n, laws[law]->name,
                             velocity, impulse);
                assert_int_equal(chain.result.word, CAROM_IMPACT_OK);
                assert_int_equal(chain.result.notes, 0);
                assert_true(chain.result.kinetic && chain.result.energetic && chain.result.kinematic);
                assert_true(chain.result.imbalance < 1e-15);
                free_chain(&chain);
            }
}

/* Impulses are kept in 53 bits: where large ones nearly balance, that is the error of the velocity. */
static void assert_to_rounding(const long_chain *chain)
{
    const double largest = carom_largest(chain->c, chain->impulse);
    for (int i = 0; i < chain->n; i++)
        assert_true(fabs(chain->after[i] - chain->wanted[i]) < 1e-14 + 1e-15 * largest / chain->masses[i]);
}

/* All balls at v towards a wall: v+ = -e v, lambda_i = (1+e) v sum_{k<=i} m_k. */
static void a_chain_on_a_wall_turns_round(void **state)
{
    (void)state;
    long_chain chain = make_chain(10000, false, true);
    long double sum = 0.0L;
    random_masses(&chain, 3);
    set_restitution(&chain, .3);
    for (int i = 0; i < chain.n; i++) {
        sum += (long double)chain.masses[i];
        chain.v[i] = 1.5;
        chain.wanted[i] = -.3 * 1.5;
        chain.wanted_impulse[i] = (double)(1.3L * 1.5L * sum);
    }
    solve(&chain, &carom_impact_moreau);
    assert_int_equal(chain.result.word, CAROM_IMPACT_OK);
    assert_true(chain.result.kinematic && chain.result.kinetic && chain.result.energetic);
    assert_true(worst_relative(chain.c, chain.impulse, chain.wanted_impulse) < 1e-13);
    assert_to_rounding(&chain);
    free_chain(&chain);
}

static void a_hundred_thousand_contacts(void **state)
{
    (void)state;
    long_chain chain = make_chain(100001, false, false);
    random_masses(&chain, 11);
    set_restitution(&chain, 1);
    chain.v[0] = 1;
    want_closed_form(&chain, 1);
    solve(&chain, &carom_impact_moreau);
    assert_int_equal(chain.result.word, CAROM_IMPACT_OK);
    assert_true(worst_relative(chain.c, chain.impulse, chain.wanted_impulse) < 1e-9);
    assert_true(fabs(chain.result.energy_after / chain.result.energy_before - 1) < 1e-12);
    free_chain(&chain);
}

/* The nearest velocities with v_1 <= v_2 <= ... in the metric of the masses: neighbours that approach move on
 * with their common velocity (pooling). An independent way to the projection on the admissible cone. */
static void pool(int n, const double *masses, const double *v, double *pooled)
{
    double *mass = calloc(3 * (size_t)n, sizeof *mass), *momentum = mass + n, *count = momentum + n;
    assert_non_null(mass);
    int groups = 0;
    for (int i = 0; i < n; i++) {
        mass[groups] = masses[i];
        momentum[groups] = masses[i] * v[i];
        count[groups++] = 1;
        while (groups > 1 &&
               momentum[groups - 2] / mass[groups - 2] > momentum[groups - 1] / mass[groups - 1]) {
            groups--;
            mass[groups - 1] += mass[groups];
            momentum[groups - 1] += momentum[groups];
            count[groups - 1] += count[groups];
        }
    }
    for (int g = 0, i = 0; g < groups; g++)
        for (int k = 0; k < (int)count[g]; k++)
            pooled[i++] = momentum[g] / mass[g];
    free(mass);
}

/* v+ = -e v + (1+e) proj(v) for Newton and Moreau, proj(that) for Poisson. */
static void any_velocities_of_a_chain(void **state)
{
    (void)state;
    const int sizes[] = {2, 5, 40, 700, 10000};
    carom_random random = {5};
    for (int k = 0; k < 20; k++) {
        long_chain chain = make_chain(sizes[k % 5], false, false);
        const double e = carom_random_uniform(&random, 0, 1), trend = carom_random_uniform(&random, -2, 2);
        random_masses(&chain, (uint64_t)k);
        set_restitution(&chain, e);
        for (int i = 0; i < chain.n; i++)
            chain.v[i] = random_normal(&random) + trend * i / chain.n;
        pool(chain.n, chain.masses, chain.v, chain.wanted);
        for (int i = 0; i < chain.n; i++)
            chain.wanted[i] = (1 + e) * chain.wanted[i] - e * chain.v[i];
        solve(&chain, &carom_impact_newton);
        assert_to_rounding(&chain);
        pool(chain.n, chain.masses, chain.wanted, chain.wanted);
        solve(&chain, &carom_impact_poisson);
        assert_to_rounding(&chain);
        assert_true(chain.result.kinematic && chain.result.energetic && chain.result.kinetic);
        free_chain(&chain);
    }
}

/* Between two walls a chain has one contact too many: impulses that squeeze it change nothing. The admissible
 * velocities are all zero, so one restitution gives v+ = -e v. */
static void a_chain_between_two_walls(void **state)
{
    (void)state;
    const int sizes[] = {1, 4, 2000};
    carom_random random = {9};
    for (int k = 0; k < 3; k++) {
        long_chain chain = make_chain(sizes[k], true, true);
        random_masses(&chain, 2);
        set_restitution(&chain, .6);
        for (int i = 0; i < chain.n; i++) {
            chain.v[i] = random_normal(&random);
            chain.wanted[i] = -.6 * chain.v[i];
        }
        solve(&chain, &carom_impact_newton);
        assert_int_equal(chain.result.word, CAROM_IMPACT_OK);
        assert_true(largest_difference(chain.n, chain.after, chain.wanted) < 1e-10);
        assert_true(chain.result.notes & CAROM_IMPACT_REDUNDANT);
        /* at rest and hit by the left wall, which moves to the right: the chain must go through the right */
        double *rate = calloc((size_t)chain.c, sizeof *rate);
        assert_non_null(rate);
        rate[0] = -1;
        chain.impact.rate = rate;
        memset(chain.v, 0, (size_t)chain.n * sizeof *chain.v);
        solve(&chain, &carom_impact_newton);
        assert_int_equal(chain.result.word, CAROM_IMPACT_INFEASIBLE);
        free(rate);
        free_chain(&chain);
    }
}

/* ---- sparse, but no chains ----------------------------------------------------------------------------- */

/* Balls on a ring: v_1 <= v_2 <= ... <= v_n <= v_1, so the nearest admissible velocity is the common one. Up
 * to 500 contacts are solved with matrices, more by conjugate gradients. */
static void balls_on_a_ring(void **state)
{
    (void)state;
    const int sizes[] = {3, 50, 600};
    carom_random random = {21};
    for (int k = 0; k < 3; k++) {
        long_chain ring = make_chain(sizes[k], false, true);
        const double e = .5;
        double mass = 0.0, momentum = 0.0;
        for (int j = 0; j < ring.c; j++) {
            ring.start[j] = 2 * j;
            ring.row[2 * j] = j;
            ring.row[2 * j + 1] = (j + 1) % ring.n;
            ring.value[2 * j] = -1;
            ring.value[2 * j + 1] = 1;
        }
        ring.start[ring.c] = 2 * ring.c;
        random_masses(&ring, 4);
        set_restitution(&ring, e);
        for (int i = 0; i < ring.n; i++) {
            ring.v[i] = random_normal(&random);
            mass += ring.masses[i];
            momentum += ring.masses[i] * ring.v[i];
        }
        for (int i = 0; i < ring.n; i++)
            ring.wanted[i] = (1 + e) * momentum / mass - e * ring.v[i];
        solve(&ring, &carom_impact_moreau);
        assert_int_equal(ring.result.word, CAROM_IMPACT_OK);
        const double worst = largest_difference(ring.n, ring.after, ring.wanted);
        if (!(worst < (k < 2 ? 1e-12 : 1e-9)))
            fail_msg("%d balls on a ring: %g off", ring.n, worst);
        free_chain(&ring);
    }
}

/* The same impacts renumbered, so that G is no longer tridiagonal, in works with and without dense matrices.
 */
static void a_renumbered_chain(void **state)
{
    (void)state;
    const int sizes[] = {60, 602};
    carom_random random = {33};
    for (int k = 0; k < 2; k++) {
        long_chain chain = make_chain(sizes[k], false, false);
        const int n = chain.n, c = chain.c;
        set_restitution(&chain, .4);
        random_masses(&chain, 8);
        for (int i = 0; i < n; i++)
            chain.v[i] = random_normal(&random);
        solve(&chain, &carom_impact_poisson);
        memcpy(chain.wanted, chain.after, (size_t)n * sizeof *chain.after);
        memcpy(chain.wanted_impulse, chain.impulse, (size_t)c * sizeof *chain.impulse);
        for (int j = 0; j < c; j++) { /* 17 has no common factor with 59 or 601 */
            const int from = 17 * j % c;
            chain.start[j] = 2 * j;
            chain.row[2 * j] = from;
            chain.row[2 * j + 1] = from + 1;
            chain.value[2 * j] = -1;
            chain.value[2 * j + 1] = 1;
        }
        solve(&chain, &carom_impact_poisson);
        assert_int_equal(chain.result.word, CAROM_IMPACT_OK);
        const double allowed = k == 0 ? 1e-12 : 1e-8;
        assert_true(largest_difference(n, chain.after, chain.wanted) < allowed);
        for (int j = 0; j < c; j++)
            assert_true(fabs(chain.impulse[j] - chain.wanted_impulse[17 * j % c]) < 100 * allowed);
        free_chain(&chain);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference_values),
        cmocka_unit_test(two_balls_have_one_outcome),
        cmocka_unit_test(a_struck_chain_has_a_closed_form),
        cmocka_unit_test(a_chain_on_a_wall_turns_round),
        cmocka_unit_test(a_hundred_thousand_contacts),
        cmocka_unit_test(any_velocities_of_a_chain),
        cmocka_unit_test(a_chain_between_two_walls),
        cmocka_unit_test(balls_on_a_ring),
        cmocka_unit_test(a_renumbered_chain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
