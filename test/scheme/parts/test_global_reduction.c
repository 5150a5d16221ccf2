/* Contact problems through W: the same solutions as in the space of velocities, and which way is taken when. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "random_contacts.h"
#include "scheme/parts/global_reduction.h"

enum {
    SIDE = 8,
    DOF = SIDE * SIDE,
    CONTACTS = 10,
    ROWS = 3 * CONTACTS
};

/* A membrane of SIDE x SIDE nodes, each contact on three nodes. */
typedef struct fixture {
    carom_arena *arena;
    carom_model model;
    carom_contact_info info[CONTACTS];
    int column[CONTACTS][3];
    double entry[ROWS][3];
    carom_row row[ROWS];
    carom_sparse pattern;
    sparse_matrix A;
    global_contacts contacts;
    double v_free[DOF];
} fixture;

static void make_membrane(fixture *f)
{
    int row[5 * DOF], column[5 * DOF];
    double value[5 * DOF];
    size_t count = 0;
    for (int i = 0; i < DOF; i++)
        for (int j = 0; j < DOF; j++) {
            const int x = abs(i % SIDE - j % SIDE), y = abs(i / SIDE - j / SIDE);
            if (x + y > 1)
                continue;
            row[count] = i;
            column[count] = j;
            value[count++] = i == j ? 4.5 : -1.0;
        }
    assert_true(carom_sparse_take(f->arena, DOF, DOF, count, row, column, value, &f->pattern));
    assert_true(sparse_matrix_take(&f->A, f->arena, &f->pattern));
    memcpy(f->A.value, f->pattern.value, count * sizeof(double));
}

static void start(fixture *f, carom_random *random, int tangents, double mu)
{
    *f = (fixture){.arena = carom_arena_create()};
    f->model = (carom_model){.dof = DOF, .contacts = CONTACTS, .contact = f->info};
    make_membrane(f);
    for (int i = 0; i < DOF; i++)
        f->v_free[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int c = 0; c < CONTACTS; c++) {
        f->info[c] = (carom_contact_info){.tangents = tangents};
        for (int k = 0; k < 3; k++)
            f->column[c][k] = 6 * c + 2 * k;
        random_rows(random, &f->info[c], f->column[c], &f->entry[3 * c], &f->row[3 * c]);
    }
    assert_true(global_contacts_take(&f->contacts, f->arena, &f->model, &f->A));
    f->contacts.count = CONTACTS;
    for (int c = 0; c < CONTACTS; c++) {
        f->contacts.contact[c] = random_contact(random, tangents, mu, &f->row[3 * c]);
        f->contacts.contact[c].place = f->contacts.contact_place[c];
        f->contacts.contact[c].index = c;
    }
    if (tangents == 1) { /* friction forces among them */
        f->contacts.contact[3].has_normal = false;
        f->contacts.contact[3].normal = 0.05;
    }
}

static void end(fixture *f)
{
    global_contacts_free(&f->contacts);
    sparse_matrix_free(&f->A);
    carom_arena_free(f->arena);
}

/* The largest difference of velocities between the two ways. */
static double difference(fixture *f)
{
    double impulse[ROWS] = {0}, none[ROWS] = {0}, v[DOF], worst = 0.0;
    unsigned char regime[CONTACTS];
    global_reduction *reduction = f->contacts.reduction;
    f->contacts.reduction = NULL;
    const carom_solve_report report = global_contacts_solve(&f->contacts, f->v_free, v, impulse, regime);
    assert_int_equal(report.status, CAROM_OK);
    f->contacts.reduction = reduction;
    assert_true(global_reduction_solve(&f->contacts, f->v_free, none, 1e-12));
    for (int i = 0; i < DOF; i++)
        worst = fmax(worst, fabs(f->contacts.v[i] - v[i]));
    return worst;
}

static void both_ways_have_one_solution(void **unused)
{
    (void)unused;
    for (int trial = 0; trial < 60; trial++) {
        carom_random random = {.state = 90 + (uint64_t)trial};
        fixture f;
        start(&f, &random, trial % 3, trial % 3 > 0 ? 0.3 : 0.0);
        assert_true(global_reduction_take(&f.contacts, f.arena, &f.model, &f.A));
        assert_true(difference(&f) <= 1e-10);
        end(&f);
    }
}

/* Answers that are kept are those of the matrix and the rows as they are now. */
static void answers_follow_matrix_and_rows(void **unused)
{
    (void)unused;
    carom_random random = {.state = 3};
    fixture f;
    start(&f, &random, 2, 0.3);
    assert_true(global_reduction_take(&f.contacts, f.arena, &f.model, &f.A));
    assert_true(difference(&f) <= 1e-10);
    for (int i = 0; i < DOF; i++)
        f.A.value[carom_sparse_place(&f.A.pattern, i, i)] = 5.0 + 0.01 * i;
    assert_true(difference(&f) <= 1e-10);
    f.entry[4][1] += 0.5;
    assert_true(difference(&f) <= 1e-10);
    f.contacts.contact[2] = f.contacts.contact[7]; /* one contact fewer, in another order */
    f.contacts.count = 7;
    assert_true(difference(&f) <= 1e-10);
    for (int c = 0; c < CONTACTS; c++) /* without friction, then with it again */
        f.contacts.contact[c].tangents = 0;
    assert_true(difference(&f) <= 1e-10);
    f.entry[0][0] -= 0.1;
    f.entry[1][0] -= 0.1;
    for (int c = 0; c < CONTACTS; c++)
        f.contacts.contact[c].tangents = 2;
    assert_true(difference(&f) <= 1e-10);
    end(&f);
}

/* ---- the choice -------------------------------------------------------------------------------------------------- */

/* A chain of n masses: as many entries and operations as masses. */
static reduction_counts chain_of(int n, int contacts, int rows, bool constant)
{
    return (reduction_counts){.size = n,
                              .entries = 7.0 * n,
                              .flops = 16.0 * n,
                              .narrow = true,
                              .entries_of_A = 4.0 * n,
                              .contacts = contacts,
                              .rows = rows,
                              .passing_rows = constant ? 0 : rows};
}

static void chains_keep_their_way(void **unused)
{
    (void)unused;
    for (int n = 100; n <= 1000000; n *= 10) /* whose masses are at their walls, one in ten of them */
        for (int constant = 0; constant < 2; constant++) {
            const reduction_counts counts = chain_of(n, n / 10, n / 5, constant);
            assert_false(n >= 1000 && global_reduction_pays(&counts));
        }
    const reduction_counts few = chain_of(100000, 2, 4, false); /* two contacts need no factor of the chain */
    assert_true(global_reduction_pays(&few));
}

/* elastic/grid with 12 x 12 stops, elastic/block with 12 x 12 contacts on 12 x 12 x 3 nodes, as carom_sparse_factor_cost counts. */
static void plates_and_solids_go_through_W(void **unused)
{
    (void)unused;
    reduction_counts grid = {
        .size = 864, .entries = 63416, .flops = 3.36e6, .entries_of_A = 30372, .contacts = 144, .rows = 432};
    reduction_counts block = {.size = 1296,
                              .entries = 316860,
                              .flops = 5.29e7,
                              .entries_of_A = 312032,
                              .contacts = 144,
                              .rows = 432};
    assert_true(global_reduction_pays(&grid));
    assert_true(global_reduction_pays(&block));
    block.passing_rows = block.rows; /* a matrix that changes: still */
    assert_true(global_reduction_pays(&block));
    block.rows = block.passing_rows = 3000;
    block.contacts = 1000;
    assert_false(global_reduction_pays(&block));
}

static void memory_has_an_end(void **unused)
{
    (void)unused;
    reduction_counts counts = chain_of(10000000, 1001, 1001, true);
    assert_true(global_reduction_cost_of_W(&counts) == INFINITY);
    counts.contacts = counts.rows = 1000;
    assert_true(isfinite(global_reduction_cost_of_W(&counts)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways_have_one_solution), cmocka_unit_test(answers_follow_matrix_and_rows),
        cmocka_unit_test(chains_keep_their_way),       cmocka_unit_test(plates_and_solids_go_through_W),
        cmocka_unit_test(memory_has_an_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
