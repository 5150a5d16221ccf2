/* For tests of drill strings. Reference values are those of the specification: computed by an independent
 * program. */
#ifndef CAROM_TEST_SUBJECT_DRILLING_DRILL_H
#define CAROM_TEST_SUBJECT_DRILLING_DRILL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/subject/drilling.h"
#include "test/near.h"

#define assert_ok(call)                                                                                      \
    do {                                                                                                     \
        if ((call) != CAROM_OK)                                                                              \
            fail_msg("%s:%d: %s", __FILE__, __LINE__, error.text);                                           \
    } while (0)

static inline carom_drill_string *setup(void)
{
    carom_drill_string *string;
    carom_error error;
    assert_ok(carom_drill_setup(&string, &error));
    return string;
}

/* The setup in linear form with the slope of its bit's law at a speed; rpm 0: no slope. */
static inline carom_drill_plant *plant_at(double rpm)
{
    carom_drill_string *string = setup();
    carom_drill_plant *plant;
    carom_error error;
    const double slope = rpm > 0.0 ? carom_drill_slope(&string->bit, carom_rpm(rpm)) : 0.0;
    assert_ok(carom_drill_plant_create(string, slope, &plant, &error));
    carom_drill_string_free(string);
    return plant;
}

static inline carom_drill_controller *soft_torque(void)
{
    carom_drill_controller *controller;
    carom_error error;
    assert_ok(carom_drill_soft_torque(2.93, 1.87, &controller, &error));
    return controller;
}

static inline carom_drill_controller *lqg(double rq)
{
    carom_drill_plant *plant = plant_at(5.5);
    carom_drill_lqg_options options = carom_drill_lqg_defaults();
    carom_drill_controller *controller;
    carom_error error;
    options.rq = rq;
    assert_ok(carom_drill_lqg(plant, &options, NULL, NULL, &controller, &error));
    carom_drill_plant_free(plant);
    return controller;
}

static inline carom_drill_controller *hinf(carom_drill_hinf *result)
{
    carom_drill_plant *plant = plant_at(5.5);
    const carom_drill_weights weights = carom_drill_weights_high();
    carom_drill_controller *controller;
    carom_error error;
    assert_ok(carom_drill_hinf_solve(plant, &weights, 0.13, 0.158, 1.0, result, &controller, &error));
    carom_drill_plant_free(plant);
    assert_non_null(controller);
    return controller;
}

#endif
