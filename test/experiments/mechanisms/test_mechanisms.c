/* The worked examples of the mechanism library, and a mechanism of a user's own, with both schemes that treat
 * joints. */
#include "test/experiments/trial.h"

static const char *const schemes[] = {"generalized-alpha", "moreau-jean"};

/* ---- worked examples -------------------------------------------------------------------------------- */

/* The slider follows the ideal mechanism within the clearance c: x = l1 cos + sqrt(l2^2 - l1^2 sin^2), and c
 * is amplified where the rod is oblique by less than 1/cos(asin(l1/l2)) = 1.061. */
static void a_slider_stays_within_the_clearance(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = "mechanisms/slider-crank-clearance",
                                               .variant = "smooth",
                                               .scheme = schemes[k],
                                               .set = {{"turns", 0.5}},
                                               .h = 5e-5});
        const double c = 5e-4, deep = -measured_value(&run, "deepest", 0);
        assert_true(measured_value(&run, "off", 0) < 1.061 * (c + fmax(deep, 0.0)));
        assert_true(measured_value(&run, "off", 0) > 0.9 * c);
        assert_true(deep < (k == 0 ? 1e-12 : 2e-5));
        assert_true(measured_value(&run, "drift", 0) < (k == 0 ? 1e-12 : 1e-6));
        assert_true(measured_value(&run, "impacts", 0) >= 1);
        trial_free(&run);
    }
}

/* Friction makes a difference, and moreau-jean takes it. */
static void a_slider_has_friction(void **state)
{
    (void)state;
    double end[2];
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = "mechanisms/slider-crank-clearance",
                                               .set = {{"turns", 0.5}, {"mu", k == 0 ? 0.0 : 0.3}},
                                               .h = 5e-5});
        end[k] = measured_value(&run, "crank_end", 0);
        assert_true(measured_value(&run, "off", 0) < 1.061 * 5.2e-4);
        trial_free(&run);
    }
    assert_true(end[1] < end[0] - 1e-4); /* it brakes the crank */
}

/* No wall in reach: a closed loop of one freedom. Both schemes keep the energy to O(h^2), and have the same
 * motion; moreau-jean as published brakes joints with first order. */
static void a_free_linkage_keeps_its_energy(void **state)
{
    (void)state;
    static const double h[] = {1e-3, 1e-3, 5e-4, 1e-3, 5e-4};
    double crank[5], loss[5];
    for (int k = 0; k < 5; k++) {
        trial run = trial_run(&(trial_request){.experiment = "mechanisms/four-bar",
                                               .variant = "free",
                                               .scheme = schemes[k > 0],
                                               .option = {{k > 2 ? "joints" : NULL, "end"}},
                                               .h = h[k],
                                               .until = 1.0});
        loss[k] = measured_value(&run, "energy_start", 0) - measured_value(&run, "energy_end", 0);
        crank[k] = measured_value(&run, "crank_end", 0);
        assert_true(measured_value(&run, "drift", 0) < (k == 0 ? 1e-12 : 1e-4));
        trial_free(&run);
    }
    assert_true(fabs(loss[0]) < 1e-3); /* of 150 J */
    assert_true(fabs(loss[1]) < 1e-4);
    assert_near(log2(loss[1] / loss[2]), 2.0, 0.1);
    assert_near(crank[1], crank[0], 1e-4);
    assert_near(log2(loss[3] / loss[4]), 1.0, 0.1);
    assert_near(limit_of(crank[3], h[3], crank[4], h[4]), crank[0], 1e-3);
}

/* With the wall: the rocker comes to rest against it, and the crank where the triangle of the links says. */
static void a_linkage_comes_to_rest_at_its_stop(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(
            &(trial_request){.experiment = "mechanisms/four-bar", .scheme = schemes[k], .until = 3.5});
        assert_near(measured_value(&run, "rocker_end", 0), acos((2.2 - 4) / 3), k == 0 ? 1e-8 : 1e-3);
        const double *last = output(&run, output_count(&run) - 1);
        assert_int_not_equal(regime_of(&run, last, 0), CAROM_CONTACT_OPEN);
        trial_free(&run);
    }
}

/* A rod that falls about its end: the chain of one link reaches the floor after the time of the rigid fall,
 * theta'' = 1.5 g/l cos theta, from 0 to asin(1/2): 0.268001 s by quadrature (independent). Sizes: 3 N, 2 N,
 * N. */
static void a_chain_falls_on_the_floor(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        trial run = trial_run(&(trial_request){.experiment = "mechanisms/chain",
                                               .scheme = schemes[k],
                                               .set = {{"N", 1}},
                                               .h = 1e-4,
                                               .until = 0.4});
        assert_near(measured_value(&run, "first_contact", 0), 0.268001, 3e-4);
        assert_near(measured_value(&run, "tip_y", 0), 0.0, 1e-3);
        trial_free(&run);
        run = trial_run(
            &(trial_request){.experiment = "mechanisms/chain", .scheme = schemes[k], .until = 0.35});
        assert_int_equal(run.experiment->model->dof, 30);
        assert_int_equal(run.experiment->model->joints, 20);
        assert_int_equal(run.experiment->model->contacts, 10);
        assert_true(measured_value(&run, "drift", 0) < (k == 0 ? 1e-12 : 1e-4));
        assert_true(measured_value(&run, "contacts", 0) >= 1);
        trial_free(&run);
    }
}

/* ---- a user's own mechanism ------------------------------------------------------------------------- */

/* Two pinned rods swing against a block that can slide: three bodies, two joints (and a guide), one contact.
 */
static const char own[] =
    "local arm   = body2d { 'arm', mass = 1, inertia = 0.1, pinned = { { -0.5, 0 }, ground, { 0, 0 } }, phi "
    "= -0.3, gravity = 9.81 }\n"
    "local hand  = body2d { 'hand', mass = 0.5, inertia = 0.02, pinned = { { -0.3, 0 }, arm, { 0.5, 0 } }, "
    "phi = -0.9, gravity = 9.81 }\n"
    "local block = body2d { 'block', mass = 2, inertia = 1, at = { 0.4, -1.2, 0 } }\n"
    "revolute  { 'shoulder', arm, { -0.5, 0 }, ground, { 0, 0 } }\n"
    "revolute  { 'elbow', hand, { -0.3, 0 }, arm, { 0.5, 0 } }\n"
    "local x, y = hand:point { 0.3, 0 }\n"
    "contact   { 'push', gap = x - block.x, restitution = 0.5 }\n"
    "integrate { scheme = 'generalized-alpha', h = 1e-3, until_t = 1, rho_inf = 0.9, gate = 1 }\n"
    "measure   { arm = arm.phi, hand = hand.phi, block = block.x, hit = first(impact 'push') }\n";

/* Different schemes, one motion: what they differ by goes to zero with the step. */
static void schemes_agree_on_an_own_mechanism(void **state)
{
    (void)state;
    static const char *const names[] = {"arm", "hand", "block"};
    double off[2] = {0, 0};
    for (int fine = 0; fine < 2; fine++) {
        trial run[2];
        for (int k = 0; k < 2; k++)
            run[k] =
                trial_run(&(trial_request){.text = own, .scheme = schemes[k], .h = fine ? 1.25e-4 : 2e-3});
        for (int i = 0; i < 3; i++)
            off[fine] = fmax(
                off[fine], fabs(measured_value(&run[0], names[i], 0) - measured_value(&run[1], names[i], 0)));
        assert_near(measured_value(&run[0], "hit", 0), measured_value(&run[1], "hit", 0), fine ? 3e-4 : 5e-3);
        assert_true(measured_value(&run[0], "block", 0) < 0.39); /* it was pushed */
        for (int k = 0; k < 2; k++)
            trial_free(&run[k]);
    }
    assert_true(off[1] < 0.25 * off[0] && off[1] < 5e-3); /* first order: about 1/16 */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slider_stays_within_the_clearance),
        cmocka_unit_test(a_slider_has_friction),
        cmocka_unit_test(a_free_linkage_keeps_its_energy),
        cmocka_unit_test(a_linkage_comes_to_rest_at_its_stop),
        cmocka_unit_test(a_chain_falls_on_the_floor),
        cmocka_unit_test(schemes_agree_on_an_own_mechanism),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
