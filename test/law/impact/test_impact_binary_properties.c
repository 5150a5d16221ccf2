/* Binary collisions: what must hold for any chain, and what is refused. */
#include "binary_chains.h"

static void equal_elastic_balls_pass_the_velocity_on(void **state)
{
    (void)state;
    for (int n = 2; n <= 40; n++)
        for (int order = 0; order < 3; order++) {
            chain c = make_chain(n, false, NULL, 1.0);
            run(&c, (carom_impact_order)order);
            assert_int_equal(c.result.collisions, n - 1);
            for (int i = 0; i < n; i++)
                assert_true(c.after[i] == (i == n - 1 ? 1.0 : 0.0));
            c = make_chain(n, true, NULL, 1.0);
            run(&c, CAROM_ORDER_RIGHT_LEFT);
            assert_int_equal(c.result.collisions, n * (n + 1) / 2);
            for (int i = 0; i < n; i++)
                assert_true(c.after[i] == -1.0);
        }
}

/* The chain seen from the other side: reversed balls, opposite velocities, LR <-> RL. */
static void the_mirror_image_has_the_mirrored_outcome(void **state)
{
    (void)state;
    carom_random random = {5};
    for (int trial = 0; trial < 50; trial++) {
        const int n = 3 + trial % 8;
        chain c = make_chain(n, false, NULL, carom_random_uniform(&random, 0.7, 1.0));
        for (int i = 0; i < n; i++) {
            c.mass[i] = carom_random_uniform(&random, 0.5, 2.0);
            c.before[i] = carom_random_uniform(&random, -1.0, 1.0);
        }
        chain mirror = c;
        for (int i = 0; i < n; i++) {
            mirror.mass[i] = c.mass[n - 1 - i];
            mirror.before[i] = -c.before[n - 1 - i];
        }
        run(&c, CAROM_ORDER_LEFT_RIGHT);
        run(&mirror, CAROM_ORDER_RIGHT_LEFT);
        assert_int_equal(c.result.collisions, mirror.result.collisions);
        for (int i = 0; i < n; i++)
            assert_true(fabs(c.after[i] + mirror.after[n - 1 - i]) <= 1e-12);
    }
}

static void shifted_and_scaled_velocities_shift_and_scale_the_outcome(void **state)
{
    (void)state;
    chain c = make_chain(7, false, decorated, 0.9), other = c;
    for (int i = 0; i < 7; i++)
        other.before[i] = 4.0 * c.before[i] + 3.0;
    run(&c, CAROM_ORDER_RANDOM);
    run(&other, CAROM_ORDER_RANDOM);
    assert_int_equal(c.result.collisions, other.result.collisions);
    for (int i = 0; i < 7; i++)
        assert_true(fabs(other.after[i] - (4.0 * c.after[i] + 3.0)) <= 1e-13);
}

/* Algorithm 1 as printed: the list of approaching contacts is made anew for each collision. */
static long plain_algorithm(const chain *c, carom_impact_order order, unsigned seed, double *v)
{
    uint64_t draw = seed;
    memcpy(v, c->before, sizeof c->before);
    for (long collisions = 0;; collisions++) {
        int approaching[MAX], count = 0;
        for (int j = 0; j + 1 < c->balls; j++)
            if (v[j + 1] - v[j] < 0.0)
                approaching[count++] = j;
        if (count == 0)
            return collisions;
        int position = order == CAROM_ORDER_RIGHT_LEFT ? count - 1 : 0;
        if (order == CAROM_ORDER_RANDOM)
            position = (int)floor(next_uniform(&draw) * count);
        const int k = approaching[position];
        const double p =
            -(1.0 + c->restitution[k]) * (v[k + 1] - v[k]) / (1.0 / c->mass[k] + 1.0 / c->mass[k + 1]);
        v[k] -= p / c->mass[k];
        v[k + 1] += p / c->mass[k + 1];
    }
}

static void the_plain_algorithm_gives_the_same(void **state)
{
    (void)state;
    carom_random random = {11};
    carom_error error;
    for (int trial = 0; trial < 60; trial++) {
        const int n = 2 + trial % 40;
        chain c = make_chain(n, false, NULL, 1.0);
        for (int i = 0; i < n; i++) {
            c.mass[i] = carom_random_uniform(&random, 0.5, 1.5);
            c.before[i] = carom_random_uniform(&random, -1.0, 1.0);
        }
        carom_impact_options options = carom_impact_defaults();
        options.order = (carom_impact_order)(trial % 3);
        options.seed = (unsigned)trial + 1;
        assert_int_equal(strike(&c, &options, &error), CAROM_OK);
        double v[MAX];
        const long collisions = plain_algorithm(&c, options.order, options.seed, v);
        assert_int_equal(c.result.collisions, collisions);
        assert_velocities(&c, v, 1e-11);
        assert_facts(&c);
    }
}

/* Not a chain: a block on two corners with a full mass matrix (G_12 > 0), each contact with its own
 * restitution. Collision of contact 1 alone: gamma = (e, (1 + e) G_12 / G_11), and none approaches. */
static void any_system_can_collide(void **state)
{
    (void)state;
    carom_error error;
    const double b = 0.4, matrix[] = {1, 1, -0.4, 0.4}, mass[] = {2.0, 0.0, 0.0, 0.5};
    const double restitution[] = {0.7, 0.2}, before[] = {-0.5, 1.25};
    double value[4], after[2], impulse[2];
    int column_start[3], row[4];
    carom_impact_columns(2, 2, matrix, column_start, row, value);
    const carom_impact impact = {.coordinates = 2,
                                 .contacts = 2,
                                 .mass = mass,
                                 .column_start = column_start,
                                 .row = row,
                                 .value = value,
                                 .velocity = before,
                                 .restitution = restitution};
    const carom_impact_sizes sizes = carom_impact_sizes_of(&impact);
    carom_impact_work *work;
    carom_impact_result result = {.velocity = after, .impulse = impulse};
    const carom_impact_options options = carom_impact_defaults();
    assert_int_equal(carom_impact_work_create(&carom_impact_binary, &sizes, &work, &error), CAROM_OK);
    assert_int_equal(carom_impact_solve(work, &impact, &options, &result, &error), CAROM_OK);
    assert_int_equal(result.collisions, 1);
    assert_true(fabs(after[0] - b * after[1] - 0.7) <= 1e-15);
    assert_true(fabs(after[0] + b * after[1] - 1.7 * 0.18 / 0.82) <= 1e-15);
    assert_true(fabs(impulse[0] - 1.7 / 0.82) <= 1e-15 && impulse[1] == 0.0);
    /* a floor that moves with the block: nothing approaches */
    const double rate[] = {1.0, 0.0};
    carom_impact moving = impact;
    moving.rate = rate;
    assert_int_equal(carom_impact_solve(work, &moving, &options, &result, &error), CAROM_OK);
    assert_int_equal(result.word, CAROM_IMPACT_NONE);
    carom_impact_work_free(work);
}

static void bad_options_are_refused(void **state)
{
    (void)state;
    carom_error error;
    chain c = make_chain(3, false, NULL, 1.0);
    carom_impact_options options = carom_impact_defaults();
    options.collision_tolerance = -1.0;
    assert_int_equal(strike(&c, &options, &error), CAROM_BAD_INPUT);
    options.collision_tolerance = NAN;
    assert_int_equal(strike(&c, &options, &error), CAROM_BAD_INPUT);
    options.collision_tolerance = 0.0;
    options.max_collisions = -5;
    assert_int_equal(strike(&c, &options, &error), CAROM_BAD_INPUT);
    assert_non_null(strstr(error.text, "-5"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_elastic_balls_pass_the_velocity_on),
        cmocka_unit_test(the_mirror_image_has_the_mirrored_outcome),
        cmocka_unit_test(shifted_and_scaled_velocities_shift_and_scale_the_outcome),
        cmocka_unit_test(the_plain_algorithm_gives_the_same),
        cmocka_unit_test(any_system_can_collide),
        cmocka_unit_test(bad_options_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
