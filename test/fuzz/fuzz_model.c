/* Any text as a model file: it is loaded or refused, with a message that a terminal may show. */
#include "carom/io.h"
#include "fuzz.h"

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
