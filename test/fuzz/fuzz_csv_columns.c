/* Any bytes as a table of measured numbers: rows are read or refused, and messages are fit to be shown. */
#include "carom/io.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const carom_csv_column by_number[] = {{NULL, 1}, {NULL, 2}}, by_name[] = {{"t", 0}, {"a", 0}};
    char *text = fuzz_text(bytes, size);
    for (int named = 0; named < 2; named++) {
        carom_arena *arena = carom_arena_create();
        carom_csv_numbers found;
        carom_error error = {0};
        const carom_csv_request request = {
            .file = "d.csv", .column_count = 2, .column = named ? by_name : by_number, .first_grows = true};
        const carom_status status = carom_csv_numbers_parse(&request, text, arena, &found, &error);
        fuzz_expect(status == CAROM_OK || status == CAROM_BAD_INPUT);
        fuzz_expect(status != CAROM_OK || found.rows > 0);
        fuzz_expect(carom_is_plain(error.text));
        if (status == CAROM_OK && found.rows > 1) {
            const carom_table_spec spec = {found.rows, found.column[0], found.column[1], true,
                                           CAROM_OUTSIDE_HOLD};
            carom_table *table = NULL;
            const carom_status made = carom_table_create(&spec, &table, &error);
            fuzz_expect((made == CAROM_OK) == (table != NULL));
            if (table)
                carom_table_value(table, -2, found.column[0][found.rows / 2]);
            carom_table_free(table);
        }
        carom_arena_free(arena);
    }
    free(text);
    return 0;
}
