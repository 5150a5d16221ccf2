/* Any bytes as a file of a controller, a table of numbers: they are read or refused, and never shown. */
#include "carom/subject/drilling.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    char *text = fuzz_text(bytes, size);
    carom_drill_controller *controller = NULL;
    carom_error error = {0};
    const carom_status status = carom_drill_controller_parse("c.txt", text, &controller, &error);
    fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT);
    fuzz_expect((status == CAROM_OK) == (controller != NULL) && carom_is_plain(error.text));
    carom_drill_controller_free(controller);
    free(text);
    return 0;
}
