/* Records of a journal of runs; their kind holds which run they belong to:
 *
 *   BEGIN       number of rows: those that came later count no more
 *   ROWS        rows, one after the other
 *   CHECKPOINT  number of rows that belong to it, and the bytes of the run; the one before is dropped when it is on the disk
 */
#include "app/run_journal.h"

#include <stdlib.h>
#include <string.h>

enum {
    RECORD_BEGIN = 1,
    RECORD_ROWS,
    RECORD_CHECKPOINT,
    MEMBERS = 8,            /* the number of the run stands above the kind */
    RECORD_BYTES = 1 << 20, /* of rows in one record: as many as the run file has in a chunk, or more */
    BEHIND_BYTES = 1 << 24, /* of rows that a checkpoint may have to fetch */
    FIRST_BYTES = 1 << 30,  /* the same before the first one */
};

static uint32_t kind_of(const run_journal *self, uint32_t kind)
{
    return kind | (uint32_t)(self->member + 1) << MEMBERS;
}

/* ---- writing ----------------------------------------------------------------------------------------------- */

/* Rows count only when a checkpoint follows: until then they are in the run file alone, up to a limit, and a run that ends
 * before its first checkpoint writes none. */
static carom_status fetch_rows(run_journal *self, carom_error *error)
{
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && self->behind > 0) {
        const size_t rows = self->behind < self->record_rows ? self->behind : self->record_rows;
        status = carom_run_writer_read_back(self->writer, self->rows, rows, self->record, error);
        if (status == CAROM_OK)
            status = carom_journal_append(self->journal, kind_of(self, RECORD_ROWS), self->record,
                                          rows * self->width * sizeof(double), error);
        self->rows += rows;
        self->behind -= rows;
    }
    return status;
}

static carom_status put_begin(run_journal *self, size_t rows, carom_error *error)
{
    self->begun = true;
    self->rows = rows;
    return carom_journal_append(self->journal, kind_of(self, RECORD_BEGIN), &rows, sizeof rows, error);
}

static carom_status take_rows(void *context, size_t count, const double *rows, carom_error *error)
{
    run_journal *self = context;
    if (!self->begun && put_begin(self, 0, error) != CAROM_OK) /* the first row of a run that did not go on */
        return CAROM_IO_ERROR;
    (void)rows; /* the writer has them */
    self->behind += count;
    const size_t limit = self->checkpoint_place > 0 ? BEHIND_BYTES : FIRST_BYTES;
    return self->behind >= limit / sizeof(double) / self->width ? fetch_rows(self, error) : CAROM_OK;
}

static carom_status take_row(void *context, const double *row, carom_error *error)
{
    return take_rows(context, 1, row, error);
}

static carom_status save(void *context, const void *bytes, size_t count, carom_error *error)
{
    run_journal *self = context;
    carom_status status = carom_record_queue_drain(self->queue, error);
    if (status == CAROM_OK)
        status = fetch_rows(self, error);
    const size_t rows = self->rows;
    unsigned char *record = status == CAROM_OK ? carom_new_array(sizeof rows + count, 1) : NULL;
    if (status == CAROM_OK && !record)
        status = carom_fail_memory(error);
    if (status != CAROM_OK)
        return status;
    memcpy(record, &rows, sizeof rows);
    memcpy(record + sizeof rows, bytes, count);
    const uint64_t before = self->checkpoint_place;
    self->checkpoint_place = carom_journal_place(self->journal);
    status = carom_journal_append(self->journal, kind_of(self, RECORD_CHECKPOINT), record,
                                  sizeof rows + count, error);
    free(record);
    if (status == CAROM_OK)
        status = carom_journal_sync(self->journal, error);
    return status == CAROM_OK && before > 0 ? carom_journal_drop(self->journal, before, error) : status;
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

static carom_status read_count(const run_journal *self, const carom_journal_record *record, size_t *rows,
                               carom_error *error)
{
    *rows = 0;
    return carom_journal_read(self->journal, record, 0, sizeof *rows, rows, error);
}

/* The last checkpoint of the run. */
static carom_status find_checkpoint(run_journal *self, carom_error *error)
{
    const carom_journal_record *last = NULL;
    for (size_t i = 0; i < carom_journal_count(self->journal); i++) {
        const carom_journal_record *record = carom_journal_at(self->journal, i);
        size_t rows = 0;
        if (record->kind == kind_of(self, RECORD_CHECKPOINT))
            last = record;
        if (record->kind != kind_of(self, RECORD_BEGIN))
            continue;
        const carom_status status = read_count(self, record, &rows, error);
        if (status != CAROM_OK)
            return status;
        if (rows == 0)
            last = NULL;
    }
    if (!last || last->count < sizeof(size_t))
        return CAROM_OK;
    self->checkpoint_bytes = last->count - sizeof(size_t);
    self->checkpoint_place = last->begin;
    self->checkpoint = carom_new_array(self->checkpoint_bytes, 1);
    if (!self->checkpoint)
        return carom_fail_memory(error);
    carom_status status = read_count(self, last, &self->checkpoint_rows, error);
    if (status == CAROM_OK)
        status = carom_journal_read(self->journal, last, sizeof(size_t), self->checkpoint_bytes,
                                    self->checkpoint, error);
    return status;
}

/* A record of rows and how many of them count. */
typedef struct segment {
    const carom_journal_record *record;
    size_t rows;
} segment;

static void cut(segment *list, size_t *count, size_t *total, size_t rows)
{
    while (*total > rows) {
        segment *last = &list[*count - 1];
        const size_t drop = *total - rows < last->rows ? *total - rows : last->rows;
        last->rows -= drop;
        *total -= drop;
        *count -= last->rows == 0;
    }
}

/* The rows that belong to the checkpoint, in their order. */
static carom_status list_segments(const run_journal *self, segment *list, size_t *count, carom_error *error)
{
    size_t total = 0, rows = 0;
    *count = 0;
    for (size_t i = 0; i < carom_journal_count(self->journal); i++) {
        const carom_journal_record *record = carom_journal_at(self->journal, i);
        if (record->kind == kind_of(self, RECORD_BEGIN)) {
            const carom_status status = read_count(self, record, &rows, error);
            if (status != CAROM_OK)
                return status;
            cut(list, count, &total, rows);
        }
        if (record->kind != kind_of(self, RECORD_ROWS))
            continue;
        list[*count] = (segment){record, record->count / (self->width * sizeof(double))};
        total += list[(*count)++].rows;
    }
    cut(list, count, &total, self->checkpoint_rows);
    return total == self->checkpoint_rows
               ? CAROM_OK
               : carom_fail(error, CAROM_BAD_INPUT, "the journal lacks rows that its checkpoint has");
}

/* Records have no more rows than there is room for. */
static carom_status replay(const run_journal *self, const segment *part, carom_error *error)
{
    if (part->rows > self->record_rows)
        return carom_fail(error, CAROM_BAD_INPUT, "the journal has a record of rows that is too long");
    carom_status status = carom_journal_read(self->journal, part->record, 0,
                                             part->rows * self->width * sizeof(double), self->record, error);
    for (size_t i = 0; status == CAROM_OK && i < part->rows; i++)
        for (int k = 0; status == CAROM_OK && k < self->recorder_count; k++)
            if (self->recorder[k].row)
                status =
                    self->recorder[k].row(self->recorder[k].context, self->record + i * self->width, error);
    return status;
}

/* The run goes on: the others are given the rows before. */
static carom_status resumed(void *context, carom_error *error)
{
    run_journal *self = context;
    size_t count = 0;
    segment *list = carom_new_array(carom_journal_count(self->journal), sizeof *list);
    carom_status status = list ? list_segments(self, list, &count, error) : carom_fail_memory(error);
    for (size_t i = 0; status == CAROM_OK && i < count; i++)
        status = replay(self, &list[i], error);
    free(list);
    self->behind = 0;
    return status == CAROM_OK ? put_begin(self, self->checkpoint_rows, error) : status;
}

/* ---- life -------------------------------------------------------------------------------------------------- */

carom_status run_journal_begin(run_journal *self, carom_journal *journal, carom_run_writer *writer,
                               int member, int width, double seconds, int recorder_count,
                               const carom_recorder *recorder, carom_checkpoint *checkpoint,
                               carom_recorder *own, carom_error *error)
{
    *self = (run_journal){.journal = journal,
                          .writer = writer,
                          .member = member,
                          .width = (size_t)width,
                          .recorder_count = recorder_count,
                          .recorder = recorder};
    self->record_rows = RECORD_BYTES / (self->width * sizeof(double));
    self->record_rows = self->record_rows > 0 ? self->record_rows : 1;
    self->record = carom_new_array(carom_product(self->record_rows, self->width), sizeof(double));
    carom_status status = self->record ? find_checkpoint(self, error) : carom_fail_memory(error);
    *own = (carom_recorder){.context = self, .row = take_row, .rows = take_rows};
    *checkpoint = (carom_checkpoint){.context = self,
                                     .seconds = seconds,
                                     .save = save,
                                     .bytes = self->checkpoint,
                                     .count = self->checkpoint_bytes,
                                     .resumed = resumed};
    return status;
}

void run_journal_end(run_journal *self)
{
    free(self->record);
    free(self->checkpoint);
    *self = (run_journal){0};
}
