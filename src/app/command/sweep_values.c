/* The values of an axis of a sweep, from the command line. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/sweep_output.h"

enum {
    RANGE_PARTS = 4,
    COUNT_MAX = 100000
};

typedef struct value_range {
    double from, to;
    int count;
    bool is_log;
} value_range;

/* Cuts the text at its colons; the number of parts, or RANGE_PARTS + 1 when there are more. */
static int split_range(char *text, const char *part[RANGE_PARTS])
{
    int parts = 0;
    for (char *next = text; next; parts++) {
        if (parts == RANGE_PARTS)
            return RANGE_PARTS + 1;
        part[parts] = next;
        next = strchr(next, ':');
        if (next)
            *next++ = '\0';
    }
    return parts;
}

static bool parse_range(const command *self, const char *name, const char *given, char *text,
                        value_range *range)
{
    const char *part[RANGE_PARTS];
    const int parts = split_range(text, part);
    double count = 0.0;
    range->is_log = parts == RANGE_PARTS && strcmp(part[RANGE_PARTS - 1], "log") == 0;
    if ((parts != RANGE_PARTS - 1 && !range->is_log) || !carom_parse_number(part[0], &range->from) ||
        !carom_parse_number(part[1], &range->to) || !carom_parse_number(part[2], &count) ||
        !isfinite(range->from) || !isfinite(range->to)) {
        report_usage(self, "a range is from:to:count or from:to:count:log, such as 0:1:11; got '%s=%s'", name,
                     given);
        return false;
    }
    if (!(count >= 2.0 && count <= COUNT_MAX) || count != floor(count)) {
        report_usage(self, "a range has 2 to %d points, both ends included; got count %s in '%s=%s'",
                     COUNT_MAX, part[2], name, given);
        return false;
    }
    if (range->is_log && !(range->from > 0.0 && range->to > 0.0)) {
        report_usage(self, "a logarithmic range needs positive ends; got '%s=%s'", name, given);
        return false;
    }
    range->count = (int)count;
    return true;
}

/* Ends are exact; between them 15 digits make 0.3 of 0.30000000000000004. */
static void range_value(const value_range *range, int index, char *text, size_t size)
{
    const double last = range->count - 1, part = index / last;
    double value;
    if (index == 0 || index == range->count - 1)
        value = index == 0 ? range->from : range->to;
    else if (range->is_log)
        value = range->from * pow(range->to / range->from, part);
    else
        value = (range->from * (last - index) + range->to * index) / last;
    const bool is_end = index == 0 || index == range->count - 1;
    double read;
    snprintf(text, size, "%.15g", value);
    if (is_end && (!carom_parse_number(text, &read) || read != value))
        snprintf(text, size, "%.17g", value);
}

static const char **take_range(carom_arena *arena, const value_range *range)
{
    const char **value = carom_arena_take(arena, (size_t)range->count, sizeof *value);
    for (int i = 0; value && i < range->count; i++) {
        char text[40];
        range_value(range, i, text, sizeof text);
        value[i] = carom_arena_copy_text(arena, text);
        if (!value[i])
            return NULL;
    }
    return value;
}

bool read_sweep_values(const command *self, carom_arena *arena, const char *given, carom_sweep_axis *axis,
                       bool *is_log)
{
    *is_log = false;
    if (!strchr(given, ':')) {
        axis->value = split_list(arena, given, &axis->count);
        return axis->value != NULL;
    }
    value_range range;
    char *text = carom_arena_copy_text(arena, given);
    if (!text || !parse_range(self, axis->name, given, text, &range))
        return false;
    *is_log = range.is_log;
    axis->count = range.count;
    axis->value = take_range(arena, &range);
    return axis->value != NULL;
}
