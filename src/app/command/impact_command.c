/* carom impact: one instant at which several contacts are struck, by one or several laws. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/command_pages.h"
#include "app/impact_output.h"

static const argument_option option_table[IMPACT_OPTION_COUNT] = {
    [IMPACT_MASSES] = {"--masses", true, false, 0, NULL},
    [IMPACT_BALLS] = {"--balls", true, false, 0, NULL},
    [IMPACT_DECORATED] = {"--decorated", true, false, 0, NULL},
    [IMPACT_TAPERED] = {"--tapered", true, false, 0, NULL},
    [IMPACT_STEPPED] = {"--stepped", true, false, 0, NULL},
    [IMPACT_RANDOM] = {"--random", true, false, 0, NULL},
    [IMPACT_WALL] = {"--wall", false, false, 0, NULL},
    [IMPACT_HERTZ] = {"--hertz", true, false, 0, NULL},
    [IMPACT_SLOPE] = {"--stiffness-slope", true, false, 0, NULL},
    [IMPACT_WALL_STIFFNESS] = {"--wall-stiffness", true, false, 0, NULL},
    [IMPACT_WALL_RESTITUTION] = {"--wall-restitution", true, false, 0, NULL},
    [IMPACT_SYSTEM] = {"--system", true, false, 0, NULL},
    [IMPACT_SET] = {"--set", true, true, 0, NULL},
    [IMPACT_VARIANT] = {"--variant", true, false, 0, NULL},
    [IMPACT_GAP_TOLERANCE] = {"--gap-tolerance", true, false, 0, NULL},
    [IMPACT_VELOCITY] = {"--velocity", true, false, 0, NULL},
    [IMPACT_RESTITUTION] = {"--restitution", true, false, 0, NULL},
    [IMPACT_STIFFNESS] = {"--stiffness", true, false, 0, NULL},
    [IMPACT_EXPONENT] = {"--exponent", true, false, 0, NULL},
    [IMPACT_LAW] = {"--law", true, false, 0, NULL},
    [IMPACT_ORDER] = {"--order", true, false, 0, NULL},
    [IMPACT_SEED] = {"--seed", true, false, 0, NULL},
    [IMPACT_SWEEP_ONCE] = {"--sweep-once", false, false, 0, NULL},
    [IMPACT_MAX_COLLISIONS] = {"--max-collisions", true, false, 0, NULL},
    [IMPACT_TOLERANCE] = {"--tolerance", true, false, 0, NULL},
    [IMPACT_ENERGY_TOLERANCE] = {"--energy-tolerance", true, false, 0, NULL},
    [IMPACT_METHOD] = {"--method", true, false, 0, NULL},
    [IMPACT_DT] = {"--dt", true, false, 0, NULL},
    [IMPACT_START] = {"--start", true, false, 0, NULL},
    [IMPACT_MAX_STEPS] = {"--max-steps", true, false, 0, NULL},
    [IMPACT_SEPARATING_RULE] = {"--separating", true, false, 0, NULL},
    [IMPACT_ALLOW_GAIN] = {"--allow-gain", false, false, 0, NULL},
    [IMPACT_OPTION] = {"--option", true, true, 0, NULL},
    [IMPACT_AUDIT] = {"--audit", false, false, 0, NULL},
    [IMPACT_SAMPLES] = {"--samples", true, false, 0, NULL},
    [IMPACT_APPROACHING] = {"--approaching", false, false, 0, NULL},
    [IMPACT_PLOT] = {"--plot", true, false, 0, NULL, WRITES_PICTURE},
    [IMPACT_HISTORY] = {"--history", true, false, 0, NULL, WRITES_FILE},
    [IMPACT_PLOT_HISTORY] = {"--plot-history", true, false, 0, NULL, WRITES_PICTURE},
    [IMPACT_MAP] = {"--map", true, false, 0, NULL, WRITES_PICTURE},
    [IMPACT_JSON] = {"--json", false, false, 0, NULL},
    [IMPACT_QUIET] = {"--quiet", false, false, 0, NULL},
    [IMPACT_REPORT] = {"--report", true, false, 0, NULL, WRITES_FILE},
};

/* Everything of one `carom impact`, so that it is freed in one place. */
typedef struct impact_job {
    impact_given given;
    chosen_laws laws;
    carom_audit_options audit_options;
    picture_place plot, plot_history, map;
    impact_case system;
    bool keeps_history;
    impact_history history;
    impact_outcome *outcome;
    int audit_count;
    law_audit *audit;
    int argc; /* as they were given */
    char **argv;
} impact_job;

static bool is_quiet(const impact_job *job)
{
    return impact_has(&job->given, IMPACT_QUIET);
}

/* ---- reading the command line ------------------------------------------------------------------------ */

static bool is_chain_word(const impact_given *given)
{
    return given->arguments.positional_count == 1 && strcmp(given->arguments.positional[0], "chain") == 0;
}

/* Options of one kind of system say nothing about another. */
static bool check_kind(const impact_given *given)
{
    static const int of_chain[] = {IMPACT_MASSES,         IMPACT_BALLS,           IMPACT_DECORATED,
                                   IMPACT_TAPERED,        IMPACT_STEPPED,         IMPACT_RANDOM,
                                   IMPACT_WALL,           IMPACT_HERTZ,           IMPACT_SLOPE,
                                   IMPACT_WALL_STIFFNESS, IMPACT_WALL_RESTITUTION};
    static const int of_model[] = {IMPACT_SET, IMPACT_VARIANT, IMPACT_GAP_TOLERANCE};
    const bool is_file = impact_has(given, IMPACT_SYSTEM);
    const bool is_model = given->arguments.positional_count == 1 && !is_chain_word(given);
    if (given->arguments.positional_count > 1 || (is_file && given->arguments.positional_count > 0)) {
        report_usage(&command_impact,
                     "one system at a time: a chain, --system FILE.json, or a model; got '%s'%s",
                     given->arguments.positional[0], is_file ? " and --system" : " and more");
        return false;
    }
    for (size_t i = 0; (is_file || is_model) && i < sizeof of_chain / sizeof *of_chain; i++)
        if (impact_has(given, of_chain[i])) {
            report_usage(&command_impact, "%s is for chains of balls, not for %s",
                         given->arguments.option[of_chain[i]].name, is_file ? "--system" : "models");
            return false;
        }
    for (size_t i = 0; !is_model && i < sizeof of_model / sizeof *of_model; i++)
        if (impact_has(given, of_model[i])) {
            report_usage(&command_impact, "%s is for models: carom impact MODEL.lua %s ...",
                         given->arguments.option[of_model[i]].name,
                         given->arguments.option[of_model[i]].name);
            return false;
        }
    return true;
}

/* An audit has no single outcome to draw. */
static bool check_audit(const impact_given *given)
{
    static const int of_outcome[] = {IMPACT_PLOT, IMPACT_HISTORY, IMPACT_PLOT_HISTORY, IMPACT_REPORT};
    for (size_t i = 0; impact_has(given, IMPACT_AUDIT) && i < sizeof of_outcome / sizeof *of_outcome; i++)
        if (impact_has(given, of_outcome[i])) {
            report_usage(&command_impact, "%s shows one impact; it cannot be used with --audit",
                         given->arguments.option[of_outcome[i]].name);
            return false;
        }
    return true;
}

static bool read_command_line(impact_job *job, int argc, char **argv)
{
    impact_given *given = &job->given;
    return parse_arguments(&command_impact, argc, argv, &given->arguments) && check_kind(given) &&
           check_audit(given) && read_laws(given, &job->laws) &&
           read_audit_options(given, &job->audit_options) &&
           read_picture_place(&command_impact, &given->arguments, &given->arguments.option[IMPACT_PLOT],
                              "impact", &job->plot) &&
           read_picture_place(&command_impact, &given->arguments,
                              &given->arguments.option[IMPACT_PLOT_HISTORY], "impact", &job->plot_history) &&
           read_picture_place(&command_impact, &given->arguments, &given->arguments.option[IMPACT_MAP],
                              "impact", &job->map);
}

/* ---- the system -------------------------------------------------------------------------------------- */

static bool make_system(impact_job *job, carom_error *error)
{
    impact_given *given = &job->given;
    impact_case *made = &job->system;
    made->arena = carom_arena_create();
    if (!made->arena) {
        carom_fail_memory(error);
        return false;
    }
    const bool done = impact_has(given, IMPACT_SYSTEM) ? make_impact_system(given, made, error)
                      : given->arguments.positional_count == 1 && !is_chain_word(given)
                          ? make_impact_model(given, made, error)
                          : make_impact_chain(given, made, error);
    if (!done || !choose_default_law(given, &made->impact, &job->laws, error))
        return false;
    made->gamma = carom_arena_take(made->arena, (size_t)made->impact.contacts, sizeof *made->gamma);
    job->outcome = carom_arena_take(made->arena, (size_t)job->laws.count, sizeof *job->outcome);
    job->audit = carom_arena_take(made->arena, (size_t)job->laws.count, sizeof *job->audit);
    if (!made->gamma || !job->outcome || !job->audit) {
        carom_fail_memory(error);
        return false;
    }
    contact_velocities(&made->impact, made->impact.velocity, made->gamma);
    return true;
}

/* A file that cannot be written is found before the work. */
static carom_status check_history_file(const impact_job *job, carom_error *error)
{
    const char *path = impact_value(&job->given, IMPACT_HISTORY);
    return path ? carom_output_try(path, error) : CAROM_OK;
}

/* ---- pictures and files ------------------------------------------------------------------------------ */

static carom_status tell_picture(const impact_job *job, const picture_place *place, carom_status status)
{
    if (status == CAROM_OK)
        report_picture(place, is_quiet(job));
    return status;
}

/* The first thing that goes wrong is told; the others are done all the same. */
static int write_files(impact_job *job, const impact_output *output)
{
    const impact_given *given = &job->given;
    carom_error error[4] = {0};
    carom_status status[4] = {CAROM_OK, CAROM_OK, CAROM_OK, CAROM_OK};
    if (impact_has(given, IMPACT_HISTORY))
        status[0] =
            write_impact_history(impact_value(given, IMPACT_HISTORY), &job->system, &job->history, &error[0]);
    if (job->plot.name)
        status[1] = tell_picture(job, &job->plot, draw_impact(output, &job->plot, &error[1]));
    if (job->plot_history.name)
        status[2] =
            tell_picture(job, &job->plot_history,
                         draw_impact_history(&job->system, &job->history, &job->plot_history, &error[2]));
    if (job->map.name)
        status[3] = tell_picture(job, &job->map, draw_impact_map(&job->system, &job->map, &error[3]));
    int exit_status = EXIT_DONE;
    for (int i = 0; i < 4; i++)
        if (status[i] != CAROM_OK) {
            const int this_one = report_error(&error[i]);
            exit_status = exit_status > this_one ? exit_status : this_one;
        }
    return exit_status;
}

/* ---- one impact -------------------------------------------------------------------------------------- */

static int exit_status_of(const impact_job *job)
{
    int exit_status = EXIT_DONE, computed = 0, failed = 0;
    for (int i = 0; i < job->laws.count; i++) {
        const impact_outcome *outcome = &job->outcome[i];
        const bool is_good = outcome->status == CAROM_OK && (outcome->result.word == CAROM_IMPACT_OK ||
                                                             outcome->result.word == CAROM_IMPACT_NONE);
        computed += outcome->status == CAROM_OK;
        failed += outcome->status == CAROM_FAILED;
        if (outcome->status == CAROM_BAD_INPUT && !job->laws.all)
            return EXIT_BAD_INPUT;
        if (outcome->status == CAROM_FAILED || (outcome->status == CAROM_OK && !is_good))
            exit_status = EXIT_COMPUTATION_FAILED;
    }
    return computed + failed > 0 ? exit_status : EXIT_BAD_INPUT;
}

static int execute_impact(impact_job *job)
{
    carom_error error = {0};
    const impact_output output = {&job->system, &job->laws, job->outcome};
    job->keeps_history = impact_has(&job->given, IMPACT_HISTORY) || job->plot_history.name;
    carom_status status = check_history_file(job, &error);
    if (status == CAROM_OK && impact_has(&job->given, IMPACT_REPORT))
        status = carom_page_check(impact_value(&job->given, IMPACT_REPORT), &error);
    if (status == CAROM_OK && job->keeps_history &&
        !start_impact_history(job->system.arena, &job->system.impact, &job->history))
        status = carom_fail_memory(&error);
    if (status == CAROM_OK)
        status = compute_outcomes(&job->system, &job->laws, job->keeps_history ? &job->history : NULL,
                                  job->outcome, &error);
    if (status != CAROM_OK)
        return report_error(&error);
    if (impact_has(&job->given, IMPACT_JSON))
        print_impact_json(&output);
    else if (!is_quiet(job))
        print_impact_text(&output);
    const int computed = exit_status_of(job);
    for (int i = 0; i < job->laws.count && (!is_quiet(job) || computed != EXIT_DONE); i++)
        print_impact_warnings(&output, &job->outcome[i]);
    if (job->laws.count == 1 && job->outcome->status != CAROM_OK)
        return computed;
    const int written = write_files(job, &output);
    const char *report = impact_value(&job->given, IMPACT_REPORT);
    if (report && page_of_impact(&output, job->argc, job->argv, report, &error) != CAROM_OK)
        return report_error(&error);
    if (report && !is_quiet(job))
        fprintf(stderr, "report: %s\n", report);
    return computed > written ? computed : written;
}

/* ---- audit and map ----------------------------------------------------------------------------------- */

static int execute_audit(impact_job *job)
{
    carom_error error = {0};
    const carom_progress progress = progress_begin(is_quiet(job), "samples");
    carom_status status = CAROM_OK;
    for (int i = 0; status == CAROM_OK && i < job->laws.count; i++) {
        status = audit_law(&job->system, job->laws.law[i], &job->laws.options[i], &job->audit_options,
                           &progress, &job->audit[job->audit_count], &error);
        if (status == CAROM_BAD_INPUT && job->laws.all) {
            fprintf(stderr, "carom: warning: %s: %s\n", job->laws.law[i]->name, error.text);
            carom_audit_free(job->audit[job->audit_count].audit);
            job->audit[job->audit_count] = (law_audit){0};
            status = CAROM_OK;
            continue;
        }
        job->audit_count += job->audit[job->audit_count].audit != NULL;
    }
    progress_end();
    if (status != CAROM_OK)
        return report_error(&error);
    if (impact_has(&job->given, IMPACT_JSON))
        print_audits_json(&job->given, &job->system, &job->audit_options, job->audit_count, job->audit);
    for (int i = 0; !impact_has(&job->given, IMPACT_JSON) && !is_quiet(job) && i < job->audit_count; i++) {
        if (i > 0)
            printf("\n");
        print_audit_text(&job->given, &job->system, &job->audit_options, &job->audit[i]);
    }
    return write_files(job, NULL);
}

static int execute(impact_job *job)
{
    carom_error error = {0};
    if (!make_system(job, &error))
        return error.text[0] ? report_error(&error) : EXIT_BAD_INPUT;
    const int contacts = job->system.impact.contacts;
    if (job->map.name && contacts != 2)
        return report_usage(&command_impact,
                            "--map shows the restitutions of two contacts; this system has %d", contacts);
    return impact_has(&job->given, IMPACT_AUDIT) ? execute_audit(job) : execute_impact(job);
}

static int run_impact(int argc, char **argv)
{
    impact_job job = {.argc = argc, .argv = argv};
    int exit_status = EXIT_BAD_INPUT;
    if (read_command_line(&job, argc, argv))
        exit_status = execute(&job);
    for (int i = 0; i < job.audit_count; i++)
        carom_audit_free(job.audit[i].audit);
    free_impact_case(&job.system);
    free_arguments(&job.given.arguments);
    return exit_status;
}

const command command_impact = {
    .name = "impact",
    .usage =
        "carom impact --masses A,B,...|--balls N|--system FILE.json|MODEL [--velocity V,...] [--law L,...] "
        "[--restitution E,...] [--json] ...",
    .summary = "one impact at several contacts, by one or several laws",
    .help =
        "the system\n"
        "  --masses A,B,...         balls in a row on a line, all touching; or\n"
        "  --balls N                N equal ones of mass 1, or with\n"
        "    --decorated EPS          masses 1, EPS, 1, EPS, ...\n"
        "    --tapered R              each ball R times the one before\n"
        "    --stepped M              the second half with mass M\n"
        "    --random SEED            1/2 + u, u uniform\n"
        "  --wall                   a rigid wall behind the last ball: one contact more\n"
        "  --hertz E,NU,R[,RHO]     stiffness from modulus, Poisson's ratio and radius; masses from the "
        "density\n"
        "  --stiffness-slope A      stiffness 1, 1 + A, 1 + 2 A, ...; below 0: from the other end\n"
        "  --wall-stiffness K, --wall-restitution E   of the contact with the wall\n"
        "  --system FILE.json       {\"M\": [...] or [[...]], \"W\": [[...]], \"velocity\": [...], "
        "\"restitution\": ...}\n"
        "  MODEL                    experiment or model file: its closed contacts at the start\n"
        "    --set name=value, --variant NAME, --gap-tolerance G (closed is up to G; default 1e-9)\n"
        "  --velocity V,...         before; default: the first ball 1, with a wall all of them\n"
        "  --restitution E,...      one value, or one per contact; default: 1\n"
        "  --stiffness K,..., --exponent N,...   of the force K x^N, for lzb; default: 1 and 1.5\n"
        "\n"
        "the law\n"
        "  --law L,M,...            {impact laws}, or several; all;\n"
        "                           default: moreau, or newton where restitutions differ\n"
        "  --separating keep|project   what is left where a closed contact separates; default: keep\n"
        "  --allow-gain             restitution above 1\n"
        "  --order lr|rl|random, --seed N, --sweep-once, --max-collisions N     binary\n"
        "  --tolerance V            slower approaches are none (binary, lzb)\n"
        "  --method events|time|impulse|implicit (x, t, p, i), --dt H, --start half|exact, --max-steps N,\n"
        "  --energy-tolerance E     lzb; --dt is the step of time, of impulse with --method impulse\n"
        "  --option NAME=VALUE      any option of a chosen law, by its name\n"
        "\n"
        "what comes out\n"
        "  --report FILE.html     a page with velocities before and after, and what the laws conserve\n"
        "  --json                   one JSON object on stdout\n"
        "  --plot FILE.svg          velocities before and after, a colour per law (.svg, .png, .gp, .dat)\n"
        "  --history FILE.csv       lzb: energies and forces of the first 20 contacts, velocities, over "
        "time\n"
        "  --plot-history FILE.svg  the energies as a picture\n"
        "  --map FILE.svg           two contacts: where in the square of restitutions Newton's law is "
        "monotone\n"
        "  --audit                  samples velocities and tests what theory asks of the law\n"
        "    --samples N, --seed N, --approaching (only impacts in which every contact approaches)\n"
        "  --quiet                  no table\n"
        "\n"
        "exit status: 0 done, or no impact; 1 not converged, infeasible or ended by rounding (the result is\n"
        "printed all the same); 2 bad usage or bad input\n"
        "\n"
        "examples\n"
        "  carom impact --masses 1,2,3 --velocity 2,0.5,-1 --law moreau --restitution 0.6\n"
        "  carom impact --balls 5 --law all --plot cradle.svg\n"
        "  carom impact --balls 10 --wall --law binary --order rl --restitution 0.9 --json\n"
        "  carom impact --balls 20 --law lzb --exponent 1 --plot-history wave.png\n"
        "  carom impact --hertz 203e9,0.3,0.01,7780 --balls 10 --law lzb\n"
        "  carom impact --masses 1,1,1 --restitution 1,0 --law newton --audit\n"
        "  carom impact --system block.json --law newton,poisson --map block.svg\n",
    .option_count = IMPACT_OPTION_COUNT,
    .options = option_table,
    .run = run_impact,
};
