/* Shapes that a few numbers describe. */
#include "hull.h"
#include "shape/part.h"

static carom_status check_positive(const char *what, const char *length, double value, carom_error *error)
{
    if (value > 0.0 && isfinite(value))
        return CAROM_OK;
    return carom_fail(error, CAROM_BAD_INPUT, "%s: %s is %g; it must be a positive number", what, length,
                      value);
}

carom_status carom_shape_sphere(int dim, double radius, carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    const char *what = dim == CAROM_PLANE ? "disc" : "sphere";
    carom_status status = shape_check_dim(dim, what, error);
    if (status == CAROM_OK)
        status = check_positive(what, "the radius", radius, error);
    if (status != CAROM_OK)
        return status;
    carom_shape *sphere = shape_create(dim, 1);
    const bool complete = sphere && core_take(sphere->arena, sphere->part, 1, 0);
    if (complete) {
        sphere->part->radius = radius;
        core_finish_plane(sphere->part);
    }
    return shape_finish(sphere, complete, shape, error);
}

carom_status carom_shape_capsule(int dim, double radius, double length, carom_shape **shape,
                                 carom_error *error)
{
    *shape = NULL;
    carom_status status = shape_check_dim(dim, "capsule", error);
    if (status == CAROM_OK)
        status = check_positive("capsule", "the radius", radius, error);
    if (status == CAROM_OK)
        status = check_positive("capsule", "the length between the centres of its ends", length, error);
    if (status != CAROM_OK)
        return status;
    carom_shape *capsule = shape_create(dim, 1);
    const bool complete = capsule && core_take(capsule->arena, capsule->part, 2, dim == CAROM_PLANE ? 2 : 0);
    if (complete) {
        part *core = capsule->part;
        const int axis = dim == CAROM_PLANE ? 0 : 2;
        core->radius = radius;
        core->vertex[axis] = -0.5 * length;
        core->vertex[3 + axis] = 0.5 * length;
        core_finish_plane(core);
    }
    return shape_finish(capsule, complete, shape, error);
}

carom_status carom_shape_cylinder(double radius, double height, carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    carom_status status = check_positive("cylinder", "the radius", radius, error);
    if (status == CAROM_OK)
        status = check_positive("cylinder", "the height", height, error);
    if (status != CAROM_OK)
        return status;
    carom_shape *cylinder = shape_create(CAROM_SPACE, 1);
    if (cylinder)
        *cylinder->part = (part){.kind = PART_CYLINDER,
                                 .radius = radius,
                                 .half = 0.5 * height,
                                 .size = fmax(2.0 * radius, height),
                                 .frame = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                                 .inner_radius = fmin(radius, 0.5 * height),
                                 .reach = hypot(radius, 0.5 * height)};
    return shape_finish(cylinder, cylinder != NULL, shape, error);
}

carom_status carom_shape_halfspace(int dim, const double normal[], double offset, carom_shape **shape,
                                   carom_error *error)
{
    *shape = NULL;
    carom_status status = shape_check_dim(dim, "plane", error);
    if (status != CAROM_OK)
        return status;
    double unit[3] = {normal[0], normal[1], dim == CAROM_SPACE ? normal[2] : 0.0};
    const double size = normalise(unit);
    if (!(size > 0.0) || !isfinite(size) || !isfinite(offset / size))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "plane: normal (%g, %g, %g) and offset %g; the normal must have a length, and all must "
            "be finite",
            normal[0], normal[1], unit[2], offset);
    carom_shape *halfspace = shape_create(dim, 1);
    if (halfspace) {
        halfspace->part->kind = PART_HALFSPACE;
        halfspace->part->offset = offset / size;
        copy(unit, halfspace->part->inner);
    }
    return shape_finish(halfspace, halfspace != NULL, shape, error);
}

/* ---- boxes ---------------------------------------------------------------------------------------- */

static bool make_rectangle(carom_shape *shape, const double edges[2])
{
    static const double corner[4][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}};
    part *core = shape->part;
    if (!core_take(shape->arena, core, 4, 4))
        return false;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 2; k++)
            core->vertex[3 * i + k] = corner[i][k] * edges[k];
    core_finish_plane(core);
    return true;
}

/* Vertex i is at the high end of x, y, z where its bits 1, 2, 4 are set. */
static bool make_brick(carom_shape *shape, const double edges[3])
{
    static const int first[] = {0, 4, 8, 12, 16, 20, 24};
    static const int corner[] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
    part *core = shape->part;
    core->solid = polyhedron_make(shape->arena, 6, first, corner);
    if (!core->solid || !core_take(shape->arena, core, 8, 6))
        return false;
    for (int i = 0; i < 8; i++)
        for (int k = 0; k < 3; k++)
            core->vertex[3 * i + k] = (i >> k & 1 ? 0.5 : -0.5) * edges[k];
    core_finish_space(core);
    return true;
}

carom_status carom_shape_box(int dim, const double edges[], carom_shape **shape, carom_error *error)
{
    *shape = NULL;
    carom_status status = shape_check_dim(dim, "box", error);
    for (int k = 0; status == CAROM_OK && k < dim; k++) {
        char name[20];
        carom_format(name, sizeof name, "edge %d", k + 1);
        status = check_positive("box", name, edges[k], error);
    }
    if (status != CAROM_OK)
        return status;
    carom_shape *box = shape_create(dim, 1);
    const bool complete = box && (dim == CAROM_PLANE ? make_rectangle(box, edges) : make_brick(box, edges));
    return shape_finish(box, complete, shape, error);
}
