/* Text that others wrote, shown: what a terminal would obey instead of showing is written as \xNN. */
#include <stdio.h>
#include <string.h>

#include "carom/base.h"

size_t carom_utf8_length(const char *text)
{
    const unsigned char *bytes = (const unsigned char *)text;
    const unsigned char first = bytes[0];
    if (first < 0x80)
        return 1;
    if (first < 0xC2 || first > 0xF4)
        return 0;
    const size_t length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
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

/* Controls of one byte but for ends of lines and tabs, and those of Unicode: U+0080 to U+009F, and the marks that turn
 * the direction of writing (U+200E, U+200F, U+202A to U+202E, U+2066 to U+2069), which can make a text look like
 * another one. */
static bool is_control(const unsigned char *bytes, size_t length)
{
    if (length == 1)
        return (bytes[0] < 0x20 && bytes[0] != '\n' && bytes[0] != '\t') || bytes[0] == 0x7F;
    if (length == 2)
        return bytes[0] == 0xC2 && bytes[1] < 0xA0;
    if (length != 3 || bytes[0] != 0xE2)
        return false;
    return (bytes[1] == 0x80 &&
            (bytes[2] == 0x8E || bytes[2] == 0x8F || (bytes[2] >= 0xAA && bytes[2] <= 0xAE))) ||
           (bytes[1] == 0x81 && bytes[2] >= 0xA6 && bytes[2] <= 0xA9);
}

/* The next character of a text that has not ended: how it is shown, and how many bytes it has. */
static size_t take_character(const char *text, char shown[20])
{
    const unsigned char *bytes = (const unsigned char *)text;
    const size_t length = carom_utf8_length(text), taken = length ? length : 1;
    if (length > 0 && !is_control(bytes, length)) {
        memcpy(shown, text, length);
        shown[length] = '\0';
        return length;
    }
    for (size_t i = 0; i < taken; i++)
        snprintf(shown + 4 * i, 5, "\\x%02x", bytes[i]);
    return taken;
}

bool carom_is_plain(const char *text)
{
    while (*text) {
        const size_t length = carom_utf8_length(text);
        if (length == 0 || is_control((const unsigned char *)text, length))
            return false;
        text += length;
    }
    return true;
}

void carom_plain_copy(const char *text, char *to, size_t size)
{
    char shown[20];
    size_t used = 0;
    while (*text) {
        text += take_character(text, shown);
        const size_t length = strlen(shown);
        if (used + length >= size)
            break;
        memcpy(to + used, shown, length);
        used += length;
    }
    if (size > 0)
        to[used] = '\0';
}

void carom_text_append_plain(carom_text *text, const char *foreign)
{
    char shown[20];
    while (*foreign) {
        foreign += take_character(foreign, shown);
        carom_text_append_bytes(text, shown, strlen(shown));
    }
}

char *carom_arena_copy_plain(carom_arena *arena, const char *text)
{
    char shown[20];
    size_t size = 1;
    for (const char *at = text; *at;) {
        at += take_character(at, shown);
        size += strlen(shown);
    }
    char *copy = carom_arena_take(arena, size, 1);
    if (copy)
        carom_plain_copy(text, copy, size);
    return copy;
}
