/* Options that the commands for periodic motions share: numbers, lists, names of pictures. */
#include <math.h>
#include <string.h>

#include "orbit_output.h"

bool orbit_read_finite(const command *self, const argument_option *option, double *value)
{
    if (!orbit_text(option))
        return true;
    if (!parse_number_option(self, option, value))
        return false;
    if (isfinite(*value))
        return true;
    report_usage(self, "%s needs a finite number; got '%s'", option->name, orbit_text(option));
    return false;
}

bool orbit_read_positive(const command *self, const argument_option *option, double *value)
{
    if (!orbit_read_finite(self, option, value))
        return false;
    if (!orbit_text(option) || *value > 0.0)
        return true;
    report_usage(self, "%s needs a number above 0; got '%s'", option->name, orbit_text(option));
    return false;
}

bool orbit_read_whole(const command *self, const argument_option *option, int least, int most, int *value)
{
    double number = *value;
    if (!orbit_text(option))
        return true;
    if (!parse_number_option(self, option, &number))
        return false;
    if (!(number >= least && number <= most && number == floor(number))) {
        report_usage(self, "%s needs a whole number from %d to %d; got '%s'", option->name, least, most,
                     orbit_text(option));
        return false;
    }
    *value = (int)number;
    return true;
}

bool orbit_read_positives(const command *self, arguments *given, const argument_option *option, int *count,
                          double **value)
{
    if (!orbit_text(option))
        return true;
    const char **word = split_list(given->arena, orbit_text(option), count);
    *value = carom_arena_take(given->arena, (size_t)*count, sizeof **value);
    if (!word || !*value)
        return false;
    for (int i = 0; i < *count; i++)
        if (!carom_parse_number(word[i], &(*value)[i]) || !((*value)[i] > 0.0) || !isfinite((*value)[i])) {
            report_usage(self, "%s needs numbers above 0 with commas between them; got '%s'", option->name,
                         word[i]);
            return false;
        }
    return true;
}

bool orbit_read_picture(const command *self, arguments *given, const argument_option *option,
                        orbit_picture *picture)
{
    static const char good[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.";
    const char *text = orbit_text(option);
    if (!text)
        return true;
    const char *slash = strrchr(text, '/');
    picture->directory = carom_arena_copy_text(given->arena, slash ? text : ".");
    picture->name = carom_arena_copy_text(given->arena, slash ? slash + 1 : text);
    if (!picture->directory || !picture->name)
        return false;
    if (slash)
        picture->directory[slash > text ? slash - text : 1] = '\0';
    char *dot = strrchr(picture->name, '.');
    const bool has_ending =
        dot && dot > picture->name && (strcmp(dot, ".svg") == 0 || strcmp(dot, ".png") == 0);
    if (!has_ending || strspn(picture->name, good) < strlen(picture->name)) {
        report_usage(
            self, "%s needs a name such as %s.svg or %s.png, of letters, digits, '-', '_' and '.'; got '%s'",
            option->name, self->name, self->name, text);
        return false;
    }
    *dot = '\0';
    return true;
}
