#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sample_friction_problem.h"
#include "test/near.h"

enum {
    TRIALS = 60
};

typedef struct solution {
    double impulse[SAMPLE_ROWS], u[SAMPLE_ROWS];
    unsigned char regime[SAMPLE_CONTACTS];
    carom_solve_report report;
    int failed_contact;
    carom_error error;
} solution;

static void sweep_from(const carom_friction_problem *problem, carom_solver_options options, solution *found)
{
    carom_solver *solver = NULL;
    assert_int_equal(carom_solver_create(carom_solver_find(CAROM_PROBLEM_STEP, "nsgs", NULL), NULL, &options,
                                         &solver, &found->error),
                     CAROM_OK);
    found->report = carom_solver_step(solver, problem, found->impulse, found->regime, &found->error);
    found->failed_contact = found->report.failed_contact;
    carom_solver_free(solver);
}

/* From zero impulses. */
static solution solve_with(const sample_problem *sample, carom_solver_options options)
{
    solution found = {0};
    sweep_from(&sample->problem, options, &found);
    relative_velocity(&sample->problem, found.impulse, found.u);
    return found;
}

static solution solve(const sample_problem *sample)
{
    solution found = solve_with(sample, (carom_solver_options){0});
    if (found.report.status != CAROM_OK)
        fail_msg("contact %d: %s", found.failed_contact, found.error.text);
    assert_int_equal(found.failed_contact, -1);
    assert_true(found.report.error <= 1e-10);
    assert_true(found.report.error == carom_friction_problem_error(&sample->problem, found.impulse));
    return found;
}

/* Laws checked one by one, without the error measure. Velocities are of order 1. */
static void assert_laws(const sample_problem *sample, const solution *found)
{
    const double tolerance = 1e-11;
    for (int k = 0; k < sample->problem.count; k++) {
        const double *p = found->impulse + 3 * k, *u = found->u + 3 * k;
        const int tangents = sample->tangents[k];
        double power = 0.0, slip = 0.0;
        for (int i = 1; i <= tangents; i++) {
            power += p[i] * u[i];
            slip += fabs(u[i]);
        }
        assert_true(p[0] >= 0.0);
        assert_true(u[0] >= sample->target[k] - tolerance);
        assert_true(power <= tolerance);
        if (found->regime[k] == CAROM_CONTACT_OPEN)
            assert_true(p[0] == 0.0 && p[1] == 0.0 && p[2] == 0.0);
        else
            assert_near(u[0], sample->target[k], tolerance);
        if (found->regime[k] == CAROM_CONTACT_STICK)
            assert_near(slip, 0.0, tolerance);
        if (tangents > 0) {
            const double friction[2] = {p[1], tangents == 2 ? p[2] : 0.0};
            double nearest[2];
            carom_planar_project(&sample->set[k], p[0], friction, nearest);
            assert_near(hypot(friction[0] - nearest[0], friction[1] - nearest[1]), 0.0, 1e-14);
        }
    }
}

/* Kinetic energy of what the impulses do: p.u_free + 1/2 p.W p. */
static double energy_gain(const sample_problem *sample, const solution *found)
{
    double gain = 0.0;
    for (int k = 0; k < sample->problem.count; k++)
        for (int i = 0; i <= sample->tangents[k]; i++)
            gain += 0.5 * found->impulse[3 * k + i] * (sample->u_free[3 * k + i] + found->u[3 * k + i]);
    return gain;
}

/* In the plane (1), in space (2), mixed and with frictionless contacts (-1). */
static void random_problems_are_solved(void **state)
{
    (void)state;
    carom_random random = {11};
    const int kinds[] = {0, 1, 2, -1};
    int sticking = 0, slipping = 0, open = 0;
    for (int trial = 0; trial < 4 * TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, 1 + trial % SAMPLE_CONTACTS, kinds[trial % 4]);
        solution found = solve(&sample);
        assert_laws(&sample, &found);
        for (int k = 0; k < sample.problem.count; k++) {
            sticking += found.regime[k] == CAROM_CONTACT_STICK;
            slipping += found.regime[k] == CAROM_CONTACT_SLIP;
            open += found.regime[k] == CAROM_CONTACT_OPEN;
        }
        for (int k = 0; k < sample.problem.count; k++)
            sample.target[k] = 0.0;
        found = solve(&sample);
        assert_true(energy_gain(&sample, &found) <= 1e-11);
    }
    assert_true(sticking > 50 && slipping > 50 && open > 50);
}

/* Copies contact `from` of one problem to place `to` of another, rows and all. */
static void copy_contact(const sample_problem *source, int from, sample_problem *sample, int to)
{
    sample->tangents[to] = source->tangents[from];
    sample->target[to] = source->target[from];
    sample->set[to] = source->set[from];
    memcpy(sample->rows[3 * to], source->rows[3 * from], 3 * sizeof sample->rows[0]);
    memcpy(sample->u_free + 3 * to, source->u_free + 3 * from, 3 * sizeof(double));
}

static void numbering_does_not_matter(void **state)
{
    (void)state;
    const int order[SAMPLE_CONTACTS] = {3, 0, 5, 1, 4, 2};
    carom_random random = {12};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample, other = {0};
        random_problem(&sample, &random, SAMPLE_CONTACTS, -1);
        for (int k = 0; k < SAMPLE_CONTACTS; k++)
            copy_contact(&sample, order[k], &other, k);
        finish_sample(&other, SAMPLE_CONTACTS);
        solution found = solve(&sample), renumbered = solve(&other);
        for (int k = 0; k < SAMPLE_CONTACTS; k++)
            for (int i = 0; i <= other.tangents[k]; i++)
                assert_near(renumbered.u[3 * k + i], found.u[3 * order[k] + i], 1e-11);
    }
}

/* A contact that is given twice: W is singular, the velocities are those of the contact given once. */
static void duplicated_contacts(void **state)
{
    (void)state;
    carom_random random = {13};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample, twice = {0};
        random_problem(&sample, &random, 3, -1);
        for (int k = 0; k < 6; k++)
            copy_contact(&sample, k % 3, &twice, k);
        finish_sample(&twice, 6);
        solution once = solve(&sample), found = solve(&twice);
        assert_laws(&twice, &found);
        for (int k = 0; k < 6; k++)
            for (int i = 0; i <= twice.tangents[k]; i++)
                assert_near(found.u[3 * k + i], once.u[3 * (k % 3) + i], 1e-10);
    }
}

/* Powers of two as units: the same bits. */
static void units_do_not_matter(void **state)
{
    (void)state;
    const double velocity = 0x1p-14, mass = 0x1p20; /* a square, so that roots are scaled exactly */
    carom_random random = {14};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, 4, -1);
        solution found = solve(&sample);
        for (int k = 0; k < 4; k++)
            sample.target[k] *= velocity;
        for (int i = 0; i < 12; i++)
            sample.u_free[i] *= velocity;
        for (int i = 0; i < 12 * 12; i++)
            sample.W[i] /= mass;
        solution scaled = solve(&sample);
        assert_int_equal(scaled.report.iterations, found.report.iterations);
        assert_true(scaled.report.error == found.report.error);
        for (int i = 0; i < 12; i++)
            assert_true(scaled.impulse[i] == found.impulse[i] * velocity * mass);
    }
}

/* Contacts that do not act on each other: two sweeps, each contact as the one-contact solver has it. */
static void separate_contacts(void **state)
{
    (void)state;
    carom_random random = {15};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, SAMPLE_CONTACTS, 1 + trial % 2);
        const int size = SAMPLE_ROWS;
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++)
                if (i / 3 != j / 3)
                    sample.W[i * size + j] = 0.0;
        solution found = solve(&sample);
        assert_int_equal(found.report.iterations, 2);
        for (int k = 0; k < SAMPLE_CONTACTS; k++) {
            carom_friction_contact alone = {
                .tangents = sample.tangents[k], .target = sample.target[k], .set = sample.set[k]};
            for (int i = 0; i <= alone.tangents; i++) {
                alone.u_free[i] = sample.u_free[3 * k + i];
                memcpy(alone.W[i], sample.W + (3 * k + i) * size + 3 * k, 3 * sizeof(double));
            }
            carom_friction_result result;
            assert_int_equal(carom_friction_contact_solve(&alone, &result, NULL), CAROM_OK);
            assert_int_equal(found.regime[k], result.regime);
            for (int i = 0; i <= alone.tangents; i++)
                assert_true(found.impulse[3 * k + i] == result.impulse[i]);
        }
    }
}

/* Without friction, however that is said, the normal impulses are those of the complementarity problem. */
static void without_friction_it_is_the_lcp(void **state)
{
    (void)state;
    const carom_planar_set none[3] = {{.kind = CAROM_PLANAR_POINT},
                                      {.kind = CAROM_PLANAR_INTERVAL, .a = 0.0, .b = 0.0},
                                      {.kind = CAROM_PLANAR_DISK, .a = 0.0}};
    carom_random random = {16};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, SAMPLE_CONTACTS, trial % 3);
        double matrix[SAMPLE_CONTACTS * SAMPLE_CONTACTS], vector[SAMPLE_CONTACTS], z[SAMPLE_CONTACTS] = {0};
        for (int k = 0; k < SAMPLE_CONTACTS; k++) {
            sample.set[k] = trial % 2 ? none[0] : none[trial % 3];
            vector[k] = sample.u_free[3 * k] - sample.target[k];
            for (int l = 0; l < SAMPLE_CONTACTS; l++)
                matrix[k * SAMPLE_CONTACTS + l] = sample.W[3 * k * SAMPLE_ROWS + 3 * l];
        }
        double work[SAMPLE_CONTACTS * SAMPLE_CONTACTS + 6 * SAMPLE_CONTACTS];
        const carom_problem_shape shape = {.size = SAMPLE_CONTACTS};
        assert_true(carom_lcp_active_set.work_size(&shape) <= sizeof work / sizeof work[0]);
        const carom_lcp lcp = {SAMPLE_CONTACTS, matrix, vector};
        carom_solver active_set = carom_solver_in(&carom_lcp_active_set, &shape, 1e-12, work);
        assert_int_equal(carom_solver_lcp(&active_set, &lcp, z).status, CAROM_OK);
        solution found = solve(&sample);
        for (int k = 0; k < SAMPLE_CONTACTS; k++) {
            assert_near(found.impulse[3 * k], z[k], 1e-11);
            assert_true(found.impulse[3 * k + 1] == 0.0 && found.impulse[3 * k + 2] == 0.0);
            assert_int_not_equal(found.regime[k], CAROM_CONTACT_STICK);
        }
    }
}

/* The solution as the start: one sweep confirms it. */
static void warm_start(void **state)
{
    (void)state;
    carom_random random = {17};
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, SAMPLE_CONTACTS, -1);
        solution found = solve(&sample);
        assert_true(found.report.iterations > 1);
        sweep_from(&sample.problem, (carom_solver_options){0}, &found);
        assert_int_equal(found.report.status, CAROM_OK);
        assert_int_equal(found.report.iterations, 1);
    }
}

/* Sweeps that end early say so, with the error that their impulses have. */
static void not_converged_is_failed(void **state)
{
    (void)state;
    carom_random random = {18};
    int failed = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        sample_problem sample;
        random_problem(&sample, &random, SAMPLE_CONTACTS, -1);
        for (int sweeps = 1; sweeps <= 3; sweeps++) {
            carom_solver_options options = {.max_iterations = sweeps, .tolerance = 1e-6};
            solution found = solve_with(&sample, options);
            double error = carom_friction_problem_error(&sample.problem, found.impulse);
            assert_true(found.report.error == error);
            assert_true(found.report.iterations <= sweeps);
            assert_int_equal(found.report.status, error <= 1e-6 ? CAROM_OK : CAROM_FAILED);
            assert_int_equal(found.failed_contact, -1);
            if (found.report.status == CAROM_OK)
                continue;
            assert_non_null(strstr(found.error.text, "did not converge"));
            failed++;
        }
    }
    assert_true(failed > TRIALS);
}

/* A tolerance that rounding does not allow is not reached, and the sweeps that repeat themselves end. */
static void tolerance_below_rounding(void **state)
{
    (void)state;
    carom_random random = {19};
    sample_problem sample;
    random_problem(&sample, &random, SAMPLE_CONTACTS, 2);
    solution found = solve_with(&sample, (carom_solver_options){.max_iterations = 3000, .tolerance = 1e-40});
    assert_int_equal(found.report.status, CAROM_FAILED);
    assert_true(found.report.error > 0.0 && found.report.error < 1e-14);
}

static void bad_contact_is_named(void **state)
{
    (void)state;
    carom_random random = {20};
    sample_problem sample;
    random_problem(&sample, &random, 3, 1);
    for (int k = 0; k < 3; k++)
        sample.u_free[3 * k] = -1.0;
    sample.set[2].b = 0.4; /* friction */
    sample.W[(3 * 2 + 1) * 9 + 3 * 2 + 1] = -1.0;
    solution found = solve_with(&sample, (carom_solver_options){0});
    assert_int_equal(found.report.status, CAROM_BAD_INPUT);
    assert_int_equal(found.failed_contact, 2);
    assert_non_null(strstr(found.error.text, "-1"));

    random_problem(&sample, &random, 3, 0);
    sample.u_free[3] = NAN;
    found = solve_with(&sample, (carom_solver_options){0});
    assert_int_equal(found.report.status, CAROM_BAD_INPUT);
    assert_int_equal(found.failed_contact, 1);
    assert_true(isinf(found.report.error));
}

/* No velocities: no impulses, whatever the start was. */
static void at_rest(void **state)
{
    (void)state;
    carom_random random = {21};
    sample_problem sample;
    random_problem(&sample, &random, 3, -1);
    solution found = solve(&sample);
    memset(sample.u_free, 0, sizeof sample.u_free);
    memset(sample.target, 0, sizeof sample.target);
    sweep_from(&sample.problem, (carom_solver_options){0}, &found);
    assert_int_equal(found.report.status, CAROM_OK);
    for (int i = 0; i < 9; i++)
        assert_true(found.impulse[i] == 0.0);
    for (int k = 0; k < 3; k++)
        assert_int_equal(found.regime[k], CAROM_CONTACT_OPEN);
}

/* Several contacts with turned ellipses and slip rules of their own, certified by the bipotential. */
static void orthotropic_contacts(void **state)
{
    (void)state;
    carom_random random = {91};
    int slipping = 0;
    for (int trial = 0; trial < 60; trial++) {
        sample_problem sample;
        carom_elliptic_cone cone[SAMPLE_CONTACTS];
        const int count = 2 + trial % 5;
        random_problem(&sample, &random, count, 2);
        for (int k = 0; k < count; k++) {
            const double mu[2] = {carom_random_uniform(&random, 0.1, 0.5),
                                  carom_random_uniform(&random, 0.1, 0.5)};
            const double p[2] = {carom_random_uniform(&random, 0.3, 1.0),
                                 carom_random_uniform(&random, 0.3, 1.0)};
            assert_int_equal(carom_elliptic_cone_make(mu, p, &cone[k], NULL), CAROM_OK);
            sample.set[k] = (carom_planar_set){.kind = CAROM_PLANAR_ELLIPSE,
                                               .a = mu[0],
                                               .b = mu[1],
                                               .angle = carom_random_uniform(&random, -2.0, 2.0),
                                               .q2 = {cone[k].q2[0], cone[k].q2[1]}};
        }
        const solution found = solve(&sample);
        double u[SAMPLE_ROWS];
        relative_velocity(&sample.problem, found.impulse, u);
        for (int k = 0; k < count; k++) {
            const double c = cos(sample.set[k].angle), s = sin(sample.set[k].angle), *v = u + 3 * k;
            const double *p = found.impulse + 3 * k;
            const double turned_u[3] = {v[0], c * v[1] + s * v[2], c * v[2] - s * v[1]};
            const double turned_p[3] = {p[0], c * p[1] + s * p[2], c * p[2] - s * p[1]};
            const carom_law_defect defect =
                carom_bipotential_defect(&cone[k], -sample.target[k], turned_u, turned_p);
            assert_true(fabs(defect.power) <= 1e-9 && defect.penetration <= 1e-9 && defect.outside <= 1e-12);
            slipping += found.regime[k] == CAROM_CONTACT_SLIP;
        }
    }
    assert_true(slipping > 30);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_problems_are_solved),
        cmocka_unit_test(numbering_does_not_matter),
        cmocka_unit_test(duplicated_contacts),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(separate_contacts),
        cmocka_unit_test(without_friction_it_is_the_lcp),
        cmocka_unit_test(warm_start),
        cmocka_unit_test(not_converged_is_failed),
        cmocka_unit_test(tolerance_below_rounding),
        cmocka_unit_test(bad_contact_is_named),
        cmocka_unit_test(at_rest),
        cmocka_unit_test(orthotropic_contacts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
