/* Lyapunov exponents as CSV: the convergence of one motion, the exponents of several. */
#include "carom/io/lyapunov.h"

#include <errno.h>
#include <math.h>

#include "csv_cells.h"

carom_status carom_lyapunov_write_csv(FILE *stream, const carom_lyapunov *found, carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    errno = 0;
    fputs("time", stream);
    for (int c = 0; c < found->count; c++)
        fprintf(stream, ",exponent%d", c + 1);
    fputc('\n', stream);
    for (int k = 0; k < found->point_count; k++) {
        fprintf(stream, "%.17g", found->point_time[k]);
        for (int c = 0; c < found->count; c++) {
            const double value = found->point[(ptrdiff_t)k * found->count + c];
            fputc(',', stream);
            if (isfinite(value))
                fprintf(stream, "%.17g", value);
        }
        fputc('\n', stream);
    }
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}

static void put_numbers(FILE *stream, int count, int all, const double *value)
{
    for (int c = 0; c < all; c++) {
        fputc(',', stream);
        if (c < count && isfinite(value[c]))
            fprintf(stream, "%.17g", value[c]);
    }
}

static int most_exponents(const carom_exponents *all)
{
    int most = 0;
    for (int i = 0; i < all->points * all->starts; i++)
        most = all->point[i].found.count > most ? all->point[i].found.count : most;
    return most;
}

carom_status carom_exponents_write_csv(FILE *stream, const char *parameter, const carom_exponents *all,
                                       carom_error *error)
{
    const carom_number_format numbers = carom_numbers_begin();
    const int count = most_exponents(all);
    errno = 0;
    if (parameter) {
        csv_put_text(stream, "", parameter, "");
        fputc(',', stream);
    }
    fputs("start,status", stream);
    for (int c = 0; c < count; c++)
        fprintf(stream, ",exponent%d", c + 1);
    for (int c = 0; c < count; c++)
        fprintf(stream, ",spread%d", c + 1);
    fputs(",time,impacts,regular\n", stream);
    for (int i = 0; i < all->points * all->starts; i++) {
        const carom_exponents_point *point = &all->point[i];
        if (!point->done)
            continue;
        if (parameter)
            fprintf(stream, "%.17g,", point->value);
        fprintf(stream, "%d,%s", i % all->starts + 1, carom_status_word(point->status));
        const bool moved = point->found.time > 0.0;
        put_numbers(stream, moved ? point->found.count : 0, count, point->found.exponent);
        put_numbers(stream, moved ? point->found.count : 0, count, point->found.spread);
        fprintf(stream, ",%.17g,%ld,%d\n", point->found.time, point->found.impacts, point->found.regular);
    }
    fflush(stream);
    carom_numbers_end(numbers);
    return csv_check_stream(stream, errno, error);
}
