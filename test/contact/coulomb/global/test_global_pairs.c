/* Global problems of rigid bodies are seen as pairs, with the same W and q and the same solutions; others are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contact/coulomb/parts/global_pairs.h"
#include "test/contact/coulomb/pairs/sample_piles.h"
#include "test/near.h"

enum {
    ENTRIES = 12 * PILE_BODIES + 36 * PILE_CONTACTS
};

typedef struct entry_list {
    int count, row[ENTRIES], column[ENTRIES];
    double value[ENTRIES];
} entry_list;

/* A pile as a file would have it. */
typedef struct stored_pile {
    pile pile;
    carom_arena *arena;
    carom_coulomb_global global;
    entry_list M, H;
    double free[6 * PILE_BODIES], f[6 * PILE_BODIES], w[3 * PILE_CONTACTS], mu[PILE_CONTACTS];
} stored_pile;

static void add(entry_list *list, int row, int column, double value)
{
    list->row[list->count] = row;
    list->column[list->count] = column;
    list->value[list->count++] = value;
}

/* J from J^-1 by Gauss and Jordan. */
static void invert(const double a[9], double inverse[9])
{
    double room[3][6] = {{0.0}};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            room[i][k] = a[3 * i + k];
            room[i][3 + k] = i == k;
        }
    for (int p = 0; p < 3; p++)
        for (int i = 0; i < 3; i++) {
            const double factor = i == p ? 1.0 - 1.0 / room[p][p] : room[i][p] / room[p][p];
            for (int k = 5; k >= 0; k--)
                room[i][k] -= factor * room[p][k];
        }
    for (int i = 0; i < 9; i++)
        inverse[i] = room[i / 3][3 + i % 3];
}

static void store_body(stored_pile *s, int body)
{
    const pile *p = &s->pile;
    const int width = p->problem.plane ? 3 : 6, first = width * body;
    for (int k = 0; k < (p->problem.plane ? 2 : 3); k++)
        add(&s->M, first + k, first + k, 1.0 / p->inverse_mass[body]);
    if (p->problem.plane) {
        add(&s->M, first + 2, first + 2, 1.0 / p->inverse_inertia[body][8]);
        return;
    }
    double J[9];
    invert(p->inverse_inertia[body], J);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            add(&s->M, first + 3 + i, first + 3 + k, 0.5 * (J[3 * i + k] + J[3 * k + i]));
}

static void store_contact(stored_pile *s, int contact)
{
    const carom_pair_rows *row = &s->pile.row[contact];
    const bool plane = s->pile.problem.plane;
    const int d = plane ? 2 : 3, width = plane ? 3 : 6;
    s->mu[contact] = row->mu;
    for (int side = 0; side < 2; side++)
        for (int i = 0; row->body[side] >= 0 && i < d; i++) {
            const double sign = side == 0 ? 1.0 : -1.0;
            const int first = width * row->body[side], column = d * contact + i;
            for (int k = 0; k < d; k++) {
                add(&s->H, first + k, column, sign * row->direction[3 * i + k]);
                if (!plane)
                    add(&s->H, first + 3 + k, column, sign * row->turn[side][3 * i + k]);
            }
            if (plane)
                add(&s->H, first + 2, column, sign * row->turn[side][3 * i + 2]);
        }
}

/* f and w so that H^T M^-1 f + w = q. */
static void store(stored_pile *s, uint64_t seed, bool plane, int layers, double mu)
{
    memset(s, 0, sizeof *s);
    make_pile(&s->pile, seed, plane, layers, mu);
    const carom_pairs *problem = &s->pile.problem;
    const int d = plane ? 2 : 3, n = (plane ? 3 : 6) * problem->bodies, m = d * problem->contacts;
    for (int i = 0; i < problem->bodies; i++)
        store_body(s, i);
    for (int i = 0; i < problem->contacts; i++)
        store_contact(s, i);
    s->arena = carom_arena_create();
    s->global = (carom_coulomb_global){
        .dimension = d, .contacts = problem->contacts, .f = s->f, .w = s->w, .mu = s->mu};
    assert_true(carom_sparse_take(s->arena, n, n, (size_t)s->M.count, s->M.row, s->M.column, s->M.value,
                                  &s->global.M));
    assert_true(carom_sparse_take(s->arena, n, m, (size_t)s->H.count, s->H.row, s->H.column, s->H.value,
                                  &s->global.H));
    carom_random random = {seed + 1};
    for (int i = 0; i < n; i++)
        s->free[i] = carom_random_uniform(&random, -1.0, 1.0);
    carom_sparse_add(&s->global.M, s->free, s->f);
    carom_sparse_add_transposed(&s->global.H, s->free, s->w);
    for (int i = 0; i < m; i++)
        s->w[i] = s->pile.q[3 * (i / d) + i % d] - s->w[i];
}

static void test_the_parts_are_found_again(void **state)
{
    (void)state;
    static stored_pile s;
    for (int k = 0; k < 6; k++) {
        store(&s, 10 + (uint64_t)k, k % 2 == 0, 1 + k, 0.3);
        assert_true(global_pairs_suit(&s.global));
        global_pairs made;
        assert_int_equal(global_pairs_take(&s.global, 0, &made, NULL), CAROM_OK);
        const carom_pairs *pairs = &made.pairs, *wanted = &s.pile.problem;
        assert_int_equal(pairs->contacts, wanted->contacts);
        assert_int_equal(pairs->bodies, wanted->bodies);
        assert_true(pairs->plane == wanted->plane);
        double r[3 * PILE_CONTACTS], v[6 * PILE_BODIES], v_wanted[6 * PILE_BODIES];
        carom_random random = {99};
        for (int i = 0; i < 3 * pairs->contacts; i++) {
            r[i] = carom_random_uniform(&random, -1.0, 1.0);
            assert_near(pairs->q[i], wanted->plane && i % 3 == 2 ? 0.0 : wanted->q[i], 1e-12);
        }
        carom_pairs_motion(pairs, r, v);
        carom_pairs_motion(wanted, r, v_wanted);
        for (int i = 0; i < 6 * pairs->bodies; i++)
            assert_near(v[i], v_wanted[i], 1e-11);
        for (int i = 0; i < pairs->contacts; i++) {
            double u[3], u_wanted[3];
            carom_pairs_velocity(pairs, i, v, u);
            carom_pairs_velocity(wanted, i, v_wanted, u_wanted);
            for (int c = 0; c < (wanted->plane ? 2 : 3); c++)
                assert_near(u[c], u_wanted[c], 1e-11);
            assert_near(pairs->row[i].mu, 0.3, 0.0);
        }
        global_pairs_free(&made);
        carom_arena_free(s.arena);
    }
}

/* The error is that of the problem in its own units; the motion is M^-1 (H r + f). */
static void test_solutions_are_solutions(void **state)
{
    (void)state;
    static stored_pile s;
    static const double mu[] = {0.0, 0.2, 0.5};
    for (int k = 0; k < 12; k++) {
        store(&s, 40 + (uint64_t)k, k % 2 == 0, 2 + k, mu[k % 3]);
        static double r[3 * PILE_CONTACTS], v[6 * PILE_BODIES], left[6 * PILE_BODIES], u[3 * PILE_CONTACTS];
        memset(r, 0, sizeof r);
        carom_solve_report report;
        carom_error error = {0};
        const double tolerance = k < 6 ? 1e-8 : 1e-10;
        assert_int_equal(carom_coulomb_solve_global(&s.global,
                                                    &(carom_solver_options){.tolerance = tolerance}, v, r,
                                                    &report, &error),
                         CAROM_OK);
        assert_int_equal(report.word, CAROM_SOLVE_OK);
        carom_coulomb_summary summary;
        assert_int_equal(carom_coulomb_summarise_global(&s.global, r, u, NULL, &summary, &error), CAROM_OK);
        assert_true(summary.error <= tolerance);
        const int n = s.global.M.columns;
        memset(left, 0, sizeof left);
        carom_sparse_add(&s.global.H, r, left);
        for (int i = 0; i < n; i++)
            left[i] = -(left[i] + s.f[i]);
        carom_sparse_add(&s.global.M, v, left);
        for (int i = 0; i < n; i++)
            assert_near(left[i], 0.0, 1e-11);
        carom_arena_free(s.arena);
    }
}

/* Entry (row, column) of M or H, changed. */
static void test_others_do_not_suit(void **state)
{
    (void)state;
    static stored_pile s;
    const struct {
        bool of_M;
        int entry;
        double value;
    } change[] = {{true, 0, 1.01}, {true, 3, -1.0}, {true, 2, NAN}, {false, 0, 0.5}};
    for (size_t k = 0; k < sizeof change / sizeof *change; k++) {
        store(&s, 7, false, 2, 0.3);
        double *value = (double *)(change[k].of_M ? s.global.M.value : s.global.H.value);
        assert_true(global_pairs_suit(&s.global));
        value[change[k].entry] = change[k].value;
        assert_false(global_pairs_suit(&s.global));
        carom_arena_free(s.arena);
    }
    /* a contact with three bodies; two bodies that one entry of M couples */
    for (int k = 0; k < 2; k++) {
        store(&s, 7, true, 2, 0.3);
        entry_list *list = k == 0 ? &s.H : &s.M;
        add(list, 0, k == 0 ? 2 * (s.pile.problem.contacts - 1) : 5, 0.1);
        assert_true(carom_sparse_take(
            s.arena, s.global.M.rows, k == 0 ? s.global.H.columns : s.global.M.columns, (size_t)list->count,
            list->row, list->column, list->value, k == 0 ? &s.global.H : &s.global.M));
        assert_false(global_pairs_suit(&s.global));
        carom_arena_free(s.arena);
    }
}

/* A ball between two walls that both come nearer: nobody can solve this, and that is said. A start that is
 * a solution stays as it is, and so does what is told of it. */
typedef struct told_errors {
    int count;
    double error;
} told_errors;

static void take_error(void *context, int iteration, double error, double seconds)
{
    told_errors *told = context;
    (void)iteration;
    (void)seconds;
    told->count++;
    told->error = error;
}

static void test_walls_that_meet(void **state)
{
    (void)state;
    const double mass[6] = {2.0, 2.0, 2.0, 0.1, 0.1, 0.1}, f[6] = {0.0}, mu[2] = {0.3, 0.3};
    const double frame[6] = {1.0, 1.0, 1.0, -1.0, 1.0, -1.0}; /* n, t1, t2 of both contacts along x, y, z */
    double w[6] = {-1.0, 0.2, 0.0, -1.0, 0.0, 0.0}, r[6] = {0.0}, v[6], again[6];
    const int place[6] = {0, 1, 2, 3, 4, 5}, along[6] = {0, 1, 2, 0, 1, 2};
    carom_arena *arena = carom_arena_create();
    carom_coulomb_global global = {.dimension = 3, .contacts = 2, .f = f, .w = w, .mu = mu};
    carom_solve_report report;
    carom_error error = {0};
    told_errors told = {0};
    const carom_solver_options options = {.report = take_error, .context = &told};
    assert_true(carom_sparse_take(arena, 6, 6, 6, place, place, mass, &global.M));
    assert_true(carom_sparse_take(arena, 6, 6, 6, along, place, frame, &global.H));
    assert_true(global_pairs_suit(&global));
    assert_int_equal(carom_coulomb_solve_global(&global, NULL, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.status, CAROM_FAILED);
    w[3] = 1.5; /* the second one goes away, faster than the first one comes */
    memset(r, 0, sizeof r);
    assert_int_equal(carom_coulomb_solve_global(&global, &options, v, r, &report, &error), CAROM_OK);
    assert_int_equal(report.word, CAROM_SOLVE_OK);
    assert_true(told.count >= 2 && told.error <= 1e-8);
    assert_true(fabs(v[0] - (r[0] - r[3]) / 2.0) < 1e-14);
    memcpy(again, r, sizeof again);
    assert_int_equal(carom_coulomb_solve_global(&global, NULL, v, again, &report, &error), CAROM_OK);
    assert_int_equal(report.iterations, 0);
    assert_memory_equal(again, r, sizeof r);
    carom_arena_free(arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_parts_are_found_again),
        cmocka_unit_test(test_solutions_are_solutions),
        cmocka_unit_test(test_others_do_not_suit),
        cmocka_unit_test(test_walls_that_meet),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
