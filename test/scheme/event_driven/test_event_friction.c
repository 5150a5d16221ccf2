/* Friction in event-driven: motions with stick and slip in closed form, and what holds in every one. */
#include "model_runs.h"
#include "test/base/sanitized.h"

static const double g = 9.81;

/* ---- the plane ---------------------------------------------------------------------------------------------- */

static void block_slides_to_rest_on_a_slope(void **unused)
{
    (void)unused;
    motion m = move_events("local x, y = coordinates('x', 'y') mass(1)\n"
                           "potential(9.81 * (y * cos(0.2) - x * sin(0.2)))\n"
                           "contact { 'plane', gap = y, slip = dot(x), friction = 0.5 }\n"
                           "initial { x = 0, [dot(x)] = 3 }\n"
                           "integrate { h = 0.01, until_t = 2 }");
    const double brake = g * (0.5 * cos(0.2) - sin(0.2));
    assert_near(time_of(&m, CAROM_EVENT_STICK, 0), 3.0 / brake, 1e-12);
    assert_null(event_of(&m, CAROM_EVENT_SLIP, 0));
    assert_near(position(&m, 0), 4.5 / brake, 1e-12);
    assert_near(velocity(&m, 0), 0.0, 1e-15);
    const double *end = m.series.rows + (m.series.count - 1) * (size_t)m.series.layout.width;
    assert_near(end[m.series.layout.impulse], 0.01 * g * cos(0.2), 1e-13);
    assert_near(end[m.series.layout.impulse + 1], -0.01 * g * sin(0.2), 1e-13);
    assert_near(end[m.series.layout.regime], CAROM_CONTACT_STICK, 0.0);
    forget(&m);
}

/* Static above dynamic friction on a belt: sticking from 2 xd - xs to xs, then a swing about xd until the slip is zero again. */
static void stick_slip_on_a_belt_has_its_period(void **unused)
{
    (void)unused;
    motion m = move_events(
        "local x, y = coordinates('x', 'y') mass(1)\n"
        "potential(9.81 * y + 4 * x^2 / 2)\n"
        "contact { 'belt', gap = y, slip = dot(x) - 0.3, friction = { static = 0.4, dynamic = 0.25 } }\n"
        "initial { x = 0, [dot(x)] = 0.3 }\n"
        "integrate { h = 0.05, until_t = 30 }");
    const double w = 2.0, xs = 0.4 * g / 4.0, xd = 0.25 * g / 4.0, v = 0.3;
    const double slip = 2.0 * (acos(-1.0) - atan((xs - xd) * w / v)) / w, stick = 2.0 * (xs - xd) / v;
    const double first = xs / v;
    for (int k = 0; k < 5; k++) {
        assert_near(time_of(&m, CAROM_EVENT_SLIP, k), first + k * (slip + stick), 5e-10);
        assert_near(time_of(&m, CAROM_EVENT_STICK, k), first + k * (slip + stick) + slip, 5e-10);
    }
    assert_true(fabs(m.result.certificate.contacts - (m.result.energy_final - m.result.energy_initial)) <
                1e-9);
    forget(&m);
}

/* Every half cycle takes 2 b / k from the amplitude; it stops at the first turning point within b / k (friction force). */
static void oscillator_stops_where_it_must(void **unused)
{
    (void)unused;
    motion m = move_events("local x = coordinates 'x' mass(1) potential(x^2 / 2)\n"
                           "friction_force { 'dry', slip = dot(x), bound = 0.1 }\n"
                           "initial { x = 1.05 } integrate { h = 0.01, until_t = 20 }");
    assert_near(time_of(&m, CAROM_EVENT_STICK, 0), 5.0 * acos(-1.0), 1e-10);
    assert_near(position(&m, 0), -0.05, 1e-10);
    assert_near(velocity(&m, 0), 0.0, 1e-15);
    forget(&m);
}

/* Den Hartog 1931: x'' + x + f Sign(x') = cos(w t) has a steady motion without stops, of amplitude
 * (V^2 - f^2 U^2)^(1/2), V = 1 / (1 - w^2), U = sin(pi / w) / (w (1 + cos(pi / w))). */
static void driven_oscillator_has_den_hartogs_amplitude(void **unused)
{
    (void)unused;
    if (SANITIZED) /* three hundred periods */
        skip();
    const double w = 0.8, f = 0.3, V = 1.0 / (1.0 - w * w);
    const double U = sin(acos(-1.0) / w) / (w * (1.0 + cos(acos(-1.0) / w)));
    const double amplitude = sqrt(V * V - f * f * U * U);
    motion m = move_events("local x = coordinates 'x' mass(1) potential(x^2 / 2)\n"
                           "force { x = cos(0.8 * time()) }\n"
                           "friction_force { 'dry', slip = dot(x), bound = 0.3 }\n"
                           "initial { x = 2.7 } integrate { h = pi / 400, until_t = 600 * pi / 0.8 }\n"
                           "measure { most = maximum(x, { from = 590 * pi / 0.8 }) }");
    assert_near(m.result.measure[0].value[0], amplitude, 2e-5);
    forget(&m);
}

static void weakening_belt_agrees_with_the_inclusion(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x = coordinates 'x' mass(1) potential(x^2 / 2)\n"
        "friction_force { 'belt', slip = dot(x) - 0.5, bound = 0.3, static = 0.6, decay = 2 }\n"
        "integrate { h = 0.01, until_t = 20 }";
    motion exact = move_events(text);
    double off[2];
    for (int k = 0; k < 2; k++) {
        motion m = move_and_keep(text, "dai-theta", k == 0 ? 2e-3 : 1e-3, NAN);
        assert_int_equal(m.status, CAROM_OK);
        off[k] = fabs(position(&m, 0) - position(&exact, 0));
        forget(&m);
    }
    assert_true(off[1] < 2e-3);
    assert_true(off[0] > 1.5 * off[1]);
    assert_non_null(event_of(&exact, CAROM_EVENT_STICK, 0));
    assert_non_null(event_of(&exact, CAROM_EVENT_SLIP, 0));
    forget(&exact);
}

/* A disc set on the floor without spin slides until it rolls: t = v / (3 mu g), two thirds of the speed. */
static void disc_comes_to_roll(void **unused)
{
    (void)unused;
    motion m = move_events("local x, y, f = coordinates('x', 'y', 'f')\n"
                           "kinetic((dot(x)^2 + dot(y)^2 + dot(f)^2 / 2) / 2) potential(9.81 * y)\n"
                           "contact { 'floor', gap = y - 1, slip = dot(x) + dot(f), friction = 0.2 }\n"
                           "initial { y = 1, [dot(x)] = 3 } integrate { h = 0.1, until_t = 3 }");
    const double t = 3.0 / (3.0 * 0.2 * g);
    assert_near(time_of(&m, CAROM_EVENT_STICK, 0), t, 1e-12);
    assert_near(velocity(&m, 0), 2.0, 1e-12);
    assert_near(velocity(&m, 2), -2.0, 1e-12);
    assert_near(position(&m, 0), 3.0 * t - 0.1 * g * t * t + 2.0 * (3.0 - t), 1e-11);
    forget(&m);
}

/* A ball with spin: an impact that slides to its end takes mu (1 + e) v from the speed; one that does not, rolls after it. */
static void ball_with_spin_bounces(void **unused)
{
    (void)unused;
    static const char format[] =
        "local x, y, f = coordinates('x', 'y', 'f')\n"
        "kinetic((dot(x)^2 + dot(y)^2 + 2 / 5 * dot(f)^2) / 2)\n"
        "contact { 'floor', gap = y, slip = dot(x) + dot(f), friction = 0.2, restitution = 0.5 }\n"
        "initial { y = 1, [dot(x)] = %g, [dot(y)] = -2, [dot(f)] = %g }\n"
        "integrate { h = 0.1, until_t = 1 }";
    char text[600];
    snprintf(text, sizeof text, format, 3.0, 1.0);
    motion m = move_events(text);
    assert_near(velocity(&m, 0), 3.0 - 0.2 * 1.5 * 2.0, 1e-13);
    assert_near(velocity(&m, 1), 1.0, 1e-13);
    assert_near(velocity(&m, 2), 1.0 - 2.5 * 0.2 * 1.5 * 2.0, 1e-13);
    forget(&m);
    snprintf(text, sizeof text, format, 0.5, 0.0);
    m = move_events(text);
    assert_near(velocity(&m, 0), 0.5 - 0.5 / 3.5, 1e-13);
    assert_near(velocity(&m, 2), -2.5 * 0.5 / 3.5, 1e-13);
    forget(&m);
}

/* ---- space ---------------------------------------------------------------------------------------------------- */

static void block_in_space_slides_straight_to_rest(void **unused)
{
    (void)unused;
    motion m =
        move_events("local x, y, z = coordinates('x', 'y', 'z') mass(2) potential(2 * 9.81 * z)\n"
                    "contact { 'floor', gap = z, slip = { dot(x), dot(y) }, friction = 0.3 }\n"
                    "initial { z = 0, [dot(x)] = 1.2, [dot(y)] = -0.9 } integrate { h = 0.1, until_t = 1 }");
    const double brake = 0.3 * g, way = 1.5 * 1.5 / (2.0 * brake);
    assert_near(time_of(&m, CAROM_EVENT_STICK, 0), 1.5 / brake, 1e-12);
    assert_near(position(&m, 0), 0.8 * way, 1e-12);
    assert_near(position(&m, 1), -0.6 * way, 1e-12);
    assert_near(hypot(velocity(&m, 0), velocity(&m, 1)), 0.0, 1e-15);
    forget(&m);
}

/* On a slope with mu = tan(angle) speed + speed downhill is constant: launched across it, a block ends with half its speed. */
static void block_on_a_slope_turns_downhill(void **unused)
{
    (void)unused;
    motion m = move_events("local a = 0.4 local x, y, z = coordinates('x', 'y', 'z') mass(1)\n"
                           "potential(9.81 * (z * cos(a) - x * sin(a)))\n"
                           "contact { 'slope', gap = z, slip = { dot(x), dot(y) }, friction = tan(a) }\n"
                           "initial { z = 0, [dot(y)] = 2 } integrate { h = 0.01, until_t = 4 }");
    const carom_row_layout *layout = &m.series.layout;
    for (size_t i = 0; i < m.series.count; i++) {
        const double *row = m.series.rows + i * (size_t)layout->width, *v = row + layout->v;
        assert_near(hypot(v[0], v[1]) + v[0], 2.0, 2e-10);
    }
    assert_near(velocity(&m, 0), 1.0, 1e-4);
    forget(&m);
}

/* Static friction holds a load that turns and grows until |load| = mu g; then the slip follows. */
static void load_in_space_overcomes_friction(void **unused)
{
    (void)unused;
    motion m = move_events("local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(9.81 * z)\n"
                           "force { x = time() * cos(time()), y = time() * sin(time()) }\n"
                           "contact { 'floor', gap = z, slip = { dot(x), dot(y) }, friction = 0.2 }\n"
                           "initial { z = 0 } integrate { h = 0.02, until_t = 3 }");
    assert_near(time_of(&m, CAROM_EVENT_SLIP, 0), 0.2 * g, 1e-11);
    motion fine = move_and_keep("local x, y, z = coordinates('x', 'y', 'z') mass(1) potential(9.81 * z)\n"
                                "force { x = time() * cos(time()), y = time() * sin(time()) }\n"
                                "contact { 'floor', gap = z, slip = { dot(x), dot(y) }, friction = 0.2 }\n"
                                "initial { z = 0 } integrate { h = 0.02, until_t = 3 }",
                                "moreau-jean", 1e-4, NAN);
    assert_near(position(&fine, 0), position(&m, 0), 1e-4);
    assert_near(position(&fine, 1), position(&m, 1), 1e-4);
    forget(&fine);
    forget(&m);
}

/* ---- what holds always ------------------------------------------------------------------------------------------ */

static const char rocking[] =
    "local a, b, mu = 0.5, 0.3, %s\n"
    "local x, y, f = coordinates('x', 'y', 'f')\n"
    "kinetic((dot(x)^2 + dot(y)^2 + 0.1 * dot(f)^2) / 2) potential(9.81 * y)\n"
    "local function foot(name, s)\n"
    "  local px, py = x + s * a * cos(f) + b * sin(f), y + s * a * sin(f) - b * cos(f)\n"
    "  contact { name, gap = py, slip = dot(px), friction = mu, restitution = 0 }\n"
    "end\n"
    "%s\n"
    "initial { y = 0.8, f = 0.3, [dot(x)] = 2, [dot(f)] = -1 }\n"
    "integrate { h = 0.01, until_t = 2 }";

/* Energy only falls, |p_T| <= mu p_N in every interval, gaps stay closed, and the works account for all energy. */
static void a_box_that_tumbles_obeys_the_laws(void **unused)
{
    (void)unused;
    char text[1200];
    snprintf(text, sizeof text, rocking, "0.3", "foot('left', -1) foot('right', 1)");
    motion m = move_events(text);
    const carom_row_layout *layout = &m.series.layout;
    double energy = INFINITY;
    for (size_t i = 0; i < m.series.count; i++) {
        const double *row = m.series.rows + i * (size_t)layout->width;
        assert_true(row[layout->energy] <= energy + 1e-10);
        energy = row[layout->energy];
        for (int k = 0; k < 2; k++) {
            const double *p = row + layout->impulse + 3 * k;
            assert_true(p[0] >= -1e-12);
            assert_true(fabs(p[1]) <= 0.3 * p[0] + 1e-11);
            assert_true(row[layout->gap + k] >= -1e-10);
        }
    }
    assert_near(m.result.certificate.contacts, m.result.energy_final - m.result.energy_initial, 1e-8);
    assert_near(velocity(&m, 0), 0.0, 1e-12);
    forget(&m);
}

/* The order in which contacts are given does not matter. */
static void contacts_may_be_numbered_otherwise(void **unused)
{
    (void)unused;
    char text[1200];
    snprintf(text, sizeof text, rocking, "0.3", "foot('left', -1) foot('right', 1)");
    motion one = move_events(text);
    snprintf(text, sizeof text, rocking, "0.3", "foot('right', 1) foot('left', -1)");
    motion other = move_events(text);
    for (int i = 0; i < 3; i++)
        assert_near(position(&one, i), position(&other, i), 1e-9);
    forget(&one);
    forget(&other);
}

/* Two feet on a slope that tilts: what each bears is not unique, when they slip is. */
static void feet_that_share_friction_slip_together(void **unused)
{
    (void)unused;
    motion m =
        move_events("local a, b = 0.5, 0.3 local x, y, f = coordinates('x', 'y', 'f')\n"
                    "kinetic((dot(x)^2 + dot(y)^2 + 0.1 * dot(f)^2) / 2)\n"
                    "force { x = 9.81 * sin(0.1 * time()), y = -9.81 * cos(0.1 * time()) }\n"
                    "for k, s in pairs { -1, 1 } do\n"
                    "  local px, py = x + s * a * cos(f) + b * sin(f), y + s * a * sin(f) - b * cos(f)\n"
                    "  contact { 'foot' .. k, gap = py, slip = dot(px), friction = 0.4 }\n"
                    "end\n"
                    "initial { y = 0.3 } integrate { h = 0.05, until_t = 5 }");
    const double t = 10.0 * atan(0.4);
    assert_near(time_of(&m, CAROM_EVENT_SLIP, 0), t, 1e-8);
    assert_near(time_of(&m, CAROM_EVENT_SLIP, 1), t, 1e-8);
    assert_null(event_of(&m, CAROM_EVENT_SLIP, 2));
    /* x'' = g (sin - 0.4 cos), 0.1 t as argument */
    const double way = g * (-100.0 * (sin(0.5) - sin(0.1 * t)) + 40.0 * (cos(0.5) - cos(0.1 * t)) +
                            (10.0 * cos(0.1 * t) + 4.0 * sin(0.1 * t)) * (5.0 - t));
    assert_near(position(&m, 0), way, 1e-8);
    forget(&m);
}

/* Four legs in space: neither their normal forces nor their friction are unique. |load| = 8.94 t, friction 0.3 g. */
static void legs_of_a_table_slip_together(void **unused)
{
    (void)unused;
    motion m = move_events(
        "local x, y, z, p, a, b = coordinates('x', 'y', 'z', 'p', 'a', 'b')\n"
        "kinetic((dot(x)^2 + dot(y)^2 + dot(z)^2 + 0.3 * dot(p)^2 + 0.2 * dot(a)^2 + 0.2 * dot(b)^2) / 2)\n"
        "force { x = 8 * time(), y = 4 * time(), z = -9.81 }\n"
        "for i, s in ipairs { { 1, 1 }, { -1, 1 }, { -1, -1 }, { 1, -1 } } do\n"
        "  local rx, ry = 0.6 * s[1], 0.5 * s[2]\n"
        "  local px, py = x + rx * cos(p) - ry * sin(p), y + rx * sin(p) + ry * cos(p)\n"
        "  contact { 'leg' .. i, gap = z + rx * b + ry * a, slip = { dot(px), dot(py) }, friction = 0.3 }\n"
        "end\n"
        "initial { z = 0 } integrate { h = 0.02, until_t = 0.8 }");
    const double t = 0.3 * g / sqrt(80.0), left = 0.8 - t;
    for (int k = 0; k < 4; k++)
        assert_near(time_of(&m, CAROM_EVENT_SLIP, k), t, 1e-9);
    assert_null(event_of(&m, CAROM_EVENT_STICK, 0));
    assert_near(position(&m, 0), 8.0 * left * left * left / 6.0, 1e-9);
    assert_near(position(&m, 1), 4.0 * left * left * left / 6.0, 1e-9);
    assert_near(position(&m, 3), 0.0, 1e-10);
    forget(&m);
}

/* A coefficient that is zero for a while: contacts slip freely then, and may stick again. */
static void friction_comes_and_goes(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y + x^2 / 2)\n"
        "force { x = 0.5 * sin(3 * time()) }\n"
        "contact { 'floor', gap = y, slip = dot(x), friction = 0.2 * max(0, cos(2 * time())) }\n"
        "initial { x = 0.3, y = 0, [dot(x)] = 1 } integrate { h = 0.1, until_t = 12 }";
    motion exact = move_events(text), fine = move_and_keep(text, "moreau-jean", 1e-4, NAN);
    assert_int_equal(fine.status, CAROM_OK);
    assert_near(position(&exact, 0), position(&fine, 0), 5e-5);
    assert_non_null(event_of(&exact, CAROM_EVENT_STICK, 3));
    assert_non_null(event_of(&exact, CAROM_EVENT_SLIP, 3));
    forget(&exact);
    forget(&fine);
}

/* First order of moreau-jean, of which this is the limit. */
static void schemes_with_steps_come_closer(void **unused)
{
    (void)unused;
    static const char text[] =
        "local x, y, f = coordinates('x', 'y', 'f')\n"
        "kinetic((dot(x)^2 + dot(y)^2 + 0.4 * dot(f)^2) / 2) potential(9.81 * y + 20 * x^2)\n"
        "contact { 'floor', gap = y - 1, slip = dot(x) + dot(f), friction = 0.3 }\n"
        "initial { y = 1, x = 0.5, [dot(f)] = 2 } integrate { h = 0.01, until_t = 2 }";
    motion exact = move_events(text);
    double off[2];
    for (int k = 0; k < 2; k++) {
        motion m = move_and_keep(text, "moreau-jean", k == 0 ? 1e-3 : 1e-5, NAN);
        off[k] = fabs(position(&m, 0) - position(&exact, 0)) + fabs(position(&m, 2) - position(&exact, 2));
        forget(&m);
    }
    assert_true(off[1] < 1e-5);
    assert_true(off[0] > 30.0 * off[1]); /* first order: where events lie in steps matters */
    forget(&exact);
}

/* ---- models from plain functions ------------------------------------------------------------------------------- */

/* A particle on the inside of a circle of radius 2 with friction: v' = -mu v^2 / 2 without weight, v = v0 / (1 + mu v0 t / 2). */
static void inside(void *context, double t, const double *q, double *gap)
{
    (void)context;
    (void)t;
    gap[0] = 2.0 - hypot(q[0], q[1]);
}

static void along(void *context, int contact, int tangent, double t, const double *q, double *row,
                  double *rate)
{
    (void)context;
    (void)contact;
    (void)tangent;
    (void)t;
    const double r = hypot(q[0], q[1]);
    row[0] = -q[1] / r;
    row[1] = q[0] / r;
    *rate = 0.0;
}

static void functions_have_friction_too(void **unused)
{
    (void)unused;
    const carom_model_functions functions = {.dof = 2,
                                             .masses = (double[]){1.0, 1.0},
                                             .contacts = 1,
                                             .gap = inside,
                                             .slip = along,
                                             .contact =
                                                 &(carom_function_contact){.tangents = 1, .friction = 0.4}};
    const double q0[] = {2.0, 0.0}, v0[] = {0.0, 3.0};
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_stepper *stepper = NULL;
    carom_error error = {0};
    assert_int_equal(carom_model_from_functions(&functions, &model, &error), CAROM_OK);
    assert_int_equal(carom_model_work_create(model, NULL, &work, &error), CAROM_OK);
    assert_int_equal(carom_stepper_create(scheme_named("event-driven"), work,
                                          &(carom_step_settings){.h = 0.1}, q0, v0, &stepper, &error),
                     CAROM_OK);
    const int steps = SANITIZED ? 2 : 20;
    for (int i = 0; i < steps; i++)
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
    const double *q = stepper->state.q, *v = stepper->state.v;
    assert_near(hypot(v[0], v[1]), 3.0 / (1.0 + 0.4 * 3.0 * 0.1 * steps / 2.0),
                1e-7); /* rows by differences */
    assert_near(hypot(q[0], q[1]), 2.0, 1e-7);
    assert_int_equal(stepper->state.regime[0], CAROM_CONTACT_SLIP);
    carom_stepper_free(stepper);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* ---- what is refused ---------------------------------------------------------------------------------------------- */

static void expect_failure(const char *text, carom_status status, const char *word)
{
    motion m = move_and_keep(text, "event-driven", NAN, NAN);
    assert_int_equal(m.status, status);
    assert_mentions(&m.error, word);
    forget(&m);
}

/* Painleve's rod slides with so much friction that it digs itself in. */
static void painleves_rod_is_told(void **unused)
{
    (void)unused;
    expect_failure("local x, y, f = coordinates('x', 'y', 'f')\n"
                   "kinetic((dot(x)^2 + dot(y)^2 + dot(f)^2 / 3) / 2) potential(9.81 * y)\n"
                   "local px, py = x - cos(f), y - sin(f)\n"
                   "contact { 'tip', gap = py, slip = dot(px), friction = 2 }\n"
                   "initial { y = sin(1.25), f = 1.25, [dot(x)] = -20 } integrate { h = 0.01, until_t = 3 }",
                   CAROM_FAILED, "Painleve");
}

static void what_is_refused(void **unused)
{
    (void)unused;
    expect_failure("local x, y, z = coordinates('x', 'y', 'z') mass(1)\n"
                   "contact { 'floor', gap = z, slip = { dot(x), dot(y) }, friction = { polygon = { {0.5, "
                   "0}, {0, 0.3}, {-0.5, 0}, "
                   "{0, -0.3} } } }\n"
                   "initial { z = 1 } integrate { h = 0.1, until_t = 1 }",
                   CAROM_BAD_INPUT, "corners");
    expect_failure("local x, y = coordinates('x', 'y') mass(1) potential(9.81 * y)\n"
                   "contact { 'floor', gap = y, slip = dot(x), friction = max(0, time() - 1) }\n"
                   "initial { x = 0, [dot(x)] = 1 } integrate { h = 0.1, until_t = 2 }",
                   CAROM_FAILED, "from the start");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(block_slides_to_rest_on_a_slope),
        cmocka_unit_test(stick_slip_on_a_belt_has_its_period),
        cmocka_unit_test(oscillator_stops_where_it_must),
        cmocka_unit_test(driven_oscillator_has_den_hartogs_amplitude),
        cmocka_unit_test(weakening_belt_agrees_with_the_inclusion),
        cmocka_unit_test(disc_comes_to_roll),
        cmocka_unit_test(ball_with_spin_bounces),
        cmocka_unit_test(block_in_space_slides_straight_to_rest),
        cmocka_unit_test(block_on_a_slope_turns_downhill),
        cmocka_unit_test(load_in_space_overcomes_friction),
        cmocka_unit_test(a_box_that_tumbles_obeys_the_laws),
        cmocka_unit_test(contacts_may_be_numbered_otherwise),
        cmocka_unit_test(feet_that_share_friction_slip_together),
        cmocka_unit_test(legs_of_a_table_slip_together),
        cmocka_unit_test(friction_comes_and_goes),
        cmocka_unit_test(schemes_with_steps_come_closer),
        cmocka_unit_test(functions_have_friction_too),
        cmocka_unit_test(painleves_rod_is_told),
        cmocka_unit_test(what_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
