/* An order study as CSV: a line per run. */
#include "carom/io/convergence.h"

#include <errno.h>
#include <math.h>

#include "csv_cells.h"

carom_status carom_convergence_write_csv(FILE *stream, const carom_convergence *study,
                                         const char *const *quantity, carom_error *error)
{
    static const char *const name[] = {[CAROM_CURVE_Q] = "q", [CAROM_CURVE_V] = "v"};
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    fputs("scheme,h,status,steps,seconds", stream);
    for (int c = 0; c < study->curve_count; c++) {
        fputc(',', stream);
        csv_put_text(stream, "error_",
                     c < CAROM_CURVE_QUANTITY ? name[c] : quantity[c - CAROM_CURVE_QUANTITY], "");
    }
    fputc('\n', stream);
    for (int i = 0; i < study->scheme_count; i++)
        for (int k = 0; k < study->h_count; k++) {
            const carom_convergence_scheme *scheme = &study->scheme[i];
            const carom_converged_run *run = &scheme->run[k];
            if (run->word[0] == '\0')
                continue; /* not made: the study was stopped */
            fprintf(stream, "%s,%.17g,%s,%ld,%.17g", scheme->scheme->name, study->h[k], run->word, run->steps,
                    run->wall_seconds);
            for (int c = 0; c < study->curve_count; c++) {
                fputc(',', stream);
                if (isfinite(scheme->curve[c].error[k]))
                    fprintf(stream, "%.17g", scheme->curve[c].error[k]);
            }
            fputc('\n', stream);
        }
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}
