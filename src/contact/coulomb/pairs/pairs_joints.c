#include "pairs_joints.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"
#include "pairs_cone.h"

enum {
    OBEY_PASSES = 2
};
/* On the diagonal of S: equations may depend on each other. */
static const double regularisation = 1e-10;

/* ---- memory -------------------------------------------------------------------------------------------- */

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_groups(pairs_joints *self, size_t groups)
{
    if (groups <= self->group_room && self->s <= self->room_s)
        return true;
    const size_t most = groups + groups / 2, room = most > self->group_room ? most : self->group_room;
    const size_t s = (size_t)(self->s > self->room_s ? self->s : self->room_s);
    self->group_room = 0;
    if (!grow((void **)&self->body, room, sizeof *self->body) ||
        !grow((void **)&self->rows, room, sizeof(int)) ||
        !grow((void **)&self->J, room, 2 * s * s * sizeof(double)) ||
        !grow((void **)&self->A, room, 2 * s * s * sizeof(double)) ||
        !grow((void **)&self->rest, room, s * sizeof(double)) ||
        !grow((void **)&self->body_group, room, 2 * sizeof(int)))
        return false;
    self->group_room = room;
    self->room_s = (int)s;
    return true;
}

static bool take_bodies(pairs_joints *self, size_t bodies)
{
    if (bodies <= self->body_room && self->body_start)
        return true;
    const size_t room = bodies + bodies / 2;
    if (!grow((void **)&self->body_start, room + 2, sizeof(int)))
        return false;
    self->body_room = room;
    return true;
}

static bool take_pairs(pairs_joints *self, size_t pairs)
{
    if (pairs <= self->pair_room && self->pair)
        return true;
    const size_t room = pairs + pairs / 2 + 1;
    self->pair_room = 0;
    if (!grow((void **)&self->pair, room, sizeof *self->pair) ||
        !grow((void **)&self->pair_body, room, sizeof(int)))
        return false;
    self->pair_room = room;
    return true;
}

void pairs_joints_free(pairs_joints *self)
{
    carom_block_lu_free(self->factor[0]);
    carom_block_lu_free(self->factor[1]);
    void *array[] = {self->body, self->rows,      self->J,          self->A,         self->rest,
                     self->pair, self->pair_body, self->body_start, self->body_group};
    for (size_t i = 0; i < sizeof array / sizeof *array; i++)
        free(array[i]);
    *self = (pairs_joints){0};
}

/* ---- groups -------------------------------------------------------------------------------------------- */

/* The place of velocity k of s among the six of a body. */
static int place_of(int s, int k)
{
    return s == 3 && k == 2 ? 5 : k;
}

/* What velocity k of s is multiplied by: spins become velocities. */
static double length_of(const pairs_joints *self, int k)
{
    return place_of(self->s, k) < 3 ? 1.0 : self->length;
}

static int number_of(const pairs_joints *self, int body)
{
    return body < 0 ? self->bodies : body;
}

static void add_row(pairs_joints *self, const carom_pair_joint *joint)
{
    const int a = number_of(self, joint->body[0]), b = number_of(self, joint->body[1]), s = self->s;
    const int last = self->groups - 1;
    double size = 0.0;
    for (int side = 0; side < 2; side++)
        if (joint->body[side] >= 0)
            size += carom_dot(6, joint->row[side], joint->answer[side]);
    if (!(size > 0.0))
        return;
    if (last < 0 || self->body[last][0] != a || self->body[last][1] != b || self->rows[last] == s) {
        const size_t numbers = 2 * (size_t)(s * s);
        memset(self->J + numbers * (size_t)self->groups, 0, numbers * sizeof *self->J);
        memset(self->A + numbers * (size_t)self->groups, 0, numbers * sizeof *self->A);
        self->body[self->groups][0] = a;
        self->body[self->groups][1] = b;
        self->rows[self->groups++] = 0;
    }
    const int group = self->groups - 1, row = self->rows[group]++;
    const double factor = 1.0 / sqrt(size);
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t at = (((ptrdiff_t)2 * group + side) * s + row) * s;
        for (int k = 0; joint->body[side] >= 0 && k < s; k++) {
            const double length = length_of(self, k);
            self->J[at + k] = factor * joint->row[side][place_of(s, k)] / length;
            self->A[at + k] = factor * joint->answer[side][place_of(s, k)] * length;
        }
    }
}

/* Groups of each body that moves, and all pairs of them. */
static bool list_pairs(pairs_joints *self)
{
    int *start = self->body_start;
    memset(start, 0, ((size_t)self->bodies + 2) * sizeof *start);
    for (int g = 0; g < self->groups; g++)
        for (int side = 0; side < 2; side++)
            start[self->body[g][side] + 1]++;
    size_t pairs = 0;
    for (int b = 0; b <= self->bodies; b++) {
        const size_t of_body = (size_t)start[b + 1];
        pairs += b < self->bodies ? of_body * of_body / 2 : 0;
        start[b + 1] += start[b];
    }
    if (!take_pairs(self, pairs))
        return false;
    for (int g = 0; g < self->groups; g++)
        for (int side = 0; side < 2; side++)
            self->body_group[start[self->body[g][side]]++] = g;
    for (int b = self->bodies; b > 0; b--)
        start[b] = start[b - 1];
    start[0] = 0;
    self->pairs = 0;
    for (int b = 0; b < self->bodies; b++)
        for (int i = start[b]; i < start[b + 1]; i++)
            for (int j = i + 1; j < start[b + 1]; j++) {
                self->pair[self->pairs][0] = self->body_group[i];
                self->pair[self->pairs][1] = self->body_group[j];
                self->pair_body[self->pairs++] = b;
            }
    return true;
}

/* ---- S ------------------------------------------------------------------------------------------------- */

static const double *side_of(const pairs_joints *self, const double *rows, int group, int body)
{
    const int side = self->body[group][0] == body ? 0 : 1;
    return rows + ((ptrdiff_t)2 * group + side) * self->s * self->s;
}

/* to += J A^T of one side: s x s */
static void add_product(int s, const double *J, const double *A, double *to)
{
    for (int i = 0; i < s; i++)
        for (int j = 0; j < s; j++)
            to[s * i + j] += carom_dot(s, J + (ptrdiff_t)s * i, A + (ptrdiff_t)s * j);
}

static bool factor(pairs_joints *self)
{
    const int s = self->s;
    carom_block_lu *lu = self->lu;
    if (!carom_block_lu_pattern(lu, self->groups, self->pairs, (const int(*)[2])self->pair))
        return false;
    carom_block_lu_clear(lu);
    for (int g = 0; g < self->groups; g++) {
        double *to = carom_block_lu_diagonal(lu, g);
        for (int side = 0; side < 2; side++) {
            const ptrdiff_t at = ((ptrdiff_t)2 * g + side) * s * s;
            add_product(s, self->J + at, self->A + at, to);
        }
        for (int k = 0; k < s; k++)
            to[(s + 1) * k] += k < self->rows[g] ? regularisation : 1.0;
    }
    for (int p = 0; p < self->pairs; p++)
        for (int side = 0; side < 2; side++) {
            const int row = self->pair[p][side], column = self->pair[p][1 - side], body = self->pair_body[p];
            add_product(s, side_of(self, self->J, row, body), side_of(self, self->A, column, body),
                        carom_block_lu_beside(lu, p, side));
        }
    return carom_block_lu_factor(lu);
}

bool pairs_joints_take(pairs_joints *self, const carom_pairs *problem)
{
    self->s = problem->plane ? 3 : 6;
    self->bodies = problem->bodies;
    self->groups = 0;
    self->length = pairs_length(problem);
    carom_block_lu **lu = &self->factor[problem->plane ? 0 : 1];
    if (!*lu)
        *lu = carom_block_lu_create(self->s);
    self->lu = *lu;
    if (!*lu || !take_groups(self, (size_t)problem->joints) || !take_bodies(self, (size_t)problem->bodies))
        return false;
    for (int i = 0; i < problem->joints; i++)
        add_row(self, &problem->joint[i]);
    return list_pairs(self) && factor(self);
}

/* ---- motions ------------------------------------------------------------------------------------------- */

PAIRS_INLINE void obey(const pairs_joints *self, int s, double *v)
{
    double *rest = self->rest;
    for (int g = 0; g < self->groups; g++) {
        const double *J = self->J + (ptrdiff_t)2 * s * s * g;
        const double *va = v + (ptrdiff_t)s * self->body[g][0], *vb = v + (ptrdiff_t)s * self->body[g][1];
        for (int i = 0; i < s; i++)
            rest[s * g + i] =
                carom_dot(s, J + (ptrdiff_t)s * i, va) + carom_dot(s, J + (ptrdiff_t)s * (s + i), vb);
    }
    carom_block_lu_solve(self->lu, rest);
    for (int g = 0; g < self->groups; g++) {
        const double *A = self->A + (ptrdiff_t)2 * s * s * g;
        double *va = v + (ptrdiff_t)s * self->body[g][0], *vb = v + (ptrdiff_t)s * self->body[g][1];
        for (int i = 0; i < s; i++) {
            carom_axpy(s, -rest[s * g + i], A + (ptrdiff_t)s * i, va);
            carom_axpy(s, -rest[s * g + i], A + (ptrdiff_t)s * (s + i), vb);
        }
    }
}

void pairs_joints_obey(const pairs_joints *self, double *v)
{
    for (int pass = 0; pass < OBEY_PASSES; pass++)
        if (self->s == 3)
            obey(self, 3, v);
        else
            obey(self, 6, v);
}

void pairs_joints_obey_six(const pairs_joints *self, double *velocity, double *room)
{
    const int s = self->s;
    for (int b = 0; b < self->bodies; b++)
        for (int k = 0; k < s; k++)
            room[s * b + k] = velocity[6 * b + place_of(s, k)] * length_of(self, k);
    memset(room + (ptrdiff_t)s * self->bodies, 0, (size_t)s * sizeof *room);
    pairs_joints_obey(self, room);
    for (int b = 0; b < self->bodies; b++)
        for (int k = 0; k < s; k++)
            velocity[6 * b + place_of(s, k)] = room[s * b + k] / length_of(self, k);
}
