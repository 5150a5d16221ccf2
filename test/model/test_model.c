#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "carom/model.h"

static char e_name[] = "e", h_name[] = "h", floor_name[] = "floor", wall_name[] = "wall";
static carom_parameter parameter[] = {{.name = e_name}, {.name = h_name}};
static carom_contact_info contact[] = {{.name = floor_name, .tangents = 1, .coefficients = 1},
                                       {.name = wall_name, .tangents = 2, .coefficients = 8}};

static int freed;

static void count_free(carom_model *model)
{
    (void)model;
    freed++;
}

static void test_names_are_found(void **state)
{
    (void)state;
    const carom_model model = {.parameters = 2, .parameter = parameter, .contacts = 2, .contact = contact};
    assert_int_equal(carom_model_find_parameter(&model, "e"), 0);
    assert_int_equal(carom_model_find_parameter(&model, "h"), 1);
    assert_int_equal(carom_model_find_parameter(&model, "floor"), -1);
    assert_int_equal(carom_model_find_parameter(&model, ""), -1);
    assert_int_equal(carom_model_find_contact(&model, "floor"), 0);
    assert_int_equal(carom_model_find_contact(&model, "wall"), 1);
    assert_int_equal(carom_model_find_contact(&model, "e"), -1);
    char *coordinate[] = {wall_name, e_name}, *velocity[] = {h_name};
    carom_error error = {0};
    const carom_model turning = {.dof = 1, .coordinate = coordinate, .velocity = velocity, .rotations = 1};
    assert_int_equal(carom_model_find_position(&turning, "e"), 1);
    assert_int_equal(carom_model_find_position(&turning, "h"), -1);
    assert_int_equal(carom_model_find_velocity(&turning, "h"), 0);
    assert_int_equal(carom_model_find_velocity(&turning, "e"), -1);
    assert_int_equal(carom_model_state_place(&turning, "q:e", &error), 1);
    assert_int_equal(carom_model_state_place(&turning, "wall", &error), 0);
    assert_int_equal(carom_model_state_place(&turning, "v:h", &error), 2);
    assert_int_equal(carom_model_state_place(&turning, "v:e", &error), -1);
    assert_non_null(strstr(error.text, "no 'v:e' in a state of this model; it has q:wall, q:e, v:h"));
    const carom_model empty = {0};
    assert_int_equal(carom_model_find_parameter(&empty, "e"), -1);
    assert_int_equal(carom_model_find_contact(&empty, "floor"), -1);
}

static void test_a_frame_has_room_for_every_contact(void **state)
{
    (void)state;
    enum {
        DOF = 5
    };
    const carom_model model = {.dof = DOF, .contacts = 2, .contact = contact};
    carom_arena *arena = carom_arena_create();
    carom_contact_frame frame;
    assert_true(carom_contact_frame_take(arena, &model, &frame));
    /* writing to the ends of all arrays must stay inside (the address sanitizer looks on) */
    frame.normal.value[DOF - 1] = frame.tangent[0].value[DOF - 1] = frame.tangent[1].value[DOF - 1] =
        frame.coefficients[7] = 1.0;
    assert_true(frame.normal.value[0] == 0.0 && frame.coefficients[0] == 0.0 && frame.restitution == 0.0);
    assert_ptr_not_equal(frame.normal.value, frame.tangent[0].value);
    assert_ptr_not_equal(frame.tangent[0].value, frame.tangent[1].value);
    const carom_model free_flight = {.dof = DOF};
    assert_true(carom_contact_frame_take(arena, &free_flight, &frame));
    carom_arena_free(arena);
}

static void test_free_asks_the_model(void **state)
{
    (void)state;
    const carom_model_ops ops = {.free = count_free};
    carom_model model = {.ops = &ops};
    freed = 0;
    carom_model_free(&model);
    assert_int_equal(freed, 1);
    carom_model_free(NULL);
    assert_int_equal(freed, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_are_found),
        cmocka_unit_test(test_a_frame_has_room_for_every_contact),
        cmocka_unit_test(test_free_asks_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
