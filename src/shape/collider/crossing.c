/* Steps in which a small body passes through another and no pose shows it.
 *
 *      before o - - - - -|- - - - - o after      Half of the ball inside a part (a speck of it, at least its middle) is moved along the
 *                       wall                     way that the other one sees, straight from start to end. Its distance from the other says how
 *                                                far it may go at once; it arrives, or is found to have met it. What it is inside of
 *                                                in the end counts, too, unless the last touches, found on the way, show it: the next ones
 *                                                may be looked for where it has come out on the other side. */
#include "collider.h"
#include "distance.h"
#include "shape/surface.h"

enum {
    MARCH_MOST = 200
};

/* A part that moved further than what is inside it, and another one, seen from that other one where it stands in its shape. */
typedef struct passage {
    int dim;
    const part *other;
    double from[3], to[3], radius;
    bool shown; /* a touch on the way says that the two are in each other */
    double met; /* part of the way; > 1: not */
} passage;

/* Marches until nothing is left between the ball and what `away` measures the distance from. */
static double march(const passage *p, double (*away)(const passage *, const void *, const double *),
                    const void *context)
{
    double point[3], way[3], at = 0.0;
    subtract(p->to, p->from, way);
    const double extent = length(way);
    if (away(p, context, p->from) <= p->radius)
        return INFINITY; /* begins there: the step that led there told it */
    if (away(p, context, p->to) <= p->radius)
        return p->shown ? INFINITY : 1.0;
    for (int i = 0; i < MARCH_MOST && at < 1.0; i++) {
        along(p->from, at, way, point);
        const double free_way = away(p, context, point) - p->radius;
        if (free_way <= 1e-6 * p->radius)
            return at;
        at += free_way / extent;
    }
    return at < 1.0 ? at : INFINITY;
}

static double away_from_part(const passage *p, const void *context, const double *point)
{
    (void)context;
    return part_distance(p->dim, p->other, point);
}

/* Does the way itself go through a piece, from one side to the other? Then it counts wherever it ends. */
static double through_piece(const passage *p, const double *vertex)
{
    double u[3], v[3] = {0.0, 0.0, 1.0}, n[3], offset[3], way[3], point[3];
    subtract(vertex + 3, vertex, u);
    if (p->dim == CAROM_SPACE)
        subtract(vertex + 6, vertex, v);
    cross(u, v, n);
    subtract(p->from, vertex, offset);
    subtract(p->to, p->from, way);
    const double start = dot(n, offset), rate = dot(n, way), at = -start / rate;
    if (!(at > 0.0 && at < 1.0))
        return INFINITY;
    along(p->from, at, way, point);
    return piece_distance(p->dim, vertex, point) <= 1e-9 * length(u) ? at : INFINITY;
}

static double away_from_piece(const passage *p, const void *context, const double *point)
{
    return piece_distance(p->dim, context, point);
}

static void pass_piece(void *context, int number)
{
    passage *p = context;
    const surface *sheet = p->other->sheet;
    double vertex[9] = {0};
    for (int c = 0; c < p->dim; c++)
        copy(sheet->point + 3 * sheet->piece[number].corner[c], vertex + 3 * c);
    p->met = fmin(p->met, through_piece(p, vertex));
    p->met = fmin(p->met, march(p, away_from_piece, vertex));
}

/* Whether the last touches, which are sorted by their shapes, have one of a and b without a gap. */
static bool is_shown(const carom_collider *self, int a, int b)
{
    const int low = a < b ? a : b, high = a < b ? b : a;
    const carom_touch *touch = self->touches.touch;
    size_t from = 0, to = self->touches.count;
    while (from < to) {
        const size_t middle = from + (to - from) / 2;
        if (touch[middle].a < low || (touch[middle].a == low && touch[middle].b < high))
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < self->touches.count && touch[from].a == low && touch[from].b == high; from++)
        if (touch[from].gap <= 0.0)
            return true;
    return false;
}

/* Part i past part j, both of their shapes; how far it came. */
static double pass(const carom_collider *self, const carom_pose *before, const carom_pose *after, int i,
                   int j)
{
    const int a = self->owner[i], b = self->owner[j];
    const part *moving = &self->shape[a]->part[i - self->first[a]],
               *other = &self->shape[b]->part[j - self->first[b]];
    passage p = {.dim = self->dim,
                 .other = other,
                 .radius = 0.5 * moving->inner_radius,
                 .shown = is_shown(self, a, b),
                 .met = INFINITY};
    double point[3];
    place(&before[a], moving->inner, point);
    place_back(&before[b], point, p.from);
    place(&after[a], moving->inner, point);
    place_back(&after[b], point, p.to);
    if (other->kind != PART_SURFACE)
        return march(&p, away_from_part, NULL);
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = fmin(p.from[k], p.to[k]) - p.radius;
        high[k] = fmax(p.from[k], p.to[k]) + p.radius;
    }
    surface_visit(other->sheet, low, high, pass_piece, &p);
    return p.met;
}

/* ---- which pairs -------------------------------------------------------------------------------------------- */

static bool is_swept(const double swept[6])
{
    double sum = 0.0;
    for (int k = 0; k < 6; k++)
        sum += fabs(swept[k]);
    return isfinite(sum);
}

/* Boxes around the ways of all parts; true when one moved further than its inside. */
static bool sweep_parts(carom_collider *self, const carom_pose *before, const carom_pose *after)
{
    bool fast = false;
    for (int p = 0; p < self->parts; p++) {
        const int a = self->owner[p];
        const part *own = &self->shape[a]->part[p - self->first[a]];
        double *box = self->swept[p], from[3], to[3];
        self->way[p] = 0.0;
        if (own->kind == PART_HALFSPACE) {
            for (int k = 0; k < 3; k++)
                box[3 + k] = -(box[k] = -INFINITY);
            continue;
        }
        place(&before[a], own->inner, from);
        place(&after[a], own->inner, to);
        const double moved = distance(from, to), reach = own->reach;
        for (int k = 0; k < 3; k++) {
            box[k] = fmin(from[k], to[k]) - reach;
            box[3 + k] = fmax(from[k], to[k]) + reach;
        }
        if (own->kind == PART_SURFACE || !isfinite(moved))
            continue;
        self->way[p] = moved > own->inner_radius ? moved : 0.0;
        fast = fast || self->way[p] > 0.0;
    }
    return fast;
}

static bool boxes_meet(int dim, const double a[6], const double b[6])
{
    for (int k = 0; k < dim; k++)
        if (!(a[k] <= b[3 + k] && b[k] <= a[3 + k]))
            return false;
    return true;
}

static bool may_meet(const carom_collider *self, int i, int j)
{
    return boxes_meet(self->dim, self->swept[i], self->swept[j]) && self->grid.may_touch(self, i, j);
}

typedef struct first_pair {
    double part;
    int a, b;
} first_pair;

static void look_at(const carom_collider *self, const carom_pose *before, const carom_pose *after, int i,
                    int j, first_pair *first)
{
    double at = INFINITY;
    if (self->way[i] > 0.0)
        at = fmin(at, pass(self, before, after, i, j));
    if (self->way[j] > 0.0)
        at = fmin(at, pass(self, before, after, j, i));
    const int a = self->owner[i] < self->owner[j] ? self->owner[i] : self->owner[j];
    const int b = self->owner[i] < self->owner[j] ? self->owner[j] : self->owner[i];
    const bool earlier =
        at < first->part || (at == first->part && (a < first->a || (a == first->a && b < first->b)));
    if (at <= 1.0 && earlier)
        *first = (first_pair){at, a, b};
}

/* Parts from left to right: a heap sort, which takes no memory. */
static void sift(const carom_collider *self, int root, int count)
{
    for (int child; (child = 2 * root + 1) < count; root = child) {
        if (child + 1 < count && self->swept[self->order[child]][0] < self->swept[self->order[child + 1]][0])
            child++;
        if (!(self->swept[self->order[root]][0] < self->swept[self->order[child]][0]))
            return;
        const int kept = self->order[root];
        self->order[root] = self->order[child];
        self->order[child] = kept;
    }
}

static int sort_parts(carom_collider *self)
{
    int count = 0;
    for (int p = 0; p < self->parts; p++)
        if (is_swept(self->swept[p]))
            self->order[count++] = p;
    for (int i = count / 2; i-- > 0;)
        sift(self, i, count);
    for (int end = count; end-- > 1;) {
        const int kept = self->order[0];
        self->order[0] = self->order[end];
        self->order[end] = kept;
        sift(self, 0, end);
    }
    return count;
}

bool carom_collider_crossing(carom_collider *self, const carom_pose *before, const carom_pose *after, int *a,
                             int *b, double *part_of)
{
    if (!sweep_parts(self, before, after))
        return false;
    first_pair first = {.part = INFINITY};
    const int count = sort_parts(self);
    for (int i = 0; i < count; i++) {
        const int p = self->order[i];
        for (int j = i + 1; j < count && self->swept[self->order[j]][0] <= self->swept[p][3]; j++) {
            const int q = self->order[j];
            if ((self->way[p] > 0.0 || self->way[q] > 0.0) && may_meet(self, p, q))
                look_at(self, before, after, p, q, &first);
        }
    }
    if (!(first.part <= 1.0))
        return false;
    *a = first.a;
    *b = first.b;
    *part_of = first.part;
    return true;
}
