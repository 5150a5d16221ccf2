/* The impact of a model: its closed contacts at the start, or elsewhere. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "carom/run/model_impact.h"
#include "particle.h"

typedef struct particle_impact {
    particle_experiment built;
    carom_experiment *experiment;
    carom_arena *arena;
    carom_model_impact made;
    carom_error error;
} particle_impact;

static void begin(particle_impact *p)
{
    *p = (particle_impact){.built = particle_begin(), .arena = carom_arena_create()};
    p->experiment = particle_end(&p->built);
    p->experiment->name = carom_arena_copy_text(p->experiment->arena, "particle");
}

static void end(particle_impact *p)
{
    carom_arena_free(p->arena);
    carom_experiment_free(p->experiment);
}

static carom_status take(particle_impact *p, carom_model_impact_request request)
{
    request.experiment = p->experiment;
    return carom_model_impact_take(p->arena, &request, &p->made, &p->error);
}

static void an_open_gap_is_no_impact(void **state)
{
    (void)state;
    particle_impact p;
    begin(&p);
    assert_int_equal(take(&p, (carom_model_impact_request){0}), CAROM_BAD_INPUT);
    assert_non_null(strstr(p.error.text, "all gaps are open at the start of particle (the smallest is 1,"));
    assert_int_equal(take(&p, (carom_model_impact_request){.gap_tolerance = 1.0}), CAROM_OK);
    assert_true(p.made.impact.velocity[0] == 1.0 && p.made.impact.velocity[1] == 0.5); /* of the start */
    end(&p);
}

/* On the floor with (2, -4): the masses are 2 and 3, and only y feels the impact. */
static void at_another_state(void **state)
{
    (void)state;
    const double q[] = {5.0, 0.0}, v[] = {2.0, -4.0};
    particle_impact p;
    begin(&p);
    assert_int_equal(take(&p, (carom_model_impact_request){.position = q, .velocity = v}), CAROM_OK);
    const carom_impact *impact = &p.made.impact;
    assert_int_equal(impact->coordinates, 2);
    assert_int_equal(impact->contacts, 1);
    assert_true(!impact->mass && impact->masses[0] == 2.0 && impact->masses[1] == 3.0);
    assert_int_equal(impact->column_start[1], 1);
    assert_true(impact->row[0] == 1 && impact->value[0] == 1.0);
    assert_true(impact->velocity[0] == 2.0 && impact->velocity[1] == -4.0);
    assert_string_equal(p.made.contact[0], "floor");
    assert_string_equal(p.made.coordinate[1], "y");
    assert_true(isnan(impact->restitution[0])); /* the model says none */
    assert_ptr_equal(impact->restitution, p.made.restitution);
    assert_int_equal(carom_model_impact_check(&p.made, impact, &p.error), CAROM_OK);
    end(&p);
}

static void parameters_and_a_full_mass(void **state)
{
    (void)state;
    const double q[] = {0.0, -1.0}, parameter[PARAMETER_COUNT] = {7.0, 0.5, 0.0, 0.1};
    particle_impact p;
    begin(&p);
    particle_contact[0].has_restitution = true;
    assert_int_equal(take(&p, (carom_model_impact_request){.position = q, .parameter = parameter}), CAROM_OK);
    particle_contact[0].has_restitution = false;
    const double *mass = p.made.impact.mass;
    assert_true(mass && mass[0] == 2.0 && mass[1] == 0.5 && mass[2] == 0.5 && mass[3] == 7.0);
    assert_true(p.made.restitution[0] == 1.0);
    end(&p);
}

static void a_position_that_is_not_finite_is_refused(void **state)
{
    (void)state;
    const double q[] = {0.0, NAN};
    particle_impact p;
    begin(&p);
    assert_int_equal(take(&p, (carom_model_impact_request){.position = q}), CAROM_BAD_INPUT);
    assert_non_null(strstr(p.error.text, "position is not finite"));
    end(&p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_open_gap_is_no_impact),
        cmocka_unit_test(at_another_state),
        cmocka_unit_test(parameters_and_a_full_mass),
        cmocka_unit_test(a_position_that_is_not_finite_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
