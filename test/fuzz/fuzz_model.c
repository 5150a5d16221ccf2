/* Any text as a model file: it is loaded or refused, with a message that a terminal may show. */
#include "carom/io.h"
#include "fuzz.h"

/* Every statement's own example is a seed: what the language learns is tried without being listed here. */
static void write_seeds(const char *directory)
{
    for (size_t i = 0; i < carom_statement_count(); i++) {
        const carom_statement *statement = carom_statement_at(i);
        char path[1024];
        snprintf(path, sizeof path, "%s/%s.lua", directory, statement->name);
        fuzz_write(path, (const uint8_t *)statement->example, strlen(statement->example));
    }
}

/* The words that changed inputs are put together from, in the form that libFuzzer reads. */
static void write_dictionary(const char *path)
{
    FILE *stream = fopen(path, "w");
    fuzz_expect(stream != NULL);
    for (size_t i = 0; i < carom_statement_count(); i++) {
        const carom_statement *statement = carom_statement_at(i);
        fprintf(stream, "\"%s \"\n", statement->name);
        for (const carom_statement_key *key = statement->keys; key && key->name; key++)
            fprintf(stream, "\", %s = \"\n", key->name);
    }
    fuzz_expect(fclose(stream) == 0);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count, (void)words;
    if (getenv("CAROM_FUZZ_SEEDS"))
        write_seeds(getenv("CAROM_FUZZ_SEEDS"));
    if (getenv("CAROM_FUZZ_WORDS"))
        write_dictionary(getenv("CAROM_FUZZ_WORDS"));
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = fuzz_text(bytes, size);
    const carom_load_request request = {.file = "model.lua", .text = text, .max_seconds = 2.0};
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    const carom_status status = carom_experiment_load(&request, &experiment, &error);
    fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY);
    fuzz_expect((status == CAROM_OK) == (experiment != NULL));
    fuzz_expect(carom_is_plain(error.text));
    if (experiment && experiment->title)
        fuzz_expect(carom_is_plain(experiment->title));
    for (int i = 0; experiment && i < experiment->measure_count; i++)
        fuzz_expect(strlen(experiment->measure[i].name) < 64 && carom_is_plain(experiment->measure[i].name));
    carom_experiment_free(experiment);
    free(text);
    return 0;
}
