#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "carom/contact.h"
#include "random_contacts.h"

enum {
    DOF = 12,
    CONTACTS = 5,
    ROWS = 3 * CONTACTS
};

/* A random system: A tridiagonal and positive definite, each contact on three coordinates of its own and of neighbours. */
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
    double full[DOF * DOF]; /* A, then its factor */
    int pivot[DOF];
    double v_free[DOF], W[ROWS * ROWS], u_free[ROWS];
} fixture;

static void start(fixture *f, carom_random *random, int tangents, double mu)
{
    int row[3 * DOF], column[3 * DOF];
    double value[3 * DOF];
    size_t count = 0;
    *f = (fixture){.arena = carom_arena_create()};
    f->model = (carom_model){.dof = DOF, .contacts = CONTACTS, .contact = f->info};
    for (int i = 0; i < DOF; i++)
        for (int j = i > 0 ? i - 1 : 0; j <= i + 1 && j < DOF; j++) {
            row[count] = i;
            column[count] = j;
            value[count++] = i == j ? 3.0 + 0.1 * i : -1.0;
            f->full[i * DOF + j] = value[count - 1];
        }
    assert_true(carom_sparse_take(f->arena, DOF, DOF, count, row, column, value, &f->pattern));
    assert_true(sparse_matrix_take(&f->A, f->arena, &f->pattern));
    memcpy(f->A.value, f->pattern.value, count * sizeof(double));
    for (int i = 0; i < DOF; i++)
        f->v_free[i] = carom_random_uniform(random, -1.0, 1.0);
    for (int c = 0; c < CONTACTS; c++) {
        f->info[c] = (carom_contact_info){.tangents = tangents};
        for (int k = 0; k < 3; k++)
            f->column[c][k] = 2 * c + k;
        random_rows(random, &f->info[c], f->column[c], &f->entry[3 * c], &f->row[3 * c]);
    }
    assert_true(global_contacts_take(&f->contacts, f->arena, &f->model, &f->A));
    f->contacts.count = CONTACTS;
    for (int c = 0; c < CONTACTS; c++) {
        f->contacts.contact[c] = random_contact(random, tangents, mu, &f->row[3 * c]);
        f->contacts.contact[c].place = f->contacts.contact_place[c];
    }
}

/* W = H A^-1 H^T and the free velocities, full. */
static void fill_problem(fixture *f)
{
    assert_int_equal(carom_lu_factor(DOF, f->full, f->pivot), 0);
    for (int b = 0; b < ROWS; b++) {
        const global_contact *contact = &f->contacts.contact[b / 3];
        double response[DOF];
        if (b % 3 > contact->tangents)
            continue;
        carom_row_spread(contact->row[b % 3], DOF, response);
        carom_lu_solve(DOF, f->full, f->pivot, response);
        for (int a = 0; a < ROWS; a++)
            if (a % 3 <= f->contacts.contact[a / 3].tangents)
                f->W[a * ROWS + b] = carom_row_dot(f->contacts.contact[a / 3].row[a % 3], response);
        f->u_free[b] = carom_row_dot(contact->row[b % 3], f->v_free) + contact->rate[b % 3];
    }
}

/* Laws by the error of the problem of a step, which knows nothing of this solver; the motion by the full matrix. */
static void solutions_obey_the_laws(void **unused)
{
    (void)unused;
    int pressed = 0, sticking = 0, slipping = 0;
    for (int trial = 0; trial < 300; trial++) {
        carom_random random = {.state = 70 + (uint64_t)trial};
        const int tangents = trial % 3;
        fixture f;
        start(&f, &random, tangents, tangents > 0 ? 0.3 : 0.0);
        fill_problem(&f);
        double impulse[ROWS] = {0}, v[DOF], motion[DOF];
        unsigned char regime[CONTACTS];
        const carom_solve_report report = global_contacts_solve(&f.contacts, f.v_free, v, impulse, regime);
        assert_int_equal(report.status, CAROM_OK);
        int tangents_of[CONTACTS];
        double target[CONTACTS];
        carom_planar_set set[CONTACTS];
        for (int c = 0; c < CONTACTS; c++) {
            tangents_of[c] = f.contacts.contact[c].tangents;
            target[c] = f.contacts.contact[c].target;
            set[c] = f.contacts.contact[c].set;
            pressed += impulse[3 * c] > 0.0;
            sticking += regime[c] == CAROM_CONTACT_STICK;
            slipping += tangents_of[c] > 0 && regime[c] == CAROM_CONTACT_SLIP;
            assert_int_equal(regime[c] == CAROM_CONTACT_OPEN, impulse[3 * c] == 0.0);
        }
        const carom_friction_problem problem = {CONTACTS, tangents_of, target, set, f.W, f.u_free};
        assert_true(carom_friction_problem_error(&problem, impulse) <= 1e-10);
        memset(motion, 0, sizeof motion);
        for (int c = 0; c < CONTACTS; c++)
            for (int k = 0; k <= tangents_of[c]; k++)
                carom_row_add(f.contacts.contact[c].row[k], impulse[3 * c + k], motion);
        carom_lu_solve(DOF, f.full, f.pivot, motion);
        for (int i = 0; i < DOF; i++)
            assert_true(fabs(f.v_free[i] + motion[i] - v[i]) <= 1e-11);
        global_contacts_free(&f.contacts);
        sparse_matrix_free(&f.A);
        carom_arena_free(f.arena);
    }
    assert_true(pressed > 300 && sticking > 50 && slipping > 50);
}

/* A friction force has the bound that it is told, whatever presses. */
static void a_friction_force_stays_in_its_bound(void **unused)
{
    (void)unused;
    carom_random random = {.state = 5};
    fixture f;
    start(&f, &random, 1, 1.0);
    for (int c = 0; c < CONTACTS; c++) {
        f.contacts.contact[c].has_normal = false;
        f.contacts.contact[c].normal = 0.05;
    }
    double impulse[ROWS] = {0}, v[DOF];
    unsigned char regime[CONTACTS];
    const carom_solve_report report = global_contacts_solve(&f.contacts, f.v_free, v, impulse, regime);
    assert_int_equal(report.status, CAROM_OK);
    for (int c = 0; c < CONTACTS; c++) {
        const double slip = carom_row_dot(f.contacts.contact[c].row[1], v) + f.contacts.contact[c].rate[1];
        assert_true(fabs(impulse[3 * c + 1]) <= 0.05);
        if (regime[c] == CAROM_CONTACT_STICK)
            assert_true(fabs(slip) <= 1e-12);
        else
            assert_true(impulse[3 * c + 1] == (slip > 0.0 ? -0.05 : 0.05));
    }
    global_contacts_free(&f.contacts);
    carom_arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(solutions_obey_the_laws),
        cmocka_unit_test(a_friction_force_stays_in_its_bound),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
