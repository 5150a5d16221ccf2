/* Data, fit and residuals as CSV. */
#include <errno.h>
#include <math.h>

#include "carom/survey/fit.h"
#include "csv_cells.h"

/* Cells of what is not known are empty. */
static void put_number(FILE *stream, double value)
{
    fputc(',', stream);
    if (isfinite(value))
        fprintf(stream, "%.17g", value);
}

static void put_row(FILE *stream, const carom_fit_request *request, const carom_fit *fit, int data, int row,
                    const char *column, int output)
{
    const carom_fit_data *of = &request->data[data];
    const int at = row * fit->column_count + output;
    if (isnan(of->value[at]))
        return;
    csv_put_text(stream, "", of->name, "");
    fputc(',', stream);
    csv_put_text(stream, "", column, "");
    put_number(stream, request->events ? row + 1.0 : of->t[row]);
    put_number(stream, of->value[at]);
    put_number(stream, fit->fitted[data][at]);
    put_number(stream, of->value[at] - fit->fitted[data][at]);
    fputc('\n', stream);
}

carom_status carom_fit_write_csv(FILE *stream, const carom_fit_request *request, const carom_fit *fit,
                                 const char *const *column, carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    fprintf(stream, "file,column,%s,data,fit,residual\n", request->events ? "impact" : "t");
    for (int d = 0; d < fit->data_count; d++)
        for (int c = 0; c < fit->column_count; c++)
            for (int i = 0; i < request->data[d].count; i++)
                put_row(stream, request, fit, d, i, column[c], c);
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}
