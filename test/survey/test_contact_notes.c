/* carom check: gaps and slips that may not be true lengths. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "test/survey/texts.h"

/* The notes about a model; each text has two lines, the second one begins with the contact. */
static carom_model_check check_of(const char *before, const char *contact)
{
    char text[500];
    snprintf(text, sizeof text, "%s\ncontact { 'c', %s, friction = 0.3 } integrate { h = 1e-3, until_t = 1 }",
             before, contact);
    carom_experiment *experiment = load(text);
    carom_model_check found;
    carom_error error = {0};
    if (carom_check_model(experiment, &found, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    assert_true(found.good); /* a note is no fault */
    carom_experiment_free(experiment);
    return found;
}

#define ROD                                                                                                  \
    "local x, y, p = coordinates('x', 'y', 'p') mass { x = 2, y = 2, p = 0.3 } initial { x = 1, y = 3, p = " \
    "0.4 }"
#define MORE                                                                                                 \
    "local x, y, s = coordinates('x', 'y', 's') kinetic(dot(x)^2 + dot(y)^2 + (1 + s^2)*dot(s)^2)\n"         \
    "initial { x = 1, y = 3, s = 2 }"

static void lengths_that_differ(void **state)
{
    (void)state;
    static const struct {
        const char *before, *contact;
    } doubtful[] = {
        {ROD, "gap = 2*(y - sin(p)), slip = dot(x)"},
        {ROD, "gap = y - sin(p), slip = 3*dot(x) + sin(p)*dot(p)"},
        {ROD, "gap = y - sin(p) - x^2/8, slip = dot(x)"}, /* not orthogonal */
        {MORE, "gap = 2*y, slip = dot(x)"},
    };
    for (size_t i = 0; i < sizeof doubtful / sizeof *doubtful; i++) {
        const carom_model_check found = check_of(doubtful[i].before, doubtful[i].contact);
        assert_int_equal(found.notes, 1);
        assert_non_null(strstr(found.note[0], "contact 'c': gap and slip may not be true lengths"));
        assert_non_null(strstr(found.note[0], "by x, y, which"));
        assert_non_null(strstr(found.note[0], "distance = true"));
        char said[200];
        snprintf(said, sizeof said, "%s, distance = true", doubtful[i].contact);
        assert_int_equal(check_of(doubtful[i].before, said).notes, 0);
    }
}

static void lengths_that_are_right(void **state)
{
    (void)state;
    assert_int_equal(check_of(ROD, "gap = y - sin(p), slip = dot(x) + sin(p)*dot(p)").notes, 0);
    assert_int_equal(check_of(ROD, "gap = 2*y - 2*sin(p), slip = 2*dot(x)").notes, 0); /* one unit */
    assert_int_equal(check_of(MORE, "level = 5*(y - x^2/8), point = { x, y }").notes, 0);
    assert_int_equal(
        check_of("local x, y, X, Y = coordinates('x', 'y', 'X', 'Y') mass { x = 1, y = 1, X = 2, Y = 2 }\n"
                 "initial { y = 1 }",
                 "gap = y - Y, slip = dot(x) - dot(X)")
            .notes,
        0);
    assert_int_equal(
        check_of("local p = coordinates('p') mass(1)", "gap = 1 - 2*sin(p), slip = 2*cos(p)*dot(p)").notes,
        0);
}

static void what_was_divided_is_said(void **state)
{
    (void)state;
    const carom_model_check found =
        check_of("local x, y = coordinates('x', 'y') mass(1) initial { y = 1 }", "gap = 2*y, slip = dot(x)");
    assert_int_equal(found.notes, 1);
    assert_non_null(strstr(found.note[0], "the model is one point mass; gap and slip are divided"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lengths_that_differ),
        cmocka_unit_test(lengths_that_are_right),
        cmocka_unit_test(what_was_divided_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
