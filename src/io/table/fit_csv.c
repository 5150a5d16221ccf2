/* Data, fit and residuals as CSV. */
#include <errno.h>
#include <math.h>

#include "carom/survey/fit.h"
#include "csv_cells.h"

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
    fprintf(stream, ",%.17g,%.17g,%.17g,%.17g\n", request->events ? row + 1.0 : of->t[row], of->value[at],
            fit->fitted[data][at], of->value[at] - fit->fitted[data][at]);
}

carom_status carom_fit_write_csv(FILE *stream, const carom_fit_request *request, const carom_fit *fit,
                                 const char *const *column, carom_error *error)
{
    errno = 0;
    fprintf(stream, "file,column,%s,data,fit,residual\n", request->events ? "impact" : "t");
    for (int d = 0; d < fit->data_count; d++)
        for (int c = 0; c < fit->column_count; c++)
            for (int i = 0; i < request->data[d].count; i++)
                put_row(stream, request, fit, d, i, column[c], c);
    return csv_check_stream(stream, errno, error);
}
