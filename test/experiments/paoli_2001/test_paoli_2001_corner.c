/* Corner and wedges. The published x is -x of the model. */
#include "test/experiments/trial.h"

#define CORNER "paoli-2001/corner"
#define EV "event-driven"
#define PS "paoli-schatzman"
#define VS "sweeping"

static void expect_end(const char *scheme, const char *variant, double e, double eps, long steps, double x,
                       double y, double tolerance)
{
    trial run = trial_run(&(trial_request){.experiment = CORNER,
                                           .scheme = scheme,
                                           .variant = variant,
                                           .set = {{"e", e}, {"eps", eps}},
                                           .h = 2.0 / (double)steps});
    assert_near(-measured_value(&run, "x_end", 0), x, tolerance);
    assert_near(measured_value(&run, "y_end", 0), y, tolerance);
    trial_free(&run);
}

static void particle_returns_from_the_orthogonal_corner(void **state)
{
    (void)state;
    static const double e[] = {0, .5, 1}, ps_151[] = {0, -.4867549669, -.9735099338},
                        vs_151[] = {.0066225166, -.4900662252, -.9867549669};
    for (int i = 0; i < 3; i++) {
        expect_end(EV, NULL, e[i], 0, 256, -e[i], 0, 1e-13);
        expect_end(PS, NULL, e[i], 0, 256, -e[i] * (1 - 2.0 / 128), 0, 1e-13);
        expect_end(VS, NULL, e[i], 0, 256, -e[i], 0, 1e-13);
        expect_end(EV, NULL, e[i], 0, 151, -e[i], 0, 1e-13);
        expect_end(PS, NULL, e[i], 0, 151, ps_151[i], 0, 5.1e-11);
        expect_end(VS, NULL, e[i], 0, 151, vs_151[i], 0, 5.1e-11);
    }
}

static void obtuse_wedge_exactly(void **state)
{
    (void)state;
    static const char left[] = "wedge-obtuse-left", right[] = "wedge-obtuse-right";
    expect_end(EV, left, 1, -.05, 200, -.05, 1, 1e-12);
    expect_end(EV, left, .5, -.05, 200, -.05, .5, 1e-12);
    expect_end(EV, left, 0, -.05, 200, -.05, 0, 1e-12);
    expect_end(EV, left, 1, 0, 200, 0, 1, 1e-12);
    expect_end(EV, left, .5, 0, 200, 0, .5, 1e-12);
    expect_end(EV, left, 0, 0, 200, 0, 0, 1e-12);
    expect_end(EV, right, 1, .05, 200, -.77, .64, 1e-12);
    expect_end(EV, right, 1, .2, 200, -.8 + .6 * .2, .6 + .8 * .2, 1e-12);
    expect_end(EV, right, .5, .05, 200, -.565, .23, 1e-12);
    expect_end(EV, right, 0, .05, 200, -.36, 0, 1e-12);
}

static void obtuse_wedge_by_time_stepping(void **state)
{
    (void)state;
    static const char wedge[] = "wedge-obtuse-right";
    expect_end(PS, wedge, 1, .05, 4999, -.769679936, .639359872, 1e-9);
    expect_end(VS, wedge, 1, .05, 4999, -.7696839368, .6393678736, 1e-9);
    expect_end(PS, wedge, .5, .05, 4999, -.564839968, .229679936, 1e-9);
    expect_end(VS, wedge, .5, .05, 4999, -.5647629526, .2295259052, 1e-9);
    expect_end(PS, wedge, 0, .05, 4999, -.36, 0, 1e-9);
    expect_end(VS, wedge, 0, .05, 4999, -.3598419684, -.000040008, 1e-9);
    /* a step that is not small against eps takes the other branch, or neither */
    expect_end(VS, wedge, 1, .01, 45, .01, .9555555556, 1e-9);
    expect_end(PS, wedge, 1, .01, 45, -.43, .9111111111, 1e-9);
    expect_end(PS, wedge, 1, .01, 333, -.7891951952, .5983903904, 1e-9);
    expect_end(VS, wedge, 1, .01, 333, -.7924024024, .6048048048, 1e-9);
}

typedef struct point {
    double x, y;
} point;

static point end_of_wedge(double degrees, double direction, double e, double eps)
{
    double c = cos(direction * acos(-1) / 180), s = sin(direction * acos(-1) / 180);
    trial run = trial_run(&(trial_request){
        .experiment = CORNER,
        .scheme = EV,
        .set = {{"angle", degrees}, {"x0", c}, {"y0", s}, {"u0", -c}, {"v0", -s}, {"e", e}, {"eps", eps}}});
    point end = {measured_value(&run, "x_end", 0), measured_value(&run, "y_end", 0)};
    trial_free(&run);
    return end;
}

static void motion_jumps_where_the_start_passes_the_corner(void **state)
{
    (void)state;
    static const double e[] = {0, .5, 1};
    static const struct {
        double degrees, jump[3];
    } wedges[] = {{45, {0, 0.140624, 2e-6}},
                  {60, {0, 0.081189, 2e-6}},
                  {90, {0, 1e-6, 2e-6}},
                  {120, {0.433012, 0.974279, 1.732050}},
                  {150, {0.433011, 0.749998, 0.999998}}};
    for (size_t i = 0; i < sizeof wedges / sizeof *wedges; i++)
        for (int k = 0; k < 3; k++) {
            point left = end_of_wedge(wedges[i].degrees, wedges[i].degrees / 2, e[k], -1e-6);
            point right = end_of_wedge(wedges[i].degrees, wedges[i].degrees / 2, e[k], 1e-6);
            assert_near(hypot(right.x - left.x, right.y - left.y), wedges[i].jump[k], 1.1e-6);
        }
}

static void variants_of_the_wedges_start_on_the_bisector(void **state)
{
    (void)state;
    static const char *const variants[] = {"wedge-45", "wedge-60", "wedge-90", "wedge-120", "wedge-150"};
    static const double degrees[] = {45, 60, 90, 120, 150};
    for (int i = 0; i < 5; i++) {
        trial run = trial_run(&(trial_request){.experiment = CORNER, .variant = variants[i]});
        point end = end_of_wedge(degrees[i], degrees[i] / 2, 1, 1e-6);
        assert_near(measured_value(&run, "x_end", 0), end.x, 1e-12);
        assert_near(measured_value(&run, "y_end", 0), end.y, 1e-12);
        trial_free(&run);
    }
}

/* For odd m and an angle of pi/m the law at the corner is not the limit from beside it. */
static void corner_law_against_its_limits(void **state)
{
    (void)state;
    for (int side = -1; side <= 1; side++) {
        point of_60 = end_of_wedge(60, 10, 1, side * 1e-8), of_45 = end_of_wedge(45, 10, 1, side * 1e-8);
        assert_near(of_60.x, side ? .642788 : .984808, 6e-7);
        assert_near(of_60.y, side ? .766044 : .173648, 6e-7);
        assert_near(of_45.x, .984808, 6e-7);
        assert_near(of_45.y, .173648, 6e-7);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particle_returns_from_the_orthogonal_corner),
        cmocka_unit_test(obtuse_wedge_exactly),
        cmocka_unit_test(obtuse_wedge_by_time_stepping),
        cmocka_unit_test(motion_jumps_where_the_start_passes_the_corner),
        cmocka_unit_test(variants_of_the_wedges_start_on_the_bisector),
        cmocka_unit_test(corner_law_against_its_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
