/* Columns of numbers from a text, as programs and instruments write them:
 *
 *   # recorded on a Monday          lines that begin with # or %, and empty ones, are passed over
 *   t, a                            names, where the first line has something that is no number
 *   0.00, 0.0012
 *   0.02, 0.0019
 *
 * Cells are separated by semicolons, commas or tabs, whichever the first line has, otherwise by blanks. */
#include <math.h>
#include <string.h>

#include "carom/io.h"

enum {
    CELL_SIZE = 64, /* of a number */
    SHOWN_SIZE = 48,
    COLUMNS_MAX = CAROM_CSV_COLUMNS_MAX
};

typedef struct csv_reader {
    const char *file;
    const char *next;      /* line */
    const char *from, *to; /* the line under way */
    int line;              /* its number */
    char separator;
} csv_reader;

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* The next line that holds something. */
static bool next_line(csv_reader *in)
{
    while (*in->next) {
        const char *end = strchr(in->next, '\n');
        in->from = in->next;
        in->to = end ? end : in->next + strlen(in->next);
        in->next = end ? end + 1 : in->to;
        in->line++;
        while (in->from < in->to && is_blank(*in->from))
            in->from++;
        while (in->to > in->from && is_blank(in->to[-1]))
            in->to--;
        if (in->from < in->to && *in->from != '#' && *in->from != '%')
            return true;
    }
    return false;
}

static char separator_of(const csv_reader *in)
{
    static const char kinds[] = ";,\t";
    for (const char *kind = kinds; *kind; kind++)
        if (memchr(in->from, *kind, (size_t)(in->to - in->from)))
            return *kind;
    return ' ';
}

/* ---- cells -------------------------------------------------------------------------------------------- */

typedef struct csv_cell {
    const char *from, *to;
} csv_cell;

/* Takes the cell that begins at *at; *at becomes the begin of the next one, NULL behind the last. */
static csv_cell take_cell(const csv_reader *in, const char **at)
{
    const char *from = *at, *end;
    while (from < in->to && is_blank(*from) && (in->separator == ' ' || *from != in->separator))
        from++;
    const bool quoted = from < in->to && *from == '"';
    const char *close = quoted ? memchr(from + 1, '"', (size_t)(in->to - from - 1)) : NULL;
    for (end = close ? close + 1 : from; end < in->to; end++)
        if (*end == in->separator || (in->separator == ' ' && is_blank(*end)))
            break;
    *at = end < in->to ? end + 1 : NULL;
    if (close)
        return (csv_cell){from + 1, close};
    while (end > from && is_blank(end[-1]))
        end--;
    return (csv_cell){from, end};
}

static bool is_number(csv_cell cell, double *value)
{
    char text[CELL_SIZE];
    const size_t length = (size_t)(cell.to - cell.from);
    if (length == 0 || length >= sizeof text)
        return false;
    memcpy(text, cell.from, length);
    text[length] = '\0';
    return carom_parse_number(text, value);
}

static bool is_name(csv_cell cell, const char *name)
{
    const size_t length = (size_t)(cell.to - cell.from);
    return strlen(name) == length && memcmp(cell.from, name, length) == 0;
}

static void show_cell(csv_cell cell, char shown[SHOWN_SIZE])
{
    size_t length = (size_t)(cell.to - cell.from);
    length = length < SHOWN_SIZE ? length : SHOWN_SIZE - 1;
    memcpy(shown, cell.from, length);
    shown[length] = '\0';
}

/* ---- which columns ------------------------------------------------------------------------------------ */

/* Nothing, or a word for it. */
static bool is_missing(csv_cell cell)
{
    static const char *const word[] = {"", "NaN", "nan", "NAN", "NA", "-"};
    for (size_t i = 0; i < sizeof word / sizeof *word; i++)
        if (is_name(cell, word[i]))
            return true;
    return false;
}

static bool has_names(const csv_reader *in)
{
    double value;
    for (const char *at = in->from; at;) {
        const csv_cell cell = take_cell(in, &at);
        if (!is_number(cell, &value) && !is_missing(cell))
            return true;
    }
    return false;
}

static carom_status fail_unknown(const csv_reader *in, const char *name, carom_error *error)
{
    carom_text known = {0};
    char shown[SHOWN_SIZE];
    for (const char *at = in->from; at && known.length < 300;) {
        show_cell(take_cell(in, &at), shown);
        carom_text_append(&known, "%s%s", known.length ? ", " : "", shown);
    }
    carom_fail(error, CAROM_BAD_INPUT, "%s:%d: there is no column '%s'; the first line names %s", in->file,
               in->line, name, known.bytes ? known.bytes : "none");
    carom_text_free(&known);
    return CAROM_BAD_INPUT;
}

/* Numbers, from 1, of the columns that are asked for; the reader is at the first line. */
static carom_status find_columns(const csv_reader *in, bool named, int count, const carom_csv_column *column,
                                 int *number, carom_error *error)
{
    for (int i = 0; i < count; i++) {
        number[i] = column[i].number;
        if (!column[i].name)
            continue;
        if (!named)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "%s:%d: the first line has no names, so there is no column '%s'; give its number", in->file,
                in->line, column[i].name);
        int place = 0, found = 0;
        for (const char *at = in->from; at;) {
            const csv_cell cell = take_cell(in, &at);
            place++;
            if (is_name(cell, column[i].name) && found++ == 0)
                number[i] = place;
        }
        if (found == 0)
            return fail_unknown(in, column[i].name, error);
        if (found > 1)
            return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: %d columns have the name '%s'; give its number",
                              in->file, in->line, found, column[i].name);
    }
    return CAROM_OK;
}

/* ---- rows --------------------------------------------------------------------------------------------- */

static carom_status read_row(const csv_reader *in, const carom_csv_request *request, const int *number,
                             double *value, carom_error *error)
{
    const int count = request->column_count;
    bool found[COLUMNS_MAX] = {false};
    int place = 0;
    for (const char *at = in->from; at;) {
        const csv_cell cell = take_cell(in, &at);
        place++;
        for (int i = 0; i < count; i++) {
            if (number[i] != place)
                continue;
            found[i] = true;
            if (i > 0 && request->may_miss && is_missing(cell)) {
                value[i] = NAN;
            } else if (!is_number(cell, &value[i]) || !isfinite(value[i])) {
                char shown[SHOWN_SIZE];
                show_cell(cell, shown);
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "%s:%d: '%s' in column %d is not a finite number (such as 0.5 or -1.2e-3)",
                                  in->file, in->line, shown, place);
            }
        }
    }
    for (int i = 0; i < count; i++)
        if (!found[i] && i > 0 && request->may_miss)
            value[i] = NAN;
        else if (!found[i])
            return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: there is no column %d: the line has %d",
                              in->file, in->line, number[i], place);
    return CAROM_OK;
}

static int count_lines(const char *text)
{
    int lines = 1;
    for (const char *c = text; (c = strchr(c, '\n')); c++)
        lines++;
    return lines;
}

static carom_status read_rows(csv_reader *in, const carom_csv_request *request, const int *number,
                              carom_csv_numbers *to, carom_error *error)
{
    const int count = request->column_count;
    double row[COLUMNS_MAX], before = -INFINITY;
    do {
        const carom_status status = read_row(in, request, number, row, error);
        if (status != CAROM_OK)
            return status;
        if (request->first_grows && !(row[0] > before))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "%s:%d: %.17g is not larger than %.17g before it: column %d must grow",
                              in->file, in->line, row[0], before, number[0]);
        before = row[0];
        for (int i = 0; i < count; i++)
            to->column[i][to->rows] = row[i];
        to->rows++;
    } while (next_line(in));
    return CAROM_OK;
}

/* To the first line that holds something. */
static carom_status begin(csv_reader *in, const char *file, const char *text, carom_error *error)
{
    static const char byte_order_mark[] = "\xEF\xBB\xBF";
    if (strncmp(text, byte_order_mark, 3) == 0)
        text += 3;
    *in = (csv_reader){.file = file, .next = text};
    if (!next_line(in))
        return carom_fail(error, CAROM_BAD_INPUT, "%s: the file holds no numbers", file);
    in->separator = separator_of(in);
    return CAROM_OK;
}

carom_status carom_csv_names(const char *file, const char *text, carom_arena *arena, int *count, char ***name,
                             carom_error *error)
{
    csv_reader in;
    *count = 0;
    *name = NULL;
    const carom_status status = begin(&in, file, text, error);
    if (status != CAROM_OK || !has_names(&in))
        return status;
    int cells = 0;
    for (const char *at = in.from; at; cells++)
        take_cell(&in, &at);
    *name = carom_arena_take(arena, (size_t)cells, sizeof **name);
    for (const char *at = in.from; at && *name; ++*count) {
        const csv_cell cell = take_cell(&in, &at);
        const size_t length = (size_t)(cell.to - cell.from);
        char *copy = carom_arena_take(arena, length + 1, 1);
        if (!copy)
            return carom_fail_memory(error);
        memcpy(copy, cell.from, length);
        (*name)[*count] = copy;
    }
    return *name ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_csv_numbers_parse(const carom_csv_request *request, const char *text, carom_arena *arena,
                                     carom_csv_numbers *to, carom_error *error)
{
    const int count = request->column_count;
    *to = (carom_csv_numbers){0};
    if (count < 1 || count > COLUMNS_MAX)
        return carom_fail(error, CAROM_BAD_INPUT, "%d columns are asked for: 1 to %d can be", count,
                          COLUMNS_MAX);
    csv_reader in;
    carom_status status = begin(&in, request->file, text, error);
    if (status != CAROM_OK)
        return status;
    int number[COLUMNS_MAX] = {0};
    const bool named = has_names(&in);
    status = find_columns(&in, named, count, request->column, number, error);
    if (status != CAROM_OK)
        return status;
    if (named && !next_line(&in))
        return carom_fail(error, CAROM_BAD_INPUT, "%s:%d: no numbers follow the names", in.file, in.line);
    const size_t lines = (size_t)count_lines(text);
    to->column = carom_arena_take(arena, (size_t)count, sizeof *to->column);
    for (int i = 0; to->column && i < count; i++)
        if (!(to->column[i] = carom_arena_take(arena, lines, sizeof(double))))
            return carom_fail_memory(error);
    return to->column ? read_rows(&in, request, number, to, error) : carom_fail_memory(error);
}
