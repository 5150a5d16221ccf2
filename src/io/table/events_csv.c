/* The events of a run as CSV. */
#include <errno.h>

#include "csv_cells.h"

carom_status carom_events_write_csv(FILE *stream, const carom_model *model, size_t count,
                                    const carom_event *event, carom_error *error)
{
    errno = 0;
    fputs("t,kind,contact,rate_before,rate_after,impulse,energy_before,energy_after\n", stream);
    for (size_t i = 0; i < count; i++) {
        const carom_event *e = &event[i];
        fprintf(stream, "%.17g,%s,", e->t, carom_event_word(e->kind));
        csv_put_text(stream, "", model->contact[e->contact].name, "");
        fprintf(stream, ",%.17g,%.17g,%.17g,%.17g,%.17g\n", e->rate_before, e->rate_after, e->impulse,
                e->energy_before, e->energy_after);
    }
    return csv_check_stream(stream, errno, error);
}
