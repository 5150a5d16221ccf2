/* The progress line, and stopping a run with Ctrl-C. There is one terminal and one signal handler, which can reach
 * nothing but a global: what changes here is all the global state of the program. */
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "command.h"

static volatile sig_atomic_t stop_wanted;

static struct {
    bool shows;
    bool drawn;
    const char *unit;
    double started, last;
} line;

static void want_stop(int signal_number)
{
    (void)signal_number;
    stop_wanted = 1;
}

static bool report(void *context, double done, double total)
{
    (void)context;
    const double now = carom_seconds();
    if (line.shows && done > 0.0 && now - line.last > 0.2 && now - line.started > 0.5) {
        line.last = now;
        line.drawn = true;
        const double rate = done / (now - line.started);
        fprintf(stderr, "\r%5.1f %%  %.3g %s/s  %.0f s left \x1b[K", 100.0 * done / total, rate, line.unit,
                (total - done) / rate);
        fflush(stderr);
    }
    return !stop_wanted;
}

carom_progress progress_begin(bool quiet, const char *unit)
{
    struct sigaction action = {.sa_handler = want_stop};
    sigemptyset(&action.sa_mask);
    action.sa_flags = (int)SA_RESETHAND; /* a second Ctrl-C ends the program at once */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    line.shows = !quiet && isatty(STDERR_FILENO);
    line.unit = unit;
    line.started = line.last = carom_seconds();
    return (carom_progress){.report = report};
}

void progress_end(void)
{
    if (line.drawn)
        fprintf(stderr, "\r\x1b[K");
    line.drawn = false;
}

bool progress_is_stopped(void)
{
    return stop_wanted;
}
