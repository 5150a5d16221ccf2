/* What holds for the experiments whatever their numbers: same input, same bits; units do not matter. */
#include "test/experiments/trial.h"

/* ---- determinism --------------------------------------------------------------------------------- */

static void every_experiment_runs_twice_to_the_same_bits(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"01", NULL},
        {"02", NULL},
        {"03", NULL},
        {"04", NULL},
        {"05", NULL},
        {"06", NULL},
        {"07", NULL},
        {"07", "plate-9"},
        {"08", NULL},
        {"09", "plate-11"},
        {"09", "plate-12"},
        {"09", "plate-13"},
        {"09", "plate-13-lower"},
        {"10", "plate-14"},
        {"10", "plate-15"},
        {"10", "plate-16"},
        {"10", "jam"},
        {"10", "erratic"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        trial_request request = {.trial = cases[i][0], .variant = cases[i][1]};
        trial first = trial_run(&request), second = trial_run(&request);
        assert_int_equal(output_count(&first), output_count(&second));
        assert_memory_equal(first.series.rows, second.series.rows,
                            output_count(&first) * (size_t)first.series.layout.width * sizeof(double));
        trial_free(&first);
        trial_free(&second);
    }
}

/* ---- units --------------------------------------------------------------------------------------- */

/* The text of a trial with one piece of it replaced. The caller frees it. */
static char *text_with(const char *trial_name, const char *piece, const char *replacement)
{
    char path[1024];
    trial_path(trial_name, path, sizeof path);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    char *text = calloc(1, 65536), *changed = calloc(1, 65536 + 256);
    assert_true(text && changed);
    size_t length = fread(text, 1, 65535, file);
    fclose(file);
    assert_true(length > 0 && length < 65535);
    char *found = strstr(text, piece);
    assert_non_null(found);
    snprintf(changed, 65536 + 256, "%.*s%s%s", (int)(found - text), text, replacement, found + strlen(piece));
    free(text);
    return changed;
}

/* Trial 4 with lengths and times in other units: `length` and `duration` new units make an old one. */
static trial run_trial_4_in_units(double length, double duration, double av)
{
    char line[128];
    snprintf(line, sizeof line, "local R, gravity = %.17g, %.17g", 40.0 * length,
             1000.0 * length / (duration * duration));
    char *text = text_with("04", "local R, gravity = 40, 1000", line);
    trial run = trial_run(
        &(trial_request){.trial = "04",
                         .text = text,
                         .set = {{"av", av}, {"omega0", sqrt(200.0) / duration}, {"h", 0.005 * duration}},
                         .until = duration});
    free(text);
    return run;
}

/* The largest difference of positions and velocities, in the new units, over the size of the motion. */
static double difference_in_units(const trial *old, const trial *new, double length, double duration)
{
    assert_int_equal(output_count(old), output_count(new));
    double worst = 0.0, speed = length / duration;
    for (size_t i = 0; i < output_count(old); i++)
        for (int k = 0; k < 2; k++) {
            const double *a = output(old, i), *b = output(new, i);
            double q = fabs(position(new, b, k) - length * position(old, a, k)) / (40.0 * length);
            double v = fabs(velocity(new, b, k) - speed * velocity(old, a, k)) / (600.0 * speed);
            worst = fmax(worst, fmax(q, v));
        }
    return worst;
}

static void trial_4_in_other_units(void **state)
{
    (void)state;
    static const double anticipation[] = {-0.02, 0.0, 0.02};
    for (int i = 0; i < 3; i++) {
        trial old = run_trial_4_in_units(1.0, 1.0, anticipation[i]);
        trial metres = run_trial_4_in_units(0.01, 1000.0, anticipation[i]);
        assert_true(difference_in_units(&old, &metres, 0.01, 1000.0) < 1e-10);
        trial_free(&old);
        trial_free(&metres);
    }
}

/* Powers of two only change exponents: not a bit of the motion may differ. */
static void trial_4_in_units_of_powers_of_two(void **state)
{
    (void)state;
    trial old = run_trial_4_in_units(1.0, 1.0, 0.01);
    trial large = run_trial_4_in_units(8.0, 1024.0, 0.01);
    assert_true(difference_in_units(&old, &large, 8.0, 1024.0) == 0.0);
    trial_free(&old);
    trial_free(&large);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_experiment_runs_twice_to_the_same_bits),
        cmocka_unit_test(trial_4_in_other_units),
        cmocka_unit_test(trial_4_in_units_of_powers_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
