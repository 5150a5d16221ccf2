#include "pairs_blocks.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static bool grow(void **array, size_t count, size_t size)
{
    void *larger = realloc(*array, carom_product(count ? count : 1, size));
    if (larger)
        *array = larger;
    return larger != NULL;
}

static bool take_rows(pairs_blocks *self, const carom_pairs *problem)
{
    const size_t rows = (size_t)problem->contacts, bodies = (size_t)problem->bodies;
    if (rows > self->rows) {
        const size_t room = rows + rows / 2;
        if (!grow((void **)&self->row_start, room + 1, sizeof(int)) ||
            !grow((void **)&self->diagonal, room, sizeof(int)) ||
            !grow((void **)&self->of_body, 2 * room, sizeof(int)))
            return false;
        self->rows = room;
    }
    if (bodies > self->bodies || !self->at_body) {
        if (!grow((void **)&self->at_body, bodies + bodies / 2 + 1, sizeof(int)))
            return false;
        self->bodies = bodies + bodies / 2;
    }
    return true;
}

/* Contacts by body, ascending. A contact of a body with itself does not come. */
static void list_contacts(pairs_blocks *self, const carom_pairs *problem)
{
    int *at = self->at_body;
    memset(at, 0, ((size_t)problem->bodies + 1) * sizeof *at);
    for (int i = 0; i < problem->contacts; i++)
        for (int side = 0; side < 2; side++)
            if (problem->row[i].body[side] >= 0)
                at[problem->row[i].body[side]]++;
    for (int k = 0, sum = 0; k <= problem->bodies; k++) {
        sum += at[k];
        at[k] = sum; /* the end; filling from the back makes it the start */
    }
    for (int i = problem->contacts - 1; i >= 0; i--)
        for (int side = 0; side < 2; side++)
            if (problem->row[i].body[side] >= 0)
                self->of_body[--at[problem->row[i].body[side]]] = i;
}

/* The contacts that share a body with contact i, itself among them, ascending: two lists merged. */
typedef struct merged {
    const int *list[2];
    int left[2];
} merged;

static merged neighbours(const pairs_blocks *self, const carom_pairs *problem, int i)
{
    merged m = {0};
    for (int side = 0; side < 2; side++) {
        const int body = problem->row[i].body[side];
        if (body < 0)
            continue;
        m.list[side] = self->of_body + self->at_body[body];
        m.left[side] = self->at_body[body + 1] - self->at_body[body];
    }
    return m;
}

/* The next one, and which of the two bodies of contact i it shares; -1: none is left. */
static int next_neighbour(merged *m, bool shares[2])
{
    const int a = m->left[0] > 0 ? *m->list[0] : INT_MAX, b = m->left[1] > 0 ? *m->list[1] : INT_MAX;
    const int next = a < b ? a : b;
    if (next == INT_MAX)
        return -1;
    shares[0] = a == next;
    shares[1] = b == next;
    for (int side = 0; side < 2; side++)
        if (shares[side]) {
            m->list[side]++;
            m->left[side]--;
        }
    return next;
}

static long count_places(pairs_blocks *self, const carom_pairs *problem)
{
    long places = 0;
    for (int i = 0; i < problem->contacts; i++) {
        merged m = neighbours(self, problem, i);
        bool shares[2];
        while (next_neighbour(&m, shares) >= 0)
            places++;
    }
    return places;
}

/* What an impulse at contact j does to the velocity at contact i through the body on side `side` of i. */
static void add_block(const carom_pairs *problem, const carom_pair_rows *i, int side,
                      const carom_pair_rows *j, double factor, double *block)
{
    const int body = i->body[side], other = j->body[0] == body ? 0 : 1;
    const double sign = (side == other ? 1.0 : -1.0) * factor, inverse = problem->inverse_mass[body];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++)
            block[3 * r + c] += sign * (inverse * carom_dot(3, i->direction + 3 * r, j->direction + 3 * c) +
                                        carom_dot(3, i->turn[side] + 3 * r, j->answer[other] + 3 * c));
}

static void fill_row(pairs_blocks *self, const carom_pairs *problem, int i, double factor, int *place)
{
    merged m = neighbours(self, problem, i);
    bool shares[2];
    int j;
    self->row_start[i] = *place;
    while ((j = next_neighbour(&m, shares)) >= 0) {
        double *block = self->block + 9 * (ptrdiff_t)*place;
        memset(block, 0, 9 * sizeof *block);
        for (int side = 0; side < 2; side++)
            if (shares[side])
                add_block(problem, &problem->row[i], side, &problem->row[j], factor, block);
        if (problem->plane) {
            block[2] = block[5] = block[6] = block[7] = 0.0;
            block[8] = i == j ? 1.0 : 0.0;
        }
        if (i == j)
            self->diagonal[i] = *place;
        self->column[(*place)++] = j;
    }
}

bool pairs_blocks_assemble(pairs_blocks *self, const carom_pairs *problem, double scale)
{
    if (!take_rows(self, problem))
        return false;
    list_contacts(self, problem);
    const long places = count_places(self, problem);
    if (places > INT_MAX)
        return false;
    if ((size_t)places > self->places) {
        const size_t room = (size_t)places + (size_t)places / 2;
        if (!grow((void **)&self->column, room, sizeof(int)) ||
            !grow((void **)&self->block, room, 9 * sizeof(double)))
            return false;
        self->places = room;
    }
    int place = 0;
    for (int i = 0; i < problem->contacts; i++)
        fill_row(self, problem, i, 1.0 / scale, &place);
    self->row_start[problem->contacts] = place;
    self->W = (carom_blocks){.rows = problem->contacts,
                             .row_start = self->row_start,
                             .column = self->column,
                             .diagonal = self->diagonal,
                             .block = self->block};
    return true;
}

void pairs_blocks_free(pairs_blocks *self)
{
    free(self->row_start);
    free(self->diagonal);
    free(self->column);
    free(self->block);
    free(self->of_body);
    free(self->at_body);
    *self = (pairs_blocks){0};
}
