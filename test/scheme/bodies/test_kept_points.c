/* Impulses from which a step starts, given back from bytes: those of a damaged file are refused. */
#include <stdint.h>
#include <string.h>

#include "carom/io.h"
#include "test/near.h"

enum {
    NUMBERS = 8 /* two bodies, two halves of the feature, impulse, pushes */
};

static const char text[] = "world { gravity = { 0, -10 } }\n"
                           "fixed { 'floor', shape = plane { normal = { 0, 1 }, offset = 0 } }\n"
                           "body { 'disc', shape = disc { 0.5 }, mass = 3, at = { 0, 0.5 } }\n"
                           "integrate { scheme = 'moreau-jean', h = 1e-3, until_t = 1 }\n";

typedef struct resting_disc {
    carom_experiment *experiment;
    carom_model_work *work;
    double q[3], v[3];
    carom_snapshot kept;
} resting_disc;

static carom_stepper *new_stepper(resting_disc *disc)
{
    carom_error error = {0};
    carom_stepper *stepper = NULL;
    const carom_scheme_ops *scheme = carom_scheme_find("moreau-jean", &error);
    if (carom_stepper_create(scheme, disc->work, &(carom_step_settings){.h = 1e-3}, disc->q, disc->v,
                             &stepper, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    return stepper;
}

/* After some steps of rest, in which the floor gives m g h = 0.03. */
static resting_disc rest(void)
{
    resting_disc disc = {0};
    carom_error error = {0};
    const carom_load_request load = {.name = "disc", .file = "disc.lua", .text = text};
    if (carom_experiment_load(&load, &disc.experiment, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    const carom_model *model = disc.experiment->model;
    assert_int_equal(carom_model_work_create(model, NULL, &disc.work, &error), CAROM_OK);
    model->ops->initial(disc.work, disc.q, disc.v);
    carom_stepper *stepper = new_stepper(&disc);
    for (int i = 0; i < 5; i++)
        assert_int_equal(carom_stepper_step(stepper, &error), CAROM_OK);
    carom_stepper_keep(stepper, &disc.kept);
    assert_false(disc.kept.failed);
    carom_stepper_free(stepper);
    return disc;
}

static void leave(resting_disc *disc)
{
    carom_snapshot_free(&disc->kept);
    carom_model_work_free(disc->work);
    carom_experiment_free(disc->experiment);
}

static void read_point(const carom_snapshot *kept, size_t at, double number[NUMBERS])
{
    memcpy(number, kept->bytes + at, NUMBERS * sizeof *number);
}

/* Where the bytes of the only point begin. */
static size_t find_point(const carom_snapshot *kept)
{
    for (size_t at = 0; at + NUMBERS * sizeof(double) <= kept->length; at++) {
        double number[NUMBERS];
        read_point(kept, at, number);
        if (number[0] + number[1] == 1.0 && number[0] * number[1] == 0.0 && number[4] == 0.0 &&
            fabs(fabs(number[5]) - 0.03) < 1e-9)
            return at;
    }
    fail_msg("no point in %zu bytes", kept->length);
    return 0;
}

static bool is_given_back(resting_disc *disc, size_t at, const double number[NUMBERS])
{
    carom_stepper *stepper = new_stepper(disc);
    memcpy(disc->kept.bytes + at, number, NUMBERS * sizeof *number);
    carom_snapshot read = carom_snapshot_of(disc->kept.bytes, disc->kept.length);
    carom_stepper_keep(stepper, &read);
    carom_stepper_free(stepper);
    return !read.failed;
}

static void damage_is_refused(void **state)
{
    (void)state;
    resting_disc disc = rest();
    const size_t at = find_point(&disc.kept);
    double right[NUMBERS], wrong[NUMBERS];
    read_point(&disc.kept, at, right);
    assert_true(is_given_back(&disc, at, right));
    static const double never[] = {NAN, INFINITY, -INFINITY};
    static const double no_integer[] = {-1.0, 0.5, 1e300, 4294967296.0};
    for (int k = 0; k < NUMBERS; k++) {
        const bool is_impulse = k >= 4 && k < 7;
        for (size_t i = 0; i < 3 + (is_impulse ? 0 : 4); i++) {
            memcpy(wrong, right, sizeof wrong);
            wrong[k] = i < 3 ? never[i] : no_integer[i - 3];
            if (is_given_back(&disc, at, wrong))
                fail_msg("%g in the place of number %d was taken", wrong[k], k);
        }
    }
    memcpy(wrong, right, sizeof wrong);
    wrong[0] = 2.0; /* there are two bodies, 0 and 1 */
    assert_false(is_given_back(&disc, at, wrong));
    memcpy(wrong, right, sizeof wrong);
    wrong[2] = UINT32_MAX; /* no feature that is known, but one that may be */
    wrong[5] = -1e5;
    assert_true(is_given_back(&disc, at, wrong));
    leave(&disc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(damage_is_refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
