/* CSV: a header line with names, then a line per row. */
#include <errno.h>
#include <string.h>

#include "csv_cells.h"

static void put_separated_name(FILE *stream, const char *before, const char *name, const char *after)
{
    fputc(',', stream);
    csv_put_text(stream, before, name, after);
}

/* A record may carry the name of a column that is always there, such as energy. */
static bool is_taken(const carom_model *model, const char *name)
{
    if (strcmp(name, "t") == 0 || strcmp(name, "energy") == 0)
        return true;
    for (int i = 0; i < carom_model_positions(model); i++)
        if (strcmp(name, model->coordinate[i]) == 0)
            return true;
    return false;
}

static void put_header(FILE *stream, const carom_experiment *experiment, const carom_row_layout *layout)
{
    const carom_model *model = experiment->model;
    csv_put_text(stream, "", "t", "");
    for (int i = 0; i < layout->positions; i++)
        put_separated_name(stream, "", model->coordinate[i], "");
    for (int i = 0; i < layout->dof; i++)
        put_separated_name(stream, "v_", carom_model_velocity_name(model, i), "");
    put_separated_name(stream, "", "energy", "");
    for (int i = 0; i < layout->contacts; i++) {
        const carom_contact_info *contact = &model->contact[i];
        put_separated_name(stream, "", contact->name, ".gap");
        put_separated_name(stream, "", contact->name, ".impulse");
        if (contact->tangents >= 1)
            put_separated_name(stream, "", contact->name, ".impulse_t1");
        if (contact->tangents >= 2)
            put_separated_name(stream, "", contact->name, ".impulse_t2");
        put_separated_name(stream, "", contact->name, ".status");
    }
    for (int i = 0; i < experiment->named_columns; i++)
        put_separated_name(stream, is_taken(model, experiment->column[i]) ? "record." : "",
                           experiment->column[i], "");
    fputc('\n', stream);
}

static const char *regime_word(double regime)
{
    if (regime == (double)CAROM_CONTACT_STICK)
        return "stick";
    return regime == (double)CAROM_CONTACT_SLIP ? "slip" : "open";
}

static void put_numbers(FILE *stream, const double *value, int count)
{
    for (int i = 0; i < count; i++)
        fprintf(stream, ",%.17g", value[i]);
}

static carom_status put_plain_row(void *context, const double *row, carom_error *error)
{
    const carom_csv_writer *writer = context;
    const carom_row_layout *layout = &writer->layout;
    FILE *stream = writer->stream;
    errno = 0;
    fprintf(stream, "%.17g", row[0]);
    put_numbers(stream, row + layout->q, layout->positions);
    put_numbers(stream, row + layout->v, layout->dof);
    put_numbers(stream, row + layout->energy, 1);
    for (int i = 0; i < layout->contacts; i++) {
        const double *impulse = row + layout->impulse + i * CAROM_CONTACT_COMPONENTS;
        put_numbers(stream, row + layout->gap + i, 1);
        put_numbers(stream, impulse, 1 + writer->experiment->model->contact[i].tangents);
        fprintf(stream, ",%s", regime_word(row[layout->regime + i]));
    }
    put_numbers(stream, row + layout->column, writer->experiment->named_columns);
    fputc('\n', stream);
    return csv_check_stream(stream, errno, error);
}

static carom_status put_row(void *context, const double *row, carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    const carom_status status = put_plain_row(context, row, error);
    carom_numbers_end(numbers);
    return status;
}

carom_status carom_csv_begin(carom_csv_writer *writer, FILE *stream, const carom_experiment *experiment,
                             carom_recorder *recorder, carom_error *error)
{
    if (!stream || !experiment)
        return carom_fail(error, CAROM_BAD_INPUT, "CSV needs %s; none is given",
                          stream ? "an experiment" : "a stream");
    writer->stream = stream;
    writer->experiment = experiment;
    writer->layout = carom_row_layout_of(experiment);
    *recorder = (carom_recorder){.context = writer, .row = put_row};
    errno = 0;
    put_header(stream, experiment, &writer->layout);
    return csv_check_stream(stream, errno, error);
}
