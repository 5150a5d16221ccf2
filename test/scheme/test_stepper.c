#include "models.h"

static void warnings_are_kept_up_to_a_number_and_counted(void **unused)
{
    (void)unused;
    carom_warnings warnings = {0};
    for (int i = 0; i < CAROM_WARNINGS_KEPT + 3; i++)
        carom_warn(&warnings, "number %d", i);
    assert_int_equal(warnings.count, CAROM_WARNINGS_KEPT + 3);
    assert_string_equal(warnings.text[0], "number 0");
    assert_string_equal(warnings.text[CAROM_WARNINGS_KEPT - 1], "number 3");
}

static void check_refused(double t0, double h, double q, double v, double theta, const char *word)
{
    hand_model hand;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    const char *const names[] = {"theta", NULL};
    hand_init(&hand, 1, 0);
    assert_int_equal(
        hand_try(scheme_named("moreau-jean"), &hand, t0, h, &q, &v, names, &theta, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, word);
    assert_null(stepper);
}

static void bad_settings_are_refused(void **unused)
{
    (void)unused;
    check_refused(0.0, 0.0, 0.0, 0.0, 0.5, "h = 0");
    check_refused(0.0, -1.0, 0.0, 0.0, 0.5, "h = -1");
    check_refused(0.0, NAN, 0.0, 0.0, 0.5, "h =");
    check_refused(0.0, INFINITY, 0.0, 0.0, 0.5, "h = inf");
    check_refused(NAN, 0.1, 0.0, 0.0, 0.5, "t0");
    check_refused(0.0, 0.1, NAN, 0.0, 0.5, "position of coordinate 'q1'");
    check_refused(0.0, 0.1, 0.0, INFINITY, 0.5, "velocity of coordinate 'q1'");
    check_refused(0.0, 0.1, 0.0, 0.0, 0.4, "theta = 0.4");
    check_refused(0.0, 0.1, 0.0, 0.0, NAN, "theta");
}

/* A body that falls on the floor of contact 0. */
static void init_fall(hand_model *hand)
{
    hand_init(hand, 1, 1);
    hand->gaps = floor_gap;
    hand->frame = floor_frame;
    hand->force = constant_force;
    hand->data[16] = -1.0;
}

static void a_step_size_is_enough(void **unused)
{
    (void)unused;
    const double q0 = 1.0, v0 = 0.5;
    for (size_t i = 0; i < carom_scheme_count(); i++) {
        const carom_scheme_ops *scheme = carom_scheme_at(i);
        hand_model hand;
        init_fall(&hand);
        if (carom_scheme_accepts(scheme, &hand.model, NULL) != CAROM_OK)
            continue;
        carom_stepper *stepper = NULL;
        carom_error error = {0};
        const carom_step_settings settings = {.h = 1e-3};
        if (carom_stepper_create(scheme, &hand.work, &settings, &q0, &v0, &stepper, &error) != CAROM_OK)
            fail_msg("%s: %s", scheme->name, error.text);
        assert_near(stepper->state.t, 0.0, 0.0);
        for (int k = 0; k < scheme->option_count; k++)
            assert_near(stepper->option[k], scheme->options[k].value, 0.0);
        for (int k = 0; k < 10; k++)
            assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
        assert_near(stepper->state.t, 0.01, 1e-15);
        assert_near(stepper->state.q[0], 1.0 + 0.5 * 0.01 - 0.5 * 0.01 * 0.01, 1e-5);
        assert_near(carom_stepper_energy(stepper), 0.5 * 0.49 * 0.49, 1e-3);
        carom_stepper_free(stepper);
    }
    carom_stepper_free(NULL);
}

static void options_are_given_by_name(void **unused)
{
    (void)unused;
    const carom_scheme_ops *jean = scheme_named("moreau-jean");
    const double q0 = 1.0, v0 = 0.0;
    hand_model hand;
    init_fall(&hand);
    carom_stepper *stepper = NULL;
    const carom_step_settings settings = {
        .t0 = 2.0,
        .h = 0.1,
        .option = (carom_option[]){{"theta", 0.75}, {"impact_law", .word = "poisson"}, {0}}};
    assert_int_equal(carom_stepper_create(jean, &hand.work, &settings, &q0, &v0, &stepper, NULL), CAROM_OK);
    assert_near(stepper->option[carom_scheme_find_option(jean, "theta")], 0.75, 0.0);
    const int law = carom_scheme_find_option(jean, "impact_law");
    assert_string_equal(carom_option_word(&jean->options[law], (int)stepper->option[law]), "poisson");
    assert_near(stepper->option[carom_scheme_find_option(jean, "prediction")], 0.5, 0.0);
    carom_stepper_free(stepper);
}

static void refuse(const carom_scheme_ops *scheme, carom_model_work *work,
                   const carom_step_settings *settings, const double *q0, const double *v0, const char *word)
{
    static carom_stepper other;
    carom_stepper *stepper = &other;
    carom_error error = {0};
    assert_int_equal(carom_stepper_create(scheme, work, settings, q0, v0, &stepper, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, word);
    assert_null(stepper);
}

static void what_is_missing_or_wrong_is_said(void **unused)
{
    (void)unused;
    const carom_scheme_ops *jean = scheme_named("moreau-jean");
    const double q0 = 1.0, v0 = 0.0;
    const carom_step_settings good = {.h = 0.1};
    hand_model hand;
    init_fall(&hand);
    refuse(NULL, &hand.work, &good, &q0, &v0, "carom_scheme_find");
    refuse(jean, NULL, &good, &q0, &v0, "work_create");
    refuse(jean, &hand.work, NULL, &q0, &v0, ".h = 1e-3");
    refuse(jean, &hand.work, &good, NULL, &v0, "initial position; give 1 numbers");
    refuse(jean, &hand.work, &good, &q0, NULL, "initial velocity");
    refuse(jean, &hand.work, &(carom_step_settings){0}, &q0, &v0, "h = 0");
    const carom_option misspelt[] = {{"thetta", 1.0}, {0}}, outside[] = {{"theta", 7.0}, {0}},
                       unknown[] = {{"impact_law", .word = "newtonian"}, {0}};
    refuse(jean, &hand.work, &(carom_step_settings){.h = 0.1, .option = misspelt}, &q0, &v0,
           "did you mean 'theta'");
    refuse(jean, &hand.work, &(carom_step_settings){.h = 0.1, .option = outside}, &q0, &v0, "[0.5, 1]");
    refuse(jean, &hand.work, &(carom_step_settings){.h = 0.1, .option = unknown}, &q0, &v0, "newton");
}

/* A list by position is never read past its end, nor are values of it left over. */
static void values_by_position_are_counted(void **unused)
{
    (void)unused;
    const carom_scheme_ops *jean = scheme_named("moreau-jean");
    const double q0 = 1.0, v0 = 0.0;
    const carom_option named[] = {{"theta", 1.0}, {0}};
    hand_model hand;
    init_fall(&hand);
    double value[32];
    for (int i = 0; i < jean->option_count; i++)
        value[i] = jean->options[i].value;
    carom_step_settings settings = {.h = 0.1, .values = value};
    refuse(jean, &hand.work, &settings, &q0, &v0, "value_count = 0");
    settings.value_count = jean->option_count - 1;
    refuse(jean, &hand.work, &settings, &q0, &v0, "give a value for each, or options by name");
    settings.value_count = jean->option_count + 1;
    refuse(jean, &hand.work, &settings, &q0, &v0, "value_count");
    settings.value_count = jean->option_count;
    settings.option = named;
    refuse(jean, &hand.work, &settings, &q0, &v0, "one way");
    settings.option = NULL;
    carom_stepper *stepper = NULL;
    assert_int_equal(carom_stepper_create(jean, &hand.work, &settings, &q0, &v0, &stepper, NULL), CAROM_OK);
    carom_stepper_free(stepper);
}

/* ---- a scheme of the caller ---------------------------------------------------------------------------- */

/* Explicit Euler, which knows no contacts; what it takes beside the arena must be given back. */
typedef struct euler {
    carom_stepper stepper;
    double *force;
} euler;

static int setups, frees;
static const carom_option_info euler_options[] = {{"share", 1.0, 0.0, 1.0, NULL, "of the force that acts"}};

static carom_status euler_setup(carom_stepper *self, carom_error *error)
{
    setups++;
    ((euler *)self)->force = carom_arena_take(self->arena, (size_t)self->dof, sizeof(double));
    if (self->option[0] == 0.0)
        return carom_fail(error, CAROM_BAD_INPUT, "share = 0 leaves nothing to do");
    return ((euler *)self)->force ? CAROM_OK : carom_fail_memory(error);
}

static carom_status euler_step(carom_stepper *self, carom_error *error)
{
    (void)error;
    carom_state *state = &self->state;
    double *force = ((euler *)self)->force;
    self->model->ops->force(self->work, state->t, state->q, state->v, force);
    for (int i = 0; i < self->dof; i++) {
        state->q[i] += self->h * state->v[i];
        state->v[i] += self->h * self->option[0] * force[i];
    }
    self->counts.steps++;
    state->t = self->t0 + (double)self->counts.steps * self->h;
    return CAROM_OK;
}

static void euler_free(carom_stepper *self)
{
    (void)self;
    frees++;
}

static const carom_scheme_ops euler_scheme = {
    .name = "euler",
    .summary = "explicit Euler, for this test",
    .options = euler_options,
    .option_count = 1,
    .size = sizeof(euler),
    .setup = euler_setup,
    .step = euler_step,
    .free = euler_free,
};

static void a_program_brings_its_own_scheme(void **unused)
{
    (void)unused;
    const size_t count = carom_scheme_count();
    carom_error error = {0};
    assert_int_equal(carom_scheme_register(&euler_scheme, &error), CAROM_OK);
    assert_int_equal(carom_scheme_count(), count + 1);
    assert_ptr_equal(carom_scheme_find("euler", NULL), &euler_scheme);
    assert_ptr_equal(carom_scheme_at(count), &euler_scheme);
    assert_int_equal(carom_scheme_register(&euler_scheme, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "euler");

    hand_model hand;
    init_fall(&hand);
    const double q0 = 1.0, v0 = 0.0;
    carom_stepper *stepper = hand_start(scheme_named("euler"), &hand, 0.0, 0.1, &q0, &v0);
    hand_run(stepper, 2);
    assert_near(stepper->state.q[0], 0.99, 1e-15);
    assert_near(stepper->state.v[0], -0.2, 1e-15);
    carom_stepper_free(stepper);
    assert_int_equal(frees, 1);
    refuse(&euler_scheme, &hand.work,
           &(carom_step_settings){.h = 0.1, .option = (carom_option[]){{"share", 0.0}, {0}}}, &q0, &v0,
           "nothing to do");
    assert_int_equal(setups, 2);
    assert_int_equal(frees, 2);
}

static void half_a_scheme_is_not_registered(void **unused)
{
    (void)unused;
    carom_error error = {0};
    carom_scheme_ops half = euler_scheme;
    half.name = "half";
    half.size = sizeof(double);
    assert_int_equal(carom_scheme_register(&half, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "begins with a carom_stepper");
    half.size = sizeof(euler);
    half.step = NULL;
    assert_int_equal(carom_scheme_register(&half, &error), CAROM_BAD_INPUT);
    assert_mentions(&error, "setup and step");
    half.name = NULL;
    assert_int_equal(carom_scheme_register(&half, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_scheme_register(NULL, &error), CAROM_BAD_INPUT);
    assert_null(carom_scheme_find("half", NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings_are_kept_up_to_a_number_and_counted),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(a_step_size_is_enough),
        cmocka_unit_test(options_are_given_by_name),
        cmocka_unit_test(what_is_missing_or_wrong_is_said),
        cmocka_unit_test(values_by_position_are_counted),
        cmocka_unit_test(a_program_brings_its_own_scheme),
        cmocka_unit_test(half_a_scheme_is_not_registered),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
