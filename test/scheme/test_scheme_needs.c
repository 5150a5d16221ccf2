/* What a scheme of the calling program cannot do is rejected, never ignored. */
#include <string.h>

#include "carom/model.h"
#include "carom/scheme.h"
#include "test/near.h"

static carom_status set_up(carom_stepper *self, carom_error *error)
{
    (void)self;
    (void)error;
    return CAROM_OK;
}

static const carom_scheme_ops plain = {.name = "plain",
                                       .summary = "does nothing",
                                       .size = sizeof(carom_stepper),
                                       .setup = set_up,
                                       .step = set_up};

static carom_node formula(carom_builder *b, const char *text)
{
    return carom_build_formula(b, text);
}

/* Two masses over a floor. */
static carom_builder *masses(const char *kinetic)
{
    carom_builder *b = carom_builder_create();
    carom_build_coordinate(b, "x");
    carom_build_coordinate(b, "y");
    carom_build_kinetic(b, formula(b, kinetic));
    return b;
}

static void expect(const carom_scheme_ops *scheme, carom_model_work *work, const char *why)
{
    carom_error error = {0};
    carom_stepper *stepper = NULL;
    const carom_status status =
        carom_stepper_create(scheme, work, &(carom_step_settings){.h = 1e-3}, (double[]){0.0, 1.0},
                             (double[]){0.0, 0.0}, &stepper, &error);
    assert_int_equal(status, why ? CAROM_BAD_INPUT : CAROM_OK);
    if (why && !strstr(error.text, why))
        fail_msg("%s", error.text);
    carom_stepper_free(stepper);
}

static void expect_built(const carom_scheme_ops *scheme, carom_builder *b, const char *why)
{
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK ||
        carom_model_work_create(model, NULL, &work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    carom_builder_free(b);
    expect(scheme, work, why);
    carom_model_work_free(work);
    carom_model_free(model);
}

static void a_coupled_mass_needs_an_ability(void **state)
{
    (void)state;
    carom_scheme_ops able = plain;
    able.abilities = CAROM_SCHEME_COUPLED_MASS;
    expect_built(&plain, masses("(dot(x)^2 + dot(y)^2)/2"), NULL);
    expect_built(&plain, masses("(dot(x)^2 + dot(y)^2 + dot(x)*dot(y))/2"), "needs a diagonal mass matrix");
    expect_built(&able, masses("(dot(x)^2 + dot(y)^2 + dot(x)*dot(y))/2"), NULL);
}

static void couple(void *context, double t, const double *q, double *mass)
{
    (void)context;
    (void)t;
    (void)q;
    mass[0] = mass[3] = 2.0;
    mass[1] = mass[2] = 1.0;
}

/* A function gives no places: the start counts. */
static void a_coupled_mass_of_a_function_is_seen(void **state)
{
    (void)state;
    carom_model *model = NULL;
    carom_model_work *work = NULL;
    carom_error error = {0};
    carom_scheme_ops able = plain;
    able.abilities = CAROM_SCHEME_ANY_MASS;
    if (carom_model_from_functions(&(carom_model_functions){.dof = 2, .mass = couple}, &model, &error) !=
            CAROM_OK ||
        carom_model_work_create(model, NULL, &work, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    expect(&able, work, "couples 'q1' and 'q2'");
    able.abilities |= CAROM_SCHEME_COUPLED_MASS;
    expect(&able, work, NULL);
    carom_model_work_free(work);
    carom_model_free(model);
}

/* Only a restitution that is stated, and another one than the scheme's rule has. */
static void a_restitution_that_is_stated_needs_an_ability(void **state)
{
    (void)state;
    carom_scheme_ops elastic = plain, able = plain;
    elastic.restitution = 1.0;
    able.abilities = CAROM_SCHEME_RESTITUTION;
    for (int i = 0; i < 4; i++) {
        static const char *const stated[] = {NULL, "0", "0.5", "1"};
        for (int k = 0; k < 3; k++) {
            const carom_scheme_ops *scheme = k == 0 ? &plain : k == 1 ? &elastic : &able;
            carom_builder *b = masses("(dot(x)^2 + dot(y)^2)/2");
            const int floor = carom_build_contact(b, "floor", formula(b, "y"));
            if (stated[i])
                carom_build_restitution(b, floor, formula(b, stated[i]));
            const bool fits = i == 0 || k == 2 || (k == 0 && i == 1) || (k == 1 && i == 3);
            expect_built(scheme, b, fits ? NULL : "by its rule");
        }
    }
}

static void friction_that_acts_needs_an_ability(void **state)
{
    (void)state;
    carom_scheme_ops able = plain;
    able.abilities = CAROM_SCHEME_FRICTION;
    for (int i = 0; i < 4; i++) {
        carom_builder *b = masses("(dot(x)^2 + dot(y)^2)/2");
        const int floor = carom_build_contact(b, "floor", formula(b, "y"));
        carom_build_slip(b, floor, formula(b, "dot(x)"));
        carom_build_friction(b, floor, formula(b, i % 2 ? "0.3" : "0"));
        expect_built(i < 2 ? &plain : &able, b, i == 1 ? "has friction" : NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_coupled_mass_needs_an_ability),
        cmocka_unit_test(a_coupled_mass_of_a_function_is_seen),
        cmocka_unit_test(a_restitution_that_is_stated_needs_an_ability),
        cmocka_unit_test(friction_that_acts_needs_an_ability),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
