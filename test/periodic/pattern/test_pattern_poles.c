/* The count of poles between two periods, against the poles of the source (8.4) and of closed forms. */
#include "ring_orbits.h"

#include "periodic/pattern/pattern_branch.h"

static int poles_between(const carom_linear_oscillator *o, const carom_phase *pattern, double from, double to)
{
    carom_arena *arena = carom_arena_create();
    branch_poles poles;
    assert_non_null(arena);
    assert_true(branch_poles_take(arena, o, &poles));
    branch_poles_pattern(&poles, o->contacts, pattern);
    assert_true(branch_poles_look(&poles, o, from, 0));
    assert_true(branch_poles_look(&poles, o, to, 1));
    const int count = branch_poles_between(&poles, o, to > from);
    carom_arena_free(arena);
    return count;
}

/* One particle alone: tan(T/2) has its poles at odd multiples of pi, whatever resonances lie between. */
static void one_particle(void **state)
{
    (void)state;
    const carom_phase pattern[] = {CAROM_PHASE_START};
    carom_linear_oscillator *one = make_ring(1, 0.0);
    assert_int_equal(poles_between(one, pattern, 3.0, 3.2), 1);
    assert_int_equal(poles_between(one, pattern, 3.2, 3.0), 1);
    assert_int_equal(poles_between(one, pattern, 3.2, 9.3), 0);
    assert_int_equal(poles_between(one, pattern, 0.1, 40.0), 6);
    assert_int_equal(poles_between(one, pattern, 40.0, 0.1), 6);
    carom_linear_oscillator_free(one);
}

/* Uncoupled particles, all resonant at once: a pole for each. */
static void particles_alone(void **state)
{
    (void)state;
    const carom_phase pattern[] = {2, 0, 1, 2, 0, 0};
    carom_linear_oscillator *ring = make_ring(6, 0.0);
    assert_int_equal(poles_between(ring, pattern, 3.0, 7.0), 3);
    carom_linear_oscillator_free(ring);
}

/* Counts add up over any partition, and none is negative. */
static void counts_add_up(void **state)
{
    (void)state;
    const carom_phase pattern[12] = {0, 2, 2, 0, 1, 0, 0, 0, 1, 2, 0, 0};
    carom_linear_oscillator *ring = make_ring(12, 0.8);
    int sum = 0;
    for (double T = 1.0; T < 14.0; T += 0.013) {
        const int count = poles_between(ring, pattern, T, T + 0.013);
        assert_true(count >= 0 && count <= 5);
        sum += count;
    }
    assert_int_equal(poles_between(ring, pattern, 1.0, 1.0 + 0.013 * 1000), sum);
    carom_linear_oscillator_free(ring);
}

/* 8.4: the poles of j = 5 and j = 6; those of j = 6 at 0.689 has a zero that is no pole of the motion beside.
 */
static void poles_of_the_long_wave(void **state)
{
    (void)state;
    const double T1 = ring_mode_period(30, 1.0, 1);
    const struct {
        int j;
        double alpha;
    } row[] = {{5, 0.832260934}, {6, 0.689038371}, {6, 0.719447122}, {7, 0.503598785}};
    carom_linear_oscillator *ring = make_ring(30, 1.0);
    for (int i = 0; i < 4; i++) {
        carom_phase pattern[30] = {0};
        for (int d = -row[i].j; d <= row[i].j; d++) {
            pattern[(15 + d) % 30] = CAROM_PHASE_START;
            pattern[(30 + d) % 30] = CAROM_PHASE_HALF;
        }
        assert_int_equal(poles_between(ring, pattern, (row[i].alpha - 1e-8) * T1, (row[i].alpha + 1e-8) * T1),
                         1);
        assert_int_equal(poles_between(ring, pattern, (row[i].alpha + 1e-8) * T1, (row[i].alpha + 1e-7) * T1),
                         0);
    }
    carom_linear_oscillator_free(ring);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_particle),
        cmocka_unit_test(particles_alone),
        cmocka_unit_test(counts_add_up),
        cmocka_unit_test(poles_of_the_long_wave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
