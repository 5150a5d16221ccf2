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

static const char *regime_word(double regime)
{
    if (regime == (double)CAROM_CONTACT_STICK)
        return "stick";
    return regime == (double)CAROM_CONTACT_SLIP ? "slip" : "open";
}

/* Lines on their way to the stream, piece by piece: a line may be of any length. */
typedef struct csv_line {
    FILE *stream;
    size_t length, written; /* bytes here, and before them */
    char bytes[1 << 14];
} csv_line;

static void send(csv_line *line)
{
    fwrite(line->bytes, 1, line->length, line->stream);
    line->written += line->length;
    line->length = 0;
}

static void make_room(csv_line *line, size_t bytes)
{
    if (line->length + bytes > sizeof line->bytes)
        send(line);
}

static void put_letter(csv_line *line, char letter)
{
    make_room(line, 1);
    line->bytes[line->length++] = letter;
}

static void put_word(csv_line *line, const char *word)
{
    const size_t length = strlen(word);
    make_room(line, 1 + length);
    line->bytes[line->length++] = ',';
    memcpy(line->bytes + line->length, word, length);
    line->length += length;
}

static void put_number(csv_line *line, double value)
{
    make_room(line, CAROM_NUMBER_SIZE);
    line->length += carom_put_number(line->bytes + line->length, value);
}

static void put_numbers(csv_line *line, const double *value, int count)
{
    for (int i = 0; i < count; i++) {
        put_letter(line, ',');
        put_number(line, value[i]);
    }
}

/* Cells of what is not known are empty. */
static void put_slope(csv_line *line, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        if (value && isfinite(value[i]))
            put_numbers(line, value + i, 1);
        else
            put_letter(line, ',');
}

static void put_slopes(const carom_csv_writer *writer, csv_line *line, int name)
{
    const carom_row_layout *layout = &writer->layout;
    const double *row = writer->slopes ? writer->slopes + (size_t)name * (size_t)layout->width : NULL;
    put_slope(line, row ? row + layout->q : NULL, layout->positions);
    put_slope(line, row ? row + layout->v : NULL, layout->dof);
    put_slope(line, row ? row + layout->column : NULL, writer->experiment->named_columns);
}

static void take_slopes(void *context, const double *rows)
{
    ((carom_csv_writer *)context)->slopes = rows;
}

static void put_all_cells(const carom_csv_writer *writer, const double *row, csv_line *line)
{
    const carom_row_layout *layout = &writer->layout;
    put_number(line, row[0]);
    put_numbers(line, row + layout->q, layout->positions);
    put_numbers(line, row + layout->v, layout->dof);
    put_numbers(line, row + layout->energy, 1);
    for (int i = 0; i < layout->contacts; i++) {
        const double *impulse = row + layout->impulse + i * CAROM_CONTACT_COMPONENTS;
        put_numbers(line, row + layout->gap + i, 1);
        put_numbers(line, impulse, 1 + writer->experiment->model->contact[i].tangents);
        put_word(line, regime_word(row[layout->regime + i]));
    }
    put_numbers(line, row + layout->column, writer->experiment->named_columns);
    for (int c = 0; c < writer->names; c++)
        put_slopes(writer, line, c);
}

static void put_selected_cells(const carom_csv_writer *writer, const double *row, csv_line *line)
{
    put_number(line, row[writer->column[0].place]);
    for (int i = 1; i < writer->columns; i++) {
        const double *value = row + writer->column[i].place;
        if (writer->column[i].is_status)
            put_word(line, regime_word(*value));
        else
            put_numbers(line, value, 1);
    }
}

static carom_status put_rows(void *context, size_t count, const double *rows, carom_error *error)
{
    carom_csv_writer *writer = context;
    const size_t width = (size_t)writer->layout.width;
    csv_line line;
    line.stream = writer->stream;
    line.length = line.written = 0;
    errno = 0;
    for (size_t r = 0; r < count; r++) {
        if (writer->columns > 0)
            put_selected_cells(writer, rows + r * width, &line);
        else
            put_all_cells(writer, rows + r * width, &line);
        put_letter(&line, '\n');
    }
    send(&line);
    const int failure = errno;
    write_behind(&writer->waiting, fileno(line.stream), line.written);
    return csv_check_stream(line.stream, failure, error);
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
