/* Contacts with rolling and torsional friction: cone, law and derivatives, one contact, piles. */
#include "contact/coulomb/pairs/pairs_expand.h"
#include "contact/coulomb/pairs/pairs_local.h"
#include "contact/coulomb/pairs/pairs_newton.h"
#include "contact/coulomb/pairs/pairs_sweep.h"
#include "contact/coulomb/pairs_one.h"
#include "sample_moments.h"
#include "test/near.h"

static const double tight = 1e-10;

/* d = s: the plane with 3 numbers, space with 6. */
static const int sizes[] = {3, 6};

static void fill(carom_random *random, int n, double low, double high, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = carom_random_uniform(random, low, high);
}

static double largest_difference(int n, const double *a, const double *b)
{
    double largest = 0.0;
    for (int i = 0; i < n; i++)
        largest = fmax(largest, fabs(a[i] - b[i]));
    return largest;
}

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

/* ---- many ----------------------------------------------------------------------------------------------- */

static carom_pairs_solver *new_solver(const char *name, double tolerance)
{
    carom_pairs_solver *solver;
    const carom_solver_ops *ops = name ? carom_solver_find(CAROM_PROBLEM_COULOMB, name, NULL) : NULL;
    assert_true(ops || !name);
    assert_int_equal(
        carom_pairs_solver_create(ops, &(carom_solver_options){.tolerance = tolerance}, &solver, NULL),
        CAROM_OK);
    return solver;
}

static carom_solve_report solve(const char *name, rolling_pile *s)
{
    carom_pairs_solver *solver = new_solver(name, tight);
    memset(s->r, 0, sizeof s->r);
    const carom_solve_report report = carom_pairs_solve(solver, &s->p.problem, s->r, s->p.velocity);
    carom_pairs_solver_free(solver);
    return report;
}

/* The error is what the function says, which is written out here; every moment and every friction is against its
 * velocity, and within its bound. */
static void check_solved(const carom_solve_report *report, const rolling_pile *s)
{
    const carom_pairs *problem = &s->p.problem;
    const int n = problem->contacts;
    const double scale = carom_pairs_scale(problem);
    double sum = 0.0, size = 0.0;
    assert_int_equal(report->status, CAROM_OK);
    assert_true(report->error <= tight);
    for (int i = 0; i < n; i++) {
        const carom_pair_spin *spin = &s->spin[i];
        const double *r = s->r + 3 * (ptrdiff_t)i, *m = s->r + 3 * (ptrdiff_t)(n + i);
        double u[6], z[6], p[6];
        carom_pairs_velocity(problem, i, s->p.velocity, u);
        carom_pairs_spin_velocity(problem, i, s->p.velocity, u + 3);
        const double slack = 1e-8;
        assert_true(r[0] >= -slack);
        assert_true(hypot(r[1], r[2]) <= problem->row[i].mu * r[0] + slack);
        assert_true(hypot(m[0], m[1]) <= spin->rolling * r[0] + slack);
        assert_true(fabs(m[2]) <= spin->torsion * r[0] + slack);
        assert_true(u[1] * r[1] + u[2] * r[2] <= slack);
        assert_true(u[3] * m[0] + u[4] * m[1] <= slack);
        assert_true(u[5] * m[2] <= slack);
        for (int k = 0; k < 6; k++) {
            z[k] = scale * (k < 3 ? r[k] : m[k - 3]);
            const double q = s->q[k < 3 ? 3 * i + k : 3 * (n + i) + k - 3];
            size += q * q;
        }
        double moved[6], own = 0.0;
        for (int k = 0; k < 6; k++)
            moved[k] = z[k] - u[k];
        moved[0] -= problem->row[i].mu * hypot(u[1], u[2]) + spin->rolling * hypot(u[3], u[4]) +
                    spin->torsion * fabs(u[5]);
        pairs_cone_project(6, 6, (const double[3]){problem->row[i].mu, spin->rolling, spin->torsion}, moved,
                           p);
        for (int k = 0; k < 6; k++)
            own += (z[k] - p[k]) * (z[k] - p[k]);
        const double normal = fmin(z[0], u[0]);
        sum += fmax(own, normal * normal);
    }
    assert_near(sqrt(sum / size), report->error, 1e-13);
}

static void piles_are_solved(void **state)
{
    (void)state;
    static rolling_pile s;
    const double mu[] = {0.0, 0.1, 0.4, 0.9}, rolling[] = {0.0, 0.02, 0.1, 0.3}, torsion[] = {0.05, 0.0, 0.2};
    int rolls = 0;
    for (int k = 0; k < 60; k++) {
        make_rolling_pile(&s, 100 + (uint64_t)k, k % 2 == 0, 1 + k % 12, mu[k / 2 % 4], rolling[k / 3 % 4],
                          torsion[k % 3]);
        const carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        rolls += carom_largest(3 * s.p.problem.contacts, s.r + 3 * (ptrdiff_t)s.p.problem.contacts) > 0.0;
    }
    assert_true(rolls >= 35);
}

/* Without coefficients moments are not there. */
static void without_coefficients_nothing_changes(void **state)
{
    (void)state;
    static rolling_pile s;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 61, plane, 4, 0.1, 0.0, 0.0);
        double velocity[6 * PILE_BODIES];
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        memcpy(velocity, s.p.velocity, sizeof velocity);
        assert_true(carom_largest(3 * s.p.problem.contacts, s.r + 3 * (ptrdiff_t)s.p.problem.contacts) ==
                    0.0);
        s.p.problem.spin = NULL;
        report = solve(NULL, &s);
        assert_int_equal(report.status, CAROM_OK);
        assert_true(largest_difference(6 * s.p.problem.bodies, velocity, s.p.velocity) < 1e-7);
    }
}

/* Solvers of three numbers per contact, which see moments as contacts. The motion is unique with little friction. */
static void the_motion_is_that_of_other_solvers(void **state)
{
    (void)state;
    static rolling_pile s;
    static const char *const name[] = {"PPA-NSN-AC-GP", "NSGS-EXACT", "NSGS-AC"};
    for (int k = 0; k < 12; k++) {
        double velocity[6 * PILE_BODIES];
        make_rolling_pile(&s, 200 + (uint64_t)k, k % 2 == 0, 1 + k % 4, k % 4 < 2 ? 0.0 : 0.05, 0.02, 0.03);
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        memcpy(velocity, s.p.velocity, sizeof velocity);
        report = solve(name[k % 3], &s);
        check_solved(&report, &s);
        assert_true(largest_difference(6 * s.p.problem.bodies, velocity, s.p.velocity) < 1e-7);
    }
}

/* ---- stages by themselves ------------------------------------------------------------------------------- */

typedef struct stages {
    pairs_rows rows;
    pairs_sweep sweeps;
    pairs_newton newton;
    double r[6 * PILE_CONTACTS], v[6 * (PILE_BODIES + 1)];
} stages;

static void take_stages(stages *t, const rolling_pile *s)
{
    memset(t, 0, sizeof *t);
    assert_true(pairs_rows_take(&t->rows, &s->p.problem, carom_pairs_scale(&s->p.problem)));
    assert_true(pairs_sweep_take(&t->sweeps, &t->rows));
    assert_true(pairs_newton_take(&t->newton, &t->rows));
}

static void free_stages(stages *t)
{
    pairs_rows_free(&t->rows);
    pairs_sweep_free(&t->sweeps);
    pairs_newton_free(&t->newton);
}

/* Packed rows move and measure as the problem does. */
static void rows_are_those_of_the_problem(void **state)
{
    (void)state;
    static rolling_pile s;
    static stages t;
    carom_random random = {31};
    for (int plane = 0; plane < 2; plane++) {
        double back[6 * PILE_CONTACTS];
        make_rolling_pile(&s, 301, plane, 4, 0.3, 0.1, 0.2);
        take_stages(&t, &s);
        const int n = s.p.problem.contacts;
        fill(&random, 6 * n, -0.5, 1.0, s.r);
        for (int i = 0; plane && i < n; i++)
            s.r[3 * i + 2] = s.r[3 * (n + i) + 1] = s.r[3 * (n + i) + 2] = 0.0;
        pairs_rows_pack(&t.rows, s.r, t.r);
        pairs_rows_unpack(&t.rows, t.r, back);
        assert_true(largest_difference(6 * n, s.r, back) < 1e-15);
        pairs_rows_motion(&t.rows, t.r, t.v);
        carom_pairs_motion(&s.p.problem, s.r, s.p.velocity);
        for (int i = 0; i < s.p.problem.bodies; i++)
            for (int k = 0; k < 6; k++) {
                const int own = plane ? (k == 5 ? 2 : k < 2 ? k : -1) : k;
                if (own >= 0)
                    assert_near(t.v[t.rows.s * i + own], s.p.velocity[6 * i + k], 1e-12);
                else
                    assert_true(s.p.velocity[6 * i + k] == 0.0);
            }
        const double error =
            carom_pairs_error(&s.p.problem, carom_pairs_scale(&s.p.problem), s.r, s.p.velocity);
        assert_true(error > 0.1);
        assert_near(pairs_rows_error(&t.rows, t.r, t.v), error, 1e-12 * error);
        free_stages(&t);
    }
}

static void stages_lead_to_the_solution(void **state)
{
    (void)state;
    static rolling_pile s;
    static stages t;
    for (int k = 0; k < 8; k++) {
        make_rolling_pile(&s, 400 + (uint64_t)k, k % 2 == 0, k < 4 ? 2 : 8, 0.2, 0.05, 0.1);
        take_stages(&t, &s);
        if (k < 4) {
            for (int sweep = 0; sweep < 3000 && pairs_rows_error(&t.rows, t.r, t.v) > tight; sweep++)
                pairs_sweep_once(&t.sweeps, sweep % 2 != 0, t.r, t.v);
        } else {
            pairs_newton_report report = {.error = pairs_rows_error(&t.rows, t.r, t.v)};
            pairs_newton_solve(&t.newton, &(pairs_newton_limits){.tolerance = tight, .steps = 300}, t.r, t.v,
                               &report);
        }
        assert_true(pairs_rows_error(&t.rows, t.r, t.v) <= tight);
        free_stages(&t);
    }
}

/* ---- what must not matter ------------------------------------------------------------------------------- */

/* Heavier bodies and a longer length of spins: the same motion. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, other;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 23, plane, 4, 0.1, 0.05, 0.02);
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        other = s;
        bind_pile(&other);
        const double heavier = 1024.0;
        for (int i = 0; i < s.p.problem.bodies; i++)
            other.p.inverse_mass[i] /= heavier;
        for (int i = 0; i < s.p.problem.contacts; i++)
            for (int k = 0; k < 18; k++) {
                (&other.p.row[i].answer[0][0])[k] /= heavier;
                (&other.spin[i].answer[0][0])[k] /= heavier;
            }
        report = solve(NULL, &other);
        check_solved(&report, &other);
        assert_true(largest_difference(6 * s.p.problem.bodies, s.p.velocity, other.p.velocity) < 1e-12);
        const int n = s.p.problem.contacts;
        other = s;
        bind_pile(&other);
        for (int i = 0; i < n; i++) {
            set_spin(&other, i, 2.0 * s.spin[i].length, s.spin[i].rolling * s.spin[i].length,
                     s.spin[i].torsion * s.spin[i].length);
            for (int k = 0; k < 3; k++)
                other.q[3 * (n + i) + k] *= 2.0;
        }
        report = solve(NULL, &other);
        check_solved(&report, &other);
        assert_true(largest_difference(6 * s.p.problem.bodies, s.p.velocity, other.p.velocity) < 1e-7);
    }
}

/* Other tangents, other numbers of bodies and contacts. */
static void frames_and_numbers_do_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, turned;
    for (int plane = 0; plane < 2; plane++) {
        make_rolling_pile(&s, 29, plane, 4, 0.05, 0.03, 0.02);
        const int bodies = s.p.problem.bodies, n = s.p.problem.contacts;
        carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        turned = s;
        bind_pile(&turned);
        for (int i = 0; i < bodies; i++) {
            turned.p.inverse_mass[bodies - 1 - i] = s.p.inverse_mass[i];
            memcpy(turned.p.inverse_inertia[bodies - 1 - i], s.p.inverse_inertia[i], 9 * sizeof(double));
        }
        const double c = plane ? 1.0 : 0.6, a = plane ? 0.0 : 0.8;
        for (int i = 0; i < n; i++) {
            const int to = n - 1 - i;
            carom_pair_rows *row = &turned.p.row[to];
            *row = s.p.row[i];
            double *block[] = {row->direction, row->turn[0], row->turn[1], row->answer[0], row->answer[1]};
            for (int b = 0; b < 5; b++)
                for (int k = 3; k < 6; k++) {
                    const double first = block[b][k], second = block[b][3 + k];
                    block[b][k] = c * first + a * second;
                    block[b][3 + k] = c * second - a * first;
                }
            for (int side = 0; side < 2; side++)
                if (row->body[side] >= 0)
                    row->body[side] = bodies - 1 - row->body[side];
            set_spin(&turned, to, s.spin[i].length, s.spin[i].rolling * s.spin[i].length,
                     s.spin[i].torsion * s.spin[i].length);
            const double *q = s.q + 3 * (ptrdiff_t)i, *w = s.q + 3 * (ptrdiff_t)(n + i);
            const double q_turned[3] = {q[0], c * q[1] + a * q[2], c * q[2] - a * q[1]};
            const double w_turned[3] = {c * w[0] - a * w[1], c * w[1] + a * w[0], w[2]};
            memcpy(turned.q + 3 * (ptrdiff_t)to, q_turned, sizeof q_turned);
            memcpy(turned.q + 3 * (ptrdiff_t)(n + to), w_turned, sizeof w_turned);
        }
        report = solve(NULL, &turned);
        check_solved(&report, &turned);
        for (int i = 0; i < bodies; i++)
            assert_true(largest_difference(6, s.p.velocity + 6 * (ptrdiff_t)i,
                                           turned.p.velocity + 6 * (ptrdiff_t)(bodies - 1 - i)) < 1e-7);
    }
}

/* A solver that has seen other problems, with moments and without, finds the same bits; a start that is a solution stays. */
static void the_past_does_not_matter(void **state)
{
    (void)state;
    static rolling_pile s, other;
    for (int k = 0; k < 4; k++) {
        make_rolling_pile(&s, 31, k % 2, 7, 0.4, 0.1, 0.1);
        double r[6 * PILE_CONTACTS];
        solve(NULL, &s);
        memcpy(r, s.r, sizeof r);
        make_rolling_pile(&other, 37, k % 2 == k / 2, 12, 0.6, 0.1, 0.1);
        carom_pairs_solver *solver = new_solver(NULL, tight);
        if (k % 2 == 0)
            other.p.problem.spin = NULL;
        carom_pairs_solve(solver, &other.p.problem, other.r, other.p.velocity);
        memset(s.r, 0, sizeof s.r);
        carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        check_solved(&report, &s);
        assert_memory_equal(s.r, r, sizeof r);
        report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        assert_int_equal(report.iterations, 0);
        assert_memory_equal(s.r, r, sizeof r);
        carom_pairs_solver_free(solver);
    }
}

/* As contacts of their own: the solution of the problem solves the expanded one, whose W is that of the problem. */
static void expanded_problems_have_the_same_solution(void **state)
{
    (void)state;
    static rolling_pile s;
    static double expanded[9 * PILE_CONTACTS], mu[3 * PILE_CONTACTS], back[6 * PILE_CONTACTS];
    for (int plane = 0; plane < 2; plane++) {
        pairs_expand expand = {0};
        pairs_blocks blocks = {0};
        make_rolling_pile(&s, 43, plane, 3, 0.2, 0.05, 0.1);
        const carom_solve_report report = solve(NULL, &s);
        check_solved(&report, &s);
        const int n = s.p.problem.contacts;
        const double scale = carom_pairs_scale(&s.p.problem);
        assert_true(pairs_expand_take(&expand, &s.p.problem));
        assert_true(expand.problem.contacts > n);
        assert_true(pairs_blocks_assemble(&blocks, &expand.problem, scale));
        pairs_expand_bind(&expand, &blocks);
        pairs_expand_impulses(&expand, scale, s.r, expanded);
        pairs_expand_reduce(&expand, scale, expanded, back);
        assert_true(largest_difference(6 * n, s.r, back) < 1e-14);
        for (int i = 0; i < expand.problem.contacts; i++)
            mu[i] = expand.problem.row[i].mu;
        const carom_coulomb coulomb = {
            .contacts = expand.problem.contacts, .W = blocks.W, .q = expand.problem.q, .mu = mu};
        assert_true(carom_coulomb_error(&coulomb, expanded) <= 10.0 * tight);
        pairs_blocks_free(&blocks);
        pairs_expand_free(&expand);
    }
}

/* One contact by itself is what the solver of all makes of it, to the last bit; with moments and without. */
static void one_contact_needs_no_solver(void **state)
{
    (void)state;
    static rolling_pile s;
    int moved = 0;
    for (int k = 0; k < 80; k++) {
        double r[6] = {0.0}, alone[6] = {0.0}, velocity[6 * PILE_BODIES];
        make_rolling_pile(&s, 500 + (uint64_t)k, k % 2 == 0, 1, k % 3 == 0 ? 0.0 : 0.5, 0.2, 0.1);
        const int n = s.p.problem.contacts;
        if (k % 5 == 4)
            s.p.problem.spin = NULL;
        else
            for (int i = 0; i < 3; i++)
                s.q[3 + i] = s.q[3 * n + i]; /* the moments of the first one */
        assert_false(coulomb_pairs_one(&s.p.problem, alone));
        s.p.problem.contacts = 1;
        carom_pairs_solver *solver = new_solver(NULL, tight);
        const carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, r, velocity);
        carom_pairs_solver_free(solver);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(coulomb_pairs_one(&s.p.problem, alone));
        assert_memory_equal(r, alone, sizeof r);
        moved += r[0] > 0.0;
    }
    assert_true(moved > 20);
}

/* ---- wedges that close ---------------------------------------------------------------------------------- */

/* A disc between two planes, which are `slope` from parallel and come nearer by `closing` together: it cannot give way as they are
 * within its cones of friction, and nothing solves the problem. */
static void make_wedge(rolling_pile *s, double slope, double mu, double rolling, double closing)
{
    const double v[6] = {0.3, -0.8, 0.0, 0.0, 0.0, 0.5}, radius = 0.5;
    memset(s, 0, sizeof *s);
    s->p.problem.plane = true;
    s->p.problem.bodies = 1;
    s->p.problem.contacts = 2;
    s->p.inverse_mass[0] = 1.0;
    s->p.inverse_inertia[0][0] = s->p.inverse_inertia[0][4] = s->p.inverse_inertia[0][8] = 8.0;
    for (int i = 0; i < 2; i++) {
        carom_pair_rows *row = &s->p.row[i];
        const double n[3] = {i == 0 ? cos(slope) : -cos(slope), sin(slope), 0.0};
        *row = (carom_pair_rows){.body = {0, -1}, .mu = mu};
        pile_frame(true, n, row->direction);
        for (int k = 0; k < 2; k++) {
            const double *d = row->direction + 3 * (ptrdiff_t)k;
            row->turn[0][3 * k + 2] = -radius * (n[0] * d[1] - n[1] * d[0]);
            row->answer[0][3 * k + 2] = 8.0 * row->turn[0][3 * k + 2];
        }
        set_spin(s, i, 0.4, rolling, 0.0);
    }
    bind_pile(s);
    for (int i = 0; i < 2; i++) {
        double u[3];
        carom_pairs_velocity(&s->p.problem, i, v, u);
        memcpy(s->q + 3 * (ptrdiff_t)i, u, 2 * sizeof *u);
        carom_pairs_spin_velocity(&s->p.problem, i, v, u);
        s->q[6 + 3 * i] = u[0];
    }
    for (int i = 0; i < 2; i++)
        s->q[3 * i] -= 0.5 * closing;
}

/* The least error: both contacts approach by x and slip by z = t x, of which a closing takes 2 (1 + t tan(slope)) x, with t as large
 * as is not seen in max(x^2, (x - mu z)^2 + z^2), 2 mu / (1 + mu^2). Rolling spins are left out, which could do still less. */
static void wedges_have_the_least_error(void **state)
{
    (void)state;
    static rolling_pile s;
    const double mu[] = {0.4, 0.5, 0.8};
    for (int k = 0; k < 9; k++) {
        const double slope = 0.2 + 0.05 * (k % 3), closing = 1e-8, m = mu[k / 3];
        make_wedge(&s, slope, m, 0.05, closing);
        const double q_size = sqrt(carom_dot(12, s.q, s.q));
        const double x = 0.5 * closing / (1.0 + tan(slope) * 2.0 * m / (1.0 + m * m));
        const double least = sqrt(2.0) * x / q_size;
        carom_pairs_solver *solver;
        assert_int_equal(carom_pairs_solver_create(NULL, &(carom_solver_options){.tolerance = 1.01 * least},
                                                   &solver, NULL),
                         CAROM_OK);
        const carom_solve_report report = carom_pairs_solve(solver, &s.p.problem, s.r, s.p.velocity);
        carom_pairs_solver_free(solver);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        assert_true(report.error <= 1.01 * least && report.error > 0.95 * least);
    }
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
        cmocka_unit_test(piles_are_solved),
        cmocka_unit_test(without_coefficients_nothing_changes),
        cmocka_unit_test(the_motion_is_that_of_other_solvers),
        cmocka_unit_test(rows_are_those_of_the_problem),
        cmocka_unit_test(stages_lead_to_the_solution),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(frames_and_numbers_do_not_matter),
        cmocka_unit_test(the_past_does_not_matter),
        cmocka_unit_test(expanded_problems_have_the_same_solution),
        cmocka_unit_test(one_contact_needs_no_solver),
        cmocka_unit_test(wedges_have_the_least_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
