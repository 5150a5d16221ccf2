/* Orbits by pattern: the source's reference values (8.1 to 8.3) and facts (5), and those of chains with one
 * impact per period (7.2 of the source on nonsmooth modes). */
#include "pattern_green.h"
#include "ring_orbits.h"

/* Without coupling: 1/|cos(T/2)| and -tan(T/2) for those that strike, rest for the others. */
static void particles_alone(void **state)
{
    (void)state;
    const carom_phase pattern[] = {CAROM_PHASE_NEVER, CAROM_PHASE_HALF, CAROM_PHASE_START, CAROM_PHASE_NEVER};
    for (double T = 3.3; T < 6.2; T += 0.7) {
        carom_linear_oscillator *ring = make_ring(4, 0.0);
        carom_orbit *orbit = make_orbit(ring, T, pattern);
        assert_int_equal(orbit->word, CAROM_ORBIT_OK);
        assert_near(orbit->y0[1], 1.0 / fabs(cos(0.5 * T)), 1e-12);
        assert_near(orbit->v0[2], -tan(0.5 * T), 1e-12);
        assert_near(orbit->y0[0], 0.0, 1e-13);
        assert_near(orbit->energy, 1.0 / pow(cos(0.5 * T), 2.0), 1e-11);
        carom_orbit_free(orbit);
        carom_linear_oscillator_free(ring);
    }
}

/* All in phase: the motion of one alone, whatever the coupling and the number, 1 and 2 included. */
static void all_in_phase(void **state)
{
    (void)state;
    const int sizes[] = {1, 2, 3, 20};
    carom_phase pattern[20];
    put(pattern, 0, 19, CAROM_PHASE_HALF);
    for (int s = 0; s < 4; s++) {
        carom_linear_oscillator *ring = make_ring(sizes[s], 0.37);
        carom_orbit *orbit = make_orbit(ring, 5.0, pattern);
        assert_int_equal(orbit->word, CAROM_ORBIT_OK);
        double y[20], v[20], work[40];
        for (double t = 0.0; t <= 2.5; t += 0.5) {
            carom_orbit_state(orbit, ring, t + 10.0, true, y, v, work);
            assert_near(y[0], ring_in_phase(5.0, t), 1e-12);
            carom_orbit_state(orbit, ring, -t, false, y, v, work);
            assert_near(y[sizes[s] - 1], ring_in_phase(5.0, t), 1e-12);
        }
        assert_near(orbit->speed[0], -tan(2.5), 1e-12);
        assert_near(orbit->energy, sizes[s] / (2.0 * pow(cos(2.5), 2.0)), 1e-11);
        carom_orbit_state(orbit, ring, 2.5, true, y, v, work);
        assert_near(v[0], tan(2.5), 1e-12);
        carom_orbit_state(orbit, ring, 2.5, false, y, v, work);
        assert_near(v[0], -tan(2.5), 1e-12);
        carom_orbit_free(orbit);
        carom_linear_oscillator_free(ring);
    }
}

/* 8.1, for two and for six particles; the closed form at a time in between. */
static void neighbours_in_turns(void **state)
{
    (void)state;
    const struct {
        double coupling, period;
        bool admissible;
    } row[] = {{0.2, 4.1, true},  {0.2, 2.926, true}, {0.2, 10.0, true}, {0.2, 12.0, true},
               {0.4, 8.0, true},  {0.4, 11.1, true},  {0.4, 11.6, true}, {0.2, 2.92, false},
               {0.2, 7.0, false}, {0.4, 7.7, false}};
    carom_phase pattern[6];
    put_in_turns(pattern, 6);
    for (int i = 0; i < 10; i++)
        for (int p = 2; p <= 6; p += 4) {
            const double T = row[i].period;
            carom_linear_oscillator *ring = make_ring(p, row[i].coupling);
            carom_orbit *orbit = make_orbit(ring, T, pattern);
            const double speed = ring_alternating_speed(row[i].coupling, T);
            double y[6], v[6], work[12], odd, even;
            assert_near(orbit->speed[0] / speed, 1.0, 1e-10);
            carom_orbit_state(orbit, ring, 0.2 * T, false, y, v, work);
            ring_alternating(row[i].coupling, T, 0.2 * T, &odd, &even);
            assert_near(y[0] / even, 1.0, 1e-9);
            assert_near(y[1] / odd, 1.0, 1e-9);
            assert_int_equal(orbit->word == CAROM_ORBIT_OK, row[i].admissible);
            carom_orbit_free(orbit);
            carom_linear_oscillator_free(ring);
        }
}

typedef struct breather {
    int half, from, to; /* half: the particle at T/2, -1: none; from..to at 0 */
    int k;
    int place[3]; /* of the displacements given; 0: no more */
    double y[3], speed, energy;
} breather;

/* 8.2, p = 100, with the Green function beside. */
static void breathers(void **state)
{
    (void)state;
    const breather row[] = {
        {-1, 50, 50, 5, {51, 52, 53}, {0.122538973, -0.0095770141, 0.0011196701}, 0.7720251547, 0.8959317792},
        {-1, 50, 50, 10, {51, 52, 53}, {0.28956099, -0.0699938621, 0.0194800151}, 0.5300039147, 0.9630554273},
        {-1,
         50,
         50,
         14,
         {51, 52, 53},
         {0.5982955182, -0.3444953506, 0.2040985789},
         0.2354021434,
         1.7769190991},
        {49, 50, 50, 5, {48, 49, 51}, {-0.088342444, 1.257352179, 0.1233665929}, 0.7106282626, 1.8202177798},
        {49,
         50,
         50,
         10,
         {48, 49, 51},
         {-0.254776674, 1.1356262244, 0.2912212303},
         0.4246974982,
         1.8613641438},
        {49,
         50,
         50,
         14,
         {48, 49, 51},
         {-0.5838967424, 1.0433037059, 0.6001983345},
         0.1494292966,
         2.6904564505},
        {-1, 49, 50, 5, {48, 51}, {0.1287372948, 0.1287372948}, 0.879839823, 1.8746115546},
        {-1, 49, 50, 10, {48, 51}, {0.3090583778, 0.3090583778}, 0.746023103, 1.8996031206},
        {-1, 49, 50, 14, {48, 51}, {0.6318081553, 0.6318081553}, 0.5860082575, 2.6766283539},
        {-1, 45, 55, 5, {44}, {0.1295155132}, 0.8853353392, 10.8721634278},
        {-1, 45, 55, 14, {44}, {0.6510499927}, 0.6056751541, 11.6926015185},
    };
    for (int i = 0; i < 11; i++) {
        carom_phase pattern[RING_MAX] = {0};
        if (row[i].half >= 0)
            pattern[row[i].half] = CAROM_PHASE_HALF;
        put(pattern, row[i].from, row[i].to, CAROM_PHASE_START);
        carom_linear_oscillator *ring = make_ring(100, fifteenths(row[i].k));
        carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
        assert_int_equal(orbit->word, CAROM_ORBIT_OK);
        for (int j = 0; j < 3 && row[i].place[j] > 0; j++)
            assert_near(orbit->y0[row[i].place[j]], row[i].y[j], 1e-10);
        assert_near(orbit->speed[row[i].from], row[i].speed, 1e-10);
        assert_near(orbit->energy, row[i].energy, 1e-9);
        double impulse[RING_MAX];
        carom_error error;
        assert_int_equal(orbit_green(ring, three_halves, pattern, impulse, &error), CAROM_OK);
        for (int c = 0; c < 100; c++)
            assert_near(impulse[c], orbit->impulse[c], 1e-12);
        carom_orbit_free(orbit);
        carom_linear_oscillator_free(ring);
    }
}

/* 8.2: eleven particles shortly before the next ones graze. */
static void wide_breather_before_grazing(void **state)
{
    (void)state;
    carom_phase pattern[RING_MAX] = {0};
    put(pattern, 45, 55, CAROM_PHASE_START);
    carom_linear_oscillator *ring = make_ring(100, 0.1944096);
    carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
    assert_int_equal(orbit->word, CAROM_ORBIT_OK);
    assert_near(orbit->y0[44], 1.0539493, 1e-7);
    assert_near(orbit->y0[43], -0.9951671, 1e-7);
    assert_near(orbit->margin, 0.0048329, 1e-7);
    assert_true(orbit->time == 0.0 && (orbit->contact == 43 || orbit->contact == 57));
    assert_near(orbit->energy, 53.138291, 1e-6);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* 8.2: standing waves, of period two (p = 100) and six (p = 96). */
static void standing_waves(void **state)
{
    (void)state;
    carom_phase pattern[RING_MAX];
    const double wave[][4] = {{5, 1.26778071, 0.64647983, 92.29667918},
                              {14, 1.02543961, 0.06141665, 88.60799218}};
    put_in_turns(pattern, 100);
    for (int i = 0; i < 2; i++) {
        carom_linear_oscillator *ring = make_ring(100, fifteenths((int)wave[i][0]));
        carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
        assert_int_equal(orbit->word, CAROM_ORBIT_OK);
        assert_near(orbit->y0[7], wave[i][1], 1e-8);
        assert_near(orbit->speed[8], wave[i][2], 1e-8);
        assert_near(orbit->energy, wave[i][3], 1e-7);
        carom_orbit_free(orbit);
        carom_linear_oscillator_free(ring);
    }
    for (int i = 0; i < 96; i++)
        pattern[i] = i % 6 < 3 ? CAROM_PHASE_START : CAROM_PHASE_HALF;
    carom_linear_oscillator *ring = make_ring(96, fifteenths(10));
    carom_orbit *orbit = make_orbit(ring, three_halves, pattern);
    assert_near(orbit->y0[3], 1.2984265358, 1e-10);
    assert_near(orbit->y0[4], 1.3488655612, 1e-10);
    assert_near(orbit->speed[0], 0.6536290662, 1e-10);
    assert_near(orbit->speed[1], 0.975908617, 1e-9);
    assert_near(orbit->energy, 90.9470878631, 1e-8);
    carom_orbit_free(orbit);
    carom_linear_oscillator_free(ring);
}

/* 8.3, and the single-site formula. */
static void site_breather_of_other_periods(void **state)
{
    (void)state;
    carom_phase pattern[RING_MAX] = {[50] = CAROM_PHASE_START};
    carom_linear_oscillator *ring = make_ring(100, 0.15);
    const double part[] = {0.6, 0.8, 1.0};
    for (int i = 0; i < 3; i++) {
        carom_orbit *orbit = make_orbit(ring, part[i] * three_halves, pattern);
        const double speed = ring_breather_speed(100, 0.15, part[i] * three_halves);
        assert_near(orbit->speed[50] / speed, 1.0, 1e-12);
        if (i == 2) {
            assert_near(orbit->y0[51], 0.3712511978, 1e-10);
            assert_near(orbit->y0[52], -0.1223523068, 1e-10);
        }
        carom_orbit_free(orbit);
    }
    carom_linear_oscillator_free(ring);
}

/* Exchange of I_1 and I_2 is a shift by half a period. */
static void exchange_of_the_phases(void **state)
{
    (void)state;
    carom_phase pattern[12] = {0}, other[12] = {0};
    put(pattern, 2, 3, CAROM_PHASE_HALF);
    put(pattern, 7, 9, CAROM_PHASE_START);
    put(other, 2, 3, CAROM_PHASE_START);
    put(other, 7, 9, CAROM_PHASE_HALF);
    carom_linear_oscillator *ring = make_ring(12, 0.1);
    carom_orbit *a = make_orbit(ring, three_halves, pattern), *b = make_orbit(ring, three_halves, other);
    assert_near(a->energy, b->energy, 1e-13);
    for (int i = 0; i < 12; i++) {
        assert_near(a->y0[i], b->yh[i], 1e-13);
        assert_near(a->v0[i], -b->vh[i], 1e-13);
        assert_near(a->impulse[i], b->impulse[i], 1e-13);
    }
    carom_orbit_free(a);
    carom_orbit_free(b);
    carom_linear_oscillator_free(ring);
}

/* 7.2 of nonsmooth modes: the bordered system with a mass matrix and a wall at the other side. */
static void chains_with_one_impact(void **state)
{
    (void)state;
    const struct {
        int n;
        double period, impulse, energy;
        int place;
        double u;
    } row[] = {
        {1, 5.0, 1.4940445945, 0.7790211563, 0, 1.0},
        {2, 3.6, 1.6077177776, 1.6550608217, 0, -0.0044163502},
        {2, 4.0, 3.4116774611, 28.2649595883, 0, 4.025271182},
        {2, 4.4, 0.8157356551, 0.8002692971, 0, 0.7587596688},
        {2, 4.8, 0.3027617612, 0.5532242019, 0, 0.6231016468},
        {3, 3.8, 1.3758830489, 1.7884994420, 1, 1.1545066503},
        {5, 3.5, 1.3186706591, 2.0128839844, 3, 0.8726764866},
        {5, 4.2, 0.2351694601, 0.5690360788, 0, 0.2138419881},
    };
    for (int i = 0; i < 8; i++)
        for (int phase = CAROM_PHASE_HALF; phase <= CAROM_PHASE_START; phase++) {
            const carom_phase pattern = (carom_phase)phase;
            carom_linear_oscillator *chain = make_chain(row[i].n);
            carom_orbit *orbit = make_orbit(chain, row[i].period, &pattern);
            const double *u = phase == CAROM_PHASE_START ? orbit->y0 : orbit->yh;
            assert_int_equal(orbit->word, CAROM_ORBIT_OK);
            assert_near(orbit->impulse[0], row[i].impulse, 1e-10);
            assert_near(orbit->energy, row[i].energy, 1e-9);
            assert_near(u[row[i].place], row[i].u, 1e-9);
            assert_near(u[row[i].n - 1], 1.0, 1e-12);
            double impulse;
            carom_error error;
            assert_int_equal(orbit_green(chain, row[i].period, &pattern, &impulse, &error), CAROM_OK);
            assert_near(impulse, row[i].impulse, 1e-10);
            carom_orbit_free(orbit);
            carom_linear_oscillator_free(chain);
        }
}

/* A ring given as a general system with a mass matrix: both linear systems give one orbit. */
static void both_linear_systems_agree(void **state)
{
    (void)state;
    carom_linear_oscillator *ring = make_ring(7, 0.15), *same;
    double mass[49] = {0};
    for (int i = 0; i < 7; i++)
        mass[i * 7 + i] = 1.0;
    const carom_linear_system system = {7, mass, ring->stiffness, 7, ring->normal, ring->gap};
    const carom_phase pattern[7] = {0, 1, 2, 2, 0, 1, 0};
    carom_error error;
    assert_int_equal(carom_linear_oscillator_create(&system, &same, &error), CAROM_OK);
    assert_false(same->plain);
    carom_orbit *a = make_orbit(ring, 4.5, pattern), *b = make_orbit(same, 4.5, pattern);
    for (int i = 0; i < 7; i++) {
        assert_near(a->y0[i], b->y0[i], 1e-13);
        assert_near(a->vh[i], b->vh[i], 1e-13);
        assert_near(a->impulse[i], b->impulse[i], 1e-13);
    }
    assert_int_equal(a->word, b->word);
    assert_near(a->margin, b->margin, 1e-12);
    carom_orbit_free(a);
    carom_orbit_free(b);
    carom_linear_oscillator_free(ring);
    carom_linear_oscillator_free(same);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(particles_alone),
        cmocka_unit_test(all_in_phase),
        cmocka_unit_test(neighbours_in_turns),
        cmocka_unit_test(breathers),
        cmocka_unit_test(wide_breather_before_grazing),
        cmocka_unit_test(standing_waves),
        cmocka_unit_test(site_breather_of_other_periods),
        cmocka_unit_test(exchange_of_the_phases),
        cmocka_unit_test(chains_with_one_impact),
        cmocka_unit_test(both_linear_systems_agree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
