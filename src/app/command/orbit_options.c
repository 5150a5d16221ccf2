/* Options that the commands for periodic motions share: numbers, lists, names of pictures. */
#include <math.h>
#include <string.h>

#include "app/orbit_output.h"

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

bool orbit_read_start(const command *self, arguments *given, const argument_option *option,
                      carom_find_request *request)
{
    const char *guess = orbit_text(&option[ORBIT_GUESS]);
    double *flight = NULL;
    if (guess && strcmp(guess, "linear") != 0 && strcmp(guess, "run") != 0) {
        report_usage(self, "--guess is linear or run; got '%s'", guess);
        return false;
    }
    if (!orbit_read_positive(self, &option[ORBIT_PERIOD], &request->period) ||
        !orbit_read_positives(self, given, &option[ORBIT_FLIGHTS], &request->flights, &flight) ||
        !orbit_read_positive(self, &option[ORBIT_SETTLE], &request->settle) ||
        !orbit_read_whole(self, &option[ORBIT_PICK], 1, 64, &request->pick))
        return false;
    request->flight = flight;
    request->guess = !guess ? CAROM_GUESS_ANY : *guess == 'l' ? CAROM_GUESS_LINEAR : CAROM_GUESS_RUN;
    if (!guess && request->settle > 0.0)
        request->guess = CAROM_GUESS_RUN;
    return true;
}

bool orbit_one_model(const command *self, const arguments *given)
{
    if (given->positional_count == 1)
        return true;
    report_usage(self, given->positional_count == 0 ? "which experiment or model file?"
                                                    : "one experiment or model at a time");
    return false;
}
