/* Moreau's stepper: times, free flight, and what stops a step. */
#include "test/scheme/models.h"

/* With a constant force and no contact the outputs are exact, and times are not summed. */
static void free_flight_is_exact(void **unused)
{
    (void)unused;
    const double q0[2] = {1.0, 2.0}, u0[2] = {3.0, 4.0}, h = 0.1;
    hand_model hand;
    hand_init(&hand, 2, 0);
    hand.mass[0] = 2.0;
    hand.mass[3] = 4.0;
    hand.force = constant_force;
    hand.data[16] = 1.0;
    hand.data[17] = -6.0;
    const carom_scheme_ops *schemes[] = {scheme_named("elast"), scheme_named("billiard"),
                                         scheme_named("inel"), scheme_named("moreau-friction")};
    for (int s = 0; s < 4; s++) {
        carom_stepper *stepper = hand_start(schemes[s], &hand, 5.0, h, q0, u0);
        assert_near(stepper->state.t, 5.0, 0.0);
        assert_near(stepper->state.q[1], 2.0, 0.0);
        for (int i = 1; i <= 1000; i++) {
            double t = i * h;
            hand_step(stepper);
            assert_near(stepper->state.t, 5.0 + i * h, 0.0);
            assert_near(stepper->state.q[0], 1.0 + 3.0 * t + 0.25 * t * t, 1e-12 * (1.0 + t * t));
            assert_near(stepper->state.q[1], 2.0 + 4.0 * t - 0.75 * t * t, 1e-12 * (1.0 + t * t));
            assert_near(stepper->state.v[1], 4.0 - 1.5 * t, 1e-13 * (1.0 + t));
        }
        assert_int_equal(stepper->counts.steps, 1000);
        hand_free(stepper);
    }
}

/* A force of time alone is taken at the vertices t0 + (i + 1/2) h. */
static void time_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)q;
    (void)u;
    force[0] = t;
}

/* A force of time is taken at the time of its position: the vertex, or ahead of it by av h. */
static void force_at_the_vertices(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, u0[1] = {0.0}, ahead[2] = {0.0, 0.5};
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        hand_init(&hand, 1, 0);
        hand.force = time_force;
        carom_stepper *stepper =
            hand_start_with(scheme_named("inel"), &hand, 1.0, 0.5, q0, u0, "av", ahead[k]);
        const double shift = 0.5 * ahead[k];
        hand_step(stepper);
        assert_near(stepper->state.v[0], 0.5 * (1.25 + shift), 0.0);
        hand_step(stepper);
        assert_near(stepper->state.v[0], 0.5 * (1.25 + 1.75 + 2.0 * shift), 0.0);
        hand_free(stepper);
    }
}

static void variable_mass_is_refused(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0};
    hand_model hand;
    hand_init(&hand, 1, 0);
    hand.model.constant_mass = false;
    for (int s = 0; s < 4; s++) {
        carom_error error = {0};
        carom_stepper *stepper = NULL;
        const carom_scheme_ops *scheme = carom_scheme_at((size_t)s);
        assert_int_equal(carom_scheme_accepts(scheme, &hand.model, &error), CAROM_BAD_INPUT);
        assert_mentions(&error, "constant mass matrix");
        assert_mentions(&error, "moreau-jean");
        assert_int_equal(hand_try(scheme, &hand, 0.0, 0.1, q0, q0, NULL, NULL, &stepper, NULL),
                         CAROM_BAD_INPUT);
    }
    assert_int_equal(carom_scheme_accepts(scheme_named("moreau-jean"), &hand.model, NULL), CAROM_OK);
}

/* data[0]: what goes wrong once the ball has fallen below q = 1 */
enum {
    BAD_FORCE = 1,
    BAD_GAP,
    BAD_GAP_INFINITE,
    BAD_GRADIENT,
    ZERO_GRADIENT,
    BAD_RATE,
};

static void spoiled_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)t;
    (void)u;
    force[0] = hand->data[0] == BAD_FORCE && q[0] < 1.0 ? NAN : -1.0;
}

static void spoiled_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    gap[0] = q[0] - 1.0;
    if (q[0] < 1.0 && hand->data[0] == BAD_GAP)
        gap[0] = NAN;
    if (q[0] < 1.0 && hand->data[0] == BAD_GAP_INFINITE)
        gap[0] = INFINITY;
}

static void spoiled_frame(const hand_model *hand, int contact, double t, const double *q,
                          carom_contact_frame *frame)
{
    (void)contact;
    (void)t;
    (void)q;
    frame->normal.value[0] = 1.0;
    if (hand->data[0] == BAD_GRADIENT)
        frame->normal.value[0] = INFINITY;
    if (hand->data[0] == ZERO_GRADIENT)
        frame->normal.value[0] = 0.0;
    if (hand->data[0] == BAD_RATE)
        frame->normal_rate = NAN;
}

static void check_spoiled(const carom_scheme_ops *scheme, int what, const char *word)
{
    const double q0[1] = {2.0}, u0[1] = {0.0};
    hand_model hand;
    hand_init(&hand, 1, 1);
    hand.force = spoiled_force;
    hand.gaps = spoiled_gap;
    hand.frame = spoiled_frame;
    hand.data[0] = what;
    carom_stepper *stepper = hand_start(scheme, &hand, 0.0, 0.125, q0, u0);
    carom_error error = {0};
    carom_status status = CAROM_OK;
    double t = 0.0, q = 0.0, v = 0.0;
    while (status == CAROM_OK && stepper->counts.steps < 100) {
        t = stepper->state.t;
        q = stepper->state.q[0];
        v = stepper->state.v[0];
        status = scheme->step(stepper, &error);
    }
    assert_int_equal(status, CAROM_FAILED);
    assert_mentions(&error, "t = ");
    assert_mentions(&error, "step 12");
    assert_mentions(&error, word);
    if (what != BAD_FORCE)
        assert_mentions(&error, "'one'");
    /* the last good state, and the same failure when asked again */
    assert_near(stepper->state.t, t, 0.0);
    assert_near(stepper->state.q[0], q, 0.0);
    assert_near(stepper->state.v[0], v, 0.0);
    assert_int_equal(stepper->counts.steps, 11);
    assert_int_equal(scheme->step(stepper, NULL), CAROM_FAILED);
    assert_near(stepper->state.q[0], q, 0.0);
    hand_free(stepper);
}

static void spoiled_models_stop_the_step(void **unused)
{
    (void)unused;
    for (size_t s = 0; s < 4; s++) {
        const carom_scheme_ops *scheme = carom_scheme_at(s);
        check_spoiled(scheme, BAD_FORCE, "force of coordinate 'q1' is");
        check_spoiled(scheme, BAD_GAP, "gap");
        check_spoiled(scheme, BAD_GAP_INFINITE, "inf");
        check_spoiled(scheme, BAD_GRADIENT, "gradient");
        check_spoiled(scheme, ZERO_GRADIENT, "zero gradient");
        check_spoiled(scheme, BAD_RATE, "rate");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_flight_is_exact),
        cmocka_unit_test(force_at_the_vertices),
        cmocka_unit_test(variable_mass_is_refused),
        cmocka_unit_test(spoiled_models_stop_the_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
