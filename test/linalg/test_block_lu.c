/* Sparse matrices of blocks: solutions against the dense matrix, patterns that come and go. */
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"
#include "carom/linalg.h"
#include "carom/linalg/block_lu.h"
#include "test/near.h"

enum {
    FEW = 40,     /* rows of blocks one after the other */
    BLOCKS = 330, /* panels */
    PAIRS = 3 * BLOCKS,
    SIZE = 6 * BLOCKS
};

typedef struct sample {
    int width, blocks, pairs;
    int pair[PAIRS][2];
    double dense[SIZE * SIZE];
} sample;

/* A grid with some links askew, some of them twice, and pairs with a block that is none. */
static void make_pattern(sample *s, int width, int blocks, carom_random *random)
{
    memset(s, 0, sizeof *s);
    s->width = width;
    s->blocks = blocks;
    for (int i = 1; i < blocks; i++) {
        const int pair[3][2] = {
            {i, i - 1}, {i, i >= 7 ? i - 7 : blocks}, {(int)carom_random_uniform(random, 0, i), i}};
        memcpy(s->pair[s->pairs], pair, sizeof pair);
        s->pairs += 3;
    }
}

static void put(sample *s, int i, int j, const double *block)
{
    for (int r = 0; r < s->width; r++)
        for (int c = 0; c < s->width; c++)
            s->dense[(s->width * i + r) * s->width * s->blocks + s->width * j + c] += block[s->width * r + c];
}

/* Adds a random block wherever the pattern has one; blocks on the diagonal are large. */
static void fill(sample *s, carom_block_lu *lu, carom_random *random)
{
    const int square = s->width * s->width;
    double block[36];
    memset(s->dense, 0, sizeof s->dense);
    carom_block_lu_clear(lu);
    for (int i = 0; i < s->blocks; i++) {
        for (int k = 0; k < square; k++)
            block[k] = carom_random_uniform(random, -1.0, 1.0) + (k % (s->width + 1) == 0 ? 30.0 : 0.0);
        memcpy(carom_block_lu_diagonal(lu, i), block, (size_t)square * sizeof *block);
        put(s, i, i, block);
    }
    for (int p = 0; p < s->pairs; p++)
        for (int side = 0; side < 2; side++) {
            const int i = s->pair[p][side], j = s->pair[p][1 - side];
            if (i == j || i >= s->blocks || j >= s->blocks)
                continue;
            for (int k = 0; k < square; k++) {
                block[k] = carom_random_uniform(random, -1.0, 1.0);
                carom_block_lu_beside(lu, p, side)[k] += block[k];
            }
            put(s, i, j, block);
        }
}

static void check_solution(const sample *s, carom_block_lu *lu, carom_random *random)
{
    const int n = s->width * s->blocks;
    double x[SIZE], b[SIZE];
    for (int i = 0; i < n; i++)
        x[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int i = 0; i < n; i++)
        b[i] = carom_dot(n, s->dense + (ptrdiff_t)n * i, x);
    assert_true(carom_block_lu_factor(lu));
    carom_block_lu_solve(lu, b);
    assert_all_near(n, b, x, 1e-13);
}

static void solutions_are_those_of_the_matrix(void **state)
{
    (void)state;
    static sample s;
    carom_random random = {11};
    for (int width = 3; width <= 6; width += 3) {
        carom_block_lu *lu = carom_block_lu_create(width);
        assert_non_null(lu);
        const int blocks[] = {1, 2, 20, FEW, 5, BLOCKS, FEW, BLOCKS - 1};
        for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
            make_pattern(&s, width, blocks[k], &random);
            assert_true(carom_block_lu_pattern(lu, s.blocks, s.pairs, (const int(*)[2])s.pair));
            for (int time = 0; time < 2; time++) {
                fill(&s, lu, &random);
                check_solution(&s, lu, &random);
            }
            /* fewer pairs, in another order */
            for (int p = 0; p < s.pairs / 2; p++)
                memcpy(s.pair[p], s.pair[s.pairs - 1 - p], sizeof s.pair[p]);
            s.pairs /= 2;
            assert_true(carom_block_lu_pattern(lu, s.blocks, s.pairs, (const int(*)[2])s.pair));
            fill(&s, lu, &random);
            check_solution(&s, lu, &random);
        }
        carom_block_lu_free(lu);
    }
}

/* Other blocks of a few rows: the factors are, to the last bit, those of a matrix that is made anew. */
static void check_touched_rows(int blocks)
{
    static sample s;
    carom_random random = {13};
    carom_block_lu *lu[2] = {carom_block_lu_create(3), carom_block_lu_create(3)};
    make_pattern(&s, 3, blocks, &random);
    for (int k = 0; k < 2; k++) {
        carom_random same = {17};
        assert_non_null(lu[k]);
        assert_true(carom_block_lu_pattern(lu[k], s.blocks, s.pairs, (const int(*)[2])s.pair));
        fill(&s, lu[k], &same);
    }
    assert_true(carom_block_lu_factor(lu[0])); /* the other one later, all at once */
    for (int p = 5; p < s.pairs; p += 50) {
        const int i = s.pair[p][0], j = s.pair[p][1];
        if (i == j || i >= s.blocks || j >= s.blocks)
            continue;
        for (int k = 0; k < 2; k++)
            for (int c = 0; c < 9; c++) {
                carom_block_lu_beside(lu[k], p, 0)[c] += 0.5;
                carom_block_lu_diagonal(lu[k], j)[c] -= 0.25;
            }
        carom_block_lu_touch(lu[0], i);
        carom_block_lu_touch(lu[0], j);
    }
    double x[2][3 * BLOCKS] = {{0.0}};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3 * blocks; i++)
            x[k][i] = cos(i);
        assert_true(carom_block_lu_factor(lu[k]));
        carom_block_lu_solve(lu[k], x[k]);
        carom_block_lu_free(lu[k]);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

static void touched_rows_are_enough(void **state)
{
    (void)state;
    check_touched_rows(FEW);
    check_touched_rows(BLOCKS);
}

/* Pairs in another order, and matrices before: the same bits. */
static void check_past(int blocks)
{
    static sample s, other;
    carom_random random = {19};
    double x[2][3 * BLOCKS] = {{0.0}};
    make_pattern(&s, 3, blocks, &random);
    make_pattern(&other, 3, blocks, &random);
    for (int k = 0; k < 2; k++) {
        carom_block_lu *lu = carom_block_lu_create(3);
        assert_non_null(lu);
        if (k == 1)
            assert_true(carom_block_lu_pattern(lu, other.blocks, other.pairs, (const int(*)[2])other.pair));
        for (int p = 0; k == 1 && p < s.pairs / 2; p++) {
            int kept[2];
            memcpy(kept, s.pair[p], sizeof kept);
            memcpy(s.pair[p], s.pair[s.pairs - 1 - p], sizeof kept);
            memcpy(s.pair[s.pairs - 1 - p], kept, sizeof kept);
        }
        assert_true(carom_block_lu_pattern(lu, s.blocks, s.pairs, (const int(*)[2])s.pair));
        carom_block_lu_clear(lu);
        for (int i = 0; i < s.blocks; i++)
            for (int c = 0; c < 9; c++)
                carom_block_lu_diagonal(lu, i)[c] = c % 4 == 0 ? 7.0 + i : 0.5;
        for (int p = 0; p < s.pairs; p++)
            for (int side = 0; side < 2; side++)
                if (s.pair[p][0] != s.pair[p][1] && s.pair[p][1] < s.blocks)
                    carom_block_lu_beside(lu, p, side)[0] = 1.0 / 3.0;
        for (int i = 0; i < 3 * blocks; i++)
            x[k][i] = cos(i);
        assert_true(carom_block_lu_factor(lu));
        carom_block_lu_solve(lu, x[k]);
        carom_block_lu_free(lu);
    }
    assert_memory_equal(x[0], x[1], sizeof x[0]);
}

static void the_past_does_not_matter(void **state)
{
    (void)state;
    check_past(FEW);
    check_past(BLOCKS);
}

static void singular_blocks_are_told(void **state)
{
    (void)state;
    const int pair[1][2] = {{0, 1}};
    carom_block_lu *lu = carom_block_lu_create(3);
    assert_non_null(lu);
    assert_true(carom_block_lu_pattern(lu, 2, 1, pair));
    carom_block_lu_clear(lu);
    assert_false(carom_block_lu_factor(lu));
    for (int i = 0; i < 2; i++)
        for (int k = 0; k < 3; k++) {
            carom_block_lu_diagonal(lu, i)[4 * k] = 1.0;
            carom_block_lu_beside(lu, 0, i)[4 * k] = 1.0;
        }
    assert_false(carom_block_lu_factor(lu)); /* [[1, 1], [1, 1]] */
    for (int k = 0; k < 3; k++)
        carom_block_lu_diagonal(lu, 1)[4 * k] = 2.0;
    assert_true(carom_block_lu_factor(lu));
    carom_block_lu_free(lu);
}

/* A pivot of a panel, which is the last one of a chain. */
static void singular_panels_are_told(void **state)
{
    (void)state;
    static int pair[BLOCKS - 1][2];
    carom_block_lu *lu = carom_block_lu_create(3);
    assert_non_null(lu);
    for (int i = 0; i < BLOCKS - 1; i++) {
        pair[i][0] = i;
        pair[i][1] = i + 1;
    }
    assert_true(carom_block_lu_pattern(lu, BLOCKS, BLOCKS - 1, (const int(*)[2])pair));
    for (int time = 0; time < 2; time++) { /* a Laplacian: singular until one end is held */
        carom_block_lu_clear(lu);
        for (int i = 0; i < BLOCKS; i++)
            for (int k = 0; k < 3; k++)
                carom_block_lu_diagonal(lu, i)[4 * k] = (i > 0) + (i < BLOCKS - 1) + (i == 0 ? time : 0);
        for (int i = 0; i < BLOCKS - 1; i++)
            for (int k = 0; k < 3; k++)
                for (int side = 0; side < 2; side++)
                    carom_block_lu_beside(lu, i, side)[4 * k] = -1.0;
        assert_true(carom_block_lu_factor(lu) == (time == 1));
    }
    static double x[3 * BLOCKS];
    x[3 * (BLOCKS - 1)] = 1.0; /* a force at the free end: everything moves by 1 + i */
    carom_block_lu_solve(lu, x);
    for (int i = 0; i < BLOCKS; i++)
        assert_near(x[3 * i], 1.0 + i, 1e-9 * BLOCKS);
    carom_block_lu_free(lu);
}

/* A grid of n x n blocks by minimum degrees: no more numbers than an order by nested dissection has, 31/8 n^2 log2(n)
 * blocks in L and as many in U (George 1973), with the zeros that panels may have. */
static void panels_have_little_fill(void **state)
{
    (void)state;
    enum {
        SIDE = 40
    };
    static int pair[2 * SIDE * SIDE][2];
    int pairs = 0;
    for (int i = 0; i < SIDE * SIDE; i++) {
        if (i % SIDE + 1 < SIDE)
            memcpy(pair[pairs++], (const int[2]){i, i + 1}, sizeof pair[0]);
        if (i + SIDE < SIDE * SIDE)
            memcpy(pair[pairs++], (const int[2]){i, i + SIDE}, sizeof pair[0]);
    }
    carom_block_lu *lu = carom_block_lu_create(3);
    assert_non_null(lu);
    assert_true(carom_block_lu_pattern(lu, SIDE * SIDE, pairs, (const int(*)[2])pair));
    const double most = 2.0 * 31.0 / 8.0 * SIDE * SIDE * log2(SIDE) * 9.0;
    assert_true((double)carom_block_lu_size(lu) < most);
    assert_true((double)carom_block_lu_size(lu) > 0.2 * most);
    carom_block_lu_free(lu);
}

/* Large enough for nested dissection: 30 x 30 x 4 nodes of hexahedra, whose factors have 3.6e5 blocks by minimum degrees. */
static void large_grids_are_dissected(void **state)
{
    (void)state;
    enum {
        SIDE = 30,
        NODES = SIDE * SIDE * 4
    };
    static int pair[13 * NODES][2];
    static double x[3 * NODES], b[3 * NODES];
    int pairs = 0;
    for (int i = 0; i < NODES; i++)
        for (int k = 14; k < 27; k++) {
            const int u = i % SIDE + k % 3 - 1, v = i / SIDE % SIDE + k / 3 % 3 - 1,
                      w = i / SIDE / SIDE + k / 9 - 1;
            if (u >= 0 && v >= 0 && u < SIDE && v < SIDE && w < 4)
                memcpy(pair[pairs++], (const int[2]){i, (w * SIDE + v) * SIDE + u}, sizeof pair[0]);
        }
    carom_block_lu *lu = carom_block_lu_create(3);
    assert_non_null(lu);
    assert_true(carom_block_lu_pattern(lu, NODES, pairs, (const int(*)[2])pair));
    assert_true((double)carom_block_lu_size(lu) < 2.0 * 9.0 * 3.3e5);
    carom_block_lu_clear(lu);
    carom_random random = {23};
    for (int i = 0; i < 3 * NODES; i++) {
        x[i] = carom_random_uniform(&random, -1.0, 1.0);
        carom_block_lu_diagonal(lu, i / 3)[4 * (i % 3)] = 30.0;
        b[i] = 30.0 * x[i];
    }
    for (int p = 0; p < pairs; p++)
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 9; k++) {
                const double value = carom_random_uniform(&random, -1.0, 1.0);
                carom_block_lu_beside(lu, p, side)[k] = value;
                b[3 * pair[p][side] + k / 3] += value * x[3 * pair[p][1 - side] + k % 3];
            }
    assert_true(carom_block_lu_factor(lu));
    carom_block_lu_solve(lu, b);
    assert_all_near(3 * NODES, b, x, 1e-12);
    carom_block_lu_free(lu);
}

static void nothing_is_solved_too(void **state)
{
    (void)state;
    carom_block_lu *lu = carom_block_lu_create(6);
    assert_non_null(lu);
    assert_true(carom_block_lu_pattern(lu, 0, 0, NULL));
    carom_block_lu_clear(lu);
    assert_true(carom_block_lu_factor(lu));
    carom_block_lu_solve(lu, NULL);
    carom_block_lu_free(lu);
    carom_block_lu_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_are_those_of_the_matrix), cmocka_unit_test(touched_rows_are_enough),
        cmocka_unit_test(the_past_does_not_matter),          cmocka_unit_test(singular_blocks_are_told),
        cmocka_unit_test(singular_panels_are_told),          cmocka_unit_test(panels_have_little_fill),
        cmocka_unit_test(large_grids_are_dissected),         cmocka_unit_test(nothing_is_solved_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
