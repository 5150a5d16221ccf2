/* What shapes of all kinds share: life, copies, compounds, bounds. */
#include <stdlib.h>
#include <string.h>

#include "part.h"
#include "surface.h"

carom_pose carom_pose_identity(void)
{
    return (carom_pose){.r = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
}

carom_shape *shape_create(int dim, size_t parts)
{
    carom_shape *shape = calloc(1, sizeof *shape);
    if (!shape)
        return NULL;
    shape->dim = dim;
    shape->parts = parts;
    shape->arena = carom_arena_create();
    shape->part = shape->arena ? carom_arena_take(shape->arena, parts, sizeof *shape->part) : NULL;
    if (!shape->part) {
        carom_shape_free(shape);
        return NULL;
    }
    return shape;
}

carom_status shape_finish(carom_shape *shape, bool complete, carom_shape **result, carom_error *error)
{
    *result = complete ? shape : NULL;
    if (complete)
        return CAROM_OK;
    carom_shape_free(shape);
    return carom_fail_memory(error);
}

carom_status shape_check_dim(int dim, const char *what, carom_error *error)
{
    if (dim == CAROM_PLANE || dim == CAROM_SPACE)
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s: dimension %d; it is 2 (plane) or 3 (space)", what, dim);
}

void carom_shape_free(carom_shape *shape)
{
    if (!shape)
        return;
    carom_arena_free(shape->arena);
    free(shape);
}

int carom_shape_dim(const carom_shape *shape)
{
    return shape->dim;
}

bool carom_shape_is_solid(const carom_shape *shape)
{
    for (size_t i = 0; i < shape->parts; i++)
        if (shape->part[i].kind == PART_HALFSPACE || shape->part[i].kind == PART_SURFACE)
            return false;
    return true;
}

bool core_take(carom_arena *arena, part *core, int vertices, int normals)
{
    core->vertices = vertices;
    core->normals = normals;
    core->vertex = carom_arena_take(arena, (size_t)vertices, 3 * sizeof(double));
    core->normal = carom_arena_take(arena, (size_t)normals, 3 * sizeof(double));
    return core->vertex && core->normal;
}

bool core_take_like(carom_arena *arena, const part *from, part *core)
{
    if (from->kind != PART_CORE)
        return true;
    if (from->outline)
        core->outline = carom_arena_take(arena, (size_t)from->vertices, 6 * sizeof(double));
    return core_take(arena, core, from->vertices, from->normals) && (!from->outline || core->outline);
}

/* ---- moving -------------------------------------------------------------------------------------- */

void part_place(const part *from, const carom_pose *pose, part *moved)
{
    for (int i = 0; i < from->vertices; i++)
        place(pose, from->vertex + 3 * i, moved->vertex + 3 * i);
    for (int i = 0; i < from->normals; i++)
        turn(pose->r, from->normal + 3 * i, moved->normal + 3 * i);
    for (int i = 0; from->outline && i < 2 * from->vertices; i++)
        turn(pose->r, from->outline + 3 * i, moved->outline + 3 * i);
    if (from->kind == PART_HALFSPACE) {
        turn(pose->r, from->inner, moved->inner);
        moved->offset = from->offset + dot(moved->inner, pose->x);
        return;
    }
    place(pose, from->inner, moved->inner);
    if (from->kind != PART_CYLINDER)
        return;
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 3; column++)
            moved->frame[3 * row + column] = pose->r[3 * row] * from->frame[column] +
                                             pose->r[3 * row + 1] * from->frame[3 + column] +
                                             pose->r[3 * row + 2] * from->frame[6 + column];
}

static void box_around(int points, const double *point, double radius, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY;
        high[k] = -INFINITY;
    }
    for (int i = 0; i < points; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], point[3 * i + k]);
            high[k] = fmax(high[k], point[3 * i + k]);
        }
    for (int k = 0; k < 3; k++) {
        low[k] -= radius;
        high[k] += radius;
    }
}

static void surface_bounds(const surface *sheet, const carom_pose *pose, double low[3], double high[3])
{
    double corner[8][3];
    const surface_node *root = sheet->node;
    for (int i = 0; i < 8; i++) {
        const double at[3] = {i & 1 ? root->high[0] : root->low[0], i & 2 ? root->high[1] : root->low[1],
                              i & 4 ? root->high[2] : root->low[2]};
        place(pose, at, corner[i]);
    }
    box_around(8, corner[0], 0.0, low, high);
}

void part_bounds(const part *placed, const carom_pose *pose, double low[3], double high[3])
{
    switch (placed->kind) {
    case PART_CORE:
        box_around(placed->vertices, placed->vertex, placed->radius, low, high);
        return;
    case PART_CYLINDER:
        for (int k = 0; k < 3; k++) {
            const double axis = placed->frame[3 * k + 2];
            const double reach =
                placed->half * fabs(axis) + placed->radius * sqrt(fmax(0.0, 1.0 - axis * axis));
            low[k] = placed->inner[k] - reach;
            high[k] = placed->inner[k] + reach;
        }
        return;
    case PART_SURFACE:
        surface_bounds(placed->sheet, pose, low, high);
        return;
    case PART_HALFSPACE:
        for (int k = 0; k < 3; k++) {
            low[k] = -INFINITY;
            high[k] = INFINITY;
        }
    }
}

/* ---- copies ---------------------------------------------------------------------------------------- */

static void *copied(carom_arena *arena, const void *from, size_t count, size_t size)
{
    void *to = carom_arena_take(arena, count, size);
    if (to && count > 0)
        memcpy(to, from, count * size);
    return to;
}

static const polyhedron *copy_polyhedron(carom_arena *arena, const polyhedron *from)
{
    polyhedron *to = carom_arena_take(arena, 1, sizeof *to);
    if (!to)
        return NULL;
    *to = *from;
    to->first = copied(arena, from->first, (size_t)from->faces + 1, sizeof *to->first);
    to->edge = copied(arena, from->edge, (size_t)from->edges, 4 * sizeof *to->edge);
    if (!to->first)
        return NULL;
    to->corner = copied(arena, from->corner, (size_t)to->first[to->faces], sizeof *to->corner);
    return to->edge && to->corner ? to : NULL;
}

/* The boxes of the tree turn with the points and are made again around them, from the leaves up. */
static void place_nodes(const surface *sheet, surface_node *node, int at)
{
    surface_node *here = &node[at];
    if (here->count == 0) {
        place_nodes(sheet, node, here->first);
        place_nodes(sheet, node, here->first + 1);
        for (int k = 0; k < 3; k++) {
            here->low[k] = fmin(node[here->first].low[k], node[here->first + 1].low[k]);
            here->high[k] = fmax(node[here->first].high[k], node[here->first + 1].high[k]);
        }
        return;
    }
    for (int k = 0; k < 3; k++) {
        here->low[k] = INFINITY;
        here->high[k] = -INFINITY;
    }
    for (int i = here->first; i < here->first + here->count; i++)
        for (int c = 0; c < sheet->dim; c++)
            for (int k = 0; k < 3; k++) {
                const double x = sheet->point[3 * sheet->piece[sheet->order[i]].corner[c] + k];
                here->low[k] = fmin(here->low[k], x);
                here->high[k] = fmax(here->high[k], x);
            }
}

static const surface *copy_surface(carom_arena *arena, const surface *from, const carom_pose *pose)
{
    surface *to = carom_arena_take(arena, 1, sizeof *to);
    double *point = carom_arena_take(arena, (size_t)from->points, 3 * sizeof *point);
    surface_node *node = copied(arena, from->node, (size_t)from->nodes, sizeof *node);
    if (!to || !point || !node)
        return NULL;
    *to = *from;
    to->piece = copied(arena, from->piece, (size_t)from->pieces, sizeof *to->piece);
    to->order = copied(arena, from->order, (size_t)from->pieces, sizeof *to->order);
    to->joint = copied(arena, from->joint, (size_t)from->points + 1, sizeof *to->joint);
    if (!to->piece || !to->order || !to->joint)
        return NULL;
    to->joined = copied(arena, from->joined, (size_t)to->joint[to->points], sizeof *to->joined);
    if (!to->joined)
        return NULL;
    for (int i = 0; i < from->points; i++)
        place(pose, from->point + 3 * i, point + 3 * i);
    to->point = point;
    place_nodes(to, node, 0);
    to->node = node;
    return to;
}

static bool copy_part(carom_arena *arena, const part *from, const carom_pose *pose, part *to)
{
    *to = *from;
    if (!core_take_like(arena, from, to))
        return false;
    if (from->seam && !(to->seam = copied(arena, from->seam, (size_t)from->vertices, sizeof *from->seam)))
        return false;
    if (from->solid && !(to->solid = copy_polyhedron(arena, from->solid)))
        return false;
    if (from->sheet && !(to->sheet = copy_surface(arena, from->sheet, pose)))
        return false;
    part_place(from, pose, to);
    return true;
}

carom_status carom_shape_moved(const carom_shape *shape, const double shift[3], carom_shape **moved,
                               carom_error *error)
{
    *moved = NULL;
    carom_pose pose = carom_pose_identity();
    for (int k = 0; k < 3; k++)
        pose.x[k] = k < shape->dim ? -shift[k] : 0.0;
    if (!isfinite(pose.x[0]) || !isfinite(pose.x[1]) || !isfinite(pose.x[2]))
        return carom_fail(error, CAROM_BAD_INPUT, "shape moved by (%g, %g, %g); it must be finite", shift[0],
                          shift[1], shift[2]);
    carom_shape *copy_of = shape_create(shape->dim, shape->parts);
    bool complete = copy_of != NULL;
    for (size_t i = 0; complete && i < shape->parts; i++)
        complete = copy_part(copy_of->arena, &shape->part[i], &pose, &copy_of->part[i]);
    return shape_finish(copy_of, complete, moved, error);
}

/* ---- another size ------------------------------------------------------------------------------------ */

static void scale_numbers(int count, double factor, double *x)
{
    for (int i = 0; i < count; i++)
        x[i] *= factor;
}

/* Of a copy, whose points and boxes are its own. */
static void scale_surface(const surface *sheet, double factor)
{
    scale_numbers(3 * sheet->points, factor, (double *)sheet->point);
    surface_node *node = (surface_node *)sheet->node;
    for (int i = 0; i < sheet->nodes; i++) {
        scale_numbers(3, factor, node[i].low);
        scale_numbers(3, factor, node[i].high);
    }
}

static void scale_part(part *self, double factor)
{
    self->radius *= factor;
    self->size *= factor;
    self->half *= factor;
    self->offset *= factor;
    self->inner_radius *= factor;
    self->reach *= factor;
    scale_numbers(3 * self->vertices, factor, self->vertex);
    if (self->kind != PART_HALFSPACE) /* which has its normal there */
        scale_numbers(3, factor, self->inner);
    if (self->sheet)
        scale_surface(self->sheet, factor);
}

carom_status carom_shape_scaled(const carom_shape *shape, double factor, carom_shape **scaled,
                                carom_error *error)
{
    const carom_status status = carom_shape_moved(shape, (const double[3]){0.0, 0.0, 0.0}, scaled, error);
    for (size_t i = 0; status == CAROM_OK && i < shape->parts; i++)
        scale_part(&(*scaled)->part[i], factor);
    return status;
}

/* ---- compounds --------------------------------------------------------------------------------------- */

/* A rotation to rounding, of the plane when it has to be. */
static bool is_rotation(int dim, const double r[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (!(fabs(dot(r + 3 * i, r + 3 * j) - (i == j)) <= 1e-9))
                return false;
    double third[3];
    cross(r, r + 3, third);
    if (!(dot(third, r + 6) > 0.0))
        return false;
    return dim == CAROM_SPACE || r[8] > 1.0 - 1e-9;
}

static carom_status check_compound(int dim, size_t parts, carom_shape *const *child, const carom_pose *pose,
                                   carom_error *error)
{
    const carom_status status = shape_check_dim(dim, "compound", error);
    if (status != CAROM_OK)
        return status;
    if (parts == 0 || !child || !pose)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "compound without parts; it needs at least one shape and its pose");
    for (size_t i = 0; i < parts; i++) {
        if (!child[i] || child[i]->dim != dim)
            return carom_fail(error, CAROM_BAD_INPUT, "compound: part %zu is no shape of the %s", i + 1,
                              dim == CAROM_PLANE ? "plane" : "space");
        const double *x = pose[i].x;
        if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]) || (dim == CAROM_PLANE && x[2] != 0.0))
            return carom_fail(
                error, CAROM_BAD_INPUT, "compound: part %zu is at (%g, %g, %g); %s", i + 1, x[0], x[1], x[2],
                dim == CAROM_PLANE ? "it must be finite, with z = 0 in the plane" : "it must be finite");
        if (!is_rotation(dim, pose[i].r))
            return carom_fail(error, CAROM_BAD_INPUT, "compound: the matrix of part %zu is no rotation%s",
                              i + 1, dim == CAROM_PLANE ? " about z" : "");
    }
    return CAROM_OK;
}

carom_status carom_shape_compound(int dim, size_t parts, carom_shape *const *child, const carom_pose *pose,
                                  carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    carom_status status = check_compound(dim, parts, child, pose, error);
    if (status != CAROM_OK)
        return status;
    size_t total = 0;
    for (size_t i = 0; i < parts; i++)
        total += child[i]->parts;
    carom_shape *compound = shape_create(dim, total);
    bool complete = compound != NULL;
    size_t place_of = 0;
    for (size_t i = 0; complete && i < parts; i++)
        for (size_t k = 0; complete && k < child[i]->parts; k++)
            complete = copy_part(compound->arena, &child[i]->part[k], &pose[i], &compound->part[place_of++]);
    status = shape_finish(compound, complete, shape, error);
    for (size_t i = 0; status == CAROM_OK && i < parts; i++)
        carom_shape_free(child[i]);
    return status;
}

/* ---- bounds -------------------------------------------------------------------------------------------- */

/* How far a part reaches along a direction: no copy of it is needed. */
static double reach_of(const part *p, const double d[3])
{
    if (p->kind == PART_HALFSPACE)
        return INFINITY;
    if (p->kind == PART_CYLINDER) {
        const double axis = d[0] * p->frame[2] + d[1] * p->frame[5] + d[2] * p->frame[8];
        return dot(d, p->inner) + p->half * fabs(axis) + p->radius * sqrt(fmax(0.0, 1.0 - axis * axis));
    }
    const int points = p->kind == PART_SURFACE ? p->sheet->points : p->vertices;
    const double *point = p->kind == PART_SURFACE ? p->sheet->point : p->vertex;
    double most = -INFINITY;
    for (int i = 0; i < points; i++)
        most = fmax(most, dot(d, point + 3 * i));
    return most + p->radius;
}

void carom_shape_bounds(const carom_shape *shape, const carom_pose *pose, double low[3], double high[3])
{
    for (int k = 0; k < 3; k++) {
        const double d[3] = {pose->r[3 * k], pose->r[3 * k + 1], pose->r[3 * k + 2]};
        const double back[3] = {-d[0], -d[1], -d[2]};
        double most = -INFINITY, least = -INFINITY;
        for (size_t i = 0; i < shape->parts; i++) {
            most = fmax(most, reach_of(&shape->part[i], d));
            least = fmax(least, reach_of(&shape->part[i], back));
        }
        const bool flat = k == 2 && shape->dim == CAROM_PLANE;
        low[k] = flat ? 0.0 : pose->x[k] - least;
        high[k] = flat ? 0.0 : pose->x[k] + most;
    }
}

size_t carom_shape_part_count(const carom_shape *shape)
{
    return shape->parts;
}

carom_shape_part carom_shape_part_at(const carom_shape *shape, size_t index)
{
    static const carom_shape_part_kind kind[] = {[PART_CORE] = CAROM_PART_HULL,
                                                 [PART_CYLINDER] = CAROM_PART_CYLINDER,
                                                 [PART_HALFSPACE] = CAROM_PART_HALFSPACE,
                                                 [PART_SURFACE] = CAROM_PART_SURFACE};
    const part *from = &shape->part[index];
    carom_shape_part told = {.kind = kind[from->kind], .radius = from->radius};
    if (from->kind == PART_CORE) {
        told.vertices = from->vertices;
        told.vertex = from->vertex;
        told.seam = from->seam;
    } else if (from->kind == PART_CYLINDER) {
        told.half = from->half;
        copy(from->inner, told.centre);
        for (int i = 0; i < 3; i++)
            told.axis[i] = from->frame[3 * i + 2];
    } else if (from->kind == PART_HALFSPACE) {
        told.offset = from->offset;
        copy(from->inner, told.axis);
    }
    return told;
}

/* The largest part is found first, so that nothing is divided by 0. */
void carom_rotation_quaternion(const double r[9], double q[4])
{
    const double trace = r[0] + r[4] + r[8];
    const double square[4] = {trace, 2.0 * r[0] - trace, 2.0 * r[4] - trace, 2.0 * r[8] - trace};
    int most = 0;
    for (int i = 1; i < 4; i++)
        most = square[i] > square[most] ? i : most;
    const double s = 2.0 * sqrt(1.0 + square[most]);
    const double difference[3] = {r[7] - r[5], r[2] - r[6], r[3] - r[1]};
    q[most] = 0.25 * s;
    for (int i = 0; i < 4; i++) {
        if (i == most)
            continue;
        if (i == 0 || most == 0)
            q[i] = difference[(i > most ? i : most) - 1] / s;
        else
            q[i] = (r[3 * (i - 1) + most - 1] + r[3 * (most - 1) + i - 1]) / s;
    }
}
