/* Numbers as values of command-line options. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "command.h"

bool parse_number_option(const command *self, const argument_option *option, double *value)
{
    if (option->count == 0)
        return true;
    if (carom_parse_number(option->value[option->count - 1], value))
        return true;
    report_usage(self, "%s needs a number; got '%s'", option->name, option->value[option->count - 1]);
    return false;
}

bool read_finite(const command *self, const argument_option *option, double *value)
{
    if (!parse_number_option(self, option, value))
        return false;
    if (option->count == 0 || isfinite(*value))
        return true;
    report_usage(self, "%s needs a finite number; got '%s'", option->name, option_value(option));
    return false;
}

bool read_positive(const command *self, const argument_option *option, double *value)
{
    if (!parse_number_option(self, option, value))
        return false;
    if (option->count == 0 || (*value > 0.0 && isfinite(*value)))
        return true;
    report_usage(self, "%s needs a finite number above 0; got '%s'", option->name, option_value(option));
    return false;
}

bool read_whole(const command *self, const argument_option *option, int least, int most, int *value)
{
    double number = *value;
    if (option->count == 0)
        return true;
    if (!parse_number_option(self, option, &number))
        return false;
    if (number >= least && number <= most && number == floor(number)) {
        *value = (int)number;
        return true;
    }
    if (most == WHOLE_MOST)
        report_usage(self, "%s needs a whole number of at least %d; got '%s'", option->name, least,
                     option_value(option));
    else
        report_usage(self, "%s needs a whole number from %d to %d; got '%s'", option->name, least, most,
                     option_value(option));
    return false;
}

bool read_numbers(const command *self, arguments *given, const argument_option *option, bool positive,
                  int *count, double **value)
{
    if (option->count == 0)
        return true;
    const char **word = split_list(given->arena, option_value(option), count);
    *value = carom_arena_take(given->arena, (size_t)*count, sizeof **value);
    if (!word || !*value)
        return false;
    for (int i = 0; i < *count; i++) {
        double *number = &(*value)[i];
        const bool is_number = carom_parse_number(word[i], number);
        if (is_number && (!positive || (*number > 0.0 && isfinite(*number))))
            continue;
        report_usage(self, "%s needs numbers %swith commas between them; got '%s'", option->name,
                     positive ? "above 0 " : "", word[i]);
        return false;
    }
    return true;
}

/* "1e-3" or "height=1e-5" */
static bool read_wish(const command *self, arguments *given, const char *option, const char *word,
                      accuracy_wishes *wishes)
{
    carom_accuracy_wish *wish = &wishes->wish[wishes->count];
    carom_override assignment = {.value = (char *)word};
    const bool is_single = strchr(word, '=');
    double *number = is_single ? &wish->relative : &wishes->relative;
    const bool is_second = !is_single && !isnan(wishes->relative);
    if (is_single && !split_assignment(self, given, option, word, &assignment))
        return false;
    if (is_second || !carom_parse_number(assignment.value, number) || !(*number > 0.0 && *number < 1.0)) {
        report_usage(self,
                     "%s needs a relative error between 0 and 1, such as 1e-3 or 1e-3,height=1e-5; got '%s'",
                     option, word);
        return false;
    }
    wish->measure = assignment.name;
    wishes->count += is_single;
    return true;
}

bool read_accuracy(const command *self, arguments *given, const argument_option *option,
                   const argument_option *limit, const argument_option *alone, accuracy_wishes *wishes)
{
    *wishes = (accuracy_wishes){.relative = NAN, .alone = alone->count > 0};
    if (limit->count + alone->count > 0 && option->count == 0) {
        report_usage(self, "%s goes with --accuracy", limit->count > 0 ? limit->name : alone->name);
        return false;
    }
    if (option->count == 0)
        return true;
    if (!read_positive(self, limit, &wishes->limit))
        return false;
    if (limit->count > 0 && wishes->limit < 1.0) {
        report_usage(self, "%s needs a number from 1 on; got '%s'", limit->name, option_value(limit));
        return false;
    }
    int count = 0;
    const char **word = split_list(given->arena, option_value(option), &count);
    wishes->wish = carom_arena_take(given->arena, (size_t)count, sizeof *wishes->wish);
    if (!word || !wishes->wish)
        return false;
    for (int i = 0; i < count; i++)
        if (!read_wish(self, given, option->name, word[i], wishes))
            return false;
    return true;
}

bool parse_time_option(const command *self, const argument_option *option, double *value)
{
    if (!parse_number_option(self, option, value))
        return false;
    if (option->count > 0 && *value == 0.0)
        *value = CAROM_ZERO;
    return true;
}

bool read_range(const command *self, const carom_override *over, const char *example, double *from,
                double *to, int *count)
{
    char text[3][64];
    double values = 0.0;
    if (sscanf(over->value, "%63[^:]:%63[^:]:%63[^:]", text[0], text[1], text[2]) != 3 ||
        strlen(text[0]) + strlen(text[1]) + strlen(text[2]) + 2 != strlen(over->value) ||
        !carom_parse_number(text[0], from) || !carom_parse_number(text[1], to) ||
        !carom_parse_number(text[2], &values) || !isfinite(*from) || !isfinite(*to)) {
        report_usage(self, "an axis is from:to:count, such as %s; got '%s=%s'", example, over->name,
                     over->value);
        return false;
    }
    if (!(values >= 2.0 && values <= 100000.0) || values != floor(values)) {
        report_usage(self, "an axis has 2 to 100000 values, both ends included; got count %s in '%s=%s'",
                     text[2], over->name, over->value);
        return false;
    }
    if (*from == *to) {
        report_usage(self, "'%s' goes from %g to the same: nothing varies", over->name, *from);
        return false;
    }
    *count = (int)values;
    return true;
}
