/* How long a survey will take and what memory, from runs that were timed. */
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include "app/crew.h"
#include "app/trial_output.h"
#include "carom/io.h"

memory_before memory_now(void)
{
    struct rusage used = {0};
    getrusage(RUSAGE_SELF, &used);
    return (memory_before){1024.0 * (double)used.ru_maxrss};
}

/* The program and its model once, a run for each thread, on the first rank all results. */
typedef struct expected_memory {
    double each, first;
} expected_memory;

static expected_memory expect_memory(const carom_survey_trial *trial, const memory_before *before,
                                     int threads)
{
    const double run = fmax(0.0, memory_now().bytes - before->bytes);
    const double each = before->bytes + run * threads;
    return (expected_memory){each, each + (double)trial->result_bytes};
}

static int threads_of(int threads)
{
    if (threads > 0 || crew_size() > 1)
        return threads > 0 ? threads : 1;
    const long cores = sysconf(_SC_NPROCESSORS_ONLN);
    return cores < 1 ? 1 : (int)cores;
}

static void print_json(const carom_survey_trial *trial, expected_memory memory, int threads, double hours)
{
    carom_text text = {0};
    carom_json json = {.text = &text};
    carom_json_object_begin(&json, NULL);
    carom_json_text(&json, "status", "dry-run");
    carom_json_number(&json, "runs", (double)trial->runs);
    carom_json_object_begin(&json, "timed");
    carom_json_text(&json, "run", trial->what);
    carom_json_text(&json, "status", trial->word);
    carom_json_number(&json, "wall_s", trial->seconds);
    carom_json_object_end(&json);
    carom_json_number(&json, "ranks", crew_size());
    carom_json_number(&json, "threads", threads);
    carom_json_number(&json, "hours", hours);
    carom_json_number(&json, "core_hours", trial->all_seconds / 3600.0);
    carom_json_object_begin(&json, "bytes");
    carom_json_number(&json, "rank", memory.each);
    carom_json_number(&json, "first_rank", memory.first);
    carom_json_number(&json, "results", (double)trial->result_bytes);
    carom_json_object_end(&json);
    carom_json_object_end(&json);
    print_whole(&text);
}

void print_trial(const carom_survey_trial *trial, const memory_before *before, int threads, bool as_json)
{
    const int ranks = crew_size(), each = threads_of(threads);
    const long pieces = trial->pieces > 0 ? trial->pieces : trial->runs;
    const double busy = fmin((double)ranks * each, (double)pieces);
    const double hours = trial->all_seconds / 3600.0 / busy;
    const expected_memory memory = expect_memory(trial, before, each);
    if (as_json) {
        print_json(trial, memory, each, hours);
        return;
    }
    printf("runs       %ld\n", trial->runs);
    printf("timed      %s: %s, %.3g s\n", trial->what, trial->word, trial->seconds);
    if (ranks > 1)
        printf("time       %.3g h with %d ranks of %d thread%s, if each of these has a core", hours, ranks,
               each, plural(each));
    else
        printf("time       %.3g h with %d thread%s", hours, each, plural(each));
    printf(" (%.3g core hours)\n", trial->all_seconds / 3600.0);
    if (ranks > 1)
        printf("memory     %.0f MB for each rank, %.0f MB for the first, which has all results\n",
               memory.each / 1e6, memory.first / 1e6);
    else
        printf("memory     %.0f MB\n", memory.first / 1e6);
}
