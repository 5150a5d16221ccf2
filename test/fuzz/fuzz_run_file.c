/* Any bytes as a run file: they are read or refused. */
#include <unistd.h>

#include <hdf5.h>

#include "carom/carom.h"
#include "carom/io.h"
#include "fuzz.h"

/* Run files of a ball, with and without contact, family and records, as seeds, in the directory of the environment
 * variable CAROM_FUZZ_SEEDS. */
static void write_seed(const char *path, int kind)
{
    char text[600];
    snprintf(text, sizeof text,
             "local e = param { 'e', 0.5 } local y = coordinates('y') mass(1) potential(y) %s %s initial { y "
             "= 0.01 } "
             "integrate { h = 0.01, until_t = 0.05 } measure { low = minimum(y) }",
             kind & 1 ? "contact { 'floor', gap = y, restitution = e }" : "",
             kind & 2 ? "record { height = y }" : "");
    const carom_load_request load = {.file = "seed.lua", .text = text};
    carom_experiment *experiment = NULL;
    carom_run_writer *writer = NULL;
    carom_recorder recorder = {0};
    carom_run_result result;
    fuzz_expect(carom_experiment_load(&load, &experiment, NULL) == CAROM_OK);
    fuzz_expect(carom_run_writer_create(path, &writer, NULL) == CAROM_OK);
    for (int member = -1; member < (kind & 4 ? 1 : 0); member++) {
        fuzz_expect(carom_run_writer_begin(writer, member, experiment, NULL, &recorder, NULL) == CAROM_OK);
        const carom_run_request run = {.experiment = experiment, .recorder_count = 1, .recorder = &recorder};
        fuzz_expect(carom_run(&run, &result, NULL) == CAROM_OK);
        fuzz_expect(carom_run_writer_end(writer, &result, NULL) == CAROM_OK);
        carom_run_result_free(&result);
    }
    fuzz_expect(carom_run_writer_close(writer, NULL) == CAROM_OK);
    carom_experiment_free(experiment);
}

int LLVMFuzzerInitialize(int *count, char ***arguments)
{
    (void)count, (void)arguments;
    H5set_free_list_limits(-1, -1, -1, -1, -1, -1); /* what a file needs is there for the next one */
    const char *directory = getenv("CAROM_FUZZ_SEEDS");
    for (int kind = 0; directory && kind < 8; kind++) {
        char path[1024];
        snprintf(path, sizeof path, "%s/seed-%d", directory, kind);
        unlink(path);
        write_seed(path, kind);
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    carom_run_file *run = NULL;
    carom_error error = {0};
    fuzz_write("run.h5", bytes, size);
    const carom_status status = carom_run_file_read("run.h5", &run, &error);
    fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY);
    fuzz_expect((status == CAROM_OK) == (run != NULL) && carom_is_plain(error.text));
    double sum = 0.0; /* all rows are there */
    if (run)
        for (size_t i = 0; i < run->main.series.count * (size_t)run->main.series.layout.width; i++)
            sum += run->main.series.rows[i];
    fuzz_expect(sum == sum || sum != sum);
    carom_run_file_free(run);
    return 0;
}
