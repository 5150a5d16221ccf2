#include "presolve.h"

#include <math.h>
#include <string.h>

/* Does every admissible impulse of the block's column only open this contact: W_NN r_N + W_NT.r_T >= 0 for
 * all |r_T| <= mu r_N? */
static bool only_opens(const double *block, double mu)
{
    return block[0] >= mu * hypot(block[1], block[2]);
}

bool coulomb_is_never_active(const carom_coulomb *problem, int contact)
{
    const carom_blocks *W = &problem->W;
    if (!(problem->q[3 * (ptrdiff_t)contact] >= 0.0))
        return false;
    for (int k = W->row_start[contact]; k < W->row_start[contact + 1]; k++)
        if (!only_opens(carom_block_at(W, k), problem->mu[W->column[k]]))
            return false;
    return true;
}

static bool is_zero_block(const double *block)
{
    for (int k = 0; k < 9; k++)
        if (block[k] != 0.0)
            return false;
    return true;
}

/* ---- islands: sets of contacts joined by blocks, with paths halved on the way ------------------------ */

enum {
    DROPPED = -1
};

static void join_neighbours(const carom_coulomb *problem, int *parent)
{
    const carom_blocks *W = &problem->W;
    for (int i = 0; i < W->rows; i++)
        for (int k = W->row_start[i]; parent[i] != DROPPED && k < W->row_start[i + 1]; k++)
            if (parent[W->column[k]] != DROPPED && !is_zero_block(carom_block_at(W, k)))
                carom_sets_join(parent, i, W->column[k]);
}

static int number_islands(int contacts, int *parent, int *island)
{
    int count = 0;
    for (int i = 0; i < contacts; i++) {
        if (parent[i] == DROPPED) {
            island[i] = DROPPED;
            continue;
        }
        const int root = carom_sets_root(parent, i);
        island[i] = root == i ? count++ : island[root];
    }
    return count;
}

bool coulomb_find_islands(const carom_coulomb *problem, carom_arena *arena, coulomb_islands *islands)
{
    const int n = problem->contacts;
    int *parent = carom_arena_take(arena, (size_t)n, sizeof *parent);
    int *island = carom_arena_take(arena, (size_t)n, sizeof *island);
    islands->island = island;
    islands->place = carom_arena_take(arena, (size_t)n, sizeof *islands->place);
    islands->contact = carom_arena_take(arena, (size_t)n, sizeof *islands->contact);
    islands->start = carom_arena_take(arena, (size_t)n + 2, sizeof *islands->start);
    if (!parent || !island || !islands->place || !islands->contact || !islands->start)
        return false;
    for (int i = 0; i < n; i++)
        parent[i] = coulomb_is_never_active(problem, i) ? DROPPED : i;
    join_neighbours(problem, parent);
    islands->count = number_islands(n, parent, island);
    for (int i = 0; i < n; i++)
        if (island[i] != DROPPED)
            islands->start[island[i] + 2]++;
    for (int k = 0; k < islands->count; k++)
        islands->start[k + 2] += islands->start[k + 1];
    for (int i = 0; i < n; i++)
        if (island[i] != DROPPED)
            islands->contact[islands->start[island[i] + 1]++] = i;
    for (int k = 0; k < islands->count; k++)
        for (int i = islands->start[k]; i < islands->start[k + 1]; i++)
            islands->place[islands->contact[i]] = i - islands->start[k];
    return true;
}

/* ---- the problem of an island ------------------------------------------------------------------------ */

typedef struct part_memory {
    int *row_start, *column, *diagonal;
    double *block, *q, *mu;
} part_memory;

static int count_blocks(const carom_coulomb *problem, const coulomb_islands *islands, int island)
{
    const carom_blocks *W = &problem->W;
    int count = 0;
    for (int i = islands->start[island]; i < islands->start[island + 1]; i++) {
        const int contact = islands->contact[i];
        for (int k = W->row_start[contact]; k < W->row_start[contact + 1]; k++)
            count += islands->island[W->column[k]] == island;
    }
    return count;
}

static void copy_row(const carom_coulomb *problem, const coulomb_islands *islands, int from, part_memory *m)
{
    const carom_blocks *W = &problem->W;
    const int to = islands->place[from];
    int next = m->row_start[to];
    for (int k = W->row_start[from]; k < W->row_start[from + 1]; k++) {
        if (islands->island[W->column[k]] != islands->island[from])
            continue;
        const int column = islands->place[W->column[k]];
        if (column == to)
            m->diagonal[to] = next;
        m->column[next] = column;
        memcpy(m->block + 9 * (ptrdiff_t)next, carom_block_at(W, k), 9 * sizeof(double));
        next++;
    }
    m->row_start[to + 1] = next;
    memcpy(m->q + 3 * (ptrdiff_t)to, problem->q + 3 * (ptrdiff_t)from, 3 * sizeof(double));
    m->mu[to] = problem->mu[from];
}

bool coulomb_island_problem(const carom_coulomb *problem, const coulomb_islands *islands, int island,
                            carom_arena *arena, carom_coulomb *part)
{
    const int first = islands->start[island], contacts = islands->start[island + 1] - first;
    const size_t n = (size_t)contacts, blocks = (size_t)count_blocks(problem, islands, island);
    part_memory m = {.row_start = carom_arena_take(arena, n + 1, sizeof *m.row_start)};
    m.diagonal = carom_arena_take(arena, n, sizeof *m.diagonal);
    m.column = carom_arena_take(arena, blocks, sizeof *m.column);
    m.block = carom_arena_take(arena, 9 * blocks, sizeof *m.block);
    m.q = carom_arena_take(arena, 3 * n, sizeof *m.q);
    m.mu = carom_arena_take(arena, n, sizeof *m.mu);
    if (!m.row_start || !m.diagonal || !m.column || !m.block || !m.q || !m.mu)
        return false;
    for (int i = 0; i < contacts; i++)
        copy_row(problem, islands, islands->contact[first + i], &m);
    *part = (carom_coulomb){contacts, {contacts, m.row_start, m.column, m.diagonal, m.block}, m.q, m.mu};
    return true;
}
