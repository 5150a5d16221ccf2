/* The event-driven scheme against exact motions of balls, accumulations of impacts, and a double pendulum at
 * a wall, whose reference numbers come from an independent program (two tolerances agree to 3e-12). */
#include "event_driven_runs.h"

/* ---- balls --------------------------------------------------------------------------------------------- */

static void impact_times_of_a_ball(void **unused)
{
    (void)unused;
    const double times[] = {0.451523640986, 0.903047281971, 1.128809102464,
                            1.241690012711, 1.298130467834, 1.326350695396};
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_events(&hand, 0.01, q0, v0);
    long seen = 0;
    for (int i = 1; i <= 133; i++) {
        hand_step(stepper);
        if (inside(stepper)->impacts > seen) {
            assert_int_equal(inside(stepper)->impacts, seen + 1);
            assert_near(inside(stepper)->last_impact, times[seen], 2e-12);
            assert_near(inside(stepper)->last_rate, -sqrt(2.0 * 9.81) * pow(0.5, (double)seen), 1e-11);
            assert_near(stepper->state.impulse[0], -1.5 * inside(stepper)->last_rate, 1e-11);
            assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_SLIP);
            seen++;
        } else {
            assert_near(stepper->state.impulse[0], 0.0, 0.0);
            assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_OPEN);
        }
        if (i == 50)
            assert_near(stepper->state.q[0], 9.583518855e-2, 1e-11);
        if (i == 100)
            assert_near(stepper->state.q[0], 6.125556566e-2, 1e-11);
    }
    assert_int_equal(seen, 6);
    hand_free(stepper);
}

static void elastic_and_inelastic_ball(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    const double elastic[] = {2.031969180700e-1, 9.538938361400e-1, 5.404315084201e-1, 8.155753445602e-1};
    hand_model hand;
    ball_init(&hand, 9.81, 1.0);
    carom_stepper *stepper = start_events(&hand, 0.5, q0, v0);
    for (int i = 0; i < 4; i++) {
        hand_step(stepper);
        assert_near(stepper->state.q[0], elastic[i], 1e-11);
    }
    hand_free(stepper);

    ball_init(&hand, 9.81, 0.0);
    stepper = start_events(&hand, 0.5, q0, v0);
    double impulse = 0.0;
    for (int i = 0; i < 4; i++) {
        hand_step(stepper);
        impulse += stepper->state.impulse[0];
        assert_near(stepper->state.q[0], 0.0, 1e-14);
        assert_near(stepper->state.v[0], 0.0, 1e-14);
    }
    assert_int_equal(inside(stepper)->impacts, 1);
    assert_near(stepper->state.impulse[0], 9.81 * 0.5, 1e-12);
    assert_near(impulse, 9.81 * 2.0, 1e-11);
    hand_free(stepper);
}

/* No gravity: q = -e u0 (t - tau), for any restitution. */
static void free_ball(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {-1.0};
    for (int k = 0; k <= 10; k++) {
        hand_model hand;
        ball_init(&hand, 0.0, 0.1 * k);
        carom_stepper *stepper = start_events(&hand, 0.15, q0, v0);
        for (int i = 1; i <= 13; i++) {
            hand_step(stepper);
            const double t = 0.15 * i;
            assert_near(stepper->state.q[0], t < 1.0 ? 1.0 - t : 0.1 * k * (t - 1.0), 1e-13);
        }
        hand_free(stepper);
    }
}

/* ---- accumulation of impacts --------------------------------------------------------------------------- */

typedef struct zeno_row {
    double gravity, q0, v0, restitution, accumulation;
} zeno_row;

static const zeno_row zeno_rows[] = {
    {9.81, 1.0, 0.0, 0.3, 0.83854390468779},    {9.81, 1.0, 0.0, 0.5, 1.35457092295719},
    {9.81, 1.0, 0.0, 0.8, 4.06371276887158},    {2.0, 1.0, 0.0, 0.5, 3.0},
    {1.0, 0.5, 1.0, 0.9, 27.87005768508882},    {1e-3, 1e-4, 0.0, 0.5, 1.34164078649987}, /* slow */
    {1e6, 1e-3, 0.0, 0.5, 1.34164078649987e-4},                                           /* fast */
};

static void accumulation_stops_the_run(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof zeno_rows / sizeof zeno_rows[0]; k++)
        for (int interval = 0; interval < 3; interval++) {
            const zeno_row *row = &zeno_rows[k];
            const double h = row->accumulation * (const double[]){0.7, 0.013, 0.00031}[interval];
            hand_model hand;
            ball_init(&hand, row->gravity, row->restitution);
            carom_stepper *stepper = start_events(&hand, h, &row->q0, &row->v0);
            carom_error error = {0};
            run_to_failure(stepper, 4000, &error);
            assert_int_equal(error.status, CAROM_FAILED);
            assert_string_equal(stepper->end_word, "zeno");
            const char *at = strstr(error.text, "accumulate at t = ");
            assert_non_null(at);
            assert_near(strtod(at + strlen("accumulate at t = "), NULL), row->accumulation,
                        1e-10 * fmax(1.0, row->accumulation));
            assert_mentions(&error, "impacts so far");
            assert_true(inside(stepper)->impacts < 300);
            /* the last output before it is kept */
            assert_true(stepper->state.t <= row->accumulation && stepper->state.t + h > row->accumulation);
            hand_free(stepper);
        }
}

static void accumulation_closes_the_contact(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof zeno_rows / sizeof zeno_rows[0]; k++) {
        const zeno_row *row = &zeno_rows[k];
        const double h = row->accumulation / 3.5;
        hand_model hand;
        ball_init(&hand, row->gravity, row->restitution);
        carom_stepper *stepper = start_on(&hand, h, &row->q0, &row->v0);
        double impulse = 0.0;
        for (int i = 0; i < 7; i++) {
            hand_step(stepper);
            impulse += stepper->state.impulse[0];
        }
        const double momentum = row->gravity * 7.0 * h - row->v0;
        assert_near(stepper->state.q[0], 0.0, 1e-12);
        assert_near(stepper->state.v[0], 0.0, 1e-12);
        assert_near(stepper->state.impulse[0], row->gravity * h, 1e-10 * row->gravity * h);
        assert_near(impulse, momentum, 1e-9 * momentum);
        hand_free(stepper);
    }
}

/* Small elastic hops, 1e5 in a second. */
static void many_impacts(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {5e-6};
    hand_model hand;
    ball_init(&hand, 1.0, 1.0);
    carom_stepper *stepper = start_events(&hand, 0.25, q0, v0);
    hand_run(stepper, 4);
    assert_true(labs(inside(stepper)->impacts - 100000) <= 1);
    assert_true(stepper->state.q[0] >= 0.0 && stepper->state.q[0] <= 1.26e-11);
    hand_free(stepper);

    stepper = hand_start_with(scheme_named("event-driven"), &hand, 0.0, 0.25, q0, v0, "max_events", 1000.0);
    carom_error error = {0};
    run_to_failure(stepper, 1, &error);
    assert_string_equal(stepper->end_word, "zeno");
    assert_mentions(&error, "max_events = 1000");
    assert_near(stepper->state.t, 0.0, 0.0);
    hand_free(stepper);
}

static void history_needs_a_steady_ratio(void **unused)
{
    (void)unused;
    impact_history history = {0};
    double ratio = 0.0, remaining = 0.0, t = 0.0, interval = 1.0;
    for (int i = 0; i < 6; i++) {
        impact_history_add(&history, t);
        assert_false(impact_history_accumulates(&history, &ratio, &remaining));
        t += interval;
        interval *= 0.25;
    }
    for (int i = 0; i < 10; i++) {
        impact_history_add(&history, t);
        assert_true(impact_history_accumulates(&history, &ratio, &remaining));
        assert_near(ratio, 0.25, 1e-8);
        assert_near(t + remaining, 4.0 / 3.0, 1e-14);
        t += interval;
        interval *= 0.25;
    }
    impact_history_add(&history, t + 1.0);
    assert_false(impact_history_accumulates(&history, &ratio, &remaining));
    history.count = 0;
    for (int i = 0; i < 20; i++) { /* growing, constant, arithmetic */
        impact_history_add(&history, (double)(i < 8 ? i * i : 49 + 15 * (i - 7)));
        assert_false(impact_history_accumulates(&history, &ratio, &remaining));
    }
}

/* ---- double pendulum ----------------------------------------------------------------------------------- */

typedef struct pendulum_event {
    double t, rate, energy; /* after */
} pendulum_event;

typedef struct pendulum_row {
    double restitution;
    int impacts;
    pendulum_event impact[3];
    double detachment;
    double at_1[4], at_2[4];
} pendulum_row;

static void assert_state(const carom_state *state, const double *expected)
{
    for (int i = 0; i < 2; i++) {
        assert_near(state->q[i], expected[i], 1.5e-10);
        assert_near(state->v[i], expected[2 + i], 3e-10);
    }
}

static void pendulum_at_a_wall(void **unused)
{
    (void)unused;
    const double at_half[4] = {-0.0825425823, -0.6278324488, 1.8870619389, 1.5299942588};
    const pendulum_row rows[] = {
        {0.0,
         2,
         {{0.607218647, -3.767716500, -28.383705826}, {1.573774485, -0.086038257, -28.387475075}},
         1.239203281,
         {-0.0660996724, -0.2361368631, -1.1913955038, 1.2227256039},
         {0.1086432225, -0.4207329839, -0.3304637335, 0.3599025283}},
        {0.5,
         3,
         {{0.607218647, -3.767716500, -26.360911859},
          {1.569314216, -0.977316391, -26.719264930},
          {1.848229869, -0.561346599, -26.863166027}},
         0.0,
         {-0.1854790072, -0.5777504047, -1.4086797320, 1.3810054008},
         {0.2728885677, -0.6208575399, -0.0358858557, 0.1569825975}},
        {1.0,
         2,
         {{0.607218647, -3.767716500, pendulum_energy0}, {1.810236179, -3.161442324, pendulum_energy0}},
         0.0,
         {-0.4382860452, -1.0084260529, -1.9148606073, 0.7920227660},
         {0.1574357221, -1.0814427061, -0.4050011300, -2.5291355415}},
    };
    const double at_15[4] = {-0.2447185434, -0.0606020007, 0.9265384157, -0.8971032444}; /* e = 0 */
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        const pendulum_row *row = &rows[k];
        hand_model hand;
        pendulum_init(&hand, row->restitution);
        carom_stepper *stepper = start_events(&hand, 0.01, pendulum_q0, pendulum_v0);
        const carom_state *state = &stepper->state;
        long seen = 0;
        for (int i = 1; i <= 200; i++) {
            hand_step(stepper);
            if (inside(stepper)->impacts > seen) {
                const pendulum_event *expected = &row->impact[seen++];
                assert_near(inside(stepper)->last_impact, expected->t, 6e-10);
                assert_near(inside(stepper)->last_rate, expected->rate, 6e-10);
                assert_near(pendulum_energy(state->q, state->v), expected->energy, 6e-10);
            }
            double gap = 0.0;
            pendulum_gap(&hand, 0.0, state->q, &gap);
            assert_true(gap > -1e-11);
            if (i == 50)
                assert_state(state, at_half);
            if (i == 100)
                assert_state(state, row->at_1);
            if (i == 150 && k == 0)
                assert_state(state, at_15);
        }
        assert_int_equal(seen, row->impacts);
        assert_state(state, row->at_2);
        assert_near(inside(stepper)->last_detachment, row->detachment, 6e-10);
        hand_free(stepper);
    }
}

/* The same at large output intervals. */
static void outputs_do_not_matter(void **unused)
{
    (void)unused;
    const double expected[4] = {0.2728885677, -0.6208575399, -0.0358858557, 0.1569825975};
    for (int n = 1; n <= 1000; n *= 10) {
        hand_model hand;
        pendulum_init(&hand, 0.5);
        carom_stepper *stepper = start_events(&hand, 2.0 / n, pendulum_q0, pendulum_v0);
        hand_run(stepper, n);
        assert_state(&stepper->state, expected);
        assert_int_equal(inside(stepper)->impacts, 3);
        hand_free(stepper);
    }
}

/* Later the impacts with e = 0.5 accumulate, wherever the outputs are. */
static void pendulum_accumulates(void **unused)
{
    (void)unused;
    for (int n = 1; n <= 10000; n *= 10) {
        hand_model hand;
        pendulum_init(&hand, 0.5);
        carom_stepper *stepper = start_events(&hand, 2.5 / n, pendulum_q0, pendulum_v0);
        carom_error error = {0};
        run_to_failure(stepper, n, &error);
        assert_string_equal(stepper->end_word, "zeno");
        assert_mentions(&error, "accumulate at t = 2.24015843");
        hand_free(stepper);
    }
}

/* ---- what else ----------------------------------------------------------------------------------------- */

/* A gap that is negative for a moment only: q'' = 1, least gap -depth. */
static void short_dips_are_found(void **unused)
{
    (void)unused;
    const double depths[] = {1e-3, 1e-6, 1e-9, -1e-9};
    for (size_t k = 0; k < 4; k++) {
        const double speed = sqrt(1.0 + 2.0 * depths[k]);
        const double q0[1] = {0.5}, v0[1] = {-speed};
        hand_model hand;
        ball_init(&hand, -1.0, 0.5);
        carom_stepper *stepper = start_events(&hand, 2.0, q0, v0);
        hand_step(stepper);
        assert_int_equal(inside(stepper)->impacts, k < 3);
        if (k < 3) {
            const double hit = speed - sqrt(2.0 * depths[k]), s = 2.0 - hit;
            assert_near(inside(stepper)->last_impact, hit, 1e-11 / sqrt(2.0 * depths[k]));
            assert_near(stepper->state.q[0], 0.5 * sqrt(2.0 * depths[k]) * s + 0.5 * s * s, 1e-6);
        }
        hand_free(stepper);
    }
}

static void square_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)t;
    (void)q;
    force[0] = u[0] * u[0];
}

static void pole_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand;
    (void)q;
    (void)u;
    force[0] = t < 0.5 ? 0.0 : NAN;
}

static void blow_up_ends_the_run(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {2.0};
    hand_model hand;
    ball_init(&hand, 0.0, 1.0);
    hand.force = square_force;
    carom_stepper *stepper = start_events(&hand, 0.4, q0, v0);
    carom_error error = {0};
    hand_step(stepper);
    assert_near(stepper->state.q[0], 2.609437912434, 1e-9);
    run_to_failure(stepper, 1, &error);
    assert_string_equal(stepper->end_word, "blowup");
    assert_near(stepper->state.t, 0.4, 0.0);
    assert_near(stepper->state.v[0], 10.0, 1e-8);
    hand_free(stepper);

    hand.force = pole_force;
    stepper = start_events(&hand, 0.4, q0, v0);
    run_to_failure(stepper, 2, &error);
    assert_string_equal(stepper->end_word, "blowup");
    assert_mentions(&error, "q1");
    hand_free(stepper);
}

static void start_against_the_floor(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {-1.0};
    hand_model hand;
    ball_init(&hand, 2.0, 0.75);
    carom_stepper *stepper = start_events(&hand, 0.125, q0, v0);
    assert_int_equal(stepper->warnings.count, 1);
    hand_step(stepper);
    assert_near(stepper->state.q[0], 0.75 * 0.125 - 0.125 * 0.125, 1e-13);
    assert_near(stepper->state.impulse[0], 1.75, 1e-13);
    hand_free(stepper);
}

static void what_is_refused(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, v0[2] = {0.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = floor_gap;
    hand.frame = floor_frame;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    hand.info[0].has_restitution = true;
    hand.restitution[0] = -0.5;
    assert_int_equal(
        hand_try(scheme_named("event-driven"), &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, "-0.5");
    hand.restitution[0] = 0.5;
    hand.mass[3] = -1.0;
    assert_int_equal(
        hand_try(scheme_named("event-driven"), &hand, 0.0, 0.1, q0, v0, NULL, NULL, &stepper, &error),
        CAROM_BAD_INPUT);
    assert_mentions(&error, "q2");
}

/* Without contacts the scheme is an integrator. */
static void no_contacts(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 2.0, 0.0);
    hand.model.contacts = 0;
    carom_stepper *stepper = start_events(&hand, 0.5, q0, v0);
    hand_run(stepper, 4);
    assert_near(stepper->state.q[0], -3.0, 1e-11);
    hand_free(stepper);
}

/* ---- starts inside an obstacle ------------------------------------------------------------------------- */

/* At rest inside it stays where it is: nothing pushes it out. */
static void rest_inside(void **unused)
{
    (void)unused;
    const double q0[1] = {-0.01}, v0[1] = {0.0};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_events(&hand, 0.1, q0, v0);
    hand_run(stepper, 20);
    assert_near(stepper->state.q[0], -0.01, 1e-12);
    assert_near(stepper->state.v[0], 0.0, 1e-12);
    assert_near(stepper->state.impulse[0], 0.981, 1e-12);
    hand_free(stepper);
}

/* Thrown up it comes out, and meets the floor at 0, not at the depth at which it started. */
static void comes_out(void **unused)
{
    (void)unused;
    const double q0[1] = {-0.01}, v0[1] = {1.0};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    const double steps[] = {1e-3, 0.5};
    for (int k = 0; k < 2; k++) {
        carom_stepper *stepper = start_on(&hand, steps[k], q0, v0);
        bool out = false;
        for (double t = 0.0; t < 0.9; t += steps[k]) {
            hand_step(stepper);
            out = out || stepper->state.q[0] > 0.0;
            assert_true(!out || stepper->state.q[0] > -1e-11);
        }
        assert_near(stepper->state.q[0], 0.0, 1e-11);
        assert_near(inside(stepper)->depth[0], 0.0, 0.0);
        hand_free(stepper);
    }
    /* when: from -0.01 with speed 1 back to 0 */
    carom_stepper *stepper = start_on(&hand, 0.2, q0, v0);
    hand_step(stepper);
    const double speed = sqrt(1.0 - 0.02 * 9.81);
    assert_near(stepper->state.q[0],
                0.5 * speed * (0.2 - (1.0 + speed) / 9.81) -
                    0.5 * 9.81 * pow(0.2 - (1.0 + speed) / 9.81, 2.0),
                1e-11);
    hand_free(stepper);
}

/* Too slow to come out, it falls back to where it was. */
static void stays_inside(void **unused)
{
    (void)unused;
    const double q0[1] = {-0.01}, v0[1] = {0.1};
    hand_model hand;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_on(&hand, 1e-3, q0, v0);
    for (int i = 0; i < 500; i++) {
        hand_step(stepper);
        assert_true(stepper->state.q[0] > -0.01 - 1e-11 && stepper->state.q[0] < 0.0);
    }
    assert_near(stepper->state.q[0], -0.01, 1e-11);
    hand_free(stepper);
}

/* A step of height 2 in the floor at q1 = 1, passed at height 1. */
static void step_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand, (void)t;
    gap[0] = q[1] - (q[0] > 1.0 ? 2.0 : 0.0);
}

static void step_frame(const hand_model *hand, int contact, double t, const double *q,
                       carom_contact_frame *frame)
{
    (void)hand, (void)contact, (void)t, (void)q;
    frame->normal.value[0] = 0.0;
    frame->normal.value[1] = 1.0;
}

/* An obstacle that appears around a body holds it and says so; it makes no energy. */
static void obstacle_appears(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 1.0}, v0[2] = {1.0, 0.0};
    hand_model hand;
    hand_init(&hand, 2, 1);
    hand.gaps = step_gap;
    hand.frame = step_frame;
    carom_stepper *stepper = start_events(&hand, 0.1, q0, v0);
    hand_run(stepper, 20);
    assert_near(stepper->state.q[0], 2.0, 1e-11);
    assert_near(stepper->state.q[1], 1.0, 1e-11);
    assert_near(carom_stepper_energy(stepper), 0.5, 1e-12);
    assert_int_equal(stepper->warnings.count, 1);
    assert_non_null(strstr(stepper->warnings.text[0], "penetration: contact 'one' was found 1 inside"));
    hand_free(stepper);
}

/* ---- every loop ends ------------------------------------------------------------------------------------ */

enum {
    CRADLE = 5
};

static void cradle_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand, (void)t, (void)u;
    for (int i = 0; i < CRADLE; i++)
        force[i] = -9.81 * sin(q[i]);
}

static void cradle_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand, (void)t;
    for (int i = 0; i + 1 < CRADLE; i++)
        gap[i] = sin(q[i + 1]) - sin(q[i]);
}

static void cradle_frame(const hand_model *hand, int contact, double t, const double *q,
                         carom_contact_frame *frame)
{
    (void)hand, (void)t;
    for (int i = 0; i < CRADLE; i++)
        frame->normal.value[i] = i == contact ? -cos(q[i]) : i == contact + 1 ? cos(q[i]) : 0.0;
}

/* Pendulums of a cradle that swing together have gap rates of rounding: these must not hold the motion. */
static void cradle_goes_on(void **unused)
{
    (void)unused;
    const double start[] = {-0.5, -0.8, -1.0}, v0[CRADLE] = {0};
    for (int k = 0; k < 3; k++) {
        const double q0[CRADLE] = {start[k]};
        hand_model hand;
        hand_init(&hand, CRADLE, CRADLE - 1);
        hand.force = cradle_force;
        hand.gaps = cradle_gap;
        hand.frame = cradle_frame;
        for (int i = 0; i + 1 < CRADLE; i++) {
            hand.info[i].has_restitution = true;
            hand.restitution[i] = 1.0;
        }
        carom_stepper *stepper = start_on(&hand, 0.01, q0, v0);
        hand_run(stepper, 500);
        double energy = 0.0;
        for (int i = 0; i < CRADLE; i++)
            energy +=
                0.5 * stepper->state.v[i] * stepper->state.v[i] + 9.81 * (1.0 - cos(stepper->state.q[i]));
        assert_near(energy, 9.81 * (1.0 - cos(start[k])), 1e-8);
        hand_free(stepper);
    }
}

static void fast_force(const hand_model *hand, double t, const double *q, const double *u, double *force)
{
    (void)hand, (void)t, (void)u;
    force[0] = -1e12 * q[0];
}

static bool stop_soon(void *context)
{
    return ++*(int *)context > 20;
}

/* One output interval of a hundred million oscillations, or of impacts without end, can be stopped. */
static void stops_inside_a_step(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    for (int k = 0; k < 2; k++) {
        hand_model hand;
        ball_init(&hand, 1e6, 1.0);
        if (k == 0) {
            hand.force = fast_force;
            hand.model.contacts = 0;
        }
        carom_stepper *stepper = start_events(&hand, 1000.0, q0, v0);
        carom_error error = {0};
        int asked = 0;
        stepper->stop = (carom_stop){&asked, stop_soon};
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_INTERRUPTED);
        assert_int_equal(asked, 21);
        assert_mentions(&error, "interrupted");
        assert_near(stepper->state.t, 0.0, 0.0);
        hand_free(stepper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(impact_times_of_a_ball),
        cmocka_unit_test(elastic_and_inelastic_ball),
        cmocka_unit_test(free_ball),
        cmocka_unit_test(accumulation_stops_the_run),
        cmocka_unit_test(accumulation_closes_the_contact),
        cmocka_unit_test(many_impacts),
        cmocka_unit_test(history_needs_a_steady_ratio),
        cmocka_unit_test(pendulum_at_a_wall),
        cmocka_unit_test(outputs_do_not_matter),
        cmocka_unit_test(pendulum_accumulates),
        cmocka_unit_test(short_dips_are_found),
        cmocka_unit_test(blow_up_ends_the_run),
        cmocka_unit_test(start_against_the_floor),
        cmocka_unit_test(what_is_refused),
        cmocka_unit_test(no_contacts),
        cmocka_unit_test(rest_inside),
        cmocka_unit_test(comes_out),
        cmocka_unit_test(stays_inside),
        cmocka_unit_test(obstacle_appears),
        cmocka_unit_test(cradle_goes_on),
        cmocka_unit_test(stops_inside_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
