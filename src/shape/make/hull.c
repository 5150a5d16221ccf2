/* Convex hulls in space. Quickhull (Barber, Dobkin and Huhdanpaa 1996): a tetrahedron grows by the point that is farthest
 * outside one of its triangles; what sees the point is replaced by triangles from the rim to it. Of points that are equally
 * far the one that comes last in a fixed order is taken, so that points inside edges and faces of the hull never
 * become corners. Triangles in one plane are joined to faces at the end. */
#include "hull.h"

#include <stdlib.h>
#include <string.h>

typedef struct triangle {
    int corner[3];
    int neighbour[3]; /* across the side from corner i to the next */
    double normal[3], offset;
    bool gone;
    int mark; /* visited in this round; later: its face */
} triangle;

typedef struct builder {
    int points;
    const double *point;
    double tolerance, flat; /* distances that count as none: for points, for triangles of one face */
    int triangles, room;
    triangle *triangle;
    int *stack;    /* of triangles */
    int (*rim)[2]; /* triangle that stays, its side */
    bool failed;
} builder;

static double height(const triangle *t, const double p[3])
{
    return dot(t->normal, p) - t->offset;
}

static void set_plane(const builder *b, triangle *t)
{
    double u[3], v[3];
    const double *origin = b->point + 3 * t->corner[0];
    subtract(b->point + 3 * t->corner[1], origin, u);
    subtract(b->point + 3 * t->corner[2], origin, v);
    cross(u, v, t->normal);
    normalise(t->normal);
    t->offset = dot(t->normal, origin);
}

static int add_triangle(builder *b, int p, int q, int r)
{
    if (b->triangles == b->room) {
        b->failed = true;
        return 0;
    }
    triangle *t = &b->triangle[b->triangles];
    *t = (triangle){.corner = {p, q, r}, .neighbour = {-1, -1, -1}, .mark = -1};
    set_plane(b, t);
    return b->triangles++;
}

static int side_of(const triangle *t, int from, int to)
{
    for (int i = 0; i < 3; i++)
        if (t->corner[i] == from && t->corner[(i + 1) % 3] == to)
            return i;
    return -1;
}

/* ---- the first tetrahedron --------------------------------------------------------------------------------- */

static bool is_after(const double *a, const double *b)
{
    for (int k = 0; k < 3; k++)
        if (a[k] != b[k])
            return a[k] > b[k];
    return false;
}

/* The point that is farthest by `measure`, which gives a distance. */
static int farthest(const builder *b, double (*measure)(const builder *, const int *, const double *),
                    const int *taken, double *most)
{
    int best = 0;
    *most = -INFINITY;
    for (int i = 0; i < b->points; i++) {
        const double d = measure(b, taken, b->point + 3 * i);
        const bool more = d > *most + b->tolerance, equal = d > *most - b->tolerance;
        if (more || (equal && is_after(b->point + 3 * i, b->point + 3 * best)))
            best = i;
        *most = fmax(*most, d);
    }
    return best;
}

static double from_point(const builder *b, const int *taken, const double *p)
{
    return distance(b->point + 3 * taken[0], p);
}

static double from_line(const builder *b, const int *taken, const double *p)
{
    double u[3], v[3], w[3];
    subtract(b->point + 3 * taken[1], b->point + 3 * taken[0], u);
    subtract(p, b->point + 3 * taken[0], v);
    normalise(u);
    cross(u, v, w);
    return length(w);
}

static double from_plane(const builder *b, const int *taken, const double *p)
{
    triangle t = {.corner = {taken[0], taken[1], taken[2]}};
    set_plane(b, &t);
    return fabs(height(&t, p));
}

static void join(builder *b, int first, int count)
{
    for (int i = first; i < first + count; i++)
        for (int k = 0; k < 3; k++)
            for (int j = first; j < first + count; j++)
                if (side_of(&b->triangle[j], b->triangle[i].corner[(k + 1) % 3], b->triangle[i].corner[k]) >=
                    0)
                    b->triangle[i].neighbour[k] = j;
}

/* False when all points are in one plane. */
static bool begin(builder *b)
{
    int taken[4] = {0};
    double most;
    for (int i = 1; i < b->points; i++)
        if (is_after(b->point + 3 * i, b->point + 3 * taken[0]))
            taken[0] = i;
    taken[1] = farthest(b, from_point, taken, &most);
    const double extent = most;
    b->tolerance = 1e-11 * extent;
    b->flat = 1e-6 * extent;
    taken[2] = farthest(b, from_line, taken, &most);
    if (!(most > 1e-9 * extent))
        return false;
    taken[3] = farthest(b, from_plane, taken, &most);
    if (!(most > 1e-9 * extent))
        return false;
    triangle base = {.corner = {taken[0], taken[1], taken[2]}};
    set_plane(b, &base);
    if (height(&base, b->point + 3 * taken[3]) > 0.0) {
        const int kept = taken[1];
        taken[1] = taken[2];
        taken[2] = kept;
    }
    add_triangle(b, taken[0], taken[1], taken[2]);
    add_triangle(b, taken[0], taken[3], taken[1]);
    add_triangle(b, taken[1], taken[3], taken[2]);
    add_triangle(b, taken[2], taken[3], taken[0]);
    join(b, 0, 4);
    return true;
}

/* ---- growing ------------------------------------------------------------------------------------------------- */

/* The point farthest over a triangle, -1 when none is outside. */
static int highest_over(const builder *b, const triangle *t)
{
    int best = -1;
    double most = b->tolerance;
    for (int i = 0; i < b->points; i++) {
        const double h = height(t, b->point + 3 * i);
        if (h > most + b->tolerance ||
            (best >= 0 && h > most - b->tolerance && is_after(b->point + 3 * i, b->point + 3 * best)))
            best = i;
        if (best >= 0)
            most = fmax(most, h);
    }
    return best;
}

/* Takes away what sees the point, and lists the rim. */
static int open_up(builder *b, int start, int p)
{
    int depth = 0, rims = 0;
    b->stack[depth++] = start;
    b->triangle[start].gone = true;
    while (depth > 0) {
        const int at = b->stack[--depth];
        for (int k = 0; k < 3; k++) {
            const int beyond = b->triangle[at].neighbour[k];
            triangle *other = &b->triangle[beyond];
            if (other->gone)
                continue;
            if (height(other, b->point + 3 * p) > b->tolerance) {
                other->gone = true;
                b->stack[depth++] = beyond;
            }
        }
    }
    for (int i = 0; i < b->triangles; i++)
        for (int k = 0; k < 3 && !b->triangle[i].gone; k++)
            if (b->triangle[b->triangle[i].neighbour[k]].gone) {
                b->rim[rims][0] = i;
                b->rim[rims++][1] = k;
            }
    return rims;
}

static void grow(builder *b, int start, int p)
{
    const int rims = open_up(b, start, p), first = b->triangles;
    for (int r = 0; r < rims && !b->failed; r++) {
        triangle *stays = &b->triangle[b->rim[r][0]];
        const int k = b->rim[r][1];
        const int made = add_triangle(b, stays->corner[(k + 1) % 3], stays->corner[k], p);
        stays->neighbour[k] = made;
        b->triangle[made].neighbour[0] = b->rim[r][0];
    }
    for (int i = first; i < b->triangles; i++)
        for (int j = first; j < b->triangles; j++)
            if (b->triangle[i].corner[1] == b->triangle[j].corner[0]) {
                b->triangle[i].neighbour[1] = j;
                b->triangle[j].neighbour[2] = i;
            }
    for (int i = first; i < b->triangles; i++)
        b->failed = b->failed || b->triangle[i].neighbour[1] < 0 || b->triangle[i].neighbour[2] < 0;
}

/* Moves the triangles that are left together. */
static void renumber(builder *b)
{
    int *mark = b->stack, kept = 0;
    for (int i = 0; i < b->triangles; i++)
        mark[i] = b->triangle[i].gone ? -1 : kept++;
    for (int i = 0; i < b->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (b->triangle[i].neighbour[k] >= 0)
                b->triangle[i].neighbour[k] = mark[b->triangle[i].neighbour[k]];
    kept = 0;
    for (int i = 0; i < b->triangles; i++)
        if (!b->triangle[i].gone)
            b->triangle[kept++] = b->triangle[i];
    b->triangles = kept;
}

static void grow_all(builder *b)
{
    for (int i = 0; i < b->triangles && !b->failed; i++) {
        const int p = b->triangle[i].gone ? -1 : highest_over(b, &b->triangle[i]);
        if (p < 0)
            continue;
        grow(b, i, p);
        if (b->triangles > b->room / 2) {
            renumber(b);
            i = -1;
        }
    }
}

/* ---- faces ----------------------------------------------------------------------------------------------------- */

/* Triangles around `seed` whose corners are all in its plane get its number. */
static int spread_face(builder *b, int seed, int face)
{
    int depth = 0, count = 0;
    b->stack[depth++] = seed;
    b->triangle[seed].mark = face;
    while (depth > 0) {
        const int at = b->stack[--depth];
        count++;
        for (int k = 0; k < 3; k++) {
            triangle *other = &b->triangle[b->triangle[at].neighbour[k]];
            bool in_plane = other->mark < 0 && dot(other->normal, b->triangle[seed].normal) > 0.5;
            for (int c = 0; c < 3; c++)
                in_plane =
                    in_plane && fabs(height(&b->triangle[seed], b->point + 3 * other->corner[c])) <= b->flat;
            if (in_plane) {
                other->mark = face;
                b->stack[depth++] = b->triangle[at].neighbour[k];
            }
        }
    }
    return count;
}

static double area_of(const builder *b, const triangle *t)
{
    double u[3], v[3], w[3];
    subtract(b->point + 3 * t->corner[1], b->point + 3 * t->corner[0], u);
    subtract(b->point + 3 * t->corner[2], b->point + 3 * t->corner[0], v);
    cross(u, v, w);
    return length(w);
}

/* Faces from the largest triangles: their planes are the best known. */
static int mark_faces(builder *b)
{
    int faces = 0;
    for (int i = 0; i < b->triangles; i++)
        b->triangle[i].mark = -1;
    for (;;) {
        int seed = -1;
        for (int i = 0; i < b->triangles; i++)
            if (b->triangle[i].mark < 0 &&
                (seed < 0 || area_of(b, &b->triangle[i]) > area_of(b, &b->triangle[seed]) * (1.0 + 1e-9)))
                seed = i;
        if (seed < 0)
            return faces;
        spread_face(b, seed, faces++);
    }
}

/* The border of a face, corner by corner; 0 when it is no single loop. */
static int face_loop(const builder *b, int face, int *corner)
{
    int start = -1, side = 0, borders = 0;
    for (int i = 0; i < b->triangles; i++)
        for (int k = 0; k < 3; k++)
            if (b->triangle[i].mark == face && b->triangle[b->triangle[i].neighbour[k]].mark != face) {
                borders++;
                if (start < 0) {
                    start = i;
                    side = k;
                }
            }
    int count = 0, at = start, k = side;
    do {
        corner[count++] = b->triangle[at].corner[k];
        k = (k + 1) % 3;
        /* Around the corner, through triangles of the face, to the next border. */
        while (b->triangle[b->triangle[at].neighbour[k]].mark == face) {
            const int next = b->triangle[at].neighbour[k];
            k = (side_of(&b->triangle[next], b->triangle[at].corner[(k + 1) % 3], b->triangle[at].corner[k]) +
                 1) %
                3;
            at = next;
        }
    } while ((at != start || k != side) && count < borders);
    return count == borders && at == start && k == side ? count : 0;
}

/* Corners at which only two faces meet are inside an edge. `faces_at`: how many loops pass each point. */
static int drop_straight(int count, int *corner, const int *faces_at)
{
    int kept = 0;
    for (int i = 0; i < count; i++)
        if (faces_at[corner[i]] > 2)
            corner[kept++] = corner[i];
    return kept;
}

static bool write_core(carom_arena *arena, const builder *b, int faces, const int *first, int *corner,
                       int *number, part *core)
{
    int vertices = 0;
    for (int i = 0; i < b->points; i++)
        number[i] = -1;
    for (int i = 0; i < first[faces]; i++)
        if (number[corner[i]] < 0)
            number[corner[i]] = 0;
    for (int i = 0; i < b->points; i++)
        if (number[i] == 0)
            number[i] = vertices++;
    if (!core_take(arena, core, vertices, faces))
        return false;
    for (int i = 0; i < b->points; i++)
        if (number[i] >= 0)
            copy(b->point + 3 * i, core->vertex + 3 * number[i]);
    for (int i = 0; i < first[faces]; i++)
        corner[i] = number[corner[i]];
    core->solid = polyhedron_make(arena, faces, first, corner);
    if (!core->solid)
        return false;
    core_finish_space(core);
    return true;
}

/* Loops of all faces; false when one is none, or too small. */
static bool list_loops(const builder *b, int faces, int *first, int *corner, int *faces_at)
{
    first[0] = 0;
    for (int f = 0; f < faces; f++) {
        const int count = face_loop(b, f, corner + first[f]);
        if (count < 3)
            return false;
        for (int i = 0; i < count; i++)
            faces_at[corner[first[f] + i]]++;
        first[f + 1] = first[f] + count;
    }
    int kept = 0;
    for (int f = 0, from = 0; f < faces; f++) {
        const int end = first[f + 1], count = end - from;
        memmove(corner + kept, corner + from, (size_t)count * sizeof *corner);
        const int left = drop_straight(count, corner + kept, faces_at);
        if (left < 3)
            return false;
        kept += left;
        from = end;
        first[f + 1] = kept;
    }
    return true;
}

/* Each triangle a face. */
static int list_triangles(const builder *b, int *first, int *corner)
{
    for (int i = 0; i <= b->triangles; i++)
        first[i] = 3 * i;
    for (int i = 0; i < b->triangles; i++)
        memcpy(corner + 3 * i, b->triangle[i].corner, 3 * sizeof *corner);
    return b->triangles;
}

static carom_status finish(carom_arena *arena, builder *b, part *core, carom_error *error)
{
    const size_t triangles = (size_t)b->triangles, points = (size_t)b->points;
    int *first = carom_new_array(triangles + 1 + 3 * triangles + 2 * points, sizeof *first);
    if (!first)
        return carom_fail_memory(error);
    int *corner = first + triangles + 1, *faces_at = corner + 3 * triangles, *number = faces_at + points;
    int faces = mark_faces(b);
    if (faces < 4 || !list_loops(b, faces, first, corner, faces_at))
        faces = list_triangles(b, first, corner);
    const bool complete = write_core(arena, b, faces, first, corner, number, core);
    free(first);
    return complete ? CAROM_OK : carom_fail_memory(error);
}

carom_status hull_make(carom_arena *arena, int points, const double *point, part *core, carom_error *error)
{
    const size_t room = 16 * (size_t)points + 64;
    builder b = {.points = points, .point = point, .room = (int)room};
    b.triangle = carom_new_array(room, sizeof *b.triangle);
    b.stack = carom_new_array(room, sizeof *b.stack);
    b.rim = carom_new_array(3 * room, sizeof *b.rim);
    carom_status status = CAROM_OK;
    if (!b.triangle || !b.stack || !b.rim)
        status = carom_fail_memory(error);
    else if (!begin(&b))
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "convex: its %d points are in one plane; a hull needs a volume", points);
    if (status == CAROM_OK) {
        grow_all(&b);
        renumber(&b);
        status = b.failed ? carom_fail(error, CAROM_BAD_INPUT,
                                       "convex: the hull of its %d points is too thin for its size", points)
                          : finish(arena, &b, core, error);
    }
    free(b.triangle);
    free(b.stack);
    free(b.rim);
    return status;
}
