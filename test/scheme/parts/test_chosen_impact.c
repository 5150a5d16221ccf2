/* A law of impact that a program adds at run time, and its own options, through schemes: from C, from a model file and
 * as the program's --option gives them. */
#include "test/scheme/models.h"

#include <string.h>

#include "carom/io.h"
#include "carom/law.h"

/* gamma+ = -share e gamma-, contact after contact: for one contact Newton's law with a weaker rebound. */
enum {
    OPTION_SHARE,
    OPTION_MODE,
    OPTION_COUNT
};
static const char *const mode_words[] = {"weak", "dead", NULL};
static const carom_option_info law_options[OPTION_COUNT] = {
    [OPTION_SHARE] = {"share", 0.5, 0.0, 1.0, NULL, "of the rebound that is left"},
    [OPTION_MODE] = {"mode", 0.0, 0.0, 1.0, mode_words, "dead: no rebound"},
};

static size_t law_work(const carom_impact_sizes *sizes)
{
    (void)sizes;
    return 0;
}

static carom_status law_solve(const carom_contact_space *space, const carom_impact_options *options,
                              double *work, carom_impact_result *result, carom_error *error)
{
    (void)work;
    (void)error;
    const double share = options->own[OPTION_MODE] != 0.0 ? 0.0 : options->own[OPTION_SHARE];
    for (int i = 0; i < space->contacts; i++)
        if (space->gamma[i] < 0.0)
            result->impulse[i] =
                -(1.0 + share * space->restitution[i]) * space->gamma[i] / space->entry[space->diagonal[i]];
    return CAROM_OK;
}

static const carom_impact_law_ops weaker = {
    .name = "weaker",
    .summary = "a share of the rebound of Newton's law",
    .usage = "for this test: impact_law = \"weaker\"",
    .option_count = OPTION_COUNT,
    .options = law_options,
    .work_size = law_work,
    .solve = law_solve,
};

static int add_law(void **state)
{
    (void)state;
    return carom_impact_law_register(&weaker, NULL) != CAROM_OK;
}

/* A ball that meets the floor at t = 0.1 with speed 1, restitution 1; nothing else acts. */
#define BALL(integrate)                                                                                      \
    "local y = coordinates('y')\n"                                                                           \
    "kinetic (dot(y)^2 / 2)\n"                                                                               \
    "contact { 'floor', gap = y, restitution = 1 }\n"                                                        \
    "initial { y = 0.1, [dot(y)] = -1 }\n"                                                                   \
    "integrate { h = 0.0625, until_t = 0.5, " integrate " }\n"

static carom_experiment *load(const char *text, carom_error *error)
{
    carom_experiment *experiment = NULL;
    const carom_load_request request = {.name = "ball", .file = "ball.lua", .text = text};
    carom_experiment_load(&request, &experiment, error);
    return experiment;
}

static double speed_after(const char *text, const char *scheme, const carom_option *option)
{
    carom_error error = {0};
    carom_run_result result;
    carom_experiment *experiment = load(text, &error);
    if (!experiment)
        fail_msg("%s", error.text);
    const carom_run_request request = {.experiment = experiment, .scheme = scheme, .option = option};
    if (carom_run(&request, &result, &error) != CAROM_OK)
        fail_msg("%s: %s", scheme, error.text);
    const double speed = result.final[result.layout.v];
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
    return speed;
}

static const char *const schemes[] = {"moreau-jean", "sweeping", "event-driven"};

/* Numbers are texts where the program reads them: --option impact_share=0.25. */
static void options_reach_the_law_from_everywhere(void **state)
{
    (void)state;
    static const char plain[] = BALL("scheme = 'moreau-jean'"),
                      chosen[] = BALL("scheme = 'moreau-jean', impact_law = 'weaker'"),
                      given[] = BALL("scheme = 'moreau-jean', impact_law = 'weaker', impact_share = 0.25"),
                      dead[] = BALL("scheme = 'moreau-jean', impact_law = 'weaker', impact_mode = 'dead'");
    const carom_option number[] = {{"impact_law", .word = "weaker"}, {"impact_share", 0.75}, {0}};
    const carom_option text[] = {{"impact_law", .word = "weaker"}, {"impact_share", .word = "0.75"}, {0}};
    const carom_option word[] = {{"impact_share", 0.75}, {"impact_mode", .word = "dead"}, {0}};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        assert_near(speed_after(plain, schemes[i], NULL), 1.0, 1e-9);
        assert_near(speed_after(chosen, schemes[i], NULL), 0.5, 1e-9);
        assert_near(speed_after(given, schemes[i], NULL), 0.25, 1e-9);
        assert_near(speed_after(dead, schemes[i], NULL), 0.0, 1e-9);
        assert_near(speed_after(plain, schemes[i], number), 0.75, 1e-9);
        assert_near(speed_after(plain, schemes[i], text), 0.75, 1e-9);
        assert_near(speed_after(given, schemes[i], &number[1]), 0.75, 1e-9); /* stronger than the file's */
        assert_near(speed_after(chosen, schemes[i], word), 0.0, 1e-9);
    }
}

static void steppers_take_them_by_name(void **state)
{
    (void)state;
    const double q0 = 0.1, v0 = -1.0;
    const carom_option option[] = {{"impact_law", .word = "weaker"}, {"impact_share", 0.25}, {0}};
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        hand_model hand;
        hand_init(&hand, 1, 1);
        hand.gaps = floor_gap;
        hand.frame = floor_frame;
        hand.info[0].has_restitution = true;
        hand.restitution[0] = 1.0;
        carom_stepper *stepper = NULL;
        carom_error error = {0};
        const carom_step_settings settings = {.h = 0.0625, .option = option};
        if (carom_stepper_create(scheme_named(schemes[i]), &hand.work, &settings, &q0, &v0, &stepper,
                                 &error) != CAROM_OK)
            fail_msg("%s", error.text);
        for (int k = 0; k < 8; k++)
            if (carom_stepper_step(stepper, &error) != CAROM_OK)
                fail_msg("%s: %s", schemes[i], error.text);
        assert_near(stepper->state.v[0], 0.25, 1e-9);
        carom_stepper_free(stepper);
    }
}

static void expect_refusal(const char *text, const carom_option *option, const char *word)
{
    carom_error error = {0};
    carom_run_result result = {0};
    carom_experiment *experiment = load(text, &error);
    if (experiment) {
        const carom_run_request request = {.experiment = experiment, .option = option};
        assert_int_equal(carom_run(&request, &result, &error), CAROM_BAD_INPUT);
        carom_run_result_free(&result);
    }
    assert_mentions(&error, word);
    carom_experiment_free(experiment);
}

static void what_the_law_does_not_have_is_said(void **state)
{
    (void)state;
    static const char plain[] = BALL("scheme = 'moreau-jean'"),
                      chosen[] = BALL("scheme = 'moreau-jean', impact_law = 'weaker'"),
                      inel[] = BALL("scheme = 'generalized-alpha'");
    expect_refusal(plain, (carom_option[]){{"impact_share", 0.5}, {0}}, "give impact_law");
    expect_refusal(plain, (carom_option[]){{"impact_law", .word = "newton"}, {"impact_share", 0.5}, {0}},
                   "impact law 'newton' has no option 'impact_share'; it has impact_separating");
    expect_refusal(chosen, (carom_option[]){{"impact_share", 1.5}, {0}}, "share");
    expect_refusal(chosen, (carom_option[]){{"impact_mode", .word = "lively"}, {0}}, "dead");
    expect_refusal(chosen, (carom_option[]){{"impact_sharee", 0.5}, {0}}, "impact_sharee");
    expect_refusal(inel, (carom_option[]){{"impact_share", 0.5}, {0}}, "impact_share");
    expect_refusal(BALL("scheme = 'moreau-jean', impact_sharee = 1"), NULL, "impact_sharee");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_reach_the_law_from_everywhere),
        cmocka_unit_test(steppers_take_them_by_name),
        cmocka_unit_test(what_the_law_does_not_have_is_said),
    };
    return cmocka_run_group_tests(tests, add_law, NULL);
}
