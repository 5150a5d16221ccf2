/* stop { }: what is read, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "test/io/lua/scripts.h"

#define MODEL "local x = coordinates('x')\nlocal k = param('k', 1)\nmass(1)\n"
#define END "\nintegrate { h = 0.1, until_t = 1 }\n"

static void test_read(void **unused)
{
    (void)unused;
    carom_experiment *experiment =
        load_good_text(MODEL "stop { when = x - k }\nstop { 'late', when = time() - 2 }" END);
    assert_int_equal(experiment->stop_count, 2);
    assert_string_equal(experiment->stop[0].name, "stop-1");
    assert_string_equal(experiment->stop[1].name, "late");
    assert_int_equal(experiment->stop[1].line, 5);
    assert_int_equal(carom_tape_outputs(experiment->stops), 2);
    carom_experiment_free(experiment);
    experiment = load_good_text(MODEL END);
    assert_int_equal(experiment->stop_count, 0);
    assert_null(experiment->stops);
    carom_experiment_free(experiment);
}

static void test_refused(void **unused)
{
    (void)unused;
    check_refused(MODEL "stop(x)" END, 4, "stop takes a table", "stop { when = x - 1 }");
    check_refused(MODEL "stop { x - 1 }" END, 4, "the condition needs its key", "when = ");
    check_refused(MODEL "stop { wen = x }" END, 4, "unknown key 'wen'", "when");
    check_refused(MODEL "stop { 'a' }" END, 4, "stop 'a' has no condition", "when =");
    check_refused(MODEL "stop { when = k }" END, 4, "must depend on the motion or on time", NULL);
    check_refused(MODEL "stop { when = 1 }" END, 4, "must depend on the motion or on time", NULL);
    check_refused(MODEL "stop { when = true }" END, 4, "when must be a number or an expression", "a boolean");
    check_refused(MODEL "stop { 'a', when = x }\nstop { 'a', when = -x }" END, 5, "stop 'a' is defined twice",
                  NULL);
    check_refused("stop { when = time() }\nmeasure { one = 1 }\n", 1, "nothing moves here", NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_read), cmocka_unit_test(test_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
