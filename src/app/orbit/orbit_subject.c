/* The model whose periodic motions are looked for: its initial state, and the impacts asked for. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/orbit_output.h"

/* ---- initial state ---------------------------------------------------------------------------------- */

static carom_status resolve_values(orbit_subject *subject, double **values, carom_error *error)
{
    const carom_tape *tape = subject->experiment->values;
    *values = NULL;
    if (!tape)
        return CAROM_OK;
    *values = carom_arena_take(subject->arena, (size_t)carom_tape_outputs(tape), sizeof(double));
    double *work = carom_new_array(carom_tape_work_size(tape), sizeof *work);
    const bool done = *values && work;
    if (done) {
        carom_tape_bind(tape, subject->experiment->parameter, work);
        carom_tape_evaluate(tape, work, &(carom_inputs){.t = 0.0}, *values);
    }
    free(work);
    return done ? CAROM_OK : carom_fail_memory(error);
}

static double value_or_zero(const double *values, carom_value value)
{
    return value == CAROM_NO_VALUE || !values ? 0.0 : values[value];
}

static carom_status take_state(orbit_subject *subject, carom_error *error)
{
    const carom_experiment *experiment = subject->experiment;
    const carom_model *model = subject->model;
    double *values = NULL;
    const carom_status status = resolve_values(subject, &values, error);
    if (status != CAROM_OK)
        return status;
    subject->q0 = carom_arena_take(subject->arena, (size_t)model->dof, sizeof(double));
    subject->v0 = carom_arena_take(subject->arena, (size_t)model->dof, sizeof(double));
    if (!subject->q0 || !subject->v0 || !carom_contact_frame_take(subject->arena, model, &subject->frame))
        return carom_fail_memory(error);
    if (model->ops->initial)
        model->ops->initial(subject->work, subject->q0, subject->v0);
    for (int i = 0; !model->ops->initial && i < model->dof; i++) {
        subject->q0[i] = value_or_zero(values, experiment->q0[i]);
        subject->v0[i] = value_or_zero(values, experiment->v0[i]);
    }
    subject->t0 = value_or_zero(values, experiment->t0);
    if (!carom_all_finite(model->dof, subject->q0) || !carom_all_finite(model->dof, subject->v0) ||
        !isfinite(subject->t0))
        return carom_fail(error, CAROM_BAD_INPUT,
                          "%s: the initial state is not finite; check the initial values", experiment->name);
    return CAROM_OK;
}

/* Do forces or gaps at the initial position change with time? Looked at a few odd times. */
static carom_status look_at_time(orbit_subject *subject, carom_error *error)
{
    static const double later[] = {0.137, 0.731, 2.913, 11.27};
    const carom_model *model = subject->model;
    const size_t n = (size_t)model->dof, contacts = (size_t)model->contacts;
    double *now = carom_new_array(2 * (n + contacts), sizeof *now), *then = now ? now + n + contacts : NULL;
    if (!now)
        return carom_fail_memory(error);
    model->ops->force(subject->work, subject->t0, subject->q0, subject->v0, now);
    model->ops->gaps(subject->work, subject->t0, subject->q0, now + n);
    for (size_t i = 0; i < sizeof later / sizeof *later; i++) {
        model->ops->force(subject->work, subject->t0 + later[i], subject->q0, subject->v0, then);
        model->ops->gaps(subject->work, subject->t0 + later[i], subject->q0, then + n);
        subject->timed = subject->timed || memcmp(now, then, (n + contacts) * sizeof *now) != 0;
    }
    free(now);
    return CAROM_OK;
}

static carom_status check_model(const orbit_subject *subject, carom_error *error)
{
    const carom_model *model = subject->model;
    if (model->contacts == 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has no contact, so that nothing strikes; add one such as contact { \"wall\", gap "
            "= 1 - x, restitution = 1 }",
            subject->experiment->name);
    if (model->joints > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "%s has %d joint%s, which the search for periodic motions does not treat: write the "
            "model in coordinates that need none",
            subject->experiment->name, model->joints, plural(model->joints));
    return CAROM_OK;
}

carom_status orbit_subject_load(const char *name, const char *variant, int set_count,
                                const carom_override *set, orbit_subject *subject, carom_error *error)
{
    subject->arena = carom_arena_create();
    if (!subject->arena)
        return carom_fail_memory(error);
    carom_status status = load_motion(name, variant, set_count, set, &subject->experiment, error);
    if (status != CAROM_OK)
        return status;
    subject->model = subject->experiment->model;
    status = check_model(subject, error);
    if (status != CAROM_OK)
        return status;
    subject->work = subject->model->ops->work_create(subject->model);
    if (!subject->work)
        return carom_fail_memory(error);
    subject->model->ops->bind(subject->work, subject->experiment->parameter);
    status = subject->model->ops->check ? subject->model->ops->check(subject->work, error) : CAROM_OK;
    if (status == CAROM_OK)
        status = take_state(subject, error);
    return status == CAROM_OK ? look_at_time(subject, error) : status;
}

void orbit_subject_free(orbit_subject *subject)
{
    if (subject->work)
        subject->model->ops->work_free(subject->work);
    carom_experiment_free(subject->experiment);
    carom_arena_free(subject->arena);
}

/* ---- impacts ---------------------------------------------------------------------------------------- */

static carom_status check_contact(const orbit_subject *subject, int contact, carom_error *error)
{
    const carom_contact_info *info = &subject->model->contact[contact];
    if (info->tangents > 0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has friction, which the search for periodic motions does not treat: leave "
            "out its slip",
            info->name);
    if (!info->has_restitution)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has no restitution in the model: give it restitution = 1, which conserves "
            "energy",
            info->name);
    subject->model->ops->frame(subject->work, contact, subject->t0, subject->q0,
                               (carom_contact_frame *)&subject->frame);
    if (subject->model->conservative && subject->frame.restitution != 1.0)
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "contact '%s' has restitution %g and nothing in the model feeds energy in: no motion "
            "returns; take restitution 1 (in the model, or by --set when it is a parameter)",
            info->name, subject->frame.restitution);
    return CAROM_OK;
}

static carom_status find_contact(const orbit_subject *subject, const char *name, int *contact,
                                 carom_error *error)
{
    const carom_model *model = subject->model;
    *contact = carom_model_find_contact(model, name);
    if (*contact >= 0)
        return check_contact(subject, *contact, error);
    const char **names = carom_arena_take(subject->arena, (size_t)model->contacts, sizeof *names);
    if (!names)
        return carom_fail_memory(error);
    for (int i = 0; i < model->contacts; i++)
        names[i] = model->contact[i].name;
    return carom_fail_unknown("contact", name, names, (size_t)model->contacts, error);
}

/* One impact, "wall" or "wall@0.5"; the phase is NAN when it is not given. */
static carom_status read_impact(const orbit_subject *subject, const char *word, int *contact, double *phase,
                                carom_error *error)
{
    char *name = carom_arena_copy_text(subject->arena, word);
    if (!name)
        return carom_fail_memory(error);
    char *at = strrchr(name, '@');
    *phase = NAN;
    if (at)
        *at = '\0';
    if (at && !(carom_parse_number(at + 1, phase) && *phase >= 0.0 && *phase < 1.0))
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--impacts: '%s': after '@' stands the part of the period at which '%s' is struck, from "
            "0 to below 1",
            word, name);
    if (*name == '\0')
        return carom_fail(
            error, CAROM_BAD_INPUT,
            "--impacts needs names of contacts, such as wall, wall,wall or left@0,right@0.5; got '%s'", word);
    return find_contact(subject, name, contact, error);
}

/* By time; the first becomes phase 0, which only shifts time. */
static void sort_impacts(orbit_impacts *impacts)
{
    for (int i = 1; i < impacts->count; i++)
        for (int k = i; k > 0 && impacts->phase[k] < impacts->phase[k - 1]; k--) {
            const double phase = impacts->phase[k];
            const int contact = impacts->contact[k];
            impacts->phase[k] = impacts->phase[k - 1];
            impacts->contact[k] = impacts->contact[k - 1];
            impacts->phase[k - 1] = phase;
            impacts->contact[k - 1] = contact;
        }
    const double first = impacts->phase[0];
    for (int i = 0; i < impacts->count; i++)
        impacts->phase[i] -= first;
}

static carom_status check_phases(const orbit_subject *subject, const orbit_impacts *impacts, int phases,
                                 carom_error *error)
{
    if (phases != 0 && phases != impacts->count)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--impacts: %d of %d impacts have a phase; give all of them one, or none", phases,
                          impacts->count);
    for (int i = 1; i < impacts->count; i++)
        for (int k = 0; k < i; k++)
            if (impacts->contact[i] == impacts->contact[k] && impacts->phase[i] == impacts->phase[k])
                return carom_fail(error, CAROM_BAD_INPUT, "--impacts: '%s' is struck twice at phase %g",
                                  subject->model->contact[impacts->contact[i]].name, impacts->phase[i]);
    return CAROM_OK;
}

carom_status orbit_impacts_read(const orbit_subject *subject, const char *text, orbit_impacts *impacts,
                                carom_error *error)
{
    int count = 0, phases = 0;
    const char **word = split_list(subject->arena, text, &count);
    impacts->contact = carom_arena_take(subject->arena, (size_t)count, sizeof *impacts->contact);
    impacts->phase = carom_arena_take(subject->arena, (size_t)count, sizeof *impacts->phase);
    if (!word || !impacts->contact || !impacts->phase)
        return carom_fail_memory(error);
    impacts->count = count;
    for (int i = 0; i < count; i++) {
        const carom_status status =
            read_impact(subject, word[i], &impacts->contact[i], &impacts->phase[i], error);
        if (status != CAROM_OK)
            return status;
        phases += !isnan(impacts->phase[i]);
    }
    for (int i = 0; phases == 0 && i < count; i++)
        impacts->phase[i] = (double)i / count;
    impacts->given = phases > 0;
    const carom_status status = check_phases(subject, impacts, phases, error);
    if (status == CAROM_OK)
        sort_impacts(impacts);
    return status;
}
