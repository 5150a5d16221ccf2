/* Gaps and slips of simple shapes: disc_disc, disc_ring, disc_line, corner_line, corner_disc. What they should be is found
 * from particles: two bodies are placed and moved by hand, a particle of each where they touch is followed for a moment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

#define END "integrate { h = 0.1, until_t = 1 }\n"
#define BODIES                                                                                               \
    "local a = body2d { 'a', mass = 1, inertia = 1 }\n"                                                      \
    "local b = body2d { 'b', mass = 1, inertia = 1, at = { 3, 0, 0 } }\n"

enum {
    DOF = 6,
    STATES = 50
};

typedef struct vector {
    double x, y;
} vector;

/* Two bodies in the plane: x, y, angle of each, and their rates. */
typedef struct pose {
    double q[DOF], u[DOF];
} pose;

static vector minus(vector a, vector b)
{
    return (vector){a.x - b.x, a.y - b.y};
}

static double times(vector a, vector b)
{
    return a.x * b.x + a.y * b.y;
}

static vector left_of(vector a)
{
    return (vector){-a.y, a.x};
}

static vector unit(vector a)
{
    const double length = hypot(a.x, a.y);
    return (vector){a.x / length, a.y / length};
}

/* Where the particle (u, v) of a body is after the time dt. */
static vector particle(const pose *at, int body, vector own, double dt)
{
    const double *q = at->q + 3 * body, *rate = at->u + 3 * body;
    const double angle = q[2] + dt * rate[2];
    return (vector){q[0] + dt * rate[0] + cos(angle) * own.x - sin(angle) * own.y,
                    q[1] + dt * rate[1] + sin(angle) * own.x + cos(angle) * own.y};
}

/* Velocity of the particle of a body that is at `place` now. */
static vector velocity_at(const pose *at, int body, vector place)
{
    const double step = 1e-5, c = cos(at->q[3 * body + 2]), s = sin(at->q[3 * body + 2]);
    const double dx = place.x - at->q[3 * body], dy = place.y - at->q[3 * body + 1];
    const vector own = {c * dx + s * dy, c * dy - s * dx};
    const vector moved = minus(particle(at, body, own, step), particle(at, body, own, -step));
    return (vector){moved.x / (2 * step), moved.y / (2 * step)};
}

static vector middle(const pose *at, int body)
{
    return (vector){at->q[3 * body], at->q[3 * body + 1]};
}

static vector along(vector from, vector direction, double length)
{
    return (vector){from.x + length * direction.x, from.y + length * direction.y};
}

/* What gap and slip should be: of the shapes of one script. */
typedef void expected_contact(const pose *at, double *gap, double *slip);

static void two_discs(const pose *at, double *gap, double *slip)
{
    const vector a = middle(at, 0), b = middle(at, 1), n = unit(minus(b, a));
    *gap = hypot(b.x - a.x, b.y - a.y) - 0.3 - 0.5;
    *slip =
        times(left_of(n), minus(velocity_at(at, 1, along(b, n, -0.5)), velocity_at(at, 0, along(a, n, 0.3))));
}

static void disc_in_ring(const pose *at, double *gap, double *slip)
{
    const vector a = middle(at, 0), b = middle(at, 1), n = unit(minus(a, b));
    *gap = 9.0 - 0.3 - hypot(b.x - a.x, b.y - a.y);
    *slip =
        times(left_of(n), minus(velocity_at(at, 0, along(a, n, 0.3)), velocity_at(at, 1, along(b, n, 9.0))));
}

/* A line on body b, from (-1, 0.2) to (2, 0.7) of its frame. */
static void on_line_of_b(const pose *at, vector touching, double radius, double *gap, double *slip)
{
    const vector p = particle(at, 1, (vector){-1.0, 0.2}, 0.0), q = particle(at, 1, (vector){2.0, 0.7}, 0.0);
    const vector e = unit(minus(q, p)), n = left_of(e);
    const double height = times(n, minus(touching, p));
    const vector foot = along(touching, n, -height);
    *gap = height - radius;
    *slip = times(e, minus(velocity_at(at, 0, along(touching, n, -radius)), velocity_at(at, 1, foot)));
}

static void disc_on_line(const pose *at, double *gap, double *slip)
{
    on_line_of_b(at, middle(at, 0), 0.3, gap, slip);
}

static void corner_on_line(const pose *at, double *gap, double *slip)
{
    on_line_of_b(at, particle(at, 0, (vector){0.4, -0.6}, 0.0), 0.0, gap, slip);
}

/* A line that does not move, but as a belt with a speed of 0.25. */
static void disc_on_belt(const pose *at, double *gap, double *slip)
{
    const vector e = unit((vector){-3.0, 4.0}), n = left_of(e), a = middle(at, 0);
    *gap = times(n, minus(a, (vector){1.0, 2.0})) - 0.3;
    *slip = times(e, velocity_at(at, 0, along(a, n, -0.3))) - 0.25;
}

static void corner_on_disc(const pose *at, double *gap, double *slip)
{
    const vector corner = particle(at, 0, (vector){0.4, -0.6}, 0.0), b = middle(at, 1);
    const vector n = unit(minus(corner, b));
    *gap = hypot(corner.x - b.x, corner.y - b.y) - 0.5;
    *slip = times(left_of(n), minus(velocity_at(at, 0, corner), velocity_at(at, 1, along(b, n, 0.5))));
}

static const struct {
    const char *shapes;
    expected_contact *expected;
} shape[] = {
    {"disc_disc { a, b, radius = { 0.3, 0.5 } }", two_discs},
    {"disc_disc { { a.x, a.y, a.phi }, { b.x, b.y, b.phi }, radius = { 0.3, 0.5 } }", two_discs},
    {"disc_ring { a, b, radius = 0.3, ring = 9 }", disc_in_ring},
    {"disc_line { a, radius = 0.3, from = { -1, 0.2 }, to = { 2, 0.7 }, on = b }", disc_on_line},
    {"disc_line { a, radius = 0.3, from = { b:point { -1, 0.2 } }, to = { b:point { 2, 0.7 } } }",
     disc_on_line},
    {"disc_line { a, radius = 0.3, from = { 1, 2 }, to = { -2, 6 }, speed = 0.25 }", disc_on_belt},
    {"corner_line { a, { 0.4, -0.6 }, from = { -1, 0.2 }, to = { 2, 0.7 }, on = b }", corner_on_line},
    {"corner_line { { a:point { 0.4, -0.6 } }, from = { -1, 0.2 }, to = { 2, 0.7 }, on = b }",
     corner_on_line},
    {"corner_disc { a, { 0.4, -0.6 }, b, radius = 0.5 }", corner_on_disc},
};

static double any(unsigned *seed, double size)
{
    *seed = *seed * 1664525u + 1013904223u;
    return size * (2.0 * (double)(*seed >> 8) / (double)(1u << 24) - 1.0);
}

static void test_particles(void **unused)
{
    (void)unused;
    for (size_t k = 0; k < sizeof shape / sizeof *shape; k++) {
        char script[1000];
        snprintf(script, sizeof script,
                 BODIES "local c = %s\ncontact { 'c', c, friction = 0.3 }\n"
                        "record { apart = gap 'c', sliding = c.slip }\n" END,
                 shape[k].shapes);
        carom_experiment *experiment = load_good_text(script);
        unsigned seed = 7;
        for (int i = 0; i < STATES; i++) {
            pose at;
            for (int j = 0; j < DOF; j++) {
                at.q[j] = any(&seed, 3.0) + (j == 3 ? 6.0 : 0.0); /* never one on the other */
                at.u[j] = any(&seed, 2.0);
            }
            double gap, slip;
            shape[k].expected(&at, &gap, &slip);
            double *column = columns_of(experiment, &(carom_inputs){.q = at.q, .u = at.u});
            assert_near(column[column_named(experiment, "apart")], gap, 1e-12);
            assert_near(column[column_named(experiment, "sliding")], slip, 1e-8);
            free(column);
        }
        carom_experiment_free(experiment);
    }
}

/* The rows of a contact are those of its expressions: the slip is used where there is friction, and only there. */
static void test_slip_needs_friction(void **unused)
{
    (void)unused;
    carom_experiment *experiment = load_good_text(
        BODIES
        "contact { 'smooth', disc_disc { a, b, radius = 1 } }\n"
        "contact { 'rough', disc_disc { a, b, radius = 1 }, friction = 0.3, restitution = 0.5 }\n" END);
    assert_int_equal(experiment->model->contact[0].tangents, 0);
    assert_int_equal(experiment->model->contact[1].tangents, 1);
    carom_experiment_free(experiment);
}

static carom_run_result run_text(const char *text, carom_experiment **experiment)
{
    *experiment = load_good_text(text);
    carom_run_result result;
    carom_error error;
    if (carom_run(&(carom_run_request){.experiment = *experiment}, &result, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return result;
}

/* A full disc on a slope, seen along the slope: rolls with 2/3 g sin(slope), never slips, and keeps its energy. */
static void test_rolls_down(void **unused)
{
    (void)unused;
    carom_experiment *experiment;
    carom_run_result result =
        run_text("local slope, r, g = 0.3, 0.2, 9.81\n"
                 "local wheel = body2d { 'wheel', mass = 3, inertia = 3 * r^2 / 2, at = { 0, r, 0 },\n"
                 "  gravity = { -g * sin(slope), -g * cos(slope) } }\n"
                 "local c = disc_line { wheel, radius = r, from = { 0, 0 }, to = { 1, 0 } }\n"
                 "contact { 'slope', c, friction = 0.6 }\n"
                 "integrate { h = 1e-3, until_t = 1 }\n"
                 "measure { way = wheel.x, slip = maximum(abs(c.slip)), turned = wheel.phi,\n"
                 "          away = maximum(abs(gap 'slope')) }\n",
                 &experiment);
    const double way = -9.81 * sin(0.3) / 3.0; /* g sin / 3 t^2, at t = 1, down */
    for (int i = 0; i < experiment->measure_count; i++) {
        const double value = result.measure[i].value[0];
        const char *name = experiment->measure[i].name;
        if (strcmp(name, "way") == 0)
            assert_near(value, way, 1e-9);
        else if (strcmp(name, "turned") == 0)
            assert_near(value, -way / 0.2, 1e-8);
        else
            assert_near(value, 0.0, 1e-11);
    }
    assert_near(result.energy_final, result.energy_initial, 1e-9);
    assert_true(result.certificate.trusted);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

/* Two gear wheels of friction: what one gains of angular momentum by its radius, the other loses. Linear and angular momentum of a
 * free pair stay, and energy does not grow. */
static void test_pair_keeps_momentum(void **unused)
{
    (void)unused;
    carom_experiment *experiment;
    carom_run_result result = run_text(
        "local a = body2d { 'a', mass = 1, inertia = 0.02, velocity = { 2, 0, 9 } }\n"
        "local b = body2d { 'b', mass = 2, inertia = 0.09, at = { 1, 0.2, 0 }, velocity = { -1, 0.3, 4 } }\n"
        "contact { 'ab', disc_disc { a, b, radius = { 0.2, 0.3 } }, restitution = 0, friction = 0.4 }\n"
        "integrate { h = 1e-4, until_t = 0.5 }\n"
        "local function turning(o, m, j) return m * (o.x * dot(o.y) - o.y * dot(o.x)) + j * dot(o.phi) end\n"
        "local all = turning(a, 1, 0.02) + turning(b, 2, 0.09)\n"
        "measure { most = maximum(all), least = minimum(all), hits = count(impact 'ab'), spin = dot(a.phi) "
        "}\n",
        &experiment);
    double value[4] = {0};
    for (int i = 0; i < experiment->measure_count; i++)
        value[i] = result.measure[i].value[0]; /* hits, least, most, spin */
    assert_true(value[0] >= 1.0);
    assert_near(value[2] - value[1], 0.0, 1e-3); /* the rows are those of the middle of the step */
    assert_true(fabs(value[3] - 9.0) > 0.5);
    assert_true(result.energy_final < result.energy_initial);
    carom_run_result_free(&result);
    carom_experiment_free(experiment);
}

static void test_errors(void **unused)
{
    (void)unused;
    static const struct {
        const char *line, *word, *cure;
    } wrong[] = {
        {"contact { 'c', disc_disc { a, b } }", "disc_disc needs radius", "{ of the first, of the second }"},
        {"contact { 'c', disc_disc { a, radius = 1 } }", "1 entries", "disc_disc { a, b"},
        {"contact { 'c', disc_disc { a, b, 0.1, radius = 1 } }", "3 entries", "2 are needed"},
        {"contact { 'c', disc_disc { a, 'b', radius = 1 } }", "entry 2 must be a body", "{ x, y, angle }"},
        {"contact { 'c', disc_disc { a, { 1, 'y' }, radius = 1 } }", "entry 2", "a string"},
        {"contact { 'c', disc_disc { a, b, radius = -1 } }", "radius = -1", "must be positive"},
        {"contact { 'c', disc_disc { a, b, radius = 0 / 0 } }", "the first radius", "must be positive"},
        {"contact { 'c', disc_disc { a, b, radii = 1 } }", "unknown key 'radii'", "known are radius"},
        {"contact { 'c', disc_disc(a, b) }", "disc_disc takes a table", "disc_disc { a, b"},
        {"contact { 'c', disc_line { a, radius = 1, from = { 0, 0 } } }", "to must be { x, y }", NULL},
        {"contact { 'c', disc_line { a, radius = 1, from = { 1, 1 }, to = { 1, 1 } } }", "one point",
         "needs two"},
        {"contact { 'c', disc_line { a, radius = 1, from = { 0, 0 }, to = { 1, 0 }, on = 3 } }",
         "on must be a body", NULL},
        {"contact { 'c', corner_line { a, from = { 0, 0 }, to = { 1, 0 } } }", "1 entries",
         "corner_line { body, {"},
        {"contact { 'c', corner_disc { a, { 1, 0 }, b } }", "radius", NULL},
        {"contact { 'c', disc_ring { a, b, radius = 2, ring = 1 } }", "does not fit", NULL},
        {"contact { 'c', disc_disc { a, b, radius = 1 }, gap = a.y }", "has a gap twice", "second entry"},
        {"contact { 'c', disc_disc { a, b, radius = 1 }, slip = a.y, friction = 1 }", "has a slip twice",
         NULL},
        {"contact { 'c', a.y }", "the second entry is the gap of two shapes", "disc_line"},
        {"contact { 'c', { gap = a.y, slop = 1 } }", "unknown key 'slop'", "slip"},
        {"contact { 'c', {} }", "has no gap", NULL},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char script[1000];
        snprintf(script, sizeof script, BODIES "%s\n" END, wrong[i].line);
        check_refused(script, 3, wrong[i].word, wrong[i].cure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_particles),  cmocka_unit_test(test_slip_needs_friction),
        cmocka_unit_test(test_rolls_down), cmocka_unit_test(test_pair_keeps_momentum),
        cmocka_unit_test(test_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
