/* Volume, centre and inertia of shapes of unit density. */
#include "part.h"

/* Sums of 1, x and x x^T over a solid. */
typedef struct moments {
    double volume;
    double first[3];
    double second[9];
} moments;

/* Adds a solid of a volume, with its centre and its second moments about it. */
static void add_moments(moments *sum, double volume, const double centre[3], const double about[9])
{
    sum->volume += volume;
    for (int i = 0; i < 3; i++) {
        sum->first[i] += volume * centre[i];
        for (int j = 0; j < 3; j++)
            sum->second[3 * i + j] += about[3 * i + j] + volume * centre[i] * centre[j];
    }
}

/* A simplex (triangle, tetrahedron) with one corner at `origin`: for n = dim + 1 corners with the mean m
 *
 *   integral of x x^T = V / (n (n + 1)) (sum of corners x x^T + n^2 m m^T),   taken about the origin. */
static void add_simplex(moments *sum, int dim, double volume, const double origin[3], const double *corner)
{
    double mean[3] = {0}, square[9] = {0};
    const double n = dim + 1;
    for (int c = 0; c < dim; c++) {
        double x[3];
        subtract(corner + 3 * c, origin, x);
        along(mean, 1.0 / n, x, mean);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                square[3 * i + j] += x[i] * x[j];
    }
    double about[9], centre[3];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[3 * i + j] = volume * ((square[3 * i + j] + n * n * mean[i] * mean[j]) / (n * (n + 1.0)) -
                                         mean[i] * mean[j]);
    along(origin, 1.0, mean, centre);
    add_moments(sum, volume, centre, about);
}

static void add_polygon(moments *sum, const part *core)
{
    for (int i = 1; i + 1 < core->vertices; i++) {
        double corner[3][3] = {{0}}, u[3], v[3];
        copy(core->vertex + 3 * i, corner[0]);
        copy(core->vertex + 3 * i + 3, corner[1]);
        subtract(corner[0], core->vertex, u);
        subtract(corner[1], core->vertex, v);
        add_simplex(sum, CAROM_PLANE, 0.5 * (u[0] * v[1] - u[1] * v[0]), core->vertex, corner[0]);
    }
}

static void add_hull(moments *sum, const part *core)
{
    for (int f = 0; f < core->solid->faces; f++) {
        const int *corner_of = core->solid->corner + core->solid->first[f];
        const int corners = core->solid->first[f + 1] - core->solid->first[f];
        for (int i = 1; i + 1 < corners; i++) {
            double corner[3][3], u[3], v[3], w[3], normal[3];
            copy(core->vertex + 3 * corner_of[0], corner[0]);
            copy(core->vertex + 3 * corner_of[i], corner[1]);
            copy(core->vertex + 3 * corner_of[i + 1], corner[2]);
            subtract(corner[0], core->inner, u);
            subtract(corner[1], core->inner, v);
            subtract(corner[2], core->inner, w);
            cross(v, w, normal);
            add_simplex(sum, CAROM_SPACE, dot(u, normal) / 6.0, core->inner, corner[0]);
        }
    }
}

/* About its own axis u: second = across (1 - u u^T) + axial u u^T. */
static void add_round(moments *sum, double volume, const double centre[3], const double u[3], double across,
                      double axial, int dim)
{
    double about[9];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[3 * i + j] = across * (i == j && i < dim) + (axial - across) * u[i] * u[j];
    add_moments(sum, volume, centre, about);
}

/* Disc, ball and capsule: a middle of length l, and two halves of a disc or ball whose centres are l apart. A half of a
 * disc has its centre 4 r / (3 pi) beyond the flat side, one of a ball 3 r / 8. */
static void add_capsule(moments *sum, int dim, const part *core)
{
    const double r = core->radius;
    double axis[3] = {1.0, 0.0, 0.0};
    if (core->vertices == 2)
        subtract(core->vertex + 3, core->vertex, axis);
    const double l = normalise(axis) * (core->vertices == 2);
    if (dim == CAROM_PLANE) {
        const double ends = CAROM_PI * r * r, middle = 2.0 * r * l;
        const double across = ends * r * r / 4.0 + middle * r * r / 3.0;
        const double axial =
            middle * l * l / 12.0 + ends * (r * r / 4.0 + l * l / 4.0 + l * 4.0 * r / (3.0 * CAROM_PI));
        add_round(sum, ends + middle, core->inner, axis, across, axial, dim);
        return;
    }
    const double ends = 4.0 / 3.0 * CAROM_PI * r * r * r, middle = CAROM_PI * r * r * l;
    const double across = ends * r * r / 5.0 + middle * r * r / 4.0;
    const double axial = middle * l * l / 12.0 + ends * (r * r / 5.0 + l * l / 4.0 + l * 3.0 * r / 8.0);
    add_round(sum, ends + middle, core->inner, axis, across, axial, dim);
}

static void add_part(moments *sum, int dim, const part *p)
{
    if (p->kind == PART_CYLINDER) {
        const double axis[3] = {p->frame[2], p->frame[5], p->frame[8]};
        const double volume = 2.0 * CAROM_PI * p->radius * p->radius * p->half;
        add_round(sum, volume, p->inner, axis, volume * p->radius * p->radius / 4.0,
                  volume * p->half * p->half / 3.0, dim);
    } else if (p->vertices <= 2) {
        add_capsule(sum, dim, p);
    } else if (dim == CAROM_PLANE) {
        add_polygon(sum, p);
    } else {
        add_hull(sum, p);
    }
}

void carom_shape_mass_of(const carom_shape *shape, carom_shape_mass *mass)
{
    *mass = (carom_shape_mass){0};
    if (!carom_shape_is_solid(shape))
        return;
    moments sum = {0};
    for (size_t i = 0; i < shape->parts; i++)
        add_part(&sum, shape->dim, &shape->part[i]);
    mass->volume = sum.volume;
    for (int i = 0; i < 3; i++)
        mass->centre[i] = sum.first[i] / sum.volume;
    double about[9], trace = 0.0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            about[3 * i + j] = sum.second[3 * i + j] - sum.volume * mass->centre[i] * mass->centre[j];
    for (int i = 0; i < 3; i++)
        trace += about[4 * i];
    if (shape->dim == CAROM_PLANE) {
        mass->inertia[8] = trace;
        return;
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            mass->inertia[3 * i + j] = trace * (i == j) - about[3 * i + j];
}
