/* x'' + c x' + x = cos(w t), x >= s, v+ = -e v-: parameters w, e, c, s in this order. */
#ifndef CAROM_TEST_PERIODIC_SHOOTING_IMPACT_OSCILLATOR_H
#define CAROM_TEST_PERIODIC_SHOOTING_IMPACT_OSCILLATOR_H

#include "test/near.h"

#include "carom/periodic.h"

enum {
    PAR_W,
    PAR_E,
    PAR_C,
    PAR_S
};

static inline carom_model *impact_oscillator(void)
{
    carom_builder *b = carom_builder_create();
    const carom_node x = carom_build_coordinate(b, "x");
    carom_build_parameter(b, "w", 2.2);
    carom_build_parameter(b, "e", 0.8);
    carom_build_parameter(b, "c", 0.05);
    carom_build_parameter(b, "s", 0.0);
    carom_build_kinetic(b, carom_build_formula(b, "dot(x)^2/2"));
    carom_build_potential(b, carom_build_formula(b, "x^2/2"));
    carom_build_force(b, x, carom_build_formula(b, "cos(w*t) - c*dot(x)"));
    const int wall = carom_build_contact(b, "wall", carom_build_formula(b, "x - s"));
    carom_build_restitution(b, wall, carom_build_formula(b, "e"));
    carom_model *model = NULL;
    carom_error error = {0};
    if (carom_build_model(b, &model, &error) != CAROM_OK)
        print_error("%s\n", error.text);
    carom_builder_free(b);
    assert_non_null(model);
    return model;
}

static inline void expect_done(carom_status status, const carom_error *error)
{
    if (status != CAROM_OK)
        print_error("%s\n", error->text);
    assert_int_equal(status, CAROM_OK);
}

/* Shooting at a forced or autonomous motion with impacts of these contacts. */
static inline carom_shooting *aim_at(const carom_model *model, const double *parameter,
                                     carom_shooting_kind kind, int impacts, const int *contact, double period)
{
    const carom_shooting_problem problem = {.model = model,
                                            .parameter = parameter,
                                            .kind = kind,
                                            .impacts = impacts,
                                            .contact = contact,
                                            .period = period,
                                            .multiple = 1,
                                            .frequency = -1};
    carom_shooting *shooting = NULL;
    carom_error error = {0};
    expect_done(carom_shooting_create(&problem, &shooting, &error), &error);
    return shooting;
}

#endif
