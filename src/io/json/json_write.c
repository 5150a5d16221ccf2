/* JSON writer: one value, piece by piece, into a text. */
#include <math.h>
#include <string.h>

#include "carom/io.h"

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
        size_t length = carom_utf8_length(value);
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
