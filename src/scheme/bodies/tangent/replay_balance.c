/* balance.c in numbers with a derivative: the same groups, the same factors. */
#include <math.h>
#include <string.h>

#include "replay.h"

static const double rounding = 1e-14, taken = 0.5;

typedef struct group {
    carom_dual change, lift, contacts, kinetic, size;
    bool pushed, driven, jointed, struck;
    carom_dual slower, lower;
} group;

static bool is_pushed(const body_replay *self, bool needed, int i)
{
    return (i < self->step->active && self->step->impulse[3 * i] > 0.0) ||
           (needed && creal(self->point[i].lift) > 0.0);
}

static bool find_groups(body_replay *self, bool needed)
{
    const body_step *step = self->step;
    bool any = false;
    for (int i = 0; i < step->bodies->count; i++)
        self->group[i] = i;
    for (int i = 0; i < step->count; i++) {
        if (!is_pushed(self, needed, i))
            continue;
        any = true;
        if (step->row[i].body[0] >= 0 && step->row[i].body[1] >= 0)
            carom_sets_join(self->group, step->row[i].body[0], step->row[i].body[1]);
    }
    return any;
}

static carom_dual work_of_pair(const body_replay *self, int i)
{
    carom_dual before[REPLAY_COMPONENTS], after[REPLAY_COMPONENTS], work = 0.0;
    body_replay_point_motion(self, i, REPLAY_OLD, before);
    body_replay_point_motion(self, i, REPLAY_END, after);
    for (int k = 0; k < REPLAY_COMPONENTS; k++)
        work += 0.5 * self->point[i].r[k] * (before[k] + after[k]);
    return work;
}

/* Of the group that has this body as its first. */
static group find_group(body_replay *self, int root, bool needed)
{
    const body_step *step = self->step;
    const carom_body *body = step->bodies->body;
    group all = {.slower = 1.0, .lower = 1.0};
    for (int i = 0; i < step->count; i++) {
        const carom_pair_rows *row = &step->row[i];
        if (!is_pushed(self, needed, i) ||
            carom_sets_root(self->group, row->body[0] >= 0 ? row->body[0] : row->body[1]) != root)
            continue;
        all.pushed = true;
        all.driven = all.driven || body[step->point[i].a].kind == CAROM_BODY_DRIVEN ||
                     body[step->point[i].b].kind == CAROM_BODY_DRIVEN;
        if (i >= step->active || !(step->impulse[3 * i] > 0.0))
            continue;
        all.struck = all.struck || (step->options.impact == BODY_IMPACT_NEWTON && step->point[i].shift < 0.0);
        all.contacts += work_of_pair(self, i);
    }
    for (int i = 0; all.pushed && i < step->bodies->count; i++) {
        const replay_body *own = &self->body[i];
        if (step->inverse_mass[i] == 0.0 || carom_sets_root(self->group, i) != root)
            continue;
        all.change += own->change;
        all.kinetic += own->kinetic;
        all.size += own->size;
        for (int k = 0; needed && k < 6; k++)
            all.lift -= own->force[k] * own->lift[k];
    }
    for (int k = 0; k < step->joints.blocks; k++)
        all.jointed = all.jointed || (step->inverse_mass[step->joints.block[k].body] > 0.0 &&
                                      carom_sets_root(self->group, step->joints.block[k].body) == root);
    return all;
}

static void decide(group *of)
{
    const carom_dual allowed = of->struck && creal(of->contacts) > 0.0 ? of->contacts : 0.0;
    carom_dual excess = of->change + of->lift - allowed;
    const double floor = rounding * creal(of->size);
    if (!of->pushed || of->driven || of->jointed || !(creal(excess) > floor))
        return;
    if (creal(excess) > taken * creal(of->kinetic) && creal(of->lift) > 0.0) {
        of->lower = creal(excess) < creal(of->lift) ? 1.0 - excess / of->lift : 0.0;
        excess -= (1.0 - of->lower) * of->lift;
        if (!(creal(excess) > floor))
            return;
    }
    of->slower = creal(excess) < creal(of->kinetic) ? csqrt(1.0 - excess / of->kinetic) : 0.0;
}

void body_replay_balance(body_replay *self, bool needed)
{
    const body_step *step = self->step;
    if (!find_groups(self, needed))
        return;
    for (int root = 0; root < step->bodies->count; root++) {
        if (carom_sets_root(self->group, root) != root || step->inverse_mass[root] == 0.0)
            continue;
        group of = find_group(self, root, needed);
        decide(&of);
        for (int i = 0; i < step->bodies->count; i++) {
            replay_body *own = &self->body[i];
            if (step->inverse_mass[i] == 0.0 || carom_sets_root(self->group, i) != root)
                continue;
            for (int k = 0; k < 6; k++) {
                own->lift[k] *= of.lower;
                own->end[k] *= of.slower;
                own->final[k] *= of.slower;
            }
        }
    }
}
