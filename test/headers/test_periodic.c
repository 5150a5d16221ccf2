/* periodic: options that are left zero are the defaults, and so are none; zeroed systems are refused. */
#include "zeroed.h"

#include <math.h>

#include "carom/periodic.h"

static bool line(void *context, const double *x, double p, double *f)
{
    (void)context;
    f[0] = x[0] - 2.0 * p;
    return true;
}

static void curves(void **state)
{
    (void)state;
    const carom_arclength_problem problem = {.size = 1, .residual = line};
    const carom_arclength_options defaults = carom_arclength_defaults();
    const carom_arclength_options *const options[] = {&defaults, ZERO(carom_arclength_options), NULL};
    double reached[3];
    for (int k = 0; k < 3; k++) {
        carom_arclength *curve = NULL;
        double x = 0.5;
        WORKS(carom_newton(&problem, options[k], 1.0, &x, NULL, NULL, &error));
        assert_true(fabs(x - 2.0) < 1e-9);
        WORKS(carom_arclength_create(&problem, options[k], &x, 1.0, &curve, &error));
        for (int i = 0; i < 5; i++)
            WORKS(carom_arclength_step(curve, &error));
        reached[k] = carom_arclength_parameter(curve);
        assert_true(reached[k] > 1.0 && reached[k] == reached[0]);
        carom_arclength_free(curve);
    }
    carom_arclength_free(NULL);
    carom_branch_free(ZERO(carom_branch));
}

/* One mass before a wall. */
static void modes(void **state)
{
    (void)state;
    const double one = 1.0, away = -1.0;
    const carom_mode_system system = {1, &one, &one, &away, 1.0};
    const carom_harmonic_options defaults = carom_harmonic_defaults();
    const carom_harmonic_options *const options[] = {&defaults, ZERO(carom_harmonic_options), NULL};
    carom_mode_basis *basis = NULL;
    carom_harmonic_motion motion[3];
    WORKS(carom_mode_basis_create(&system, &basis, &error));
    for (int k = 0; k < 3; k++) {
        WORKS(carom_harmonic_balance(basis, 1.2, options[k], NULL, &motion[k], &error));
        assert_true(motion[k].energy == motion[0].energy && motion[k].energy > 0.0);
    }
    REFUSES(carom_harmonic_balance(basis, 0.0, NULL, NULL, &motion[0], &error));
    REFUSES(carom_harmonic_balance(NULL, 1.2, NULL, NULL, &motion[0], &error));
    carom_mode_survey survey;
    WORKS(carom_survey_modes(basis, ZERO(carom_mode_survey_request), &survey, &error));
    assert_true(survey.windows > 0);
    carom_mode_survey_free(&survey);
    REFUSES(carom_survey_modes(NULL, ZERO(carom_mode_survey_request), &survey, &error));
    carom_mode_basis_free(basis);
    carom_mode_basis_free(NULL);
    carom_mode_free(NULL);
}

/* Branches of two masses with two impacts per period: all of the options zero. */
static void branches_of_modes(void **state)
{
    (void)state;
    double mass[4], stiffness[4], direction[2];
    carom_mode_chain(2, 0.5, 2.0, mass, stiffness, direction);
    const carom_mode_system system = {2, mass, stiffness, direction, 1.0};
    carom_mode_basis *basis = NULL;
    WORKS(carom_mode_basis_create(&system, &basis, &error));
    carom_mode *mode[4] = {NULL};
    int found = 0;
    WORKS(carom_mode_two_impacts(basis, 8.08, 4, mode, &found, &error));
    assert_true(found > 0);
    static const carom_branch_options zero;
    const carom_branch_options defaults = carom_branch_defaults();
    const carom_branch_options *const options[] = {&defaults, &zero, NULL};
    carom_branch branch[3];
    for (int k = 0; k < 3; k++)
        WORKS(carom_mode_follow(mode[0], 0, options[k], &branch[k], &error));
    for (int k = 0; k < 3; k++) {
        assert_int_equal(branch[k].count, branch[0].count);
        assert_true(branch[k].count > 1);
        assert_true(branch[k].point[branch[k].count - 1].period ==
                    branch[0].point[branch[0].count - 1].period);
    }
    for (int k = 0; k < 3; k++)
        carom_branch_free(&branch[k]);
    for (int i = 0; i < found && i < 4; i++)
        carom_mode_free(mode[i]);
    carom_mode_basis_free(basis);
}

/* A ring in which every second particle strikes half a period later. */
static void patterns(void **state)
{
    (void)state;
    carom_linear_oscillator *ring = NULL;
    carom_orbit *orbit[3];
    carom_floquet *floquet[3];
    const carom_phase pattern[] = {CAROM_PHASE_START, CAROM_PHASE_HALF, CAROM_PHASE_START, CAROM_PHASE_HALF};
    const carom_orbit_options defaults = carom_orbit_defaults();
    const carom_floquet_options multipliers = carom_floquet_defaults();
    const carom_orbit_options *const options[] = {&defaults, ZERO(carom_orbit_options), NULL};
    const carom_floquet_options *const of_floquet[] = {&multipliers, ZERO(carom_floquet_options), NULL};
    WORKS(carom_ring_create(4, 0.05, &ring, &error));
    for (int k = 0; k < 3; k++) {
        WORKS(carom_orbit_create(ring, &orbit[k], &error));
        WORKS(carom_floquet_create(ring, &floquet[k], &error));
        WORKS(carom_orbit_solve(orbit[k], ring, 5.0, pattern, options[k], &error));
        assert_int_equal(orbit[k]->word, CAROM_ORBIT_OK);
        WORKS(carom_floquet_compute(floquet[k], ring, orbit[k], of_floquet[k], &error));
        assert_true(orbit[k]->energy == orbit[0]->energy);
        assert_int_equal(floquet[k]->off_circle, floquet[0]->off_circle);
    }
    REFUSES(carom_orbit_solve(orbit[0], ring, 0.0, pattern, NULL, &error));
    carom_orbit_branch branch[2];
    carom_orbit_branch_request request = carom_orbit_branch_defaults();
    for (int k = 0; k < 2; k++) {
        if (k == 1)
            request = (carom_orbit_branch_request){0};
        request.oscillator = ring;
        request.pattern = pattern;
        request.period = 5.0;
        request.from = 0.05;
        request.to = 0.06;
        request.multipliers = true;
        WORKS(carom_orbit_branch_follow(&request, &branch[k], &error));
    }
    assert_int_equal(branch[0].point_count, branch[1].point_count);
    assert_true(branch[0].point[branch[0].point_count - 1].largest ==
                branch[1].point[branch[1].point_count - 1].largest);
    for (int k = 0; k < 2; k++)
        carom_orbit_branch_free(&branch[k]);
    for (int k = 0; k < 3; k++) {
        carom_orbit_free(orbit[k]);
        carom_floquet_free(floquet[k]);
    }
    carom_linear_oscillator_free(ring);
    carom_linear_oscillator_free(NULL);
    carom_orbit_free(NULL);
    carom_floquet_free(NULL);
}

static void searches(void **state)
{
    (void)state;
    carom_periodic_model *made = NULL;
    carom_found_orbit found;
    carom_branch branch;
    REFUSES(carom_periodic_model_create(NULL, NULL, NULL, 0.0, NULL, NULL, &made, &error));
    REFUSES(carom_find_orbit(ZERO(carom_periodic_model), ZERO(carom_find_request), &found, &error));
    carom_found_orbit_free(&found);
    REFUSES(carom_continue_orbit(ZERO(carom_periodic_model), ZERO(carom_found_orbit),
                                 ZERO(carom_continue_request), &branch, &error));
    carom_branch_free(&branch);
    carom_shooting *shooting = NULL;
    REFUSES(carom_shooting_create((&(carom_shooting_problem){.impacts = 1}), &shooting, &error));
    carom_shooting_free(NULL);
    carom_periodic_model_free(NULL);
    carom_found_orbit_free(ZERO(carom_found_orbit));
    carom_orbit_return_free(ZERO(carom_orbit_return));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(curves),   cmocka_unit_test(modes),    cmocka_unit_test(branches_of_modes),
        cmocka_unit_test(patterns), cmocka_unit_test(searches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
