/* The events of a run as CSV. */
#include <errno.h>

#include "csv_cells.h"

carom_status carom_events_write_csv(FILE *stream, const carom_model *model, size_t count,
                                    const carom_event *event, carom_error *error)
{
    errno = 0;
    fputs("t,kind,contact,rate_before,rate_after,impulse,energy_before,energy_after\n", stream);
    const carom_number_format numbers = carom_numbers_begin();
    for (size_t i = 0; i < count; i++) {
        const carom_event *e = &event[i];
        fprintf(stream, "%.17g,%s,", e->t, carom_event_word(e->kind));
        char name[160];
        csv_put_text(stream, "", carom_event_contact(model, e, name, sizeof name), "");
        fprintf(stream, ",%.17g,%.17g,%.17g,%.17g,%.17g\n", e->rate_before, e->rate_after, e->impulse,
                e->energy_before, e->energy_after);
    }
    const int earlier_errno = errno;
    carom_numbers_end(numbers);
    return csv_check_stream(stream, earlier_errno, error);
}
