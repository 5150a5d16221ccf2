#include "test/scheme/models.h"

#include "scheme/parts/friction_assembly.h"

/* Three balls in a row on the floor: contact a has the rows of its own coordinates, 2 a (slip) and 2 a + 1
 * (gap); responses couple them. */
static void row_frame(const hand_model *hand, int contact, double t, const double *q,
                      carom_contact_frame *frame)
{
    (void)t;
    (void)q;
    for (int i = 0; i < hand->model.dof; i++) {
        frame->normal.value[i] = i == 2 * contact + 1 ? 1.0 : 0.0;
        frame->tangent[0].value[i] = i == 2 * contact ? 1.0 : 0.0;
    }
    frame->normal_rate = 0.5 * contact;
}

typedef struct fixture {
    hand_model hand;
    carom_arena *arena;
    contact_rows rows;
    friction_assembly assembly;
    carom_state state;
    double impulse[9];
    unsigned char regime[3];
} fixture;

static const int active[2] = {2, 0};
static const double velocity[6] = {3.0, -1.0, 0.0, 0.0, 0.25, -4.0};

/* Response i of row c of contact a: 100 a + 10 c + i, and a positive definite part. */
static void start(fixture *f)
{
    const double q[6] = {0.0};
    memset(f, 0, sizeof *f);
    hand_init(&f->hand, 6, 3);
    f->hand.frame = row_frame;
    f->arena = carom_arena_create();
    f->state = (carom_state){.impulse = f->impulse, .regime = f->regime};
    hand_friction(&f->hand, 0, 1, 0.8, 0.5);
    hand_friction(&f->hand, 1, 1, -1.0, 0.5);
    hand_friction(&f->hand, 2, 1, -1.0, 0.0);
    assert_true(contact_rows_take(&f->rows, f->arena, &f->hand.model, RESPONSES_FULL));
    for (int a = 0; a < 3; a++) {
        hand_frame(&f->hand.work, a, 0.0, q, &f->rows.frame[a]);
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < 6; i++)
                contact_response(&f->rows, a, c)->value[i] = 100.0 * a + 10.0 * c + i;
    }
    assert_true(friction_assembly_take(&f->assembly, f->arena, &f->hand.model, &f->rows, active));
    assert_int_equal(carom_solver_create(&carom_step_auto, &(carom_problem_shape){.size = 3}, NULL,
                                         &f->assembly.solver, NULL),
                     CAROM_OK);
}

static void problem_of_the_active_contacts(void **unused)
{
    (void)unused;
    fixture f;
    start(&f);
    f.regime[0] = CAROM_CONTACT_STICK;
    f.impulse[0] = 0.125;
    f.impulse[6] = 0.75;
    f.impulse[7] = 9.0; /* friction that the contact no longer has */
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(f.assembly.count, 2);
    assert_int_equal(f.assembly.tangents[0], 0); /* its coefficient is zero */
    assert_int_equal(f.assembly.tangents[1], 1);
    assert_near(f.assembly.set[1].b, 0.8, 0.0); /* static, as it was sticking */
    assert_near(f.assembly.u_free[0], -4.0 + 1.0, 0.0);
    assert_near(f.assembly.u_free[3], -1.0, 0.0);
    assert_near(f.assembly.u_free[4], 3.0, 0.0);
    assert_near(f.assembly.impulse[0], 0.75, 0.0);
    assert_near(f.assembly.impulse[1], 0.0, 0.0);
    assert_near(f.assembly.impulse[3], 0.125, 0.0);
    /* rows pick coordinate 5 (contact 2), coordinates 1 and 0 (contact 0) */
    const double *W = f.assembly.W;
    assert_near(W[0], 205.0, 0.0);
    assert_near(W[3], 5.0, 0.0);
    assert_near(W[4], 15.0, 0.0);
    assert_near(W[3 * 6], 201.0, 0.0);
    assert_near(W[4 * 6], 200.0, 0.0);
    assert_near(W[3 * 6 + 3], 1.0, 0.0);
    assert_near(W[3 * 6 + 4], 11.0, 0.0);
    assert_near(W[4 * 6 + 3], 0.0, 0.0);
    assert_near(W[4 * 6 + 4], 10.0, 0.0);
    friction_assembly_free(&f.assembly);
    carom_arena_free(f.arena);
}

/* Responses of unit masses: the contacts are separate. */
static void unit_responses(fixture *f)
{
    for (int a = 0; a < 3; a++)
        for (int c = 0; c < 2; c++)
            carom_row_spread(contact_row(&f->rows, a, c), 6, contact_response(&f->rows, a, c)->value);
}

static void solves_and_counts(void **unused)
{
    (void)unused;
    fixture f;
    carom_step_counts counts = {.steps = 4};
    start(&f);
    unit_responses(&f);
    f.assembly.target[1] = 1.0;
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(friction_assembly_solve(&f.assembly, 0.5, &counts, NULL), CAROM_OK);
    assert_near(f.assembly.impulse[0], 3.0, 1e-15);
    assert_near(f.assembly.impulse[3], 2.0, 1e-15);
    assert_near(f.assembly.impulse[4], -1.0, 1e-15); /* dynamic 0.5 */
    assert_int_equal(f.assembly.regime[1], CAROM_CONTACT_SLIP);
    assert_int_equal(counts.solver_iterations, 1); /* one sweep does for contacts that are separate */
    assert_false(f.assembly.unsolved);
    assert_true(counts.worst_solver_error <= 1e-15);
    friction_assembly_free(&f.assembly);
    carom_arena_free(f.arena);
}

/* The contact is named as the model names it, with time and step. */
static void failure_names_the_contact(void **unused)
{
    (void)unused;
    fixture f;
    carom_step_counts counts = {.steps = 4};
    carom_error error = {0};
    start(&f);
    unit_responses(&f);
    contact_response(&f.rows, 0, 1)->value[0] = -1.0;
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(friction_assembly_solve(&f.assembly, 0.5, &counts, &error), CAROM_FAILED);
    assert_mentions(&error, "t = 0.5, step 5: contact 'one'");
    assert_int_equal(counts.solver_iterations, 0);
    friction_assembly_free(&f.assembly);
    carom_arena_free(f.arena);
}

/* Two contacts that push each other ever harder. */
static void failure_to_converge(void **unused)
{
    (void)unused;
    fixture f;
    carom_step_counts counts = {.steps = 4};
    carom_error error = {0};
    start(&f);
    unit_responses(&f);
    contact_response(&f.rows, 0, 0)->value[5] = contact_response(&f.rows, 2, 0)->value[1] = -1.0;
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(friction_assembly_solve(&f.assembly, 0.5, &counts, &error), CAROM_FAILED);
    assert_mentions(&error, "t = 0.5, step 5: the impulses of 2 contacts did not converge");
    assert_mentions(&error, "another solver may do it");
    assert_true(counts.solver_iterations > 100);
    assert_true(counts.worst_solver_error > 1e-10);
    friction_assembly_free(&f.assembly);
    carom_arena_free(f.arena);
}

/* Sweeps that are cut off: what they leave is taken when it is not useless, and said. */
static void less_than_the_tolerance_is_taken(void **unused)
{
    (void)unused;
    fixture f;
    carom_step_counts counts = {.steps = 4};
    start(&f);
    unit_responses(&f);
    /* the normals of the two are coupled a little, so that one sweep is not enough */
    contact_response(&f.rows, 0, 0)->value[5] = contact_response(&f.rows, 2, 0)->value[1] = 1e-5;
    f.assembly.solver->limits.max_iterations = 1;
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(friction_assembly_solve(&f.assembly, 0.5, &counts, NULL), CAROM_OK);
    assert_true(f.assembly.unsolved == (counts.worst_solver_error > 1e-10));
    assert_true(f.assembly.unsolved && counts.worst_solver_error <= 1e-3);
    f.assembly.solver->limits.max_iterations = 1000;
    friction_assembly_fill(&f.assembly, 2, &f.state, velocity);
    assert_int_equal(friction_assembly_solve(&f.assembly, 0.5, &counts, NULL), CAROM_OK);
    assert_false(f.assembly.unsolved);
    friction_assembly_free(&f.assembly);
    carom_arena_free(f.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(problem_of_the_active_contacts),   cmocka_unit_test(solves_and_counts),
        cmocka_unit_test(failure_names_the_contact),        cmocka_unit_test(failure_to_converge),
        cmocka_unit_test(less_than_the_tolerance_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
