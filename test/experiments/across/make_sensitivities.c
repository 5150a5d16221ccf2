/* Derivatives of one experiment, exact ones beside differences of whole runs, for scripts:
 *
 *   make_sensitivities FILE.lua [SCHEME|-] [UNTIL|-] [name=value]...
 *
 * By all parameters that are not whole numbers, and the start of the first two coordinates. A name is judged over the whole
 * run; where the run has a break, up to the last step before the first one; where differences do not converge (a chaotic motion),
 * over half of it, a quarter, ... One line per name: how far the derivatives of the last state and of each measure differ,
 * relative to the largest of them, and the error that the differences say they have. Then a line for scripts:
 *
 *   summary NAMES WHOLE BREAK SHORTER WITHOUT CLOSE MEASURES WORST     judged: over the whole run, up to a break, shorter; not
 *                                                                      judged; that agree to 1e-6; measures that were
 *                                                                      compared; the largest deviation
 *
 * Exit status 1: they disagree; 3: there are no exact ones; 4: nothing could be judged; 5: there is no motion, or nothing to
 * derive it by. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/io.h"

enum {
    NAMES_MAX = 64,
    HALVES_MAX = 6 /* of a run whose differences do not converge */
};

/* Derivatives agree to this, or to so many times the error of the differences. */
static const double accuracy = 1e-6;
static const double trust = 100.0;
/* Differences whose error is larger judge nothing. */
static const double poor = 1e-5;
/* Measures that are smaller, relative to the state, are zero but for rounding: drifts of joints, say. */
static const double rounding = 1e-9;

static char text[NAMES_MAX][200];
static const char *name[NAMES_MAX];
static int names;

static void add(const char *before, const char *what)
{
    if (names < NAMES_MAX) {
        snprintf(text[names], sizeof text[0], "%s%s", before, what);
        name[names] = text[names];
        names++;
    }
}

static void choose_names(const carom_experiment *experiment)
{
    const carom_model *model = experiment->model;
    for (int i = 0; i < model->parameters; i++)
        if (!model->parameter[i].computed && !model->parameter[i].integer && i != experiment->h_parameter &&
            i != experiment->until_parameter) /* with these the number of steps changes */
            add("", model->parameter[i].name);
    /* bodies often begin in contact, where moving them has no derivative */
    for (int i = 0; i < model->dof && i < 2 && model->joints == 0 && !model->has_bodies; i++) {
        add("q:", model->coordinate[i]);
        add("v:", carom_model_velocity_name(model, i));
    }
}

/* Numbers from..to of two rows, relative to the largest, or to a floor below which they are rounding. */
static double distance(const double *a, const double *b, int from, int to, double floor)
{
    double size = floor, worst = 0.0;
    for (int i = from; i < to; i++) {
        size = fmax(size, fabs(b[i]));
        worst = fmax(worst, fabs(a[i] - b[i]));
        if (isnan(a[i]) != isnan(b[i]))
            return INFINITY;
    }
    return worst == 0.0 ? 0.0 : worst / size;
}

/* A ten-thousandth of what numbers of this size would change by if they were proportional to what they are derived by: a
 * parameter, or a number of the state. */
static double floor_of(const carom_experiment *experiment, const char *of, double size, double state)
{
    const int parameter = carom_model_find_parameter(experiment->model, of);
    const double value = parameter >= 0 ? fabs(experiment->parameter[parameter]) : fmin(1.0, state);
    return 1e-4 * size / (value > 0.0 ? value : 1.0) + 1e-300;
}

/* The largest number of the state. */
static double state_size(const carom_run_result *result)
{
    double size = 0.0;
    for (int i = result->layout.q; i < result->layout.v + result->layout.dof; i++)
        size = fmax(size, fmax(fabs(result->initial[i]), fabs(result->final[i])));
    return size;
}

/* ---- one name over a part of the run ------------------------------------------------------------------ */

typedef struct comparison {
    double state, measure; /* how far they are apart, the worst measure */
    const char *which;     /* that measure */
    double error, measure_error;
    int measures; /* that were compared */
    bool agree;
} comparison;

/* What the error of differences of the state means for numbers of size 1: they have it from the state. */
static double error_from_state(const carom_run_result *exact, const carom_sensitivity *differences)
{
    const double *y = carom_sensitivity_final(differences, 0), size = state_size(exact);
    double largest = 0.0;
    for (int i = exact->layout.q; i < exact->layout.v + exact->layout.dof; i++)
        largest = fmax(largest, fabs(y[i]));
    return size > 0.0 ? differences->error * largest / size : 0.0;
}

/* Measures that both know, that are more than rounding, and whose differences say something. */
static void compare_measures(const carom_experiment *experiment, const carom_run_result *exact,
                             const carom_run_result *other, const char *of, comparison *found)
{
    const carom_sensitivity *a = exact->sensitivity, *b = other->sensitivity;
    const double from_state = error_from_state(exact, b);
    for (int i = 0; i < a->measure_count; i++) {
        const carom_measured *x = &a->measure[i], *y = &b->measure[i], *value = &exact->measure[i];
        double size = 0.0;
        bool known =
            x->count == y->count && x->count == value->count && x->count > 0 && b->measure_error[i] <= poor;
        for (int k = 0; known && k < x->count; k++) {
            known = isfinite(x->value[k]) && isfinite(y->value[k]);
            size = fmax(size, fabs(value->value[k]));
        }
        const double state = state_size(exact);
        if (!known || (size > 0.0 && size < rounding * state))
            continue;
        const double floor = floor_of(experiment, of, fmax(size, 1e-3 * state), state);
        const double apart = distance(x->value, y->value, 0, x->count, floor);
        double largest = floor;
        for (int k = 0; k < y->count; k++)
            largest = fmax(largest, fabs(y->value[k]));
        const double error = fmax(b->measure_error[i], from_state * size / largest);
        if (error > poor)
            continue;
        found->measures++;
        found->agree = found->agree && apart <= fmax(accuracy, trust * error);
        if (apart > found->measure) {
            found->measure = apart;
            found->measure_error = error;
            found->which = experiment->measure[i].name;
        }
    }
}

/* How far a run came. */
typedef struct part {
    double t; /* of its first break, or its end */
    double t0, h;
} part;

typedef enum verdict {
    JUDGED,
    BREAKS,
    DIVERGES,  /* differences do not converge */
    NOT_EXACT, /* or the run fails: error says why */
} verdict;

static verdict compare(carom_run_request *request, const char *const *of, comparison *found, part *taken,
                       char why[static 200], carom_error *error)
{
    carom_run_result exact = {0}, other = {0};
    verdict result = JUDGED;
    request->sensitivity = of;
    request->sensitivity_count = 1;
    request->only_exact = true;
    request->differences = false;
    const carom_status status = carom_run(request, &exact, error);
    if (status != CAROM_OK && status != CAROM_BAD_INPUT && exact.t_end > exact.t0) {
        result = BREAKS; /* a scheme that gives up */
        taken->t = exact.t_end;
        snprintf(why, 200, "%.199s", error->text);
    } else if (status != CAROM_OK) {
        result = NOT_EXACT;
    } else if (exact.sensitivity->break_count > 0) {
        result = BREAKS;
        taken->t = exact.sensitivity->breaks[0].t;
        snprintf(why, 200, "%s", exact.sensitivity->breaks[0].why);
    } else {
        request->only_exact = false;
        request->differences = true;
        if (carom_run(request, &other, error) != CAROM_OK) {
            result = DIVERGES;
            snprintf(why, 200, "%.199s", error->text);
        } else if (other.sensitivity->break_count > 0 || other.sensitivity->error > poor) {
            result = DIVERGES;
            snprintf(why, 200, "differences do not converge");
        }
        taken->t = exact.t_end;
    }
    if (result == JUDGED) {
        const carom_row_layout *layout = &exact.layout;
        const double *x = carom_sensitivity_final(exact.sensitivity, 0),
                     *y = carom_sensitivity_final(other.sensitivity, 0);
        *found = (comparison){.which = "", .error = other.sensitivity->error};
        const double size = state_size(&exact);
        found->state = distance(x, y, layout->q, layout->v + layout->dof,
                                floor_of(request->experiment, *of, size, size));
        found->agree = found->state <= fmax(accuracy, trust * found->error);
        compare_measures(request->experiment, &exact, &other, *of, found);
    }
    taken->t0 = exact.t0;
    taken->h = exact.h;
    carom_run_result_free(&exact);
    carom_run_result_free(&other);
    return result;
}

/* ---- all names ------------------------------------------------------------------------------------------ */

typedef struct tally {
    int whole, up_to_break, shorter, without, close, measures;
    double worst;
    bool disagree;
} tally;

/* An end with a whole number of steps before t, whatever h is nearby; 0: there is no such step. */
static double end_before(const part *run, double t)
{
    const double steps = floor((t - run->t0) / run->h + 1e-6) - 1.0;
    return steps < 1.0 ? 0.0 : run->t0 + (steps - 0.5) * run->h;
}

static void add_comparison(const char *of, const comparison *found, const char *note, tally *all)
{
    printf("  %-12s state %.1e  differences %.1e  measures %d", of, found->state, found->error,
           found->measures);
    if (found->measure > 0.0)
        printf(" %.1e (%s, differences %.1e)", found->measure, found->which, found->measure_error);
    printf("%s%s\n", note, found->agree ? "" : "  DISAGREE");
    all->measures += found->measures;
    all->close += fmax(found->state, found->measure) <= accuracy;
    all->worst = fmax(all->worst, fmax(found->state, found->measure));
    all->disagree = all->disagree || !found->agree;
}

/* False: there are no exact derivatives. */
static bool judge(carom_run_request request, const char *const *of, tally *all, carom_error *error)
{
    char note[400] = "", why[200] = "";
    bool broke = false;
    for (int halves = 0; halves <= HALVES_MAX;) {
        comparison found;
        part taken = {0};
        const verdict result = compare(&request, of, &found, &taken, why, error);
        if (result == NOT_EXACT)
            return false;
        if (result == JUDGED) {
            add_comparison(*of, &found, note, all);
            (halves > 0 ? all->shorter++ : broke ? all->up_to_break++ : all->whole++);
            return true;
        }
        if (result == BREAKS)
            request.until = end_before(&taken, taken.t);
        else
            request.until = end_before(&taken, taken.t0 + 0.5 * (taken.t - taken.t0));
        if (request.until == 0.0) {
            snprintf(note, sizeof note, "%s", why);
            break;
        }
        if (result == BREAKS) {
            broke = true;
            snprintf(note, sizeof note, "  up to t = %.6g: %s", request.until, why);
        } else {
            halves++;
            snprintf(note, sizeof note, "  up to t = %.6g: later %s", request.until, why);
        }
    }
    all->without++;
    printf("  %-12s not judged: %s\n", *of, note);
    return true;
}

static int judge_all(carom_run_request *request)
{
    tally all = {0};
    for (int c = 0; c < names; c++) {
        carom_error error = {0};
        if (!judge(*request, &name[c], &all, &error)) {
            printf("%s\n", error.text);
            return strstr(error.text, "no exact") ? 3 : 2;
        }
    }
    printf("summary %d %d %d %d %d %d %d %.1e\n", names, all.whole, all.up_to_break, all.shorter, all.without,
           all.close, all.measures, all.worst);
    return all.disagree ? 1 : all.without == names ? 4 : 0;
}

int main(int argc, char **argv)
{
    carom_override set[32];
    int sets = 0;
    for (int i = 4; i < argc && sets < 32; i++) {
        char *equals = strchr(argv[i], '=');
        if (!equals)
            return 2;
        *equals = '\0';
        set[sets++] = (carom_override){argv[i], equals + 1};
    }
    if (argc < 2)
        return 2;
    carom_experiment *experiment = NULL;
    carom_error error = {0};
    carom_load_request load = {.file = argv[1], .override_count = sets, .override = set};
    if (carom_experiment_load(&load, &experiment, &error) != CAROM_OK) {
        printf("%s\n", error.text);
        return 2;
    }
    choose_names(experiment);
    if (experiment->study || names == 0) {
        carom_experiment_free(experiment);
        return 5;
    }
    static const carom_option tight[] = {{"tolerance", 1e-13, NULL}, {0}};
    carom_run_request request = {.experiment = experiment, .no_certificate = true};
    /* differences of contact problems see the tolerance of these */
    if (experiment->model->has_bodies)
        request.option = tight;
    if (argc > 2 && strcmp(argv[2], "-") != 0)
        request.scheme = argv[2];
    if (argc > 3 && strcmp(argv[3], "-") != 0)
        request.until = atof(argv[3]);
    const int exit_status = judge_all(&request);
    carom_experiment_free(experiment);
    return exit_status;
}
