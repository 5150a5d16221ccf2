/* One contact with rolling and torsional friction: cone, law and derivatives, and its solution. */
#include "contact/coulomb/pairs/pairs_local.h"
#include "contact/coulomb/pairs/pairs_newton.h"
#include "sample_moments.h"
#include "test/near.h"

/* d = s: the plane with 3 numbers, space with 6. */
static const int sizes[] = {3, 6};

static bool is_in_cone(int d, const double *coefficient, const double *z, double slack)
{
    for (int part = 0; part < pairs_parts(d, d); part++)
        if (pairs_part_length(pairs_part_size(d, part), z + pairs_part_start(d, part)) >
            coefficient[part] * z[0] + slack)
            return false;
    return z[0] >= -slack;
}

/* ---- the cone ------------------------------------------------------------------------------------------- */

/* p is the nearest point: in the cone, with (z - p).(x - p) <= 0 for all x of it. */
static void projections_are_nearest_points(void **state)
{
    (void)state;
    carom_random random = {11};
    for (int trial = 0; trial < 4000; trial++) {
        const int d = sizes[trial % 2];
        double coefficient[3], z[6], p[6], x[6], again[6];
        fill(&random, 3, trial % 7 == 0 ? 0.0 : 0.01, 1.5, coefficient);
        if (trial % 5 == 0)
            coefficient[trial % 3] = 0.0;
        fill(&random, d, -1.0, 1.0, z);
        pairs_cone_project(d, d, coefficient, z, p);
        assert_true(is_in_cone(d, coefficient, p, 1e-15));
        pairs_cone_project(d, d, coefficient, p, again);
        for (int k = 0; k < d; k++)
            assert_near(again[k], p[k], 1e-14);
        for (int other = 0; other < 20; other++) {
            double product = 0.0;
            fill(&random, d, -1.0, 1.0, x);
            x[0] = fabs(x[0]);
            for (int part = 0; part < pairs_parts(d, d); part++) {
                const int at = pairs_part_start(d, part), n = pairs_part_size(d, part);
                const double length = pairs_part_length(n, x + at), most = coefficient[part] * x[0];
                for (int k = at; k < at + n && length > most; k++)
                    x[k] *= most / length;
            }
            for (int k = 0; k < d; k++)
                product += (z[k] - p[k]) * (x[k] - p[k]);
            assert_true(product <= 1e-14);
        }
    }
}

/* With one coefficient, and nothing else to project, the cone is Coulomb's. */
static void one_part_is_coulombs_cone(void **state)
{
    (void)state;
    carom_random random = {13};
    for (int trial = 0; trial < 500; trial++) {
        double z[6], p[6], cone[3], expected[3];
        const int at = trial % 2 == 0 ? 1 : 3;
        double coefficient[3] = {0.0, 0.0, 0.0};
        const double mu = coefficient[at == 1 ? 0 : 1] = carom_random_uniform(&random, 0.1, 1.0);
        fill(&random, 6, -1.0, 1.0, z);
        cone[0] = z[0];
        memcpy(cone + 1, z + at, 2 * sizeof *z);
        carom_cone_project(mu, cone, expected);
        pairs_cone_project(6, 6, coefficient, z, p);
        assert_near(p[0], expected[0], 1e-15);
        assert_near(p[at], expected[1], 1e-15);
        assert_near(p[at + 1], expected[2], 1e-15);
        assert_true(p[at == 1 ? 3 : 1] == 0.0 && p[5] == 0.0);
    }
}

/* ---- the law -------------------------------------------------------------------------------------------- */

/* Open: u_N > 0, r = 0. Closed: each part sticks within its bound, or is at it and against its velocity. */
static void the_law_has_distance_zero(void **state)
{
    (void)state;
    carom_random random = {17};
    for (int trial = 0; trial < 2000; trial++) {
        const int d = sizes[trial % 2];
        double coefficient[3], u[6] = {0.0}, r[6] = {0.0}, rho[4];
        fill(&random, 3, 0.05, 1.2, coefficient);
        fill(&random, 4, 0.2, 3.0, rho);
        if (trial % 3 == 0) {
            fill(&random, d, -1.0, 1.0, u);
            u[0] = fabs(u[0]);
        } else {
            r[0] = carom_random_uniform(&random, 0.1, 2.0);
            for (int part = 0; part < pairs_parts(d, d); part++) {
                const int at = pairs_part_start(d, part), n = pairs_part_size(d, part);
                double way[2], length;
                fill(&random, 2, -1.0, 1.0, way);
                length = pairs_part_length(n, way);
                const bool slips = carom_random_uniform(&random, 0.0, 1.0) < 0.5;
                const double most = coefficient[part] * r[0] * (slips ? 1.0 : 0.9);
                for (int k = 0; k < n; k++) {
                    r[at + k] = most * way[k] / length;
                    u[at + k] = slips ? -0.7 * way[k] : 0.0;
                }
            }
        }
        assert_true(pairs_cone_distance(d, d, coefficient, r, u) < 1e-29);
        assert_true(pairs_law_distance(d, d, coefficient, rho, u, r) < 1e-29);
        /* against the other sense, or beyond a bound, it is not obeyed */
        const int last = d - 1;
        r[last] = (r[last] > 0.0 ? -1.0 : 1.0) * (coefficient[pairs_parts(d, d) - 1] * r[0] + 0.1);
        assert_true(pairs_cone_distance(d, d, coefficient, r, u) > 1e-6);
        assert_true(pairs_law_distance(d, d, coefficient, rho, u, r) > 1e-6);
    }
}

/* A large coefficient does not hide that a contact approaches. */
static void large_coefficients_hide_nothing(void **state)
{
    (void)state;
    const double coefficient[3] = {0.5, 1e12, 1e12}, u[6] = {-0.01, 0.1, 0.0, 0.5, 0.0, 0.5}, r[6] = {0.0};
    assert_true(pairs_cone_distance(6, 6, coefficient, r, u) >= 1e-4 * (1.0 - 1e-12));
    assert_true(pairs_cone_distance(3, 3, coefficient, r, u) >= 1e-4 * (1.0 - 1e-12));
    /* without moments: a body that slides and falls */
    const double mass[1] = {1.0}, q[3] = {-0.01, 1.0, 0.0};
    const carom_pair_rows row = {.body = {0, -1}, .mu = 1e9, .direction = {0, 1, 0, -1, 0, 0, 0, 0, 1}};
    for (int plane = 0; plane < 2; plane++) {
        const carom_pairs problem = {
            .contacts = 1, .bodies = 1, .row = &row, .inverse_mass = mass, .q = q, .plane = plane};
        pairs_rows rows = {0};
        double impulse[3] = {0.0}, velocity[12] = {0.0};
        assert_near(carom_pairs_error(&problem, 1.0, impulse, velocity), 0.01, 1e-6);
        assert_true(pairs_rows_take(&rows, &problem, 1.0));
        assert_near(pairs_rows_error(&rows, impulse, velocity), 0.01, 1e-6);
        pairs_rows_free(&rows);
    }
}

/* Alart and Curnier's function itself, written out. */
static void find_map(int d, const double *coefficient, const double *rho, const double *u, const double *r,
                     double *G)
{
    const double y_N = r[0] - rho[0] * u[0], c = y_N > 0.0 ? y_N : 0.0;
    G[0] = r[0] - c;
    for (int part = 0; part < pairs_parts(d, d); part++) {
        const int at = pairs_part_start(d, part), n = pairs_part_size(d, part);
        double y[2] = {0.0, 0.0};
        for (int k = 0; k < n; k++)
            y[k] = r[at + k] - rho[1 + part] * u[at + k];
        const double length = hypot(y[0], y[1]), most = coefficient[part] * c;
        for (int k = 0; k < n; k++)
            G[at + k] = r[at + k] - (length > most ? most / length : 1.0) * y[k];
    }
}

/* The part of number k, 0 the normal. */
static int part_of(int d, int k)
{
    return d == 3 ? k : (k + 1) / 2;
}

/* G(u + du + dr / alpha, r + dr) for small steps, by differences. */
static void differentiate(int d, const double *coefficient, const double *rho, const double *alpha,
                          const double *u, const double *r, const double *du, const double *dr,
                          double *derivative)
{
    const double step = 1e-6;
    double side[2][6];
    for (int sign = 0; sign < 2; sign++) {
        double u_moved[6], r_moved[6];
        const double t = sign == 0 ? step : -step;
        for (int k = 0; k < d; k++) {
            u_moved[k] = u[k] + t * (du[k] + dr[k] / alpha[part_of(d, k)]);
            r_moved[k] = r[k] + t * dr[k];
        }
        find_map(d, coefficient, rho, u_moved, r_moved, side[sign]);
    }
    for (int k = 0; k < d; k++)
        derivative[k] = (side[0][k] - side[1][k]) / (2.0 * step);
}

/* dr = -g - D du is a Newton step: G + dG = 0, whatever du. */
static void steps_are_newtons(void **state)
{
    (void)state;
    carom_random random = {19};
    int closed = 0, slipping = 0;
    for (int trial = 0; trial < 3000; trial++) {
        const int d = sizes[trial % 2];
        double coefficient[3], rho[4], u[6], r[6], D[36], g[6], du[6], dr[6], G[6], dG[6];
        double alpha[4];
        fill(&random, 4, 0.5, 20.0, alpha);
        fill(&random, 3, 0.1, 1.5, coefficient);
        if (trial % 4 == 0)
            coefficient[trial % 3] = 0.0;
        fill(&random, 4, 0.3, 2.0, rho);
        fill(&random, d, -1.0, 1.0, u);
        fill(&random, d, -1.0, 1.0, r);
        fill(&random, d, -1.0, 1.0, du);
        pairs_law_linearise(d, d, coefficient, rho, alpha, u, r, D, g);
        for (int k = 0; k < d; k++)
            dr[k] = -g[k] - carom_dot(d, D + (ptrdiff_t)d * k, du);
        find_map(d, coefficient, rho, u, r, G);
        assert_near(carom_dot(d, G, G), pairs_law_distance(d, d, coefficient, rho, u, r), 1e-13);
        differentiate(d, coefficient, rho, alpha, u, r, du, dr, dG);
        closed += r[0] > rho[0] * u[0];
        slipping += D[(ptrdiff_t)d * (d - 1)] != 0.0;
        double size = 1.0;
        for (int k = 0; k < d; k++)
            size = fmax(size, fabs(dr[k]) * fmax(1.0, 1.0 / alpha[part_of(d, k)]));
        for (int k = 0; k < d; k++)
            assert_near(dG[k], -G[k], 1e-7 * size * size);
    }
    assert_true(closed > 1000 && slipping > 500);
}

/* Where the contact changes first: a little before and after, the parts stick and slip as they did, and otherwise. */
static void changes_are_found(void **state)
{
    (void)state;
    carom_random random = {23};
    int found = 0;
    for (int trial = 0; trial < 1000; trial++) {
        const int d = sizes[trial % 2];
        double coefficient[3], rho[4], u[6], r[6], dr[6];
        fill(&random, 3, 0.1, 1.5, coefficient);
        fill(&random, 4, 0.3, 2.0, rho);
        fill(&random, d, -1.0, 1.0, u);
        fill(&random, d, -1.0, 1.0, r);
        fill(&random, d, -1.0, 1.0, dr);
        const double t = pairs_law_change(d, d, coefficient, rho, u, r, dr);
        if (!isfinite(t))
            continue;
        found++;
        int regime[3];
        const double at[3] = {0.0, t * (1.0 - 1e-6), t * (1.0 + 1e-6)};
        for (int k = 0; k < 3; k++) {
            double y[6];
            for (int i = 0; i < d; i++) {
                const int part = i == 0 ? 0 : d == 3 ? i : (i + 1) / 2;
                y[i] = r[i] + at[k] * dr[i] - rho[part] * u[i];
            }
            regime[k] = y[0] > 0.0;
            for (int part = 0; y[0] > 0.0 && part < pairs_parts(d, d); part++)
                if (pairs_part_length(pairs_part_size(d, part), y + pairs_part_start(d, part)) >
                    coefficient[part] * y[0])
                    regime[k] |= 2 << part;
        }
        assert_int_equal(regime[0], regime[1]);
        assert_int_not_equal(regime[1], regime[2]);
    }
    assert_true(found > 500);
}

/* ---- one contact ---------------------------------------------------------------------------------------- */

/* W = L L^T of full rank, like that of a body and a contact at its skin. */
static void fill_matrix(carom_random *random, int d, double *W)
{
    double L[36];
    fill(random, d * d, -1.0, 1.0, L);
    for (int i = 0; i < d; i++)
        for (int j = 0; j < d; j++)
            W[d * i + j] = carom_dot(d, L + (ptrdiff_t)d * i, L + (ptrdiff_t)d * j) + (i == j ? 0.3 : 0.0);
}

static void one_contact_is_solved(void **state)
{
    (void)state;
    carom_random random = {29};
    for (int trial = 0; trial < 6000; trial++) {
        const int d = sizes[trial % 2];
        double coefficient[3], W[36], rho[4], q[6], r[6] = {0.0}, u[6];
        fill_matrix(&random, d, W);
        fill(&random, 3, 0.0, trial % 3 == 0 ? 0.3 : 1.0, coefficient);
        if (trial % 4 == 0)
            coefficient[trial / 4 % 3] = 0.0;
        fill(&random, d, -1.0, 1.0, q);
        q[0] = -fabs(q[0]);
        pairs_law_rho(d, d, d, W, rho);
        assert_true(pairs_local_solve(d, d, W, coefficient, rho, q, r));
        for (int k = 0; k < d; k++)
            u[k] = q[k] + carom_dot(d, W + (ptrdiff_t)d * k, r);
        assert_true(sqrt(pairs_cone_distance(d, d, coefficient, r, u)) <=
                    1e-11 * (1.0 + sqrt(carom_dot(d, r, r))));
        assert_true(is_in_cone(d, coefficient, r, 1e-12 * r[0]));
        if (trial % 3 > 0)
            continue;
        double other[6] = {0.0}; /* with little friction it is the same one */
        assert_true(pairs_local_by_parts(d, d, W, coefficient, rho, q, other));
        assert_true(largest_difference(d, r, other) <= 1e-10 * (1.0 + r[0]));
    }
}

/* A contact that leaves has no impulses; without inertia nothing can be done. */
static void borders_of_one_contact(void **state)
{
    (void)state;
    const double W[9] = {1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}, rho[4] = {1.0, 1.0, 1.0, 1.0};
    const double coefficient[3] = {0.5, 0.1, 0.0}, leaves[3] = {0.1, 1.0, 1.0}, comes[3] = {-1.0, 1.0, 1.0};
    double r[3] = {1.0, 0.2, 0.1};
    assert_true(pairs_local_solve(3, 3, W, coefficient, rho, leaves, r));
    assert_true(r[0] == 0.0 && r[1] == 0.0 && r[2] == 0.0);
    const double none[9] = {0.0};
    assert_false(pairs_local_solve(3, 3, none, coefficient, rho, comes, r));
    /* r_N = 1, and both parts slip */
    assert_true(pairs_local_solve(3, 3, W, coefficient, rho, comes, r));
    assert_near(r[0], 1.0, 1e-14);
    assert_near(r[1], -0.5, 1e-14);
    assert_near(r[2], -0.1, 1e-14);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections_are_nearest_points),
        cmocka_unit_test(one_part_is_coulombs_cone),
        cmocka_unit_test(the_law_has_distance_zero),
        cmocka_unit_test(large_coefficients_hide_nothing),
        cmocka_unit_test(steps_are_newtons),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(one_contact_is_solved),
        cmocka_unit_test(borders_of_one_contact),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
