#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "beams.h"

static void expect_names(const carom_model *model, int count, const char *const *names)
{
    assert_int_equal(model->dof, count);
    for (int i = 0; i < count; i++)
        assert_string_equal(model->coordinate[i], names[i]);
}

static void test_coordinates(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 2);
    built_beam b = beam_build_sound(&c);
    expect_names(b.model, 4, (const char *const[]){"u_1", "u_slope_1", "u_2", "u_slope_2"});
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    c.spec.name = "pipe";
    c.spec.left = CAROM_END_PINNED;
    c.spec.right = CAROM_END_GUIDED;
    b = beam_build_sound(&c);
    expect_names(b.model, 4, (const char *const[]){"pipe_slope_0", "pipe_1", "pipe_slope_1", "pipe_2"});
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_BSPLINE, 2);
    b = beam_build_sound(&c);
    expect_names(b.model, 3, (const char *const[]){"u_c1", "u_c2", "u_c3"});
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, 3);
    b = beam_build_sound(&c);
    expect_names(b.model, 3, (const char *const[]){"u_1", "u_2", "u_3"});
    beam_release(&b);
}

static void test_contacts(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_BSPLINE, 3);
    add_obstacle(&c, number(&c, -1.0), CAROM_NO_NODE)->to = number(&c, 4.0);
    add_obstacle(&c, CAROM_NO_NODE, number(&c, 1.0))->to = number(&c, 4.0);
    add_stop(&c, "tip", 10.0, CAROM_NO_NODE, number(&c, 1.0));
    c.spec.restitution = c.p[2];
    built_beam b = beam_build_sound(&c);
    const char *const names[] = {"lower_1", "upper_1", "lower_2",  "upper_2",
                                 "lower_3", "upper_3", "tip_upper"};
    assert_int_equal(b.model->contacts, 7);
    for (int k = 0; k < 7; k++) {
        const carom_contact_info *info = &b.model->contact[k];
        assert_string_equal(info->name, names[k]);
        assert_int_equal(info->tangents, 0);
        assert_int_equal(info->coefficients, 0);
        assert_ptr_equal(info->friction.dynamic_cone.shape, NULL);
        assert_true(info->has_restitution && info->constant_rows && info->constant_frame);
        assert_true(info->may_be_absent);
    }
    beam_release(&b);
    beam_begin(&c, CAROM_BEAM_BSPLINE, 3);
    add_obstacle(&c, number(&c, -1.0), CAROM_NO_NODE);
    b = beam_build_sound(&c);
    assert_int_equal(b.model->contacts, 3);
    assert_false(b.model->contact[0].has_restitution);
    assert_true(b.structure->restitution == 0.0);
    beam_release(&b);
}

static void test_parameters_are_copied(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 2);
    built_beam b = beam_build_sound(&c);
    assert_int_equal(b.model->parameters, BEAM_PARAMETERS);
    assert_int_equal(carom_model_find_parameter(b.model, "k2"), 1);
    assert_ptr_not_equal(b.model->parameter[0].name, beam_p0);
    assert_string_equal(b.model->parameter[0].doc, "p3");
    assert_null(b.model->parameter[1].doc);
    assert_true(b.model->parameter[1].value == 282.84);
    beam_release(&b);
}

static carom_model flags_of(beam_case *c)
{
    built_beam b = beam_build_sound(c);
    const carom_model flags = *b.model;
    beam_release(&b);
    return flags;
}

static void test_flags(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_P3, 2);
    c.spec.damping_mass = c.spec.acceleration = number(&c, 0.0);
    const carom_model rest = flags_of(&c);
    assert_true(rest.conservative && rest.constant_mass && rest.constant_force_jacobian);
    assert_true(rest.affine_force && !rest.constant_force);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    c.spec.damping_stiffness = c.p[2];
    assert_false(flags_of(&c).conservative);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    c.spec.load = c.p[2];
    assert_false(flags_of(&c).conservative);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    c.spec.acceleration = c.t;
    assert_false(flags_of(&c).conservative);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    add_force(&c, 5.0, c.t);
    assert_false(flags_of(&c).conservative);
    beam_begin(&c, CAROM_BEAM_P3, 2);
    add_force(&c, 5.0, number(&c, 0.0));
    assert_true(flags_of(&c).conservative);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coordinates),
        cmocka_unit_test(test_contacts),
        cmocka_unit_test(test_parameters_are_copied),
        cmocka_unit_test(test_flags),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
