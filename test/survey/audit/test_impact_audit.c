#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "impact_systems.h"
#include "survey/audit/impact_audit.h"

static carom_audit_options quick(void)
{
    carom_audit_options options = carom_audit_defaults();
    options.samples = 1500;
    return options;
}

static carom_audit *audit_by(const carom_impact_law_ops *law, const impact_system *s,
                             const carom_audit_options *options)
{
    carom_error error;
    carom_audit *audit;
    const carom_impact_options impact_options = carom_impact_defaults();
    const carom_status status =
        carom_impact_audit(&s->impact, law, &impact_options, options, NULL, &audit, &error);
    if (status != CAROM_OK)
        fail_msg("%s", error.text);
    return audit;
}

enum {
    KINEMATIC = 1 << CAROM_AUDIT_KINEMATIC,
    ENERGETIC = 1 << CAROM_AUDIT_ENERGETIC,
    NONEXPANSIVE = 1 << CAROM_AUDIT_NONEXPANSIVE,
    CYCLIC = 1 << CAROM_AUDIT_CYCLIC,
    IDEMPOTENT = 1 << CAROM_AUDIT_IDEMPOTENT,
};

/* Exactly these properties fail. */
static void assert_failing(const char *what, const carom_audit *audit, unsigned failing)
{
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++) {
        const carom_audit_finding *finding = &audit->finding[p];
        assert_true(finding->tested);
        assert_true(finding->holds == (finding->failures == 0));
        if (finding->holds == ((failing >> p & 1u) != 0))
            fail_msg("%s: %s %s (%ld failures, worst %.12g)", what,
                     carom_audit_property_name((carom_audit_property)p), finding->holds ? "holds" : "fails",
                     finding->failures, finding->worst);
    }
    assert_int_equal(audit->failed_impacts, 0);
}

static void assert_audit(const char *what, const carom_impact_law_ops *law, const impact_system *s,
                         bool approaching_only, unsigned failing)
{
    carom_audit_options options = quick();
    options.approaching_only = approaching_only;
    carom_audit *audit = audit_by(law, s, &options);
    assert_failing(what, audit, failing);
    carom_audit_free(audit);
}

/* ---- the table of guarantees (Winandy, Baumann and Leine 2018, Theorems 3 and 4) --------------------- */

static void newton_with_one_restitution_is_sound(void **state)
{
    (void)state;
    const double restitution[] = {0.0, 0.3, 0.5, 0.9, 1.0};
    for (size_t i = 0; i < sizeof restitution / sizeof *restitution; i++) {
        const double e = restitution[i];
        impact_system s;
        make_cradle(&s, e, e);
        /* a separating contact may be pressed together: not for e = 0, which projects */
        const unsigned failing = e > 0.0 ? KINEMATIC | IDEMPOTENT : 0;
        assert_audit("cradle", &carom_impact_newton, &s, false, failing);
        assert_audit("cradle, approaching", &carom_impact_newton, &s, true, 0);
        assert_audit("cradle, Moreau", &carom_impact_moreau, &s, false, failing);
        make_corner(&s, e, e, e);
        assert_audit("corner, approaching", &carom_impact_newton, &s, true, 0);
        make_block(&s, e, e);
        assert_audit("block, approaching", &carom_impact_newton, &s, true, 0);
    }
}

static void projection_makes_newton_kinematic_but_not_cyclic(void **state)
{
    (void)state;
    carom_error error;
    impact_system s;
    make_cradle(&s, 0.5, 0.5);
    carom_audit *audit;
    carom_impact_options impact_options = carom_impact_defaults();
    impact_options.separating = CAROM_SEPARATING_PROJECT;
    const carom_audit_options options = quick();
    assert_int_equal(
        carom_impact_audit(&s.impact, &carom_impact_newton, &impact_options, &options, NULL, &audit, &error),
        CAROM_OK);
    /* this is Poisson's law, which has no dissipation function */
    assert_failing("projected", audit, CYCLIC);
    carom_audit_free(audit);
}

static void newton_with_unequal_restitutions_may_create_energy(void **state)
{
    (void)state;
    impact_system s;
    make_cradle(&s, 1.0, 0.0);
    const carom_audit_options options = quick();
    carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
    assert_failing("E = (1, 0)", audit, KINEMATIC | ENERGETIC | NONEXPANSIVE | CYCLIC | IDEMPOTENT);
    /* gamma = (-1, 1/2) gains 1/12 of 1/4; two linear pieces know larger gains. Near pairs: 2/sqrt 3. */
    assert_true(audit->finding[CAROM_AUDIT_ENERGETIC].worst >= 0.33);
    assert_true(audit->finding[CAROM_AUDIT_NONEXPANSIVE].worst >= 1.15);
    /* G - E G E = [[0, -1], [-1, 2]] */
    assert_true(fabs(audit->smallest_eigenvalue - (1.0 - sqrt(2.0))) <= 1e-14);
    assert_false(audit->copositive);
    carom_audit_free(audit);
    /* when all contacts approach no energy is made; the map expands all the same */
    assert_audit("E = (1, 0), approaching", &carom_impact_newton, &s, true, NONEXPANSIVE | CYCLIC);
}

/* Inside the region of spec case M: non-expansive. On the block G - E G E has no negative entry: energy is
 * safe although the map expands. */
static void the_matrix_tells_what_newtons_law_does(void **state)
{
    (void)state;
    impact_system s;
    const carom_audit_options options = quick();
    make_cradle(&s, 0.5, 0.9);
    carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
    assert_true(audit->finding[CAROM_AUDIT_NONEXPANSIVE].holds &&
                audit->finding[CAROM_AUDIT_ENERGETIC].holds);
    assert_true(audit->smallest_eigenvalue > 0.0 && audit->copositive);
    carom_audit_free(audit);
    make_block(&s, 1.0, 0.0);
    audit = audit_by(&carom_impact_newton, &s, &options);
    assert_false(audit->finding[CAROM_AUDIT_NONEXPANSIVE].holds);
    assert_true(audit->finding[CAROM_AUDIT_ENERGETIC].holds);
    assert_true(audit->smallest_eigenvalue < 0.0 && audit->copositive);
    carom_audit_free(audit);
}

static void poisson_is_sound_but_not_cyclic(void **state)
{
    (void)state;
    const carom_impact_law_ops *poisson = &carom_impact_poisson;
    impact_system s;
    make_cradle(&s, 0.5, 0.5);
    assert_audit("Poisson", poisson, &s, false, CYCLIC);
    assert_audit("Poisson, approaching", poisson, &s, true, 0);
    make_cradle(&s, 0.3, 0.8); /* G - E G E is positive definite */
    assert_audit("Poisson, unequal", poisson, &s, false, CYCLIC);
    /* G - E G E is indefinite and G E p > 0, so that the expansion cannot mend it */
    make_block(&s, 1.0, 0.0);
    assert_audit("Poisson on the block", poisson, &s, false, NONEXPANSIVE | CYCLIC);
}

/* Each collision is non-expansive, and in a fixed order nothing jumps where a contact begins to approach: its
 * collision begins with no change. Drawn orders do jump, because the draws mean other contacts then. */
static void binary_collisions_expand_in_random_order_only(void **state)
{
    (void)state;
    impact_system s;
    carom_error error;
    const double masses[] = {1, 3, 0.5, 2}, matrix[] = {-1, 0, 0, 1, -1, 0, 0, 1, -1, 0, 0, 1};
    const carom_audit_options options = quick();
    make_system(&s, 4, 3, masses, matrix);
    for (int order = 0; order < 3; order++) {
        carom_audit *audit;
        carom_impact_options impact_options = carom_impact_defaults();
        impact_options.order = (carom_impact_order)order;
        impact_options.collision_tolerance = 1e-13;
        impact_options.seed = 51000; /* u = 0.399 first: the first of two contacts, the second of three */
        for (int k = 0; k < 3; k++)
            s.restitution[k] = 1.0;
        assert_int_equal(carom_impact_audit(&s.impact, &carom_impact_binary, &impact_options, &options, NULL,
                                            &audit, &error),
                         CAROM_OK);
        const bool jumps = order == CAROM_ORDER_RANDOM;
        assert_int_equal(audit->failed_impacts, 0);
        assert_true(audit->finding[CAROM_AUDIT_NONEXPANSIVE].holds == !jumps);
        for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
            if (p != CAROM_AUDIT_NONEXPANSIVE && p != CAROM_AUDIT_CYCLIC)
                assert_true(audit->finding[p].holds);
        assert_true(fabs(audit->finding[CAROM_AUDIT_ENERGETIC].worst) <= 1e-13);
        carom_audit_free(audit);
    }
}

/* ---- counterexamples --------------------------------------------------------------------------------- */

/* The impact of contact velocities on the cradle without total momentum. */
static carom_impact_result strike_cradle(const carom_impact_law_ops *law, impact_system *s,
                                         const double *gamma, double *velocity, double *impulse)
{
    carom_error error;
    /* F for three equal balls */
    const double lift[] = {-2.0 / 3, -1.0 / 3, 1.0 / 3, -1.0 / 3, 1.0 / 3, 2.0 / 3};
    for (int i = 0; i < 3; i++)
        s->velocity[i] = lift[2 * i] * gamma[0] + lift[2 * i + 1] * gamma[1];
    const carom_impact_sizes sizes = carom_impact_sizes_of(&s->impact);
    const carom_impact_options options = carom_impact_defaults();
    carom_impact_work *work;
    carom_impact_result result = {.velocity = velocity, .impulse = impulse};
    assert_int_equal(carom_impact_work_create(law, &sizes, &work, &error), CAROM_OK);
    assert_int_equal(carom_impact_solve(work, &s->impact, &options, &result, &error), CAROM_OK);
    carom_impact_work_free(work);
    return result;
}

/* |gamma|^2 in the metric of G^-1 = [[2, 1], [1, 2]] / 3. */
static double square(const double *gamma)
{
    return (2.0 * gamma[0] * gamma[0] + 2.0 * gamma[0] * gamma[1] + 2.0 * gamma[1] * gamma[1]) / 3.0;
}

static void outcome(const carom_impact_law_ops *law, impact_system *s, const double *gamma, double *after,
                    double *impulse)
{
    double velocity[3];
    strike_cradle(law, s, gamma, velocity, impulse);
    after[0] = velocity[1] - velocity[0];
    after[1] = velocity[2] - velocity[1];
}

static void counterexamples_can_be_checked(void **state)
{
    (void)state;
    impact_system s;
    make_cradle(&s, 1.0, 0.0);
    const carom_audit_options options = quick();
    carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
    double velocity[3], impulse[2];
    const double *gain = audit->counterexample[CAROM_AUDIT_ENERGETIC][0];
    const carom_impact_result result = strike_cradle(&carom_impact_newton, &s, gain, velocity, impulse);
    assert_true(fabs(result.energy_after / result.energy_before - 1.0 -
                     audit->finding[CAROM_AUDIT_ENERGETIC].worst) <= 1e-12);
    assert_false(result.energetic);
    assert_null(audit->counterexample[CAROM_AUDIT_ENERGETIC][1]);
    /* a pair that goes apart */
    double after[2][2], apart[2], apart_after[2];
    for (int i = 0; i < 2; i++)
        outcome(&carom_impact_newton, &s, audit->counterexample[CAROM_AUDIT_NONEXPANSIVE][i], after[i],
                impulse);
    for (int k = 0; k < 2; k++) {
        apart[k] = audit->counterexample[CAROM_AUDIT_NONEXPANSIVE][0][k] -
                   audit->counterexample[CAROM_AUDIT_NONEXPANSIVE][1][k];
        apart_after[k] = after[0][k] - after[1][k];
    }
    assert_true(fabs(sqrt(square(apart_after) / square(apart)) -
                     audit->finding[CAROM_AUDIT_NONEXPANSIVE].worst) <= 1e-9);
    /* and one that penetrates, both contacts having one unit */
    const double *bad = audit->counterexample[CAROM_AUDIT_KINEMATIC][0];
    outcome(&carom_impact_newton, &s, bad, after[0], impulse);
    assert_true(fabs(fmin(after[0][0], after[0][1]) / fmax(fabs(bad[0]), fabs(bad[1])) -
                     audit->finding[CAROM_AUDIT_KINEMATIC].worst) <= 1e-12);
    carom_audit_free(audit);
}

/* ---- case M: monotonicity of the three-ball cradle --------------------------------------------------- */

static double smallest_eigenvalue(double first, double second)
{
    carom_error error;
    impact_system s;
    carom_audit *audit;
    make_cradle(&s, first, second);
    carom_audit_options options = quick();
    carom_impact_options impact_options = carom_impact_defaults();
    options.samples = 1;
    options.cycle_points = 1;
    impact_options.allow_gain = true;
    assert_int_equal(
        carom_impact_audit(&s.impact, &carom_impact_newton, &impact_options, &options, NULL, &audit, &error),
        CAROM_OK);
    const double value = audit->smallest_eigenvalue;
    assert_false(audit->finding[CAROM_AUDIT_CYCLIC].tested);
    assert_null(audit->counterexample[CAROM_AUDIT_CYCLIC][0]);
    carom_audit_free(audit);
    return value;
}

static void monotone_restitutions_end_where_the_eigenvalue_vanishes(void **state)
{
    (void)state;
    const double edge[][2] = {
        {0.9, 0.1540259192}, {0.9, 0.9924708961}, {0.5, 0.9532542189}, {0.0, sqrt(0.75)}};
    for (size_t i = 0; i < sizeof edge / sizeof *edge; i++) {
        const double inward = i == 0 ? 1e-4 : -1e-4;
        assert_true(fabs(smallest_eigenvalue(edge[i][0], edge[i][1])) <= 1e-9);
        assert_true(smallest_eigenvalue(edge[i][0], edge[i][1] + inward) > 1e-6);
        assert_true(smallest_eigenvalue(edge[i][0], edge[i][1] - inward) < -1e-6);
    }
    assert_true(fabs(smallest_eigenvalue(1.0, 1.0)) <= 1e-15);
    assert_true(smallest_eigenvalue(1.0, 0.99) < 0.0 && smallest_eigenvalue(1.0, 1.01) < 0.0);
}

static void a_known_pair_expands(void **state)
{
    (void)state;
    impact_system s;
    make_cradle(&s, 1.0, 0.0);
    const double a[] = {-1.0, -1.0}, b[] = {-0.9, -1.05}, apart[] = {-0.1, 0.05};
    double a_after[2], b_after[2], p[2], q[2];
    outcome(&carom_impact_newton, &s, a, a_after, p);
    outcome(&carom_impact_newton, &s, b, b_after, q);
    const double apart_after[] = {a_after[0] - b_after[0], a_after[1] - b_after[1]};
    assert_true(fabs(a_after[0] - 1.0) <= 1e-15 && fabs(a_after[1]) <= 1e-15);
    assert_true(fabs(b_after[0] - 0.9) <= 1e-15 && fabs(b_after[1]) <= 1e-15);
    assert_true(fabs(sqrt(square(apart_after) / square(apart)) - 1.154700538379) <= 1e-12);
    double pairing = 0.0;
    for (int k = 0; k < 2; k++)
        pairing -= (p[k] - q[k]) * 0.5 * (apart[k] + apart_after[k]);
    assert_true(fabs(pairing + 8.33333333333e-4) <= 1e-14);
    /* the same number by the identity of the two tests */
    assert_true(fabs(pairing - 0.5 * (square(apart) - square(apart_after))) <= 1e-15);
}

/* ---- case Y: cyclic monotonicity ---------------------------------------------------------------------- */

enum {
    POINTS_MAX = 24
};

typedef struct loop {
    double mean[POINTS_MAX][2], minus_impulse[POINTS_MAX][2];
    double forward, backward;
} loop;

static loop go_round(const carom_impact_law_ops *law, int points)
{
    impact_system s;
    loop l = {.forward = 0.0};
    make_cradle(&s, 0.5, 0.5);
    for (int j = 0; j < points; j++) {
        const double angle = 2.0 * acos(-1.0) * j / points;
        const double gamma[] = {-1.0 + 0.05 * cos(angle), 0.625 + 0.05 * sin(angle)};
        double after[2], impulse[2];
        outcome(law, &s, gamma, after, impulse);
        for (int k = 0; k < 2; k++) {
            l.mean[j][k] = 0.5 * (gamma[k] + after[k]);
            l.minus_impulse[j][k] = -impulse[k];
        }
    }
    for (int j = 0; j < points; j++)
        for (int k = 0; k < 2; k++) {
            const int next = (j + 1) % points, previous = (j + points - 1) % points;
            l.forward += l.minus_impulse[j][k] * (l.mean[next][k] - l.mean[j][k]);
            l.backward += l.minus_impulse[j][k] * (l.mean[previous][k] - l.mean[j][k]);
        }
    return l;
}

static audit_cycle largest_cycle(const loop *l, int points)
{
    double work[2 * POINTS_MAX * POINTS_MAX];
    return audit_largest_cycle(points, 2, l->mean[0], l->minus_impulse[0], 1e-12, work);
}

static void newtons_loop_gains_nothing(void **state)
{
    (void)state;
    const loop small = go_round(&carom_impact_newton, 12), large = go_round(&carom_impact_newton, 24);
    assert_true(fabs(small.forward + 0.000376803551856) <= 1e-14);
    assert_true(fabs(small.backward + 0.000376803551856) <= 1e-14);
    assert_true(fabs(large.forward + 0.000191667227124) <= 1e-14);
    assert_true(fabs(large.backward + 0.000191667227124) <= 1e-14);
    /* points with one gamma_1 have one impulse: cycles of weight 0 */
    assert_true(fabs(largest_cycle(&small, 12).weight) <= 1e-15);
    assert_true(fabs(largest_cycle(&large, 24).weight) <= 1e-15);
}

static void poissons_loop_gains(void **state)
{
    (void)state;
    const carom_impact_law_ops *poisson = &carom_impact_poisson;
    const loop small = go_round(poisson, 12), large = go_round(poisson, 24);
    assert_true(fabs(small.forward - 0.00165068904844) <= 1e-13);
    assert_true(fabs(small.backward + 0.00397431095156) <= 1e-13);
    assert_true(fabs(large.forward - 0.00232074030710) <= 1e-13);
    assert_true(fabs(large.backward + 0.00350268820770) <= 1e-13);
    /* forward - backward = 2 (12/7) 0.21875 A_12 */
    assert_true(fabs(small.forward - small.backward - 0.005625) <= 1e-13);
    assert_true(largest_cycle(&small, 12).weight > 0.0 && largest_cycle(&large, 24).weight > 0.0);
}

/* ---- geometry ---------------------------------------------------------------------------------------- */

static void the_projector_keeps_momentum(void **state)
{
    (void)state;
    impact_system s;
    const double masses[] = {1, 2, 5}, matrix[] = {-1, 0, 1, -1, 0, 1};
    make_system(&s, 3, 2, masses, matrix);
    carom_audit_options options = quick();
    options.samples = 10;
    carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
    assert_int_equal(audit->rank, 2);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) /* every row is m_j / sum m */
            assert_true(fabs(audit->projector[3 * i + j] - masses[j] / 8.0) <= 1e-15);
    carom_audit_free(audit);
    make_corner(&s, 0.5, 0.5, 0.5);
    audit = audit_by(&carom_impact_newton, &s, &options);
    assert_int_equal(audit->rank, 2); /* of three contacts */
    for (int i = 0; i < 4; i++)
        assert_true(fabs(audit->projector[i]) <= 1e-15);
    carom_audit_free(audit);
}

/* A full mass matrix, random contacts: what the theory says of G and of the basis. */
static void the_basis_is_that_of_the_kinetic_metric(void **state)
{
    (void)state;
    carom_error error;
    carom_random random = {7};
    impact_system s;
    double matrix[5 * 4], root[5 * 5];
    const double ones[] = {1, 1, 1, 1, 1};
    for (int i = 0; i < 20; i++)
        matrix[i] = carom_random_uniform(&random, -1.0, 1.0);
    for (int i = 0; i < 5; i++) /* contact 4 depends on contacts 1 and 2 */
        matrix[4 * i + 3] = 2.0 * matrix[4 * i] - 300.0 * matrix[4 * i + 1];
    for (int i = 0; i < 25; i++)
        root[i] = carom_random_uniform(&random, -1.0, 1.0);
    make_system(&s, 5, 4, ones, matrix);
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            s.mass[5 * i + j] = carom_dot(5, root + 5 * i, root + 5 * j) + (i == j);
    s.impact.mass = s.mass;
    carom_arena *arena = carom_arena_create();
    audit_system system;
    assert_int_equal(audit_system_make(&s.impact, arena, &system, &error), CAROM_OK);
    assert_int_equal(system.rank, 3);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            double product = 0.0;
            for (int j = 0; j < 5; j++)
                product += system.basis[5 * i + j] * carom_dot(5, s.mass + 5 * j, system.basis + 5 * k);
            assert_true(fabs(product - (i == k)) <= 1e-13);
        }
    /* gamma by way of y, and P P = P, W^T P = 0 */
    double v[5], y[5], gamma[4], projector[25];
    for (int i = 0; i < 5; i++)
        v[i] = carom_random_uniform(&random, -1.0, 1.0);
    audit_see(&system, v, y);
    audit_contact_velocities(&system, y, gamma);
    audit_projector(&system, projector);
    for (int k = 0; k < 4; k++) {
        double direct = 0.0;
        for (int i = 0; i < 5; i++)
            direct += matrix[4 * i + k] * v[i];
        assert_true(fabs(gamma[k] - direct) <= 1e-11);
        for (int j = 0; j < 5; j++) {
            double image = 0.0;
            for (int i = 0; i < 5; i++)
                image += matrix[4 * i + k] * projector[5 * i + j];
            assert_true(fabs(image) <= 1e-11);
        }
    }
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++) {
            double twice = 0.0;
            for (int k = 0; k < 5; k++)
                twice += projector[5 * i + k] * projector[5 * k + j];
            assert_true(fabs(twice - projector[5 * i + j]) <= 1e-12);
        }
    carom_arena_free(arena);
}

/* Random systems and one restitution: nothing that the theory promises is ever broken (Theorem 3). */
static void random_systems_keep_what_is_promised(void **state)
{
    (void)state;
    carom_random random = {12};
    carom_audit_options options = quick();
    options.samples = 200;
    for (int trial = 0; trial < 12; trial++) {
        const int contacts = 1 + trial % 3, n = contacts + 1;
        double masses[4] = {1, 1, 1, 1}, matrix[12];
        for (int i = 0; i < n * contacts; i++)
            matrix[i] = carom_random_uniform(&random, -1.0, 1.0) + carom_random_uniform(&random, -1.0, 1.0);
        impact_system s;
        make_system(&s, n, contacts, masses, matrix);
        const double e = carom_random_uniform(&random, 0.0, 1.0);
        for (int k = 0; k < contacts; k++)
            s.restitution[k] = e;
        carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
        for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++)
            if (p != CAROM_AUDIT_KINEMATIC && p != CAROM_AUDIT_IDEMPOTENT)
                assert_true(audit->finding[p].holds);
        carom_audit_free(audit);
    }
}

/* ---- how it runs ------------------------------------------------------------------------------------- */

static void a_seed_repeats_an_audit(void **state)
{
    (void)state;
    impact_system s;
    make_cradle(&s, 1.0, 0.2);
    carom_audit_options options = quick();
    options.samples = 300;
    carom_audit *first = audit_by(&carom_impact_newton, &s, &options);
    carom_audit *again = audit_by(&carom_impact_newton, &s, &options);
    options.seed = 2;
    carom_audit *other = audit_by(&carom_impact_newton, &s, &options);
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++) {
        assert_true(first->finding[p].worst == again->finding[p].worst);
        assert_int_equal(first->finding[p].failures, again->finding[p].failures);
        assert_memory_equal(first->counterexample[p][0], again->counterexample[p][0], 2 * sizeof(double));
    }
    assert_true(first->finding[CAROM_AUDIT_ENERGETIC].worst != other->finding[CAROM_AUDIT_ENERGETIC].worst);
    assert_int_equal(first->samples, 300);
    assert_int_equal(first->impacts, 2 * 300 + 40 * (1 + 300 / 40));
    carom_audit_free(first);
    carom_audit_free(again);
    carom_audit_free(other);
}

static bool stop_at_200(void *context, double done, double total)
{
    (void)context;
    assert_true(total >= 1000.0);
    return done < 200.0;
}

static void progress_may_stop_it(void **state)
{
    (void)state;
    impact_system s;
    carom_error error;
    carom_audit *audit;
    make_cradle(&s, 0.5, 0.5);
    carom_audit_options options = quick();
    options.samples = 1000;
    const carom_impact_options impact_options = carom_impact_defaults();
    const carom_progress progress = {.report = stop_at_200};
    assert_int_equal(carom_impact_audit(&s.impact, &carom_impact_newton, &impact_options, &options, &progress,
                                        &audit, &error),
                     CAROM_INTERRUPTED);
    assert_non_null(audit);
    assert_int_equal(audit->samples, 256);
    assert_true(audit->finding[CAROM_AUDIT_ENERGETIC].tested && audit->finding[CAROM_AUDIT_ENERGETIC].holds);
    assert_false(audit->finding[CAROM_AUDIT_CYCLIC].tested);
    carom_audit_free(audit);
    carom_audit_free(NULL);
}

/* A slab between two walls: nothing can approach both, and nothing is sampled. */
static void without_approaching_velocities_nothing_is_tested(void **state)
{
    (void)state;
    impact_system s;
    const double masses[] = {1}, matrix[] = {1, -1};
    make_system(&s, 1, 2, masses, matrix);
    carom_audit_options options = quick();
    options.samples = 20;
    options.approaching_only = true;
    carom_audit *audit = audit_by(&carom_impact_newton, &s, &options);
    assert_int_equal(audit->rank, 1);
    assert_int_equal(audit->impacts, 0);
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++) {
        assert_false(audit->finding[p].tested || audit->finding[p].holds);
        assert_null(audit->counterexample[p][0]);
    }
    carom_audit_free(audit);
}

/* Every impact fails to end: they are counted and left out. */
static void impacts_without_an_end_are_left_out(void **state)
{
    (void)state;
    impact_system s;
    carom_error error;
    carom_audit *audit;
    make_cradle(&s, 0.01, 0.01);
    carom_audit_options options = quick();
    options.samples = 100;
    options.approaching_only = true;
    carom_impact_options impact_options = carom_impact_defaults();
    impact_options.max_collisions = 1;
    assert_int_equal(
        carom_impact_audit(&s.impact, &carom_impact_binary, &impact_options, &options, NULL, &audit, &error),
        CAROM_OK);
    assert_true(audit->failed_impacts > 50 && audit->failed_impacts <= audit->impacts);
    carom_audit_free(audit);
}

static void assert_refused(const impact_system *s, const carom_impact_law_ops *law,
                           const carom_audit_options *options, const char *text)
{
    carom_error error;
    carom_audit *audit;
    const carom_impact_options impact_options = carom_impact_defaults();
    assert_int_equal(carom_impact_audit(&s->impact, law, &impact_options, options, NULL, &audit, &error),
                     CAROM_BAD_INPUT);
    assert_null(audit);
    if (!strstr(error.text, text))
        fail_msg("no '%s' in '%s'", text, error.text);
}

static void bad_input_is_refused(void **state)
{
    (void)state;
    impact_system s;
    const carom_audit_options good = quick();
    carom_audit_options options = good;
    make_cradle(&s, 0.5, 0.7);
    assert_refused(&s, &carom_impact_moreau, &good, "one restitution for all contacts");
    options.samples = -1;
    assert_refused(&s, &carom_impact_newton, &options, "at least 1 sample (got -1)");
    options = good;
    options.cycle_points = -1;
    assert_refused(&s, &carom_impact_newton, &options, "(got -1)");
    options = good;
    options.tolerance = NAN;
    assert_refused(&s, &carom_impact_newton, &options, "nan");
    s.restitution[1] = 1.5;
    assert_refused(&s, &carom_impact_newton, &good, "restitution of contact 2");
    s.restitution[1] = 0.7;
    s.mass[2] = 0.0;
    assert_refused(&s, &carom_impact_newton, &good, "mass 3");
    s.impact.contacts = 0;
    assert_refused(&s, &carom_impact_newton, &good, "got 3 and 0");
}

static void properties_have_names(void **state)
{
    (void)state;
    for (int p = 0; p < CAROM_AUDIT_PROPERTIES; p++) {
        assert_true(strlen(carom_audit_property_name((carom_audit_property)p)) > 0);
        assert_true(strlen(carom_audit_property_text((carom_audit_property)p)) > 0);
        for (int q = 0; q < p; q++)
            assert_string_not_equal(carom_audit_property_name((carom_audit_property)p),
                                    carom_audit_property_name((carom_audit_property)q));
    }
    assert_null(carom_audit_property_name(CAROM_AUDIT_PROPERTIES));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(newton_with_one_restitution_is_sound),
        cmocka_unit_test(projection_makes_newton_kinematic_but_not_cyclic),
        cmocka_unit_test(newton_with_unequal_restitutions_may_create_energy),
        cmocka_unit_test(the_matrix_tells_what_newtons_law_does),
        cmocka_unit_test(poisson_is_sound_but_not_cyclic),
        cmocka_unit_test(binary_collisions_expand_in_random_order_only),
        cmocka_unit_test(counterexamples_can_be_checked),
        cmocka_unit_test(monotone_restitutions_end_where_the_eigenvalue_vanishes),
        cmocka_unit_test(a_known_pair_expands),
        cmocka_unit_test(newtons_loop_gains_nothing),
        cmocka_unit_test(poissons_loop_gains),
        cmocka_unit_test(the_projector_keeps_momentum),
        cmocka_unit_test(the_basis_is_that_of_the_kinetic_metric),
        cmocka_unit_test(random_systems_keep_what_is_promised),
        cmocka_unit_test(a_seed_repeats_an_audit),
        cmocka_unit_test(progress_may_stop_it),
        cmocka_unit_test(without_approaching_velocities_nothing_is_tested),
        cmocka_unit_test(impacts_without_an_end_are_left_out),
        cmocka_unit_test(bad_input_is_refused),
        cmocka_unit_test(properties_have_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
