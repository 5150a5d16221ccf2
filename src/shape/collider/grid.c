#include "grid.h"

#include <stdlib.h>
#include <string.h>

bool grid_setup(cell_grid *grid, int dim, int boxes)
{
    grid->dim = dim;
    grid->boxes = boxes;
    grid->skin = 0.05;
    int buckets = 16;
    while (buckets < 2 * boxes && buckets < 1 << 28)
        buckets *= 2;
    grid->bucket_mask = buckets - 1;
    grid->box = carom_new_array((size_t)boxes, sizeof *grid->box);
    grid->dirty = carom_new_array((size_t)boxes, sizeof *grid->dirty);
    grid->infinite = carom_new_array((size_t)boxes, sizeof *grid->infinite);
    grid->bucket = carom_new_array((size_t)buckets, sizeof *grid->bucket);
    if (!grid->box || !grid->dirty || !grid->infinite || !grid->bucket)
        return false;
    for (int i = 0; i < buckets; i++)
        grid->bucket[i] = -1;
    for (int i = 0; i < boxes; i++) {
        grid_box *box = &grid->box[i];
        box->level = -1;
        for (int k = 0; k < 3; k++) {
            box->fat_low[k] = box->low[k] = INFINITY;
            box->fat_high[k] = box->high[k] = -INFINITY;
        }
    }
    return true;
}

void grid_free(cell_grid *grid)
{
    free(grid->box);
    free(grid->dirty);
    free(grid->infinite);
    free(grid->bucket);
    free(grid->pair);
    free(grid->spare);
}

void grid_set_infinite(cell_grid *grid, int i)
{
    grid->box[i].is_infinite = true;
    grid->infinite[grid->infinite_count++] = i;
}

/* ---- boxes in their cells ------------------------------------------------------------------------------ */

static unsigned bucket_of(const cell_grid *grid, int level, const int cell[3])
{
    uint64_t h = (uint64_t)(uint32_t)cell[0] * 0x9E3779B97F4A7C15u ^
                 (uint64_t)(uint32_t)cell[1] * 0xC2B2AE3D27D4EB4Fu ^
                 (uint64_t)(uint32_t)cell[2] * 0x165667B19E3779F9u ^
                 (uint64_t)(uint32_t)level * 0x27D4EB2F165667C5u;
    h ^= h >> 29;
    return (unsigned)(h * 0x9E3779B97F4A7C15u >> 32) & (unsigned)grid->bucket_mask;
}

/* Beyond 2^29 cells from the origin all is one cell. */
static int cell_at(double x, double cell)
{
    return (int)floor(clamp(x / cell, -0x1p29, 0x1p29));
}

static double cell_of_level(const cell_grid *grid, int level)
{
    return ldexp(grid->cell, level);
}

static void remove_box(cell_grid *grid, int i)
{
    grid_box *box = &grid->box[i];
    if (box->level < 0)
        return;
    if (box->before < 0)
        grid->bucket[-1 - box->before] = box->next;
    else
        grid->box[box->before].next = box->next;
    if (box->next >= 0)
        grid->box[box->next].before = box->before;
    grid->in_level[box->level]--;
    box->level = -1;
}

static void insert_box(cell_grid *grid, int i)
{
    grid_box *box = &grid->box[i];
    double size = 0.0;
    for (int k = 0; k < grid->dim; k++)
        size = fmax(size, box->fat_high[k] - box->fat_low[k]);
    if (grid->cell == 0.0)
        grid->cell = size > 0.0 ? size : 1.0;
    int level = (int)clamp(ceil(log2(size / grid->cell)), 0.0, GRID_LEVELS - 1.0);
    const double cell = cell_of_level(grid, level);
    for (int k = 0; k < 3; k++)
        box->cell[k] = k < grid->dim ? cell_at(0.5 * (box->fat_low[k] + box->fat_high[k]), cell) : 0;
    const unsigned bucket = bucket_of(grid, level, box->cell);
    box->level = level;
    box->before = -1 - (int)bucket;
    box->next = grid->bucket[bucket];
    if (box->next >= 0)
        grid->box[box->next].before = i;
    grid->bucket[bucket] = i;
    grid->in_level[level]++;
}

void grid_move(cell_grid *grid, int i, const double low[3], const double high[3])
{
    grid_box *box = &grid->box[i];
    bool inside = true, moved = true;
    for (int k = 0; k < grid->dim; k++) {
        box->low[k] = low[k];
        box->high[k] = high[k];
        inside = inside && !(low[k] < box->fat_low[k]) && !(high[k] > box->fat_high[k]);
        moved = moved && (box->is_infinite || (isfinite(low[k]) && isfinite(high[k])));
    }
    if (!moved) /* absent: meets nothing, not even what is infinite */
        for (int k = 0; k < grid->dim; k++)
            box->low[k] = box->high[k] = NAN;
    if (!moved || (inside && !box->is_infinite) || box->dirty)
        return;
    box->dirty = true;
    grid->dirty[grid->dirty_count++] = i;
}

/* Boxes of a size beyond what the first one had: the cells of level 0 are those of the smallest. */
static void choose_cell(cell_grid *grid)
{
    double least = INFINITY;
    for (int i = 0; i < grid->boxes; i++) {
        const grid_box *box = &grid->box[i];
        double size = 0.0;
        for (int k = 0; k < grid->dim; k++)
            size = fmax(size, box->high[k] - box->low[k]);
        if (!box->is_infinite && size > 0.0)
            least = fmin(least, size);
    }
    grid->cell = isfinite(least) ? (1.0 + 2.0 * grid->skin) * least : 1.0;
}

static void fatten(cell_grid *grid)
{
    if (grid->cell == 0.0)
        choose_cell(grid);
    for (int d = 0; d < grid->dirty_count; d++) {
        grid_box *box = &grid->box[grid->dirty[d]];
        remove_box(grid, grid->dirty[d]);
        if (box->is_infinite)
            continue;
        double size = 0.0;
        for (int k = 0; k < grid->dim; k++)
            size = fmax(size, box->high[k] - box->low[k]);
        for (int k = 0; k < grid->dim; k++) {
            box->fat_low[k] = box->low[k] - grid->skin * size;
            box->fat_high[k] = box->high[k] + grid->skin * size;
        }
        insert_box(grid, grid->dirty[d]);
    }
}

/* ---- pairs ------------------------------------------------------------------------------------------------ */

static bool add_pair(cell_grid *grid, int i, int j)
{
    if (grid->pairs == grid->pair_room) {
        const size_t room = grid->pair_room ? 2 * grid->pair_room : 256;
        uint64_t *pair = realloc(grid->pair, room * sizeof *pair);
        if (pair)
            grid->pair = pair;
        uint64_t *spare = realloc(grid->spare, room * sizeof *spare);
        if (spare)
            grid->spare = spare;
        if (!pair || !spare)
            return false;
        grid->pair_room = room;
    }
    const uint64_t low = (uint64_t)(i < j ? i : j), high = (uint64_t)(i < j ? j : i);
    grid->pair[grid->pairs++] = low << 32 | high;
    return true;
}

/* Forgets all pairs of boxes that moved. */
static void forget_pairs(cell_grid *grid)
{
    size_t kept = 0;
    for (size_t p = 0; p < grid->pairs; p++) {
        const uint64_t pair = grid->pair[p];
        if (!grid->box[pair >> 32].dirty && !grid->box[pair & 0xFFFFFFFFu].dirty)
            grid->pair[kept++] = pair;
    }
    grid->pairs = kept;
}

static bool overlap(const cell_grid *grid, const grid_box *a, const grid_box *b)
{
    for (int k = 0; k < grid->dim; k++)
        if (!(a->fat_low[k] <= b->fat_high[k] && b->fat_low[k] <= a->fat_high[k]))
            return false;
    return true;
}

/* Two dirty boxes meet once: in the grid of the larger one, or seen from the smaller number. */
static bool look_at(cell_grid *grid, int i, int j)
{
    const grid_box *a = &grid->box[i], *b = &grid->box[j];
    if (i == j || (b->dirty && (b->level < a->level || (b->level == a->level && j < i))))
        return true;
    return !overlap(grid, a, b) || !grid->may_touch(grid->context, i, j) || add_pair(grid, i, j);
}

static bool look_into(cell_grid *grid, int i, int level, const int cell[3])
{
    for (int j = grid->bucket[bucket_of(grid, level, cell)]; j >= 0; j = grid->box[j].next) {
        const grid_box *b = &grid->box[j];
        if (b->level == level && b->cell[0] == cell[0] && b->cell[1] == cell[1] && b->cell[2] == cell[2] &&
            !look_at(grid, i, j))
            return false;
    }
    return true;
}

static bool look_at_all(cell_grid *grid, int i, int level)
{
    for (int j = 0; j < grid->boxes; j++)
        if (grid->box[j].level == level && !look_at(grid, i, j))
            return false;
    return true;
}

/* Middles of boxes in this grid that can meet box i are at most half a cell away from it. */
static bool look_around(cell_grid *grid, int i, int level)
{
    const grid_box *box = &grid->box[i];
    const double cell = cell_of_level(grid, level);
    /* The largest level also holds what is larger than its cells. */
    if (level == GRID_LEVELS - 1)
        return look_at_all(grid, i, level);
    int from[3] = {0}, to[3] = {0};
    double cells = 1.0;
    for (int k = 0; k < grid->dim; k++) {
        from[k] = cell_at(box->fat_low[k] - 0.5 * cell, cell);
        to[k] = cell_at(box->fat_high[k] + 0.5 * cell, cell);
        cells *= to[k] - from[k] + 1.0;
    }
    if (cells > grid->in_level[level])
        if (cells > 64.0)
            return look_at_all(grid, i, level);
    for (int x = from[0]; x <= to[0]; x++)
        for (int y = from[1]; y <= to[1]; y++)
            for (int z = from[2]; z <= to[2]; z++)
                if (!look_into(grid, i, level, (const int[3]){x, y, z}))
                    return false;
    return true;
}

static bool add_infinite(cell_grid *grid, int infinite, int finite)
{
    const grid_box *box = &grid->box[finite];
    return box->level < 0 || !grid->may_touch(grid->context, infinite, finite) ||
           grid->is_clear(grid->context, infinite, box->fat_low, box->fat_high) ||
           add_pair(grid, infinite, finite);
}

/* Infinite parts: every box that is not clear of them. */
static bool look_at_infinite(cell_grid *grid, int i)
{
    bool complete = true;
    if (grid->box[i].is_infinite)
        for (int j = 0; complete && j < grid->boxes; j++)
            complete = grid->box[j].dirty || add_infinite(grid, i, j);
    else
        for (int k = 0; complete && k < grid->infinite_count; k++)
            complete = add_infinite(grid, grid->infinite[k], i);
    return complete;
}

static bool find_pairs(cell_grid *grid, int i)
{
    if (!look_at_infinite(grid, i))
        return false;
    if (grid->box[i].is_infinite)
        return true;
    const int own = grid->box[i].level;
    for (int level = 0; level < GRID_LEVELS; level++) {
        if (grid->in_level[level] == 0)
            continue;
        /* All that is smaller has moved, too, and finds this one itself. */
        if (level < own && grid->dirty_count == grid->boxes)
            continue;
        if (!look_around(grid, i, level))
            return false;
    }
    return true;
}

/* ---- order ------------------------------------------------------------------------------------------------- */

static void merge(const uint64_t *a, size_t na, const uint64_t *b, size_t nb, uint64_t *to)
{
    size_t i = 0, j = 0;
    while (i < na || j < nb)
        if (j == nb || (i < na && a[i] <= b[j])) {
            *to++ = a[i++];
        } else {
            *to++ = b[j++];
        }
}

/* Sorts pairs from `from` on, by runs that are merged; the rest is sorted already, and all is in the end. */
static void sort_pairs(cell_grid *grid, size_t from)
{
    enum {
        RUN = 16
    };
    if (grid->pairs == 0) /* there is no list yet */
        return;
    uint64_t *pair = grid->pair + from, *spare = grid->spare + from;
    const size_t count = grid->pairs - from;
    for (size_t start = 0; start < count; start += RUN) {
        const size_t end = start + RUN < count ? start + RUN : count;
        for (size_t i = start + 1; i < end; i++) {
            const uint64_t key = pair[i];
            size_t j = i;
            for (; j > start && pair[j - 1] > key; j--)
                pair[j] = pair[j - 1];
            pair[j] = key;
        }
    }
    for (size_t run = RUN; run < count; run *= 2) {
        for (size_t start = 0; start < count; start += 2 * run) {
            const size_t middle = start + run < count ? start + run : count;
            const size_t end = start + 2 * run < count ? start + 2 * run : count;
            merge(pair + start, middle - start, pair + middle, end - middle, spare + start);
        }
        memcpy(pair, spare, count * sizeof *pair);
    }
    if (from == 0 || count == 0)
        return;
    merge(grid->pair, from, pair, count, grid->spare);
    uint64_t *other = grid->pair;
    grid->pair = grid->spare;
    grid->spare = other;
}

bool grid_update(cell_grid *grid)
{
    if (grid->dirty_count == 0)
        return true;
    fatten(grid);
    forget_pairs(grid);
    const size_t kept = grid->pairs;
    bool complete = true;
    for (int d = 0; complete && d < grid->dirty_count; d++)
        complete = find_pairs(grid, grid->dirty[d]);
    for (int d = 0; d < grid->dirty_count; d++)
        grid->box[grid->dirty[d]].dirty = !complete;
    if (!complete)
        return false;
    grid->dirty_count = 0;
    sort_pairs(grid, kept);
    return true;
}
