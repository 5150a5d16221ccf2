/* Limit analysis of frames with a frictional support. Values: closed forms of the specification, and the
 * corrected Tables 2 to 4 of the source; the printed ones stand beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "subject/frame/limit_program.h"
#include "test/near.h"

typedef struct portal {
    double matrix[24], load[4], bound[6];
    carom_limit_contact contact;
    carom_limit_problem problem;
} portal;

static void make_portal(portal *frame, double mu, double first)
{
    carom_plane_frame_portal((const double[]){first, 1, 1, 1}, frame->matrix, frame->load, frame->bound);
    frame->contact = (carom_limit_contact){0, 1, mu};
    frame->problem =
        (carom_limit_problem){4, 6, frame->matrix, frame->load, frame->bound, 1, &frame->contact};
}

static carom_limit_state *solve(const carom_limit_problem *problem, double tolerance)
{
    carom_limit_options options = carom_limit_defaults();
    carom_limit_state *state = NULL;
    carom_error error;
    options.tolerance = tolerance;
    if (carom_limit_load(problem, &options, &state, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_true(state->converged && fabs(state->defect) < 1e-8);
    return state;
}

static double exact(double mu)
{
    return mu < .5 ? 1.5 + mu / (1 - mu) : 2.5;
}

static void tables_2_to_4(void **state)
{
    (void)state;
    /* mu; iterations 2 to 5; what Tables 2 (iteration 3), 3 (iteration 4) and 4 (exact) print */
    static const double rows[6][8] = {
        {0, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5, 1.5},
        {.1, 1.7, 1.62, 1.612, 1.6112, 1.512, 1.612, 1.611},
        {.2, 1.9, 1.78, 1.756, 1.7512, 1.556, 1.756, 1.750},
        {.3, 2.1, 1.98, 1.944, 1.9332, 1.644, 1.944, 1.928},
        {.4, 2.3, 2.22, 2.188, 2.1752, 1.788, 1.188, 2.166},
        {.5, 2.5, 2.5, 2.5, 2.5, 2.50, 2.50, 2.50},
    };
    for (int i = 0; i < 6; i++) {
        const double mu = rows[i][0];
        portal frame;
        make_portal(&frame, mu, 1);
        carom_limit_state *found = solve(&frame.problem, 1e-12);
        assert_all_near(1, &found->alpha, (const double[]){exact(mu)}, 1e-10);
        assert_all_near(1, found->history_alpha, (const double[]){2.5}, 1e-12);
        for (int k = 1; k < found->programs; k++) {
            if (k <= 4)
                assert_all_near(1, found->history_alpha + k, rows[i] + k, 1e-10);
            assert_all_near(1, found->history_normal + k, (const double[]){found->history_alpha[k] - .5},
                            1e-10);
            assert_all_near(1, found->history_tangent + k, (const double[]){found->history_alpha[k] - 1.5},
                            1e-10);
        }
        /* Table 2 prints 1.5 + mu^2 (1 + 2 mu), which its own last row contradicts; Table 3 a digit wrong */
        if (mu > 0 && mu < .5)
            assert_all_near(1, rows[i] + 5, (const double[]){1.5 + mu * mu * (1 + 2 * mu)}, 1e-12);
        assert_true(fabs(rows[i][7] - exact(mu)) < 1e-3); /* truncated */
        carom_limit_state_free(found);
    }
}

/* 14, 19, 25, 31 programs to 1e-12 */
static void convergence_is_linear_with_factor_mu(void **state)
{
    (void)state;
    static const int programs[] = {14, 19, 25, 31};
    for (int i = 0; i < 4; i++) {
        const double mu = .1 * (i + 1);
        portal frame;
        make_portal(&frame, mu, 1);
        carom_limit_state *found = solve(&frame.problem, 1e-12);
        assert_true(abs(found->programs - programs[i]) <= 1);
        for (int k = 0; k < 8; k++)
            assert_all_near(1, found->history_normal + k,
                            (const double[]){1 / (1 - mu) + pow(mu, k) * (2 - 1 / (1 - mu))}, 1e-12);
        carom_limit_state_free(found);
    }
}

static void mechanisms_of_both_kinds(void **state)
{
    (void)state;
    portal frame;
    make_portal(&frame, .7, 1);
    carom_limit_state *found = solve(&frame.problem, 1e-10);
    assert_int_equal(found->programs, 1); /* sticks */
    assert_all_near(4, found->mechanism, (const double[]){.5, .5, 0, 0}, 1e-12);
    assert_all_near(6, found->rate, (const double[]){0, 0, -.5, 0, 1, -1}, 1e-12);
    assert_all_near(6, found->stress, (const double[]){1, 2, -1, .5, 1, -1}, 1e-12);
    assert_true(found->hinges == 3 && !found->slides && !found->degenerate);
    carom_limit_state_free(found);
    make_portal(&frame, .2, 1);
    found = solve(&frame.problem, 1e-12);
    assert_all_near(4, found->mechanism, (const double[]){.5, .5, 1, 0}, 1e-12);
    assert_all_near(6, found->rate, (const double[]){1, 0, -.5, 0, 1, 0}, 1e-12);
    assert_all_near(6, found->stress, (const double[]){.25, 1.25, -1, .5, 1, -.25}, 1e-10);
    assert_true(found->hinges == 2 && found->slides && !found->degenerate);
    carom_limit_state_free(found);
}

static void a_stronger_foot(void **state)
{
    (void)state;
    static const double alphas[] = {3, 2.4, 2.28, 2.256, 2.2512};
    portal frame;
    make_portal(&frame, .2, 2);
    carom_limit_state *found = solve(&frame.problem, 1e-12);
    assert_all_near(5, found->history_alpha, alphas, 1e-10);
    assert_all_near(1, &found->alpha, (const double[]){2.25}, 1e-10);
    assert_all_near(6, found->stress, (const double[]){.25, 1.25, -2, 0, 1, -.25}, 1e-10);
    carom_limit_state_free(found);
}

/* Proposition 11.3: the largest alpha_s - mu N_s |slip| over admissible stresses is that of the limit state.
 */
static void static_theorem(void **state)
{
    (void)state;
    for (int i = 1; i <= 2; i++) {
        const double mu = .2 * i;
        portal frame;
        make_portal(&frame, mu, 1);
        carom_limit_state *found = solve(&frame.problem, 1e-12);
        double stress[6], mechanism[4];
        limit_solution solution = {.stress = stress, .mechanism = mechanism};
        limit_program *program = NULL;
        carom_error error;
        assert_int_equal(limit_program_create(&frame.problem, true, &program, &error), CAROM_OK);
        limit_program_price(program, 1, mu * fabs(found->rate[0]));
        assert_int_equal(limit_program_solve(program, &solution, &error), CAROM_OK);
        assert_all_near(1, (const double[]){solution.alpha - mu * stress[1]}, (const double[]){1.5}, 1e-10);
        assert_all_near(1, (const double[]){found->alpha - mu * found->stress[1]}, (const double[]){1.5},
                        1e-10);
        limit_program_free(program);
        carom_limit_state_free(found);
    }
}

/* One program with |T| <= mu N: here the same load factor, because N = 1 + T; never a smaller one. */
static void the_associated_rule_is_not_below(void **state)
{
    (void)state;
    for (int i = 0; i <= 6; i++) {
        portal frame;
        make_portal(&frame, .1 * i, 1);
        double alpha;
        carom_error error;
        assert_int_equal(carom_limit_associated(&frame.problem, &alpha, &error), CAROM_OK);
        assert_all_near(1, &alpha, (const double[]){exact(.1 * i)}, 1e-10);
    }
}

/* ---- geometry --------------------------------------------------------------------------------------- */

/* The portal by its nodes and bars: columns of height 1, span 2, loads at the top left and mid-span. */
static void geometry_gives_the_same_limit_load(void **state)
{
    (void)state;
    for (int i = 0; i <= 6; i++) {
        const double mu = .1 * i;
        const carom_plane_frame_node node[5] = {
            {.support = CAROM_SUPPORT_CLAMPED},
            {.y = 1, .load = {1, 0}},
            {.x = 1, .y = 1, .load = {0, -1}},
            {.x = 2, .y = 1},
            {.x = 2, .support = CAROM_SUPPORT_FRICTION, .normal = {0, 3}, .mu = mu},
        };
        const carom_plane_frame_bar bar[4] = {{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 4, 1}};
        const carom_plane_frame frame = {5, 4, node, bar};
        carom_arena *arena = carom_arena_create();
        carom_limit_problem problem;
        carom_error error;
        assert_int_equal(carom_plane_frame_equilibrium(&frame, arena, &problem, &error), CAROM_OK);
        assert_int_equal(problem.stresses - problem.equations, 2); /* redundancy h */
        carom_limit_state *found = solve(&problem, 1e-12);
        assert_all_near(1, &found->alpha, (const double[]){exact(mu)}, 1e-10);
        if (mu > 0 && mu < .5)
            assert_all_near(1, found->stress + 13, (const double[]){1 / (1 - mu)}, 1e-10);
        /* a hinge at a node between two bars is in the one or the other */
        assert_true(found->degenerate && found->hinges == (mu < .45 ? 2 : 3));
        carom_limit_state_free(found);
        carom_arena_free(arena);
    }
}

/* A beam of length 2, built in at both ends, loaded at the middle: alpha = 4 Mp / L = 8 Mp / 2. */
static void a_clamped_beam(void **state)
{
    (void)state;
    const carom_plane_frame_node node[3] = {{.support = CAROM_SUPPORT_CLAMPED},
                                            {.x = 1, .load = {0, -1}},
                                            {.x = 2, .support = CAROM_SUPPORT_CLAMPED}};
    const carom_plane_frame_bar bar[2] = {{0, 1, 1.5}, {1, 2, 1.5}};
    const carom_plane_frame frame = {3, 2, node, bar};
    carom_arena *arena = carom_arena_create();
    carom_limit_problem problem;
    carom_error error;
    assert_int_equal(carom_plane_frame_equilibrium(&frame, arena, &problem, &error), CAROM_OK);
    carom_limit_state *found = solve(&problem, 1e-12);
    assert_all_near(1, &found->alpha, (const double[]){4 * 1.5}, 1e-12);
    carom_limit_state_free(found);
    carom_arena_free(arena);
}

/* ---- several feet ----------------------------------------------------------------------------------- */

static void equilibrium_of(const carom_plane_frame *frame, carom_arena *arena, carom_limit_problem *problem)
{
    carom_error error;
    if (carom_plane_frame_equilibrium(frame, arena, problem, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static carom_limit_range range_of(const carom_limit_problem *problem, const carom_limit_state *found)
{
    carom_limit_range range;
    carom_error error;
    if (carom_limit_range_of(problem, found, &range, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return range;
}

/* One foot: the load factor is unique, and the frame stands without a load. */
static void one_foot_has_one_load_factor(void **state)
{
    (void)state;
    for (int i = 0; i <= 6; i++) {
        portal frame;
        make_portal(&frame, .1 * i, 1);
        carom_limit_state *found = solve(&frame.problem, 1e-12);
        const carom_limit_range range = range_of(&frame.problem, found);
        assert_true(range.unique && range.exact && !range.trivial);
        assert_all_near(1, &range.least, (const double[]){exact(.1 * i)}, 1e-9);
        assert_all_near(1, &range.greatest, (const double[]){exact(.1 * i)}, 1e-9);
        carom_limit_state_free(found);
    }
}

/* Two bays on three feet: an interval of load factors. Ends: exact search of the specification; scale: of loads and capacities. */
static void three_feet_have_a_range(void **state)
{
    (void)state;
    static const double rows[4][3] = {{.55, 1.9365609349, 2.3548387097},
                                      {.6, 2.2580645161, 2.375},
                                      {.8, 2.4, 2.4444444444},
                                      {.3, 0.0, 0.0}};
    static const double moments[] = {1.0, 1024.0, 1e-9, 1e9};
    for (int i = 0; i < 16; i++) {
        const double *row = rows[i / 4], mu = row[0], moment = moments[i % 4];
        const carom_plane_frame_node node[8] = {
            {.support = CAROM_SUPPORT_FRICTION, .normal = {0, 1}, .mu = mu},
            {.y = 1, .load = {1, 0}},
            {.x = 1, .y = 1, .load = {0, -1}},
            {.x = 2, .y = 1},
            {.x = 2, .support = CAROM_SUPPORT_FRICTION, .normal = {0, 1}, .mu = mu},
            {.x = 3, .y = 1, .load = {0, -1}},
            {.x = 4, .y = 1},
            {.x = 4, .support = CAROM_SUPPORT_FRICTION, .normal = {0, 1}, .mu = mu},
        };
        const carom_plane_frame_bar bar[7] = {{0, 1, moment}, {1, 2, moment}, {2, 3, moment}, {3, 4, moment},
                                              {3, 5, moment}, {5, 6, moment}, {6, 7, moment}};
        const carom_plane_frame frame = {8, 7, node, bar};
        carom_arena *arena = carom_arena_create();
        carom_limit_problem problem;
        equilibrium_of(&frame, arena, &problem);
        carom_limit_state *found = NULL;
        assert_int_equal(carom_limit_load(&problem, NULL, &found, NULL), CAROM_OK);
        const carom_limit_range range = range_of(&problem, found);
        assert_true(range.exact && range.trivial);
        assert_int_equal(range.unique, mu < .5);
        assert_near(range.least / moment, row[1], 1e-9);
        assert_near(range.greatest / moment, row[2], 1e-9);
        assert_true(found->alpha >= range.least * (1 - 1e-9) && found->alpha <= range.greatest * (1 + 1e-9));
        carom_limit_state_free(found);
        carom_arena_free(arena);
    }
}

/* ---- units ------------------------------------------------------------------------------------------ */

/* Capacities and loads in other units: the same mechanism and verdicts, factors in proportion. */
static void units_do_not_matter(void **state)
{
    (void)state;
    static const int power[][2] = {{-30, 0}, {30, 0}, {-40, -40}, {40, 40}, {0, -30}, {0, 30}, {-40, 30}};
    for (int i = 0; i <= 6; i++)
        for (size_t k = 0; k < sizeof power / sizeof *power; k++) {
            const double force = ldexp(1.0, power[k][0]), load = ldexp(1.0, power[k][1]);
            portal frame, other;
            make_portal(&frame, .1 * i, 2);
            make_portal(&other, .1 * i, 2);
            for (int j = 0; j < 6; j++)
                other.bound[j] *= force;
            for (int j = 0; j < 4; j++)
                other.load[j] *= load;
            carom_limit_state *one = solve(&frame.problem, 1e-12), *two = NULL;
            const carom_limit_options options = {.tolerance = 1e-12};
            assert_int_equal(carom_limit_load(&other.problem, &options, &two, NULL), CAROM_OK);
            assert_true(two->alpha == one->alpha * force / load);
            for (int j = 0; j < 6; j++)
                assert_true(two->stress[j] == one->stress[j] * force && two->rate[j] == one->rate[j] / load);
            assert_true(two->programs == one->programs && two->degenerate == one->degenerate &&
                        two->hinges == one->hinges && two->slides == one->slides);
            carom_limit_state_free(one);
            carom_limit_state_free(two);
        }
}

/* ---- input ------------------------------------------------------------------------------------------ */

static void expect_refusal(const carom_limit_problem *problem, carom_status status, const char *text)
{
    const carom_limit_options options = carom_limit_defaults();
    carom_limit_state *found = NULL;
    carom_error error;
    assert_int_equal(carom_limit_load(problem, &options, &found, &error), status);
    if (!strstr(error.text, text))
        fail_msg("'%s' does not say '%s'", error.text, text);
    carom_limit_state_free(found);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    portal frame;
    make_portal(&frame, -.1, 1);
    expect_refusal(&frame.problem, CAROM_BAD_INPUT, "mu");
    make_portal(&frame, .2, 0);
    expect_refusal(&frame.problem, CAROM_BAD_INPUT, "capacity");
    make_portal(&frame, .2, 1);
    memset(frame.load, 0, sizeof frame.load);
    expect_refusal(&frame.problem, CAROM_BAD_INPUT, "load");
    make_portal(&frame, .2, 1);
    frame.contact.normal = 6;
    expect_refusal(&frame.problem, CAROM_BAD_INPUT, "support 1");
    make_portal(&frame, .2, 1);
    frame.matrix[3] = NAN;
    expect_refusal(&frame.problem, CAROM_BAD_INPUT, "not a number");
    make_portal(&frame, .2, INFINITY);
    frame.bound[4] = frame.bound[5] = frame.bound[3] = INFINITY;
    expect_refusal(&frame.problem, CAROM_FAILED, "unbounded");
}

static void few_programs_are_told(void **state)
{
    (void)state;
    portal frame;
    make_portal(&frame, .4, 1);
    carom_limit_options options = carom_limit_defaults();
    options.max_programs = 3;
    carom_limit_state *found = NULL;
    carom_error error;
    assert_int_equal(carom_limit_load(&frame.problem, &options, &found, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "3 programs"));
    assert_false(found->converged);
    assert_all_near(1, &found->alpha, (const double[]){2.22}, 1e-12);
    assert_true(fabs(found->defect) > 1e-3); /* it is no limit state, and the bipotential says so */
    carom_limit_state_free(found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_2_to_4),
        cmocka_unit_test(convergence_is_linear_with_factor_mu),
        cmocka_unit_test(mechanisms_of_both_kinds),
        cmocka_unit_test(a_stronger_foot),
        cmocka_unit_test(static_theorem),
        cmocka_unit_test(the_associated_rule_is_not_below),
        cmocka_unit_test(geometry_gives_the_same_limit_load),
        cmocka_unit_test(a_clamped_beam),
        cmocka_unit_test(one_foot_has_one_load_factor),
        cmocka_unit_test(three_feet_have_a_range),
        cmocka_unit_test(units_do_not_matter),
        cmocka_unit_test(bad_input_is_told),
        cmocka_unit_test(few_programs_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
