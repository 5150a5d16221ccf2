#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/measure.h"

static const double pi = 3.141592653589793238463;

/* Two contacts, two columns: t energy gap gap impulse*6 regime regime column column located located. */
static carom_model model = {.contacts = 2};

enum {
    WIDTH = 16,
    REGIME = 10,
    COLUMN = 12,
};

/* What the outputs hold: `count` of them, every h = 0.5 from t = 0. */
typedef struct outputs {
    int count;
    const double *column;
    const int *regime[2];
    int event_count; /* located; 0: they are those of the outputs */
    const carom_event *event;
} outputs;

/* Values of an experiment: value[i] = i / 2, so that index 5 is the time 2.5; and two just after 0.5. */
enum {
    NEARLY_HALF = 62,
    MORE_THAN_HALF = 63
};
static double value_table[64];

/* An event at which the columns are its time and 100 times that. */
static void tell(measure_set *set, event_list *events, const carom_event *event)
{
    const double column[2] = {event->t, 100.0 * event->t};
    event_list_take(events, event);
    if (measure_set_wants(set, event))
        measure_set_note(set, event, column);
}

static carom_status reduce_to(double until, const carom_measure *measure, outputs given,
                              carom_measured *measured)
{
    for (int i = 0; i < 64; i++)
        value_table[i] = 0.5 * i;
    value_table[NEARLY_HALF] = 0.5 + 1e-10;
    value_table[MORE_THAN_HALF] = 0.5 + 1e-8;
    carom_measure copy = *measure;
    copy.name = "m";
    carom_experiment experiment = {.model = &model, .column_count = 2, .measure_count = 1, .measure = &copy};
    measure_set *set = NULL;
    carom_status status = measure_set_create(&experiment, value_table, 0.0, 0.5, until, &set, NULL);
    if (status != CAROM_OK)
        return status;
    event_list events = {0};
    int told = 0;
    if (given.event_count > 0)
        measure_set_locate(set, &events);
    for (int i = 0; i < given.count; i++) {
        double row[WIDTH] = {0.5 * i};
        row[COLUMN] = NAN; /* the measures look at the second column */
        if (given.column)
            row[COLUMN + 1] = given.column[i];
        for (int c = 0; c < 2; c++)
            if (given.regime[c])
                row[REGIME + c] = given.regime[c][i];
        for (; told < given.event_count && given.event[told].t <= row[0]; told++)
            tell(set, &events, &given.event[told]);
        assert_int_equal(measure_set_take(set, row, NULL), CAROM_OK);
    }
    for (; told < given.event_count; told++) /* of a step that failed */
        tell(set, &events, &given.event[told]);
    assert_int_equal(measure_set_finish(set, NULL, measured, NULL), CAROM_OK);
    measure_set_free(set);
    event_list_free(&events);
    return CAROM_OK;
}

static carom_measured reduce(const carom_measure *measure, outputs given)
{
    carom_measured measured;
    assert_int_equal(reduce_to(0.5 * (given.count - 1), measure, given, &measured), CAROM_OK);
    return measured;
}

static void expect_number(const carom_measure *measure, outputs given, double expected)
{
    carom_measured measured = reduce(measure, given);
    assert_false(measured.is_array);
    assert_int_equal(measured.count, 1);
    if (isnan(expected))
        assert_true(isnan(measured.value[0]));
    else if (!(fabs(measured.value[0] - expected) <= 4 * DBL_EPSILON * fabs(expected)))
        fail_msg("%.17g is not %.17g", measured.value[0], expected);
    free(measured.value);
}

static void expect_nothing(const carom_measure *measure, outputs given)
{
    carom_measured measured = reduce(measure, given);
    assert_false(measured.is_array);
    assert_int_equal(measured.count, 0);
    free(measured.value);
}

/* An expected NAN stands for no value. */
static void expect_array(const carom_measure *measure, outputs given, int count, const double *expected)
{
    carom_measured measured = reduce(measure, given);
    assert_true(measured.is_array);
    assert_int_equal(measured.count, count);
    for (int i = 0; i < count; i++)
        if (isnan(expected[i])
                ? !isnan(measured.value[i])
                : !(fabs(measured.value[i] - expected[i]) <= 4 * DBL_EPSILON * fabs(expected[i])))
            fail_msg("entry %d: %.17g is not %.17g", i, measured.value[i], expected[i]);
    free(measured.value);
}

static carom_measure of_column(const carom_measure_ops *ops)
{
    return (carom_measure){.ops = ops,
                           .column = 1,
                           .contact = -1,
                           .from = CAROM_NO_VALUE,
                           .to = CAROM_NO_VALUE,
                           .every = CAROM_NO_VALUE};
}

static carom_measure of_events(const carom_measure_ops *ops, carom_event_kind event, int contact)
{
    carom_measure measure = of_column(ops);
    measure.column = -1;
    measure.event = event;
    measure.contact = contact;
    return measure;
}

static carom_measure windowed(carom_measure measure, carom_value from, carom_value to)
{
    measure.from = from;
    measure.to = to;
    return measure;
}

#define SERIES(...)                                                                                          \
    ((outputs){.count = sizeof((double[]){__VA_ARGS__}) / sizeof(double), .column = (double[]){__VA_ARGS__}})
#define ARRAY(...)                                                                                           \
    (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[])                                      \
    {                                                                                                        \
        __VA_ARGS__                                                                                          \
    }

static void final_is_the_last_value_of_the_window(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_final);
    expect_number(&measure, SERIES(1, 2, 7), 7);
    expect_number(&measure, SERIES(1), 1);
    expect_number(&measure, SERIES(1, NAN), NAN);
    measure = windowed(measure, CAROM_NO_VALUE, 1);
    expect_number(&measure, SERIES(1, 2, 7), 2);
}

static void extremes_include_the_start_and_pass_over_nan(void **state)
{
    (void)state;
    carom_measure maximum = of_column(&carom_reduce_maximum), minimum = of_column(&carom_reduce_minimum);
    expect_number(&maximum, SERIES(9, 2, 7), 9);
    expect_number(&minimum, SERIES(-9, 2, 7), -9);
    expect_number(&maximum, SERIES(NAN, -5, -3, NAN, -4), -3);
    expect_number(&minimum, SERIES(NAN, 5, 3, NAN, 4), 3);
    expect_nothing(&maximum, SERIES(NAN, NAN));
    maximum = windowed(maximum, 1, 2);
    expect_number(&maximum, SERIES(9, 2, 3, 8), 3);
}

static void means_leave_out_the_start(void **state)
{
    (void)state;
    carom_measure mean = of_column(&carom_reduce_mean), rms = of_column(&carom_reduce_rms);
    expect_number(&mean, SERIES(1000, 1, 2, 6), 3);
    expect_number(&rms, SERIES(1000, 1, 7, -5, 5), 5);
    expect_number(&mean, SERIES(NAN, 4), 4);
    expect_number(&mean, SERIES(0, 4, NAN), NAN);
    expect_nothing(&mean, SERIES(3));
    expect_nothing(&rms, SERIES(3));
    mean = windowed(mean, 0, 2);
    expect_number(&mean, SERIES(1000, 1, 2, 6), 1.5);
    rms = windowed(rms, 2, CAROM_NO_VALUE);
    expect_number(&rms, SERIES(1000, 50, 1, 7), 5);
    mean = windowed(mean, 40, 50);
    expect_nothing(&mean, SERIES(1, 2));
}

static void windows_forgive_rounding_of_times(void **state)
{
    (void)state;
    carom_measure maximum = of_column(&carom_reduce_maximum);
    carom_measure nearly = windowed(maximum, NEARLY_HALF, CAROM_NO_VALUE);
    carom_measure more = windowed(maximum, MORE_THAN_HALF, CAROM_NO_VALUE);
    expect_number(&nearly, SERIES(9, 5, 1), 5);
    expect_number(&more, SERIES(9, 5, 1), 1);
}

static void values_at_multiples_of_an_interval(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_at);
    measure.every = 2; /* 1.0: every second output */
    expect_array(&measure, SERIES(0, 1, 2, 3, 4, 5, 6), ARRAY(2, 4, 6));
    expect_array(&measure, SERIES(0, 1, 2, 3, 4, 5), ARRAY(2, 4));
    measure.every = 3; /* 1.5 */
    expect_array(&measure, SERIES(0, 1, 2, 3, 4, 5, 6), ARRAY(3, 6));
    carom_measure part = windowed(measure, 4, CAROM_NO_VALUE);
    expect_array(&part, SERIES(0, 1, 2, 3, 4, 5, 6), ARRAY(6));
}

static void a_run_that_stopped_early_has_fewer_multiples(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_at);
    measure.every = 2;
    carom_measured measured;
    assert_int_equal(reduce_to(100.0, &measure, SERIES(0, 1, 2, 3, 4, 5), &measured), CAROM_OK);
    assert_int_equal(measured.count, 2);
    assert_true(measured.value[0] == 2.0 && measured.value[1] == 4.0);
    free(measured.value);
    /* the asked time 2.0 is a whole step after the last output: no step came near it */
    measure.every = 4;
    assert_int_equal(reduce_to(2.0, &measure, SERIES(0, 1, 2, 3), &measured), CAROM_OK);
    assert_int_equal(measured.count, 0);
    free(measured.value);
}

static void values_at_listed_times_keep_their_places(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_at);
    measure.time_count = 4;
    measure.time = (carom_value[]){6, 0, 20, 1};
    /* after the last output there is no value */
    expect_array(&measure, SERIES(10, 11, 12, 13, 14, 15, 16, 17), ARRAY(16, 10, NAN, 11));
}

static void intervals_that_make_no_sense_are_refused(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_at);
    measure.every = 0; /* 0.0 */
    carom_measured measured;
    assert_int_equal(reduce_to(1.0, &measure, SERIES(0, 1), &measured), CAROM_BAD_INPUT);
    measure.every = 1;
    assert_int_equal(reduce_to(1e12, &measure, SERIES(0, 1), &measured), CAROM_BAD_INPUT);
    measure = windowed(of_column(&carom_reduce_mean), 5, 4);
    assert_int_equal(reduce_to(1.0, &measure, SERIES(0, 1), &measured), CAROM_BAD_INPUT);
}

static void crossings_are_interpolated(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_crossings);
    expect_array(&measure, SERIES(-1, 3, 1, -1), ARRAY(0.125, 1.25));
    expect_array(&measure, SERIES(1, 2, 3), 0, NULL);
    carom_measure part = windowed(measure, 1, CAROM_NO_VALUE); /* from 0.5 */
    expect_array(&part, SERIES(-1, 3, 1, -1), ARRAY(1.25));
    /* the window is on the time of the crossing, not of the outputs beside it */
    part = windowed(measure, CAROM_NO_VALUE, 2); /* to 1.0 */
    expect_array(&part, SERIES(-1, 3, 1, -1), ARRAY(0.125));
}

static void an_exact_zero_crosses_once(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_crossings);
    expect_array(&measure, SERIES(-1, 0, 1), ARRAY(0.5));
    expect_array(&measure, SERIES(-1, 0, 0, 0, 1, -1), ARRAY(0.5, 2.25));
    expect_array(&measure, SERIES(0, 1, -1), ARRAY(0.75));
    expect_array(&measure, SERIES(0, 0, 1), 0, NULL);
    expect_array(&measure, SERIES(1, NAN, -1, 1), ARRAY(1.25));
}

static void peaks_are_interior_maxima(void **state)
{
    (void)state;
    carom_measure measure = of_column(&carom_reduce_peaks);
    expect_array(&measure, SERIES(5, 1, 3, 2, 4, 0, 9), ARRAY(3, 4));
    expect_array(&measure, SERIES(0, 2, 2, 2, 1), ARRAY(2));
    expect_array(&measure, SERIES(2, 2, 1, 0), 0, NULL);
    expect_array(&measure, SERIES(0, 1, 2, 3), 0, NULL);
    carom_measure part = windowed(measure, 3, CAROM_NO_VALUE);
    expect_array(&part, SERIES(5, 1, 3, 2, 4, 0, 9), ARRAY(4));
}

static void angles_are_unwrapped_before_reduction(void **state)
{
    (void)state;
    outputs angle = SERIES(3, -3, -1, 1, 3, -3, 3);
    carom_measure measure = of_column(&carom_reduce_maximum);
    expect_number(&measure, angle, 3);
    measure.unwrap = true;
    expect_number(&measure, angle, 4 * pi - 3);
    measure.ops = &carom_reduce_final;
    expect_number(&measure, angle, 2 * pi + 3);
    expect_number(&measure, SERIES(0, 30), 30 - 10 * pi);
    expect_number(&measure, SERIES(3, NAN, -3), 2 * pi - 3);
    expect_number(&measure, SERIES(0, 3.1), 3.1);
    measure.ops = &carom_reduce_crossings;
    expect_array(&measure, SERIES(3, -3, 3), 0, NULL);
    measure.ops = &carom_reduce_mean;
    expect_number(&measure, SERIES(3, -3, -2), 2 * pi - 2.5);
}

static const int floor_regime[] = {0, 1, 2, 0, 0, 2, 0};
static const int wall_regime[] = {1, 0, 1, 1, 0, 2, 2};
static const outputs contacts = {.count = 7, .regime = {floor_regime, wall_regime}};

static void event_times_of_one_contact(void **state)
{
    (void)state;
    carom_measure measure = of_events(&carom_reduce_times, CAROM_EVENT_IMPACT, 0);
    expect_array(&measure, contacts, ARRAY(0.5, 2.5));
    measure.event = CAROM_EVENT_CONTACT;
    expect_array(&measure, contacts, ARRAY(0.5, 1, 2.5));
    measure.event = CAROM_EVENT_STICK;
    expect_array(&measure, contacts, ARRAY(1, 2.5));
    measure.event = CAROM_EVENT_RELEASE;
    expect_array(&measure, contacts, ARRAY(1.5, 3));
    /* a contact that carries an impulse at the start has no impact there, but a release after it */
    measure.contact = 1;
    expect_array(&measure, contacts, ARRAY(0.5, 2));
    measure.event = CAROM_EVENT_IMPACT;
    expect_array(&measure, contacts, ARRAY(1, 2.5));
}

/* Several impacts between two outputs, which show none of them or one; the last in a step that failed. */
static void impacts_are_those_that_were_located(void **state)
{
    (void)state;
    const carom_event event[] = {
        {.t = 0.1, .kind = CAROM_EVENT_IMPACT, .contact = 1},
        {.t = 0.2, .kind = CAROM_EVENT_IMPACT, .contact = 0},
        {.t = 0.25, .kind = CAROM_EVENT_STOP, .contact = 0},
        {.t = 0.3, .kind = CAROM_EVENT_IMPACT, .contact = 1},
        {.t = 1.2, .kind = CAROM_EVENT_RELEASE, .contact = 0},
        {.t = 1.3, .kind = CAROM_EVENT_IMPACT, .contact = 0},
        {.t = 1.31, .kind = CAROM_EVENT_IMPACT, .contact = 0},
        {.t = 1.32, .kind = CAROM_EVENT_IMPACT, .contact = 0},
        {.t = 3.25, .kind = CAROM_EVENT_IMPACT, .contact = 0},
    };
    const double column[7] = {-1, -1, -1, -1, -1, -1, -1};
    const outputs located = {.count = 7,
                             .column = column,
                             .regime = {floor_regime, wall_regime},
                             .event_count = sizeof event / sizeof *event,
                             .event = event};
    carom_measure measure = of_events(&carom_reduce_times, CAROM_EVENT_IMPACT, 0);
    expect_array(&measure, located, ARRAY(0.2, 1.3, 1.31, 1.32, 3.25));
    measure = of_events(&carom_reduce_count, CAROM_EVENT_IMPACT, -1);
    expect_number(&measure, located, 7);
    measure = of_events(&carom_reduce_steps, CAROM_EVENT_IMPACT, -1);
    expect_number(&measure, located, 3);
    measure = of_events(&carom_reduce_first, CAROM_EVENT_IMPACT, -1);
    expect_number(&measure, located, 0.1);
    measure = of_events(&carom_reduce_last, CAROM_EVENT_IMPACT, -1);
    expect_number(&measure, located, 3.25);
    measure = of_events(&carom_reduce_times, CAROM_EVENT_RELEASE, -1);
    expect_array(&measure, located, ARRAY(1.2));
    measure = of_events(&carom_reduce_at_first, CAROM_EVENT_IMPACT, 0); /* at the impact, not at an output */
    measure.column = 1;
    expect_number(&measure, located, 20);
    measure = of_events(&carom_reduce_times, CAROM_EVENT_IMPACT, 0); /* a window is one of events */
    measure.from = 0;
    measure.to = 1;
    expect_array(&measure, located, ARRAY(0.2));
}

static void events_that_follow_each_other_are_one_episode(void **state)
{
    (void)state;
    const carom_event event[] = {
        {.t = 0.1, .kind = CAROM_EVENT_IMPACT}, {.t = 0.5, .kind = CAROM_EVENT_IMPACT},
        {.t = 1.2, .kind = CAROM_EVENT_IMPACT}, {.t = 2.2, .kind = CAROM_EVENT_IMPACT}, /* just apart */
        {.t = 2.9, .kind = CAROM_EVENT_IMPACT},
    };
    const double column[7] = {0};
    const outputs located = {.count = 7,
                             .column = column,
                             .regime = {floor_regime, wall_regime},
                             .event_count = sizeof event / sizeof *event,
                             .event = event};
    carom_measure measure = of_events(&carom_reduce_episodes, CAROM_EVENT_IMPACT, 0);
    measure.argument[0] = 2; /* a time of 1 */
    expect_number(&measure, located, 2);
    measure.ops = &carom_reduce_episode_times;
    expect_array(&measure, located, ARRAY(0.1, 2.2));
    expect_array(&measure, contacts, ARRAY(0.5, 2.5)); /* from output to output */
    const outputs quiet = {.count = 7};
    measure.ops = &carom_reduce_episodes;
    expect_number(&measure, quiet, 0);
}

static void events_of_all_contacts_count_each(void **state)
{
    (void)state;
    carom_measure measure = of_events(&carom_reduce_times, CAROM_EVENT_IMPACT, -1);
    expect_array(&measure, contacts, ARRAY(0.5, 1, 2.5, 2.5));
    measure.ops = &carom_reduce_count;
    expect_number(&measure, contacts, 4);
    measure = windowed(measure, 2, 4);
    expect_number(&measure, contacts, 1);
    measure = windowed(measure, 6, 6);
    expect_number(&measure, contacts, 0);
}

static void first_and_last_event(void **state)
{
    (void)state;
    carom_measure first = of_events(&carom_reduce_first, CAROM_EVENT_IMPACT, -1);
    carom_measure last = of_events(&carom_reduce_last, CAROM_EVENT_RELEASE, -1);
    expect_number(&first, contacts, 0.5);
    expect_number(&last, contacts, 3);
    first = windowed(first, 2, CAROM_NO_VALUE);
    expect_number(&first, contacts, 1);
    outputs quiet = {.count = 7};
    expect_nothing(&first, quiet);
    expect_nothing(&last, quiet);
}

static void fraction_of_the_steps(void **state)
{
    (void)state;
    carom_measure measure = of_events(&carom_reduce_fraction, CAROM_EVENT_CONTACT, 0);
    expect_number(&measure, contacts, 3.0 / 6.0);
    measure.event = CAROM_EVENT_STICK;
    measure.contact = 1;
    expect_number(&measure, contacts, 2.0 / 6.0);
    measure.contact = -1;
    expect_number(&measure, contacts, 3.0 / 6.0);
    measure = windowed(measure, 5, 6);
    expect_number(&measure, contacts, 1.0);
    expect_nothing(&measure, (outputs){.count = 1});
}

/* Outputs, not contacts, are counted: at t = 2.5 both contacts have an impact. */
static void outputs_with_an_event(void **state)
{
    (void)state;
    carom_measure measure = of_events(&carom_reduce_steps, CAROM_EVENT_IMPACT, -1);
    expect_number(&measure, contacts, 3);
    measure.ops = &carom_reduce_first_step; /* step i leads from output i to output i + 1 */
    expect_number(&measure, contacts, 0);
    measure = windowed(measure, 3, CAROM_NO_VALUE);
    expect_number(&measure, contacts, 4);
    outputs quiet = {.count = 7};
    expect_nothing(&measure, quiet);
    measure.ops = &carom_reduce_steps;
    expect_number(&measure, quiet, 0);
}

static void value_at_the_first_event(void **state)
{
    (void)state;
    static const double column[] = {9, 8, 7, 6, 5, 4, 3};
    outputs given = contacts;
    given.column = column;
    carom_measure measure = of_events(&carom_reduce_at_first, CAROM_EVENT_IMPACT, -1);
    measure.column = 1;
    expect_number(&measure, given, 8);
    measure = windowed(measure, 3, CAROM_NO_VALUE);
    expect_number(&measure, given, 4);
    expect_nothing(&measure, (outputs){.count = 7, .column = column});
}

static void total_sums_over_the_steps(void **state)
{
    (void)state;
    static const double column[] = {100, 1, 2, 4, 8};
    const outputs given = {.count = 5, .column = column};
    carom_measure measure = {.ops = &carom_reduce_total,
                             .column = 1,
                             .contact = -1,
                             .from = CAROM_NO_VALUE,
                             .to = CAROM_NO_VALUE,
                             .every = CAROM_NO_VALUE};
    expect_number(&measure, given, 15);
    measure = windowed(measure, 2, 3);
    expect_number(&measure, given, 6);
}

static void long_arrays_grow(void **state)
{
    (void)state;
    enum {
        COUNT = 5001
    };
    double *zigzag = carom_new_array(COUNT, sizeof *zigzag);
    for (int i = 0; i < COUNT; i++)
        zigzag[i] = i % 2 ? i : 0;
    carom_measure measure = of_column(&carom_reduce_peaks);
    carom_measured measured = reduce(&measure, (outputs){.count = COUNT, .column = zigzag});
    assert_int_equal(measured.count, COUNT / 2);
    for (int i = 0; i < measured.count; i++)
        assert_true(measured.value[i] == 2.0 * i + 1.0);
    free(measured.value);
    free(zigzag);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(final_is_the_last_value_of_the_window),
        cmocka_unit_test(extremes_include_the_start_and_pass_over_nan),
        cmocka_unit_test(means_leave_out_the_start),
        cmocka_unit_test(windows_forgive_rounding_of_times),
        cmocka_unit_test(values_at_multiples_of_an_interval),
        cmocka_unit_test(a_run_that_stopped_early_has_fewer_multiples),
        cmocka_unit_test(values_at_listed_times_keep_their_places),
        cmocka_unit_test(intervals_that_make_no_sense_are_refused),
        cmocka_unit_test(crossings_are_interpolated),
        cmocka_unit_test(an_exact_zero_crosses_once),
        cmocka_unit_test(peaks_are_interior_maxima),
        cmocka_unit_test(angles_are_unwrapped_before_reduction),
        cmocka_unit_test(event_times_of_one_contact),
        cmocka_unit_test(impacts_are_those_that_were_located),
        cmocka_unit_test(events_that_follow_each_other_are_one_episode),
        cmocka_unit_test(events_of_all_contacts_count_each),
        cmocka_unit_test(first_and_last_event),
        cmocka_unit_test(fraction_of_the_steps),
        cmocka_unit_test(outputs_with_an_event),
        cmocka_unit_test(value_at_the_first_event),
        cmocka_unit_test(total_sums_over_the_steps),
        cmocka_unit_test(long_arrays_grow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
