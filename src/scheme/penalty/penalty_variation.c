/* Derivatives of a motion with springs and dampers as contacts: variational equations, and what the moments at which contacts begin
 * and end give.
 *
 *   M a = f + sum lambda n,   lambda = m s,   s = -N gap - 2 zeta sqrt(N) gap',   1/m = w = n.M^-1 n
 *   M da = df - dM a + sum (dlambda n + lambda dn),   dlambda = m ds - m^2 s dw,   dw = 2 r.dn - r.dM r,   r = M^-1 n
 *
 * At a begin or an end the force jumps by that of the damper, at gap = 0: with dt = -dgap / gap' the derivatives at a fixed time
 * jump by (rate before - rate after) dt. Jumps of several contacts at one moment add up, as their forces do. */
#include <math.h>
#include <string.h>

#include "penalty.h"
#include "scheme/parts/step_report.h"
#include "scheme/parts/variation_flow.h"

enum {
    FULL_MAX = 128 /* coordinates of a sparse model: matrices here are full */
};

typedef struct penalty_variation {
    carom_tangent tangent; /* first: the handle of the caller */
    penalty *scheme;
    variation_flow flow; /* q, u, impulses since the last output */
    bool loaded;
    carom_direction *direction; /* per column */
    carom_contact_frame *along; /* per column: derivatives of a frame */
    double *force_along, *mass_along, *gap_along;
    double *response;   /* n */
    double *rate_after; /* block */
} penalty_variation;

static void lose(penalty_variation *self, const char *why)
{
    if (!self->tangent.lost)
        carom_tangent_tell(&self->tangent, self->flow.t, "%s; from here on there are no derivatives", why);
    self->tangent.lost = true;
}

/* ---- rates ----------------------------------------------------------------------------------------------- */

/* d zeta / d e; none at e = 0. */
static double damping_by_restitution(double e)
{
    const double logarithm = log(e), square = CAROM_PI * CAROM_PI + logarithm * logarithm;
    return -CAROM_PI * CAROM_PI / (e * square * sqrt(square));
}

/* r.A r of a full matrix. */
static double form(int n, const double *matrix, const double *r)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += r[i] * carom_dot(n, matrix + (ptrdiff_t)i * n, r);
    return sum;
}

/* Derivative of the force of a contact that acts, with the derivatives of its frame. */
static double contact_force_along(const penalty_variation *self, int contact, int column, const double *u)
{
    const penalty *scheme = self->scheme;
    const smooth_motion *motion = &scheme->motion;
    const carom_direction *to = &self->direction[column];
    const carom_contact_frame *frame = &motion->rows.frame[contact], *along = &self->along[column];
    const double *option = self->tangent.column[column].option;
    const int n = motion->dof;
    const double stiffness = scheme->stiffness, root = sqrt(stiffness),
                 e = motion_restitution(motion, contact);
    const double zeta = penalty_damping_ratio(e), rate = contact_velocity(&motion->rows, contact, 0, u);
    const double gap_along = self->gap_along[(ptrdiff_t)column * motion->contacts + contact];
    const double rate_along =
        carom_row_dot(&along->normal, u) + along->normal_rate + carom_row_dot(&frame->normal, to->u);
    const double stiffness_along = option ? option[PENALTY_OPTION_N] : 0.0;
    const double e_along = motion->model->contact[contact].has_restitution ? along->restitution : 0.0;
    const double zeta_along = e_along != 0.0 ? damping_by_restitution(e) * e_along : 0.0;
    const double m = 1.0 / contact_coupling(&motion->rows, contact, 0, contact, 0);
    const double s = -stiffness * motion->gap[contact] - 2.0 * zeta * root * rate;
    const double s_along = -stiffness_along * (motion->gap[contact] + zeta * rate / root) -
                           stiffness * gap_along - 2.0 * root * (zeta_along * rate + zeta * rate_along);
    double w_along = 2.0 * carom_row_product(&along->normal, contact_response(&motion->rows, contact, 0));
    if (self->mass_along)
        w_along -= form(n, self->mass_along + (ptrdiff_t)column * n * n, self->response);
    return m * s_along - m * m * s * w_along;
}

static void add_contact(penalty_variation *self, int contact, double t, const double *y, const double *rate,
                        double *rates)
{
    const smooth_motion *motion = &self->scheme->motion;
    const int n = motion->dof, columns = self->flow.columns;
    const double force = rate[2 * n + contact];
    motion->model->ops->tangent->frame(motion->work, contact, t, y, columns, self->direction, self->along);
    memset(self->response, 0, (size_t)n * sizeof(double));
    carom_row_add(contact_response(&motion->rows, contact, 0), 1.0, self->response);
    for (int c = 0; c < columns; c++) {
        const double along = contact_force_along(self, contact, c, y + n);
        double *column = variation_flow_column(&self->flow, rates, c);
        column[2 * n + contact] = along;
        carom_row_add(&motion->rows.frame[contact].normal, along, column + n);
        carom_row_add(&self->along[c].normal, force, column + n);
    }
}

/* M da of the columns without contacts, and their velocities. */
static void begin_columns(penalty_variation *self, const double *rate, double *rates)
{
    const smooth_motion *motion = &self->scheme->motion;
    const int n = motion->dof;
    for (int c = 0; c < self->flow.columns; c++) {
        double *column = variation_flow_column(&self->flow, rates, c);
        carom_copy(n, self->direction[c].u, column);
        carom_copy(n, self->force_along + (ptrdiff_t)c * n, column + n);
        memset(column + 2 * n, 0, (size_t)self->flow.extra * sizeof(double));
        for (int i = 0; self->mass_along && i < n; i++)
            column[n + i] -= carom_dot(n, self->mass_along + ((ptrdiff_t)c * n + i) * n, rate + n);
    }
}

static bool find_rates(void *context, double t, const double *y, double *rates)
{
    penalty_variation *self = context;
    smooth_motion *motion = &self->scheme->motion;
    const carom_model_tangent_ops *ops = motion->model->ops->tangent;
    const int n = motion->dof, columns = self->flow.columns;
    if (!penalty_rate(self->scheme, t, y, rates))
        return false;
    for (int c = 0; c < columns; c++) {
        const double *column = y + (ptrdiff_t)(1 + c) * self->flow.block;
        self->direction[c] =
            (carom_direction){.q = column, .u = column + n, .parameter = self->tangent.column[c].parameter};
    }
    ops->force(motion->work, t, y, y + n, columns, self->direction, self->force_along);
    if (self->mass_along)
        ops->mass(motion->work, t, y, columns, self->direction, self->mass_along);
    if (motion->contacts > 0)
        ops->gaps(motion->work, t, y, columns, self->direction, self->gap_along);
    begin_columns(self, rates, rates);
    for (int contact = 0; contact < motion->contacts; contact++)
        if (self->scheme->inside[contact])
            add_contact(self, contact, t, y, rates, rates);
    for (int c = 0; c < columns; c++) {
        double *right = variation_flow_column(&self->flow, rates, c) + n;
        mass_factor_solve(&motion->mass, right, right);
    }
    return carom_all_finite((1 + columns) * self->flow.block, rates);
}

/* ---- the motion ------------------------------------------------------------------------------------------ */

/* Derivatives at the output, whose time may move, become those at a fixed time. */
static void load(penalty_variation *self)
{
    if (self->loaded)
        return;
    self->loaded = true;
    self->tangent.events = 0;
    variation_flow_load(&self->flow, &self->tangent);
    if (penalty_rate(self->scheme, self->flow.t, self->flow.y, self->flow.rate))
        variation_flow_shift(&self->flow, -1.0, self->tangent.t);
    else
        lose(self, "the forces are not finite");
}

/* To (t, y) of the scheme, with its contacts as they are. */
static void follow(penalty_variation *self, double t, const double *y)
{
    const carom_stepper *stepper = &self->scheme->stepper;
    load(self);
    if (self->tangent.lost)
        return;
    if (!variation_flow_go(&self->flow, t)) {
        lose(self, "the derivatives of the forces are not finite");
        return;
    }
    variation_flow_tell_break(&self->flow, &self->tangent);
    variation_flow_stay_beside(&self->flow, t, y, y + self->flow.n, &stepper->scales,
                               stepper->option[PENALTY_OPTION_RTOL], stepper->option[PENALTY_OPTION_ATOL]);
}

/* What the integration cannot tell from a gap of zero. */
static double least_gap(const penalty_variation *self)
{
    const double *option = self->scheme->stepper.option;
    const double length = self->scheme->stepper.scales.length;
    const double size = length + carom_largest(self->flow.n, self->flow.y);
    return variation_apart * (option[PENALTY_OPTION_ATOL] * length + option[PENALTY_OPTION_RTOL] * size);
}

/* dt of the begin or end of a contact, per column, into gap_along. False: it has none. */
static bool find_times(penalty_variation *self, int contact)
{
    smooth_motion *motion = &self->scheme->motion;
    const double *y = self->flow.y;
    const int n = self->flow.n, columns = self->flow.columns;
    motion_frame(motion, contact, self->flow.t, y);
    const double rate = contact_velocity(&motion->rows, contact, 0, y + n);
    for (int c = 0; c < columns; c++) {
        const double *column = variation_flow_column(&self->flow, self->flow.y, c);
        self->direction[c] = (carom_direction){.q = column, .parameter = self->tangent.column[c].parameter};
    }
    motion->model->ops->tangent->gaps(motion->work, self->flow.t, y, columns, self->direction,
                                      self->gap_along);
    const double least = least_gap(self) * sqrt(self->scheme->stiffness);
    if (fabs(rate) <= least)
        carom_tangent_tell(
            &self->tangent, self->flow.t,
            "contact '%s' grazes: its gap changes its sign with the rate %.3g, and derivatives "
            "are not to be used below %.3g",
            motion->model->contact[contact].name, rate, least);
    for (int c = 0; c < columns; c++) {
        const double gap = self->gap_along[(ptrdiff_t)c * motion->contacts + contact];
        self->gap_along[(ptrdiff_t)c * motion->contacts + contact] = gap == 0.0 ? 0.0 : -gap / rate;
    }
    return rate != 0.0;
}

void penalty_variation_change(penalty *scheme, int contact)
{
    penalty_variation *self = (penalty_variation *)scheme->stepper.tangent;
    const int contacts = scheme->motion.contacts;
    follow(self, scheme->t, ode_flow_values(scheme->flow));
    double *before = self->flow.rate, *after = self->rate_after;
    bool known = !self->tangent.lost && penalty_rate(scheme, self->flow.t, self->flow.y, before);
    scheme->inside[contact] = !scheme->inside[contact];
    self->flow.way.h = 0.0;
    known = known && penalty_rate(scheme, self->flow.t, self->flow.y, after) && find_times(self, contact);
    if (!known) {
        lose(self, "a contact begins or ends without a rate");
        return;
    }
    for (int c = 0; c < self->flow.columns; c++) {
        const double dt = self->gap_along[(ptrdiff_t)c * contacts + contact];
        double *column = variation_flow_column(&self->flow, self->flow.y, c);
        for (int i = 0; i < self->flow.block; i++)
            column[i] += (before[i] - after[i]) * dt;
    }
}

/* At the start the time is the caller's; later gap_along holds the derivatives from penalty_variation_change. */
void penalty_variation_report(penalty *scheme, int contact)
{
    penalty_variation *self = (penalty_variation *)scheme->stepper.tangent;
    const bool at_start = !self->loaded;
    load(self);
    double *time = carom_tangent_add_event(&self->tangent);
    if (!time) {
        scheme->no_memory = true;
        return;
    }
    for (int c = 0; c < self->flow.columns; c++)
        time[c] = self->tangent.lost ? NAN
                  : at_start         ? self->tangent.t[c]
                                     : self->gap_along[(ptrdiff_t)c * scheme->motion.contacts + contact];
}

void penalty_variation_missed(penalty *scheme)
{
    penalty_variation *self = (penalty_variation *)scheme->stepper.tangent;
    smooth_motion *motion = &scheme->motion;
    if (self->tangent.lost || !motion_gaps(motion, scheme->t, ode_flow_values(scheme->flow)))
        return;
    const double least = least_gap(self);
    for (int contact = 0; contact < motion->contacts; contact++)
        if (ode_flow_is_root(scheme->flow, 2 * contact + 1) && fabs(motion->gap[contact]) <= least)
            carom_tangent_tell(&self->tangent, scheme->t,
                               "contact '%s' grazes, or nearly so: its gap turns at %.3g, and derivatives "
                               "are not to be used below %.3g",
                               motion->model->contact[contact].name, motion->gap[contact], least);
}

/* A contact whose gap is zero at the start acts from there on, or from a little later. */
static void look_at_start(penalty_variation *self)
{
    const carom_stepper *stepper = &self->scheme->stepper;
    const carom_model *model = stepper->model;
    double *gap = self->scheme->motion.gap;
    const carom_tangent *tangent = &self->tangent;
    if (stepper->contacts == 0)
        return;
    model->ops->gaps(stepper->work, tangent->t_before, tangent->q_before, gap);
    for (int c = 0; c < tangent->columns; c++)
        self->direction[c] = (carom_direction){
            .t = tangent->t[c], .q = carom_tangent_q(tangent, c), .parameter = tangent->column[c].parameter};
    model->ops->tangent->gaps(stepper->work, tangent->t_before, tangent->q_before, tangent->columns,
                              self->direction, self->gap_along);
    for (int contact = 0; contact < stepper->contacts; contact++)
        for (int c = 0; gap[contact] == 0.0 && c < tangent->columns; c++)
            if (self->gap_along[(ptrdiff_t)c * stepper->contacts + contact] != 0.0)
                carom_tangent_tell(&self->tangent, tangent->t_before,
                                   "contact '%s' has gap 0 at the start: it acts on one side only",
                                   model->contact[contact].name);
}

static carom_status step(carom_tangent *tangent, carom_error *error)
{
    (void)error;
    penalty_variation *self = (penalty_variation *)tangent;
    const carom_stepper *stepper = tangent->stepper;
    const int n = self->flow.n, contacts = stepper->contacts;
    if (stepper->counts.steps == 1)
        look_at_start(self);
    follow(self, stepper->state.t, ode_flow_values(self->scheme->flow));
    self->loaded = false;
    if (!tangent->lost && !penalty_rate(self->scheme, self->flow.t, self->flow.y, self->flow.rate))
        lose(self, "the forces are not finite");
    if (tangent->lost)
        return CAROM_OK;
    for (int c = 0; c < tangent->columns; c++)
        tangent->t[c] = step_end_along(stepper, &tangent->column[c]);
    variation_flow_shift(&self->flow, 1.0, tangent->t);
    for (int c = 0; c < tangent->columns; c++) {
        const double *column = variation_flow_column(&self->flow, self->flow.y, c);
        double *impulse = tangent->impulse + CAROM_CONTACT_COMPONENTS * (ptrdiff_t)contacts * c;
        carom_copy(2 * n, column, carom_tangent_q(tangent, c));
        for (int k = 0; k < contacts; k++)
            impulse[CAROM_CONTACT_COMPONENTS * k] = column[2 * n + k];
    }
    return CAROM_OK;
}

/* ---- life ------------------------------------------------------------------------------------------------ */

static carom_status accepts(const carom_stepper *stepper, carom_error *error)
{
    const carom_model *model = stepper->model;
    if (!carom_model_is_sparse(model) || model->dof <= FULL_MAX)
        return CAROM_OK;
    return carom_fail(
        error, CAROM_BAD_INPUT,
        "scheme '%s' has derivatives of models with full matrices; this one has %d coordinates and "
        "sparse matrices",
        stepper->ops->name, model->dof);
}

static bool mass_changes(const carom_tangent *tangent)
{
    bool changes = !tangent->stepper->model->constant_mass;
    for (int c = 0; c < tangent->columns; c++)
        changes = changes || tangent->column[c].parameter;
    return changes;
}

static carom_status setup(carom_tangent *tangent, carom_error *error)
{
    penalty_variation *self = (penalty_variation *)tangent;
    carom_stepper *stepper = tangent->stepper;
    carom_arena *arena = tangent->arena;
    const size_t n = (size_t)stepper->dof, contacts = (size_t)stepper->contacts,
                 columns = (size_t)tangent->columns;
    self->scheme = (penalty *)stepper;
    if (!variation_flow_take(&self->flow, arena, stepper->dof, stepper->contacts, tangent->columns,
                             &stepper->scales, self, find_rates))
        return carom_fail_memory(error);
    self->direction = carom_arena_take(arena, columns, sizeof *self->direction);
    self->along = carom_arena_take(arena, columns, sizeof *self->along);
    self->force_along = carom_arena_take(arena, carom_product(columns, n), sizeof(double));
    self->gap_along = carom_arena_take(arena, carom_product(columns, contacts), sizeof(double));
    self->response = carom_arena_take(arena, n, sizeof(double));
    self->rate_after = carom_arena_take(arena, (size_t)self->flow.block, sizeof(double));
    bool taken = self->direction && self->along && self->force_along && self->gap_along && self->response &&
                 self->rate_after;
    for (size_t c = 0; taken && c < columns; c++)
        taken = carom_contact_frame_take(arena, stepper->model, &self->along[c]);
    if (taken && mass_changes(tangent)) {
        self->mass_along =
            carom_arena_take(arena, carom_product(columns, carom_product(n, n)), sizeof(double));
        taken = self->mass_along != NULL;
    }
    self->flow.t = stepper->state.t;
    carom_copy(stepper->dof, stepper->state.q, self->flow.y);
    carom_copy(stepper->dof, stepper->state.v, self->flow.y + n);
    return taken ? CAROM_OK : carom_fail_memory(error);
}

static void keep(carom_tangent *tangent, carom_snapshot *snapshot)
{
    penalty_variation *self = (penalty_variation *)tangent;
    variation_flow_keep(&self->flow, snapshot);
    carom_snapshot_block(snapshot, &self->loaded, sizeof self->loaded);
}

const carom_tangent_ops penalty_variation_ops = {
    .bytes = sizeof(penalty_variation),
    .accepts = accepts,
    .setup = setup,
    .step = step,
    .keep = keep,
};
