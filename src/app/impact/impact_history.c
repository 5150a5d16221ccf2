/* The course of an impact: energies, forces and velocities over time, as many rows as are worth keeping. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "app/impact_output.h"

enum {
    ROWS_MOST = 20000,
    NUMBERS_MOST = 8000000,
};

bool start_impact_history(carom_arena *arena, const carom_impact *impact, impact_history *history)
{
    *history = (impact_history){
        .contacts = impact->contacts < HISTORY_CONTACTS ? impact->contacts : HISTORY_CONTACTS,
        .coordinates = impact->coordinates,
        .stride = 1,
    };
    history->width = 1 + 2 * (size_t)history->contacts + (size_t)history->coordinates;
    const size_t rows = NUMBERS_MOST / history->width;
    history->limit = rows > ROWS_MOST ? ROWS_MOST : rows < 16 ? 16 : rows / 2 * 2;
    history->rows = carom_arena_take(arena, history->limit * history->width, sizeof *history->rows);
    history->last = carom_arena_take(arena, history->width, sizeof *history->last);
    return history->rows && history->last;
}

static void drop_every_other(impact_history *history)
{
    for (size_t i = 0; 2 * i < history->count; i++)
        memmove(history->rows + i * history->width, history->rows + 2 * i * history->width,
                history->width * sizeof *history->rows);
    history->count = (history->count + 1) / 2;
    history->stride *= 2;
}

void observe_impact(void *context, double t, const double *energy, const double *force,
                    const double *velocity)
{
    impact_history *history = context;
    const size_t contacts = (size_t)history->contacts;
    double *last = history->last;
    last[0] = t;
    memcpy(last + 1, energy, contacts * sizeof *last);
    memcpy(last + 1 + contacts, force, contacts * sizeof *last);
    memcpy(last + 1 + 2 * contacts, velocity, (size_t)history->coordinates * sizeof *last);
    if (history->seen++ % history->stride != 0)
        return;
    if (history->count == history->limit) {
        drop_every_other(history);
        if ((history->seen - 1) % history->stride != 0)
            return;
    }
    memcpy(history->rows + history->count++ * history->width, last, history->width * sizeof *last);
}

static void write_names(FILE *stream, const char *prefix, int count, char *const *names)
{
    for (int i = 0; i < count; i++) {
        char number[16];
        const char *name = impact_label(names, i, number, sizeof number);
        fprintf(stream, ",%s", prefix);
        for (const char *c = name; *c; c++)
            fputc(strchr(",\"\r\n", *c) ? '_' : *c, stream);
    }
}

static void write_row(FILE *stream, const impact_history *history, const double *row)
{
    for (size_t i = 0; i < history->width; i++)
        fprintf(stream, "%s%.17g", i ? "," : "", row[i]);
    fprintf(stream, "\n");
}

carom_status write_impact_history(const char *path, const impact_case *made, const impact_history *history,
                                  carom_error *error)
{
    carom_output *output = NULL;
    const carom_status status = carom_output_open(path, false, &output, error);
    if (status != CAROM_OK)
        return status;
    FILE *stream = carom_output_stream(output);
    fprintf(stream, "t");
    write_names(stream, "E_", history->contacts, made->contact);
    write_names(stream, "force_", history->contacts, made->contact);
    write_names(stream, "v_", history->coordinates, made->coordinate);
    fprintf(stream, "\n");
    for (size_t i = 0; i < history->count; i++)
        write_row(stream, history, history->rows + i * history->width);
    if (history->seen > 0 && history->last[0] > history->rows[(history->count - 1) * history->width])
        write_row(stream, history, history->last);
    return carom_output_commit(output, error);
}
