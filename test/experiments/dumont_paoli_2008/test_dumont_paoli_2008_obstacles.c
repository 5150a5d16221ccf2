/* Beam between obstacles: free motion, motions with contact, penetration between the nodes. Reference values:
 * an independent prototype whose two solvers agree to nine digits, and the exact modal series of the free
 * beam. */
#include "test/experiments/trial.h"

#define CONVEX "dumont-paoli-2008/convex"
#define FLAT "dumont-paoli-2008/flat"

enum {
    P3,
    BSPLINE
};
static const carom_override basis_word[] = {{"basis", "p3"}, {"basis", "bspline"}};

/* The walls of the convex case moved out of reach. */
static trial run_free(int basis, double J, double dt, double beta)
{
    return trial_run(&(trial_request){.experiment = CONVEX,
                                      .word = {basis_word[basis]},
                                      .set = {{"gap", 100}, {"J", J}, {"dt", dt}, {"beta", beta}}});
}

/* t = 0.1, 0.15, 0.5, 1: which entries of tip_at they are. */
static const int free_entry[4] = {0, 1, 5, 7};

static void free_beam_has_the_reference_displacements(void **state)
{
    (void)state;
    static const struct {
        int basis;
        double dt, beta, tip[4];
    } cases[] = {
        {P3, 1e-3, 0.5, {.001606638, .005071723, .050617595, .182767074}},
        {BSPLINE, 1e-3, 0.5, {.001606636, .005071722, .050617596, .182767065}},
        {P3, 1e-3, 0.25, {.001606604, .005071779, .050618674, .182770743}},
        {P3, 2.5e-4, 0.5, {.001589844, .005038044, .050607838, .182743504}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        trial run = run_free(cases[c].basis, 40, cases[c].dt, cases[c].beta);
        for (int k = 0; k < 4; k++)
            assert_near(measured_value(&run, "tip_at", free_entry[k]), cases[c].tip[k], 1e-9);
        assert_int_equal(measured(&run, "first_contact")->count, 0);
        assert_true(measured_value(&run, "contact_steps", 0) == 0.0);
        trial_free(&run);
    }
}

/* Against 80 modes; the load is half a step late, so the error is proportional to dt. */
static void free_beam_converges_with_the_first_order(void **state)
{
    (void)state;
    static const double exact[4] = {0.00158415, 0.00502662, 0.05060341, 0.18273172};
    trial coarse = run_free(P3, 40, 1e-3, 0.5), fine = run_free(P3, 40, 2.5e-4, 0.5);
    for (int k = 0; k < 4; k++) {
        const double error_coarse = measured_value(&coarse, "tip_at", free_entry[k]) - exact[k];
        const double error_fine = measured_value(&fine, "tip_at", free_entry[k]) - exact[k];
        if (k < 2)
            assert_near(error_coarse / error_fine, 4.0, 0.1);
        assert_true(fabs(error_fine) < fabs(error_coarse));
        assert_near(error_fine, 0.0, 2e-5);
    }
    trial_free(&coarse);
    trial_free(&fine);
}

static void motions_with_contact_have_the_reference_values(void **state)
{
    (void)state;
    static const struct {
        const char *experiment;
        int basis;
        double first_contact, contact_steps;
        double tip[5], mid[5]; /* t = .2, .3, .4, .6, 1 */
    } cases[] = {
        {CONVEX,
         P3,
         .150,
         380,
         {.011457632, .032844554, .069448012, .087097417, .108367421},
         {.005, .005, .004148832, -.003969581, .003427163}},
        {CONVEX,
         BSPLINE,
         .150,
         374,
         {.011451388, .032859849, .069479482, .087129288, .108004317},
         {.005, .005, .003885619, -.003966882, .003516703}},
        {FLAT,
         P3,
         .191,
         373,
         {.009975415, .009916223, .009212903, -.004895975, .004034139},
         {.01, .01, .01, -.009908431, .002201205}},
        {FLAT,
         BSPLINE,
         .191,
         367,
         {.009977826, .009862080, .009164948, -.005055099, .001689529},
         {.01, .01, .009996976, -.009860058, .003285691}},
    };
    static const double time[5] = {.2, .3, .4, .6, 1};
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        trial run = trial_run(
            &(trial_request){.experiment = cases[c].experiment, .word = {basis_word[cases[c].basis]}});
        const int tip = run.result.layout.column + 3, mid = run.result.layout.column + 1;
        assert_string_equal(run.experiment->column[3], "tip");
        assert_string_equal(run.experiment->column[1], "mid");
        for (int k = 0; k < 5; k++) {
            const double *row = output_at(&run, time[k]);
            const double tolerance = time[k] <= .4 ? 1e-7 : 1e-6;
            assert_near(row[tip], cases[c].tip[k], tolerance);
            assert_near(row[mid], cases[c].mid[k], tolerance);
        }
        assert_near(measured_value(&run, "first_contact", 0), cases[c].first_contact, 1e-9);
        assert_near(measured_value(&run, "contact_steps", 0), cases[c].contact_steps, 0.0);
        assert_true(run.result.max_penetration < 1e-12); /* at the nodes */
        assert_true(run.result.counts.worst_solver_error < 1e-9);
        trial_free(&run);
    }
}

static void expect_penetration(const char *experiment, int basis, double J, double dt, double t_end,
                               double lower, double upper, double unit)
{
    trial run = trial_run(&(trial_request){.experiment = experiment,
                                           .word = {basis_word[basis]},
                                           .set = {{"J", J}, {"dt", dt}, {"t_end", t_end}}});
    assert_near(measured_value(&run, "penetration_lower", 0), lower, unit);
    assert_near(measured_value(&run, "penetration_upper", 0), upper, unit);
    trial_free(&run);
}

static void penetration_between_nodes_has_the_reference_values(void **state)
{
    (void)state;
    static const struct {
        const char *experiment;
        int basis;
        double lower[3], upper[3]; /* J = 40, 80, 160 */
        double unit[3];            /* of the last digit given */
    } cases[] = {
        {CONVEX, P3, {4.434e-4, 1.005e-4, 2.55e-5}, {2.630e-4, 7.28e-5, 2.72e-5}, {1e-7, 1e-7, 1e-7}},
        {CONVEX, BSPLINE, {4.454e-4, 1.004e-4, 2.55e-5}, {2.687e-4, 7.20e-5, 2.72e-5}, {1e-7, 1e-7, 1e-7}},
        {FLAT, P3, {3.76e-5, 1.17e-5, 4.2e-6}, {1.243e-4, 1.83e-5, 4.4e-6}, {1e-7, 1e-7, 1e-7}},
        {FLAT, BSPLINE, {3.37e-5, 1.15e-5, 4.2e-6}, {1.079e-4, 1.76e-5, 4.4e-6}, {1e-7, 1e-7, 1e-7}},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        for (int k = 0; k < 3; k++)
            expect_penetration(cases[c].experiment, cases[c].basis, 40 << k, 1e-3, 1.0, cases[c].lower[k],
                               cases[c].upper[k], cases[c].unit[k]);
}

static void penetration_depends_on_end_time_and_step(void **state)
{
    (void)state;
    expect_penetration(CONVEX, P3, 40, 1e-3, .78, 4.434e-4, 4.49e-5, 1e-7);
    expect_penetration(CONVEX, P3, 80, 1e-3, .78, 1.005e-4, 7.28e-5, 1e-7);
    expect_penetration(CONVEX, P3, 160, 1e-3, .78, 2.55e-5, 2.39e-5, 1e-7);
    expect_penetration(CONVEX, P3, 40, 1e-3, 2, 4.434e-4, 4.747e-4, 1e-7);
    expect_penetration(CONVEX, BSPLINE, 40, 1e-3, 2, 4.618e-4, 4.756e-4, 1e-7);
    expect_penetration(FLAT, P3, 40, 1e-3, 2, 9.76e-5, 1.243e-4, 1e-7);
    expect_penetration(CONVEX, P3, 40, 1e-4, 1, 4.282e-4, 1.877e-4, 1e-7);
    expect_penetration(FLAT, P3, 40, 1e-4, 1, 6.07e-5, 1.098e-4, 1e-7);
}

/* 1000 steps of each case with the primal-dual and with the dual method. */
static void both_methods_give_one_motion(void **state)
{
    (void)state;
    const char *const experiment[] = {CONVEX, FLAT};
    for (int c = 0; c < 4; c++) {
        trial_request request = {.experiment = experiment[c / 2], .word = {basis_word[c % 2]}};
        trial primal = trial_run(&request);
        request.option[0] = (carom_override){"solver", "dual"};
        trial dual = trial_run(&request);
        assert_int_equal(output_count(&primal), 1001);
        double worst = 0.0;
        for (size_t i = 0; i < output_count(&primal); i++)
            for (int k = 0; k < primal.result.layout.dof; k++)
                worst = fmax(worst, fabs(position(&primal, output(&primal, i), k) -
                                         position(&dual, output(&dual, i), k)));
        assert_near(worst, 0.0, 1e-9);
        trial_free(&primal);
        trial_free(&dual);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_beam_has_the_reference_displacements),
        cmocka_unit_test(free_beam_converges_with_the_first_order),
        cmocka_unit_test(motions_with_contact_have_the_reference_values),
        cmocka_unit_test(penetration_between_nodes_has_the_reference_values),
        cmocka_unit_test(penetration_depends_on_end_time_and_step),
        cmocka_unit_test(both_methods_give_one_motion),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
