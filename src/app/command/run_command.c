/* carom run: runs an experiment or a model file and shows, writes or draws what came out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run_journal.h"
#include "run_job.h"

/* Rows kept in memory for the pictures of one run; longer runs are thinned. */
static const size_t PICTURE_BYTES = (size_t)256 << 20;
/* Points at which bodies touch, for a page. */
static const size_t PUSHES_MOST = 2000000;

static const argument_option option_table[RUN_COUNT] = {
    [RUN_SET] = {"--set", true, true, 0, NULL},
    [RUN_SCHEME] = {"--scheme", true, false, 0, NULL},
    [RUN_H] = {"--h", true, false, 0, NULL},
    [RUN_UNTIL] = {"--until", true, false, 0, NULL},
    [RUN_OPTION] = {"--option", true, true, 0, NULL},
    [RUN_SOLVER] = {"--solver", true, false, 0, NULL},
    [RUN_TOLERANCE] = {"--tolerance", true, false, 0, NULL},
    [RUN_MAX_ITERATIONS] = {"--max-iterations", true, false, 0, NULL},
    [RUN_AT] = {"--at", true, false, 0, NULL},
    [RUN_OUT] = {"--out", true, false, 0, NULL, WRITES_FILE},
    [RUN_CSV] = {"--csv", true, false, 0, NULL, WRITES_FILE},
    [RUN_PLOT] = {"--plot", true, false, 0, NULL},
    [RUN_JSON] = {"--json", false, false, 0, NULL},
    [RUN_QUIET] = {"--quiet", false, false, 0, NULL},
    [RUN_VARIANT] = {"--variant", true, false, 0, NULL},
    [RUN_NO_FAMILY] = {"--no-family", false, false, 0, NULL},
    [RUN_EVERY] = {"--every", true, false, 0, NULL},
    [RUN_CERTIFY] = {"--certify", false, false, 0, NULL},
    [RUN_EVENTS] = {"--events", true, false, 0, NULL, WRITES_FILE},
    [RUN_CHECKPOINT] = {"--checkpoint", true, false, 0, NULL},
    [RUN_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
    [RUN_VTK] = {"--vtk", true, false, 0, NULL},
    [RUN_GLTF] = {"--gltf", true, false, 0, NULL, WRITES_FILE},
    [RUN_FRAME_COUNT] = {"--frame-count", true, false, 0, NULL},
};

/* ---- reading the command line ------------------------------------------------------------------ */

/* --at 0.1,0.2,0.3 */
static bool read_samples(run_job *job)
{
    const char *given = value_of(&job->arguments, RUN_AT);
    if (!given)
        return true;
    int count = 0;
    const char **word = split_list(job->arguments.arena, given, &count);
    job->sample = carom_arena_take(job->arguments.arena, (size_t)count, sizeof *job->sample);
    if (!word || !job->sample)
        return false;
    for (int i = 0; i < count; i++)
        if (!carom_parse_number(word[i], &job->sample[i]) || !isfinite(job->sample[i])) {
            report_usage(&command_run, "--at needs times such as 0.1,0.2; got '%s'", word[i]);
            return false;
        }
    job->sample_count = count;
    return true;
}

static size_t option_count(const carom_option *list)
{
    size_t count = 0;
    while (list[count].name)
        count++;
    return count;
}

/* --option name=value, and the short forms --solver NAME, --tolerance T, --max-iterations N. */
static bool read_options(run_job *job)
{
    static const struct {
        int option;
        const char *name;
    } short_form[] = {
        {RUN_SOLVER, "solver"}, {RUN_TOLERANCE, "tolerance"}, {RUN_MAX_ITERATIONS, "max_iterations"}};
    const size_t forms = sizeof short_form / sizeof *short_form;
    carom_option *given = NULL;
    if (!read_scheme_options(&command_run, &job->arguments, &job->arguments.option[RUN_OPTION], &given))
        return false;
    size_t count = option_count(given);
    job->scheme_option = carom_arena_take(job->arguments.arena, count + forms + 1, sizeof *given);
    if (!job->scheme_option)
        return false;
    memcpy(job->scheme_option, given, count * sizeof *given);
    for (size_t i = 0; i < forms; i++) {
        const char *value = value_of(&job->arguments, short_form[i].option);
        if (value)
            job->scheme_option[count++] = (carom_option){.name = short_form[i].name, .word = value};
    }
    return true;
}

static bool read_command_line(run_job *job, int argc, char **argv)
{
    job->h = job->until = NAN;
    job->argc = argc;
    job->argv = argv;
    job->checkpoint_seconds = 10.0;
    double every = 1.0;
    if (!parse_arguments(&command_run, argc, argv, &job->arguments))
        return false;
    if (job->arguments.positional_count != 1) {
        report_usage(&command_run, job->arguments.positional_count == 0
                                       ? "which experiment or model file?"
                                       : "one experiment or model file at a time");
        return false;
    }
    if (!read_assignments(&command_run, &job->arguments, &job->arguments.option[RUN_SET], &job->set_count,
                          &job->set) ||
        !read_options(job) || !read_samples(job) ||
        !parse_time_option(&command_run, &job->arguments.option[RUN_H], &job->h) ||
        !parse_time_option(&command_run, &job->arguments.option[RUN_UNTIL], &job->until) ||
        !parse_number_option(&command_run, &job->arguments.option[RUN_EVERY], &every) ||
        !read_whole(&command_run, &job->arguments.option[RUN_FRAME_COUNT], 2, 1000000, &job->frame_count) ||
        !read_positive(&command_run, &job->arguments.option[RUN_CHECKPOINT], &job->checkpoint_seconds))
        return false;
    if (has_option(&job->arguments, RUN_CHECKPOINT) && !has_option(&job->arguments, RUN_OUT)) {
        report_usage(&command_run, "--checkpoint is for a run file: give --out RUN.h5, too");
        return false;
    }
    const char *csv = value_of(&job->arguments, RUN_CSV);
    if (csv && strcmp(csv, "-") == 0 && job->arguments.option[RUN_JSON].count > 0) {
        report_usage(&command_run, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    if (!(every >= 1.0 && every <= 1e9)) {
        report_usage(&command_run, "--every needs a whole number of steps, at least 1");
        return false;
    }
    job->every = (int)every;
    return true;
}

/* ---- the runs ---------------------------------------------------------------------------------- */

/* --h and --until set the parameter that the model uses for them, when it is one. */
static carom_status apply_step_options(run_job *job, carom_error *error)
{
    carom_experiment *experiment = job->experiment;
    const int parameter[2] = {experiment->h_parameter, experiment->until_parameter};
    const char *text[2] = {value_of(&job->arguments, RUN_H), value_of(&job->arguments, RUN_UNTIL)};
    double *request[2] = {&job->h, &job->until};
    for (int i = 0; i < 2; i++) {
        if (!text[i] || parameter[i] < 0)
            continue;
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
        carom_arena_take(job->arguments.arena, option_count(job->scheme_option) + 1, sizeof *known);
    int count = 0;
    for (const carom_option *option = job->scheme_option; known && ops && option->name; option++)
        if (carom_scheme_takes_option(ops, option->name))
            known[count++] = *option;
    return known;
}

static carom_run_request request_of(run_job *job, const finished_run *run, int member, const char *scheme,
                                    carom_progress progress)
{
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
                               .progress = progress};
}

/* The main run again with half and a quarter of the step, when it is asked for. */
static carom_status certify(run_job *job, carom_progress progress, carom_error *error)
{
    const char *scheme = value_of(&job->arguments, RUN_SCHEME);
    if (job->arguments.option[RUN_CERTIFY].count == 0)
        return CAROM_OK;
    if (job->experiment->study)
        return carom_fail(error, CAROM_BAD_INPUT,
                          "--certify: nothing moves in a study, there is no step to halve");
    const carom_run_request request = request_of(job, &job->main, -1, scheme, progress);
    carom_error why = {0};
    const carom_status status = carom_certify(&request, &job->main.result, &job->main.certification, &why);
    return status == CAROM_OK ? CAROM_OK
                              : carom_fail(error, status, "--certify, with a smaller step: %s", why.text);
}

/* After the end there is no output; before the start the first one is the nearest. */
static carom_status check_samples(run_job *job, carom_error *error)
{
    double t0, until;
    if (job->sample_count == 0 || job->experiment->study)
        return CAROM_OK;
    const carom_run_request request =
        request_of(job, &job->main, -1, value_of(&job->arguments, RUN_SCHEME), (carom_progress){0});
    const carom_status status = carom_run_times(&request, &t0, &until, error);
    for (int i = 0; i < job->sample_count && status == CAROM_OK; i++)
        if (job->sample[i] > until + 1e-9 * fabs(until))
            return carom_fail(error, CAROM_BAD_INPUT,
                              "--at %.10g is after the end of the run, which goes from t = %.10g to %.10g "
                              "(--until T makes it longer)",
                              job->sample[i], t0, until);
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
           has_option(&job->arguments, RUN_GLTF);
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
    return has_marks(experiment) || (ops && ops->abilities & CAROM_SCHEME_LOCATES_IMPACTS);
}

/* Rows go to memory (for pictures), to the run file and to CSV (main run only), as asked. */
static carom_status run_one(run_job *job, finished_run *run, int member, const char *scheme,
                            carom_progress progress, carom_error *error)
{
    carom_recorder recorder[5];
    int recorders = 0;
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
    if (job->writer) {
        status = carom_run_writer_begin(job->writer, member, job->experiment, run->parameter,
                                        &recorder[recorders++], error);
        if (status != CAROM_OK)
            return status;
    }
    if (job->csv && member < 0) {
        status = carom_csv_begin(&job->csv_writer, job->csv, job->experiment, &recorder[recorders++], error);
        if (status != CAROM_OK)
            return status;
    }
    if (job->journal) {
        status = run_journal_begin(&kept, job->journal, member, carom_row_layout_of(job->experiment).width,
                                   job->checkpoint_seconds, recorders, recorder, &checkpoint,
                                   &recorder[recorders], error);
        recorders++;
        if (status != CAROM_OK) {
            run_journal_end(&kept);
            return status;
        }
    }
    carom_run_request request = request_of(job, run, member, scheme, progress);
    request.record_every = job->every;
    request.event_points = shows_events(job, scheme);
    request.recorder_count = recorders;
    request.recorder = recorder;
    request.checkpoint = job->journal ? &checkpoint : NULL;
    status = carom_run(&request, &run->result, error);
    run_journal_end(&kept);
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
    run->label = family_label(job->arguments.arena, experiment, index);
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
        job->member_count++;
        if (!keeps_going(status))
            return status;
        if (status != CAROM_OK)
            worst = status;
    }
    return worst;
}

/* The run file's options, then those of the command line. */
static carom_status join_scheme_options(run_job *job, carom_error *error)
{
    const size_t stored = (size_t)job->again.option_count, given = option_count(job->scheme_option);
    carom_option *all = carom_arena_take(job->arguments.arena, stored + given + 1, sizeof *all);
    if (!all)
        return carom_fail_memory(error);
    for (size_t i = 0; i < stored; i++)
        all[i] = (carom_option){.name = job->again.option[i].name, .word = job->again.option[i].value};
    memcpy(all + stored, job->scheme_option, given * sizeof *all);
    job->scheme_option = all;
    return CAROM_OK;
}

static carom_status load_again(run_job *job, carom_error *error)
{
    if (value_of(&job->arguments, RUN_VARIANT))
        return carom_fail(error, CAROM_BAD_INPUT, "a run file has its variant already; leave --variant out");
    carom_status status;
    if (job->from) {
        job->again = job->from->again;
        status = resumed_load(job->from, 0, NULL, &job->experiment, error);
    } else {
        status = load_run_again(job->arguments.positional[0], job->set_count, job->set, job->arguments.arena,
                                &job->again, &job->experiment, error);
    }
    if (status != CAROM_OK)
        return status;
    carom_experiment *experiment = job->experiment;
    job->is_again = true;
    if (experiment->study)
        return CAROM_OK;
    /* Where the model takes h or the end from a parameter, the parameter has the run's value already. */
    if (!value_of(&job->arguments, RUN_H) && experiment->h_parameter < 0)
        job->h = job->again.h;
    if (!value_of(&job->arguments, RUN_UNTIL) && experiment->until_parameter < 0)
        job->until = job->again.until == 0.0 ? CAROM_ZERO : job->again.until;
    if (value_of(&job->arguments, RUN_SCHEME) || !job->again.scheme)
        return CAROM_OK; /* another scheme has options of its own */
    experiment->scheme = job->again.scheme;
    return join_scheme_options(job, error);
}

static carom_status load_job(run_job *job, carom_error *error)
{
    const char *name = job->arguments.positional[0];
    if (job->from ? job->from->is_again : is_run_file(name))
        return load_again(job, error);
    if (job->from)
        return resumed_load(job->from, job->set_count, job->set, &job->experiment, error);
    return load_experiment(name, value_of(&job->arguments, RUN_VARIANT), job->set_count, job->set,
                           &job->experiment, error);
}

static carom_status run_all(run_job *job, carom_error *error)
{
    const double started = carom_seconds();
    carom_status status = load_job(job, error);
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
    status = run_one(job, &job->main, -1, value_of(&job->arguments, RUN_SCHEME), progress, error);
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

static void free_job(run_job *job)
{
    carom_run_result_free(&job->main.result);
    carom_certification_free(&job->main.certification);
    carom_series_free(&job->main.series);
    carom_push_series_free(&job->main.pushes);
    for (int i = 0; i < job->member_count; i++) {
        carom_run_result_free(&job->member[i].result);
        carom_series_free(&job->member[i].series);
    }
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

static int execute(run_job *job)
{
    carom_error error = {0}, closing = {0};
    carom_status status = run_all(job, &error);
    const bool has_result = job->main.result.final != NULL;
    if (has_result)
        run_job_print(job);
    carom_status closed = run_job_close(job, status, &closing);
    if (status == CAROM_OK && closed != CAROM_OK) {
        status = closed;
        error = closing;
    }
    if (has_result && (job->experiment->study || job->main.result.steps > 0) && closed == CAROM_OK) {
        carom_error drawing = {0};
        carom_status drawn = run_job_draw(job, &drawing);
        if (drawn == CAROM_OK)
            drawn = run_job_report(job, &drawing);
        if (drawn == CAROM_OK)
            drawn = run_job_scenes(job, &drawing);
        if (drawn != CAROM_OK && status == CAROM_OK) {
            status = drawn;
            error = drawing;
        }
    }
    return status == CAROM_OK ? EXIT_DONE : report_error(&error);
}

static int resume_run(int argc, char **argv, resumed_command *from)
{
    run_job job = {.from = from};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    free_job(&job);
    return exit_status;
}

static int run_run(int argc, char **argv)
{
    return resume_run(argc, argv, NULL);
}

const command command_run = {
    .name = "run",
    .usage =
        "carom run EXPERIMENT|MODEL.lua|RUN.h5 [--set name=value]... [--scheme NAME] [--h H] [--until T] "
        "[--json] ...",
    .summary = "run an experiment, a model file, or a run file again",
    .help =
        "  --set name=value     give a parameter another value (repeat for more)\n"
        "  --scheme NAME        time discretisation (carom list schemes)\n"
        "  --h H, --until T     time step and end time\n"
        "  --option name=value  option of the scheme, such as av=0.5 (carom list schemes), or of its solver\n"
        "  --solver NAME        solver of its contact problems (carom list solvers); --tolerance T and\n"
        "                       --max-iterations N say when it stops\n"
        "  --variant NAME       variant of the model file\n"
        "  --at T1,T2,...       show the outputs nearest to these times\n"
        "  --events FILE.csv    write impacts, releases, sticks and slips as a table (-: with --json, in "
        "it)\n"
        "  --certify            run again with h/2 and h/4: how many digits of each measure stand\n"
        "  --out RUN.h5         write everything to a run file (carom plot draws it later)\n"
        "  --checkpoint SECONDS with --out: how much computing may be lost when the run is killed; default "
        "10.\n"
        "                       carom resume RUN.h5 goes on from the last checkpoint\n"
        "  --csv FILE           write the outputs as CSV (- is stdout)\n"
        "  --every N            write only every N-th output to files and pictures\n"
        "  --plot DIR           draw the pictures of the experiment into DIR (.png, .svg, .gp)\n"
        "  --report FILE.html   write a page with animation, plots, certificate, model: opens in any "
        "browser\n"
        "  --vtk DIR            write the scene for ParaView: DIR/scene.pvd\n"
        "  --gltf FILE.glb      write an animated scene for Blender and the like\n"
        "  --frame-count N      how many outputs these have, evenly spaced (default: 250 at most)\n"
        "  --no-family          only the main run, not the family of runs beside it\n"
        "  --json               one JSON object on stdout instead of the summary\n"
        "  --quiet              no summary, no progress line\n"
        "\n"
        "examples\n"
        "  carom run moreau-1986/trial-04 --plot pictures\n"
        "  carom run moreau-1986/trial-04 --set av=0.01 --at 0.5,1 --json\n"
        "  carom run moreau-1986/trial-10-plate-15 --h 0.0005 --out chatter.h5\n"
        "  carom run ball.lua --set e=0.9 --csv ball.csv\n"
        "  carom run bodies/dominoes --report dominoes.html\n"
        "  carom run bodies/wall --vtk wall && paraview wall/scene.pvd\n"
        "  carom run ball.lua --certify\n"
        "  carom run ball.lua --events impacts.csv\n"
        "  carom run chatter.h5 --set CR=-210          the run of a file again, with one change\n",
    .option_count = RUN_COUNT,
    .options = option_table,
    .run = run_run,
    .resume = resume_run,
};
