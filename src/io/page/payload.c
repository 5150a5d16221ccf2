/* Data of a report page: arrays behind a JSON text, deflated, as base64. Numbers are little endian on every machine. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "carom/io/payload.h"
#include "io/parts/base64.h"
#include "io/parts/little_endian.h"

typedef struct page_array {
    const char *type, *coding;
    size_t count, stride, offset; /* in bytes, from the first array */
} page_array;

struct carom_payload {
    carom_text bytes; /* of all arrays */
    page_array *array;
    int count, capacity;
    bool failed;
};

carom_payload *carom_payload_create(void)
{
    return carom_new_array(1, sizeof(carom_payload));
}

void carom_payload_free(carom_payload *payload)
{
    if (!payload)
        return;
    carom_text_free(&payload->bytes);
    free(payload->array);
    free(payload);
}

/* Begins an array at a multiple of 8. Its number; failed is set where there is no memory. */
static int begin_array(carom_payload *payload, const char *type, const char *coding, size_t count,
                       size_t stride)
{
    static const char zeros[8] = {0};
    carom_text_append_bytes(&payload->bytes, zeros, (8 - payload->bytes.length % 8) % 8);
    if (payload->count == payload->capacity) {
        const int capacity = payload->capacity ? 2 * payload->capacity : 64;
        page_array *grown = realloc(payload->array, carom_product((size_t)capacity, sizeof *grown));
        if (!grown) {
            payload->failed = true;
            return 0;
        }
        payload->array = grown;
        payload->capacity = capacity;
    }
    payload->array[payload->count] = (page_array){
        .type = type, .coding = coding, .count = count, .stride = stride, .offset = payload->bytes.length};
    return payload->count++;
}

int carom_payload_numbers(carom_payload *payload, size_t count, const double *value)
{
    const int number = begin_array(payload, "f8", "", count, 0);
    for (size_t i = 0; i < count; i++)
        put_double(&payload->bytes, value[i]);
    return number;
}

/* One byte of every number behind the other: the high ones hardly change from number to number. */
static void append_differences(carom_text *bytes, size_t count, const float *value, size_t stride)
{
    for (int byte = 0; byte < 4; byte++)
        for (size_t i = 0; i < count; i++) {
            const uint32_t before = i < stride ? 0 : single_bits(value[i - stride]);
            put_whole(bytes, (single_bits(value[i]) - before) >> (8 * byte) & 0xff, 1);
        }
}

int carom_payload_floats(carom_payload *payload, size_t count, const float *value, size_t stride)
{
    const int number = begin_array(payload, "f4", stride > 0 ? "delta" : "", count, stride);
    if (stride > 0)
        append_differences(&payload->bytes, count, value, stride);
    for (size_t i = 0; stride == 0 && i < count; i++)
        put_whole(&payload->bytes, single_bits(value[i]), 4);
    return number;
}

int carom_payload_wholes(carom_payload *payload, size_t count, const uint32_t *value)
{
    const int number = begin_array(payload, "u4", "", count, 0);
    for (size_t i = 0; i < count; i++)
        put_whole(&payload->bytes, value[i], 4);
    return number;
}

int carom_payload_bytes(carom_payload *payload, size_t count, const uint8_t *value)
{
    const int number = begin_array(payload, "u1", "", count, 0);
    for (size_t i = 0; i < count; i++)
        put_whole(&payload->bytes, value[i], 1);
    return number;
}

void carom_payload_refer(carom_json *json, const char *key, int number)
{
    carom_json_object_begin(json, key);
    carom_json_number(json, "a", number);
    carom_json_object_end(json);
}

void carom_payload_describe(const carom_payload *payload, carom_json *json)
{
    carom_json_array_begin(json, "arrays");
    for (int i = 0; i < payload->count; i++) {
        const page_array *array = &payload->array[i];
        carom_json_object_begin(json, NULL);
        carom_json_text(json, "type", array->type);
        carom_json_number(json, "count", (double)array->count);
        carom_json_number(json, "offset", (double)array->offset);
        if (*array->coding) {
            carom_json_text(json, "coding", array->coding);
            carom_json_number(json, "stride", (double)array->stride);
        }
        carom_json_object_end(json);
    }
    carom_json_array_end(json);
}

/* ---- deflate and base64 ---------------------------------------------------------------------------- */

/* Letters go to the stream as they come. */
typedef struct letter_stream {
    FILE *stream;
    base64_rest rest;
} letter_stream;

static void put_letters(letter_stream *out)
{
    char letter[4];
    base64_letters(&out->rest, letter);
    fwrite(letter, 1, sizeof letter, out->stream);
}

static void put_bytes(letter_stream *out, size_t count, const unsigned char *byte)
{
    for (size_t i = 0; i < count; i++) {
        out->rest.byte[out->rest.count++] = byte[i];
        if (out->rest.count == 3)
            put_letters(out);
    }
}

/* One piece of the stream; `last` ends it. False: zlib fails. */
static bool deflate_piece(z_stream *packer, letter_stream *out, const void *bytes, size_t count, bool last)
{
    static const size_t most = (size_t)1 << 30; /* zlib counts in unsigned int */
    const unsigned char *from = bytes;
    unsigned char packed[16384];
    int result = Z_OK;
    do {
        const size_t part = count < most ? count : most;
        packer->next_in = (unsigned char *)from; /* not changed; zlib's type has no const */
        packer->avail_in = (unsigned)part;
        from += part;
        count -= part;
        do {
            packer->next_out = packed;
            packer->avail_out = sizeof packed;
            result = deflate(packer, last && count == 0 ? Z_FINISH : Z_NO_FLUSH);
            if (result == Z_STREAM_ERROR)
                return false;
            put_bytes(out, sizeof packed - packer->avail_out, packed);
        } while (packer->avail_out == 0);
    } while (count > 0);
    return !last || result == Z_STREAM_END;
}

carom_status carom_payload_write(const carom_payload *payload, const carom_text *json, FILE *stream,
                                 carom_error *error)
{
    static const char zeros[8] = {0};
    enum {
        LEVEL = 6
    };
    carom_text head = {0};
    carom_text_append_bytes(&head, "caromrp1", 8);
    put_whole(&head, json->length, 4);
    z_stream packer = {0};
    if (payload->failed || payload->bytes.failed || json->failed || head.failed ||
        deflateInit(&packer, LEVEL) != Z_OK) {
        carom_text_free(&head);
        return carom_fail_memory(error);
    }
    letter_stream out = {.stream = stream};
    const size_t padding = (8 - (head.length + json->length) % 8) % 8;
    const bool packed = deflate_piece(&packer, &out, head.bytes, head.length, false) &&
                        deflate_piece(&packer, &out, json->bytes, json->length, false) &&
                        deflate_piece(&packer, &out, zeros, padding, false) &&
                        deflate_piece(&packer, &out, payload->bytes.bytes ? payload->bytes.bytes : zeros,
                                      payload->bytes.length, true);
    if (out.rest.count > 0)
        put_letters(&out);
    deflateEnd(&packer);
    carom_text_free(&head);
    if (!packed)
        return carom_fail(error, CAROM_IO_ERROR, "the data of the page could not be packed");
    return ferror(stream) ? carom_fail(error, CAROM_IO_ERROR, "the page could not be written") : CAROM_OK;
}
