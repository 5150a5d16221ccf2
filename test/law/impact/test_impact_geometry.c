/* Projectors, cones, constitutive law and dissipation function: examples P and H, and the identities of
 * Winandy, Baumann and Leine 2018, sections 4 and 5, on random data. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_impact.h"

enum {
    MOST = SAMPLE_MOST * SAMPLE_MOST
};

static carom_impact_geometry take(carom_arena *arena, const sample *s)
{
    int start[SAMPLE_MOST + 1], row[MOST];
    double value[MOST];
    carom_impact_columns(s->n, s->c, s->w, start, row, value);
    const carom_impact impact = {.coordinates = s->n,
                                 .contacts = s->c,
                                 .mass = s->full ? s->mass : NULL,
                                 .masses = s->masses,
                                 .column_start = start,
                                 .row = row,
                                 .value = value};
    carom_impact_geometry geometry;
    carom_error error = {0};
    if (carom_impact_geometry_take(arena, &impact, &geometry, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return geometry;
}

/* C = A B, A r x k, B k x c; a transposed factor is given with its own rows. */
static void product(int r, int k, int c, const double *a, bool a_transposed, const double *b,
                    bool b_transposed, double *out)
{
    for (int i = 0; i < r; i++)
        for (int j = 0; j < c; j++) {
            double sum = 0.0;
            for (int l = 0; l < k; l++)
                sum += (a_transposed ? a[l * r + i] : a[i * k + l]) *
                       (b_transposed ? b[j * k + l] : b[l * c + j]);
            out[i * c + j] = sum;
        }
}

static void mass_of(const sample *s, double *m)
{
    for (int i = 0; i < s->n; i++)
        for (int j = 0; j < s->n; j++)
            m[i * s->n + j] = s->full ? s->mass[i * s->n + j] : (i == j ? s->masses[i] : 0.0);
}

static void assert_same(const char *what, int count, const double *a, const double *b, double tolerance)
{
    const double worst = largest_difference(count, a, b);
    if (!(worst <= tolerance))
        fail_msg("%s: off by %g", what, worst);
}

static void projectors_of_a_cradle(void **state)
{
    (void)state;
    const double v[] = {0, 0, 0}, e[] = {0, 0}, third = 1 / 3.0,
                 f[] = {-2 / 3., -1 / 3., 1 / 3., -1 / 3., 1 / 3., 2 / 3.};
    carom_arena *arena = carom_arena_create();
    sample s = chain_of(3, false, NULL, v, e);
    carom_impact_geometry g = take(arena, &s);
    assert_int_equal(g.rank, 2);
    for (int i = 0; i < 9; i++)
        assert_true(fabs(g.projector[i] - third) < 1e-15);
    assert_same("F", 6, g.lift, f, 1e-15);
    const double gamma[] = {3, -6}, lifted[] = {0, 3, -3};
    double velocity[3];
    carom_impact_lift(&g, gamma, velocity);
    assert_same("F gamma", 3, velocity, lifted, 1e-14);
    const double delassus[] = {2, -1, -1, 2};
    assert_same("G", 4, g.delassus, delassus, 1e-15);
    /* any masses: P keeps the velocity of the centre, m_j / sum m in every row */
    const double masses[] = {1, 2.5, .3};
    s = chain_of(3, false, masses, v, e);
    g = take(arena, &s);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            assert_true(fabs(g.projector[i * 3 + j] - masses[j] / 3.8) < 1e-15);
    carom_arena_free(arena);
}

/* (134), (135), (146); W^T F = I and F^T M F = G^-1 for full rank only. */
static void assert_identities(const sample *s, const carom_impact_geometry *g)
{
    const int n = s->n, c = s->c;
    const double tolerance = 1e-9; /* conditions of random matrices up to some 1e4 */
    double m[MOST], a[MOST], b[MOST], d[MOST];
    mass_of(s, m);
    product(n, n, n, g->projector, false, g->projector, false, a);
    assert_same("P P = P", n * n, a, g->projector, tolerance);
    product(n, n, n, g->normal, false, g->normal, false, a);
    assert_same("P_perp P_perp = P_perp", n * n, a, g->normal, tolerance);
    product(n, n, n, m, false, g->projector, false, a);
    product(n, n, n, g->projector, true, m, false, b);
    assert_same("M P = P^T M", n * n, a, b, tolerance);
    product(n, c, n, g->lift, false, s->w, true, a);
    assert_same("F W^T = P_perp", n * n, a, g->normal, tolerance);
    memset(d, 0, sizeof d);
    product(n, n, c, g->projector, false, g->lift, false, a);
    assert_same("P F = 0", n * c, a, d, tolerance);
    product(c, n, n, s->w, true, g->projector, false, a);
    assert_same("W^T P = 0", c * n, a, d, tolerance);
    product(n, c, c, g->lift, false, g->delassus, false, a);
    product(n, n, c, m, false, a, false, b);
    assert_same("M F G = W", n * c, b, s->w, tolerance);
    product(n, n, c, m, false, g->lift, false, a);
    product(c, n, c, g->lift, true, a, false, b);
    product(c, c, c, g->delassus, false, b, false, a);
    product(c, c, c, a, false, g->delassus, false, d);
    assert_same("G (F^T M F) G = G", c * c, d, g->delassus, tolerance);
    if (g->rank < c)
        return;
    memset(d, 0, sizeof d);
    for (int i = 0; i < c; i++)
        d[i * c + i] = 1.0;
    assert_same("G (F^T M F) = I", c * c, a, d, tolerance);
    product(c, n, c, s->w, true, g->lift, false, a);
    assert_same("W^T F = I", c * c, a, d, tolerance);
}

static void identities_of_projectors(void **state)
{
    (void)state;
    carom_random random = {17};
    for (int k = 0; k < 300; k++) {
        const int c = 1 + k % 4, n = c + 1 + k % 3;
        carom_arena *arena = carom_arena_create();
        sample s = random_sample(&random, n, c, true);
        for (int i = 0; i < n; i++)
            s.masses[i] = carom_random_uniform(&random, .1, 5);
        if (k % 2)
            random_mass(&random, &s);
        const carom_impact_geometry g = take(arena, &s);
        assert_int_equal(g.rank, c);
        assert_identities(&s, &g);
        /* an impact changes nothing along P, and no energy comes of it (136) */
        double before[SAMPLE_MOST], after[SAMPLE_MOST];
        const outcome out = run(&s, &carom_impact_poisson);
        product(n, n, 1, g.projector, false, s.v, false, before);
        product(n, n, 1, g.projector, false, out.v, false, after);
        assert_same("P u+ = P u-", n, after, before, 1e-10);
        carom_arena_free(arena);
    }
}

/* Columns 3 and 4 are combinations of the others, or there are more contacts than coordinates. */
static void projectors_of_redundant_contacts(void **state)
{
    (void)state;
    carom_random random = {23};
    for (int k = 0; k < 200; k++) {
        const int n = k % 2 ? 3 : 5, c = k % 2 ? 5 : 4;
        carom_arena *arena = carom_arena_create();
        sample s = random_sample(&random, n, c, true);
        for (int i = 0; n == 5 && i < n; i++) {
            s.w[i * c + 2] = 2 * s.w[i * c] - s.w[i * c + 1];
            s.w[i * c + 3] = .5 * s.w[i * c];
        }
        if (k % 4 > 1)
            random_mass(&random, &s);
        const carom_impact_geometry g = take(arena, &s);
        assert_int_equal(g.rank, n == 5 ? 2 : 3);
        assert_identities(&s, &g);
        const outcome out = run(&s, &carom_impact_newton);
        assert_true(out.r.word == CAROM_IMPACT_NONE || (out.r.notes & CAROM_IMPACT_REDUNDANT));
        carom_arena_free(arena);
    }
}

/* F for redundant contacts is the pseudo-inverse: a particle of mass 1 with one direction given twice, w and
 * 2 w, has F = w (1, 2) / 5 / |w|^2. */
static void lift_of_a_doubled_contact(void **state)
{
    (void)state;
    carom_arena *arena = carom_arena_create();
    const sample s = {.n = 2, .c = 2, .masses = {1, 1}, .w = {3, 6, 4, 8}};
    const carom_impact_geometry g = take(arena, &s);
    const double f[] = {3 / 125., 6 / 125., 4 / 125., 8 / 125.};
    assert_int_equal(g.rank, 1);
    assert_same("F", 4, g.lift, f, 1e-16);
    carom_arena_free(arena);
}

static double form(int n, const double *m, const double *a, const double *b)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += a[i] * carom_dot(n, m + i * n, b);
    return sum;
}

/* Moreau's decomposition (166), and that the parts are in their cones. */
static void assert_decomposed(const sample *s, const carom_impact_geometry *g, const double *v)
{
    double m[MOST], t[SAMPLE_MOST], polar[SAMPLE_MOST], p[SAMPLE_MOST], sum[SAMPLE_MOST];
    mass_of(s, m);
    assert_true(carom_impact_split_velocity(g, v, t, polar, p) < 1e-11);
    for (int i = 0; i < s->n; i++)
        sum[i] = t[i] + polar[i];
    assert_same("tangent + polar = v", s->n, sum, v, 1e-13);
    assert_true(fabs(form(s->n, m, t, polar)) < 1e-10 * (1 + form(s->n, m, v, v)));
    for (int k = 0; k < s->c; k++)
        assert_true(p[k] >= 0.0 && sample_gamma(s, k, t) >= -1e-11);
    /* polar = -M^-1 W p */
    for (int i = 0; i < s->n; i++)
        assert_true(fabs(carom_dot(s->n, m + i * s->n, polar) + carom_dot(s->c, s->w + i * s->c, p)) < 1e-10);
    /* the same multipliers in contact space */
    double gamma[SAMPLE_MOST], admissible[SAMPLE_MOST], rest[SAMPLE_MOST], q[SAMPLE_MOST];
    for (int k = 0; k < s->c; k++)
        gamma[k] = sample_gamma(s, k, v);
    assert_true(carom_impact_split_contact(g, gamma, admissible, rest, q) < 1e-11);
    for (int k = 0; k < s->c; k++) {
        assert_true(fabs(admissible[k] - sample_gamma(s, k, t)) < 1e-10);
        assert_true(fabs(rest[k] + carom_dot(s->c, g->delassus + k * s->c, q)) < 1e-10);
        assert_true(fabs(admissible[k] + rest[k] - gamma[k]) < 1e-13);
    }
}

static void velocities_split_into_two_cones(void **state)
{
    (void)state;
    carom_random random = {29};
    for (int k = 0; k < 500; k++) {
        const int c = 1 + k % 5, n = 2 + k % 4; /* some of them redundant */
        carom_arena *arena = carom_arena_create();
        sample s = random_sample(&random, n, c, true);
        if (k % 2)
            random_mass(&random, &s);
        const carom_impact_geometry g = take(arena, &s);
        assert_decomposed(&s, &g, s.v);
        /* (169): prox_T(P x + y) = P x + prox_T(y); (170): prox_polar(x + y) = prox_polar(P_perp x + y) */
        double x[SAMPLE_MOST], px[SAMPLE_MOST], y[SAMPLE_MOST], a[SAMPLE_MOST], b[SAMPLE_MOST];
        for (int i = 0; i < n; i++)
            x[i] = random_normal(&random);
        product(n, n, 1, g.projector, false, x, false, px);
        for (int i = 0; i < n; i++)
            y[i] = px[i] + s.v[i];
        carom_impact_split_velocity(&g, y, a, NULL, NULL);
        carom_impact_split_velocity(&g, s.v, b, NULL, NULL);
        for (int i = 0; i < n; i++)
            b[i] += px[i];
        assert_same("(169)", n, a, b, 1e-10);
        for (int i = 0; i < n; i++)
            y[i] = x[i] + s.v[i];
        carom_impact_split_velocity(&g, y, NULL, a, NULL);
        for (int i = 0; i < n; i++)
            y[i] = x[i] - px[i] + s.v[i];
        carom_impact_split_velocity(&g, y, NULL, b, NULL);
        assert_same("(170)", n, a, b, 1e-10);
        carom_arena_free(arena);
    }
}

/* Z(u) = T(u) - e polar(u) is Newton's law, T(that) Poisson's (202), (218); S = W^T Z(F .) (194). */
static void laws_are_reflections(void **state)
{
    (void)state;
    carom_random random = {31};
    for (int k = 0; k < 300; k++) {
        const int c = 1 + k % 3, n = c + 1;
        carom_arena *arena = carom_arena_create();
        sample s = random_sample(&random, n, c, true);
        const carom_impact_geometry g = take(arena, &s);
        double t[SAMPLE_MOST], polar[SAMPLE_MOST];
        carom_impact_split_velocity(&g, s.v, t, polar, NULL);
        for (int i = 0; i < n; i++)
            t[i] -= s.e[0] * polar[i];
        const outcome newton = run(&s, &carom_impact_newton), poisson = run(&s, &carom_impact_poisson);
        assert_same("newton", n, newton.v, t, 1e-11);
        carom_impact_split_velocity(&g, t, t, NULL, NULL); /* in place */
        assert_same("poisson", n, poisson.v, t, 1e-11);
        sample lifted = s;
        product(n, c, 1, g.lift, false, newton.before, false, lifted.v);
        const outcome again = run(&lifted, &carom_impact_newton);
        assert_same("S = W^T Z(F .)", c, again.after, newton.after, 1e-9);
        carom_arena_free(arena);
    }
}

static void law_and_dissipation_of_a_cradle(void **state)
{
    (void)state;
    static const struct {
        double mean[2], minus[2], phi;
    } table[] = {
        {{-.25, 0}, {-1, -.5}, .125}, {{-.3, .1}, {-1, -.2}, .14}, {{-.3, .4}, {-.9, 0}, .135},
        {{.2, 0}, {0, 0}, 0},         {{0, 0}, {0, 0}, 0},
    };
    const double v[] = {0, 0, 0}, e[] = {.5, .5};
    const sample s = chain_of(3, false, NULL, v, e);
    carom_arena *arena = carom_arena_create();
    const carom_impact_geometry g = take(arena, &s);
    double p[2];
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const double phi = carom_impact_dissipation(&g, .5, table[i].mean, p);
        assert_true(fabs(phi - table[i].phi) < 1e-15);
        for (int k = 0; k < 2; k++)
            assert_true(fabs(p[k] + table[i].minus[k]) < 1e-14);
        assert_true(carom_impact_dissipation(&g, .5, table[i].mean, NULL) == phi);
    }
    const double inside[] = {0, 1}, outside[] = {-1e-3, 1};
    assert_true(carom_impact_dissipation(&g, 1, inside, p) == 0.0 && p[0] == 0.0 && p[1] == 0.0);
    assert_true(carom_impact_dissipation(&g, 1, outside, p) == INFINITY && isnan(p[0]));
    carom_arena_free(arena);
}

/* -p = grad Phi, Phi convex and homogeneous of degree 2, H(mean) = -p and dT = -2 Phi along impacts. */
static void dissipation_functions(void **state)
{
    (void)state;
    carom_random random = {37};
    for (int k = 0; k < 500; k++) {
        const int c = 1 + k % 3;
        carom_arena *arena = carom_arena_create();
        sample s = random_sample(&random, c + 1, c, true);
        for (int j = 0; j < c; j++)
            s.e[j] *= .95;
        const double e = s.e[0];
        const carom_impact_geometry g = take(arena, &s);
        const outcome out = run(&s, &carom_impact_newton);
        double mean[3], other[3], middle[3], p[3];
        for (int j = 0; j < c; j++) {
            mean[j] = (out.before[j] + out.after[j]) / 2;
            other[j] = 2 * mean[j];
        }
        const double phi = carom_impact_dissipation(&g, e, mean, p);
        const double size = 1 + carom_largest(c, out.p);
        assert_true(largest_difference(c, p, out.p) < 1e-8 * size); /* (1+e)/(1-e) up to 39 */
        assert_true(fabs(out.r.energy_after - out.r.energy_before + 2 * phi) < 1e-8 * size);
        assert_true(fabs(carom_impact_dissipation(&g, e, other, NULL) - 4 * phi) < 1e-10 * (1 + phi));
        for (int j = 0; j < c; j++) {
            other[j] = random_normal(&random);
            middle[j] = (mean[j] + other[j]) / 2;
        }
        const double there = carom_impact_dissipation(&g, e, other, NULL);
        assert_true(carom_impact_dissipation(&g, e, middle, NULL) <=
                    (phi + there) / 2 + 1e-10 * (1 + phi + there));
        /* the derivative by central differences: exact for a function that is quadratic there */
        carom_impact_dissipation(&g, e, other, p);
        for (int j = 0; j < c; j++) {
            const double h = 1e-6, at = other[j];
            other[j] = at + h;
            const double up = carom_impact_dissipation(&g, e, other, NULL);
            other[j] = at - h;
            const double down = carom_impact_dissipation(&g, e, other, NULL);
            other[j] = at;
            assert_true(fabs((up - down) / (2 * h) + p[j]) < 1e-4 * (1 + carom_largest(c, p)));
        }
        carom_arena_free(arena);
    }
}

static void refuses_what_solve_refuses(void **state)
{
    (void)state;
    const int start[] = {0, 1}, row[] = {0};
    double value[] = {1}, masses[] = {1};
    carom_impact impact = {
        .coordinates = 1, .contacts = 1, .masses = masses, .column_start = start, .row = row, .value = value};
    carom_arena *arena = carom_arena_create();
    carom_impact_geometry g;
    carom_error error = {0};
    assert_int_equal(carom_impact_geometry_take(arena, &impact, &g, &error), CAROM_OK);
    assert_true(g.projector[0] == 0.0 && g.normal[0] == 1.0 && g.lift[0] == 1.0);
    masses[0] = -1;
    assert_int_equal(carom_impact_geometry_take(arena, &impact, &g, &error), CAROM_BAD_INPUT);
    masses[0] = 1;
    value[0] = 0;
    assert_int_equal(carom_impact_geometry_take(arena, &impact, &g, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "direction of contact 1 is zero"));
    impact.coordinates = 0;
    assert_int_equal(carom_impact_geometry_take(arena, &impact, &g, &error), CAROM_BAD_INPUT);
    impact.coordinates = 1;
    impact.contacts = 0;
    assert_int_equal(carom_impact_geometry_take(arena, &impact, &g, &error), CAROM_OK);
    assert_true(g.rank == 0 && g.projector[0] == 1.0 && g.normal[0] == 0.0);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projectors_of_a_cradle),           cmocka_unit_test(identities_of_projectors),
        cmocka_unit_test(projectors_of_redundant_contacts), cmocka_unit_test(lift_of_a_doubled_contact),
        cmocka_unit_test(velocities_split_into_two_cones),  cmocka_unit_test(laws_are_reflections),
        cmocka_unit_test(law_and_dissipation_of_a_cradle),  cmocka_unit_test(dissipation_functions),
        cmocka_unit_test(refuses_what_solve_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
