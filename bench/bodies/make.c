/* Writes a scene of bench-bodies (scene.h says how).
 *
 *   make bin N | fall N | pyramid ROWS | spheres N | stack N | kapla LEVELS */
#include "scene.h"

#include "carom/base.h"

static const double gravity = 9.81;

static void head(int dimension, double step, int steps, double friction, double size)
{
    printf("dimension %d\n", dimension);
    printf(dimension == 2 ? "gravity 0 %g 0\n" : "gravity 0 0 %g\n", -gravity);
    printf("step %g\nsteps %d\nfriction %g\nsize %g\n", step, steps, friction, size);
}

static void box(const double edge[3], double density, const double x[3], double angle)
{
    const bool plane = edge[2] == 0.0;
    const double mass = density * edge[0] * edge[1] * (plane ? 1.0 : edge[2]);
    double inertia[3];
    for (int k = 0; k < 3; k++) {
        const double a = edge[(k + 1) % 3], b = edge[(k + 2) % 3];
        inertia[k] = mass / 12.0 * (a * a + b * b);
    }
    printf("box %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g %.17g 0 0 %.17g\n", edge[0],
           edge[1], edge[2], mass, inertia[0], inertia[1], inertia[2], x[0], x[1], x[2], cos(0.5 * angle),
           sin(0.5 * angle));
}

/* Discs of different radii in staggered rows, near to each other: they fall a little and settle. */
static void make_bin(int n)
{
    const double most = 0.5, density = 1000.0, pitch = 2.04 * most;
    const int columns = (int)ceil(sqrt((double)n));
    const double width = pitch * (columns + 0.5);
    carom_random random = {1};
    head(2, 2e-3, 250, 0.3, most);
    printf("halfspace 0 1 0 0\nhalfspace 1 0 0 0\nhalfspace -1 0 0 %.17g\n", -width);
    for (int i = 0; i < n; i++) {
        const int column = i % columns, row = i / columns;
        const double r = most * carom_random_uniform(&random, 0.8, 1.0), mass = density * acos(-1.0) * r * r;
        printf("ball %.17g %.17g %.17g %.17g %.17g 0\n", r, mass, 0.5 * mass * r * r,
               pitch * (column + 0.5 + 0.5 * (row % 2)), pitch * (0.5 + sqrt(0.75) * row));
    }
}

/* As experiments/bodies/bin.lua has it: discs of 10 cm fall for a second. */
static void make_fall(int n)
{
    const double most = 0.05, density = 1000.0;
    const int columns = (int)ceil(sqrt((double)n));
    const double half = most * (1.2 * columns + 0.4);
    carom_random random = {1};
    head(2, 1e-3, 1000, 0.3, most);
    printf("halfspace 0 1 0 0\nhalfspace 1 0 0 %.17g\nhalfspace -1 0 0 %.17g\n", -half, -half);
    for (int i = 0; i < n; i++) {
        const double r = most * carom_random_uniform(&random, 0.8, 1.0), mass = density * acos(-1.0) * r * r;
        const double aside = 0.1 * most * carom_random_uniform(&random, -1.0, 1.0);
        printf("ball %.17g %.17g %.17g %.17g %.17g 0\n", r, mass, 0.5 * mass * r * r,
               2.4 * most * (i % columns - 0.5 * (columns - 1)) + aside,
               most * (1.2 + 2.4 * (double)(i / columns)));
    }
}

static void make_pyramid(int rows)
{
    const double edge[3] = {0.5, 0.5, 0.0}, apart = 0.1;
    head(2, 2e-3, 250, 0.5, edge[0]);
    printf("halfspace 0 1 0 0\n");
    for (int row = 0; row < rows; row++)
        for (int i = 0; i < rows - row; i++)
            box(edge, 400.0,
                (const double[3]){(edge[0] + apart) * (i - 0.5 * (rows - 1 - row)), edge[1] * (row + 0.5),
                                  0.0},
                0.0);
}

/* Balls of different radii in a box, in layers of which each fills the dimples of the one below. */
static void make_spheres(int n)
{
    const double most = 0.5, density = 1000.0, pitch = 2.04 * most;
    const int columns = (int)ceil(cbrt((double)n));
    const double width = pitch * (columns + 0.5);
    carom_random random = {1};
    head(3, 2e-3, 250, 0.3, most);
    printf(
        "halfspace 0 0 1 0\nhalfspace 1 0 0 0\nhalfspace -1 0 0 %.17g\nhalfspace 0 1 0 0\nhalfspace 0 -1 0 "
        "%.17g\n",
        -width, -width);
    for (int i = 0; i < n; i++) {
        const int x = i % columns, y = i / columns % columns, layer = i / (columns * columns);
        const double r = most * carom_random_uniform(&random, 0.8, 1.0);
        const double mass = density * 4.0 / 3.0 * acos(-1.0) * r * r * r, half = 0.5 * (layer % 2);
        printf("ball %.17g %.17g %.17g %.17g %.17g %.17g\n", r, mass, 0.4 * mass * r * r,
               pitch * (x + 0.5 + half), pitch * (y + 0.5 + half), pitch * (0.5 + sqrt(0.5) * layer));
    }
}

static void make_stack(int n)
{
    const double edge[3] = {0.4, 0.3, 0.2}, turn = 0.1;
    head(3, 1e-3, 500, 0.5, edge[2]);
    printf("halfspace 0 0 1 0\n");
    for (int i = 0; i < n; i++)
        box(edge, 500.0, (const double[3]){0.0, 0.0, edge[2] * (i + 0.5)}, turn * (i + 1));
}

/* Planks of the toy, ten times as large: three a level, crosswise. */
static void make_kapla(int levels)
{
    const double length = 1.2, width = 0.24, height = 0.08;
    head(3, 2e-3, 250, 0.5, height);
    printf("halfspace 0 0 1 0\n");
    for (int level = 0; level < levels; level++)
        for (int k = -1; k <= 1; k++) {
            const double aside = 0.5 * (length - width) * k, z = height * (level + 0.5);
            const bool along = level % 2 == 0;
            box(along ? (const double[3]){length, width, height} : (const double[3]){width, length, height},
                600.0, (const double[3]){along ? 0.0 : aside, along ? aside : 0.0, z}, 0.0);
        }
}

int main(int argc, char **argv)
{
    const struct {
        const char *name;
        void (*make)(int size);
    } scenes[] = {{"bin", make_bin},         {"fall", make_fall},   {"pyramid", make_pyramid},
                  {"spheres", make_spheres}, {"stack", make_stack}, {"kapla", make_kapla}};
    const int size = argc == 3 ? atoi(argv[2]) : 0;
    for (size_t i = 0; size > 0 && i < sizeof scenes / sizeof *scenes; i++)
        if (strcmp(argv[1], scenes[i].name) == 0) {
            scenes[i].make(size);
            return EXIT_SUCCESS;
        }
    fprintf(stderr, "usage: %s bin N | fall N | pyramid ROWS | spheres N | stack N | kapla LEVELS\n",
            argv[0]);
    return 2;
}
