/* carom run: the runs of a job that is read: the main one, the same with smaller steps, the family beside it. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/crew.h"
#include "app/jit.h"
#include "app/run_journal.h"
#include "carom/run/curves.h"
#include "carom/run/record_queue.h"
#include "run_job.h"

/* Rows kept in memory for the pictures of one run; longer runs are thinned. */
static const size_t PICTURE_BYTES = (size_t)256 << 20;
/* Points at which bodies touch, for a page. */
static const size_t PUSHES_MOST = 2000000;

/* --h and --until set the parameter that the model uses for them, when it is one; in other units the run does it, and here it is for
 * those who read the parameters. */
static carom_status apply_step_options(run_job *job, carom_error *error)
{
    carom_experiment *experiment = job->experiment;
    const bool in_units = carom_units_are_given(&experiment->units);
    const int parameter[2] = {experiment->h_parameter, experiment->until_parameter};
    const char *text[2] = {value_of(&job->arguments, RUN_H), value_of(&job->arguments, RUN_UNTIL)};
    double *request[2] = {&job->h, &job->until};
    for (int i = 0; i < 2; i++) {
        if (!text[i] || parameter[i] < 0)
            continue;
        if (in_units) {
            experiment->parameter[parameter[i]] = *request[i] / experiment->units.time;
            continue;
        }
        carom_status status =
            carom_experiment_set(experiment, experiment->model->parameter[parameter[i]].name, text[i], error);
        if (status != CAROM_OK)
            return status;
        *request[i] = NAN;
    }
    return CAROM_OK;
}

/* The family runs unless it is switched off or one of its own values was asked for. */
static bool wants_family(const run_job *job)
{
    const carom_experiment *experiment = job->experiment;
    if (job->arguments.option[RUN_NO_FAMILY].count > 0 || (job->is_again && !job->again.has_family))
        return false;
    for (int a = 0; a < experiment->axis_count; a++) {
        if (strcmp(experiment->axis[a].name, "scheme") == 0 && value_of(&job->arguments, RUN_SCHEME))
            return false;
        for (int i = 0; i < job->set_count; i++)
            if (strcmp(experiment->axis[a].name, job->set[i].name) == 0)
                return false;
    }
    return experiment->family_size > 0;
}

/* The scheme options that a scheme knows: a family may compare schemes with different options. */
static const carom_option *known_options(run_job *job, const char *scheme)
{
    carom_error error;
    const carom_scheme_ops *ops = carom_scheme_find(scheme ? scheme : job->experiment->scheme, &error);
    carom_option *known =
        carom_arena_take(job->arguments.arena, run_job_option_count(job->scheme_option) + 1, sizeof *known);
    int count = 0;
    for (const carom_option *option = job->scheme_option; known && ops && option->name; option++)
        if (carom_scheme_takes_option(ops, option->name))
            known[count++] = *option;
    return known;
}

static carom_run_request request_of(run_job *job, const finished_run *run, int member, const char *scheme,
                                    carom_progress progress)
{
    const carom_sharing *sharing = crew_sharing(); /* only the first is stopped, and tells the others */
    return (carom_run_request){.experiment = job->experiment,
                               .parameter = run->parameter,
                               .scheme = scheme,
                               .h = job->h,
                               .until = job->until,
                               .option = member < 0 ? job->scheme_option : known_options(job, scheme),
                               .sample_count = member < 0 ? job->sample_count : 0,
                               .sample_time = job->sample,
                               .events = member < 0 && (value_of(&job->arguments, RUN_EVENTS) ||
                                                        value_of(&job->arguments, RUN_OUT) ||
                                                        value_of(&job->arguments, RUN_REPORT)),
                               .sharing = sharing,
                               .progress = sharing && sharing->rank > 0 ? (carom_progress){0} : progress};
}

/* The main run again with half and a quarter of the step, when it is asked for. */
static carom_status certify(run_job *job, carom_progress progress, carom_error *error)
{
    if (job->arguments.option[RUN_CERTIFY].count == 0)
        return CAROM_OK;
    if (job->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--certify: nothing moves in a study, there is no step to halve");
    const carom_run_request request = request_of(job, &job->main, -1, job->scheme, progress);
    carom_error why = {0};
    const carom_status status = carom_certify(&request, &job->main.result, &job->main.certification, &why);
    return status == CAROM_OK ? CAROM_OK
                              : carom_fail(error, status, "--certify, with a smaller step: %s", why.text);
}

/* Before the start and after the end there is no output; only 0 is the first one of a run that starts later, too. */
static carom_status check_samples(run_job *job, carom_error *error)
{
    double t0, until;
    if (job->sample_count == 0 || job->experiment->study)
        return CAROM_OK;
    const carom_run_request request = request_of(job, &job->main, -1, job->scheme, (carom_progress){0});
    const carom_status status = carom_run_times(&request, &t0, &until, error);
    for (int i = 0; i < job->sample_count && status == CAROM_OK; i++) {
        if (job->sample[i] < fmin(t0 - 1e-9 * fabs(t0), 0.0))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "--at %.10g is before the start of the run, which goes from t = %.10g to %.10g",
                              job->sample[i], t0, until);
        if (job->sample[i] > until + 1e-9 * fabs(until))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "--at %.10g is after the end of the run, which goes from t = %.10g to %.10g "
                              "(--until T makes it longer)",
                              job->sample[i], t0, until);
    }
    return status;
}

static bool has_marks(const carom_experiment *experiment)
{
    for (int p = 0; p < experiment->plot_count; p++)
        for (int k = 0; k < experiment->plot[p].panel_count; k++)
            for (int l = 0; l < experiment->plot[p].panel[k].layer_count; l++)
                if (experiment->plot[p].panel[k].layer[l].mark_count > 0)
                    return true;
    return false;
}

/* A page or files of scenes: where bodies touch is wanted, too. */
static bool shows_motion(const run_job *job)
{
    return has_option(&job->arguments, RUN_REPORT) || has_option(&job->arguments, RUN_VTK) ||
           has_option(&job->arguments, RUN_GLTF) || has_option(&job->arguments, RUN_VIDEO) ||
           has_option(&job->arguments, RUN_FRAMES);
}

/* Pictures and pages are made of rows in memory. */
static bool keeps_rows(const run_job *job)
{
    return has_option(&job->arguments, RUN_PLOT) || shows_motion(job);
}

/* Pictures, now or of the run file later, show events that are marked, and jumps where they are located. */
static bool shows_events(const run_job *job, const char *scheme)
{
    const carom_experiment *experiment = job->experiment;
    if (experiment->study || (!keeps_rows(job) && !value_of(&job->arguments, RUN_OUT)))
        return false;
    const carom_scheme_ops *ops = carom_scheme_find(scheme ? scheme : experiment->scheme, NULL);
    return has_marks(experiment) || (ops && ops->abilities & CAROM_SCHEME_EVENTS);
}

/* Is anything kept of the rows, or derived from them, that the search for an accuracy has not? */
static bool wants_rows(const run_job *job)
{
    return keeps_rows(job) || job->writer || job->csv || job->sensitivity_count > 0 ||
           has_option(&job->arguments, RUN_FCLIB);
}

/* Chooses step, scheme and options for the accuracy that is asked for. The best run of the search is the main run, or is made
 * again where its rows are wanted. */
static carom_status find_accuracy(run_job *job, carom_progress progress, carom_error *error)
{
    carom_accuracy *accuracy = &job->main.accuracy;
    if (!has_option(&job->arguments, RUN_ACCURACY))
        return CAROM_OK;
    const carom_accuracy_request request = {.run = request_of(job, &job->main, -1, job->scheme, progress),
                                            .relative = job->accuracy.relative,
                                            .wish_count = job->accuracy.count,
                                            .wish = job->accuracy.wish,
                                            .alone = job->accuracy.alone,
                                            .limit = job->accuracy.limit};
    carom_error why = {0};
    const carom_status status = carom_accuracy_run(&request, accuracy, &why);
    if (status == CAROM_BAD_INPUT || status == CAROM_NO_MEMORY)
        return carom_fail(error, status, "--accuracy: %s", why.text);
    if (status != CAROM_OK || !wants_rows(job)) {
        job->main.result = accuracy->best;
        accuracy->best = (carom_run_result){0};
        if (status != CAROM_OK)
            *error = why;
    }
    if (accuracy->measure_count == 0)
        return status;
    job->scheme = accuracy->scheme->name;
    job->h = accuracy->h;
    job->scheme_option = accuracy->option;
    if (job->experiment->h_parameter >= 0 && !carom_units_are_given(&job->experiment->units))
        job->main.parameter[job->experiment->h_parameter] = accuracy->h;
    return status;
}

/* May files be written beside the run? Derivatives are only there with their row; HDF5 and MPI need not know threads. */
static bool may_queue(const run_job *job)
{
    return job->sensitivity_count == 0 && !has_option(&job->arguments, RUN_FCLIB) && !crew_sharing();
}

/* The files have all rows, or the run ends with what went wrong. */
static carom_status end_queue(carom_record_queue *queue, finished_run *run, carom_status status,
                              carom_error *error)
{
    carom_error writing = {0};
    const carom_status written = carom_record_queue_drain(queue, &writing);
    carom_record_queue_free(queue);
    if (written == CAROM_OK || (status != CAROM_OK && status != CAROM_INTERRUPTED))
        return status;
    *error = writing;
    run->result.status = written;
    carom_format(run->result.word, sizeof run->result.word, "%s", carom_status_word(written));
    carom_format(run->result.message, sizeof run->result.message, "%s", writing.text);
    return written;
}

/* Does anything that is kept need columns? Files have selected ones alone where --record says so. */
static bool takes_columns(const run_job *job)
{
    const carom_row_layout layout = carom_row_layout_of(job->experiment);
    bool takes = keeps_rows(job) || job->column_count == 0 || job->sensitivity_count > 0;
    for (int i = 0; !takes && i < job->column_count; i++)
        takes =
            job->column[i].place >= layout.column && job->column[i].place < layout.column + layout.columns;
    return takes;
}

/* Rows go to memory (for pictures), to the run file and to CSV (main run only), as asked. */
static carom_status run_one(run_job *job, finished_run *run, int member, const char *scheme,
                            carom_progress progress, carom_error *error)
{
    carom_recorder recorder[5] = {0}, asked[5];
    int recorders = 0, in_memory;
    carom_record_queue *queue = NULL;
    carom_status status;
    run_journal kept = {0};
    carom_checkpoint checkpoint = {0};
    if (keeps_rows(job)) {
        run->series.layout = carom_row_layout_of(job->experiment);
        run->series.limit = PICTURE_BYTES / ((size_t)run->series.layout.width * sizeof(double));
        recorder[recorders++] = carom_series_recorder(&run->series);
    }
    if (shows_motion(job) && member < 0) {
        run->pushes.limit = PUSHES_MOST;
        recorder[recorders++] = carom_push_series_recorder(&run->pushes);
    }
    in_memory = recorders;
    if (job->writer) {
        status = carom_run_writer_begin_sensitive(job->writer, member, job->experiment, run->parameter,
                                                  job->sensitivity_count, job->sensitivity,
                                                  &recorder[recorders++], error);
        if (status != CAROM_OK)
            return status;
    }
    if (job->csv && member < 0) {
        carom_recorder *table = &recorder[recorders++];
        status = job->column_count > 0
                     ? carom_csv_begin_selected(&job->csv_writer, job->csv, job->experiment,
                                                job->column_count, job->column, table, error)
                     : carom_csv_begin_sensitive(&job->csv_writer, job->csv, job->experiment,
                                                 job->sensitivity_count, job->sensitivity, table, error);
        if (status != CAROM_OK)
            return status;
        job->csv_writer.takes_room = job->csv_output && carom_output_is_file(job->csv_output);
    }
    if (job->journal) {
        status = run_journal_begin(&kept, job->journal, job->writer, member,
                                   carom_row_layout_of(job->experiment).width, job->checkpoint_seconds,
                                   recorders, recorder, &checkpoint, &recorder[recorders], error);
        recorders++;
        if (status != CAROM_OK) {
            run_journal_end(&kept);
            return status;
        }
    }
    /* pictures need all of the rows before, and problems are numbered from the first step: resumed, it begins anew */
    if ((job->column_count > 0 && keeps_rows(job)) || has_option(&job->arguments, RUN_FCLIB))
        checkpoint.save = NULL;
    checkpoint.no_end = !wants_family(job) && !has_option(&job->arguments, RUN_CERTIFY);
    carom_run_request request = request_of(job, run, member, scheme, progress);
    request.record_every = job->every;
    request.no_columns = !takes_columns(job);
    request.event_points = shows_events(job, scheme);
    if (member < 0) {
        request.sensitivity_count = job->sensitivity_count;
        request.sensitivity = job->sensitivity;
        request.sides = job->sides;
        status = run_job_keep_problems(job, &request, error);
        if (status != CAROM_OK) {
            run_journal_end(&kept);
            return status;
        }
    }
    if (recorders > in_memory && may_queue(job)) {
        status = carom_record_queue_create(carom_row_layout_of(job->experiment).width, recorders - in_memory,
                                           recorder + in_memory, &queue, error);
        if (status != CAROM_OK) {
            run_journal_end(&kept);
            return status;
        }
        kept.queue = queue;
    }
    memcpy(asked, recorder, sizeof asked);
    if (queue)
        asked[in_memory] = carom_record_queue_recorder(queue);
    request.recorder_count = queue ? in_memory + 1 : recorders;
    request.recorder = asked;
    request.checkpoint = job->journal ? &checkpoint : NULL;
    status = carom_run(&request, &run->result, error);
    status = end_queue(queue, run, status, error);
    run_journal_end(&kept);
    if (member < 0)
        run_job_tell_problems(job);
    if (job->from && member < 0 && !has_option(&job->arguments, RUN_QUIET))
        fprintf(stderr, run->result.steps_resumed > 0 ? "goes on after step %ld of %ld\n" : "begins anew\n",
                run->result.steps_resumed, run->result.steps_planned);
    if (job->writer && run->result.final) {
        carom_status written = carom_run_writer_end(job->writer, &run->result, error);
        if (written != CAROM_OK)
            return written;
    }
    return status;
}

static double *copy_parameters(run_job *job)
{
    const size_t count = (size_t)job->experiment->model->parameters;
    double *copy = carom_arena_take(job->arguments.arena, count, sizeof *copy);
    if (copy && count)
        memcpy(copy, job->experiment->parameter, count * sizeof *copy);
    return copy;
}

/* Sets one member's parameters and label; *scheme when the family varies it. */
static carom_status prepare_member(run_job *job, int index, finished_run *run, const char **scheme,
                                   carom_error *error)
{
    carom_experiment *experiment = job->experiment;
    double *main_values = experiment->parameter;
    run->parameter = copy_parameters(job);
    if (!run->parameter)
        return carom_fail_memory(error);
    run->label = carom_family_label(job->arguments.arena, experiment, index);
    if (!run->label)
        return carom_fail_memory(error);
    carom_status status = CAROM_OK;
    experiment->parameter = run->parameter; /* carom_experiment_set checks and writes there */
    for (int a = 0; status == CAROM_OK && a < experiment->axis_count; a++) {
        const carom_family_axis *axis = &experiment->axis[a];
        if (strcmp(axis->name, "scheme") == 0)
            *scheme = axis->value[index];
        else
            status = carom_experiment_set(experiment, axis->name, axis->value[index], error);
    }
    experiment->parameter = main_values;
    return status;
}

static bool keeps_going(carom_status status)
{
    return status == CAROM_OK || status == CAROM_FAILED;
}

static carom_status run_family(run_job *job, carom_progress progress, carom_error *error)
{
    const int count = job->experiment->family_size;
    carom_status worst = CAROM_OK;
    job->member = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *job->member);
    if (!job->member)
        return carom_fail_memory(error);
    for (int i = 0; i < count; i++) {
        const char *scheme = value_of(&job->arguments, RUN_SCHEME);
        finished_run *run = &job->member[job->member_count];
        carom_status status = prepare_member(job, i, run, &scheme, error);
        if (status == CAROM_OK)
            status = run_one(job, run, i, scheme, progress, error);
        if (status == CAROM_BAD_INPUT && !job->writer) {
            /* A scheme that does not take this model, say: the others are still worth showing. */
            fprintf(stderr, "carom: family member %s left out: %s\n", run->label ? run->label : "",
                    error->text);
            carom_series_free(&run->series);
            *run = (finished_run){0};
            continue;
        }
        if (status == CAROM_NO_MEMORY) /* it has no result */
            return status;
        job->member_count++;
        if (!keeps_going(status))
            return status;
        if (status != CAROM_OK)
            worst = status;
    }
    return worst;
}

carom_status run_job_run(run_job *job, carom_error *error)
{
    const double started = carom_seconds();
    carom_status status = run_job_load(job, error);
    if (status == CAROM_OK && has_option(&job->arguments, RUN_JIT))
        jit_use(job->experiment);
    if (status == CAROM_OK)
        status = apply_step_options(job, error);
    if (status == CAROM_OK)
        status = run_job_open(job, error);
    if (status != CAROM_OK)
        return status;
    job->main.parameter = copy_parameters(job);
    if (!job->main.parameter)
        return carom_fail_memory(error);
    status = check_samples(job, error);
    if (status != CAROM_OK)
        return status;
    const carom_progress progress = progress_begin(job->arguments.option[RUN_QUIET].count > 0, "steps");
    status = find_accuracy(job, progress, error);
    if (status == CAROM_OK && !job->main.result.final)
        status = run_one(job, &job->main, -1, job->scheme, progress, error);
    if (status == CAROM_OK)
        status = certify(job, progress, error);
    carom_status family = CAROM_OK;
    carom_error family_error = {0};
    if (keeps_going(status) && wants_family(job)) {
        family = run_family(job, progress, &family_error);
        /* A member that fails (a comparison that diverges, say) is shown as such and does not fail the run.
         */
        if (family != CAROM_OK && family != CAROM_FAILED) {
            *error = family_error;
            status = family;
        }
    }
    progress_end();
    const carom_study_results *results = job->main.result.results;
    if (results && results->messages)
        print_foreign(stderr, results->messages);
    if (job->experiment->study) /* with the reading of its file */
        job->main.result.wall_seconds = carom_seconds() - started;
    return status;
}
