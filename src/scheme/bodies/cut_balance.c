/* Energies of groups of bodies that push each other across borders, where islands are solved by several processes. */
#include <math.h>
#include <string.h>

#include "body_step_data.h"

/* Numbers of a group on their way. */
enum {
    GROUP_BODY,
    GROUP_CHANGE,
    GROUP_KINETIC,
    GROUP_SIZE,
    GROUP_LIFT,
    GROUP_CONTACTS,
    GROUP_MOVED,
    GROUP_HELD,
    GROUP_WORST,
    GROUP_PUSHED,
    GROUP_GROUNDED,
    GROUP_DRIVEN,
    GROUP_STRUCK,
    GROUP_WIDTH
};

static void begin(cut_list *out)
{
    out->count = 0;
    out->failed = false;
    cut_put(out, 0.0); /* something, so that an empty letter tells that memory was short */
}

static carom_status tell(body_step *self, const double **received, carom_error *error)
{
    const space_cut *cut = &self->cut;
    const carom_status status = cut_tell_all(self, &cut->out, received, error);
    for (int k = 0; status == CAROM_OK && k < self->stepper->sharing->ranks; k++)
        if (cut->start[k + 1] == cut->start[k])
            return carom_fail_memory(error);
    return status;
}

/* Groups that share a body are one: self->cut.set, by their first bodies. */
static carom_status join_groups(body_step *self, carom_error *error)
{
    space_cut *cut = &self->cut;
    const double *received = NULL;
    begin(&cut->out);
    for (int i = 0; i < cut->wide_bodies; i++)
        if (cut->wide_holders[i] > 1) {
            cut_put(&cut->out, cut->wide_body[i]);
            cut_put(&cut->out, carom_sets_root(self->group, cut->wide_body[i]));
        }
    const carom_status status = tell(self, &received, error);
    for (int i = 0; i < self->bodies->count; i++) {
        cut->set[i] = i;
        cut->seen[i] = -1;
    }
    for (int k = 0; status == CAROM_OK && k < self->stepper->sharing->ranks; k++)
        for (const double *at = received + cut->start[k] + 1; at < received + cut->start[k + 1]; at += 2)
            carom_sets_join(cut->set, (int)at[0], (int)at[1]);
    return status;
}

static void list_groups(body_step *self)
{
    space_cut *cut = &self->cut;
    begin(&cut->out);
    for (int i = 0; i < cut->wide_bodies; i++) {
        const int root = carom_sets_root(self->group, cut->wide_body[i]);
        if (cut->wide_holders[i] < 2 || cut->seen[root] == 0)
            continue;
        const group_energy *group = &self->group_energy[root];
        double *to = cut_extend(&cut->out, GROUP_WIDTH);
        cut->seen[root] = 0; /* once */
        if (!to)
            return;
        const double number[GROUP_WIDTH] = {[GROUP_BODY] = root,
                                            [GROUP_CHANGE] = group->change,
                                            [GROUP_KINETIC] = group->kinetic,
                                            [GROUP_SIZE] = group->size,
                                            [GROUP_LIFT] = group->lift,
                                            [GROUP_CONTACTS] = group->contacts,
                                            [GROUP_MOVED] = group->moved,
                                            [GROUP_HELD] = group->held,
                                            [GROUP_WORST] = group->worst_work,
                                            [GROUP_PUSHED] = group->pushed,
                                            [GROUP_GROUNDED] = group->grounded,
                                            [GROUP_DRIVEN] = group->driven,
                                            [GROUP_STRUCK] = group->struck};
        memcpy(to, number, sizeof number);
    }
}

static void add_group(const double *at, int rank, group_energy *sum, int *teller)
{
    sum->change += at[GROUP_CHANGE];
    sum->kinetic += at[GROUP_KINETIC];
    sum->size += at[GROUP_SIZE];
    sum->lift += at[GROUP_LIFT];
    sum->contacts += at[GROUP_CONTACTS];
    sum->moved += at[GROUP_MOVED];
    sum->held += at[GROUP_HELD];
    sum->pushed = sum->pushed || at[GROUP_PUSHED] != 0.0;
    sum->grounded = sum->grounded || at[GROUP_GROUNDED] != 0.0;
    sum->driven = sum->driven || at[GROUP_DRIVEN] != 0.0;
    sum->struck = sum->struck || at[GROUP_STRUCK] != 0.0;
    if (at[GROUP_WORST] > sum->worst_work) {
        sum->worst_work = at[GROUP_WORST];
        *teller = rank;
    }
}

carom_status space_cut_balance_wide(body_step *self, carom_error *error)
{
    space_cut *cut = &self->cut;
    const int ranks = self->stepper->sharing->ranks, rank = self->stepper->sharing->rank;
    const double *received = NULL;
    carom_status status = join_groups(self, error);
    if (status != CAROM_OK)
        return status;
    list_groups(self);
    status = tell(self, &received, error);
    if (status != CAROM_OK)
        return status;
    for (int k = 0; k < ranks; k++)
        for (const double *at = received + cut->start[k] + 1; at < received + cut->start[k + 1];
             at += GROUP_WIDTH) {
            const int root = carom_sets_root(cut->set, (int)at[GROUP_BODY]);
            cut->group[root] = (group_energy){0};
            cut->lead[root] = -1;
        }
    for (int k = 0; k < ranks; k++)
        for (const double *at = received + cut->start[k] + 1; at < received + cut->start[k + 1];
             at += GROUP_WIDTH) {
            const int root = carom_sets_root(cut->set, (int)at[GROUP_BODY]);
            add_group(at, k, &cut->group[root], &cut->lead[root]);
        }
    const double *own = received + cut->start[rank] + 1, *end = received + cut->start[rank + 1];
    for (; own < end; own += GROUP_WIDTH) {
        const int root = carom_sets_root(cut->set, (int)own[GROUP_BODY]);
        group_energy *group = &self->group_energy[(int)own[GROUP_BODY]];
        const int worst = group->worst;
        /* of several groups here that others hold together, the one with the worst point tells */
        const bool tells = cut->lead[root] == rank && own[GROUP_WORST] == cut->group[root].worst_work;
        *group = cut->group[root];
        group->worst = worst;
        group->told_elsewhere = !tells;
    }
    return CAROM_OK;
}
