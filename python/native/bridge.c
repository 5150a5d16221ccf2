#include "bridge.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

/* ---- Ctrl-C ------------------------------------------------------------------------------------------ */

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int calls;               /* under way; by the guard */
static struct sigaction before; /* what stood there; by the guard */
static atomic_bool interrupted;

/* Threads of the linear algebra, which numpy may share: one while a call runs, as in the program, for the same bits on any
 * number of cores. Only OpenBLAS has these; another BLAS leaves them NULL. */
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int count) __attribute__((weak));
static int threads_before; /* by the guard */

static void make_serial(void)
{
    threads_before = openblas_get_num_threads ? openblas_get_num_threads() : 1;
    carom_run_reproducibly();
}

static void make_parallel(void)
{
    if (openblas_set_num_threads && threads_before > 1)
        openblas_set_num_threads(threads_before);
}

static void interrupt(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

void carom_python_begin(void)
{
    pthread_mutex_lock(&guard);
    if (calls++ == 0) {
        struct sigaction ours = {.sa_handler = interrupt};
        sigemptyset(&ours.sa_mask);
        atomic_store(&interrupted, false);
        sigaction(SIGINT, NULL, &before);
        if (before.sa_handler != SIG_IGN) /* a job in the background is not stopped from the keyboard */
            sigaction(SIGINT, &ours, NULL);
        make_serial();
    }
    pthread_mutex_unlock(&guard);
}

bool carom_python_end(void)
{
    pthread_mutex_lock(&guard);
    const bool stopped = atomic_load(&interrupted);
    if (--calls == 0) {
        make_parallel();
        sigaction(SIGINT, &before, NULL);
    }
    pthread_mutex_unlock(&guard);
    return stopped;
}

bool carom_python_stopped(void)
{
    return atomic_load(&interrupted);
}

static bool go_on(void *context, double done, double total)
{
    if (context)
        *(double *)context = total > 0.0 ? done / total : 0.0;
    return !atomic_load(&interrupted);
}

carom_progress carom_python_progress(double *done)
{
    return (carom_progress){go_on, done};
}

/* ---- run files --------------------------------------------------------------------------------------- */

carom_status carom_python_save(const char *path, const carom_experiment *experiment, const double *parameter,
                               const carom_series *series, const carom_run_result *result, carom_error *error)
{
    carom_run_writer *writer = NULL;
    carom_recorder recorder = {0};
    carom_status status = carom_run_writer_create(path, &writer, error);
    if (status == CAROM_OK)
        status = carom_run_writer_begin(writer, -1, experiment, parameter, &recorder, error);
    for (size_t i = 0; status == CAROM_OK && i < series->count; i++)
        status = recorder.row(recorder.context, carom_series_row(series, i), error);
    if (status == CAROM_OK)
        status = carom_run_writer_end(writer, result, error);
    if (status == CAROM_OK)
        return carom_run_writer_close(writer, error);
    carom_run_writer_discard(writer);
    return status;
}
