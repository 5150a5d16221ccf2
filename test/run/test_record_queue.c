/* Rows through a queue: all of them, in their order, in blocks and in pieces; failures are told; short runs need no thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <string.h>

#include "carom/run/record_queue.h"

enum {
    WIDTH = 3,
    MANY = 100000 /* some ten blocks */
};

typedef struct listener {
    long rows, fails_at, expected, calls; /* calls with several rows */
    bool in_order, in_own_thread;
    pthread_t run;
} listener;

static carom_status hear_row(void *context, const double *row, carom_error *error)
{
    listener *self = context;
    if (self->rows == self->fails_at)
        return carom_fail(error, CAROM_IO_ERROR, "row %ld is too much", self->rows);
    self->in_order = self->in_order && row[0] == (double)self->rows && row[2] == -2.0 * (double)self->rows;
    self->in_own_thread = self->in_own_thread || !pthread_equal(pthread_self(), self->run);
    self->rows++;
    return CAROM_OK;
}

static carom_status hear_rows(void *context, size_t count, const double *rows, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (size_t i = 0; status == CAROM_OK && i < count; i++)
        status = hear_row(context, rows + i * WIDTH, error);
    ((listener *)context)->calls++;
    return status;
}

static carom_status hear_count(void *context, size_t rows, carom_error *error)
{
    (void)error;
    ((listener *)context)->expected = (long)rows;
    return CAROM_OK;
}

static listener new_listener(long fails_at)
{
    return (listener){.fails_at = fails_at, .in_order = true, .run = pthread_self()};
}

/* The rows `first` to `end` - 1; the status of the last one that was given. */
static carom_status give_rows(carom_record_queue *queue, long first, long end, carom_error *error)
{
    const carom_recorder recorder = carom_record_queue_recorder(queue);
    carom_status status = CAROM_OK;
    for (long i = first; status == CAROM_OK && i < end; i++) {
        const double row[WIDTH] = {(double)i, 0.5, -2.0 * (double)i};
        status = recorder.row(recorder.context, row, error);
    }
    return status;
}

/* Every other listener takes several rows at once. */
static carom_record_queue *new_queue(int count, listener *listeners)
{
    carom_recorder recorder[4];
    for (int i = 0; i < count; i++)
        recorder[i] = (carom_recorder){.context = &listeners[i],
                                       .row = hear_row,
                                       .expect = hear_count,
                                       .rows = i % 2 == 1 ? hear_rows : NULL};
    carom_record_queue *queue = NULL;
    assert_int_equal(carom_record_queue_create(WIDTH, count, recorder, &queue, NULL), CAROM_OK);
    return queue;
}

static void test_all_rows_in_their_order(void **state)
{
    (void)state;
    listener listeners[2] = {new_listener(-1), new_listener(-1)};
    carom_record_queue *queue = new_queue(2, listeners);
    const carom_recorder recorder = carom_record_queue_recorder(queue);
    assert_int_equal(recorder.expect(recorder.context, MANY, NULL), CAROM_OK);
    for (long first = 0; first < MANY; first += MANY / 4) {
        assert_int_equal(give_rows(queue, first, first + MANY / 4, NULL), CAROM_OK);
        assert_int_equal(carom_record_queue_drain(queue, NULL), CAROM_OK);
        assert_int_equal(listeners[0].rows, first + MANY / 4);
    }
    carom_record_queue_free(queue);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(listeners[i].rows, MANY);
        assert_int_equal(listeners[i].expected, MANY);
        assert_true(listeners[i].in_order);
        assert_true(listeners[i].in_own_thread);
    }
    assert_int_equal(listeners[0].calls, 0);
    assert_in_range(listeners[1].calls, 4, MANY / 100);
}

static void test_short_runs_have_no_thread(void **state)
{
    (void)state;
    listener one = new_listener(-1);
    carom_record_queue *queue = new_queue(1, &one);
    assert_int_equal(give_rows(queue, 0, 100, NULL), CAROM_OK);
    carom_record_queue_free(queue); /* drains */
    assert_int_equal(one.rows, 100);
    assert_true(one.in_order);
    assert_false(one.in_own_thread);
}

static void test_failures_are_told(void **state)
{
    (void)state;
    const long fails_at[] = {0, 50, 30000};
    for (size_t i = 0; i < sizeof fails_at / sizeof *fails_at; i++) {
        listener listeners[2] = {new_listener(fails_at[i]), new_listener(-1)};
        carom_record_queue *queue = new_queue(2, listeners);
        carom_error error = {0};
        carom_status status = give_rows(queue, 0, fails_at[i] < 100 ? 100 : MANY, &error);
        if (status == CAROM_OK)
            status = carom_record_queue_drain(queue, &error);
        assert_int_equal(status, CAROM_IO_ERROR);
        assert_non_null(strstr(error.text, "is too much"));
        assert_int_equal(carom_record_queue_drain(queue, NULL), CAROM_IO_ERROR);
        carom_record_queue_free(queue);
        assert_int_equal(listeners[0].rows, fails_at[i]);
        assert_true(listeners[1].rows <= fails_at[i]); /* nothing after it, and not a part of its block */
        assert_true(fails_at[i] >= 100 ? listeners[1].rows > 0 : listeners[1].rows == 0);
    }
}

static void ignore_slopes(void *context, const double *rows)
{
    (void)context;
    (void)rows;
}

static void test_what_it_cannot_take(void **state)
{
    (void)state;
    carom_record_queue *queue = NULL;
    carom_error error = {0};
    const carom_recorder recorder = {.slopes = ignore_slopes};
    assert_int_equal(carom_record_queue_create(WIDTH, 1, &recorder, &queue, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "derivatives"));
    assert_int_equal(carom_record_queue_create(0, 0, NULL, &queue, &error), CAROM_BAD_INPUT);
    assert_null(queue);
    assert_int_equal(carom_record_queue_drain(NULL, NULL), CAROM_OK);
    carom_record_queue_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_rows_in_their_order),
        cmocka_unit_test(test_short_runs_have_no_thread),
        cmocka_unit_test(test_failures_are_told),
        cmocka_unit_test(test_what_it_cannot_take),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
