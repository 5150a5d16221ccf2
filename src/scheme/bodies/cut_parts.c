/* Parts of space: planes across the longest side of what is to be cut, so that both halves have as much to do (recursive
 * bisection). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

/* The busiest part, over the mean, from which on space is cut anew. */
static const double unbalanced = 1.2;

/* ---- memory ------------------------------------------------------------------------------------------ */

static bool take_all(body_step *self, int ranks)
{
    space_cut *cut = &self->cut;
    carom_arena *arena = self->arena;
    const size_t n = (size_t)self->bodies->count, parts = (size_t)ranks;
    cut->plane = carom_arena_take(arena, parts, sizeof *cut->plane);
    cut->owner = carom_arena_take(arena, n, sizeof(int));
    cut->load = carom_arena_take(arena, n, sizeof(int));
    cut->order = carom_arena_take(arena, n, sizeof(int));
    cut->set = carom_arena_take(arena, n, sizeof(int));
    cut->lead = carom_arena_take(arena, n, sizeof(int));
    cut->seen = carom_arena_take(arena, n, sizeof(int));
    cut->sum = carom_arena_take(arena, n, sizeof(double));
    cut->most = carom_arena_take(arena, n, sizeof(double));
    cut->mentioned = carom_arena_take(arena, n, sizeof(bool));
    cut->here = carom_arena_take(arena, n, sizeof(bool));
    cut->box = carom_arena_take(arena, parts, sizeof *cut->box);
    cut->part_load = carom_arena_take(arena, parts, sizeof(double));
    cut->first = carom_arena_take(arena, parts, sizeof(size_t));
    cut->length = carom_arena_take(arena, parts, sizeof(size_t));
    cut->start = carom_arena_take(arena, parts + 1, sizeof(size_t));
    return cut->plane && cut->owner && cut->load && cut->order && cut->set && cut->lead && cut->seen &&
           cut->sum && cut->most && cut->mentioned && cut->here && cut->box && cut->part_load && cut->first &&
           cut->length && cut->start;
}

carom_status space_cut_set_up(body_step *self, carom_error *error)
{
    const carom_sharing *sharing = self->stepper->sharing;
    if (!sharing || !sharing->cuts_space || sharing->ranks < 1)
        return CAROM_OK;
    if (self->joints.rows + self->linked.count > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "space is cut for bodies that only touch; this scene has %s, which may reach across "
            "borders: without --cut space all processes have the whole of it",
            self->linked.count > 0    ? "coordinates beside bodies"
            : self->joints.count > 0  ? "joints"
            : self->joints.guides > 0 ? "limits or motors"
                                      : "contacts of expressions");
    self->cut.used = true;
    return take_all(self, sharing->ranks) && space_cut_take_wide(self) ? CAROM_OK : carom_fail_memory(error);
}

void space_cut_free(space_cut *self)
{
    free(self->out.number);
    free(self->touch);
    free(self->kept_of);
    free(self->gains.number);
    free(self->point);
    free(self->wide_row);
    free(self->wide_q);
    free(self->wide_r);
    free(self->wide_point);
    free(self->wide_lift);
    free(self->wide_mass);
    free(self->wide_velocity);
    free(self->mean);
    free(self->shared_body);
    free(self->sent);
    free(self->came);
}

/* ---- planes ------------------------------------------------------------------------------------------ */

static bool is_free(const body_step *self, int body)
{
    return self->inverse_mass[body] > 0.0;
}

/* What a body costs: itself, and the points at it. */
static double cost_of(const body_step *self, int body)
{
    return 1.0 + 4.0 * self->cut.load[body];
}

static int longest_axis(const body_step *self, const int *body, int count)
{
    int axis = 0;
    double longest = -1.0;
    for (int k = 0; k < self->bodies->dimension; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < count; i++) {
            low = fmin(low, self->pose[body[i]].x[k]);
            high = fmax(high, self->pose[body[i]].x[k]);
        }
        if (high - low > longest) {
            longest = high - low;
            axis = k;
        }
    }
    return axis;
}

/* Sorts bodies along an axis, by heaps: the same on all machines, without memory. */
static void sift(const body_step *self, int axis, int *body, int from, int count)
{
    for (int child; (child = 2 * from + 1) < count; from = child) {
        if (child + 1 < count && self->pose[body[child + 1]].x[axis] > self->pose[body[child]].x[axis])
            child++;
        if (!(self->pose[body[child]].x[axis] > self->pose[body[from]].x[axis]))
            return;
        const int moved = body[from];
        body[from] = body[child];
        body[child] = moved;
    }
}

static void sort_along(const body_step *self, int axis, int *body, int count)
{
    for (int i = count / 2 - 1; i >= 0; i--)
        sift(self, axis, body, i, count);
    for (int last = count - 1; last > 0; last--) {
        const int moved = body[0];
        body[0] = body[last];
        body[last] = moved;
        sift(self, axis, body, 0, last);
    }
}

/* Ranks first ... first + ranks - 1 share these bodies. Returns the plane, or -1 - the rank that is left. */
static int cut_between(body_step *self, int *body, int count, int first, int ranks)
{
    space_cut *cut = &self->cut;
    if (ranks == 1)
        return -1 - first;
    const int axis = longest_axis(self, body, count), half = ranks / 2, plane = cut->planes++;
    double all = 0.0, sum = 0.0;
    int split = 0;
    sort_along(self, axis, body, count);
    for (int i = 0; i < count; i++)
        all += cost_of(self, body[i]);
    for (; split < count && sum + 0.5 * cost_of(self, body[split]) < all * half / ranks; split++)
        sum += cost_of(self, body[split]);
    const double before = split > 0 ? self->pose[body[split - 1]].x[axis] : 0.0,
                 after = split < count ? self->pose[body[split]].x[axis] : before;
    const double at = split > 0 ? 0.5 * (before + after) : after;
    const int low = cut_between(self, body, split, first, half),
              high = cut_between(self, body + split, count - split, first + half, ranks - half);
    cut->plane[plane] = (cut_plane){.axis = axis, .low = low, .high = high, .at = at};
    return plane;
}

static void cut_space(body_step *self)
{
    space_cut *cut = &self->cut;
    int count = 0;
    for (int i = 0; i < self->bodies->count; i++)
        if (is_free(self, i))
            cut->order[count++] = i;
    cut->planes = 0;
    cut->root = cut_between(self, cut->order, count, 0, self->stepper->sharing->ranks);
    cut->is_cut = true;
}

/* ---- whose bodies -------------------------------------------------------------------------------------- */

static int part_at(const space_cut *cut, const double x[3])
{
    int place = cut->root;
    while (place >= 0)
        place =
            x[cut->plane[place].axis] < cut->plane[place].at ? cut->plane[place].low : cut->plane[place].high;
    return -1 - place;
}

/* Owners by where bodies are. Returns the load of the busiest process over the mean. */
static double find_owners(body_step *self)
{
    space_cut *cut = &self->cut;
    const int ranks = self->stepper->sharing->ranks;
    double all = 0.0, most = 0.0;
    memset(cut->part_load, 0, (size_t)ranks * sizeof *cut->part_load);
    for (int i = 0; i < self->bodies->count; i++) {
        cut->owner[i] = is_free(self, i) ? part_at(cut, self->pose[i].x) : -1;
        if (cut->owner[i] < 0)
            continue;
        cut->part_load[cut->owner[i]] += cost_of(self, i);
        all += cost_of(self, i);
    }
    for (int k = 0; k < ranks; k++)
        most = fmax(most, cut->part_load[k]);
    return all > 0.0 ? most * ranks / all : 1.0;
}

int space_cut_home(const body_step *self, int a, int b)
{
    const int first = a < b ? a : b, second = a < b ? b : a;
    return self->cut.owner[first] >= 0 ? self->cut.owner[first] : self->cut.owner[second];
}

/* Around a body, with all that it can reach in a step. */
static cut_box box_of(const body_step *self, int body)
{
    const double *v = self->old + 6 * (ptrdiff_t)body;
    const double reach =
        self->size[body] * (1.0 + 1e-9) + self->margin + self->stepper->h * sqrt(carom_dot(3, v, v));
    cut_box box;
    for (int k = 0; k < 3; k++) {
        box.low[k] = self->pose[body].x[k] - reach;
        box.high[k] = self->pose[body].x[k] + reach;
    }
    return box;
}

static bool boxes_meet(const cut_box *a, const cut_box *b)
{
    for (int k = 0; k < 3; k++)
        if (a->high[k] < b->low[k] || b->high[k] < a->low[k])
            return false;
    return true;
}

static void find_boxes(body_step *self)
{
    space_cut *cut = &self->cut;
    for (int k = 0; k < self->stepper->sharing->ranks; k++)
        cut->box[k] = (cut_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < self->bodies->count; i++) {
        if (cut->owner[i] < 0 || !self->bodies->body[i].shape)
            continue;
        const cut_box own = box_of(self, i);
        cut_box *box = &cut->box[cut->owner[i]];
        for (int k = 0; k < 3; k++) {
            box->low[k] = fmin(box->low[k], own.low[k]);
            box->high[k] = fmax(box->high[k], own.high[k]);
        }
    }
}

bool space_cut_is_near(const body_step *self, int body, int rank)
{
    const cut_box box = box_of(self, body);
    return boxes_meet(&box, &self->cut.box[rank]);
}

void space_cut_bodies(body_step *self)
{
    const int rank = self->stepper->sharing->rank;
    if (!self->cut.is_cut || find_owners(self) > unbalanced * self->cut.best_balance) {
        cut_space(self);
        self->cut.best_balance = find_owners(self);
    }
    find_boxes(self);
    for (int i = 0; i < self->shapes; i++) {
        const int body = self->shape_body[i];
        self->cut.here[body] = self->cut.owner[body] == rank || space_cut_is_near(self, body, rank);
    }
    space_cut_hide(self, self->shape_pose);
}

void space_cut_hide(const body_step *self, carom_pose *pose)
{
    carom_pose nowhere = carom_pose_identity();
    nowhere.x[0] = NAN;
    for (int i = 0; i < self->shapes; i++)
        if (!self->cut.here[self->shape_body[i]])
            pose[i] = nowhere;
}
