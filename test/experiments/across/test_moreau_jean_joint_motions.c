/* Joints in the theta method: one that moves in time, one beside friction against the same motion in reduced
 * coordinates, and what is refused at the start. */
#include "test/experiments/trial.h"

/* ---- a joint that moves ------------------------------------------------------------------------------- */

/* A carriage that a joint drives, x = sin(3 t), pulls a mass by a spring: y'' = 16 (x - y). */
static const char driven[] = "local x, y = coordinates('x', 'y')\n"
                             "mass { x = 2, y = 1 }\n"
                             "potential(8 * (y - x)^2)\n"
                             "joint { 'drive', x - sin(3 * time()) }\n"
                             "initial { [dot(x)] = 3 }\n"
                             "integrate { scheme = 'moreau-jean', h = 1e-2, until_t = 2 }\n";

/* y from y'' = 16 (sin(3 t) - y), y(0) = y'(0) = 0: a sin(3 t) - 3/4 a sin(4 t), a = 16 / 7 */
static double pulled(double t)
{
    return 16.0 / 7.0 * (sin(3.0 * t) - 0.75 * sin(4.0 * t));
}

static void driven_carriage(void **unused)
{
    (void)unused;
    double error[2][2];
    for (int on = 0; on < 2; on++)
        for (int fine = 0; fine < 2; fine++) {
            trial run =
                trial_run(&(trial_request){.text = driven,
                                           .option = {{.name = "projection", .value = on ? "on" : "off"}},
                                           .h = fine ? 5e-3 : 1e-2});
            const double *end = output_at(&run, 2.0);
            double x = 0.0; /* without projection: the trapezoidal sum of its rate */
            for (size_t i = 1; i < output_count(&run); i++) {
                const double *row = output(&run, i), t = row[0], before = output(&run, i - 1)[0];
                x += 1.5 * run.result.h * (cos(3.0 * before) + cos(3.0 * t));
                assert_near(velocity(&run, row, 0), 3.0 * cos(3.0 * t), 1e-13);
                assert_near(position(&run, row, 0), on ? sin(3.0 * t) : x, 1e-13);
            }
            error[on][fine] = fabs(position(&run, end, 1) - pulled(2.0));
            trial_free(&run);
        }
    for (int on = 0; on < 2; on++) /* a linear joint leaves the trapezoidal rule its second order */
        assert_near(log2(error[on][0] / error[on][1]), 2.0, 0.1);
}

/* ---- a joint and friction ---------------------------------------------------------------------------- */

/* A bob at the end of a rod of length 1 that is pressed against the wall z = 0.6 and rubs on it. The rod
 * holds a part of the pressing force. */
#define RUBBING_END "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n"

static const char rubbing_rod[] =
    "local mu = param { 'mu', 0.2 }\n"
    "local x, y, z = coordinates('x', 'y', 'z')\n"
    "mass(1)\n"
    "potential(10 * y + 20 * z)\n"
    "joint { 'rod', (x^2 + y^2 + z^2 - 1) / 2 }\n"
    "contact { 'wall', gap = z - 0.6, slip = { dot(x), dot(y) }, friction = mu }\n"
    "initial { x = 0.8 * math.sin(1), y = -0.8 * math.cos(1), z = 0.6 }\n" RUBBING_END;

/* The same bob by its angle on the wall and its height, which leave nothing for a joint. */
static const char rubbing_angle[] = "local mu = param { 'mu', 0.2 }\n"
                                    "local a, z = coordinates('a', 'z')\n"
                                    "local r2 = 1 - z^2\n"
                                    "local r = sqrt(r2)\n"
                                    "kinetic((r2 * dot(a)^2 + dot(z)^2 / r2) / 2)\n"
                                    "potential(-10 * r * cos(a) + 20 * z)\n"
                                    "contact { 'wall', gap = z - 0.6, slip = r * dot(a), friction = mu }\n"
                                    "initial { a = 1, z = 0.6 }\n" RUBBING_END;

/* Friction that can hold it: the bob does not move at all. */
static void bob_sticks_to_a_wall(void **unused)
{
    (void)unused;
    trial rod = trial_run(&(trial_request){.text = rubbing_rod, .set = {{"mu", 2.0}}});
    const double *end = output_at(&rod, 1.0);
    assert_int_equal(regime_of(&rod, end, 0), CAROM_CONTACT_STICK);
    assert_near(position(&rod, end, 0), 0.8 * sin(1.0), 1e-12);
    assert_near(position(&rod, end, 1), -0.8 * cos(1.0), 1e-12);
    trial_free(&rod);
}

static void bob_rubs_on_a_wall(void **unused)
{
    (void)unused;
    double difference[2], force[2][2];
    for (int fine = 0; fine < 2; fine++) {
        const double h = fine ? 5e-4 : 1e-3;
        trial rod = trial_run(&(trial_request){.text = rubbing_rod, .h = h});
        trial angle = trial_run(&(trial_request){.text = rubbing_angle, .h = h});
        double largest = 0.0, slid = 0.0;
        for (size_t i = 1; i < output_count(&rod); i++) {
            const double *row = output(&rod, i), *other = output(&angle, i);
            const double along = atan2(position(&rod, row, 0), -position(&rod, row, 1));
            largest = fmax(largest, fabs(along - position(&angle, other, 0)));
            slid = fmax(slid, fabs(along - 1.0));
        }
        assert_true(slid > 0.5);
        assert_int_equal(regime_of(&rod, output_at(&rod, 0.3), 0), CAROM_CONTACT_SLIP);
        difference[fine] = largest;
        const double *end = output_at(&rod, 0.3), *other = output_at(&angle, 0.3);
        const int impulse = rod.result.layout.impulse, same = angle.result.layout.impulse;
        force[0][fine] = end[impulse] / h;
        force[1][fine] = other[same] / h;
        trial_free(&rod);
        trial_free(&angle);
    }
    /* the wall's force, mean of a step: its limit is that of the reduced coordinates, which are further off */
    const double limit = limit_of(force[1][0], 1e-3, force[1][1], 5e-4);
    for (int fine = 0; fine < 2; fine++) {
        assert_near(force[0][fine], limit, fine ? 1.5e-3 : 3e-3);
        assert_true(fabs(force[0][fine] - limit) < fabs(force[1][fine] - limit));
    }
    assert_near(limit_of(force[0][0], 1e-3, force[0][1], 5e-4), limit, 1e-4);
    assert_true(difference[0] < 2e-3);
    assert_near(difference[0] / difference[1], 2.0, 0.2);
}

/* ---- what is refused --------------------------------------------------------------------------------- */

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
    "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n"

static void expect_refused(const char *text, carom_option option, const char *const *words)
{
    carom_experiment *experiment = trial_load(&(trial_request){.text = text});
    carom_run_request asked = {
        .experiment = experiment, .h = NAN, .until = NAN, .option = (carom_option[]){option, {0}}};
    carom_run_result result;
    carom_error error = {0};
    assert_int_not_equal(carom_run(&asked, &result, &error), CAROM_OK);
    for (; *words; words++)
        if (!strstr(error.text, *words))
            fail_msg("\"%s\" does not mention \"%s\"", error.text, *words);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void what_is_refused(void **unused)
{
    (void)unused;
    const carom_option none = {0};
    expect_refused(
        ROD "joint { 'again', x - cos(th) }\n", none,
        (const char *[]){"joint 'again' depends on the others", "remove one of 'pin_1', 'again'", NULL});
    expect_refused(ROD "joint { 'both', x - cos(th) + 2 * (y - sin(th)) }\n", none,
                   (const char *[]){"joint 'both'", "'pin_1'", "'pin_2'", NULL});
    expect_refused("local x, y = coordinates('x', 'y')\n"
                   "mass { x = 1, y = 0 }\n"
                   "joint { 'link', x - y }\n"
                   "integrate { h = 1e-2, until_t = 1 }\n",
                   none, (const char *[]){"mass matrix", "'y'", NULL});
    expect_refused("local x, y = coordinates('x', 'y')\n"
                   "mass(1)\n"
                   "joint { 'link', x - 2 * y }\n"
                   "initial { x = 1 }\n"
                   "integrate { h = 1e-2, until_t = 1 }\n",
                   none, (const char *[]){"initial position", "'link'", "is 1", "initial=project", NULL});
    expect_refused("local x, y = coordinates('x', 'y')\n"
                   "mass(1)\n"
                   "joint { 'link', x - 2 * y }\n"
                   "initial { [dot(y)] = 1 }\n"
                   "integrate { h = 1e-2, until_t = 1 }\n",
                   none, (const char *[]){"initial velocity", "'link'", "is -2", "initial=project", NULL});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(driven_carriage),
        cmocka_unit_test(bob_rubs_on_a_wall),
        cmocka_unit_test(bob_sticks_to_a_wall),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
