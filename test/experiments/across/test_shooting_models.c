/* Shooting on model files: periodic motions with impacts, their multipliers and branches. References: the
 * table of an independent shooting program for the Duffing chain, closed forms for linear systems, and the
 * event-driven scheme, which finds impacts itself. */
#include "test/experiments/trial.h"

#include "carom/periodic.h"

static const char *const duffing = "local m = param { 'm', 0.5, min = 1e-9 }\n"
                                   "local k = param { 'k', 2, min = 0 }\n"
                                   "local eps = param { 'eps', 0 }\n"
                                   "local c = param { 'c', 0 }\n"
                                   "local a, b = coordinates('a', 'b')\n"
                                   "kinetic (m * (dot(a)^2 + dot(b)^2) / 2 + c * dot(a) * dot(b))\n"
                                   "potential (k * a^2 / 2 + k * (b - a)^2 / 2 + eps * (b - a)^4 / 4)\n"
                                   "contact { 'wall', gap = 1 - b, restitution = 1 }\n"
                                   "initial { a = 0, b = 0 }\n"
                                   "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";

enum {
    SIZE_MAX_TRIED = 4,
    IMPACTS_MAX = 3
};

typedef struct target {
    carom_experiment *experiment;
    carom_shooting *shooting;
    double q[2], v[2], flight[IMPACTS_MAX];
    carom_shot shot;
} target;

/* Takes the experiment's parameters with one of them changed. */
static void aim(target *self, const char *text, carom_shooting_problem problem, const char *name,
                double value)
{
    memset(self, 0, sizeof *self);
    self->experiment = trial_load(&(trial_request){.text = text});
    problem.model = self->experiment->model;
    if (name)
        self->experiment->parameter[carom_model_find_parameter(problem.model, name)] = value;
    problem.parameter = self->experiment->parameter;
    self->shot = (carom_shot){.q = self->q, .v = self->v, .flight = self->flight};
    carom_error error = {0};
    if (carom_shooting_create(&problem, &self->shooting, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static void release(target *self)
{
    carom_shooting_free(self->shooting);
    carom_experiment_free(self->experiment);
}

static int parameter(const target *self, const char *name)
{
    return carom_model_find_parameter(self->experiment->model, name);
}

static void solve(target *self)
{
    carom_error error = {0};
    if (carom_shooting_solve(self->shooting, &self->shot, &error) != CAROM_OK)
        fail_msg("%s", error.text);
}

static const int wall[IMPACTS_MAX] = {0, 0, 0};

static carom_shooting_problem one_wall(carom_shooting_kind kind, int impacts, double period)
{
    return (carom_shooting_problem){
        .kind = kind, .impacts = impacts, .contact = wall, .period = period, .frequency = -1};
}

/* From the closed form of the linear chain. */
static void guess_linear(target *self, double period, double c)
{
    const double mass[4] = {0.5, c, c, 0.5}, stiffness[4] = {4.0, -2.0, -2.0, 2.0}, w[2] = {0.0, -1.0};
    const carom_mode_system system = {2, mass, stiffness, w, 1.0};
    carom_mode_basis *basis = NULL;
    carom_mode *mode = NULL;
    carom_error error = {0};
    assert_int_equal(carom_mode_basis_create(&system, &basis, &error), CAROM_OK);
    assert_int_equal(carom_mode_one_impact(basis, period, &mode, &error), CAROM_OK);
    memcpy(self->q, mode->q, sizeof self->q);
    memcpy(self->v, mode->v, sizeof self->v);
    self->flight[0] = period;
    carom_mode_free(mode);
    carom_mode_basis_free(basis);
}

static double trace_of_square(int n, const double *matrix)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            sum += matrix[i * n + j] * matrix[j * n + i];
    return sum;
}

static double trace(int n, const double *matrix)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += matrix[i * n + i];
    return sum;
}

/* The event-driven scheme comes back after a period, and its derivative is similar to the product of
 * saltation matrices and flights. */
static void expect_verified(target *self, double tolerance)
{
    double product[SIZE_MAX_TRIED * SIZE_MAX_TRIED], quotient[SIZE_MAX_TRIED * SIZE_MAX_TRIED], away = NAN;
    const int n = 2 * self->experiment->model->dof;
    carom_error error = {0};
    if (carom_shooting_monodromy(self->shooting, &self->shot, product, &error) != CAROM_OK ||
        carom_shooting_verify(self->shooting, &self->shot, quotient, &away, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_near(away, 0.0, 1e-8);
    assert_near(trace(n, quotient), trace(n, product), tolerance);
    assert_near(trace_of_square(n, quotient), trace_of_square(n, product), 10.0 * tolerance);
}

/* ---- Duffing chain ------------------------------------------------------------------------------------ */

static void table_of_the_duffing_chain(void **state)
{
    (void)state;
    static const struct {
        double T, eps, u, v, energy;
    } row[] = {
        {4.4, 0.1, 0.747394662, -0.804081613, 0.784146839},
        {4.4, 0.5, 0.715926860, -0.770876222, 0.742625367},
        {4.4, 1.0, 0.691759071, -0.743564048, 0.714021798},
        {4.8, 1.0, 0.612137444, -0.267203958, 0.548656951},
        {3.6, 0.2, -0.331083967, -1.174395723, 2.383163470},
    };
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        target self;
        aim(&self, duffing, one_wall(CAROM_SHOOT_SYMMETRIC, 1, row[i].T), NULL, 0.0);
        guess_linear(&self, row[i].T, 0.0);
        carom_error error = {0};
        const int steps = row[i].T == 3.6 ? 8 : 4; /* from the closed form at eps = 0 */
        for (int k = 0; k <= steps; k++) {
            assert_int_equal(
                carom_shooting_set(self.shooting, parameter(&self, "eps"), row[i].eps * k / steps, &error),
                CAROM_OK);
            solve(&self);
        }
        assert_near(self.q[0], row[i].u, 2e-9);
        assert_near(self.q[1], 1.0, 1e-10);
        assert_near(self.v[1], row[i].v, 2e-9);
        assert_near(self.v[0], 0.0, 1e-10);
        assert_near(self.shot.energy, row[i].energy, 2e-9);
        assert_true(self.shot.admissible);
        if (i == 2)
            expect_verified(&self, 1e-6);
        release(&self);
    }
}

/* Without the symmetry, from the same guess: the same motion, and no damping. */
static void general_form_agrees(void **state)
{
    (void)state;
    target self;
    aim(&self, duffing, one_wall(CAROM_SHOOT_CONSERVATIVE, 1, 4.4), "eps", 0.1);
    guess_linear(&self, 4.4, 0.0);
    solve(&self);
    assert_near(self.q[0], 0.747394662, 2e-9);
    assert_near(self.v[1], -0.804081613, 2e-9);
    assert_near(self.shot.energy, 0.784146839, 2e-9);
    release(&self);
}

static void lost_path_says_so(void **state)
{
    (void)state;
    target self;
    aim(&self, duffing, one_wall(CAROM_SHOOT_SYMMETRIC, 1, 3.6), "eps", 0.5);
    guess_linear(&self, 3.6, 0.0);
    carom_error error = {0};
    assert_int_equal(carom_shooting_solve(self.shooting, &self.shot, &error), CAROM_FAILED);
    assert_non_null(strstr(error.text, "the Newton path is lost"));
    release(&self);
}

/* Why: over eps the branch at T = 3.6 turns back at eps = 0.2024 and ends where its impact vanishes. */
static void branch_that_turns_back(void **state)
{
    (void)state;
    target self;
    aim(&self, duffing, one_wall(CAROM_SHOOT_SYMMETRIC, 1, 3.6), NULL, 0.0);
    guess_linear(&self, 3.6, 0.0);
    carom_branch_options options = carom_branch_defaults();
    options.parameter_min = -0.2;
    options.parameter_max = 0.6;
    options.arclength.step = 0.05;
    carom_branch branch;
    carom_error error = {0};
    if (carom_shooting_follow(self.shooting, parameter(&self, "eps"), &self.shot, &options, &branch,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    int folds = 0;
    double fold = NAN;
    for (int i = 0; i < branch.count; i++)
        if (branch.point[i].fold) {
            folds++;
            fold = branch.point[i].parameter;
        }
    assert_int_equal(folds, 1);
    assert_true(fold > 0.2 && fold < 0.21);
    assert_string_equal(carom_branch_end_word(branch.end), "linear");
    carom_branch_free(&branch);
    release(&self);
}

/* ---- multipliers -------------------------------------------------------------------------------------- */

/* Linear chains with a diagonal and a full mass matrix: modal saltation, general saltation and differences of
 * the event-driven flow. */
static void multipliers_three_ways(void **state)
{
    (void)state;
    static const struct {
        double T, c, multiplier;
    } row[] = {{4.0, 0.0, 4.9920606}, {4.4, 0.0, 1.0}, {4.5, 0.1, NAN}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        target self;
        aim(&self, duffing, one_wall(CAROM_SHOOT_SYMMETRIC, 1, row[i].T), "c", row[i].c);
        guess_linear(&self, row[i].T, row[i].c);
        solve(&self);
        assert_true(self.shot.iterations <= 1);
        const double mass[4] = {0.5, row[i].c, row[i].c, 0.5}, stiffness[4] = {4.0, -2.0, -2.0, 2.0},
                     w[2] = {0.0, -1.0};
        const carom_mode_system system = {2, mass, stiffness, w, 1.0};
        carom_mode_basis *basis = NULL;
        carom_mode *mode = NULL;
        double real[4], imaginary[4], largest = NAN, quotient[16], away = NAN, differences = NAN, sum = 0.0;
        carom_error error = {0};
        assert_int_equal(carom_mode_basis_create(&system, &basis, &error), CAROM_OK);
        assert_int_equal(carom_mode_one_impact(basis, row[i].T, &mode, &error), CAROM_OK);
        assert_int_equal(carom_mode_multipliers(mode, real, imaginary, &largest, &error), CAROM_OK);
        if (carom_shooting_verify(self.shooting, &self.shot, quotient, &away, &error) != CAROM_OK)
            fail_msg("%s", error.text);
        assert_int_equal(carom_multipliers(4, quotient, NULL, NULL, &differences, &error), CAROM_OK);
        for (int k = 0; k < 4; k++)
            sum += real[k];
        assert_near(trace(4, quotient), sum, 1e-6);
        /* a double 1 is only as sharp as the root of the differences' error */
        assert_near(differences, largest, largest > 1.01 ? 1e-6 : 1e-3);
        if (!isnan(row[i].multiplier))
            assert_near(self.shot.multiplier, row[i].multiplier, 1e-6);
        expect_verified(&self, 1e-6);
        carom_mode_free(mode);
        carom_mode_basis_free(basis);
        release(&self);
    }
}

/* Two and three impacts of the linear chain, by the general form. */
static void several_impacts(void **state)
{
    (void)state;
    const double mass[4] = {0.5, 0.0, 0.0, 0.5}, stiffness[4] = {4.0, -2.0, -2.0, 2.0}, w[2] = {0.0, -1.0};
    const carom_mode_system system = {2, mass, stiffness, w, 1.0};
    carom_mode_basis *basis = NULL;
    carom_mode *mode[3] = {0};
    carom_error error = {0};
    const double guess[2] = {3.4246, 4.6554}, side = 0.7499073033;
    assert_int_equal(carom_mode_basis_create(&system, &basis, &error), CAROM_OK);
    assert_int_equal(carom_mode_impacts(basis, 8.08, 2, guess, &mode[0], &error), CAROM_OK);
    assert_int_equal(carom_mode_symmetric(basis, 3.99, 1, &side, &mode[1], &error), CAROM_OK);
    for (int i = 0; i < 2; i++) {
        target self;
        const int k = mode[i]->impacts;
        aim(&self, duffing, one_wall(CAROM_SHOOT_CONSERVATIVE, k, mode[i]->period), NULL, 0.0);
        memcpy(self.q, mode[i]->q, sizeof self.q);
        memcpy(self.v, mode[i]->v, sizeof self.v);
        memcpy(self.flight, mode[i]->flight, (size_t)k * sizeof(double));
        self.q[0] *= 1.0 + 1e-4; /* a guess, not the solution */
        self.v[1] *= 1.0 - 1e-4;
        solve(&self);
        assert_near(self.shot.energy, mode[i]->energy, 1e-8 * mode[i]->energy);
        for (int j = 0; j < k; j++)
            assert_near(self.flight[j], mode[i]->flight[j], 1e-8);
        assert_true(self.shot.admissible);
        double largest = NAN;
        assert_int_equal(carom_mode_multipliers(mode[i], NULL, NULL, &largest, &error), CAROM_OK);
        assert_near(self.shot.multiplier, largest, largest > 1.01 ? 1e-6 * largest : 1e-6);
        release(&self);
        carom_mode_free(mode[i]);
    }
    carom_mode_basis_free(basis);
}

/* ---- branches ----------------------------------------------------------------------------------------- */

/* Over the period of the linear chain: down from T = 4.4 to the junction at 3.9952583216, up to the linear
 * mode at 5.0832037, where the impact grazes. The stability changes on the way down. */
static void branch_over_the_period(void **state)
{
    (void)state;
    target self;
    aim(&self, duffing, one_wall(CAROM_SHOOT_SYMMETRIC, 1, 4.4), NULL, 0.0);
    carom_branch_options options = carom_branch_defaults();
    options.arclength.step = 0.05;
    options.arclength.step_max = 0.4;
    for (int way = 0; way < 2; way++) {
        carom_branch branch;
        carom_error error = {0};
        assert_int_equal(carom_shooting_set(self.shooting, CAROM_SHOOT_PERIOD, 4.4, &error), CAROM_OK);
        guess_linear(&self, 4.4, 0.0);
        options.arclength.direction = way == 0 ? -1.0 : 1.0;
        if (carom_shooting_follow(self.shooting, CAROM_SHOOT_PERIOD, &self.shot, &options, &branch, &error) !=
            CAROM_OK)
            fail_msg("%s", error.text);
        const carom_branch_point *last = &branch.point[branch.count - 1];
        assert_string_equal(carom_branch_end_word(branch.end), way == 0 ? "junction" : "linear");
        assert_near(last->period, way == 0 ? 3.9952583216 : 5.0832036923, 1e-6);
        int crossings = 0;
        for (int i = 0; i < branch.count; i++) {
            crossings += branch.point[i].crossing;
            assert_true(branch.point[i].admissible);
        }
        assert_true(way == 1 || crossings >= 1);
        carom_branch_free(&branch);
    }
    release(&self);
}

/* Over the cubic spring: through the values of the table. */
static void branch_over_a_parameter(void **state)
{
    (void)state;
    target self;
    aim(&self, duffing, one_wall(CAROM_SHOOT_CONSERVATIVE, 1, 4.4), NULL, 0.0);
    guess_linear(&self, 4.4, 0.0);
    carom_branch_options options = carom_branch_defaults();
    options.parameter_min = -0.1;
    options.parameter_max = 1.0;
    options.arclength.step = 0.1;
    options.arclength.step_max = 0.25;
    carom_branch branch;
    carom_error error = {0};
    if (carom_shooting_follow(self.shooting, parameter(&self, "eps"), &self.shot, &options, &branch,
                              &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_string_equal(carom_branch_end_word(branch.end), "range");
    assert_true(branch.count > 3 && branch.count < 40);
    /* the last point lies behind the range: back to its end */
    assert_int_equal(carom_shooting_set(self.shooting, parameter(&self, "eps"), 1.0, &error), CAROM_OK);
    solve(&self);
    assert_near(self.q[0], 0.691759071, 2e-9);
    assert_near(self.shot.energy, 0.714021798, 2e-9);
    carom_branch_free(&branch);
    release(&self);
}

/* ---- other kinds -------------------------------------------------------------------------------------- */

static const char *const forced = "local w = param { 'w', 2.8 }\n"
                                  "local d = param { 'd', 0.1 }\n"
                                  "local e = param { 'e', 0.8 }\n"
                                  "local A = param { 'A', 0 }\n"
                                  "local x = coordinates('x')\n"
                                  "kinetic (dot(x)^2 / 2)\n"
                                  "potential (x^2 / 2)\n"
                                  "force { x = cos(w * time()) - d * dot(x) }\n"
                                  "contact { 'stop', gap = x + A * cos(w * time()), restitution = e }\n"
                                  "initial { x = 1 }\n"
                                  "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";

/* A stop at the equilibrium, forced at w = 2.8: one impact per period of the force. det = e^2 exp(-d T)
 * exactly. */
static void forced_oscillator(void **state)
{
    (void)state;
    target self;
    aim(&self, forced, one_wall(CAROM_SHOOT_FORCED, 1, 1.0), NULL, 0.0);
    carom_shooting_free(self.shooting);
    carom_shooting_problem problem = one_wall(CAROM_SHOOT_FORCED, 1, 0.0);
    problem.model = self.experiment->model;
    problem.parameter = self.experiment->parameter;
    problem.frequency = parameter(&self, "w");
    problem.multiple = 1;
    carom_error error = {0};
    assert_int_equal(carom_shooting_create(&problem, &self.shooting, &error), CAROM_OK);
    self.v[0] = 1.0;
    self.flight[0] = 2.0;
    self.shot.t0 = -0.5;
    solve(&self);
    assert_true(self.shot.admissible);
    const double period = 2.0 * acos(-1.0) / 2.8;
    assert_near(self.shot.period, period, 1e-10);
    expect_verified(&self, 1e-6);
    double matrix[4];
    assert_int_equal(carom_shooting_monodromy(self.shooting, &self.shot, matrix, &error), CAROM_OK);
    assert_near(matrix[0] * matrix[3] - matrix[1] * matrix[2], 0.64 * exp(-0.1 * period), 1e-8);
    /* a stop that moves: the impact depends on time */
    assert_int_equal(carom_shooting_set(self.shooting, parameter(&self, "A"), 0.05, &error), CAROM_OK);
    solve(&self);
    expect_verified(&self, 1e-6);
    assert_int_equal(carom_shooting_set(self.shooting, parameter(&self, "A"), 0.0, &error), CAROM_OK);
    /* the stability is lost where the frequency falls, or the motion ends in another way that is named */
    carom_branch_options options = carom_branch_defaults();
    options.parameter_min = 2.2;
    options.parameter_max = 3.4;
    options.arclength.step = 0.05;
    carom_branch branch;
    if (carom_shooting_follow(self.shooting, parameter(&self, "w"), &self.shot, &options, &branch, &error) !=
        CAROM_OK)
        fail_msg("%s", error.text);
    for (int i = 0; i < branch.count; i++)
        assert_near(branch.point[i].period * branch.point[i].parameter, 2.0 * acos(-1.0), 1e-9);
    carom_branch_free(&branch);
    release(&self);
}

static const char *const self_excited = "local mu = param { 'mu', 0.5 }\n"
                                        "local x = coordinates('x')\n"
                                        "kinetic (dot(x)^2 / 2)\n"
                                        "potential (x^2 / 2)\n"
                                        "force { x = mu * (1 - x^2) * dot(x) }\n"
                                        "contact { 'stop', gap = 1 - x, restitution = 0.9 }\n"
                                        "initial { x = 0 }\n"
                                        "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n";

/* Van der Pol against a stop: the period is found, and one multiplier is 1. */
static void self_excited_oscillator(void **state)
{
    (void)state;
    target self;
    aim(&self, self_excited, one_wall(CAROM_SHOOT_AUTONOMOUS, 1, 0.0), NULL, 0.0);
    self.q[0] = 1.0;
    self.v[0] = -1.5;
    self.flight[0] = 4.5;
    solve(&self);
    assert_true(self.shot.admissible);
    expect_verified(&self, 1e-6);
    assert_near(self.shot.multiplier, 1.0, 1e-6);
    release(&self);
}

/* A mass that depends on the position: the energy is (1 + x^2) v^2 / 2 + x^2 / 2. */
static void varying_mass(void **state)
{
    (void)state;
    target self;
    aim(&self,
        "local x = coordinates('x')\n"
        "kinetic ((1 + x^2) * dot(x)^2 / 2)\n"
        "potential (x^2 / 2)\n"
        "contact { 'stop', gap = 1 - x, restitution = 1 }\n"
        "initial { x = 0 }\n"
        "integrate { scheme = 'event-driven', h = 0.1, until_t = 1 }\n",
        one_wall(CAROM_SHOOT_CONSERVATIVE, 1, 7.0), NULL, 0.0);
    self.q[0] = 1.0;
    self.v[0] = -0.3;
    self.flight[0] = 7.0;
    solve(&self);
    assert_true(self.shot.admissible);
    assert_near(self.shot.energy, self.v[0] * self.v[0] + 0.5, 1e-9);
    expect_verified(&self, 1e-6);
    release(&self);
}

static void bad_input(void **state)
{
    (void)state;
    carom_experiment *experiment = trial_load(&(trial_request){.text = forced});
    carom_shooting_problem problem = one_wall(CAROM_SHOOT_CONSERVATIVE, 1, 4.0);
    carom_shooting *shooting = NULL;
    carom_error error = {0};
    problem.model = experiment->model;
    problem.parameter = experiment->parameter;
    assert_int_equal(carom_shooting_create(&problem, &shooting, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "not conserved"));
    problem.kind = CAROM_SHOOT_FORCED;
    problem.period = -1.0;
    assert_int_equal(carom_shooting_create(&problem, &shooting, &error), CAROM_BAD_INPUT);
    problem.impacts = 0;
    assert_int_equal(carom_shooting_create(&problem, &shooting, &error), CAROM_BAD_INPUT);
    assert_null(shooting);
    carom_experiment_free(experiment);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table_of_the_duffing_chain),
        cmocka_unit_test(general_form_agrees),
        cmocka_unit_test(lost_path_says_so),
        cmocka_unit_test(branch_that_turns_back),
        cmocka_unit_test(multipliers_three_ways),
        cmocka_unit_test(several_impacts),
        cmocka_unit_test(branch_over_the_period),
        cmocka_unit_test(branch_over_a_parameter),
        cmocka_unit_test(forced_oscillator),
        cmocka_unit_test(self_excited_oscillator),
        cmocka_unit_test(varying_mass),
        cmocka_unit_test(bad_input),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
