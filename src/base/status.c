#include <stdio.h>

#include "carom/base.h"

const char *carom_status_word(carom_status status)
{
    switch (status) {
    case CAROM_OK:
        return "ok";
    case CAROM_BAD_INPUT:
        return "bad-input";
    case CAROM_FAILED:
        return "failed";
    case CAROM_INTERRUPTED:
        return "interrupted";
    case CAROM_NO_MEMORY:
        return "no-memory";
    case CAROM_IO_ERROR:
        return "io-error";
    }
    return "unknown";
}

carom_status(carom_fail)(carom_error *error, carom_status status, const char *format, ...)
{
    if (error) {
        /* The new text may quote the old one (to add where it happened), so it is built aside. */
        char text[sizeof error->text];
        const carom_number_format numbers = carom_numbers_begin();
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(text, sizeof text, format, arguments);
        va_end(arguments);
        carom_numbers_end(numbers);
        carom_plain_copy(text, error->text, sizeof error->text);
        error->status = status;
    }
    return status;
}
