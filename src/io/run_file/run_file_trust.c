/* What a run file says about the trust in a run: its certificate, as attributes, and its events, as lists. Pictures need
 * more of the events, the list `points`: t, kind, contact, columns before, columns after, of one after the other. */
#include <stdlib.h>

#include "run_file_content.h"

static bool put_doubts(hid_t group, const carom_certificate *certificate)
{
    const char *text[CAROM_DOUBTS_KEPT];
    int count = 0;
    while (count < certificate->doubts && count < CAROM_DOUBTS_KEPT) {
        text[count] = certificate->doubt[count];
        count++;
    }
    const hsize_t length = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const bool written = count == 0 || hdf5_put_texts(group, "doubts", space, text, count);
    if (space >= 0)
        H5Sclose(space);
    return written && hdf5_put_integer(group, "doubt_count", certificate->doubts);
}

bool run_file_put_certificate(hid_t run, const carom_model *model, const carom_certificate *certificate)
{
    const hid_t group = hdf5_create_group(run, "certificate");
    if (group < 0)
        return false;
    const struct {
        const char *name;
        double value;
    } number[] = {{"energy_initial", certificate->energy_initial},
                  {"energy_final", certificate->energy_final},
                  {"forces", certificate->forces},
                  {"contacts", certificate->contacts},
                  {"joints", certificate->joints},
                  {"scheme", certificate->scheme},
                  {"energy_scale", certificate->energy_scale},
                  {"penetration", certificate->penetration},
                  {"penetration_time", certificate->penetration_time},
                  {"drift", certificate->drift},
                  {"drift_time", certificate->drift_time},
                  {"contact_error", certificate->contact_error},
                  {"contact_error_time", certificate->contact_error_time},
                  {"contact_tolerance", certificate->contact_tolerance}};
    bool written = hdf5_put_integer(group, "trusted", certificate->trusted) &&
                   hdf5_put_integer(group, "unsolved_steps", certificate->unsolved_steps) &&
                   hdf5_put_integer(group, "fixed_rows_steps", certificate->fixed_rows_steps) &&
                   hdf5_put_integer(group, "crossings", certificate->crossings) &&
                   put_doubts(group, certificate);
    for (size_t i = 0; written && i < sizeof number / sizeof *number; i++)
        written = hdf5_put_number(group, number[i].name, number[i].value);
    const char *joint = certificate->drift > 0.0 ? model->joint[certificate->drift_joint] : "";
    written = written && hdf5_put_text(group, "penetration_contact", certificate->penetration_contact) &&
              hdf5_put_text(group, "drift_joint", joint);
    if (certificate->stop[0])
        written = written && hdf5_put_text(group, "stop", certificate->stop) &&
                  hdf5_put_number(group, "stop_time", certificate->stop_time);
    return H5Gclose(group) >= 0 && written;
}

/* One column of the events. */
static double event_number(const carom_event *event, int column)
{
    switch (column) {
    case 0:
        return event->t;
    case 1:
        return event->rate_before;
    case 2:
        return event->rate_after;
    case 3:
        return event->impulse;
    case 4:
        return event->energy_before;
    default:
        return event->energy_after;
    }
}

static bool put_event_texts(hid_t group, const carom_model *model, int count, const carom_event *event)
{
    const hsize_t length = (hsize_t)count;
    const hid_t space = H5Screate_simple(1, &length, NULL);
    const char **kind = carom_new_array((size_t)count, sizeof *kind);
    const char **contact = carom_new_array((size_t)count, sizeof *contact);
    char(*name)[160] = carom_new_array((size_t)count, sizeof *name);
    bool written = kind && contact && name && space >= 0;
    for (int i = 0; written && i < count; i++) {
        kind[i] = carom_event_word(event[i].kind);
        contact[i] = carom_event_contact(model, &event[i], name[i], sizeof name[i]);
    }
    written = written && hdf5_put_texts(group, "kind", space, kind, count) &&
              hdf5_put_texts(group, "contact", space, contact, count);
    free(kind);
    free(contact);
    free(name);
    if (space >= 0)
        H5Sclose(space);
    return written;
}

static bool put_event_lists(hid_t group, const carom_model *model, size_t count, const carom_event *event)
{
    static const char *const name[] = {"t",       "rate_before",   "rate_after",
                                       "impulse", "energy_before", "energy_after"};
    double *value = carom_new_array(count, sizeof *value);
    bool written = value && put_event_texts(group, model, (int)count, event);
    for (int column = 0; written && column < (int)(sizeof name / sizeof *name); column++) {
        for (size_t i = 0; i < count; i++)
            value[i] = event_number(&event[i], column);
        written = hdf5_put_reals(group, name[column], (int)count, value);
    }
    free(value);
    return written;
}

bool run_file_put_events(hid_t run, const carom_model *model, const carom_run_result *result)
{
    const carom_event_points *points = &result->points;
    const size_t count = result->event_count, numbers = points->count * carom_event_points_width(points);
    const bool has_events = count > 0 && count <= INT32_MAX, has_points = numbers > 0 && numbers <= INT32_MAX;
    if (!has_events && !has_points)
        return true;
    const hid_t group = hdf5_create_group(run, "events");
    if (group < 0)
        return false;
    const bool written = (!has_events || put_event_lists(group, model, count, result->event)) &&
                         (!has_points || (hdf5_put_integer(group, "columns", points->columns) &&
                                          hdf5_put_reals(group, "points", (int)numbers, points->row)));
    return H5Gclose(group) >= 0 && written;
}
