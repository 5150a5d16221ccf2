/* The program from one call to its exit status: finds the subcommand and runs it. */
#include <errno.h>
#include <fcntl.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "carom/version.h"
#include "crew.h"

/* An allocation failed while something was put together to be printed. */
static bool output_is_lost;

const char *whole_text(const carom_text *text)
{
    if (text->failed)
        output_is_lost = true;
    return text->failed || !text->bytes ? "" : text->bytes;
}

void report_loss(void)
{
    output_is_lost = true;
}

void print_whole(carom_text *text)
{
    puts(whole_text(text));
    carom_text_free(text);
}

void print_foreign(FILE *stream, const char *text)
{
    carom_text plain = {0};
    carom_text_append_plain(&plain, text);
    fputs(whole_text(&plain), stream);
    carom_text_free(&plain);
}

/* A message says why the command fails; memory is the reason of one. */
static bool is_explained, memory_failed;

int report_error(const carom_error *error)
{
    is_explained = true;
    memory_failed = memory_failed || error->status == CAROM_NO_MEMORY;
    fprintf(stderr, "carom: %s\n", error->text);
    switch (error->status) {
    case CAROM_BAD_INPUT:
        return EXIT_BAD_INPUT;
    default:
        return EXIT_COMPUTATION_FAILED;
    }
}

void report_reason(const char *format, ...)
{
    va_list list;
    is_explained = true;
    fputs("carom: ", stderr);
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputs("\n", stderr);
}

int report_usage(const command *self, const char *format, ...)
{
    char text[1000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    is_explained = true;
    fprintf(stderr, "carom %s: ", self->name);
    print_foreign(stderr, text);
    fprintf(stderr, "\nusage: %s\n(carom help %s tells more)\n", self->usage, self->name);
    return EXIT_BAD_INPUT;
}

void tell_journal(const char *path)
{
    fprintf(stderr, "carom: %s.part keeps what is done: whatever stops this, carom-mpi resume %s goes on\n",
            path, path);
}

static int unknown_command(const char *name, const char *nearest)
{
    is_explained = true;
    fputs("carom: unknown command '", stderr);
    print_foreign(stderr, name);
    fputs("'", stderr);
    if (nearest)
        fprintf(stderr, "; did you mean '%s'?", nearest);
    fprintf(stderr, "\n(carom help lists the commands)\n");
    return EXIT_BAD_INPUT;
}

/* Occupies the descriptors of standard streams that the caller closed. Otherwise the next file that is opened gets the number 1, and
 * what is printed goes into it. Reading and writing the stand-in fail. Returns whether standard output was closed. */
static bool occupy_streams(void)
{
    bool is_closed = false;
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        const bool closed = fcntl(stream, F_GETFD) == -1 && errno == EBADF;
        if (closed && open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            break;
        is_closed = is_closed || (closed && stream == STDOUT_FILENO);
    }
    return is_closed;
}

/* What was printed must have arrived. A command that prints nothing needs no standard output. */
static int close_stdout(int exit_status, bool was_closed)
{
    errno = 0;
    const bool failed = ferror(stdout) != 0 || fflush(stdout) != 0;
    const int reason = errno;
    if (fclose(stdout) == 0 && !failed && !output_is_lost)
        return exit_status;
    fprintf(stderr, "carom: writing to standard output failed: %s\n",
            output_is_lost ? "not enough memory"
            : was_closed   ? "it is closed"
            : reason       ? strerror(reason)
                           : "it is not complete");
    return exit_status == EXIT_DONE ? EXIT_COMPUTATION_FAILED : exit_status;
}

/* --help may come to mind after the other words of a command. */
static bool asks_for_help(int count, char **word)
{
    for (int i = 0; i < count && strcmp(word[i], "--") != 0; i++)
        if (strcmp(word[i], "--help") == 0 || (i == 0 && strcmp(word[i], "-h") == 0))
            return true;
    return false;
}

static int run_command(int argc, char **argv)
{
    if (argc < 2) {
        char help[] = "help";
        char *alone[] = {help, NULL};
        return command_help.run(1, alone);
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("carom %s\n", CAROM_VERSION);
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return command_help.run(argc - 1, argv + 1);
    const char *nearest = NULL;
    const command *found = command_find(argv[1], &nearest);
    if (!found)
        return unknown_command(argv[1], nearest);
    if (asks_for_help(argc - 2, argv + 2)) {
        char *about[] = {argv[0], argv[1], NULL};
        return command_help.run(2, about);
    }
    return found->run(argc - 1, argv + 1);
}

/* Readers of arguments fail after a message, or, without one, if an allocation fails. Memory that runs out is no bad input. */
static int explain(int exit_status)
{
    if (exit_status == EXIT_BAD_INPUT && !is_explained) {
        carom_error error = {0};
        carom_fail_memory(&error);
        return report_error(&error);
    }
    return exit_status == EXIT_BAD_INPUT && memory_failed ? EXIT_COMPUTATION_FAILED : exit_status;
}

/* Surveys take and give back the memory of a run again and again: what the system would get back and clear each time is kept. */
static void keep_memory(void)
{
#ifdef __GLIBC__
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

int program_run(int argc, char **argv)
{
    const bool closed = occupy_streams();
    keep_memory();
    signal(SIGXFSZ, SIG_IGN); /* a limit of file sizes is a failed write, which is told, not the end */
    carom_run_reproducibly(); /* surveys share the cores among their runs */
    return close_stdout(explain(run_command(argc, argv)), closed);
}
