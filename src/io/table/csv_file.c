#include "carom/io.h"
#include "io/parts/text_file.h"

carom_status carom_csv_file_read(const char *path, carom_arena *arena, const char **text, carom_error *error)
{
    return text_file_read(arena, "data file", path, text, error);
}
