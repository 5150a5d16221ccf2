#include "full_size.h"

static const double bytes_most = 2147483648.0;

carom_status full_size_check_numbers(double numbers, const char *what, const char *instead,
                                     carom_error *error)
{
    const double bytes = numbers * sizeof(double);
    if (bytes <= bytes_most)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT,
                      "%s needs full matrices of %.3g GB together, and more than %.3g GB are not taken: %s",
                      what, 1e-9 * bytes, 1e-9 * bytes_most, instead);
}

carom_status full_size_check_rows(double rows, const char *what, const char *instead, carom_error *error)
{
    const double bytes = rows * rows * sizeof(double);
    if (bytes <= bytes_most)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "%s needs full matrices of %.0f x %.0f numbers, each of %.3g GB, and more than %.3g GB are not "
        "taken: %s",
        what, rows, rows, 1e-9 * bytes, 1e-9 * bytes_most, instead);
}

carom_status full_size_check(const carom_model *model, const char *what, const char *instead,
                             carom_error *error)
{
    return full_size_check_rows((double)model->dof, what, instead, error);
}
