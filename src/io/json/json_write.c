/* JSON writer: one value, piece by piece, into a text. */
#include <math.h>
#include <string.h>

#include "carom/io.h"

/* Bytes of the well-formed UTF-8 sequence that starts at `bytes`, 0 when there is none (Unicode, table 3-7).
 */
static size_t utf8_length(const unsigned char *bytes)
{
    unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    unsigned char low = 0x80, high = 0xBF; /* of the second byte: no overlong forms, no surrogates */
    if (first == 0xE0)
        low = 0xA0;
    if (first == 0xED)
        high = 0x9F;
    if (first == 0xF0)
        low = 0x90;
    if (first == 0xF4)
        high = 0x8F;
    if (bytes[1] < low || bytes[1] > high)
        return 0;
    for (size_t i = 2; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    return length;
}

static void append_character(carom_text *text, const char *bytes, size_t length)
{
    unsigned char first = (unsigned char)bytes[0];
    if (first == '"' || first == '\\')
        carom_text_append(text, "\\%c", first);
    else if (first == '\n')
        carom_text_append(text, "\\n");
    else if (first == '\t')
        carom_text_append(text, "\\t");
    else if (first == '\r')
        carom_text_append(text, "\\r");
    else if (first < 0x20)
        carom_text_append(text, "\\u%04x", first);
    else
        carom_text_append_bytes(text, bytes, length);
}

static void append_quoted(carom_text *text, const char *value)
{
    carom_text_append_bytes(text, "\"", 1);
    while (*value) {
        size_t length = utf8_length((const unsigned char *)value);
        if (length == 0) {
            /* JSON is UTF-8: a stray byte becomes the replacement character. */
            carom_text_append(text, "\\ufffd");
            length = 1;
        } else {
            append_character(text, value, length);
        }
        value += length;
    }
    carom_text_append_bytes(text, "\"", 1);
}

static void begin_value(carom_json *json, const char *key)
{
    if (json->comma)
        carom_text_append_bytes(json->text, ",", 1);
    json->comma = true;
    if (key) {
        append_quoted(json->text, key);
        carom_text_append_bytes(json->text, ":", 1);
    }
}

void carom_json_object_begin(carom_json *json, const char *key)
{
    begin_value(json, key);
    carom_text_append_bytes(json->text, "{", 1);
    json->comma = false;
}

void carom_json_object_end(carom_json *json)
{
    carom_text_append_bytes(json->text, "}", 1);
    json->comma = true;
}

void carom_json_array_begin(carom_json *json, const char *key)
{
    begin_value(json, key);
    carom_text_append_bytes(json->text, "[", 1);
    json->comma = false;
}

void carom_json_array_end(carom_json *json)
{
    carom_text_append_bytes(json->text, "]", 1);
    json->comma = true;
}

void carom_json_number(carom_json *json, const char *key, double value)
{
    begin_value(json, key);
    if (isfinite(value))
        carom_text_append(json->text, "%.17g", value);
    else
        carom_text_append(json->text, "null");
}

void carom_json_text(carom_json *json, const char *key, const char *value)
{
    begin_value(json, key);
    if (value)
        append_quoted(json->text, value);
    else
        carom_text_append(json->text, "null");
}

void carom_json_bool(carom_json *json, const char *key, bool value)
{
    begin_value(json, key);
    carom_text_append(json->text, "%s", value ? "true" : "false");
}
