/* The certificate of a run: works that add up to the change of energy, and doubts where there is reason for them. */
#include <stdio.h>
#include <string.h>

#include "carom/run.h"
#include "test/near.h"

static carom_node formula(carom_builder *b, const char *text)
{
    return carom_build_formula(b, text);
}

/* Takes what the builder says, runs it and gives the certificate back. */
static carom_certificate certificate_of(carom_builder *b, carom_run_request request)
{
    carom_model *model = NULL;
    carom_error error = {0};
    carom_run_result result;
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    request.model = model;
    if (!request.scheme)
        request.scheme = "moreau-jean";
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_certificate found = result.certificate;
    carom_run_result_free(&result);
    carom_model_free(model);
    assert_near(found.energy_initial + found.forces + found.contacts + found.joints + found.scheme,
                found.energy_final, 1e-12 * (1.0 + fabs(found.energy_final) + found.energy_scale));
    return found;
}

static bool doubts_begin_with(const carom_certificate *found, const char *word)
{
    for (int i = 0; i < found->doubts && i < CAROM_DOUBTS_KEPT; i++)
        if (strncmp(found->doubt[i], word, strlen(word)) == 0)
            return true;
    return false;
}

static carom_builder *ball(const char *restitution, const char *gap)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "9.81*y"));
    const int floor = carom_build_contact(b, "floor", formula(b, gap));
    carom_build_restitution(b, floor, formula(b, restitution));
    return b;
}

static void bouncing_ball_is_trusted(void **state)
{
    (void)state;
    const carom_certificate found = certificate_of(
        ball("0.8", "y"), (carom_run_request){.q0 = (double[]){0, 1}, .h = 1e-3, .until = 2.0});
    assert_true(found.trusted && found.doubts == 0);
    assert_near(found.scheme, 0.0, 1e-11);
    /* each impact takes 1 - e^2 of the energy; three until t = 2 */
    assert_near(found.contacts, -9.81 * (1.0 - pow(0.64, 3)), 0.05);
    assert_true(found.forces == 0.0 && found.joints == 0.0);
    assert_true(found.penetration > 0.0 && found.penetration < 0.005);
    assert_string_equal(found.penetration_contact, "floor");
}

static void a_step_that_is_too_large_is_doubtful(void **state)
{
    (void)state;
    const carom_certificate found =
        certificate_of(ball("0", "y"), (carom_run_request){.q0 = (double[]){0, 1}, .h = 1.0, .until = 10.0});
    assert_false(found.trusted);
    assert_true(doubts_begin_with(&found, "penetration: contact 'floor'"));
}

static carom_builder *thin_wall(void)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_kinetic(b, formula(b, "dot(x)^2/2"));
    carom_build_restitution(b, carom_build_contact(b, "wall", formula(b, "abs(x - 1) - 0.005")),
                            formula(b, "0.5"));
    return b;
}

/* Over the wall in one step; in two, with an output inside it; in the first step; and a step that sees it. */
static void a_wall_that_is_passed_is_a_crossing(void **state)
{
    (void)state;
    const double start[] = {-0.05, 0.0, 0.6};
    for (int i = 0; i < 3; i++) {
        const carom_certificate found = certificate_of(
            thin_wall(),
            (carom_run_request){.q0 = &start[i], .v0 = (double[]){100}, .h = 0.01, .until = 0.1});
        assert_int_equal(found.crossings, 1);
        assert_string_equal(found.crossing_contact, "wall");
        assert_false(found.trusted);
        assert_true(doubts_begin_with(&found, "crossing: "));
    }
    const carom_certificate seen = certificate_of(
        thin_wall(),
        (carom_run_request){.q0 = (double[]){0.0}, .v0 = (double[]){100}, .h = 1e-5, .until = 0.02});
    assert_int_equal(seen.crossings, 0);
    assert_near(seen.contacts, -0.5 * 1e4 * 0.75, 1e-6);
}

/* A post that a step lands behind pushes the wrong way: the impulse is no sign that the wall held. */
static void a_push_from_behind_is_a_crossing(void **state)
{
    (void)state;
    const double h[] = {0.01, 0.00001};
    for (int i = 0; i < 2; i++) {
        carom_builder *b = carom_builder_create();
        carom_build_coordinate(b, "x");
        carom_build_coordinate(b, "y");
        carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
        carom_build_restitution(b, carom_build_contact(b, "post", formula(b, "hypot(x - 0.5, y) - 1e-4")),
                                formula(b, "1"));
        const carom_certificate found = certificate_of(b, (carom_run_request){.scheme = "generalized-alpha",
                                                                              .q0 = (double[]){0, 0},
                                                                              .v0 = (double[]){1, 0},
                                                                              .h = h[i],
                                                                              .until = 1.0});
        assert_int_equal(found.crossings, i == 0);
        assert_true(found.trusted == (i == 1));
    }
}

/* Outputs of a scheme that locates impacts are far apart: the straight way between them is not that of the body. */
static void located_impacts_are_no_crossings(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "10*y"));
    carom_build_contact(b, "stone", formula(b, "hypot(x, y) - 1"));
    /* it flies over the stone, and the line from its start to its end cuts it */
    const carom_certificate found = certificate_of(b, (carom_run_request){.scheme = "event-driven",
                                                                          .q0 = (double[]){-2, -1},
                                                                          .v0 = (double[]){2, 10},
                                                                          .h = 2.0,
                                                                          .until = 2.0});
    assert_int_equal(found.crossings, 0);
    assert_true(found.trusted);
}

/* An obstacle that appears around a body, which is thrown or moved out at once, or held where it is. */
static void what_is_moved_out_is_doubtful(void **state)
{
    (void)state;
    static const char *const schemes[] = {"generalized-alpha", "penalty", "event-driven", "moreau-jean"};
    for (int i = 0; i < 4; i++) {
        const carom_certificate found = certificate_of(
            ball("1", "y - 2*select(t - 0.1, 1, 0)"),
            (carom_run_request){.scheme = schemes[i], .q0 = (double[]){0, 1}, .h = 0.01, .until = 0.3});
        assert_true(doubts_begin_with(&found, "penetration: contact 'floor'"));
    }
}

/* A turn close before the wall is no crossing. */
static void a_ball_that_turns_has_not_crossed(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_kinetic(b, formula(b, "dot(x)^2/2"));
    carom_build_potential(b, formula(b, "50*x^2"));
    carom_build_contact(b, "wall", formula(b, "x + 1.01"));
    const carom_certificate found =
        certificate_of(b, (carom_run_request){.q0 = (double[]){1.0}, .h = 0.02, .until = 10.0});
    assert_int_equal(found.crossings, 0);
    assert_true(found.trusted);
}

/* ---- works ------------------------------------------------------------------------------------------------ */

static carom_builder *driven_oscillator(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_kinetic(b, formula(b, "dot(x)^2/2"));
    carom_build_potential(b, formula(b, "2*x^2"));
    carom_build_force(b, x, formula(b, "cos(3*t) - 0.2*dot(x)"));
    return b;
}

/* The rest falls with the square of the step. */
static void forces_do_the_work(void **state)
{
    (void)state;
    double rest[2];
    for (int i = 0; i < 2; i++) {
        const carom_certificate found =
            certificate_of(driven_oscillator(),
                           (carom_run_request){.q0 = (double[]){1.0}, .h = i ? 5e-3 : 1e-2, .until = 20.0});
        assert_true(found.trusted);
        assert_true(fabs(found.forces) > 1.0);
        rest[i] = found.scheme;
    }
    assert_true(fabs(rest[0]) < 2e-3);
    assert_true(fabs(rest[1]) < fabs(rest[0]) / 3.0); /* of second order, or better */
}

/* The same motion seen from the ground and from a cart that shakes: x = s + cart(t). */
static void a_frame_that_moves_is_a_force(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "s");
    carom_build_kinetic(b, formula(b, "(dot(s) - 2*sin(4*t))^2/2"));
    carom_build_potential(b, formula(b, "2*s^2"));
    carom_build_restitution(b, carom_build_contact(b, "stop", formula(b, "0.4 - s")), formula(b, "0.9"));
    const carom_certificate found = certificate_of(b, (carom_run_request){.h = 1e-4, .until = 5.0});
    assert_true(fabs(found.forces) > 0.1 && fabs(found.contacts) > 0.1);
    assert_near(found.scheme, 0.0, 2e-3 * found.energy_scale);
    assert_true(found.trusted);
}

/* A belt drags a block: the contact gives energy, and no law gains any. */
static void a_belt_gives_energy(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "10*y"));
    const int belt = carom_build_contact(b, "belt", formula(b, "y"));
    carom_build_slip(b, belt, formula(b, "dot(x) - 3"));
    carom_build_friction(b, belt, formula(b, "0.5"));
    const carom_certificate found = certificate_of(b, (carom_run_request){.h = 1e-3, .until = 1.0});
    assert_near(found.contacts, 4.5, 1e-9); /* it sticks at speed 3 after 0.6 */
    assert_near(found.scheme, 0.0, 1e-9);
    assert_true(found.trusted);
}

/* A pendulum whose support is moved by a joint: the joint works. */
static carom_builder *rod(const char *joint)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "9.81*y"));
    carom_build_joint(b, "rod", formula(b, joint));
    return b;
}

static void joints_that_move_do_work(void **state)
{
    (void)state;
    const carom_certificate found = certificate_of(
        rod("hypot(x, y) - 1 + 0.2*sin(3*t)^3"),
        (carom_run_request){
            .scheme = "generalized-alpha", .q0 = (double[]){1.0, 0.0}, .h = 1e-3, .until = 2.0});
    assert_true(fabs(found.joints) > 0.5);
    assert_near(found.scheme, 0.0, 1e-2 * found.energy_scale);
    assert_true(found.trusted && found.drift < 1e-8 && found.drift_joint == 0);
}

/* ---- doubts ------------------------------------------------------------------------------------------------ */

/* Backward Euler damps a fast oscillation away. */
static void energy_that_the_scheme_loses_is_a_doubt(void **state)
{
    (void)state;
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_kinetic(b, formula(b, "dot(x)^2/2"));
    carom_build_potential(b, formula(b, "50*x^2"));
    const carom_certificate found = certificate_of(
        b,
        (carom_run_request){
            .q0 = (double[]){1.0}, .h = 1e-2, .until = 5.0, .option = (carom_option[]){{"theta", 1.0}, {0}}});
    assert_near(found.scheme, -50.0, 0.5);
    assert_true(doubts_begin_with(&found, "energy: the discretisation itself lost"));
}

static void energy_that_a_law_gains_is_a_doubt(void **state)
{
    (void)state;
    /* three balls, struck at once with different restitutions: Newton's law gains energy */
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x1");
    carom_build_coordinate(b, "x2");
    carom_build_coordinate(b, "x3");
    carom_build_kinetic(b, formula(b, "5*dot(x1)^2 + 0.05*dot(x2)^2 + 5*dot(x3)^2"));
    carom_build_restitution(b, carom_build_contact(b, "left", formula(b, "x2 - x1")), formula(b, "0.5"));
    carom_build_restitution(b, carom_build_contact(b, "right", formula(b, "x3 - x2")), formula(b, "1"));
    const carom_certificate found =
        certificate_of(b, (carom_run_request){.v0 = (double[]){1.0, 0.5, -1.0}, .h = 1e-3, .until = 0.1});
    if (found.energy_final > 1.001 * found.energy_initial)
        assert_true(doubts_begin_with(&found, "energy: the contacts gained"));
    assert_near(found.scheme, 0.0, 1e-9);
}

/* An oscillator whose period is far below the step: the scheme keeps its energy, and the motion is nonsense. */
static carom_certificate spring(const char *scheme, double stiffness, double until)
{
    carom_builder *b = carom_builder_create();
    char potential[64];
    snprintf(potential, sizeof potential, "%g*x^2/2", stiffness);
    carom_build_coordinate(b, "x");
    carom_build_kinetic(b, formula(b, "dot(x)^2/2"));
    carom_build_potential(b, formula(b, potential));
    return certificate_of(
        b, (carom_run_request){.scheme = scheme, .q0 = (double[]){1}, .h = 1e-2, .until = until});
}

static void a_motion_that_is_not_resolved_is_a_doubt(void **state)
{
    (void)state;
    for (double stiffness = 4e4; stiffness < 1e13; stiffness *= 100.0) { /* h omega = 2, 20, ... */
        const carom_certificate found = spring("moreau-jean", stiffness, 10.0);
        assert_true(doubts_begin_with(&found, "resolution: the velocity, that of 'x'"));
        assert_false(found.trusted);
    }
    carom_certificate found = spring("moreau-jean", 100.0, 10.0); /* h omega = 0.1 */
    assert_true(found.trusted);
    found = spring("penalty", 4e4, 1.0); /* h is the output interval */
    assert_false(doubts_begin_with(&found, "resolution"));
}

/* Nothing moves but by rounding, and an impact is no oscillation, even where it is all that happens. */
static void rest_and_impacts_are_resolved(void **state)
{
    (void)state;
    carom_certificate found = certificate_of(
        ball("0.5", "y"), (carom_run_request){.q0 = (double[]){0, 0}, .h = 1e-3, .until = 1.0});
    assert_true(found.trusted);
    found = certificate_of(ball("0.3", "y - x/3 + 1e-17"),
                           (carom_run_request){.q0 = (double[]){0, 0}, .h = 1e-3, .until = 1.0});
    assert_false(doubts_begin_with(&found, "resolution"));
    found = certificate_of(
        ball("1", "y"),
        (carom_run_request){.q0 = (double[]){0, 0}, .v0 = (double[]){0, -1}, .h = 1e-3, .until = 1e-3});
    assert_false(doubts_begin_with(&found, "resolution"));
}

static void bare_runs_have_none(void **state)
{
    (void)state;
    carom_model *model = NULL;
    carom_error error = {0};
    carom_builder *b = ball("0", "y");
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_builder_free(b);
    carom_run_result result;
    const carom_run_request request = {.model = model,
                                       .scheme = "moreau-jean",
                                       .q0 = (double[]){0, 1},
                                       .h = 1e-3,
                                       .until = 1.0,
                                       .bare = true};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    assert_false(result.certificate.trusted);
    carom_run_result_free(&result);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bouncing_ball_is_trusted),
        cmocka_unit_test(a_step_that_is_too_large_is_doubtful),
        cmocka_unit_test(a_wall_that_is_passed_is_a_crossing),
        cmocka_unit_test(a_push_from_behind_is_a_crossing),
        cmocka_unit_test(located_impacts_are_no_crossings),
        cmocka_unit_test(what_is_moved_out_is_doubtful),
        cmocka_unit_test(a_ball_that_turns_has_not_crossed),
        cmocka_unit_test(forces_do_the_work),
        cmocka_unit_test(a_frame_that_moves_is_a_force),
        cmocka_unit_test(a_belt_gives_energy),
        cmocka_unit_test(joints_that_move_do_work),
        cmocka_unit_test(energy_that_the_scheme_loses_is_a_doubt),
        cmocka_unit_test(energy_that_a_law_gains_is_a_doubt),
        cmocka_unit_test(a_motion_that_is_not_resolved_is_a_doubt),
        cmocka_unit_test(rest_and_impacts_are_resolved),
        cmocka_unit_test(bare_runs_have_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
