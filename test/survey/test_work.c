/* Work in pieces on threads of this process: every wanted piece once, answers one at a time, failures and stops. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "carom/survey/work.h"

enum {
    PIECES = 400
};

typedef struct trial {
    int taken[PIECES], sum, inside;
    int entered, left;
    int only_every, fails_at, refuses_at, stops_after;
    bool enter_fails;
} trial;

static carom_status enter(void *context, void **room, carom_error *error)
{
    trial *self = context;
#pragma omp atomic
    self->entered++;
    *room = self->enter_fails ? NULL : calloc(1, sizeof(int));
    return *room ? CAROM_OK : carom_fail(error, CAROM_FAILED, "no room");
}

static void leave(void *context, void *room)
{
    trial *self = context;
#pragma omp atomic
    self->left++;
    free(room);
}

static bool wants(void *context, int piece)
{
    const trial *self = context;
    return self->only_every == 0 || piece % self->only_every == 0;
}

static void brief(void *context, int piece, carom_snapshot *snapshot)
{
    (void)context;
    int twice = 2 * piece;
    carom_snapshot_block(snapshot, &twice, sizeof twice);
}

/* Answers its brief, once and a half times. */
static carom_status compute(void *context, void *room, carom_snapshot *given, const carom_worker *worker,
                            carom_error *error)
{
    const trial *self = context;
    int value = -1;
    *(int *)room += 1;
    carom_snapshot_block(given, &value, sizeof value);
    if (worker->piece == self->fails_at)
        return carom_fail(error, CAROM_FAILED, "piece %d fails", worker->piece);
    if (!worker->goes_on(worker))
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i <= worker->piece % 2; i++) {
        carom_snapshot answer = {0};
        carom_snapshot_block(&answer, &value, sizeof value);
        status = worker->answer(worker, &answer, error);
        assert_null(answer.bytes);
    }
    return status;
}

static carom_status take(void *context, int piece, carom_snapshot *answer, carom_error *error)
{
    trial *self = context;
    int value = -1;
    assert_int_equal(self->inside++, 0); /* one at a time */
    carom_snapshot_block(answer, &value, sizeof value);
    assert_int_equal(value, 2 * piece);
    self->taken[piece]++;
    self->sum++;
    self->inside--;
    return piece == self->refuses_at ? carom_fail(error, CAROM_IO_ERROR, "the disk is full") : CAROM_OK;
}

static bool goes_on(void *context)
{
    const trial *self = context;
    return self->stops_after == 0 || self->sum < self->stops_after;
}

static carom_work work_of(trial *self, int threads)
{
    return (carom_work){self, PIECES, threads, enter, leave, compute, wants, brief, take, goes_on};
}

static void every_piece_once(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 4; threads++)
        for (int every = 0; every <= 3; every += 3) {
            trial self = {.only_every = every, .fails_at = -1, .refuses_at = -1};
            const carom_work work = work_of(&self, threads);
            carom_error error = {0};
            assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_OK);
            for (int i = 0; i < PIECES; i++)
                assert_int_equal(self.taken[i], every == 0 || i % every == 0 ? 1 + i % 2 : 0);
            assert_int_equal(self.entered, self.left);
            assert_true(self.entered >= 1 && self.entered <= threads);
        }
}

/* The text of what failed, whoever computed it; no answer is taken after one that was refused. */
static void failures(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        carom_error error = {0};
        trial piece = {.fails_at = 37, .refuses_at = -1};
        carom_work work = work_of(&piece, threads);
        assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_FAILED);
        assert_string_equal(error.text, "piece 37 fails");
        assert_int_equal(piece.taken[37], 0);
        trial taker = {.fails_at = -1, .refuses_at = 20};
        work = work_of(&taker, threads);
        assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_IO_ERROR);
        assert_string_equal(error.text, "the disk is full");
        assert_true(taker.sum < PIECES);
        trial room = {.fails_at = -1, .refuses_at = -1, .enter_fails = true};
        work = work_of(&room, threads);
        assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_FAILED);
        assert_string_equal(error.text, "no room");
        assert_int_equal(room.sum, 0);
        assert_int_equal(room.entered, room.left);
    }
}

static void interrupted(void **state)
{
    (void)state;
    for (int threads = 1; threads <= 3; threads += 2) {
        carom_error error = {0};
        trial self = {.fails_at = -1, .refuses_at = -1, .stops_after = 50};
        const carom_work work = work_of(&self, threads);
        assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_INTERRUPTED);
        assert_true(self.sum >= 50 && self.sum < 50 + 2 * threads);
    }
}

static void bad_numbers(void **state)
{
    (void)state;
    trial self = {.fails_at = -1, .refuses_at = -1};
    carom_error error = {0};
    for (int threads = 0; threads <= 257; threads += 257) {
        const carom_work work = work_of(&self, threads);
        assert_int_equal(carom_work_run(&work, NULL, &error), CAROM_BAD_INPUT);
    }
    assert_int_equal(carom_work_run(&(carom_work){0}, NULL, &error), CAROM_BAD_INPUT);
    int threads = 0;
    assert_int_equal(carom_work_threads(257, 10, NULL, &threads, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_work_threads(-1, 10, NULL, &threads, &error), CAROM_BAD_INPUT);
    assert_int_equal(carom_work_threads(8, 5, NULL, &threads, &error), CAROM_OK);
    assert_int_equal(threads, 5); /* no more than pieces */
    assert_int_equal(carom_work_threads(0, 100, &(carom_workers){.processes = 3}, &threads, &error),
                     CAROM_OK);
    assert_int_equal(threads, 1); /* processes share the cores */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_piece_once),
        cmocka_unit_test(failures),
        cmocka_unit_test(interrupted),
        cmocka_unit_test(bad_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
