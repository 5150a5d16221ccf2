/* What law lzb must keep, whatever the numbers: symmetries, scalings, energy, and its relation to a
 * simulation with true positions. */
#include "lzb_chain.h"

static void run_default(const chain *c, outcome *o)
{
    run_method(c, CAROM_LZB_EVENTS, 0.0, o);
    assert_int_equal(o->result.word, CAROM_IMPACT_OK);
}

/* Six balls, no two alike. */
static chain uneven_chain(bool wall)
{
    chain c = new_chain(6, wall, 1.5, 1.0);
    for (int i = 0; i < c.balls; i++) {
        c.mass[i] = 1.0 + 0.3 * sin(3.0 * i);
        c.velocity[i] = wall ? 1.0 + 0.2 * cos(2.0 * i) : cos(1.0 + i) - 0.4 * i;
    }
    for (int j = 0; j < c.contacts; j++) {
        c.stiffness[j] = 1.5 + sin(5.0 * j);
        c.restitution[j] = 0.95 - 0.1 * (j % 3);
    }
    return c;
}

static void the_mirror_image_has_the_mirrored_outcome(void **state)
{
    (void)state;
    const chain c = uneven_chain(false);
    chain mirrored = c;
    for (int i = 0; i < c.balls; i++) {
        mirrored.mass[i] = c.mass[c.balls - 1 - i];
        mirrored.velocity[i] = -c.velocity[c.balls - 1 - i];
    }
    for (int j = 0; j < c.contacts; j++) {
        mirrored.stiffness[j] = c.stiffness[c.contacts - 1 - j];
        mirrored.restitution[j] = c.restitution[c.contacts - 1 - j];
    }
    for (int method = CAROM_LZB_EVENTS; method <= CAROM_LZB_IMPLICIT; method++) {
        outcome o, image;
        run_method(&c, (carom_lzb_method)method, method == CAROM_LZB_EVENTS ? 0.0 : 1e-3, &o);
        run_method(&mirrored, (carom_lzb_method)method, method == CAROM_LZB_EVENTS ? 0.0 : 1e-3, &image);
        for (int i = 0; i < c.balls; i++)
            assert_near(image.velocity[i], -o.velocity[c.balls - 1 - i], 1e-10);
        for (int j = 0; j < c.contacts; j++)
            assert_int_equal(image.closings[j], o.closings[c.contacts - 1 - j]);
    }
}

static void a_common_velocity_stays(void **state)
{
    (void)state;
    chain c = uneven_chain(false);
    outcome o, shifted;
    run_default(&c, &o);
    for (int i = 0; i < c.balls; i++)
        c.velocity[i] += 10.0;
    run_default(&c, &shifted);
    for (int i = 0; i < c.balls; i++)
        assert_near(shifted.velocity[i] - 10.0, o.velocity[i], 1e-10);
    /* A struck chain at rest, where rounding decides the signs of vanishing closing speeds. */
    c = new_chain(10, false, 1.5, 1.0);
    run_default(&c, &o);
    for (int i = 0; i < c.balls; i++)
        c.velocity[i] += 0.1;
    run_default(&c, &shifted);
    for (int i = 0; i < c.balls; i++)
        assert_near(shifted.velocity[i] - 0.1, o.velocity[i], 1e-9);
}

/* With one exponent only ratios count: velocities scale with velocities, whatever the units of mass,
 * stiffness and speed; time goes with (m / K)^(1 / (1 + eta)) v^((1 - eta) / (1 + eta)), impulse with m v. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static const struct {
        double mass, stiffness, speed;
    } units[] = {{1, 1, 1e-4}, {1, 1, 300},          {1, 1e10, 1},
                 {1e-9, 1, 1}, {0.0326, 1.05e10, 1}, {1e12, 1e-8, 1e3}};
    static const double exponents[] = {1.0, 1.5, 0.7};
    for (size_t k = 0; k < sizeof exponents / sizeof *exponents; k++)
        for (int method = CAROM_LZB_EVENTS; method <= CAROM_LZB_IMPLICIT; method++) {
            const double eta = exponents[k];
            chain c = uneven_chain(true);
            for (int j = 0; j < c.contacts; j++)
                c.exponent[j] = eta;
            /* Explicit schemes: few, but scaled steps. */
            const double step = method == CAROM_LZB_EVENTS ? 0.0 : 4e-3;
            outcome o;
            run_method(&c, (carom_lzb_method)method, step, &o);
            assert_int_equal(o.result.word, CAROM_IMPACT_OK);
            for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
                const double m = units[i].mass, K = units[i].stiffness, v = units[i].speed;
                const double time = pow(m / K, 1.0 / (1.0 + eta)) * pow(v, (1.0 - eta) / (1.0 + eta));
                chain scaled = c;
                for (int n = 0; n < c.balls; n++) {
                    scaled.mass[n] *= m;
                    scaled.velocity[n] *= v;
                    scaled.stiffness[n] *= K;
                }
                outcome other;
                run_method(&scaled, (carom_lzb_method)method,
                           step * (method == CAROM_LZB_IMPULSE ? m * v : time), &other);
                for (int n = 0; n < c.balls; n++) {
                    assert_near(other.velocity[n] / v, o.velocity[n], 2e-10);
                    assert_near(other.impulse[n] / (m * v), o.impulse[n], 2e-10);
                }
                assert_near(other.result.duration / time / o.result.duration, 1.0, 1e-7);
            }
        }
}

/* Default steps of the explicit methods scale, too: the same number of them. */
static void default_steps_follow_the_units(void **state)
{
    (void)state;
    chain c = new_chain(2, false, 1.5, 1.0);
    for (int method = CAROM_LZB_TIME; method <= CAROM_LZB_IMPLICIT; method++) {
        outcome o, steel;
        run_method(&c, (carom_lzb_method)method, 0.0, &o);
        chain beads = c;
        for (int i = 0; i < 2; i++) {
            beads.mass[i] = 0.0325887878;
            beads.stiffness[i] = 1.0515947e10;
            beads.velocity[i] *= 0.3;
        }
        run_method(&beads, (carom_lzb_method)method, 0.0, &steel);
        assert_true(labs(o.result.steps - steel.result.steps) <= 1);
    }
}

static void energy_never_grows_and_impulses_press(void **state)
{
    (void)state;
    unsigned long x = 7;
    for (int trial = 0; trial < 40; trial++) {
        chain c = new_chain(2 + trial % 7, trial % 2 == 0, trial % 3 == 0 ? 1.0 : 1.5, 1.0);
        for (int i = 0; i < c.balls; i++) {
            x = 16807 * x % 2147483647;
            c.mass[i] = 0.2 + (double)x / 2147483647.0;
            x = 16807 * x % 2147483647;
            c.velocity[i] = 2.0 * (double)x / 2147483647.0 - 1.0;
            x = 16807 * x % 2147483647;
            c.restitution[i] = trial % 4 == 0 ? 1.0 : (double)x / 2147483647.0;
        }
        outcome o;
        run_method(&c, CAROM_LZB_EVENTS, 0.0, &o);
        if (o.result.word == CAROM_IMPACT_NONE)
            continue;
        assert_int_equal(o.result.word, CAROM_IMPACT_OK);
        assert_true(o.result.kinematic && o.result.kinetic && o.result.energetic);
        assert_true(o.result.imbalance < 1e-13);
        if (trial % 4 == 0)
            assert_near(o.ratio, 1.0, 1e-9);
    }
}

/* ---- no restitution ---------------------------------------------------------------------------------- */

static void without_restitution_balls_stay_together(void **state)
{
    (void)state;
    outcome o;
    chain c = new_chain(3, false, 1.5, 0.0);
    run_default(&c, &o);
    assert_int_equal(o.result.notes, 0);
    assert_true(apart(3, o.velocity, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}) < 1e-14);
    assert_true(apart(2, o.impulse, (double[]){2.0 / 3, 1.0 / 3}) < 1e-14);
    /* It is the limit. */
    c = new_chain(3, false, 1.5, 0.02);
    run_default(&c, &o);
    assert_true(apart(3, o.velocity, (double[]){1.0 / 3, 1.0 / 3, 1.0 / 3}) < 1e-6);
    assert_true(apart(2, o.impulse, (double[]){2.0 / 3, 1.0 / 3}) < 1e-6);
    assert_true(o.result.kinematic);
}

static void some_restitution_beside_none_is_softened(void **state)
{
    (void)state;
    outcome o, small;
    chain c = new_chain(3, false, 1.5, 0.0);
    c.restitution[1] = 0.8;
    run_default(&c, &o);
    assert_int_equal(o.result.notes, CAROM_IMPACT_SOFTENED);
    c.restitution[0] = 0.01;
    run_default(&c, &small);
    assert_int_equal(small.result.notes, 0);
    assert_true(apart(3, o.velocity, small.velocity) == 0.0);
    /* A contact that separates: the inelastic law would not be that of compliant contacts. */
    c = new_chain(3, false, 1.5, 0.0);
    c.velocity[2] = 0.5;
    run_default(&c, &o);
    assert_true(o.result.notes & CAROM_IMPACT_SOFTENED);
    assert_true(o.result.notes & CAROM_IMPACT_SEPARATING);
}

/* ---- general systems --------------------------------------------------------------------------------- */

/* A chain in other coordinates, v = T u: M' = T^T M T is full, W' = T^T W, and impulses are the same. */
static void coordinates_do_not_matter(void **state)
{
    (void)state;
    enum {
        N = 6
    };
    const chain c = uneven_chain(true);
    double T[N][N], W[N][N] = {{0}}, mass[N * N] = {0}, turned[N * N] = {0}, u[N], value[N * N];
    int start[N + 1], row[N * N];
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            T[i][k] = (i == k ? 2.0 : 0.0) + sin(1.0 + 2.0 * i + 3.0 * k) * (k < i ? 0.5 : 0.0);
    for (int j = 0; j < N; j++) {
        W[j][j] = -1.0;
        if (j + 1 < N)
            W[j + 1][j] = 1.0;
    }
    for (int i = 0; i < N; i++) {
        u[i] = c.velocity[i]; /* T is lower triangular */
        for (int k = 0; k < i; k++)
            u[i] -= T[i][k] * u[k];
        u[i] /= T[i][i];
        for (int k = 0; k < N; k++)
            for (int l = 0; l < N; l++) {
                mass[i * N + k] += T[l][i] * c.mass[l] * T[l][k];
                turned[i * N + k] += T[l][i] * W[l][k];
            }
    }
    for (int i = 0; i < N; i++)
        for (int k = 0; k < i; k++)
            mass[i * N + k] = mass[k * N + i];
    carom_impact_columns(N, N, turned, start, row, value);
    const carom_impact impact = {.coordinates = N,
                                 .contacts = N,
                                 .mass = mass,
                                 .column_start = start,
                                 .row = row,
                                 .value = value,
                                 .velocity = u,
                                 .restitution = c.restitution,
                                 .stiffness = c.stiffness,
                                 .exponent = c.exponent};
    for (int method = CAROM_LZB_EVENTS; method <= CAROM_LZB_IMPLICIT; method++) {
        carom_impact_options options = carom_impact_defaults();
        options.method = (carom_lzb_method)method;
        options.step = method == CAROM_LZB_EVENTS ? 0.0 : 2e-3;
        outcome o, other;
        run_chain(&c, &options, &o);
        run_impact(&impact, &options, &other);
        assert_true(apart(N, o.impulse, other.impulse) < 1e-10);
    }
}

/* A wall that moves at w towards balls at rest is a wall at rest seen from a moving frame. */
static void a_moving_wall_pushes(void **state)
{
    (void)state;
    chain c = new_chain(3, true, 1.5, 0.9);
    outcome o, pushed;
    run_default(&c, &o);
    for (int i = 0; i < 3; i++)
        c.velocity[i] = 0.0;
    c.rate[2] = -1.0;
    run_default(&c, &pushed);
    for (int i = 0; i < 3; i++)
        assert_near(pushed.velocity[i], o.velocity[i] - 1.0, 1e-10);
}

/* Two contacts that do not act on each other: each its own impact. */
static void separate_impacts_are_separate(void **state)
{
    (void)state;
    chain c = new_chain(5, false, 1.5, 1.0);
    c.restitution[3] = 0.6;
    c.velocity[1] = 0.0;
    c.velocity[2] = 5.0; /* leaves ball 2 alone, strikes ball 4 at 4 */
    c.velocity[3] = 1.0;
    c.velocity[4] = 20.0;
    outcome o;
    run_default(&c, &o);
    assert_true(o.result.notes & CAROM_IMPACT_SEPARATING);
    assert_near(o.velocity[0], 0.0, 1e-9);
    assert_near(o.velocity[1], 1.0, 1e-9);
    assert_near(o.velocity[2], 1.0, 1e-9);
    assert_near(o.velocity[3], 5.0, 1e-9);
    assert_near(o.velocity[4], 20.0, 1e-12);
}

/* ---- true positions ---------------------------------------------------------------------------------- */

static void accelerate(const chain *c, const double *q, double *a)
{
    memset(a, 0, (size_t)c->balls * sizeof *a);
    for (int j = 0; j < c->contacts; j++) {
        const double depth = q[j] - (j + 1 < c->balls ? q[j + 1] : 0.0);
        const double force = depth > 0.0 ? c->stiffness[j] * pow(depth, c->exponent[j]) : 0.0;
        a[j] -= force / c->mass[j];
        if (j + 1 < c->balls)
            a[j + 1] += force / c->mass[j + 1];
    }
}

/* m q'' = forces of the true overlaps, by velocity-Verlet steps of fourth order (Yoshida). */
static void simulate(const chain *c, double h, long steps, double *v)
{
    const double w1 = 1.0 / (2.0 - cbrt(2.0)), part[3] = {w1, 1.0 - 2.0 * w1, w1};
    double q[BALLS] = {0}, a[BALLS];
    memcpy(v, c->velocity, (size_t)c->balls * sizeof *v);
    accelerate(c, q, a);
    for (long step = 0; step < steps; step++)
        for (int k = 0; k < 3; k++) {
            const double d = part[k] * h;
            for (int i = 0; i < c->balls; i++) {
                v[i] += 0.5 * d * a[i];
                q[i] += d * v[i];
            }
            accelerate(c, q, a);
            for (int i = 0; i < c->balls; i++)
                v[i] += 0.5 * d * a[i];
        }
}

static void where_contacts_close_once_positions_do_not_matter(void **state)
{
    (void)state;
    static const struct {
        int balls;
        bool wall;
        double exponent;
    } cases[] = {{3, false, 1.5}, {5, false, 1.0}, {5, false, 1.5}, {3, true, 1.5}, {10, true, 1.5}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const chain c = new_chain(cases[i].balls, cases[i].wall, cases[i].exponent, 1.0);
        outcome o;
        run_default(&c, &o);
        for (int j = 0; j < c.contacts; j++)
            assert_int_equal(o.closings[j], 1);
        double v[BALLS];
        simulate(&c, 4e-4, (long)(1.1 * o.result.duration / 4e-4), v);
        assert_near(apart(c.balls, o.velocity, v), 0.0, 2e-8);
    }
}

/* A contact that opens and closes again has a gap then, which the law forgets. */
static void where_contacts_close_again_positions_matter(void **state)
{
    (void)state;
    chain c = new_chain(7, false, 1.5, 1.0);
    for (int i = 1; i < 7; i += 2)
        c.mass[i] = 0.5;
    outcome o;
    double v[BALLS];
    run_default(&c, &o);
    simulate(&c, 2e-3, 100000, v);
    assert_near(apart(7, o.velocity, v), 0.035, 5e-4);
    c = new_chain(10, true, 1.0, 1.0);
    run_default(&c, &o);
    simulate(&c, 2e-3, 50000, v);
    assert_near(apart(10, o.velocity, v), 0.0155, 1e-4);
}

static void the_registry_knows_it(void **state)
{
    (void)state;
    carom_error error;
    assert_ptr_equal(carom_impact_law_find("lzb", &error), &carom_impact_lzb);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mirror_image_has_the_mirrored_outcome),
        cmocka_unit_test(a_common_velocity_stays),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(default_steps_follow_the_units),
        cmocka_unit_test(energy_never_grows_and_impulses_press),
        cmocka_unit_test(without_restitution_balls_stay_together),
        cmocka_unit_test(some_restitution_beside_none_is_softened),
        cmocka_unit_test(coordinates_do_not_matter),
        cmocka_unit_test(a_moving_wall_pushes),
        cmocka_unit_test(separate_impacts_are_separate),
        cmocka_unit_test(where_contacts_close_once_positions_do_not_matter),
        cmocka_unit_test(where_contacts_close_again_positions_matter),
        cmocka_unit_test(the_registry_knows_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
