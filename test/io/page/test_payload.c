/* Data of a page: written, then unpacked by their description in docs/rooms/web.md, with zlib and nothing of ours. */
#include "test/near.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "carom/io/payload.h"

static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static size_t unpack_base64(const char *text, size_t length, unsigned char *bytes)
{
    size_t count = 0;
    assert_int_equal(length % 4, 0);
    for (size_t i = 0; i < length; i += 4) {
        unsigned long group = 0;
        int padding = 0;
        for (size_t k = 0; k < 4; k++) {
            const char *place = text[i + k] == '=' ? NULL : strchr(digits, text[i + k]);
            assert_true(place || (text[i + k] == '=' && i + 4 == length && k >= 2));
            padding += !place;
            group = group << 6 | (unsigned long)(place ? place - digits : 0);
        }
        for (int k = 0; k < 3 - padding; k++)
            bytes[count++] = (unsigned char)(group >> (16 - 8 * k) & 0xff);
    }
    return count;
}

/* What a browser gets from the stream; the caller frees it. */
static unsigned char *unpack(FILE *stream, size_t room, size_t *size)
{
    const long length = ftell(stream);
    assert_true(length > 0);
    char *text = malloc((size_t)length);
    unsigned char *packed = malloc((size_t)length), *raw = malloc(room);
    assert_true(text && packed && raw);
    rewind(stream);
    assert_int_equal(fread(text, 1, (size_t)length, stream), (size_t)length);
    const size_t count = unpack_base64(text, (size_t)length, packed);
    uLongf unpacked = (uLongf)room;
    assert_int_equal(uncompress(raw, &unpacked, packed, (uLong)count), Z_OK);
    free(text);
    free(packed);
    *size = (size_t)unpacked;
    return raw;
}

static size_t offset_of(const char *json, const char *type, int which)
{
    char wanted[32];
    snprintf(wanted, sizeof wanted, "\"type\":\"%s\"", type);
    const char *place = json;
    for (int i = 0; i <= which; i++) {
        place = strstr(place, wanted);
        assert_non_null(place);
        place++;
    }
    const char *offset = strstr(place, "\"offset\":");
    assert_non_null(offset);
    return (size_t)strtoul(offset + strlen("\"offset\":"), NULL, 10);
}

static void without_spaces(char *text)
{
    char *to = text;
    for (; *text; text++)
        if (*text != ' ' && *text != '\n')
            *to++ = *text;
    *to = '\0';
}

static void arrays_come_back(void **state)
{
    (void)state;
    const double number[3] = {1.0 / 3.0, -0.0, 1e-310};
    const float frame[6] = {1.0f, 2.0f, 1.5f, -2.0f, 1.5f, 1e30f};
    const uint32_t whole[3] = {0, 70000, 0xffffffffu};
    const uint8_t byte[5] = {0, 1, 2, 254, 255};
    carom_payload *payload = carom_payload_create();
    assert_non_null(payload);
    assert_int_equal(carom_payload_numbers(payload, 3, number), 0);
    assert_int_equal(carom_payload_bytes(payload, 5, byte), 1);
    assert_int_equal(carom_payload_floats(payload, 6, frame, 2), 2);
    assert_int_equal(carom_payload_wholes(payload, 3, whole), 3);
    assert_int_equal(carom_payload_floats(payload, 6, frame, 0), 4);
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_payload_refer(&json, "t", 0);
    carom_payload_describe(payload, &json);
    carom_json_object_end(&json);
    FILE *stream = tmpfile();
    carom_error error = {0};
    assert_non_null(stream);
    assert_int_equal(carom_payload_write(payload, &text, stream, &error), CAROM_OK);
    size_t size = 0;
    unsigned char *raw = unpack(stream, 10000, &size);
    fclose(stream);

    assert_memory_equal(raw, "caromrp1", 8);
    const size_t length = raw[8] | (size_t)raw[9] << 8 | (size_t)raw[10] << 16 | (size_t)raw[11] << 24;
    assert_int_equal(length, text.length);
    char *words = malloc(length + 1);
    assert_non_null(words);
    memcpy(words, raw + 12, length);
    words[length] = '\0';
    without_spaces(words);
    assert_non_null(strstr(words, "\"t\":{\"a\":0}"));
    const unsigned char *array = raw + (12 + length + 7) / 8 * 8;
    const size_t end = size - (size_t)(array - raw);

    const unsigned char *at = array + offset_of(words, "f8", 0);
    assert_memory_equal(at, number, sizeof number); /* this machine is little endian, too */
    assert_memory_equal(array + offset_of(words, "u1", 0), byte, sizeof byte);
    assert_memory_equal(array + offset_of(words, "u4", 0), whole, sizeof whole);
    assert_memory_equal(array + offset_of(words, "f4", 1), frame, sizeof frame);
    for (int i = 0; i < 2; i++)
        assert_int_equal(offset_of(words, "f4", i) % 8, 0);
    assert_true(offset_of(words, "f4", 1) + sizeof frame <= end);

    /* Coding "delta": differences of bits from the frame before, lowest bytes of all numbers first. */
    at = array + offset_of(words, "f4", 0);
    uint32_t bits[6];
    for (size_t i = 0; i < 6; i++) {
        bits[i] = at[i] | (uint32_t)at[6 + i] << 8 | (uint32_t)at[12 + i] << 16 | (uint32_t)at[18 + i] << 24;
        if (i >= 2)
            bits[i] += bits[i - 2];
    }
    assert_memory_equal(bits, frame, sizeof frame);
    assert_non_null(strstr(words, "\"delta\""));
    free(words);
    free(raw);
    carom_text_free(&text);
    carom_payload_free(payload);
}

/* A stream that takes nothing is an error, not a page without an end. */
static void a_full_disk_is_an_error(void **state)
{
    (void)state;
    FILE *stream = fopen("/dev/full", "w");
    if (!stream)
        skip();
    enum {
        COUNT = 100000
    };
    static double number[COUNT];
    for (int i = 0; i < COUNT; i++)
        number[i] = sin(i);
    carom_payload *payload = carom_payload_create();
    carom_payload_numbers(payload, COUNT, number);
    carom_text text = {0};
    carom_text_append_bytes(&text, "{}", 2);
    carom_error error = {0};
    assert_int_equal(carom_payload_write(payload, &text, stream, &error), CAROM_IO_ERROR);
    assert_true(error.text[0] != '\0');
    fclose(stream);
    carom_text_free(&text);
    carom_payload_free(payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrays_come_back),
        cmocka_unit_test(a_full_disk_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
