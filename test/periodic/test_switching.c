/* Instants at which forces have a kink or a jump in time: found from the expressions, whatever the unit of time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "carom/model.h"
#include "periodic/switching.h"

/* Kinks at sin(w t) = 1/2, jumps at cos(w t) = 0; what depends on x is no matter of time. */
static carom_model *pulsed(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "w", 2.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_force(
        b, x,
        carom_build_formula(b, "max(sin(w*t), 0.5) + select(cos(w*t), x, 0) - abs(x) - max(x, cos(w*t))"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    return model;
}

static void instants_of_kinks_and_jumps(void **state)
{
    (void)state;
    static const double rates[] = {2.0, 2.0 * 1048576.0, 2.0 / 1048576.0};
    /* of the period: arcs of 30, 90, 150 and 270 degrees */
    static const double arc[] = {1.0 / 12.0, 1.0 / 4.0, 5.0 / 12.0, 3.0 / 4.0};
    carom_model *model = pulsed();
    assert_int_equal(model->switches, 2);
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const double period = 2.0 * CAROM_PI / rates[i];
        carom_model_work *work = NULL;
        carom_error error = {0};
        switching found = {0};
        assert_int_equal(carom_model_work_create(model, &rates[i], &work, &error), CAROM_OK);
        assert_true(switching_find(&found, work, period));
        assert_int_equal(found.count, 4);
        for (int k = 0; k < 4; k++)
            assert_true(fabs(found.instant[k] / period - arc[k]) < 1e-14);
        /* from one to the next, also over whole periods and before time 0 */
        double t = -period;
        for (int k = 0; k < 12; k++) {
            t = switching_next(&found, t);
            assert_true(fabs(t / period - (floor(k / 4.0) - 1.0 + arc[k % 4])) < 1e-14);
        }
        switching_free(&found);
        carom_model_work_free(work);
    }
    carom_model_free(model);
}

static void none_without_a_period(void **state)
{
    (void)state;
    carom_model *model = pulsed();
    const double rate = 2.0;
    carom_model_work *work = NULL;
    carom_error error = {0};
    switching found = {0};
    assert_int_equal(carom_model_work_create(model, &rate, &work, &error), CAROM_OK);
    assert_true(switching_find(&found, work, 0.0));
    assert_int_equal(found.count, 0);
    switching_free(&found);
    carom_model_work_free(work);
    carom_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instants_of_kinks_and_jumps),
        cmocka_unit_test(none_without_a_period),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
