/* Work on several ranks by itself: every piece is computed once and every answer is taken once, whatever else happens.
 *
 *   mpirun -n N ranks_work CASE     prints what rank 0 found; other ranks print nothing */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "carom/mpi.h"
#include "letter.h"

enum {
    PIECES = 500,
    LONG = 3 << 20 /* bytes: far more than what MPI sends at once */
};

typedef struct trial {
    const char *name;
    int rank;
    int phase;
    int taken[PIECES];
    int answers, strangers; /* answers of other ranks */
    long wrong;
    int entered, left; /* threads of this rank */
} trial;

static bool is(const trial *self, const char *name)
{
    return strcmp(self->name, name) == 0;
}

static double value_of(int phase, int piece)
{
    return 1000.0 * phase + 0.5 * piece;
}

static carom_status enter(void *context, void **room, carom_error *error)
{
    trial *self = context;
#pragma omp atomic
    self->entered++;
    *room = calloc(1, sizeof(long));
    return *room ? CAROM_OK : carom_fail_memory(error);
}

static void leave(void *context, void *room)
{
    trial *self = context;
#pragma omp atomic
    self->left++;
    free(room);
}

static void brief(void *context, int piece, carom_snapshot *snapshot)
{
    const trial *self = context;
    double value = value_of(self->phase, piece);
    carom_snapshot_block(snapshot, &value, sizeof value);
}

static bool wants(void *context, int piece)
{
    const trial *self = context;
    return is(self, "nothing") ? false : is(self, "some") ? piece % 3 == 0 : true;
}

static void wait_a_little(double seconds)
{
    const struct timespec pause = {.tv_nsec = (long)(1e9 * seconds)};
    nanosleep(&pause, NULL);
}

/* The brief comes back, as two answers where the piece is odd, with a long tail where that is asked for. */
static carom_status compute(void *context, void *room, carom_snapshot *given, const carom_worker *worker,
                            carom_error *error)
{
    const trial *self = context;
    double value = 0.0;
    *(long *)room += 1;
    carom_snapshot_block(given, &value, sizeof value);
    if (is(self, "piece-fails") && worker->piece == 123)
        return carom_fail(error, CAROM_FAILED, "piece 123 cannot be computed");
    if (is(self, "rank-fails") && self->rank == 1)
        return carom_fail(error, CAROM_BAD_INPUT, "this rank computes nothing");
    if (is(self, "stops") && worker->piece == 400)
        while (worker->goes_on(worker))
            wait_a_little(0.001);
    if (is(self, "stops") && !worker->goes_on(worker))
        return carom_fail(error, CAROM_INTERRUPTED, "interrupted");
    if (worker->piece % 4 == 0)
        wait_a_little(0.01);
    const int parts = 1 + worker->piece % 2;
    carom_status status = given->failed ? carom_fail(error, CAROM_FAILED, "no brief") : CAROM_OK;
    for (int part = 0; status == CAROM_OK && part < parts; part++) {
        carom_snapshot answer = {0};
        int rank = self->rank;
        carom_snapshot_block(&answer, &rank, sizeof rank);
        carom_snapshot_block(&answer, &part, sizeof part);
        carom_snapshot_block(&answer, &value, sizeof value);
        if (is(self, "long")) {
            unsigned char *tail = calloc(LONG, 1);
            if (tail) {
                memset(tail, worker->piece, LONG);
                carom_snapshot_block(&answer, tail, LONG);
            }
            free(tail);
        }
        status = worker->answer(worker, &answer, error);
    }
    return status;
}

static bool tail_is_right(carom_snapshot *answer, int piece)
{
    unsigned char *tail = calloc(LONG, 1);
    bool right = tail;
    if (tail)
        carom_snapshot_block(answer, tail, LONG);
    for (int i = 0; right && i < LONG; i++)
        right = tail[i] == (unsigned char)piece;
    free(tail);
    return right && !answer->failed;
}

static carom_status take(void *context, int piece, carom_snapshot *answer, carom_error *error)
{
    trial *self = context;
    int rank = -1, part = -1;
    double value = 0.0;
    carom_snapshot_block(answer, &rank, sizeof rank);
    carom_snapshot_block(answer, &part, sizeof part);
    carom_snapshot_block(answer, &value, sizeof value);
    self->wrong += answer->failed || value != value_of(self->phase, piece) || self->taken[piece] != part;
    self->wrong += is(self, "long") && !tail_is_right(answer, piece);
    self->taken[piece]++;
    self->answers++;
    self->strangers += rank != 0;
    if (is(self, "take-fails") && self->answers == 200)
        return carom_fail(error, CAROM_IO_ERROR, "the disk is full");
    return CAROM_OK;
}

static bool goes_on(void *context)
{
    const trial *self = context;
    return !is(self, "stops") || self->answers < 300;
}

static void print_result(trial *self, carom_status status, const carom_error *error)
{
    int complete = 0, twice = 0;
    for (int i = 0; i < PIECES; i++) {
        const int parts = 1 + i % 2;
        complete += self->taken[i] == parts;
        twice += self->taken[i] > parts;
    }
    printf("status %s, complete %d, too often %d, wrong %ld, others %s, threads %s%s%s\n",
           carom_status_word(status), complete, twice, self->wrong, self->strangers > 0 ? "helped" : "idle",
           self->entered == self->left ? "left" : "stay", status == CAROM_OK ? "" : ": ",
           status == CAROM_OK ? "" : error->text);
    memset(self->taken, 0, sizeof self->taken);
}

int main(int argc, char **argv)
{
    int level, ranks;
    carom_error error = {0};
    carom_workers *workers = NULL;
    trial self = {.name = argc > 1 ? argv[1] : "all"};
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &self.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (carom_mpi_workers_create(MPI_COMM_WORLD, &workers, &error) != CAROM_OK)
        MPI_Abort(MPI_COMM_WORLD, 2);
    const carom_work work = {.context = &self,
                             .count = is(&self, "long") ? 40 : PIECES,
                             .threads = is(&self, "threads") ? 3 : 1,
                             .enter = enter,
                             .leave = leave,
                             .compute = compute,
                             .wants = wants,
                             .brief = brief,
                             .take = take,
                             .goes_on = goes_on};
    /* The followers stay for all phases. */
    const int phases = is(&self, "phases") && !workers->follows ? 3 : 1;
    for (self.phase = 0; self.phase < phases; self.phase++) {
        const carom_status status = carom_work_run(&work, workers, &error);
        if (!workers->follows)
            print_result(&self, status, &error);
    }
    carom_mpi_workers_free(workers);
    MPI_Finalize();
    return 0;
}
