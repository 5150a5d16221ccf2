/* carom run: runs an experiment or a model file and shows, writes or draws what came out. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/jit.h"
#include "run_job.h"

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
    [RUN_COMPRESS] = {"--compress", false, false, 0, NULL},
    [RUN_CSV] = {"--csv", true, false, 0, NULL, WRITES_FILE},
    [RUN_PLOT] = {"--plot", true, false, 0, NULL, WRITES_FOLDER},
    [RUN_JSON] = {"--json", false, false, 0, NULL},
    [RUN_QUIET] = {"--quiet", false, false, 0, NULL},
    [RUN_VARIANT] = {"--variant", true, false, 0, NULL},
    [RUN_NO_FAMILY] = {"--no-family", false, false, 0, NULL},
    [RUN_EVERY] = {"--every", true, false, 0, NULL},
    [RUN_JIT] = {"--jit", false, false, 0, NULL},
    [RUN_RECORD] = {"--record", true, false, 0, NULL},
    [RUN_CERTIFY] = {"--certify", false, false, 0, NULL},
    [RUN_ACCURACY] = {"--accuracy", true, false, 0, NULL},
    [RUN_ACCURACY_LIMIT] = {"--accuracy-limit", true, false, 0, NULL},
    [RUN_ACCURACY_ALONE] = {"--accuracy-alone", false, false, 0, NULL},
    [RUN_EVENTS] = {"--events", true, false, 0, NULL, WRITES_FILE},
    [RUN_SENSITIVITY] = {"--sensitivity", true, false, 0, NULL},
    [RUN_SIDES] = {"--sides", false, false, 0, NULL},
    [RUN_CHECKPOINT] = {"--checkpoint", true, false, 0, NULL},
    [RUN_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
    [RUN_FCLIB] = {"--fclib", true, false, 0, NULL, WRITES_FOLDER},
    [RUN_VTK] = {"--vtk", true, false, 0, NULL, WRITES_FOLDER},
    [RUN_GLTF] = {"--gltf", true, false, 0, NULL, WRITES_FILE},
    [RUN_FRAME_COUNT] = {"--frame-count", true, false, 0, NULL},
    [RUN_VIDEO] = {"--video", true, false, 0, NULL, WRITES_FILE},
    [RUN_FRAMES] = {"--frames", true, false, 0, NULL, WRITES_FOLDER},
    [RUN_FPS] = {"--fps", true, false, 0, NULL},
    [RUN_SIZE] = {"--size", true, false, 0, NULL},
    [RUN_SPEED] = {"--speed", true, false, 0, NULL},
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

/* --sensitivity e,q:y */
static bool read_sensitivity(run_job *job)
{
    const char *given = value_of(&job->arguments, RUN_SENSITIVITY);
    job->sides = has_option(&job->arguments, RUN_SIDES);
    if (job->sides && !given) {
        report_usage(&command_run,
                     "--sides is of derivatives: it needs --sensitivity with names such as e,q:y");
        return false;
    }
    if (!given)
        return true;
    job->sensitivity = split_list(job->arguments.arena, given, &job->sensitivity_count);
    for (int i = 0; job->sensitivity && i < job->sensitivity_count; i++)
        if (job->sensitivity[i][0] == '\0') {
            report_usage(&command_run, "--sensitivity needs names such as e,q:y; got '%s'", given);
            return false;
        }
    return job->sensitivity != NULL;
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
    size_t count = run_job_option_count(given);
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
        !read_accuracy(&command_run, &job->arguments, &job->arguments.option[RUN_ACCURACY],
                       &job->arguments.option[RUN_ACCURACY_LIMIT], &job->arguments.option[RUN_ACCURACY_ALONE],
                       &job->accuracy) ||
        !read_options(job) || !read_samples(job) || !read_sensitivity(job) ||
        !parse_time_option(&command_run, &job->arguments.option[RUN_H], &job->h) ||
        !parse_time_option(&command_run, &job->arguments.option[RUN_UNTIL], &job->until) ||
        !parse_number_option(&command_run, &job->arguments.option[RUN_EVERY], &every) ||
        !read_whole(&command_run, &job->arguments.option[RUN_FRAME_COUNT], 2, 1000000, &job->frame_count) ||
        !read_positive(&command_run, &job->arguments.option[RUN_CHECKPOINT], &job->checkpoint_seconds) ||
        !run_job_read_film(job))
        return false;
    job->scheme = value_of(&job->arguments, RUN_SCHEME);
    if (has_option(&job->arguments, RUN_ACCURACY) && has_option(&job->arguments, RUN_CERTIFY)) {
        report_usage(&command_run, "--accuracy estimates errors itself: leave --certify out");
        return false;
    }
    if (has_option(&job->arguments, RUN_CHECKPOINT) && !has_option(&job->arguments, RUN_OUT)) {
        report_usage(&command_run, "--checkpoint is for a run file: give --out RUN.h5, too");
        return false;
    }
    if (has_option(&job->arguments, RUN_COMPRESS) && !has_option(&job->arguments, RUN_OUT)) {
        report_usage(&command_run, "--compress is for a run file: give --out RUN.h5, too");
        return false;
    }
    if (has_option(&job->arguments, RUN_RECORD) && !has_option(&job->arguments, RUN_OUT) &&
        !has_option(&job->arguments, RUN_CSV)) {
        report_usage(&command_run, "--record is for files of rows: give --out RUN.h5 or --csv FILE, too");
        return false;
    }
    if (has_option(&job->arguments, RUN_RECORD) && has_option(&job->arguments, RUN_SENSITIVITY)) {
        report_usage(
            &command_run,
            "--record selects columns, which those of --sensitivity are not among: give one of them");
        return false;
    }
    const char *csv = value_of(&job->arguments, RUN_CSV);
    if (csv && strcmp(csv, "-") == 0 && job->arguments.option[RUN_JSON].count > 0) {
        report_usage(&command_run, "--json and --csv - both want stdout; give --csv a file");
        return false;
    }
    const char *events = value_of(&job->arguments, RUN_EVENTS);
    if (events && strcmp(events, "-") == 0 && job->arguments.option[RUN_JSON].count == 0) {
        report_usage(&command_run,
                     "--events - puts the events into the JSON: give --json, too, or --events a file");
        return false;
    }
    if (!(every >= 1.0 && every <= 1e9)) {
        report_usage(&command_run, "--every needs a whole number of steps, at least 1");
        return false;
    }
    job->every = (int)every;
    return true;
}

/* ---- the job ----------------------------------------------------------------------------------- */

static void free_job(run_job *job)
{
    carom_run_result_free(&job->main.result);
    carom_certification_free(&job->main.certification);
    carom_accuracy_free(&job->main.accuracy);
    carom_series_free(&job->main.series);
    carom_push_series_free(&job->main.pushes);
    for (int i = 0; i < job->member_count; i++) {
        carom_run_result_free(&job->member[i].result);
        carom_series_free(&job->member[i].series);
    }
    film_free(&job->film);
    carom_experiment_free(job->experiment);
    free_arguments(&job->arguments);
}

/* Pictures, page, scenes and film, of the runs that are complete. */
static carom_status draw_all(run_job *job, carom_error *error)
{
    carom_status status = run_job_draw(job, error);
    if (status == CAROM_OK)
        status = run_job_report(job, error);
    if (status == CAROM_OK)
        status = run_job_scenes(job, error);
    return status == CAROM_OK ? run_job_film(job, error) : status;
}

static int execute(run_job *job)
{
    carom_error error = {0}, writing = {0};
    const carom_status status = run_job_run(job, &error);
    const bool has_result = job->main.result.final != NULL;
    if (has_result)
        run_job_print(job);
    carom_status written = run_job_close(job, status, &writing);
    if (has_result && (job->experiment->study || job->main.result.steps > 0) && written == CAROM_OK)
        written = draw_all(job, &writing);
    run_job_close_journal(job, status, written == CAROM_OK);
    if (status == CAROM_OK && written == CAROM_OK)
        return EXIT_DONE;
    return report_error(status != CAROM_OK ? &error : &writing);
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
        "  --sensitivity e,q:y  derivatives of all results by parameters and initial values (q:NAME, "
        "v:NAME)\n"
        "  --sides              with --sensitivity: where there are breaks the one-sided derivatives, too\n"
        "  --certify            run again with h/2 and h/4: how many digits of each measure stand\n"
        "  --accuracy A         refine the step, and choose the scheme if none is given, until the relative "
        "error\n"
        "                       of every measure is below A; A,height=B or height=B: of single measures\n"
        "  --accuracy-limit N   with --accuracy: no step below the first one divided by N; default 1000\n"
        "  --accuracy-alone     with --accuracy: bounds from runs of the scheme itself, not from "
        "event-driven\n"
        "  --out RUN.h5         write everything to a run file (carom plot draws it later)\n"
        "  --checkpoint SECONDS with --out: how much computing may be lost when the run is killed; default "
        "10.\n"
        "                       carom resume RUN.h5 goes on from the last checkpoint\n"
        "  --compress           with --out: a smaller run file, which takes longer to write\n"
        "  --csv FILE           write the outputs as CSV (- is stdout)\n"
        "  --every N            write only every N-th output to files and pictures\n"
        "  --record NAMES       only these columns to files of rows, such as y,v_y,energy: names as in CSV\n"
        "  --plot DIR           draw the pictures of the experiment into DIR (.png, .svg, .gp)\n"
        "  --report FILE.html   write a page with animation, plots, certificate, model: opens in any "
        "browser\n"
        "  --fclib DIR          write the contact problems of the steps as FCLIB files, with the start of\n"
        "                       the solver as a guess; --every N: every N-th; for carom solve --sequence\n"
        "  --vtk DIR            write the scene for ParaView: DIR/scene.pvd\n"
        "  --gltf FILE.glb      write an animated scene for Blender and the like\n"
        "  --frame-count N      how many outputs these have, evenly spaced (default: 250 at most)\n"
        "  --video FILE.mp4     write a film (also .gif, .webm); needs chromium and ffmpeg\n"
        "  --frames DIR         write its pictures: DIR/frame-00000.png ...\n"
        "  --fps N              pictures per second of a film (default: 25); --size WxH (default: 1280x720)\n"
        "  --speed S            time of the motion per second of the film; default: 1 when the motion lasts "
        "2 to\n"
        "                       60, otherwise such that the film lasts 10 s\n" JIT_HELP
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
        "  carom run bodies/dominoes --video dominoes.mp4\n"
        "  carom run ball.lua --certify\n"
        "  carom run ball.lua --accuracy 1e-3\n"
        "  carom run ball.lua --sensitivity e,q:y\n"
        "  carom run ball.lua --events impacts.csv\n"
        "  carom run chatter.h5 --set CR=-210          the run of a file again, with one change\n",
    .option_count = RUN_COUNT,
    .options = option_table,
    .run = run_run,
    .resume = resume_run,
};
