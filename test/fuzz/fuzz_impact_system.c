/* Any bytes as a system of impacts in JSON: they are read or refused. */
#include "carom/io.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    carom_impact_file *file = NULL;
    carom_error error = {0};
    fuzz_write("system.json", bytes, size);
    const carom_status status = carom_impact_file_read("system.json", &file, &error);
    fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT);
    fuzz_expect((status == CAROM_OK) == (file != NULL) && carom_is_plain(error.text));
    for (int i = 0; file && file->contact && i < file->impact.contacts; i++)
        fuzz_expect(carom_is_plain(file->contact[i]));
    carom_impact_file_free(file);
    return 0;
}
