/* Other programs, and folders in which they work. */
#include "process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "app/command.h"

enum {
    EXIT_NOT_READY = 125,
    EXIT_NOT_STARTED = 126,
    BROWSER_READS = 3, /* descriptors of --remote-debugging-pipe */
    BROWSER_WRITES = 4,
    FREE_DESCRIPTOR = 10
};

char *process_join(const char *directory, const char *name)
{
    const size_t length = strlen(directory) + strlen(name) + 2;
    char *path = carom_new_array(length, 1);
    if (path)
        snprintf(path, length, "%s/%s", directory, name);
    return path;
}

static bool is_program(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && S_ISREG(info.st_mode) && access(path, X_OK) == 0;
}

bool process_is_installed(const char *program)
{
    const char *folder = getenv("PATH");
    bool found = false;
    while (folder && !found) {
        const char *end = strchr(folder, ':');
        const int length = end ? (int)(end - folder) : (int)strlen(folder);
        carom_text path = {0};
        carom_text_append(&path, "%.*s/%s", length > 0 ? length : 1, length > 0 ? folder : ".", program);
        found = !path.failed && is_program(path.bytes);
        carom_text_free(&path);
        folder = end ? end + 1 : NULL;
    }
    return found;
}

/* ---- a child --------------------------------------------------------------------------------------- */

static bool take_pipe(int socket)
{
    const int high = fcntl(socket, F_DUPFD_CLOEXEC, FREE_DESCRIPTOR);
    return high >= 0 && dup2(high, BROWSER_READS) >= 0 && dup2(high, BROWSER_WRITES) >= 0;
}

extern char **environ;

/* The environment with another folder for temporary files, so that nothing is left of a program that is killed. It is made before the
 * fork; *word is free'd with it. */
static char **make_environment(const char *temporary, char **word)
{
    static const char name[] = "TMPDIR=";
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    const size_t length = strlen(name) + strlen(temporary) + 1;
    char **list = carom_new_array(count + 2, sizeof *list);
    *word = carom_new_array(length, 1);
    if (!list || !*word)
        return list;
    for (size_t i = 0; i < count; i++)
        if (strncmp(environ[i], name, strlen(name)) != 0)
            list[kept++] = environ[i];
    snprintf(*word, length, "%s%s", name, temporary);
    list[kept++] = *word;
    list[kept] = NULL;
    return list;
}

/* In the child process: only calls that are safe after fork. A group of its own: Ctrl-C is for carom, which ends it. */
static void become(char *const *argument, const process_place *place, int messages, char **environment)
{
    const int nothing = open("/dev/null", O_RDWR);
    setpgid(0, 0);
    if (nothing < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(messages, STDOUT_FILENO) < 0 ||
        dup2(messages, STDERR_FILENO) < 0 || (place->directory && chdir(place->directory) != 0) ||
        (place->pipe >= 0 && !take_pipe(place->pipe)))
        _exit(EXIT_NOT_READY);
    environ = environment;
    execvp(argument[0], argument);
    _exit(EXIT_NOT_STARTED);
}

static carom_status start(char *const *argument, const process_place *place, char **environment, pid_t *child,
                          carom_error *error)
{
    const int messages = open(place->log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (messages < 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot write %s: %s", place->log, strerror(errno));
    *child = fork();
    if (*child == 0)
        become(argument, place, messages, environment);
    const int failure = errno;
    close(messages);
    if (*child < 0)
        return carom_fail(error, CAROM_IO_ERROR, "cannot start %s: %s", argument[0], strerror(failure));
    setpgid(*child, *child); /* here, too: whoever comes first */
    return CAROM_OK;
}

carom_status process_start(char *const *argument, const process_place *place, pid_t *child,
                           carom_error *error)
{
    char *word = NULL, **environment = place->temporary ? make_environment(place->temporary, &word) : NULL;
    *child = -1;
    const carom_status status =
        place->temporary && (!environment || !word)
            ? carom_fail_memory(error)
            : start(argument, place, environment ? environment : environ, child, error);
    free(environment);
    free(word);
    return status;
}

void process_pause(double seconds)
{
    const struct timespec time = {.tv_sec = (time_t)seconds,
                                  .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

bool process_wait(pid_t child, double seconds, int *exit_status)
{
    const double end = carom_seconds() + seconds;
    for (;;) {
        const pid_t ended = waitpid(child, exit_status, WNOHANG);
        if (ended == child || (ended < 0 && errno != EINTR))
            return ended == child;
        if (carom_seconds() >= end || progress_is_stopped())
            return false;
        process_pause(0.02);
    }
}

void process_kill(pid_t child)
{
    int exit_status;
    if (child <= 0)
        return;
    kill(-child, SIGKILL);
    while (waitpid(child, &exit_status, 0) < 0 && errno == EINTR)
        continue;
}

void process_last_words(const char *log, char *words, size_t size)
{
    char line[512];
    FILE *stream = fopen(log, "r");
    words[0] = '\0';
    while (stream && fgets(line, sizeof line, stream)) {
        line[strcspn(line, "\r\n")] = '\0';
        if (line[strspn(line, " \t")])
            snprintf(words, size, "%s", line);
    }
    if (stream)
        fclose(stream);
}

/* ---- folders --------------------------------------------------------------------------------------- */

/* Takes over the descriptor. Symbolic links are removed, not followed. */
static void empty_folder(int descriptor)
{
    DIR *folder = fdopendir(descriptor);
    if (!folder) {
        close(descriptor);
        return;
    }
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(descriptor, entry->d_name, 0) == 0)
            continue;
        const int inner = openat(descriptor, entry->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
        if (inner >= 0)
            empty_folder(inner);
        unlinkat(descriptor, entry->d_name, AT_REMOVEDIR);
    }
    closedir(folder);
}

void process_remove_folder(const char *path)
{
    const int descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor >= 0)
        empty_folder(descriptor);
    rmdir(path);
}
