/* Rows on their way to recorders in another thread: blocks in a ring, filled by the run, emptied by the thread.
 *
 *        emptied here        filled here
 *             v                   v
 *   | free | waiting | waiting | under way |        one block is always under way
 *            '---- waiting ---'
 */
#include "carom/run/record_queue.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum {
    BLOCKS = 4,
    BLOCK_BYTES = 1 << 18, /* fits a cache */
    RECORDERS_MOST = 8,
    ROWS_PER_LOOK = 32 /* at the clock, at most */
};
static const double SECONDS_TO_WAIT = 0.2;

typedef struct row_block {
    double *rows;
    size_t count;
} row_block;

struct carom_record_queue {
    size_t width, room; /* numbers of a row, rows of a block */
    int count;
    carom_recorder recorder[RECORDERS_MOST];
    row_block block[BLOCKS];
    int fills;     /* the block under way, of the run alone */
    double handed; /* when the last block was handed on */
    bool has_thread;
    pthread_t thread;

    pthread_mutex_t lock; /* of what follows */
    pthread_cond_t changed;
    int waiting; /* blocks before the one under way */
    bool ends;
    carom_status status;
    carom_error error;
};

/* ---- rows from one core to the other ------------------------------------------------------------------------ */

/* Past the caches: a store to a line that the other core has read waits until it gives the line up, which takes as long as a short
 * step where the two share no cache. finish_sending comes before the rows are handed on. */
static void send_row(const double *row, size_t width, double *to)
{
#if defined __SSE2__ && defined __x86_64__
    for (size_t i = 0; i < width; i++) {
        long long bits;
        memcpy(&bits, &row[i], sizeof bits);
        _mm_stream_si64((long long *)(void *)&to[i], bits);
    }
#else
    memcpy(to, row, width * sizeof *row);
#endif
}

static void finish_sending(void)
{
#ifdef __SSE2__
    _mm_sfence();
#endif
}

/* ---- handing on ----------------------------------------------------------------------------------------- */

static carom_status hand_rows(const carom_recorder *recorder, const row_block *block, size_t width,
                              carom_error *error)
{
    if (recorder->rows)
        return recorder->rows(recorder->context, block->count, block->rows, error);
    carom_status status = CAROM_OK;
    for (size_t r = 0; recorder->row && status == CAROM_OK && r < block->count; r++)
        status = recorder->row(recorder->context, block->rows + r * width, error);
    return status;
}

/* By one thread at a time. */
static carom_status hand_block(const carom_record_queue *queue, const row_block *block, carom_error *error)
{
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < queue->count; i++)
        status = hand_rows(&queue->recorder[i], block, queue->width, error);
    return status;
}

static int oldest(const carom_record_queue *queue)
{
    return (queue->fills + BLOCKS - queue->waiting) % BLOCKS;
}

static void *empty_blocks(void *context)
{
    carom_record_queue *queue = context;
    pthread_mutex_lock(&queue->lock);
    for (;;) {
        while (queue->waiting == 0 && !queue->ends)
            pthread_cond_wait(&queue->changed, &queue->lock);
        if (queue->waiting == 0)
            break;
        const row_block *block = &queue->block[oldest(queue)];
        if (queue->status == CAROM_OK) {
            carom_error error = {0};
            pthread_mutex_unlock(&queue->lock);
            const carom_status status = hand_block(queue, block, &error);
            pthread_mutex_lock(&queue->lock);
            queue->status = status;
            if (status != CAROM_OK)
                queue->error = error;
        }
        queue->waiting--;
        pthread_cond_broadcast(&queue->changed);
    }
    pthread_mutex_unlock(&queue->lock);
    return NULL;
}

/* Signals that ask the program to stop are for the thread of the run. Without a thread all goes on as well. */
static void begin_thread(carom_record_queue *queue)
{
    sigset_t asks, before;
    sigemptyset(&asks);
    sigaddset(&asks, SIGINT);
    sigaddset(&asks, SIGTERM);
    const bool masked = pthread_sigmask(SIG_BLOCK, &asks, &before) == 0;
    queue->has_thread = pthread_create(&queue->thread, NULL, empty_blocks, queue) == 0;
    if (masked)
        pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static carom_status outcome(const carom_record_queue *queue, carom_error *error)
{
    if (queue->status != CAROM_OK && error)
        *error = queue->error;
    return queue->status;
}

/* The block under way to the thread, which others follow; without one the rows are handed on at once. */
static carom_status pass_block(carom_record_queue *queue, carom_error *error)
{
    row_block *block = &queue->block[queue->fills];
    queue->handed = carom_seconds();
    if (!queue->has_thread) {
        if (queue->status == CAROM_OK)
            queue->status = hand_block(queue, block, &queue->error);
        block->count = 0;
        return outcome(queue, error);
    }
    finish_sending();
    pthread_mutex_lock(&queue->lock);
    queue->waiting++;
    queue->fills = (queue->fills + 1) % BLOCKS;
    pthread_cond_broadcast(&queue->changed);
    while (queue->waiting == BLOCKS)
        pthread_cond_wait(&queue->changed, &queue->lock);
    const carom_status status = outcome(queue, error);
    pthread_mutex_unlock(&queue->lock);
    queue->block[queue->fills].count = 0;
    return status;
}

/* Looks at the clock after 1, 2, 4, ... rows of a block, so that steps may take microseconds or minutes. */
static bool waited_long(const carom_record_queue *queue, size_t rows)
{
    const bool looks = rows % ROWS_PER_LOOK == 0 || (rows < ROWS_PER_LOOK && (rows & (rows - 1)) == 0);
    return looks && carom_seconds() - queue->handed > SECONDS_TO_WAIT;
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    carom_record_queue *queue = context;
    row_block *block = &queue->block[queue->fills];
    double *place = block->rows + block->count * queue->width;
    if (queue->has_thread)
        send_row(row, queue->width, place);
    else
        memcpy(place, row, queue->width * sizeof *row);
    const bool whole = ++block->count == queue->room;
    if (!whole && !waited_long(queue, block->count))
        return CAROM_OK;
    if (whole && !queue->has_thread)
        begin_thread(queue);
    return pass_block(queue, error);
}

static carom_status expect_rows(void *context, size_t rows, carom_error *error)
{
    const carom_record_queue *queue = context;
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < queue->count; i++)
        if (queue->recorder[i].expect)
            status = queue->recorder[i].expect(queue->recorder[i].context, rows, error);
    return status;
}

/* ---- life ----------------------------------------------------------------------------------------------- */

carom_status carom_record_queue_create(int width, int count, const carom_recorder *recorder,
                                       carom_record_queue **queue, carom_error *error)
{
    *queue = NULL;
    if (width < 1 || count < 0 || count > RECORDERS_MOST)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a queue of rows takes rows of 1 number and more, and up to %d recorders; "
                          "%d numbers and %d recorders are given",
                          RECORDERS_MOST, width, count);
    for (int i = 0; i < count; i++)
        if (recorder[i].slopes || recorder[i].points)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "a queue of rows hands on rows alone; recorder %d wants %s, too", i + 1,
                              recorder[i].slopes ? "derivatives" : "points where bodies touch");
    carom_record_queue *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    made->width = (size_t)width;
    made->room = BLOCK_BYTES / (made->width * sizeof(double));
    made->room = made->room > 0 ? made->room : 1;
    made->count = count;
    for (int i = 0; i < count; i++)
        made->recorder[i] = recorder[i];
    made->block[0].rows = carom_new_array(carom_product(BLOCKS * made->room, made->width), sizeof(double));
    if (!made->block[0].rows) {
        free(made);
        return carom_fail_memory(error);
    }
    for (int i = 1; i < BLOCKS; i++)
        made->block[i].rows = made->block[i - 1].rows + made->room * made->width;
    pthread_mutex_init(&made->lock, NULL);
    pthread_cond_init(&made->changed, NULL);
    made->handed = carom_seconds();
    *queue = made;
    return CAROM_OK;
}

carom_recorder carom_record_queue_recorder(carom_record_queue *queue)
{
    return (carom_recorder){.context = queue, .row = take_row, .expect = expect_rows};
}

carom_status carom_record_queue_drain(carom_record_queue *queue, carom_error *error)
{
    if (!queue)
        return CAROM_OK;
    if (queue->block[queue->fills].count > 0)
        pass_block(queue, NULL);
    pthread_mutex_lock(&queue->lock);
    while (queue->waiting > 0)
        pthread_cond_wait(&queue->changed, &queue->lock);
    const carom_status status = outcome(queue, error);
    pthread_mutex_unlock(&queue->lock);
    return status;
}

void carom_record_queue_free(carom_record_queue *queue)
{
    if (!queue)
        return;
    carom_record_queue_drain(queue, NULL);
    if (queue->has_thread) {
        pthread_mutex_lock(&queue->lock);
        queue->ends = true;
        pthread_cond_broadcast(&queue->changed);
        pthread_mutex_unlock(&queue->lock);
        pthread_join(queue->thread, NULL);
    }
    pthread_cond_destroy(&queue->changed);
    pthread_mutex_destroy(&queue->lock);
    free(queue->block[0].rows);
    free(queue);
}
