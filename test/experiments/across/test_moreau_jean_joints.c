/* Joints in the theta method as published (joints=end), against numbers that an independent program computed with the same discrete
 * equations (Bruels, Acary, Cardona, the examples of the nonsmooth generalized-alpha method: a pendulum as a
 * mechanism with a pin, and the same with a wall; an elastic bar). */
#include "test/experiments/trial.h"

#define PI 3.14159265358979323846

/* A rod of length 1, mass 1 and inertia 0.1 that hangs on a pin at the origin; gravity 10 along -y. */
#define ROD                                                                                                  \
    "local angle, turning = param { 'angle', 0 }, param { 'turning', 0 }\n"                                  \
    "local x, y, th = coordinates('x', 'y', 'th')\n"                                                         \
    "mass { x = 1, y = 1, th = 0.1 }\n"                                                                      \
    "potential(10 * y)\n"                                                                                    \
    "joint { 'pin', x - cos(th), y - sin(th) }\n"                                                            \
    "initial { x = cos(angle), y = sin(angle), th = angle,\n"                                                \
    "          [dot(x)] = -turning * sin(angle), [dot(y)] = turning * cos(angle),\n"                         \
    "          [dot(th)] = turning }\n"                                                                      \
    "integrate { scheme = 'moreau-jean', joints = 'end', h = 1e-3, until_t = 1 }\n"

static const char pendulum[] = ROD;
static const char bouncing[] = ROD "contact { 'wall', gap = x - math.sqrt(2) / 2, restitution = 0.8 }\n";

/* ---- the motion in reduced coordinates: th'' = -10 / 1.1 cos(th), rebound at th = -pi/4 -------------- */

typedef struct reduced {
    double th, w;
    bool wall;
} reduced;

static reduced runge_kutta(reduced s, double h)
{
    const double c = 10.0 / 1.1;
    const double w1 = s.w, a1 = -c * cos(s.th);
    const double w2 = s.w + 0.5 * h * a1, a2 = -c * cos(s.th + 0.5 * h * w1);
    const double w3 = s.w + 0.5 * h * a2, a3 = -c * cos(s.th + 0.5 * h * w2);
    const double w4 = s.w + h * a3, a4 = -c * cos(s.th + h * w3);
    s.th += h * (w1 + 2.0 * w2 + 2.0 * w3 + w4) / 6.0;
    s.w += h * (a1 + 2.0 * a2 + 2.0 * a3 + a4) / 6.0;
    return s;
}

/* One step of Runge and Kutta with the impact in it, which bisection finds. */
static reduced small_step(reduced s, double h)
{
    const reduced end = runge_kutta(s, h);
    if (!s.wall || end.th >= -PI / 4.0)
        return end;
    double before = 0.0, after = h;
    for (int i = 0; i < 60; i++) {
        const double middle = 0.5 * (before + after);
        *(runge_kutta(s, middle).th < -PI / 4.0 ? &after : &before) = middle;
    }
    s = runge_kutta(s, before);
    s.w *= -0.8;
    return runge_kutta(s, h - before);
}

static void advance(reduced *s, double h)
{
    for (int i = 0; i < 8; i++)
        *s = small_step(*s, h / 8.0);
}

typedef struct run_errors {
    double most_angle;        /* max |th error| */
    double angle, rate;       /* L1 */
    double drift, last_drift; /* of the pin: max over its equations */
} run_errors;

static run_errors errors_of(const trial *run, double angle, double turning, bool wall)
{
    run_errors e = {0};
    reduced exact = {angle, turning, wall};
    const double h = run->result.h;
    for (size_t i = 1; i < output_count(run); i++) {
        const double *row = output(run, i);
        const double th = position(run, row, 2);
        advance(&exact, h);
        e.most_angle = fmax(e.most_angle, fabs(th - exact.th));
        e.angle += h * fabs(th - exact.th);
        e.rate += h * fabs(velocity(run, row, 2) - exact.w);
        e.last_drift = fmax(fabs(position(run, row, 0) - cos(th)), fabs(position(run, row, 1) - sin(th)));
        e.drift = fmax(e.drift, e.last_drift);
    }
    return e;
}

/* ---- 10.1, section 8: the rod turns fast ------------------------------------------------------------- */

static trial turn(double h, const char *projection)
{
    return trial_run(&(trial_request){.text = pendulum,
                                      .set = {{"angle", PI / 6.0}, {"turning", 10.0}},
                                      .option = {{.name = "projection", .value = (char *)projection}},
                                      .h = h});
}

static void fast_rod_is_of_first_order(void **unused)
{
    (void)unused;
    const double steps[3] = {4e-3, 2e-3, 1e-3}, expected[3] = {0.9069, 0.4869, 0.2529};
    for (int i = 0; i < 3; i++) {
        trial run = turn(steps[i], "off");
        assert_near(errors_of(&run, PI / 6.0, 10.0, false).most_angle, expected[i], 5e-5);
        if (i == 2)
            assert_near(velocity(&run, output_at(&run, 1.0), 2), 10.78279392, 5e-9);
        trial_free(&run);
    }
}

/* Put back on the pin after each step there is no drift, and the order is the same. */
static void projection_removes_the_drift(void **unused)
{
    (void)unused;
    double error[3];
    for (int i = 0; i < 3; i++) {
        trial off = turn(4e-3 / (1 << i), "off"), on = turn(4e-3 / (1 << i), "on");
        assert_true(errors_of(&off, PI / 6.0, 10.0, false).drift > 1e-5);
        const run_errors e = errors_of(&on, PI / 6.0, 10.0, false);
        assert_near(e.drift, 0.0, 1e-12);
        error[i] = e.most_angle;
        trial_free(&off);
        trial_free(&on);
    }
    for (int i = 0; i < 2; i++)
        assert_near(log2(error[i] / error[i + 1]), 1.0, 0.2);
}

/* ---- 10.2: it bounces -------------------------------------------------------------------------------- */

typedef struct bounce_row {
    const char *theta;
    double impact[6], closed_from, angle, rate, energy, rise, push, drift, most_drift, deepest;
} bounce_row;

static const bounce_row bounce_rows[] = {
    {"0.5",
     {.487, 1.281, 1.950, 2.515, 2.988, 3.380},
     5.026,
     -0.15321416,
     -1.05146223,
     -0.918091,
     6e-7,
     9.99997842,
     3.53e-7,
     1.71e-6,
     -6.54e-4},
    {"1",
     {.486, 1.280, 1.949, 2.514, 2.987, 3.379},
     5.059,
     -0.14971871,
     -1.06091000,
     -0.863626,
     4e-5,
     10.1192,
     4.18e-3,
     4.18e-3,
     -7.41e-4},
};

static bool touches(const trial *run, size_t index)
{
    return regime_of(run, output(run, index), 0) != CAROM_CONTACT_OPEN;
}

static void check_impacts(const trial *run, const bounce_row *row)
{
    int impacts = 0;
    size_t last_open = 0;
    for (size_t i = 1; i < output_count(run); i++) {
        if (touches(run, i) && !touches(run, i - 1) && impacts < 6)
            assert_near(output(run, i)[0], row->impact[impacts++], 1e-9);
        if (!touches(run, i))
            last_open = i;
    }
    assert_near(output(run, last_open + 1)[0], row->closed_from, 1e-9);
}

/* The total reactions of the rest, from the balance of each coordinate: P1 + P3 = m dv_x, P2 = m dv_y + h m
 * g. */
static void check_rest(const trial *run, const bounce_row *row)
{
    const double *last = output(run, output_count(run) - 1), *before = output(run, output_count(run) - 2);
    const double h = run->result.h, push = last[run->result.layout.impulse] / h;
    assert_near(push, row->push, row->push > 10.0 ? 5e-5 : 5e-9);
    assert_near((velocity(run, last, 0) - velocity(run, before, 0)) / h - push, -row->push,
                row->push > 10.0 ? 5e-5 : 5e-9);
    assert_near((velocity(run, last, 1) - velocity(run, before, 1)) / h + 10.0, 10.0, 1e-8);
}

static void rod_against_a_wall(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < 2; k++) {
        const bounce_row *row = &bounce_rows[k];
        trial run = trial_run(&(trial_request){.text = bouncing,
                                               .set = {{"angle", PI / 12.0}},
                                               .option = {{.name = "theta", .value = (char *)row->theta}},
                                               .until = 6.0});
        const double *at = output_at(&run, 1.0);
        assert_near(position(&run, at, 2), row->angle, 5e-9);
        assert_near(velocity(&run, at, 2), row->rate, 5e-9);
        assert_near(energy_of(&run, at), row->energy, 5e-7);
        check_impacts(&run, row);
        check_rest(&run, row);
        const run_errors e = errors_of(&run, PI / 12.0, 0.0, true);
        assert_near(e.last_drift, row->drift, 5e-3 * row->drift);
        assert_near(e.drift, row->most_drift, 5e-3 * row->most_drift);
        double rise = 0.0, deepest = 1.0;
        for (size_t i = 1; i < output_count(&run); i++) {
            rise = fmax(rise, energy_of(&run, output(&run, i)) - energy_of(&run, output(&run, i - 1)));
            deepest = fmin(deepest, position(&run, output(&run, i), 0) - sqrt(0.5));
        }
        assert_near(rise, row->rise, 0.09 * row->rise); /* known to one digit */
        assert_near(deepest, row->deepest, 5e-7);
        trial_free(&run);
    }
}

/* ---- 10.6: orders ------------------------------------------------------------------------------------ */

enum {
    STEPS = 13
};

/* Slopes of log(error) against log(h), by least squares. */
static void slopes(const char *theta, const char *projection, double until, double slope[2],
                   run_errors ends[2])
{
    double sum_x = 0.0, sum_xx = 0.0, sum_y[2] = {0}, sum_xy[2] = {0};
    for (int k = 0; k < STEPS; k++) {
        const double h = 8e-3 * pow(2.0, -k / 3.0), x = log(h), steps = floor(until / h + 1e-9);
        trial run =
            trial_run(&(trial_request){.text = bouncing,
                                       .set = {{"angle", PI / 12.0}},
                                       .option = {{.name = "theta", .value = (char *)theta},
                                                  {.name = "projection", .value = (char *)projection}},
                                       .h = h,
                                       .until = (steps - 0.5) * h});
        const run_errors e = errors_of(&run, PI / 12.0, 0.0, true);
        const double y[2] = {log(e.angle), log(e.rate)};
        sum_x += x;
        sum_xx += x * x;
        for (int i = 0; i < 2; i++) {
            sum_y[i] += y[i];
            sum_xy[i] += x * y[i];
        }
        if (k == 0 || k == STEPS - 1)
            ends[k > 0] = e;
        trial_free(&run);
    }
    for (int i = 0; i < 2; i++)
        slope[i] = (STEPS * sum_xy[i] - sum_x * sum_y[i]) / (STEPS * sum_xx - sum_x * sum_x);
}

typedef struct slope_row {
    const char *theta;
    double until, angle, rate;
} slope_row;

static void orders(void **unused)
{
    (void)unused;
    const slope_row rows[] = {{"0.5", 0.45, 0.99, 0.99}, {"1", 0.45, 1.00, 1.01},  {"0.5", 1.2, 1.06, 1.36},
                              {"1", 1.2, 0.93, 0.62},    {"0.5", 2.4, 1.01, 1.15}, {"1", 2.4, 0.96, 0.87}};
    const double error[2][2] = {{1.465e-4, 9.038e-6}, {3.525e-3, 2.197e-4}};
    for (int i = 0; i < 6; i++) {
        double slope[2];
        run_errors ends[2];
        slopes(rows[i].theta, "off", rows[i].until, slope, ends);
        assert_near(slope[0], rows[i].angle, 6e-3); /* known to two digits */
        assert_near(slope[1], rows[i].rate, 6e-3);
        for (int end = 0; i < 2 && end < 2; end++)
            assert_near(ends[end].angle, error[i][end], 5e-4 * error[i][end]);
    }
}

static void order_with_projection(void **unused)
{
    (void)unused;
    double slope[2];
    run_errors ends[2];
    slopes("0.5", "on", 0.45, slope, ends);
    assert_near(slope[0], 1.0, 0.05);
    assert_near(slope[1], 1.0, 0.05);
    assert_near(fmax(ends[0].drift, ends[1].drift), 0.0, 1e-12);
}

/* ---- 10.4 with lumped masses ------------------------------------------------------------------------- */

static const char bar[] = "local N, u, name, m, start = 200, {}, {}, {}, {}\n"
                          "for i = 0, N do name[i + 1] = 'u' .. i end\n"
                          "u = { coordinates(table.unpack(name)) }\n"
                          "local l = 10 / N\n"
                          "for i = 1, N + 1 do\n"
                          "  m[u[i]] = (i == 1 or i == N + 1) and l / 2 or l\n"
                          "  start[dot(u[i])] = -10\n"
                          "end\n"
                          "mass(m)\n"
                          "for i = 1, N do potential(900 / l / 2 * (u[i + 1] - u[i])^2) end\n"
                          "contact { 'wall', gap = 5.005 + u[1] }\n"
                          "initial(start)\n"
                          "integrate { scheme = 'moreau-jean', h = 2e-3, until_t = 2 }\n";

static void lumped_bar(void **unused)
{
    (void)unused;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(
            &(trial_request){.text = bar, .option = {{.name = "theta", .value = k == 0 ? "0.5" : "1"}}});
        const double *end = output_at(&run, 2.0);
        const int impulse = run.result.layout.impulse;
        if (k == 1) {
            assert_near(energy_of(&run, end), 426.7107, 5e-5);
            trial_free(&run);
            continue;
        }
        const double force[3] = {195.256, 230.466, 324.920};
        double sum = 0.0;
        for (int i = 0; i < 3; i++)
            assert_near(output(&run, 251 + (size_t)i)[impulse] / 2e-3, force[i], 5e-4);
        for (size_t i = 1; i < output_count(&run); i++) {
            sum += output(&run, i)[impulse];
            if (i > 250)
                assert_near(energy_of(&run, output(&run, i)), 498.0474, 5e-5);
        }
        assert_near(sum, 198.68323, 5e-6);
        trial_free(&run);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fast_rod_is_of_first_order), cmocka_unit_test(projection_removes_the_drift),
        cmocka_unit_test(rod_against_a_wall),         cmocka_unit_test(orders),
        cmocka_unit_test(order_with_projection),      cmocka_unit_test(lumped_bar),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
