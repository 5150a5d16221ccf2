#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/contact/rolling.h"

enum {
    MOST_CONTACTS = 16,
    MOST_BODIES = 8,
    MOST_ENTRIES = 12 * 6 * MOST_CONTACTS
};

/* A global problem that is written entry by entry. */
typedef struct sample {
    carom_arena *arena;
    carom_coulomb_global global;
    int bodies, count;
    int row[MOST_ENTRIES], column[MOST_ENTRIES];
    double value[MOST_ENTRIES];
    double mass[36 * MOST_BODIES]; /* width x width blocks */
    double f[6 * MOST_BODIES], w[6 * MOST_CONTACTS];
    double mu[MOST_CONTACTS], mu_r[MOST_CONTACTS], mu_t[MOST_CONTACTS];
} sample;

static int width_of(const sample *s)
{
    return s->global.dimension == 3 ? 3 : 6;
}

static void begin(sample *s, int dimension, int bodies, int contacts)
{
    memset(s, 0, sizeof *s);
    s->bodies = bodies;
    s->global = (carom_coulomb_global){.dimension = dimension, .contacts = contacts};
}

static void put(sample *s, int row, int column, double value)
{
    if (value == 0.0)
        return;
    s->row[s->count] = row;
    s->column[s->count] = column;
    s->value[s->count++] = value;
}

static void finish(sample *s)
{
    const int width = width_of(s), n = width * s->bodies;
    int row[36 * MOST_BODIES], column[36 * MOST_BODIES], count = 0;
    double value[36 * MOST_BODIES];
    s->arena = carom_arena_create();
    for (int i = 0; i < s->bodies; i++)
        for (int k = 0; k < width * width; k++) {
            row[count] = width * i + k / width;
            column[count] = width * i + k % width;
            value[count++] = s->mass[36 * i + k];
        }
    carom_coulomb_global *global = &s->global;
    assert_true(carom_sparse_take(s->arena, n, n, (size_t)count, row, column, value, &global->M));
    assert_true(carom_sparse_take(s->arena, n, global->dimension * global->contacts, (size_t)s->count, s->row,
                                  s->column, s->value, &global->H));
    assert_true(carom_sparse_take(s->arena, n, 0, 0, NULL, NULL, NULL, &global->G));
    global->f = s->f;
    global->w = s->w;
    global->mu = s->mu;
    global->mu_r = s->mu_r;
    global->mu_t = global->dimension == 6 ? s->mu_t : NULL;
}

static void done(sample *s)
{
    carom_arena_free(s->arena);
}

/* ---- both ways to solve it ------------------------------------------------------------------------------- */

/* By W and a solver of its parts; u and r as the problem has them. Returns the error. */
static double solve_reduced(const sample *s, const char *solver, double tolerance, double *r, double *u)
{
    carom_arena *arena = carom_arena_create();
    carom_rolling problem;
    carom_error error = {0};
    carom_solve_report report;
    const carom_solver_options limits = {.tolerance = tolerance, .max_iterations = 100000};
    assert_int_equal(carom_rolling_reduce(&s->global, arena, &problem, &error), CAROM_OK);
    double *three = carom_arena_take(arena, 3 * (size_t)problem.parts.contacts, sizeof *three);
    double *velocity = carom_arena_take(arena, 3 * (size_t)problem.parts.contacts, sizeof *velocity);
    assert_int_equal(carom_rolling_solve(carom_solver_find(CAROM_PROBLEM_COULOMB, solver, NULL), &problem,
                                         &limits, three, &report, &error),
                     CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    carom_rolling_examine(&problem, three, velocity, NULL, NULL, NULL);
    assert_true(report.error == carom_rolling_error(&problem, three, velocity));
    carom_rolling_unpack_reactions(&problem, three, r);
    carom_rolling_unpack_velocities(&problem, velocity, u);
    carom_arena_free(arena);
    return report.error;
}

static double solve_bodies(const sample *s, double tolerance, double *r, double *u, double *v)
{
    carom_arena *arena = carom_arena_create();
    carom_rolling problem;
    carom_error error = {0};
    carom_solve_report report;
    carom_coulomb_summary summary;
    carom_coulomb_residual residual;
    unsigned char regime[3 * MOST_CONTACTS];
    const carom_solver_options limits = {.tolerance = tolerance};
    assert_true(carom_rolling_prefers_global(&s->global));
    memset(r, 0, (size_t)s->global.H.columns * sizeof *r);
    assert_int_equal(carom_rolling_solve_global(&s->global, &limits, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_int_equal(carom_rolling_take_global(&s->global, arena, &problem, &error), CAROM_OK);
    assert_int_equal(
        carom_rolling_examine_global(&s->global, &problem, r, u, regime, &summary, &residual, &error),
        CAROM_OK);
    assert_true(fabs(summary.error - report.error) <= 1e-14);
    carom_arena_free(arena);
    return report.error;
}

/* The error of given reactions, by W. */
static double error_of(const carom_coulomb_global *global, const double *r)
{
    carom_arena *arena = carom_arena_create();
    carom_rolling problem;
    double three[9 * MOST_CONTACTS], u[9 * MOST_CONTACTS];
    assert_int_equal(carom_rolling_reduce(global, arena, &problem, NULL), CAROM_OK);
    carom_rolling_pack_reactions(&problem, r, three);
    carom_rolling_examine(&problem, three, u, NULL, NULL, NULL);
    const double error = carom_rolling_error(&problem, three, u);
    carom_arena_free(arena);
    return error;
}

/* ---- closed values --------------------------------------------------------------------------------------- */

static const double g_h = 9.81e-2; /* what gravity gives in a step */

/* A disc of radius 0.2 that begins to move on an incline. */
static void make_disc(sample *s, double tangent, double mu, double mu_r)
{
    const double m = 3.0, radius = 0.2, J = 0.5 * m * radius * radius;
    const double c = 1.0 / sqrt(1.0 + tangent * tangent), sine = tangent * c;
    begin(s, 3, 1, 1);
    s->mass[0] = s->mass[4] = m;
    s->mass[8] = J;
    s->f[0] = m * g_h * sine;
    s->f[1] = -m * g_h * c;
    s->mu[0] = mu;
    s->mu_r[0] = mu_r;
    put(s, 1, 0, 1.0);
    put(s, 0, 1, 1.0);
    put(s, 2, 1, radius);
    put(s, 2, 2, 1.0);
    finish(s);
}

static void expect_disc(double tangent, double mu, double mu_r, double speed, double spin)
{
    sample s;
    double r[3], u[3], v[3];
    make_disc(&s, tangent, mu, mu_r);
    for (int way = 0; way < 3; way++) {
        if (way == 0)
            solve_bodies(&s, 1e-12, r, u, v);
        else
            solve_reduced(&s, way == 1 ? "auto" : "nsgs", 1e-12, r, u);
        assert_true(fabs(r[0] + s.f[1]) <= 1e-11);
        assert_true(fabs(u[0]) <= 1e-11);
        assert_true(fabs(u[1] - (speed + 0.2 * spin)) <= 1e-11);
        assert_true(fabs(u[2] - spin) <= 1e-10);
        assert_true(error_of(&s.global, r) <= 1e-11);
    }
    done(&s);
}

/* It rests up to tan a = mu_r / radius; beyond it rolls, or slides without rolling where mu < mu_r / radius. */
static void a_disc_rolls_beyond_its_angle(void **state)
{
    (void)state;
    const double limit = 0.05 / 0.2;
    for (int k = 1; k <= 12; k++) {
        const double tangent = 0.05 * k, c = 1.0 / sqrt(1.0 + tangent * tangent);
        const double speed = tangent > limit ? g_h * c * (tangent - limit) / 1.5 : 0.0;
        expect_disc(tangent, 1.0, 0.05, speed, -speed / 0.2);
        expect_disc(tangent, 0.15, 0.05, tangent > 0.15 ? g_h * c * (tangent - 0.15) : 0.0, 0.0);
    }
}

/* A ball on a plane with normal z, that spins about it. */
static void make_ball(sample *s, int dimension, double pull, double spin, double mu_r, double mu_t)
{
    const double m = 2.0, radius = 0.1, J = 0.4 * m * radius * radius;
    begin(s, dimension, 1, 1);
    for (int k = 0; k < 6; k++)
        s->mass[7 * k] = k < 3 ? m : J;
    s->f[0] = m * pull;
    s->f[2] = -m * g_h;
    s->f[5] = J * spin;
    s->mu[0] = 1.0;
    s->mu_r[0] = mu_r;
    s->mu_t[0] = mu_t;
    put(s, 2, 0, 1.0); /* normal z, tangents x and y, point at -radius z */
    put(s, 0, 1, 1.0);
    put(s, 4, 1, -radius);
    put(s, 1, 2, 1.0);
    put(s, 3, 2, radius);
    put(s, 3, 3, 1.0); /* moments about x, y and z */
    put(s, 4, 4, 1.0);
    if (dimension == 6)
        put(s, 5, 5, 1.0);
    finish(s);
}

static void a_ball_rolls_and_spins_out(void **state)
{
    (void)state;
    const double m = 2.0, J = 0.4 * m * 0.01;
    for (int dimension = 5; dimension <= 6; dimension++)
        for (int k = 0; k <= 8; k++) {
            const double pull = 0.01 * k, spin = 0.4 * k, limit = 0.02 / 0.1 * g_h;
            const double speed = pull > limit ? (pull - limit) / 1.4 : 0.0;
            const double braked = fmax(0.0, spin - 5e-2 * m * g_h / J);
            double r[6], u[6], v[6];
            sample s;
            make_ball(&s, dimension, pull, spin, 0.02, 5e-2);
            for (int way = 0; way < 2; way++) {
                if (way == 0)
                    solve_bodies(&s, 1e-12, r, u, v);
                else
                    solve_reduced(&s, "auto", 1e-12, r, u);
                assert_true(fabs(u[0]) + fabs(u[1]) + fabs(u[2]) <= 1e-10);
                assert_true(fabs(u[4] - speed / 0.1) <= 1e-9);
                assert_true(fabs(r[4]) <= 0.02 * r[0] + 1e-12);
                if (dimension == 6)
                    assert_true(fabs(u[5] - braked) <= 1e-9);
                assert_true(error_of(&s.global, r) <= 1e-11);
            }
            done(&s);
        }
}

/* ---- random bodies --------------------------------------------------------------------------------------- */

static void cross(const double a[3], const double b[3], double c[3])
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static void random_frame(carom_random *random, bool plane, double frame[9])
{
    double other[3];
    memset(frame, 0, 9 * sizeof *frame);
    for (int k = 0; k < (plane ? 2 : 3); k++)
        frame[k] = carom_random_uniform(random, -1.0, 1.0);
    const double size = sqrt(carom_dot(3, frame, frame));
    for (int k = 0; k < 3; k++) {
        frame[k] /= size;
        other[k] = plane ? (k == 2) : carom_random_uniform(random, -1.0, 1.0);
    }
    cross(other, frame, frame + 3);
    const double length = sqrt(carom_dot(3, frame + 3, frame + 3));
    for (int k = 3; k < 6; k++)
        frame[k] /= length;
    cross(frame, frame + 3, frame + 6);
}

/* Bodies that touch each other and the ground; w = 0, so that there is a solution. */
static void make_random(sample *s, uint64_t seed, int dimension, int bodies, int contacts)
{
    carom_random random = {seed};
    const bool plane = dimension == 3;
    const int width = plane ? 3 : 6, slips = plane ? 2 : 3;
    begin(s, dimension, bodies, contacts);
    for (int i = 0; i < bodies; i++)
        for (int k = 0; k < width; k++) {
            s->mass[36 * i + (width + 1) * k] = carom_random_uniform(&random, 0.5, 2.0);
            if (k < slips)
                s->mass[36 * i + (width + 1) * k] = s->mass[36 * i];
            s->f[width * i + k] = carom_random_uniform(&random, -1.0, 1.0);
        }
    for (int i = 0; i < contacts; i++) {
        double frame[9];
        random_frame(&random, plane, frame);
        s->mu[i] = carom_random_uniform(&random, 0.0, 1.0);
        s->mu_r[i] = i % 4 == 3 ? 0.0 : carom_random_uniform(&random, 0.0, 0.3);
        s->mu_t[i] = carom_random_uniform(&random, 0.0, 0.3);
        for (int side = 0; side < (i % 3 == 0 ? 1 : 2); side++) {
            const int body = (i + side * (1 + i % (bodies - 1))) % bodies, first = width * body;
            const double sign = side == 0 ? 1.0 : -1.0;
            double arm[3];
            for (int k = 0; k < 3; k++)
                arm[k] = plane && k == 2 ? 0.0 : carom_random_uniform(&random, -0.5, 0.5);
            for (int n = 0; n < slips; n++) {
                double turn[3];
                cross(arm, frame + 3 * (ptrdiff_t)n, turn);
                for (int k = 0; k < slips; k++)
                    put(s, first + k, dimension * i + n, sign * frame[3 * n + k]);
                for (int k = slips; k < width; k++)
                    put(s, first + k, dimension * i + n, sign * turn[plane ? 2 : k - 3]);
            }
            for (int n = slips; n < dimension; n++) /* in space about tangents and normal */
                for (int k = slips; k < width; k++)
                    put(s, first + k, dimension * i + n,
                        sign * (plane ? 1.0 : frame[3 * ((n - 2) % 3) + k - 3]));
        }
    }
    finish(s);
}

/* |reaction| <= most, and against the motion where there is one. */
static void expect_disk(int size, const double *reaction, const double *motion, double most)
{
    const double length = sqrt(carom_dot(size, reaction, reaction));
    const double speed = sqrt(carom_dot(size, motion, motion));
    assert_true(length <= most + 1e-8);
    assert_true(fabs(carom_dot(size, reaction, motion) + most * speed) <= 1e-7);
}

/* The law as it is written, without the natural map. */
static void expect_law(const sample *s, const double *r, const double *u)
{
    const int d = s->global.dimension;
    for (int i = 0; i < s->global.contacts; i++) {
        const double *p = r + (ptrdiff_t)d * i, *v = u + (ptrdiff_t)d * i;
        assert_true(p[0] >= -1e-9 && v[0] >= -1e-8 && fabs(p[0] * v[0]) <= 1e-8);
        expect_disk(d == 3 ? 1 : 2, p + 1, v + 1, s->mu[i] * p[0]);
        expect_disk(d == 3 ? 1 : 2, p + (d == 3 ? 2 : 3), v + (d == 3 ? 2 : 3), s->mu_r[i] * p[0]);
        if (d == 6)
            expect_disk(1, p + 5, v + 5, s->mu_t[i] * p[0]);
    }
}

static const int dimensions[] = {3, 5, 6};

static void solutions_obey_the_law(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++)
        for (uint64_t seed = 1; seed <= 20; seed++) {
            sample s;
            double r[6 * MOST_CONTACTS], u[6 * MOST_CONTACTS], v[6 * MOST_BODIES];
            make_random(&s, seed, dimensions[k], 4, 6);
            assert_true(solve_bodies(&s, 1e-10, r, u, v) <= 1e-10);
            expect_law(&s, r, u);
            assert_true(fabs(error_of(&s.global, r)) <= 2e-10); /* the same without bodies */
            assert_true(solve_reduced(&s, "auto", 1e-10, r, u) <= 1e-10);
            expect_law(&s, r, u);
            done(&s);
        }
}

/* What is wrong is not small: reactions of other contacts, moments that are too large or the wrong way. */
static void the_error_sees_every_part(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        sample s;
        double r[6 * MOST_CONTACTS], u[6 * MOST_CONTACTS], v[6 * MOST_BODIES];
        const int d = dimensions[k];
        make_random(&s, 5, d, 4, 6);
        solve_bodies(&s, 1e-12, r, u, v);
        for (int place = 0; place < d * 6; place++)
            if (fabs(r[place]) > 1e-3) {
                const double kept = r[place];
                r[place] = 1.1 * kept;
                assert_true(error_of(&s.global, r) > 1e-5);
                r[place] = -kept;
                assert_true(error_of(&s.global, r) > 1e-4);
                r[place] = kept;
            }
        r[0] = NAN;
        assert_true(isinf(error_of(&s.global, r)));
        done(&s);
    }
}

/* Lengths are thousand times as many, masses a tenth: the same errors. */
static void the_error_has_no_units(void **state)
{
    (void)state;
    const double L = 1000.0, K = 0.1;
    for (int k = 0; k < 3; k++) {
        static sample a, b;
        const int d = dimensions[k], width = d == 3 ? 3 : 6, slips = d == 3 ? 2 : 3;
        double r[6 * MOST_CONTACTS], other[6 * MOST_CONTACTS];
        carom_random random = {9};
        make_random(&a, 3, d, 4, 6);
        make_random(&b, 3, d, 4, 6);
        done(&b);
        for (int i = 0; i < b.bodies; i++)
            for (int j = 0; j < width; j++) {
                const double unit = j < slips ? K : K * L * L;
                b.mass[36 * i + (width + 1) * j] *= unit;
                b.f[width * i + j] *= j < slips ? K * L : K * L * L;
            }
        for (int e = 0; e < b.count; e++) /* arms are lengths; moments turn alone */
            if (b.row[e] % width >= slips && b.column[e] % d < slips)
                b.value[e] *= L;
        for (int i = 0; i < 6; i++) {
            b.mu_r[i] *= L;
            b.mu_t[i] *= L;
        }
        finish(&b);
        for (int j = 0; j < 6 * d; j++) {
            r[j] = carom_random_uniform(&random, -0.2, 1.0);
            other[j] = r[j] * (j % d < slips ? K * L : K * L * L);
        }
        const double first = error_of(&a.global, r), second = error_of(&b.global, other);
        assert_true(fabs(first - second) <= 1e-12 * first);
        done(&a);
        done(&b);
    }
}

/* The last contact first: the same error, and the solution is one. */
static void numbers_of_contacts_do_not_matter(void **state)
{
    (void)state;
    for (int k = 0; k < 3; k++) {
        static sample a, b;
        const int d = dimensions[k], n = 6;
        double r[6 * MOST_CONTACTS], u[6 * MOST_CONTACTS], v[6 * MOST_BODIES], turned[6 * MOST_CONTACTS];
        make_random(&a, 8, d, 4, n);
        make_random(&b, 8, d, 4, n);
        done(&b);
        for (int e = 0; e < b.count; e++)
            b.column[e] = d * (n - 1 - b.column[e] / d) + b.column[e] % d;
        for (int i = 0; i < n; i++) {
            b.mu[i] = a.mu[n - 1 - i];
            b.mu_r[i] = a.mu_r[n - 1 - i];
            b.mu_t[i] = a.mu_t[n - 1 - i];
        }
        finish(&b);
        solve_bodies(&a, 1e-10, r, u, v);
        for (int j = 0; j < d * n; j++)
            turned[d * (n - 1 - j / d) + j % d] = r[j];
        assert_true(fabs(error_of(&a.global, r) - error_of(&b.global, turned)) <= 1e-15);
        done(&a);
        done(&b);
    }
}

/* ---- forms ------------------------------------------------------------------------------------------------- */

/* W and q of a reduced problem as a local one: the same error, the same solution. */
static void local_problems_are_solved(void **state)
{
    (void)state;
    sample s;
    make_disc(&s, 0.5, 1.0, 0.05);
    const double m = 3.0, J = 0.06, radius = 0.2;
    const double W[9] = {1 / m, 0, 0, 0, 1 / m + radius * radius / J, radius / J, 0, radius / J, 1 / J};
    const double q[3] = {s.f[1] / m, s.f[0] / m, 0.0};
    int row[9], column[9];
    for (int k = 0; k < 9; k++)
        row[k] = k / 3, column[k] = k % 3;
    carom_coulomb_local local = {.dimension = 3, .contacts = 1, .q = q, .mu = s.mu, .mu_r = s.mu_r};
    assert_true(carom_sparse_take(s.arena, 3, 3, 9, row, column, W, &local.W));
    assert_true(carom_sparse_take(s.arena, 3, 0, 0, NULL, NULL, NULL, &local.V));
    assert_true(carom_sparse_take(s.arena, 0, 0, 0, NULL, NULL, NULL, &local.R));
    carom_rolling problem;
    carom_solve_report report;
    carom_error error = {0};
    double three[6] = {0}, r[3], u[3], wanted[3];
    assert_int_equal(carom_rolling_embed(&local, s.arena, &problem, &error), CAROM_OK);
    assert_int_equal(carom_rolling_solve(NULL, &problem, &(carom_solver_options){.tolerance = 1e-12}, three,
                                         &report, &error),
                     CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    carom_rolling_unpack_reactions(&problem, three, r);
    solve_reduced(&s, "auto", 1e-12, wanted, u);
    for (int k = 0; k < 3; k++)
        assert_true(fabs(r[k] - wanted[k]) <= 1e-10);
    done(&s);
}

static void others_refuse_it(void **state)
{
    (void)state;
    sample s;
    carom_coulomb problem;
    carom_rolling rolling;
    carom_solve_report report;
    carom_error error = {0};
    double r[3] = {0}, v[3];
    make_disc(&s, 0.5, 1.0, 0.05);
    assert_int_equal(carom_coulomb_reduce(&s.global, s.arena, &problem, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "rolling friction"));
    assert_int_equal(carom_coulomb_solve_global(&s.global, NULL, v, r, &report, &error), CAROM_BAD_INPUT);
    assert_false(carom_coulomb_prefers_global(&s.global));
    s.mu_r[0] = -0.1;
    assert_int_equal(carom_rolling_reduce(&s.global, s.arena, &rolling, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "mu_r[0] = -0.1"));
    s.mu_r[0] = 0.1;
    s.global.mu_t = s.mu_t;
    assert_int_equal(carom_rolling_reduce(&s.global, s.arena, &rolling, &error), CAROM_BAD_INPUT);
    s.global.mu_t = NULL;
    s.global.dimension = 4;
    assert_int_equal(carom_rolling_reduce(&s.global, s.arena, &rolling, &error), CAROM_BAD_INPUT);
    s.global.dimension = 3;
    s.global.mu_r = NULL;
    assert_int_equal(carom_rolling_reduce(&s.global, s.arena, &rolling, &error), CAROM_BAD_INPUT);
    assert_false(carom_rolling_prefers_global(&s.global));
    done(&s);
}

/* Bodies whose moments have other axes than their contacts are solved by W. */
static void other_axes_are_no_pairs(void **state)
{
    (void)state;
    sample s;
    double r[5], u[5], v[6];
    carom_solve_report report;
    carom_error error = {0};
    make_ball(&s, 5, 0.05, 0.0, 0.02, 0.0);
    done(&s);
    s.count -= 2;
    put(&s, 3, 3, sqrt(0.5)); /* turned by 45 degrees about the normal */
    put(&s, 4, 3, sqrt(0.5));
    put(&s, 3, 4, -sqrt(0.5));
    put(&s, 4, 4, sqrt(0.5));
    finish(&s);
    assert_false(carom_rolling_prefers_global(&s.global));
    assert_int_equal(carom_rolling_solve_global(&s.global, NULL, v, r, &report, &error), CAROM_FAILED);
    assert_true(solve_reduced(&s, "auto", 1e-11, r, u) <= 1e-11);
    assert_true(fabs(hypot(u[3], u[4]) - (0.05 - 0.2 * g_h) / 1.4 / 0.1) <= 1e-9);
    done(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_disc_rolls_beyond_its_angle), cmocka_unit_test(a_ball_rolls_and_spins_out),
        cmocka_unit_test(solutions_obey_the_law),        cmocka_unit_test(the_error_sees_every_part),
        cmocka_unit_test(the_error_has_no_units),        cmocka_unit_test(numbers_of_contacts_do_not_matter),
        cmocka_unit_test(local_problems_are_solved),     cmocka_unit_test(others_refuse_it),
        cmocka_unit_test(other_axes_are_no_pairs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
