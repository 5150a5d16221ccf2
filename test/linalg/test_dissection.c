/* Orders of elimination by nested dissection, and the separators that they are made of. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/base.h"
#include "linalg/dissection.h"
#include "linalg/separator.h"
#include "test/near.h"

typedef struct lists {
    int rows, start[20001];
    int column[200000];
} lists;

static lists pattern;

/* A box of points; neighbours differ by at most 1 in every direction, and by `reach` in their sum. */
static void make_box(int nx, int ny, int nz, int reach)
{
    int end = 0;
    pattern.rows = nx * ny * nz;
    for (int i = 0; i < pattern.rows; i++) {
        const int at[3] = {i % nx, i / nx % ny, i / nx / ny};
        pattern.start[i] = end;
        for (int k = 0; k < 27; k++) {
            const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const int x = at[0] + step[0], y = at[1] + step[1], z = at[2] + step[2];
            const int way = abs(step[0]) + abs(step[1]) + abs(step[2]);
            if (way > 0 && way <= reach && x >= 0 && y >= 0 && z >= 0 && x < nx && y < ny && z < nz)
                pattern.column[end++] = (z * ny + y) * nx + x;
        }
    }
    pattern.start[pattern.rows] = end;
}

/* Entries of L below the diagonal when rows are eliminated one after the other. */
static double count_fill(const int *order)
{
    static int place[20000], parent[20000], mark[20000];
    double fill = 0.0;
    for (int i = 0; i < pattern.rows; i++)
        place[order[i]] = i;
    for (int i = 0; i < pattern.rows; i++) {
        parent[i] = -1;
        mark[i] = i;
        for (int k = pattern.start[order[i]]; k < pattern.start[order[i] + 1]; k++)
            for (int j = place[pattern.column[k]]; j < i && mark[j] != i; j = parent[j]) {
                if (parent[j] < 0)
                    parent[j] = i;
                mark[j] = i;
                fill++;
            }
    }
    return fill;
}

static double fill_of_dissection(void)
{
    static int order[20000], seen[20000];
    assert_true(carom_dissect(pattern.rows, pattern.start, pattern.column, order));
    memset(seen, 0, sizeof seen);
    for (int i = 0; i < pattern.rows; i++) {
        assert_in_range(order[i], 0, pattern.rows - 1);
        assert_int_equal(seen[order[i]]++, 0);
    }
    return count_fill(order);
}

/* George 1973: 31/4 n^2 log2 n and terms of n^2 for n x n points with eight neighbours; row by row it is n^3. */
static void squares_have_little_fill(void **state)
{
    (void)state;
    for (int n = 20; n <= 120; n += 50) {
        make_box(n, n, 1, 2);
        assert_true(fill_of_dissection() < 31.0 / 4.0 * n * n * log2(n));
    }
}

/* A path takes n - 1 entries in its own order, and never much more. */
static void lines_have_nearly_none(void **state)
{
    (void)state;
    make_box(3000, 1, 1, 1);
    assert_in_range((int)fill_of_dissection(), 2999, 2 * 3000);
}

static void odd_graphs_have_an_order(void **state)
{
    (void)state;
    pattern.rows = 0; /* none */
    pattern.start[0] = 0;
    assert_near(fill_of_dissection(), 0.0, 0.0);
    pattern.rows = 5000; /* no edges */
    memset(pattern.start, 0, sizeof pattern.start);
    assert_near(fill_of_dissection(), 0.0, 0.0);
    pattern.rows = 3001; /* a star: nothing can be matched */
    for (int k = 0; k < 3000; k++)
        pattern.column[k] = k + 1;
    for (int i = 1; i <= 3001; i++)
        pattern.start[i] = 2999 + i;
    for (int k = 3000; k < 6000; k++)
        pattern.column[k] = 0;
    assert_near(fill_of_dissection(), 3000.0, 0.0);
    pattern.rows = 300; /* all with all: there is no separator */
    for (int i = 0, end = 0; i < 300; i++) {
        pattern.start[i] = end;
        for (int j = 0; j < 300; j++)
            if (j != i)
                pattern.column[end++] = j;
        pattern.start[i + 1] = end;
    }
    assert_near(fill_of_dissection(), 300.0 * 299.0 / 2.0, 0.0);
}

/* Two parts without an edge between them, neither much larger than half; returns the separator's weight. */
static int check_separator(void)
{
    static int side[20000];
    graph g;
    int count[3] = {0};
    assert_true(graph_take(&g, pattern.rows, pattern.start[pattern.rows]));
    memcpy(g.start, pattern.start, ((size_t)pattern.rows + 1) * sizeof *g.start);
    memcpy(g.neighbour, pattern.column, (size_t)pattern.start[pattern.rows] * sizeof *g.neighbour);
    for (int v = 0; v < pattern.rows; v++)
        g.weight[v] = 1;
    for (int k = 0; k < pattern.start[pattern.rows]; k++)
        g.edge_weight[k] = 1;
    assert_true(graph_separate(&g, side));
    for (int v = 0; v < pattern.rows; v++) {
        assert_in_range(side[v], PART_ONE, SEPARATOR);
        count[side[v]]++;
        for (int k = g.start[v]; side[v] != SEPARATOR && k < g.start[v + 1]; k++)
            assert_true(side[g.neighbour[k]] == side[v] || side[g.neighbour[k]] == SEPARATOR);
    }
    graph_free(&g);
    assert_true(count[PART_ONE] <= 0.6 * pattern.rows && count[PART_TWO] <= 0.6 * pattern.rows);
    return count[SEPARATOR];
}

/* The smallest ones are planes across: 1, 12 and 5 x 4 points. Refinement finds some half as large again at worst. */
static void separators_are_small(void **state)
{
    (void)state;
    make_box(2000, 1, 1, 1);
    assert_in_range(check_separator(), 1, 1);
    make_box(150, 12, 1, 3);
    assert_in_range(check_separator(), 12, 18);
    make_box(60, 5, 4, 3);
    assert_in_range(check_separator(), 20, 30);
}

/* Two graphs side by side need none. */
static void parts_that_are_apart_need_no_separator(void **state)
{
    (void)state;
    make_box(20, 20, 2, 1);
    int end = 0;
    for (int i = 0; i < pattern.rows; i++) {
        const int first = pattern.start[i], last = pattern.start[i + 1];
        pattern.start[i] = end;
        for (int k = first; k < last; k++)
            if (pattern.column[k] / 400 == i / 400)
                pattern.column[end++] = pattern.column[k];
    }
    pattern.start[pattern.rows] = end;
    assert_in_range(check_separator(), 0, 12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(squares_have_little_fill),
        cmocka_unit_test(lines_have_nearly_none),
        cmocka_unit_test(odd_graphs_have_an_order),
        cmocka_unit_test(separators_are_small),
        cmocka_unit_test(parts_that_are_apart_need_no_separator),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
