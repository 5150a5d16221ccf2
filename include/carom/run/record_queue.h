/* Recorders in a thread of their own: the run goes on while rows are written. Part of room run.
 *
 *   carom_record_queue *queue = NULL;
 *   carom_status status = carom_record_queue_create(layout.width, 1, &file_recorder, &queue, &error);
 *   carom_recorder recorder = carom_record_queue_recorder(queue);     for the run's request
 *   ...                                                              the run
 *   if (status == CAROM_OK)
 *       status = carom_record_queue_drain(queue, &error);
 *   carom_record_queue_free(queue);
 *
 * Rows are collected in blocks. The thread begins with the first whole block; short runs have none, and their rows are handed on
 * by whoever drains. Rows of a slow run wait for some tenths of a second at most, as long as others follow. The recorders get all
 * rows in their order: what they write does not depend on the queue. A block goes to the first recorder, then to the next. */
#ifndef CAROM_RUN_RECORD_QUEUE_H
#define CAROM_RUN_RECORD_QUEUE_H

#include "carom/run.h"

typedef struct carom_record_queue carom_record_queue;

/* For rows of `width` numbers. The recorders, which are copied, are called from one thread at a time, and must not ask for
 * derivatives or for points where bodies touch: BAD_INPUT. */
carom_status carom_record_queue_create(int width, int count, const carom_recorder *recorder,
                                       carom_record_queue **queue, carom_error *error);
/* What a run is to be given instead of them. A failure of a recorder is told with a later row, or by carom_record_queue_drain;
 * no recorder gets a row after it, and those behind it in the list get none of its block. */
carom_recorder carom_record_queue_recorder(carom_record_queue *queue);
/* Waits until the recorders have all rows. NULL is allowed. */
carom_status carom_record_queue_drain(carom_record_queue *queue, carom_error *error);
/* Drains, whatever comes of it, and ends the thread. NULL is allowed. */
void carom_record_queue_free(carom_record_queue *queue);

#endif
