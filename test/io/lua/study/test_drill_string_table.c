/* drill_string and soft_torque: the model that they make, and what they refuse. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"
#include "test/near.h"

#define END "integrate { scheme = 'dai-theta', h = 0.1, until_t = 1 }\n"
#define BIT "bit = { Ts = 1.25, Td = 0.25, Nd = 0.5 }"

enum {
    DISCS = 4
};

static const char string_text[] =
    "local s = drill_string { J = { 1, 2, 3, 4 }, k = { 5, 6, 7 }, d = { 0.1, 0.2, 0.3 }, Tw = { 0.5, 1, 2 "
    "},\n"
    "  joins = { { 1, 3, 8, 0.4 } }, top = 11, " BIT " }\n"
    "local u = soft_torque { s, ct = 2, kt = 3, rpm = 60, feedforward = s.torque(60) }\n"
    "record { bit = s.bit, top = s.top, pipe = s.pipe, u = u, total = s.torque(60) }\n"
    "initial(s.on_set_point(60, 0.25))\n" END;

/* Forces by hand at th = 0, 1, 3, 6 and w = 1, 2, 4, 8, t = 2. */
static void string_is_the_one_described(void **state)
{
    (void)state;
    carom_experiment *experiment = load_good_text(string_text);
    const carom_model *model = experiment->model;
    carom_model_work *work = model->ops->work_create(model);
    model->ops->bind(work, experiment->parameter);
    const double q[DISCS] = {0, 1, 3, 6}, v[DISCS] = {1, 2, 4, 8}, pi = 3.14159265358979323846;
    double mass[DISCS * DISCS], force[DISCS];
    assert_int_equal(model->dof, DISCS);
    assert_int_equal(model->contacts, DISCS);
    assert_string_equal(model->coordinate[0], "th1");
    assert_string_equal(model->contact[0].name, "bit");
    assert_ptr_equal(model->contact[0].friction.dynamic_cone.shape, &carom_friction_weakening);
    assert_int_equal(model->contact[0].coefficients, 3);
    assert_string_equal(model->contact[3].name, "wall4");
    assert_true(model->contact[3].friction_force && model->contact[3].constant_frame);
    model->ops->mass(work, 0.0, q, mass);
    for (int i = 0; i < DISCS * DISCS; i++)
        assert_near(mass[i], i % (DISCS + 1) == 0 ? 1 + i / (DISCS + 1) : 0.0, 0.0);
    model->ops->force(work, 2.0, q, v, force);
    const double drive = 2 * (2 * pi - 8) + 3 * (2 * pi * 2 - 6) + 3.75;
    assert_near(force[0], 5 * 1 + 0.1 * 1 + 8 * 3 + 0.4 * 3, 1e-13);
    assert_near(force[1], -5 * 1 - 0.1 * 1 + 6 * 2 + 0.2 * 2, 1e-13);
    assert_near(force[2], -6 * 2 - 0.2 * 2 + 7 * 3 + 0.3 * 4 - 8 * 3 - 0.4 * 3, 1e-13);
    assert_near(force[3], -7 * 3 - 0.3 * 4 + 11 + drive, 1e-9);
    double *column = columns_of(experiment, &(carom_inputs){.t = 2.0, .q = q, .u = v});
    assert_near(column[column_named(experiment, "bit")], 30 / pi, 1e-13);
    assert_near(column[column_named(experiment, "top")], 240 / pi, 1e-13);
    assert_near(column[column_named(experiment, "pipe")], 7 * 3 + 0.3 * 4, 1e-13);
    assert_near(column[column_named(experiment, "total")], 3.75, 1e-12); /* exp(-120) is nothing */
    free(column);
    model->ops->work_free(work);
    carom_experiment_free(experiment);
}

/* K th = -(torques) below the top drive, which stands at 0. */
static void set_point_balances_the_springs(void **state)
{
    (void)state;
    carom_experiment *experiment = load_good_text(string_text);
    double *value = values_of(experiment), th[DISCS];
    for (int i = 0; i < DISCS; i++)
        th[i] = value[experiment->q0[i]];
    assert_near(th[3], 0.0, 0.0);
    assert_near(5 * (th[1] - th[0]) + 8 * (th[2] - th[0]), 0.25, 1e-12);
    assert_near(5 * (th[0] - th[1]) + 6 * (th[2] - th[1]), 0.5, 1e-12);
    assert_near(7 * (th[3] - th[2]), 0.25 + 0.5 + 1, 1e-12); /* all that is below it */
    assert_near(value[experiment->v0[0]], 0.75 * 6.283185307179586, 1e-12);
    assert_near(value[experiment->v0[1]], 6.283185307179586, 1e-12);
    free(value);
    carom_experiment_free(experiment);
}

static void friction_forces_are_checked(void **state)
{
    (void)state;
    static const struct {
        const char *keys, *word, *cure;
    } wrong[] = {
        {"bound = 1, static = 2", "decay is missing", "static (the force at the start of motion) and decay"},
        {"bound = 1, decay = 2", "static is missing", "go together"},
        {"static = 2, decay = 1", "needs a slip and a bound", "bound = 0.1"},
        {"bound = 2, static = 1, decay = 1", "weakening law needs Ts >= Td", "static = 1, bound = 2"},
        {"bound = 1, static = 2, decay = -1", "the decay -1 must not be negative", NULL},
        {"bound = -1, static = 2, decay = 1", "the bound -1 must not be negative", NULL},
        {"bound = -1, static = -2, decay = 1", "must not be negative", NULL},
        {"bound = 0/0, static = 2, decay = 1", "bound is not a number", "NaN"},
        {"bound = 1, static = 'a', decay = 1", "static must be a number or an expression", "string"},
        {"bound = 1, static = dot(x), decay = 1", "'dry'", "parameters, position and time"},
        {"bound = 1, static = 2, decay = dot(x)", "'dry'", "parameters, position and time"},
        {"bound = 1, statik = 2, decay = 1", "unknown key 'statik'", "did you mean 'static'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text,
                 "local x = coordinates 'x' mass(1)\nfriction_force { 'dry', slip = dot(x), %s }\n" END,
                 wrong[i].keys);
        check_refused(text, 2, wrong[i].word, wrong[i].cure);
    }
}

static void bad_strings_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *line, *word, *cure;
    } wrong[] = {
        {"drill_string(1)", "drill_string takes a table", "J = {"},
        {"drill_string { J = { 1, 1 }, k = { 1 }, K = 1, " BIT " }", "unknown key 'K'", "known are J, k, d"},
        {"drill_string { k = { 1 }, " BIT " }", "drill_string needs J", "the bit first"},
        {"drill_string { J = { 1 }, k = {}, " BIT " }", "two discs at least", NULL},
        {"drill_string { J = { 1, 0 }, k = { 1 }, " BIT " }", "J[2] = 0 must be positive", NULL},
        {"drill_string { J = { -1, 1 }, k = { 1 }, " BIT " }", "J[1] = -1", "negative"},
        {"drill_string { J = { 1, 1, 1 }, k = { 1 }, " BIT " }", "k has 1 values; it takes 2",
         "pair of neighbours"},
        {"drill_string { J = { 1, 1 }, " BIT " }", "k must be a number, or a list of 1", "nil"},
        {"drill_string { J = { 1, 1 }, k = { -1 }, " BIT " }", "k[1] = -1 must not be negative", NULL},
        {"drill_string { J = { 1, 1 }, k = 1, d = { 1, 1 }, " BIT " }", "d has 2 values", NULL},
        {"drill_string { J = { 1, 1 }, k = 1, Tw = 'a', " BIT " }", "Tw must be a number", "string"},
        {"drill_string { J = { 1, 1, 1 }, k = { 1, 0 }, " BIT " }", "disc 1 is not connected", "springs"},
        {"drill_string { J = { 1, 1 }, k = 1 }", "needs bit = { Ts =, Td =, Nd = }", "rpm"},
        {"drill_string { J = { 1, 1 }, k = 1, bit = { Ts = 1, Td = 2, Nd = 1 } }",
         "weakening law needs Ts >= Td", "bit.Ts = 1"},
        {"drill_string { J = { 1, 1 }, k = 1, bit = { Ts = 1, Td = 0.5, Nd = 0 } }", "bit.Nd = 0",
         "must be positive"},
        {"drill_string { J = { 1, 1 }, k = 1, bit = { Ts = 1, Td = 0.5 } }", "needs Nd", NULL},
        {"drill_string { J = { 1, 1 }, k = 1, bit = { Ts = 1, Td = 0.5, vd = 1 } }", "unknown key 'vd'",
         "Ts, Td, Nd"},
        {"drill_string { J = { 1, 1 }, k = 1, joins = { { 1, 3, 1, 0 } }, " BIT " }", "joins[1] must be",
         "from 1 to 2"},
        {"drill_string { J = { 1, 1 }, k = 1, joins = { { 1, 2 } }, " BIT " }", "joins[1] needs a stiffness",
         NULL},
        {"soft_torque { ct = 1, kt = 1, rpm = 1 }", "begins with what drill_string returned",
         "soft_torque {"},
        {"soft_torque { drill_string { J = { 1, 1 }, k = 1, " BIT " }, ct = 1, rpm = 1 }", "needs kt", NULL},
        {"soft_torque { drill_string { J = { 1, 1 }, k = 1, " BIT " }, ct = 1, kt = 1, rpm = 1, ff = 1 }",
         "unknown key 'ff'", "feedforward"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text, "\n%s\n" END, wrong[i].line);
        check_refused(text, 2, wrong[i].word, wrong[i].cure);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(string_is_the_one_described),
        cmocka_unit_test(set_point_balances_the_springs),
        cmocka_unit_test(friction_forces_are_checked),
        cmocka_unit_test(bad_strings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
