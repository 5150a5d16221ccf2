/* Branches of driven motions: special points against known values, what branches off, and loci over two parameters. */
#include "test/periodic/shooting/impact_oscillator.h"

#include <string.h>

typedef struct followed {
    carom_model *model;
    carom_periodic_model *periodic;
    carom_found_orbit start;
    carom_continue_request request;
    carom_branch branch;
    int contact;
    double phase;
} followed;

static void begin(followed *self, carom_model *model, const double *parameter, double q0, int impacts,
                  int periods, int over, double to)
{
    carom_error error = {0};
    const double v0 = 0.0;
    *self = (followed){.model = model};
    expect_done(
        carom_periodic_model_create("driven", model, parameter, 0.0, &q0, &v0, &self->periodic, &error),
        &error);
    const carom_find_request find = {
        .impacts = {.count = impacts, .contact = &self->contact, .phase = &self->phase}, .periods = periods};
    expect_done(carom_find_orbit(self->periodic, &find, &self->start, &error), &error);
    assert_true(self->start.is_motion);
    self->request = (carom_continue_request){.parameter = over, .from = parameter[over], .to = to};
    expect_done(carom_continue_orbit(self->periodic, &self->start, &self->request, &self->branch, &error),
                &error);
}

static void end(followed *self)
{
    carom_branch_free(&self->branch);
    carom_found_orbit_free(&self->start);
    carom_periodic_model_free(self->periodic);
    carom_model_free(self->model);
}

/* The k-th special point of a kind, from 0; -1: there are not so many. */
static int special(const carom_branch *branch, carom_special kind, int k)
{
    for (int i = 0; i < branch->count; i++)
        if (branch->point[i].special == kind && k-- == 0)
            return i;
    return -1;
}

static void flips_of_the_impact_oscillator(void **state)
{
    (void)state;
    static const struct {
        double e, c, from, to;
        int n;
        double flip;
    } row[] = {{0.8, 0.05, 2.5, 2.8, 1, 2.65617730},
               {0.7, 0.1, 2.5, 2.8, 1, 2.66318998},
               {0.8, 0.05, 3.6, 3.2, 2, 3.34794041}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        followed self;
        begin(&self, impact_oscillator(), (double[]){row[i].from, row[i].e, row[i].c, 0.0}, 0.5, 1, row[i].n,
              PAR_W, row[i].to);
        const int at = special(&self.branch, CAROM_SPECIAL_FLIP, 0);
        assert_true(at > 0);
        const carom_branch_point *point = &self.branch.point[at];
        assert_near(point->parameter, row[i].flip, 6e-9);
        assert_near(point->real, -1.0, 1e-9);
        assert_true(point->crossing && point->stable);
        assert_int_equal(special(&self.branch, CAROM_SPECIAL_FLIP, 1), -1);
        end(&self);
    }
}

/* Behind a flip: twice the period, and half of the impacts are those of the motion that has lost its stability. */
static void a_flip_gives_twice_the_period(void **state)
{
    (void)state;
    followed self;
    carom_branch doubled = {0};
    carom_error error = {0};
    begin(&self, impact_oscillator(), (double[]){2.5, 0.8, 0.05, 0.0}, 0.5, 1, 1, PAR_W, 2.72);
    const int at = special(&self.branch, CAROM_SPECIAL_FLIP, 0);
    expect_done(carom_continue_switch(self.periodic, &self.start, &self.branch, 1, at, &self.request,
                                      &doubled, &error),
                &error);
    assert_true(doubled.count > 5);
    assert_near(doubled.point[0].parameter, self.branch.point[at].parameter, 1e-12);
    for (int i = 1; i < doubled.count; i++) {
        const double *unknown = doubled.unknown + (size_t)i * (size_t)doubled.width;
        const double period = 4.0 * CAROM_PI / doubled.point[i].parameter;
        assert_int_equal(doubled.point[i].impacts, 2);
        assert_near(doubled.point[i].period, period, 1e-10);
        assert_near(unknown[2] + unknown[3], period, 1e-10);
        assert_true(fabs(unknown[2] - unknown[3]) >
                    1e-3); /* one long flight and one short: it is not the old motion */
        assert_true(doubled.point[i].admissible);
    }
    assert_true(doubled.point[2].stable);
    carom_branch_free(&doubled);
    assert_int_equal(carom_continue_switch(self.periodic, &self.start, &self.branch, 1, 0, &self.request,
                                           &doubled, &error),
                     CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "a flip or a branch point"));
    end(&self);
}

/* The flip over w and e: at e = 0.7, c = 0.05 a branch of its own has it at the same place. */
static void a_flip_over_two_parameters(void **state)
{
    (void)state;
    followed self, other;
    carom_branch locus = {0};
    carom_error error = {0};
    begin(&self, impact_oscillator(), (double[]){2.5, 0.8, 0.05, 0.0}, 0.5, 1, 1, PAR_W, 2.8);
    const int at = special(&self.branch, CAROM_SPECIAL_FLIP, 0);
    expect_done(carom_continue_locus(self.periodic, &self.start, &self.branch, at, &self.request, PAR_E, 0.7,
                                     &locus, &error),
                &error);
    assert_int_equal(locus.end, CAROM_END_OF_RANGE);
    for (int i = 5; i < locus.count; i += 8) {
        const carom_branch_point *point = &locus.point[i];
        begin(&other, impact_oscillator(), (double[]){2.5, point->parameter, 0.05, 0.0}, 0.5, 1, 1, PAR_W,
              2.8);
        const int there = special(&other.branch, CAROM_SPECIAL_FLIP, 0);
        assert_true(there > 0);
        assert_near(point->other, other.branch.point[there].parameter, 1e-8);
        end(&other);
    }
    carom_branch_free(&locus);
    assert_int_equal(carom_continue_locus(self.periodic, &self.start, &self.branch, at, &self.request, PAR_W,
                                          3.0, &locus, &error),
                     CAROM_BAD_INPUT);
    end(&self);
}

/* A wall that a linear oscillator touches where its amplitude, 1 / sqrt((1 - w^2)^2 + c^2 w^2), is -s. */
static void grazing_of_the_motion_without_impacts(void **state)
{
    (void)state;
    const double c = 0.1, s = -0.5;
    followed self;
    carom_branch locus = {0};
    carom_error error = {0};
    begin(&self, impact_oscillator(), (double[]){2.2, 0.8, c, s}, 0.0, 0, 1, PAR_W, 1.2);
    const int at = special(&self.branch, CAROM_SPECIAL_GRAZING, 0);
    assert_true(at > 0);
    assert_int_equal(self.branch.end, CAROM_END_JUNCTION);
    const double w = self.branch.point[at].parameter;
    assert_near(1.0 / hypot(1.0 - w * w, c * w), -s, 1e-8);
    expect_done(carom_continue_locus(self.periodic, &self.start, &self.branch, at, &self.request, PAR_S, -1.0,
                                     &locus, &error),
                &error);
    assert_int_equal(locus.end, CAROM_END_OF_RANGE);
    for (int i = 0; i < locus.count; i++) {
        const double there = locus.point[i].other;
        assert_near(1.0 / hypot(1.0 - there * there, c * there), -locus.point[i].parameter, 1e-8);
    }
    carom_branch_free(&locus);
    end(&self);
}

enum {
    DUFFING_W,
    DUFFING_F
};

/* x'' + d x' + a x + x^3 = F cos(w t) */
static carom_model *duffing(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "w", 0.5);
    carom_build_parameter(b, "F", 0.3);
    carom_build_parameter(b, "d", 0.1);
    carom_build_parameter(b, "a", 1.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_force(b, x, carom_build_formula(b, "F*cos(w*t) - d*dot(x) - a*x - x^3"));
    carom_model *model = NULL;
    carom_error error = {0};
    assert_int_equal(carom_build_model(b, &model, &error), CAROM_OK);
    carom_builder_free(b);
    return model;
}

/* Values of AUTO-07p 0.9.2 (bench/auto/run, which needs the Debian package auto-07p, prints them). */
static void folds_of_duffing(void **state)
{
    (void)state;
    followed self;
    begin(&self, duffing(), (double[]){0.5, 0.3, 0.1, 1.0}, 0.0, 0, 1, DUFFING_W, 3.0);
    const int first = special(&self.branch, CAROM_SPECIAL_FOLD, 0),
              second = special(&self.branch, CAROM_SPECIAL_FOLD, 1);
    assert_true(first > 0 && second > first);
    assert_near(self.branch.point[first].parameter, 1.7797195243, 1e-8);
    assert_near(self.branch.point[second].parameter, 1.3242362008, 1e-8);
    assert_near(self.branch.point[first].real, 1.0, 1e-5);
    assert_true(self.branch.point[first].crossing && self.branch.point[second].crossing);
    assert_int_equal(self.branch.end, CAROM_END_OF_RANGE);
    end(&self);
}

static void flip_of_duffing(void **state)
{
    (void)state;
    followed self;
    begin(&self, duffing(), (double[]){1.2, 0.1, 0.3, -1.0}, 1.0, 0, 1, DUFFING_F, 0.4);
    const int at = special(&self.branch, CAROM_SPECIAL_FLIP, 0);
    assert_true(at > 0);
    assert_near(self.branch.point[at].parameter, 0.2655817861, 1e-8);
    end(&self);
}

/* An oscillator with a negative damping that is driven a little: its motion loses its stability to a torus where the
 * divergence, -d, of the linear system changes its sign. */
static void torus(void **state)
{
    (void)state;
    followed self;
    begin(&self, duffing(), (double[]){0.6, 0.3, 0.1, 1.0}, 0.0, 0, 1, 2, -0.1);
    const int at = special(&self.branch, CAROM_SPECIAL_TORUS, 0);
    assert_true(at > 0);
    assert_near(self.branch.point[at].parameter, 0.0, 1e-9); /* the product of the multipliers is exp(-d T) */
    assert_near(hypot(self.branch.point[at].real, self.branch.point[at].imaginary), 1.0, 1e-9);
    end(&self);
}

/* x'' = F cos(t) - 0.2 x' - x^3 over a time, by Runge and Kutta's rule of order 4 in small steps. */
static void fly(double F, double duration, double *x)
{
    const int steps = 4000;
    const double h = duration / steps;
    double t = 0.0;
    for (int i = 0; i < steps; i++, t += h) {
        static const double at[4] = {0.0, 0.5, 0.5, 1.0},
                            weight[4] = {1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0};
        double slope[2] = {0.0, 0.0}, sum[2] = {0.0, 0.0};
        for (int k = 0; k < 4; k++) {
            const double q = x[0] + at[k] * h * slope[0], v = x[1] + at[k] * h * slope[1];
            slope[0] = v;
            slope[1] = F * cos(t + at[k] * h) - 0.2 * v - q * q * q;
            sum[0] += weight[k] * slope[0];
            sum[1] += weight[k] * slope[1];
        }
        x[0] += h * sum[0];
        x[1] += h * sum[1];
    }
}

/* Motions of the cubic spring are symmetric, x(t + T/2) = -x(t), up to a branch point; there two others begin that are each
 * other's mirror image. */
static void a_symmetry_breaks(void **state)
{
    (void)state;
    followed self;
    carom_branch other = {0};
    carom_error error = {0};
    begin(&self, duffing(), (double[]){1.0, 0.3, 0.2, 0.0}, 0.5, 0, 1, DUFFING_F, 3.0);
    const int at = special(&self.branch, CAROM_SPECIAL_BRANCH, 0);
    assert_true(at > 0);
    assert_near(self.branch.point[at].real, 1.0, 1e-7);
    assert_true(self.branch.point[at].crossing);
    expect_done(
        carom_continue_switch(self.periodic, &self.start, &self.branch, 1, at, &self.request, &other, &error),
        &error);
    assert_true(other.count > 5 && other.point[3].stable);
    for (int b = 0; b < 2; b++) {
        const carom_branch *branch = b ? &other : &self.branch;
        for (int i = b ? 4 : 0; i < branch->count; i += 3) {
            const double *start = branch->unknown + (size_t)i * (size_t)branch->width;
            double half[2] = {start[0], start[1]}, whole[2] = {start[0], start[1]};
            fly(branch->point[i].parameter, CAROM_PI, half);
            fly(branch->point[i].parameter, 2.0 * CAROM_PI, whole);
            assert_near(whole[0], start[0], 1e-8);
            assert_near(whole[1], start[1], 1e-8);
            const double broken = hypot(half[0] + start[0], half[1] + start[1]);
            /* where they meet, the state is indifferent along the other branch */
            if (branch->point[i].special != CAROM_SPECIAL_BRANCH)
                assert_true(b ? broken > 1e-2 : broken < 1e-7);
        }
    }
    carom_branch_free(&other);
    end(&self);
}

/* The period is that of what drives the model. */
static void periods_are_multiples(void **state)
{
    (void)state;
    carom_model *model = impact_oscillator();
    const double parameter[4] = {2.2, 0.8, 0.05, 0.0}, q0 = 0.5, v0 = 0.0, forcing = 2.0 * CAROM_PI / 2.2;
    carom_periodic_model *periodic = NULL;
    carom_error error = {0};
    expect_done(carom_periodic_model_create("oscillator", model, parameter, 0.0, &q0, &v0, &periodic, &error),
                &error);
    static const struct {
        double period;
        int periods, multiple;
    } good[] = {{0.0, 0, 1}, {0.0, 3, 3}, {2.856, 0, 1}, {8.568, 0, 3}, {8.568, 3, 3}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        double period = 0.0;
        int multiple = 0;
        const carom_find_request request = {.period = good[i].period, .periods = good[i].periods};
        expect_done(carom_find_period(periodic, &request, &period, &multiple, &error), &error);
        assert_int_equal(multiple, good[i].multiple);
        assert_near(period, good[i].multiple * forcing, 1e-13);
    }
    static const struct {
        double period;
        int periods;
        const char *says;
    } bad[] = {{2.9, 0,
                "2.9 is no multiple of the period 2.855993321 of what drives the model: take 2.855993321 or "
                "5.711986643"},
               {1.4, 0, "take 2.855993321"},
               {2.856, 2, "periods: 2, but"},
               {-1.0, 0, "above 0"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        double period = 0.0;
        int multiple = 0;
        const carom_find_request request = {.period = bad[i].period, .periods = bad[i].periods};
        assert_int_equal(carom_find_period(periodic, &request, &period, &multiple, &error), CAROM_BAD_INPUT);
        assert_non_null(strstr(error.text, bad[i].says));
    }
    carom_periodic_model_free(periodic);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(flips_of_the_impact_oscillator),
        cmocka_unit_test(a_flip_gives_twice_the_period),
        cmocka_unit_test(a_flip_over_two_parameters),
        cmocka_unit_test(grazing_of_the_motion_without_impacts),
        cmocka_unit_test(folds_of_duffing),
        cmocka_unit_test(flip_of_duffing),
        cmocka_unit_test(torus),
        cmocka_unit_test(a_symmetry_breaks),
        cmocka_unit_test(periods_are_multiples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
