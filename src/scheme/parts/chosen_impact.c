#include "chosen_impact.h"

#include <math.h>
#include <string.h>

#include "step_report.h"

const char *const impact_law_own[] = {"own", NULL};

/* Then nothing is n x n. */
static bool has_sparse_diagonal(const carom_model *model)
{
    return carom_model_is_sparse(model) && model->constant_mass &&
           carom_sparse_is_diagonal(model->ops->matrix_pattern(model, CAROM_MATRIX_MASS));
}

static size_t mass_numbers(const carom_model *model)
{
    const size_t dof = (size_t)model->dof;
    return has_sparse_diagonal(model) ? dof : carom_product(dof, dof);
}

static bool take_memory(chosen_impact *chosen, carom_arena *arena, const carom_model *model)
{
    const size_t dof = (size_t)model->dof, contacts = (size_t)model->contacts;
    double **of_coordinates[] = {&chosen->masses, &chosen->velocity, &chosen->place,
                                 &chosen->result.velocity};
    double **of_contacts[] = {
        &chosen->rate, &chosen->restitution,    &chosen->stiffness, &chosen->exponent,
        &chosen->gap,  &chosen->result.impulse, &chosen->share,     &chosen->result.compression};
    for (size_t i = 0; i < sizeof of_coordinates / sizeof *of_coordinates; i++)
        if (!(*of_coordinates[i] = carom_arena_take(arena, dof, sizeof(double))))
            return false;
    for (size_t i = 0; i < sizeof of_contacts / sizeof *of_contacts; i++)
        if (!(*of_contacts[i] = carom_arena_take(arena, contacts, sizeof(double))))
            return false;
    size_t entries = 0;
    for (int c = 0; c < model->contacts; c++)
        entries += (size_t)(model->contact[c].row[0].column ? model->contact[c].row[0].count : model->dof);
    chosen->mass = carom_arena_take(arena, mass_numbers(model), sizeof(double));
    chosen->listed = carom_arena_take(arena, contacts, sizeof(bool));
    chosen->list = carom_arena_take(arena, contacts, sizeof(int));
    chosen->column_start = carom_arena_take(arena, contacts + 1, sizeof(int));
    chosen->row = carom_arena_take(arena, entries, sizeof(int));
    chosen->value = carom_arena_take(arena, entries, sizeof(double));
    chosen->result.reaction = carom_arena_take(arena, (size_t)model->joints, sizeof(double));
    if (!chosen->result.reaction || !joint_system_take(&chosen->joints, arena, chosen->model_work))
        return false;
    return chosen->mass && chosen->listed && chosen->list && chosen->column_start && chosen->row &&
           chosen->value;
}

static void evaluate_mass(chosen_impact *chosen, double t, const double *q)
{
    const carom_model *model = chosen->model_work->model;
    if (has_sparse_diagonal(model)) {
        const int *start = model->ops->matrix_pattern(model, CAROM_MATRIX_MASS)->column_start;
        model->ops->matrix(chosen->model_work, CAROM_MATRIX_MASS, t, q, NULL, chosen->mass);
        for (int i = 0; i < model->dof; i++)
            chosen->masses[i] = start[i + 1] > start[i] ? chosen->mass[start[i]] : 0.0;
        return;
    }
    model->ops->mass(chosen->model_work, t, q, chosen->mass);
    for (int i = 0; i < model->dof; i++)
        chosen->masses[i] = chosen->mass[i * model->dof + i];
}

static carom_status check_contacts(const chosen_impact *chosen, carom_error *error)
{
    const carom_model *model = chosen->model_work->model;
    for (int contact = 0; contact < model->contacts; contact++)
        if (carom_friction_law_coefficients(&model->contact[contact].friction) > 0)
            return carom_fail(error, CAROM_BAD_INPUT,
                              "contact '%s' has friction, which impact law '%s' does not treat; leave out "
                              "impact_law, or the friction, or take impact_law=moreau in moreau-jean",
                              model->contact[contact].name, chosen->law->name);
    return CAROM_OK;
}

/* Options of the scheme go to the law's own of the same name, where it has one; then those that only the law has. */
static carom_status read_options(const carom_stepper *stepper, const double *options, chosen_impact *chosen,
                                 carom_error *error)
{
    const carom_option given[] = {
        {"separating", CAROM_SEPARATING_PROJECT, NULL}, {"order", options[IMPACT_OPTION_ORDER], NULL},
        {"seed", options[IMPACT_OPTION_SEED], NULL},    {"method", options[IMPACT_OPTION_METHOD], NULL},
        {"step", options[IMPACT_OPTION_STEP], NULL},
    };
    enum {
        GIVEN = sizeof given / sizeof *given
    };
    const carom_impact_law_ops *law = chosen->law;
    const carom_option *of_parts = stepper->solver_option;
    size_t count = 0;
    while (of_parts && of_parts[count].name)
        count++;
    carom_option *list = carom_arena_take(stepper->arena, GIVEN + count + 1, sizeof *list);
    if (!list)
        return carom_fail_memory(error);
    count = 0;
    for (int i = 0; i < GIVEN; i++)
        if (carom_option_find(law->option_count, law->options, given[i].name) >= 0)
            list[count++] = given[i];
    for (; of_parts && of_parts->name; of_parts++) {
        const int place = carom_scheme_law_option(law, of_parts->name);
        if (place >= 0)
            list[count++] = (carom_option){law->options[place].name, of_parts->value, of_parts->word};
    }
    return carom_impact_options_resolve(law, list, &chosen->options, error);
}

carom_status chosen_impact_create(const carom_stepper *stepper, int first, chosen_impact *chosen,
                                  carom_error *error)
{
    const double *options = stepper->option + first;
    carom_model_work *work = stepper->work;
    *chosen = (chosen_impact){.model_work = work, .options = carom_impact_defaults()};
    const int choice = (int)options[IMPACT_OPTION_LAW];
    if (choice == 0)
        return CAROM_OK;
    chosen->law = carom_impact_law_at((size_t)(choice - 1));
    carom_status status = read_options(stepper, options, chosen, error);
    if (status == CAROM_OK)
        status = check_contacts(chosen, error);
    if (status != CAROM_OK)
        return status;
    const carom_model *model = work->model;
    if (!take_memory(chosen, stepper->arena, model))
        return carom_fail_memory(error);
    evaluate_mass(chosen, stepper->state.t, stepper->state.q);
    chosen->diagonal =
        model->constant_mass && (has_sparse_diagonal(model) || carom_is_diagonal(model->dof, chosen->mass));
    const carom_impact_sizes sizes = {.coordinates = model->dof,
                                      .contacts = model->contacts,
                                      .full_mass = !chosen->diagonal,
                                      .joints = model->joints};
    return carom_impact_work_create(chosen->law, &sizes, &chosen->work, error);
}

void chosen_impact_free(chosen_impact *chosen)
{
    carom_impact_work_free(chosen->work);
    chosen->work = NULL;
}

/* Directions and data of the listed contacts. */
static void fill_columns(chosen_impact *chosen, const contact_rows *rows)
{
    int place = 0;
    for (int k = 0; k < chosen->count; k++) {
        const int contact = chosen->list[k];
        const carom_contact_frame *frame = &rows->frame[contact];
        chosen->column_start[k] = place;
        for (int i = 0; i < frame->normal.count; i++) {
            if (frame->normal.value[i] == 0.0)
                continue;
            chosen->row[place] = carom_row_column(&frame->normal, i);
            chosen->value[place++] = frame->normal.value[i];
        }
        chosen->rate[k] = frame->normal_rate;
        chosen->restitution[k] =
            chosen->model_work->model->contact[contact].has_restitution ? frame->restitution : 0.0;
        chosen->stiffness[k] = frame->stiffness == 0.0 ? carom_default_stiffness : frame->stiffness;
        chosen->exponent[k] = frame->exponent == 0.0 ? carom_default_exponent : frame->exponent;
    }
    chosen->column_start[chosen->count] = place;
}

static void warn_of_end(chosen_impact *chosen, double t, carom_stepper *stepper)
{
    const carom_impact_result *result = &chosen->result;
    if (chosen->warned || result->word == CAROM_IMPACT_OK || result->word == CAROM_IMPACT_NONE)
        return;
    chosen->warned = true;
    carom_warn(&stepper->warnings,
               "impact law '%s' ended with '%s' at t = %.9g (%ld collisions, %ld steps, approach speed left: "
               "%.3g); what is left was taken out without rebound",
               chosen->law->name, carom_impact_word_text(result->word), t, result->collisions, result->steps,
               result->largest_left);
}

/* The law numbers the contacts of the impact: their names. */
static carom_status fail_law(chosen_impact *chosen, double t, const carom_stepper *stepper, const char *why,
                             carom_error *error)
{
    carom_text names = {0};
    for (int k = 0; k < chosen->count; k++)
        carom_text_append(&names, "%s'%s'", k ? ", " : "", stepper->model->contact[chosen->list[k]].name);
    chosen->count = 0;
    fail_step(error, t, step_number(stepper), "impact law '%s': %s (of contacts %s)", chosen->law->name, why,
              names.bytes ? names.bytes : "");
    carom_text_free(&names);
    return CAROM_FAILED;
}

/* What the law is given, once the listed contacts have their columns. */
static carom_impact impact_of(const chosen_impact *chosen)
{
    return (carom_impact){
        .coordinates = chosen->model_work->model->dof,
        .contacts = chosen->count,
        .mass = chosen->diagonal ? NULL : chosen->mass,
        .masses = chosen->masses,
        .column_start = chosen->column_start,
        .row = chosen->row,
        .value = chosen->value,
        .rate = chosen->rate,
        .velocity = chosen->velocity,
        .restitution = chosen->restitution,
        .stiffness = chosen->stiffness,
        .exponent = chosen->exponent,
        .joints = chosen->joints.count,
        .joint = chosen->joints.row,
    };
}

/* The impact of the listed contacts. */
static carom_status strike(chosen_impact *chosen, const contact_rows *rows, double t, const double *q,
                           double *v, const carom_stepper *stepper, carom_error *error)
{
    const size_t bytes = (size_t)rows->dof * sizeof *v;
    for (int k = 0; k < chosen->count; k++) {
        const int contact = chosen->list[k];
        const carom_status checked = contact_check_step(stepper, t, contact, &rows->frame[contact], error);
        if (checked == CAROM_OK)
            continue;
        chosen->count = 0;
        return checked;
    }
    if (!chosen->diagonal)
        evaluate_mass(chosen, t, q);
    fill_columns(chosen, rows);
    if (chosen->joints.count > 0)
        joint_system_rows(&chosen->joints, t, q);
    memcpy(chosen->velocity, v, bytes);
    const carom_impact impact = impact_of(chosen);
    carom_error why;
    const carom_status status =
        carom_impact_solve(chosen->work, &impact, &chosen->options, &chosen->result, &why);
    if (status != CAROM_OK)
        return fail_law(chosen, t, stepper, why.text, error);
    memcpy(v, chosen->result.velocity, bytes);
    return CAROM_OK;
}

carom_status chosen_impact_strike(chosen_impact *chosen, const contact_rows *rows, int count, const int *list,
                                  double t, const double *q, double *v, carom_stepper *stepper,
                                  carom_error *error)
{
    chosen->count = count;
    if (list != chosen->list)
        memcpy(chosen->list, list, (size_t)count * sizeof *list);
    const carom_status status = strike(chosen, rows, t, q, v, stepper, error);
    if (status == CAROM_OK)
        warn_of_end(chosen, t, stepper);
    return status;
}

carom_status chosen_impact_again(const chosen_impact *chosen, const carom_impact_options *options,
                                 carom_impact_result *result)
{
    const carom_impact impact = impact_of(chosen);
    return carom_impact_solve(chosen->work, &impact, options, result, NULL);
}

/* Lists the contacts that the look ahead finds for the velocity v and that are not listed yet; after an impact
 * only those that approach. Returns how many of the new ones approach. */
static int list_contacts(chosen_impact *chosen, contact_rows *rows, const impact_look *look, double t,
                         const double *q, const double *v, bool after)
{
    const carom_model *model = chosen->model_work->model;
    int approaching = 0;
    for (int i = 0; i < model->dof; i++)
        chosen->place[i] = q[i] + look->time * v[i];
    model->ops->gaps(chosen->model_work, look->t, chosen->place, chosen->gap);
    for (int contact = 0; contact < model->contacts; contact++) {
        if (chosen->listed[contact] ||
            !(chosen->gap[contact] <= 0.0)) /* what is not a number is the scheme's to complain of */
            continue;
        model->ops->frame(chosen->model_work, contact, t, q, &rows->frame[contact]);
        const bool approaches = contact_velocity(rows, contact, 0, v) < 0.0;
        approaching += approaches;
        chosen->listed[contact] = approaches || !after;
    }
    chosen->count = 0;
    for (int contact = 0; contact < model->contacts; contact++)
        if (chosen->listed[contact])
            chosen->list[chosen->count++] = contact;
    return approaching;
}

/* For those who look at works: the rest of the step begins with the velocity after it. */
static void tell_impact(chosen_impact *chosen, carom_stepper *stepper)
{
    memset(chosen->share, 0, (size_t)stepper->contacts * sizeof *chosen->share);
    for (int k = 0; k < chosen->count; k++)
        chosen->share[chosen->list[k]] = fmax(chosen->result.impulse[k], 0.0);
    stepper->struck = (carom_law_impact){.velocity = chosen->result.velocity,
                                         .impulse = chosen->share,
                                         .work = chosen->result.energy_after - chosen->result.energy_before,
                                         .gained = chosen->result.work};
}

carom_status chosen_impact_before_step(chosen_impact *chosen, contact_rows *rows, const impact_look *look,
                                       double t, const double *q, double *v, carom_stepper *stepper,
                                       carom_error *error)
{
    const carom_model *model = chosen->model_work->model;
    chosen->count = 0;
    stepper->struck = (carom_law_impact){0};
    if (!chosen->work || model->contacts == 0)
        return CAROM_OK;
    memset(chosen->listed, 0, (size_t)model->contacts * sizeof *chosen->listed);
    if (list_contacts(chosen, rows, look, t, q, v, false) == 0) {
        chosen->count = 0;
        return CAROM_OK;
    }
    carom_status status = strike(chosen, rows, t, q, v, stepper, error);
    /* each round adds a contact: they end */
    while (status == CAROM_OK && list_contacts(chosen, rows, look, t, q, v, true) > 0) {
        memcpy(v, chosen->velocity, (size_t)rows->dof * sizeof *v);
        status = strike(chosen, rows, t, q, v, stepper, error);
    }
    if (status == CAROM_OK) {
        warn_of_end(chosen, t, stepper);
        tell_impact(chosen, stepper);
    }
    return status;
}

void chosen_impact_undo(chosen_impact *chosen, carom_state *state)
{
    if (chosen->count > 0)
        memcpy(state->v, chosen->velocity, (size_t)chosen->model_work->model->dof * sizeof *state->v);
    chosen->count = 0;
}

void chosen_impact_add_impulses(const chosen_impact *chosen, carom_state *state)
{
    for (int k = 0; k < chosen->count; k++) {
        const int contact = chosen->list[k];
        if (!(chosen->result.impulse[k] > 0.0))
            continue;
        state->impulse[CAROM_CONTACT_COMPONENTS * contact] += chosen->result.impulse[k];
        if (state->regime[contact] == CAROM_CONTACT_OPEN)
            state->regime[contact] = CAROM_CONTACT_SLIP;
    }
}

void chosen_impact_add_reactions(const chosen_impact *chosen, double *reaction)
{
    if (chosen->count > 0)
        carom_axpy(chosen->joints.count, 1.0, chosen->result.reaction, reaction);
}

/* A law begins every impact anew, its random order included. */
void chosen_impact_keep(chosen_impact *chosen, carom_snapshot *snapshot)
{
    carom_snapshot_block(snapshot, &chosen->warned, sizeof chosen->warned);
}
