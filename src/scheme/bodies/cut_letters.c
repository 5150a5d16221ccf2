/* What processes that cut space tell each other. */
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

double *cut_extend(cut_list *list, size_t count)
{
    if (list->failed)
        return NULL;
    if (list->count + count > list->room) {
        const size_t room = 2 * (list->count + count) + 64;
        double *larger = realloc(list->number, carom_product(room, sizeof *larger));
        if (!larger) {
            list->failed = true;
            return NULL;
        }
        list->number = larger;
        list->room = room;
    }
    list->count += count;
    return list->number + list->count - count;
}

void cut_put(cut_list *list, double number)
{
    double *place = cut_extend(list, 1);
    if (place)
        *place = number;
}

void cut_put_feature(uint64_t feature, double number[2])
{
    number[0] = (double)(feature >> 32);
    number[1] = (double)(feature & UINT32_MAX);
}

uint64_t cut_take_feature(const double number[2])
{
    return (uint64_t)number[0] << 32 | (uint64_t)number[1];
}

static carom_status deliver(body_step *self, const double *number, const double **received,
                            carom_error *error)
{
    const carom_sharing *sharing = self->stepper->sharing;
    space_cut *cut = &self->cut;
    const carom_status status =
        sharing->deliver(sharing->context, number, cut->first, cut->length, received, cut->start, error);
    cut->alone = cut->alone || status != CAROM_OK;
    return status;
}

carom_status cut_tell_all(body_step *self, const cut_list *list, const double **received, carom_error *error)
{
    space_cut *cut = &self->cut;
    for (int k = 0; k < self->stepper->sharing->ranks; k++) {
        cut->first[k] = 0;
        cut->length[k] = list->failed ? 0 : list->count;
    }
    return deliver(self, list->number, received, error);
}

carom_status cut_pass(body_step *self, const cut_records *records, const double **received, size_t *count,
                      carom_error *error)
{
    const int ranks = self->stepper->sharing->ranks;
    space_cut *cut = &self->cut;
    memset(cut->length, 0, (size_t)ranks * sizeof *cut->length);
    cut->out.count = 0;
    cut->out.failed = false;
    for (size_t i = 0; i < records->count; i++) {
        const int to = records->addressee(self, i);
        if (to >= 0)
            cut->length[to] += records->width;
    }
    for (int k = 0; k < ranks; k++)
        cut->first[k] = k == 0 ? 0 : cut->first[k - 1] + cut->length[k - 1];
    const bool there = cut_extend(&cut->out, cut->first[ranks - 1] + cut->length[ranks - 1]) != NULL;
    for (size_t i = 0; there && i < records->count; i++) {
        const int to = records->addressee(self, i);
        if (to < 0)
            continue;
        records->write(self, i, cut->out.number + cut->first[to]);
        cut->first[to] += records->width;
    }
    for (int k = 0; k < ranks; k++) {
        cut->length[k] = there ? cut->length[k] : 0;
        cut->first[k] -= there ? cut->length[k] : 0;
    }
    const carom_status status = deliver(self, cut->out.number, received, error);
    *count = status == CAROM_OK ? cut->start[ranks] / records->width : 0;
    return status != CAROM_OK || there ? status : carom_fail_memory(error);
}
