/* What follows from the vertices of a core: normals, size, a ball inside. */
#include "shape/part.h"

static const int triangle_first[] = {0, 3, 6}, triangle_corner[] = {0, 1, 2, 0, 2, 1};
static const int triangle_edge[] = {0, 1, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1};
const polyhedron triangle_solid = {
    .faces = 2, .edges = 3, .first = triangle_first, .corner = triangle_corner, .edge = triangle_edge};

static double size_of(const part *core)
{
    double size = 0.0;
    for (int k = 0; k < 3; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int i = 0; i < core->vertices; i++) {
            low = fmin(low, core->vertex[3 * i + k]);
            high = fmax(high, core->vertex[3 * i + k]);
        }
        size = fmax(size, high - low);
    }
    return size + 2.0 * core->radius;
}

/* The ball around the mean of the vertices that touches the nearest face or edge line. */
static void find_inner(part *core)
{
    for (int i = 0; i < core->vertices; i++)
        along(core->inner, 1.0 / core->vertices, core->vertex + 3 * i, core->inner);
    const bool has_inside = core->vertices > 2;
    double least = has_inside ? INFINITY : 0.0;
    for (int i = 0; has_inside && i < core->normals; i++) {
        const int vertex = core->solid ? core->solid->corner[core->solid->first[i]] : i;
        double outward[3];
        subtract(core->vertex + 3 * vertex, core->inner, outward);
        least = fmin(least, dot(outward, core->normal + 3 * i));
    }
    core->inner_radius = fmax(0.0, least) + core->radius;
    for (int i = 0; i < core->vertices; i++)
        core->reach = fmax(core->reach, distance(core->vertex + 3 * i, core->inner) + core->radius);
}

void core_finish_plane(part *core)
{
    for (int i = 0; i < core->normals; i++) {
        const double *from = core->vertex + 3 * i, *to = core->vertex + 3 * ((i + 1) % core->vertices);
        double *normal = core->normal + 3 * i;
        normal[0] = to[1] - from[1];
        normal[1] = from[0] - to[0];
        normal[2] = 0.0;
        normalise(normal);
    }
    core->size = size_of(core);
    find_inner(core);
}

/* Newell's sum over the corners of a face: right for polygons that are flat to rounding only. */
static void face_normal(const part *core, int face, double normal[3])
{
    const int *corner = core->solid->corner + core->solid->first[face];
    const int corners = core->solid->first[face + 1] - core->solid->first[face];
    const double *origin = core->vertex + 3 * corner[0];
    normal[0] = normal[1] = normal[2] = 0.0;
    for (int i = 1; i + 1 < corners; i++) {
        double u[3], v[3], w[3];
        subtract(core->vertex + 3 * corner[i], origin, u);
        subtract(core->vertex + 3 * corner[i + 1], origin, v);
        cross(u, v, w);
        along(normal, 1.0, w, normal);
    }
    normalise(normal);
}

void core_finish_space(part *core)
{
    for (int i = 0; core->solid && i < core->normals; i++)
        face_normal(core, i, core->normal + 3 * i);
    core->size = size_of(core);
    find_inner(core);
}
