/* Polylines, meshes and height fields: pieces and how they hang together. */
#include <stdlib.h>
#include <string.h>

#include "surface_tree.h"

/* Pieces that turn by less than this (radians) against each other are flat. */
static const double flat_angle = 1e-6;

/* ---- what is joined ------------------------------------------------------------------------------------ */

/* Lists, for each point, those at the other ends of the given pairs. */
static bool list_joints(carom_arena *arena, surface *sheet, size_t pairs, const int *pair)
{
    int *joint = carom_arena_take(arena, (size_t)sheet->points + 2, sizeof *joint);
    int *joined = carom_arena_take(arena, 2 * pairs, sizeof *joined);
    if (!joint || !joined)
        return false;
    for (size_t i = 0; i < 2 * pairs; i++)
        joint[pair[i] + 2]++;
    for (int i = 0; i < sheet->points; i++)
        joint[i + 2] += joint[i + 1];
    for (size_t i = 0; i < pairs; i++) {
        joined[joint[pair[2 * i] + 1]++] = pair[2 * i + 1];
        joined[joint[pair[2 * i + 1] + 1]++] = pair[2 * i];
    }
    sheet->joint = joint;
    sheet->joined = joined;
    return true;
}

/* A unit normal of a triangle, the direction of a segment. */
static void direction_of(const surface *sheet, const piece *p, double direction[3])
{
    const double *origin = sheet->point + 3 * p->corner[0];
    double v[3];
    subtract(sheet->point + 3 * p->corner[1], origin, direction);
    if (sheet->dim == CAROM_SPACE) {
        subtract(sheet->point + 3 * p->corner[2], origin, v);
        cross(direction, v, direction);
    }
    normalise(direction);
}

/* Does piece q go on where p ends, in its plane, not folded back over it? */
static bool goes_on(const surface *sheet, const piece *p, const double direction[3], const piece *q)
{
    double other[3], own[3], turned[3], centre[3] = {0};
    direction_of(sheet, q, other);
    direction_of(sheet, p, own); /* neighbours may turn the other way round */
    cross(direction, other, turned);
    if (length(turned) > flat_angle)
        return false;
    /* The middles of both, and the border between them. */
    for (int c = 0; c < sheet->dim; c++) {
        along(centre, 1.0, sheet->point + 3 * q->corner[c], centre);
        along(centre, -1.0, sheet->point + 3 * p->corner[c], centre);
    }
    for (int i = 0; i < sheet->dim; i++) {
        if (p->neighbour[i] != q - sheet->piece)
            continue;
        if (sheet->dim == CAROM_PLANE)
            return dot(centre, own) * (i ? 1.0 : -1.0) > 0.0;
        double border[3], outward[3];
        subtract(sheet->point + 3 * p->corner[(i + 1) % 3], sheet->point + 3 * p->corner[i], border);
        cross(border, own, outward);
        return dot(centre, outward) > 0.0;
    }
    return false;
}

/* Numbers the flat stretches, each from the first of its pieces. */
static bool number_flats(const surface *sheet, piece *piece_of)
{
    int *stack = carom_new_array((size_t)sheet->pieces, sizeof *stack);
    if (!stack)
        return false;
    for (int i = 0; i < sheet->pieces; i++)
        piece_of[i].flat = -1;
    for (int seed = 0; seed < sheet->pieces; seed++) {
        if (piece_of[seed].flat >= 0)
            continue;
        double direction[3];
        direction_of(sheet, &piece_of[seed], direction);
        int depth = 0;
        stack[depth++] = seed;
        piece_of[seed].flat = seed;
        while (depth > 0) {
            const piece *p = &piece_of[stack[--depth]];
            for (int k = 0; k < sheet->dim; k++) {
                const int beyond = p->neighbour[k];
                if (beyond < 0 || piece_of[beyond].flat >= 0 ||
                    !goes_on(sheet, p, direction, &piece_of[beyond]))
                    continue;
                piece_of[beyond].flat = seed;
                stack[depth++] = beyond;
            }
        }
    }
    free(stack);
    return true;
}

/* ---- polylines ------------------------------------------------------------------------------------------- */

static carom_status check_polyline(size_t points, const double *xy, bool closed, carom_error *error)
{
    const size_t least = closed ? 3 : 2;
    if (points < least || points > SURFACE_MOST || !xy)
        return carom_fail(error, CAROM_BAD_INPUT, "polyline: %zu points; a %s one has %zu to %d", points,
                          closed ? "closed" : "open", least, SURFACE_MOST);
    for (size_t i = 0; i < points; i++) {
        const double *here = xy + 2 * i, *next = xy + 2 * ((i + 1) % points);
        if (!isfinite(here[0]) || !isfinite(here[1]))
            return carom_fail(error, CAROM_BAD_INPUT, "polyline: point %zu is (%g, %g); it must be finite",
                              i + 1, here[0], here[1]);
        if ((closed || i + 1 < points) && here[0] == next[0] && here[1] == next[1])
            return carom_fail(error, CAROM_BAD_INPUT,
                              "polyline: point %zu, (%g, %g), stands twice in a row; leave one out%s", i + 1,
                              here[0], here[1], i + 1 == points ? " (a closed one returns by itself)" : "");
    }
    return CAROM_OK;
}

static bool make_polyline(carom_arena *arena, int points, const double *xy, bool closed, surface *sheet)
{
    const int pieces = closed ? points : points - 1;
    double *point = carom_arena_take(arena, (size_t)points, 3 * sizeof *point);
    piece *piece_of = carom_arena_take(arena, (size_t)pieces, sizeof *piece_of);
    int *pair = carom_arena_take(arena, (size_t)pieces, 2 * sizeof *pair);
    if (!point || !piece_of || !pair)
        return false;
    for (int i = 0; i < points; i++) {
        point[3 * i] = xy[2 * i];
        point[3 * i + 1] = xy[2 * i + 1];
    }
    for (int i = 0; i < pieces; i++) {
        const int next = (i + 1) % points;
        piece_of[i] = (piece){.corner = {i, next, next}};
        piece_of[i].neighbour[0] = i > 0 ? i - 1 : closed ? pieces - 1 : -1;
        piece_of[i].neighbour[1] = i + 1 < pieces ? i + 1 : closed ? 0 : -1;
        pair[2 * i] = i;
        pair[2 * i + 1] = next;
    }
    *sheet =
        (surface){.dim = CAROM_PLANE, .points = points, .pieces = pieces, .point = point, .piece = piece_of};
    return list_joints(arena, sheet, (size_t)pieces, pair) && number_flats(sheet, piece_of) &&
           surface_tree(arena, sheet);
}

static void finish_part(part *p, const surface *sheet)
{
    const double *low = sheet->node->low, *high = sheet->node->high;
    p->kind = PART_SURFACE;
    p->sheet = sheet;
    for (int k = 0; k < 3; k++) {
        p->size = fmax(p->size, high[k] - low[k]);
        p->inner[k] = 0.5 * (low[k] + high[k]);
    }
    p->reach = 0.5 * distance(low, high);
}

carom_status carom_shape_polyline(size_t points, const double *xy, bool closed, carom_shape **shape,
                                  carom_error *error)
{
    *shape = NULL;
    const carom_status status = check_polyline(points, xy, closed, error);
    if (status != CAROM_OK)
        return status;
    carom_shape *line = shape_create(CAROM_PLANE, 1);
    surface *sheet = line ? carom_arena_take(line->arena, 1, sizeof *sheet) : NULL;
    const bool complete = sheet && make_polyline(line->arena, (int)points, xy, closed, sheet);
    if (complete)
        finish_part(line->part, sheet);
    return shape_finish(line, complete, shape, error);
}

/* ---- meshes ------------------------------------------------------------------------------------------------ */

static carom_status check_mesh(size_t points, const double *xyz, size_t triangles, const int *corner,
                               carom_error *error)
{
    if (points < 3 || triangles < 1 || triangles > SURFACE_MOST || points > (size_t)3 * SURFACE_MOST ||
        !xyz || !corner)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mesh: %zu points and %zu triangles; it has 1 to %d triangles", points, triangles,
                          SURFACE_MOST);
    for (size_t i = 0; i < points; i++)
        for (size_t k = 0; k < 3; k++)
            if (!(fabs(xyz[3 * i + k]) <= 1e150))
                return carom_fail(error, CAROM_BAD_INPUT,
                                  "mesh: point %zu is (%g, %g, %g); it must be finite", i + 1, xyz[3 * i],
                                  xyz[3 * i + 1], xyz[3 * i + 2]);
    for (size_t i = 0; i < 3 * triangles; i++)
        if (corner[i] < 0 || (size_t)corner[i] >= points)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "mesh: triangle %zu has the corner %d; points are 0 to %zu", i / 3 + 1,
                              corner[i], points - 1);
    return CAROM_OK;
}

/* A place in a list that is sorted by up to three keys. */
typedef struct keyed {
    double key[3];
    int place;
} keyed;

static int compare_keyed(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    for (int k = 0; k < 3; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k] ? -1 : 1;
    return x->place - y->place;
}

static bool same_keys(const keyed *a, const keyed *b)
{
    return a->key[0] == b->key[0] && a->key[1] == b->key[1] && a->key[2] == b->key[2];
}

/* Points at the same place are one (files of triangles repeat them): `number` of each, and how many there are. */
static int join_points(int points, const double *xyz, keyed *list, int *number, double *point)
{
    for (int i = 0; i < points; i++)
        list[i] = (keyed){{xyz[3 * i], xyz[3 * i + 1], xyz[3 * i + 2]}, i};
    qsort(list, (size_t)points, sizeof *list, compare_keyed);
    for (int i = 0; i < points; i++) /* the first of its place stands for all */
        number[list[i].place] =
            i > 0 && same_keys(&list[i], &list[i - 1]) ? number[list[i - 1].place] : list[i].place;
    int count = 0;
    for (int i = 0; i < points; i++) {
        const bool own = number[i] == i;
        if (own)
            copy(xyz + 3 * i, point + 3 * count);
        number[i] = own ? count++ : number[number[i]];
    }
    return count;
}

/* Borders of triangles: those of two are shared, and all get numbers. */
static int join_triangles(int triangles, piece *piece_of, keyed *list, int *pair)
{
    for (int i = 0; i < 3 * triangles; i++) {
        const int from = piece_of[i / 3].corner[i % 3], to = piece_of[i / 3].corner[(i % 3 + 1) % 3];
        list[i] = (keyed){{from < to ? from : to, from < to ? to : from, 0.0}, i};
    }
    qsort(list, 3 * (size_t)triangles, sizeof *list, compare_keyed);
    int borders = 0;
    for (int i = 0, end; i < 3 * triangles; i = end) {
        for (end = i + 1; end < 3 * triangles && same_keys(&list[i], &list[end]); end++)
            ;
        for (int j = i; j < end; j++) {
            const int other = end - i == 2 ? list[i + end - 1 - j].place / 3 : -1;
            piece_of[list[j].place / 3].neighbour[list[j].place % 3] = other;
            piece_of[list[j].place / 3].border[list[j].place % 3] = borders;
        }
        pair[2 * borders] = (int)list[i].key[0];
        pair[2 * borders + 1] = (int)list[i].key[1];
        borders++;
    }
    return borders;
}

static bool has_area(const double *point, const int corner[3])
{
    double u[3], v[3], w[3];
    subtract(point + 3 * corner[1], point + 3 * corner[0], u);
    subtract(point + 3 * corner[2], point + 3 * corner[0], v);
    cross(u, v, w);
    const double longest = fmax(dot(u, u), dot(v, v));
    return length(w) > 1e-12 * longest;
}

/* Triangles without area are left out: they add nothing. */
static int list_triangles(size_t triangles, const int *corner, const int *number, const double *point,
                          piece *piece_of)
{
    int kept = 0;
    for (size_t i = 0; i < triangles; i++) {
        const int own[3] = {number[corner[3 * i]], number[corner[3 * i + 1]], number[corner[3 * i + 2]]};
        if (has_area(point, own))
            piece_of[kept++] = (piece){.corner = {own[0], own[1], own[2]}};
    }
    return kept;
}

static carom_status make_mesh(carom_arena *arena, size_t points, const double *xyz, size_t triangles,
                              const int *corner, keyed *list, int *scratch, surface *sheet,
                              carom_error *error)
{
    int *number = scratch, *pair = scratch + points;
    double *point = carom_arena_take(arena, points, 3 * sizeof *point);
    piece *piece_of = carom_arena_take(arena, triangles, sizeof *piece_of);
    if (!point || !piece_of)
        return carom_fail_memory(error);
    const int own_points = join_points((int)points, xyz, list, number, point);
    const int pieces = list_triangles(triangles, corner, number, point, piece_of);
    if (pieces == 0)
        return carom_fail(error, CAROM_BAD_INPUT, "mesh: none of its %zu triangles has an area", triangles);
    const int borders = join_triangles(pieces, piece_of, list, pair);
    if (borders > SURFACE_MOST || own_points > SURFACE_MOST)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "mesh: %d points and %d edges; at most %d of each are possible", own_points,
                          borders, SURFACE_MOST);
    *sheet = (surface){
        .dim = CAROM_SPACE, .points = own_points, .pieces = pieces, .point = point, .piece = piece_of};
    const bool complete = list_joints(arena, sheet, (size_t)borders, pair) && number_flats(sheet, piece_of) &&
                          surface_tree(arena, sheet);
    return complete ? CAROM_OK : carom_fail_memory(error);
}

carom_status carom_shape_mesh(size_t points, const double *xyz, size_t triangles, const int *corner,
                              carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    carom_status status = check_mesh(points, xyz, triangles, corner, error);
    if (status != CAROM_OK)
        return status;
    carom_shape *mesh = shape_create(CAROM_SPACE, 1);
    surface *sheet = mesh ? carom_arena_take(mesh->arena, 1, sizeof *sheet) : NULL;
    keyed *list = carom_new_array(points > 3 * triangles ? points : 3 * triangles, sizeof *list);
    int *scratch = carom_new_array(points + 6 * triangles, sizeof *scratch);
    if (sheet && list && scratch)
        status = make_mesh(mesh->arena, points, xyz, triangles, corner, list, scratch, sheet, error);
    else
        status = carom_fail_memory(error);
    free(list);
    free(scratch);
    if (status != CAROM_OK) {
        carom_shape_free(mesh);
        return status;
    }
    finish_part(mesh->part, sheet);
    *shape = mesh;
    return CAROM_OK;
}

/* ---- height fields ------------------------------------------------------------------------------------------- */

static void fill_heights(size_t nx, size_t ny, double dx, double dy, const double *z, double *xyz,
                         int *corner)
{
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            double *point = xyz + 3 * (j * nx + i);
            point[0] = dx * (double)i;
            point[1] = dy * (double)j;
            point[2] = z[j * nx + i];
        }
    for (size_t j = 0; j + 1 < ny; j++)
        for (size_t i = 0; i + 1 < nx; i++) {
            const int at = (int)(j * nx + i), up = at + (int)nx;
            const int two[6] = {at, at + 1, up + 1, at, up + 1, up};
            memcpy(corner, two, sizeof two);
            corner += 6;
        }
}

carom_status carom_shape_heightfield(size_t nx, size_t ny, double dx, double dy, const double *z,
                                     carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    if (nx < 2 || ny < 2 || carom_product(nx, ny) > SURFACE_MOST / 3 || !z)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "heightfield: %zu by %zu points; at least 2 by 2, at most %d in all", nx, ny,
                          SURFACE_MOST / 3);
    if (!(dx > 0.0 && dy > 0.0) || !isfinite(dx * (double)nx) || !isfinite(dy * (double)ny))
        return carom_fail(error, CAROM_BAD_INPUT, "heightfield: spacings %g and %g; they must be positive",
                          dx, dy);
    for (size_t i = 0; i < nx * ny; i++)
        if (!isfinite(z[i]))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "heightfield: height (%zu, %zu) is %g; it must be finite", i % nx + 1,
                              i / nx + 1, z[i]);
    const size_t triangles = 2 * (nx - 1) * (ny - 1);
    double *xyz = carom_new_array(nx * ny, 3 * sizeof *xyz);
    int *corner = carom_new_array(triangles, 3 * sizeof *corner);
    carom_status status;
    if (xyz && corner) {
        fill_heights(nx, ny, dx, dy, z, xyz, corner);
        status = carom_shape_mesh(nx * ny, xyz, triangles, corner, shape, error);
    } else {
        status = carom_fail_memory(error);
    }
    free(xyz);
    free(corner);
    return status;
}
