/* Worked examples of generalized Newton's and Poisson's laws: 3 and 4 balls, a block on two corners,
 * redundant contacts, contacts that separate before the impact. Closed forms and an independent prototype. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_impact.h"

enum {
    N = 1,
    P = 2
};

typedef struct example {
    const char *id;
    int laws; /* N, P, or both */
    double v[4], e[3];
    double after[4], impulse[3], change;
} example;

static const double tolerance = 1e-12;

static void compare(const char *id, const char *law, const char *what, int n, const double *a,
                    const double *b, double allowed)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(a[i] - b[i]) <= allowed))
            fail_msg("%s, %s: %s %d is %.15g, not %.15g", id, law, what, i + 1, a[i], b[i]);
}

static void assert_sound(const outcome *out, const char *id)
{
    if (out->status != CAROM_OK)
        fail_msg("%s: %s", id, out->error.text);
    assert_int_equal(out->r.word, CAROM_IMPACT_OK);
    assert_true(out->r.residual <= 1e-14);
    assert_true(out->r.imbalance <= 1e-15);
    assert_true(out->r.kinetic);
    /* energy both ways: from the velocities and from impulses and mean contact velocities */
    const double change = out->r.energy_after - out->r.energy_before;
    assert_true(fabs(change - out->r.work) <= 1e-14 * fmax(1.0, out->r.energy_before));
}

static outcome check(const example *x, const sample *s, const carom_impact_law_ops *law, bool gain)
{
    carom_impact_options options = carom_impact_defaults();
    options.allow_gain = gain;
    const outcome out = run_with(s, law, &options);
    const char *name = law->name;
    assert_sound(&out, x->id);
    compare(x->id, name, "velocity", s->n, out.v, x->after, tolerance);
    compare(x->id, name, "impulse", s->c, out.p, x->impulse, tolerance);
    const double change = out.r.energy_after - out.r.energy_before;
    compare(x->id, name, "change of energy", 1, &change, &x->change, tolerance);
    assert_int_equal(out.r.energetic, change <= 1e-14);
    return out;
}

static void check_chain(const example *x, int balls, bool gain)
{
    const sample s = chain_of(balls, false, NULL, x->v, x->e);
    if (x->laws & N)
        check(x, &s, &carom_impact_newton, gain);
    if (x->laws & P)
        check(x, &s, &carom_impact_poisson, gain);
    if ((x->laws & N) && x->e[0] == x->e[1] && (balls == 3 || x->e[0] == x->e[2]))
        check(x, &s, &carom_impact_moreau, gain);
}

#define THIRD (1.0 / 3.0)

/* A1 to A8 */
static void three_equal_balls(void **state)
{
    (void)state;
    static const example table[] = {
        {"A1", N | P, {1}, {0, 0}, {THIRD, THIRD, THIRD}, {2 * THIRD, THIRD}, -THIRD},
        {"A2", N | P, {1}, {.5, .5}, {0, .5, .5}, {1, .5}, -.25},
        {"A3", N | P, {1}, {.8, .8}, {-.2, .6, .6}, {1.2, .6}, -.12},
        {"A4", N | P, {1}, {1, 1}, {-THIRD, 2 * THIRD, 2 * THIRD}, {4 * THIRD, 2 * THIRD}, 0},
        {"A5", N, {1}, {.3, .9}, {2 / 15., 13 / 30., 13 / 30.}, {13 / 15., 13 / 30.}, -.91 / 3},
        {"A6", P, {1}, {.3, .9}, {2 / 15., 7 / 30., 19 / 30.}, {13 / 15., 19 / 30.}, -.79 / 3},
        {"A7", N, {1}, {0, 1}, {THIRD, THIRD, THIRD}, {2 * THIRD, THIRD}, -THIRD},
        {"A8", P, {1}, {0, 1}, {1 / 6., 1 / 6., 2 * THIRD}, {5 / 6., 2 * THIRD}, -.25},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check_chain(&table[i], 3, false);
}

/* A9: the ideal cradle from Poisson's law needs a restitution of 2. */
static void poisson_can_make_the_ideal_cradle(void **state)
{
    (void)state;
    const example x = {"A9", P, {1}, {.5, 2}, {0, 0, 1}, {1, 1}, 0};
    check_chain(&x, 3, true);
    const sample s = chain_of(3, false, NULL, x.v, x.e);
    carom_impact_options options = carom_impact_defaults();
    outcome out = run_with(&s, &carom_impact_poisson, &options);
    assert_int_equal(out.status, CAROM_BAD_INPUT);
    assert_non_null(strstr(out.error.text, "contact 2 must lie in [0, 1] (got 2)"));
    options.allow_gain = true;
    out = run_with(&s, &carom_impact_poisson, &options);
    assert_true(out.r.notes & CAROM_IMPACT_GAIN);
}

/* The phases of A8: lamE = (1/6, 1/3), of which y = (1/6, 0) is more than the restitution gives. */
static void poisson_tells_its_compression(void **state)
{
    (void)state;
    const double v[] = {1, 0, 0}, e[] = {0, 1}, compression[] = {2 * THIRD, THIRD};
    const sample s = chain_of(3, false, NULL, v, e);
    const outcome out = run(&s, &carom_impact_poisson);
    compare("A8", "poisson", "compression", 2, out.compression, compression, tolerance);
    assert_true(fabs(out.p[0] - out.compression[0] - 1 / 6.) < tolerance);
    assert_true(fabs(out.p[1] - out.compression[1] - THIRD) < tolerance);
}

static void four_equal_balls(void **state)
{
    (void)state;
    static const example table[] = {
        {"C1", N | P, {1}, {1, 1, 1}, {-.5, .5, .5, .5}, {1.5, 1, .5}, 0},
        {"C2", N | P, {1}, {.5, .5, .5}, {-.125, .375, .375, .375}, {1.125, .75, .375}, -.28125},
        {"C3", N | P, {1, 1}, {1, 1, 1}, {0, 0, 1, 1}, {1, 2, 1}, 0},
        {"C4", N | P, {1, 1}, {.5, .5, .5}, {.25, .25, .75, .75}, {.75, 1.5, .75}, -.375},
        {"C5", N, {1, 1}, {.9, .5, .1}, {.25, .25, .75, .75}, {.75, 1.5, .75}, -.375},
        {"C6", P, {1, 1}, {.9, .5, .1}, {.05, .45, .75, .75}, {.95, 1.5, .75}, -.335},
        {"C7", N | P, {1, 0, 0, -1}, {1, 1, 1}, {-1, 0, 0, 1}, {2, 2, 2}, 0},
        {"C8", N, {1, 0, 0, -1}, {.9, .5, .1}, {-.7, .2, .2, .3}, {1.7, 1.5, 1.3}, -.67},
        {"C9", P, {1, 0, 0, -1}, {.9, .5, .1}, {-.9, .3, .3, .3}, {1.9, 1.6, 1.3}, -.46},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check_chain(&table[i], 4, false);
}

/* m = 2, J = 0.5, corners at b = 0.4: the contacts help each other. */
static sample block(double y, double turn, double e1, double e2)
{
    return (sample){.n = 2, .c = 2, .masses = {2, .5}, .w = {1, 1, -.4, .4}, .v = {y, turn}, .e = {e1, e2}};
}

static void block_on_two_corners(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        int laws;
        double v[2], e[2], after[2], impulse[2], change;
    } table[] = {
        {"D1", N | P, {-.5, 1.25}, {.5, .5}, {.5, 1.5 * .18 / .82}, {1.5 / .82, 0}, -.457317073171},
        {"D2", N | P, {-.5, 1.25}, {.7, .2}, {.7, 1.7 * .18 / .82}, {1.7 / .82, 0}, -.310975609756},
        {"D3", N | P, {-1, .3}, {.5, .5}, {.56, .44}, {1.78125, 1.21875}, -.766875},
        {"D4", N, {-1, .3}, {.7, .2}, {.784, .176}, {2.1425, .8175}, -.6477},
        {"D5", P, {-1, .3}, {.7, .2}, {.710875, .282875}, {2.01875, .975}, -.704058984375},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        for (int law = N; law <= P; law <<= 1) {
            if (!(table[i].laws & law))
                continue;
            const carom_impact_law_ops *ops = law == N ? &carom_impact_newton : &carom_impact_poisson;
            const sample s = block(table[i].v[0], table[i].v[1], table[i].e[0], table[i].e[1]);
            const outcome out = run(&s, ops);
            const double change = out.r.energy_after - out.r.energy_before;
            assert_sound(&out, table[i].id);
            compare(table[i].id, ops->name, "gamma+", 2, out.after, table[i].after, 1e-12);
            compare(table[i].id, ops->name, "impulse", 2, out.p, table[i].impulse, 1e-12);
            compare(table[i].id, ops->name, "energy", 1, &change, &table[i].change, 1e-12);
        }
}

/* A particle and three directions of the plane: M = 2, the third is 0.6 of the first and 0.8 of the second.
 */
static sample corner(double e1, double e2, double e3)
{
    return (sample){
        .n = 2, .c = 3, .masses = {2, 2}, .w = {1, 0, .6, 0, 1, .8}, .v = {-1, -2}, .e = {e1, e2, e3}};
}

static void assert_redundant(const sample *s, const outcome *out, const char *id, const double *after,
                             const double *impulse, double change)
{
    double total[2];
    assert_sound(out, id);
    for (int i = 0; i < 2; i++)
        total[i] = carom_dot(3, s->w + 3 * i, out->p);
    const double found = out->r.energy_after - out->r.energy_before;
    compare(id, "", "velocity", 2, out->v, after, 1e-12);
    compare(id, "", "W p", 2, total, impulse, 1e-12);
    compare(id, "", "change of energy", 1, &found, &change, 1e-12);
    assert_true(out->r.notes & CAROM_IMPACT_REDUNDANT);
}

/* F1, F2, F3: in F3 the outcome rests on the smallest impulses of compression. */
static void redundant_contacts(void **state)
{
    (void)state;
    const double after1[] = {.5, 1}, total1[] = {3, 6}, after2[] = {1.376, 1.168}, total2[] = {4.752, 6.336};
    sample s = corner(.5, .5, .5);
    outcome out = run(&s, &carom_impact_newton);
    assert_redundant(&s, &out, "F1 newton", after1, total1, -3.75);
    out = run(&s, &carom_impact_moreau);
    assert_redundant(&s, &out, "F1 moreau", after1, total1, -3.75);
    out = run(&s, &carom_impact_poisson);
    assert_redundant(&s, &out, "F1 poisson", after1, total1, -3.75);
    assert_false(out.r.notes & CAROM_IMPACT_MINIMUM);
    s = corner(.5, .2, .8);
    out = run(&s, &carom_impact_newton);
    assert_redundant(&s, &out, "F2", after2, total2, -1.7424);
    out = run(&s, &carom_impact_poisson);
    const double after3[] = {.698, .928}, compression[] = {.68, 2.24, 2.2}, total3[] = {3.396, 5.856};
    assert_redundant(&s, &out, "F3", after3, total3, .698 * .698 + .928 * .928 - 5.0);
    assert_true(out.r.notes & CAROM_IMPACT_MINIMUM);
    compare("F3", "poisson", "compression", 3, out.compression, compression, 1e-12);
}

/* The velocity of three equal balls without momentum that has these contact velocities. */
static sample cradle_with(double g1, double g2, double e1, double e2)
{
    const double v[] = {-(2 * g1 + g2) / 3, (g1 - g2) / 3, (g1 + 2 * g2) / 3}, e[] = {e1, e2};
    return chain_of(3, false, NULL, v, e);
}

static void a_contact_that_separates(void **state)
{
    (void)state;
    static const struct {
        const char *id;
        int law;
        double gamma[2], e[2], after[2], impulse[2], change;
        bool kinematic, energetic;
    } table[] = {
        {"G1N", N, {-1, .6}, {.5, .5}, {.5, -.15}, {.75, 0}, -.1875, false, true},
        {"G1P", P, {-1, .6}, {.5, .5}, {.425, 0}, {.75, .075}, -.193125, true, true},
        {"G2N", N, {-1, .3}, {.5, .5}, {.5, -.15}, {.85, .2}, -.1975, false, true},
        {"G2P", P, {-1, .3}, {.5, .5}, {.425, 0}, {.85, .275}, -.203125, true, true},
        {"G3N", N, {-1, .5}, {1, 0}, {1, 0}, {7 / 6., THIRD}, 1 / 12., true, false},
        {"G3P", P, {-1, .5}, {1, 0}, {.75, 0}, {1, .25}, -1 / 16., true, true},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const sample s = cradle_with(table[i].gamma[0], table[i].gamma[1], table[i].e[0], table[i].e[1]);
        const outcome out = run(&s, table[i].law == N ? &carom_impact_newton : &carom_impact_poisson);
        const double change = out.r.energy_after - out.r.energy_before;
        assert_sound(&out, table[i].id);
        compare(table[i].id, "", "gamma+", 2, out.after, table[i].after, 1e-12);
        compare(table[i].id, "", "impulse", 2, out.p, table[i].impulse, 1e-12);
        compare(table[i].id, "", "change of energy", 1, &change, &table[i].change, 1e-12);
        assert_int_equal(out.r.kinematic, table[i].kinematic);
        assert_int_equal(out.r.energetic, table[i].energetic);
        assert_true(out.r.notes & CAROM_IMPACT_SEPARATING);
        assert_true(fabs(out.r.largest_left - fmax(0.0, -table[i].after[1])) < 1e-12);
    }
}

/* With one restitution the projection of Newton's velocity is Poisson's: G1, G2. */
static void projected_newton_is_poisson(void **state)
{
    (void)state;
    carom_impact_options options = carom_impact_defaults();
    options.separating = CAROM_SEPARATING_PROJECT;
    const double apart[] = {.6, .3};
    for (int i = 0; i < 2; i++) {
        const sample s = cradle_with(-1, apart[i], .5, .5);
        const outcome newton = run_with(&s, &carom_impact_newton, &options);
        const outcome moreau = run_with(&s, &carom_impact_moreau, &options);
        const outcome poisson = run(&s, &carom_impact_poisson);
        assert_true(largest_difference(3, newton.v, poisson.v) < 1e-14);
        assert_true(largest_difference(2, newton.p, poisson.p) < 1e-14);
        assert_true(largest_difference(3, newton.v, moreau.v) < 1e-15);
        assert_true(newton.r.kinematic && newton.r.energetic);
        assert_true(newton.r.notes & CAROM_IMPACT_PROJECTED);
        assert_int_equal(newton.r.word, CAROM_IMPACT_OK);
    }
    const sample plain = cradle_with(-1, 0, .5, .5);
    const outcome out = run_with(&plain, &carom_impact_newton, &options);
    assert_false(out.r.notes & CAROM_IMPACT_PROJECTED);
}

/* Nguyen and Brogliato's example: vm = (1, 0, 0.2), e = 1 ends in an inadmissible velocity. */
static void moreau_may_penetrate(void **state)
{
    (void)state;
    const double v[] = {1, 0, .2}, e[] = {1, 1}, after[] = {-.2, .8, .6};
    const sample s = chain_of(3, false, NULL, v, e);
    const outcome out = run(&s, &carom_impact_moreau);
    compare("inadmissible", "moreau", "velocity", 3, out.v, after, 1e-14);
    assert_false(out.r.kinematic);
    assert_true(fabs(out.r.largest_left - .2) < 1e-14);
}

/* M: an expansion of Newton's map with unequal restitutions, by 2 / sqrt(3) in the metric of G^-1. */
static void newton_expands_with_unequal_restitutions(void **state)
{
    (void)state;
    const sample a = cradle_with(-1, -1, 1, 0), b = cradle_with(-.9, -1.05, 1, 0);
    const outcome at_a = run(&a, &carom_impact_newton), at_b = run(&b, &carom_impact_newton);
    const double wanted_a[] = {1, 0}, wanted_b[] = {.9, 0};
    compare("M", "newton", "gamma+", 2, at_a.after, wanted_a, 1e-14);
    compare("M", "newton", "gamma+", 2, at_b.after, wanted_b, 1e-14);
    /* G^-1 = [2 1; 1 2] / 3 */
    const double x = at_a.after[0] - at_b.after[0], y = at_a.after[1] - at_b.after[1], f = .1, g = .05;
    const double after = (2 * x * x + 2 * x * y + 2 * y * y) / 3,
                 before = (2 * f * f - 2 * f * g + 2 * g * g) / 3;
    assert_true(fabs(sqrt(after / before) - 1.154700538379) < 1e-11);
    /* pairing -(La - Lb).(mean_a - mean_b) */
    double pairing = 0.0;
    for (int i = 0; i < 2; i++)
        pairing -=
            (at_a.p[i] - at_b.p[i]) * (at_a.before[i] + at_a.after[i] - at_b.before[i] - at_b.after[i]) / 2;
    assert_true(fabs(pairing + 8.33333333333e-4) < 1e-14);
}

/* Two walls that look at each other, w2 = -w1: with one restitution the particle turns round, with e = (1, 0)
 * Newton's law asks for v+ >= 1 and v+ <= 0. */
static void opposed_contacts_can_be_infeasible(void **state)
{
    (void)state;
    sample s = {.n = 1, .c = 2, .masses = {2}, .w = {1, -1}, .v = {-1}, .e = {1, 0}};
    outcome out = run(&s, &carom_impact_newton);
    assert_int_equal(out.status, CAROM_OK);
    assert_int_equal(out.r.word, CAROM_IMPACT_INFEASIBLE);
    assert_string_equal(carom_impact_word_text(out.r.word), "infeasible");
    assert_true(out.v[0] == -1 && out.p[0] == 0 && out.p[1] == 0);
    assert_true(out.r.notes & CAROM_IMPACT_REDUNDANT);
    assert_true(fabs(out.r.residual - 2) < 1e-15 && !out.r.kinematic);
    /* e2 = 1: v+ = 1 is Newton's, though the second contact then closes */
    s.e[1] = 1;
    out = run(&s, &carom_impact_newton);
    assert_int_equal(out.r.word, CAROM_IMPACT_OK);
    assert_true(fabs(out.v[0] - 1) < 1e-15);
    /* Poisson's law always has a solution with resting obstacles: it stops the particle. */
    s.e[1] = 0;
    out = run(&s, &carom_impact_poisson);
    assert_int_equal(out.r.word, CAROM_IMPACT_OK);
    assert_true(fabs(out.v[0]) < 1e-15);
}

/* Walls that come together leave no velocity, whatever the law. */
static void closing_walls_are_infeasible(void **state)
{
    (void)state;
    const carom_impact_law_ops *laws[] = {&carom_impact_moreau, &carom_impact_newton, &carom_impact_poisson};
    const sample s = {.n = 1, .c = 2, .masses = {1}, .w = {1, -1}, .v = {0}, .rate = {-1, -1}, .e = {.5, .5}};
    for (int i = 0; i < 3; i++) {
        const outcome out = run(&s, laws[i]);
        assert_int_equal(out.status, CAROM_OK);
        assert_int_equal(out.r.word, CAROM_IMPACT_INFEASIBLE);
        assert_true(out.v[0] == 0 && isfinite(out.r.residual) && out.compression[0] == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(three_equal_balls),
        cmocka_unit_test(poisson_can_make_the_ideal_cradle),
        cmocka_unit_test(poisson_tells_its_compression),
        cmocka_unit_test(four_equal_balls),
        cmocka_unit_test(block_on_two_corners),
        cmocka_unit_test(redundant_contacts),
        cmocka_unit_test(a_contact_that_separates),
        cmocka_unit_test(projected_newton_is_poisson),
        cmocka_unit_test(moreau_may_penetrate),
        cmocka_unit_test(newton_expands_with_unequal_restitutions),
        cmocka_unit_test(opposed_contacts_can_be_infeasible),
        cmocka_unit_test(closing_walls_are_infeasible),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
