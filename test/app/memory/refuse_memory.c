/* Preloaded (LD_PRELOAD) by the program under test: refuses calls for memory.
 *
 *   CAROM_REFUSE=N        the N-th call of malloc, calloc or realloc since main() fails; with CAROM_REFUSE_ON=1 all later ones, too
 *   CAROM_REFUSE_COUNT=F  at the end the number of calls is written to the file F
 *   CAROM_REFUSE_TELL=1   standard error gets the addresses of the call that fails, for addr2line
 *
 * Calls of libraries that do not survive a refusal are not counted: HDF5, the C++ library with CLP, and CVODE's context, for which
 * carom asks for room itself before. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *old, size_t size);

enum {
    RANGES_MAX = 64,
    FRAMES = 16
};

typedef struct address_range {
    uintptr_t begin, end;
} address_range;

typedef struct range_list {
    address_range range[RANGES_MAX];
    int count;
} range_list;

static range_list spared, c_library;
static long asked, refused;
static bool counts, goes_on, tells;

/* ---- libraries that are spared ------------------------------------------------------------------------------------- */

static bool is_spared_library(const char *name)
{
    static const char *const part[] = {"libhdf5",     "libstdc++", "libClp",  "libCoin",
                                       "libopenblas", "libgomp",   "ld-linux"};
    for (size_t i = 0; i < sizeof part / sizeof *part; i++)
        if (name && strstr(name, part[i]))
            return true;
    return false;
}

static int note_library(struct dl_phdr_info *info, size_t size, void *context)
{
    (void)size, (void)context;
    range_list *list = is_spared_library(info->dlpi_name)                      ? &spared
                       : info->dlpi_name && strstr(info->dlpi_name, "libc.so") ? &c_library
                                                                               : NULL;
    for (int i = 0; list && i < info->dlpi_phnum && list->count < RANGES_MAX; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD) {
            const uintptr_t begin = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            list->range[list->count++] = (address_range){begin, begin + info->dlpi_phdr[i].p_memsz};
        }
    return 0;
}

static bool is_in(const range_list *list, const void *place)
{
    for (int i = 0; i < list->count; i++)
        if ((uintptr_t)place >= list->range[i].begin && (uintptr_t)place < list->range[i].end)
            return true;
    return false;
}

/* Also by way of the C library: strdup, vasprintf. */
static bool is_spared(const void *caller)
{
    if (is_in(&spared, caller))
        return true;
    if (!is_in(&c_library, caller))
        return false;
    void *frame[FRAMES];
    counts = false;
    const int frames = backtrace(frame, FRAMES);
    counts = true;
    for (int i = 0; i < frames; i++)
        if (is_in(&spared, frame[i]))
            return true;
    return false;
}

int SUNContext_Create(void *communicator, void *context);
int SUNContext_Create(void *communicator, void *context)
{
    int (*create)(void *, void *) = NULL;
    *(void **)&create = dlsym(RTLD_NEXT, "SUNContext_Create");
    const bool before = counts;
    counts = false;
    const int status = create(communicator, context);
    counts = before;
    return status;
}

/* ---- calls ----------------------------------------------------------------------------------------------------------- */

static void tell(void)
{
    void *frame[FRAMES];
    counts = false;
    backtrace_symbols_fd(frame, backtrace(frame, FRAMES), STDERR_FILENO);
    counts = true;
}

static bool is_refused(const void *caller)
{
    if (!counts || is_spared(caller))
        return false;
    const long call = __atomic_add_fetch(&asked, 1, __ATOMIC_RELAXED);
    const bool no = refused > 0 && (goes_on ? call >= refused : call == refused);
    if (no && tells)
        tell();
    if (no)
        errno = ENOMEM;
    return no;
}

void *malloc(size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return is_refused(__builtin_return_address(0)) ? NULL : __libc_realloc(old, size);
}

/* ---- from main() to the end -------------------------------------------------------------------------------------------- */

static void write_count(void)
{
    counts = false;
    const char *path = getenv("CAROM_REFUSE_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file)
        return;
    fprintf(file, "%ld\n", asked);
    fclose(file);
}

static int (*real_main)(int, char **, char **);

static int counted_main(int argc, char **argv, char **environment)
{
    const char *number = getenv("CAROM_REFUSE");
    refused = number ? atol(number) : 0;
    goes_on = getenv("CAROM_REFUSE_ON") != NULL;
    tells = getenv("CAROM_REFUSE_TELL") != NULL;
    dl_iterate_phdr(note_library, NULL);
    void *frame[1];
    backtrace(frame, 1); /* it loads a library the first time */
    atexit(write_count);
    unsetenv("LD_PRELOAD"); /* programs that are started have memory */
    counts = true;
    const int status = real_main(argc, argv, environment);
    counts = false;
    return status;
}

int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end);
int __libc_start_main(int (*program)(int, char **, char **), int argc, char **argv, void (*init)(void),
                      void (*fini)(void), void (*loader_fini)(void), void *stack_end)
{
    int (*start)(int (*)(int, char **, char **), int, char **, void (*)(void), void (*)(void), void (*)(void),
                 void *) = NULL;
    *(void **)&start = dlsym(RTLD_NEXT, "__libc_start_main");
    real_main = program;
    return start(counted_main, argc, argv, init, fini, loader_fini, stack_end);
}
