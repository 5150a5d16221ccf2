/* Which contacts act, and what the law tells about them. */
#include <math.h>
#include <string.h>

#include "lzb.h"

void lzb_list_start(lzb *s)
{
    lzb_list *list = &s->list;
    list->active = 0;
    list->count = s->contacts;
    for (int j = 0; j < s->contacts; j++) {
        list->member[j] = j;
        list->role[j] = LZB_PUSHED;
    }
}

static void add(lzb_list *list, int contact, int role)
{
    if (list->role[contact] == LZB_OUTSIDE) {
        list->role[contact] = role;
        list->member[list->count++] = contact;
    }
}

/* The neighbours of members first ... last - 1. */
static void add_neighbours(lzb *s, int first, int last, int role, lzb_question *only)
{
    const carom_contact_space *space = s->space;
    for (int i = first; i < last; i++) {
        const int contact = s->list.member[i];
        for (int k = space->start[contact]; k < space->start[contact + 1]; k++)
            if (!only || only(s, space->column[k]))
                add(&s->list, space->column[k], role);
    }
}

void lzb_list_renew(lzb *s, lzb_question *carries, lzb_question *may_wake, int levels)
{
    lzb_list *list = &s->list;
    const int before = list->count;
    memcpy(list->before, list->member, (size_t)before * sizeof *list->before);
    for (int i = 0; i < before; i++)
        list->role[list->before[i]] = LZB_OUTSIDE;
    list->count = 0;
    for (int i = 0; i < before; i++)
        if (carries(s, list->before[i]))
            add(list, list->before[i], LZB_ACTIVE);
    int first = 0;
    for (int level = 0; level < levels; level++) {
        const int last = list->count;
        add_neighbours(s, first, last, LZB_ACTIVE, may_wake);
        first = last;
    }
    list->active = list->count;
    add_neighbours(s, 0, list->active, LZB_PUSHED, NULL);
}

void lzb_count(lzb *s, int j, double energy)
{
    int *phase = &s->phase[j];
    if (*phase == LZB_AT_REST) {
        if (!lzb_matters(s, j, energy))
            return;
        *phase = LZB_LOADED;
        if (s->result->closings)
            s->result->closings[j]++;
    } else if (energy <= 0.0 && s->closing[j] <= 0.0) {
        *phase = LZB_AT_REST;
    } else if (*phase == LZB_LOADED) {
        if (s->closing[j] < -s->velocity_tolerance)
            *phase = LZB_UNLOADED;
    } else if (s->closing[j] > s->velocity_tolerance) {
        *phase = LZB_LOADED;
        if (s->result->repeats)
            s->result->repeats[j]++;
    }
}

void lzb_peak(lzb *s, int j, double force)
{
    double *peak = s->result->peak_force;
    if (peak && force > peak[j])
        peak[j] = force;
}

bool lzb_observe_due(const lzb *s)
{
    return s->options->observe && s->t >= s->observe_next * (1.0 - 1e-12);
}

void lzb_observe(lzb *s)
{
    const carom_contact_space *space = s->space;
    double *v = s->result->velocity;
    memcpy(v, space->impact->velocity, (size_t)space->coordinates * sizeof *v);
    for (int j = 0; j < s->contacts; j++)
        if (s->result->impulse[j] != 0.0)
            carom_contact_space_push(space, j, s->result->impulse[j], v);
    s->options->observe(s->options->context, s->t, s->energy, s->force, v);
    const double interval = s->options->observe_interval;
    s->observe_next = fmax(s->observe_next + interval, interval * floor(s->t / interval));
}
