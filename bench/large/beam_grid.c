/* Straight beams of Euler and Bernoulli with six velocities per crossing, in one implicit step of time. */
#include <math.h>
#include <string.h>

#include "large_problem.h"

enum {
    END = 6,
    BEAM = 2 * END
};

/* Square section; lengths in m, forces in kN, masses in t: steel. */
static const double bay = 0.5, thickness = 0.02, young = 2e8, shear_modulus = 8e7, density = 7.8;
static const double step = 1e-3, pin = 0.05;

static void put_pair(double K[BEAM][BEAM], int i, int j, double value)
{
    K[i][j] += value;
    if (i != j)
        K[j][i] += value;
}

/* Bending in the plane of `along` x `across`: deflection d (0 to 2), rotation t (3 to 5), t = sign d'. */
static void add_bending(double K[BEAM][BEAM], int d, int t, double sign, double stiffness, double length)
{
    const double s = stiffness / (length * length * length);
    put_pair(K, d, d, 12.0 * s);
    put_pair(K, END + d, END + d, 12.0 * s);
    put_pair(K, d, END + d, -12.0 * s);
    put_pair(K, d, t, sign * 6.0 * s * length);
    put_pair(K, d, END + t, sign * 6.0 * s * length);
    put_pair(K, END + d, t, -sign * 6.0 * s * length);
    put_pair(K, END + d, END + t, -sign * 6.0 * s * length);
    put_pair(K, t, t, 4.0 * s * length * length);
    put_pair(K, END + t, END + t, 4.0 * s * length * length);
    put_pair(K, t, END + t, 2.0 * s * length * length);
}

static void add_spring(double K[BEAM][BEAM], int k, double stiffness)
{
    put_pair(K, k, k, stiffness);
    put_pair(K, END + k, END + k, stiffness);
    put_pair(K, k, END + k, -stiffness);
}

/* A beam along axis 0 (x) or 1 (y). Rotations are right-handed: a slope dz/dx is -rotation about y. */
static void beam_stiffness(int axis, double K[BEAM][BEAM])
{
    const double area = thickness * thickness, second = area * area / 12.0, polar = 0.141 * area * area;
    const double bending = young * second;
    memset(K, 0, BEAM * sizeof *K);
    add_spring(K, axis, young * area / bay);
    add_spring(K, 3 + axis, shear_modulus * polar / bay);
    add_bending(K, 2, axis == 0 ? 4 : 3, axis == 0 ? -1.0 : 1.0, bending, bay);
    add_bending(K, 1 - axis, 5, axis == 0 ? 1.0 : -1.0, bending, bay);
}

/* Crossing (x, y), or -1 for the clamped ends outside. */
static int crossing(const beam_grid *grid, int x, int y)
{
    return x < 0 || y < 0 || x >= grid->nx || y >= grid->ny ? -1 : x * grid->ny + y;
}

static void add_beam(double K[BEAM][BEAM], int from, int to, large_entries *M)
{
    const int end[2] = {from, to};
    for (int a = 0; a < BEAM; a++)
        for (int b = 0; b < BEAM; b++)
            if (end[a / END] >= 0 && end[b / END] >= 0)
                large_entries_put(M, END * end[a / END] + a % END, END * end[b / END] + b % END,
                                  step * step * K[a][b]);
}

static void add_beams(const beam_grid *grid, large_entries *M)
{
    double along_x[BEAM][BEAM], along_y[BEAM][BEAM];
    beam_stiffness(0, along_x);
    beam_stiffness(1, along_y);
    for (int x = 0; x <= grid->nx; x++)
        for (int y = 0; y <= grid->ny; y++) {
            if (y < grid->ny)
                add_beam(along_x, crossing(grid, x - 1, y), crossing(grid, x, y), M);
            if (x < grid->nx)
                add_beam(along_y, crossing(grid, x, y - 1), crossing(grid, x, y), M);
        }
}

/* Mass of two bays at a crossing, its load, and the pin under it at (0, 0, -pin): u = v + rotation x (0, 0, -pin). */
static void add_crossing(int c, large_entries *M, large_entries *H, double *f, double *w)
{
    const double mass = 2.0 * density * thickness * thickness * bay, inertia = mass * bay * bay / 24.0;
    for (int k = 0; k < 3; k++) {
        large_entries_put(M, END * c + k, END * c + k, mass);
        large_entries_put(M, END * c + 3 + k, END * c + 3 + k, inertia);
    }
    f[END * c] = step * 0.2 * (1.0 + sin(0.7 * c));
    f[END * c + 1] = step * 0.1 * cos(1.3 * c);
    f[END * c + 2] = -step * 0.5 * (1.0 + sin(0.37 * c));
    large_entries_put(H, END * c + 2, 3 * c, 1.0);
    large_entries_put(H, END * c, 3 * c + 1, 1.0);
    large_entries_put(H, END * c + 4, 3 * c + 1, -pin);
    large_entries_put(H, END * c + 1, 3 * c + 2, 1.0);
    large_entries_put(H, END * c + 3, 3 * c + 2, pin);
    w[3 * c] = 1e-3 * (1.0 + cos(2.1 * c)); /* gap over step */
}

carom_status beam_grid_make(const beam_grid *grid, carom_fclib **problem, carom_error *error)
{
    *problem = NULL;
    if (grid->nx < 1 || grid->ny < 1 || (double)grid->nx * grid->ny > 1e6 || !(grid->friction >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a grid of %d x %d crossings with mu %g: 1 or more, at most 1e6, mu >= 0", grid->nx,
                          grid->ny, grid->friction);
    const int contacts = grid->nx * grid->ny, n = END * contacts;
    carom_arena *arena = carom_arena_create();
    double *f = arena ? carom_arena_take(arena, (size_t)n, sizeof *f) : NULL;
    double *w = arena ? carom_arena_take(arena, 3 * (size_t)contacts, sizeof *w) : NULL;
    double *mu = arena ? carom_arena_take(arena, (size_t)contacts, sizeof *mu) : NULL;
    large_entries M = {0}, H = {0};
    for (int c = 0; f && w && mu && c < contacts; c++) {
        add_crossing(c, &M, &H, f, w);
        mu[c] = grid->friction;
    }
    add_beams(grid, &M);
    return large_problem_close(arena, n, contacts, f, w, mu, &M, &H, "grid of beams on stops", problem,
                               error);
}
