/* Events of schemes that do not locate them: what changed from one output to the next. */
#include <string.h>

#include "carom/run.h"
#include "test/near.h"

static carom_node formula(carom_builder *b, const char *text)
{
    return carom_build_formula(b, text);
}

/* A ball thrown over a rough floor: it bounces once without restitution, slides and sticks. */
static carom_model *thrown_ball(void)
{
    carom_builder *b = carom_builder_create();
    carom_model *model = NULL;
    carom_error error = {0};
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, "(dot(x)^2 + dot(y)^2)/2"));
    carom_build_potential(b, formula(b, "10*y"));
    const int floor = carom_build_contact(b, "floor", formula(b, "y"));
    carom_build_slip(b, floor, formula(b, "dot(x)"));
    carom_build_friction(b, floor, formula(b, "0.5"));
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static void a_ball_strikes_slides_and_sticks(void **state)
{
    (void)state;
    carom_model *model = thrown_ball();
    carom_run_result result;
    carom_error error = {0};
    const carom_run_request request = {.model = model,
                                       .scheme = "moreau-jean",
                                       .q0 = (double[]){0.0, 0.2},
                                       .v0 = (double[]){4.0, 0.0},
                                       .h = 1e-3,
                                       .until = 1.0,
                                       .events = true};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    assert_int_equal(result.event_count, 2);
    const carom_event *strike = &result.event[0], *stick = &result.event[1];
    assert_int_equal(strike->kind, CAROM_EVENT_IMPACT);
    assert_near(strike->t, 0.2, 2e-3);
    assert_near(strike->rate_before, -2.0, 0.02);
    assert_near(strike->rate_after, 0.0, 1e-12);
    assert_near(strike->impulse, 2.0, 0.02);
    assert_true(strike->energy_after < strike->energy_before);
    /* the impact leaves the speed 4 - 0.5 * 2, and friction stops it with 5 per second */
    assert_int_equal(stick->kind, CAROM_EVENT_STICK);
    assert_near(stick->t, 0.2 + 3.0 / 5.0, 0.01);
    assert_true(stick->rate_before > 0.0);
    assert_near(stick->rate_after, 0.0, 1e-12);
    carom_run_result_free(&result);
    carom_model_free(model);
}

static void events_are_kept_only_when_asked_for(void **state)
{
    (void)state;
    carom_model *model = thrown_ball();
    carom_run_result result;
    carom_error error = {0};
    const carom_run_request request = {
        .model = model, .scheme = "moreau-jean", .q0 = (double[]){0.0, 0.2}, .h = 1e-3, .until = 1.0};
    assert_int_equal(carom_run(&request, &result, &error), CAROM_OK);
    assert_true(result.event_count == 0 && !result.event);
    assert_int_equal(result.impacts, 1);
    carom_run_result_free(&result);
    carom_model_free(model);
}

static void every_kind_has_a_word(void **state)
{
    (void)state;
    for (int kind = CAROM_EVENT_IMPACT; kind <= CAROM_EVENT_STOP; kind++)
        assert_true(strlen(carom_event_word((carom_event_kind)kind)) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ball_strikes_slides_and_sticks),
        cmocka_unit_test(events_are_kept_only_when_asked_for),
        cmocka_unit_test(every_kind_has_a_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
