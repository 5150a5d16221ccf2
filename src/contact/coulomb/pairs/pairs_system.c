#include "pairs_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/linalg.h"

enum {
    JOINT_PASSES = 20, /* at most, */
    HASTY_PASSES = 2   /* ... or so */
};
/* Of a pass that is the last one: its change over the motion, times the stiffness. */
static const double last_change = 0.1;
/* Of joints over the largest D of contacts. */
static const double stiffer = 10.0;

/* ---- memory and pattern -------------------------------------------------------------------------------- */

static bool take_room(pairs_system *self, size_t pairs, size_t bodies)
{
    if (pairs > self->pair_room) {
        const size_t room = pairs + pairs / 2;
        int(*larger)[2] = realloc(self->pair, carom_product(room, sizeof *larger));
        if (!larger)
            return false;
        self->pair = larger;
        self->pair_room = room;
    }
    if (bodies > self->body_room || !self->change) {
        const size_t room = bodies + bodies / 2;
        double *larger = realloc(self->change, carom_product(6 * (room + 1), sizeof *larger));
        if (!larger)
            return false;
        self->change = larger;
        self->body_room = room;
    }
    return true;
}

void pairs_system_free(pairs_system *self)
{
    free(self->pair);
    free(self->change);
    *self = (pairs_system){0};
}

bool pairs_system_take(pairs_system *self, const pairs_rows *rows, carom_block_lu *lu)
{
    const pairs_joints *joints = rows->joints;
    self->lu = lu;
    if (!joints)
        return carom_block_lu_pattern(lu, rows->bodies, rows->contacts, (const int(*)[2])rows->body);
    const size_t contacts = (size_t)rows->contacts, groups = (size_t)joints->groups;
    if (!take_room(self, contacts + groups, (size_t)rows->bodies))
        return false;
    memcpy(self->pair, rows->body, contacts * sizeof *self->pair);
    memcpy(self->pair + contacts, joints->body, groups * sizeof *self->pair);
    return carom_block_lu_pattern(lu, rows->bodies, (int)(contacts + groups), (const int(*)[2])self->pair);
}

/* ---- entries ------------------------------------------------------------------------------------------- */

/* to += A^T D J of one side each: s x s */
PAIRS_INLINE void add_block(int d, int s, const double *A, const double *DJ, double *to)
{
    for (int k = 0; k < s; k++)
        for (int j = 0; j < s; j++) {
            double sum = 0.0;
            for (int i = 0; i < d; i++)
                sum += A[s * i + k] * DJ[s * i + j];
            to[s * k + j] += sum;
        }
}

PAIRS_INLINE void add_contact(const pairs_rows *rows, carom_block_lu *lu, int d, int s, int i,
                              const double *D)
{
    for (int side = 0; side < 2; side++) { /* of the column */
        const double *J = rows->J + ((ptrdiff_t)2 * i + side) * d * s;
        double DJ[PAIRS_MOST * 6];
        if (rows->body[i][side] == rows->bodies)
            continue;
        for (int k = 0; k < d; k++)
            for (int j = 0; j < s; j++) {
                double sum = 0.0;
                for (int m = 0; m < d; m++)
                    sum += D[d * k + m] * J[s * m + j];
                DJ[s * k + j] = sum;
            }
        for (int row = 0; row < 2; row++) {
            const double *A = rows->A + ((ptrdiff_t)2 * i + row) * d * s;
            if (rows->body[i][row] == rows->bodies)
                continue;
            double *to = row == side ? carom_block_lu_diagonal(lu, rows->body[i][row])
                                     : carom_block_lu_beside(lu, i, row);
            add_block(d, s, A, DJ, to);
        }
    }
}

void pairs_system_add(pairs_system *self, const pairs_rows *rows, int contact, const double *D)
{
    if (rows->d == 2)
        add_contact(rows, self->lu, 2, 3, contact, D);
    else if (rows->parts == 1)
        add_contact(rows, self->lu, 3, 6, contact, D);
    else if (rows->s == 3)
        add_contact(rows, self->lu, 3, 3, contact, D);
    else
        add_contact(rows, self->lu, 6, 6, contact, D);
}

/* k M^-1 G^T G of a group */
static void add_joints(pairs_system *self, const pairs_rows *rows, int group)
{
    const pairs_joints *joints = rows->joints;
    const int s = rows->s, square = s * s;
    for (int side = 0; side < 2; side++) { /* of the column */
        const double *J = joints->J + ((ptrdiff_t)2 * group + side) * square;
        double stiff[36] = {0.0};
        if (joints->body[group][side] == rows->bodies)
            continue;
        for (int k = 0; k < square; k++)
            stiff[k] = self->stiffness * J[k];
        for (int row = 0; row < 2; row++) {
            const double *A = joints->A + ((ptrdiff_t)2 * group + row) * square;
            if (joints->body[group][row] == rows->bodies)
                continue;
            add_block(s, s, A, stiff,
                      row == side ? carom_block_lu_diagonal(self->lu, joints->body[group][row])
                                  : carom_block_lu_beside(self->lu, rows->contacts + group, row));
        }
    }
}

void pairs_system_clear(pairs_system *self, const pairs_rows *rows, double largest)
{
    const int s = rows->s;
    carom_block_lu_clear(self->lu);
    for (int b = 0; b < rows->bodies; b++)
        for (int k = 0; k < s; k++)
            carom_block_lu_diagonal(self->lu, b)[(s + 1) * k] = 1.0;
    self->stiffness = stiffer * largest;
    for (int g = 0; rows->joints && g < rows->joints->groups; g++)
        add_joints(self, rows, g);
}

/* ---- solving ------------------------------------------------------------------------------------------- */

/* change := k M^-1 G^T G x */
static void find_change(pairs_system *self, const pairs_rows *rows, const double *x)
{
    const pairs_joints *joints = rows->joints;
    const int s = rows->s;
    double *change = self->change;
    memset(change, 0, (size_t)s * (size_t)(rows->bodies + 1) * sizeof *change);
    for (int g = 0; g < joints->groups; g++) {
        const ptrdiff_t at = (ptrdiff_t)2 * s * s * g;
        for (int i = 0; i < joints->rows[g]; i++) {
            double sum = 0.0;
            for (int side = 0; side < 2; side++)
                if (joints->body[g][side] < rows->bodies)
                    sum += carom_dot(s, joints->J + at + (ptrdiff_t)s * (s * side + i),
                                     x + (ptrdiff_t)s * joints->body[g][side]);
            for (int side = 0; side < 2; side++)
                carom_axpy(s, self->stiffness * sum, joints->A + at + (ptrdiff_t)s * (s * side + i),
                           change + (ptrdiff_t)s * joints->body[g][side]);
        }
    }
}

/* A long chain that lies on a floor feels what joints give way many times over: passes go on until that is small against the
 * motion that impulses of its size give where contacts are stiff. */
void pairs_system_solve(pairs_system *self, const pairs_rows *rows, double *x)
{
    const int n = rows->s * rows->bodies;
    carom_block_lu_solve(self->lu, x);
    if (!rows->joints)
        return;
    const double small = last_change / self->stiffness * carom_largest(n, x);
    for (int pass = 0; pass < (self->hasty ? HASTY_PASSES : JOINT_PASSES); pass++) {
        find_change(self, rows, x);
        carom_block_lu_solve(self->lu, self->change);
        carom_axpy(n, -1.0, self->change, x);
        if (!(carom_largest(n, self->change) > small))
            return;
    }
}
