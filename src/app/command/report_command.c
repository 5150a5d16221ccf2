/* carom report: the page of a run file, from what the file holds, or a film of it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/film.h"
#include "app/run_source.h"
#include "carom/io/page.h"
#include "carom/io/report.h"

enum {
    OPTION_OUTPUT,
    OPTION_QUIET,
    OPTION_FILM,
    OPTION_COUNT = OPTION_FILM + FILM_OPTIONS
};

/* RUN.html beside RUN.h5. */
static char *page_name(carom_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    const size_t length = dot && dot > (slash ? slash + 1 : path) ? (size_t)(dot - path) : strlen(path);
    char *name = carom_arena_take(arena, length + sizeof ".html", 1);
    if (name) {
        memcpy(name, path, length);
        memcpy(name + length, ".html", sizeof ".html");
    }
    return name;
}

static carom_status write_page(const run_source *run, const char *given, const char *path, carom_error *error)
{
    const char *const words[] = {"carom", "run", given,
                                 NULL}; /* what repeats it: a run file can be run again */
    const carom_report_source source = {.experiment = run->experiment,
                                        .stored = &run->file->main,
                                        .family = run->source.family,
                                        .command = words};
    return carom_report_run(&source, path, error);
}

/* The film's page is one of its own: what a run file holds, and nothing beside it. */
static carom_status make_film(film *wanted, const run_source *run, const char *file, carom_error *error)
{
    carom_status status = film_open(wanted, error);
    if (status != CAROM_OK)
        return status;
    char *path = film_page_path(wanted);
    status = path ? write_page(run, file, path, error) : carom_fail_memory(error);
    free(path);
    return status == CAROM_OK ? film_make(wanted, error) : status;
}

/* A film alone needs no page that stays. */
static carom_status report_file(arguments *given, film *wanted, carom_error *error)
{
    const char *file = given->positional[0];
    const bool films = film_is_wanted(wanted), pages = has_option(given, OPTION_OUTPUT) || !films;
    const char *path =
        has_option(given, OPTION_OUTPUT) ? value_of(given, OPTION_OUTPUT) : page_name(given->arena, file);
    run_source run = {0};
    if (!path)
        return carom_fail_memory(error);
    carom_status status = pages ? carom_page_check(path, error) : carom_page_can_be_made(error);
    if (status == CAROM_OK && films)
        status = film_check(wanted, error);
    if (status == CAROM_OK)
        status = run_source_open(file, &run, error);
    if (status == CAROM_OK && pages)
        status = write_page(&run, file, path, error);
    if (status == CAROM_OK && pages && !has_option(given, OPTION_QUIET))
        fprintf(stderr, "report: %s\n", path);
    if (status == CAROM_OK && films)
        status = make_film(wanted, &run, file, error);
    run_source_close(&run);
    return status;
}

static const argument_option option_table[OPTION_COUNT] = {
    [OPTION_OUTPUT] = {"-o", true, false, 0, NULL, WRITES_FILE},
    [OPTION_QUIET] = {"--quiet", false, false, 0, NULL},
    [OPTION_FILM + FILM_OPTION_VIDEO] = {"--video", true, false, 0, NULL, WRITES_FILE},
    [OPTION_FILM + FILM_OPTION_FRAMES] = {"--frames", true, false, 0, NULL, WRITES_FOLDER},
    [OPTION_FILM + FILM_OPTION_FPS] = {"--fps", true, false, 0, NULL},
    [OPTION_FILM + FILM_OPTION_SIZE] = {"--size", true, false, 0, NULL},
    [OPTION_FILM + FILM_OPTION_SPEED] = {"--speed", true, false, 0, NULL}};

static int run_report(int argc, char **argv)
{
    arguments given;
    film wanted = {0};
    int exit_status = EXIT_BAD_INPUT;
    if (parse_arguments(&command_report, argc, argv, &given) &&
        film_read_options(&wanted, &command_report, &given, OPTION_FILM, has_option(&given, OPTION_QUIET))) {
        carom_error error = {0};
        if (given.positional_count != 1)
            exit_status = report_usage(&command_report, "which run file?");
        else if (report_file(&given, &wanted, &error) != CAROM_OK)
            exit_status = report_error(&error);
        else
            exit_status = EXIT_DONE;
    }
    film_free(&wanted);
    free_arguments(&given);
    return exit_status;
}

const command command_report = {
    .name = "report",
    .usage = "carom report RUN.h5 [-o FILE.html] [--video FILE.mp4]",
    .summary = "the page of a run file: animation, plots, certificate, model",
    .help = "  -o FILE.html    the page (default: the name of the run file, with .html)\n"
            "  --video FILE    a film (.mp4, .gif, .webm); --frames DIR: its pictures. With --fps N, --size "
            "WxH and\n"
            "                  --speed S as in carom run; without -o there is no page then\n"
            "  --quiet         does not say where it is\n"
            "\n"
            "The page opens in any browser, and needs nothing beside it. carom run --report makes it at "
            "once, with the\n"
            "impulses between bodies, which run files do not hold.\n"
            "\n"
            "example\n"
            "  carom run moreau-1986/trial-08 --out bar.h5 && carom report bar.h5 -o bar.html\n",
    .option_count = OPTION_COUNT,
    .options = option_table,
    .run = run_report,
};
