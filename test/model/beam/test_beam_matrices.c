#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>

#include "beams.h"
#include "model/beam/beam_basis.h"

static double mass_at(const built_beam *b, int i, int j)
{
    return *carom_band_at(&b->structure->mass, i, j);
}

static double stiffness_at(const built_beam *b, int i, int j)
{
    return *carom_band_at(&b->structure->stiffness, i, j);
}

static built_beam plain_beam(carom_beam_basis basis, int elements)
{
    beam_case c;
    beam_begin(&c, basis, elements);
    return beam_build_sound(&c);
}

/* Dumont and Paoli 2008, section 4.2: M in units of h / 5040, S in units of k2 / (6 h^3). */
static void test_bspline_entries(void **state)
{
    (void)state;
    const int J = 12, n = 13;
    built_beam b = plain_beam(CAROM_BEAM_BSPLINE, J);
    assert_int_equal(b.n, n);
    assert_int_equal(b.structure->mass.width, 3);
    const double h = 10.0 / J, mass = h / 5040.0, stiffness = 282.84 / (6.0 * h * h * h);
    const double first_mass[4] = {6588, 2264, 239, 2}, first_stiffness[4] = {108, -16, -1, 2};
    const double inner_mass[4] = {2416, 1191, 120, 1}, inner_stiffness[4] = {16, -9, 0, 1};
    for (int k = 0; k < 4; k++) {
        assert_near_or_relative(mass_at(&b, k, 0) / mass, first_mass[k], 1e-13);
        assert_near_or_relative(stiffness_at(&b, k, 0) / stiffness, first_stiffness[k], 1e-13);
        assert_near_or_relative(mass_at(&b, 5 + k, 5) / mass, inner_mass[k], 1e-13);
        assert_near_or_relative(stiffness_at(&b, 5 + k, 5) / stiffness, inner_stiffness[k], 1e-13);
    }
    const double last_mass[3] = {2396, 1208, 20}, last_stiffness[3] = {14, 8, 2};
    for (int k = 0; k < 3; k++) {
        assert_near_or_relative(mass_at(&b, n - 3 + k, n - 3 + k) / mass, last_mass[k], 1e-13);
        assert_near_or_relative(stiffness_at(&b, n - 3 + k, n - 3 + k) / stiffness, last_stiffness[k], 1e-13);
    }
    assert_near_or_relative(mass_at(&b, n - 2, n - 3) / mass, 1062, 1e-13);
    assert_near_or_relative(mass_at(&b, n - 1, n - 2) / mass, 129, 1e-13);
    assert_near_or_relative(stiffness_at(&b, n - 2, n - 3) / stiffness, -6, 1e-13);
    assert_near_or_relative(stiffness_at(&b, n - 1, n - 2) / stiffness, -3, 1e-13);
    beam_release(&b);
}

static void test_p3_entries(void **state)
{
    (void)state;
    built_beam b = plain_beam(CAROM_BEAM_P3, 5);
    const double h = 2.0, mass = h / 420.0, stiffness = 282.84 / (h * h * h);
    assert_int_equal(b.n, 10);
    assert_near_or_relative(mass_at(&b, 0, 0) / mass, 312.0, 1e-13);
    assert_near_or_relative(mass_at(&b, 1, 0) / mass, 0.0, 1e-11);
    assert_near_or_relative(mass_at(&b, 1, 1) / mass, 8.0 * h * h, 1e-13);
    assert_near_or_relative(mass_at(&b, 2, 0) / mass, 54.0, 1e-13);
    assert_near_or_relative(mass_at(&b, 3, 0) / mass, -13.0 * h, 1e-13);
    assert_near_or_relative(mass_at(&b, 9, 8) / mass, -22.0 * h, 1e-13);
    assert_near_or_relative(stiffness_at(&b, 8, 8) / stiffness, 12.0, 1e-13);
    assert_near_or_relative(stiffness_at(&b, 9, 8) / stiffness, -6.0 * h, 1e-13);
    assert_near_or_relative(stiffness_at(&b, 9, 9) / stiffness, 4.0 * h * h, 1e-13);
    beam_release(&b);
}

/* Integrals of u^2 and u_xx^2 by Simpson's rule on 64 parts of each element, for random unknowns and every
 * pair of ends; the rule's error is below the tolerance. */
static void check_forms(const beam_space *space, carom_random *random)
{
    const double length = 2.0, linear_density = 0.7, bending = 1.9;
    carom_arena *arena = carom_arena_create();
    carom_band mass, stiffness;
    assert_true(carom_band_take(arena, space->size, 3, &mass));
    assert_true(carom_band_take(arena, space->size, 3, &stiffness));
    beam_assemble(space, length, linear_density, bending, &mass, &stiffness);
    double q[20], c[20];
    fill_random(random, space->size, q);
    beam_expand(space, q, c);
    const double h = length / space->elements;
    double kinetic = 0.0, strain = 0.0;
    for (int e = 0; e < space->elements; e++)
        for (int k = 0; k <= 64; k++) {
            double value[4], curvature[4];
            beam_local(space, h, k / 64.0, 0, value);
            beam_local(space, h, k / 64.0, 2, curvature);
            const double weight = h / 64.0 / 3.0 * (k == 0 || k == 64 ? 1 : k % 2 ? 4 : 2);
            const double u = carom_dot(4, value, c + e * space->stride);
            const double bend = carom_dot(4, curvature, c + e * space->stride);
            kinetic += weight * linear_density * u * u;
            strain += weight * bending * bend * bend;
        }
    assert_near_or_relative(carom_band_form(&mass, q, q), kinetic, 1e-6);
    assert_near_or_relative(carom_band_form(&stiffness, q, q), strain, 1e-10);
    carom_arena_free(arena);
}

static void test_forms_are_integrals(void **state)
{
    (void)state;
    carom_random random = {.state = 3};
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_BSPLINE; basis++)
        for (int elements = 2; elements <= 6; elements++)
            for (int pair = 0; pair < 16; pair++) {
                carom_arena *arena = carom_arena_create();
                const carom_beam_spec spec = {.basis = (carom_beam_basis)basis,
                                              .elements = elements,
                                              .left = (carom_beam_end)(pair / 4),
                                              .right = (carom_beam_end)(pair % 4)};
                beam_space space;
                assert_true(beam_space_take(arena, &spec, &space));
                check_forms(&space, &random);
                carom_arena_free(arena);
            }
}

/* Paoli 2001, 3c: A is symmetric with five diagonals. */
static void test_difference_entries(void **state)
{
    (void)state;
    built_beam b = plain_beam(CAROM_BEAM_DIFFERENCE, 8);
    const double h = 10.0 / 8.0, unit = 282.84 / (h * h * h);
    assert_int_equal(b.structure->stiffness.width, 2);
    for (int i = 0; i < 8; i++) {
        assert_near_or_relative(mass_at(&b, i, i), h, 1e-15);
        assert_near_or_relative(stiffness_at(&b, i, i) / unit, i == 7 ? 1 : i == 6 ? 5 : 6, 1e-13);
        if (i > 0)
            assert_near_or_relative(stiffness_at(&b, i, i - 1) / unit, i == 7 ? -2 : -4, 1e-13);
        if (i > 1)
            assert_near_or_relative(stiffness_at(&b, i, i - 2) / unit, 1, 1e-13);
    }
    beam_release(&b);
}

static const double unit_beam[BEAM_PARAMETERS] = {1.0, 1.0, 0.5, 2.0, 3.0, 0.25};

/* `digits` is half a unit of the last digit given. Rounding of the entries, whose largest eigenvalue is near
 * 16 d^4, moves the small ones by its share. */
static void check_frequencies(carom_beam_grid grid, int d, int count, const double *expected, double digits)
{
    const double tolerance = digits + DBL_EPSILON * 16.0 * pow(d, 4) / (2.0 * expected[0]);
    beam_case c;
    beam_begin(&c, CAROM_BEAM_DIFFERENCE, d);
    c.spec.grid = grid;
    built_beam b = beam_build_with(&c, unit_beam);
    for (int k = 0; k < count; k++)
        if (!(fabs(frequency(&b, k + 1) - expected[k]) <= tolerance))
            fail_msg("grid %d, d = %d: %.10f, expected %.10f", (int)grid, d, frequency(&b, k + 1),
                     expected[k]);
    beam_release(&b);
}

static void test_frequencies_of_differences(void **state)
{
    (void)state;
    check_frequencies(CAROM_GRID_PAPER, 10, 3, (double[]){2.91855846, 18.27757394, 50.37485151}, 5e-9);
    check_frequencies(CAROM_GRID_PAPER, 50, 3, (double[]){3.38017326, 21.18280601, 59.27359982}, 5e-9);
    check_frequencies(CAROM_GRID_PAPER, 100, 1, (double[]){3.44691507910}, 5e-12);
    check_frequencies(CAROM_GRID_PAPER, 400, 1, (double[]){3.49851243718}, 5e-12);
    check_frequencies(CAROM_GRID_HALF, 50, 1, (double[]){3.516732}, 5e-7);
    check_frequencies(CAROM_GRID_HALF, 100, 1, (double[]){3.516198}, 5e-7);
    check_frequencies(CAROM_GRID_GHOST, 50, 3, (double[]){3.51482578, 21.99671297, 61.47456577}, 5e-9);
    check_frequencies(CAROM_GRID_GHOST, 100, 1, (double[]){3.5157178}, 5e-8);
}

/* Dumont and Paoli 2008: kappa, omega_1, omega_2. */
static void test_frequencies_of_elements(void **state)
{
    (void)state;
    const struct {
        carom_beam_basis basis;
        int J;
        double kappa, first, second;
    } table[] = {{CAROM_BEAM_P3, 10, 1.014073e6, 0.59131860, 3.70584988},
                 {CAROM_BEAM_BSPLINE, 10, 2.181006e5, 0.59131860, 3.70585991},
                 {CAROM_BEAM_P3, 40, 2.596037e8, 0.59131809, 3.70572771},
                 {CAROM_BEAM_BSPLINE, 40, 5.583353e7, 0.59131809, 3.70572771}};
    for (int k = 0; k < 4; k++) {
        built_beam b = plain_beam(table[k].basis, table[k].J);
        const double largest = frequency(&b, b.n);
        assert_relative(largest * largest, table[k].kappa, 5e-7);
        const double rounding = DBL_EPSILON * table[k].kappa / 2.0; /* of the entries, over omega */
        assert_true(fabs(frequency(&b, 1) - table[k].first) <= 5e-9 + rounding / table[k].first);
        assert_true(fabs(frequency(&b, 2) - table[k].second) <= 5e-9 + rounding / table[k].second);
        beam_release(&b);
    }
}

/* Errors of a frequency with 8 and 16 elements: order 4, which is reached from below (3.94 to 3.99 here). */
static void check_order(carom_beam_end left, carom_beam_end right, int index, double exact)
{
    double error[2];
    for (int k = 0; k < 2; k++) {
        beam_case c;
        beam_begin(&c, CAROM_BEAM_P3, k == 0 ? 8 : 16);
        c.spec.left = left;
        c.spec.right = right;
        built_beam b = beam_build_with(&c, unit_beam);
        error[k] = fabs(frequency(&b, index) / exact - 1.0);
        if (index == 3) /* two rigid motions come first */
            assert_true(frequency(&b, 2) < 1e-3 * exact);
        beam_release(&b);
    }
    assert_true(error[1] < 1e-4);
    const double order = log2(error[0] / error[1]);
    if (!(order >= 3.9 && order < 5.0))
        fail_msg("order %g, errors %g %g", order, error[0], error[1]);
}

static void test_other_ends(void **state)
{
    (void)state;
    const double pi = acos(-1.0);
    check_order(CAROM_END_PINNED, CAROM_END_PINNED, 1, pi * pi);
    check_order(CAROM_END_PINNED, CAROM_END_PINNED, 2, 4.0 * pi * pi);
    check_order(CAROM_END_CLAMPED, CAROM_END_CLAMPED, 1, 22.3732854481);
    check_order(CAROM_END_FREE, CAROM_END_FREE, 3, 22.3732854481);
    check_order(CAROM_END_GUIDED, CAROM_END_PINNED, 1, pi * pi / 4.0);
    check_order(CAROM_END_PINNED, CAROM_END_GUIDED, 1, pi * pi / 4.0);
    check_order(CAROM_END_FREE, CAROM_END_CLAMPED, 1, 3.51601526850);
}

/* ---- S q ---------------------------------------------------------------------------------------- */

static void check_product(const built_beam *b, carom_random *random)
{
    double q[24], band[24], product[24];
    fill_random(random, b->n, q);
    carom_band_multiply(&b->structure->stiffness, q, band);
    b->model->ops->stiffness_times(b->work, q, product);
    double largest = 0.0;
    for (int i = 0; i < b->n; i++)
        largest = fmax(largest, fabs(band[i]));
    for (int i = 0; i < b->n; i++)
        assert_true(fabs(product[i] - band[i]) <= 1e-13 * largest);
}

static void test_stiffness_times(void **state)
{
    (void)state;
    carom_random random = {.state = 6};
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_BSPLINE; basis++)
        for (int elements = 2; elements <= 7; elements += 5)
            for (int pair = 0; pair < 16; pair++) {
                beam_case c;
                beam_begin(&c, (carom_beam_basis)basis, elements);
                c.spec.left = (carom_beam_end)(pair / 4);
                c.spec.right = (carom_beam_end)(pair % 4);
                built_beam b = beam_build_sound(&c);
                check_product(&b, &random);
                beam_release(&b);
            }
    for (int grid = CAROM_GRID_PAPER; grid <= CAROM_GRID_GHOST; grid++)
        for (int d = 2; d <= 9; d++) {
            beam_case c;
            beam_begin(&c, CAROM_BEAM_DIFFERENCE, d);
            c.spec.grid = (carom_beam_grid)grid;
            built_beam b = beam_build_sound(&c);
            check_product(&b, &random);
            beam_release(&b);
        }
}

/* x^3 at x = 0, 1, ..., 1000 in whole numbers: no load is needed inside the beam. The assembled matrix of a
 * stiffness that is not a whole number leaves 1e-8 there. */
static void check_cubic(carom_beam_basis basis)
{
    const double values[BEAM_PARAMETERS] = {1000.0, 0.1};
    beam_case c;
    beam_begin(&c, basis, 1000);
    if (basis != CAROM_BEAM_DIFFERENCE)
        c.spec.left = CAROM_END_FREE;
    built_beam b = beam_build_with(&c, values);
    double *q = new_vector(b.n), *force = new_vector(b.n), *band = new_vector(b.n);
    for (int i = 0; i < b.n; i++) {
        const double node = i / 2, x = i + 1.0, j = i - 1.0;
        q[i] = basis == CAROM_BEAM_P3        ? (i % 2 ? 3.0 * node * node : node * node * node)
               : basis == CAROM_BEAM_BSPLINE ? j * j * j - j
                                             : x * x * x;
    }
    b.model->ops->stiffness_times(b.work, q, force);
    carom_band_multiply(&b.structure->stiffness, q, band);
    double largest = 0.0, largest_of_band = 0.0;
    for (int i = 4; i < b.n - 4; i++) {
        largest = fmax(largest, fabs(force[i]));
        largest_of_band = fmax(largest_of_band, fabs(band[i]));
    }
    if (!(largest <= 1e-12 && largest_of_band > 1e-8))
        fail_msg("basis %d: %g, assembled %g", (int)basis, largest, largest_of_band);
    free(q);
    free(force);
    free(band);
    beam_release(&b);
}

static void test_stiffness_times_a_cubic(void **state)
{
    (void)state;
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_DIFFERENCE; basis++)
        check_cubic((carom_beam_basis)basis);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bspline_entries),
        cmocka_unit_test(test_p3_entries),
        cmocka_unit_test(test_forms_are_integrals),
        cmocka_unit_test(test_difference_entries),
        cmocka_unit_test(test_frequencies_of_differences),
        cmocka_unit_test(test_frequencies_of_elements),
        cmocka_unit_test(test_other_ends),
        cmocka_unit_test(test_stiffness_times),
        cmocka_unit_test(test_stiffness_times_a_cubic),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
