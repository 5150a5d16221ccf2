/* The statement chain { ... } of the library, and the measures on it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

#define END "integrate { h = 0.1, until_t = 1 }\n"

/* Masses, start and contact data of a chain at its initial state. */
typedef struct built_chain {
    carom_experiment *experiment;
    carom_model_work *work;
    double *values;
    double mass[36], q[6], v[6], gap[6];
} built_chain;

static built_chain build(const char *text)
{
    built_chain made = {.experiment = load_good_text(text)};
    const carom_model *model = made.experiment->model;
    assert_true(model->dof <= 6);
    made.work = model->ops->work_create(model);
    model->ops->bind(made.work, made.experiment->parameter);
    made.values = values_of(made.experiment);
    for (int i = 0; i < model->dof; i++) {
        made.q[i] = made.values[made.experiment->q0[i]];
        made.v[i] = made.values[made.experiment->v0[i]];
    }
    model->ops->mass(made.work, 0.0, made.q, made.mass);
    model->ops->gaps(made.work, 0.0, made.q, made.gap);
    return made;
}

static void release(built_chain *made)
{
    free(made->values);
    made->experiment->model->ops->work_free(made->work);
    carom_experiment_free(made->experiment);
}

static void a_plain_chain_has_the_defaults(void **state)
{
    (void)state;
    built_chain made = build("chain { balls = 3 }\n" END);
    const carom_model *model = made.experiment->model;
    assert_int_equal(model->dof, 3);
    assert_int_equal(model->contacts, 2);
    assert_string_equal(model->coordinate[2], "x3");
    assert_string_equal(model->contact[1].name, "c2");
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, model, &frame));
    model->ops->frame(made.work, 1, 0.0, made.q, &frame);
    assert_true(carom_row_at(&frame.normal, 0) == 0 && carom_row_at(&frame.normal, 1) == -1 &&
                carom_row_at(&frame.normal, 2) == 1);
    assert_true(frame.stiffness == 1 && frame.exponent == 1.5 && frame.restitution == 1);
    for (int i = 0; i < 3; i++)
        assert_true(made.mass[4 * i] == 1 && made.q[i] == 0 && made.v[i] == (i == 0));
    carom_arena_free(arena);
    release(&made);
}

static void radii_spacings_and_a_wall_place_the_balls(void **state)
{
    (void)state;
    built_chain made = build(
        "chain { balls = 2, wall = true, radius = { 1, 2 }, spacing = { 0.5, 0.25 }, name = 'a' }\n" END);
    assert_int_equal(made.experiment->model->contacts, 2);
    assert_string_equal(made.experiment->model->contact[1].name, "awall");
    assert_string_equal(made.experiment->model->coordinate[0], "ax1");
    assert_true(made.q[1] == 3.5 && made.gap[0] == 0.5 && made.gap[1] == 0.25);
    assert_true(made.v[0] == 1 && made.v[1] == 1);
    release(&made);
}

static void patterns_give_the_masses(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        double mass[4];
    } cases[] = {
        {"local r = param('r', 0.5)\nchain { balls = 4, pattern = 'decorated', ratio = r }\n" END,
         {1, .5, 1, .5}},
        {"chain { balls = 4, pattern = 'tapered', ratio = 0.5, mass = 8 }\n" END, {8, 4, 2, 1}},
        {"chain { balls = 4, pattern = 'stepped', ratio = 3 }\n" END, {1, 1, 3, 3}},
        {"chain { balls = 4, mass = function(i) return i^2 end }\n" END, {1, 4, 9, 16}},
        {"chain { balls = 4, mass = { 4, 3, 2, 1 } }\n" END, {4, 3, 2, 1}},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        built_chain made = build(cases[k].text);
        for (int i = 0; i < 4; i++)
            assert_true(made.mass[5 * i] == cases[k].mass[i]);
        release(&made);
    }
}

/* sqrt(n - 1) when one ball has all the energy; the gap to a reference in percent. */
static void measures_are_expressions(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load_good_text("local c = chain { balls = 5, velocity = { 3, 0, 0, 0, 0 } }\n"
                       "record { spread = dispersion(c), off = velocity_gap(c, { 0, 0, 0, 0, 2 }) }\n" END);
    const double q[5] = {0}, one[5] = {3, 0, 0, 0, 0}, even[5] = {1, -1, 1, 1, -1};
    double *value = columns_of(experiment, &(carom_inputs){.q = q, .u = one});
    assert_true(fabs(value[column_named(experiment, "spread")] - 2.0) < 1e-14);
    assert_true(fabs(value[column_named(experiment, "off")] - 100 * sqrt(13.0) / 3) < 1e-12);
    free(value);
    value = columns_of(experiment, &(carom_inputs){.q = q, .u = even});
    assert_true(value[column_named(experiment, "spread")] == 0.0);
    free(value);
    carom_experiment_free(experiment);
}

/* A list is a measure with as many values. */
static void lists_are_measures(void **state)
{
    (void)state;
    carom_experiment *experiment =
        load_good_text("local c = chain { balls = 3 }\nmeasure { v = c.v, fixed = { 1, 2 } }\n" END);
    assert_int_equal(experiment->measure_count, 2);
    assert_ptr_equal(experiment->measure[0].ops, &carom_reduce_list); /* by name: fixed, v */
    assert_int_equal(experiment->measure[0].list_count, 2);
    assert_int_equal(experiment->measure[1].list_count, 3);
    const double q[3] = {0}, u[3] = {3, 4, 5};
    double *value = columns_of(experiment, &(carom_inputs){.q = q, .u = u});
    for (int i = 0; i < 3; i++)
        assert_true(value[experiment->measure[1].list[i]] == u[i]);
    assert_true(value[experiment->measure[0].list[1]] == 2.0);
    free(value);
    carom_experiment_free(experiment);
    check_refused("chain { balls = 3 }\nmeasure { v = { true } }\n", 2, "v", NULL);
}

/* Errors name the line of the model file, not of the library. */
static void mistakes_are_explained(void **state)
{
    (void)state;
    check_refused("\nchain(3)\n", 2, "chain takes a table", NULL);
    check_refused("chain { balls = 3, ball = 2 }\n", 1, "unknown key 'ball'", "known are balls");
    check_refused("chain { balls = 2.5 }\n", 1, "whole number", NULL);
    check_refused("chain { balls = param('n', 3) }\n", 1, "a setting, not a param", NULL);
    check_refused("chain { balls = 1 }\n", 1, "no contact", NULL);
    check_refused("chain { balls = 3,\n mass = { 1, 2 } }\n", 1, "mass has 2 values", "or 3");
    check_refused("chain { balls = 3, pattern = 'woven', ratio = 1 }\n", 1, "unknown pattern 'woven'",
                  "tapered");
    check_refused("chain { balls = 3, pattern = 'tapered' }\n", 1, "takes a ratio", NULL);
    check_refused("chain { balls = 3, exponent = 0 }\n", 1, "exponent 0 must be positive", NULL);
    check_refused("chain { balls = 3, stiffness = function(i) end }\n", 1, "gives nothing for number 1",
                  NULL);
    check_refused("dispersion(1)\n", 1, "what chain { ... } returned", NULL);
    check_refused("local c = chain { balls = 3 }\nvelocity_gap(c, { 1 })\n", 2, "a list of 3", NULL);
    check_refused("local c = chain { balls = 3 }\ngood_velocities({}, { 1 })\n", 2,
                  "what chain { ... } returned", NULL);
    check_refused("local x = coordinates('x')\ncontact { 'a', gap = x, stiffness = -1 }\n", 2,
                  "stiffness -1 must be positive", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_plain_chain_has_the_defaults),
        cmocka_unit_test(radii_spacings_and_a_wall_place_the_balls),
        cmocka_unit_test(patterns_give_the_masses),
        cmocka_unit_test(measures_are_expressions),
        cmocka_unit_test(lists_are_measures),
        cmocka_unit_test(mistakes_are_explained),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
