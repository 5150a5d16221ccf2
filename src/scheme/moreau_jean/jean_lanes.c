/* Lanes and the steppers that are in them: who may enter, what a lane takes over from its stepper, and what it gives back. */
#include "jean_lanes.h"

enum {
    DOF_MOST = 7, /* of full matrices: from 8 on newton_matrix looks for bands */
    DIAGONAL_DOF_MOST = 64
};

static void put_vector(int n, const double *from, int lane, carom_wide *to)
{
    for (int i = 0; i < n; i++)
        carom_wide_put(&to[i], lane, from[i]);
}

static void get_vector(int n, const carom_wide *from, int lane, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = carom_wide_get(&from[i], lane);
}

/* ---- between lanes and steppers ---------------------------------------------------------------------------- */

/* False: its last step had contacts that are not for lanes, and the next one will have them; or a step alone has to make the constant
 * matrix of steps without contacts first. */
static bool is_ready(const moreau_jean *jean)
{
    if (jean->active_count > 1 ||
        (jean->active_count == 1 && jean->stepper.model->contact[jean->active[0]].tangents > 0))
        return false;
    return !jean->constant_newton ||
           (jean->newton.factored && (jean->newton_symmetric || !jean->for_contacts));
}

static void take_over(jean_lanes *self, int lane)
{
    const moreau_jean *jean = jean_of(self, lane);
    const carom_stepper *stepper = &jean->stepper;
    const jean_past *past = &jean->past;
    const unsigned bit = 1U << lane;
    const int n = self->n;
    carom_wide_put(self->t, lane, stepper->state.t);
    carom_wide_put(self->steps, lane, (double)stepper->counts.steps);
    carom_wide_put(self->smooth, lane, past->smooth);
    carom_wide_put(self->past_contact, lane,
                   past->active_count == 0   ? NO_CONTACT
                   : past->active_count == 1 ? past->active[0]
                                             : SEVERAL);
    ((int64_t *)self->force_known)[lane] = jean->force_known ? -1 : 0;
    put_vector(n, stepper->state.q, lane, self->q_old);
    put_vector(n, stepper->state.v, lane, self->v_old);
    put_vector(n, past->v, lane, self->past);
    put_vector(n, past->v_earlier, lane, self->earlier);
    put_vector(n, jean->force_old, lane, self->force_old);
    if (stepper->model->constant_mass)
        put_vector(n * n, jean->mass, lane, self->mass);
    if (jean->constant_newton) {
        put_vector(n * n, jean->newton.matrix, lane, self->matrix);
        self->factored = false;
    }
    self->symmetric = jean->newton_symmetric ? self->symmetric | bit : self->symmetric & ~bit;
    self->current |= bit;
}

static void lanes_leave(carom_lanes *base, int lane)
{
    jean_lanes *self = (jean_lanes *)base;
    moreau_jean *jean = jean_of(self, lane);
    jean_past *past = &jean->past;
    const int n = self->n, contact = (int)carom_wide_get(self->past_contact, lane);
    jean->stepper.gap = jean->stepper.energy = NULL;
    if (!(self->current >> lane & 1))
        return;
    self->current &= ~(1U << lane);
    get_vector(n, self->past, lane, past->v);
    get_vector(n, self->earlier, lane, past->v_earlier);
    get_vector(n, self->force_old, lane, jean->force_old);
    if (jean->stepper.model->constant_force)
        get_vector(n, self->force_old, lane, jean->force_new);
    jean->force_known = ((const int64_t *)self->force_known)[lane] != 0;
    past->smooth = (int)carom_wide_get(self->smooth, lane);
    if (contact == SEVERAL)
        return; /* as it came */
    past->active_count = contact == NO_CONTACT ? 0 : 1;
    if (contact != NO_CONTACT)
        past->active[0] = contact;
}

/* The contact of a lane, as moreau_jean_contacts leaves it. */
static void give_contact(const jean_lanes *self, int lane, moreau_jean *jean)
{
    const int contact = (int)carom_wide_get(self->contact, lane);
    normal_lcp *lcp = &jean->lcp;
    jean->active_count = contact == NO_CONTACT ? 0 : 1;
    if (contact == NO_CONTACT)
        return;
    jean->active[0] = contact;
    lcp->size = 1;
    lcp->matrix[0] = jean->response[contact] = carom_wide_get(self->own, lane);
    lcp->vector[0] = carom_wide_get(self->away, lane);
    const carom_solve_report report = normal_lcp_solve(lcp);
    count_report(&jean->stepper.counts, &report);
}

/* The end of step() in moreau_jean.c. */
static void give_state(const jean_lanes *self, int lane)
{
    moreau_jean *jean = jean_of(self, lane);
    carom_stepper *stepper = &jean->stepper;
    get_vector(self->n, self->q_old, lane, stepper->state.q);
    get_vector(self->n, self->v_old, lane, stepper->state.v);
    stepper->state.t = jean->t = carom_wide_get(self->t_end, lane);
    stepper->counts.steps++;
    jean->rows_fixed = jean->unsolved = jean->friction = false;
    give_contact(self, lane, jean);
    if (jean->active_count > 0 || !jean->clean)
        moreau_jean_record_contacts(jean);
    if (!self->base.outputs)
        return;
    double *gap = self->gap_of + (ptrdiff_t)lane * self->contacts;
    get_vector(self->contacts, self->gap, lane, gap);
    self->energy_of[lane] = carom_wide_get(self->energy, lane);
    stepper->gap = gap;
    stepper->energy = &self->energy_of[lane];
}

static unsigned lanes_step(carom_lanes *base, unsigned which)
{
    jean_lanes *self = (jean_lanes *)base;
    unsigned ready = which & self->current;
    for (int lane = 0; which >> lane; lane++)
        if ((which & ~ready) >> lane & 1 && is_ready(jean_of(self, lane)))
            ready |= 1U << lane;
    const bool several = ready & (ready - 1); /* one goes faster alone */
    for (int lane = 0; several && ready >> lane; lane++)
        if ((ready & ~self->current) >> lane & 1)
            take_over(self, lane);
    const unsigned done = several ? jean_lanes_step_wide(self, ready) : 0;
    for (int lane = 0; which >> lane; lane++) {
        if (done >> lane & 1)
            give_state(self, lane);
        else if (which >> lane & 1)
            lanes_leave(base, lane);
    }
    return done;
}

static void lanes_enter(carom_lanes *base, int lane)
{
    jean_lanes *self = (jean_lanes *)base;
    const carom_stepper *stepper = base->stepper[lane];
    self->current &= ~(1U << lane);
    self->model->model->ops->wide->bind(self->model, lane, stepper->work);
    carom_wide_put(self->t0, lane, stepper->t0);
    carom_wide_put(self->h, lane, stepper->h);
    carom_wide_put(self->slow, lane, ((const moreau_jean *)stepper)->slow);
}

/* ---- set-up --------------------------------------------------------------------------------------------------- */

static bool takes(const moreau_jean *jean)
{
    const carom_model *model = jean->stepper.model;
    if (jean->bodies || jean->is_sparse || jean->joints.count > 0 || jean->chosen.work || jean->projection ||
        jean->always_fix_rows || jean->oblique || jean->lcp.solver || jean->stepper.problems.take ||
        model->dof > (jean->newton_diagonal ? DIAGONAL_DOF_MOST : DOF_MOST))
        return false;
    for (int k = 0; k < model->contacts; k++)
        if (model->contact[k].friction_force) /* it is always closed */
            return false;
    return true;
}

static bool lanes_fits(const carom_lanes *base, const carom_stepper *stepper)
{
    const jean_lanes *self = (const jean_lanes *)base;
    const moreau_jean *jean = (const moreau_jean *)stepper;
    return stepper->model == self->model->model && takes(jean) && jean->theta == self->theta &&
           jean->prediction == self->prediction && jean->looseness == self->looseness &&
           jean->constant_newton == self->constant_newton && jean->affine == self->affine &&
           jean->newton_diagonal == self->newton_diagonal && jean->mass_diagonal == self->mass_diagonal;
}

static bool take_memory(jean_lanes *self)
{
    const size_t n = (size_t)self->n;
    carom_arena *arena = self->base.arena;
    carom_wide **single[] = {&self->t0,           &self->h,      &self->slow,  &self->steps, &self->t,
                             &self->past_contact, &self->smooth, &self->t_end, &self->t_mid, &self->t_ahead,
                             &self->contact,      &self->target, &self->own,   &self->away};
    carom_wide **vector[] = {&self->q_old,     &self->v_old,   &self->past,   &self->earlier,
                             &self->force_old, &self->q,       &self->v,      &self->q_mid,
                             &self->force_new, &self->v_free,  &self->v_next, &self->v_free_last,
                             &self->row,       &self->response};
    carom_wide **square[] = {&self->mass, &self->by_q, &self->by_u, &self->matrix, &self->factor};
    for (size_t i = 0; i < sizeof single / sizeof single[0]; i++)
        if (!(*single[i] = carom_wide_take(arena, 1)))
            return false;
    for (size_t i = 0; i < sizeof vector / sizeof vector[0]; i++)
        if (!(*vector[i] = carom_wide_take(arena, n)))
            return false;
    for (size_t i = 0; i < sizeof square / sizeof square[0]; i++)
        if (!(*square[i] = carom_wide_take(arena, n * n)))
            return false;
    self->force_known = (carom_wide_mask *)carom_wide_take(arena, 1);
    self->exchanged = (carom_wide_mask *)carom_wide_take(arena, n * n);
    self->gap = carom_wide_take(arena, (size_t)self->contacts);
    self->energy = carom_wide_take(arena, 1);
    self->energy_of = carom_arena_take(arena, CAROM_LANES, sizeof *self->energy_of);
    self->gap_of = carom_arena_take(arena, CAROM_LANES * (size_t)self->contacts, sizeof *self->gap_of);
    return self->force_known && self->exchanged && self->gap && self->energy && self->energy_of &&
           self->gap_of;
}

static bool lanes_setup(carom_lanes *base, const carom_stepper *like)
{
    jean_lanes *self = (jean_lanes *)base;
    const moreau_jean *jean = (const moreau_jean *)like;
    if (!takes(jean))
        return false;
    self->n = like->dof;
    self->contacts = like->contacts;
    self->theta = jean->theta;
    self->prediction = jean->prediction;
    self->looseness = jean->looseness;
    self->constant_newton = jean->constant_newton;
    self->affine = jean->affine;
    self->newton_diagonal = jean->newton_diagonal;
    self->mass_diagonal = jean->mass_diagonal;
    self->model = carom_model_wide_create(like->work);
    return self->model && take_memory(self);
}

static void lanes_free(carom_lanes *base)
{
    carom_model_wide_free(((jean_lanes *)base)->model);
}

const carom_lane_ops moreau_jean_lanes = {
    .size = sizeof(jean_lanes),
    .setup = lanes_setup,
    .free = lanes_free,
    .fits = lanes_fits,
    .enter = lanes_enter,
    .step = lanes_step,
    .leave = lanes_leave,
};
