/* Motions whose integrator cannot be kept: it begins afresh now and then, and what is given back goes on with the same bits,
 * before the first time, between two of them, and after many. */
#include "scheme/event_driven/event_driven.h"

#include <stdlib.h>
#include <string.h>

#include "carom/model.h"
#include "test/near.h"

enum {
    KEPT = 5
};

/* A driven oscillator that strikes a stop; never without an event for long, or without any stop at all. */
static carom_model *oscillator(bool strikes)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_potential(b, carom_build_formula(b, "2*x^2"));
    carom_build_force(b, x, carom_build_formula(b, "cos(3*t) - 0.2*dot(x)"));
    if (strikes) {
        const int stop = carom_build_contact(b, "stop", carom_build_formula(b, "0.1 - x"));
        carom_build_restitution(b, stop, carom_build_formula(b, "0.8"));
    }
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static carom_stepper *start(const char *scheme, carom_model_work *work)
{
    const double q0[] = {0.05}, v0[] = {0.3};
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    const carom_step_settings settings = {.h = 0.05};
    if (carom_stepper_create(carom_scheme_find(scheme, &error), work, &settings, q0, v0, &stepper, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

static void make_steps(carom_stepper *stepper, long until)
{
    carom_error error = {0};
    while (stepper->counts.steps < until)
        if (carom_stepper_step(stepper, &error) != CAROM_OK)
            fail_msg("%s", error.text);
}

static void assert_same(carom_stepper *a, carom_stepper *b, int contacts)
{
    assert_int_equal(a->counts.steps, b->counts.steps);
    assert_memory_equal(a->state.q, b->state.q, sizeof(double));
    assert_memory_equal(a->state.v, b->state.v, sizeof(double));
    assert_memory_equal(a->state.impulse, b->state.impulse, 3 * (size_t)contacts * sizeof(double));
    const carom_works x = carom_stepper_works(a), y = carom_stepper_works(b);
    assert_memory_equal(&x, &y, sizeof x);
}

/* Kept at some outputs of a motion of some 300,000 evaluations, each given back to a new stepper. */
static void goes_on(const char *scheme, bool strikes, const long at[KEPT], long steps)
{
    carom_model *model = oscillator(strikes);
    carom_model_work *work = NULL, *other = NULL;
    carom_error error = {0};
    carom_snapshot kept[KEPT] = {0};
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &other, &error), CAROM_OK);
    carom_stepper *whole = start(scheme, work);
    for (int i = 0; i < KEPT; i++) {
        make_steps(whole, at[i]);
        carom_stepper_keep(whole, &kept[i]);
        assert_false(kept[i].failed);
    }
    make_steps(whole, steps);
    for (int i = 0; i < KEPT; i++) {
        carom_stepper *again = start(scheme, other);
        carom_snapshot snapshot = carom_snapshot_of(kept[i].bytes, kept[i].length);
        carom_stepper_keep(again, &snapshot);
        assert_false(snapshot.failed);
        assert_int_equal(again->counts.steps, at[i]);
        make_steps(again, steps);
        assert_same(whole, again, model->contacts);
        carom_stepper_free(again);
        carom_snapshot_free(&kept[i]);
    }
    carom_stepper_free(whole);
    carom_model_work_free(work);
    carom_model_work_free(other);
    carom_model_free(model);
}

static void events_go_on(void **state)
{
    (void)state;
    goes_on("event-driven", true, (const long[KEPT]){0, 1, 2000, 15000, 30000}, 31000);
}

static void so_does_a_smooth_motion(void **state)
{
    (void)state;
    goes_on("event-driven", false, (const long[KEPT]){0, 7, 3000, 40000, 60000}, 61000);
}

static void so_does_penalty(void **state)
{
    (void)state;
    goes_on("penalty", true, (const long[KEPT]){0, 1, 500, 3000, 5900}, 6000);
}

/* Otherwise the tests above would show the way from the start only; and what is to be done again stays small. */
static void the_integrator_begins_afresh(void **state)
{
    (void)state;
    carom_model *model = oscillator(true);
    carom_model_work *work = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    carom_stepper *stepper = start("event-driven", work);
    const replay *inside = &((const event_driven *)stepper)->replay;
    long last = 0, marks = 0, most = 0;
    for (long i = 1; i <= 31000; i++) {
        make_steps(stepper, i);
        most = inside->evaluations > most ? inside->evaluations : most;
        marks += inside->steps != last;
        last = inside->steps;
    }
    assert_in_range(marks, 2, 20);
    assert_in_range(most, REPLAY_EVALUATIONS / 2, REPLAY_EVALUATIONS + 10000);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* What is not from there is refused. */
static void foreign_bytes_are_refused(void **state)
{
    (void)state;
    carom_model *one = oscillator(true), *two = oscillator(false);
    carom_model_work *work = NULL, *other = NULL;
    carom_error error = {0};
    carom_snapshot kept = {0};
    assert_int_equal(carom_model_work_create(one, NULL, &work, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(two, NULL, &other, &error), CAROM_OK);
    carom_stepper *stepper = start("event-driven", work), *foreign = start("event-driven", other);
    make_steps(stepper, 10);
    carom_stepper_keep(stepper, &kept);
    carom_snapshot snapshot = carom_snapshot_of(kept.bytes, kept.length);
    carom_stepper_keep(foreign, &snapshot);
    assert_true(snapshot.failed);
    carom_snapshot half = carom_snapshot_of(kept.bytes, kept.length / 2);
    carom_stepper_keep(stepper, &half);
    assert_true(half.failed);
    carom_snapshot_free(&kept);
    carom_stepper_free(stepper);
    carom_stepper_free(foreign);
    carom_model_work_free(work);
    carom_model_work_free(other);
    carom_model_free(one);
    carom_model_free(two);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_go_on),
        cmocka_unit_test(so_does_a_smooth_motion),
        cmocka_unit_test(so_does_penalty),
        cmocka_unit_test(the_integrator_begins_afresh),
        cmocka_unit_test(foreign_bytes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
