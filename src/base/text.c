#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"

static bool reserve(carom_text *text, size_t more)
{
    if (text->failed || more > SIZE_MAX / 4) {
        text->failed = true;
        return false;
    }
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return true;
    size_t capacity = text->capacity ? text->capacity : 256;
    while (capacity < needed)
        capacity *= 2;
    char *bytes = realloc(text->bytes, capacity);
    if (!bytes) {
        text->failed = true;
        return false;
    }
    text->bytes = bytes;
    text->capacity = capacity;
    return true;
}

void carom_text_append_bytes(carom_text *text, const char *bytes, size_t count)
{
    if (!reserve(text, count))
        return;
    memcpy(text->bytes + text->length, bytes, count);
    text->length += count;
    text->bytes[text->length] = '\0';
}

static void append_arguments(carom_text *text, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    const int length = vsnprintf(NULL, 0, format, arguments);
    if (length >= 0 && reserve(text, (size_t)length)) {
        vsnprintf(text->bytes + text->length, (size_t)length + 1, format, again);
        text->length += (size_t)length;
    }
    va_end(again);
}

void carom_text_append(carom_text *text, const char *format, ...)
{
    const carom_number_format numbers = carom_numbers_begin();
    va_list arguments;
    va_start(arguments, format);
    append_arguments(text, format, arguments);
    va_end(arguments);
    carom_numbers_end(numbers);
}

void carom_text_free(carom_text *text)
{
    free(text->bytes);
    *text = (carom_text){0};
}

enum {
    NAME_LIMIT = 64
};

/* Levenshtein distance of two short names; a large number when either is long. */
static size_t edit_distance(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);
    if (n >= NAME_LIMIT || m >= NAME_LIMIT)
        return NAME_LIMIT;
    size_t row[NAME_LIMIT + 1];
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            size_t shorter = row[j] < row[j - 1] ? row[j] : row[j - 1];
            diagonal = row[j];
            row[j] = change < shorter + 1 ? change : shorter + 1;
        }
    }
    return row[m];
}

const char *carom_nearest_name(const char *wanted, const char *const *names, size_t count)
{
    const char *nearest = NULL;
    /* A typing error changes at most a third of the letters. */
    size_t best = strlen(wanted) / 3 + 2;
    for (size_t i = 0; i < count; i++) {
        size_t distance = edit_distance(wanted, names[i]);
        if (distance < best && distance < strlen(names[i])) {
            best = distance;
            nearest = names[i];
        }
    }
    return nearest;
}

bool carom_parse_number(const char *text, double *value)
{
    char *end = NULL;
    const carom_number_format numbers = carom_numbers_begin();
    double number = strtod(text, &end);
    carom_numbers_end(numbers);
    if (end == text || *end != '\0' || isnan(number))
        return false;
    *value = number;
    return true;
}
