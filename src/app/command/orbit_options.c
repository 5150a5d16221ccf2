/* Options that the commands for periodic motions share: numbers, lists, names of pictures. */
#include <string.h>

#include "app/orbit_output.h"

bool orbit_read_start(const command *self, arguments *given, carom_find_request *request)
{
    const argument_option *option = given->option;
    const char *guess = value_of(given, ORBIT_GUESS);
    double *flight = NULL;
    if (guess && strcmp(guess, "linear") != 0 && strcmp(guess, "run") != 0) {
        report_usage(self, "--guess is linear or run; got '%s'", guess);
        return false;
    }
    if (!read_positive(self, &option[ORBIT_PERIOD], &request->period) ||
        !read_whole(self, &option[ORBIT_PERIODS], 1, 100000, &request->periods) ||
        !read_numbers(self, given, &option[ORBIT_FLIGHTS], true, &request->flights, &flight) ||
        !read_positive(self, &option[ORBIT_SETTLE], &request->settle) ||
        !read_whole(self, &option[ORBIT_PICK], 1, 64, &request->pick))
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
