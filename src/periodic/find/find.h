/* How a periodic motion is found: the ways to it, guesses for shooting, what is kept of it. */
#ifndef CAROM_PERIODIC_FIND_FIND_H
#define CAROM_PERIODIC_FIND_FIND_H

#include "carom/linalg.h"
#include "carom/periodic/find.h"

/* ---- what is kept --------------------------------------------------------------------------------------- */

/* Memory for a motion with so many impacts, and for the samples of so many flights. */
bool found_take(const carom_periodic_model *periodic, int impacts, carom_found_orbit *found);
bool found_take_rows(const carom_periodic_model *periodic, int flights, carom_found_orbit *found);

static inline double *found_row(const carom_periodic_model *periodic, const carom_found_orbit *found, int i)
{
    return found->row + (size_t)i * (1 + 2 * (size_t)periodic->model->dof);
}

static inline double found_energy(const carom_periodic_model *periodic, const carom_found_orbit *found)
{
    return periodic->model->ops->energy(periodic->work, periodic->t0, found->q, found->v);
}

static inline const char *find_contact_name(const carom_periodic_model *periodic, int contact)
{
    return periodic->model->contact[contact].name;
}

/* The linearised model with one of its contacts. */
static inline carom_mode_system find_mode_system(const carom_periodic_model *periodic,
                                                 const carom_linearised *linear, int contact)
{
    return (carom_mode_system){.dof = periodic->model->dof,
                               .mass = linear->mass,
                               .stiffness = linear->stiffness,
                               .direction = linear->normal + (ptrdiff_t)contact * periodic->model->dof,
                               .clearance = linear->gap[contact]};
}

/* INTERRUPTED when the model's progress asks to stop. */
static inline carom_status find_goes_on(const carom_periodic_model *periodic, double done, double total,
                                        carom_error *error)
{
    const carom_progress *progress = &periodic->progress;
    if (!progress->report || progress->report(progress->context, done, total))
        return CAROM_OK;
    return carom_fail(error, CAROM_INTERRUPTED, "interrupted");
}

/* ---- ways ----------------------------------------------------------------------------------------------- */

carom_status find_by_pattern(const carom_periodic_model *periodic, const carom_linearised *linear,
                             const carom_find_request *request, carom_found_orbit *found, carom_error *error);
carom_status find_by_flights(const carom_periodic_model *periodic, const carom_linearised *linear,
                             const carom_find_request *request, carom_found_orbit *found, carom_error *error);
/* `linear` may be NULL. */
carom_status find_by_shooting(const carom_periodic_model *periodic, const carom_linearised *linear,
                              const carom_find_request *request, carom_found_orbit *found,
                              carom_error *error);

/* Whatever happens in the period. */
carom_status find_by_map(const carom_periodic_model *periodic, const carom_find_request *request,
                         carom_found_orbit *found, carom_error *error);
/* The map of the period of a motion. */
carom_status find_map_create(const carom_periodic_model *periodic, double period, int multiple,
                             carom_period_map **map, carom_error *error);

/* carom_linearise in the memory that it has taken, after the parameters have changed. */
carom_status linearise_again(const carom_periodic_model *periodic, carom_linearised *linear,
                             carom_error *error);
/* The model linearised, as what an oscillator is made of. */
static inline carom_linear_system linearised_system(const carom_periodic_model *periodic,
                                                    const carom_linearised *linear)
{
    return (carom_linear_system){.size = periodic->model->dof,
                                 .mass = linear->mass,
                                 .stiffness = linear->stiffness,
                                 .contacts = periodic->model->contacts,
                                 .normal = linear->normal,
                                 .gap = linear->gap};
}
/* `pattern` has an entry per contact. */
void find_fill_pattern(const carom_periodic_model *periodic, const carom_impact_sequence *impacts,
                       carom_phase *pattern);

/* The equations of shooting for these impacts. multiple: periods of what drives the model; frequency: the parameter with
 * its circular frequency, where the model does not tell, or negative. */
carom_status find_shooting_create(const carom_periodic_model *periodic, carom_shooting_kind kind, int impacts,
                                  const int *contact, double period, int multiple, int frequency,
                                  carom_shooting **shooting, carom_error *error);

/* Flights of the model from the state right after the first impact: samples, approach speeds, impulses. */
carom_status find_walk(const carom_periodic_model *periodic, carom_found_orbit *found, carom_error *error);

/* Is the period of a driven motion, where it does not follow what drives the model, still one of it at the end of the range?
 * BAD_INPUT: no. */
carom_status find_period_stays(const carom_periodic_model *periodic, const carom_continue_request *request,
                               const carom_found_orbit *found, carom_error *error);

/* ---- guesses for shooting ------------------------------------------------------------------------------- */

/* From a run of the event-driven scheme from the initial state over `settle` periods and then to the first impact asked for.
 * The flights of the shot are set before, and improved where the run strikes in the same order. */
carom_status find_guess_run(const carom_periodic_model *periodic, const carom_find_request *request,
                            double settle, carom_shot *shot, carom_error *error);
/* With one impact: a motion of the linearised model at another period, *from, followed to the one asked for.
 * FAILED: there is none, or its branch ends before. */
carom_status find_guess_branch(const carom_periodic_model *periodic, const carom_linearised *linear,
                               const carom_find_request *request, carom_shot *shot, double *from,
                               carom_error *error);
/* As carom_shooting_follow, or with branches_off carom_shooting_branch_off, in stages. */
carom_status find_follow_stages(carom_shooting *shooting, int parameter, carom_shot *shot,
                                const carom_branch_options *options, bool branches_off, carom_branch *branch,
                                carom_error *error);

/* ---- the event-driven scheme ---------------------------------------------------------------------------- */

carom_status event_run_begin(const carom_periodic_model *periodic, double t, double h, const double *q,
                             const double *v, carom_stepper **run, carom_error *error);

#endif
