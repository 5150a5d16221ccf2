/* The model made from expressions: compiled tapes behind the model interface. */
#include "traced.h"

#include <stdlib.h>
#include <string.h>

#include "lengths.h"
#include "model/model_parts.h"
#include "time_dependence.h"

enum {
    SWITCHES_MAX = 1000 /* more kinks in time than this are not located */
};

/* ---- evaluation ---------------------------------------------------------------------------- */

static const carom_sparse *traced_matrix_pattern(const carom_model *base, carom_model_matrix matrix)
{
    return &((const traced_model *)base)->matrix[matrix].pattern;
}

static void traced_matrix(carom_model_work *base, carom_model_matrix matrix, double t, const double *q,
                          const double *u, double *entry)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(
        traced_model_of(work)->matrix[matrix].tape, work->matrix[matrix],
        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input, .angles = work->angles}, entry);
}

/* With its zeros, row-major; the number of entries. */
static int spread_entries(const carom_model *model, carom_model_matrix matrix, const double *entry,
                          double *full)
{
    const carom_sparse *pattern = traced_matrix_pattern(model, matrix);
    const size_t n = (size_t)model->dof;
    memset(full, 0, n * n * sizeof *full);
    for (size_t j = 0; j < n; j++)
        for (int k = pattern->column_start[j]; k < pattern->column_start[j + 1]; k++)
            full[(size_t)pattern->row[k] * n + j] = entry[k];
    return pattern->column_start[n];
}

static void fill_matrix(carom_model_work *base, carom_model_matrix matrix, double t, const double *q,
                        const double *u, double *full)
{
    double *entry = ((traced_work *)base)->output;
    traced_matrix(base, matrix, t, q, u, entry);
    spread_entries(base->model, matrix, entry, full);
}

static void traced_mass(carom_model_work *base, double t, const double *q, double *mass)
{
    fill_matrix(base, CAROM_MATRIX_MASS, t, q, NULL, mass);
}

static void traced_force(carom_model_work *base, double t, const double *q, const double *u, double *force)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(
        traced_model_of(work)->force, work->force,
        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input, .angles = work->angles}, force);
}

static void traced_force_jacobian(carom_model_work *base, double t, const double *q, const double *u,
                                  double *by_q, double *by_u)
{
    if (by_q)
        fill_matrix(base, CAROM_MATRIX_FORCE_BY_Q, t, q, u, by_q);
    if (by_u)
        fill_matrix(base, CAROM_MATRIX_FORCE_BY_U, t, q, u, by_u);
}

static bool traced_force_with_jacobian(carom_model_work *base, double t, const double *q, const double *u,
                                       double *force, double *by_q, double *by_u)
{
    traced_work *work = (traced_work *)base;
    const size_t n = (size_t)base->model->dof;
    const carom_tape *tape = traced_model_of(work)->linearised;
    if (!tape)
        return false;
    carom_tape_evaluate(
        tape, work->linearised,
        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input, .angles = work->angles},
        work->output);
    memcpy(force, work->output, n * sizeof *force);
    const double *entry = work->output + n;
    entry += spread_entries(base->model, CAROM_MATRIX_FORCE_BY_Q, entry, by_q);
    spread_entries(base->model, CAROM_MATRIX_FORCE_BY_U, entry, by_u);
    return true;
}

static void traced_gaps(carom_model_work *base, double t, const double *q, double *gap)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->gaps, work->gaps,
                        &(carom_inputs){.t = t, .q = q, .outside = work->base.input, .angles = work->angles},
                        gap);
}

static double traced_energy(carom_model_work *base, double t, const double *q, const double *u)
{
    traced_work *work = (traced_work *)base;
    double energy;
    carom_tape_evaluate(
        traced_model_of(work)->energy, work->energy,
        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input, .angles = work->angles},
        &energy);
    return energy;
}

static double traced_power(carom_model_work *base, double t, const double *q, const double *u)
{
    traced_work *work = (traced_work *)base;
    double power;
    carom_tape_evaluate(
        traced_model_of(work)->power, work->power,
        &(carom_inputs){.t = t, .q = q, .u = u, .outside = work->base.input, .angles = work->angles}, &power);
    return power;
}

static void traced_carried(carom_model_work *base, double t, const double *q, double *momentum)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->carried, work->carried,
                        &(carom_inputs){.t = t, .q = q, .outside = work->base.input, .angles = work->angles},
                        momentum);
}

void traced_fill_frame(const carom_contact_info *info, const double *output, carom_contact_frame *frame)
{
    for (int k = 0; k <= info->tangents; k++) {
        carom_row *row = k == 0 ? &frame->normal : &frame->tangent[k - 1];
        row->count = info->row[k].count;
        row->column = info->row[k].column;
        carom_copy(row->count, output, row->value);
        output += row->count;
    }
    frame->normal_rate = *output++;
    for (int k = 0; k < info->tangents; k++)
        frame->tangent_rate[k] = *output++;
    frame->restitution = *output++;
    frame->stiffness = *output++;
    frame->exponent = *output++;
    carom_copy(info->coefficients, output, frame->coefficients);
}

static void traced_frame(carom_model_work *base, int contact, double t, const double *q,
                         carom_contact_frame *frame)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->frame[contact].tape, work->frame[contact],
                        &(carom_inputs){.t = t, .q = q, .outside = work->base.input, .angles = work->angles},
                        work->output);
    traced_fill_frame(&base->model->contact[contact], work->output, frame);
}

static double traced_gap_between(carom_model_work *base, int contact, double t, const double *q,
                                 const double *to, double share)
{
    traced_work *work = (traced_work *)base;
    const carom_tape *tape = traced_model_of(work)->frame[contact].tape;
    const int *index;
    const int count = carom_tape_coordinates(tape, &index);
    for (int k = 0; k < count; k++)
        work->place[index[k]] = q[index[k]] + share * (to[index[k]] - q[index[k]]);
    carom_tape_evaluate(
        tape, work->frame[contact],
        &(carom_inputs){.t = t, .q = work->place, .outside = work->base.input, .angles = work->angles},
        work->output);
    return work->output[carom_tape_outputs(tape) - 1];
}

static void traced_frequencies_of(carom_model_work *base, double *frequency)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->frequencies, work->frequencies,
                        &(carom_inputs){.outside = work->base.input, .angles = work->angles}, frequency);
}

static void traced_switches_of(carom_model_work *base, double t, double *value)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->switches, work->switches,
                        &(carom_inputs){.t = t, .outside = work->base.input, .angles = work->angles}, value);
}

static const struct carom_harmonics *traced_harmonics_of(carom_model_work *base)
{
    traced_work *work = (traced_work *)base;
    carom_tape_evaluate(traced_model_of(work)->harmonics, work->harmonics,
                        &(carom_inputs){.outside = work->base.input, .angles = work->angles}, work->harmonic);
    return &work->driven;
}

/* ---- work space ---------------------------------------------------------------------------- */

static void traced_work_free(carom_model_work *base)
{
    traced_work *work = (traced_work *)base;
    if (!work)
        return;
    carom_arena_free(work->arena);
    free(work);
}

static double *take_tape_work(carom_arena *arena, const carom_tape *tape, int *longest)
{
    if (carom_tape_outputs(tape) > *longest)
        *longest = carom_tape_outputs(tape);
    return carom_arena_take(arena, carom_tape_work_size(tape), sizeof(double));
}

/* What the dependence on time needs; false when memory is short. */
static bool take_time_work(const traced_model *model, traced_work *work, int *longest)
{
    const int count = model->harmonic_count;
    const ptrdiff_t n = model->base.dof;
    if (model->frequencies)
        work->frequencies = take_tape_work(work->arena, model->frequencies, longest);
    if (model->switches)
        work->switches = take_tape_work(work->arena, model->switches, longest);
    if (model->switches && !work->switches)
        return false;
    if (!model->harmonics)
        return work->frequencies || !model->frequencies;
    work->harmonics = take_tape_work(work->arena, model->harmonics, longest);
    work->harmonic =
        carom_arena_take(work->arena, (size_t)carom_tape_outputs(model->harmonics), sizeof *work->harmonic);
    work->driven = (struct carom_harmonics){.count = count, .frequency = work->harmonic};
    if (work->harmonic) {
        work->driven.force = work->harmonic + count;
        work->driven.gap = work->driven.force + 2 * count * n;
    }
    return work->frequencies && work->harmonics && work->harmonic;
}

static carom_model_work *traced_work_create(const carom_model *base)
{
    const traced_model *model = (const traced_model *)base;
    traced_work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->base.model = base;
    work->arena = carom_arena_create();
    int longest = 0;
    bool taken = work->arena != NULL && model_take_inputs(&work->base, work->arena);
    if (taken) {
        work->force = take_tape_work(work->arena, model->force, &longest);
        work->gaps = take_tape_work(work->arena, model->gaps, &longest);
        work->energy = take_tape_work(work->arena, model->energy, &longest);
        work->power = take_tape_work(work->arena, model->power, &longest);
        if (model->carried)
            work->carried = take_tape_work(work->arena, model->carried, &longest);
        if (model->linearised)
            work->linearised = take_tape_work(work->arena, model->linearised, &longest);
        work->frame = carom_arena_take(work->arena, (size_t)base->contacts, sizeof *work->frame);
        taken = work->force && work->gaps && work->energy && work->power &&
                (work->carried || !model->carried) && (work->linearised || !model->linearised) && work->frame;
    }
    for (int m = 0; taken && m < CAROM_MATRICES; m++) {
        work->matrix[m] = take_tape_work(work->arena, model->matrix[m].tape, &longest);
        taken = work->matrix[m] != NULL;
    }
    for (int k = 0; taken && k < base->contacts; k++) {
        work->frame[k] = take_tape_work(work->arena, model->frame[k].tape, &longest);
        taken = work->frame[k] != NULL;
    }
    work->mechanism.outside = work->base.input;
    taken = taken && take_time_work(model, work, &longest);
    taken = taken && traced_mechanism_take_work(&model->mechanism, work->arena, &work->mechanism);
    if (taken)
        work->output = carom_arena_take(work->arena, (size_t)longest, sizeof *work->output);
    taken = taken && traced_take_tangent(work);
    if (taken && base->dof <= CAROM_ANGLES) {
        work->angles = carom_arena_take(work->arena, CAROM_ANGLES, sizeof *work->angles);
        taken = work->angles != NULL;
    }
    work->place = taken ? carom_arena_take(work->arena, (size_t)base->dof, sizeof *work->place) : NULL;
    if (taken && work->output && work->place) {
        if (work->angles)
            carom_angles_forget(work->angles);
        return &work->base;
    }
    traced_work_free(&work->base);
    return NULL;
}

static void traced_bind(carom_model_work *base, const double *parameters)
{
    traced_work *work = (traced_work *)base;
    const traced_model *model = traced_model_of(work);
    model_bind_inputs(base, parameters);
    for (int m = 0; m < CAROM_MATRICES; m++)
        carom_tape_bind(model->matrix[m].tape, parameters, work->matrix[m]);
    carom_tape_bind(model->force, parameters, work->force);
    carom_tape_bind(model->gaps, parameters, work->gaps);
    carom_tape_bind(model->energy, parameters, work->energy);
    carom_tape_bind(model->power, parameters, work->power);
    if (model->carried)
        carom_tape_bind(model->carried, parameters, work->carried);
    if (model->linearised)
        carom_tape_bind(model->linearised, parameters, work->linearised);
    for (int k = 0; k < model->base.contacts; k++)
        carom_tape_bind(model->frame[k].tape, parameters, work->frame[k]);
    traced_mechanism_bind(&model->mechanism, parameters, &work->mechanism);
    if (model->frequencies)
        carom_tape_bind(model->frequencies, parameters, work->frequencies);
    if (model->switches)
        carom_tape_bind(model->switches, parameters, work->switches);
    if (model->harmonics)
        carom_tape_bind(model->harmonics, parameters, work->harmonics);
}

/* ---- building ------------------------------------------------------------------------------ */

static void traced_free(carom_model *base)
{
    traced_model *model = (traced_model *)base;
    for (int m = 0; m < CAROM_MATRICES; m++)
        carom_tape_free(model->matrix[m].tape);
    carom_tape_free(model->force);
    carom_tape_free(model->gaps);
    carom_tape_free(model->energy);
    carom_tape_free(model->power);
    carom_tape_free(model->carried);
    carom_tape_free(model->linearised);
    for (int k = 0; model->frame && k < base->contacts; k++)
        carom_tape_free(model->frame[k].tape);
    traced_mechanism_free(&model->mechanism);
    carom_tape_free(model->frequencies);
    carom_tape_free(model->switches);
    carom_tape_free(model->harmonics);
    carom_arena_free(model->arena);
    free(model);
}

static bool traced_block_is_constant(const carom_model *base, carom_mechanism_block block, int column)
{
    return traced_mechanism_block_is_constant(&((const traced_model *)base)->mechanism, block, column);
}

static bool traced_rate_is_constant(const carom_model *base, int constraint)
{
    return traced_mechanism_rate_is_constant(&((const traced_model *)base)->mechanism, constraint);
}

static const carom_sparse *traced_block_pattern(const carom_model *base, carom_mechanism_block block)
{
    return &((const traced_model *)base)->mechanism.block[block].pattern;
}

static void traced_block(carom_model_work *base, carom_mechanism_block block, const carom_motion *motion,
                         double *entry)
{
    traced_work *work = (traced_work *)base;
    traced_mechanism_block(&traced_model_of(work)->mechanism, &work->mechanism, block, motion, entry);
}

static void traced_constraints(carom_model_work *base, const carom_motion *motion, double *g, double *g_t,
                               double *h)
{
    traced_work *work = (traced_work *)base;
    traced_mechanism_constraints(&traced_model_of(work)->mechanism, &work->mechanism, motion, g, g_t, h);
}

static const carom_model_ops traced_ops = {
    .free = traced_free,
    .work_create = traced_work_create,
    .work_free = traced_work_free,
    .bind = traced_bind,
    .mass = traced_mass,
    .force = traced_force,
    .force_jacobian = traced_force_jacobian,
    .force_with_jacobian = traced_force_with_jacobian,
    .gaps = traced_gaps,
    .frame = traced_frame,
    .gap_between = traced_gap_between,
    .energy = traced_energy,
    .power = traced_power,
    .carried = traced_carried,
    .matrix_pattern = traced_matrix_pattern,
    .matrix = traced_matrix,
    .block_pattern = traced_block_pattern,
    .block_is_constant = traced_block_is_constant,
    .rate_is_constant = traced_rate_is_constant,
    .block = traced_block,
    .constraints = traced_constraints,
    .tangent = &traced_tangent_ops,
    .wide = &traced_wide_ops,
    .frequencies = traced_frequencies_of,
    .harmonics = traced_harmonics_of,
    .switches = traced_switches_of,
};

static carom_node node_or(carom_graph *graph, carom_node node, double value)
{
    return node >= 0 ? node : carom_constant(graph, value);
}

/* Places and nodes of a row's entries; false when memory is short. */
static bool keep_row(carom_arena *arena, const carom_node_row *row, carom_row_pattern *pattern,
                     carom_node *node)
{
    int *column = carom_arena_take(arena, (size_t)row->count, sizeof *column);
    for (int i = 0; column && i < row->count; i++) {
        column[i] = row->entry[i].index;
        node[i] = row->entry[i].node;
    }
    *pattern = (carom_row_pattern){row->count, column};
    return column != NULL;
}

static bool compile_frame(traced_model *model, const carom_traced_spec *spec, int k,
                          const derived_contact *derived)
{
    carom_contact_info *info = &model->base.contact[k];
    frame_tape *map = &model->frame[k];
    size_t size = 5 + CAROM_CONTACT_COMPONENTS + (size_t)info->coefficients;
    for (int c = 0; c <= info->tangents; c++)
        size += (size_t)derived->row[c].count;
    carom_node *node = carom_new_array(size, sizeof *node);
    bool kept = node != NULL;
    int count = 0;
    for (int c = 0; kept && c <= info->tangents; c++) {
        kept = keep_row(model->arena, &derived->row[c], &info->row[c], node + count);
        count += derived->row[c].count;
    }
    map->entries = count;
    if (kept) {
        for (int c = 0; c <= info->tangents; c++)
            node[count++] = derived->rate[c];
        node[count++] = node_or(spec->graph, spec->contact[k].restitution, 0.0);
        node[count++] = node_or(spec->graph, spec->contact[k].stiffness, carom_default_stiffness);
        node[count++] = node_or(spec->graph, spec->contact[k].exponent, carom_default_exponent);
        for (int c = 0; c < info->coefficients; c++)
            node[count++] = spec->contact[k].coefficient[c];
        node[count++] = derived->gap;
        map->tape = carom_tape_compile(spec->graph, count, node);
    }
    free(node);
    return map->tape != NULL;
}

static bool compile_matrix(traced_model *model, const carom_traced_spec *spec, carom_model_matrix matrix,
                           const carom_node_row *row)
{
    return sparse_tape_compile(spec->graph, spec->dof, spec->dof, row, model->arena, &model->matrix[matrix]);
}

/* True when outputs first .. end - 1 of the tape depend on nothing but `allowed`. */
static bool depend_only_on(unsigned allowed, const carom_tape *tape, int first, int end)
{
    for (int i = first; i < end; i++)
        if (carom_tape_depends(tape, i) & ~allowed)
            return false;
    return true;
}

static bool is_fixed(const carom_tape *tape)
{
    return depend_only_on(CAROM_ON_PARAMETER, tape, 0, carom_tape_outputs(tape));
}

enum {
    LINEARISED_MAX = 64 /* coordinates of models whose force is evaluated together with its derivatives */
};

/* True where it is of no use, too. */
static bool compile_linearised(traced_model *model, const carom_traced_spec *spec,
                               const derived_model *derived)
{
    if (spec->dof > LINEARISED_MAX || (is_fixed(model->matrix[CAROM_MATRIX_FORCE_BY_Q].tape) &&
                                       is_fixed(model->matrix[CAROM_MATRIX_FORCE_BY_U].tape)))
        return true;
    model->linearised = sparse_tapes_together(spec->graph, spec->dof, derived->force, derived->force_by_q,
                                              derived->force_by_u);
    return model->linearised != NULL;
}

static bool compile_tapes(traced_model *model, const carom_traced_spec *spec, const derived_model *derived)
{
    const int n = spec->dof, contacts = spec->contacts;
    carom_node *gap = carom_arena_take(model->arena, (size_t)contacts, sizeof *gap);
    model->frame = carom_arena_take(model->arena, (size_t)contacts, sizeof *model->frame);
    if (!gap || !model->frame)
        return false;
    for (int k = 0; k < contacts; k++)
        gap[k] = derived->contact[k].gap;
    model->force = carom_tape_compile(spec->graph, n, derived->force);
    model->gaps = carom_tape_compile(spec->graph, contacts, gap);
    model->energy = carom_tape_compile(spec->graph, 1, &derived->energy);
    model->power = carom_tape_compile(spec->graph, 1, &derived->power);
    if (derived->carried)
        model->carried = carom_tape_compile(spec->graph, n, derived->carried);
    bool compiled = model->force && model->gaps && model->energy && model->power &&
                    (model->carried || !derived->carried) &&
                    compile_matrix(model, spec, CAROM_MATRIX_MASS, derived->mass) &&
                    compile_matrix(model, spec, CAROM_MATRIX_FORCE_BY_Q, derived->force_by_q) &&
                    compile_matrix(model, spec, CAROM_MATRIX_FORCE_BY_U, derived->force_by_u) &&
                    compile_linearised(model, spec, derived);
    for (int k = 0; compiled && k < contacts; k++)
        compiled = compile_frame(model, spec, k, &derived->contact[k]);
    return compiled && traced_mechanism_compile(spec, derived, model->arena, &model->mechanism);
}

static bool copy_description(traced_model *model, const carom_traced_spec *spec)
{
    carom_model *base = &model->base;
    carom_arena *arena = model->arena;
    base->dof = spec->dof;
    base->coordinate = carom_arena_take(arena, (size_t)spec->dof, sizeof *base->coordinate);
    base->contact = carom_arena_take(arena, (size_t)spec->contacts, sizeof *base->contact);
    if (!base->coordinate || !base->contact ||
        !model_copy_parameters(base, arena, spec->parameters, spec->parameter))
        return false;
    for (int i = 0; i < spec->dof; i++)
        if (!(base->coordinate[i] = carom_arena_copy_text(arena, spec->coordinate[i])))
            return false;
    for (int k = 0; k < spec->contacts; k++) {
        const carom_traced_contact *contact = &spec->contact[k];
        base->contact[k] = (carom_contact_info){
            .name = carom_arena_copy_text(arena, contact->name),
            .tangents = contact->tangents,
            .friction = contact->friction,
            .coefficients = carom_friction_law_coefficients(&contact->friction),
            .has_restitution = contact->restitution >= 0,
            .friction_force = contact->friction_force,
            .in_lengths = contact->distance || contact->level,
        };
        if (!base->contact[k].name)
            return false;
    }
    base->contacts = spec->contacts;
    base->joint = carom_arena_take(arena, (size_t)spec->joints, sizeof *base->joint);
    for (int k = 0; base->joint && k < spec->joints; k++)
        if (!(base->joint[k] = carom_arena_copy_text(arena, spec->joint[k].name)))
            return false;
    base->joints = spec->joints;
    return base->joint != NULL;
}

/* True when the partners of all contacts stand still: no belt and no shaken floor does work. */
static bool partners_rest(const carom_model *model, const carom_graph *graph, const derived_model *derived)
{
    for (int k = 0; k < model->contacts; k++)
        for (int c = 0; c <= model->contact[k].tangents; c++) {
            double rate;
            if (!carom_node_is_constant(graph, derived->contact[k].rate[c], &rate) || rate != 0.0)
                return false;
        }
    return true;
}

/* What schemes may evaluate once, and whether anything drives the system. */
static void set_constant_parts(traced_model *model, carom_graph *graph, const derived_model *derived,
                               bool applied)
{
    const unsigned fixed = CAROM_ON_PARAMETER, timed = CAROM_ON_PARAMETER | CAROM_ON_TIME;
    const unsigned still = ~(unsigned)CAROM_ON_TIME;
    carom_model *base = &model->base;
    base->constant_mass = is_fixed(model->matrix[CAROM_MATRIX_MASS].tape);
    base->constant_force_jacobian = is_fixed(model->matrix[CAROM_MATRIX_FORCE_BY_Q].tape) &&
                                    is_fixed(model->matrix[CAROM_MATRIX_FORCE_BY_U].tape);
    base->affine_force =
        base->constant_force_jacobian &&
        !carom_has_kinks(graph, base->dof, derived->force, CAROM_ON_COORDINATE | CAROM_ON_VELOCITY);
    base->constant_force = depend_only_on(fixed, model->force, 0, base->dof);
    double power;
    base->moving_frame = model->carried != NULL;
    base->powerless =
        !base->moving_frame && carom_node_is_constant(graph, derived->power, &power) && power == 0.0;
    base->conservative =
        !applied && depend_only_on(still, model->energy, 0, 1) && partners_rest(base, graph, derived);
    for (int k = 0; k < base->contacts; k++) {
        carom_contact_info *info = &base->contact[k];
        const carom_tape *tape = model->frame[k].tape;
        const int rates = model->frame[k].entries, restitution = rates + 1 + info->tangents;
        const int end = carom_tape_outputs(tape) - 1; /* without the gap */
        info->constant_rows = depend_only_on(fixed, tape, 0, rates) &&
                              depend_only_on(timed, tape, rates, restitution) &&
                              depend_only_on(timed, tape, restitution + 1, end);
        info->constant_frame = depend_only_on(fixed, tape, 0, end);
        info->constant_restitution = depend_only_on(fixed, tape, restitution, restitution + 1);
    }
}

/* ---- dependence on time ------------------------------------------------------------------------------ */

enum {
    LINEAR_MAX = 64 /* coordinates, and contacts, of models whose sums of sines are looked for */
};

/* All but what drives it. */
static bool may_be_linear(const traced_model *model, carom_graph *graph, const derived_model *derived)
{
    const carom_model *base = &model->base;
    bool linear = base->constant_mass && base->affine_force && !base->moving_frame && base->joints == 0 &&
                  base->inputs == 0 && base->dof <= LINEAR_MAX && base->contacts <= LINEAR_MAX;
    for (int k = 0; linear && k < base->contacts; k++) {
        const carom_contact_info *info = &base->contact[k];
        linear = info->tangents == 0 && info->constant_rows && !info->friction_force &&
                 depend_only_on(CAROM_ON_PARAMETER, model->frame[k].tape, model->frame[k].entries + 1,
                                model->frame[k].entries + 2) &&
                 !carom_has_kinks(graph, 1, &derived->contact[k].gap, CAROM_ON_COORDINATE);
    }
    return linear;
}

/* The tape of carom_harmonics; *linear: the forcing is a sum of sines. Returns false if allocation fails. */
static bool compile_harmonics(traced_model *model, carom_graph *graph, const derived_model *derived,
                              carom_arena *scratch, bool *linear)
{
    const int n = model->base.dof, contacts = model->base.contacts, all = n + contacts;
    const carom_node zero = carom_constant(graph, 0.0);
    carom_node *driven = carom_arena_take(scratch, (size_t)all, sizeof *driven);
    traced_harmonics found;
    if (!driven)
        return false;
    for (int i = 0; i < n; i++)
        driven[i] = carom_substitute_leaves(
            graph, carom_substitute_leaves(graph, derived->force[i], CAROM_OP_COORDINATE, zero),
            CAROM_OP_VELOCITY, zero);
    for (int k = 0; k < contacts; k++)
        driven[n + k] = carom_substitute_leaves(graph, derived->contact[k].gap, CAROM_OP_COORDINATE, zero);
    *linear = traced_find_harmonics(graph, all, driven, scratch, &found);
    if (!*linear)
        return found.cosine && found.sine;
    const size_t outputs = (size_t)found.count * (1 + 2 * (size_t)all);
    carom_node *node = carom_arena_take(scratch, outputs, sizeof *node);
    if (!node)
        return false;
    memcpy(node, found.frequency, (size_t)found.count * sizeof *node);
    carom_node *to = node + found.count;
    for (int part = 0; part < 2; part++) /* forces, then gaps */
        for (int k = 0; k < 2 * found.count; k++) {
            const carom_node *from = (k % 2 ? found.sine : found.cosine) + k / 2 * all;
            for (int i = part ? n : 0; i < (part ? all : n); i++)
                *to++ = from[i] < 0 ? zero : from[i];
        }
    model->harmonics = carom_tape_compile(graph, (int)outputs, node);
    model->harmonic_count = found.count;
    *linear = model->harmonics != NULL;
    return *linear || carom_graph_status(graph, NULL) != CAROM_OK; /* it may have become too large */
}

/* The tape of ops->switches. Returns false if allocation fails. */
static bool compile_switches(traced_model *model, carom_graph *graph, const derived_model *derived,
                             carom_arena *scratch)
{
    carom_node *found = carom_arena_take(scratch, SWITCHES_MAX, sizeof *found);
    if (!found)
        return false;
    const int count = carom_switches(graph, model->base.dof, derived->force,
                                     CAROM_ON_PARAMETER | CAROM_ON_TIME, SWITCHES_MAX, found);
    if (count <= 0)
        return true;
    model->switches = carom_tape_compile(graph, count, found);
    model->base.switches = model->switches ? count : 0;
    return model->switches != NULL;
}

/* Returns false if allocation fails: a model would be solved by another method without a word. */
static bool find_time_dependence(traced_model *model, const carom_traced_spec *spec,
                                 const derived_model *derived, carom_arena *scratch)
{
    carom_node *frequency;
    const int count = traced_frequencies(spec, scratch, &frequency);
    model->base.frequencies = count < 0 ? -1 : count;
    if (count < 0)
        return count != TRACED_NO_MEMORY;
    model->frequencies = carom_tape_compile(spec->graph, count, frequency);
    if (!model->frequencies)
        return false;
    return !may_be_linear(model, spec->graph, derived) ||
           compile_harmonics(model, spec->graph, derived, scratch, &model->base.is_linear);
}

/* What is known of contacts beside their expressions. */
static void mark_contacts(carom_model *base, const spec_in_lengths *lengths)
{
    base->one_point = lengths->one_point;
    for (int k = 0; k < base->contacts; k++) {
        base->contact[k].normalized = lengths->normalized[k];
        base->contact[k].tangential = lengths->tangential[k];
    }
}

carom_status carom_traced_model_create(const carom_traced_spec *given, carom_model **out, carom_error *error)
{
    *out = NULL;
    carom_arena *scratch = carom_arena_create();
    if (!scratch)
        return carom_fail_memory(error);
    spec_in_lengths lengths;
    derived_model derived;
    const carom_traced_spec *spec = &lengths.spec;
    carom_status status = spec_to_lengths(given, scratch, &lengths, error);
    if (status == CAROM_OK)
        status = derive_model(spec, scratch, &derived, error);
    if (status != CAROM_OK) {
        carom_arena_free(scratch);
        return status;
    }
    traced_model *model = calloc(1, sizeof *model);
    if (model) {
        model->base.ops = &traced_ops;
        model->arena = carom_arena_create();
    }
    if (!model || !model->arena || !copy_description(model, spec) || !compile_tapes(model, spec, &derived)) {
        if (model)
            traced_free(&model->base);
        carom_arena_free(scratch);
        status = carom_graph_status(spec->graph, error); /* it may have become too large */
        return status == CAROM_OK ? carom_fail_memory(error) : status;
    }
    if (!compile_switches(model, spec->graph, &derived, scratch)) {
        traced_free(&model->base);
        carom_arena_free(scratch);
        return carom_fail_memory(error);
    }
    mark_contacts(&model->base, &lengths);
    set_constant_parts(model, spec->graph, &derived, spec->force != NULL);
    const bool found = find_time_dependence(model, spec, &derived, scratch);
    carom_arena_free(scratch);
    if (!found) {
        traced_free(&model->base);
        return carom_fail_memory(error);
    }
    *out = &model->base;
    return CAROM_OK;
}
