/* Polygons of the plane: convex ones as they are, others cut into convex parts: ears are cut off until nothing is left
 * (Meisters 1975), then triangles are joined again across diagonals where the result stays convex (Hertel and Mehlhorn
 * 1983). */
#include <stdlib.h>
#include <string.h>

#include "hull.h"

/* Twice the area of the triangle a, b, c: positive when it turns left. */
static double turn_left(const double *a, const double *b, const double *c)
{
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

static double extent_of(int points, const double *point)
{
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int i = 0; i < points; i++)
        for (int k = 0; k < 2; k++) {
            low[k] = fmin(low[k], point[3 * i + k]);
            high[k] = fmax(high[k], point[3 * i + k]);
        }
    return fmax(high[0] - low[0], high[1] - low[1]);
}

/* Is b in line with its neighbours? Two edges in one line would be two faces where there is one. */
static bool in_line(const double *a, const double *b, const double *c)
{
    return fabs(turn_left(a, b, c)) <= 1e-12 * distance(a, b) * distance(b, c);
}

bool polygon_make(carom_arena *arena, int corners, const int *corner, const double *point, part *core)
{
    if (!core_take(arena, core, corners, corners))
        return false;
    int kept = 0;
    for (int i = 0; i < corners; i++) {
        const double *a = point + 3 * corner[(i + corners - 1) % corners], *b = point + 3 * corner[i];
        if (!in_line(a, b, point + 3 * corner[(i + 1) % corners]))
            copy(b, core->vertex + 3 * kept++);
    }
    core->vertices = core->normals = kept;
    core_finish_plane(core);
    return true;
}

/* ---- hull --------------------------------------------------------------------------------------------- */

static bool is_before(const double *a, const double *b)
{
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* Numbers of points from left to right: merges runs of growing length. */
static void sort_points(int points, const double *point, int *order, int *other)
{
    for (int i = 0; i < points; i++)
        order[i] = i;
    for (int run = 1; run < points; run *= 2) {
        for (int start = 0; start < points; start += 2 * run) {
            const int middle = start + run < points ? start + run : points;
            const int end = start + 2 * run < points ? start + 2 * run : points;
            int a = start, b = middle;
            for (int k = start; k < end; k++)
                other[k] = b >= end || (a < middle && !is_before(point + 3 * order[b], point + 3 * order[a]))
                               ? order[a++]
                               : order[b++];
        }
        memcpy(order, other, (size_t)points * sizeof *order);
        if (run > points / 2)
            break;
    }
}

/* One side of the hull (Andrew's chain): from the first to the last of the order, or back. */
static int chain(int points, const double *point, const int *order, bool back, double tolerance, int *corner)
{
    int count = 0;
    for (int i = 0; i < points; i++) {
        const int next = order[back ? points - 1 - i : i];
        while (count >= 2) {
            const double *from = point + 3 * corner[count - 2], *to = point + 3 * next;
            const double base = hypot(to[0] - from[0], to[1] - from[1]);
            if (turn_left(from, point + 3 * corner[count - 1], to) > tolerance * base)
                break;
            count--;
        }
        if (count == 1 && distance(point + 3 * corner[0], point + 3 * next) <= tolerance)
            continue;
        corner[count++] = next;
    }
    return count - 1; /* the last one begins the other side */
}

int hull_plane(int points, const double *point, double tolerance, int *corner)
{
    int *order = carom_new_array(3 * (size_t)points + 2, sizeof *order);
    if (!order)
        return -1;
    int *upper = order + points, count = 0;
    sort_points(points, point, order, upper);
    const int below = chain(points, point, order, false, tolerance, upper);
    memcpy(corner, upper, (size_t)(below > 0 ? below : 0) * sizeof *corner);
    count = below > 0 ? below : 0;
    const int above = chain(points, point, order, true, tolerance, upper);
    for (int i = 0; i < above && count < points; i++)
        corner[count++] = upper[i];
    free(order);
    return count;
}

/* ---- checks ---------------------------------------------------------------------------------------------- */

static carom_status check_points(size_t points, const double *xy, carom_error *error)
{
    if (points < 3 || points > 4096 || !xy)
        return carom_fail(error, CAROM_BAD_INPUT, "polygon: %zu points; it has 3 to 4096", points);
    for (size_t i = 0; i < points; i++) {
        const double *here = xy + 2 * i, *next = xy + 2 * ((i + 1) % points);
        if (!isfinite(here[0]) || !isfinite(here[1]))
            return carom_fail(error, CAROM_BAD_INPUT, "polygon: point %zu is (%g, %g); it must be finite",
                              i + 1, here[0], here[1]);
        if (here[0] == next[0] && here[1] == next[1])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "polygon: point %zu, (%g, %g), stands twice in a row; leave one out", i + 1,
                              here[0], here[1]);
    }
    return CAROM_OK;
}

/* Is c, in line with a and b, between them? */
static bool between(const double *a, const double *b, const double *c)
{
    return fmin(a[0], b[0]) <= c[0] && c[0] <= fmax(a[0], b[0]) && fmin(a[1], b[1]) <= c[1] &&
           c[1] <= fmax(a[1], b[1]);
}

static bool segments_meet(const double *a, const double *b, const double *c, const double *d)
{
    const double abc = turn_left(a, b, c), abd = turn_left(a, b, d);
    const double cda = turn_left(c, d, a), cdb = turn_left(c, d, b);
    if (((abc > 0) != (abd > 0)) && abc != 0.0 && abd != 0.0 && ((cda > 0) != (cdb > 0)) && cda != 0.0 &&
        cdb != 0.0)
        return true;
    return (abc == 0.0 && between(a, b, c)) || (abd == 0.0 && between(a, b, d)) ||
           (cda == 0.0 && between(c, d, a)) || (cdb == 0.0 && between(c, d, b));
}

static carom_status check_simple(int points, const double *point, carom_error *error)
{
    for (int i = 0; i < points; i++) {
        const double *a = point + 3 * i, *b = point + 3 * ((i + 1) % points),
                     *next = point + 3 * ((i + 2) % points);
        if (turn_left(a, b, next) == 0.0 &&
            (b[0] - a[0]) * (next[0] - b[0]) + (b[1] - a[1]) * (next[1] - b[1]) < 0)
            return carom_fail(
                error, CAROM_BAD_INPUT,
                "polygon: it turns back on itself at point %d, (%g, %g); a simple polygon goes around "
                "its inside once",
                (i + 1) % points + 1, b[0], b[1]);
        for (int j = i + 2; j < points; j++) {
            if (i == 0 && j == points - 1)
                continue;
            if (segments_meet(a, b, point + 3 * j, point + 3 * ((j + 1) % points)))
                return carom_fail(
                    error, CAROM_BAD_INPUT,
                    "polygon: the edges from point %d and from point %d cross or touch; a simple "
                    "polygon goes around its inside once",
                    i + 1, j + 1);
        }
    }
    return CAROM_OK;
}

/* ---- cutting --------------------------------------------------------------------------------------------- */

static bool is_inside(const double *a, const double *b, const double *c, const double *p)
{
    return turn_left(a, b, p) >= 0.0 && turn_left(b, c, p) >= 0.0 && turn_left(c, a, p) >= 0.0;
}

/* Can corner k be cut off: it turns left, and no other one lies in its triangle? */
static bool is_ear(int corners, const int *corner, const double *point, int k)
{
    const int before = corner[(k + corners - 1) % corners], here = corner[k],
              after = corner[(k + 1) % corners];
    const double *a = point + 3 * before, *b = point + 3 * here, *c = point + 3 * after;
    if (!(turn_left(a, b, c) > 0.0))
        return false;
    for (int i = 0; i < corners; i++)
        if (corner[i] != before && corner[i] != here && corner[i] != after &&
            is_inside(a, b, c, point + 3 * corner[i]))
            return false;
    return true;
}

/* Convex pieces while they grow: the corners of piece p are corner[p * width ...]. */
typedef struct pieces {
    int width, pieces;
    int *corner, *count;
} pieces;

static void cut_ears(int corners, int *corner, const double *point, pieces *cut)
{
    while (corners >= 3) {
        int ear = 0;
        while (ear < corners - 1 && !is_ear(corners, corner, point, ear))
            ear++;
        int *piece = cut->corner + cut->pieces * cut->width;
        piece[0] = corner[(ear + corners - 1) % corners];
        piece[1] = corner[ear];
        piece[2] = corner[(ear + 1) % corners];
        if (turn_left(point + 3 * piece[0], point + 3 * piece[1], point + 3 * piece[2]) > 0.0)
            cut->count[cut->pieces++] = 3;
        memmove(corner + ear, corner + ear + 1, (size_t)(corners - ear - 1) * sizeof *corner);
        corners--;
    }
}

static bool is_convex(int corners, const int *corner, const double *point)
{
    for (int i = 0; i < corners; i++)
        if (turn_left(point + 3 * corner[i], point + 3 * corner[(i + 1) % corners],
                      point + 3 * corner[(i + 2) % corners]) < 0.0)
            return false;
    return true;
}

/* Joins piece q to piece p when they share an edge and stay convex. */
static bool join(pieces *cut, const double *point, int p, int q, int *scratch)
{
    const int *a = cut->corner + p * cut->width, *b = cut->corner + q * cut->width;
    const int na = cut->count[p], nb = cut->count[q];
    for (int i = 0; i < na; i++)
        for (int j = 0; j < nb; j++) {
            if (a[i] != b[(j + 1) % nb] || a[(i + 1) % na] != b[j])
                continue;
            int n = 0;
            for (int k = 0; k < na; k++) /* all of a from the end of the edge, then those of b between */
                scratch[n++] = a[(i + 1 + k) % na];
            for (int k = 2; k < nb; k++)
                scratch[n++] = b[(j + k) % nb];
            if (!is_convex(n, scratch, point))
                return false;
            memcpy(cut->corner + p * cut->width, scratch, (size_t)n * sizeof *scratch);
            cut->count[p] = n;
            return true;
        }
    return false;
}

static void join_pieces(pieces *cut, const double *point, int *scratch)
{
    for (int p = 0; p < cut->pieces; p++)
        for (int q = p + 1; q < cut->pieces; q++)
            if (join(cut, point, p, q, scratch)) {
                cut->pieces--;
                memmove(cut->corner + q * cut->width, cut->corner + cut->pieces * cut->width,
                        (size_t)cut->width * sizeof(int));
                cut->count[q] = cut->count[cut->pieces];
                q = p; /* what did not fit before may fit now */
            }
}

/* Corners of the polygon, turning left, without those in line with their neighbours. */
static int list_corners(int points, const double *point, int *corner)
{
    double area = 0.0;
    for (int i = 1; i + 1 < points; i++)
        area += turn_left(point, point + 3 * i, point + 3 * (i + 1));
    int corners = 0;
    for (int i = 0; i < points; i++) {
        const int here = area > 0.0 ? i : points - 1 - i;
        const int before = area > 0.0 ? (here + points - 1) % points : (here + 1) % points;
        const int after = area > 0.0 ? (here + 1) % points : (here + points - 1) % points;
        if (!in_line(point + 3 * before, point + 3 * here, point + 3 * after))
            corner[corners++] = here;
    }
    return corners;
}

/* What the parts of a cut polygon know of the whole: cuts and neighbours on the outline. `place_of`: place of each point among
 * the corners of the outline. */
static bool make_part(carom_arena *arena, int outlines, const int *outline, const int *place_of, int corners,
                      const int *corner, const double *point, part *core)
{
    bool *seam = carom_arena_take(arena, (size_t)corners, sizeof *seam);
    core->outline = carom_arena_take(arena, (size_t)corners, 6 * sizeof(double));
    if (!seam || !core->outline || !core_take(arena, core, corners, corners))
        return false;
    for (int i = 0; i < corners; i++) {
        const double *here = point + 3 * corner[i];
        const int at = place_of[corner[i]], after = outline[(at + 1) % outlines];
        const int before = outline[(at + outlines - 1) % outlines];
        copy(here, core->vertex + 3 * i);
        seam[i] = corner[(i + 1) % corners] != after;
        for (int k = 0; k < 2; k++) {
            double *way = core->outline + 6 * i + 3 * k;
            subtract(point + 3 * (k ? after : before), here, way);
            normalise(way);
        }
    }
    core->seam = seam;
    core_finish_plane(core);
    return true;
}

static carom_status cut_polygon(int points, const double *point, carom_shape **shape, carom_error *error)
{
    const double extent = extent_of(points, point);
    double area = 0.0;
    for (int i = 1; i + 1 < points; i++)
        area += turn_left(point, point + 3 * i, point + 3 * (i + 1));
    if (fabs(area) <= 1e-12 * extent * extent)
        return carom_fail(error, CAROM_BAD_INPUT, "polygon: its %d points are on one line; it needs an area",
                          points);
    const carom_status status = check_simple(points, point, error);
    if (status != CAROM_OK)
        return status;
    const size_t n = (size_t)points;
    int *memory = carom_new_array(5 * n + n * n, sizeof *memory);
    if (!memory)
        return carom_fail_memory(error);
    int *corner = memory, *scratch = memory + points, *outline = memory + 2 * points,
        *place_of = memory + 3 * points;
    pieces cut = {.width = points, .count = memory + 4 * points, .corner = memory + 5 * points};
    const int corners = list_corners(points, point, corner);
    memcpy(outline, corner, (size_t)corners * sizeof *outline);
    for (int i = 0; i < corners; i++)
        place_of[outline[i]] = i;
    if (is_convex(corners, corner, point)) {
        memcpy(cut.corner, corner, (size_t)corners * sizeof *corner);
        cut.count[0] = corners;
        cut.pieces = 1;
    } else {
        cut_ears(corners, corner, point, &cut);
        join_pieces(&cut, point, scratch);
    }
    carom_shape *polygon = shape_create(CAROM_PLANE, (size_t)cut.pieces);
    bool complete = polygon != NULL;
    if (complete && cut.pieces == 1)
        complete = polygon_make(polygon->arena, cut.count[0], cut.corner, point, polygon->part);
    for (int p = 0; complete && cut.pieces > 1 && p < cut.pieces; p++)
        complete = make_part(polygon->arena, corners, outline, place_of, cut.count[p],
                             cut.corner + p * cut.width, point, &polygon->part[p]);
    free(memory);
    return shape_finish(polygon, complete, shape, error);
}

carom_status carom_shape_polygon(size_t points, const double *xy, carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    carom_status status = check_points(points, xy, error);
    if (status != CAROM_OK)
        return status;
    double *point = carom_new_array(points, 3 * sizeof *point);
    if (!point)
        return carom_fail_memory(error);
    for (size_t i = 0; i < points; i++) {
        point[3 * i] = xy[2 * i];
        point[3 * i + 1] = xy[2 * i + 1];
    }
    status = cut_polygon((int)points, point, shape, error);
    free(point);
    return status;
}
