/* Data of a report page: a JSON text and arrays of numbers, packed into one text that a browser unpacks (docs/rooms/web.md
 * has the form). Part of room io.
 *
 *   carom_payload *payload = carom_payload_create();
 *   int t = carom_payload_numbers(payload, count, time);            the number of the array: {"a": t}
 *   ... carom_payload_write(payload, &json, stream, error);         base64 */
#ifndef CAROM_IO_PAYLOAD_H
#define CAROM_IO_PAYLOAD_H

#include <stdint.h>
#include <stdio.h>

#include "carom/io.h"

typedef struct carom_payload carom_payload;

/* NULL: memory is short. */
carom_payload *carom_payload_create(void);
void carom_payload_free(carom_payload *payload);

/* Each adds an array and returns its number; where memory is short, 0, and writing fails later. Values are copied. */
int carom_payload_numbers(carom_payload *payload, size_t count, const double *value);
/* In single precision; stride > 0: as differences from the number `stride` places before, which pack better where a
 * frame is like the one before. */
int carom_payload_floats(carom_payload *payload, size_t count, const float *value, size_t stride);
int carom_payload_wholes(carom_payload *payload, size_t count, const uint32_t *value);
int carom_payload_bytes(carom_payload *payload, size_t count, const uint8_t *value);

/* "key": {"a": number}. */
void carom_payload_refer(carom_json *json, const char *key, int number);
/* "arrays": [...], the last entry of the object that the page reads. */
void carom_payload_describe(const carom_payload *payload, carom_json *json);
/* Packs the text and the arrays. IO_ERROR: the stream does not take it. */
carom_status carom_payload_write(const carom_payload *payload, const carom_text *json, FILE *stream,
                                 carom_error *error);

#endif
