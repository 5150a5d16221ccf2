/* CSV: a header line with names, then a line per row. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "csv_cells.h"
#include "io/parts/write_behind.h"
#include "row_columns.h"

static void put_separated_name(FILE *stream, const char *before, const char *name, const char *after)
{
    fputc(',', stream);
    csv_put_text(stream, before, name, after);
}

static bool put_column_name(void *context, const char *before, const char *name, const char *after,
                            carom_table_column column)
{
    FILE *stream = context;
    if (column.place > 0)
        fputc(',', stream);
    csv_put_text(stream, before, name, after);
    return true;
}

/* d x / d e, for all positions, velocities and records by one name. */
static void put_slope_header(FILE *stream, const carom_experiment *experiment, const char *name)
{
    const carom_model *model = experiment->model;
    char after[256];
    carom_format(after, sizeof after, " / d %.200s", name);
    for (int i = 0; i < carom_model_positions(model); i++)
        put_separated_name(stream, "d ", model->coordinate[i], after);
    for (int i = 0; i < model->dof; i++)
        put_separated_name(stream, "d v_", carom_model_velocity_name(model, i), after);
    for (int i = 0; i < experiment->named_columns; i++)
        put_separated_name(stream, row_column_is_taken(model, experiment->column[i]) ? "d record." : "d ",
                           experiment->column[i], after);
}

enum {
    PIECE_BYTES = 1 << 14, /* fits the nearest cache */
    NUMBERS_AT_ONCE = 64,
    STATE_KNOWN = 128, /* numbers of a state, and records, that are compared with each other */
    RECORDS_KNOWN = 64,
    NOTHING = STATE_KNOWN
};

/* Lines on their way to the stream, piece by piece: a line may be of any length. A comma is behind each cell until the row ends.
 * Records are often positions and velocities, whose digits the row has already. */
typedef struct csv_lines {
    FILE *stream;
    size_t length, written; /* bytes of the piece, and before it */
    int known; /* of t, positions, velocities and energy: so many have their texts in this piece */
    uint16_t start, end[STATE_KNOWN]; /* of the first of them, and behind each */
    uint8_t like[RECORDS_KNOWN];      /* which of them a record probably is */
    char bytes[PIECE_BYTES];
} csv_lines;

static void send(csv_lines *lines)
{
    fwrite(lines->bytes, 1, lines->length, lines->stream);
    lines->written += lines->length;
    lines->length = 0;
    lines->known = 0;
}

static inline void make_room(csv_lines *lines, size_t bytes)
{
    if (lines->length + bytes > sizeof lines->bytes)
        send(lines);
}

static void put_nothing(csv_lines *lines)
{
    make_room(lines, 1);
    lines->bytes[lines->length++] = ',';
}

static void put_regime(csv_lines *lines, double regime)
{
    const bool sticks = regime == (double)CAROM_CONTACT_STICK, slips = regime == (double)CAROM_CONTACT_SLIP;
    make_room(lines, 8);
    memcpy(lines->bytes + lines->length, sticks ? "stick,\0" : slips ? "slip,\0\0" : "open,\0\0", 8);
    lines->length += sticks ? 6 : 5;
}

static void put_numbers(csv_lines *lines, const double *value, int count)
{
    for (int done = 0; done < count; done += NUMBERS_AT_ONCE) {
        const int some = count - done < NUMBERS_AT_ONCE ? count - done : NUMBERS_AT_ONCE;
        make_room(lines, (size_t)some * CAROM_NUMBER_SIZE);
        lines->length += carom_put_numbers(lines->bytes + lines->length, some, value + done, NULL);
    }
}

/* t, positions, velocities and energy stand side by side. */
static void put_state(csv_lines *lines, const double *state, int count)
{
    const int known = count < STATE_KNOWN ? count : STATE_KNOWN;
    make_room(lines, STATE_KNOWN * CAROM_NUMBER_SIZE);
    lines->start = (uint16_t)lines->length;
    lines->known = known;
    lines->length += carom_put_numbers(lines->bytes + lines->length, known, state, lines->end);
    put_numbers(lines, state + known, count - known);
}

static inline bool same_bits(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

/* Which of the state are these records? */
static void look_for_pairs(csv_lines *lines, const double *state, int state_count, const double *record,
                           int count)
{
    for (int i = 0; i < count && i < RECORDS_KNOWN; i++) {
        int k = 0;
        while (k < state_count && k < STATE_KNOWN && !same_bits(record[i], state[k]))
            k++;
        lines->like[i] = (uint8_t)(k < state_count ? k : NOTHING);
    }
}

/* The text of number k of the state, with its comma. */
static inline void put_again(csv_lines *lines, int k)
{
    const size_t start = lines->start + (k > 0 ? lines->end[k - 1] + 1u : 0u),
                 length = lines->start + lines->end[k] + 1u - start;
    char text[CAROM_NUMBER_SIZE];
    memcpy(text, lines->bytes + start, sizeof text); /* more than it, up to what is written here */
    memcpy(lines->bytes + lines->length, text, sizeof text);
    lines->length += length;
}

static void put_records(csv_lines *lines, const double *state, const double *record, int count)
{
    for (int i = 0; i < count; i++) {
        const int k = i < RECORDS_KNOWN ? lines->like[i] : NOTHING;
        make_room(lines, CAROM_NUMBER_SIZE);
        if (k < lines->known && same_bits(record[i], state[k]))
            put_again(lines, k);
        else
            lines->length += carom_put_numbers(lines->bytes + lines->length, 1, record + i, NULL);
    }
}

/* Cells of what is not known are empty. */
static void put_slope(csv_lines *lines, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        if (value && isfinite(value[i]))
            put_numbers(lines, value + i, 1);
        else
            put_nothing(lines);
}

static void put_slopes(const carom_csv_writer *writer, csv_lines *lines, int name)
{
    const carom_row_layout *layout = &writer->layout;
    const double *row = writer->slopes ? writer->slopes + (size_t)name * (size_t)layout->width : NULL;
    put_slope(lines, row ? row + layout->q : NULL, layout->positions);
    put_slope(lines, row ? row + layout->v : NULL, layout->dof);
    put_slope(lines, row ? row + layout->column : NULL, writer->experiment->named_columns);
}

static void take_slopes(void *context, const double *rows)
{
    ((carom_csv_writer *)context)->slopes = rows;
}

static void put_all_cells(const carom_csv_writer *writer, const double *row, csv_lines *lines)
{
    const carom_row_layout *layout = &writer->layout;
    put_state(lines, row, layout->energy + 1);
    for (int i = 0; i < layout->contacts; i++) {
        const double *impulse = row + layout->impulse + i * CAROM_CONTACT_COMPONENTS;
        put_numbers(lines, row + layout->gap + i, 1);
        put_numbers(lines, impulse, 1 + writer->experiment->model->contact[i].tangents);
        put_regime(lines, row[layout->regime + i]);
    }
    put_records(lines, row, row + layout->column, writer->experiment->named_columns);
    for (int c = 0; c < writer->names; c++)
        put_slopes(writer, lines, c);
}

static void put_selected_cells(const carom_csv_writer *writer, const double *row, csv_lines *lines)
{
    for (int i = 0; i < writer->columns; i++) {
        const double *value = row + writer->column[i].place;
        if (writer->column[i].is_status)
            put_regime(lines, *value);
        else
            put_numbers(lines, value, 1);
    }
}

static carom_status put_rows(void *context, size_t count, const double *rows, carom_error *error)
{
    carom_csv_writer *writer = context;
    const carom_row_layout *layout = &writer->layout;
    const size_t width = (size_t)layout->width;
    const double *any = rows + count / 2 * width; /* not the first, where much is 0 */
    csv_lines lines;
    lines.stream = writer->stream;
    lines.length = lines.written = 0;
    lines.known = 0;
    look_for_pairs(&lines, any, layout->energy + 1, any + layout->column, writer->experiment->named_columns);
    errno = 0;
    for (size_t r = 0; r < count; r++) {
        if (writer->columns > 0)
            put_selected_cells(writer, rows + r * width, &lines);
        else
            put_all_cells(writer, rows + r * width, &lines);
        lines.bytes[lines.length - 1] = '\n';
    }
    send(&lines);
    const int failure = errno;
    if (write_behind(&writer->waiting, fileno(lines.stream), lines.written) && writer->takes_room)
        room_ahead_take(fileno(lines.stream));
    return csv_check_stream(lines.stream, failure, error);
}

static carom_status put_row(void *context, const double *row, carom_error *error)
{
    return put_rows(context, 1, row, error);
}

static void put_header(const carom_csv_writer *writer)
{
    FILE *stream = writer->stream;
    if (writer->columns == 0)
        row_columns_visit(writer->experiment, put_column_name, stream);
    for (int i = 0; i < writer->columns; i++) {
        if (i > 0)
            fputc(',', stream);
        csv_put_text(stream, "", writer->column[i].name, "");
    }
    for (int c = 0; c < writer->names; c++)
        put_slope_header(stream, writer->experiment, writer->name[c]);
    fputc('\n', stream);
}

static carom_status begin(const carom_csv_writer *asked, carom_csv_writer *writer, carom_recorder *recorder,
                          carom_error *error)
{
    if (!asked->stream || !asked->experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "CSV needs %s; none is given",
                          asked->stream ? "an experiment" : "a stream");
    *writer = *asked;
    writer->layout = carom_row_layout_of(asked->experiment);
    *recorder = (carom_recorder){
        .context = writer, .row = put_row, .slopes = asked->names > 0 ? take_slopes : NULL, .rows = put_rows};
    errno = 0;
    put_header(writer);
    return csv_check_stream(writer->stream, errno, error);
}

carom_status carom_csv_begin(carom_csv_writer *writer, FILE *stream, const carom_experiment *experiment,
                             carom_recorder *recorder, carom_error *error)
{
    return begin(&(carom_csv_writer){.stream = stream, .experiment = experiment}, writer, recorder, error);
}

carom_status carom_csv_begin_sensitive(carom_csv_writer *writer, FILE *stream,
                                       const carom_experiment *experiment, int names, const char *const *name,
                                       carom_recorder *recorder, carom_error *error)
{
    return begin(
        &(carom_csv_writer){.stream = stream, .experiment = experiment, .names = names, .name = name}, writer,
        recorder, error);
}

carom_status carom_csv_begin_selected(carom_csv_writer *writer, FILE *stream,
                                      const carom_experiment *experiment, int columns,
                                      const carom_table_column *column, carom_recorder *recorder,
                                      carom_error *error)
{
    return begin(
        &(carom_csv_writer){.stream = stream, .experiment = experiment, .columns = columns, .column = column},
        writer, recorder, error);
}
