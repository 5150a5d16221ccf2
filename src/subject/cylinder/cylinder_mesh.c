#include "cylinder_mesh.h"

#include <math.h>

/* Half width of the core, in radii, and how much of its outline is round: between a square (0) and a circle
 * (1). Corners are then at 0.57 radii. */
static const double core_width = 0.462, roundness = 0.436;

static int squared(int n)
{
    return n * n;
}

int carom_cylinder_contacts(const carom_cylinder *cylinder)
{
    if (cylinder->core < 2 || cylinder->core % 2 != 0 || cylinder->rings < 1 || cylinder->layers < 1)
        return 0;
    return squared(cylinder->core + 1) + cylinder->rings * 4 * cylinder->core;
}

int cylinder_cells(const carom_cylinder *cylinder)
{
    return squared(cylinder->core) + cylinder->rings * 4 * cylinder->core;
}

/* Node k of the core's outline, counter-clockwise from the corner (-, -). */
static int outline_node(int core, int k)
{
    const int side = k / core % 4, along = k % core, row = core + 1;
    switch (side) {
    case 0:
        return along;
    case 1:
        return along * row + core;
    case 2:
        return core * row + core - along;
    default:
        return (core - along) * row;
    }
}

static int ring_node(const carom_cylinder *cylinder, int ring, int k)
{
    const int around = 4 * cylinder->core, at = k % around;
    return ring == 0 ? outline_node(cylinder->core, at)
                     : squared(cylinder->core + 1) + (ring - 1) * around + at;
}

/* A point of the core, (a, b) in [-1, 1]^2: its square's outline, rounded. The angle is that of equal steps
 * along the sides. */
static void core_point(double a, double b, double *x, double *y)
{
    const double m = fmax(fabs(a), fabs(b)), quarter = atan(1.0);
    if (m == 0.0) {
        *x = *y = 0.0;
        return;
    }
    const double angle = fabs(a) >= fabs(b) ? quarter * b / a : quarter * (2.0 - a / b);
    const double side = fabs(a) >= fabs(b) ? (a < 0.0 ? -1.0 : 1.0) : (b < 0.0 ? -1.0 : 1.0);
    *x = core_width * ((1.0 - roundness) * a + roundness * m * side * cos(angle));
    *y = core_width * ((1.0 - roundness) * b + roundness * m * side * sin(angle));
}

void cylinder_nodes(const carom_cylinder *cylinder, double *x, double *y)
{
    const int core = cylinder->core, around = 4 * core;
    for (int row = 0, i = 0; row <= core; row++)
        for (int column = 0; column <= core; column++, i++)
            core_point(2.0 * column / core - 1.0, 2.0 * row / core - 1.0, x + i, y + i);
    for (int k = 0; k < around; k++) {
        const int inner = ring_node(cylinder, 0, k);
        const double angle = atan(1.0) * (5.0 + 8.0 * k / around);
        for (int ring = 1; ring <= cylinder->rings; ring++) {
            const double s = (double)ring / cylinder->rings;
            const int node = ring_node(cylinder, ring, k);
            x[node] = (1.0 - s) * x[inner] + s * cos(angle);
            y[node] = (1.0 - s) * y[inner] + s * sin(angle);
        }
    }
    for (int i = 0; i < carom_cylinder_contacts(cylinder); i++) {
        x[i] *= cylinder->radius;
        y[i] *= cylinder->radius;
    }
}

void cylinder_cell(const carom_cylinder *cylinder, int cell, int corner[4])
{
    const int core = cylinder->core, around = 4 * core;
    if (cell < squared(core)) {
        corner[0] = cell / core * (core + 1) + cell % core;
        corner[1] = corner[0] + 1;
        corner[2] = corner[1] + core + 1;
        corner[3] = corner[0] + core + 1;
        return;
    }
    const int ring = (cell - squared(core)) / around, k = (cell - squared(core)) % around;
    corner[0] = ring_node(cylinder, ring, k);
    corner[1] = ring_node(cylinder, ring + 1, k);
    corner[2] = ring_node(cylinder, ring + 1, k + 1);
    corner[3] = ring_node(cylinder, ring, k + 1);
}
