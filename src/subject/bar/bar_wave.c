/* Wave finite elements: the bar on a grid whose waves move one cell per step. */
#include <math.h>
#include <stdlib.h>

#include "bar_rings.h"
#include "carom/linalg.h"

/* Stresses of the wall below this part of the largest wave are rounding. */
static const double stress_rounding = 1e-9;

struct carom_bar_wave {
    carom_bar bar;
    carom_bar_wave_options options;
    bar_rings rings;
    bar_left_end left;
    double impedance, step, width; /* Z, dx / c, dx */
    double largest;                /* of all waves so far */
    bool touching;                 /* the wall pushed in the last step */
    carom_bar_wave_state now;
    carom_bar_phase *phase;
};

carom_bar_wave_options carom_bar_wave_defaults(void)
{
    return (carom_bar_wave_options){.cells = 100, .left = CAROM_BAR_FIXED, .kept_phases = 64};
}

static carom_bar_wave_options fill_options(const carom_bar_wave_options *given)
{
    const carom_bar_wave_options defaults = carom_bar_wave_defaults();
    carom_bar_wave_options options = given ? *given : defaults;
    if (options.cells == 0)
        options.cells = defaults.cells;
    if (options.kept_phases == 0)
        options.kept_phases = defaults.kept_phases;
    return options;
}

void carom_bar_shape_sample(const carom_bar *bar, const carom_bar_shape *shape, int cells,
                            double *displacement, double *velocity)
{
    const double node = sqrt(0.6), dx = bar->length / cells;
    for (int j = 0; j <= cells; j++)
        displacement[j] = shape->displacement(shape->context, bar->length * j / cells);
    for (int j = 0; j < cells; j++) {
        const double middle = bar->length * (j + 0.5) / cells;
        velocity[j] = 0.0;
        for (int k = -1; shape->velocity && k <= 1; k++)
            velocity[j] +=
                (k ? 5.0 : 8.0) / 18.0 * shape->velocity(shape->context, middle + k * node * dx / 2.0);
    }
}

static carom_status check_options(const carom_bar *bar, const carom_bar_wave_options *options,
                                  carom_error *error)
{
    if (carom_bar_check(bar, error))
        return CAROM_BAD_INPUT;
    if (options->cells < 2)
        return carom_fail(error, CAROM_BAD_INPUT, "bar waves: %d cells, but at least 2 are needed",
                          options->cells);
    const double step = bar->length / (options->cells * carom_bar_speed(bar));
    if (options->step != 0.0 && !(fabs(options->step - step) <= 1e-12 * step))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar waves: a step of %.17g is refused; %d cells take steps of exactly dx / c = "
                          "%.17g. Choose the number of cells instead",
                          options->step, options->cells, step);
    if (options->left == CAROM_BAR_SPRING && !(options->spring >= 0.0 && isfinite(options->spring)))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar waves: the spring of the left end is %g, but must be >= 0", options->spring);
    if (options->kept_phases < 0)
        return carom_fail(error, CAROM_BAD_INPUT, "bar waves: %d phases to keep, but the number must be >= 0",
                          options->kept_phases);
    return CAROM_OK;
}

carom_status carom_bar_wave_create(const carom_bar *bar, const carom_bar_wave_options *given,
                                   carom_bar_wave **wave, carom_error *error)
{
    *wave = NULL;
    const carom_bar_wave_options filled = fill_options(given), *options = &filled;
    if (check_options(bar, options, error))
        return CAROM_BAD_INPUT;
    carom_bar_wave *made = carom_new_array(1, sizeof *made);
    if (!made)
        return carom_fail_memory(error);
    const int cells = options->cells;
    made->bar = *bar;
    made->options = *options;
    made->impedance = carom_bar_impedance(bar);
    made->step = bar->length / (cells * carom_bar_speed(bar));
    made->width = bar->length / cells;
    made->rings = (bar_rings){.cells = cells,
                              .right = carom_new_array((size_t)cells, sizeof(double)),
                              .left = carom_new_array((size_t)cells, sizeof(double))};
    made->left = (bar_left_end){.kind = options->left,
                                .spring = bar->young * options->spring,
                                .impedance = made->impedance,
                                .step = made->step};
    made->phase = carom_new_array((size_t)options->kept_phases, sizeof *made->phase);
    made->now = (carom_bar_wave_state){.step = made->step, .phase = made->phase};
    if (!made->rings.right || !made->rings.left || !made->phase) {
        carom_bar_wave_free(made);
        return carom_fail_memory(error);
    }
    *wave = made;
    return CAROM_OK;
}

void carom_bar_wave_free(carom_bar_wave *wave)
{
    if (!wave)
        return;
    free(wave->rings.right);
    free(wave->rings.left);
    free(wave->phase);
    free(wave);
}

/* Where the wall stands. */
static double wall_at(const carom_bar_wave *wave, double t)
{
    const carom_bar_wave_options *options = &wave->options;
    return options->wall_place ? options->wall_place(options->context, t) : wave->bar.gap;
}

static carom_status check_start(const carom_bar_wave *wave, const double *displacement,
                                const double *velocity, carom_error *error)
{
    const int cells = wave->options.cells;
    if (!carom_all_finite(cells + 1, displacement) || !carom_all_finite(cells, velocity))
        return carom_fail(error, CAROM_BAD_INPUT, "bar waves: the start holds what is not a number");
    const double rounding = 1e-12 * (carom_largest(cells + 1, displacement) + fabs(wave->bar.gap));
    if (wave->left.kind == CAROM_BAR_FIXED && fabs(displacement[0]) > rounding)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar waves: the left end is fixed, but its displacement at the start is %g, not 0",
                          displacement[0]);
    if (!wave->options.no_wall && displacement[cells] > wall_at(wave, 0.0) + rounding)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "bar waves: the right end starts at %g, behind the wall at %g", displacement[cells],
                          wall_at(wave, 0.0));
    return CAROM_OK;
}

carom_status carom_bar_wave_start(carom_bar_wave *wave, const double *displacement, const double *velocity,
                                  carom_error *error)
{
    if (check_start(wave, displacement, velocity, error))
        return CAROM_BAD_INPUT;
    bar_rings *rings = &wave->rings;
    rings->first_right = rings->first_left = 0;
    for (int j = 0; j < rings->cells; j++) {
        const double stress = wave->bar.young * (displacement[j + 1] - displacement[j]) / wave->width;
        rings->right[j] = stress - wave->impedance * velocity[j];
        rings->left[j] = stress + wave->impedance * velocity[j];
    }
    wave->largest = fmax(carom_largest(rings->cells, rings->right), carom_largest(rings->cells, rings->left));
    wave->left.displacement = wave->left.kind == CAROM_BAR_FIXED ? 0.0 : displacement[0];
    wave->touching = false;
    wave->now = (carom_bar_wave_state){.step = wave->step,
                                       .right = displacement[rings->cells],
                                       .left = wave->left.displacement,
                                       .phase = wave->phase};
    return CAROM_OK;
}

/* Half a step of the body force, taken in the middle of the step. */
static void kick(carom_bar_wave *wave, double t)
{
    const carom_bar_wave_options *options = &wave->options;
    if (!options->body_force)
        return;
    for (int j = 0; j < options->cells; j++) {
        const double x = (j + 0.5) * wave->width;
        const double change = wave->impedance * options->body_force(options->context, x, t) * wave->step /
                              (2.0 * wave->bar.density);
        *bar_rings_right(&wave->rings, j) -= change;
        *bar_rings_left(&wave->rings, j) += change;
    }
}

/* The right end from t to t + step: moves as if it were free unless the wall is in its way. Returns the wave
 * that goes back. */
static double meet_wall(carom_bar_wave *wave, double arriving, double t, carom_bar_wave_step_result *result)
{
    const double free_velocity = -arriving / wave->impedance;
    if (!wave->options.no_wall) {
        const double wall = wall_at(wave, t + wave->step);
        const double closing = (wall - wave->now.right) / wave->step;
        if (closing < free_velocity) {
            result->velocity = closing;
            result->stress = arriving + wave->impedance * closing;
            wave->now.right = wall; /* exactly, so that the end rests at a wall that does */
            return result->stress + wave->impedance * closing;
        }
    }
    result->velocity = free_velocity;
    result->stress = 0.0;
    wave->now.right += wave->step * free_velocity;
    return -arriving;
}

static void count_contact(carom_bar_wave *wave, double t, carom_bar_wave_step_result *result)
{
    carom_bar_wave_state *now = &wave->now;
    result->contact = result->stress < -stress_rounding * wave->largest;
    result->work = wave->bar.area * result->stress * result->velocity * wave->step;
    now->impulse -= wave->bar.area * result->stress * wave->step;
    now->work += result->work;
    now->contact_steps += result->contact;
    if (result->contact && !wave->touching && now->phases++ < wave->options.kept_phases)
        wave->phase[now->phases - 1].from = t;
    if (result->contact && now->phases <= wave->options.kept_phases)
        wave->phase[now->phases - 1].to = t + wave->step;
    wave->touching = result->contact;
}

void carom_bar_wave_step(carom_bar_wave *wave, carom_bar_wave_step_result *result)
{
    const double t = (double)wave->now.steps * wave->step;
    carom_bar_wave_step_result own;
    if (!result)
        result = &own;
    kick(wave, t + wave->step / 2.0);
    const double back = meet_wall(wave, *bar_rings_right(&wave->rings, wave->rings.cells - 1), t, result);
    const double forth = bar_left_end_reflect(&wave->left, *bar_rings_left(&wave->rings, 0));
    bar_rings_shift(&wave->rings, forth, back);
    wave->largest = fmax(wave->largest, fmax(fabs(back), fabs(forth)));
    kick(wave, t + wave->step / 2.0);
    count_contact(wave, t, result);
    wave->now.left = wave->left.displacement;
    wave->now.steps++;
    wave->now.t = (double)wave->now.steps * wave->step;
}

carom_bar_wave_state carom_bar_wave_now(const carom_bar_wave *wave)
{
    return wave->now;
}

/* rho v^2 / 2 + stress^2 / (2 E) is (aR^2 + aL^2) / (4 E). */
double carom_bar_wave_energy(const carom_bar_wave *wave)
{
    const bar_rings *rings = &wave->rings;
    const double squares = carom_dot(rings->cells, rings->right, rings->right) +
                           carom_dot(rings->cells, rings->left, rings->left);
    double energy = wave->bar.area * wave->width * squares / (4.0 * wave->bar.young);
    if (wave->left.kind == CAROM_BAR_SPRING)
        energy +=
            wave->bar.area * wave->left.spring * wave->left.displacement * wave->left.displacement / 2.0;
    return energy;
}

void carom_bar_wave_fields(const carom_bar_wave *wave, double *displacement, double *strain, double *velocity)
{
    double u = wave->left.displacement;
    if (displacement)
        displacement[0] = u;
    for (int j = 0; j < wave->rings.cells; j++) {
        const double right = *bar_rings_right(&wave->rings, j), left = *bar_rings_left(&wave->rings, j);
        const double cell_strain = (left + right) / (2.0 * wave->bar.young);
        u += wave->width * cell_strain;
        if (displacement)
            displacement[j + 1] = u;
        if (strain)
            strain[j] = cell_strain;
        if (velocity)
            velocity[j] = (left - right) / (2.0 * wave->impedance);
    }
}
