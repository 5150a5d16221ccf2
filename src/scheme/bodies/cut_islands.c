/* Touches of a part of space, and the way of islands across borders to one process. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

enum {
    KEPT_WIDTH = 11, /* bodies, feature by halves, impulse, moment, pushes */
    TOUCH_WIDTH =
        22, /* shapes, feature, gap, normal, points; whether an impulse is kept, it, its moment, pushes */
    TOUCH_KEPT = 14
};

/* By two bodies (or shapes) and the halves of the feature, with which all records begin. */
static int compare_records(const void *left, const void *right)
{
    const double *a = left, *b = right;
    for (int k = 0; k < 4; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

/* In self->cut.out, which is free after a letter. */
double *cut_sorted(body_step *self, const double *received, size_t count, size_t width)
{
    cut_list *list = &self->cut.out;
    list->count = 0;
    double *record = cut_extend(list, count * width);
    if (!record)
        return NULL;
    if (count > 0) {
        memcpy(record, received, count * width * sizeof *record);
        qsort(record, count, width * sizeof *record, compare_records);
    }
    return record;
}

/* ---- impulses of the last step go where their touches will be found ------------------------------------- */

static int home_of_kept(body_step *self, size_t i)
{
    return space_cut_home(self, self->kept[i].a, self->kept[i].b);
}

static void write_impulse(const kept_point *kept, double *number)
{
    memcpy(number, kept->impulse, sizeof kept->impulse);
    memcpy(number + 3, kept->moment, sizeof kept->moment);
    number[6] = kept->pushes;
}

static void read_impulse(const double *number, kept_point *kept)
{
    memcpy(kept->impulse, number, sizeof kept->impulse);
    memcpy(kept->moment, number + 3, sizeof kept->moment);
    kept->pushes = (int)number[6];
}

static void write_kept(body_step *self, size_t i, double *number)
{
    const kept_point *kept = &self->kept[i];
    number[0] = kept->a;
    number[1] = kept->b;
    cut_put_feature(kept->feature, number + 2);
    write_impulse(kept, number + 4);
}

static carom_status send_kept_home(body_step *self, carom_error *error)
{
    const double *received = NULL;
    size_t count = 0;
    const carom_status status = cut_pass(self,
                                         &(cut_records){.count = (size_t)self->kept_count,
                                                        .width = KEPT_WIDTH,
                                                        .addressee = home_of_kept,
                                                        .write = write_kept},
                                         &received, &count, error);
    if (status != CAROM_OK)
        return status;
    const double *record = cut_sorted(self, received, count, KEPT_WIDTH);
    if (!record || !body_step_take_room(self, count + 1))
        return carom_fail_memory(error);
    for (size_t i = 0; i < count; i++, record += KEPT_WIDTH) {
        self->kept[i] =
            (kept_point){.a = (int)record[0], .b = (int)record[1], .feature = cut_take_feature(record + 2)};
        read_impulse(record + 4, &self->kept[i]);
    }
    self->kept_count = (int)count;
    return CAROM_OK;
}

/* ---- touches at home -------------------------------------------------------------------------------------- */

static bool take_touches(space_cut *cut, size_t count)
{
    if (count <= cut->touch_room)
        return true;
    const size_t room = count + count / 2;
    carom_touch *touch = realloc(cut->touch, carom_product(room, sizeof *touch));
    if (touch)
        cut->touch = touch;
    int *kept_of = realloc(cut->kept_of, carom_product(room, sizeof *kept_of));
    if (kept_of)
        cut->kept_of = kept_of;
    if (!touch || !kept_of)
        return false;
    cut->touch_room = room;
    return true;
}

static int compare_kept(const body_step *self, const carom_touch *touch, const kept_point *kept)
{
    const int a = self->shape_body[touch->a], b = self->shape_body[touch->b];
    if (a != kept->a)
        return a < kept->a ? -1 : 1;
    if (b != kept->b)
        return b < kept->b ? -1 : 1;
    return touch->feature < kept->feature ? -1 : touch->feature > kept->feature;
}

/* Those of the collider whose home is here, each with its impulse; both lists are sorted. */
static carom_status find_at_home(body_step *self, carom_error *error)
{
    space_cut *cut = &self->cut;
    const carom_touch *touch = NULL;
    size_t count = 0;
    int k = 0;
    const carom_status status = carom_collider_find(self->collider, self->shape_pose, &touch, &count, error);
    if (status != CAROM_OK)
        return status;
    if (!take_touches(cut, count))
        return carom_fail_memory(error);
    for (size_t i = 0; i < count; i++) {
        const int a = self->shape_body[touch[i].a], b = self->shape_body[touch[i].b];
        if (space_cut_home(self, a, b) != self->stepper->sharing->rank)
            continue;
        int order = 1;
        while (k < self->kept_count && (order = compare_kept(self, &touch[i], &self->kept[k])) > 0)
            k++;
        cut->kept_of[cut->touches] = k < self->kept_count && order == 0 ? k : -1;
        cut->touch[cut->touches++] = touch[i];
    }
    return CAROM_OK;
}

/* ---- islands across borders ------------------------------------------------------------------------------- */

static void bodies_of(const body_step *self, const carom_touch *touch, int body[2])
{
    body[0] = self->shape_body[touch->a];
    body[1] = self->shape_body[touch->b];
    for (int side = 0; side < 2; side++)
        if (self->cut.owner[body[side]] < 0)
            body[side] = -1;
}

/* The piece of an island that a touch at home belongs to: its first body. */
static int piece_of(const body_step *self, const carom_touch *touch)
{
    int body[2];
    bodies_of(self, touch, body);
    return carom_sets_root(self->set, body[0] >= 0 ? body[0] : body[1]);
}

/* Bodies that touches here hold together; self->local gets the number of touches, at the first body. */
static void find_pieces(body_step *self)
{
    const space_cut *cut = &self->cut;
    int body[2];
    for (int i = 0; i < self->bodies->count; i++) {
        self->set[i] = i;
        self->local[i] = 0;
    }
    for (size_t i = 0; i < cut->touches; i++) {
        bodies_of(self, &cut->touch[i], body);
        if (body[0] >= 0 && body[1] >= 0)
            carom_sets_join(self->set, body[0], body[1]);
    }
    for (size_t i = 0; i < cut->touches; i++)
        self->local[piece_of(self, &cut->touch[i])]++;
}

/* May another process have a touch of this body, too? */
static bool is_at_border(const body_step *self, int body)
{
    const carom_sharing *sharing = self->stepper->sharing;
    if (self->cut.owner[body] != sharing->rank)
        return true;
    for (int k = 0; k < sharing->ranks; k++)
        if (k != sharing->rank && space_cut_is_near(self, body, k))
            return true;
    return false;
}

/* What this process wishes of others, a mark of the state, then (a body at the border, the first body of its piece, touches of the
 * piece). */
static void list_borders(body_step *self)
{
    space_cut *cut = &self->cut;
    const carom_state *state = &self->stepper->state;
    double mark = 0.0;
    int body[2];
    cut->out.count = 0;
    cut->out.failed = false;
    for (int i = 0; i < self->stepper->dof; i++)
        mark += state->v[i] * (1.0 + 1e-3 * (i % 101));
    for (int i = 0; i < carom_model_positions(self->stepper->model); i++)
        mark += state->q[i] * (1.0 + 1e-3 * (i % 103));
    cut_put(&cut->out,
            (self->stepper->listener.take ? CUT_EVENTS : 0) | (cut->asked_points ? CUT_POINTS : 0));
    cut_put(&cut->out, mark);
    memset(cut->mentioned, 0, (size_t)self->bodies->count * sizeof *cut->mentioned);
    for (size_t i = 0; i < cut->touches; i++) {
        bodies_of(self, &cut->touch[i], body);
        for (int side = 0; side < 2; side++) {
            if (body[side] < 0 || cut->mentioned[body[side]] || !is_at_border(self, body[side]))
                continue;
            const int piece = carom_sets_root(self->set, body[side]);
            cut->mentioned[body[side]] = true;
            cut_put(&cut->out, body[side]);
            cut_put(&cut->out, piece);
            cut_put(&cut->out, self->local[piece]);
        }
    }
}

static bool is_same(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static carom_status check_heads(body_step *self, const double *received, carom_error *error)
{
    space_cut *cut = &self->cut;
    for (int k = 0; k < self->stepper->sharing->ranks; k++) {
        if (cut->start[k + 1] - cut->start[k] < 2)
            return carom_fail(error, CAROM_NO_MEMORY, "out of memory in process %d", k);
        if (!is_same(received[cut->start[k] + 1], received[1]))
            return carom_fail(
                error, CAROM_FAILED,
                "process %d is at another state than the first one at t = %.9g: they do not round "
                "alike; run on machines of one kind, or on one",
                k, self->stepper->state.t);
    }
    cut->wishes = (int)received[0];
    return CAROM_OK;
}

/* Pieces that share a body are one island; it goes to the process that has most of its touches. */
static void find_leads(body_step *self, const double *received)
{
    space_cut *cut = &self->cut;
    const int ranks = self->stepper->sharing->ranks;
    for (int i = 0; i < self->bodies->count; i++) {
        cut->set[i] = i;
        cut->lead[i] = cut->seen[i] = cut->order[i] = -1;
        cut->most[i] = cut->all[i] = 0.0;
        cut->parts[i] = 0;
    }
    for (int k = 0; k < ranks; k++)
        for (const double *at = received + cut->start[k] + 2; at < received + cut->start[k + 1]; at += 3)
            carom_sets_join(cut->set, (int)at[0], (int)at[1]);
    for (int k = 0; k < ranks; k++)
        for (const double *at = received + cut->start[k] + 2; at < received + cut->start[k + 1]; at += 3) {
            const int piece = (int)at[1], root = carom_sets_root(cut->set, piece);
            if (cut->order[piece] == k) /* counted, although several of its bodies are at a border */
                continue;
            cut->order[piece] = k;
            cut->sum[root] = (cut->seen[root] == k ? cut->sum[root] : 0.0) + at[2];
            cut->parts[root] += cut->seen[root] != k;
            cut->all[root] += at[2];
            cut->seen[root] = k;
            if (cut->sum[root] > cut->most[root]) {
                cut->most[root] = cut->sum[root];
                cut->lead[root] = k;
            }
        }
}

/* ---- to whom they go ---------------------------------------------------------------------------------------- */

static int lead_of_touch(body_step *self, size_t i)
{
    space_cut *cut = &self->cut;
    const int root = carom_sets_root(cut->set, piece_of(self, &cut->touch[i]));
    return cut->lead[root] >= 0 && !space_cut_leaves(self, root) ? cut->lead[root]
                                                                 : self->stepper->sharing->rank;
}

static void write_touch(body_step *self, size_t i, double *number)
{
    const space_cut *cut = &self->cut;
    const carom_touch *touch = &cut->touch[i];
    number[0] = touch->a;
    number[1] = touch->b;
    cut_put_feature(touch->feature, number + 2);
    number[4] = touch->gap;
    memcpy(number + 5, touch->normal, sizeof touch->normal);
    memcpy(number + 8, touch->point_a, sizeof touch->point_a);
    memcpy(number + 11, touch->point_b, sizeof touch->point_b);
    memset(number + TOUCH_KEPT, 0, (TOUCH_WIDTH - TOUCH_KEPT) * sizeof *number);
    if (cut->kept_of[i] < 0)
        return;
    number[TOUCH_KEPT] = 1.0;
    write_impulse(&self->kept[cut->kept_of[i]], number + TOUCH_KEPT + 1);
}

static void read_touch(body_step *self, const double *number)
{
    space_cut *cut = &self->cut;
    carom_touch *touch = &cut->touch[cut->touches++];
    *touch = (carom_touch){
        .a = (int)number[0], .b = (int)number[1], .feature = cut_take_feature(number + 2), .gap = number[4]};
    memcpy(touch->normal, number + 5, sizeof touch->normal);
    memcpy(touch->point_a, number + 8, sizeof touch->point_a);
    memcpy(touch->point_b, number + 11, sizeof touch->point_b);
    if (number[TOUCH_KEPT] == 0.0)
        return;
    kept_point *kept = &self->kept[self->kept_count++];
    *kept = (kept_point){
        .a = self->shape_body[touch->a], .b = self->shape_body[touch->b], .feature = touch->feature};
    read_impulse(number + TOUCH_KEPT + 1, kept);
}

static carom_status send_touches(body_step *self, carom_error *error)
{
    space_cut *cut = &self->cut;
    const double *received = NULL;
    size_t count = 0;
    const carom_status status = cut_pass(
        self,
        &(cut_records){
            .count = cut->touches, .width = TOUCH_WIDTH, .addressee = lead_of_touch, .write = write_touch},
        &received, &count, error);
    if (status != CAROM_OK)
        return status;
    const double *record = cut_sorted(self, received, count, TOUCH_WIDTH);
    if (!record || !take_touches(cut, count) || !body_step_take_room(self, count + 1))
        return carom_fail_memory(error);
    cut->touches = 0;
    self->kept_count = 0;
    for (size_t i = 0; i < count; i++)
        read_touch(self, record + i * TOUCH_WIDTH);
    return CAROM_OK;
}

/* Whoever fails on the way takes part in all letters, and says so at the end of the step. */
carom_status space_cut_find(body_step *self, const carom_touch **touch, size_t *count, carom_error *error)
{
    space_cut *cut = &self->cut;
    const double *received = NULL;
    bool unused = false;
    cut->touches = 0;
    cut->has_wide = false;
    cut->gains.count = 0;
    cut->gains.failed = false;
    space_cut_bodies(self);
    carom_status mine = send_kept_home(self, error);
    if (cut->alone)
        return mine;
    if (mine == CAROM_OK)
        mine = find_at_home(self, error);
    if (mine != CAROM_OK)
        cut->touches = 0;
    find_pieces(self);
    list_borders(self);
    carom_status status = cut_tell_all(self, &cut->out, &received, mine == CAROM_OK ? error : NULL);
    if (status != CAROM_OK)
        return status;
    status = check_heads(self, received, mine == CAROM_OK ? error : NULL);
    if (status == CAROM_OK) {
        find_leads(self, received);
        status = space_cut_find_wide(self, received, mine == CAROM_OK ? error : NULL);
        mine = mine == CAROM_OK ? status : mine;
        status = send_touches(self, mine == CAROM_OK ? error : NULL);
        mine = mine == CAROM_OK ? status : mine;
        if (cut->has_wide && !cut->alone)
            status = space_cut_all_well(self, mine, &unused, mine == CAROM_OK ? error : NULL);
    } else
        cut->alone = true; /* all see it and end */
    *touch = cut->touch;
    *count = cut->touches;
    return mine != CAROM_OK ? mine : status;
}
