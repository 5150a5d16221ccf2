/* Periodic motions of a model made in C: one mass on a spring between two walls. With one impact per period T at
 * the right one
 *
 *   x = cos(t - T/2) / cos(T/2),   v after the impact = tan(T/2),   pi < T < 2 pi,
 *
 * while the left one is not reached, -1 / cos(T/2) < width. */
#include "test/periodic/two_walls.h"

#include <string.h>

static const double T = 5.0;

typedef struct searched {
    carom_model *model;
    carom_periodic_model *periodic;
    int contact[2];
    double phase[2];
    carom_find_request request;
    carom_found_orbit found;
} searched;

static double position(double t)
{
    return cos(t - 0.5 * T) / cos(0.5 * T);
}

static void prepare(searched *self, double width, int impacts, int first, int second)
{
    const double rest = 0.0, pushed = 3.0;
    carom_error error = {0};
    *self = (searched){.model = two_walls(), .contact = {first, second}};
    expect_ok(carom_periodic_model_create("two walls", self->model, &width, 0.0, &rest, &pushed,
                                          &self->periodic, &error),
              &error);
    self->request = (carom_find_request){
        .impacts = {.count = impacts, .contact = self->contact, .phase = self->phase}, .period = T};
    expect_ok(carom_impact_sequence_arrange(self->periodic, &self->request.impacts, &error), &error);
}

static void find(searched *self)
{
    carom_error error = {0};
    expect_ok(carom_find_orbit(self->periodic, &self->request, &self->found, &error), &error);
}

static void finish(searched *self)
{
    carom_found_orbit_free(&self->found);
    carom_periodic_model_free(self->periodic);
    carom_model_free(self->model);
}

/* As a pattern, and by shooting from both guesses. */
static void right_wall(void **state)
{
    (void)state;
    static const carom_guess guess[] = {CAROM_GUESS_ANY, CAROM_GUESS_LINEAR, CAROM_GUESS_RUN};
    static const char *const method[] = {"pattern", "shooting", "shooting"};
    for (int i = 0; i < 3; i++) {
        searched self;
        prepare(&self, 1.5, 1, 0, -1);
        self.request.guess = guess[i];
        find(&self);
        const carom_found_orbit *found = &self.found;
        assert_true(found->found && found->is_motion);
        assert_string_equal(found->verdict, "a motion");
        assert_string_equal(found->method, method[i]);
        assert_int_equal(found->impacts, 1);
        assert_near(found->q[0], 1.0, 1e-9);
        assert_near(found->v[0], tan(0.5 * T), 1e-9);
        assert_near(found->energy, 0.5 + 0.5 * tan(0.5 * T) * tan(0.5 * T), 1e-9);
        assert_near(found->impulse[0], -2.0 * tan(0.5 * T), 1e-9);
        assert_near(found->approach[0], -tan(0.5 * T), 1e-9);
        assert_near(found->flight[0], T, 1e-9);
        assert_near(found->margin, 1.5 + 1.0 / cos(0.5 * T), 1e-8); /* to the left wall, at T/2 */
        assert_int_equal(found->margin_contact, 1);
        assert_int_equal(found->multipliers, 2);
        assert_true(found->stable);
        finish(&self);
    }
}

static void samples_are_the_motion(void **state)
{
    (void)state;
    for (int shooting = 0; shooting < 2; shooting++) {
        searched self;
        prepare(&self, 1.5, 1, 0, -1);
        self.request.guess = shooting ? CAROM_GUESS_LINEAR : CAROM_GUESS_ANY;
        find(&self);
        assert_int_equal(self.found.rows, CAROM_FOUND_ROWS);
        for (int i = 0; i < self.found.rows; i++) {
            const double *row = self.found.row + (ptrdiff_t)3 * i;
            assert_near(row[0], T * i / (CAROM_FOUND_ROWS - 1), 1e-12);
            assert_near(row[1], position(row[0]), 1e-9);
            assert_near(row[2], -sin(row[0] - 0.5 * T) / cos(0.5 * T), 1e-9);
        }
        assert_near(self.found.middle[0], position(0.5 * T), 1e-9);
        finish(&self);
    }
}

/* Both walls, half a period apart: between them the mass passes from 1 to -width in T/2. */
static void both_walls(void **state)
{
    (void)state;
    searched self;
    prepare(&self, 1.1, 2, 0, 1);
    self.request.period = 1.0;
    find(&self);
    assert_string_equal(self.found.method, "pattern");
    assert_true(self.found.is_motion);
    assert_int_equal(self.found.rows, 2 * CAROM_FOUND_ROWS);
    assert_near(self.found.time[1], 0.5, 1e-15);
    assert_near(self.found.middle[0], self.found.row[(ptrdiff_t)3 * 120 + 1], 1e-12);
    /* x(t) = cos t + v sin t, x(1/2) = -1.1 */
    assert_near(self.found.v[0], (-1.1 - cos(0.5)) / sin(0.5), 1e-9);
    finish(&self);
}

static void what_is_no_motion_is_told(void **state)
{
    (void)state;
    searched self;
    prepare(&self, 1.1, 1, 0, -1);
    find(&self);
    assert_true(self.found.found && !self.found.is_motion);
    assert_non_null(strstr(self.found.verdict, "NOT a motion: 'left' penetrates by 0.148"));
    finish(&self);
}

static void it_comes_back(void **state)
{
    (void)state;
    searched self;
    carom_orbit_return verified;
    carom_error error = {0};
    prepare(&self, 1.5, 1, 0, -1);
    find(&self);
    expect_ok(carom_find_verify(self.periodic, &self.found, 20, 0.0, &verified, &error), &error);
    assert_int_equal(verified.done, 20);
    assert_true(!verified.leaves && verified.deviation[19] < 1e-8);
    carom_orbit_return_free(&verified);
    expect_ok(carom_find_verify(self.periodic, &self.found, 2, 0.5, &verified, &error), &error);
    assert_true(verified.leaves && verified.deviation[0] > 1e-2);
    carom_orbit_return_free(&verified);
    finish(&self);
}

/* The left wall comes near until it is touched, at width = -1 / cos(T/2): by shooting and by patterns. */
static void a_wall_comes_near(void **state)
{
    (void)state;
    for (int patterns = 0; patterns < 2; patterns++) {
        searched self;
        carom_branch branch = {0};
        carom_orbit_branch stretches = {0};
        carom_error error = {0};
        const carom_continue_request request = {.parameter = 0, .from = 1.5, .to = 1.0};
        prepare(&self, 1.5, 1, 0, -1);
        find(&self);
        expect_ok(carom_continue_check(self.periodic, &request, &self.request.impacts, &error), &error);
        if (patterns)
            expect_ok(carom_continue_pattern(self.periodic, &self.request, &request, 0, &branch, &stretches,
                                             &error),
                      &error);
        else
            expect_ok(carom_continue_orbit(self.periodic, &self.found, &request, &branch, &error), &error);
        assert_int_equal(branch.end, CAROM_END_JUNCTION);
        assert_true(branch.count > 2);
        const carom_branch_point *last = &branch.point[branch.count - 1];
        assert_near(last->parameter, -1.0 / cos(0.5 * T), 1e-8);
        for (int i = 0; i < branch.count; i++) {
            const double *unknown = branch.unknown + (ptrdiff_t)i * branch.width;
            assert_near(unknown[1], tan(0.5 * T), 1e-8);
            assert_near(unknown[2], T, 1e-9);
            assert_near(branch.point[i].gap, branch.point[i].parameter + 1.0 / cos(0.5 * T), 1e-7);
        }
        assert_near(self.periodic->parameter[0], 1.5, 0.0);
        assert_near(self.found.v[0], tan(0.5 * T), 1e-9); /* the start stays what it was */
        carom_branch_free(&branch);
        carom_orbit_branch_free(&stretches);
        finish(&self);
    }
}

static void fails(searched *self, carom_status status, const char *says)
{
    carom_error error = {0};
    carom_found_orbit found;
    assert_int_equal(carom_find_orbit(self->periodic, &self->request, &found, &error), status);
    assert_non_null(strstr(error.text, says));
    carom_found_orbit_free(&found);
}

static void bad_requests_are_refused(void **state)
{
    (void)state;
    const double two[] = {1.0, 1.0}, width = 1.5, nowhere = NAN, zero = 0.0;
    searched self;
    carom_error error = {0};
    prepare(&self, width, 1, 0, -1);
    self.request.flights = 2;
    self.request.flight = two;
    fails(&self, CAROM_BAD_INPUT, "2 flights are guessed for 1 impacts");
    self.request.flights = 0;
    self.request.period = 0.0;
    fails(&self, CAROM_BAD_INPUT, "period says after which time");
    self.request.period = -1.0;
    fails(&self, CAROM_BAD_INPUT, "a period above 0");
    carom_impact_sequence twice = {.count = 2, .contact = self.contact, .phase = self.phase, .given = true};
    self.contact[1] = self.contact[0];
    self.phase[0] = self.phase[1] = 0.5;
    assert_int_equal(carom_impact_sequence_arrange(self.periodic, &twice, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "'right' is struck twice at phase 0.5"));
    carom_periodic_model *made;
    assert_int_equal(carom_periodic_model_create("walls", self.model, &width, 0.0, NULL, NULL, &made, &error),
                     CAROM_BAD_INPUT);
    assert_null(made);
    assert_non_null(strstr(error.text, "give q0 and v0, 1 numbers each"));
    assert_int_equal(
        carom_periodic_model_create("walls", self.model, &width, 0.0, &nowhere, &zero, &made, &error),
        CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not finite"));
    finish(&self);
}

static void impacts_are_sorted(void **state)
{
    (void)state;
    searched self;
    carom_error error = {0};
    prepare(&self, 1.1, 2, 0, 1);
    carom_impact_sequence *impacts = &self.request.impacts;
    assert_true(carom_impact_is_pattern(impacts));
    impacts->given = true;
    self.phase[0] = 0.75;
    self.phase[1] = 0.25;
    expect_ok(carom_impact_sequence_arrange(self.periodic, impacts, &error), &error);
    assert_true(self.contact[0] == 1 && self.contact[1] == 0);
    assert_true(self.phase[0] == 0.0 && self.phase[1] == 0.5);
    self.phase[1] = 0.3;
    assert_false(carom_impact_is_pattern(impacts));
    finish(&self);
}

/* ---- what callers name by words ------------------------------------------------------------------------ */

static void impacts_from_words(void **state)
{
    (void)state;
    static const char *const good[] = {"left@0.75", "right@0.25"}, *const some[] = {"left@0.5", "right"};
    static const char *const outside[] = {"left@1"}, *const other[] = {"top"},
                             *const twice[] = {"left", "right", "left"};
    searched self;
    carom_error error = {0};
    prepare(&self, 1.1, 1, 0, -1);
    carom_arena *arena = carom_arena_create();
    carom_impact_sequence impacts;
    expect_ok(carom_impact_sequence_read(self.periodic, arena, 2, good, &impacts, &error), &error);
    assert_true(impacts.given && impacts.count == 2 && impacts.contact[0] == 0 && impacts.contact[1] == 1);
    assert_true(impacts.phase[0] == 0.0 && impacts.phase[1] == 0.5);
    expect_ok(carom_impact_sequence_read(self.periodic, arena, 3, twice, &impacts, &error), &error);
    assert_true(!impacts.given && impacts.phase[2] == 2.0 / 3.0);
    const struct {
        int count;
        const char *const *word;
        const char *says;
    } bad[] = {
        {2, some, "impacts: 1 of 2 impacts have a phase"},
        {1, outside, "impacts: 'left@1': after '@' stands the part of the period"},
        {1, other, "contact 'top' is not known"},
        {0, other, "impacts needs names of contacts"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        assert_int_equal(
            carom_impact_sequence_read(self.periodic, arena, bad[i].count, bad[i].word, &impacts, &error),
            CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, bad[i].says));
    }
    carom_arena_free(arena);
    finish(&self);
}

static void start_of_a_branch(void **state)
{
    (void)state;
    searched self;
    carom_error error = {0};
    int frequency = -1;
    carom_continue_names names = {.parameter = "width"};
    carom_continue_request request = {.from = 1.5, .to = 1.0};
    prepare(&self, 1.5, 1, 0, -1);
    expect_ok(
        carom_continue_start(self.periodic, &self.request, &names, &request, &frequency, &self.found, &error),
        &error);
    assert_true(request.parameter == 0 && !request.frequency && self.found.is_motion);
    carom_found_orbit_free(&self.found);
    names = (carom_continue_names){.parameter = "period", .frequency = "width"};
    expect_ok(
        carom_continue_start(self.periodic, &self.request, &names, &request, &frequency, &self.found, &error),
        &error);
    assert_true(request.parameter == CAROM_SHOOT_PERIOD && request.frequency == &frequency && frequency == 0);
    carom_found_orbit_free(&self.found);
    names = (carom_continue_names){.parameter = "height"};
    assert_int_equal(
        carom_continue_start(self.periodic, &self.request, &names, &request, &frequency, &self.found, &error),
        CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "'height' is no parameter of two walls"));
    finish(&self);
    prepare(&self, 1.1, 1, 0, -1); /* passes through the left wall */
    names.parameter = "width";
    assert_int_equal(
        carom_continue_start(self.periodic, &self.request, &names, &request, &frequency, &self.found, &error),
        CAROM_FAILED);
    assert_non_null(strstr(error.text, "at the start, width = 1.5: NOT a motion"));
    carom_found_orbit_free(&self.found);
    request.through = true;
    expect_ok(
        carom_continue_start(self.periodic, &self.request, &names, &request, &frequency, &self.found, &error),
        &error);
    finish(&self);
}

static void modes_are_of_one_contact(void **state)
{
    (void)state;
    searched self;
    carom_error error = {0};
    carom_mode_basis *basis;
    prepare(&self, 1.5, 1, 0, -1);
    assert_int_equal(carom_mode_basis_of(self.periodic, &basis, &error), CAROM_BAD_INPUT);
    assert_null(basis);
    assert_non_null(strstr(error.text, "two walls has 2 contacts, modes are of one"));
    finish(&self);
}

static bool stop_at_once(void *context, double done, double total)
{
    (void)done, (void)total;
    return ++*(int *)context < 3;
}

static void searches_are_interrupted(void **state)
{
    (void)state;
    searched self;
    carom_error error = {0};
    carom_orbit_return verified;
    int asked = 0;
    prepare(&self, 1.5, 1, 0, -1);
    find(&self);
    self.periodic->progress = (carom_progress){stop_at_once, &asked};
    assert_int_equal(carom_find_verify(self.periodic, &self.found, 20, 0.0, &verified, &error),
                     CAROM_INTERRUPTED);
    assert_int_equal(verified.done, 2);
    carom_orbit_return_free(&verified);
    carom_found_orbit_free(&self.found);
    asked = 0;
    self.request.guess = CAROM_GUESS_RUN;
    self.request.settle = 1e9;
    assert_int_equal(carom_find_orbit(self.periodic, &self.request, &self.found, &error), CAROM_INTERRUPTED);
    finish(&self);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_wall),
        cmocka_unit_test(samples_are_the_motion),
        cmocka_unit_test(both_walls),
        cmocka_unit_test(what_is_no_motion_is_told),
        cmocka_unit_test(it_comes_back),
        cmocka_unit_test(a_wall_comes_near),
        cmocka_unit_test(bad_requests_are_refused),
        cmocka_unit_test(impacts_are_sorted),
        cmocka_unit_test(impacts_from_words),
        cmocka_unit_test(start_of_a_branch),
        cmocka_unit_test(modes_are_of_one_contact),
        cmocka_unit_test(searches_are_interrupted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
