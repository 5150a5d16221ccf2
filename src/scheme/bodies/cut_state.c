/* The end of a step of processes that cut space: all get what each has moved, and what a run is told. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body_step_data.h"

enum {
    HEAD_STATUS,
    HEAD_ITERATIONS,
    HEAD_ERROR,
    HEAD_TOLERANCE,
    HEAD_UNSOLVED,
    HEAD_WORK,
    HEAD_MOVED,
    HEAD_PENETRATION,
    HEAD_DEEPEST, /* two bodies */
    HEAD_GAINS = HEAD_DEEPEST + 2,
    HEAD_WATCHED,
    HEAD_BODIES,
    HEAD_TEXT, /* numbers that hold the text of an error */
    HEAD,
    GAIN_WIDTH = 4,
    WATCHED_WIDTH = 5,
    TEXT_MOST = 128
};

/* ---- failures ------------------------------------------------------------------------------------------- */

static size_t text_numbers(carom_status status, const carom_error *error)
{
    if (status == CAROM_OK || !error || error->text[0] == '\0')
        return 0;
    const size_t numbers = strlen(error->text) / sizeof(double) + 1;
    return numbers < TEXT_MOST ? numbers : TEXT_MOST;
}

static void put_text(cut_list *list, size_t numbers, const carom_error *error)
{
    double *to = cut_extend(list, numbers);
    if (!to || numbers == 0)
        return;
    memcpy(to, error->text, numbers * sizeof *to - 1);
    ((char *)to)[numbers * sizeof *to - 1] = '\0';
}

/* The first failure among the letters; each begins with its status and says at `place` how long its text is, which ends it. */
static carom_status first_failure(const body_step *self, const double *received, size_t head, size_t place,
                                  carom_error *error)
{
    const space_cut *cut = &self->cut;
    carom_status status = CAROM_OK;
    for (int k = 0; k < self->stepper->sharing->ranks; k++) {
        const double *at = received + cut->start[k];
        const size_t length = cut->start[k + 1] - cut->start[k];
        if (length < head)
            return carom_fail(error, CAROM_NO_MEMORY, "out of memory in process %d", k);
        if (at[0] == CAROM_OK)
            continue;
        const size_t numbers = (size_t)at[place];
        if (numbers > 0) /* the others only heard of it */
            return carom_fail(error, (carom_status)at[0], "%s", (const char *)(at + length - numbers));
        status = (carom_status)at[0];
    }
    return status == CAROM_OK ? CAROM_OK : carom_fail(error, status, "another process failed");
}

carom_status space_cut_agree_status(body_step *self, carom_status mine, carom_error *error)
{
    cut_list *out = &self->cut.out;
    const double *received = NULL;
    const size_t text = text_numbers(mine, error);
    out->count = 0;
    out->failed = false;
    cut_put(out, mine);
    cut_put(out, (double)text);
    put_text(out, text, error);
    const carom_status status = cut_tell_all(self, out, &received, error);
    return status == CAROM_OK ? first_failure(self, received, 2, 1, error) : status;
}

/* ---- what a process tells ------------------------------------------------------------------------------- */

static int positions_of(const body_step *self)
{
    return self->plane ? 3 : 7;
}

static int velocities_of(const body_step *self)
{
    return self->plane ? 3 : 6;
}

/* Bodies at a point of this step; self->local counts their points. Returns how many they are. */
static size_t list_bodies(body_step *self)
{
    cut_list *out = &self->cut.out;
    const int nq = positions_of(self), nv = velocities_of(self);
    size_t count = 0;
    for (int i = 0; i < self->count; i++)
        for (int side = 0; side < 2; side++)
            if (self->row[i].body[side] >= 0)
                self->local[self->row[i].body[side]] = 0;
    for (int i = 0; i < self->count; i++)
        for (int side = 0; side < 2; side++)
            if (self->row[i].body[side] >= 0)
                self->local[self->row[i].body[side]]++;
    for (int i = 0; i < self->count; i++)
        for (int side = 0; side < 2; side++) {
            const int body = self->row[i].body[side];
            if (body < 0 || self->local[body] == 0)
                continue;
            double *to = cut_extend(out, (size_t)(2 + nq + nv));
            if (!to)
                return 0;
            to[0] = body;
            to[1] = self->local[body];
            memcpy(to + 2, self->q + self->bodies->body[body].q, (size_t)nq * sizeof *to);
            memcpy(to + 2 + nq, self->v_end + self->bodies->body[body].v, (size_t)nv * sizeof *to);
            self->local[body] = 0; /* once */
            count++;
        }
    return count;
}

static size_t list_watched(body_step *self)
{
    cut_list *out = &self->cut.out;
    size_t count = 0;
    for (int i = 0; i < self->bodies->watched; i++) {
        if (self->bodies->watched_pair[i][0] < 0)
            continue;
        const watched_sum sum = body_step_watch(self, i);
        if (isinf(sum.gap))
            continue;
        const double number[WATCHED_WIDTH] = {i, sum.gap, sum.normal, sum.tangential, sum.slip};
        double *to = cut_extend(out, WATCHED_WIDTH);
        if (to)
            memcpy(to, number, sizeof number);
        count++;
    }
    return count;
}

static void list_head(body_step *self, const cut_before *before, carom_status mine)
{
    const carom_stepper *stepper = self->stepper;
    const carom_step_counts *counts = &stepper->counts;
    double *head = cut_extend(&self->cut.out, HEAD);
    if (!head)
        return;
    memset(head, 0, HEAD * sizeof *head);
    head[HEAD_STATUS] = mine;
    head[HEAD_ITERATIONS] = (double)(counts->solver_iterations - before->counts.solver_iterations);
    head[HEAD_ERROR] = counts->worst_solver_error;
    head[HEAD_TOLERANCE] = counts->solver_tolerance;
    head[HEAD_UNSOLVED] = (double)(counts->unsolved - before->counts.unsolved);
    head[HEAD_WORK] = stepper->works.contacts - before->works.contacts;
    head[HEAD_MOVED] = stepper->accounts.moved - before->moved;
    head[HEAD_PENETRATION] = stepper->accounts.penetration;
    head[HEAD_DEEPEST] = self->cut.deepest[0];
    head[HEAD_DEEPEST + 1] = self->cut.deepest[1];
}

static void list_all(body_step *self, const cut_before *before, carom_status mine, const carom_error *error)
{
    space_cut *cut = &self->cut;
    const size_t text = text_numbers(mine, error);
    size_t gains = 0, watched = 0, bodies = 0;
    cut->out.count = 0;
    cut->out.failed = cut->gains.failed;
    list_head(self, before, mine);
    if (mine == CAROM_OK) {
        gains = cut->gains.count / GAIN_WIDTH;
        double *to = cut_extend(&cut->out, cut->gains.count);
        if (to && cut->gains.count > 0)
            memcpy(to, cut->gains.number, cut->gains.count * sizeof *to);
        watched = list_watched(self);
        bodies = list_bodies(self);
    }
    put_text(&cut->out, text, error);
    if (cut->out.failed)
        return;
    cut->out.number[HEAD_GAINS] = (double)gains;
    cut->out.number[HEAD_WATCHED] = (double)watched;
    cut->out.number[HEAD_BODIES] = (double)bodies;
    cut->out.number[HEAD_TEXT] = (double)text;
}

/* ---- what all take ----------------------------------------------------------------------------------------- */

static void take_gains(body_step *self, const double *at, size_t count)
{
    char pair[160];
    for (size_t i = 0; i < count; i++, at += GAIN_WIDTH)
        body_step_tell_gain(self, at[0], at[1] != 0.0,
                            carom_bodies_pair_name(self->bodies, (int)at[2], (int)at[3], pair, sizeof pair));
}

static void take_bodies(body_step *self, const double *at, size_t count)
{
    const int nq = positions_of(self), nv = velocities_of(self);
    for (size_t i = 0; i < count; i++, at += 2 + nq + nv) {
        const carom_body *body = &self->bodies->body[(int)at[0]];
        self->cut.load[(int)at[0]] += (int)at[1];
        memcpy(self->q + body->q, at + 2, (size_t)nq * sizeof *at);
        memcpy(self->v_end + body->v, at + 2 + nq, (size_t)nv * sizeof *at);
    }
}

/* Sums of all processes, in self->cut.out: four numbers per watched pair. */
static bool begin_watched(body_step *self)
{
    cut_list *out = &self->cut.out;
    out->count = 0;
    double *sum = cut_extend(out, 4 * (size_t)self->bodies->watched);
    for (int i = 0; sum && i < self->bodies->watched; i++)
        memcpy(sum + 4 * (ptrdiff_t)i, (const double[4]){INFINITY, 0.0, 0.0, 0.0}, 4 * sizeof *sum);
    return sum != NULL;
}

static void take_watched(body_step *self, const double *at, size_t count)
{
    for (size_t i = 0; i < count; i++, at += WATCHED_WIDTH) {
        double *sum = self->cut.out.number + 4 * (ptrdiff_t)at[0];
        sum[0] = fmin(sum[0], at[1]);
        sum[1] += at[2];
        sum[2] += at[3];
        sum[3] = fmax(sum[3], at[4]);
    }
}

static void end_watched(body_step *self)
{
    for (int i = 0; i < self->bodies->watched; i++) {
        const double *sum = self->cut.out.number + 4 * (ptrdiff_t)i;
        if (self->bodies->watched_pair[i][0] >= 0)
            body_step_set_watched(
                self, i,
                &(watched_sum){.gap = sum[0], .normal = sum[1], .tangential = sum[2], .slip = sum[3]});
    }
}

static void take_counts(body_step *self, const double *head, bool *unsolved)
{
    carom_stepper *stepper = self->stepper;
    carom_step_counts *counts = &stepper->counts;
    counts->solver_iterations += (long)head[HEAD_ITERATIONS];
    counts->worst_solver_error = fmax(counts->worst_solver_error, head[HEAD_ERROR]);
    counts->solver_tolerance = fmax(counts->solver_tolerance, head[HEAD_TOLERANCE]);
    *unsolved = *unsolved || head[HEAD_UNSOLVED] > 0.0;
    stepper->works.contacts += head[HEAD_WORK];
    stepper->accounts.moved += head[HEAD_MOVED];
    if (head[HEAD_PENETRATION] > stepper->accounts.penetration)
        body_step_set_penetration(self, (int)head[HEAD_DEEPEST], (int)head[HEAD_DEEPEST + 1],
                                  head[HEAD_PENETRATION]);
}

static carom_status take_all(body_step *self, const cut_before *before, const double *received,
                             carom_error *error)
{
    carom_stepper *stepper = self->stepper;
    bool unsolved = false;
    stepper->works.contacts = before->works.contacts;
    stepper->accounts.moved = before->moved;
    stepper->counts.solver_iterations = before->counts.solver_iterations;
    stepper->counts.unsolved = before->counts.unsolved;
    stepper->accounts.penetration = before->penetration;
    memset(self->cut.load, 0, (size_t)self->bodies->count * sizeof *self->cut.load);
    if (!begin_watched(self))
        return carom_fail_memory(error);
    for (int k = 0; k < stepper->sharing->ranks; k++) {
        const double *head = received + self->cut.start[k], *gain = head + HEAD;
        const size_t gains = (size_t)head[HEAD_GAINS], watched = (size_t)head[HEAD_WATCHED];
        take_counts(self, head, &unsolved);
        take_gains(self, gain, gains);
        take_watched(self, gain + gains * GAIN_WIDTH, watched);
        take_bodies(self, gain + gains * GAIN_WIDTH + watched * WATCHED_WIDTH, (size_t)head[HEAD_BODIES]);
    }
    end_watched(self);
    stepper->counts.unsolved += unsolved;
    return CAROM_OK;
}

carom_status space_cut_agree(body_step *self, const cut_before *before, carom_status mine, carom_error *error)
{
    const double *received = NULL;
    if (self->cut.alone)
        return mine;
    list_all(self, before, mine, error);
    carom_status status = cut_tell_all(self, &self->cut.out, &received, error);
    if (status == CAROM_OK)
        status = first_failure(self, received, HEAD, HEAD_TEXT, error);
    return status == CAROM_OK ? take_all(self, before, received, error) : status;
}

/* ---- for the first process ------------------------------------------------------------------------------- */

carom_status space_cut_first_crossing(body_step *self, double *part, int *a, int *b, carom_error *error)
{
    cut_list *out = &self->cut.out;
    const double *received = NULL;
    out->count = 0;
    out->failed = false;
    cut_put(out, *part);
    cut_put(out, *a);
    cut_put(out, *b);
    const carom_status status = cut_tell_all(self, out, &received, error);
    for (int k = 0; status == CAROM_OK && k < self->stepper->sharing->ranks; k++) {
        const double *at = received + self->cut.start[k];
        if (self->cut.start[k + 1] - self->cut.start[k] < 3)
            return carom_fail_memory(error);
        const bool earlier = at[0] < *part || (at[0] == *part && (at[1] < *a || (at[1] == *a && at[2] < *b)));
        if (!earlier)
            continue;
        *part = at[0];
        *a = (int)at[1];
        *b = (int)at[2];
    }
    return status;
}

carom_status space_cut_collect(body_step *self, const cut_records *records, const double **record,
                               size_t *count, carom_error *error)
{
    const double *received = NULL;
    const carom_status status = cut_pass(self, records, &received, count, error);
    if (status != CAROM_OK)
        return status;
    *record = cut_sorted(self, received, *count, records->width);
    return *record ? CAROM_OK : carom_fail_memory(error);
}

enum {
    POINT_WIDTH = 19 /* bodies, feature, friction, gap, shift, normal, arms, impulse */
};

static int to_first(body_step *self, size_t record)
{
    (void)self, (void)record;
    return 0;
}

static void write_point(body_step *self, size_t i, double *number)
{
    const carom_body_point point = body_step_point_at(self, (int)i);
    number[0] = point.a;
    number[1] = point.b;
    cut_put_feature(self->point[i].feature, number + 2);
    number[4] = point.friction;
    number[5] = point.gap;
    number[6] = point.shift;
    memcpy(number + 7, point.normal, sizeof point.normal);
    memcpy(number + 10, point.arm, sizeof point.arm);
    memcpy(number + 16, point.impulse, sizeof point.impulse);
}

carom_status space_cut_collect_points(body_step *self, carom_error *error)
{
    space_cut *cut = &self->cut;
    const double *at = NULL;
    size_t count = 0;
    const carom_status status = space_cut_collect(
        self,
        &(cut_records){
            .count = (size_t)self->active, .width = POINT_WIDTH, .addressee = to_first, .write = write_point},
        &at, &count, error);
    if (status != CAROM_OK)
        return status;
    if (count > cut->point_room) {
        const size_t room = count + count / 2;
        carom_body_point *larger = realloc(cut->point, carom_product(room, sizeof *larger));
        if (!larger)
            return carom_fail_memory(error);
        cut->point = larger;
        cut->point_room = room;
    }
    cut->points = count;
    for (size_t i = 0; i < count; i++, at += POINT_WIDTH) {
        carom_body_point *point = &cut->point[i];
        *point = (carom_body_point){
            .a = (int)at[0], .b = (int)at[1], .friction = at[4], .gap = at[5], .shift = at[6]};
        memcpy(point->normal, at + 7, sizeof point->normal);
        memcpy(point->arm, at + 10, sizeof point->arm);
        memcpy(point->impulse, at + 16, sizeof point->impulse);
    }
    return CAROM_OK;
}
