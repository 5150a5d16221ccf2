/* What the event-driven scheme says of its events: impacts by one law, a gain of energy that the law made, what the
 * listener is told; and that impulses of rounding are no events. */
#include "table.h"

enum {
    EVENTS_MAX = 64
};

typedef struct told {
    int count;
    carom_event event[EVENTS_MAX];
    double position[EVENTS_MAX], velocity[EVENTS_MAX]; /* of the first coordinate */
} told;

static void keep_event(void *context, const carom_event *event)
{
    told *list = context;
    if (list->count == EVENTS_MAX)
        return;
    list->event[list->count] = *event;
    list->position[list->count] = event->q[0];
    list->velocity[list->count++] = event->v[0];
}

static void listen(carom_stepper *stepper, told *list)
{
    *list = (told){0};
    stepper->listener = (carom_event_listener){list, keep_event};
}

/* ---- balls in a row ------------------------------------------------------------------------------------ */

static void row_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)t;
    for (int i = 0; i < hand->model.contacts; i++)
        gap[i] = q[i + 1] - q[i] - 1.0;
}

static void row_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)t, (void)q;
    for (int i = 0; i < hand->model.dof; i++)
        frame->normal.value[i] = i == contact ? -1.0 : i == contact + 1 ? 1.0 : 0.0;
}

static void row_init(hand_model *hand, const double *mass, const double *restitution)
{
    hand_init(hand, 3, 2);
    hand->gaps = row_gap;
    hand->frame = row_frame;
    for (int i = 0; i < 3; i++)
        hand->mass[4 * i] = mass[i];
    for (int i = 0; i < 2; i++) {
        hand->info[i].has_restitution = true;
        hand->restitution[i] = restitution[i];
    }
}

static const double row_start[3] = {0.0, 1.0, 2.0};

/* A light ball between two heavy ones. By hand: rates -1/2 and -3/2 become 1/4 and 3/2, and momentum is kept. */
static void restitutions_that_differ(void **unused)
{
    (void)unused;
    const double mass[3] = {10.0, 0.1, 10.0}, restitution[2] = {0.5, 1.0}, v0[3] = {1.0, 0.5, -1.0};
    hand_model hand;
    row_init(&hand, mass, restitution);
    carom_stepper *stepper = start_events(&hand, 0.1, row_start, v0);
    hand_step(stepper);
    const double first = (0.05 - 0.1 * 0.25 - 10.0 * 1.75) / 20.1;
    assert_near(stepper->state.v[0], first, 1e-13);
    assert_near(stepper->state.v[1], first + 0.25, 1e-13);
    assert_near(stepper->state.v[2], first + 1.75, 1e-13);
    assert_int_equal(inside(stepper)->impacts, 2);
    for (int i = 0; i < stepper->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        assert_null(strstr(stepper->warnings.text[i], "energy-gain"));
    hand_free(stepper);
}

/* Newton's law makes energy where a contact that separates is held by another restitution. */
static void gain_is_told(void **unused)
{
    (void)unused;
    const double mass[3] = {1.0, 1.0, 1.0}, restitution[2] = {1.0, 0.0}, v0[3] = {1.0, 0.0, 0.1};
    hand_model hand;
    row_init(&hand, mass, restitution);
    carom_stepper *stepper = start_events(&hand, 0.1, row_start, v0);
    hand_step(stepper);
    bool told_of = false;
    for (int i = 0; i < stepper->warnings.count && i < CAROM_WARNINGS_KEPT; i++)
        told_of = told_of || (strncmp(stepper->warnings.text[i], "energy-gain:", 12) == 0 &&
                              strstr(stepper->warnings.text[i], "0.03 at t = 0 (contacts 'one', 'two')"));
    assert_true(told_of);
    assert_near(stepper->works.contacts, 0.03, 1e-14);
    hand_free(stepper);
}

/* One doubt tells of the first, of the one that made most, and how many there were. */
static void gains_are_counted(void **unused)
{
    (void)unused;
    const double mass[3] = {1.0, 1.0, 1.0}, restitution[2] = {1.0, 0.0}, v0[3] = {1.0, 0.0, 0.1};
    const double gain[3] = {0.2, 0.5, 0.1};
    hand_model hand;
    row_init(&hand, mass, restitution);
    carom_stepper *stepper = start_events(&hand, 0.1, row_start, v0);
    hand_step(stepper);
    event_driven *self = (event_driven *)stepper;
    const int place = self->gains.doubt;
    const double u[3] = {0.0, 0.0, 1.0}; /* rates 0 and 1 after the impact */
    for (int k = 0; k < 3; k++) {
        self->t = 1.0 + k;
        self->touching_count = 1;
        self->touching[0] = 1;
        self->struck[1] = true;
        self->event_impulse[1] = gain[k];
        self->rate_before[1] = 1.0;
        event_driven_after(self, row_start, u);
    }
    assert_int_equal(self->gains.count, 4);
    assert_int_equal(self->gains.doubt, place);
    assert_non_null(strstr(stepper->warnings.text[place], "0.03 at t = 0 (contacts 'one', 'two')"));
    assert_non_null(
        strstr(stepper->warnings.text[place], "4 impacts did so, at most 0.5 at t = 2 (contacts 'two')"));
    hand_free(stepper);
}

/* ---- events -------------------------------------------------------------------------------------------- */

static void events_of_a_ball(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0};
    hand_model hand;
    told list;
    ball_init(&hand, 9.81, 0.5);
    carom_stepper *stepper = start_on(&hand, 2.0, q0, v0);
    listen(stepper, &list);
    hand_step(stepper); /* all impacts, and rest, in one output interval */
    const double fall = sqrt(2.0 / 9.81);
    double t = fall, rate = -sqrt(2.0 * 9.81);
    assert_true(list.count > 20 && list.count < EVENTS_MAX);
    for (int k = 0; k < 10; k++) {
        const carom_event *event = &list.event[k];
        assert_int_equal(event->kind, CAROM_EVENT_IMPACT);
        assert_near(event->t, t, 1e-11);
        assert_near(event->rate_before, rate, 1e-10);
        assert_near(event->rate_after, -0.5 * rate, 1e-10);
        assert_near(event->impulse, -1.5 * rate, 1e-10);
        assert_near(event->energy_before, 0.5 * rate * rate, 1e-9);
        assert_near(event->energy_after, 0.125 * rate * rate, 1e-9);
        assert_near(list.position[k], 0.0, 1e-11);
        assert_near(list.velocity[k], rate, 1e-10); /* before the impact */
        rate *= 0.5;
        t += -2.0 * rate / 9.81;
    }
    const carom_event *last = &list.event[list.count - 1];
    assert_int_equal(last->kind, CAROM_EVENT_STOP);
    assert_near(last->t, 3.0 * fall, 1e-6);
    assert_int_equal(inside(stepper)->impacts, list.count - 1);
    hand_free(stepper);
}

/* A table that moves like sin(3 t): the ball that rests on it leaves where 9 sin(3 t) = 5, not an output later. */
static void release_is_located(void **unused)
{
    (void)unused;
    const double q0[1] = {0.0}, v0[1] = {3.0};
    hand_model hand;
    told list;
    ball_init(&hand, 5.0, 0.5);
    hand.gaps = table_gap;
    hand.frame = table_frame;
    carom_stepper *stepper = start_events(&hand, 0.4, q0, v0);
    listen(stepper, &list);
    hand_step(stepper);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.event[0].kind, CAROM_EVENT_RELEASE);
    assert_near(list.event[0].t, asin(5.0 / 9.0) / 3.0, 1e-11);
    assert_near(list.event[0].impulse, 0.0, 0.0);
    hand_free(stepper);
}

static void corner_gap(const hand_model *hand, double t, const double *q, double *gap)
{
    (void)hand, (void)t;
    gap[0] = q[1];
    gap[1] = q[0] * sin(2.0) - q[1] * cos(2.0);
}

static void corner_frame(const hand_model *hand, int contact, double t, const double *q,
                         carom_contact_frame *frame)
{
    (void)hand, (void)t, (void)q;
    frame->normal.value[0] = contact == 0 ? 0.0 : sin(2.0);
    frame->normal.value[1] = contact == 0 ? 1.0 : -cos(2.0);
}

/* Along the floor away from an obtuse corner that is struck: the floor's impulse is nothing or rounding. */
static void rounding_is_no_impact(void **unused)
{
    (void)unused;
    const double q0[2] = {0.0, 0.0}, v0[2] = {-sin(2.0), cos(2.0) + 1e-15};
    hand_model hand;
    told list;
    hand_init(&hand, 2, 2);
    hand.gaps = corner_gap;
    hand.frame = corner_frame;
    for (int i = 0; i < 2; i++)
        hand.info[i].has_restitution = true;
    carom_stepper *stepper = start_events(&hand, 0.1, q0, v0);
    listen(stepper, &list);
    hand_step(stepper);
    for (int k = 0; k < list.count; k++)
        if (list.event[k].kind == CAROM_EVENT_IMPACT)
            assert_true(list.event[k].impulse > 1e-9);
    for (int i = 0; i < 2; i++)
        if (stepper->state.regime[i] != CAROM_CONTACT_OPEN)
            assert_true(stepper->state.impulse[3 * i] > 1e-9);
    hand_free(stepper);
}

/* ---- restitution --------------------------------------------------------------------------------------- */

static void bad_later(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)contact, (void)q;
    frame->normal.value[0] = 1.0;
    frame->restitution = t < 1.0 ? 0.8 : hand->data[0];
}

static void restitution_is_checked_later(void **unused)
{
    (void)unused;
    const double q0[1] = {1.0}, v0[1] = {0.0}, bad[3] = {-0.5, 1.5, NAN};
    const char *const text[3] = {"restitution -0.5", "restitution 1.5", "restitution nan"};
    for (int k = 0; k < 3; k++) {
        hand_model hand;
        ball_init(&hand, 9.81, 0.8);
        hand.frame = bad_later;
        hand.data[0] = bad[k];
        carom_stepper *stepper = start_events(&hand, 0.01, q0, v0);
        carom_error error = {0};
        run_to_failure(stepper, 200, &error);
        assert_mentions(&error, "contact 'one'");
        assert_mentions(&error, text[k]);
        assert_mentions(&error, "t = 1.17");
        assert_true(stepper->state.q[0] > 0.0);
        hand_free(stepper);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(restitutions_that_differ),
        cmocka_unit_test(gain_is_told),
        cmocka_unit_test(gains_are_counted),
        cmocka_unit_test(events_of_a_ball),
        cmocka_unit_test(release_is_located),
        cmocka_unit_test(rounding_is_no_impact),
        cmocka_unit_test(restitution_is_checked_later),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
