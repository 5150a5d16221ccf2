/* Tapes through the C compiler of the system: source, compiler, cache, and the code that comes back. */
#include "app/jit.h"

#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "app/command.h"
#include "app/parts/process.h"
#include "cache.h"
#include "carom/version.h"

enum {
    INSTRUCTIONS_MOST = 200000 /* some ten seconds of a compiler */
};
static const double SECONDS_MOST = 300.0;

/* Same bits as the interpreter: no contraction, and no sin and cos made one. -O2 takes twice the time for code that is no faster. */
static const char *const flags[] = {"-O1",          "-fPIC",           "-shared", "-ffp-contract=off",
                                    "-fno-builtin", "-fno-math-errno", "-w",      "-o",
                                    "model.so",     "model.c",         "-lm"};

static const char *find_compiler(void)
{
    static const char *const known[] = {"cc", "gcc", "clang"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (process_is_installed(known[i]))
            return known[i];
    return NULL;
}

/* ---- compiling ------------------------------------------------------------------------------------------ */

static bool write_source(const char *path, const carom_text *source)
{
    FILE *stream = fopen(path, "wb");
    const bool written = stream && fwrite(source->bytes, 1, source->length, stream) == source->length;
    return stream && fclose(stream) == 0 && written;
}

/* In a folder of its own: model.c becomes model.so. */
static carom_status run_compiler(const char *compiler, const char *folder, carom_error *error)
{
    enum {
        FLAGS = sizeof flags / sizeof *flags
    };
    char *argument[FLAGS + 2], *log = process_join(folder, "messages");
    if (!log)
        return carom_fail_memory(error);
    argument[0] = (char *)compiler;
    for (int i = 0; i < FLAGS; i++)
        argument[i + 1] = (char *)flags[i];
    argument[FLAGS + 1] = NULL;
    const process_place place = {.directory = folder, .log = log, .temporary = folder, .pipe = -1};
    pid_t child;
    int ended = 0;
    struct sigaction interrupt, terminate; /* as they were: who follows another process has none of its own */
    sigaction(SIGINT, NULL, &interrupt);
    sigaction(SIGTERM, NULL, &terminate);
    progress_begin(true, ""); /* Ctrl-C ends the compiler, too, and what it has begun is removed */
    carom_status status = process_start(argument, &place, &child, error);
    if (status == CAROM_OK && !process_wait(child, SECONDS_MOST, &ended)) {
        process_kill(child);
        status = carom_fail(
            error, CAROM_FAILED,
            progress_is_stopped() ? "interrupted while %s compiles" : "%s does not come to an end", compiler);
    } else if (status == CAROM_OK && !(WIFEXITED(ended) && WEXITSTATUS(ended) == 0)) {
        char words[256];
        process_last_words(log, words, sizeof words);
        status = carom_fail(error, CAROM_FAILED, "%s fails: %s", compiler, words);
    }
    sigaction(SIGINT, &interrupt, NULL);
    sigaction(SIGTERM, &terminate, NULL);
    free(log);
    return status;
}

/* The path of the compiled source in the cache; NULL with a reason. */
static char *compile(const char *compiler, const char *cache, const char *key, const carom_text *source,
                     carom_error *error)
{
    char *folder = process_join(cache, "work-XXXXXX"), *code = NULL;
    if (!folder || !mkdtemp(folder)) {
        carom_fail(error, CAROM_IO_ERROR, "cannot make a folder in %s: %s", cache, strerror(errno));
        free(folder);
        return NULL;
    }
    char *path = process_join(folder, "model.c");
    if (!path || !write_source(path, source))
        carom_fail(error, CAROM_IO_ERROR, "cannot write to %s: %s", folder, strerror(errno));
    else if (run_compiler(compiler, folder, error) == CAROM_OK)
        code = cache_take(cache, key, folder, error);
    free(path);
    process_remove_folder(folder);
    free(folder);
    return code;
}

/* ---- code ----------------------------------------------------------------------------------------------- */

static carom_tape_code *find_code(void *context, const char *name)
{
    carom_tape_code *code = NULL;
    void *const symbol = dlsym(context, name);
    memcpy(&code, &symbol, sizeof code); /* POSIX: pointers to functions fit */
    return code;
}

static carom_status attach(carom_experiment *experiment, const char *path, carom_error *error)
{
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* for as long as the program runs */
    if (!library)
        return carom_fail(error, CAROM_IO_ERROR, "cannot load %s", path);
    int tapes = 0;
    const int attached = carom_graph_attach(experiment->graph, find_code, library, &tapes);
    return attached == tapes
               ? CAROM_OK
               : carom_fail(error, CAROM_FAILED, "%d of %d parts of the model do not give the same bits",
                            tapes - attached, tapes);
}

/* What the code depends on stands in the text. */
static carom_status make_source(const carom_experiment *experiment, const char *compiler, carom_text *source,
                                carom_error *error)
{
    carom_text_append(source, "/* carom %s, compiled by %s", CAROM_VERSION, compiler);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        carom_text_append(source, " %s", flags[i]);
    carom_text_append(source, " */\n");
    const size_t instructions = carom_graph_source(experiment->graph, source);
    if (source->failed)
        return carom_fail_memory(error);
    return instructions <= INSTRUCTIONS_MOST
               ? CAROM_OK
               : carom_fail(error, CAROM_FAILED,
                            "it has %zu instructions; %d would take a compiler long enough", instructions,
                            INSTRUCTIONS_MOST);
}

static carom_status use(carom_experiment *experiment, carom_error *error)
{
    const char *compiler = find_compiler();
    if (!compiler)
        return carom_fail(error, CAROM_FAILED, "there is no C compiler (cc, gcc or clang)");
    carom_text source = {0};
    char key[CACHE_KEY_SIZE], *cache = NULL, *code = NULL;
    carom_status status = make_source(experiment, compiler, &source, error);
    if (status == CAROM_OK) {
        cache = cache_open(error);
        status = cache ? CAROM_OK : CAROM_IO_ERROR;
    }
    if (status == CAROM_OK) {
        cache_key(&source, key);
        code = cache_find(cache, key, &source);
        status = code ? attach(experiment, code, error) : CAROM_IO_ERROR;
        if (status == CAROM_IO_ERROR) { /* it is not there, or damaged */
            free(code);
            code = compile(compiler, cache, key, &source, error);
            status = code ? attach(experiment, code, error) : CAROM_FAILED;
        }
    }
    free(code);
    free(cache);
    carom_text_free(&source);
    return status;
}

void jit_use(carom_experiment *experiment)
{
    carom_error error = {0};
    if (experiment->graph && use(experiment, &error) != CAROM_OK)
        fprintf(stderr, "carom: --jit: %s: the model is computed as without it\n", error.text);
}
