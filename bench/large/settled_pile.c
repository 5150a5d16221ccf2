/* Equal spheres in a box as a run of bodies/spheres left them: the contact problem of the step that would follow. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "large_problem.h"

static const double near = 1e-3; /* gaps that count as touching, in radii */
static const double gravity = 9.81;

typedef struct pile {
    int bodies;
    double radius, half, h, mu;
    const double *q, *v; /* seven and six per body */
    int *order;          /* bodies by x */
} pile;

static const double *place_of(const pile *self, int body)
{
    return self->q + 7 * (ptrdiff_t)body;
}

static bool read_setting(const carom_run_member *run, const char *name, double *value)
{
    for (int i = 0; i < run->override_count; i++)
        if (strcmp(run->override[i].name, name) == 0) {
            *value = strtod(run->override[i].value, NULL);
            return *value >= 0.0;
        }
    return false;
}

/* Columns of H of a contact of body a with b, or with a wall (b < 0); the normal points from b to a. The velocity of a sphere at the
 * arm s is v + omega x s. */
static void add_contact(const pile *self, int contact, int a, int b, const double normal[3], large_entries *H)
{
    const int least = fabs(normal[0]) < 0.6 ? 0 : 1;
    double axis[3][3], length = 0.0;
    for (int k = 0; k < 3; k++) {
        axis[0][k] = normal[k];
        axis[1][k] = (k == least ? 1.0 : 0.0) - normal[least] * normal[k];
        length += axis[1][k] * axis[1][k];
    }
    for (int k = 0; k < 3; k++)
        axis[1][k] /= sqrt(length);
    for (int k = 0; k < 3; k++)
        axis[2][k] = normal[(k + 1) % 3] * axis[1][(k + 2) % 3] - normal[(k + 2) % 3] * axis[1][(k + 1) % 3];
    for (int side = 0; side < (b < 0 ? 1 : 2); side++) {
        const int first = 6 * (side == 0 ? a : b);
        const double sign = side == 0 ? 1.0 : -1.0;
        for (int d = 0; d < 3; d++)
            for (int k = 0; k < 3; k++) {
                large_entries_put(H, first + k, 3 * contact + d, sign * axis[d][k]);
                /* axis.(omega x s) = omega.(s x axis), s = -sign radius normal */
                const double turned =
                    normal[(k + 1) % 3] * axis[d][(k + 2) % 3] - normal[(k + 2) % 3] * axis[d][(k + 1) % 3];
                if (d > 0)
                    large_entries_put(H, first + 3 + k, 3 * contact + d, -self->radius * turned);
            }
    }
}

/* The floor and four walls; returns how many contacts there are now. */
static int add_walls(const pile *self, int contacts, large_entries *H)
{
    static const double normal[5][3] = {{0, 0, 1}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
    for (int a = 0; a < self->bodies; a++)
        for (int wall = 0; wall < 5; wall++) {
            double gap = (wall == 0 ? 0.0 : self->half) - self->radius;
            for (int k = 0; k < 3; k++)
                gap += normal[wall][k] * place_of(self, a)[k];
            if (gap <= near * self->radius)
                add_contact(self, contacts++, a, -1, normal[wall], H);
        }
    return contacts;
}

static int add_pairs(const pile *self, int contacts, large_entries *H)
{
    const double reach = (2.0 + near) * self->radius;
    for (int i = 0; i < self->bodies; i++)
        for (int j = i + 1; j < self->bodies; j++) {
            const double *a = place_of(self, self->order[i]), *b = place_of(self, self->order[j]);
            const double apart[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
            if (-apart[0] > reach)
                break;
            const double distance = sqrt(carom_dot(3, apart, apart));
            if (distance > reach || distance <= 0.0)
                continue;
            const double normal[3] = {apart[0] / distance, apart[1] / distance, apart[2] / distance};
            add_contact(self, contacts++, self->order[i], self->order[j], normal, H);
        }
    return contacts;
}

/* Bodies by x, by merging. */
static void sort_by_x(const pile *self, int *order, int *room, int count)
{
    if (count < 2)
        return;
    const int half = count / 2;
    sort_by_x(self, order, room, half);
    sort_by_x(self, order + half, room, count - half);
    for (int i = 0, j = half, k = 0; k < count; k++)
        room[k] = j == count || (i < half && place_of(self, order[i])[0] <= place_of(self, order[j])[0])
                      ? order[i++]
                      : order[j++];
    memcpy(order, room, (size_t)count * sizeof *order);
}

static carom_status make(pile *self, carom_fclib **problem, carom_error *error)
{
    const int n = 6 * self->bodies;
    const size_t bodies = (size_t)self->bodies,
                 most = 12 * bodies; /* neighbours of a sphere, walls among them */
    carom_arena *arena = carom_arena_create();
    double *f = arena ? carom_arena_take(arena, 6 * bodies, sizeof *f) : NULL;
    double *w = arena ? carom_arena_take(arena, 3 * most, sizeof *w) : NULL;
    double *mu = arena ? carom_arena_take(arena, most, sizeof *mu) : NULL;
    self->order = arena ? carom_arena_take(arena, 2 * bodies, sizeof(int)) : NULL;
    if (!f || !w || !mu || !self->order) {
        carom_arena_free(arena);
        return carom_fail_memory(error);
    }
    large_entries M = {0}, H = {0};
    for (int k = 0; k < n; k++) { /* in units of the mass of a sphere */
        const double mass = k % 6 < 3 ? 1.0 : 0.4 * self->radius * self->radius;
        large_entries_put(&M, k, k, mass);
        f[k] = mass * (self->v[k] - (k % 6 == 2 ? self->h * gravity : 0.0));
    }
    for (int b = 0; b < self->bodies; b++)
        self->order[b] = b;
    sort_by_x(self, self->order, self->order + self->bodies, self->bodies);
    const int contacts = add_pairs(self, add_walls(self, 0, &H), &H);
    for (int c = 0; c < contacts && (size_t)c < most; c++)
        mu[c] = self->mu;
    const carom_coulomb_global sizes = {.dimension = 3,
                                        .contacts = contacts,
                                        .M = {.rows = n, .columns = n},
                                        .H = {.rows = n, .columns = 3 * contacts},
                                        .f = f,
                                        .w = w,
                                        .mu = mu};
    const carom_status made = large_problem_finish(arena, &sizes, &M, &H, "settled spheres", problem, error);
    large_entries_free(&M);
    large_entries_free(&H);
    return made;
}

carom_status settled_pile_make(const char *path, carom_fclib **problem, carom_error *error)
{
    carom_run_file *run = NULL;
    *problem = NULL;
    carom_status status = carom_run_file_read(path, &run, error);
    if (status != CAROM_OK)
        return status;
    const carom_run_member *main = &run->main;
    const carom_row_layout *layout = &main->series.layout;
    pile self = {.bodies = layout->dof / 6, .h = main->h};
    if (main->series.count == 0 || layout->dof == 0 || layout->positions != 7 * self.bodies ||
        layout->dof != 6 * self.bodies || !read_setting(main, "radius", &self.radius) ||
        !read_setting(main, "half", &self.half) || !read_setting(main, "mu", &self.mu)) {
        status = carom_fail(error, CAROM_BAD_INPUT,
                            "%s is no run of bodies/spheres: spheres with the settings radius and half, "
                            "and the parameter mu",
                            path);
    } else {
        const double *row = carom_series_row(&main->series, main->series.count - 1);
        self.q = row + layout->q;
        self.v = row + layout->v;
        status = make(&self, problem, error);
    }
    carom_run_file_free(run);
    return status;
}
