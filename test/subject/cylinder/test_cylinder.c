/* The condensed cylinder. Values: exact states of linear elasticity, which bricks of any shape reproduce. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "carom/linalg.h"
#include "subject/cylinder/cylinder_mesh.h"

enum {
    CORE = 2,
    CONTACTS = 9 + 8,
    SIZE = 3 * CONTACTS,
};

static const carom_cylinder small = {10, 10, 210000, 0.0, CORE, 1, 2};

static void the_mesh_is_that_of_the_source(void **state)
{
    (void)state;
    const carom_cylinder published = {.core = 8, .rings = 2, .layers = 10};
    assert_int_equal(carom_cylinder_contacts(&published), 145);
    assert_int_equal(cylinder_cells(&published) * published.layers, 1280);
}

/* Nu = 0 and forces p area on the face: every fibre is shortened by p h / E, and nothing else happens. */
static void uniform_pressure_shortens_uniformly(void **state)
{
    (void)state;
    double x[CONTACTS], y[CONTACTS], area[CONTACTS], W[SIZE * SIZE], total = 0.0;
    carom_error error;
    assert_int_equal(carom_cylinder_contacts(&small), CONTACTS);
    assert_int_equal(carom_cylinder_compliance(&small, x, y, area, W, &error), CAROM_OK);
    for (int i = 0; i < SIZE; i++) {
        double u = 0.0;
        for (int c = 0; c < CONTACTS; c++)
            u += W[i * SIZE + 3 * c] * 100.0 * area[c];
        const double expected = i % 3 == 0 ? 100.0 * 10 / 210000 : 0.0;
        assert_true(fabs(u - expected) < 1e-14);
    }
    for (int c = 0; c < CONTACTS; c++)
        total += area[c];
    /* the face is an octagon of eight nodes on the circle */
    assert_true(fabs(total - 4 * 100 * sin(acos(-1.0) / 4)) < 1e-11);
}

static void compliance_is_symmetric_and_positive(void **state)
{
    (void)state;
    carom_cylinder steel = small;
    steel.poisson = 0.3;
    double x[CONTACTS], y[CONTACTS], area[CONTACTS], W[SIZE * SIZE], value[SIZE];
    carom_error error;
    assert_int_equal(carom_cylinder_compliance(&steel, x, y, area, W, &error), CAROM_OK);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            assert_true(W[i * SIZE + j] == W[j * SIZE + i]);
    assert_int_equal(carom_symmetric_eigenvalues(SIZE, W, value), 0);
    assert_true(value[0] > 0.0);
}

static void bad_input_is_told(void **state)
{
    (void)state;
    double none[1];
    carom_error error;
    carom_cylinder bad = small;
    bad.core = 3;
    assert_int_equal(carom_cylinder_compliance(&bad, none, none, none, none, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "even"));
    bad = small;
    bad.poisson = 0.5;
    assert_int_equal(carom_cylinder_compliance(&bad, none, none, none, none, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "Poisson"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_mesh_is_that_of_the_source),
        cmocka_unit_test(uniform_pressure_shortens_uniformly),
        cmocka_unit_test(compliance_is_symmetric_and_positive),
        cmocka_unit_test(bad_input_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
