#include "csv_cells.h"

#include <string.h>

void csv_put_text(FILE *stream, const char *before, const char *name, const char *after)
{
    const char *part[3] = {before, name ? name : "", after};
    bool quoted = false;
    for (int i = 0; i < 3; i++)
        quoted = quoted || strpbrk(part[i], ",\"\r\n") != NULL;
    if (quoted)
        fputc('"', stream);
    for (int i = 0; i < 3; i++)
        for (const char *c = part[i]; *c; c++) {
            if (*c == '"')
                fputc('"', stream);
            fputc(*c, stream);
        }
    if (quoted)
        fputc('"', stream);
}

carom_status csv_check_stream(FILE *stream, int earlier_errno, carom_error *error)
{
    if (!ferror(stream))
        return CAROM_OK;
    const char *reason = earlier_errno ? strerror(earlier_errno) : "the stream reports an error";
    return carom_fail(error, CAROM_IO_ERROR, "cannot write the CSV file: %s", reason);
}
