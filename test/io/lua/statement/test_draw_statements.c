#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/run/scene.h"
#include "test/io/lua/scripts.h"

#define PARTICLE                                                                                             \
    "local x, y = coordinates('x', 'y')\nkinetic(dot(x)^2 + dot(y)^2)\nintegrate { h = 1, until_t = 1 }\n"
static const char particle[] = PARTICLE;

static double number_of(const carom_experiment *e, const double *value, int item, int number)
{
    const carom_draw_number *n = &e->draw[item].number[number];
    assert_true(n->look < 0 && n->value >= 0);
    return value[n->value];
}

static void test_things_that_are_drawn(void **state)
{
    (void)state;
    carom_experiment *e = load_good_text(
        PARTICLE
        "local r = param { 'r', 0.25 }\ncontact { 'floor', gap = y }\n"
        "draw { disc(x, y, r, { name = 'ball', colour = '#d55e00', fill = false }), disc(x, y, 2 * r, x),\n"
        "  segment({ 0, 0 }, { x, y }, { dashed = true }), rod({ 0, 0 }, { x, y }, 0.1), text({ 0, 1 }, "
        "'here'),\n"
        "  polygon { { 0, 0 }, { x, 0 }, { x, y } }, arrow({ x, y }, { dot(x), dot(y) }, { scale = 2 }),\n"
        "  touch('floor', { x, 0 }, { 0, 1 }), deformed { { 0, 0 }, { 1, y }, { 2, 0 }, exaggerate = true } "
        "}\n");
    double *value = values_of(e);
    const carom_draw_item *item = e->draw;
    assert_int_equal(e->draw_count, 9);
    assert_int_equal(item[0].kind, CAROM_DRAW_DISC);
    assert_string_equal(item[0].name, "ball");
    assert_string_equal(item[0].colour, "#d55e00");
    assert_false(item[0].filled);
    assert_true(item[1].filled);
    assert_true(number_of(e, value, 0, 2) == 0.25 && number_of(e, value, 1, 2) == 0.5);
    assert_false(carom_draw_number_is_constant(&item[0].number[0]));
    assert_true(item[0].number[3].look < 0 && item[0].number[3].value < 0); /* no angle */
    assert_false(carom_draw_number_is_constant(&item[1].number[3]));
    assert_int_equal(item[2].kind, CAROM_DRAW_SEGMENT);
    assert_true(item[2].dashed && !item[2].dotted);
    assert_int_equal(item[3].kind, CAROM_DRAW_ROD);
    assert_int_equal(item[3].number_count, 5);
    assert_string_equal(item[4].text, "here");
    assert_int_equal(item[5].points, 3);
    assert_true(item[6].scale == 2.0);
    assert_int_equal(item[7].contact, 0);
    assert_int_equal(item[8].kind, CAROM_DRAW_CURVE);
    assert_true(item[8].exaggerates);
    for (int i = 0; i < e->draw_count; i++)
        assert_int_equal(item[i].dimension, 2);
    free(value);
    carom_experiment_free(e);
}

/* What the library draws of itself is left out with `alone`. */
static void test_alone(void **state)
{
    (void)state;
    char text[400];
    for (int alone = 0; alone < 2; alone++) {
        snprintf(text, sizeof text,
                 "%sdraw { disc(x, 0, 1, { name = 'own' }), automatic = true }\ndraw { disc(x, y, 1, { name "
                 "= 'mine' })%s }\n",
                 particle, alone ? ", alone = true" : "");
        carom_experiment *e = load_good_text(text);
        assert_int_equal(e->draw_count, alone ? 1 : 2);
        assert_string_equal(e->draw[e->draw_count - 1].name, "mine");
        carom_experiment_free(e);
    }
}

static void test_what_cannot_be_drawn(void **state)
{
    (void)state;
    static const char *const wrong[][2] = {
        {"draw { }", "nothing to draw"},
        {"draw { disc(x, y, 1), 3 }", "entry 2 is nothing that can be drawn"},
        {"draw { disc(x, y) }", "its radius is missing"},
        {"draw { rod({ 0, 0 }, { x, y }) }", "its radius is missing"},
        {"draw { segment({ 0, 0 }, { x }) }", "a point is { x, y }"},
        {"draw { segment({ 0, 0 }, x) }", "a point is { x, y }"},
        {"draw { segment({ 0, 0 }, { x, y, 0 }) }", "one point has 2 numbers and another 3"},
        {"draw { polygon { { 0, 0 }, { x, y } } }", "polygon needs 3 points or more"},
        {"draw { disc(x, y, 1, { color = 'red' }) }", "color"},
        {"draw { disc(x, y, 1, { colour = 'red;}</style>' }) }", "colour takes a name"},
        {"draw { arrow({ x, y }, { 1, 0 }, { scale = 0 }) }", "scale is a positive number"},
        {"draw { touch('wall', { x, y }, { 0, 1 }) }", "there is no contact 'wall'"},
        {"draw { disc('x', y, 1) }", "disc"},
        {"draw { disc(x, y, 1), alon = true }", "alon"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[400];
        snprintf(text, sizeof text, "%s%s\n", particle, wrong[i][0]);
        check_refused(text, 4, wrong[i][1], NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_things_that_are_drawn),
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_what_cannot_be_drawn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
