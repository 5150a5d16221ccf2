/* Equal spheres in a cubic arrangement. */
#include <string.h>

#include "large_problem.h"

static const double radius = 0.5, weight_step = 1e-2; /* mass 1; weight times the step */
static const double slope[3] = {-0.3, 0.1, -1.0};

/* Velocities of body `b` at an arm of sign radius along `axis`, in the directions axis, axis + 1, axis + 2. */
static void add_side(int b, int contact, int axis, double arm, double sign, large_entries *H)
{
    const int t1 = (axis + 1) % 3, t2 = (axis + 2) % 3;
    large_entries_put(H, 6 * b + axis, 3 * contact, sign);
    large_entries_put(H, 6 * b + t1, 3 * contact + 1, sign);
    large_entries_put(H, 6 * b + t2, 3 * contact + 2, sign);
    /* omega x (arm e_axis): along t1 it is omega_t2 arm, along t2 -omega_t1 arm */
    large_entries_put(H, 6 * b + 3 + t2, 3 * contact + 1, sign * arm);
    large_entries_put(H, 6 * b + 3 + t1, 3 * contact + 2, -sign * arm);
}

static int sphere_at(const sphere_pile *pile, int x, int y, int z)
{
    return (x * pile->ny + y) * pile->nz + z;
}

/* Along each axis a sphere touches what is before it: another sphere, the floor, or the wall at the beginning of x. */
static int add_contacts(const sphere_pile *pile, large_entries *H)
{
    int contacts = 0;
    for (int x = 0; x < pile->nx; x++)
        for (int y = 0; y < pile->ny; y++)
            for (int z = 0; z < pile->nz; z++) {
                const int at[3] = {x, y, z}, b = sphere_at(pile, x, y, z);
                for (int axis = 0; axis < 3; axis++) {
                    if (at[axis] == 0 && axis == 1)
                        continue; /* open to the sides */
                    if (at[axis] > 0) {
                        int to[3] = {x, y, z};
                        to[axis]--;
                        add_side(sphere_at(pile, to[0], to[1], to[2]), contacts, axis, radius, -1.0, H);
                    }
                    add_side(b, contacts++, axis, -radius, 1.0, H);
                }
            }
    return contacts;
}

carom_status sphere_pile_make(const sphere_pile *pile, carom_fclib **problem, carom_error *error)
{
    *problem = NULL;
    if (pile->nx < 1 || pile->ny < 1 || pile->nz < 1 || (double)pile->nx * pile->ny * pile->nz > 1e6 ||
        !(pile->friction >= 0.0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "a pile of %d x %d x %d spheres with mu %g: 1 or more, at most 1e6, mu >= 0",
                          pile->nx, pile->ny, pile->nz, pile->friction);
    const int bodies = pile->nx * pile->ny * pile->nz, n = 6 * bodies;
    const size_t most = 3 * (size_t)bodies;
    carom_arena *arena = carom_arena_create();
    double *f = arena ? carom_arena_take(arena, (size_t)n, sizeof *f) : NULL;
    double *w = arena ? carom_arena_take(arena, 3 * most, sizeof *w) : NULL;
    double *mu = arena ? carom_arena_take(arena, most, sizeof *mu) : NULL;
    large_entries M = {0}, H = {0};
    int contacts = 0;
    if (f && w && mu) {
        for (int k = 0; k < n; k++)
            large_entries_put(&M, k, k, k % 6 < 3 ? 1.0 : 0.4 * radius * radius);
        for (int b = 0; b < bodies; b++)
            for (int k = 0; k < 3; k++)
                f[6 * b + k] = weight_step * slope[k];
        contacts = add_contacts(pile, &H);
        for (int c = 0; c < contacts; c++)
            mu[c] = pile->friction;
    }
    return large_problem_close(arena, n, contacts, f, w, mu, &M, &H, "pile of spheres in rows", problem,
                               error);
}
