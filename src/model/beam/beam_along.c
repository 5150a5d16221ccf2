/* The beam along directions of its parameters and of its state.
 *
 * A direction of the parameters is bound once, as the parameters are, and kept: all that depends on parameters only has a derivative
 * that stays. With the length L all places go along, so that matrices are their values times powers of L:
 *
 *   M_ij ~ rho S L^(1 + s_i + s_j),   S_ij ~ E I L^(-3 + s_i + s_j),      s = 1 for slopes, 0 for displacements. */
#include <math.h>
#include <string.h>

#include "beam.h"

/* ---- memory ------------------------------------------------------------------------------------- */

static size_t longest_tape(const beam_model *model)
{
    const carom_tape *tape[] = {model->numbers, model->shape, model->fields};
    size_t size = 0;
    for (size_t i = 0; i < sizeof tape / sizeof *tape; i++)
        size = carom_tape_work_size(tape[i]) > size ? carom_tape_work_size(tape[i]) : size;
    return size;
}

static beam_along *take_direction(beam_work *work)
{
    const beam_model *model = beam_of(work);
    const size_t n = (size_t)model->space.size, rows = (size_t)model->rows, terms = (size_t)model->terms,
                 forces = (size_t)model->forces;
    const int width = beam_band_width(&model->space);
    carom_arena *arena = work->arena;
    beam_along *along = carom_arena_take(arena, 1, sizeof *along);
    if (!along)
        return NULL;
    const struct {
        double **array;
        size_t size;
    } arrays[] = {{&along->parameter, (size_t)model->base.parameters},
                  {&along->number, (size_t)carom_tape_outputs(model->numbers)},
                  {&along->lower, rows},
                  {&along->upper, rows},
                  {&along->power, n},
                  {&along->shape, carom_product(terms, n)},
                  {&along->factor, terms + forces},
                  {&along->factor_of_shapes, terms + forces},
                  {&along->tangent, longest_tape(model)},
                  {&along->bounds_tangent, carom_tape_work_size(model->bounds)},
                  {&along->factor_tangent, carom_tape_work_size(model->factor)},
                  {&along->rest_tangent, model->rest ? carom_tape_work_size(model->rest) : 0},
                  {&along->vector, n},
                  {&along->other, n}};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (!(*arrays[i].array = carom_arena_take(arena, arrays[i].size, sizeof(double))))
            return NULL;
    along->force_row = carom_arena_take(arena, forces, sizeof *along->force_row);
    along->probe_row = carom_arena_take(arena, (size_t)model->base.observables, sizeof *along->probe_row);
    carom_structure_along *structure = &along->structure;
    structure->lower = along->lower;
    structure->upper = along->upper;
    beam_slope_powers(&model->space, along->power);
    const bool taken = along->force_row && along->probe_row &&
                       carom_band_take(arena, model->space.size, width, &structure->mass) &&
                       carom_band_take(arena, model->space.size, width, &structure->stiffness);
    return taken ? along : NULL;
}

void beam_forget_along(beam_work *work)
{
    for (beam_along *along = work->along; along; along = along->next)
        along->bound = false;
}

/* ---- binding ------------------------------------------------------------------------------------ */

/* to_ij = (relative + (power + s_i + s_j) stretch) of_ij */
static void scale_band(const beam_along *along, double relative, double power, double stretch,
                       const carom_band *of, carom_band *to)
{
    for (int i = 0; i < of->size; i++)
        for (int j = i > of->width ? i - of->width : 0; j <= i; j++)
            *carom_band_at(to, i, j) =
                (relative + (power + along->power[i] + along->power[j]) * stretch) * *carom_band_at(of, i, j);
}

static void bind_section(beam_work *work, beam_along *along)
{
    const beam_model *model = beam_of(work);
    const double *number = work->number, *moved = along->number;
    carom_structure_along *structure = &along->structure;
    along->length = moved[model->length];
    along->linear_density = 0.0;
    along->bending = beam_number_along(along, model->k2);
    if (model->k2 < 0) {
        along->linear_density =
            moved[model->density] * number[model->area] + number[model->density] * moved[model->area];
        along->bending =
            moved[model->modulus] * number[model->inertia] + number[model->modulus] * moved[model->inertia];
    }
    const double stretch = along->length / work->length;
    scale_band(along, along->linear_density / work->linear_density, 1.0, stretch, &work->structure.mass,
               &structure->mass);
    scale_band(along, along->bending / work->bending, -3.0, stretch, &work->structure.stiffness,
               &structure->stiffness);
    structure->damping_mass = beam_number_along(along, model->damping_mass);
    structure->damping_stiffness = beam_number_along(along, model->damping_stiffness);
    structure->restitution = beam_number_along(along, model->restitution);
}

static void bind(beam_work *work, beam_along *along)
{
    const beam_model *model = beam_of(work);
    carom_tape_along_bind(model->numbers, work->numbers_work, along->parameter, along->tangent);
    carom_tape_along(model->numbers, work->numbers_work, along->tangent, &(carom_inputs){0}, along->number);
    carom_tape_along_bind(model->bounds, work->bounds_work, along->parameter, along->bounds_tangent);
    bind_section(work, along);
    beam_obstacles_bind_along(work, along);
    beam_load_bind_along(work, along);
    beam_probe_bind_along(work, along);
    along->bound = true;
}

static bool is_direction(const beam_along *along, int parameters, const double *parameter)
{
    if (parameter)
        return memcmp(along->parameter, parameter, (size_t)parameters * sizeof *parameter) == 0;
    for (int i = 0; i < parameters; i++)
        if (along->parameter[i] != 0.0)
            return false;
    return true;
}

/* NULL: memory is short. */
static beam_along *direction_of(carom_model_work *base, const double *parameter)
{
    beam_work *work = (beam_work *)base;
    const int parameters = base->model->parameters;
    beam_along *along = work->along;
    while (along && !is_direction(along, parameters, parameter))
        along = along->next;
    if (!along) {
        along = take_direction(work);
        if (!along)
            return NULL;
        if (parameter)
            memcpy(along->parameter, parameter, (size_t)parameters * sizeof *parameter);
        along->next = work->along;
        work->along = along;
    }
    if (!along->bound)
        bind(work, along);
    return along;
}

static void fill_nan(size_t count, double *x)
{
    for (size_t i = 0; i < count; i++)
        x[i] = NAN;
}

/* ---- the structure ------------------------------------------------------------------------------- */

static const carom_structure_along *structure_along(carom_model_work *base, const double *parameter)
{
    const beam_along *along = direction_of(base, parameter);
    return along ? &along->structure : NULL;
}

static void load_along(carom_model_work *base, const double *parameter, int count, const double *t,
                       const double *weight, const double *t_along, double *load)
{
    const beam_along *along = direction_of(base, parameter);
    if (along)
        beam_load_derivative((beam_work *)base, along, count, t, weight, t_along, load);
    else
        fill_nan((size_t)base->model->dof, load);
}

static void stiffness_times(beam_work *work, const double *q, double *force)
{
    beam_stiffness_times(&beam_of(work)->space, work->length, work->bending, q, work->coefficient,
                         work->pushed, force);
}

/* (E I'/E I - 3 L'/L) S q + L'/L (s S q + S (s q)) */
static void add_stiffness_along(beam_work *work, const beam_along *along, double factor, const double *q,
                                double *force)
{
    const int n = beam_of(work)->space.size;
    const double stretch = along->length / work->length,
                 relative = along->bending / work->bending - 3.0 * stretch;
    stiffness_times(work, q, along->other);
    for (int i = 0; i < n; i++) {
        force[i] += factor * (relative + stretch * along->power[i]) * along->other[i];
        along->vector[i] = along->power[i] * q[i];
    }
    if (stretch == 0.0)
        return;
    stiffness_times(work, along->vector, along->other);
    carom_axpy(n, factor * stretch, along->other, force);
}

static void stiffness_times_along(carom_model_work *base, const double *parameter, const double *q,
                                  double *force)
{
    const beam_along *along = direction_of(base, parameter);
    memset(force, 0, (size_t)base->model->dof * sizeof *force);
    if (along)
        add_stiffness_along((beam_work *)base, along, 1.0, q, force);
    else
        fill_nan((size_t)base->model->dof, force);
}

static void initial_along(carom_model_work *base, const double *parameter, double *q, double *u)
{
    const beam_along *along = direction_of(base, parameter);
    if (along) {
        beam_initial_along((beam_work *)base, along, q, u);
        return;
    }
    fill_nan((size_t)base->model->dof, q);
    fill_nan((size_t)base->model->dof, u);
}

static void observe_along(carom_model_work *base, double t, const double *q, const double *u,
                          const double *impulse, const carom_direction *direction,
                          const double *impulse_along, double *observed)
{
    (void)t, (void)impulse;
    const beam_along *along = direction_of(base, direction->parameter);
    if (along)
        beam_observe_along((beam_work *)base, along, q, u, direction, impulse_along, observed);
    else
        fill_nan((size_t)base->model->observables, observed);
}

/* ---- as any model -------------------------------------------------------------------------------- */

static void mass_along(carom_model_work *base, double t, const double *q, int count,
                       const carom_direction *direction, double *mass)
{
    (void)t, (void)q;
    const size_t n = (size_t)base->model->dof;
    memset(mass, 0, (size_t)count * n * n * sizeof *mass);
    for (int d = 0; d < count; d++, mass += n * n) {
        const beam_along *along = direction_of(base, direction[d].parameter);
        if (along)
            beam_expand_band(&along->structure.mass, 1.0, mass);
        else
            fill_nan(n * n, mass);
    }
}

/* load' - S' q - S q' - (a' M + a M' + b' S + b S') u - (a M + b S) u' */
static void one_force_along(beam_work *work, beam_along *along, double t, const double *q, const double *u,
                            const carom_direction *direction, double *force)
{
    const carom_structure *structure = &work->structure;
    const carom_structure_along *moved = &along->structure;
    const int n = structure->mass.size;
    const double a = structure->damping_mass, b = structure->damping_stiffness;
    beam_load_derivative(work, along, 1, &t, &(const double){1.0}, &direction->t, force);
    add_stiffness_along(work, along, -1.0, q, force);
    add_stiffness_along(work, along, -b, u, force);
    for (int i = 0; i < n; i++)
        along->vector[i] = (direction->q ? direction->q[i] : 0.0) + moved->damping_stiffness * u[i] +
                           (direction->u ? b * direction->u[i] : 0.0);
    stiffness_times(work, along->vector, along->other);
    carom_axpy(n, -1.0, along->other, force);
    carom_band_multiply(&moved->mass, u, along->other);
    carom_axpy(n, -a, along->other, force);
    for (int i = 0; i < n; i++)
        along->vector[i] = moved->damping_mass * u[i] + (direction->u ? a * direction->u[i] : 0.0);
    carom_band_multiply(&structure->mass, along->vector, along->other);
    carom_axpy(n, -1.0, along->other, force);
}

static void force_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                        const carom_direction *direction, double *force)
{
    const size_t n = (size_t)base->model->dof;
    for (int d = 0; d < count; d++, force += n) {
        beam_along *along = direction_of(base, direction[d].parameter);
        if (along)
            one_force_along((beam_work *)base, along, t, q, u, &direction[d], force);
        else
            fill_nan(n, force);
    }
}

static void one_gaps_along(const beam_work *work, const beam_along *along, const double *dq, double *gap)
{
    const carom_structure *structure = &work->structure;
    for (int row = 0; row < structure->rows; row++) {
        double displacement = 0.0;
        for (int k = structure->row_start[row]; dq && k < structure->row_start[row + 1]; k++)
            displacement += structure->entry[k] * dq[structure->column[k]];
        if (structure->lower_contact[row] >= 0)
            gap[structure->lower_contact[row]] = displacement - along->lower[row];
        if (structure->upper_contact[row] >= 0)
            gap[structure->upper_contact[row]] = along->upper[row] - displacement;
    }
}

static void gaps_along(carom_model_work *base, double t, const double *q, int count,
                       const carom_direction *direction, double *gap)
{
    (void)t, (void)q;
    const size_t contacts = (size_t)base->model->contacts;
    for (int d = 0; d < count; d++, gap += contacts) {
        const beam_along *along = direction_of(base, direction[d].parameter);
        if (along)
            one_gaps_along((const beam_work *)base, along, direction[d].q, gap);
        else
            fill_nan(contacts, gap);
    }
}

static void frame_along(carom_model_work *base, int contact, double t, const double *q, int count,
                        const carom_direction *direction, carom_contact_frame *frame)
{
    (void)contact, (void)t, (void)q;
    for (int d = 0; d < count; d++) {
        const beam_along *along = direction_of(base, direction[d].parameter);
        memset(frame[d].normal.value, 0, (size_t)base->model->dof * sizeof(double));
        frame[d].normal_rate = frame[d].stiffness = frame[d].exponent = 0.0;
        frame[d].restitution = along ? along->structure.restitution : NAN;
    }
}

static double one_energy_along(beam_work *work, const beam_along *along, const double *q, const double *u,
                               const carom_direction *direction)
{
    const carom_band *mass = &work->structure.mass;
    const int n = mass->size;
    double sum = 0.5 * carom_band_form(&along->structure.mass, u, u) +
                 0.5 * carom_band_form(&along->structure.stiffness, q, q);
    if (direction->u)
        sum += carom_band_form(mass, u, direction->u);
    if (direction->q) {
        stiffness_times(work, q, along->other);
        sum += carom_dot(n, along->other, direction->q);
    }
    return sum;
}

static void energy_along(carom_model_work *base, double t, const double *q, const double *u, int count,
                         const carom_direction *direction, double *energy)
{
    (void)t;
    for (int d = 0; d < count; d++) {
        const beam_along *along = direction_of(base, direction[d].parameter);
        energy[d] = along ? one_energy_along((beam_work *)base, along, q, u, &direction[d]) : NAN;
    }
}

const carom_model_tangent_ops beam_tangent_ops = {
    .mass = mass_along,
    .force = force_along,
    .gaps = gaps_along,
    .frame = frame_along,
    .energy = energy_along,
    .initial = initial_along,
    .observe = observe_along,
    .structure = structure_along,
    .load = load_along,
    .stiffness_times = stiffness_times_along,
};
