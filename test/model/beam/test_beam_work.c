#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "beams.h"

/* Everything that a beam can have, all of it dependent on parameters. */
static void rich_case(beam_case *c, carom_beam_basis basis, int elements)
{
    beam_begin(c, basis, elements);
    c->spec.damping_mass = c->p[2];
    c->spec.damping_stiffness = times(c, c->p[2], number(c, 1e-3));
    c->spec.restitution = c->p[5];
    c->spec.acceleration = times(c, c->p[3], of(c, CAROM_OP_SIN, times(c, c->p[4], c->t)));
    c->spec.load = of(c, CAROM_OP_COS, plus(c, times(c, c->p[2], c->x), c->t));
    const carom_node height = plus(c, c->p[2], times(c, number(c, 0.03), power(c, c->x, 2)));
    carom_beam_obstacle *obstacle = add_obstacle(c, of(c, CAROM_OP_NEG, height), height);
    obstacle->from = over(c, c->p[0], number(c, 2.0));
    carom_beam_stop *stop = add_stop(c, "guide", 0.0, of(c, CAROM_OP_NEG, c->p[2]), c->p[2]);
    stop->x = over(c, c->p[0], number(c, 4.0));
    carom_beam_force *force = add_force(c, 0.0, times(c, c->p[3], c->t));
    force->x = times(c, c->p[0], number(c, 0.3));
    c->spec.displacement.function = of(c, CAROM_OP_SIN, times(c, c->p[5], c->x));
    c->spec.velocity.mode = 2;
    c->spec.velocity.x = c->p[0];
    c->spec.velocity.value = c->p[3];
    c->probe[add_probe(c, CAROM_PROBE_MOMENT, 0.0)].x = times(c, c->p[0], number(c, 0.7));
    add_probe(c, CAROM_PROBE_PENETRATION_LOWER, 0.0);
    add_probe(c, CAROM_PROBE_PENETRATION_UPPER, 0.0);
}

enum {
    MOST = 64
};

/* All that a work gives, as one list of numbers. */
static int gather(const built_beam *b, double *result)
{
    const carom_model_ops *ops = b->model->ops;
    double q[MOST], u[MOST], impulse[3 * MOST] = {0};
    int count = 0;
    ops->initial(b->work, q, u);
    for (int i = 0; i < b->n; i++) {
        result[count++] = q[i];
        result[count++] = u[i];
    }
    ops->force(b->work, 0.3, q, u, result + count);
    count += b->n;
    ops->gaps(b->work, 0.3, q, result + count);
    count += b->model->contacts;
    ops->observe(b->work, 0.3, q, u, impulse, result + count);
    count += b->model->observables;
    result[count++] = ops->energy(b->work, 0.3, q, u);
    result[count++] = b->structure->restitution;
    for (int row = 0; row < b->structure->rows; row++) {
        result[count++] = b->structure->place[row];
        result[count++] = b->structure->lower[row];
        result[count++] = b->structure->row_start[row + 1];
    }
    return count;
}

static void test_binding_again(void **state)
{
    (void)state;
    const double other[BEAM_PARAMETERS] = {8.0, 100.0, 0.7, 1.5, 2.0, 0.75};
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_DIFFERENCE; basis++) {
        beam_case c;
        double again[512], fresh[512];
        rich_case(&c, (carom_beam_basis)basis, 8);
        built_beam b = beam_build_sound(&c);
        b.model->ops->bind(b.work, other);
        assert_int_equal(b.model->ops->check(b.work, NULL), CAROM_OK);
        const int count = gather(&b, again);
        carom_model_work *first = b.work;
        b.work = b.model->ops->work_create(b.model);
        assert_non_null(b.work);
        b.model->ops->bind(b.work, other);
        b.structure = b.model->ops->structure(b.work);
        assert_int_equal(gather(&b, fresh), count);
        assert_memory_equal(again, fresh, (size_t)count * sizeof *again);
        b.model->ops->work_free(first);
        beam_release(&b);
    }
}

static void expect_text(const built_beam *b, const double *values, const char *text)
{
    carom_error error = {0};
    b->model->ops->bind(b->work, values);
    assert_int_equal(b->model->ops->check(b->work, &error), CAROM_BAD_INPUT);
    assert_string_equal(error.text, text);
    assert_int_equal(b->model->ops->check(b->work, NULL), CAROM_BAD_INPUT);
}

/* Bad values, one after the other on one work; good ones afterwards make it whole. */
static void test_values_of_the_section(void **state)
{
    (void)state;
    beam_case c;
    rich_case(&c, CAROM_BEAM_P3, 8);
    built_beam b = beam_build_sound(&c);
    double expected[512], result[512], values[BEAM_PARAMETERS];
    const int count = gather(&b, expected);
    const struct {
        int index;
        double value;
        const char *text;
    } bad[] = {
        {0, 0.0, "length = 0 must be positive and finite"},
        {0, -2.0, "length = -2 must be positive and finite"},
        {0, INFINITY, "length = inf must be positive and finite"},
        {1, -1.0, "k2 = -1 must be positive and finite"},
        {2, -0.5, "damping_mass = -0.5 must be finite and not negative"},
        {5, 1.5, "restitution e=1.5 must lie in [0,1]"},
        {5, -0.1, "restitution e=-0.1 must lie in [0,1]"},
    };
    for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
        memcpy(values, beam_values, sizeof values);
        values[bad[k].index] = bad[k].value;
        expect_text(&b, values, bad[k].text);
    }
    for (int i = 0; i < BEAM_PARAMETERS; i++) /* nothing but NaN must be survived, too */
        values[i] = NAN;
    b.model->ops->bind(b.work, values);
    assert_int_equal(b.model->ops->check(b.work, NULL), CAROM_BAD_INPUT);
    b.model->ops->bind(b.work, beam_values);
    carom_error error = {0};
    assert_int_equal(b.model->ops->check(b.work, &error), CAROM_OK);
    assert_int_equal(gather(&b, result), count);
    assert_memory_equal(result, expected, (size_t)count * sizeof *result);
    beam_release(&b);
}

static void test_values_of_the_four(void **state)
{
    (void)state;
    beam_case c;
    beam_begin(&c, CAROM_BEAM_BSPLINE, 4);
    c.spec.line = 2;
    c.spec.k2 = CAROM_NO_NODE;
    c.spec.modulus = c.p[2];
    c.spec.density = c.p[3];
    c.spec.area = c.p[4];
    c.spec.inertia = c.p[5];
    built_beam b = beam_build_sound(&c);
    const char *const text[4] = {
        "2: modulus = 0 must be positive and finite", "2: density = 0 must be positive and finite",
        "2: area = 0 must be positive and finite", "2: inertia = 0 must be positive and finite"};
    for (int k = 0; k < 4; k++) {
        double values[BEAM_PARAMETERS];
        memcpy(values, beam_values, sizeof values);
        values[2 + k] = 0.0;
        expect_text(&b, values, text[k]);
    }
    beam_release(&b);
}

/* Creation and binding are linear in the number of elements: 10,000 of them with obstacles, a load and
 * penetration in far less than half a second. */
static void test_many_elements(void **state)
{
    (void)state;
    for (int basis = CAROM_BEAM_P3; basis <= CAROM_BEAM_DIFFERENCE; basis++) {
        beam_case c;
        rich_case(&c, (carom_beam_basis)basis, 10000);
        c.spec.velocity.mode = 0;
        const clock_t start = clock(); /* of this process: other programs do not count */
        built_beam b = beam_build_sound(&c);
        const double passed = (double)(clock() - start) / CLOCKS_PER_SEC;
        assert_int_equal(b.structure->rows, 10001);
        if (passed > 0.5)
            fail_msg("%g s", passed);
        beam_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binding_again),
        cmocka_unit_test(test_values_of_the_section),
        cmocka_unit_test(test_values_of_the_four),
        cmocka_unit_test(test_many_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
