/* Floquet multipliers: the source's reference values (8.2, 8.5, facts of 5), chains (7.2 of the source on
 * nonsmooth modes), and finite differences of the exact flow. */
#include "exact_flight.h"
#include "ring_orbits.h"

typedef struct motion {
    carom_linear_oscillator *oscillator;
    carom_orbit *orbit;
    carom_floquet *floquet;
} motion;

static motion make_motion(carom_linear_oscillator *oscillator, double period, const carom_phase *pattern,
                          carom_floquet_method method)
{
    motion m = {.oscillator = oscillator, .orbit = make_orbit(oscillator, period, pattern)};
    assert_int_equal(m.orbit->word, CAROM_ORBIT_OK);
    m.floquet = make_floquet(oscillator, m.orbit, method);
    return m;
}

static void release(motion *m)
{
    carom_floquet_free(m->floquet);
    carom_orbit_free(m->orbit);
    carom_linear_oscillator_free(m->oscillator);
}

static double modulus(const carom_floquet *f, int i)
{
    return hypot(f->real[i], f->imaginary[i]);
}

/* Site, bond out of phase, bond in phase. */
enum {
    SITE,
    OUT_OF_PHASE,
    IN_PHASE
};
static void choose(int kind, carom_phase *pattern)
{
    memset(pattern, 0, RING_MAX * sizeof *pattern);
    pattern[50] = CAROM_PHASE_START;
    if (kind != SITE)
        pattern[49] = kind == OUT_OF_PHASE ? CAROM_PHASE_HALF : CAROM_PHASE_START;
}

/* Census of 8.2, p = 100. */
static void census_of_breathers(void **state)
{
    (void)state;
    const struct {
        int kind, k, positive, quadruplets;
        double first, second; /* moduli; 0: on the circle */
        double angle;         /* of the quadruplet */
    } row[] = {
        {SITE, 5, 0, 0, 0.0, 0.0, 0.0},
        {SITE, 10, 0, 0, 0.0, 0.0, 0.0},
        {SITE, 11, 1, 0, 1.681841, 0.0, 0.0},
        {SITE, 14, 1, 0, 5.7150916, 0.0, 0.0},
        {OUT_OF_PHASE, 5, 1, 0, 2.6520862, 0.0, 0.0},
        {OUT_OF_PHASE, 11, 1, 0, 8.210393, 0.0, 0.0},
        {OUT_OF_PHASE, 12, 2, 0, 11.265606, 1.509932, 0.0},
        {OUT_OF_PHASE, 14, 2, 0, 34.923451, 2.9485065, 0.0},
        {IN_PHASE, 4, 0, 0, 0.0, 0.0, 0.0},
        {IN_PHASE, 5, 0, 1, 1.0233675, 1.0233675, 1.008961},
        {IN_PHASE, 6, 0, 1, 1.069768, 1.069768, 1.087553},
        {IN_PHASE, 10, 0, 1, 1.1012534, 1.1012534, 1.366105},
        {IN_PHASE, 12, 1, 1, 1.154370, 1.086874, 1.482539},
        {IN_PHASE, 14, 1, 1, 2.0549853, 1.0620344, 1.562818},
    };
    for (int i = 0; i < 14; i++) {
        carom_phase pattern[RING_MAX];
        choose(row[i].kind, pattern);
        motion m =
            make_motion(make_ring(100, fifteenths(row[i].k)), three_halves, pattern, CAROM_FLOQUET_AUTO);
        const carom_floquet *f = m.floquet;
        assert_int_equal(f->positive_pairs, row[i].positive);
        assert_int_equal(f->negative_pairs, 0);
        assert_int_equal(f->quadruplets, row[i].quadruplets);
        assert_int_equal(f->off_circle, 2 * row[i].positive + 4 * row[i].quadruplets);
        assert_int_equal(f->stable, row[i].first == 0.0);
        assert_near(f->largest, row[i].first > 0.0 ? row[i].first : 1.0, 1e-6);
        assert_near(modulus(f, 1), row[i].second > 0.0 ? row[i].second : 1.0, 1e-6);
        for (int j = 0; row[i].quadruplets && j < 3; j++)
            if (fabs(f->imaginary[j]) > 0.1 && modulus(f, j) > 1.001)
                assert_near(fabs(atan2(f->imaginary[j], f->real[j])), row[i].angle, 1e-6);
        assert_true(f->halved && f->product_residual < 1e-12 && f->unit_residual < 1e-11);
        release(&m);
    }
}

/* 8.2: those of the stable site breather lie on an arc up to pi/2 that grows towards 1. */
static void arc_of_the_site_breather(void **state)
{
    (void)state;
    const double row[][2] = {{5, 0.995229}, {10, 0.230149}};
    for (int i = 0; i < 2; i++) {
        carom_phase pattern[RING_MAX];
        choose(SITE, pattern);
        motion m = make_motion(make_ring(100, fifteenths((int)row[i][0])), three_halves, pattern,
                               CAROM_FLOQUET_AUTO);
        double least = INFINITY, most = 0.0;
        for (int j = 0; j < m.floquet->count; j++) {
            const double angle = fabs(atan2(m.floquet->imaginary[j], m.floquet->real[j]));
            most = fmax(most, angle);
            least = angle > 1e-3 ? fmin(least, angle) : least; /* but for the double 1 */
        }
        assert_near(least, row[i][1], 1e-6);
        assert_true(most < 0.5 * PI && most > 0.49 * PI);
        release(&m);
    }
}

/* 8.2: several multipliers of wide and periodic patterns. */
static void largest_of_waves(void **state)
{
    (void)state;
    carom_phase pattern[RING_MAX] = {0};
    put(pattern, 45, 55, CAROM_PHASE_START);
    const double wide[][2] = {{5, 1.0069315}, {14, 1.1819656}};
    for (int i = 0; i < 2; i++) {
        motion m = make_motion(make_ring(100, fifteenths((int)wide[i][0])), three_halves, pattern,
                               CAROM_FLOQUET_AUTO);
        assert_near(m.floquet->largest, wide[i][1], 1e-7);
        release(&m);
    }
    put_in_turns(pattern, 100);
    const double turns[][3] = {{5, 4.344039, 4.340138}, {14, 438.3753, 436.8683}};
    for (int i = 0; i < 2; i++) {
        motion m = make_motion(make_ring(100, fifteenths((int)turns[i][0])), three_halves, pattern,
                               CAROM_FLOQUET_AUTO);
        assert_near(m.floquet->largest / turns[i][1], 1.0, 2e-7);
        assert_near(modulus(m.floquet, 1) / turns[i][2], 1.0, 2e-7);
        release(&m);
    }
    for (int i = 0; i < 96; i++)
        pattern[i] = i % 6 < 3 ? CAROM_PHASE_START : CAROM_PHASE_HALF;
    motion m = make_motion(make_ring(96, fifteenths(10)), three_halves, pattern, CAROM_FLOQUET_AUTO);
    assert_near(m.floquet->largest, 3.4662100, 1e-7);
    release(&m);
}

/* Without coupling at 3 pi / 2: 1 twice per particle that strikes, i and -i per other one. */
static void particles_alone(void **state)
{
    (void)state;
    const carom_phase pattern[] = {CAROM_PHASE_NEVER, CAROM_PHASE_HALF, CAROM_PHASE_START, CAROM_PHASE_NEVER};
    for (int method = CAROM_FLOQUET_FULL; method <= CAROM_FLOQUET_HALVED; method++) {
        motion m = make_motion(make_ring(4, 0.0), three_halves, pattern, (carom_floquet_method)method);
        int ones = 0, units = 0;
        for (int i = 0; i < 8; i++) {
            ones += hypot(m.floquet->real[i] - 1.0, m.floquet->imaginary[i]) < 1e-6;
            units += hypot(m.floquet->real[i], fabs(m.floquet->imaginary[i]) - 1.0) < 1e-12;
        }
        assert_int_equal(ones, 4);
        assert_int_equal(units, 4);
        assert_true(m.floquet->stable);
        release(&m);
    }
}

/* The n x n problem has the multipliers of the 2n x 2n one; 8.5 for both. */
static void halves_and_full_matrix_agree(void **state)
{
    (void)state;
    const struct {
        int p, k, half_from, half_to, from, to;
        double largest;
    } row[] = {
        {10, 6, 0, -1, 4, 5, 1.0784273}, {10, 14, 0, -1, 4, 5, 2.0259739}, {10, 8, 2, 3, 6, 8, 1.1351730}};
    for (int i = 0; i < 3; i++) {
        carom_phase pattern[10] = {0};
        put(pattern, row[i].half_from, row[i].half_to, CAROM_PHASE_HALF);
        put(pattern, row[i].from, row[i].to, CAROM_PHASE_START);
        motion m =
            make_motion(make_ring(row[i].p, fifteenths(row[i].k)), three_halves, pattern, CAROM_FLOQUET_FULL);
        carom_floquet *other = make_floquet(m.oscillator, m.orbit, CAROM_FLOQUET_HALVED);
        assert_near(m.floquet->largest, row[i].largest, 1e-7);
        assert_near(other->largest, row[i].largest, 1e-7);
        assert_int_equal(m.floquet->off_circle, other->off_circle);
        assert_int_equal(m.floquet->quadruplets, other->quadruplets);
        assert_true(m.floquet->product_residual < 1e-12 && m.floquet->pair_residual < 1e-6);
        for (int a = 0; a < 20; a++) {
            double nearest = INFINITY;
            for (int b = 0; b < 20; b++)
                nearest = fmin(nearest, hypot(m.floquet->real[a] - other->real[b],
                                              m.floquet->imaginary[a] - other->imaginary[b]));
            assert_true(nearest < 1e-6);
        }
        carom_floquet_free(other);
        release(&m);
    }
}

/* Multipliers do not change when I_1 and I_2 are exchanged. */
static void exchange_of_the_phases(void **state)
{
    (void)state;
    const carom_phase pattern[] = {0, 1, 0, 2, 2, 0, 0}, other[] = {0, 2, 0, 1, 1, 0, 0};
    motion a = make_motion(make_ring(7, 0.12), three_halves, pattern, CAROM_FLOQUET_AUTO);
    motion b = make_motion(make_ring(7, 0.12), three_halves, other, CAROM_FLOQUET_AUTO);
    for (int i = 0; i < 14; i++)
        assert_near(modulus(a.floquet, i), modulus(b.floquet, i), 1e-6);
    assert_int_equal(a.floquet->off_circle, b.floquet->off_circle);
    release(&a);
    release(&b);
}

/* ---- finite differences ----------------------------------------------------------------------------- */

enum {
    STATE_MAX = 20
};

static void flow_one_period(const motion *m, const double *z, double *end)
{
    const int n = m->oscillator->size;
    exact_flight *flight;
    carom_error error;
    assert_int_equal(exact_flight_create(m->oscillator, 0.0, &flight, &error), CAROM_OK);
    assert_int_equal(exact_flight_start(flight, 0.0, z, z + n, &error), CAROM_OK);
    assert_int_equal(exact_flight_advance(flight, m->orbit->period, &error), CAROM_OK);
    memcpy(end, flight->y, (size_t)n * sizeof *end);
    memcpy(end + n, flight->v, (size_t)n * sizeof *end);
    exact_flight_free(flight);
}

/* From T/4 the derivative J of the flow over a period has J Phi = Phi Mono, Phi the flow from 0 to T/4. */
static void compare_with_differences(const motion *m)
{
    const int n = m->oscillator->size, size = 2 * n;
    const double h = 1e-6;
    double z[STATE_MAX], work[STATE_MAX], J[STATE_MAX * STATE_MAX], mono[STATE_MAX * STATE_MAX],
        phi[STATE_MAX * STATE_MAX];
    carom_error error;
    carom_orbit_state(m->orbit, m->oscillator, 0.25 * m->orbit->period, false, z, z + n, work);
    for (int k = 0; k < size; k++) {
        double ahead[STATE_MAX], behind[STATE_MAX];
        const double kept = z[k];
        z[k] = kept + h;
        flow_one_period(m, z, ahead);
        z[k] = kept - h;
        flow_one_period(m, z, behind);
        z[k] = kept;
        for (int i = 0; i < size; i++)
            J[i * size + k] = (ahead[i] - behind[i]) / (2.0 * h);
    }
    assert_int_equal(carom_linear_flow_matrix(m->oscillator, 0.25 * m->orbit->period, phi, &error), CAROM_OK);
    assert_int_equal(carom_monodromy(m->oscillator, m->orbit, mono, NULL, &error), CAROM_OK);
    for (int i = 0; i < size; i++)
        for (int k = 0; k < size; k++) {
            double left = 0.0, right = 0.0;
            for (int j = 0; j < size; j++) {
                left += J[i * size + j] * phi[j * size + k];
                right += phi[i * size + j] * mono[j * size + k];
            }
            assert_near(left, right, 1e-6);
        }
    double real[STATE_MAX], imaginary[STATE_MAX], largest = 0.0;
    assert_int_equal(carom_eigenvalues(size, J, real, imaginary), 0);
    for (int i = 0; i < size; i++)
        largest = fmax(largest, hypot(real[i], imaginary[i]));
    if (!m->floquet->stable) /* the defective 1 splits by the root of the differences' error */
        assert_near(largest, m->floquet->largest, 1e-6);
}

/* 8.5: several particles at one instant, too. */
static void saltations_are_the_derivative_of_the_flow(void **state)
{
    (void)state;
    carom_phase pattern[10] = {0};
    put(pattern, 4, 5, CAROM_PHASE_START);
    motion m = make_motion(make_ring(10, fifteenths(14)), three_halves, pattern, CAROM_FLOQUET_AUTO);
    compare_with_differences(&m);
    release(&m);
    put_in_turns(pattern, 6);
    m = make_motion(make_ring(6, fifteenths(5)), three_halves, pattern, CAROM_FLOQUET_AUTO);
    assert_near(m.floquet->largest, 4.3440392, 1e-7);
    compare_with_differences(&m);
    release(&m);
}

/* Chains: their mass is not 1 and their wall on the other side. */
static void chains_with_one_impact(void **state)
{
    (void)state;
    const struct {
        int n;
        double period, largest;
    } row[] = {{1, 5.0, 1.0}, {2, 3.6, 1.0},       {2, 4.0, 4.9920606}, {2, 4.4, 1.0},
               {2, 4.8, 1.0}, {3, 3.8, 1.9139037}, {5, 3.5, 1.0},       {5, 4.2, 1.0}};
    const carom_phase pattern = CAROM_PHASE_START;
    for (int i = 0; i < 8; i++) {
        motion m = make_motion(make_chain(row[i].n), row[i].period, &pattern, CAROM_FLOQUET_AUTO);
        assert_false(m.floquet->halved || m.floquet->ordered);
        assert_near(m.floquet->largest, row[i].largest, 1e-6);
        assert_int_equal(m.floquet->stable, row[i].largest == 1.0);
        if (i == 2 || i == 5)
            compare_with_differences(&m);
        release(&m);
    }
}

/* Two coordinates with a mass matrix that is not diagonal; one strikes. */
static void mass_that_is_not_diagonal(void **state)
{
    (void)state;
    const double mass[] = {1.0, 0.3, 0.3, 0.8}, stiffness[] = {1.3, -0.3, -0.3, 1.2};
    const double normal[] = {0.0, 1.0, 1.0, 0.0}, gap[] = {1.0, 1.0};
    const carom_linear_system one = {2, mass, stiffness, 1, normal, gap},
                              two = {2, mass, stiffness, 2, normal, gap};
    carom_linear_oscillator *o;
    carom_error error;
    const carom_phase pattern[] = {CAROM_PHASE_START, CAROM_PHASE_START};
    int compared = 0;
    for (double T = 3.0; T < 6.0; T += 0.25) {
        assert_int_equal(carom_linear_oscillator_create(&one, &o, &error), CAROM_OK);
        carom_orbit *orbit = make_orbit(o, T, pattern);
        const bool is_motion = orbit->word == CAROM_ORBIT_OK;
        carom_orbit_free(orbit);
        if (!is_motion) {
            carom_linear_oscillator_free(o);
            continue;
        }
        motion m = make_motion(o, T, pattern, CAROM_FLOQUET_AUTO);
        compare_with_differences(&m);
        assert_true(m.floquet->product_residual < 1e-12);
        compared++;
        release(&m);
    }
    assert_true(compared > 2);
    /* both at one instant: said to depend on the order */
    double mono[16];
    bool ordered = false;
    assert_int_equal(carom_linear_oscillator_create(&two, &o, &error), CAROM_OK);
    carom_orbit *orbit = make_orbit(o, 4.5, pattern);
    carom_monodromy(o, orbit, mono, &ordered, &error);
    assert_true(ordered);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(o);
}

/* ---- thresholds and refusals ------------------------------------------------------------------------ */

static int off_circle(int kind, double coupling)
{
    carom_phase pattern[RING_MAX];
    choose(kind, pattern);
    memmove(pattern, pattern + 30, 40 * sizeof *pattern); /* in a ring of 40 */
    motion m = make_motion(make_ring(40, coupling), three_halves, pattern, CAROM_FLOQUET_AUTO);
    const int count = m.floquet->off_circle;
    release(&m);
    return count;
}

/* 8.2: where multipliers leave the circle, p = 40. They leave as the square root, so that the tolerance 1e-5
 * moves the threshold by less than 1e-7. */
static void thresholds(void **state)
{
    (void)state;
    const double expected[] = {0.1320819, 0.1463519, 0.0634146};
    const int before[] = {0, 2, 0}; /* off the circle below the threshold */
    for (int kind = SITE; kind <= IN_PHASE; kind++) {
        double low = expected[kind] - 1e-3, high = expected[kind] + 1e-3;
        assert_int_equal(off_circle(kind, low), before[kind]);
        while (high - low > 1e-8) {
            const double middle = 0.5 * (low + high);
            *(off_circle(kind, middle) > before[kind] ? &high : &low) = middle;
        }
        assert_near(low, expected[kind], 1e-6);
    }
}

static void what_has_no_multipliers(void **state)
{
    (void)state;
    const carom_phase pattern[30] = {[15] = CAROM_PHASE_START};
    carom_floquet_options options = carom_floquet_defaults();
    carom_floquet *floquet;
    carom_error error;
    carom_linear_oscillator *ring = make_ring(30, 0.1), *chain = make_chain(2);
    assert_int_equal(carom_floquet_create(ring, &floquet, &error), CAROM_OK);
    carom_orbit *orbit = make_orbit(ring, 2.8, pattern); /* would be pulled */
    assert_int_equal(carom_floquet_compute(floquet, ring, orbit, &options, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "impact velocity"));
    carom_orbit_free(orbit);
    carom_floquet_free(floquet);
    assert_int_equal(carom_floquet_create(chain, &floquet, &error), CAROM_OK);
    orbit = make_orbit(chain, 4.4, pattern + 15);
    options.method = CAROM_FLOQUET_HALVED;
    assert_int_equal(carom_floquet_compute(floquet, chain, orbit, &options, &error), CAROM_BAD_INPUT);
    carom_orbit_free(orbit);
    carom_floquet_free(floquet);
    carom_linear_oscillator_free(ring);
    carom_linear_oscillator_free(chain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(census_of_breathers),
        cmocka_unit_test(arc_of_the_site_breather),
        cmocka_unit_test(largest_of_waves),
        cmocka_unit_test(particles_alone),
        cmocka_unit_test(halves_and_full_matrix_agree),
        cmocka_unit_test(exchange_of_the_phases),
        cmocka_unit_test(saltations_are_the_derivative_of_the_flow),
        cmocka_unit_test(chains_with_one_impact),
        cmocka_unit_test(mass_that_is_not_diagonal),
        cmocka_unit_test(thresholds),
        cmocka_unit_test(what_has_no_multipliers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
