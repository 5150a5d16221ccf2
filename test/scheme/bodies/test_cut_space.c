/* Space cut into parts: threads stand for processes, whose letters go through the memory they share. The motion does not depend on how
 * many there are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

enum {
    MOST = 4, /* processes */
    NUMBERS = 64
};

/* What each of them shows the others, between two barriers. */
typedef struct team {
    int count;
    pthread_barrier_t barrier;
    const double *number[MOST];
    const size_t *first[MOST], *length[MOST];
} team;

typedef struct process {
    team *team;
    int rank, most_gathered;
    const char *text;
    double *received;
    size_t width; /* of the last row */
    carom_run_result result;
    carom_status status;
    carom_error error;
} process;

static void show(process *self, const double *number, const size_t *first, const size_t *length)
{
    self->team->number[self->rank] = number;
    self->team->first[self->rank] = first;
    self->team->length[self->rank] = length;
    pthread_barrier_wait(&self->team->barrier);
}

static carom_status deliver(void *context, const double *number, const size_t *first, const size_t *length,
                            const double **received, size_t *start, carom_error *error)
{
    process *self = context;
    (void)error;
    show(self, number, first, length);
    start[0] = 0;
    for (int k = 0; k < self->team->count; k++)
        start[k + 1] = start[k] + self->team->length[k][self->rank];
    self->received = realloc(self->received, (start[self->team->count] + 1) * sizeof(double));
    for (int k = 0; k < self->team->count; k++)
        if (self->team->length[k][self->rank] > 0)
            memcpy(self->received + start[k], self->team->number[k] + self->team->first[k][self->rank],
                   self->team->length[k][self->rank] * sizeof(double));
    pthread_barrier_wait(&self->team->barrier);
    *received = self->received;
    return CAROM_OK;
}

static void swap(void *context, const double *number, double *received, const size_t *first,
                 const size_t *length)
{
    process *self = context;
    show(self, number, first, length);
    for (int k = 0; k < self->team->count; k++)
        if (length[k] > 0)
            memcpy(received + first[k], self->team->number[k] + self->team->first[k][self->rank],
                   length[k] * sizeof(double));
    pthread_barrier_wait(&self->team->barrier);
}

static void sum(void *context, int count, double *number, bool largest)
{
    process *self = context;
    double all[NUMBERS];
    show(self, number, NULL, NULL);
    for (int i = 0; i < count && i < NUMBERS; i++) {
        all[i] = self->team->number[0][i];
        for (int k = 1; k < self->team->count; k++)
            all[i] = largest ? fmax(all[i], self->team->number[k][i]) : all[i] + self->team->number[k][i];
    }
    pthread_barrier_wait(&self->team->barrier);
    memcpy(number, all, (size_t)count * sizeof *number);
}

static void *compute(void *context)
{
    process *self = context;
    const carom_sharing sharing = {.context = self,
                                   .rank = self->rank,
                                   .ranks = self->team->count,
                                   .cuts_space = true,
                                   .deliver = deliver,
                                   .swap = swap,
                                   .sum = sum,
                                   .most_gathered = self->most_gathered};
    carom_experiment *experiment = NULL;
    self->status = carom_experiment_load(&(carom_load_request){.file = "scene.lua", .text = self->text},
                                         &experiment, &self->error);
    if (self->status == CAROM_OK)
        self->status = carom_run(&(carom_run_request){.experiment = experiment, .sharing = &sharing},
                                 &self->result, &self->error);
    self->width = self->status == CAROM_OK ? (size_t)carom_row_layout_of(experiment).width : 0;
    carom_experiment_free(experiment);
    free(self->received);
    return NULL;
}

/* The scene by so many processes. */
static void run(const char *text, int count, int most_gathered, process *all)
{
    pthread_t thread[MOST];
    team own = {.count = count};
    assert_int_equal(pthread_barrier_init(&own.barrier, NULL, (unsigned)count), 0);
    for (int k = 0; k < count; k++) {
        all[k] = (process){.team = &own, .rank = k, .most_gathered = most_gathered, .text = text};
        assert_int_equal(pthread_create(&thread[k], NULL, compute, &all[k]), 0);
    }
    for (int k = 0; k < count; k++)
        pthread_join(thread[k], NULL);
    pthread_barrier_destroy(&own.barrier);
}

static void end(int count, process *all)
{
    for (int k = 0; k < count; k++)
        carom_run_result_free(&all[k].result);
}

/* All processes have the state of one, to `tolerance`; 0: to the last bit. */
static void expect_same(const char *text, int count, int most_gathered, double tolerance)
{
    process one[MOST], all[MOST];
    run(text, 1, 0, one);
    run(text, count, most_gathered, all);
    if (one[0].status != CAROM_OK || all[0].status != CAROM_OK)
        fail_msg("%s%s", one[0].error.text, all[0].error.text);
    const size_t width = one[0].width;
    bool differs = false; /* islands that are shared have other bits */
    for (int k = 0; k < count; k++) {
        assert_int_equal(all[k].status, CAROM_OK);
        assert_memory_equal(all[k].result.final, all[0].result.final, width * sizeof(double));
        for (size_t i = 0; i < width; i++) {
            differs = differs || all[k].result.final[i] != one[0].result.final[i];
            if (tolerance == 0.0)
                assert_true(all[k].result.final[i] == one[0].result.final[i]);
            else
                assert_near(all[k].result.final[i], one[0].result.final[i], tolerance);
        }
    }
    assert_int_equal(differs, tolerance > 0.0);
    end(1, one);
    end(count, all);
}

static const char bin[] =
    "world { gravity = { 0, -9.81 } } pair { friction = 0.4, restitution = 0.1 }\n"
    "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
    "fixed { 'left', shape = plane { normal = { 1, 0 }, offset = -0.6 } }\n"
    "for i = 0, 19 do body { 'd' .. i, shape = disc { 0.1 }, density = 1,\n"
    "  at = { -0.5 + 0.21 * (i % 5) + 0.02 * (i // 5), 0.11 + 0.21 * (i // 5) } } end\n"
    "body { 'big', shape = disc { 0.5 }, density = 0.5, at = { 0.1, 1.5 } }\n"
    "body { 'fast', shape = box { 0.2, 0.2 }, density = 3, at = { -0.5, 1.1 }, velocity = { 8, 0 } }\n"
    "integrate { scheme = 'moreau-jean', h = 4e-3, until_t = 0.2 }\n";

#define HEAP(more)                                                                                           \
    "world { gravity = { 0, 0, -9.81 } } pair { friction = 0.4, restitution = 0 }\n"                         \
    "fixed { 'floor', shape = plane { normal = { 0, 0, 1 }, offset = 0 } }\n"                                \
    "for i = 0, 35 do local z = i // 12\n"                                                                   \
    "  body { 's' .. i, shape = sphere { 0.05 }, density = 1000, at = { 0.1 * (i % 4) + 0.004 * z,\n"        \
    "    0.1 * (i // 4 % 3) + 0.003 * z, 0.0501 + 0.0999 * z } } end\n"                                      \
    "integrate { scheme = 'moreau-jean', h = 2e-3, until_t = 0.02" more " }\n"

static void islands_go_to_one_process(void **state)
{
    (void)state;
    for (int count = 2; count <= MOST; count++)
        expect_same(bin, count, 0, 0.0);
    expect_same(HEAP(""), 3, 0, 0.0);
}

static void islands_are_solved_together(void **state)
{
    (void)state;
    expect_same(HEAP(", projection = 'off', tolerance = 1e-11"), 2, 5, 1e-9);
    expect_same(HEAP(", projection = 'off', tolerance = 1e-11"), 4, 5, 1e-9);
}

static void failures_are_those_of_all(void **state)
{
    (void)state;
    process all[MOST];
    run("world { gravity = { 0, -9.81 } }\n"
        "for i = 1, 4 do body { 'd' .. i, shape = disc { i == 4 and 1 or 0.1 }, mass = 1, at = { i, 1 } } "
        "end\n"
        "integrate { scheme = 'moreau-jean', h = 1e-2, until_t = 0.1 }\n",
        3, 0, all);
    for (int k = 0; k < 3; k++) {
        assert_int_equal(all[k].status, CAROM_BAD_INPUT);
        assert_non_null(strstr(all[k].error.text, "overlap"));
    }
    end(3, all);
    run("world { gravity = { 0, -9.81 } }\n"
        "local a = body { 'a', shape = disc { 0.1 }, mass = 1, at = { 0, 1 } }\n"
        "local b = body { 'b', shape = disc { 0.1 }, mass = 1, at = { 1, 1 } }\n"
        "hinge { 'pin', a, b, at = { 0.5, 1 } }\n"
        "integrate { scheme = 'moreau-jean', h = 1e-2, until_t = 0.1 }\n",
        2, 0, all);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(all[k].status, CAROM_BAD_INPUT);
        assert_non_null(strstr(all[k].error.text, "this scene has joints"));
    }
    end(2, all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(islands_go_to_one_process),
        cmocka_unit_test(islands_are_solved_together),
        cmocka_unit_test(failures_are_those_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
